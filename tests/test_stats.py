"""Intervals and tests against published worked examples and closed forms."""
import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from scipy.stats import ttest_1samp
from statsmodels.stats.contingency_tables import mcnemar

from mctslab import InputError, stats

# Weeks in remission of 21 children on 6-MP (not all relapsed) and 21 on placebo (all did): Freireich et al., Blood 1963.
DRUG = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35]
RELAPSED = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]
# Hours of sleep gained by ten patients with two drugs: Student, Biometrika 1908.
SLEEP_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
# Hamilton depression scores of nine patients before and after a tranquillizer: Hollander and Wolfe 1973, table 3.1.
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]


def test_summary_of_students_sleep_data():
    """The interval is 0.75 +- 2.262157 * 1.78901 / sqrt(10)."""
    result = stats.summary(SLEEP_1)
    assert (result.n, result.mean, result.sd) == (10, pytest.approx(0.75), pytest.approx(1.78901, abs=1e-5))
    assert (result.low, result.high) == pytest.approx((-0.52978, 2.02978), abs=1e-5)
    assert stats.mean_interval(SLEEP_1) == stats.Interval(result.mean, result.low, result.high)


@pytest.mark.parametrize("successes, n, low, high", [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)])
def test_wilson_intervals_are_those_of_newcombe_1998_table_1(successes, n, low, high):
    result = stats.proportion_interval(successes, n)
    assert (result.estimate, result.low, result.high) == pytest.approx((successes / n, low, high), abs=5e-5)


def test_clopper_pearson_interval_without_a_success_has_its_closed_form():
    assert stats.proportion_interval(0, 20, "beta").high == pytest.approx(1 - 0.025 ** (1 / 20))


def test_bootstrap_of_a_mean_is_near_its_standard_error_and_repeats_with_its_seed():
    values = np.arange(100.0)
    result = stats.bootstrap_interval(values, seed=1)
    assert result == stats.bootstrap_interval(values, seed=1) != stats.bootstrap_interval(values, seed=2)
    half = 1.96 * values.std() / 10
    assert (result.low, result.high) == pytest.approx((49.5 - half, 49.5 + half), abs=0.3)


def test_bootstrap_takes_any_statistic_and_values_without_spread():
    assert stats.bootstrap_interval([3, 1, 2], np.max, resamples=99).estimate == 3
    assert stats.bootstrap_interval([1, 1, 1], resamples=99) == stats.Interval(1.0, 1.0, 1.0)


def test_chi_square_of_sixty_rolls_of_a_die():
    """The worked example of Wikipedia's article on Pearson's chi-squared test: 13.4 with 5 degrees of freedom."""
    result = stats.chi_square_against([5, 8, 9, 8, 10, 20], [1 / 6] * 6)
    assert (result.statistic, result.dof, result.p) == pytest.approx((13.4, 5, 0.0199), abs=5e-5)


def test_rare_scores_are_pooled_with_their_neighbours():
    expected = np.array([1, 2, 3, 40, 50, 3, 1])
    assert stats.pooled_cells(expected, 5).tolist() == [0, 0, 0, 1, 2, 2, 2]
    result = stats.chi_square_against([0, 4, 2, 40, 50, 2, 2], expected / 100)
    assert (result.statistic, result.dof, result.p) == pytest.approx((0, 2, 1))


def test_an_impossible_score_refutes_a_law():
    assert stats.chi_square_against([1, 50, 49], [0, 0.5, 0.5]).p == 0
    assert stats.chi_square_against([0, 0, 9], [0, 0, 1]) == stats.Significance(0.0, 0.0, 1.0)
    assert stats.z_against([0, 1, 9], [0, 0, 1]).p == 0


def test_z_of_coin_tosses_has_its_closed_form():
    result = stats.z_against(stats.tally([1] * 60 + [0] * 40, [0.5, 0.5]), [0.5, 0.5])
    assert (result.statistic, result.p) == pytest.approx((2, 0.0455), abs=1e-4)


