"""What searchers of games with hidden information share: they search determinizations, never the true position."""
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core import jit
from .player import Player, TreeSearcher


@jit
def only_action(g, root, path):
    """The action to play if there is no other, else -1."""
    n = np.int64(g.search_actions(root[0], path.buffer))
    return np.int64(path.buffer[0]) if n == 1 else np.int64(-1)


@jit
def reward(g, s, score):
    """What the first player gets at the end of a game, in [0, 1]."""
    if score:
        share = g.score_difference(s) / (2 * g.score_scale())
        return np.float32(0.5 + min(max(share, -0.5), 0.5))
    return np.float32(g.payoff(s))


@dataclass(frozen=True)
class DeterminizingSearcher(TreeSearcher):
    """Base of the searchers that draw anew what is hidden from the player.

    Parameters
    ----------
    c : float
        Exploration constant of UCB1.
    reward : str
        What a simulation is worth: ``win``, or ``score`` for 0.5 + the difference in points / (2 `score_scale`), within
        [0, 1].
    """

    needs_all: ClassVar[bool] = False
    limits: ClassVar[dict] = TreeSearcher.limits | {"c": (0, 100)}
    choices: ClassVar[dict] = {"reward": ("win", "score")}

    c: float = 0.7071
    reward: str = "win"


class DeterminizingPlayer(Player):
    """A player that does not search where there is one action only."""

    def forced_action(self, state):
        return int(only_action(self.game, state.record, self.tree.paths[0]))
