"""Monte Carlo Permutation Search (Cazenave, arXiv 2510.06381).

A simulation goes down from the root by the move with the highest ::

    (n Q + n~ Q~ + n^ Q^) / (n + n~ + n^)

where Q and n are the mean payoff and the visits of the move in this position; Q~ and n~ its AMAF statistics at the reference
position (see amaf.py); Q^ and n^ its permutation statistics there: over those of the latest playouts, the window, that
contain all codes of the path from the root to the reference and the code of the move, in any order and at any place. Weights
in proportion to the counts are the best for independent estimates of one mean, so there is neither a bias nor an exploration
term. A move without any of the three comes first.

A playout of the window is the set of all codes of a simulation, from the root on, of both players. The permutation
statistics of a position are counted once, when a descent reaches it with `rho` or more visits, for the path of that descent:
the position is then frozen, and the reference below it. The root is the reference above; its permutation statistics are its
AMAF statistics, which count the same playouts. Frozen statistics are added to the row of AMAF statistics, which goes on
counting, so a value needs one row. The window starts empty for every move.

With `keep` a player's window lives on from move to move. The sets of its older playouts then begin at an earlier position
than the paths, which begin at the new root: such a playout counts wherever it contains the path's codes, though it may lack
moves that have been played since, and then went through positions that can no longer come about. More playouts, some of
them of another distribution. The root's statistics stay those of its own search.

This is a reading of the paper's summary: which playouts and codes count, and when, are our choices where it does not say.
The options `weight`, `disjoint`, `ref_amaf` and `keep` are for experiments with them and not in the paper.
"""
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import InputError, jit
from .amaf import find_codes, line_up, root_statistics, start_row, update_amaf
from .player import TreeSearcher
from .tree import ROOT, TERMINAL, UNVISITED, backup, count, enter, expand, has_room, highest, take
from .tree_table import code_statistics
from .window import HALVES, VISITS, count_playouts, empty, new_window, push


class Settings(NamedTuple):
    """The options in the form that compiled code takes."""

    rho: int
    weight: np.float32
    disjoint: bool
    ref_amaf: int
    policy: int


@jit
def freeze(amaf, permutations, window, path, depth, node, settings):
    """Count the permutation statistics of a node (a record), to which the path has led."""
    node.frozen = 1
    count_playouts(window, path.sequence, depth)
    row = amaf[node.row]
    for code in range(row.shape[0]):
        won = np.float32(window.counts[HALVES, code]) * np.float32(0.5)
        lost = np.float32(window.counts[VISITS, code]) - won
        for player in range(2):
            new = won if player == 0 else lost
            if settings.ref_amaf > 0:
                permutations[node.row, code, player] = new
            else:
                if settings.disjoint:
                    new = max(new - row[code, player], np.float32(0))
                row[code, player] += settings.weight * new


@jit
def select(node, row, weight, all_codes, all_visits, all_wins, path, player):
    """The edge that the player to move takes from a node (a record); the row is the reference's, permutations included."""
    first = np.int64(node.first)
    n = np.int64(node.degree)
    codes = all_codes[first:first + n]      # of slices, and with all scores before the choice: vector code
    visits = all_visits[first:first + n]
    wins = all_wins[first:first + n]
    line_up(path, row, codes)
    for i in range(n):
        one, two = weight * path.amaf[i, 0], weight * path.amaf[i, 1]
        mine, other = (one, two) if player == 0 else (two, one)
        total = visits[i] + mine + other
        path.scores[i] = (wins[i] + mine if total > 0 else np.float32(np.inf)) / total
    return first + highest(path.scores, n)


@jit
def select_apart(tree, path, node, reference, amaf_reference, settings, player):
    """As `select`, where AMAF and permutation statistics each have a reference of their own."""
    row = tree.amaf[tree.nodes[amaf_reference].row]
    permutations = tree.permutations[tree.nodes[reference].row]
    if reference == ROOT:
        permutations = tree.amaf[tree.nodes[ROOT].row]
    first = np.int64(node.first)
    n = np.int64(node.degree)
    for i in range(n):
        code = tree.code[first + i]
        more = row[code, player] + settings.weight * permutations[code, player]
        total = tree.visits[first + i] + more + row[code, 1 - player] + settings.weight * permutations[code, 1 - player]
        path.scores[i] = (tree.wins[first + i] + more) / total if total > 0 else np.float32(np.inf)
    return first + highest(path.scores, n)


@jit
def select_disjoint(tree, path, node, reference, player):
    """As `select`, where the row counts without the playouts of the move itself, which it contains."""
    row = tree.amaf[tree.nodes[reference].row]
    first = np.int64(node.first)
    n = np.int64(node.degree)
    for i in range(n):
        code = tree.code[first + i]
        won = max(tree.wins[first + i], row[code, player])
        lost = max(tree.visits[first + i] - tree.wins[first + i], row[code, 1 - player])
        path.scores[i] = won / (won + lost) if won + lost > 0 else np.float32(np.inf)
    return first + highest(path.scores, n)


