"""What the tests of Go, AtariGo and NoGo share: a plain board, a counter of games, a solver, the table of known results.

The rules are said again, slowly, with sets of cells; the kernels work for any game of two players.
"""
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mctslab.core import jit, new_records, stream, u64
from mctslab.games.stones import area, board_rows

ORACLES = pd.read_csv(Path(__file__).parent / "small_board_oracles.csv", comment="#", keep_default_na=False)


class Plain:
    """A board as a dict from cells to players; groups by flood fill."""

    def __init__(self, rows, cols):
        self.cells = {(row, col): None for row in range(rows) for col in range(cols)}
        self.board, self.turn = {}, 0

    def beside(self, cell, steps=((-1, 0), (0, -1), (0, 1), (1, 0))):
        near = [(cell[0] + down, cell[1] + right) for down, right in steps]
        return [other for other in near if other in self.cells]

    def region(self, board, cell):
        """The cells of one kind that hang together with this one, and the kinds of cells around them."""
        kind, region, todo, around = board.get(cell), {cell}, [cell], set()
        while todo:
            for other in self.beside(todo.pop()):
                around.add(board.get(other))
                if board.get(other) == kind and other not in region:
                    region.add(other)
                    todo.append(other)
        return region, around

    def without_liberties(self, board, cells, player):
        """The player's groups that these cells belong to and that have no liberty."""
        regions = [self.region(board, cell) for cell in cells if board.get(cell) == player]
        return set().union(*(region for region, around in regions if None not in around))

    def after(self, cell):
        """(the board after a move, what it captures, what it loses)"""
        board = self.board | {cell: self.turn}
        captured = self.without_liberties(board, self.beside(cell), 1 - self.turn)
        board = {cell: player for cell, player in board.items() if cell not in captured}
        lost = self.without_liberties(board, [cell], self.turn)
        return {cell: player for cell, player in board.items() if cell not in lost}, captured, lost

    def empty(self):
        return [cell for cell in self.cells if cell not in self.board]

    def play(self, cell):
        if cell is not None:
            self.board = self.after(cell)[0]
        self.turn = 1 - self.turn

    def area(self):
        """Black's less White's."""
        total = sum(1 - 2 * player for player in self.board.values())
        for cell in self.empty():
            colours = self.region(self.board, cell)[1] - {None}
            total += (colours == {0}) - (colours == {1})
        return total


class PlainGo(Plain):
    """With ko, suicide, passes, eyes."""

    def __init__(self, game):
        super().__init__(game.size, game.columns())
        self.game, self.past, self.passes = game, [self.board], 0

    def is_legal(self, cell):
        board, captured, lost = self.after(cell)
        if lost and not self.game.suicide:
            return False
        return board not in (self.past if self.game.ko else self.past[-2:-1] if captured else ())

    def is_sensible(self, cell):
        return self.is_legal(cell) and not self.is_eye(cell) and self.after(cell)[2] != {cell}

    def is_eye(self, cell):
        corners = self.beside(cell, ((-1, -1), (-1, 1), (1, -1), (1, 1)))
        enemies = [other for other in corners if self.board.get(other) == 1 - self.turn]
        return {self.board.get(other) for other in self.beside(cell)} <= {self.turn} and len(enemies) <= (len(corners) == 4)

    def play(self, cell):
        super().play(cell)
        self.passes = self.passes + 1 if cell is None else 0
        self.past.append(self.board)


def read_board(state):
    """The stones of a state, as `Plain` keeps them."""
    board = board_rows(state.game, state.position)
    return {(row, col): int(board[row, col]) - 1 for row, col in np.argwhere(board).tolist()}


def workspace(game, depth):
    """States, actions and how many are left of them, by depth."""
    return new_records(game, depth + 1), np.zeros((depth + 1, game.max_actions()), np.int32), np.zeros(depth + 1, np.int64)


@jit
def count_from(g, states, actions, left, without, counts, captures, rng):
    d = 0
    left[0] = g.legal_actions(states[0], actions[0])
    counts[0] = 1
    while d >= 0:
        if left[d] == 0:
            d -= 1
            continue
        left[d] -= 1
        a = np.int64(actions[d, left[d]])
        if a == without:
            continue
        d += 1
        states[d] = states[d - 1]
        g.play(states[d], a, rng)
        counts[d] += 1
        over = g.is_terminal(states[d])
        captures[d] += over and states[d].stones[0] + states[d].stones[1] < states[d].ply
        left[d] = 0 if over or d + 1 == counts.size else g.legal_actions(states[d], actions[d])


