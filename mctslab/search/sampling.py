"""Iterative sampling: playouts from the root, the best is kept (Langley 1992; level 0 of nested search, repeated)."""
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import jit, new_records
from .solver import FINISHED, IMPROVED, PLAYOUTS, PLIES, RUNNING, SEEN_LENGTH, Solver, copy_line, finish_with_seen


class Work(NamedTuple):
    states: np.ndarray      # [2]: root, playout
    trace: np.ndarray       # int32 [max_length]
    buffer: np.ndarray      # int32 [max_actions]
    left: np.ndarray        # int64 [1]: playouts of this run still to make


@jit
def sample(g, work, progress, rng, policy, playouts):
    """Make playouts until so many are made, one is a new best, or the run is over."""
    for _ in range(min(playouts, work.left[0])):
        work.left[0] -= 1
        work.states[1] = work.states[0]
        s = work.states[1]
        n = g.playout_as(policy, s, rng, work.trace, 0, work.buffer)
        score = np.float64(g.payoff(s))
        progress.count[PLAYOUTS] += 1
        progress.count[PLIES] += n
        if score > progress.seen[0]:
            progress.seen[0] = score
            progress.count[SEEN_LENGTH] = n
            copy_line(progress.seen_line, 0, work.trace, n)
            if work.left[0] > 0:
                return IMPROVED
    if work.left[0] > 0:
        return RUNNING
    finish_with_seen(progress)
    return FINISHED


@dataclass(frozen=True)
class Sampling(Solver):
    """Iterative sampling.

    Parameters
    ----------
    playout : str
        Playout policy of the game; empty for its default.
    restarts, simulations, seconds
        As in `Solver`; a run is one playout.
    """

    name: ClassVar[str] = "sampling"
    cuts_runs: ClassVar[bool] = False

    playout: str = ""
    restarts: int = 0
    simulations: int = 0
    seconds: float = 0.0

    def allowed_runs(self):
        return 1        # one call of the kernel makes all playouts: a playout is far shorter than a call

    def prepare(self, game):
        return Work(new_records(game, 2), np.zeros(game.max_length(), np.int32), np.zeros(game.max_actions(), np.int32),
                    np.zeros(1, np.int64))

    def begin(self, game, root, work):
        work.states[0] = root[0]
        runs = super().allowed_runs()
        work.left[0] = runs if np.isfinite(runs) else np.iinfo(np.int64).max

    def advance(self, game, work, progress, rng, playouts):
        return sample(game, work, progress, rng, self.playout_policy(game), playouts)
