"""Every figure: one function each, from one tidy table. Error bars are named, n and budget stand in the caption."""
import os
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from scipy import stats as distributions

SEARCHER_COLOURS = dict(zip(
    ("sampling", "level 0", "level 1", "level 2", "level 3", "level 4", "reflexive", "NRPA", "forward checking"),
    ("#7f7f7f", "#7f7f7f", "#0173b2", "#de8f05", "#029e73", "#d55e00", "#56b4e9", "#cc78bc", "#333333")))
MARKERS = dict(zip(SEARCHER_COLOURS, "ooosD^vPX"))


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


def best_so_far(rows, points, unit="simulations"):
    """Best score of each run after given amounts of work.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows whose ``extra`` has ``improvements``: (simulations, seconds, score) of each new best.
    points : array_like
        Amounts of work.
    unit : str
        ``"simulations"`` or ``"seconds"``.

    Returns
    -------
    numpy.ndarray, shape (runs, points)
        NaN before a run's first playout.
    """
    column = ("simulations", "seconds").index(unit)
    table = np.full((len(rows), len(points)), np.nan)
    for i, extra in enumerate(rows["extra"]):
        trace = np.array(extra["improvements"], float)
        k = np.searchsorted(trace[:, column], points, side="right")
        table[i, k > 0] = trace[k[k > 0] - 1, 2]
    return table


def anytime(rows, by, unit="simulations", points=60):
    """Mean best score so far against work, one curve per value of a column.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows with the column `by`, whose values are keys of `SEARCHER_COLOURS`.
    by : str
        Column that names the curve.
    unit : str
        ``"simulations"`` or ``"seconds"``.
    """
    use_style()
    figure, axes = plt.subplots(figsize=(7.5, 4.5))
    last = rows["a_simulations"] if unit == "simulations" else rows["a_seconds"]
    for name, group in sorted(rows.groupby(by), key=lambda item: list(SEARCHER_COLOURS).index(item[0])):
        end = last[group.index].median()
        x = np.geomspace(1 if unit == "simulations" else 1e-3 * end, end, points)
        best = best_so_far(group, x, unit)
        seen = ~np.isnan(best).any(axis=0)
        mean, half = best[:, seen].mean(axis=0), interval_half(best[:, seen])
        axes.plot(x[seen], mean, color=SEARCHER_COLOURS[name], marker=MARKERS[name], markevery=8, label=name)
        axes.fill_between(x[seen], mean - half, mean + half, color=SEARCHER_COLOURS[name], alpha=0.2, linewidth=0)
    shown = np.concatenate([line.get_ydata() for line in axes.lines])
    lowest, highest = shown.min(), shown.max()
    margin = 0.08 * (highest - lowest) + 0.5            # the wide bands of a few runs may leave the view, the curves do not
    axes.set(xscale="log", xlabel="playouts" if unit == "simulations" else "seconds", ylabel="mean best score so far",
             ylim=(lowest - margin, highest + margin))
    axes.legend(title=None)
    return caption(figure, f"{rows.groupby(by).size().min()} runs per curve; bands: 95 % t intervals of the mean")


def interval_half(table):
    """Half width of the 95 % t interval of each column's mean."""
    n = len(table)
    if n < 2:
        return np.zeros(table.shape[1])
    return distributions.t.ppf(0.975, n - 1) * table.std(axis=0, ddof=1) / np.sqrt(n)


