"""Figures of ensembles that change their number of trees, and of mechanisms at several budgets."""
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns

from .figure import caption, pairs_text, use_style

READING_STYLES = {"swap": ("#0173b2", "-"), "replace": ("#de8f05", "--")}
BUDGET_STYLES = ("#0173b2", "o"), ("#de8f05", "s"), ("#029e73", "^"), ("#cc78bc", "D")
MARGIN_COLOURS = {"1": "#08519c", "2": "#6baed6", "3": "#c6dbef", "more": "#f7f7f7"}
SINGLE_GAMES = 3        # drawn in each panel of `tree_paths`


def game_panels(table, rows=1, width=3.6, height=3.0, **options):
    """A figure, its grid of axes with a column for each game of a table, and the games."""
    use_style()
    games = list(table["game"].drop_duplicates())
    options |= {"squeeze": False, "dpi": 80 if rows > 1 else 100}       # in a notebook; it would be too large else
    figure, grid = plt.subplots(rows, len(games), figsize=(1.6 + width * len(games), height), **options)
    for axes, game in zip(grid[0], games):
        axes.set_title(str(game).replace("_", " ").title())
    return figure, grid, games


def told_below(figure, text):
    """A caption in as many lines as the figure's width asks for."""
    return caption(figure, fill(text, int(14 * figure.get_figwidth())))


def bars_of(part, value="score"):
    """Lengths of the error bars of a table with low and high."""
    return np.clip([part[value] - part["low"], part["high"] - part[value]], 0, None)


def arm_gains(table, line, published=None, note=""):
    """Differences from a baseline with their intervals, a panel per game and a line per arm.

    Parameters
    ----------
    table : pandas.DataFrame
        As `mctslab.stats.difference_table` gives it, in points: game, difference, low, high, pairs and the column `line`.
    line : str
        Column that names the lines.
    published : dict of (game, line) to float, optional
        Published differences in points.
    note : str
        The setting, for the caption.
    """
    names = list(table[line].drop_duplicates())
    figure, grid, games = game_panels(table, height=1.5 + 0.36 * len(names), sharey=True, sharex=True)
    for axes, game in zip(grid[0], games):
        part = table[table["game"] == game].set_index(line)
        y = len(names) - 1 - np.array([names.index(name) for name in part.index])
        axes.axvline(0, color="#333333", linewidth=1, linestyle="--")
        axes.errorbar(part["difference"], y, xerr=bars_of(part, "difference"), fmt="o", color="#0173b2", capsize=3)
        for (_, name), value in ((key, x) for key, x in (published or {}).items() if key[0] == game):
            axes.plot(value, len(names) - 1 - names.index(name), "D", color="#d55e00", fillstyle="none", zorder=3)
        axes.set(yticks=range(len(names)), yticklabels=names[::-1], ylim=(-0.6, len(names) - 0.4))
        axes.set_xlabel("difference (points)")
    told = "; open diamonds: as published, at its own budget" if published else ""
    return told_below(figure, f"{note}; {pairs_text(table)} per line; bars: 95 % t intervals over pairs{told}")


def tree_paths(turns, start, note=""):
    """Number of trees against the player's turn: a row per final rule, a column per game, a colour per reading.

    Parameters
    ----------
    turns : pandas.DataFrame
        A row per searched turn, its index the game's: game, selection, reading (a key of `READING_STYLES`), turn, trees.
    start : int
        Trees in the first turn.
    note : str
        The setting, for the caption.
    """
    rules = list(turns["selection"].drop_duplicates())
    figure, grid, games = game_panels(turns, len(rules), width=3.0, height=1.2 + 1.5 * len(rules), sharex="col", sharey=True)
    for axes, rule in zip(grid[:, 0], rules):
        axes.set_ylabel(f"{rule}: trees")
    for (rule, game, reading), part in turns.groupby(["selection", "game", "reading"], sort=False):
        draw_path(grid[rules.index(rule), games.index(game)], part, *READING_STYLES[reading], label=reading)
    for axes in grid.flat:
        axes.axhline(start, color="#333333", linewidth=0.8, linestyle=":")
        axes.set(ylim=(0, None), xlabel="turn of the player" if axes in grid[-1] else "")
    handles = {label: line for axes in grid.flat for line, label in zip(*axes.get_legend_handles_labels())}
    figure.legend(handles.values(), handles, title="what may become of a tree", loc="outside upper center", ncols=2)
    return told_below(figure, f"{note}; thick: median of the games that go on, while half of them do; bands: 10 to 90 % of "
                           f"these; thin: the first {SINGLE_GAMES} games; dotted: start")


