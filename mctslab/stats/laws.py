"""Counts of scores against the law that they should follow."""
import numpy as np
from scipy import stats as scipy_stats

from ..core import InputError
from .samples import Significance, sample


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
