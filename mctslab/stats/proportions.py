"""Proportions: intervals for one, the difference of two, and two measured on the same deals."""
from dataclasses import dataclass

import numpy as np
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_table
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

from ..core import InputError
from .samples import Interval, sample

METHODS = ("wilson", "agresti_coull", "beta", "jeffreys", "normal")     # of intervals for proportions


@dataclass(frozen=True)
class Effect:
    """An estimate, its confidence interval, and the p-value of the test that there is no effect."""

    estimate: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class Discordant:
    """Deals on which one of two arms did better: how many each, their ratio with its interval, McNemar's test."""

    n: int
    a_better: int
    b_better: int
    ratio: float
    low: float
    high: float
    statistic: float
    p: float


def check_counts(successes, n):
    """Refuse counts that make no proportion."""
    if not 0 <= successes <= n or n < 1:
        raise InputError(f"{successes} successes of {n}: needed are from 0 to n, and n of 1 or more")


def proportion_interval(successes, n, method="wilson", confidence=0.95):
    """`Interval` of a proportion, by the method that statsmodels calls so (``"beta"`` is Clopper and Pearson's)."""
    if method not in METHODS:
        raise InputError(f"method is {method!r}; allowed: {', '.join(METHODS)}")
    check_counts(successes, n)
    low, high = proportion_confint(successes, n, 1 - confidence, method)
    return Interval(successes / n, float(low), float(high))


def two_proportions(a, n_a, b, n_b, confidence=0.95):
    """Difference of the proportions a / n_a and b / n_b of two independent samples.

    For arms that have met the same deals the samples are not independent: see `mcnemar` and `paired_test`.

    Returns
    -------
    Effect
        The interval is Newcombe's from two of Wilson's (1998, method 10), which keeps its width where a proportion is 0 or
        1; the test is Pearson's chi-squared without correction.

    Raises
    ------
    InputError
        For counts below 0 or above their n, or an n of 0.
    """
    check_counts(a, n_a)
    check_counts(b, n_b)
    low, high = confint_proportions_2indep(a, n_a, b, n_b, method="newcomb", compare="diff", alpha=1 - confidence)
    alike = a + b in (0, n_a + n_b)     # no success at all, or no failure
    p = 1.0 if alike else proportions_ztest([a, b], [n_a, n_b])[1]
    return Effect(a / n_a - b / n_b, float(low), float(high), float(p))


def mcnemar(a, b, exact=True, confidence=0.95):
    """McNemar's test of two arms on the same deals: of the deals on which one did better, has either half?

    Parameters
    ----------
    a, b : array_like of float
        Outcomes of the arms on each deal, from 0 to 1. Beside won and lost games they may be draws (0.5) or scores of
        pairs: a deal counts for the arm that did better on it, and one on which both did alike says nothing.
    exact : bool
        The binomial test, whose statistic is the smaller count; or chi-squared, without continuity correction.

    Returns
    -------
    Discordant
        The ratio a_better / b_better estimates the odds ratio of a conditional logistic model; its interval is exact, from
        Clopper and Pearson's of the share of `a` (Breslow and Day 1980, section 5.2). Without a deal that tells, it is NaN.

    Raises
    ------
    InputError
        For outcomes that are not from 0 to 1, or that do not make pairs.
    """
    a, b = sample(a, 1), sample(b, 1)
    if len(a) != len(b):
        raise InputError(f"{len(a)} and {len(b)} values do not make pairs")
    worst, best = min(a.min(), b.min()), max(a.max(), b.max())
    if worst < 0 or best > 1:
        raise InputError(f"outcomes are from {worst:g} to {best:g}; allowed: from 0 to 1")
    more, less = int((a > b).sum()), int((a < b).sum())
    if more + less == 0:
        return Discordant(len(a), 0, 0, np.nan, 0.0, np.inf, 0.0, 1.0)
    test = mcnemar_of_table([[0, more], [less, 0]], exact=exact, correction=False)
    bounds = scipy_stats.binomtest(more, more + less).proportion_ci(confidence)
    low, high = (share / (1 - share) if share < 1 else np.inf for share in bounds)
    ratio = more / less if less else np.inf
    return Discordant(len(a), more, less, ratio, float(low), float(high), float(test.statistic), float(test.pvalue))
