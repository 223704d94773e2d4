"""Figures of the nested searches."""
import matplotlib.pyplot as plt
import numpy as np

from .figure import caption, interval_half, use_style

SEARCHER_COLOURS = dict(zip(
    ("sampling", "level 0", "level 1", "level 2", "level 3", "level 4", "reflexive", "NRPA", "forward checking"),
    ("#7f7f7f", "#7f7f7f", "#0173b2", "#de8f05", "#029e73", "#d55e00", "#56b4e9", "#cc78bc", "#333333")))
MARKERS = dict(zip(SEARCHER_COLOURS, "ooosD^vPX"))


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
