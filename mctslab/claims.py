"""The ledger: what the papers claim, each beside what our rows say of it, and a verdict.

``data/published/claims.csv`` has a claim a row: what it says (`kind`, `direction` and, where it has numbers, `low` to
`high`), at which budget, and where our rows look for it: a study, a measure of `MEASURES` and the cells that it takes, as
queries on the options of game and searchers, several of them separated by ``;``. Where a setting was played at several
budgets, the cell with the most pairs was taken, of equals the one with the largest budget.

The verdict comes from one table. *No effect* is the value that would mean there is nothing: half of the points, a
difference of 0. *Ours* is an estimate with its 95 % interval::

    reproduced      the interval lies on the claimed side of no effect and, where a range is claimed, meets it;
                    for a claim of equality: it holds no effect and is narrower than 5 (points or percent) to each side
    same direction  the estimate lies on the claimed side, the interval holds no effect
    inconclusive    the interval holds what is claimed and what is not
    contradicted    the interval excludes the claim
    not tested      there are no rows, or nothing here could show it

What was found with a smaller budget than the paper's has it in the verdict's name.
"""
from dataclasses import dataclass

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

from . import stats
from .core import InputError, one_of
from .games import make_game
from .search import make_searcher
from .stats import Interval
from .store import Store
from .study import get_study, plain, present, project_folder, published
from .theory import left_move_law

FOUND = ["estimate", "low_ours", "high_ours", "n", "unit", "none", "budget_ours", "word", "verdict", "note"]
EQUAL = 5.0         # points or percent: an interval not wider than that to each side shows equality
VERDICTS = "reproduced", "same direction", "inconclusive", "contradicted", "not tested"


@dataclass(frozen=True)
class Finding:
    """Our estimate with its interval, the number of units behind it, what the unit is, and the value of no effect."""

    interval: Interval
    n: int
    unit: str
    none: float = float("nan")


def with_all_options(frame):
    """Add the options of both players and the game as columns, the second player's as ``b_...``, and the cell's topic."""
    def columns(specs, options_of):
        options = {spec: options_of(spec) for spec in specs.dropna().unique()}
        return pd.DataFrame([options.get(spec, {}) for spec in specs], frame.index)

    def of_game(spec):
        game = make_game(spec)
        return game._asdict() | ({"size": game.size} if hasattr(game, "size") else {})

    def of_player(spec):
        return vars(make_searcher(spec)) | {"searcher": make_searcher(spec).name}
    opponents = columns(frame["b"], of_player).rename(columns={"searcher": "opponent"})
    opponents.columns = [name if name == "opponent" else f"b_{name}" for name in opponents]
    added = pd.concat([columns(frame["a"], of_player), columns(frame["game"], of_game), opponents], axis=1)
    added = added.loc[:, ~added.columns.duplicated() & ~added.columns.isin(frame.columns)]
    return frame.join(added).assign(topic=frame["cell"].str.partition(" / ")[0])


def study_rows(name, profile):
    """The rows of a study that are on disk, with all options as columns; nothing is played."""
    store = Store(project_folder() / "data" / profile, name)
    frame = plain(present(store, get_study(name).tasks(profile)))
    return with_all_options(frame) if len(frame) else frame


# Measures: from the rows of one or more cells to a finding.


def percent(interval):
    return Interval(*(100 * value for value in (interval.estimate, interval.low, interval.high)))


def score(rows):
    """Points of player a in percent."""
    found = stats.match_score(stats.pair_scores(rows, ["cell"]))
    return Finding(percent(Interval(found.score, found.low, found.high)), found.pairs, "pairs", 50.0)


def contrast(weights):
    """A measure: the weighted sum of several arms' points on the same deals, in points of percent."""
    def measure(*arms):
        table = pd.concat([stats.pair_scores(arm, ["game"]) for arm in arms], axis=1).dropna()
        return Finding(percent(stats.mean_interval(table.to_numpy() @ weights)), len(table), "pairs", 0.0)
    return measure


def apart(a, b):
    """The first cells' points less the second's, in points of percent, on different deals."""
    a, b = (stats.pair_scores(rows, ["cell"]) for rows in (a, b))
    found = stats.welch_test(a, b)
    return Finding(percent(Interval(found.mean, found.low, found.high)), min(len(a), len(b)), "pairs", 0.0)


def gap(a, b):
    """Mean score of the first cells less that of the second."""
    found = stats.welch_test(a["score"], b["score"])
    return Finding(Interval(found.mean, found.low, found.high), min(len(a), len(b)), "runs", 0.0)


def total(rows):
    """Sum over games of the mean score, with the interval of a single sum, since the published ones are such."""
    per_game = rows.groupby("game")["score"]
    if per_game.size().min() < 2:
        raise InputError("one run of each game gives no interval")
    value = per_game.mean().sum()
    half = stats.normal_quantile(0.95) * np.sqrt((per_game.var() * (1 + 1 / per_game.size())).sum())
    return Finding(Interval(value, value - half, value + half), len(rows), "runs")


