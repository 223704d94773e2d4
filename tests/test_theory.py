"""Exact laws of the toy problems: known values, and nested search drawn from them."""
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mctslab
from mctslab import stats, theory

KNOWN = pd.read_csv(Path(__file__).with_name("nested_theory.csv"), comment="#")
OPTIONS = {"tie->left": (">", "game"), "tie->right": (">=", "game"), "tie random": ("random", "game"),
           "left first": (None, "game"), "right first": (None, "reversed"), "order random": (None, "shuffled")}
DEPTH = 10
COMBINATIONS = [(level, memory, replace, order) for level in (1, 2) for memory in (True, False)
                for replace in (">", ">=", "random") for order in ("game", "reversed", "shuffled")]
COMBINATIONS += [(3, True, ">", "game"), (3, True, ">=", "game"), (3, True, "random", "shuffled")]
STATE = mctslab.LeftMove(depth=DEPTH).new_initial_state()


def search(options, seed):
    return mctslab.Nested(*options).search(STATE, seed)


def law_of(row):
    replace, order = OPTIONS[row.tie_or_order]
    return theory.left_move_law(row.depth, row.level, row.memory == "yes", replace or row.replace_rule, order)


@pytest.mark.parametrize("depth", [5, 10, 20, 60])
def test_laws_have_the_known_moments_and_chance_of_the_optimum(depth):
    rows = KNOWN[KNOWN.depth == depth]
    assert len(rows) == 27
    for row in rows.itertuples():
        law = law_of(row)
        assert law.min() >= 0 and law.sum() == pytest.approx(1, abs=1e-12)
        assert theory.moments(law) == pytest.approx((row.mean, row.sd), abs=1e-6)
        assert law[-1] == pytest.approx(row.p_all_left, rel=1e-5)


def test_costs_are_the_known_ones():
    for row in KNOWN.itertuples():
        assert theory.playouts_of(row.depth, row.level) == row.level0_playouts
        assert theory.random_moves_of(row.depth, row.level) == row.level0_random_moves


# Probabilities of scores at depth 60 by independent recursions.
DEPTH_60 = {
    (0, False, ">", "game"): {22: 0.01227688, 27: 0.076332, 30: 0.1025782, 33: 0.076332, 38: 0.01227688},
    (1, False, ">", "game"): {33: 0.007992882, 38: 0.07234081, 41: 0.1122368, 44: 0.08565949, 49: 0.009222797},
    (2, False, ">=", "game"): {27: 0.01097116, 32: 0.07573149, 35: 0.1058016, 38: 0.07882794, 43: 0.01106841},
    (3, False, "random", "game"): {32: 0.01005025, 37: 0.07914482, 40: 0.112025, 43: 0.07835579, 48: 0.00762298},
    (4, False, ">", "game"): {40: 0.006300274, 45: 0.09058671, 48: 0.133936, 51: 0.07048806, 56: 0.00124521},
    (1, True, ">", "game"): {34: 0.0005540027, 39: 0.07036536, 42: 0.1418482, 45: 0.09101484, 50: 0.004200284},
    (1, True, ">=", "game"): {34: 0.000686437, 39: 0.07506696, 42: 0.142873, 45: 0.08657318, 50: 0.003572574},
    (1, True, ">", "reversed"): {34: 0.000686437, 39: 0.07506696, 42: 0.142873, 45: 0.08657318, 50: 0.003572574},
    (1, True, ">=", "reversed"): {35: 0.001874033, 40: 0.0931614, 43: 0.1390942, 46: 0.07059082, 51: 0.002221801},
    (2, True, ">", "game"): {42: 2.027004e-06, 47: 0.04517656, 50: 0.1849932, 53: 0.09557193, 58: 0.0003072387},
    (2, True, ">=", "game"): {41: 8.086881e-07, 46: 0.04245993, 49: 0.1880294, 52: 0.09523964, 57: 0.0003763463},
    (2, True, ">", "reversed"): {42: 1.021685e-05, 47: 0.07362059, 50: 0.1911733, 53: 0.0638898, 58: 9.374091e-05},
    (2, True, ">=", "reversed"): {43: 2.661711e-05, 48: 0.08490116, 51: 0.1871796, 54: 0.05639978, 59: 4.484483e-05},
    (2, True, ">", "shuffled"): {42: 4.708656e-06, 47: 0.05845434, 50: 0.1903047, 53: 0.07897073, 58: 0.00017046},
    (2, True, ">=", "shuffled"): {42: 5.71328e-06, 47: 0.06328755, 50: 0.191199, 53: 0.07366104, 58: 0.0001427258},
}


@pytest.mark.parametrize("options", DEPTH_60)
def test_laws_at_depth_60_have_the_known_probabilities(options):
    law = theory.left_move_law(60, *options)
    for score, chance in DEPTH_60[options].items():
        assert law[score] == pytest.approx(chance, rel=1e-6)


