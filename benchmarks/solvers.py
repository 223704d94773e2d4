"""Games of one player, and the first search and the first match of a newcomer."""
import tempfile

from timer import Case
from work import memory_grown, new_python, run_seconds, simulations

FIRST_SEARCH = """
import mctslab
state = mctslab.make_game("morpion").new_initial_state(1)
mctslab.make_searcher("nested").search(state, 1)
"""
FIRST_MATCH = ("-c", "from mctslab.cli import main; main()", "match", "hex(size=7)", "--a", "mcps", "--b", "grave",
               "--simulations", "1000", "--games", "2")


def cases():
    cache = tempfile.TemporaryDirectory()

    def warm(*arguments):
        return lambda _: new_python(*arguments, cache=cache.name)

    def cold(*arguments):
        return "cold cache", lambda _: new_python(*arguments)
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
        Case("Morpion 5D nested level 2, 50 x the playouts", "KiB",
             memory_grown("morpion", "nested(level=2)", 10_000, 500_000), 64),
        Case("First search, warm cache", "seconds", warm("-c", FIRST_SEARCH), 2.0, peer=cold("-c", FIRST_SEARCH)),
        Case("First match, warm cache", "seconds", warm(*FIRST_MATCH), 10.0),
        Case("First match, cold cache", "seconds", cold(*FIRST_MATCH)[1], 60.0)]
