"""Monte Carlo Permutation Search."""
import numpy as np
import pytest
from plain_search import PlainMCPS

from mctslab import InputError
from mctslab.core.bitset import num_words
from mctslab.games.hex import Hex
from mctslab.games.nim import Nim
from mctslab.games.tictactoe import TicTacToe
from mctslab.search.grave import GRAVE
from mctslab.search.mcps import MCPS, Settings, freeze, select
from mctslab.search.tree import ROOT
from mctslab.search.window import count_playouts, empty, new_window, push

START = TicTacToe().new_initial_state()
NIM = Nim(heap=14, take=3).new_initial_state()


@pytest.mark.parametrize("state", [START, NIM], ids=str)
@pytest.mark.parametrize("options", [
    {"rho": 5}, {"rho": 30}, {"rho": 5, "window": 70}, {"rho": 5, "transpositions": False},
    {"rho": 5, "disjoint": True}, {"rho": 5, "ref_amaf": 20}], ids=str)
def test_mcps_is_the_plain_search(state, options):
    size, share = options.get("window", 10_000), options.get("transpositions", True)
    plain = PlainMCPS(share, size, options["rho"], options.get("disjoint", False), options.get("ref_amaf", 0))
    root = plain.search(state, seed=5, simulations=200)
    result = MCPS(simulations=200, **options).search(state, seed=5)
    assert result.statistics["visits"].tolist() == [move.visits for move in root.moves.values()]
    assert result.extra["depth_mean"] == np.mean(plain.depths)
    amaf = np.array([root.amaf(move.code) for move in root.moves.values()])
    assert result.statistics["amaf_visits"].tolist() == amaf.sum(axis=1).tolist()
    assert result.statistics["permutation_visits"].tolist() == amaf.sum(axis=1).tolist()


def test_without_the_permutation_term_it_is_grave_without_bias():
    grave = GRAVE(simulations=300, ref=29, bias=0.0).search(START, 3)
    assert MCPS(simulations=300, weight=0.0).search(START, 3).statistics["visits"].tolist() == grave.statistics[
        "visits"].tolist()


@pytest.mark.parametrize("size", [1, 63, 64, 65, 130])
def test_the_counts_of_a_window_are_those_of_plain_sets(size):
    game, rng = Hex(size=3), np.random.default_rng(size)
    window, playouts = new_window(game, size), []
    empty(window)
    for _ in range(200):
        codes = rng.choice(18, rng.integers(1, 10), replace=False).astype(np.int32)
        payoff = rng.choice([0, 0.5, 1])
        push(window.bits, window.results, window.total, codes, len(codes), payoff)
        playouts = (playouts + [(set(codes.tolist()), payoff)])[-size:]
        path = rng.choice(18, rng.integers(0, 4), replace=False).astype(np.int32)
        count_playouts(window, path, len(path))
        chosen = [playout for playout in playouts if set(path.tolist()) <= playout[0]]
        assert window.counts[0].tolist() == [sum(code in codes for codes, _ in chosen) for code in range(18)]
        halves = [sum(2 * payoff for codes, payoff in chosen if code in codes) for code in range(18)]
        assert window.counts[1].tolist() == halves
    assert window.bits.shape == (num_words(size) + 1, 18)


