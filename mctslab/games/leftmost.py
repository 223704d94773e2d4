"""Leftmost path (Cazenave, Nested Monte-Carlo Search, IJCAI 2009, section 3).

A binary tree of a given depth: each move goes left (0) or right (1). The score is the number of left moves before the first
right move, so the best score is the depth and random play gains 1 - 2**-depth on average. Any nested search of level 1
finds the optimum, after depth * (depth - 1) random moves.
"""
from typing import NamedTuple

import numpy as np

from ..core import game

LEFT, RIGHT = 0, 1


@game
class Leftmost(NamedTuple):
    depth: int = 60

    players = 1
    limits = {"depth": (1, 10_000)}

    def dtype(g):
        return np.dtype([("ply", "i4"),         # moves made
                         ("lefts", "i4"),       # left moves that count
                         ("turned", "i4")],     # has there been a right move?
                        align=True)

    def max_actions(g):
        return 2

    def max_length(g):
        return g.depth

    def num_codes(g):
        return 2 * g.depth

    def start(g, s, rng):
        s.ply = 0
        s.lefts = 0
        s.turned = 0

    def legal_actions(g, s, buf):
        buf[0] = LEFT
        buf[1] = RIGHT
        return 2

    def play(g, s, a, rng):
        s.turned |= a
        s.lefts += 1 - s.turned
        s.ply += 1

    def is_terminal(g, s):
        return s.ply >= g.depth

    def payoff(g, s):
        return np.float64(s.lefts)

    def code(g, s, a):
        return 2 * s.ply + a

    def action_to_string(g, s, a):
        return "right" if a else "left"