def total_gap(a, b):
    """The difference of two sums over games, by games."""
    both = pd.concat([part.groupby("game")["score"].mean() for part in (a, b)], axis=1).dropna()
    found = stats.mean_interval(both.iloc[:, 0] - both.iloc[:, 1])
    n = len(both)
    return Finding(Interval(n * found.estimate, n * found.low, n * found.high), n, "positions", 0.0)


def time_ratio(a, b):
    """How many times longer the first cells take to solve a problem, a mean in which each counts up to the limit."""
    first, second = (stats.restricted_mean_time(rows["a_seconds"], rows["end"] == "solved", rows["seconds"].max())
                     for rows in (a, b))
    error = np.hypot(*((x.high - x.low) / 2 / x.estimate for x in (first, second)))     # of the logarithm
    ratio = first.estimate / second.estimate
    return Finding(Interval(ratio, ratio * np.exp(-error), ratio * np.exp(error)), min(len(a), len(b)), "problems", 1.0)


def perfect(rows):
    """Percent of runs that reach the best score, the depth."""
    return Finding(percent(stats.proportion_interval((rows["score"] == rows["depth"]).sum(), len(rows))), len(rows), "runs")


def law_gap(rows):
    """Mean score less that of the exact law, in percent of the latter."""
    first = rows.iloc[0]
    law = left_move_law(int(first["depth"]), int(first["level"]), bool(first["memory"]), first["replace"])
    expected = law @ np.arange(len(law))
    found = stats.mean_interval(100 * (rows["score"] / expected - 1))
    return Finding(found, len(rows), "runs", 0.0)


def speed_gain(rows):
    """Simulations per second of player a above those of b, in percent, by games."""
    ratio = (rows["a_simulations"] / rows["a_seconds"]) / (rows["b_simulations"] / rows["b_seconds"])
    found = stats.mean_interval(np.log(ratio))
    return Finding(Interval(*(100 * np.expm1([found.estimate, found.low, found.high]))), len(rows), "games", 0.0)


def trend(column, over):
    """A measure: by how much a quantity of the games grows with each doubling of an option, over pairs of games."""
    def measure(rows):
        value = 100 * rows["payoff_a"] if column == "score" else rows["a_depth"] - rows["b_depth"]
        games = rows.assign(value=value, x=np.log2(rows[over].astype(float)))
        pairs = games.groupby(["cell", "pair"])[["value", "x"]].mean()
        if pairs["x"].nunique() < 2:
            raise InputError(f"one value of {over} shows no trend")
        fit = smf.ols("value ~ x", pairs).fit(cov_type="HC3")
        return Finding(Interval(fit.params["x"], *fit.conf_int().loc["x"]), len(pairs), "pairs", 0.0)
    return measure


def best_trees(rows, resamples=2000, seed=0):
    """The number of trees with the most points, with a bootstrap over deals."""
    table = rows.groupby(["trees", "pair"])["payoff_a"].mean().unstack("trees").dropna()
    n, rng = len(table), np.random.default_rng(seed)
    best = [table.to_numpy()[rng.integers(n, size=n)].mean(axis=0).argmax() for _ in range(resamples)]
    low, high = np.quantile(table.columns[best], [0.025, 0.975], method="nearest")
    return Finding(Interval(float(table.mean().idxmax()), float(low), float(high)), n, "pairs")


MEASURES = {
    "score": score, "gain": contrast(np.array([1, -1])), "sum of gains": contrast(np.array([1, 1, -2])),
    "interaction": contrast(np.array([1, -1, -1, 1])), "apart": apart, "gap": gap, "total": total, "total gap": total_gap,
    "time ratio": time_ratio, "perfect": perfect, "law gap": law_gap, "speed gain": speed_gain,
    "trend by size": trend("score", "size"), "trend by budget": trend("score", "simulations"),
    "depth by budget": trend("depth", "simulations"), "best trees": best_trees}


def verdict(claim, found):
    """A word of `VERDICTS` by the table above.

    Parameters
    ----------
    claim : pandas.Series or dict
        With direction (``>``, ``<`` or ``=``; empty where numbers alone are claimed), low, high (NaN where there are none).
    found : Finding
    """
    ours, none = found.interval, found.none
    if claim["direction"] == "=":
        if not ours.low <= none <= ours.high:
            return "contradicted"
        return "reproduced" if max(none - ours.low, ours.high - none) <= EQUAL else "inconclusive"
    meets = np.isnan(claim["low"]) or (ours.low <= claim["high"] and claim["low"] <= ours.high)
    if not claim["direction"]:
        return "reproduced" if meets else "contradicted"
    sign = 1 if claim["direction"] == ">" else -1
    nearest, estimate, farthest = sorted(sign * (x - none) for x in (ours.low, ours.estimate, ours.high))
    if farthest < 0 or not meets:
        return "contradicted"
    if nearest > 0:
        return "reproduced"
    return "same direction" if estimate > 0 else "inconclusive"


