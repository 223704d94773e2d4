"""A search costs what it did: simulations, nodes, plies and random draws of fixed-seed searches, kept in work.json.

A clock says little on a busy machine, but these counts are the same everywhere; a slip that makes a search do more, or
something else, moves one of them. Where a test here fails, do as test_golden.py says:
``python tests/test_work.py --update [--force]``.
"""
import json
import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from conftest import small_game
from test_golden import updated, versioned

from mctslab import GAMES, SEARCHERS, make_searcher
from mctslab.core import jit, next64, stream
from mctslab.search import player

FILE = Path(__file__).with_name("work.json")
UPDATE = "python tests/test_work.py --update"
SEEN, HIDDEN = ("tictactoe", "hex", "go"), ("jaipur",)      # games for those that need all to be seen, and for the others
MOST = 10**7        # random draws of a search


@jit
def draws_until(rng, end):
    """How many words the generator gives before its state is `end`."""
    n = 0
    while n < MOST and not (rng[0] == end[0] and rng[1] == end[1] and rng[2] == end[2] and rng[3] == end[3]):
        next64(rng)
        n += 1
    return n


def work(searcher, game):
    """What a search has done, and the move it found."""
    streams = {}

    def remember(seed, *names):
        return streams.setdefault(names, stream(seed, *names))
    with patch.object(player, "stream", remember):
        result = searcher.search(game.new_initial_state(1), seed=2)
    draws = draws_until(stream(2, "playout"), streams["playout",])
    assert draws < MOST
    return {"simulations": result.simulations, "nodes": result.extra["nodes"], "playout_plies": result.playout_plies,
            "draws": draws, "action": result.action}


def searches():
    """A search of every kind for two players, on a few games."""
    for name, cls in SEARCHERS.items():
        for game in (SEEN if cls.needs_all else HIDDEN) if cls.players == 2 else ():
            if game in GAMES:
                yield make_searcher(name, simulations=400), small_game(game)


CASES = {versioned(*pair): pair for pair in searches()}


def read():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


@pytest.mark.parametrize("name", CASES)
def test_a_search_does_the_work_it_did(name):
    assert work(*CASES[name]) == read().get(name), f"if this was meant, raise `version` and run {UPDATE}"


def test_draws_are_counted_to_the_last():
    rng = stream(1, "draws")
    for _ in range(77):
        next64(rng)
    assert draws_until(stream(1, "draws"), np.array(rng)) == 77


if __name__ == "__main__":
    if "--update" not in sys.argv:
        sys.exit(f"usage: {UPDATE} [--force]")
    done = updated(read(), {name: work(*pair) for name, pair in CASES.items()}, "--force" in sys.argv)
    FILE.write_text("{\n" + ",\n".join(f" {json.dumps(name)}: {json.dumps(row)}" for name, row in done.items()) + "\n}\n")
