"""Tic-tac-toe on size x size cells: the player who first fills a row, a column or a diagonal wins; a full board is a draw.

A small game whose whole tree can be searched. This file shows what a game needs and nothing else.

Known values (size 3): 255,168 games, of which the first player wins 131,184, the second 77,904 and 46,080 are drawn; with
perfect play it is a draw.
"""
from typing import NamedTuple

import numpy as np

from ..core import game, jit

EMPTY = 0       # of a cell; player p's mark is p + 1


@jit
def completes_line(size, cells, action):
    """Is the row, the column or a diagonal of this cell full of its mark?"""
    mark = cells[action]
    row = action // size
    col = action % size
    in_row = in_col = in_falling = in_rising = True
    for i in range(size):
        in_row &= cells[row * size + i] == mark
        in_col &= cells[i * size + col] == mark
        in_falling &= cells[i * size + i] == mark
        in_rising &= cells[i * size + size - 1 - i] == mark
    return in_row | in_col | in_falling | in_rising


@game
class TicTacToe(NamedTuple):
    size: int = 3

    name = "tictactoe"
    limits = {"size": (1, 6)}

    def dtype(g):
        return np.dtype([("cells", "i1", (g.size * g.size,)),       # in reading order
                         ("ply", "i4"),                             # marks on the board
                         ("winner", "i4")],                         # -1 while there is none
                        align=True)

    def max_actions(g):
        return g.size * g.size

    def max_length(g):
        return g.size * g.size

    def start(g, s, rng):
        for cell in range(g.size * g.size):
            s.cells[cell] = EMPTY
        s.ply = 0
        s.winner = -1

    def current_player(g, s):
        return np.int64(s.ply) % 2

    def legal_actions(g, s, buf):
        """An action is the cell to mark."""
        n = 0
        for cell in range(g.size * g.size):
            if s.cells[cell] == EMPTY:
                buf[n] = cell
                n += 1
        return n

    def play(g, s, a, rng):
        player = g.current_player(s)
        s.cells[a] = player + 1
        s.ply += 1
        if completes_line(g.size, s.cells, a):
            s.winner = player

    def is_terminal(g, s):
        return s.winner >= 0 or s.ply == g.size * g.size

    def payoff(g, s):
        return 0.5 if s.winner < 0 else 1.0 - s.winner

    def code(g, s, a):
        """The cell and who marks it."""
        return a + g.current_player(s) * g.size * g.size

    def key(g, s):
        """The board read as a number of base 3 after a digit 1; its marks say whose turn it is."""
        number = np.int64(1)
        for cell in range(g.size * g.size):
            number = 3 * number + s.cells[cell]
        return np.uint64(number)

    def action_to_string(g, s, a):
        """``b3``: the column's letter, the row's number."""
        return f"{chr(ord('a') + a % g.size)}{a // g.size + 1}"
