"""How fast this machine is: playouts of every game, and every searcher that fits it.

What is measured has its turn in each of some rounds, and the median counts: so whatever else the machine does meets all
alike. Seconds are those that the thread had a core. `benchmarks/` measures with the same functions what was aimed at.
"""
import contextlib
import multiprocessing
import os
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from .core import InputError, cache, jit, new_records, stream
from .games import GAMES, make_game
from .search import SEARCHERS, make_searcher
from .search.tree import NODES

CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
SIMULATIONS = 1000      # of a search whose budget is not given
LEAST = 0.05            # seconds of a measurement
PLAYOUTS = 1000         # of a call


def pin():
    """Stay on one core, where the system can."""
    if CORES:
        os.sched_setaffinity(0, {min(CORES)})


@contextlib.contextmanager
def all_cores():
    """For threads that are started within."""
    if CORES:
        os.sched_setaffinity(0, CORES)
    yield
    pin()


def in_turn(works, rounds):
    """Figures of pieces of work, as lists by name.

    Parameters
    ----------
    works : dict of str to callable
        Each does its work with a seed and returns the figure.
    rounds : int
        In each, all have their turn. One more goes before them, to compile and to warm up.
    """
    figures = {name: [] for name in works}
    turns = [(seed, name) for seed in range(rounds + 1) for name in works]
    for seed, name in tqdm(turns, disable=None, leave=False):
        figure = works[name](seed)
        figures[name] += [figure] if seed > 0 else []
    return figures


def spread(figures, prefix=""):
    return {f"{prefix}median": statistics.median(figures), f"{prefix}low": min(figures), f"{prefix}high": max(figures)}


def number(x):
    """Three digits that count, in full from a thousand on."""
    rounded = float(f"{x:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:.3g}"


def in_columns(lines):
    """Lists of words as lines of text."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, words, widths)).rstrip() for words in lines)


@jit
def playouts(g, root, work, policy, rng, trace, buffer, n):
    """Play a position to its end n times, with the trace of moves. Returns the plies, and what the first player got."""
    plies, won = 0, 0.0
    for _ in range(n):
        work[0] = root[0]
        plies += g.playout_as(policy, work[0], rng, trace, 0, buffer)
        won += g.payoff(work[0])
    return plies, won


class Cell:
    """Playouts of a game, or searches from its start by one player who keeps his memory as in a game."""

    def __init__(self, game, searcher=None):
        self.game, self.searcher, self.state = game, searcher, game.new_initial_state(1)
        self.player = searcher and searcher.player(game) if game.players == 2 else searcher

    def name(self):
        return f"{self.searcher or 'playouts'} on {self.game}"

    def once(self, seed):
        """(playouts or simulations, their plies) of one call."""
        if self.player:
            result = self.player.search(self.state, seed)
            return result.simulations, result.playout_plies
        trace, buffer = (np.zeros(n, np.int32) for n in (2 * self.game.max_length(), self.game.max_actions()))
        return PLAYOUTS, playouts(self.game, self.state.record, new_records(self.game), 0, stream(seed, "playout"), trace,
                                  buffer, PLAYOUTS)[0]

    def work(self, seed):
        """(playouts or simulations per second, nanoseconds per ply) of as many calls as fill the time."""
        start, done, plies, spent, calls = time.thread_time(), 0, 0, 0.0, 0
        while spent < LEAST:
            more = self.once(1000 * seed + calls)
            done, plies, calls = done + more[0], plies + more[1], calls + 1
            spent = time.thread_time() - start
        return done / spent, 1e9 * spent / max(plies, 1)

    def bytes_per_node(self):
        """Of the last search's tree; None where there is none."""
        if self.player is None or self.game.players == 1:
            return None
        used = self.player.tree.paths["used"][0]
        return self.player.need(used) / int(used[NODES])


def first_search(game, searcher, folder):
    """CPU seconds of a first search of one simulation, in a process that has but loaded the package."""
    if folder:
        cache.CACHE_DIR = Path(folder)
    start = time.process_time()
    replace(make_searcher(searcher), simulations=1, seconds=0.0).search(make_game(game).new_initial_state(1), 1)
    return time.process_time() - start


class NewProcesses:
    """Calls functions, each in a process of its own that has loaded the package."""

    def __enter__(self):
        kind = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        context = multiprocessing.get_context(kind)
        if kind == "forkserver":
            context.set_forkserver_preload([__name__, "mctslab.cli"])
        self.pool = context.Pool(1, maxtasksperchild=1)
        return self

    def call(self, function, *args):
        return self.pool.apply(function, args)

    def __exit__(self, *_):
        self.pool.terminate()


def start_seconds(cells, cold):
    """(seconds with an empty kernel cache, or None; seconds with a full one) of each cell's first search."""
    with NewProcesses() as processes:
        for cell in tqdm(cells, disable=None, leave=False):
            if cell.searcher is None:
                yield None, None
                continue
            pair = str(cell.game), str(cell.searcher)
            with tempfile.TemporaryDirectory() as folder:
                compiling = processes.call(first_search, *pair, folder) if cold else None
                yield compiling, processes.call(first_search, *pair, folder if cold else "")


def cells(games=(), searchers=()):
    """What can be measured of these games and searchers, or of all.

    Raises
    ------
    InputError
        If no searcher fits any of the games.
    """
    found, refused = [], None
    for game in map(make_game, games or GAMES):
        fitting = []
        for searcher in map(make_searcher, searchers or SEARCHERS):
            if not (searcher.simulations or searcher.seconds):
                searcher = replace(searcher, simulations=SIMULATIONS)
            try:
                searcher.check_game(game)
                fitting.append(Cell(game, searcher))
            except InputError as error:
                refused = error
        found += [Cell(game), *fitting] if fitting else []
    if not found:
        raise refused
    return found


def measure(games=(), searchers=(), rounds=5, cold=False):
    """Rows of figures, one for each game and for each searcher on it.

    Parameters
    ----------
    games, searchers : sequence of str
        Names with options; all by default.
    rounds : int
        Medians are over so many.
    cold : bool
        Measure compilation too.

    Returns
    -------
    list of dict
        ``game``; ``searcher``, empty where a row is of playouts from the start by the game's default policy; per second
        their ``median``, ``low`` and ``high``; ``ns_per_ply`` of playouts, all work of a search included;
        ``bytes_per_node`` of the tree, its edges and statistics; ``compile_seconds``, of a first search with an empty
        kernel cache; ``start_seconds``, with a full one. None where there is no such thing.
    """
    measured = cells(games, searchers)
    figures = in_turn({cell.name(): cell.work for cell in measured}, rounds)
    rows = []
    for cell, (compiling, starting) in zip(measured, start_seconds(measured, cold), strict=True):
        rates, costs = zip(*figures[cell.name()], strict=True)
        rows.append({"game": str(cell.game), "searcher": str(cell.searcher or "")} | spread(rates) | {
            "ns_per_ply": statistics.median(costs), "bytes_per_node": cell.bytes_per_node(), "compile_seconds": compiling,
            "start_seconds": starting})
    return rows


def table(rows):
    """The rows as text."""
    def words(row):
        figures = [row[name] for name in ("ns_per_ply", "bytes_per_node", "compile_seconds", "start_seconds")]
        return [row["game"], row["searcher"] or "playouts", number(row["median"]), f"{number(row['low'])} to "
                f"{number(row['high'])}", *("" if x is None else number(x) for x in figures)]
    return in_columns([["game", "searcher", "per second", "spread", "ns/ply", "bytes/node", "compile s", "start s"],
                       *map(words, rows)])
