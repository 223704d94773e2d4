"""The kernel cache never serves stale or foreign code: each hazard of numba's own cache, shown cured in new processes.

A lab is a directory with a copy of `mctslab.core`, a package ``toys`` of two games and one searcher, and a kernel cache.
"""
import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import NumbaError

from mctslab.core import cache, jit

GAME = '''
from typing import NamedTuple
import numpy as np
from mctslab.core import below, game
from .gain import gain

@game
class Toy(NamedTuple):
    size: int = 5
    players = 1
    def dtype(g): return np.dtype([("board", "i8", (g.size,)), ("total", "i8"), ("ply", "i8")])
    def max_actions(g): return 1
    def max_length(g): return g.size
    def start(g, s, rng): s.total = 1000 * below(rng, 1000)
    def legal_actions(g, s, buf): buf[0] = 0; return 1
    def play(g, s, a, rng): s.ply += 1; s.total += gain(1)
    def is_terminal(g, s): return s.ply >= len(s.board)
    def payoff(g, s): return s.total
'''
LOOSE_GAME = GAME.replace("from .gain import gain", "").replace("gain(1)", "{}")        # no file, points to be given
TOYS = {
    "__init__.py": "",
    "gain.py": "from mctslab.core import jit\n@jit\ndef gain(x): return 1 * x\n",
    "plus.py": GAME,
    "times.py": GAME.replace("s.total += gain(1)", "s.total += 7"),       # a second game, alike but for its module
    "search.py": '''
from mctslab.core import jit, new_records, stream

@jit
def walk(g, s, rng):        # calls itself twice, so that it stays a function of its own in the machine code
    if g.is_terminal(s):
        return 0
    g.play(s, 0, rng)
    return 1 + walk(g, s, rng) + walk(g, s, rng)

@jit
def total(g, root, rng):
    s = root[0]
    g.start(s, rng)
    walk(g, s, rng)
    return g.payoff(s)

@jit
def poke(values, i):
    values[i] = 1

def play(game):
    return total(game, new_records(game), stream(1, "deal"))
''',
}
PLAY = "from toys.search import *; from toys.{0} import Toy; show(total=play(Toy()))"
SHOW = '''
def show(**values):
    import json
    stats = total.stats
    values |= dict(hits=sum(stats.cache_hits.values()), misses=sum(stats.cache_misses.values()))
    print(json.dumps(values))
'''
DEALT = 172_000         # what the toy deals from seed 1


class Lab:
    def __init__(self, path):
        self.path = path
        self.cache = path / "cache"

    def start(self, source, **variables):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_") or key == "NUMBA_OPT"}
        own = {"PYTHONPATH": str(self.path), "PYTHONDONTWRITEBYTECODE": "1", "MCTSLAB_CACHE": str(self.cache)}
        return subprocess.Popen([sys.executable, "-c", SHOW + source], env=kept | own | variables, cwd=self.path, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, source, **variables):
        """What a new process shows."""
        return result(self.start(source, **variables))

    def play(self, game="plus", **variables):
        return self.run(PLAY.format(game), **variables)

    def edit(self, file, old, new):
        path = self.path / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def files(self, kernel=""):
        return sorted(file for file in self.cache.iterdir() if kernel in file.name)


def result(process):
    out, error = process.communicate()
    assert process.returncode == 0, error
    return json.loads(out.splitlines()[-1]) | {"error": error}


def outcome(shown):
    return shown["total"] - DEALT, "hit" if shown["hits"] else "compiled"


