"""RAVE and GRAVE (Gelly and Silver, 2007; Cazenave, Generalized Rapid Action Value Estimation, IJCAI 2015).

A simulation goes down from the root by the move with the highest ::

    (1 - beta) Q + beta Q~        beta = n~ / (n~ + n + bias n n~)

where Q and n are the mean payoff and the visits of the move in this position, Q~ and n~ the same of its code in the playouts
of a reference position, wherever in the playout it stands (see amaf.py). The reference is the last position on the path with
more than `ref` playouts, the root if there is none; with ref = 0 each position is its own, which is RAVE. A code with n~ = 0
comes first. There is no exploration term. The value is computed by one division::

    (w f + w~) / (n f + n~)       f = 1 + bias n~,  w = n Q,  w~ = n~ Q~

Cazenave's course program counts a playout's codes at a node together with those of the moves above it; here they count from
the node onwards, as in the paper.
"""
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import jit
from .amaf import find_codes, line_up, root_statistics, start_row, update_amaf
from .player import TreeSearcher
from .tree import ROOT, TERMINAL, UNVISITED, backup, count, enter, expand, has_room, highest, take


class Settings(NamedTuple):
    """The options in the form that compiled code takes."""

    ref: int
    bias: np.float32
    policy: int


@jit
def select(node, row, all_codes, all_visits, all_wins, path, player, bias):
    """The edge that the player to move takes from a node (a record); the row is the reference's."""
    first = np.int64(node.first)
    n = np.int64(node.degree)
    codes = all_codes[first:first + n]      # of slices, and with all scores before the choice: vector code
    visits = all_visits[first:first + n]
    wins = all_wins[first:first + n]
    line_up(path, row, codes)
    for i in range(n):
        one, two = path.amaf[i, 0], path.amaf[i, 1]
        amaf_wins = one if player == 0 else two
        amaf_visits = one + two
        f = np.float32(1) + bias * amaf_visits
        weighted = wins[i] * f + amaf_wins if amaf_visits > 0 else np.float32(np.inf)
        path.scores[i] = weighted / (visits[i] * f + amaf_visits)
    return first + highest(path.scores, n)


@jit
def grave(g, root, tree, rng, settings, simulations):
    """Make simulations, as long as the tree has room."""
    s, path = tree.states[0], tree.paths[0]
    for _ in range(simulations):
        if not has_room(path):
            return
        tree.states[0] = root[0]
        node = np.int64(ROOT)
        reference = np.int64(ROOT)
        depth = np.int64(0)
        while True:
            if tree.nodes[node].degree == 0:
                expand(g, s, path, tree.nodes[node], tree.action, tree.code, tree.child, tree.visits, tree.wins)
                start_row(tree.amaf, path, tree.nodes[node])
            if tree.nodes[node].visits > settings.ref:
                reference = node
            row = tree.amaf[tree.nodes[reference].row]
            edge = select(tree.nodes[node], row, tree.code, tree.visits, tree.wins, path, np.int64(g.current_player(s)),
                          settings.bias)
            take(g, s, path, rng, tree.action, tree.code, node, edge, depth)
            depth += 1
            if g.is_terminal(s):
                node = np.int64(TERMINAL)
                break
            node = np.int64(tree.child[edge])
            if node == UNVISITED:
                node = enter(g, s, path, tree.nodes, tree.table)
                tree.child[edge] = node
            if tree.nodes[node].visits == 0:
                break
        length = depth
        if node != TERMINAL:
            length = np.int64(g.playout_as(settings.policy, s, rng, path.sequence, depth, path.buffer))
        payoff = np.float32(g.payoff(s))
        find_codes(path, depth, length)
        update_amaf(tree.nodes, tree.amaf, path, depth, node, payoff)
        backup(tree.nodes, tree.visits, tree.wins, path, depth, node, payoff)
        count(path, depth, node, length)


@dataclass(frozen=True)
class GRAVE(TreeSearcher):
    """Generalized rapid action value estimation.

    Parameters
    ----------
    ref : int
        The reference for AMAF statistics is the last position on the path with more than this many playouts.
    bias : float
        How soon a move's own statistics outweigh its AMAF statistics.
    transpositions : bool
        Equal positions share their statistics.
    simulations, seconds, playout
        As in `TreeSearcher`.
    """

    name: ClassVar[str] = "grave"
    limits: ClassVar[dict] = TreeSearcher.limits | {"ref": (0, None), "bias": (0, 1)}
    amaf: ClassVar[bool] = True

    ref: int = 50
    bias: float = 1e-5
    transpositions: bool = True

    def advance(self, game, root, work, rng, simulations):
        settings = Settings(self.ref, np.float32(self.bias), self.playout_policy(game))
        grave(game, root, work.tree, rng, settings, simulations)

    def more_columns(self, work, edges, player):
        return root_statistics(work.tree, edges, player)


@dataclass(frozen=True)
class RAVE(TreeSearcher):
    """Rapid action value estimation: GRAVE in which each position is its own reference.

    Parameters
    ----------
    bias : float
        How soon a move's own statistics outweigh its AMAF statistics.
    transpositions : bool
        Equal positions share their statistics.
    simulations, seconds, playout
        As in `TreeSearcher`.
    """

    name: ClassVar[str] = "rave"
    limits: ClassVar[dict] = TreeSearcher.limits | {"bias": (0, 1)}
    amaf: ClassVar[bool] = True

    bias: float = 1e-5
    transpositions: bool = True

    def advance(self, game, root, work, rng, simulations):
        settings = Settings(0, np.float32(self.bias), self.playout_policy(game))
        grave(game, root, work.tree, rng, settings, simulations)

    def more_columns(self, work, edges, player):
        return root_statistics(work.tree, edges, player)
