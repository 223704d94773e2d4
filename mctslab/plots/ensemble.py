"""Figures of ensembles of determinizations: their root tables, their scores by number of trees, ablations, gains."""
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns

from .figure import INLINE, caption, pairs_text, use_style

LINES = (("#0173b2", "o-"), ("#de8f05", "s--"), ("#029e73", "^-."), ("#cc78bc", "D:"))     # colour, marker and line
GAINS = {"first": "#0173b2", "second": "#029e73", "sum": "#7f7f7f", "both": "#de8f05"}


def ensemble_table(visits, moves, votes, chosen):
    """The root tables of an ensemble: a row per tree, its vote framed, and the sums below.

    Parameters
    ----------
    visits : array_like, shape (trees, moves)
    moves : list of str
        Names of the root moves.
    votes : list of int
        The move that each tree votes for.
    chosen : int
        The move that the ensemble plays.
    """
    use_style()
    visits, trees = np.asarray(visits, int), len(visits)
    share = visits / visits.sum(axis=1, keepdims=True)
    ballots = np.bincount(votes, minlength=len(moves))
    figure, axes = plt.subplots(figsize=(1.5 + 1.05 * len(moves), 1.4 + 0.26 * trees), dpi=INLINE)
    sns.heatmap(share, annot=visits, fmt="d", cmap="Blues", vmin=0, linewidths=0.5, ax=axes, cbar=False,
                annot_kws={"fontsize": "small"})
    for tree, move in enumerate(votes):
        axes.add_patch(plt.Rectangle((move, tree), 1, 1, fill=False, edgecolor="#d55e00", linewidth=2.5))
    axes.set(ylabel="tree", yticks=np.arange(trees) + 0.5, yticklabels=range(1, trees + 1),
             xticks=np.arange(len(moves)) + 0.5)
    counts = [f"{visits[:, k].sum():,} visits\n{n} vote{'' if n == 1 else 's'}" for k, n in enumerate(ballots)]
    axes.set_xticklabels([f"{'> ' if k == chosen else ''}{name}\n{counts[k]}"
                          for k, name in enumerate(moves)], rotation=0, fontsize="small")
    return caption(figure, f"{visits.sum():,} simulations in {trees} trees; numbers: visits (darker: a larger share);\n"
                           "frame: the tree's vote; >: the move played")


def score_line(axes, x, part, colour, line, label):
    """A line with intervals; points of cells with few simulations for each move are hollow."""
    bars = np.clip([part["score"] - part["low"], part["high"] - part["score"]], 0, None)
    axes.errorbar(x, part["score"], bars, fmt=line, color=colour, markersize=5, linewidth=1.2, elinewidth=0.8, label=label)
    hollow = part["few"].to_numpy(bool)
    axes.plot(x[hollow], part["score"].to_numpy()[hollow], line[0], color=colour, markersize=5, markerfacecolor="white",
              zorder=5)


def scores_by_trees(table, line, across, down=None, opponent="solmcts"):
    """Score of ensembles by their number of trees.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns trees, score, low, high, pairs, few (are there too few simulations for each move?) and those named below.
    line, across, down : str
        Columns with a value for each line, for each column of panels and, if there are any, for each row of panels.
    opponent : str
        For the label.
    """
    use_style()
    rows = list(table.groupby(down, sort=False)) if down else [("", table)]
    width = table.groupby(down or (lambda _: 0))[across].nunique().max()
    size = 1.2 + 3 * width, 0.9 + 2.3 * len(rows)
    figure, grid = plt.subplots(len(rows), width, figsize=size, dpi=INLINE, sharey=True, squeeze=False)
    places = {trees: x for x, trees in enumerate(sorted(table["trees"].unique()))}
    names = list(table[line].drop_duplicates())
    for (name, row), panels in zip(rows, grid):
        for axes, (title, panel) in zip(panels, row.groupby(across, sort=False)):
            axes.axhline(0.5, color="#333333", linewidth=1, linestyle="--")
            groups = list(panel.groupby(line, sort=False))
            for i, (label, part) in enumerate(groups):
                x = part["trees"].map(places).to_numpy() + (i - (len(groups) - 1) / 2) * 0.12
                score_line(axes, x, part, *LINES[names.index(label) % len(LINES)], label)
            axes.grid(axis="x", visible=False)
            axes.set(title=f"{name}, {title}" if down else title, xlabel="trees", xticks=range(len(places)),
                     xticklabels=list(places), xlim=(-0.5, len(places) - 0.5), ylim=(-0.03, 1.03))
            if down is None:
                axes.legend(loc="upper right", fontsize="x-small")
        panels[0].set_ylabel(f"score against {opponent}")
    for axes in grid[:-1].flat:
        axes.set_xlabel("")
    if down:
        grid[0, 0].legend(loc="upper right", ncols=2, fontsize="x-small")
    gap = " " if width > 2 else "\n"
    return caption(figure, f"{pairs_text(table)} per point; bars: 95 % intervals over pairs;{gap}dashed: equal strength; "
                           f"hollow: fewer than 5 simulations{gap}per root move and tree")


