"""Flat Monte Carlo: playouts after each action in turn; the action with the best mean is played."""
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core import jit
from .player import TreeSearcher
from .tree import ROOT, SIMULATIONS, TERMINAL, backup, count, expand, take


@jit
def flat(g, root, tree, rng, policy, simulations):
    """Make simulations; the root is the only node."""
    s, path = tree.states[0], tree.paths[0]
    node = tree.nodes[ROOT]
    for _ in range(simulations):
        tree.states[0] = root[0]
        if node.degree == 0:
            expand(g, s, path, node, tree.action, tree.code, tree.child, tree.visits, tree.wins)
        edge = np.int64(node.first) + path.counts[SIMULATIONS] % np.int64(node.degree)
        take(g, s, path, rng, tree.action, tree.code, ROOT, edge, 0)
        length, leaf = np.int64(1), TERMINAL
        if not g.is_terminal(s):
            length, leaf = np.int64(g.playout_as(policy, s, rng, path.sequence, 1, path.buffer)), ROOT
        backup(tree.nodes, tree.visits, tree.wins, path, 1, TERMINAL, np.float32(g.payoff(s)))
        count(path, 1, leaf, length)


@dataclass(frozen=True)
class Flat(TreeSearcher):
    """Flat Monte Carlo: the same number of playouts after each action.

    Parameters
    ----------
    simulations, seconds, playout
        As in `TreeSearcher`.
    """

    name: ClassVar[str] = "flat"

    def growth(self, game):
        return 0, 0, 0

    def choose(self, visits, value):
        return np.argmax(value)

    def advance(self, game, root, work, rng, simulations):
        flat(game, root, work.tree, rng, self.playout_policy(game), simulations)
