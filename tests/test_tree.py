"""The tree, its memory, and what all searchers for two players have in common."""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mctslab import InputError, game
from mctslab.core.bitset import has_bit, popcount, set_bit
from mctslab.games.go import Go
from mctslab.games.left_move import LeftMove
from mctslab.games.nim import Nim
from mctslab.games.tictactoe import TicTacToe
from mctslab.search import memory, player
from mctslab.search.flat import Flat
from mctslab.search.grave import GRAVE, RAVE
from mctslab.search.mcps import MCPS
from mctslab.search.tree import MAX_SIMULATIONS, ROOT, highest
from mctslab.search.uct import UCT

SEARCHERS = [Flat(), UCT(), UCT(solver=True), RAVE(), GRAVE(), MCPS(rho=10)]
START = TicTacToe().new_initial_state()
NIM = Nim(heap=20).new_initial_state()


@pytest.fixture(params=SEARCHERS, ids=str)
def searcher(request):
    return replace(request.param, simulations=400)


def outcome(result):
    """All of a result but its time."""
    columns = {name: [round(float(x), 6) for x in column] for name, column in result.statistics.items()}
    return [result.action, result.simulations, result.playout_plies, result.end, json.dumps(columns), result.extra]


def test_ones_of_a_word_are_counted():
    words = np.random.default_rng(1).integers(0, 2**64, 100, np.uint64).tolist() + [0, 1, 2**63, 2**64 - 1]
    assert [int(popcount(np.uint64(word))) for word in words] == [word.bit_count() for word in words]


def test_a_bitset_has_what_was_put_in():
    bits, members = np.zeros(3, np.uint64), [0, 1, 63, 64, 100, 191]
    for i in members:
        set_bit(bits, i)
    assert [i for i in range(192) if has_bit(bits, i)] == members


def test_the_first_of_the_highest_scores_is_found():
    scores = np.array([0, 0.5, -np.inf, 0.75, 0.75, np.inf, 1], np.float32)
    assert [highest(scores, n) for n in range(1, 8)] == [0, 1, 1, 3, 3, 5, 5]


def search_tree(searcher, state):
    """(nodes in use, tree) after a search."""
    one = searcher.player(state.game)
    one.search(state, 1)
    return one.tree.nodes[:one.tree.paths["used"][0, 0]], one.tree


def test_edges_of_a_node_are_contiguous_and_its_own():
    nodes, tree = search_tree(UCT(simulations=400), START)
    spans = sorted((int(node["first"]), int(node["degree"])) for node in nodes if node["degree"])
    assert spans[0] == (0, 9)
    assert all(first + n == after for (first, n), (after, _) in zip(spans, spans[1:], strict=False))
    assert tree.action[:9].tolist() == START.legal_actions()
    assert (nodes["degree"] > 0).tolist() == [bool(visits > 1) or k == ROOT for k, visits in enumerate(nodes["visits"])]


def test_visits_add_up_in_a_tree():
    nodes, tree = search_tree(UCT(simulations=400, transpositions=False), START)
    for k, node in enumerate(nodes):
        edges = range(node["first"], node["first"] + node["degree"])
        if node["degree"]:
            assert node["visits"] == tree.visits[edges].sum() + (k != ROOT)
        for edge in edges:
            assert tree.child[edge] < 0 or nodes["visits"][tree.child[edge]] == tree.visits[edge]
    assert nodes["visits"][ROOT] == 400


def entered(tree):
    """The nodes that edges lead to."""
    children = tree.child[:tree.paths["used"][0, 1]]
    return children[children >= 0].tolist()


def test_equal_positions_are_one_node_with_transpositions():
    shared, tree = search_tree(UCT(simulations=1000), START)
    assert len(set(shared["key"].tolist())) == len(shared) == len(set(entered(tree))) + 1
    assert len(entered(tree)) > len(shared)
    apart, tree = search_tree(UCT(simulations=1000, transpositions=False), START)
    assert sorted(entered(tree)) == list(range(1, len(apart)))


@game
class Keyless(TicTacToe):
    name = "keyless"

    def key(g, s):
        return np.uint64(0)


def test_positions_whose_key_is_0_are_not_shared():
    state = Keyless().new_initial_state()
    with_table, without = [UCT(simulations=500, transpositions=t).search(state) for t in (True, False)]
    assert outcome(with_table) == outcome(without) == outcome(UCT(simulations=500, transpositions=False).search(START))
    assert outcome(without) != outcome(UCT(simulations=500).search(START))


def test_the_same_seed_gives_the_same_result_and_another_another(searcher):
    results = [outcome(searcher.search(START, seed)) for seed in (3, 3, 4)]
    assert results[0] == results[1] != results[2]


def test_a_player_that_has_searched_before_finds_the_same_as_a_new_one(searcher):
    used = searcher.player(START.game)
    for state, seed in (START, 1), (START.after([4, 0]), 2), (START, 3):
        assert outcome(used.search(state, seed)) == outcome(searcher.search(state, seed))


