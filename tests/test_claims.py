"""The ledger: the rule of its verdicts, its measures on rows made for them, and the table that is committed."""
import numpy as np
import pandas as pd
import pytest

from mctslab import claims, study
from mctslab.claims import Finding, verdict
from mctslab.core import InputError
from mctslab.stats import Interval

NAN = float("nan")


def found(low, estimate, high, none=50.0, n=100):
    return Finding(Interval(estimate, low, high), n, "pairs", none)


def claim(direction, low=NAN, high=NAN):
    return {"direction": direction, "low": low, "high": high}


@pytest.mark.parametrize("direction, low, high, ours, word", [
    (">", NAN, NAN, (52, 60, 68), "reproduced"), (">", NAN, NAN, (45, 55, 65), "same direction"),
    (">", NAN, NAN, (40, 48, 56), "inconclusive"), (">", NAN, NAN, (30, 40, 49), "contradicted"),
    ("<", NAN, NAN, (32, 40, 48), "reproduced"), ("<", NAN, NAN, (35, 45, 55), "same direction"),
    ("<", NAN, NAN, (44, 52, 60), "inconclusive"), ("<", NAN, NAN, (51, 60, 70), "contradicted"),
    (">", 70, 76, (63, 68, 72), "reproduced"), (">", 70, 76, (45, 60, 75), "same direction"),
    (">", 70, 76, (52, 60, 68), "contradicted"), (">", 70, 76, (80, 85, 90), "contradicted"),
    (">", 70, 76, (45, 55, 65), "contradicted"), (">", 55, 55, (40, 49, 58), "inconclusive"),
    ("", 5, 10, (5, 10, 20), "reproduced"), ("", 5, 10, (1, 2, 2), "contradicted"),
    ("=", NAN, NAN, (46, 49, 54), "reproduced"), ("=", NAN, NAN, (40, 49, 58), "inconclusive"),
    ("=", NAN, NAN, (51, 53, 55), "contradicted")])
def test_the_rule_of_verdicts(direction, low, high, ours, word):
    assert verdict(claim(direction, low, high), found(*ours)) == word


def test_a_verdict_at_a_smaller_budget_says_so():
    assert not claims.is_smaller("1,000 simulations", "1000 simulations") and not claims.is_smaller("4,000 simulations", "")
    assert claims.is_smaller("1,000 to 4,000 simulations", "250000 simulations")
    assert claims.is_smaller("4,000 simulations", "2 s") and claims.is_smaller("0.02 s", "2 s")


def test_the_pairs_that_a_claim_needs_are_those_of_a_paired_t_test():
    """Cohen (1988): an effect of half a standard deviation needs 34 pairs for a power of 80 %."""
    half = 1.959964 * 10 / np.sqrt(25)          # of an interval over 25 pairs with a standard deviation of 10
    assert claims.units_for(claim(">", 55, 55), found(50 - half, 50, 50 + half, n=25)) == 34
    assert np.isnan(claims.units_for(claim(">"), found(40, 50, 60)))


def games(scores, cell="x", **columns):
    """Rows of two games for each pair, whose scores are given."""
    return pd.DataFrame([dict(game="jaipur", cell=cell, pair=k, seat=seat, payoff_a=score, **columns)
                         for k, score in enumerate(scores) for seat in (0, 1)])


def test_contrasts_of_arms_go_by_the_deals_that_all_have_met():
    both, first, second, neither = (games(scores) for scores in ([1, 1, 0.5], [0.5, 1, 1, 1], [0.5, 0, 0], [0.5, 0, 1]))
    assert claims.MEASURES["gain"](first, neither).interval.estimate == pytest.approx(100 / 3)
    assert claims.MEASURES["sum of gains"](first, second, neither).interval.estimate == pytest.approx(0)
    interaction = claims.MEASURES["interaction"](both, first, second, neither)
    assert interaction.interval.estimate == pytest.approx(100 * np.mean([0.5, 0, 0.5])) and interaction.n == 3


def test_a_trend_is_the_slope_over_doublings():
    rows = pd.concat(games([0.5 + gain] * 8, cell=str(size), size=size) for size, gain in ((4, 0), (8, 0.125), (16, 0.25)))
    assert claims.MEASURES["trend by size"](rows).interval.estimate == pytest.approx(12.5)
    with pytest.raises(InputError, match="one value of size"):
        claims.MEASURES["trend by size"](rows[rows["size"] == 4])


def test_the_best_number_of_trees_comes_with_the_spread_over_deals():
    rng = np.random.default_rng(1)
    rows = pd.concat(games(rng.random(40) < chance, trees=trees) for trees, chance in ((1, 0.1), (5, 0.6), (10, 0.5)))
    best = claims.best_trees(rows).interval
    assert best.estimate in (5, 10) and {best.low, best.high} <= {5, 10}


def test_a_sum_of_single_runs_has_no_interval():
    rows = pd.DataFrame({"game": ["a", "b"], "score": [1.0, 2.0]})
    with pytest.raises(InputError, match="one run of each game"):
        claims.total(rows)
    twice = claims.total(pd.concat([rows, rows.assign(score=[3.0, 2.0])])).interval
    assert twice.estimate == 4 and twice.high - 4 == pytest.approx(1.96 * np.sqrt(2 * 1.5), rel=1e-3)


@pytest.fixture(scope="module")
def table():
    return claims.ledger()


def test_every_claim_has_its_own_name_and_one_verdict(table):
    assert table["id"].is_unique and set(table["word"]) <= set(claims.VERDICTS)
    assert (table["notebook"] != "").equals(table["study"] != "")


def test_every_cell_of_the_ledger_is_in_a_grid(table):
    """A query that finds nothing would be a claim that is never tested."""
    for _, row in table[table["study"] != ""].iterrows():
        assert row["note"] != "no rows at this profile", row["id"]


def test_a_claim_with_an_option_that_there_is_not_is_named(monkeypatch):
    wrong = study.published("claims").iloc[[5]].assign(cells="searcher == 'nested' and levle == 2")
    monkeypatch.setattr(claims, "published", lambda name: wrong)
    with pytest.raises(InputError, match="claim N06: name 'levle' is not defined in the rows of nested_morpion"):
        claims.ledger()
    monkeypatch.setattr(claims, "published", lambda name: wrong.assign(measure="mean"))
    with pytest.raises(InputError, match="unknown measure 'mean'; allowed: score, gain,"):
        claims.ledger()
