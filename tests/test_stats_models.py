"""Proportions of two samples, McNemar's test and logistic models against worked examples and closed forms."""
import numpy as np
import pandas as pd
import pytest

from mctslab import InputError, stats


def paired(both, first, second, neither):
    """Outcomes of two arms: deals that both have won, that one of them has, that neither has."""
    return [1] * (both + first) + [0] * (second + neither), [1] * both + [0] * first + [1] * second + [0] * neither


def stacked(a, b):
    """The same as games for a model: outcome, the factor `first`, deal."""
    n = len(a)
    return np.r_[a, b], {"first": np.repeat([1, 0], n)}, np.r_[np.arange(n), np.arange(n)]


# Agresti, Categorical Data Analysis, 2nd edition 2002: approval of a prime minister in two surveys of 1,600 people (table
# 10.1), and diabetes of patients with a heart attack and of their controls (table 10.3).
APPROVAL = paired(794, 150, 86, 570)
DIABETES = paired(9, 37, 16, 82)


# Newcombe, Statistics in Medicine 1998, 873-890, table II, method 10.
@pytest.mark.parametrize("counts, low, high", [
    ((56, 70, 48, 80), 0.0524, 0.3339), ((9, 10, 3, 10), 0.1705, 0.8090), ((5, 56, 0, 29), -0.0381, 0.1926),
    ((0, 10, 0, 20), -0.1611, 0.2775), ((10, 10, 0, 10), 0.6075, 1.0)])
def test_the_difference_of_two_proportions_has_the_interval_of_newcombe_1998(counts, low, high):
    result = stats.two_proportions(*counts)
    assert result.estimate == pytest.approx(counts[0] / counts[1] - counts[2] / counts[3])
    assert (result.low, result.high) == pytest.approx((low, high), abs=5e-5)


def test_the_test_of_two_proportions_is_pearsons():
    """2 x 2 table 15 / 35 and 5 / 45: n (ad - bc)^2 / (products of the margins) = 100 (500)^2 / (20 80 50 50) = 6.25."""
    assert stats.two_proportions(15, 50, 5, 50).p == pytest.approx(0.012419, abs=1e-6)
    assert stats.two_proportions(0, 10, 0, 20).p == stats.two_proportions(9, 9, 4, 4).p == 1


def test_mcnemar_of_agrestis_approval_ratings():
    """Chi-squared 17.36, z = -4.17; the exact test is the binomial one of 86 in 236."""
    result = stats.mcnemar(*APPROVAL, exact=False)
    assert (result.n, result.a_better, result.b_better) == (1600, 150, 86)
    assert (result.statistic, result.ratio) == pytest.approx((17.36, 150 / 86), abs=5e-3)
    assert result.p == pytest.approx(3.1e-5, abs=5e-7)
    exact = stats.mcnemar(*APPROVAL)
    assert (exact.statistic, exact.p) == (86, pytest.approx(3.716e-5, abs=5e-9))
    assert 1 < exact.low < exact.ratio < exact.high


def test_mcnemar_with_few_deals_has_its_closed_form():
    """Five deals that one arm won and the other lost: p = 2 / 2^5, and the bound of the share is 0.025^(1/5)."""
    result, share = stats.mcnemar(*paired(3, 5, 0, 2)), 0.025 ** (1 / 5)
    assert (result.p, result.low) == pytest.approx((1 / 16, share / (1 - share)))
    assert result.ratio == result.high == np.inf
    alike = stats.mcnemar([1, 0], [1, 0])
    assert np.isnan(alike.ratio) and (alike.low, alike.high, alike.p) == (0, np.inf, 1)


def test_mcnemar_counts_a_draw_against_a_loss_and_against_a_win():
    result = stats.mcnemar([0.5, 0.5, 0.5, 1, 0.25], [0, 1, 0.5, 0.5, 0.25])
    assert (result.n, result.a_better, result.b_better) == (5, 2, 1)
    assert result.p == stats.mcnemar(*paired(0, 2, 1, 0)).p


def test_a_match_is_mcnemars_test_of_its_two_seats():
    """A pair is won by who does better on the deal: the test of `match_score` is that of the players' scores."""
    scores = np.array([1, 1, 0.5, 0.75, 0, 1])
    assert stats.match_score(scores).p == stats.mcnemar(scores, 1 - scores).p


