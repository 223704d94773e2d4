"""The Python side: games and searchers by name, states, and a game of one's own."""
from typing import NamedTuple

import numpy as np
import pytest
from conftest import positions, snapshot

import mctslab
from mctslab import InputError, Leftmost, LeftMove, Nested, game, jit, make_game, make_searcher


@game
class Nim(NamedTuple):
    heap: int = 15

    limits = {"heap": (1, 100)}

    def dtype(g):
        return np.dtype([("left", "i4"), ("player", "i4")])

    def max_actions(g):
        return 3

    def max_length(g):
        return g.heap

    def start(g, s, rng):
        s.left = g.heap
        s.player = 0

    def current_player(g, s):
        return np.int64(s.player)

    def legal_actions(g, s, buf):
        n = min(3, s.left)
        for i in range(n):
            buf[i] = i + 1
        return n

    def play(g, s, a, rng):
        s.left -= a
        s.player = 1 - s.player

    def is_terminal(g, s):
        return s.left == 0

    def payoff(g, s):
        return np.float64(s.player)     # who took the last has won: the other is to move


def played(game, *actions):
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


@pytest.mark.parametrize(("spec", "options", "made"), [
    ("left_move", {}, LeftMove()),
    ("left_move(depth=20)", {}, LeftMove(depth=20)),
    ("left_move(depth=20)", {"depth": 30}, LeftMove(30)),
    ("leftmost", {"depth": np.int64(5)}, Leftmost(5)),
])
def test_a_game_is_made_by_name(spec, options, made):
    assert make_game(spec, **options) == made


@pytest.mark.parametrize(("make", "message"), [
    (lambda: make_game("chess"), "unknown game 'chess'; games: leftmost, left_move"),
    (lambda: make_game("left_move(size=3)"), "left_move has no option 'size'; its options are: depth"),
    (lambda: make_game("left_move", depth=0), "option depth of left_move is 0; it must be from 1 to 10000"),
    (lambda: LeftMove(depth="deep"), "option depth of left_move is 'deep'; it must be a whole number"),
    (lambda: LeftMove(1, 2), "left_move has 1 options (depth), but got 2 values"),
    (lambda: make_searcher("alphabeta"), "unknown searcher 'alphabeta'; searchers: sampling, nested"),
    (lambda: make_searcher("nested(depth=3)"), "nested has no option 'depth'; its options are: level, memory"),
    (lambda: Nested(level=99), "option level of nested is 99; it must be from 0 to 8"),
    (lambda: Nested(playout="wild").search(LeftMove().new_initial_state()),
     "left_move has no playout policy 'wild'; allowed: uniform"),
    (lambda: Nested().search(LeftMove().new_initial_state(), seed=-1), "seed is -1; it must be a whole number, 0 or more"),
    (lambda: LeftMove().new_initial_state(seed=0.5), "seed is 0.5; it must be a whole number, 0 or more"),
    (lambda: Nested().search(Nim().new_initial_state()), "nested searches games of 1 player; nim has 2"),
])
def test_wrong_input_is_one_line_that_says_what_is_allowed(make, message):
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_games_with_like_fields_are_not_equal():
    assert LeftMove(5) == LeftMove(5) != LeftMove(6)
    assert LeftMove(5) != Leftmost(5)
    assert len({LeftMove(5), LeftMove(5), Leftmost(5)}) == 2


def test_the_classes_of_the_registries_are_public():
    for cls in (*mctslab.GAMES.values(), *mctslab.SEARCHERS.values()):
        assert getattr(mctslab, cls.__name__) is cls
        assert cls.__name__ in mctslab.__all__


def test_a_game_of_ones_own_is_played():
    state = played(Nim(), 3, 1, 3)
    assert (state.current_player(), state.legal_actions(), state.is_terminal()) == (1, [1, 2, 3], False)
    assert state.position.left == 8
    assert played(Nim(5), 3, 2).returns() == (0.0, 1.0)
    assert played(Nim(5), 1, 3, 1).returns() == (1.0, 0.0)