def draw_path(axes, part, colour, line, label):
    """Median, band and a few single games of `tree_paths`."""
    table = part.set_index("turn", append=True)["trees"].astype(float).unstack("turn").sort_index(axis=1)
    for trees in table.to_numpy()[:SINGLE_GAMES]:
        axes.step(table.columns, trees, line, where="post", color=colour, alpha=0.45, linewidth=0.7)
    shown = table.loc[:, table.notna().mean() >= 0.5]
    low, middle, high = (shown.quantile(q) for q in (0.1, 0.5, 0.9))
    axes.fill_between(shown.columns, low, high, step="post", color=colour, alpha=0.18, linewidth=0)
    axes.step(shown.columns, middle, line, where="post", color=colour, linewidth=2.2, label=label)


def margin_shares(turns, column):
    """Share of turns with each margin, a row per game and arm; ``more`` where no set of up to 3 trees can do it."""
    capped = turns[column] > np.minimum(3, turns["trees"])
    category = turns[column].astype(str).mask(capped, "more")
    shares = category.groupby([turns["game"], turns["arm"]], sort=False).value_counts(normalize=True).unstack(fill_value=0.0)
    return shares.reindex(columns=list(MARGIN_COLOURS), fill_value=0.0)


def tree_margins(turns, note=""):
    """How many trees must change, or go, to alter the move: shares of turns, a column per game and a bar per arm.

    Parameters
    ----------
    turns : pandas.DataFrame
        A row per searched turn: game, arm, trees, margin, margin_removed.
    note : str
        The setting, for the caption.
    """
    arms = list(turns["arm"].drop_duplicates())
    figure, grid, games = game_panels(turns, 2, width=2.8, height=1.9 + 0.5 * len(arms), sharex=True, sharey=True)
    kinds = {"margin": "trees that must change", "margin_removed": "trees that must go"}
    for (column, label), line in zip(kinds.items(), grid):
        shares = margin_shares(turns, column)
        for axes, game in zip(line, games):
            draw_shares(axes, shares.loc[game].loc[arms[::-1]])
            axes.set(xlabel=label, xlim=(0, 1))
    figure.legend(*grid[0, 0].get_legend_handles_labels(), title="trees, from left to right", loc="outside upper center",
                  ncols=len(MARGIN_COLOURS))
    per_bar = turns.groupby(["game", "arm"]).size()
    return told_below(figure, f"{note}; shares of {per_bar.min():,} to {per_bar.max():,} turns per bar; numbers: per cent, "
                              "from 10 on")


def draw_shares(axes, shares):
    """Stacked bars, a line per row, with the larger shares in numbers."""
    left = np.zeros(len(shares))
    for name, colour in MARGIN_COLOURS.items():
        share = shares[name].to_numpy()
        axes.barh(shares.index, share, left=left, color=colour, edgecolor="#666666", linewidth=0.5, label=name)
        for y in np.flatnonzero(share >= 0.1):
            axes.text(left[y] + share[y] / 2, y, f"{100 * share[y]:.0f}", ha="center", va="center", fontsize="x-small",
                      color="white" if name == "1" else "black")
        left += share
    axes.grid(axis="y", visible=False)


