"""Left move (Cazenave, Nested Monte-Carlo Search, IJCAI 2009, section 3).

The tree of `leftmost`, scored by the number of left moves wherever they stand: random play is Binomial(depth, 1/2). The
score of nested searches follows exact laws (`mctslab.theory`), which makes it the test of every nested search.
"""
from typing import NamedTuple

import numpy as np

from ..core import game
from .leftmost import Leftmost


@game
class LeftMove(NamedTuple):
    depth: int = 60

    players = 1
    limits = Leftmost.limits

    def dtype(g):
        return np.dtype([("ply", "i4"),         # moves made
                         ("lefts", "i4")],      # left moves among them
                        align=True)

    max_actions = Leftmost.max_actions
    max_length = Leftmost.max_length
    num_codes = Leftmost.num_codes
    legal_actions = Leftmost.legal_actions
    is_terminal = Leftmost.is_terminal
    payoff = Leftmost.payoff
    code = Leftmost.code
    action_to_string = Leftmost.action_to_string

    def start(g, s, rng):
        s.ply = 0
        s.lefts = 0

    def play(g, s, a, rng):
        s.lefts += 1 - a
        s.ply += 1
