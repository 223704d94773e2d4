"""Samples and what is estimated from them: intervals, tests, Holm's correction, rounding."""
from dataclasses import asdict, dataclass, is_dataclass

import numpy as np
import pandas as pd
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

from ..core import InputError


@dataclass(frozen=True)
class Interval:
    """An estimate and its confidence interval."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """A sample: size, mean, standard deviation, standard error of the mean, and an interval for the mean by Student's t."""

    n: int
    mean: float
    sd: float
    se: float
    low: float
    high: float


@dataclass(frozen=True)
class Significance:
    """A test: its statistic, degrees of freedom (NaN where it has none) and p-value."""

    statistic: float
    dof: float
    p: float


@dataclass(frozen=True)
class Paired:
    """Differences a - b of pairs: mean, interval and test by Student's t, and Wilcoxon's signed-rank test."""

    n: int
    mean: float
    low: float
    high: float
    t: float
    p_t: float
    wilcoxon: float
    p_wilcoxon: float


@dataclass(frozen=True)
class Difference:
    """Difference of the means of two samples, its interval, and Welch's test of it."""

    mean: float
    low: float
    high: float
    t: float
    dof: float
    p: float


def sample(values, least=1):
    """The values as an array of floats; an `InputError` if they are fewer than needed, not in one row, or not finite."""
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        raise InputError(f"a sample has no numbers; needed: a row of {least} or more finite numbers") from None
    what = f"shape {array.shape}" if array.ndim != 1 or len(array) < least else "values not finite"
    if "shape" in what or not np.isfinite(array).all():
        raise InputError(f"a sample has {what}; needed: a row of {least} or more finite numbers")
    return array


def normal_quantile(confidence):
    """Half-width of a two-sided interval, in standard errors."""
    return scipy_stats.norm.ppf((1 + confidence) / 2)


def summary(values, confidence=0.95):
    """`Summary` of a sample of two or more."""
    values = sample(values, 2)
    n, mean, sd = len(values), values.mean(), values.std(ddof=1)
    se = sd / np.sqrt(n)
    half = scipy_stats.t.ppf((1 + confidence) / 2, n - 1) * se
    return Summary(n, float(mean), float(sd), float(se), float(mean - half), float(mean + half))


def mean_interval(values, confidence=0.95):
    """`Interval` of a mean by Student's t."""
    result = summary(values, confidence)
    return Interval(result.mean, result.low, result.high)


def bootstrap_interval(values, statistic=np.mean, seed=0, confidence=0.95, resamples=9999):
    """`Interval` of any statistic by the percentile bootstrap; ``statistic(values)`` gives a number."""
    values = sample(values, 2)
    result = scipy_stats.bootstrap((values,), statistic, n_resamples=resamples, confidence_level=confidence,
                                   method="percentile", vectorized=False, rng=np.random.default_rng(seed))
    low, high = result.confidence_interval
    return Interval(float(statistic(values)), float(low), float(high))


def paired_test(a, b, confidence=0.95):
    """`Paired` comparison of two rows of numbers; pairs without a difference say nothing to Wilcoxon's test."""
    a, b = sample(a, 2), sample(b, 2)
    if len(a) != len(b):
        raise InputError(f"{len(a)} and {len(b)} values do not make pairs")
    difference = a - b
    if not difference.any():
        return Paired(len(a), 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0)
    result, w = summary(difference, confidence), scipy_stats.wilcoxon(difference)
    if result.sd < 1e-12 * abs(result.mean):        # Student's test has no spread to go by: a few pairs would seem sure
        t, p = np.copysign(np.inf, result.mean), w.pvalue
    else:
        t, p = scipy_stats.ttest_rel(a, b)
    return Paired(result.n, result.mean, result.low, result.high, float(t), float(p), float(w.statistic), float(w.pvalue))


def welch_test(a, b, confidence=0.95):
    """`Difference` of the means of two independent samples whose variances may differ."""
    a, b = sample(a, 2), sample(b, 2)
    mean = float(a.mean() - b.mean())
    if a.std() == b.std() == 0:
        return Difference(mean, mean, mean, np.nan, np.nan, float(mean == 0))
    test = scipy_stats.ttest_ind(a, b, equal_var=False)
    low, high = test.confidence_interval(confidence)
    return Difference(mean, float(low), float(high), float(test.statistic), float(test.df), float(test.pvalue))


def holm(p_values, alpha=0.05):
    """Holm's correction for several tests: a DataFrame ``p, p_holm, rejected``, with the index that the p-values had."""
    p = pd.Series(p_values, dtype=float, name="p")
    rejected, adjusted, _, _ = multipletests(sample(p), alpha, method="holm")
    return pd.DataFrame({"p": p, "p_holm": adjusted, "rejected": rejected})


def p_text(p):
    """A p-value for prose: ``p = 0.032`` or ``p < 0.001``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def rounded(result, digits=6):
    """A DataFrame, Series or one of the results above (as a Series), its floats rounded to significant digits."""
    if is_dataclass(result):
        result = pd.Series(asdict(result), dtype=object)
    if isinstance(result, pd.DataFrame):
        return result.apply(rounded, digits=digits)
    if result.dtype != object and not pd.api.types.is_float_dtype(result):
        return result
    return result.map(lambda x: float(f"{x:.{digits - 1}e}") if isinstance(x, (float, np.floating)) else x)
