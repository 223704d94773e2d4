"""What is committed can be made again: tables and figures of pages from the committed rows, on a copy of the project."""
import base64
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from matplotlib.image import imread, imsave
from matplotlib.testing.compare import calculate_rms

from mctslab import study
from mctslab.cli import main

PROJECT = Path(__file__).parents[1]
REDRAWN = "nested_sudoku", "mcps_nogo", "ensemble_combined", "claims"     # of each part of the study one that is quick
TOLERANCE = 1       # root mean square of the differences of pixels, of 255: a mark that has moved makes more


def shown(notebook):
    """What the cells show: (cell, output, type) -> text or picture; of the footer no versions and no digest of sources."""
    found = {(i, j, kind): value for i, cell in enumerate(notebook.cells) for j, out in enumerate(cell.get("outputs", []))
             for kind, value in {**out.get("data", {}), **({"text": out.text} if "text" in out else {})}.items()}
    footer = max(place for place in found if place[-1] == "text/markdown")
    found[footer] = re.search(r"\*\*Parameters\*\*.*\*\*Rows\*\*: [\d,]+, digest `\w+`", found[footer]).group()
    return found


def pixels(png):
    """A picture as whole numbers from 0 to 255."""
    return np.round(255 * imread(io.BytesIO(png), "png")).astype(np.int16)


def differences(here, there):
    """Places at which two notebooks show different things: texts and drawings to the byte, pictures beyond the tolerance."""
    found = sorted(here.keys() ^ there.keys())
    for place in sorted(here.keys() & there.keys()):
        pair = here[place], there[place]
        if place[-1] == "image/png":
            pictures = [pixels(base64.b64decode(text)) for text in pair]
            same = pictures[0].shape == pictures[1].shape and calculate_rms(*pictures) < TOLERANCE
        else:
            same = pair[0] == pair[1]
        found += [] if same else [place]
    return found


@pytest.fixture(scope="module", params=REDRAWN)
def redrawn(request, tmp_path_factory):
    """A study, and a copy of the project in which its page was executed with all outputs removed and no figure there."""
    entry, copy = study.get_study(request.param), tmp_path_factory.mktemp(request.param)
    page = nbformat.read(PROJECT / "notebooks" / f"{entry.notebook}.ipynb", 4)
    for cell in page.cells:
        cell.update({"outputs": [], "execution_count": None} if cell.cell_type == "code" else {})
    for folder in "notebooks", "data/laptop":
        (copy / folder).mkdir(parents=True)
    nbformat.write(page, copy / "notebooks" / f"{entry.notebook}.ipynb")
    for ending in "parquet", "json":        # the ledger joins the rows of all studies
        for file in (PROJECT / "data/laptop").glob(f"{'*' if entry.name == 'claims' else entry.name}.{ending}"):
            shutil.copy(file, copy / "data/laptop")
    shutil.copytree(PROJECT / "data/published", copy / "data/published")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as end:
        patch.setenv("MCTSLAB_PROJECT", str(copy))
        main(["run", entry.name, "--redraw", "--workers", "1"])
    assert end.value.code == 0
    return entry, copy


def test_the_committed_page_shows_what_its_rows_give(redrawn):
    entry, copy = redrawn
    here, there = (shown(nbformat.read(folder / "notebooks" / f"{entry.notebook}.ipynb", 4)) for folder in (PROJECT, copy))
    tables = [place for place, text in there.items() if "<td>" in text or "|---" in text or "| ---" in text]
    assert tables and len(there) >= 8 and "image/png" in {kind for *_, kind in there}
    assert differences(here, there) == []


def test_the_committed_figures_are_those_of_the_rows(redrawn):
    entry, copy = redrawn
    committed = {file.name: file for file in (PROJECT / "figures").glob(f"{entry.name}-*")}
    assert committed.keys() == {file.name for file in (copy / "figures").iterdir()} and len(committed) > 1
    for name in [name for name in committed if name.endswith(".png")]:
        here, there = (pixels(file.read_bytes()) for file in (committed[name], copy / "figures" / name))
        assert here.shape == there.shape and calculate_rms(here, there) < TOLERANCE, name


def test_a_digit_of_a_table_a_mark_in_a_picture_and_a_row_are_differences():
    page = nbformat.read(PROJECT / "notebooks" / f"{study.get_study(REDRAWN[0]).notebook}.ipynb", 4)
    here = shown(page)
    table = next(place for place in here if "<td>" in here[place])
    picture = next(place for place in here if place[-1] == "image/png")
    mark = imread(io.BytesIO(base64.b64decode(here[picture])), "png")
    mark[100:107, 100:107, :3] = 0
    imsave(file := io.BytesIO(), mark, format="png")
    footer = max(place for place in here if place[-1] == "text/markdown")
    changed = {table: here[table].replace("</td>", "0</td>", 1), footer: here[footer].replace("digest `", "digest `0"),
               picture: base64.b64encode(file.getvalue()).decode()}
    assert differences(here, here | changed) == sorted(changed)
    assert differences(here, {place: here[place] for place in here if place != table}) == [table]


DRAW = """
import pandas as pd
from mctslab import plots
table = pd.DataFrame({"line": ["x", "y"], "score": [0.5, 0.6], "low": [0.4, 0.5], "high": [0.6, 0.7], "pairs": [9, 9]})
plots.save(plots.forest(table, "line"), "forest")
"""


def test_another_process_with_other_hashes_draws_the_same_bytes(tmp_path):
    for seed in "01":
        environment = os.environ | {"PYTHONHASHSEED": seed, "MCTSLAB_FIGURES": str(tmp_path / seed)}
        subprocess.run([sys.executable, "-c", DRAW], env=environment, check=True, timeout=300)
    for name in "forest.png", "forest.svg":
        assert (tmp_path / "0" / name).read_bytes() == (tmp_path / "1" / name).read_bytes()
