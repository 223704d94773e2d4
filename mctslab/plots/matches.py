"""Figures of matches between two players."""
import matplotlib.pyplot as plt
import numpy as np

from .figure import caption, interval_half, pairs_text, use_style


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
