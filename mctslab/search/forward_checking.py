"""Depth-first search for a solution, with the pruning that the game itself does.

On `sudoku` this is forward checking with the smallest domain first, the baseline of Cazenave's Nested Monte-Carlo Search
(IJCAI 2009): each assignment removes its value from the domains of the peers, and a domain that becomes empty
refutes the line. The values of a cell are tried in random order, drawn when the cell is reached. Any other game with a
target score is searched in the same way, without pruning where its rules have none.

A line ends in a terminal position; it counts as one simulation. The search goes back to the last position with an action
untried, so it finds a solution if there is one, given time, and otherwise ends with the best line seen.
"""
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import InputError, below, jit, new_records
from .solver import FINISHED, IMPROVED, PLAYOUTS, PLIES, RUNNING, SEEN_LENGTH, Solver, copy_line, finish_with_seen

ORDER = ("shuffled", "game")


class Work(NamedTuple):
    """The line in progress: row d is the position after d actions."""

    states: np.ndarray      # [max_length + 1]: positions
    actions: np.ndarray     # int32 [max_length + 1, max_actions]: legal there, in the order of trying
    legal: np.ndarray       # int64 [max_length + 1]: how many
    tried: np.ndarray       # int64 [max_length + 1]: how many of them have been tried
    line: np.ndarray        # int32 [max_length]: the actions played
    depth: np.ndarray       # int64 [1]: how many


@jit
def open_position(g, work, rng, depth, shuffled):
    """List the actions to try at a depth."""
    buffer = work.actions[depth]
    n = np.int64(g.search_actions(work.states[depth], buffer))
    if shuffled:
        for i in range(n - 1, 0, -1):
            j = below(rng, i + 1)
            buffer[i], buffer[j] = buffer[j], buffer[i]
    work.legal[depth] = n
    work.tried[depth] = 0


@jit
def keep_seen(work, progress, depth, score):
    progress.seen[0] = score
    progress.count[SEEN_LENGTH] = depth
    copy_line(progress.seen_line, 0, work.line, depth)


@jit
def search_lines(g, work, progress, rng, shuffled, lines):
    """Go on until so many lines have ended, one is a new best, or all are searched."""
    limit = progress.count[PLAYOUTS] + lines
    depth = work.depth[0]
    if work.legal[0] == 0:
        open_position(g, work, rng, 0, shuffled)
    while True:
        action = np.int64(work.actions[depth, work.tried[depth]])
        work.tried[depth] += 1
        work.line[depth] = action
        work.states[depth + 1] = work.states[depth]
        depth += 1
        s = work.states[depth]
        g.play(s, action, rng)
        progress.count[PLIES] += 1
        if not g.is_terminal(s):
            open_position(g, work, rng, depth, shuffled)
            continue
        progress.count[PLAYOUTS] += 1
        score = np.float64(g.payoff(s))
        improved = score > progress.seen[0]
        if improved:
            keep_seen(work, progress, depth, score)
        depth -= 1
        while depth >= 0 and work.tried[depth] == work.legal[depth]:
            depth -= 1
        if depth < 0:
            finish_with_seen(progress)
            return FINISHED
        if improved or progress.count[PLAYOUTS] >= limit:
            work.depth[0] = depth
            return IMPROVED if improved else RUNNING


@dataclass(frozen=True)
class ForwardChecking(Solver):
    """Depth-first search; forward checking on constraint problems.

    Parameters
    ----------
    order : str
        Order in which actions are tried: ``"shuffled"`` anew at each position, or ``"game"`` as the game lists them.
    simulations : int
        Lines to search, each to its end; 0 for no limit.
    seconds : float
        Time to use; 0 for no limit. The best line so far is returned.
    """

    name: ClassVar[str] = "forward_checking"
    limits: ClassVar[dict] = {"simulations": (0, None), "seconds": (0, 1e9)}
    choices: ClassVar[dict] = {"order": ORDER}

    order: str = "shuffled"
    simulations: int = 0
    seconds: float = 0.0

    def check_game(self, game):
        super().check_game(game)
        if not np.isfinite(game.target()):
            raise InputError(f"{self.name} searches for a target score, and {game.name} has none")

    def allowed_runs(self):
        return 1        # a second run would search the same tree

    def prepare(self, game):
        rows = game.max_length() + 1
        return Work(new_records(game, rows), np.zeros((rows, game.max_actions()), np.int32), np.zeros(rows, np.int64),
                    np.zeros(rows, np.int64), np.zeros(rows - 1, np.int32), np.zeros(1, np.int64))

    def begin(self, game, root, work):
        work.states[0] = root[0]
        work.legal[0] = 0       # the kernel lists the root's actions: it has the random stream
        work.depth[0] = 0

    def advance(self, game, work, progress, rng, playouts):
        return search_lines(game, work, progress, rng, self.order == "shuffled", playouts)