def test_kaplan_meier_of_the_freireich_data():
    """Survival and its log-log intervals as printed in many textbooks, e.g. 0.8571 (0.6197 to 0.9516) at 6 weeks."""
    rows = stats.survival(DRUG, RELAPSED)
    assert rows.time.tolist() == [0, 6, 7, 10, 13, 16, 22, 23]
    assert rows.at_risk.tolist() == [21, 21, 17, 15, 12, 11, 7, 6]
    assert (1 - rows.share_solved).tolist() == pytest.approx([1, .8571, .8067, .7529, .6902, .6275, .5378, .4482], abs=5e-5)
    assert (1 - rows.high[[1, 7]]).tolist() == pytest.approx([0.6197, 0.1881], abs=5e-5)
    assert (1 - rows.low[[1, 7]]).tolist() == pytest.approx([0.9516, 0.6801], abs=5e-5)


def test_survival_without_events_and_to_the_last_problem():
    assert stats.survival([5, 5], [False, False]).share_solved.tolist() == [0]
    rows = stats.survival([1, 2], [True, True])
    assert rows.share_solved.tolist() == [0, 0.5, 1] and rows.low.isna().tolist() == [False, False, True]


def test_restricted_mean_time_of_the_freireich_data():
    """R's survival package prints 23.29 with standard error 2.83 for 6-MP and 8.67 with 1.38 for placebo."""
    for times, solved, limit, mean, se in (DRUG, RELAPSED, 35, 23.29, 2.83), (PLACEBO, [1] * 21, 23, 8.67, 1.38):
        result = stats.restricted_mean_time(times, solved, limit)
        assert (result.estimate, (result.high - result.low) / 2 / 1.959964) == pytest.approx((mean, se), abs=5e-3)


def test_restricted_mean_time_is_the_mean_of_times_cut_at_the_limit():
    assert stats.restricted_mean_time([1, 2, 9, 9], [1, 1, 0, 0], 9).estimate == pytest.approx(21 / 4)
    assert stats.restricted_mean_time([1, 2, 9, 9], [1, 1, 0, 0], 4).estimate == pytest.approx(11 / 4)
    with pytest.raises(InputError, match="known only until 9"):
        stats.restricted_mean_time([1, 2, 9, 9], [1, 1, 0, 0], 10)


def test_logrank_of_the_freireich_data_is_16_79():
    result = stats.logrank(DRUG + PLACEBO, RELAPSED + [1] * 21, ["6-MP"] * 21 + ["placebo"] * 21)
    assert (result.statistic, result.dof, result.p) == pytest.approx((16.79, 1, 4.17e-5), abs=5e-3)


def test_paired_t_of_students_sleep_data():
    """R's help page of t.test: t = -4.0621, p = 0.002833, interval -2.4599 to -0.7001."""
    result = stats.paired_test(SLEEP_1, SLEEP_2)
    assert (result.mean, result.low, result.high) == pytest.approx((-1.58, -2.4599, -0.7001), abs=5e-5)
    assert (result.t, result.p_t) == pytest.approx((-4.0621, 0.002833), abs=5e-5)


def test_welch_of_two_small_samples_has_its_closed_form():
    # Means 2 and 5, variances 1 and 4, three values each: se^2 = 5/3, dof = (5/3)^2 / ((1/3)^2/2 + (4/3)^2/2) = 50/17
    test = stats.welch_test([1, 2, 3], [3, 5, 7])
    assert (test.mean, test.t, test.dof) == pytest.approx((-3, -3 / (5 / 3) ** 0.5, 50 / 17))
    assert test.low < -3 < test.high and test.low + test.high == pytest.approx(-6)


def test_welch_of_samples_without_spread():
    assert stats.welch_test([2, 2], [2, 2]).p == 1 and stats.welch_test([2, 2], [3, 3]).p == 0


def test_wilcoxon_of_the_depression_scores():
    """R's help page of wilcox.test: V = 40 of 45 and one-sided p = 0.01953; the statistic here is the smaller rank sum."""
    result = stats.paired_test(BEFORE, AFTER)
    assert (result.wilcoxon, result.p_wilcoxon) == (5, pytest.approx(2 * 0.01953, abs=1e-4))


def test_equal_pairs_do_not_differ():
    result = stats.paired_test([1, 2, 3], [1, 2, 3])
    assert (result.mean, result.p_t, result.p_wilcoxon) == (0, 1, 1)


def test_holm_of_four_tests():
    """The worked example of Wikipedia's article on the Holm-Bonferroni method: H1 and H4 are rejected."""
    rows = stats.holm(pd.Series([0.01, 0.04, 0.03, 0.005], index=["H1", "H2", "H3", "H4"]))
    assert rows.p_holm.tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert rows.index[rows.rejected].tolist() == ["H1", "H4"]