@pytest.mark.parametrize("simulations", [1, 2, 17, 1500])
def test_a_budget_of_simulations_is_used_to_the_last(searcher, simulations):
    result = replace(searcher, simulations=simulations).search(START)
    assert result.simulations == simulations or result.end == "solved"
    assert result.statistics["visits"].sum() == result.simulations
    assert result.action in START.legal_actions()


def test_without_a_budget_a_move_has_a_thousand_simulations():
    assert Flat().search(START).simulations == 1000


@pytest.mark.parametrize("horizon", [0.0, 1e9])
def test_calls_of_any_size_give_the_same_result(searcher, horizon, monkeypatch):
    before = searcher.search(NIM, 7)
    monkeypatch.setattr(player, "HORIZON", horizon)
    assert outcome(searcher.search(NIM, 7)) == outcome(before)


def test_a_time_limit_ends_a_search(searcher):
    result = replace(searcher, simulations=0, seconds=0.02).search(START)
    assert result.simulations >= 1
    assert result.seconds >= 0.02 or result.end == "solved"
    assert replace(searcher, simulations=5, seconds=100.0).search(START).simulations == 5


def test_threads_share_a_searcher(searcher):
    alone = [outcome(searcher.search(START, seed)) for seed in range(4)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda seed: outcome(searcher.search(START, seed)), range(4))) == alone


def test_the_table_has_a_row_for_each_action(searcher):
    table, extra = searcher.search(START.after([4])).table(), searcher.search(START.after([4])).extra
    assert table.action.tolist() == [0, 1, 2, 3, 5, 6, 7, 8]
    assert table.value.between(0, 1).all()
    assert list(table.columns[3:]) == {"mcps": ["amaf_visits", "amaf_value", "permutation_visits", "permutation_value"],
                                       "flat": [], "uct": []}.get(searcher.name, ["amaf_visits", "amaf_value"])
    assert set(extra) == {"depth_mean", "depth_max", "terminal_share", "playout_length_mean", "nodes"}
    assert 1 <= extra["depth_mean"] <= extra["depth_max"] <= 8


def test_descents_that_end_in_the_tree_are_counted():
    result = Flat(simulations=90).search(START.after([0, 3, 1, 4]))     # one of five actions ends the game
    assert result.extra["terminal_share"] == 0.2
    assert 0 < result.extra["playout_length_mean"] < 4


def test_a_finished_game_needs_no_search(searcher):
    end = START.after([0, 3, 1, 4, 2])
    assert (searcher.search(end).action, searcher.search(end).simulations) == (-1, 0)


def test_a_player_plays_one_game_only():
    with pytest.raises(InputError, match=r"this player plays tictactoe, not nim\(heap=20\)"):
        UCT().player(START.game).search(NIM)


def test_a_game_of_one_player_is_refused(searcher):
    with pytest.raises(InputError, match=f"{searcher.name} searches games of 2 players; left_move has 1"):
        searcher.search(LeftMove().new_initial_state())


def test_a_search_that_may_need_more_memory_than_is_free_is_refused_before_it_starts(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 2**28)
    for searcher in UCT(simulations=2_000_000), GRAVE(simulations=2_000_000):
        with pytest.raises(InputError, match=r" on tictactoe may need 0.\d GiB of memory; 0.2 GiB are free"):
            searcher.player(START.game)
    assert UCT(simulations=100_000).player(START.game)


def test_a_timed_search_stops_where_memory_ends(monkeypatch):
    one = UCT(seconds=1000.0, transpositions=False).player(NIM.game)
    monkeypatch.setattr(memory, "free_memory", lambda: 2**18)
    monkeypatch.setattr(player, "SMALL", 0)
    one.limit = 100_000         # the test ends here if the search does not stop
    with pytest.raises(InputError, match=r"after \d+ simulations, may need 0.0 GiB"):
        one.search(NIM)


def test_float32_is_never_asked_to_count_further_than_it_can():
    last = np.float32(MAX_SIMULATIONS)
    assert last - np.float32(0.5) != last
    assert last + np.float32(0.5) == last
    with pytest.raises(InputError, match=f"it must be from 0 to {MAX_SIMULATIONS}"):
        UCT(simulations=MAX_SIMULATIONS + 1)


@pytest.mark.parametrize(("searcher", "gib"), [(UCT(), 2), (GRAVE(), 4), (RAVE(), 4), (MCPS(), 4)], ids=str)
def test_a_million_simulations_of_go_fit(searcher, gib, monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: float("inf"))
    one = replace(searcher, simulations=1_000_000).player(Go(size=9))
    more = sum(array.nbytes for array in one.more or ())
    assert one.need(one.bounds()) + more < gib * 2**30


def facts():
    return [outcome(replace(searcher, simulations=120).search(state, 2)) for searcher in SEARCHERS for state in (START, NIM)]


def test_interpreted_searches_are_those_that_are_compiled():
    done = subprocess.run([sys.executable, "-c", "import json, test_tree; print(json.dumps(test_tree.facts()))"],
                          cwd=Path(__file__).parent, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(facts()))
