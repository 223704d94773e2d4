"""Intervals and tests, thin over scipy and statsmodels: one call and one small result for what the notebooks ask.

Intervals are two-sided with 95 % confidence unless told otherwise, p-values are two-sided. Nothing is rounded here: the last
bits of a statistic differ between machines, so what is stored or shown goes through `rounded` first.
"""
import warnings
from dataclasses import asdict, dataclass, is_dataclass

import numpy as np
import pandas as pd
from scipy import optimize
from scipy import stats as scipy_stats
from statsmodels.duration.survfunc import SurvfuncRight, survdiff
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from .core import InputError

METHODS = ("wilson", "agresti_coull", "beta", "jeffreys", "normal")     # of intervals for proportions


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


@dataclass(frozen=True)
class Match:
    """Mean score of a player over pairs of games with changed sides, its interval, and the test against one half."""

    pairs: int
    score: float
    low: float
    high: float
    p: float


def sample(values, least=1):
    """The values as an array of floats; an `InputError` if they are fewer than needed, not in one row, or not finite."""
    array = np.asarray(values, float)
    what = f"shape {array.shape}" if array.ndim != 1 or len(array) < least else "values not finite"
    if "shape" in what or not np.isfinite(array).all():
        raise InputError(f"a sample has {what}; needed: a row of {least} or more finite numbers")
    return array


def observed(times, solved):
    """Times and whether the problem was solved then, as two arrays of one length."""
    times, solved = sample(times), sample(solved)
    if len(times) != len(solved) or not np.isin(solved, (0, 1)).all():
        raise InputError(f"solved has {len(solved)} values; needed: true or false for each of {len(times)} times")
    return times, solved


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


def proportion_interval(successes, n, method="wilson", confidence=0.95):
    """`Interval` of a proportion, by the method that statsmodels calls so (``"beta"`` is Clopper and Pearson's)."""
    if method not in METHODS:
        raise InputError(f"method is {method!r}; allowed: {', '.join(METHODS)}")
    if not 0 <= successes <= n or n < 1:
        raise InputError(f"{successes} successes of {n}: needed are from 0 to n, and n of 1 or more")
    low, high = proportion_confint(successes, n, 1 - confidence, method)
    return Interval(successes / n, float(low), float(high))


def bootstrap_interval(values, statistic=np.mean, seed=0, confidence=0.95, resamples=9999):
    """`Interval` of any statistic by the percentile bootstrap; ``statistic(values)`` gives a number."""
    values = sample(values, 2)
    result = scipy_stats.bootstrap((values,), statistic, n_resamples=resamples, confidence_level=confidence,
                                   method="percentile", vectorized=False, rng=np.random.default_rng(seed))
    low, high = result.confidence_interval
    return Interval(float(statistic(values)), float(low), float(high))


def tally(scores, law):
    """How often each score of a law on 0..len(law)-1 came up, the form that `chi_square_against` and `z_against` take."""
    scores = np.asarray(scores)
    if len(scores) == 0 or not np.isin(scores, np.arange(len(law))).all():
        raise InputError(f"scores must be whole numbers from 0 to {len(law) - 1}, and at least one")
    return np.bincount(scores.astype(np.int64), minlength=len(law))


def pooled_cells(expected, minimum):
    """A cell number for each score: neighbours are pooled, from the lowest on, until the minimum is expected of a cell."""
    cells, cell, total = np.zeros(len(expected), np.int64), 0, 0.0
    for i, value in enumerate(expected):
        cells[i] = cell
        total += value
        if total >= minimum:
            cell, total = cell + 1, 0.0
    return np.minimum(cells, max(cell - 1, 0))      # what is left over joins the last full cell


def chi_square_against(counts, law, minimum_expected=5):
    """Pearson's test of counts of the scores 0, 1, ... against their law, after pooling of scores that are too rare.

    A score that is impossible under the law gives an infinite statistic. A law of one sure score has nothing else to test.
    """
    counts, law = sample(counts, len(law)), sample(law, 2)
    expected = law / law.sum() * counts.sum()
    cells = pooled_cells(expected, minimum_expected)
    if counts[law == 0].any():
        return Significance(np.inf, float(cells[-1]), 0.0)
    if (law > 0).sum() == 1:
        return Significance(0.0, 0.0, 1.0)
    if cells[-1] == 0:
        raise InputError(f"{counts.sum():g} scores are too few for two cells with {minimum_expected} expected in each")
    result = scipy_stats.chisquare(np.bincount(cells, counts), np.bincount(cells, expected))
    return Significance(float(result.statistic), float(cells[-1]), float(result.pvalue))


def z_against(counts, law):
    """Test of the mean of counts of the scores 0, 1, ... against that of their law, whose variance is taken as known."""
    counts, law = sample(counts, len(law)), sample(law, 2)
    scores, n = np.arange(len(law)), counts.sum()
    mean = law @ scores
    gap, se = counts @ scores / n - mean, np.sqrt(law @ (scores - mean) ** 2 / n)
    z = gap / se if se > 0 else np.copysign(np.inf, gap) if gap else 0.0
    return Significance(float(z), np.nan, float(2 * scipy_stats.norm.sf(abs(z))))