def test_rounding_keeps_six_digits_of_floats_and_all_of_the_rest():
    frame = pd.DataFrame({"p": [1.23456789e-9, np.nan], "mean": [50.56885839, 1.0], "n": [123456789, 1],
                          "game": ["hex", "go"]})
    result = stats.rounded(frame)
    assert result.p[0] == 1.23457e-9 and np.isnan(result.p[1]) and result["mean"][0] == 50.5689
    assert result.n.tolist() == [123456789, 1] and result.game.tolist() == ["hex", "go"]
    assert stats.rounded(stats.Interval(1 / 3, 0.0, 1.0)).tolist() == [0.333333, 0, 1]


@pytest.mark.parametrize("call, message", [
    (lambda: stats.summary([1]), "a sample has shape (1,); needed: a row of 2 or more finite numbers"),
    (lambda: stats.summary([1, np.nan]), "a sample has values not finite; needed: a row of 2 or more finite numbers"),
    (lambda: stats.proportion_interval(3, 2), "3 successes of 2: needed are from 0 to n, and n of 1 or more"),
    (lambda: stats.tally([3], [0.5, 0.5]), "scores must be whole numbers from 0 to 1, and at least one"),
    (lambda: stats.chi_square_against([2, 2], [0.5, 0.5]), "4 scores are too few for two cells with 5 expected in each"),
    (lambda: stats.survival([1, 2], [True]), "solved has 1 values; needed: true or false for each of 2 times"),
    (lambda: stats.logrank([1, 2], [1, 1], ["a", "a"]), "the log-rank test got 1 group; it needs 2 or more"),
    (lambda: stats.paired_test([1, 2], [1, 2, 3]), "2 and 3 values do not make pairs")])
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message


def test_a_small_p_value_is_not_told_as_zero():
    assert [stats.p_text(p) for p in (0.0004, 0.001, 0.0321)] == ["p < 0.001", "p = 0.001", "p = 0.032"]


# Agresti and Min, Statistics in Medicine 2005.
@pytest.mark.parametrize("won, shared, lost", [(9, 12, 3), (0, 20, 0), (15, 0, 0), (1, 5, 8)])
def test_the_score_of_a_match_is_half_of_a_difference_of_matched_proportions(won, shared, lost):
    """d = (b - c) / n; the interval is Wald's for it with half a pair more in each of the four cells."""
    n, b, c = won + shared + lost, won + 0.5, lost + 0.5
    d, half = (b - c) / (n + 2), 1.959964 * np.sqrt((b + c) - (b - c) ** 2 / (n + 2)) / (n + 2)
    result = stats.match_score([1.0] * won + [0.5] * shared + [0.0] * lost)
    assert (result.pairs, result.score) == (n, pytest.approx(0.5 + (won - lost) / n / 2))
    assert (result.low, result.high) == pytest.approx((max(0.5 + (d - half) / 2, 0), min(0.5 + (d + half) / 2, 1)), abs=1e-6)
    assert result.p == pytest.approx(mcnemar([[0, won], [lost, 0]], exact=True).pvalue)


def test_a_match_needs_scores_from_0_to_1():
    for scores in ([], [1.5], [np.nan]):
        with pytest.raises(InputError):
            stats.match_score(scores)


def test_the_table_of_matches_takes_the_pair_as_its_unit_and_corrects_over_all_rows():
    rows = pd.DataFrame([dict(size=size, cell=f"c{size}", pair=pair, payoff_a=payoff) for size in (5, 7)
                         for pair in range(10) for payoff in ((1, 0) if size == 5 else (1, 1))])
    table = stats.match_table(rows, ["size"])
    assert table[["size", "pairs", "score"]].to_numpy().tolist() == [[5, 10, 0.5], [7, 10, 1.0]]
    assert table["p"].tolist() == pytest.approx([1, 2 / 2**10])
    assert table["p_holm"].tolist() == pytest.approx([1, 4 / 2**10])


