"""Games of one player, and the first search of a newcomer."""
import os
import subprocess
import sys
import tempfile
import time

from timer import Case
from work import run_seconds, simulations

FIRST_SEARCH = """
import mctslab
state = mctslab.make_game("morpion").new_initial_state(1)
mctslab.make_searcher("nested").search(state, 1)
"""


def first_search(cache):
    """Seconds from the start of Python to the end of a first search, with the kernel cache in a folder."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_SEARCH], check=True, env=os.environ | {"MCTSLAB_CACHE": cache},
                   capture_output=True)
    return time.perf_counter() - start


def first_search_ever(_):
    with tempfile.TemporaryDirectory() as cache:
        return first_search(cache)


def cases():
    cache = tempfile.TemporaryDirectory()
    samegame = "samegame(position=1)"
    return [
        Case("Morpion 5D uniform playouts", "playouts/s", simulations("morpion", "sampling(simulations=100000)"), 155_000,
             "5 x best public C++"),
        Case("Morpion 5T uniform playouts", "playouts/s", simulations("morpion(variant=5T)", "sampling(simulations=50000)")),
        Case("Morpion 5D NRPA level 3", "playouts/s", simulations("morpion", "nrpa(level=3, simulations=60000)"), 75_000,
             "best public C++"),
        Case("Morpion 5D nested level 2, a run", "seconds", run_seconds("morpion", "nested(level=2, restarts=5)"), 0.5,
             "public C++ 2.3 s"),
        Case("SameGame uniform playouts", "playouts/s", simulations(samegame, "sampling(simulations=30000)"), 30_000),
        Case("SameGame tabu playouts", "playouts/s", simulations(samegame, "sampling(simulations=30000, playout=tabu)")),
        Case("SameGame nested level 1", "playouts/s", simulations(samegame, "nested(level=1, simulations=60000)")),
        Case("Sudoku 16x16, 66 % empty, playouts", "playouts/s", simulations("sudoku", "sampling(simulations=30000)")),
        Case("Left move, depth 60, nested level 3", "playouts/s", simulations("left_move", "nested(level=3)")),
        Case("First search, warm cache", "seconds", lambda _: first_search(cache.name), 2.0,
             peer=("cold cache", first_search_ever))]
