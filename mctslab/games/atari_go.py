"""AtariGo: the first capture wins.

Players place a stone on an empty point in turn, Black first. A move that takes the last liberty of a group of the opponent's
wins. Suicide is illegal (a move that captures is none). There is no pass: who has no legal move loses. (Also Ponnuki-Go;
van der Werf, Uiterwijk and van den Herik, Solving Ponnuki-Go on Small Boards, 2002; Cazenave's GRAVE paper, IJCAI 2015.)

Known values: Black wins on 3 x 4 by the middle row only, White wins on 4 x 4; more winners and winning first moves are in
tests/small_board_oracles.csv.
"""
from typing import NamedTuple

import numpy as np

from ..core import game
from .stones import (NO_POINT, action_name, action_of, board_dtype, clear, draw, hash_board, is_suicide, list_tries,
                     num_cells, place, point_of, position_key, update_hash)


@game
class AtariGo(NamedTuple):
    size: int = 9               # rows
    cols: int = 0               # 0: as many as rows

    limits = {"size": (1, 19), "cols": (0, 19)}

    def columns(g):
        return g.cols if g.cols > 0 else g.size

    def dtype(g):
        return board_dtype(g)

    def max_actions(g):
        return num_cells(g)

    def max_length(g):
        return num_cells(g)

    def start(g, s, rng):
        clear(g, s)
        g.end(s, 0)

    def current_player(g, s):
        return np.int64(s.turn)

    def tries(g, s, p, t):
        """May player t play on the empty point p?"""
        return not is_suicide(s, p, t)

    def legal_actions(g, s, buf):
        return list_tries(g, s, buf)

    def play(g, s, a, rng):
        p = point_of(g, a)
        taken = place(s, p, np.int64(s.turn))
        update_hash(s, p, np.int64(s.turn), taken)
        s.turn = 1 - s.turn
        s.ply += 1
        s.last = p
        g.end(s, taken)

    def end(g, s, taken):
        """Is the game over, now that the player to move has lost so many stones?"""
        s.over = 1
        if taken == 0:
            for k in range(np.int64(s.num_empties)):
                if g.tries(s, np.int64(s.empties[k]), np.int64(s.turn)):
                    s.over = 0
                    return

    def is_terminal(g, s):
        return s.over == 1

    def payoff(g, s):
        """The player to move has lost: by a capture, or since he has no legal move."""
        return 1.0 if s.turn == 1 else 0.0

    def code(g, s, a):
        return np.int64(s.turn) * num_cells(g) + a

    def key(g, s):
        return position_key(s)

    def playout(g, s, rng, trace, n, buf):
        """Uniformly random legal moves."""
        t = np.int64(s.turn)
        taken = np.int64(s.over)
        start = n
        while taken == 0:
            p = draw(g, s, t, rng)
            if p == NO_POINT:
                break
            trace[n] = t * num_cells(g) + action_of(g, p)
            n += 1
            taken = place(s, p, t)
            t = 1 - t
            s.last = p
        s.turn = t
        s.ply += n - start
        s.over = 1
        hash_board(g, s)
        return n

    def action_to_string(g, s, a):
        return action_name(g, a)
