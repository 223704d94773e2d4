"""Ensemble Determinization MCTS: its trees, what it must not know, and how many trees it grows."""
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import MODES, snapshot
from scipy.stats import chisquare
from toy_cards import STOCK, Tricks

from mctslab import GAMES, InputError, make_game, make_searcher
from mctslab.core import State, stream
from mctslab.games.tictactoe import TicTacToe
from mctslab.search import player as player_module
from mctslab.search.allocation import POLICIES
from mctslab.search.cheat import Cheat
from mctslab.search.ensemble import Ensemble
from mctslab.search.hidden import reward
from mctslab.search.margins import margin
from mctslab.search.tree_count import TreeCount
from mctslab.search.votes import RULES

GAME = Tricks(cards=8, hand=3)
START = GAME.new_initial_state(2)
CLEAR = START.after(START.legal_actions()[:1])      # most determinizations have one good answer
HIDDEN = [GAME] + [make_game(name) for name, cls in GAMES.items() if cls.hidden]
HONEST = [make_searcher(name) for name in ("solmcts", "ismcts")] + [Ensemble(trees=5, allocation=a) for a in POLICIES]


def outcome(result):
    """All of a result but its time."""
    columns = {name: [round(float(x), 6) for x in column] for name, column in result.statistics.items()}
    return [result.action, result.simulations, result.playout_plies, result.end, json.dumps([columns, result.extra])]


def with_budget(searcher, simulations):
    return make_searcher(str(searcher), simulations=simulations)


def ensemble_after(state, seed=1, **options):
    player = Ensemble(**options).player(state.game)
    player.search(state, seed)
    return player


# The trees


@pytest.mark.parametrize("searcher", HONEST, ids=str)
def test_the_seed_decides_the_search_whatever_the_size_of_the_calls(searcher, monkeypatch):
    searcher = with_budget(searcher, 700)
    results = [outcome(searcher.search(START, seed)) for seed in (3, 3, 4)]
    assert results[0] == results[1] != results[2]
    for horizon in 0.0, 1e9:
        monkeypatch.setattr(player_module, "HORIZON", horizon)
        assert outcome(searcher.search(START, seed=3)) == results[0]


@pytest.mark.parametrize("searcher", HONEST[:3], ids=str)
def test_a_player_that_has_searched_finds_the_same_as_a_new_one_and_threads_share_a_searcher(searcher):
    searcher = with_budget(searcher, 500)
    player, alone = searcher.player(GAME), [outcome(searcher.search(START, seed)) for seed in range(4)]
    assert [outcome(player.search(START, seed)) for seed in range(4)] == alone
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda seed: outcome(searcher.search(START, seed)), range(4))) == alone


def outcomes():
    """Of short searches by all honest searchers."""
    more = [Ensemble(trees=4, selection=s, reward="score", untried="list", dynamic=True) for s in ("score", "borda")]
    return [outcome(with_budget(searcher, 150).search(START, seed=3)) for searcher in HONEST + more]


@pytest.mark.parametrize("mode", MODES)
def test_searches_are_the_same_in_every_mode_of_numba(mode):
    flags = {name: "0" for name in MODES.values()} | {MODES[mode]: "1"}
    script = "import json, test_ensemble; print(json.dumps(test_ensemble.outcomes()))"
    done = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parent, env=os.environ | flags,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == outcomes()


def test_one_tree_is_uct_on_its_determinization():
    player = Ensemble(trees=1, simulations=800, untried="list").player(GAME)
    player.begin(START, 5, stream(5, "playout"))
    guess, rng = player.forest.states[:1].copy(), player.forest.streams[0].copy()
    result = player.search(START, seed=5)
    plain = Cheat(simulations=800, c=0.7071, transpositions=False).player(GAME)
    plain.begin(START, 5, rng)
    while plain.done() < 800:
        plain.advance(State(GAME, guess, rng), rng, 800 - plain.done())
        plain.make_room()
    expected = plain.report(START, 0.0)
    for column in "action", "visits", "value":
        np.testing.assert_allclose(result.statistics[column], expected.statistics[column], 1e-6)
    assert result.extra["depth_mean"] == expected.extra["depth_mean"]