def kept_chances(memory, scores, replace):
    """Chances that the memory (entry 0) and each try is the memory in the end, try by try as `nested` compares them."""
    kept, best, equal = [1.0], memory, 1
    for score in scores:
        equal = equal + 1 if score == best else 1
        chance = {">": 0, ">=": 1, "random": 1 / equal}[replace] if score == best else float(score > best)
        kept = [(1 - chance) * k for k in kept] + [chance]
        best = max(best, score)
    return kept


@pytest.mark.parametrize("replace", [">", ">=", "random"])
def test_chances_of_a_move_are_those_of_all_pairs_of_tries(replace):
    law = np.array([0.1, 0.2, 0.3, 0.4])
    left, right, keep = theory.move_chances(law, replace, "game")
    for memory in range(5):
        pairs = [(x + 1, y, law[x] * law[y]) for x in range(4) for y in range(4)]
        stays = sum(p * kept_chances(memory, (one, two), replace)[0] for one, two, p in pairs)
        assert keep[memory] == pytest.approx(stays)
        for score in range(memory, 5):
            took_left = sum(p * kept_chances(memory, (one, two), replace)[1] for one, two, p in pairs if one == score)
            took_right = sum(p * kept_chances(memory, (one, two), replace)[2] for one, two, p in pairs if two == score)
            row = int(score == memory)
            assert left[row, score] * theory.law_of_left(law)[score] == pytest.approx(took_left)
            assert right[row, score] * theory.law_of_right(law)[score] == pytest.approx(took_right)


@pytest.mark.parametrize("options, law", [
    ((1, True, ">", "game"), [0, 0, 1]),                # right-left (1) never beats left-right (1)
    ((1, True, ">", "reversed"), [0, 1 / 4, 3 / 4]),    # it stays if tried first and left-right follows
    ((1, True, "random", "game"), [0, 1 / 8, 7 / 8]),   # and half as often where ties are drawn
    ((1, False, ">=", "game"), [0, 1 / 4, 3 / 4]),      # or if it is tried last and wins ties
    ((2, True, ">", "reversed"), [0, 0, 1])])           # level 1 finds the best last move
def test_laws_at_depth_2_are_those_counted_by_hand(options, law):
    assert theory.left_move_law(2, *options) == pytest.approx(law)


@pytest.mark.parametrize("options", COMBINATIONS)
def test_nested_search_follows_its_law(options):
    law = theory.left_move_law(DEPTH, *options)
    counts = stats.tally([search(options, seed).score for seed in range(1000)], law)
    assert stats.chi_square_against(counts, law).p > 0.001 / len(COMBINATIONS)
    assert stats.z_against(counts, law).p > 0.001 / len(COMBINATIONS)


def test_as_many_searches_tell_the_laws_of_different_rules_apart():
    counts = stats.tally([search((2, True, ">", "game"), seed).score for seed in range(1000)], range(DEPTH + 1))
    for other in (">=", "game"), (">", "reversed"), (">", "shuffled"), ("random", "game"):
        assert stats.chi_square_against(counts, theory.left_move_law(DEPTH, 2, True, *other)).p < 1e-6


@pytest.mark.parametrize("level", [1, 2, 3])
def test_nested_search_costs_what_it_should(level):
    for memory in (True, False):
        result = search((level, memory, ">", "game"), 1)
        assert result.simulations == theory.playouts_of(DEPTH, level)
        assert result.playout_plies == theory.random_moves_of(DEPTH, level)


def test_only_a_search_without_memory_plays_worse_than_it_has_seen():
    kept, forgot = ([search((1, memory, "random", "game"), seed) for seed in range(100)] for memory in (True, False))
    assert all(result.score == result.extra["best_seen"] for result in kept)
    assert all(result.score <= result.extra["best_seen"] for result in forgot)
    assert any(result.score < result.extra["best_seen"] for result in forgot)


def test_leftmost_is_geometric_at_level_0_and_solved_above():
    assert theory.leftmost_law(3).tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 8]
    assert theory.moments(theory.leftmost_law(20)).mean == pytest.approx(1 - 2 ** -20)
    state = mctslab.Leftmost(depth=20).new_initial_state()
    for level, memory, replace, order in COMBINATIONS:
        law = theory.leftmost_law(20, level)
        assert law[int(mctslab.Nested(level, memory, replace, order).search(state, seed=1).score)] == 1


def test_playouts_of_leftmost_follow_their_law():
    state, law = mctslab.Leftmost(depth=20).new_initial_state(), theory.leftmost_law(20)
    counts = stats.tally([mctslab.Nested(level=0).search(state, seed).score for seed in range(1000)], law)
    assert stats.chi_square_against(counts, law).p > 0.001


@pytest.mark.parametrize("options, message", [
    (dict(depth=0), "option depth of left_move_law is 0; it must be from 1 to 10000"),
    (dict(replace="<"), "option replace of left_move_law is '<'; allowed: >, >=, random"),
    (dict(depth=60, level=4), "depth is 60: with memory the exact law of level 4 can be had to depth 27")])
def test_bad_input_is_named(options, message):
    with pytest.raises(mctslab.InputError) as error:
        theory.left_move_law(**options)
    assert str(error.value) == message