def count_sequences(game, plies, without=-1):
    """How many sequences of 0, 1, 2, ... actions there are; how many of them end in a capture. One action is left out."""
    states, actions, left = workspace(game, plies)
    states[0] = game.new_initial_state().record[0]
    counts, captures = np.zeros(plies + 1, np.int64), np.zeros(plies + 1, np.int64)
    count_from(game, states, actions, left, without, counts, captures, stream(0, "count"))
    return counts.tolist(), captures.tolist()


@jit(allocates=True)
def sort_by_area(g, states, d, actions, n, rng):
    """Sort the actions of a position: the last wins at once or leaves the player to move the largest area."""
    scores = np.zeros(n)
    sign = 1 - 2 * np.int64(states[d].turn)
    for k in range(n):
        states[d + 1] = states[d]
        a = actions[d, k]
        g.play(states[d + 1], np.int64(a), rng)
        score = sign * (1000 * (2 * g.payoff(states[d + 1]) - 1) if g.is_terminal(states[d + 1]) else area(states[d + 1]))
        j = k
        while j > 0 and score < scores[j - 1]:
            scores[j], actions[d, j] = scores[j - 1], actions[d, j - 1]
            j -= 1
        scores[j], actions[d, j] = score, a


@jit
def find_winner(g, states, actions, left, keys, values, limit, at_limit, sort, rng):
    """Does Black win from states[0]? Depth first; results are kept in a table. At so many plies the answer is at_limit."""
    d = 0
    down = True                     # has a position been entered, or a result come back?
    wins = False
    while True:
        s = states[d]
        t = np.int64(s.turn)
        key = g.key(s) ^ (u64(s.ply) << u64(50))
        i = np.int64(key & u64(keys.size - 1))
        done = False
        if down:
            done = True
            if g.is_terminal(s):
                wins = g.payoff(s) == 1.0
            elif s.ply >= limit:
                wins = at_limit
            elif keys[i] == key:
                wins = values[i] == 1
            else:
                done = False
                left[d] = g.legal_actions(s, actions[d])
                if sort:
                    sort_by_area(g, states, d, actions, left[d], rng)
        elif left[d] == 0 or wins == (t == 0):      # the player to move wins if one of his actions does
            keys[i] = key
            values[i] = wins
            done = True
        if done:
            if d == 0:
                return wins
            d -= 1
        else:
            left[d] -= 1
            states[d + 1] = states[d]
            g.play(states[d + 1], np.int64(actions[d, left[d]]), rng)
            d += 1
        down = not done


class Solver:
    """Finds who wins positions of a game. Its table serves only one value of `at_limit`."""

    def __init__(self, game, limit=10_000, at_limit=False, sort=False, bits=20):
        self.game, self.space = game, workspace(game, game.max_length())
        self.tables = np.zeros(1 << bits, np.uint64), np.zeros(1 << bits, np.int8)
        self.how = limit, at_limit, sort

    def black_wins(self, state):
        self.space[0][0] = state.record[0]
        return bool(find_winner(self.game, *self.space, *self.tables, *self.how, stream(0, "solve")))


def winning_openings(game):
    """``lWl/lWl``: for each first move, does it win? ``i``: it is illegal."""
    large = game.max_actions() > 15
    solver, start = Solver(game, sort=large, bits=24 if large else 20), game.new_initial_state()
    legal = start.legal_actions()
    marks = ["i" if a not in legal else "W" if solver.black_wins(start.after([a])) else "l"
             for a in range(game.size * game.columns())]
    return "/".join("".join(marks[i:i + game.columns()]) for i in range(0, len(marks), game.columns()))


def openings_of(game_class):
    """(small game, its winning openings as known), the slow ones marked."""
    return [pytest.param(game_class(row.rows, row.cols), row.openings, row.result, id=f"{row.rows}x{row.cols}",
                         marks=pytest.mark.slow if row.rows * row.cols > 15 else ())
            for row in ORACLES[ORACLES.game == game_class.name].itertuples()]


def check_against_plain(game, plain, is_legal, seed):
    """Play a random game on both boards; the legal actions and the stones must agree at every ply."""
    state, rng = game.new_initial_state(), np.random.default_rng(seed)
    while not state.is_terminal():
        cells = [cell for cell in plain.empty() if is_legal(plain, cell)]
        assert state.legal_actions() == [row * game.columns() + col for row, col in cells]
        cell = cells[rng.integers(len(cells))]
        state.apply_action(cell[0] * game.columns() + cell[1])
        before = plain.board
        plain.play(cell)
        assert read_board(state) == plain.board
    return state, plain, before
