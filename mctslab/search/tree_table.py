"""The tree of a search as a table, to look into: one row per edge, each action with its name.

A tree holds no positions, so names come from replaying the actions from the root's. Nothing is copied when a search ends:
the tree is the player's memory, and can be read until he searches again.
"""
from collections import deque

import numpy as np
import pandas as pd

from ..core import InputError
from .tree import ROOT


class SearchedTree:
    """The tree of a player's last search.

    Parameters
    ----------
    player : Player
        Who has searched.
    state : State
        The position searched.
    """

    def __init__(self, player, state):
        self.player, self.number, self.state = player, player.searches, state.clone()

    def check(self):
        """Refuse a tree that is no longer there.

        Raises
        ------
        InputError
            If the player has begun another search.
        """
        if self.player.searches != self.number:
            raise InputError("the player has searched again, and its tree is that of the new search; read a tree before, "
                             "or search with the searcher itself, which takes new memory for each search")

    def table(self, depth=None, visits=1, children=None):
        """As `SearchResult.tree`."""
        for name, value, low in ("depth", depth, 1), ("visits", visits, 0), ("children", children, 1):
            if value is not None and value < low:
                raise InputError(f"{name} is {value}; it must be {low} or more")
        self.check()
        table = pd.DataFrame(self.walk(depth, visits, children), columns=[
            "edge", "parent", "node", "depth", "player", "action", "name", "actions", "visits", "value"])
        edges, parents, players = (table[name].to_numpy(np.int64) for name in ("edge", "parent", "player"))
        more = self.player.searcher.tree_columns(self.player, parents, edges, players)
        return table.drop(columns="edge").assign(**more)

    def walk(self, depth, visits, children):
        """Rows in order of their depths, the best edge of a node first. A node that is reached twice has one set of rows."""
        nodes, child, action = self.player.tree.nodes, self.player.tree.child, self.player.tree.action
        queue, seen = deque([(ROOT, 1, self.state)]), {ROOT}
        while queue:
            node, d, state = queue.popleft()
            mover, position, degree = state.current_player(), state.position, int(nodes[node]["degree"])
            for edge, n, value in self.ranked(node, visits, children):
                move, to = int(action[edge]), int(child[edge])
                yield edge, node, to, d, mover, move, state.game.action_to_string(position, move), degree, n, value
                if to >= 0 and to not in seen and nodes[to]["degree"] > 0 and (depth is None or d < depth):
                    seen.add(to)
                    queue.append((to, d + 1, state.after([move])))

    def ranked(self, node, least=0, most=None):
        """(edge, visits, value) of a node's edges with the least visits: the one to play, then by visits and value."""
        edges, visits, value, choice = self.player.read_edges(node)
        order = np.lexsort((-value, -visits, np.arange(len(visits)) != choice))
        order = order[visits[order] >= least][:most]
        return zip((edges.start + order).tolist(), visits[order].tolist(), value[order].tolist(), strict=True)

    def principal_variation(self):
        """As `SearchResult.principal_variation`."""
        self.check()
        tree, node, line, seen = self.player.tree, ROOT, [], set()
        while node >= 0 and node not in seen and tree.nodes[node]["degree"] > 0:
            seen.add(node)      # where a game can repeat a position, a tree with transpositions can lead in a circle
            edge, visits, _ = next(self.ranked(node))
            if visits == 0:
                break
            line.append(int(tree.action[edge]))
            node = int(tree.child[edge])
        return line


def code_statistics(name, statistics, rows, codes, players):
    """Columns ``<name>_visits`` and ``<name>_value`` of codes in rows of statistics, for the players who move."""
    sums = statistics[rows, codes]
    visits = sums.sum(axis=1)
    return {f"{name}_visits": visits.round().astype(np.int64),
            f"{name}_value": sums[np.arange(len(codes)), players] / np.where(visits > 0, visits, np.nan)}
