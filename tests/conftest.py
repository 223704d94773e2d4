"""What tests of all games and all searchers share: small instances, random games, digests, runs in other modes of numba.

A new game or searcher needs no edit here; with one line it is tested on a smaller instance as well.
"""
import functools
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import config

from mctslab.cli import main
from mctslab.core import below, jit, stream

SMALL = {       # game -> options of an instance that interpreted code can play
    "atari_go": {"size": 4, "cols": 5},
    "go": {"size": 4, "ko": "positional", "suicide": True},
    "hex": {"size": 5, "cols": 4},
    "jaipur": {"rounds": 3, "bonus": "6-6-6", "same_type": True, "cap": 60},
    "leftmost": {"depth": 8},
    "left_move": {"depth": 8},
    "lost_cities": {"colours": 3, "hand": 4, "cap": 60},
    "morpion": {"variant": "4D"},
    "nogo": {"size": 4, "cols": 5},
    "samegame": {"rows": 5, "cols": 6, "colours": 3},
    "splendor": {"goal": 6, "overpay": True, "fewer": True, "cap": 60},
    "sudoku": {"box": 2, "empty": 0.8},
    "wargame": {"size": 5},
}
DEALT = {"jaipur", "lost_cities", "samegame", "splendor", "sudoku"}      # games whose start is drawn from the seed
SEARCHED = ("left_move", "samegame", "sudoku")      # one-player games on which every searcher for them is tested
QUICK = {       # searcher -> options with which a run is short
    "nested": {"level": 2},
    "nrpa": {"level": 2, "iterations": 12},
    "sampling": {"restarts": 200},
}
MODES = {"interpreted": "NUMBA_DISABLE_JIT", "bounds-checked": "NUMBA_BOUNDSCHECK"}


@jit
def run_playout(g, root, policy, rng, trace, buffer):
    return np.int64(g.playout_as(policy, root[0], rng, trace, 0, buffer))


@jit
def list_search_actions(g, root, buffer):
    return np.int64(g.search_actions(root[0], buffer))


@jit
def read_code(g, root, action):
    return np.int64(g.code(root[0], action))


def small_game(name):
    from mctslab import make_game
    return make_game(name, **SMALL.get(name, {}))


def instances():
    """A small instance of every game and, unless interpreted (too slow), the default one."""
    from mctslab import GAMES, make_game
    games = [small_game(name) for name in GAMES] + [make_game(name) for name in GAMES if not config.DISABLE_JIT]
    return list(dict.fromkeys(games))


def searches():
    """(searcher, game) for every searcher of one-player games and some games that it can search."""
    from mctslab import SEARCHERS, InputError, make_searcher
    for name, cls in SEARCHERS.items():
        for game in map(small_game, SEARCHED if cls.players == 1 else ()):
            searcher = make_searcher(name, **QUICK.get(name, {}))
            try:
                searcher.check_game(game)
            except InputError:
                continue
            yield searcher, game


def search_actions(state):
    buffer = np.zeros(state.game.max_actions(), np.int32)
    return buffer[:list_search_actions(state.game, state.record, buffer)].tolist()


def named(state):
    """The legal actions by name."""
    return {state.action_to_string(action): action for action in state.legal_actions()}


def play(state, *names):
    """The state after actions given by name."""
    for name in names:
        state = state.after([named(state)[name]])
    return state


def code(state, action):
    return int(read_code(state.game, state.record, np.int64(action)))


def playout(state, policy, seed):
    """Play a state to its end by a playout policy. Returns the trace."""
    room = state.game.max_length()
    trace, buffer = np.full(room + 1, -1, np.int32), np.zeros(state.game.max_actions(), np.int32)
    n = run_playout(state.game, state.record, policy, stream(seed, "playout"), trace, buffer)
    assert n <= room
    assert trace[room] == -1
    return trace[:n].tolist()


def positions(game, seed):
    """(state, its legal actions) from the start of a random game to its end; one state that changes between the yields."""
    state, rng = game.new_initial_state(seed), stream(seed, "test")
    while True:
        legal = state.legal_actions()
        yield state, legal
        if not legal:
            return
        state.apply_action(legal[below(rng, len(legal))])


def snapshot(state):
    """All that makes a state, as bytes. (A copy need not keep the padding between the fields.)"""
    return b"".join(state.record[name].tobytes() for name in state.record.dtype.names) + state.rng.tobytes()


def digest(facts):
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def game_digest(game, memory=False):
    """A digest of two random games and a playout by each policy; with `memory` of the bytes of their states as well."""
    facts = []
    for seed in 1, 2:
        for state, legal in positions(game, seed):
            facts.append([legal, [code(state, action) for action in legal]])
        ends = [state]
        for policy in range(len(game.playouts)):
            ends.append(game.new_initial_state(seed))
            facts.append(playout(ends[-1], policy, seed))
        facts.append([[round(r, 6) for r in end.returns()] for end in ends])
        facts.append([snapshot(end).hex() for end in ends] if memory else [])
    return digest(facts)


def search_digest(searcher, game):
    """A digest of one search."""
    result = searcher.search(game.new_initial_state(1), seed=2)
    return digest([result.actions, round(result.score, 6), result.simulations, result.playout_plies, result.end,
                   [[n, round(score, 6)] for n, _, score in result.improvements]])


def game_digests():
    return {str(game): game_digest(game, memory=True) for game in instances()}


def search_digests():
    return {f"{searcher} on {game}": search_digest(searcher, game) for searcher, game in searches()}


@functools.cache
def digests_in(mode, function):
    """What a function of this file returns in a new process, where a mode of numba is on."""
    flags = {name: "0" for name in MODES.values()} | {MODES[mode]: "1"}
    script = f"import json, conftest; print(json.dumps(conftest.{function.__name__}()))"
    done = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parent, env=os.environ | flags,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def run(capsys):
    """Run a command; gives exit code, standard output and standard error."""
    def call(*arguments):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        return end.value.code, *capsys.readouterr()
    return call
