"""The study's notebooks: each executes at the smoke profile, and what is committed reads as a page should."""
import ast
import re
import shutil
from pathlib import Path

import nbformat
import pytest

from mctslab import study
from mctslab.cli import main
from mctslab.notebook import canonical, find_gap, read_parameters
from mctslab.store import Store

PROJECT = Path(__file__).parents[1]
STUDIES = list(study.STUDIES.values())
by_name = pytest.mark.parametrize("entry", STUDIES, ids=[entry.name for entry in STUDIES])


def committed(entry):
    return nbformat.read(PROJECT / "notebooks" / f"{entry.notebook}.ipynb", 4)


def played_by(entry):
    """Games of a study at the profile smoke; the ledger plays none."""
    return sum(cell.runs for cell in entry.cells("smoke"))


@by_name
def test_a_study_runs_from_nothing_and_a_second_time_plays_no_game(entry, tmp_path, monkeypatch, capsys):
    shutil.copytree(PROJECT / "notebooks", tmp_path / "notebooks")
    shutil.copytree(PROJECT / "data/published", tmp_path / "data/published")
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    pages = []
    for played in (played_by(entry), 0):
        with pytest.raises(SystemExit) as end:
            main(["run", entry.name, "--profile", "smoke", "--workers", "1"])
        out = capsys.readouterr().out
        assert end.value.code == 0 and f"{played} games played" in out
        pages.append((tmp_path / "build/smoke" / f"{entry.notebook}.ipynb").read_bytes())
    assert pages[0] == pages[1]
    assert (tmp_path / f"data/smoke/{entry.name}.parquet").exists() == bool(played_by(entry))
    assert list((tmp_path / "build/smoke/figures").glob(f"{entry.name}-*.svg"))


@by_name
def test_the_committed_rows_are_the_laptop_profile_with_at_least_20_games_in_every_cell(entry):
    store = Store(PROJECT / "data/laptop", entry.name)
    assert study.missing(store, entry.tasks("laptop")) == []
    assert all(cell.runs >= 20 for cell in entry.cells("laptop"))


@by_name
def test_a_committed_notebook_is_executed_in_order_canonical_and_small(entry):
    path = PROJECT / "notebooks" / f"{entry.notebook}.ipynb"
    notebook = committed(entry)
    assert find_gap(notebook) is None
    assert nbformat.writes(canonical(notebook)) + "\n" == path.read_text()
    assert path.stat().st_size < 600_000


@by_name
def test_a_notebook_takes_the_parameters_of_its_study(entry):
    parameters = read_parameters(PROJECT / "notebooks" / f"{entry.notebook}.ipynb")
    of_games = {"seed": study.SEED} if played_by(entry) else {}
    assert parameters == {"profile": "laptop"} | of_games | entry.parameters()


@by_name
def test_a_notebook_reads_as_an_essay(entry):
    cells = committed(entry).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    assert [line for line in text.splitlines() if line.startswith("# ")] == [text.splitlines()[0]]
    for part in ("## Answer", "## Limits", "## Exercises", "<details>", "*Time*", "*Source"):
        assert part in text
    assert len(code) <= 25 and "footer(" in code[-1]
    functions = [node for source in code for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    assert all(node.end_lineno - node.lineno < 10 for node in functions)


@by_name
def test_every_figure_of_a_committed_notebook_is_committed(entry):
    source = "\n".join(cell.source for cell in committed(entry).cells if cell.cell_type == "code")
    names = re.findall(rf'"({entry.name}-[^"{{]*)', source)
    assert names
    for name in names:
        assert list((PROJECT / "figures").glob(f"{name}*.svg")), name
