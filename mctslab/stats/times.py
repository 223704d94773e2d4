"""Times until problems are solved, of which some are cut off."""
import numpy as np
import pandas as pd
from statsmodels.duration.survfunc import SurvfuncRight, survdiff

from ..core import InputError
from .samples import Interval, Significance, normal_quantile, sample


def observed(times, solved):
    """Times and whether the problem was solved then, as two arrays of one length."""
    times, solved = sample(times), sample(solved)
    if len(times) != len(solved) or not np.isin(solved, (0, 1)).all():
        raise InputError(f"solved has {len(solved)} values; needed: true or false for each of {len(times)} times")
    return times, solved


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
