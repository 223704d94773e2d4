"""Samples of playouts: those of the position, as sets of codes."""
import numpy as np
import pytest

from mctslab import InputError, make_game
from mctslab.search.playouts import action_codes, code_sets, sample_playouts


def test_a_playout_of_hex_fills_the_board_with_each_cell_once():
    game = make_game("hex", size=3)
    codes, payoffs = sample_playouts(game.new_initial_state(), 200, seed=1)
    sets = code_sets(codes, game.num_codes())
    assert codes.shape == (200, 9) and set(payoffs) == {0.0, 1.0}
    assert (sets.sum(axis=1) == 9).all()
    assert len({tuple(row) for row in codes.tolist()}) > 190


def test_the_seed_decides_the_playouts_and_the_position_stays():
    state = make_game("tictactoe").new_initial_state().after([4])
    first, second, other = (sample_playouts(state, 20, seed) for seed in (1, 1, 2))
    assert (first[0] == second[0]).all() and first[0].tolist() != other[0].tolist()
    assert state.legal_actions() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_playouts_of_a_position_begin_with_one_of_its_moves():
    state = make_game("atari_go", size=4).new_initial_state().after([5])
    codes, _ = sample_playouts(state, 300, seed=1)
    assert set(codes[:, 0]) == set(action_codes(state))


def test_codes_after_the_end_are_no_codes():
    sets = code_sets(np.array([[2, 0, -1], [1, 1, 1]]), 3)
    assert sets.tolist() == [[True, False, True], [False, True, False]]


def test_a_game_that_is_over_has_no_playouts():
    state = make_game("nim", heap=1).new_initial_state()
    with pytest.raises(InputError, match="is over"):
        sample_playouts(state.after([1]), 5)
    with pytest.raises(InputError, match="has 1 players"):
        sample_playouts(make_game("left_move").new_initial_state(), 5)