def games(payoffs, **columns):
    """Rows of games: for each arm the payoffs of its pairs, a number for both games of a pair or one for each."""
    return pd.DataFrame([dict(columns, arm=arm, cell=f"cell of {arm}", pair=pair, seat=seat, payoff_a=payoff)
                         for arm, row in payoffs.items() for pair, both in enumerate(row)
                         for seat, payoff in enumerate(both if isinstance(both, tuple) else (both, both))])


def test_the_score_of_a_pair_is_the_mean_of_its_two_games():
    rows = games({"x": [(1, 0), (1, 0.5), 0], "y": [1, 1, (0, 1)]})
    scores = stats.pair_scores(rows.sample(frac=1, random_state=1), ["arm"])
    assert scores.index.names == ["arm", "pair"]
    assert scores.sort_index().to_dict() == {("x", 0): 0.5, ("x", 1): 0.75, ("x", 2): 0,
                                             ("y", 0): 1, ("y", 1): 1, ("y", 2): 0.5}


def test_arms_are_compared_with_the_baseline_pair_by_pair_within_each_group():
    """Chess scores less the base's: 1/2 1/2 0 1 for `up`, so t = 0.5 / (0.4082 / 2) = 2.449 with 3 degrees of freedom."""
    chess = games({"up": [1, 1, 0.5, 1], "base": [0.5, (1, 0), 0.5, 0], "down": [0, 0.5, 0, 0]}, game="chess", budget=9)
    draughts = games({"down": [0, 0, 0], "base": [1, 0.5, 1], "up": [1, (1, 0), 0.5]}, game="draughts", budget=9)
    rows = pd.concat([draughts, chess])
    table = stats.difference_table(rows, ["game", "budget"], "arm", "base")
    assert table.columns.tolist() == ["game", "budget", "arm", "pairs", "baseline_score", "score", "difference", "low",
                                      "high", "p", "p_holm"]
    assert table[["game", "arm", "pairs"]].to_numpy().tolist() == [
        ["draughts", "down", 3], ["draughts", "up", 3], ["chess", "down", 4], ["chess", "up", 4]]       # as they come
    up = table.iloc[3]
    assert (up.baseline_score, up.score, up.difference) == pytest.approx((0.375, 0.875, 0.5))
    half = 3.182446 * np.sqrt(1 / 6) / 2
    assert (up.low, up.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-5)
    assert up.p == pytest.approx(0.0917, abs=5e-4)
    assert table["p_holm"].tolist() == stats.holm(table["p"])["p_holm"].tolist() != table["p"].tolist()


def test_only_deals_that_both_arms_have_met_are_compared():
    rows = games({"base": [0, 1, 0, 1, 0], "other": [1, 1, 1, 0]}, game="chess")
    rows = rows[(rows["arm"] == "other") | (rows["pair"] > 0)][::-1]
    table = stats.difference_table(rows, ["game"], "arm", "base")
    assert table[["pairs", "baseline_score", "score"]].to_numpy().tolist() == [[3, 2 / 3, 2 / 3]]


def test_a_baseline_that_a_group_lacks_is_named_with_the_arms_that_it_has():
    rows = games({"up": [1, 0], "down": [0, 0]}, game="chess")
    with pytest.raises(InputError, match=r"baseline is 'base'; the arms of \('chess',\) are: up, down"):
        stats.difference_table(rows, ["game"], "arm", "base")


