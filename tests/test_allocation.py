"""How the trees of an ensemble share the budget: each policy on hand-made root tables, then in searches."""
import math

import numpy as np
import pytest
from toy_cards import Tricks

from mctslab.search.allocation import (FREE, OPEN, POLICIES, PRUNED, allocate, closeness, contestedness, drop_half, learn,
                                       pool, prune)
from mctslab.search.ensemble import Ensemble
from mctslab.search.tree import SIMULATIONS

GAME = Tricks(cards=12, hand=4)
WIDTH = math.log(1 / 0.05) / 2      # delta = 0.05: the radius at n visits is sqrt(WIDTH / n)
START = GAME.new_initial_state(1)
CLEAR = Tricks(cards=8, hand=3).new_initial_state(2)
CLEAR.apply_action(CLEAR.legal_actions()[0])        # most determinizations have one good answer


class Table:
    """Root tables of trees, and what a policy decides on them."""

    def __init__(self, visits, wins, allocation="uniform", budget=1000, **options):
        visits, self.wins = np.array(visits, np.float32), np.array(wins, np.float32).ravel()
        self.settings = Ensemble(allocation=allocation, **options).settings(GAME, budget)
        player = Ensemble(trees=len(visits)).player(GAME)
        self.plan, self.path, self.visits = player.forest.plans[0], player.tree.paths[0], visits.ravel()
        self.plan["trees"], self.plan["actions"] = visits.shape
        self.plan["tree"], self.plan["move"] = len(visits) - 1, FREE
        self.plan["kept"] = visits.shape[1]
        self.plan["order"] = np.arange(self.plan["order"].size)
        self.plan["simulations"][:len(visits)] = visits.sum(axis=1)
        self.path["counts"][SIMULATIONS] = visits.sum()

    def learned(self):
        for i in range(self.plan["trees"]):
            learn(self.plan, i, self.visits, self.wins, self.settings)
        return self

    def choice(self):
        allocate(self.plan, self.path, self.visits, self.wins, self.settings)
        return int(self.plan["tree"])


def one(row):
    return np.array(row, np.float32)


def test_a_tree_is_contested_by_how_far_the_bounds_overlap():
    state = np.zeros(3, np.int8)
    got = contestedness(one([100, 100, 25]), one([90, 10, 5]), state, WIDTH)
    r100, r25 = math.sqrt(WIDTH / 100), math.sqrt(WIDTH / 25)
    assert got == pytest.approx(max(0.1 + r100, 0.2 + r25) - (0.9 - r100))
    assert got < 0      # locked
    assert contestedness(one([100, 100, 25]), one([60, 50, 5]), state, WIDTH) > 0
    assert contestedness(one([100, 100, 0]), one([90, 10, 0]), state, WIDTH) == np.inf


def test_the_hoeffding_radius_holds_with_the_probability_that_delta_names():
    draws = np.random.default_rng(1).binomial(50, 0.5, 100_000) / 50
    assert np.mean(draws - math.sqrt(WIDTH / 50) > 0.5) <= 0.05


LOCKED, CLOSE, CLOSER = [[60, 40], [60, 0]], [[60, 40], [40, 20]], [[55, 45], [30, 25]]


def table(*trees, **options):
    return Table([visits for visits, _ in trees], [wins for _, wins in trees], start=0.0, **options).learned()


def test_greedy_takes_the_most_contested_tree_and_spreads_when_all_are_locked():
    assert table(LOCKED, CLOSE, CLOSER, allocation="greedy").choice() == 2
    assert table(CLOSER, CLOSE, LOCKED, allocation="greedy").choice() == 0
    assert table(LOCKED, [[50, 40], [50, 0]], LOCKED, allocation="greedy").choice() == 1


def test_difference_and_proportion_add_the_term_of_a_bandit_to_how_close_two_moves_are():
    assert closeness(one([60, 30, 10]), one([30, 9, 9]), POLICIES.index("difference")) == pytest.approx(1 - (0.5 - 0.3))
    assert closeness(one([60, 30, 10]), one([30, 9, 9]), POLICIES.index("proportion")) == pytest.approx(30 / 60)
    assert closeness(one([60, 0, 0]), one([30, 0, 0]), POLICIES.index("proportion")) == 1
    trees = [[[60, 40], [40, 20]], [[30, 10], [20, 2]], [[500, 300], [300, 180]]]
    total = sum(sum(visits) for visits, _ in trees)
    for policy in "difference", "proportion":
        for c in 0.0, 0.7071, 5.0:
            scores = [closeness(one(v), one(w), POLICIES.index(policy)) + c * math.sqrt(math.log(total) / sum(v))
                      for v, w in trees]
            assert table(*trees, allocation=policy, allocation_c=c).choice() == np.argmax(scores)


def test_a_policy_begins_when_every_tree_has_had_its_share_of_the_first_tenth():
    few, many = [[10, 9], [5, 4]], [[200, 100], [100, 50]]
    assert Table([few[0], many[0]], [few[1], many[1]], "greedy", budget=380, start=0.1).learned().choice() == 0
    closest = Table([[15, 5], many[0]], [[15, 0], many[1]], "greedy", budget=400, start=0.1).learned()
    assert closest.choice() == 1        # 20 = 0.1 * 400 / 2 simulations are enough
    closest.settings = closest.settings._replace(budget=402.0)
    assert closest.choice() == 0


def test_batches_are_a_2500th_of_the_budget_and_smaller_at_its_end():
    cases = [(100, 1000, 1), (100, 12_600, 5), (12_585, 12_600, 5), (12_590, 12_600, 3), (12_599, 12_600, 1)]
    for done, budget, left in cases:
        uniform = Table([[1, 1], [1, 1], [1, 1]], np.zeros((3, 2)), budget=budget)
        uniform.path["counts"][SIMULATIONS] = done
        uniform.choice()
        assert uniform.plan["left"] == left


