"""What all figures share: one look, where they are written, captions, intervals."""
import os
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from scipy import stats as distributions

INLINE = 72         # dots per inch within a notebook, of figures that would make it too large; files have the usual number


def use_style():
    """One look, and the same bytes from the same rows: fixed font, resolution and SVG ids, no dates."""
    sns.set_theme(context="notebook", style="whitegrid", palette="colorblind", font="DejaVu Sans")
    mpl.rcParams.update({"figure.dpi": 100, "savefig.dpi": 100, "svg.hashsalt": "mctslab", "svg.fonttype": "path",
                         "figure.constrained_layout.use": True, "axes.titlesize": "medium", "legend.fontsize": "small"})


def save(figure, name):
    """Write a figure as ``NAME.png`` and ``NAME.svg`` to the folder of the profile and return it for display.

    Parameters
    ----------
    figure : matplotlib.figure.Figure or str
        A figure, or a drawing as SVG text.
    name : str
        ``<study>-<what it shows>``.
    """
    folder = Path(os.environ.get("MCTSLAB_FIGURES") or "build/figures")
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(figure, str):
        (folder / f"{name}.svg").write_text(figure)
        return figure
    figure.savefig(folder / f"{name}.png", metadata={"Software": None})
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return figure


def caption(figure, text):
    """A line below the axes: n, budget, what the bars are."""
    figure.supxlabel(text, fontsize="small", color="#444444", x=0.01, ha="left")
    return figure


def pairs_text(table):
    """How many pairs stand behind each row of a table."""
    least, most = table["pairs"].min(), table["pairs"].max()
    return f"{least} pairs" if least == most else f"{least} to {most} pairs"


def interval_half(table):
    """Half width of the 95 % t interval of each column's mean."""
    n = len(table)
    if n < 2:
        return np.zeros(table.shape[1])
    return distributions.t.ppf(0.975, n - 1) * table.std(axis=0, ddof=1) / np.sqrt(n)