def units_for(claim, found):
    """Units (pairs, runs) to tell the claimed size from no effect with a power of 80 %; NaN where none is claimed."""
    deviation = np.sqrt(found.n) * (found.interval.high - found.interval.low) / 2 / stats.normal_quantile(0.95)
    distance = min(abs(claim["low"] - found.none), abs(claim["high"] - found.none))
    return stats.pairs_needed(distance, deviation) if distance > 0 and deviation > 0 else float("nan")


def budget_of(rows):
    """``1,000 simulations``, ``0.02 s``, ``level 2``: what each search of these rows was allowed."""
    for column, unit in (("seconds", "s"), ("simulations", "simulations"), ("level", "level")):
        values = sorted(rows[column].unique()) if column in rows else [0]
        if values[-1] > 0:
            numbers = " to ".join(f"{x:,g}" for x in dict.fromkeys((values[0], values[-1])))
            return f"level {numbers}" if unit == "level" else f"{numbers} {unit}"
    return ""


def is_smaller(ours, paper):
    """Is our budget below the paper's, or of another kind?"""
    if not paper:
        return False
    (ours, unit), (paper, other) = (text.rpartition(" to ")[2].split(" ") for text in (ours, paper))
    return unit != other or float(ours.replace(",", "")) < float(paper)


def judge(claim, frames):
    """What our rows say of a claim: a dict with ours, low, high, n, unit, budget, verdict, note."""
    if not claim["study"]:
        return {"verdict": "not tested", "note": claim["note"]}
    rows = frames[claim["study"]]
    try:
        cells = [rows.query(query) if len(rows) else rows for query in claim["cells"].split(";")]
    except pd.errors.UndefinedVariableError as error:
        raise InputError(f"claim {claim['id']}: {error} in the rows of {claim['study']}") from None
    if not all(len(part) for part in cells):
        return {"verdict": "not tested", "note": "no rows at this profile"}
    try:
        found = MEASURES[claim["measure"]](*cells)
    except InputError as error:
        return {"verdict": "not tested", "note": str(error)}
    word, ours = verdict(claim, found), budget_of(cells[0])
    needed = units_for(claim, found) if word in ("inconclusive", "same direction") else float("nan")
    note = "" if np.isnan(needed) else f"{needed:,.0f} {found.unit} would tell"
    return {"estimate": found.interval.estimate, "low_ours": found.interval.low, "high_ours": found.interval.high,
            "n": found.n, "unit": found.unit, "none": found.none, "budget_ours": ours, "word": word, "note": note,
            "verdict": f"{word} at {ours}" if is_smaller(ours, claim["budget"]) else word}


def ledger(profile="laptop"):
    """All claims with our findings and verdicts; no game is played for it.

    Returns
    -------
    pandas.DataFrame
        The columns of ``data/published/claims.csv`` and ``estimate, low_ours, high_ours, n, unit, none, budget_ours, word``
        (of `VERDICTS`), ``verdict`` (with our budget where it is the smaller one), ``note, notebook``.

    Raises
    ------
    InputError
        For a claim of an unknown study or measure.
    """
    claims = published("claims").fillna({name: "" for name in ("direction", "study", "measure", "cells", "budget", "note")})
    for measure in claims["measure"]:
        if measure and measure not in MEASURES:
            raise InputError(f"unknown measure {measure!r}; allowed: {one_of(MEASURES)}")
    frames = {name: study_rows(name, profile) for name in claims["study"].unique() if name}
    found = pd.DataFrame([judge(claim, frames) for _, claim in claims.iterrows()], columns=FOUND)
    found["word"] = found["word"].fillna("not tested")
    notebooks = [get_study(name).notebook if name else "" for name in claims["study"]]
    return pd.concat([claims.drop(columns="note"), found], axis=1).assign(notebook=notebooks)


def summary(table):
    """Markdown: how many claims of each experiment have which verdict."""
    counts = table.groupby(["paper", "experiment"], sort=False)["word"].value_counts().unstack(fill_value=0)
    counts = counts.reindex(columns=list(VERDICTS), fill_value=0)
    lines = [f"| {' | '.join(key)} | {' | '.join(str(n) if n else '' for n in row)} |"
             for key, row in zip(counts.index, counts.to_numpy())]
    return "\n".join([f"| paper | claims about | {' | '.join(VERDICTS)} |", "|---" * (2 + len(VERDICTS)) + "|", *lines])