def test_a_tree_is_the_same_in_a_larger_ensemble_and_under_any_split():
    few, many = ensemble_after(START, trees=3, simulations=600), ensemble_after(START, trees=6, simulations=1200)
    assert (few.root_tables()[0] == many.root_tables()[0][:3]).all()
    greedy = ensemble_after(START, trees=3, simulations=600, allocation="greedy", start=1.0)
    assert (greedy.root_tables()[0] == few.root_tables()[0]).all()


def test_all_trees_have_the_moves_of_the_position_and_their_own_cards():
    player = ensemble_after(START, trees=20, simulations=200)
    moves = START.legal_actions()
    assert player.tree.action[:20 * len(moves)].tolist() == 20 * moves
    places = player.forest.states["place"][:, :GAME.cards]
    assert len({place.tobytes() for place in places}) > 5
    assert (places[:, moves] == 0).all()


def test_many_trees_fit():
    result = Ensemble(trees=1000, simulations=3000).search(START, 1)
    assert result.extra["split"] == [3] * 1000
    assert result.extra["nodes"] <= 4000


def test_a_move_without_alternative_is_not_searched_for():
    state = GAME.new_initial_state(1)
    while len(state.legal_actions()) > 1:
        state.apply_action(state.legal_actions()[0])
    for searcher in HONEST:
        result = searcher.search(state)
        assert (result.action, result.simulations) == (state.legal_actions()[0], 0)
        assert result.table()["action"].tolist() == state.legal_actions()
    state.apply_action(state.legal_actions()[0])
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert Ensemble().search(state).action == -1


def test_a_time_limit_shares_the_time():
    result = Ensemble(trees=4, seconds=0.1).search(START, 1)
    assert result.simulations > 16
    assert max(result.extra["split"]) - min(result.extra["split"]) <= result.simulations / 100
    assert result.extra["simulations_saved"] == 0