def survival(times, solved, confidence=0.95):
    """Share of problems solved by each time: Kaplan and Meier's estimate, where what is not solved is censored.

    Parameters
    ----------
    times : array_like of float
        When each problem was solved, or when the search for it stopped.
    solved : array_like of bool

    Returns
    -------
    pandas.DataFrame
        ``time, share_solved, low, high, at_risk``: a row for time 0 and one for each time at which a problem was solved.
        The intervals are pointwise, on the scale log(-log(share unsolved)); NaN once all are solved.
    """
    times, solved = observed(times, solved)
    curve = SurvfuncRight(times, solved)
    unsolved, se = np.asarray(curve.surv_prob, float), np.asarray(curve.surv_prob_se, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        width = normal_quantile(confidence) * se / (unsolved * np.log(unsolved))        # negative: the log is
        low, high = 1 - unsolved ** np.exp(width), 1 - unsolved ** np.exp(-width)
    rows = pd.DataFrame({"time": curve.surv_times, "share_solved": 1 - unsolved, "low": low, "high": high,
                         "at_risk": curve.n_risk}, dtype=float)
    start = pd.DataFrame({"time": [0.0], "share_solved": 0.0, "low": 0.0, "high": 0.0, "at_risk": float(len(times))})
    return pd.concat([start, rows], ignore_index=True).astype({"at_risk": int})


def restricted_mean_time(times, solved, limit, confidence=0.95):
    """`Interval` of the mean time to solve, each counted up to the limit: the area under the unsolved share until then."""
    times, solved = observed(times, solved)
    if limit > times.max() and not solved[times == times.max()].all():
        raise InputError(f"limit is {limit}; the unsolved share is known only until {times.max():g}")
    curve = SurvfuncRight(times, solved)
    until = curve.surv_times < limit
    edges = np.concatenate([[0.0], curve.surv_times[until], [limit]])
    areas = np.diff(edges) * np.append(1.0, curve.surv_prob[until])
    after = areas[::-1].cumsum()[::-1][1:]              # area after each time at which a problem was solved
    events, at_risk = curve.n_events[until], curve.n_risk[until]
    left = np.maximum(at_risk - events, 1)              # where none is left, the area after it is 0
    half = normal_quantile(confidence) * np.sqrt(np.sum(after ** 2 * events / (at_risk * left)))
    return Interval(float(areas.sum()), float(areas.sum() - half), float(areas.sum() + half))


def logrank(times, solved, groups):
    """Log-rank test that all groups solve at the same rate."""
    groups = np.asarray(groups)
    names = np.unique(groups)
    if len(names) < 2:
        raise InputError(f"the log-rank test got {len(names)} group; it needs 2 or more")
    statistic, p = survdiff(*observed(times, solved), groups)
    return Significance(float(statistic), float(len(names) - 1), float(p))


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


def power_of(effect, pairs, alpha):
    """Power of the two-sided paired t test for a true mean of so many standard deviations."""
    bound = scipy_stats.t.isf(alpha / 2, pairs - 1)
    return scipy_stats.ncf.sf(bound**2, 1, pairs - 1, pairs * effect**2)


def check_power(power, alpha, tests):
    """`alpha` of the smallest p-value of a family; an `InputError` for chances that are none."""
    if not 0 < alpha < power < 1 or tests < 1:
        raise InputError(f"power is {power}, alpha {alpha}, tests {tests}; needed: 0 < alpha < power < 1, 1 test or more")
    return alpha / tests


def detectable_difference(sd, pairs, power=0.8, alpha=0.05, tests=1):
    """The smallest true mean of differences that a paired t test finds with a given power.

    Parameters
    ----------
    sd : float
        Standard deviation of the differences.
    pairs : int
        Their number, 2 or more.
    tests : int
        Tests in the family: the smallest p-value is judged at `alpha` / `tests` by Holm's correction.
    """
    alpha = check_power(power, alpha, tests)
    if pairs < 2 or not sd >= 0:
        raise InputError(f"{pairs} pairs with a standard deviation of {sd}: needed are 2 pairs or more and one of 0 or more")
    most = 1.0
    while power_of(most, pairs, alpha) < power:
        most *= 2
    return float(sd * optimize.brentq(lambda effect: power_of(effect, pairs, alpha) - power, 0, most))


def pairs_needed(difference, sd, power=0.8, alpha=0.05, tests=1):
    """Pairs with which a paired t test finds a true difference with a given power; see `detectable_difference`."""
    alpha = check_power(power, alpha, tests)
    if not difference > 0 or not sd > 0:
        raise InputError(f"difference is {difference} and sd is {sd}; both must be more than 0")
    few, many = 1, 2                # a power too low, and one that is enough
    while power_of(difference / sd, many, alpha) < power:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if power_of(difference / sd, middle, alpha) >= power else (middle, many)
    return many


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
