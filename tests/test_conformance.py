"""What every game must do: one suite over all that are registered, each small and with its default options."""
import re

import pytest
from conftest import DEALT, MODES, code, digests_in, game_digests, instances, playout, positions, search_actions, snapshot

from mctslab import InputError, make_game


@pytest.fixture(params=instances(), ids=str)
def game(request):
    return request.param


def a_few(game, seed=1):
    """Positions spread over a random game, its start and end included."""
    walk = [(state.clone(), legal) for state, legal in positions(game, seed)]
    return walk[::max(1, len(walk) // 6)] + walk[-1:]


def test_a_random_game_ends_in_time_with_a_payoff_in_range(game):
    for seed in range(5):
        *walk, (state, legal) = positions(game, seed)
        assert len(walk) <= game.max_length()
        assert legal == []
        assert state.is_terminal()
        returns = state.returns()
        assert len(returns) == game.players
        assert all(abs(r) < 1e9 for r in returns)
        if game.players == 2:
            assert min(returns) >= 0
            assert sum(returns) == 1


def test_legal_actions_are_distinct_and_fit_their_buffer(game):
    for state, legal in positions(game, 1):
        assert len(set(legal)) == len(legal) <= game.max_actions()
        assert bool(legal) != state.is_terminal()
        assert all(0 <= action < 2**31 for action in legal)


def test_a_search_tries_legal_actions_only_and_at_least_one(game):
    for state, legal in positions(game, 2):
        assert state.is_terminal() or set() < set(search_actions(state)) <= set(legal)


def test_every_legal_action_can_be_played(game):
    for state, legal in a_few(game):
        for action in legal:
            before, after = snapshot(state), state.clone()
            after.apply_action(action)
            assert snapshot(after) != before == snapshot(state)


def test_an_illegal_action_is_refused_and_changes_nothing(game):
    for state, legal in a_few(game):
        before = snapshot(state)
        for action in {-1, 0, max(legal, default=0) + 1, 2**31 - 1} - set(legal):
            with pytest.raises(InputError, match=re.escape(f"action {action} is not legal here")):
                state.apply_action(action)
        assert snapshot(state) == before


def test_the_player_to_move_is_one_of_the_players(game):
    assert all(state.current_player() in range(game.players) for state, _ in positions(game, 1))


def test_codes_are_in_range(game):
    for state, legal in positions(game, 1):
        assert all(0 <= code(state, action) < game.num_codes() for action in legal)


def test_old_states_never_change(game):
    kept = [(state.clone(), snapshot(state)) for state, _ in positions(game, 1)]
    assert all(snapshot(state) == before for state, before in kept)


def test_the_seed_decides_the_game(game):
    walks = [[snapshot(state) for state, _ in positions(game, seed)] for seed in (1, 1, 2, 3)]
    assert walks[0] == walks[1]
    if game.name in DEALT:
        assert len({walk[0] for walk in walks}) == 3


def test_a_game_is_made_again_from_its_string(game):
    assert make_game(str(game)) == game
    assert str(make_game(str(game))) == str(game)


def test_a_playout_of_each_policy_ends_the_game_and_records_it(game):
    for policy in range(len(game.playouts)):
        for start, _ in a_few(game):
            end = start.clone()
            trace = playout(end, policy, seed=policy)
            assert end.is_terminal()
            assert all(0 <= entry < game.num_codes() for entry in trace) or game.players == 1
            if game.players == 1:
                for action in trace:
                    start.apply_action(action)
                assert start.returns() == end.returns()


def test_every_state_has_drawings_and_names_for_its_actions(game):
    for state, legal in a_few(game):
        before = snapshot(state)
        assert str(state).strip()
        assert "<" in state._repr_html_()
        names = [state.action_to_string(action) for action in legal]
        assert len(set(names)) == len(names)
        assert snapshot(state) == before


@pytest.mark.parametrize("mode", MODES)
def test_games_are_the_same_in_every_mode_of_numba(mode):
    ours, theirs = game_digests(), digests_in(mode, game_digests)
    assert {name: value for name, value in ours.items() if name in theirs} == {
        name: value for name, value in theirs.items() if name in ours}
    assert theirs
