"""Figures of the benchmarks, each from the rows of a file in ``results``."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import LogLocator

from mctslab import plots

COLOURS = {name: style[1] for name, style in plots.PLAYER_STYLES.items()} | {"ensemble": "#029e73", "solmcts": "#cc78bc"}
MARKS = {"uct": "D", "grave": "s", "mcps": "o", "ensemble": "^", "solmcts": "v"}
GAMES = {"jaipur": ("#0173b2", "o"), "lost_cities": ("#de8f05", "s"), "splendor": ("#029e73", "^")}
PART_COLOURS = ("#0173b2", "#56b4e9", "#949494", "#d55e00", "#de8f05", "#029e73", "#cc78bc", "#ece133")
PART_HATCHES = ("", "//", "..", "xx", "", "\\\\", "++", "")


def note(about, bars=True):
    spread = "; bars: lowest and highest" if bars else ""
    return f"medians of {about['rounds']} rounds{spread}; {about['host']['cpu']}"


def bars(part, name):
    return [part[f"{name}_median"] - part[f"{name}_low"], part[f"{name}_high"] - part[f"{name}_median"]]


def curves(axes, rows, slopes, y, exponent):
    """A line per searcher, its exponent in the legend."""
    for series, part in rows.groupby("series", sort=False):
        searcher = series.partition(" on ")[0]
        found = slopes[(slopes["series"] == series) & (slopes["exponent"] == exponent)]["slope"]
        label = searcher + (f": exponent {found.iloc[0]:.2f}" if len(found) else "")
        style = {"color": COLOURS[searcher], "marker": MARKS[searcher], "label": label}
        if y == "seconds":
            axes.errorbar(part["x"], part["seconds_median"], bars(part, "seconds"), capsize=3, **style)
        else:
            axes.plot(part["x"], part[y] / 2**20, **style)
    axes.set(xscale="log", yscale="log")
    axes.legend()


def growth_by_simulations(rows, slopes, about):
    """Seconds above and memory below, a column per game."""
    plots.use_style()
    games = rows["game"].unique()
    figure, grid = plt.subplots(2, len(games), figsize=(4.2 * len(games), 6.6), sharex=True, squeeze=False)
    for game, column in zip(games, grid.T):
        part = rows[rows["game"] == game]
        curves(column[0], part, slopes, "seconds", "seconds by simulations")
        curves(column[1], part, slopes, "bytes", "bytes by simulations")
        column[0].set_title(game)
        column[1].set_xlabel("simulations")
    grid[0, 0].set_ylabel("seconds of a search")
    grid[1, 0].set_ylabel("memory used (MiB)")
    plots.save(plots.caption(figure, note(about)), "bench-growth-simulations")


def growth_by_board(rows, slopes, about):
    """Seconds above and memory below, by the cells of the board; a column for Hex and one for Go."""
    plots.use_style()
    games = rows["game"].str.partition("(")[0]
    figure, grid = plt.subplots(2, 2, figsize=(8.6, 6.6), sharex="col")
    for game, column in zip(games.unique(), grid.T):
        part = rows[games == game]
        curves(column[0], part, slopes, "seconds", "seconds by cells")
        curves(column[1], part, slopes, "bytes", "bytes by cells")
        cells = sorted(part["x"].unique())
        labels = [f"{c ** 0.5:.0f}x{c ** 0.5:.0f}" for c in cells]
        for axes in column:
            axes.set_xticks(cells, labels)
            axes.minorticks_off()
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter("{x:g}")
        column[0].set_title(game)
        column[1].set_xlabel("board")
    simulations = int(rows["simulations"].max())
    grid[0, 0].set_ylabel("seconds of a search")
    grid[1, 0].set_ylabel("memory used (MiB)")
    plots.save(plots.caption(figure, f"{simulations:,} simulations; {note(about)}"), "bench-growth-boards")


def growth_by_trees_and_workers(rows, about):
    """Speed and memory of ensembles by their trees; games per second by workers."""
    plots.use_style()
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12.6, 3.9))
    trees = rows[rows["axis"] == "trees"]
    for game, part in trees.groupby("series", sort=False):
        colour, mark = GAMES[game]
        rate = part["simulations"] / part["seconds_median"] / 1e3
        left.plot(part["x"], rate, color=colour, marker=mark, label=game)
        middle.plot(part["x"], part["bytes"] / 2**20, color=colour, marker=mark, label=game)
    for axes, label in (left, "thousand simulations per second"), (middle, "memory used (MiB)"):
        axes.set(xscale="log", xlabel="trees", ylabel=label, ylim=(0, None))
        axes.set_xticks(sorted(trees["x"].unique()), [str(n) for n in sorted(trees["x"].unique())])
        axes.minorticks_off()
        axes.legend()
    workers = rows[rows["axis"] == "workers"]
    for i, (series, part) in enumerate(workers.groupby("series", sort=False)):
        part = part.sort_values("x")
        one = part["games_per_second_median"].iloc[0]
        scaled = [values / one for values in bars(part, "games_per_second")]
        right.errorbar(part["x"], part["games_per_second_median"] / one, scaled, marker="os"[i], capsize=3, label=series)
    right.plot([1, 2], [1, 2], color="#333333", linestyle="--", linewidth=1)
    right.set(xlabel="workers", ylabel="games/s over one worker", xticks=[1, 2], xlim=(0.8, 2.2), ylim=(0, 2.4))
    right.legend(loc="lower right")
    simulations = int(trees["simulations"].max())
    text = f"ensembles: {simulations:,} simulations; dashed: twice as many games by two workers; {note(about)}"
    plots.save(plots.caption(figure, text), "bench-growth-trees-workers")


def parts(rows, about):
    """Nanoseconds of a simulation by its parts, stacked, a bar per searcher."""
    plots.use_style()
    figure, axes = plt.subplots(figsize=(8.6, 3.2))
    left = np.zeros(len(rows))
    names = [row["searcher"] for row in rows]
    for part, colour, hatch in zip(rows[0]["ns"], PART_COLOURS, PART_HATCHES):
        width = np.array([row["ns"][part] for row in rows])
        axes.barh(names, width, left=left, color=colour, hatch=hatch, edgecolor="white", label=part)
        for i, row in enumerate(rows):
            share = width[i] / sum(row["ns"].values())
            if width[i] > 0.05 * max(sum(r["ns"].values()) for r in rows):
                axes.text(left[i] + width[i] / 2, i, f"{share:.0%}", ha="center", va="center", fontsize="small",
                          bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1})
        left += width
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("nanoseconds per simulation")
    axes.set_yticks(range(len(names)), [plots.PLAYER_STYLES[name][0] for name in names])
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    text = f"Hex 11x11, {rows[0]['simulations']:,} simulations; {note(about, bars=False)}"
    plots.save(plots.caption(figure, text), "bench-parts")


def policies(table, about):
    """Simulations per second over those of one tree, by allocation policy, a mark per game."""
    plots.use_style()
    figure, axes = plt.subplots(figsize=(7.6, 3.9))
    shown = table[table["policy"] != "one tree"]
    order = list(shown["policy"].unique())
    for i, (game, part) in enumerate(shown.groupby("game", sort=False)):
        colour, mark = GAMES[game]
        x = part["policy"].map(order.index) + (i - 1) * 0.18
        axes.errorbar(x, part["ratio_median"], bars(part, "ratio"), fmt=mark, color=colour, capsize=3, label=game)
    axes.axhline(1, color="#333333", linestyle="--", linewidth=1)
    axes.set(ylabel="simulations/s over one tree", ylim=(0, None))
    axes.set_xticks(range(len(order)), order, rotation=20)
    axes.legend(loc="lower left")
    plots.save(plots.caption(figure, f"10 trees, dashed: one; {note(about)}"), "bench-policies")
