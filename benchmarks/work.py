"""Pieces of work of mctslab: functions of a seed that return a rate or a cost.

Seconds are those that this thread had a core (as on a quiet machine), but where several processes work.
"""
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from contextlib import nullcontext
from functools import cache

import kernels
import numpy as np

from mctslab import bench, make_game, make_searcher
from mctslab.arena import Task, play_task
from mctslab.core import new_records, stream
from mctslab.workers import open_pool, spread

GIB = 2**30


def seconds(work, *args, clock=time.thread_time):
    start = clock()
    work(*args)
    return clock() - start


def playouts(spec, n, policy="", deal=False):
    """Playouts per second from the start of a game; with `deal` each from a deal of its own."""
    def work(seed):
        game = make_game(spec)
        index = game.playouts.index(policy) if policy else 0
        state, scratch = game.new_initial_state(seed), new_records(game)
        trace, buffer = np.zeros(2 * game.max_length(), np.int32), np.zeros(game.max_actions(), np.int32)
        rest = index, stream(seed, "playout"), trace, buffer, n
        if deal:
            return n / seconds(kernels.games, game, scratch, *rest)
        return n / seconds(bench.playouts, game, state.record, scratch, *rest)
    return work


def simulations(spec, searcher, searches=1):
    """Simulations per second of searches from the start of a game, by one player, who keeps its memory as in a game."""
    def work(seed):
        game, done = make_game(spec), []
        state, player = game.new_initial_state(1), make_searcher(searcher)
        if game.players == 2:
            player = player.player(game)

        def search():
            done.extend(player.search(state, 100 * seed + i).simulations for i in range(searches))
        spent = seconds(search)
        return sum(done) / spent
    return work


def run_seconds(spec, searcher):
    """Seconds for each run of a search that restarts."""
    def work(seed):
        state, runs = make_game(spec).new_initial_state(1), []
        spent = seconds(lambda: runs.append(make_searcher(searcher).search(state, seed).extra["runs"]))
        return spent / sum(runs)
    return work


def determinization(spec, plies, n):
    """Nanoseconds for each determinization of a position after some random moves."""
    def work(seed):
        game, rng = make_game(spec), np.random.default_rng(seed)
        state = game.new_initial_state(seed)
        for _ in range(plies):
            state.apply_action(int(rng.choice(state.legal_actions())))
        args = game, state.record, new_records(game), state.current_player(), stream(seed, "determinization"), n
        return 1e9 / n * seconds(kernels.determinizations, *args)
    return work


@cache
def runner(workers):
    """The pool of the studies' runner; its workers stay between measurements, as they stay between games."""
    return open_pool(workers)


def matches(game, a, b, workers=1, pairs=1):
    """Games per second by so many workers of the studies' runner. All play the same games, half with either side first."""
    def work(seed):
        tasks = [Task("bench", "", pair, seat, 1000 * seed + pair, 1, game, a, b)
                 for pair in range(pairs) for seat in (0, 1) for _ in range(workers)]
        with bench.all_cores() if workers > 1 else nullcontext():
            return len(tasks) / seconds(lambda: list(spread(play_task, tasks, runner(workers))), clock=time.perf_counter)
    return work


def memory(game, searcher, n):
    """GiB that n simulations may need at most: of all arrays, computed from their sizes."""
    def work(_):
        player = make_searcher(searcher, simulations=1).player(make_game(game))
        player.limit = n
        return (player.need(player.bounds()) + sum(array.nbytes for array in player.more or ())) / GIB
    return work


def memory_grown(spec, searcher, n, more):
    """KiB that a search of one player allocates at its peak with more simulations, beyond those with n."""
    def peak(simulations, seed):
        state = make_game(spec).new_initial_state(1)
        tracemalloc.start()
        make_searcher(searcher, simulations=simulations).search(state, seed)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found
    return lambda seed: max(0, peak(more, seed) - peak(n, seed)) / 1024


def new_python(*arguments, cache=""):
    """Seconds of a new Python with a folder for compiled code; an empty one by default."""
    with tempfile.TemporaryDirectory() as empty:
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, env=os.environ | {"MCTSLAB_CACHE": cache or empty},
                       capture_output=True)
        return time.perf_counter() - start