def window_sets(window, numbers):
    """The sets of codes of playouts by their numbers."""
    words, bits = window.bits.shape[0], np.asarray(window.bits)
    return [{code for code, word in enumerate(bits[t // 64 % words].tolist()) if word >> t % 64 & 1} for t in numbers]


def test_a_window_holds_whole_games_from_the_root_with_the_codes_of_both_players():
    player = MCPS(simulations=300).player(START.game)
    result = player.search(START)
    played = window_sets(player.more, range(300))
    assert result.extra["depth_max"] > 4        # so many a random part alone would be too short, or have more marks of O
    for codes in played:
        crosses = sum(code < 9 for code in codes)
        assert len(codes) >= 5
        assert crosses - (len(codes) - crosses) in (0, 1)
    assert window_sets(player.more, range(300, 320)) == [set()] * 20       # the rest of the last word


def test_a_window_is_empty_when_a_search_begins():
    player = MCPS(simulations=50).player(START.game)
    player.search(START)
    player.search(START)
    assert player.more.total[0] == 50


def node_after(actions, rho, simulations=300):
    """(player, node) at the end of a line of a search's tree."""
    player = MCPS(simulations=simulations, rho=rho, transpositions=False).player(START.game)
    player.search(START)
    tree, node = player.tree, ROOT
    for action in actions:
        first = tree.nodes[node]["first"]
        edges = range(first, first + tree.nodes[node]["degree"])
        node = next(tree.child[edge] for edge in edges if tree.action[edge] == action)
    return player, node


def test_positions_freeze_when_they_are_selected_with_rho_visits_and_the_root_never():
    player, _ = node_after([], rho=30)
    nodes = player.tree.nodes[:player.tree.paths["used"][0, 0]]
    assert nodes["frozen"][ROOT] == 0
    inner = nodes[1:]
    assert (inner["frozen"][inner["visits"] > 30] == 1).all()
    assert (inner["frozen"][inner["visits"] < 31] == 0).all()
    assert (inner["visits"] > 30).any()


@pytest.mark.parametrize(("weight", "disjoint", "expected"), [
    (1.0, False, [5, 2]), (3.0, False, [11, 4]), (1.0, True, [3, 1])])
def test_freezing_adds_the_counts_of_all_permutations_to_the_row(weight, disjoint, expected):
    player = MCPS().player(START.game)
    tree, window = player.tree, player.more
    empty(window)
    playouts = ([0, 9, 4], 1), ([4, 9, 0, 2], 1), ([9, 4, 2, 0], 1), ([0, 9, 5], 1), ([0, 4, 2], 0), ([2, 0, 9, 4], 0)
    for codes, payoff in playouts:
        push(window.bits, window.results, window.total, np.array(codes, np.int32), len(codes), payoff)
    tree.paths["sequence"][0, :2] = [9, 0]     # the path 9, 0 or in any other order: playouts 1, 2, 3, 4 and 6
    tree.nodes[1]["row"] = 1
    tree.amaf[1] = 0
    tree.amaf[1, 4] = [2, 1]
    freeze(tree.amaf, tree.permutations, window, tree.paths[0], 2, tree.nodes[1],
           Settings(30, np.float32(weight), disjoint, 0, 0))
    assert tree.amaf[1, 4].tolist() == expected
    assert tree.amaf[1, 5].tolist() == [weight, 0]


def test_a_score_is_the_mean_of_three_statistics_weighted_by_their_counts():
    tree = MCPS().player(START.game).tree
    tree.nodes[ROOT]["first"], tree.nodes[ROOT]["degree"] = 0, 4
    tree.code[:4], tree.visits[:4], tree.wins[:4] = range(4), [10, 0, 0, 2], [4, 0, 0, 2]
    tree.amaf[0, :4] = [(9, 3), (0, 0), (2, 6), (1, 0)]
    arguments = tree.code, tree.visits, tree.wins, tree.paths[0]
    assert select(tree.nodes[ROOT], tree.amaf[0], np.float32(1), *arguments, 0) == 1
    np.testing.assert_allclose(tree.paths["scores"][0, :4], [13 / 22, np.inf, 2 / 8, 3 / 3], 1e-6)
    tree.amaf[0, 1] = [1, 5]
    assert select(tree.nodes[ROOT], tree.amaf[0], np.float32(2), *arguments, 1) == 1    # the other player's, twice
    np.testing.assert_allclose(tree.paths["scores"][0, :4], [10 / 34, 10 / 12, 12 / 16, 2 / 4], 1e-6)


def test_a_win_is_taken_and_a_threat_is_blocked():
    searcher = MCPS(simulations=300)
    assert searcher.search(START.after([0, 3, 1, 4])).action == 2
    assert searcher.search(START.after([0, 3, 8, 4])).action == 5
    assert searcher.search(START.after([0, 4, 1])).action == 2


def test_disjoint_sets_and_a_second_reference_exclude_each_other():
    with pytest.raises(InputError, match="option ref_amaf of mcps is 50; it must be 0 with disjoint"):
        MCPS(disjoint=True, ref_amaf=50)