def test_across_plays_one_bandit_on_the_sums_and_forces_its_move_in_every_tree():
    visits, wins = np.array([[50, 30, 20], [50, 30, 20]]), np.array([[25, 18, 4], [20, 17, 9]])
    for c in 0.0, 0.7071, 3.0:
        across = Table(visits, wins, "across", c=c)
        n, w = visits.sum(axis=0), wins.sum(axis=0)
        moves = [(across.choice(), int(across.plan["move"])) for _ in range(2)]
        assert moves == [(i, np.argmax(w / n + c * np.sqrt(np.log(200) / n))) for i in range(2)]
    assert Table([[5, 0, 0], [5, 0, 0]], [[5, 0, 0]] * 2, "across").choice() == 0


def test_a_move_is_pruned_if_its_upper_bound_is_below_the_best_lower_bound():
    state = np.zeros(4, np.int8)
    assert prune(one([100, 100, 100, 0]), one([90, 60, 70, 0]), state, WIDTH) == 3     # .6 + .1224 < .9 - .1224 < .7 + .1224
    assert state.tolist() == [OPEN, PRUNED, OPEN, OPEN]
    assert prune(one([100, 100, 100, 9]), one([50, 90, 60, 4]), state, WIDTH) == 3     # a pruned move is not the best
    assert state.tolist() == [OPEN, PRUNED, OPEN, OPEN]


def test_a_frozen_tree_gets_nothing_and_when_all_are_frozen_the_search_ends():
    freeze = Table([[5, 5], [9, 9], [9, 8]], np.zeros((3, 2)), "freeze")
    assert freeze.choice() == 0
    freeze.plan["kept"][0] = 1
    assert freeze.choice() == 2
    freeze.plan["kept"][:3], freeze.plan["left"] = 1, 0
    freeze.choice()
    assert freeze.plan["left"] == 0


def test_halving_keeps_the_better_half_on_the_sums():
    halving = Table([[10] * 5] * 2, [[5, 2, 8, 4, 3], [5, 2, 8, 6, 3]], "halving")
    pool(halving.plan, halving.visits, halving.wins)
    drop_half(halving.plan)
    assert halving.plan["state"][:5].tolist() == [OPEN, PRUNED, OPEN, OPEN, PRUNED]
    drop_half(halving.plan)
    assert halving.plan["state"][:5].tolist() == [OPEN, PRUNED, OPEN, PRUNED, PRUNED]       # of equals the last is dropped


def searched(allocation, state=START, simulations=3000, **options):
    player = Ensemble(allocation=allocation, simulations=simulations, **options).player(state.game)
    return player.search(state, seed=4), player


@pytest.mark.parametrize("allocation", POLICIES)
@pytest.mark.parametrize("simulations", [3, 40, 3000])
def test_every_policy_spends_the_budget_or_says_what_it_saved(allocation, simulations):
    result, player = searched(allocation, simulations=simulations, trees=7)
    assert result.simulations + result.extra["simulations_saved"] == simulations
    assert result.extra["simulations_saved"] == 0 or allocation == "freeze"
    assert sum(result.extra["split"]) == result.simulations == result.statistics["visits"].sum()
    assert player.root_tables()[0].sum(axis=1).tolist() == result.extra["split"]
    if allocation in ("uniform", "across", "pruning", "halving"):
        assert max(result.extra["split"]) - min(result.extra["split"]) <= 1
        assert result.extra["tilt"] <= 7 / simulations


@pytest.mark.parametrize("allocation", ["greedy", "difference", "proportion"])
def test_a_policy_over_trees_tilts_the_split(allocation):
    result, _ = searched(allocation, trees=5)
    assert min(result.extra["split"]) >= 0.1 * 3000 / 5
    assert result.extra["tilt"] > 0.02


@pytest.mark.parametrize("allocation", ["across", "halving"])
def test_a_bandit_across_trees_gives_every_tree_the_same_root_visits(allocation):
    visits, _ = searched(allocation, trees=6)[1].root_tables()
    assert (visits == visits[0]).all()
    assert len(set(visits[0])) > 1


def test_halving_gives_equal_budgets_to_its_rounds():
    visits, _ = searched("halving", simulations=4800, trees=4)[1].root_tables()
    assert sorted(visits[0]) == [150, 150, 450, 450]        # 600 each to 4 moves, then to 2


def test_a_pruned_move_is_never_tried_again():
    (_, uniform), (result, pruning) = [searched(a, CLEAR, 10_000, trees=4) for a in ("uniform", "pruning")]
    dropped = pruning.forest.plans[0]["state"][:12].reshape(4, 3) == PRUNED
    assert 0 < dropped.sum() == result.extra["pruned"] < 8
    visits, more = pruning.root_tables()[0], uniform.root_tables()[0]
    assert (visits[dropped] < more[dropped]).all()
    assert (visits[~dropped].sum(), visits.sum()) == (10_000 - visits[dropped].sum(), more.sum())


def test_a_frozen_tree_rests_and_the_others_get_its_share():
    result, player = searched("freeze", CLEAR, 10_000, trees=4)
    frozen = player.forest.plans[0]["kept"][:4] == 1
    split = np.array(result.extra["split"])
    assert frozen.tolist() == [True, True, False, True]
    assert result.extra["locked"] == 3
    assert split[frozen].max() < 2500 < split[~frozen].min()


def test_a_search_whose_trees_are_all_frozen_ends_and_says_what_it_saved():
    result, _ = searched("freeze", CLEAR, 10_000, trees=2)
    assert result.simulations == 10_000 - result.extra["simulations_saved"] == 1000     # the first tenth
    assert result.extra["nodes_saved"] > 1000
