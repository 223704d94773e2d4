"""AtariGo: a plain board, counts of games, solved boards, the order of moves, playouts."""
import pytest
from conftest import playout
from stones_tools import Plain, check_against_plain, count_sequences, openings_of, read_board, winning_openings

from mctslab import InputError
from mctslab.games.atari_go import AtariGo


def is_legal(plain, cell):
    return not plain.after(cell)[2]


@pytest.mark.parametrize("rows, cols", [(9, 9), (5, 5), (1, 8), (4, 7), (7, 2)])
def test_the_fast_board_agrees_with_the_plain_one_at_every_ply(rows, cols):
    for seed in range(4):
        state, plain, before = check_against_plain(AtariGo(rows, cols), Plain(rows, cols), is_legal, seed)
        captured = len(before) + 1 - len(plain.board)
        assert captured or not any(is_legal(plain, cell) for cell in plain.empty())
        assert state.returns() == ((0, 1) if plain.turn == 0 else (1, 0))       # who is captured or cannot move has lost


@pytest.mark.parametrize("size, counts, wins", [
    (3, [1, 9, 72, 504, 2928, 13952, 48000, 114912], [0, 0, 0, 8, 96, 1184, 6672, 34560]),
    (4, [1, 16, 240, 3360, 43472], [0, 0, 0, 8, 208]), (5, [1, 25, 600, 13800], [0, 0, 0, 8])])
def test_there_are_as_many_games_as_an_independent_engine_counted(size, counts, wins):
    assert count_sequences(AtariGo(size), len(counts) - 1) == (counts, wins)


@pytest.mark.parametrize("game, openings, result", openings_of(AtariGo))
def test_small_boards_have_their_known_winning_openings(game, openings, result):
    assert winning_openings(game) == openings
    assert ("W" in openings) == (result == "first")


def test_the_order_of_moves_matters():
    """Black A2 B1, White A1 C3 and one more of Black's: played so Black captures, played otherwise A1 is suicide."""
    game = AtariGo(3)
    a2, a1, c1, c3, b1 = 3, 6, 8, 2, 7
    state = game.new_initial_state().after([a2, a1, c1, c3, b1])
    assert state.is_terminal() and state.returns() == (1, 0)
    with pytest.raises(InputError, match="action 6 is not legal here"):
        game.new_initial_state().after([a2, c3, b1, a1, c1])


def test_a_playout_makes_legal_moves_and_ends_where_they_lead():
    game = AtariGo(7)
    for seed in range(5):
        end, state = game.new_initial_state(), game.new_initial_state()
        for ply, code in enumerate(playout(end, 0, seed)):
            assert code // 49 == ply % 2
            state.apply_action(code % 49)
        assert state.is_terminal() and read_board(end) == read_board(state) and end.returns() == state.returns()
        assert all(end.record[field] == state.record[field] for field in ("turn", "ply", "over", "last", "hash"))
