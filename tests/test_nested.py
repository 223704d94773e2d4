"""Nested search where every choice can be followed by hand."""
from typing import NamedTuple

import numpy as np
import pytest

from mctslab import LeftMove, Nested, Sampling, game
from mctslab.stats import chi_square_against

SCORES = (5, 5, 3, 5)


@game
class OneMove(NamedTuple):
    """One move with four actions; the scores are SCORES, so three of them tie."""

    unused: int = 0
    players = 1

    def dtype(g):
        return np.dtype([("chosen", "i4")], align=True)

    def max_actions(g):
        return 4

    def max_length(g):
        return 1

    def start(g, s, rng):
        s.chosen = -1

    def legal_actions(g, s, buf):
        for a in range(4):
            buf[a] = a
        return 4

    def play(g, s, a, rng):
        s.chosen = a

    def is_terminal(g, s):
        return s.chosen >= 0

    def payoff(g, s):
        return np.float64(SCORES[s.chosen])


@pytest.mark.parametrize("replace, order, chosen", [
    (">", "game", 0), (">=", "game", 3), (">", "reversed", 3), (">=", "reversed", 0)])
def test_the_tie_rule_and_the_order_decide_which_equal_action_is_played(replace, order, chosen):
    result = Nested(level=1, replace=replace, order=order).search(OneMove().new_initial_state(), seed=1)
    assert result.actions == [chosen] and result.score == 5 and result.simulations == 4


@pytest.mark.parametrize("options", [dict(replace="random"), dict(order="shuffled")])
def test_random_ties_and_a_shuffled_order_give_equal_actions_equal_chances(options):
    state = OneMove().new_initial_state()
    chosen = [Nested(level=1, **options).search(state, seed).action for seed in range(3000)]
    assert chi_square_against(np.bincount(chosen, minlength=4), [1 / 3, 1 / 3, 0, 1 / 3]).p > 1e-3


def test_more_tries_per_action_make_as_many_more_playouts():
    assert Nested(level=1, tries=3).search(OneMove().new_initial_state(), seed=1).simulations == 12


def test_with_memory_the_result_is_the_best_of_all_that_was_evaluated():
    state = LeftMove(depth=20).new_initial_state()
    for seed in range(50):
        result = Nested(level=2).search(state, seed)
        assert result.score == result.extra["best_seen"] == result.improvements[-1][2] == result.actions.count(0)


def test_without_memory_some_runs_end_below_the_best_that_they_saw():
    state = LeftMove(depth=20).new_initial_state()
    results = [Nested(level=1, memory=False, replace="random").search(state, seed) for seed in range(50)]
    assert any(r.score < r.extra["best_seen"] for r in results)
    assert all(r.score == r.actions.count(0) for r in results)


def test_level_0_is_one_playout_and_its_best_of_many_is_iterative_sampling():
    state = LeftMove(depth=20).new_initial_state()
    assert Nested(level=0).search(state, seed=4).simulations == 1
    many, best = Nested(level=0, restarts=200).search(state, seed=4), Sampling(restarts=200).search(state, seed=4)
    assert (many.score, many.actions, many.simulations) == (best.score, best.actions, best.simulations)


def test_a_search_that_is_cut_off_gives_the_best_complete_sequence_so_far():
    result = Nested(level=3, simulations=500).search(LeftMove(depth=20).new_initial_state(), seed=1)
    assert result.end == "cut off" and len(result.actions) == 20
    assert result.score == result.actions.count(0) == result.extra["best_seen"]
