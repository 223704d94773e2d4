"""The wargame: rules by hand and against a second engine, ends, move codes."""
import itertools

import numpy as np
import pytest
from conftest import code, named, play
from scipy.stats import chisquare

from mctslab import InputError, make_game
from mctslab.core import below, jit, stream
from mctslab.search.playouts import sample_playouts

DIRECTIONS = [(1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1)]     # (rows, columns)


class Plain:
    """The rules once more: a dictionary of (row, column) -> (player, strength)."""

    def __init__(self, size):
        self.size, self.ply, self.limit = size, 0, 2 * (size**2 // 3)
        self.units = {}
        for player, n in ((0, size // 2 + 2), (1, size // 2)):
            for i in range(n):
                strength = 2 - i % 2
                self.units[(0 if player == 0 else size - 2, (2 * i + 1) * size // (2 * n))] = (player, strength)

    def moves(self):
        found = set()
        for (row, col), (player, strength) in self.units.items():
            for number, (down, right) in enumerate(DIRECTIONS[:3] if player == 0 else DIRECTIONS):
                there = (row + down, col + right)
                inside = 0 <= there[0] < self.size and 0 <= there[1] < self.size
                other = self.units.get(there)
                if player == self.ply % 2 and inside and (other is None or other[0] != player and other[1] <= strength):
                    found.add(8 * (self.size * row + col) + number)
        return found

    def play(self, action):
        row, col = divmod(action // 8, self.size)
        there = (row + DIRECTIONS[action % 8][0], col + DIRECTIONS[action % 8][1])
        unit, enemy = self.units.pop((row, col)), self.units.pop(there, None)
        if enemy is None or enemy[1] < unit[1]:
            self.units[there] = unit
        self.ply += 1

    def winner(self):
        left = {player for player, _ in self.units.values()}
        if any(player == 0 and row == self.size - 1 for (row, _), (player, _) in self.units.items()) or left == {0}:
            return 0
        if 0 not in left or self.ply >= self.limit:
            return 1
        return None if self.moves() else (self.ply + 1) % 2


def put(units, size=5, ply=0):
    """A state with these units: {name of a cell: strength, negative the defender's}."""
    state = make_game("wargame", size=size).new_initial_state()
    s = state.position
    s.force[:], s.units[:], s.ply = 0, 0, ply
    for name, force in units.items():
        cell, player = (int(name[1:]) - 1) * size + ord(name[0]) - ord("a"), int(force < 0)
        s.force[cell] = force
        s.where[player, s.units[player]] = cell
        s.units[player] += 1
    return state


def test_both_engines_agree_at_every_ply_of_random_games():
    winners = []
    for size, seed in itertools.product((5, 7, 8), range(60)):
        state, plain, rng = make_game("wargame", size=size).new_initial_state(), Plain(size), stream(seed, "test")
        while plain.winner() is None:
            board = {divmod(cell, size): (int(f < 0), abs(f)) for cell, f in enumerate(state.position.force.tolist()) if f}
            legal = state.legal_actions()
            assert board == plain.units and set(legal) == plain.moves()
            action = legal[below(rng, len(legal))]
            state.apply_action(action)
            plain.play(action)
        assert state.returns()[0] == 1 - plain.winner()
        winners.append(plain.winner())
    assert 0.1 < np.mean(winners) < 0.9


def test_the_first_position_of_the_smallest_board():
    """Four attackers on a1, b1, d1, e1 have 2 + 3 + 3 + 2 moves: nothing stands before them."""
    state = make_game("wargame", size=5).new_initial_state()
    assert str(state).splitlines()[1:] == [" 5 . . . . .", " 4 . D . d .", " 3 . . . . .", " 2 . . . . .", " 1 A a . A a",
                                           "   a b c d e"]
    assert len(state.legal_actions()) == 10


@pytest.mark.parametrize("attack, defence, board", [
    (2, -1, {"c3": 2}), (1, -1, {}), (2, -2, {})])
def test_the_stronger_unit_takes_the_cell_and_equals_are_both_lost(attack, defence, board):
    state = play(put({"b2": attack, "a1": 1, "c3": defence, "e5": -1}), "b2xc3")
    left = {"abcde"[cell % 5] + str(cell // 5 + 1): f for cell, f in enumerate(state.position.force.tolist()) if f}
    assert left == board | {"a1": 1, "e5": -1}


def test_nobody_attacks_a_stronger_unit():
    assert set(named(put({"b2": 1, "c3": -2}))) == {"b2-a3", "b2-b3"}


def test_the_ways_in_which_a_game_ends():
    through = play(put({"b4": 1, "e1": -1}), "b4-b5")
    no_defender = play(put({"b2": 2, "c3": -1}), "b2xc3")
    no_attacker = play(put({"b2": 1, "c3": -2}, ply=1), "c3xb2")
    in_time = play(put({"b2": 1, "e5": -1}, ply=15), "e5-e4")
    blocked = play(put({"a1": 1, "a2": -2, "b3": -2}, ply=1), "b3-b2")
    assert [state.returns()[0] for state in (through, no_defender, no_attacker, in_time, blocked)] == [1, 1, 0, 0, 0]


def test_who_is_annihilated_with_the_last_enemy_has_not_won_as_attacker():
    both = play(put({"b2": 1, "c3": -1}), "b2xc3")
    assert both.returns() == (0, 1)


def test_abstract_codes_tell_player_destination_and_combat_exact_ones_the_move():
    for words, different in (("abstract", False), ("exact", True)):
        state = make_game("wargame", size=7, codes=words).new_initial_state()
        names = named(state)
        assert (code(state, names["a1-b2"]) != code(state, names["c1-b2"])) is different
    state = put({"b2": 2, "d2": 2, "c3": -1})
    quiet = put({"b2": 2, "d2": 2, "e5": -1})
    assert code(state, named(state)["b2xc3"]) == code(state, named(state)["d2xc3"])
    assert code(state, named(state)["b2xc3"]) == code(quiet, named(quiet)["b2-c3"]) + 1


@jit
def key(g, root):
    return g.key(root[0])


def test_the_same_units_after_the_same_plies_have_the_same_key():
    start = make_game("wargame", size=7).new_initial_state()
    one, two = play(start, "a1-a2", "b6-b5", "c1-c2"), play(start, "c1-c2", "b6-b5", "a1-a2")
    back, later = play(start, "a1-a2", "b6-b5"), play(start, "a1-a2", "b6-b5", "c1-c2", "b5-b6", "e1-e2", "b6-b5")
    assert key(one.game, one.record) == key(two.game, two.record)
    assert len({key(state.game, state.record) for state in (start, one, back, later)}) == 4


def test_playouts_choose_uniformly_among_the_legal_moves():
    state = play(make_game("wargame", size=7).new_initial_state(), "c1-c2", "b6-b5", "c2-c3", "b5-b4")
    codes, _ = sample_playouts(state, 20_000, seed=3)
    expected = {}
    for action in state.legal_actions():
        expected[code(state, action)] = expected.get(code(state, action), 0) + 20_000 / len(state.legal_actions())
    counts = [int((codes[:, 0] == c).sum()) for c in expected]
    assert sum(counts) == 20_000
    assert chisquare(counts, list(expected.values())).pvalue > 1e-4


def test_sizes_out_of_range_are_named():
    with pytest.raises(InputError, match="size of wargame is 4"):
        make_game("wargame", size=4)