def test_a_score_is_worth_its_share_of_the_scale():
    state = GAME.new_initial_state(1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    for ours, theirs, worth in [(4, 0, 1), (0, 4, 0), (2, 2, 0.5), (3, 1, 0.75)]:
        state.record["tricks"] = [[ours, theirs]]
        assert reward(GAME, state.record[0], True) == worth
        assert reward(GAME, state.record[0], False) == (np.sign(ours - theirs) + 1) / 2
    win, score = [Ensemble(simulations=400, reward=r).search(START, 1) for r in ("win", "score")]
    assert outcome(win) != outcome(score)


# What must not be known


def a_walk(game, seed):
    """Some positions of a random game where there is a choice."""
    state, random = game.new_initial_state(seed), np.random.default_rng(seed)
    while not state.is_terminal():
        if len(state.legal_actions()) > 1 and (game == GAME or random.random() < 0.2):
            yield state.clone()
        state.apply_action(int(random.choice(state.legal_actions())))


def guessed(game):
    """(a position, others that the player to move cannot tell from it)"""
    for state in itertools.islice(a_walk(game, 3), 8):
        yield state, [state.determinize(state.current_player(), seed) for seed in range(3)]


def differences(searcher, game):
    """Does a search differ when only what the player cannot see is changed?"""
    player = searcher.player(game)
    for state, others in guessed(game):
        expected = outcome(searcher.player(game).search(state, seed=7))
        yield from (outcome(player.search(other, seed=7)) != expected for other in others)


@pytest.mark.parametrize("game", HIDDEN, ids=lambda game: game.name)
def test_what_the_player_cannot_see_changes_nothing(game):
    assert any(snapshot(other) != snapshot(state) for state, others in guessed(game) for other in others)
    for searcher in HONEST:
        assert not any(differences(with_budget(searcher, 150), game)), searcher


@pytest.mark.parametrize("game", HIDDEN[1:], ids=lambda game: game.name)
def test_no_option_lets_a_player_see(game):
    """Two players of a kind, one of whom is shown other hidden cards, turn after turn: also the number of trees is equal."""
    arms = [dict(dynamic=True, l_up=1, l_down=1, selection="voting"), dict(reward="score", selection="score"),
            dict(dynamic=True, l_up=1, selection="borda", vote="mean", allocation="across", untried="list")]
    searchers = [Ensemble(trees=3, **arm) for arm in arms] + [make_searcher("ismcts", reward="score")]
    searchers += [make_searcher(name, playout=policy) for policy in game.playouts for name in ("ensemble", "solmcts")]
    for g in game, make_game(game.name, memory=False):
        turns = list(guessed(g))
        for searcher in searchers:
            ours, theirs = (with_budget(searcher, 60).player(g) for _ in range(2))
            for state, others in turns:
                assert outcome(ours.search(state, seed=7)) == outcome(theirs.search(others[0], seed=7)), searcher


def test_it_changes_what_the_cheat_plays():
    assert any(differences(Cheat(simulations=150), GAME))


@pytest.mark.parametrize("name", ["uct", "rave", "grave", "mcps", "flat"])
def test_a_searcher_of_the_true_position_refuses_hidden_cards(name):
    with pytest.raises(InputError, match=f"{name} would see what tricks hides from the players.*cheat"):
        make_searcher(name).search(START)


# What it finds


def minimax(state):
    """The value for player 0 if all cards are seen."""
    if state.is_terminal():
        return state.returns()[0]
    values = [minimax(state.after([action])) for action in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


def values_of_moves(state):
    """Minimax values for the player to move."""
    return np.array([abs(state.current_player() - minimax(state.after([action]))) for action in state.legal_actions()])


def guesses(state):
    """All determinizations of a position of `Tricks` for the player to move, equally likely."""
    me, record, n = state.current_player(), state.record[0], state.game.cards
    held, unseen = record["held"][1 - me], [card for card in range(n) if record["place"][card] in (1 - me, STOCK)]
    for cards in map(list, itertools.permutations(unseen)):
        if sorted(cards[:held]) == cards[:held]:
            guess = state.clone()
            guess.record["place"][0, cards[:held]] = 1 - me
            guess.record["place"][0, cards[held:]] = STOCK
            guess.record["stock"][0, record["top"]:n] = cards[held:]
            yield guess


@pytest.mark.parametrize("seed", [1, 2])
def test_every_tree_finds_the_value_of_its_determinization_and_together_they_find_the_mean(seed):
    state = Tricks(cards=6).new_initial_state(seed)
    state.apply_action(state.legal_actions()[0])
    player = ensemble_after(state, trees=100, simulations=100 * 1000)
    visits, wins = player.root_tables()
    found, choices = (wins / visits).max(axis=1), visits.argmax(axis=1)
    for i in range(100):
        exact = values_of_moves(State(state.game, player.forest.states[i:i + 1], state.rng))
        assert found[i] == pytest.approx(exact.max(), abs=0.15)
        assert exact[choices[i]] == exact.max()
    mean = np.mean([values_of_moves(guess).max() for guess in guesses(state)])
    assert found.mean() == pytest.approx(mean, abs=0.15)


@pytest.mark.parametrize("searcher", [*HONEST, Cheat()], ids=str)
def test_a_position_without_secrets_is_solved(searcher):
    """When the stock is empty the other's hand is known, and the search knows the value of every move."""
    decided = 0
    for seed in range(12):
        state = Tricks(cards=8, hand=4).new_initial_state(seed)
        state.apply_action(state.legal_actions()[0])
        values = values_of_moves(state)
        decided += min(values) < max(values)
        assert values[state.legal_actions().index(with_budget(searcher, 3000).search(state, 1).action)] == max(values)
    assert decided > 2


@pytest.mark.parametrize("searcher", HONEST[:3], ids=str)
def test_a_search_beats_random_play(searcher):
    player, random, total = with_budget(searcher, 200).player(GAME), np.random.default_rng(1), 0
    for k in range(200):
        state = GAME.new_initial_state(k // 2)
        while not state.is_terminal():
            mine = state.current_player() == k % 2
            state.apply_action(player.search(state, k).action if mine else random.choice(state.legal_actions()))
        total += state.returns()[k % 2]
    print(total)
    assert total > 115


def test_a_game_of_open_cards_is_played_too():
    state = TicTacToe().new_initial_state().after([0, 3, 1, 4])
    assert {searcher.search(state).action for searcher in HONEST} == {2}


def test_determinizations_are_drawn_anew_by_the_seed_and_each_is_equally_likely():
    state = Tricks(cards=6).new_initial_state(1)
    drawn = [[(guess["place"].tobytes(), guess["stock"][4:6].tobytes())
              for guess in ensemble_after(state, seed, trees=1000, simulations=1).forest.states] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    counts = Counter(sum(drawn[1:], []))
    assert len(counts) == len(list(guesses(state))) == 12
    assert chisquare(list(counts.values())).pvalue > 1e-3


@pytest.mark.parametrize("name", ["ensemble", "solmcts", "ismcts"])
def test_playouts_and_rewards_are_those_asked_for(name):
    """Uniform games of Jaipur are long with exchanges and short without; wins and draws add up to halves."""
    state = make_game("jaipur").new_initial_state(1)
    plain, short, long, score = (make_searcher(name, simulations=300, **options).search(state, 1) for options in (
        {}, {"playout": "no_exchange"}, {"playout": "uniform"}, {"reward": "score"}))
    assert outcome(plain) == outcome(short)      # the default
    assert long.extra["playout_length_mean"] > 1.3 * short.extra["playout_length_mean"]
    for result, whole in (plain, True), (score, False):
        halves = 2 * result.statistics["visits"] * result.statistics["value"]
        assert np.allclose(halves, np.round(halves), atol=1e-3) == whole


# The final move


@pytest.mark.parametrize("selection", RULES)
def test_the_move_is_elected_from_the_root_tables(selection):
    player = Ensemble(trees=7, simulations=300, selection=selection).player(GAME)
    result = player.search(START, 1)
    visits, wins = player.root_tables()
    votes = np.bincount(visits.argmax(axis=1), minlength=3)
    table = result.table()
    assert table["visits"].tolist() == visits.sum(axis=0).tolist()
    np.testing.assert_allclose(table["value"], wins.sum(axis=0) / visits.sum(axis=0))
    assert table["votes"].tolist() == votes.tolist()
    expected = {"visits": visits.sum(axis=0), "score": wins.sum(axis=0) / visits.sum(axis=0), "voting": votes,
                "means": (wins / visits).sum(axis=0), "shares": (visits / visits.sum(axis=1, keepdims=True)).sum(axis=0)}
    if selection in expected:
        np.testing.assert_allclose(table["score"], expected[selection])
    assert table["score"][table["action"] == result.action].item() == table["score"].max()


def test_the_last_simulation_can_be_the_vote():
    player = Ensemble(trees=9, simulations=300, selection="voting", vote="last").player(GAME)
    result = player.search(START, 1)
    last = player.forest.plans[0]["last"][:9]
    assert result.statistics["votes"].tolist() == np.bincount(last, minlength=3).tolist()
    assert result.statistics["votes"].tolist() != np.bincount(player.root_tables()[0].argmax(axis=1), minlength=3).tolist()


def test_what_halving_and_pruning_have_dropped_gets_no_vote():
    for allocation in "halving", "pruning":
        player = ensemble_after(CLEAR, trees=4, simulations=10_000, allocation=allocation, selection="borda")
        dropped = player.pruned()
        assert dropped.any()
        assert (player.election.parts[:4, :3][dropped] == 0).all()


def test_untried_moves_come_in_random_order_or_as_listed():
    first = {order: ensemble_after(START, trees=60, simulations=60, untried=order).root_tables()[0].argmax(axis=1)
             for order in ("random", "list")}
    assert set(first["list"]) == {0}
    assert min(np.bincount(first["random"])) > 10


# How many trees


RULE = dict(trees=10, l_up=2, m_up=1, l_down=2, m_down=2, min_trees=1, max_trees=50)


def trees_after(margins, **options):
    """T after each of some turns with these margins (up, down)."""
    count, trees = TreeCount(SimpleNamespace(**RULE | options)), []
    for up, down in margins:
        count.update(up, down)
        trees.append(count.trees)
    return trees


CONTESTED, STABLE, NEITHER = (1, 1), (4, 4), (2, 2)


def test_contested_turns_in_a_row_bring_a_tree_and_the_count_starts_again():
    assert trees_after([CONTESTED] * 5) == [10, 11, 11, 12, 12]
    assert trees_after([CONTESTED] * 3, l_up=1) == [11, 12, 13]
    assert trees_after([(2, 2)] * 2, m_up=2) == [10, 11]


def test_stable_turns_in_a_row_remove_a_tree():
    assert trees_after([STABLE] * 5) == [10, 9, 9, 8, 8]
    assert trees_after([(3, 3)] * 2) == [10, 9]
    assert trees_after([(3, 3)] * 2, m_down=3) == [10, 10]


def test_another_turn_between_breaks_the_row():
    assert trees_after([CONTESTED, NEITHER, CONTESTED, STABLE, CONTESTED, CONTESTED]) == [10] * 5 + [11]
    assert trees_after([STABLE, NEITHER, STABLE, CONTESTED, STABLE, STABLE]) == [10] * 5 + [9]


def test_a_change_resets_both_counts():
    both = (1, 3)       # contested by the one reading, stable by removal
    assert trees_after([both] * 4, l_down=3) == [10, 11, 11, 12]


def test_the_increase_wins_when_both_are_due():
    assert trees_after([(1, 3)] * 2) == [10, 11]


def test_the_bounds_hold():
    assert trees_after([CONTESTED] * 6, trees=49) == [49, 50, 50, 50, 50, 50]
    assert trees_after([STABLE] * 6, trees=6, min_trees=5) == [6, 5, 5, 5, 5, 5]
    assert trees_after([(1, 1)] * 4, trees=1) == [1, 2, 2, 3]


def test_the_decrease_asks_for_one_tree_less_than_there_are_at_most():
    assert trees_after([(2, 2)] * 2, trees=2, m_down=5) == [2, 1]
    assert trees_after([(1, 1)] * 2, trees=2, m_down=5, m_up=0) == [2, 2]


def test_the_number_of_trees_lives_in_the_player_and_follows_the_margins():
    searcher = Ensemble(simulations=300, selection="voting", dynamic=True, l_up=1, l_down=1, max_trees=13)
    player, trees = searcher.player(GAME), []
    for seed in range(30):
        state = GAME.new_initial_state(seed)
        result = player.search(state, seed)
        assert result.extra["margin"] == margin(player.election, "replace", 3)
        change = (result.extra["margin"] <= 1 and len(result.extra["split"]) < 13) or -(result.extra["margin_removed"] > 2)
        assert result.extra["trees_next"] - result.extra["trees"] == change
        trees.append(result.extra["trees"])
        assert len(result.extra["split"]) == trees[-1]
        assert player.count.trees == result.extra["trees_next"]
    assert trees[0] == 10 and len(set(trees)) > 2
    assert searcher.player(GAME).search(START).extra["trees"] == 10


def test_options_that_contradict_each_other_are_refused():
    with pytest.raises(InputError, match="option trees of ensemble is 60; it must be from min_trees = 1 to max_trees = 50"):
        Ensemble(trees=60, dynamic=True)
    assert Ensemble(trees=60).trees == 60


def test_in_a_game_without_points_the_reward_by_score_is_that_by_win():
    state = TicTacToe().new_initial_state()
    win, score = (make_searcher("solmcts", simulations=300, reward=r).search(state, 1) for r in ("win", "score"))
    assert outcome(win) == outcome(score) and 0.5 < np.nanmax(win.statistics["value"]) < 1


def test_the_least_number_of_trees_is_not_above_the_most():
    with pytest.raises(InputError, match="min_trees of ensemble is 9; it must be at most max_trees = 3"):
        Ensemble(min_trees=9, max_trees=3)