def laws(rows, expected, rules):
    """Score histograms of the left-move problem over their exact laws: a panel per level and tie rule.

    Parameters
    ----------
    rows : pandas.DataFrame
        Columns level, memory, replace, score.
    expected : dict of (level, memory, replace) to numpy.ndarray
        Probabilities of scores 0, 1, ...
    rules : list of str
        Tie rules, left to right.
    """
    use_style()
    levels = sorted(rows["level"].unique())
    figure, grid = plt.subplots(len(levels), len(rules), figsize=(11, 2.4 * len(levels)), sharex=True, sharey="row",
                                squeeze=False)
    for level, line in zip(levels, grid):
        for rule, axes in zip(rules, line):
            part = rows.query("level == @level and replace == @rule")
            axes.set_visible(len(part) > 0)         # at level 0 there is nothing to replace
            for memory, colour, marker in ((False, "#de8f05", "s"), (True, "#0173b2", "o")):
                scores = part.loc[part["memory"] == memory, "score"].astype(int)
                if not len(scores):
                    continue
                share = scores.value_counts(normalize=True).sort_index()
                label = "with memory" if memory else "without"
                axes.bar(share.index, share, width=0.9, color=colour, alpha=0.35, label=f"{label}, simulated")
                law = expected[level, memory, rule]
                shown = np.flatnonzero(law > 1e-4)
                axes.plot(shown, law[shown], color=colour, marker=marker, ms=3, lw=1, label=f"{label}, exact")
            axes.set_title(f"level {level}, replace {rule}" if level else "level 0")
        line[0].set_ylabel("share of runs")
    for axes in grid[-1]:
        axes.set_xlabel("score (left moves)")
    figure.legend(*grid[-1, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    n = rows.groupby(["level", "memory", "replace"]).size()
    return caption(figure, f"{n.min()} runs per histogram")


def forgotten(table):
    """Share of runs that end below the best playout they had seen: bars with Wilson intervals.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns level, memory, replace, share, low, high, runs.
    """
    use_style()
    figure, axes = plt.subplots(figsize=(7.5, 3.6))
    kinds = list(table.groupby(["memory", "replace"], sort=False).groups)
    for i, (memory, rule) in enumerate(kinds):
        part = table[(table["memory"] == memory) & (table["replace"] == rule)]
        x = part["level"] + (i - (len(kinds) - 1) / 2) * 0.13
        # Without a success the lower limit is 0 but for rounding, and a bar of negative length is refused.
        bars = np.clip([part["share"] - part["low"], part["high"] - part["share"]], 0, None)
        axes.errorbar(x, part["share"], bars, fmt="os^"[i % 3], capsize=3, color="#0173b2" if memory else "#de8f05",
                      label=f"{'with' if memory else 'without'} memory, {rule}")
    axes.set(xlabel="level", ylabel="share of runs", xticks=sorted(table["level"].unique()), ylim=(-0.03, 1.03))
    axes.set_title("Runs whose result is below the best playout that they had seen")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return caption(figure, f"{table['runs'].min()} runs per point; bars: 95 % Wilson intervals")


def score_histograms(rows, by="level", column="variant"):
    """Histograms of scores, a panel per value of `column`, a colour per value of `by`."""
    use_style()
    panels = list(rows.groupby(column, sort=False))
    figure, grid = plt.subplots(1, len(panels), figsize=(5.5 * len(panels), 4), sharey=True, squeeze=False)
    for (title, part), axes in zip(panels, grid[0]):
        for name, group in part.groupby(by):
            key = f"level {name}"
            share = group["score"].astype(int).value_counts(normalize=True).sort_index()
            axes.bar(share.index, share, width=1.0, alpha=0.55, color=SEARCHER_COLOURS[key],
                     label=f"{key} (n = {len(group)}, mean {group['score'].mean():.1f})")
        axes.set(title=str(title), xlabel="score (moves)")
        axes.legend()
    grid[0, 0].set_ylabel("share of runs")
    return caption(figure, "each run is one search from the starting position")


def by_position(scores, published, note):
    """Scores per position beside published columns: a dot per search and position.

    Parameters
    ----------
    scores : pandas.DataFrame
        Index position, a column per search, named ``"level <n>, ..."``; open markers for uniform playouts.
    published : pandas.DataFrame
        Index position, a column per published program.
    note : str
        Runs and budget, for the caption.
    """
    use_style()
    figure, axes = plt.subplots(figsize=(11, 4.8))
    for name, marker in zip(published, "x+1234"):
        axes.plot(published.index, published[name], marker, color="#555555", ms=7,
                  label=f"{name.replace('_', ' ')} (published)")
    for name in scores:
        level, uniform = name.partition(",")[0], name.endswith("uniform")
        axes.plot(scores.index, scores[name], MARKERS[level], color=SEARCHER_COLOURS[level], alpha=0.85, ms=6, label=name,
                  fillstyle="none" if uniform else "full")
    axes.set(xlabel="position", ylabel="score", xticks=list(scores.index))
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return caption(figure, f"{note}; crosses and ticks: as published")


def survival(curves, limit):
    """Share of problems solved against time, with pointwise intervals; a run that the limit cut off is censored.

    Parameters
    ----------
    curves : dict of str to pandas.DataFrame
        Per search, a key of `SEARCHER_COLOURS`, perhaps with " without memory" after it: the table that
        `mctslab.stats.survival` gives.
    limit : float
        Time limit per problem in seconds.
    """
    use_style()
    figure, axes = plt.subplots(figsize=(8, 4.8))
    left = min(curve["time"][curve["time"] > 0].min() for curve in curves.values() if (curve["time"] > 0).any()) / 2
    for name, curve in curves.items():
        base = name.removesuffix(" without memory")
        colour, style = SEARCHER_COLOURS[base], "-" if base == name else "--"
        x = np.r_[curve["time"].clip(lower=left), limit]       # a curve begins at time 0, which the scale does not have
        draw = {key: np.r_[curve[key], curve[key].iloc[-1]] for key in ("share_solved", "low", "high")}
        axes.step(x, draw["share_solved"], style, where="post", color=colour, label=name)
        axes.fill_between(x, draw["low"], draw["high"], step="post", color=colour, alpha=0.1, linewidth=0)
    axes.set(xscale="log", xlabel="seconds", ylabel="share of problems solved", ylim=(-0.02, 1.02), xlim=(left, limit))
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return caption(figure, f"limit {limit:g} s per problem; bands: 95 % pointwise intervals of Kaplan and Meier's estimate")


def totals(table):
    """Horizontal bars of totals, ours and published, sorted.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns name, total, ours (bool).
    """
    use_style()
    table = table.sort_values("total")
    figure, axes = plt.subplots(figsize=(8.5, 0.32 * len(table) + 1))
    axes.barh(table["name"], table["total"], color=np.where(table["ours"], "#0173b2", "#bbbbbb"),
              hatch=["//" if ours else "" for ours in table["ours"]], edgecolor="white")
    for i, total in enumerate(table["total"]):
        axes.text(total, i, f" {total:,.0f}", va="center", fontsize="small")
    axes.set(xlabel="total of the 20 positions", xlim=(0, table["total"].max() * 1.15))
    axes.grid(axis="y", visible=False)
    axes.margins(y=0.01)
    return caption(figure, "hatched: this study; plain: as published")


def scores_by_size(table, name, opponent):
    """Score of a player against another by board size, a line per budget, equal simulations and equal seconds apart.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns size, budget, seconds (0 where the budget is in simulations), score, low, high, pairs.
    name, opponent : str
        The players, for the labels.
    """
    use_style()
    modes = [(title, part) for title, part in (("equal simulations per move", table[table["seconds"] == 0]),
                                               ("equal seconds per move", table[table["seconds"] > 0])) if len(part)]
    figure, grid = plt.subplots(1, len(modes), figsize=(4.6 * len(modes), 3.8), sharey=True, squeeze=False)
    sizes = {size: x for x, size in enumerate(sorted(table["size"].unique()))}
    for (title, part), axes in zip(modes, grid[0]):
        axes.axhline(0.5, color="#333333", linewidth=1, linestyle="--")
        budgets = list(part.groupby("budget", sort=False))
        for i, (budget, rows) in enumerate(budgets):
            x = rows["size"].map(sizes) + (i - (len(budgets) - 1) / 2) * 0.12
            bars = [rows["score"] - rows["low"], rows["high"] - rows["score"]]
            axes.errorbar(x, rows["score"], np.clip(bars, 0, None), fmt="os^D"[i % 4] + "-", capsize=3, label=budget)
        axes.set(title=title, xlabel="board size", xticks=range(len(sizes)), xticklabels=list(sizes), ylim=(0, 1))
        axes.legend(loc="lower right")
    grid[0, 0].set_ylabel(f"score of {name} against {opponent}")
    return caption(figure, f"{pairs_text(table)} per point, sides changed in each; bars: 95 % intervals over pairs; "
                           "dashed: equal strength")


MECHANISMS = {"depth": "mean length of the descent (plies)", "playout_length": "plies of a playout after it",
              "terminal_share": "share of descents that end the game", "simulations_per_second": "simulations per second"}
PLAYER_STYLES = {"mcps": ("MCPS", "#0173b2", "o-"), "grave": ("GRAVE", "#de8f05", "s--"), "rave": ("RAVE", "#029e73", "^-."),
                 "uct": ("UCT", "#7f7f7f", "D:")}


def mechanisms(players, budget):
    """What the searches of each player did, by board size: a panel for each of `MECHANISMS`.

    Parameters
    ----------
    players : pandas.DataFrame
        As `mctslab.study.by_player` gives them, with a column size.
    budget : str
        Of all rows, for the caption.
    """
    use_style()
    figure, grid = plt.subplots(1, len(MECHANISMS), figsize=(15, 3.4))
    sizes = {size: x for x, size in enumerate(sorted(players["size"].unique()))}
    for axes, (column, label) in zip(grid, MECHANISMS.items()):
        for player, part in players.groupby("player"):
            name, colour, line = PLAYER_STYLES[player]
            games = part.groupby("size")[column]
            half = games.apply(lambda values: interval_half(values.to_numpy()[:, None])[0])
            x = [sizes[size] for size in half.index]
            axes.errorbar(x, games.mean(), half, fmt=line, color=colour, capsize=3, label=name)
        axes.set(title=label, xlabel="board size", xticks=range(len(sizes)), xticklabels=list(sizes))
        axes.set_ylim(bottom=0)
    grid[0].legend()
    games = players.groupby(["size", "player"]).size().min()
    return caption(figure, f"{budget} per move; means over {games} or more games; bars: 95 % intervals over games")


def forest(table, label, title="score", note="", reference=0.5):
    """Estimates with their intervals, a line each.

    Parameters
    ----------
    table : pandas.DataFrame
        The column `label`, and score, low, high, pairs.
    label : str
        Column that names the lines.
    title, note : str
        Of the horizontal axis; the setting, for the caption.
    reference : float
        Where the dashed line stands.
    """
    use_style()
    figure, axes = plt.subplots(figsize=(7.5, 0.7 + 0.32 * len(table)))
    y = np.arange(len(table))[::-1]
    axes.axvline(reference, color="#333333", linewidth=1, linestyle="--")
    axes.errorbar(table["score"], y, xerr=np.clip([table["score"] - table["low"], table["high"] - table["score"]], 0, None),
                  fmt="o", color="#0173b2", capsize=3)
    axes.set(yticks=y, yticklabels=table[label], xlabel=title, ylim=(-0.6, len(table) - 0.4))
    return caption(figure, f"{note + '; ' if note else ''}{pairs_text(table)} per line; bars: 95 % intervals over pairs")
