"""Matches: the unit is the pair of games on one deal; arms that have met the same deals are compared deal by deal."""
import warnings
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from scipy import stats as scipy_stats

from ..core import InputError
from .samples import Interval, holm, normal_quantile, paired_test, sample


@dataclass(frozen=True)
class Match:
    """Mean score of a player over pairs of games with changed sides, its interval, and the test against one half."""

    pairs: int
    score: float
    low: float
    high: float
    p: float


def match_score(pair_scores, confidence=0.95):
    """`Match` of a player's scores, each the mean of a pair's two games.

    The interval is Wald's after two pairs more, one shared, half a pair won and half a pair lost (Agresti and Min 2005): it
    keeps its level for few pairs, and where all pairs end alike it still has a width. The test is McNemar's, exact: of the
    pairs that one player won, either has half.
    """
    scores = sample(pair_scores, 1)
    if ((scores < 0) | (scores > 1)).any():
        raise InputError(f"pair scores are from {scores.min():g} to {scores.max():g}; allowed: from 0 to 1")
    n = len(scores)
    values, weights = np.append(scores, [0.0, 0.5, 1.0]), np.append(np.ones(n), [0.5, 1.0, 0.5])
    mean = np.average(values, weights=weights)
    half = normal_quantile(confidence) * np.sqrt(np.average((values - mean) ** 2, weights=weights) / (n + 2))
    won, lost = int((scores > 0.5).sum()), int((scores < 0.5).sum())
    p = scipy_stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
    return Match(n, float(scores.mean()), float(max(mean - half, 0)), float(min(mean + half, 1)), float(p))


def pair_scores(rows, by):
    """The score of player a in each pair of games: a Series with the columns `by` and ``pair`` as its index."""
    return rows.groupby([*by, "pair"], sort=False)["payoff_a"].mean()


def match_table(rows, by):
    """`Match` of player a for each group of rows of games, with Holm's correction over all of them.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of games of two players.
    by : list of str
        Columns that name the groups.

    Returns
    -------
    pandas.DataFrame
        A row per group, in the order in which they come: the columns `by`, ``pairs, score, low, high, p, p_holm``.
    """
    scores = pair_scores(rows, [*by, "cell"])
    found = [dict(zip(by, key, strict=True)) | asdict(match_score(part)) for key, part in scores.groupby(by, sort=False)]
    table = pd.DataFrame(found)
    return table.assign(p_holm=holm(table["p"])["p_holm"])


def difference_table(rows, by, arm, baseline):
    """What arms score more than a baseline against the same opponent on the same deals, with Holm's correction over all.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of games of two players.
    by : list of str
        Columns that name the groups within which arms are compared.
    arm : str
        Column that names the arms.
    baseline : str
        The arm that the others are compared with.

    Returns
    -------
    pandas.DataFrame
        A row per group and arm, in the order in which they come: `by`, `arm`, ``pairs, baseline_score, score, difference,
        low, high, p, p_holm``, the interval and the test by Student's t over pairs.
    """
    found = []
    for key, group in pair_scores(rows, [*by, arm]).groupby(by, sort=False):
        arms = {name: part.droplevel([*by, arm]) for name, part in group.groupby(arm, sort=False)}
        if baseline not in arms:
            raise InputError(f"baseline is {baseline!r}; the arms of {key} are: {', '.join(map(str, arms))}")
        for name in arms.keys() - {baseline}:
            pairs = arms[name].index.intersection(arms[baseline].index)
            if len(pairs) < 2:
                raise InputError(f"arm {name!r} shares {len(pairs)} deals with the baseline {baseline!r}; needed: 2 or more")
            a, b = arms[name][pairs], arms[baseline][pairs]
            test = paired_test(a, b)
            found.append(dict(zip(by, key, strict=True)) | {
                arm: name, "pairs": test.n, "baseline_score": b.mean(), "score": a.mean(), "difference": test.mean,
                "low": test.low, "high": test.high, "p": test.p_t})
    if not found:
        raise InputError(f"there is no arm beside the baseline {baseline!r}")
    order = {name: i for i, name in enumerate(rows[arm].drop_duplicates())}
    table = pd.DataFrame(found).sort_values(arm, key=lambda names: names.map(order), kind="stable")
    keys = rows[by].drop_duplicates().assign(place=lambda frame: range(len(frame)))
    table = table.merge(keys, on=by).sort_values("place", kind="stable", ignore_index=True).drop(columns="place")
    return table.assign(p_holm=holm(table["p"])["p_holm"])


def rank_correlation(a, b, seed=0, confidence=0.95, resamples=2000):
    """`Interval` of Spearman's correlation between the mean scores of the same arms in two settings.

    Parameters
    ----------
    a, b : array_like of float, shape (pairs, arms)
        Scores of each pair of games; the arms of a setting have met the same deals. The interval is a percentile bootstrap
        over deals, apart for each setting.
    """
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1] or a.shape[1] < 3:
        raise InputError(f"scores have shapes {a.shape} and {b.shape}; needed: (pairs, arms) with 3 or more arms alike")
    rng = np.random.default_rng(seed)

    def mean(scores):
        return scores[rng.integers(len(scores), size=len(scores))].mean(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")     # where all arms of a sample are equal there is no correlation
        drawn = [scipy_stats.spearmanr(mean(a), mean(b)).statistic for _ in range(resamples)]
        estimate = scipy_stats.spearmanr(a.mean(axis=0), b.mean(axis=0)).statistic
        low, high = np.nanquantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(estimate), float(low), float(high))