def parameter_grid(table, static, note=""):
    """Heat maps of the score and of the mean number of trees over L, M_up and M_down, a column per game.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns game, l_up, m_up, m_down, score (per cent), trees, pairs.
    static : dict of game to float
        Score in per cent of the ensemble that does not change: the middle of the colours.
    note : str
        The setting, for the caption.
    """
    lines = table[["m_up", "m_down"]].drop_duplicates()
    figure, grid, games = game_panels(table, 2, width=2.5, height=1.6 + 0.6 * len(lines))
    largest = max(5.0, max(abs(table["score"] - table["game"].map(static))))
    for column, game in zip(grid.T, games):
        part = table[table["game"] == game]
        maps = [part.pivot(index=["m_up", "m_down"], columns="l_up", values=name) for name in ("score", "trees")]
        middle = static[game]
        sns.heatmap(maps[0], ax=column[0], annot=True, fmt=".0f", cmap="vlag_r", cbar=False, linewidths=1,
                    vmin=middle - largest, vmax=middle + largest)
        sns.heatmap(maps[1], ax=column[1], annot=True, fmt=".1f", cmap="Greens", cbar=False, linewidths=1, vmin=1,
                    vmax=1.25 * table["trees"].max())
        column[0].set_title(f"{column[0].get_title()}: score, %\n(static: {middle:.0f})")
        column[1].set_title("mean number of trees")
        for axes in column:
            axes.set(xlabel="L", ylabel="")
            axes.tick_params(axis="y", rotation=0)
    for axes in grid[:, 0]:
        axes.set_ylabel("M_up - M_down", labelpad=8)
    return told_below(figure, f"{note}; {pairs_text(table)} per cell; white: the score of the static ensemble")


def by_budget(table, value, label, reference, note=""):
    """An estimate for each mechanism at each budget: a panel per game, a line per mechanism, a mark per budget.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns game, mechanism, budget, pairs, low, high, and the column `value`.
    value, label : str
        The estimate, and what its axis is called.
    reference : float
        Where the dashed line stands.
    note : str
        The setting, for the caption.
    """
    names, budgets = (list(table[column].drop_duplicates()) for column in ("mechanism", "budget"))
    figure, grid, games = game_panels(table, height=1.9 + 0.48 * len(names), sharey=True, sharex=True)
    for axes, game in zip(grid[0], games):
        axes.axvline(reference, color="#333333", linewidth=1, linestyle="--")
        for i, budget in enumerate(budgets):
            part = table[(table["game"] == game) & (table["budget"] == budget)]
            y = len(names) - 1 - np.array([names.index(name) for name in part["mechanism"]])
            colour, mark = BUDGET_STYLES[i % len(BUDGET_STYLES)]
            axes.errorbar(part[value], y + 0.22 * ((len(budgets) - 1) / 2 - i), xerr=bars_of(part, value), fmt=mark,
                          color=colour, capsize=2, markersize=5, label=budget)
        axes.set(yticks=range(len(names)), yticklabels=names[::-1], ylim=(-0.6, len(names) - 0.4), xlabel=label)
        axes.grid(axis="y", visible=False)
    room = 3 * (table["high"] - table["low"]).median()      # the widest bars may leave the view, the marks do not
    low, high = (table[["low", "high"]].clip(table[value] - room, table[value] + room, axis=0).stack().agg(["min", "max"]))
    grid[0, 0].set_xlim(low - 0.03 * (high - low), high + 0.03 * (high - low) + 1e-9)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=len(budgets))
    return told_below(figure, f"{note}; {pairs_text(table)} per mark; bars: 95 % intervals over pairs")


def rank_correlations(table, note=""):
    """Rank correlations between budgets with their intervals, a line each, beside those of two halves of one budget.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns line (the label), correlation, low, high, halves, pairs; NaN where there is no correlation.
    note : str
        The setting, for the caption.
    """
    use_style()
    figure, axes = plt.subplots(figsize=(9, 1.6 + 0.34 * len(table)))
    y = np.arange(len(table))[::-1]
    axes.axvline(0, color="#333333", linewidth=1, linestyle="--")
    axes.errorbar(table["correlation"], y, xerr=bars_of(table, "correlation"), fmt="o", color="#0173b2", capsize=3,
                  label="between two budgets")
    axes.plot(table["halves"], y, "D", color="#d55e00", fillstyle="none", label="between halves of the pairs at one budget")
    axes.set(yticks=y, yticklabels=table["line"], ylim=(-0.6, len(table) - 0.4), xlim=(-1.05, 1.05))
    axes.set_xlabel("rank correlation")
    figure.legend(loc="outside upper right", ncols=2)
    return told_below(figure, f"{note}; {pairs_text(table)} at each budget; bars: 95 % bootstrap intervals over deals")
