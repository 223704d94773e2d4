"""What every searcher of one-player games must do, on a few games (conftest lists them)."""
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from conftest import MODES, digests_in, search_digests, searches, snapshot

from mctslab import SEARCHERS, InputError, make_searcher
from mctslab.search import solver

PAIRS = list(searches())
SOLVERS = [name for name, cls in SEARCHERS.items() if cls.players == 1]


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]} on {pair[1]}")
def pair(request):
    """A searcher and the start of a game."""
    searcher, game = request.param
    return searcher, game.new_initial_state(1)


def outcome(result):
    """All of a result but its times."""
    return (result.action, result.actions, result.score, result.simulations, result.playout_plies, result.end, result.extra,
            [(n, score) for n, _, score in result.improvements])


def test_the_same_seed_gives_the_same_result_and_leaves_the_state_alone(pair):
    searcher, state = pair
    before = snapshot(state)
    assert outcome(searcher.search(state, seed=3)) == outcome(searcher.search(state, seed=3))
    assert snapshot(state) == before


def test_the_sequence_found_replays_to_its_score(pair):
    searcher, state = pair
    for start in state, state.after(state.legal_actions()[:1]):
        result = searcher.search(start, seed=4)
        assert result.action == result.actions[0]
        assert start.after(result.actions).returns() == (result.score,)


def test_improvements_rise_and_the_last_is_the_best_seen(pair):
    searcher, state = pair
    result = searcher.search(state, seed=5)
    counts, seconds, scores = zip(*result.improvements, strict=True)
    assert sorted(set(scores)) == list(scores)
    assert sorted(set(counts)) == list(counts)
    assert sorted(seconds) == list(seconds)
    assert counts[0] == 1
    assert counts[-1] <= result.simulations
    assert scores[-1] >= result.score


@pytest.mark.parametrize("simulations", [1, 7, 150])
def test_a_budget_of_simulations_is_used_to_the_last(pair, simulations):
    searcher, state = pair
    result = replace(searcher, simulations=simulations, **unlimited(searcher)).search(state, seed=6)
    assert result.simulations == simulations or result.end in ("solved", "unsolved")
    assert result.simulations <= simulations
    assert state.after(result.actions).returns() == (result.score,)


def unlimited(searcher):
    return {"restarts": 0} if "restarts" in searcher.defaults() else {}


@pytest.mark.parametrize("horizon", [0.0, 1e9])
def test_calls_of_any_size_give_the_same_result(pair, horizon, monkeypatch):
    searcher = replace(pair[0], simulations=100, **unlimited(pair[0]))
    before = searcher.search(pair[1], seed=7)
    monkeypatch.setattr(solver, "HORIZON", horizon)     # from one playout per call to as many as there are
    assert outcome(searcher.search(pair[1], seed=7)) == outcome(before)


def test_a_time_limit_returns_the_best_so_far(pair):
    searcher, state = pair
    result = replace(searcher, seconds=0.05, **unlimited(searcher)).search(state, seed=8)
    assert state.after(result.actions).returns() == (result.score,)


def test_threads_share_a_searcher(pair):
    searcher, state = pair
    alone = [outcome(searcher.search(state, seed)) for seed in range(4)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda seed: outcome(searcher.search(state, seed)), range(4))) == alone


def test_a_finished_game_needs_no_search(pair):
    searcher, state = pair
    end = state.after(searcher.search(state, seed=9).actions)
    result = searcher.search(end, seed=9)
    assert (result.action, result.actions, result.score, result.simulations) == (-1, [], *end.returns(), 0)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_game_of_two_players_is_refused(name):
    class Duel:
        name, players = "duel", 2

    with pytest.raises(InputError, match=re.escape(f"{name} searches games of 1 player; duel has 2")):
        make_searcher(name).check_game(Duel)


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_searcher_is_made_again_from_its_string(name):
    searchers = [make_searcher(name)] + [searcher for searcher, _ in PAIRS if searcher.name == name]
    assert all(make_searcher(str(searcher)) == searcher for searcher in searchers)


@pytest.mark.parametrize("name", SOLVERS)
def test_every_searcher_is_tested_on_some_game(name):
    assert name in {searcher.name for searcher, _ in PAIRS}


@pytest.mark.parametrize("mode", MODES)
def test_searches_are_the_same_in_every_mode_of_numba(mode):
    assert digests_in(mode, search_digests) == search_digests()
