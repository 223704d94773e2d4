"""UCT (Kocsis and Szepesvari, 2006), in the form of Cazenave's course on Monte Carlo search.

A simulation goes down from the root by the move with the highest ::

    Q(s, a) + c sqrt(ln N(s) / n(s, a))

where Q is the mean payoff of the player to move, n the visits of the move and N those of the position; a move without visits
has the value of the first-play urgency `fpu`, by default higher than any other. The first position that has not been visited
becomes a node and is valued by one playout. The move played is the most simulated one.

With `solver` (MCTS-Solver: Winands, Bjornsson and Saito, 2008) wins and losses that are certain are remembered: a move to a
won end is a proven win, a position with a proven win for the player to move is proven, and so is one whose moves are all
proven losses. A search ends when its root is proven. Draws are not proven.
"""
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import jit
from .player import TreeSearcher
from .tree import ROOT, TERMINAL, UNVISITED, backup, count, enter, expand, has_room, highest, take


class Settings(NamedTuple):
    """The options in the form that compiled code takes."""

    c2: np.float32      # square of the constant
    fpu: np.float32
    solver: bool
    policy: int


@jit
def logarithm(path, n):
    """Natural logarithm of a count from a table, the same on every machine."""
    halvings = np.float32(0)
    while n >= path.logs.size:
        n >>= 1
        halvings += np.float32(1)
    return path.logs[n] + halvings * np.float32(0.6931472)


@jit
def select(node, all_visits, all_wins, path, settings):
    """The edge to take from a node (a record)."""
    first = np.int64(node.first)
    n = np.int64(node.degree)
    visits = all_visits[first:first + n]        # of slices, and with all scores before the choice: vector code
    wins = all_wins[first:first + n]
    exploration = settings.c2 * logarithm(path, np.int64(node.visits))
    for i in range(n):
        each = np.float32(1) / max(visits[i], np.float32(1))
        score = wins[i] * each + np.sqrt(exploration * each)
        path.scores[i] = score if visits[i] > 0 else settings.fpu
    return first + highest(path.scores, n)


@jit
def is_lost(tree, node):
    """Is every move of a node a proven loss?"""
    first = np.int64(tree.nodes[node].first)
    lost = True
    for edge in range(first, first + np.int64(tree.nodes[node].degree)):
        lost &= tree.wins[edge] == -np.inf
    return lost


@jit
def prove(tree, path, depth, winner):
    """The path leads to a certain win of `winner`: mark its edges and nodes, from the end, as far as that decides them."""
    for d in range(depth - 1, -1, -1):
        node = path.nodes[d]
        if path.movers[d] == winner:
            tree.wins[path.edges[d]] = np.inf
        else:
            tree.wins[path.edges[d]] = -np.inf
            if not is_lost(tree, node):
                return
        tree.nodes[node].winner = 1 + winner


@jit
def uct(g, root, tree, rng, settings, simulations):
    """Make simulations, as long as the tree has room and the root is not proven."""
    s, path = tree.states[0], tree.paths[0]
    for _ in range(simulations):
        if not has_room(path) or tree.nodes[ROOT].winner != 0:
            return
        tree.states[0] = root[0]
        node = np.int64(ROOT)
        depth = np.int64(0)
        while True:
            if tree.nodes[node].degree == 0:
                expand(g, s, path, tree.nodes[node], tree.action, tree.code, tree.child, tree.visits, tree.wins)
            edge = select(tree.nodes[node], tree.visits, tree.wins, path, settings)
            take(g, s, path, rng, tree.action, tree.code, node, edge, depth)
            depth += 1
            if g.is_terminal(s):
                node = np.int64(TERMINAL)
                break
            node = np.int64(tree.child[edge])
            if node == UNVISITED:
                node = enter(g, s, path, tree.nodes, tree.table)
                tree.child[edge] = node
            if tree.nodes[node].visits == 0 or tree.nodes[node].winner != 0:
                break
        length = depth
        winner = np.int64(-1)
        if node == TERMINAL:
            payoff = np.float32(g.payoff(s))
            if payoff == 0 or payoff == 1:
                winner = 1 - np.int64(payoff)
        elif tree.nodes[node].winner != 0:
            winner = np.int64(tree.nodes[node].winner) - 1
            payoff = np.float32(1 - winner)
        else:
            length = np.int64(g.playout_as(settings.policy, s, rng, path.sequence, depth, path.buffer))
            payoff = np.float32(g.payoff(s))
        backup(tree.nodes, tree.visits, tree.wins, path, depth, node, payoff)
        count(path, depth, node, length)
        if settings.solver and winner >= 0:
            prove(tree, path, depth, winner)


@dataclass(frozen=True)
class UCT(TreeSearcher):
    """UCT: upper confidence bounds applied to trees.

    Parameters
    ----------
    c : float
        Exploration constant.
    fpu : float
        First-play urgency: the value of a move that has not been tried. 1e6 tries all moves of a node before any twice.
    solver : bool
        Prove wins and losses.
    transpositions : bool
        Equal positions share their statistics.
    simulations, seconds, playout
        As in `TreeSearcher`.
    """

    name: ClassVar[str] = "uct"
    limits: ClassVar[dict] = TreeSearcher.limits | {"c": (0, 100), "fpu": (0, 1e6)}

    c: float = 0.4
    fpu: float = 1e6
    solver: bool = False
    transpositions: bool = True

    def advance(self, game, root, work, rng, simulations):
        settings = Settings(np.float32(self.c**2), np.float32(self.fpu), self.solver, self.playout_policy(game))
        uct(game, root, work.tree, rng, settings, simulations)