@pytest.mark.parametrize("outcomes, b, c", [(APPROVAL, 150, 86), (DIABETES, 37, 16)])
def test_a_conditional_model_of_matched_pairs_is_the_log_of_b_over_c(outcomes, b, c):
    """Agresti, section 10.2: standard errors sqrt(1 / b + 1 / c) = 0.135 and 0.299 of log odds 0.556 and 0.838."""
    row = stats.conditional_model(*stacked(*outcomes)).loc["first"]
    half = 1.959964 * (1 / b + 1 / c) ** 0.5
    assert (row["groups"], row["odds_ratio"]) == (b + c, pytest.approx(b / c, rel=1e-6))
    assert np.log([row["low"], row["high"]]) == pytest.approx([np.log(b / c) - half, np.log(b / c) + half], abs=1e-5)
    assert row["odds_ratio"] == pytest.approx(stats.mcnemar(*outcomes).ratio, rel=1e-6)


def test_a_conditional_model_sees_through_deals_that_pooling_blurs():
    """Half of the deals are nearly lost, half nearly won; within each the arm doubles the log odds by 1.5."""
    rng = np.random.default_rng(1)
    deal, arm = np.repeat(np.arange(2000), 4), np.tile([0, 0, 1, 1], 2000)
    won = rng.random(8000) < 1 / (1 + np.exp(-(np.where(deal % 2, 2.5, -2.5) + 1.5 * arm)))
    within = np.log(stats.conditional_model(won, {"arm": arm}, deal)["odds_ratio"].iloc[0])
    pooled = np.log(stats.logistic_model(won, {"arm": arm}, deal)["odds_ratio"].iloc[0])
    assert within == pytest.approx(1.5, abs=0.25) and pooled < 0.9


def two_by_two(wins, games):
    """Games of the four arms of a factorial design, in the order neither, x, y, both; each game a deal of its own."""
    x, y = np.repeat([0, 1, 0, 1], games), np.repeat([0, 0, 1, 1], games)
    won = np.concatenate([np.arange(games) < k for k in wins]).astype(float)
    return won, pd.DataFrame({"x": x, "y": y, "x and y": x * y})


def test_the_interaction_of_a_logistic_model_is_the_ratio_of_odds_ratios():
    """Woolf's variance of its log is the sum of 1 / n over the eight cells; with a cluster for each game the corrected
    sandwich is that times N / (N - 1) * (N - 1) / (N - 4)."""
    wins, n = np.array([20, 30, 25, 45]), 50
    table = stats.logistic_model(*two_by_two(wins, n), clusters=np.arange(4 * n))
    odds = wins / (n - wins)
    expected = [odds[1] / odds[0], odds[2] / odds[0], odds[3] / odds[2] / (odds[1] / odds[0])]
    assert table.index.tolist() == ["x", "y", "x and y"] and table["odds_ratio"].tolist() == pytest.approx(expected)
    half = 1.971957 * (np.sum(1 / wins + 1 / (n - wins)) * 200 / 196) ** 0.5       # t of 199 degrees of freedom
    row = table.loc["x and y"]
    assert np.log([row["low"], row["high"]]) == pytest.approx(np.log(expected[2]) + np.array([-half, half]), abs=1e-5)
    assert ((table["low"] < 1) & (table["high"] > 1)).tolist() == (table["p"] > 0.05).tolist()


def test_games_of_a_deal_make_intervals_of_their_differences_not_of_as_many_games():
    """The delta method: the error of the difference of two logits is the mean over deals of the differences of
    (outcome - mean) / (mean (1 - mean)); the model multiplies its variance by G / (G - 1) (N - 1) / (N - 2)."""
    rng = np.random.default_rng(2)
    ability = rng.random(40)
    a, b = (np.clip(np.round(2 * (ability + rng.normal(0, 0.2, 40) + lift)) / 2, 0, 1) for lift in (0.2, 0))
    table = stats.logistic_model(*stacked(a, b))
    gap = [(one - one.mean()) / (one.mean() * (1 - one.mean())) for one in (a, b)]
    error = (np.sum((gap[0] - gap[1]) ** 2) / 40**2 * 40 / 39 * 79 / 78) ** 0.5
    logit = np.log(table.iloc[0][["odds_ratio", "low", "high"]].to_numpy(float))
    assert logit[0] == pytest.approx(np.log(a.mean() / (1 - a.mean())) - np.log(b.mean() / (1 - b.mean())))
    assert (logit[2] - logit[1]) / 2 == pytest.approx(2.022691 * error, rel=1e-5)      # t of 39 degrees of freedom
    y, x, deals = stacked(a, b)
    alone = stats.logistic_model(y, x, np.arange(80))
    assert alone["high"].iloc[0] - alone["low"].iloc[0] > table["high"].iloc[0] - table["low"].iloc[0]


