"""Nim with one heap: the players in turn take 1, 2, ... or `take` things from it, and whoever takes the last one wins.

The smallest game with a theory: the player to move wins if and only if the number of things is not a multiple of take + 1,
by leaving such a multiple. (Bouton, Nim, a game with a complete mathematical theory, 1901; Bachet's game, 1612.)
"""
from typing import NamedTuple

import numpy as np

from ..core import game


@game
class Nim(NamedTuple):
    heap: int = 15      # things at the start
    take: int = 3       # the most that may be taken at once

    limits = {"heap": (1, 1000), "take": (1, 100)}

    def dtype(g):
        return np.dtype([("heap", "i4"),        # things left
                         ("turn", "i4")],       # the player to move
                        align=True)

    def max_actions(g):
        return g.take

    def max_length(g):
        return g.heap

    def start(g, s, rng):
        s.heap = g.heap
        s.turn = 0

    def current_player(g, s):
        return np.int64(s.turn)

    def legal_actions(g, s, buf):
        """An action is how many to take."""
        n = min(g.take, np.int64(s.heap))
        for i in range(n):
            buf[i] = i + 1
        return n

    def play(g, s, a, rng):
        s.heap -= a
        s.turn = 1 - s.turn

    def is_terminal(g, s):
        return s.heap == 0

    def payoff(g, s):
        """Whoever would have to move has lost."""
        return 1.0 if s.turn == 1 else 0.0

    def code(g, s, a):
        """How many, and who takes them."""
        return a - 1 + g.take * np.int64(s.turn)

    def key(g, s):
        return np.uint64(1 + 2 * np.int64(s.heap) + s.turn)

    def action_to_string(g, s, a):
        return f"take {a}"
