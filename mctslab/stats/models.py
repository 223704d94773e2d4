"""Logistic models of outcomes: odds ratios of factors, where games on one deal belong together.

A factor is a column of numbers, 0 and 1 for without and with; an interaction is the product of two, given as a column too.
An odds ratio of 1 is no effect; that of an interaction tells by what factor two effects together exceed their product.
"""
import numpy as np
import pandas as pd
from scipy.optimize import linprog
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from ..core import InputError
from .samples import sample


def logistic_model(outcome, factors, clusters, confidence=0.95):
    """Logistic regression, its intervals robust to what the games of a cluster have in common.

    Parameters
    ----------
    outcome : array_like of float
        One for each game, from 0 to 1. A draw is 0.5: only the mean is modelled, not the law around it (quasi-likelihood,
        Papke and Wooldridge 1996), so a mean of several games is an outcome as well.
    factors : pandas.DataFrame or mapping of str to array_like
        Columns of numbers, one for each game.
    clusters : array_like
        What games belong together, e.g. the number of their deal.

    Returns
    -------
    pandas.DataFrame
        A row per factor: ``groups`` (clusters), ``odds_ratio, low, high, p``. Standard errors are the sandwich ones (Liang
        and Zeger 1986) with the usual correction for few clusters; interval and test are by Student's t with one degree of
        freedom fewer than clusters.

    Raises
    ------
    InputError
        For outcomes not from 0 to 1 or all alike; a factor without variation, or that others make up; no more clusters
        than coefficients, or clusters without spread; complete or quasi-complete separation, where a ratio has no bound.
    """
    y, x, codes = read(outcome, factors, clusters)
    full, n = np.column_stack([np.ones(len(x)), x]), codes.max() + 1
    if np.linalg.matrix_rank(full) < full.shape[1]:
        raise InputError(f"the factors {', '.join(x)} repeat each other: one can be told from the others")
    if n <= full.shape[1]:
        raise InputError(f"there are {n} clusters for {full.shape[1]} coefficients; needed are more clusters than those")
    refuse_separation(np.vstack([full[y > 0], -full[y < 1]]))
    fit = GLM(y, full, family=Binomial()).fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    if (fit.bse < 1e-9).any():
        raise InputError("every cluster has the same mean outcomes: without a spread there is no interval")
    return odds_ratios(fit, full.shape[1] - x.shape[1], x.columns, n, confidence)


def conditional_model(outcome, factors, groups, confidence=0.95):
    """Conditional logistic regression: games are compared within their deal only, whatever it is worth.

    Parameters
    ----------
    outcome : array_like of float
        One for each game, 0 or 1. A draw is neither: leave drawn games out, or fit `logistic_model`.
    factors : pandas.DataFrame or mapping of str to array_like
        Columns of numbers, one for each game. There is no intercept, each group has its own.
    groups : array_like
        What games are compared, e.g. the deal, or deal and seat. A group whose outcomes are all alike says nothing.

    Returns
    -------
    pandas.DataFrame
        A row per factor: ``groups`` (those with both outcomes), ``odds_ratio, low, high, p``, interval and test by Wald's
        method. With two games in each group the ratio is that of `mcnemar` (Breslow and Day 1980, chapter 7).

    Raises
    ------
    InputError
        For outcomes other than 0 and 1 or all alike; no group with both outcomes; factors that do not vary within such
        groups, or that others make up; complete or quasi-complete separation, where a ratio has no bound.
    """
    y, x, codes = read(outcome, factors, groups)
    if not np.isin(y, (0, 1)).all():
        value = y[~np.isin(y, (0, 1))][0]
        raise InputError(f"an outcome is {value:g}; a conditional model knows 0 and 1: leave drawn games out")
    share = pd.Series(y).groupby(codes).transform("mean").to_numpy()
    mixed = (share > 0) & (share < 1)
    if not mixed.any():
        raise InputError("no group has both outcomes, so there is nothing to compare within groups")
    y, x, codes = y[mixed], x[mixed], codes[mixed]
    values = x.to_numpy()
    apart = contrasts(y, values, codes)
    if np.linalg.matrix_rank(apart) < x.shape[1]:
        raise InputError(f"within groups with both outcomes the factors {', '.join(x)} do not vary or repeat each other")
    refuse_separation(apart)
    model = ConditionalLogit(y, values, groups=codes)
    fit = model.fit(model.fit().params, method="newton")        # the first search is sure to arrive, the second is exact
    return odds_ratios(fit, 0, x.columns, len(np.unique(codes)), confidence)


def read(outcome, factors, groups):
    """Outcomes, a table of the factors, and a number for each group; an `InputError` for what no model could fit."""
    y, groups = sample(outcome, 2), np.asarray(groups)
    if groups.ndim != 1:
        raise InputError(f"groups have shape {groups.shape}; needed: one name or number for each game")
    codes = pd.factorize(groups)[0]
    columns = {name: sample(factors[name], 2) for name in factors}
    if not columns or {len(codes), *map(len, columns.values())} != {len(y)}:
        lengths = ", ".join(str(len(values)) for values in (codes, *columns.values()))
        raise InputError(f"{len(y)} outcomes have groups and factors with {lengths} values; needed: as many, and a factor")
    if y.min() < 0 or y.max() > 1:
        raise InputError(f"outcomes are from {y.min():g} to {y.max():g}; allowed: from 0 to 1")
    if (codes < 0).any():
        raise InputError("a group is missing (NaN or None); every game needs one")
    for name, values in {"the outcome": y, **columns}.items():
        if np.ptp(values) == 0:
            raise InputError(f"{name} is {values[0]:g} in every row; a model needs variation")
    return y, pd.DataFrame(columns), codes


def contrasts(y, values, codes):
    """Factors of each won game less those of each lost game of its group."""
    parts = [(values[(codes == code) & (y == 1)], values[(codes == code) & (y == 0)]) for code in np.unique(codes)]
    return np.concatenate([(won[:, None] - lost).reshape(-1, values.shape[1]) for won, lost in parts])


def refuse_separation(signed):
    """An `InputError` if some weights of the columns make no row negative and one positive: then no odds are too large.

    The linear programme of Konis, Linear programming algorithms for detecting separated data, 2007.
    """
    signed = np.unique(signed / np.abs(signed).max(axis=0), axis=0)
    best = linprog(-signed.sum(axis=0), -signed, np.zeros(len(signed)), bounds=(-1, 1))
    if best.fun < -1e-4:        # 0 where outcomes overlap, but for the tolerance of the solver
        raise InputError("the factors separate the outcomes completely, at least in part: an odds ratio has no bound")


def odds_ratios(fit, skipped, names, groups, confidence):
    """The table of a fit, without its first coefficients."""
    bounds = np.exp(fit.conf_int(1 - confidence))[skipped:]
    return pd.DataFrame({"groups": groups, "odds_ratio": np.exp(fit.params[skipped:]), "low": bounds[:, 0],
                         "high": bounds[:, 1], "p": fit.pvalues[skipped:]}, index=pd.Index(names, name="factor"))
