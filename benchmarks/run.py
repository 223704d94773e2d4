"""Speed of the searches of one player, on one core: medians of interleaved rounds, beside what was aimed at.

    python benchmarks/run.py [--rounds N]

Prints a table and writes ``benchmarks/results/solvers.json`` with the machine and the versions. Absolute figures belong to
that machine; compare ratios of one run.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mctslab import make_game, make_searcher
from mctslab.arena import host

# name, game, searcher, unit, target (None: for comparison only), where the target comes from
CASES = [
    ("Morpion 5D uniform playouts", "morpion", "sampling(simulations=100000)", "playouts/s", 155_000, "5 x best public C++"),
    ("Morpion 5T uniform playouts", "morpion(variant=5T)", "sampling(simulations=50000)", "playouts/s", None, ""),
    ("Morpion 5D NRPA level 3", "morpion", "nrpa(level=3, simulations=60000)", "playouts/s", 75_000, "best public C++"),
    ("Morpion 5D nested level 2, a run", "morpion", "nested(level=2, restarts=5)", "seconds", 0.5, "public C++ 2.3 s"),
    ("SameGame uniform playouts", "samegame(position=1)", "sampling(simulations=30000)", "playouts/s", 30_000, ""),
    ("SameGame tabu playouts", "samegame(position=1)", "sampling(simulations=30000, playout=tabu)", "playouts/s", None, ""),
    ("SameGame nested level 1", "samegame(position=1)", "nested(level=1, simulations=60000)", "playouts/s", None, ""),
    ("Sudoku 16x16, 66 % empty, playouts", "sudoku", "sampling(simulations=30000)", "playouts/s", None, ""),
    ("Left move, depth 60, nested level 3", "left_move", "nested(level=3)", "playouts/s", None, ""),
]
FIRST_SEARCH = """
import time
start = time.perf_counter()
import mctslab
state = mctslab.make_game("morpion").new_initial_state(1)
mctslab.make_searcher("nested").search(state, 1)
print(time.perf_counter() - start)
"""


def measure(game, searcher, unit, seed):
    """One measurement: playouts per second, or seconds per run."""
    state = make_game(game).new_initial_state(1)
    result = make_searcher(searcher).search(state, seed)
    return result.seconds / result.extra["runs"] if unit == "seconds" else result.simulations / result.seconds


def first_search(cache):
    """Seconds from the start of Python to the end of a first search, with the kernel cache in a folder."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_SEARCH], check=True, env=os.environ | {"MCTSLAB_CACHE": cache},
                   capture_output=True)
    return time.perf_counter() - start


def row(name, unit, figures, target=None, source=""):
    """One line of the table."""
    return dict(name=name, unit=unit, median=statistics.median(figures), low=min(figures), high=max(figures), target=target,
                source=source)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for _, game, searcher, unit, *_ in CASES:
        measure(game, searcher.replace("simulations=", "restarts=1, simulations="), unit, 0)      # compile
    figures = {name: [] for name, *_ in CASES}
    for seed in range(rounds):
        for name, game, searcher, unit, *_ in CASES:
            figures[name].append(measure(game, searcher, unit, seed))
    rows = [row(name, unit, figures[name], target, source) for name, _, _, unit, target, source in CASES]
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = first_search(cache), [first_search(cache) for _ in range(rounds)]
    rows += [row("first search, cold cache", "seconds", [cold]), row("first search, warm cache", "seconds", warm, 2.0)]
    for r in rows:
        number = "{:,.0f}".format if r["unit"] == "playouts/s" else "{:.3f}".format
        spread = f"({number(r['low'])} to {number(r['high'])})"
        target = f"target {number(r['target'])} {r['source']}" if r["target"] else ""
        print(f"{r['name']:<38} {number(r['median']):>12} {r['unit']:<11} {spread:<26} {target}")
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    (results / "solvers.json").write_text(json.dumps({"host": host()[1], "rounds": rounds, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