def test_a_game_of_ones_own_ends_in_random_play():
    for seed in range(20):
        *_, (state, _) = positions(Nim(), seed)
        assert sorted(state.returns()) == [0.0, 1.0]


def test_a_game_of_ones_own_has_the_defaults():
    state = played(Nim(7), 2)
    assert str(Nim()) == "nim"
    assert str(Nim(7)) == "nim(heap=7)"
    assert str(state).startswith("nim(heap=7): ")
    assert state._repr_html_().startswith("<pre>nim(heap=7): ")
    assert state.action_to_string(2) == "2"
    assert snapshot(state.determinize(0, seed=1)) == snapshot(state)
    with pytest.raises(InputError, match="option heap of nim is 0; it must be from 1 to 100"):
        Nim(0)


def test_only_a_finished_game_has_returns():
    with pytest.raises(InputError, match="is not over"):
        played(Nim(), 1).returns()


def test_no_action_is_legal_after_the_end():
    with pytest.raises(InputError, match="action 1 is not legal here; the game is over"):
        played(Nim(1), 1, 1)


def test_a_clone_goes_its_own_way():
    state = played(Nim(), 1)
    before, copy = snapshot(state), state.clone()
    copy.apply_action(3)
    assert snapshot(state) == before != snapshot(copy)
    assert copy.position.left == 11


def test_a_player_who_is_not_there_sees_nothing():
    with pytest.raises(InputError, match="player is 2; allowed: 0, 1"):
        Nim().new_initial_state().determinize(2, seed=1)


def test_a_game_needs_a_field_with_a_default():
    with pytest.raises(TypeError, match="game Bare needs at least one field, and a default for each"):
        @game
        class Bare(NamedTuple):
            size: int


def test_the_public_names_are_there():
    assert {"GAMES", "SEARCHERS", "InputError", "SearchResult", "State", "game", "jit", "make_game",
            "make_searcher"} <= set(mctslab.__all__)
    assert mctslab.jit is jit


def test_after_plays_a_sequence_on_a_copy_and_stops_at_an_illegal_action():
    state = mctslab.LeftMove(depth=3).new_initial_state()
    assert state.after([0, 0, 1]).returns() == (2.0,) and not state.is_terminal()
    with pytest.raises(mctslab.InputError, match="action 5 is not legal here; legal: 0, 1"):
        state.after([0, 5])


def test_drawings_stand_side_by_side_in_one_svg():
    drawing = mctslab.SameGame(rows=2, cols=3).new_initial_state()._repr_html_()
    whole = mctslab.draw.side_by_side([drawing] * 5, columns=2)
    assert whole.count("<svg") == 6 and whole.count("</svg>") == 6


def walk_with(method, fault):
    """The rules of a short walk, one method replaced."""
    class Walk(NamedTuple):
        steps: int = 4
        players = 1
        dtype, max_actions, start, play = Leftmost.dtype, Leftmost.max_actions, Leftmost.start, Leftmost.play
        legal_actions, payoff = Leftmost.legal_actions, Leftmost.payoff

        def max_length(g):
            return g.steps

        def is_terminal(g, s):
            return s.ply >= g.steps
    setattr(Walk, method, fault)
    return Walk


FAULTS = {"payoff": (lambda g, s: np.nan, "payoff gives nan; it must be a finite number"),
          "legal_actions": (lambda g, s, buf: 0, "legal_actions gives 0 actions before the end; it must give from 1"),
          "max_length": (lambda g: 2, "a game is longer than max_length")}


@pytest.mark.parametrize("method", FAULTS)
def test_a_slip_in_ones_own_rules_is_named_before_compiled_code_runs_into_it(method):
    fault, message = FAULTS[method]
    broken = game(walk_with(method, fault))
    with pytest.raises(InputError, match=message):
        Nested(level=1).search(broken().new_initial_state())


def test_a_search_of_no_time_at_all_still_has_a_result():
    result = Nested(level=1, seconds=1e-300).search(Leftmost(depth=5).new_initial_state())
    assert len(result.actions) == 5 and result.simulations >= 1
