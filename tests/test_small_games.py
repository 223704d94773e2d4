"""Tic-tac-toe and Nim: every game counted, every value known."""
from xml.etree import ElementTree

import pytest
from conftest import positions
from full_search import Oracle, count_games, read_key

from mctslab import InputError, make_game
from mctslab.games.nim import Nim
from mctslab.games.tictactoe import TicTacToe

SVG = "{http://www.w3.org/2000/svg}"


def test_tic_tac_toe_has_its_known_number_of_games():
    games = count_games(TicTacToe())
    assert games[:, 1:].sum(0).tolist() == [77_904, 46_080, 131_184]
    assert games[:, 1:].sum(1).tolist() == [0, 0, 0, 0, 0, 1440, 5328, 47_952, 72_576, 127_872]
    assert games[:, 0].tolist()[:6] == [1, 9, 72, 504, 3024, 15_120]


@pytest.mark.parametrize("size, payoff", [(1, 1), (2, 1), (3, 0.5)])
def test_tic_tac_toe_has_its_known_value(size, payoff):
    assert Oracle().value(TicTacToe(size=size).new_initial_state()) == payoff


def test_a_corner_is_answered_in_the_centre_only():
    state = TicTacToe().new_initial_state().after([0])
    oracle = Oracle()
    assert [action for action in state.legal_actions() if oracle.value(state.after([action])) == 0.5] == [4]


@pytest.mark.parametrize("line", [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)])
def test_three_in_a_line_win(line):
    others = [cell for cell in range(9) if cell not in line]
    state = TicTacToe().new_initial_state().after([line[0], others[0], line[1], others[1]])
    assert not state.is_terminal()
    assert state.after([line[2]]).returns() == (1, 0)


def test_a_full_board_without_a_line_is_a_draw():
    assert TicTacToe().new_initial_state().after([4, 0, 1, 7, 3, 5, 8, 2, 6][:8]).legal_actions() == [6]
    assert TicTacToe().new_initial_state().after([4, 0, 1, 7, 3, 5, 2, 6, 8]).returns() == (0.5, 0.5)


@pytest.mark.parametrize("heap", range(1, 14))
@pytest.mark.parametrize("take", range(1, 5))
def test_nim_is_won_by_leaving_a_multiple(heap, take):
    oracle, rest = Oracle(bits=6), heap % (take + 1)
    first = Nim(heap=heap, take=take).new_initial_state()
    second = Nim(heap=heap + 1, take=take).new_initial_state().after([1])
    assert (oracle.value(first), oracle.value(second)) == ((1, 0) if rest else (0, 1))
    assert oracle.winning_actions(first) == oracle.winning_actions(second) == [rest] * (rest > 0)


def test_nim_has_a_game_for_each_ordered_sum():
    assert count_games(Nim(heap=10))[:, 1:].sum() == 274       # of parts 1, 2 and 3 (OEIS A000073)


@pytest.mark.parametrize("game", [TicTacToe(), Nim()], ids=str)
def test_keys_are_equal_for_equal_positions_only(game):
    positions_of, keys_of = {}, {}
    for seed in range(100):
        for state, _ in positions(game, seed):
            key, position = read_key(game, state.record), (snapshot_of_board(state), state.current_player())
            assert key and positions_of.setdefault(key, position) == position and keys_of.setdefault(position, key) == key
    assert len(keys_of) > game.max_length()


def snapshot_of_board(state):
    return state.record["cells" if state.game.name == "tictactoe" else "heap"].tobytes()


def test_the_drawings_of_tic_tac_toe_show_each_mark_and_what_the_game_has_come_to():
    state = TicTacToe().new_initial_state().after([0, 4, 1])
    assert str(state) == "Tic-tac-toe: o to move\nx x .\n. o .\n. . ."
    root = ElementTree.fromstring(state._repr_html_())
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    assert str(state.after([8, 2])).startswith("Tic-tac-toe: x has won")
    assert str(state.after([2, 6, 3, 5, 7, 8])).startswith("Tic-tac-toe: a draw")


def test_nim_shows_a_stroke_for_each_thing():
    state = Nim(heap=7).new_initial_state()
    assert str(state) == "Nim: ||||| || (7 left), player 0 to move, takes 1 to 3"
    assert str(state.after([3, 1, 3])) == "Nim: nothing left, player 0 has won"
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["take 1", "take 2", "take 3"]


@pytest.mark.parametrize("text, message", [("nim(take=0)", "take of nim is 0; it must be from 1 to 100"),
                                           ("tictactoe(size=7)", "size of tictactoe is 7; it must be from 1 to 6")])
def test_a_game_out_of_range_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        make_game(text)
