"""NoGo: who must capture loses.

Players place a stone on an empty point in turn, Black first. Every group must keep a liberty: a move that would capture is
illegal, and so is suicide. There is no pass: who has no legal move loses. (Rules as on M. Mueller's NoGo page,
webdocs.cs.ualberta.ca/~mmueller/nogo.)

Known values: Black wins on 1 x 5 by every first move, White wins on 4 x 4; more winners and winning first moves are in
tests/small_board_oracles.csv.
"""
from ..core import game
from .atari_go import AtariGo
from .stones import after_move


@game
class NoGo(AtariGo):
    name = "nogo"

    def tries(g, s, p, t):
        """May player t play on the empty point p?"""
        lives, takes = after_move(s, p, t)
        return lives and not takes
