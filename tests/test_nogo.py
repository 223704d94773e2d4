"""NoGo: a plain board, counts of games, solved boards, playouts."""
import pytest
from conftest import playout
from stones_tools import Plain, check_against_plain, count_sequences, openings_of, read_board, winning_openings

from mctslab.games.nogo import NoGo


def is_legal(plain, cell):
    _, captured, lost = plain.after(cell)
    return not captured and not lost


@pytest.mark.parametrize("rows, cols", [(9, 9), (5, 5), (1, 8), (4, 7), (7, 2)])
def test_the_fast_board_agrees_with_the_plain_one_at_every_ply(rows, cols):
    for seed in range(4):
        state, plain, _ = check_against_plain(NoGo(rows, cols), Plain(rows, cols), is_legal, seed)
        assert not any(is_legal(plain, cell) for cell in plain.empty())
        assert state.returns() == ((0, 1) if plain.turn == 0 else (1, 0))       # who cannot move has lost


@pytest.mark.parametrize("rows, cols, counts", [
    (2, 2, [1, 4, 12, 16, 0]), (1, 6, [1, 6, 26, 80, 104, 24, 0]), (4, 4, [1, 16, 240, 3352, 43264]),
    (5, 5, [1, 25, 600, 13792]), (3, 3, [1, 9, 72, 496, 2832, 12768, 41328, 80352, 43776, 0])])
def test_there_are_as_many_games_as_an_independent_engine_counted(rows, cols, counts):
    assert count_sequences(NoGo(rows, cols), len(counts) - 1)[0] == counts


@pytest.mark.parametrize("game, openings, result", openings_of(NoGo))
def test_small_boards_have_their_known_winning_openings(game, openings, result):
    assert winning_openings(game) == openings
    assert ("W" in openings) == (result == "first")


def test_a_player_who_cannot_start_has_lost():
    state = NoGo(1).new_initial_state()
    assert state.is_terminal() and state.returns() == (0, 1)


def test_a_playout_makes_legal_moves_and_ends_where_they_lead():
    game = NoGo(7)
    for seed in range(5):
        end, state = game.new_initial_state(), game.new_initial_state()
        for ply, code in enumerate(playout(end, 0, seed)):
            assert code // 49 == ply % 2
            state.apply_action(code % 49)
        assert state.is_terminal() and read_board(end) == read_board(state) and end.returns() == state.returns()
        assert all(end.record[field] == state.record[field] for field in ("turn", "ply", "over", "last", "hash"))
