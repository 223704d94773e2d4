"""What is stale and why, and what missing games would cost."""
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from mctslab import study
from mctslab.status import Measured, fingerprint, page_of, seconds_of, split, standing
from mctslab.store import Store
from mctslab.study import Cell, Study

PARAMETERS = new_code_cell("profile: str = 'laptop'", metadata={"tags": ["parameters"]})


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """Two studies in a project of their own; the notebook of the second fails."""
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    (tmp_path / "notebooks").mkdir()
    monkeypatch.setattr(study, "STUDIES", {})
    monkeypatch.setattr("mctslab.status.STUDIES", study.STUDIES)
    for name, code in ("good", "print('end')"), ("bad", "1 / 0"):
        study.study(name, name, "")(GRIDS[name])
        nbformat.write(new_notebook(cells=[PARAMETERS, new_code_cell(code)]), tmp_path / "notebooks" / f"{name}.ipynb")
    return tmp_path


def good(profile):
    return [Cell(("leftmost(depth=9)",), "sampling", 5)]


def bad(profile):
    return [Cell(("left_move(depth=9)",), "nested", 5),
            Cell(("tictactoe",), "uct(simulations=9)", 2, b="flat(simulations=9)")]


GRIDS = {"good": good, "bad": bad}


def note_page(project, entry):
    """As if the page had been executed at the profile smoke."""
    Store(project / "data/smoke", entry.name).note(page=fingerprint(entry, "smoke"))
    page_of(entry, "smoke").parent.mkdir(parents=True, exist_ok=True)
    page_of(entry, "smoke").touch()