def new_lab(path):
    shutil.copytree(Path(cache.__file__).parent, path / "mctslab" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    for empty in "mctslab/__init__.py", "pandas.py":        # a stub: pandas is slow to import and not needed here
        (path / empty).touch()
    (path / "toys").mkdir()
    for name, source in TOYS.items():
        (path / "toys" / name).write_text(source)
    return Lab(path)


@pytest.fixture(scope="module")
def warm_lab(tmp_path_factory):
    lab = new_lab(tmp_path_factory.mktemp("lab"))
    assert outcome(lab.play()) == (5, "compiled")
    return lab


@pytest.fixture
def lab(warm_lab, tmp_path):
    """A lab in which one process has played ``plus``. (The key has no paths in it, so a copy is as warm.)"""
    shutil.copytree(warm_lab.path, tmp_path, dirs_exist_ok=True)
    return Lab(tmp_path)


@pytest.fixture
def cold_lab(tmp_path):
    return new_lab(tmp_path)


def test_a_second_process_compiles_nothing(lab):
    before = lab.files()
    assert outcome(lab.play()) == (5, "hit")
    assert lab.files() == before


def test_an_edited_rule_is_played_and_the_old_entry_serves_again_after_a_revert(lab):
    lab.edit("toys/plus.py", "s.total += gain(1)", "s.total -= gain(1)")
    assert outcome(lab.play()) == (-5, "compiled")
    lab.edit("toys/plus.py", "s.total -= gain(1)", "s.total += gain(1)")
    assert outcome(lab.play()) == (5, "hit")


def test_an_edited_helper_of_the_game_is_used(lab):
    lab.edit("toys/gain.py", "return 1 * x", "return 2 * x")
    assert outcome(lab.play()) == (10, "compiled")


def test_an_edited_generator_of_the_package_is_used(lab):
    lab.edit("mctslab/core/rng.py", "u64(23)", "u64(24)")
    lab.edit("mctslab/core/rng.py", "u64(41)", "u64(40)")
    points, how = outcome(lab.play())
    assert how == "compiled"
    assert points != 5


def test_a_game_that_is_installed_as_a_package_is_watched_like_any_other(lab):
    site = lab.path / "site-packages"
    site.mkdir()
    shutil.move(lab.path / "toys", site)
    path = f"{lab.path}{os.pathsep}{site}"
    assert outcome(lab.play(PYTHONPATH=path)) == (5, "hit")
    lab.edit("site-packages/toys/gain.py", "return 1 * x", "return 2 * x")
    assert outcome(lab.play(PYTHONPATH=path)) == (10, "compiled")


SIZES = "from toys.search import *; from toys.plus import Toy; show(total=[play(Toy(size)) for size in {}])"


def test_two_sizes_of_a_game_compiled_in_two_processes_keep_apart_in_a_third(lab):
    for size in 7, 9:       # of one history, so numba alone would give both the same symbols
        assert lab.run(SIZES.format([size]))["misses"] == 1
    third = lab.run(SIZES.format([7, 9, 5]))
    assert third["hits"] == 3
    assert third["total"] == [DEALT + size for size in (7, 9, 5)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_two_sizes_of_a_game_compiled_in_forks_of_one_process_keep_apart(lab):
    lab.run("import os; from toys.search import *; from toys.plus import Toy\n"
            "for size in 7, 9:\n"
            "    if os.fork() == 0: play(Toy(size)); os._exit(0)\n"
            "    os.wait()\n"
            "show()")
    both = lab.run(SIZES.format([7, 9]))
    assert both["hits"] == 2
    assert both["total"] == [DEALT + 7, DEALT + 9]


def test_two_games_that_differ_in_their_module_only_keep_apart_in_one_process(lab):
    both = lab.run("from toys.search import *; from toys import plus, times\n"
                   "show(total=[play(toy) for toy in (plus.Toy(), times.Toy(), plus.Toy())])")
    assert both["total"] == [DEALT + points for points in (5, 35, 5)]


def test_a_game_that_is_defined_once_more_plays_its_new_rules(lab):
    cells = [f"exec({LOOSE_GAME.format(points)!r}); totals.append(play(Toy()))\n" for points in (3, 4, 3)]
    shown = lab.run("from toys.search import *; totals = []\n" + "".join(cells) + "show(total=totals)")
    assert shown["total"] == [DEALT + 5 * points for points in (3, 4, 3)]


def test_bounds_checks_take_hold_on_a_warm_cache(lab):
    poke = "from toys.search import *; import numpy as np; values = np.zeros(9)[:4]\n"
    lab.run(poke + "poke(values, 3); show()")
    checked = lab.run(poke + "try: poke(values, 4)\nexcept IndexError: show(caught=True)", NUMBA_BOUNDSCHECK="1")
    assert checked["caught"]


@pytest.mark.parametrize("module", ["__main__", "notebook"])
def test_a_game_without_a_source_file_is_never_served_from_disk(lab, module):
    scope = {"__main__": "globals()", "notebook": "vars(sys.modules.setdefault('notebook', types.ModuleType('notebook')))"}
    for points in (3, 4):
        shown = lab.run("import sys, types; from toys.search import *\n"
                        f"scope = {scope[module]}; exec({LOOSE_GAME.format(points)!r}, scope)\n"
                        "show(total=play(scope['Toy']()))")
        assert outcome(shown) == (5 * points, "compiled")
    assert len(lab.files("total")) == 1


def test_a_rule_that_a_notebook_patches_into_a_game_is_never_served_from_disk(lab):
    for points in (3, 4):
        shown = lab.run("from toys.search import *; from toys.plus import Toy\n"
                        f"def play_more(g, s, a, rng): s.ply += 1; s.total += {points}\n"
                        "Toy.play = play_more; show(total=play(Toy()))")
        assert outcome(shown) == (5 * points, "compiled")
    assert len(lab.files("total")) == 1


def test_a_source_edited_after_the_process_began_is_not_cached(lab):
    shown = lab.run("import os; from pathlib import Path; from toys.search import *; from toys.plus import Toy\n"
                    "file = Path('toys/plus.py'); time = file.stat().st_mtime\n"
                    "file.write_text(file.read_text().replace('+= gain(1)', '-= gain(1)')); os.utime(file, (time, time))\n"
                    "show(total=play(Toy()))")
    assert outcome(shown) == (5, "compiled")        # as it was when the process read it
    assert len(lab.files("total")) == 1
    assert outcome(lab.play()) == (-5, "compiled")


def test_a_reloaded_module_plays_its_new_rule(lab):
    shown = lab.run("import importlib; from pathlib import Path; from toys.search import *; from toys import plus\n"
                    "old = play(plus.Toy()); file = Path('toys/plus.py')\n"
                    "file.write_text(file.read_text().replace('+= gain(1)', '-= gain(1)'))\n"
                    "show(old=old, total=play(importlib.reload(plus).Toy()))")
    assert (shown["old"] - DEALT, shown["total"] - DEALT) == (5, -5)


def test_parallel_cold_starts_all_play_right_and_leave_whole_files(cold_lab):
    processes = [cold_lab.start(PLAY.format(game)) for game in ("plus", "times") * 2]
    assert [result(process)["total"] - DEALT for process in processes] == [5, 35] * 2
    assert {file.suffix for file in cold_lab.files()} == {".nbc"}
    both = cold_lab.run("from toys.search import *; from toys import plus, times\n"
                        "show(total=[play(module.Toy()) for module in (plus, times)])")
    assert (both["total"], both["hits"]) == ([DEALT + 5, DEALT + 35], 2)


def test_a_damaged_file_is_compiled_anew(lab):
    shown = lab.run("from toys.search import *; from toys.plus import Toy; from pathlib import Path; import toys.search\n"
                    "file, = Path('cache').glob('*total*'); whole = file.read_bytes(); n = len(whole) // 2; hits = []\n"
                    "for data in whole, whole[:n], b'', whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1:], whole:\n"
                    "    file.write_bytes(data)\n"
                    "    total = toys.search.total = jit(total.py_func)\n"
                    "    hits.append((play(Toy()), sum(total.stats.cache_hits.values())))\n"
                    "show(total=hits)")
    assert shown["total"] == [[DEALT + 5, hits] for hits in (1, 0, 0, 0, 1)]


def test_a_cache_that_cannot_be_written_costs_one_warning(lab):
    shown = lab.play(MCTSLAB_CACHE=str(lab.path / "toys" / "plus.py" / "cache"))
    assert outcome(shown) == (5, "compiled")
    assert shown["error"].count("Warning") == 1
    assert "no kernel cache in" in shown["error"]


def test_another_numba_runs_without_the_cache_and_says_so_once(lab):
    before = lab.files()
    shown = lab.run("import numba; numba.__version__ = '0.99.0'\n" + PLAY.format("times"))
    assert shown["total"] == DEALT + 35
    assert shown["error"].count("Warning") == 1
    assert "numba 0.68, not 0.99.0" in shown["error"]
    assert lab.files() == before


def test_two_functions_of_one_name_have_two_entries(lab):
    (lab.path / "toys" / "twins.py").write_text("from mctslab.core import jit\n@jit\ndef f(): return 1\nfirst = f\n"
                                                "@jit\ndef f(): return 2\n")
    twins = "from toys.search import *; from toys import twins; show(total=[twins.first(), twins.f()])"
    assert [lab.run(twins)["total"] for _ in range(2)] == [[1, 2]] * 2


def test_nested_functions_and_lambdas_are_refused():
    def inner():
        return 1
    with pytest.raises(TypeError, match="module-level functions only, not .*inner"):
        jit(inner)
    with pytest.raises(TypeError, match="module-level"):
        jit(eval("lambda: 1"))


@pytest.mark.parametrize(("source", "names"), [
    ("import a.b.c", ["a", "a.b", "a.b.c"]),
    ("from .rules import x", ["p.q.rules", "p.q.rules.x"]),
    ("from .. import rules", ["p", "p.rules"]),
    ("def f():\n    from a import b", ["a", "a.b"]),
])
def test_imports_are_followed(source, names):
    assert list(cache._imported_names(ast.parse(source), "p.q")) == names


@jit
def make(n):
    return np.zeros(n)


@jit(allocates=True)
def make_and_say_so(n):
    return np.zeros(n)


def test_what_allocates_must_say_so():
    assert make_and_say_so(3).tolist() == [0, 0, 0]
    with pytest.raises(NumbaError, match="Only accept returning of array passed into the function"):
        make(3)