def ablations(table, label, panel, note=""):
    """Estimates with their intervals, a line each, in panels that share the lines; those `marked` are stars.

    Parameters
    ----------
    table : pandas.DataFrame
        The columns `label` and `panel`, score, low, high, pairs, marked.
    label, panel : str
        Columns that name lines and panels.
    note : str
        The setting, for the caption.
    """
    use_style()
    lines = list(table[label].drop_duplicates())[::-1]
    panels = list(table.groupby(panel, sort=False))
    size = 3.7 + 2.1 * len(panels), 1.2 + 0.22 * len(lines)
    figure, grid = plt.subplots(1, len(panels), figsize=size, dpi=INLINE, sharey=True, squeeze=False)
    for axes, (title, part) in zip(grid[0], panels):
        axes.axvline(0.5, color="#333333", linewidth=1, linestyle="--")
        y = part[label].map(lines.index).to_numpy()
        bars = np.clip([part["score"] - part["low"], part["high"] - part["score"]], 0, None)
        axes.errorbar(part["score"], y, xerr=bars, fmt="o", color="#0173b2", markersize=5)
        star = part["marked"].to_numpy(bool)
        axes.plot(part["score"].to_numpy()[star], y[star], "*", color="#d55e00", markersize=12, zorder=5)
        axes.grid(axis="x", visible=False)
        axes.tick_params(labelsize="small")
        axes.set(title=title, xlabel="score", xlim=(-0.03, 1.03), yticks=range(len(lines)), yticklabels=lines,
                 ylim=(-0.7, len(lines) - 0.3))
    return caption(figure, f"{note + chr(10) if note else ''}{pairs_text(table)} per line; bars: 95 % intervals over pairs; "
                           "star: best constant")


def gains(table):
    """Gains over the plain ensemble: of either mechanism, of both, and what the sum of the single ones would be.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns game, gain (the label), kind (a key of `GAINS`), difference, low, high, pairs, published (NaN if none).
    """
    use_style()
    games = list(table.groupby("game", sort=False))
    figure, grid = plt.subplots(1, len(games), figsize=(1 + 3.7 * len(games), 3.9), sharey=True, squeeze=False)
    for axes, (title, part) in zip(grid[0], games):
        axes.axhline(0, color="#333333", linewidth=1, linestyle="--")
        for x, r in enumerate(part.itertuples()):
            hatch = {"hatch": "//"} if r.kind == "sum" else {}
            axes.bar(x, 100 * r.difference, 0.6, color=GAINS[r.kind], alpha=0.55, edgecolor=GAINS[r.kind], **hatch)
            axes.errorbar(x, 100 * r.difference, 100 * np.array([[r.difference - r.low], [r.high - r.difference]]), fmt="o",
                          color="#222222", markersize=4, capsize=4)
        axes.plot(range(len(part)), 100 * part["published"], "D", color="#d55e00", label="the paper, 250,000 simulations")
        axes.set(title=title, xticks=range(len(part)), xticklabels=part["gain"])
    grid[0, 0].set_ylabel("gain in score (points)")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right")
    return caption(figure, f"{pairs_text(table)} per bar, all arms on the same deals; black: 95 % intervals over pairs; "
                           "hatched: what adding predicts")
