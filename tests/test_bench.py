"""Speeds: what is measured of games and searchers, the looks at the clock within kernels, the README's table."""
import importlib
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from mctslab import InputError, bench
from mctslab.cli import main

PROJECT = Path(__file__).parents[1]


@pytest.fixture
def benchmarks(monkeypatch):
    """A function that imports a module of that folder, which is not a package."""
    monkeypatch.setattr(sys, "path", [str(PROJECT / "benchmarks"), *sys.path])
    return importlib.import_module


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(bench, "LEAST", 1e-4)
    monkeypatch.setattr(bench, "pin", lambda: None)     # other tests of this process want all cores


def test_work_is_measured_in_turn_and_the_first_round_does_not_count():
    calls = []
    figures = bench.in_turn({name: lambda seed, name=name: calls.append(name) or seed for name in "ab"}, 2)
    assert calls == list("ababab")
    assert figures == {"a": [1, 2], "b": [1, 2]}


def test_every_searcher_meets_every_game_that_it_can_play():
    pairs = {f"{getattr(cell.searcher, 'name', 'playouts')} on {cell.game.name}" for cell in bench.cells()}
    assert {"mcps on hex", "nrpa on morpion", "ensemble on jaipur", "forward_checking on sudoku", "playouts on nim"} <= pairs
    assert not {"uct on jaipur", "nested on hex", "uct on morpion"} & pairs


def test_a_searcher_that_fits_none_of_the_games_is_refused():
    with pytest.raises(InputError, match="uct would see what jaipur hides"):
        bench.cells(["jaipur"], ["uct"])


def test_a_budget_that_is_given_is_kept():
    assert [str(cell.searcher) for cell in bench.cells(["nim"], ["uct(simulations=7)"])[1:]] == ["uct(simulations=7)"]


def test_bytes_per_node_are_those_of_nodes_edges_and_rows():
    cell = bench.cells(["tictactoe"], ["grave"])[1]
    cell.work(1)
    tree = cell.player.tree
    nodes, edges, rows = (int(n) for n in tree.paths["used"][0])
    assert cell.bytes_per_node() * nodes == pytest.approx(
        nodes * (tree.nodes.itemsize + 16) + edges * 20 + rows * tree.amaf[0].nbytes)


def test_the_command_prints_a_row_for_playouts_and_one_for_each_searcher(quick, capsys):
    with pytest.raises(SystemExit) as end:
        main(["bench", "--game", "tictactoe", "--searcher", "uct", "--rounds", "1", "--json"])
    assert end.value.code == 0
    playouts, search = json.loads(capsys.readouterr().out)["rows"]
    assert (playouts["searcher"], search["searcher"]) == ("", "uct(simulations=1000)")
    assert search["median"] > 0 and playouts["median"] > 0
    assert search["bytes_per_node"] > 0 and search["start_seconds"] > 0 and search["compile_seconds"] is None
    assert len(bench.table([playouts, search]).splitlines()) == 3


def test_numbers_have_three_digits_that_count():
    assert [bench.number(x) for x in (1234567, 1000, 999.9, 12.345, 0.5)] == ["1,230,000", "1,000", "1,000", "12.3", "0.5"]


def test_a_kernel_with_looks_at_the_clock_finds_what_the_kernel_finds(benchmarks):
    from mctslab import make_game, make_searcher
    from mctslab.core import stream
    parts = benchmarks("parts")
    game = make_game("hex(size=11)")        # whose kernels other tests have compiled
    state, found = game.new_initial_state(1), []
    spent = np.zeros(2 * len(parts.PARTS) + 3, np.int64)
    looking = parts.with_looks(parts.mcps, "mcps")
    for kernel in parts.mcps.mcps, lambda *args: looking(*args, spent):
        player = make_searcher("mcps", simulations=300).player(game)
        player.search(state, 1)
        player.begin(state, 1, None)
        parts.run_kernel("mcps", kernel, player, state, stream(1, "playout"), 300)
        found.append(player.tree.visits[:121].tolist())
    assert found[0] == found[1]
    assert spent[len(parts.PARTS) + parts.PARTS.index("playout")] == 300
    assert (spent[:len(parts.PARTS)] > 0).all()


def test_an_exponent_is_that_of_the_power(benchmarks):
    x = np.array([1.0, 10, 100, 1000])
    assert benchmarks("growth").exponent(x, 5 * x**1.5)[0] == pytest.approx(1.5)


def test_what_the_readme_says_of_speed_is_what_was_measured(benchmarks):
    run, page = benchmarks("run"), (PROJECT / "README.md").read_text()
    assert page == run.with_readme(page), "run python benchmarks/run.py --redraw"
    assert set(re.findall(r"^\| (.*?) \| .*\| missed \|$", page, re.MULTILINE)) <= set(benchmarks("notes").NOTES)
