"""RAVE and GRAVE."""
import numpy as np
import pytest
from plain_search import PlainGRAVE

from mctslab.games.nim import Nim
from mctslab.games.tictactoe import TicTacToe
from mctslab.search.amaf import find_codes, start_row, update_amaf
from mctslab.search.grave import GRAVE, RAVE, select
from mctslab.search.tree import ROOT, reset

START = TicTacToe().new_initial_state()
NIM = Nim(heap=14, take=3).new_initial_state()      # a playout can have a code more than once


@pytest.mark.parametrize("state", [START, START.after([0, 4, 1]), NIM, NIM.after([1])], ids=str)
@pytest.mark.parametrize(("share", "ref", "bias"), [(True, 50, 1e-5), (False, 50, 1e-5), (True, 0, 0.01), (False, 5, 0.1)])
def test_grave_is_the_plain_search(state, share, ref, bias):
    plain = PlainGRAVE(share, ref, bias)
    root = plain.search(state, seed=5, simulations=200)
    result = GRAVE(simulations=200, ref=ref, bias=bias, transpositions=share).search(state, seed=5)
    assert result.statistics["visits"].tolist() == [move.visits for move in root.moves.values()]
    amaf = np.array([root.amaf(move.code) for move in root.moves.values()])
    assert result.statistics["amaf_visits"].tolist() == amaf.sum(axis=1).tolist()
    np.testing.assert_allclose(result.statistics["amaf_value"], amaf[:, root.player] / amaf.sum(axis=1), 1e-6)
    assert result.extra["depth_mean"] == np.mean(plain.depths)


def test_rave_is_grave_whose_every_position_is_its_own_reference():
    rave, grave = RAVE(simulations=300).search(START, 1), GRAVE(ref=0, simulations=300).search(START, 1)
    other = GRAVE(simulations=300).search(START, 1)
    assert rave.statistics["visits"].tolist() == grave.statistics["visits"].tolist() != other.statistics["visits"].tolist()


def tree_of(visits, wins, amaf):
    """A tree whose root has edges of codes 0, 1, ... with these counts and sums."""
    tree, n = GRAVE().player(TicTacToe()).tree, len(visits)
    tree.nodes[ROOT]["first"], tree.nodes[ROOT]["degree"] = 0, n
    tree.code[:n], tree.visits[:n], tree.wins[:n], tree.amaf[0, :n] = range(n), visits, wins, amaf
    return tree


def selected(tree, player, bias):
    edge = select(tree.nodes[ROOT], tree.amaf[0], tree.code, tree.visits, tree.wins, tree.paths[0], player, np.float32(bias))
    return edge, tree.paths["scores"][0, :tree.nodes[ROOT]["degree"]]


def test_a_score_is_the_mean_of_both_statistics_weighted_by_beta():
    tree = tree_of([10, 4, 0], [6, 3, 0], amaf=[(30, 10), (5, 15), (3, 2)])
    for player, means in (0, [0.75, 0.25, 0.6]), (1, [0.25, 0.75, 0.4]):
        beta = np.array([40 / (40 + 10 + 0.01 * 40 * 10), 20 / (20 + 4 + 0.01 * 20 * 4), 1])
        edge, scores = selected(tree, player, bias=0.01)
        np.testing.assert_allclose(scores, (1 - beta) * [0.6, 0.75, 0] + beta * means, 1e-5)
        assert edge == player       # the same sums, seen by the other player


def test_a_code_that_no_playout_has_comes_first():
    assert selected(tree_of([5, 5, 5], [5, 5, 0], amaf=[(9, 0), (0, 0), (0, 9)]), 0, 1e-5)[0] == 1


def test_a_bias_lets_a_moves_own_statistics_count_more():
    tree = tree_of([100, 100], [60, 50], amaf=[(0, 1000), (1000, 0)])
    assert selected(tree, 0, bias=0)[0] == 1
    assert selected(tree, 0, bias=1)[0] == 0


def test_a_code_counts_once_in_a_playout_and_from_its_node_on():
    tree = GRAVE().player(TicTacToe()).tree
    reset(tree)
    path = tree.paths[0]
    tree.nodes["row"][:3], tree.amaf[:3] = [0, 1, 2], 0
    tree.nodes["seen"][:3], tree.nodes["payoff"][:3] = 0, 0
    path["sequence"][:6], path["nodes"][:2] = [4, 11, 3, 12, 3, 11], [0, 1]
    find_codes(path, 2, 6)
    update_amaf(tree.nodes, tree.amaf, path, 2, 2, np.float32(1))
    assert [np.flatnonzero(row[:, 0]).tolist() for row in tree.amaf[:2]] == [[3, 4, 11, 12], [3, 11, 12]]
    assert tree.amaf[:2].max() == 1
    assert tree.amaf[:2, :, 1].max() == 0
    path["counts"][0] = 1       # the next simulation
    find_codes(path, 2, 2)      # a descent that ends at once: nothing follows
    update_amaf(tree.nodes, tree.amaf, path, 2, -1, np.float32(0.5))
    assert tree.amaf[0, 4].tolist() == [1.5, 0.5]
    assert tree.amaf[1, 11].tolist() == [1.5, 0.5]
    start_row(tree.amaf, path, tree.nodes[2])       # the leaf's first playout is not lost
    assert np.flatnonzero(tree.amaf[tree.nodes[2]["row"], :, 0]).tolist() == [3, 11, 12]


@pytest.mark.parametrize("searcher", [GRAVE(simulations=300), RAVE(simulations=300)], ids=str)
def test_a_win_is_taken_and_a_threat_is_blocked(searcher):
    assert searcher.search(START.after([0, 3, 1, 4])).action == 2
    assert searcher.search(START.after([0, 3, 8, 4])).action == 5
    assert searcher.search(START.after([0, 4, 1])).action == 2
