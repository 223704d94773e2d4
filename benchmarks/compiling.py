"""Seconds that a command spends on compiling, with an empty kernel cache, and on which functions.

    python benchmarks/compiling.py study -c "from mctslab.cli import main; main()" run nested_toy --profile smoke
    python benchmarks/compiling.py tests -m pytest -q -n 2 --dist loadfile

What follows the name is given to Python; its processes are all counted. The sums are written under the name to
``benchmarks/results/compiling.json``. CPU seconds of the compiling threads, without those of the
functions that a function calls; numba's own functions stand under their names as well.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

from mctslab.bench import number

SHOWN = 25
RESULT = Path(__file__).parent / "results" / "compiling.json"
LISTENER = '''
import json, os, time
from numba.core import event

class Recorder(event.Listener):
    """Writes a line for each function compiled; numba compiles one at a time in a process."""
    stack = []
    def on_start(self, what):
        self.stack.append([time.thread_time(), 0.0])
    def on_end(self, what):
        start, inner = self.stack.pop()
        spent = time.thread_time() - start
        if self.stack:
            self.stack[-1][1] += spent
        function, args = what.data["dispatcher"].py_func, what.data["args"]
        first = str(args[0]).partition("(")[0].rpartition(".")[2] if args else ""
        with open(os.path.join(FOLDER, f"{os.getpid()}.lines"), "a") as file:
            line = [function.__module__, function.__qualname__, first, spent - inner]
            file.write(json.dumps(line) + "\\n")

event.register("numba:compile", Recorder())
'''


def compilations(arguments, cache=None):
    """Run Python with arguments. Returns its exit code, its seconds, and a table of all that was compiled."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as empty:
        Path(folder, "sitecustomize.py").write_text(f"FOLDER = {folder!r}\n{LISTENER}")
        path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
        environment = os.environ | {"PYTHONPATH": path, "MCTSLAB_CACHE": cache or empty}
        start = time.perf_counter()
        code = subprocess.run([sys.executable, *arguments], env=environment).returncode
        spent = time.perf_counter() - start
        lines = [[file.stem, *json.loads(line)] for file in Path(folder).glob("*.lines")
                 for line in file.read_text().splitlines()]
    return code, spent, pd.DataFrame(lines, columns=["process", "module", "function", "first", "seconds"])


def summary(table, by, n=SHOWN):
    """The groups that took longest: how often they were compiled, seconds, share of all."""
    groups = table.groupby(by)["seconds"].agg(["count", "sum"]).sort_values("sum", ascending=False)
    return groups.assign(share=(groups["sum"] / table["seconds"].sum()).round(3)).round(2).head(n).to_string()


def words(matrix, sums):
    """What the README says, from all pairs that ``mctslab bench --compile`` measured, and from the sums of this program."""
    rows = [row for row in matrix["rows"] if row["compile_seconds"]]
    seconds = sorted(row["compile_seconds"] for row in rows)
    most = max(rows, key=lambda row: row["compile_seconds"])
    told = "; ".join(f"{name}: {number(one['compile_cpu_seconds'])} s for {one['functions']:,} functions in "
                     f"{one['processes']} processes" for name, one in sums.items())
    return (f"Compilation, in CPU seconds: [{len(rows)} pairs](benchmarks/results/matrix.json) of game and searcher take "
            f"{number(seconds[len(seconds) // 2])} in the middle and {number(seconds[-1])} at most "
            f"({most['searcher'].partition('(')[0]} on {most['game']}), with compiled code on disk "
            f"{number(max(row['start_seconds'] for row in rows))} at most. {told} (`benchmarks/compiling.py`).")


def main(name, *arguments):
    code, spent, table = compilations(arguments)
    sums = {"command": arguments, "wall_seconds": spent, "compile_cpu_seconds": table["seconds"].sum(),
            "functions": len(table), "processes": table["process"].nunique()}
    before = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    RESULT.write_text(json.dumps(before | {name: sums}, indent=1) + "\n")
    print(f"\n{spent:.1f} seconds, of which {table['seconds'].sum():.1f} CPU seconds compiling {len(table)} functions in "
          f"{table['process'].nunique()} processes")
    for by in ["module"], ["function"], ["function", "first"]:
        print(f"\n{summary(table, by)}")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