@jit
def mcps(g, root, tree, window, rng, settings, simulations):
    """Make simulations, as long as the tree has room."""
    s, path = tree.states[0], tree.paths[0]
    nodes = tree.nodes
    for _ in range(simulations):
        if not has_room(path):
            return
        tree.states[0] = root[0]
        node = np.int64(ROOT)
        reference = np.int64(ROOT)
        amaf_reference = np.int64(ROOT)
        depth = np.int64(0)
        while True:
            here = nodes[node]
            if here.degree == 0:
                expand(g, s, path, here, tree.action, tree.code, tree.child, tree.visits, tree.wins)
                start_row(tree.amaf, path, here)
            if here.visits >= settings.rho and node != ROOT:
                if here.frozen == 0:
                    freeze(tree.amaf, tree.permutations, window, path, depth, here, settings)
                reference = node
            player = np.int64(g.current_player(s))
            if here.visits > settings.ref_amaf:
                amaf_reference = node
            if settings.disjoint:
                edge = select_disjoint(tree, path, here, reference, player)
            elif settings.ref_amaf > 0:
                edge = select_apart(tree, path, here, reference, amaf_reference, settings, player)
            else:
                weight = np.float32(1) + settings.weight if reference == ROOT else np.float32(1)
                row = tree.amaf[nodes[reference].row]
                edge = select(here, row, weight, tree.code, tree.visits, tree.wins, path, player)
            take(g, s, path, rng, tree.action, tree.code, node, edge, depth)
            depth += 1
            if g.is_terminal(s):
                node = np.int64(TERMINAL)
                break
            node = np.int64(tree.child[edge])
            if node == UNVISITED:
                node = enter(g, s, path, nodes, tree.table)
                tree.child[edge] = node
            if nodes[node].visits == 0:
                break
        length = depth
        if node != TERMINAL:
            length = np.int64(g.playout_as(settings.policy, s, rng, path.sequence, depth, path.buffer))
        payoff = np.float32(g.payoff(s))
        find_codes(path, depth, length)
        update_amaf(nodes, tree.amaf, path, depth, node, payoff)
        backup(nodes, tree.visits, tree.wins, path, depth, node, payoff)
        push(window.bits, window.results, window.total, path.codes, path.ends[0], payoff)
        count(path, depth, node, length)


@dataclass(frozen=True)
class MCPS(TreeSearcher):
    """Monte Carlo permutation search.

    Parameters
    ----------
    window : int
        How many of the latest playouts the permutation statistics are counted over.
    rho : int
        Visits at which a position's permutation statistics are counted and it becomes the reference below it.
    weight : float
        Factor of the counts of permutation statistics; 0 leaves GRAVE without bias.
    disjoint : bool
        Count a playout in one of the three statistics only: in AMAF statistics without those of the move itself, in
        permutation statistics without those of AMAF.
    ref_amaf : int
        If not 0, AMAF statistics have a reference of their own, the last position with more than this many playouts.
    transpositions : bool
        Equal positions share their statistics.
    keep : bool
        Keep the window of a `Player` from move to move, for one game: take a new player for the next. (`search` takes a new
        one each time.)
    simulations, seconds, playout
        As in `TreeSearcher`.

    Notes
    -----
    `SearchResult.tree` also has, of the parent, ``frozen`` (have its permutation statistics been counted?), and of the
    action's code there ``permutation_visits`` and ``permutation_value``. A frozen row holds the sum of both statistics, so
    that all four are NaN there. To see them, search with ``ref_amaf = rho - 1``: the search is the same (to the bit with
    weight 1, where all sums are exact), somewhat slower, and keeps them apart.
    """

    name: ClassVar[str] = "mcps"
    limits: ClassVar[dict] = TreeSearcher.limits | {"window": (1, 2**20), "rho": (1, None), "weight": (0, 1000),
                                                    "ref_amaf": (0, None)}
    amaf: ClassVar[bool] = True

    window: int = 10_000
    rho: int = 30
    weight: float = 1.0
    disjoint: bool = False
    ref_amaf: int = 0
    transpositions: bool = True
    keep: bool = False

    def __post_init__(self):
        super().__post_init__()
        if self.disjoint and self.ref_amaf:
            raise InputError(f"option ref_amaf of mcps is {self.ref_amaf}; it must be 0 with disjoint")

    @property
    def apart(self):
        return self.ref_amaf > 0

    def prepare(self, game):
        return new_window(game, self.window)

    def begin(self, work):
        if not self.keep:
            empty(work.more)

    def advance(self, game, root, work, rng, simulations):
        settings = Settings(self.rho, np.float32(self.weight), self.disjoint, self.ref_amaf, self.playout_policy(game))
        mcps(game, root, work.tree, work.more, rng, settings, simulations)

    def more_columns(self, work, edges, player):
        amaf = root_statistics(work.tree, edges, player)
        return amaf | {name.replace("amaf", "permutation"): column for name, column in amaf.items()}

    def tree_columns(self, work, parents, edges, players):
        tree, frozen = work.tree, work.tree.nodes["frozen"][parents] == 1
        amaf = super().tree_columns(work, parents, edges, players)
        permutations = {name.replace("amaf", "permutation"): np.where(parents == ROOT, column, np.nan)
                        for name, column in amaf.items()}
        if self.apart:
            own = code_statistics("permutation", tree.permutations, tree.nodes["row"][parents[frozen]],
                                  tree.code[edges[frozen]], players[frozen])
            for name, column in own.items():
                permutations[name][frozen] = column
        else:
            amaf = {name: np.where(frozen, np.nan, column) for name, column in amaf.items()}
        return amaf | permutations | {"frozen": frozen}
