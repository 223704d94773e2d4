"""Time and memory of a search as it grows: with simulations, board, trees; and games by workers.

A slope is the exponent of a power: of seconds or bytes, fitted by least squares to the logarithms of all points. Beside the
seconds stands the work that the algorithm itself has to do, counted and not timed: plies of playouts, and moves looked at
in the descents (mean depth times the actions at the root). Where seconds grow faster than that, it is the machine or a slip.
"""
import time

import figures
import numpy as np
import pandas as pd
import statsmodels.api as sm
from notes import NOTES
from work import matches

from mctslab import make_game, make_searcher
from mctslab.bench import in_turn, number, spread

SIMULATIONS = 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000
BOARD_SIMULATIONS = TREE_SIMULATIONS = 10_000
PLAYERS = "uct", "grave", "mcps"
TREES = 1, 2, 5, 10, 20, 50
MATCHES = ("go(size=9)", "uct(simulations=1000)", "grave(simulations=1000)"), (
    "hex(size=11)", "grave(simulations=10000)", "mcps(simulations=10000)")


def points(most):
    """(axis, x, series, game, searcher) of all that is measured, none with more simulations than `most`."""
    for game, searchers in (("hex(size=11)", PLAYERS), ("go(size=9)", PLAYERS), ("jaipur", ("ensemble", "solmcts"))):
        for searcher in searchers:
            for n in SIMULATIONS:
                yield "simulations", n, f"{searcher} on {game}", game, f"{searcher}(simulations={n})"
    for game, sizes in ("hex", (7, 9, 11, 13)), ("go", (5, 7, 9, 11, 13)):
        for size in sizes:
            for searcher in PLAYERS:
                yield ("cells", size * size, f"{searcher} on {game}", f"{game}(size={size})",
                       f"{searcher}(simulations={min(BOARD_SIMULATIONS, most)})")
    for game in "jaipur", "lost_cities", "splendor":
        for trees in TREES:
            yield "trees", trees, game, game, f"ensemble(trees={trees}, simulations={min(TREE_SIMULATIONS, most)})"


def search(game, searcher):
    """One search by a new player: its CPU seconds, its bytes, and the work that it had to do."""
    def work(seed):
        state, player = make_game(game).new_initial_state(1), make_searcher(searcher).player(make_game(game))
        start = time.thread_time()
        result = player.search(state, seed)
        spent = time.thread_time() - start
        used = player.need(player.tree.paths["used"][0]) + sum(array.nbytes for array in player.more or ())
        looks = result.extra["depth_mean"] * result.simulations * len(result.statistics["action"])
        return {"seconds": spent, "bytes": used, "work": result.playout_plies + looks, "simulations": result.simulations}
    return work


def measured(rounds, most):
    """Rows of searches, and of games by workers (per second, whatever the unit of the others)."""
    listed = [point for point in points(most) if point[0] != "simulations" or point[1] <= most]
    works = {point: search(*point[3:]) for point in listed}
    works |= {("workers", workers, f"{a.partition('(')[0]} against {b.partition('(')[0]} on {game}", game, a):
              matches(game, a, b, workers) for game, a, b in MATCHES for workers in (1, 2)}
    rows = []
    for (axis, x, series, game, searcher), found in in_turn(works, rounds).items():
        row = {"axis": axis, "x": x, "series": series, "game": game, "searcher": searcher}
        if axis == "workers":
            rows.append(row | {f"games_per_second_{name}": value for name, value in spread(found).items()})
        else:
            rows.append(row | spread([each["seconds"] for each in found], "seconds_") | {
                name: float(np.median([each[name] for each in found])) for name in ("bytes", "work", "simulations")})
    return rows


def exponent(x, y):
    """(slope, low, high) of log y on log x, with a 95 % interval."""
    fit = sm.OLS(np.log(y), sm.add_constant(np.log(x))).fit()
    return fit.params[1], *fit.conf_int()[1]


def slopes(rows):
    """The exponents of each series: a table."""
    table, found = pd.DataFrame(rows), []
    for (axis, series), part in table[table["axis"] != "workers"].groupby(["axis", "series"], sort=False):
        if len(part) < 3:
            continue
        for y, x, label in (("seconds_median", "x", f"seconds by {axis}"), ("work", "x", f"work by {axis}"),
                            ("seconds_median", "work", "seconds by work"), ("bytes", "x", f"bytes by {axis}")):
            if x == "x" or axis != "trees":     # more trees do not make more work
                found.append((axis, series, label, *exponent(part[x].to_numpy(float), part[y].to_numpy(float))))
    return pd.DataFrame(found, columns=["axis", "series", "exponent", "slope", "low", "high"])


def words(about):
    """What the README says."""
    table = slopes(about["rows"]).query("exponent == 'seconds by work'")
    above = [f"{row.series} by {row.axis}, {row.slope:.2f} [{row.low:.2f}, {row.high:.2f}]"
             + NOTES.get(f"{row.series} by {row.axis}", "") for row in table[table["low"] > 1].itertuples()]
    return ("Growth with [simulations](figures/bench-growth-simulations.png), [boards](figures/bench-growth-boards.png), "
            f"[trees and workers](figures/bench-growth-trees-workers.png), {about['rounds']} rounds: seconds of a search, "
            "fitted to a power of its work (plies and moves looked at), have an exponent whose interval lies "
            f"above 1 in {len(above)} of {len(table)} series" + (f": {'; '.join(above)}." if above else "."))


def report(about):
    """Print exponents and what workers gain; draw the figures."""
    table, rows = slopes(about["rows"]), pd.DataFrame(about["rows"])
    if len(table):
        wide = table.assign(text=[f"{s:.2f} [{low:.2f}, {high:.2f}]" for s, low, high in zip(
            table["slope"], table["low"], table["high"])])
        for _, part in wide.groupby("axis", sort=False):
            names = part["exponent"].unique()
            print(part.pivot(index="series", columns="exponent", values="text").reindex(
                index=part["series"].unique(), columns=names).to_string(), end="\n\n")
    for series, part in rows[rows["axis"] == "workers"].groupby("series", sort=False):
        one, two = part.sort_values("x")["games_per_second_median"]
        print(f"{series}: {number(one)} games/s by one worker, {number(two)} by two, {two / one:.2f} x")
    figures.growth_by_simulations(rows[rows["axis"] == "simulations"], table, about)
    figures.growth_by_board(rows[rows["axis"] == "cells"], table, about)
    figures.growth_by_trees_and_workers(rows[rows["axis"].isin(["trees", "workers"])], about)