@pytest.mark.parametrize("d, pairs", [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_small_medium_and_large_effects_need_the_pairs_of_cohens_convention(d, pairs):
    """80 % power at two-sided 5 %, as Cohen 1988 and G*Power have it."""
    assert stats.pairs_needed(d, 1) == stats.pairs_needed(d / 4, 1 / 4) == pairs
    assert stats.detectable_difference(1, pairs) <= d < stats.detectable_difference(1, pairs - 1)


def test_for_many_pairs_power_has_its_normal_closed_form():
    z = 2.807034 + 0.841621         # upper 0.05 / 20 and 0.2 points of the normal law: ten tests
    assert stats.detectable_difference(0.35, 10_000, tests=10) == pytest.approx(z * 0.35 / 100, rel=1e-3)
    assert stats.pairs_needed(0.01, 0.35, tests=10) == pytest.approx((z * 35) ** 2, rel=1e-3)
    assert stats.detectable_difference(0.35, 10_000, power=0.5) == pytest.approx(1.959964 * 0.35 / 100, rel=1e-3)
    assert stats.detectable_difference(0.0, 10) == 0


def test_a_difference_that_can_be_detected_is_found_as_often_as_its_power_says():
    """Simulated: 10,000 samples of 12 pairs, three standard errors."""
    d, rng = stats.detectable_difference(2.0, 12), np.random.default_rng(1)
    found = ttest_1samp(rng.normal(d, 2.0, (10_000, 12)), 0, axis=1).pvalue < 0.05
    assert found.mean() == pytest.approx(0.8, abs=3 * 0.004)


@pytest.mark.parametrize("call", [
    lambda: stats.detectable_difference(1, 1), lambda: stats.detectable_difference(np.nan, 9),
    lambda: stats.detectable_difference(-1, 9), lambda: stats.pairs_needed(0, 1), lambda: stats.pairs_needed(1, 0),
    lambda: stats.pairs_needed(-0.1, 1), lambda: stats.pairs_needed(np.nan, 1)])
def test_a_power_without_sense_is_refused(call):
    with pytest.raises(InputError, match=r"needed are 2 pairs|must be more than 0"):
        call()


def test_rank_correlation_of_equal_and_of_reversed_arms():
    scores = np.repeat([[0.1, 0.4, 0.3, 0.9]], 8, axis=0)
    assert stats.rank_correlation(scores, scores + 0.05, resamples=20) == stats.Interval(1.0, 1.0, 1.0)
    assert stats.rank_correlation(scores, 1 - scores, resamples=20) == stats.Interval(-1.0, -1.0, -1.0)


def test_rank_correlation_is_of_the_means_of_arms_not_of_pairs():
    """Ranks 1 2 3 4 of means against 2 1 3 4: 1 - 6 * 2 / (4 * 15) = 0.8; settings may have different numbers of pairs."""
    a = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0.5]])
    b = np.array([[1, 0, 1, 1], [0, 0.5, 0.5, 1]])
    assert stats.rank_correlation(a, b, resamples=20).estimate == pytest.approx(0.8)


def test_the_interval_of_a_rank_correlation_is_wide_for_noise_and_repeats_with_its_seed():
    rng = np.random.default_rng(3)
    noise, arms = rng.random((2, 30, 5)), np.linspace(0, 1, 5)
    result = stats.rank_correlation(*noise, seed=1, resamples=100)
    assert result == stats.rank_correlation(*noise, seed=1, resamples=100)
    assert result.low < 0 < result.high
    clear = stats.rank_correlation(*(noise + arms), resamples=100)
    assert 0.6 < clear.low <= clear.estimate == pytest.approx(clear.high) == 1


@pytest.mark.parametrize("a, b", [((4, 3), (4, 4)), ((4, 2), (4, 2)), ((4,), (4, 3)), ((4, 3), (3,))])
def test_rank_correlation_needs_the_same_three_arms_or_more(a, b):
    with pytest.raises(InputError, match=r"needed: \(pairs, arms\) with 3 or more arms alike"):
        stats.rank_correlation(np.zeros(a), np.zeros(b))


@pytest.mark.parametrize("pairs, tests", [(2, 12), (3, 3), (5, 60), (25, 9), (150, 1)])
def test_the_detectable_difference_has_the_power_asked_for_with_few_pairs_too(pairs, tests):
    """Student's statistic of a shifted sample is a quotient of a normal and a chi variable, drawn here."""
    effect = stats.detectable_difference(1, pairs, tests=tests)
    rng = np.random.default_rng(1)
    spread = np.sqrt(rng.chisquare(pairs - 1, 400_000) / (pairs - 1))
    shifted = (rng.standard_normal(400_000) + effect * np.sqrt(pairs)) / spread
    bound = scipy_stats.t.isf(0.025 / tests, pairs - 1)
    assert (np.abs(shifted) > bound).mean() == pytest.approx(0.8, abs=0.005)


def test_a_huge_effect_needs_few_pairs_and_chances_must_be_chances():
    assert stats.pairs_needed(8, 1) == 3 and stats.power_of(8, 2, 0.05) < 0.8
    for wrong in ({"power": 1.5}, {"tests": 0}, {"alpha": 0.9}):
        with pytest.raises(InputError, match="needed: 0 < alpha < power < 1, 1 test or more"):
            stats.pairs_needed(1, 1, **wrong)