def reasons(name):
    return standing(study.get_study(name), "smoke")["reasons"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_notebook_that_fails_is_named_and_the_others_are_executed(run, tiny, workers):
    code, out, err = run("run", "--all", "--profile", "smoke", "--workers", workers)
    assert code == 1 and err.count("\n") == 1
    assert "bad.ipynb did not run to its end: cell 3: ZeroDivisionError" in err and "bad.failed.ipynb" in err
    assert (tiny / "build/smoke/good.ipynb").exists() and (tiny / "build/smoke/bad.failed.ipynb").exists()
    assert reasons("good") == [] and reasons("bad") == ["its notebook was not executed on these rows"]
    shown = json.loads(run("status", "--json")[1])
    assert {name: state["stale"] for name, state in shown.items()} == {"good": False, "bad": True}
    assert shown["good"]["smoke"] == {"wanted": 5, "present": 5, "executed": True, "stale": False, "reasons": []}


def test_a_page_is_stale_when_its_grid_its_notebook_or_a_version_has_changed(tiny, monkeypatch):
    note_page(tiny, study.get_study("bad"))
    assert reasons("bad") == []
    with monkeypatch.context() as patch:
        patch.setattr("mctslab.search.UCT.version", 99)
        patch.setattr("mctslab.games.LeftMove.version", 98)
        assert sorted(reason.partition(",")[0] for reason in reasons("bad")) == [
            "left_move has version 98", "uct has version 99"]
    with monkeypatch.context() as patch:
        patch.setitem(study.STUDIES, "bad", Study("bad", "bad", lambda profile: bad(profile)[::-1], ""))
        assert reasons("bad") == ["its grid changed"]
    path = tiny / "notebooks/bad.ipynb"
    path.write_text(path.read_text().replace("1 / 0", "1 / 1"))
    assert reasons("bad") == ["its notebook changed"]


def test_rows_of_an_older_version_are_told_where_no_page_was_executed(tiny, monkeypatch):
    study.fill("bad", "smoke")
    monkeypatch.setattr("mctslab.games.LeftMove.version", 99)
    state = standing(study.get_study("bad"), "smoke")
    assert state["present"] == 2 and state["reasons"] == ["5 rows are of older versions"]
    study.fill("bad", "smoke")
    assert standing(study.get_study("bad"), "smoke")["present"] == 7


@pytest.mark.parametrize("game, names", [
    ("Hex", {"mcps_hex", "mcps_ablations"}), ("Sudoku", {"nested_sudoku"}),
    ("Jaipur", {"ensemble_static", "ensemble_trees", "ensemble_allocation", "ensemble_combined", "ensemble_time"})])
def test_a_higher_version_of_a_game_makes_exactly_the_studies_that_use_it_stale(run, tmp_path, monkeypatch, game, names):
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    for entry in study.STUDIES.values():
        note_page(tmp_path, entry)
    assert not any(state["stale"] for state in json.loads(run("status", "--json")[1]).values())
    monkeypatch.setattr(f"mctslab.games.{game}.version", 99)
    shown = json.loads(run("status", "--json")[1])
    assert {name for name, state in shown.items() if state["stale"]} == names


def test_a_dry_run_plays_nothing_and_tells_what_is_missing_and_unknown(run, tiny):
    code, out, _ = run("run", "bad", "--profile", "smoke", "--dry-run")
    assert (code, out) == (0, "bad (smoke): 7 games wanted, 0 present; unknown for 7 games\n")
    assert not (tiny / "data").exists()
    study.fill("bad", "smoke")
    assert run("run", "bad", "--profile", "smoke", "--dry-run")[1] == "bad (smoke): 7 games wanted, 7 present\n"
    told = run("run", "bad", "--profile", "laptop", "--dry-run")[1]
    assert told.startswith("bad (laptop): 7 games wanted, 0 present; about ") and "core-hours" in told


def kinds(game, *players):
    return game, *(split(player)[0] for player in players)


def test_the_time_of_a_game_is_as_measured_or_in_proportion_to_the_budget():
    measured = {kinds("hex", "mcps", "grave"): {
        ("mcps(simulations=100)", "grave(simulations=100)"): Measured(seconds=3.0, searches=60, simulations=5000),
        ("mcps(simulations=1000)", "grave(simulations=1000)"): Measured(seconds=24.0, searches=60, simulations=60_000)}}

    def seconds(budget, game="hex", a="mcps", b="grave"):
        return seconds_of(game, f"{a}({budget})", f"{b}({budget})", measured)
    assert seconds("simulations=100") == 3.0
    assert seconds("simulations=2000") == pytest.approx(48.0)
    assert seconds("seconds=0.5") == pytest.approx(30.0)
    assert seconds("simulations=100", game="hex(size=5)") is None
    assert seconds("simulations=100", a="grave", b="mcps") is None
    assert seconds_of("hex", "mcps(rho=100, simulations=100)", "grave(simulations=100)", measured) is None


def test_a_page_is_stale_when_its_rows_have_changed_or_it_is_gone(run, tiny):
    run("run", "good", "--profile", "smoke")
    assert reasons("good") == []
    (tiny / "data/smoke/good.parquet").unlink()
    assert reasons("good") == ["its rows changed"]
    study.fill("good", "smoke")
    assert reasons("good") == ["its rows changed"]      # they took other seconds
    run("run", "good", "--profile", "smoke")
    (tiny / "build/smoke/good.ipynb").unlink()
    assert reasons("good") == ["its page is gone"]


@pytest.mark.parametrize("text", ["{", "[]", '{"page": 1}', '{"hosts": []}'])
def test_broken_facts_beside_rows_are_named_before_anything_is_played(run, tiny, text):
    study.fill("good", "smoke")
    (tiny / "data/smoke/good.json").write_text(text)
    for command in ("run", "good", "--profile", "smoke"), ("status",):
        code, _, err = run(*command)
        assert code == 2 and "good.json is not what stands beside rows; restore or delete it" in err


@pytest.mark.parametrize("text, message", [
    ("{", "good.ipynb is no notebook"), (None, "the parameters cell of good.ipynb lacks depth"),
    ("profile = =", "good.ipynb: line 1 of the parameters cell is no Python")])
def test_a_broken_notebook_is_named_before_anything_is_played(run, tiny, monkeypatch, text, message):
    path = tiny / "notebooks/good.ipynb"
    if text is None:
        monkeypatch.setitem(study.STUDIES, "good", Study("good", "good", lambda profile, depth=9: good(profile), ""))
    elif "profile" in text:
        path.write_text(path.read_text().replace("profile: str = 'laptop'", text))
    else:
        path.write_text(text)
    code, _, err = run("run", "good", "--profile", "smoke")
    assert code == 2 and message in err and not (tiny / "data").exists()
