"""A player that cheats: UCT on the true position, with all that is hidden from him. An upper bound for honest searches."""
from dataclasses import dataclass
from typing import ClassVar

from .uct import UCT


@dataclass(frozen=True)
class Cheat(UCT):
    """UCT that sees the cards of its opponent and those to be drawn.

    Parameters
    ----------
    c, fpu, solver, transpositions
        As in `UCT`.
    simulations, seconds, playout
        As in `TreeSearcher`.
    """

    name: ClassVar[str] = "cheat"
    needs_all: ClassVar[bool] = False       # it takes all

    c: float = 0.7071