def test_the_score_of_a_pair_is_an_outcome_as_well_as_its_two_games_are():
    rng = np.random.default_rng(3)
    payoff, arm, deal = rng.choice([0, 0.5, 1], 120), np.tile([0, 0, 1, 1], 30), np.repeat(np.arange(30), 4)
    games = stats.logistic_model(payoff, {"arm": arm}, deal)
    pairs = stats.logistic_model(payoff.reshape(-1, 2).mean(axis=1), {"arm": arm[::2]}, deal[::2])
    assert games["odds_ratio"].tolist() == pytest.approx(pairs["odds_ratio"].tolist())
    assert games["p"].tolist() == pytest.approx(pairs["p"].tolist(), rel=0.02)      # (N - 1) / (N - 2) is another


def test_models_know_games_by_their_groups_not_by_their_order():
    y, x, deals = stacked(*DIABETES)
    order = np.random.default_rng(4).permutation(len(y))
    named = [f"deal {deal}" for deal in deals[order]]
    for model in stats.conditional_model, stats.logistic_model:
        again = model(y[order], {"first": x["first"][order]}, named)
        pd.testing.assert_frame_equal(again, model(y, x, deals), rtol=1e-6)


MIXED, ARM, DEAL = [0, 1, 1, 0, 1, 1, 0, 0], [0, 1, 0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("outcome, factors, groups, message", [
    ([0, 1, 0], {"arm": ARM}, DEAL, "3 outcomes have groups and factors with 8, 8 values"),
    (MIXED, {}, DEAL, "needed: as many, and a factor"),
    (MIXED, {"arm": list("abababab")}, DEAL, "a sample has no numbers"),
    (MIXED, {"arm": [np.nan, *ARM[1:]]}, DEAL, "values not finite"),
    (MIXED, {"arm": ARM}, [None, *DEAL[1:]], "a group is missing"),
    (MIXED, {"arm": ARM}, list(zip(DEAL, ARM)), r"groups have shape \(8, 2\)"),
    ([2, *MIXED[1:]], {"arm": ARM}, DEAL, "outcomes are from 0 to 2; allowed: from 0 to 1"),
    ([1] * 8, {"arm": ARM}, DEAL, "the outcome is 1 in every row; a model needs variation"),
    (MIXED, {"arm": [3] * 8}, DEAL, "arm is 3 in every row; a model needs variation"),
    (MIXED, {"arm": ARM, "other": [1 - x for x in ARM]}, DEAL, "arm, other .*repeat each other"),
    (ARM, {"arm": ARM}, DEAL, "separate the outcomes completely"),
    ([0, 1, 0, 1, 0, 0, 0, 0], {"arm": ARM}, DEAL, "separate the outcomes completely, at least in part")])
def test_what_no_model_can_fit_is_named(outcome, factors, groups, message):
    for model in stats.logistic_model, stats.conditional_model:
        with pytest.raises(InputError, match=message):
            model(outcome, factors, groups)


def test_a_logistic_model_needs_enough_clusters_that_differ():
    with pytest.raises(InputError, match="there are 2 clusters for 2 coefficients"):
        stats.logistic_model(MIXED, {"arm": ARM}, [0, 0, 0, 0, 1, 1, 1, 1])
    with pytest.raises(InputError, match="every cluster has the same mean outcomes"):
        stats.logistic_model([0, 1, 0.5, 1] * 3, {"arm": [0, 0, 1, 1] * 3}, np.repeat([0, 1, 2], 4))


@pytest.mark.parametrize("outcome, groups, message", [
    ([0.5, *MIXED[1:]], DEAL, "an outcome is 0.5; .*leave drawn games out"),
    ([0, 0, 1, 1, 0, 0, 1, 1], DEAL, "no group has both outcomes"),
    ([0, 0, 1, 0, 0, 0, 1, 1], [0, 1, 0, 1, 2, 2, 3, 3], "arm do not vary or repeat each other")])
def test_a_conditional_model_needs_groups_with_both_outcomes(outcome, groups, message):
    with pytest.raises(InputError, match=message):
        stats.conditional_model(outcome, {"arm": ARM}, groups)


@pytest.mark.parametrize("call, message", [
    (lambda: stats.two_proportions(3, 2, 1, 2), "3 successes of 2"),
    (lambda: stats.two_proportions(1, 2, 0, 0), "0 successes of 0"),
    (lambda: stats.mcnemar([0, 1], [0]), "2 and 1 values do not make pairs"), (lambda: stats.mcnemar([], []), "shape"),
    (lambda: stats.mcnemar([0, 2], [0, 1]), "outcomes are from 0 to 2; allowed: from 0 to 1")])
def test_counts_and_outcomes_that_make_no_proportion_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
