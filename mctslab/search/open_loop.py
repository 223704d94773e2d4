"""Open-loop MCTS: one tree over sequences of actions, on a fresh determinization in every simulation.

A node is a sequence of actions from the root and holds no position, since the same actions lead to other positions in other
determinizations. Where a descent stands, only the actions that are legal in its own determinization are eligible; if some of
them have no node yet, one of these at random gets one and is valued by a playout. Otherwise the descent takes the highest ::

    Q(a) + c sqrt(ln N / n(a))

of the eligible actions. In SOLMCTS (after the sample open-loop controller of the GVGAI framework) N is the visits of the
node; in SO-ISMCTS (Cowling, Powley and Whitehouse, 2012) it is the availability of a: how often a was eligible when the node
was left. The move played is the most visited one.

The node of an action is found by hashing: the key mixes parent and action one-to-one, so keys never collide.
"""
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import SearchResult, below, jit, stream, u64
from .hidden import DeterminizingPlayer, DeterminizingSearcher, reward
from .tree import NODES, ROOT, TERMINAL, count, enlarged, has_room, highest, new_tree, records, slot
from .uct import logarithm

UNTRIED = -1
NODE = np.dtype([("key", "u8"),         # of parent and action
                 ("action", "i4"),      # that leads here
                 ("visits", "f4"),
                 ("wins", "f4"),        # for the player who played the action
                 ("available", "f4")],  # how often the action was eligible
                align=True)


class Settings(NamedTuple):
    """The options in the form that compiled code takes."""

    c2: np.float32
    availability: bool
    score: bool
    policy: int


@jit
def mix(node, action):
    """A key of a node's action: not 0, and different for different pairs, since every step here can be undone."""
    x = (u64(node) << u64(32)) | u64(action + 1)
    x = (x ^ (x >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> u64(27))) * u64(0x94D049BB133111EB)
    return x ^ (x >> u64(31))


@jit
def add(nodes, path, key, action):
    """A new node."""
    node = path.used[NODES]
    path.used[NODES] = node + 1
    new = nodes[node]
    new.key, new.action, new.visits, new.wins, new.available = key, action, 0, 0, 0
    return node


@jit
def clear(tree):
    """An empty tree: the root alone."""
    path = tree.paths[0]
    for i in range(tree.table.size):
        tree.table[i] = -1
    path.used[NODES] = 0
    for i in range(path.counts.size):
        path.counts[i] = 0
    add(tree.nodes, path, u64(0), -1)


@jit
def find(nodes, table, node, actions, n, children):
    """Write the children by n actions, UNTRIED where there is none. Returns how many these are."""
    untried = 0
    for i in range(n):
        children[i] = table[slot(table, nodes, mix(node, np.int64(actions[i])))]
        untried += children[i] == UNTRIED
    return untried


@jit
def pick_untried(children, rng, untried):
    """Index of a random child that is UNTRIED."""
    left, i = below(rng, untried), 0
    while children[i] != UNTRIED or left > 0:
        left -= children[i] == UNTRIED
        i += 1
    return i


@jit
def select(nodes, node, children, n, path, settings):
    """Index of the child with the highest score; all have been visited."""
    exploration = settings.c2 * logarithm(path, np.int64(nodes[node].visits))
    for i in range(n):
        child = nodes[children[i]]
        if settings.availability:
            exploration = settings.c2 * logarithm(path, np.int64(child.available))
        each = np.float32(1) / child.visits
        path.scores[i] = child.wins * each + np.sqrt(exploration * each)
    return highest(path.scores, n)


@jit
def step(nodes, table, node, n, children, path, rng, settings):
    """Choose among n actions, in path.buffer. Returns (index of the action, its node, is this node new)."""
    untried = find(nodes, table, node, path.buffer, n, children)
    if untried > 0:
        i = pick_untried(children, rng, untried)
        action = np.int64(path.buffer[i])
        key = mix(node, action)
        children[i] = add(nodes, path, key, action)
        table[slot(table, nodes, key)] = children[i]
    else:
        i = select(nodes, node, children, n, path, settings)
    if settings.availability:
        for k in range(n):
            if children[k] != UNTRIED:
                nodes[children[k]].available += np.float32(1)
    return i, np.int64(children[i]), untried > 0


@jit
def open_loop(g, root, tree, children, rng, determinization, settings, simulations):
    """Make simulations, as long as the tree has room."""
    s, path, nodes = tree.states[0], tree.paths[0], tree.nodes
    player = np.int64(g.current_player(root[0]))
    for _ in range(simulations):
        if not has_room(path):
            return
        tree.states[0] = root[0]
        g.determinize(s, player, determinization)
        node, depth, new = np.int64(ROOT), np.int64(0), False
        while not new and not g.is_terminal(s):
            n = np.int64(g.search_actions(s, path.buffer))
            i, node, new = step(nodes, tree.table, node, n, children, path, rng, settings)
            path.nodes[depth] = node
            path.movers[depth] = g.current_player(s)
            g.play(s, np.int64(path.buffer[i]), rng)
            depth += 1
        leaf, length = np.int64(TERMINAL), depth
        if not g.is_terminal(s):
            leaf = node
            length = np.int64(g.playout_as(settings.policy, s, rng, path.sequence, depth, path.buffer))
        payoff = reward(g, s, settings.score)
        nodes[ROOT].visits += np.float32(1)
        for d in range(depth):
            child = nodes[path.nodes[d]]
            child.visits += np.float32(1)
            child.wins += payoff if path.movers[d] == 0 else np.float32(1) - payoff
        count(path, depth, leaf, length)


@jit
def find_root_children(g, root, tree, children):
    """Write the actions to path.buffer and their nodes to children. Returns their number."""
    path = tree.paths[0]
    n = np.int64(g.search_actions(root[0], path.buffer))
    find(tree.nodes, tree.table, ROOT, path.buffer, n, children)
    return n


@dataclass(frozen=True)
class SOLMCTS(DeterminizingSearcher):
    """Open-loop MCTS in one tree.

    Parameters
    ----------
    c, reward
        As in `DeterminizingSearcher`.
    simulations, seconds, playout
        As in `TreeSearcher`.
    """

    name: ClassVar[str] = "solmcts"
    availability: ClassVar[bool] = False        # is the exploration term that of SO-ISMCTS?

    def player(self, game):
        """An `OpenLoopPlayer` of a game with this searcher."""
        return OpenLoopPlayer(self, game)

    def growth(self, game):
        return 1, 0, 0


@dataclass(frozen=True)
class ISMCTS(SOLMCTS):
    """SO-ISMCTS: open-loop MCTS that explores by the availability of actions.

    Parameters
    ----------
    c, reward
        As in `DeterminizingSearcher`.
    simulations, seconds, playout
        As in `TreeSearcher`.
    """

    name: ClassVar[str] = "ismcts"
    availability: ClassVar[bool] = True


class OpenLoopPlayer(DeterminizingPlayer):
    """An open-loop search at work on a game. Of its tree the nodes alone are used."""

    def new_tree(self):
        tree = new_tree(self.game, transpositions=True)._replace(nodes=records(0, NODE))
        self.children = np.zeros(self.game.max_actions(), np.int32)
        return enlarged(tree, NODES, 256, 1)

    def begin(self, state, seed, rng):
        clear(self.tree)
        self.determinization = stream(seed, "determinization")

    def is_decided(self):
        return False

    def advance(self, state, rng, simulations):
        searcher, before = self.searcher, self.done()
        settings = Settings(np.float32(searcher.c**2), searcher.availability, searcher.reward == "score",
                            searcher.playout_policy(self.game))
        open_loop(self.game, state.record, self.tree, self.children, rng, self.determinization, settings, simulations)
        return self.done() - before

    def report(self, state, seconds):
        n = find_root_children(self.game, state.record, self.tree, self.children)
        nodes, tried = self.tree.nodes[self.children[:n]], self.children[:n] != UNTRIED
        visits = np.where(tried, nodes["visits"], 0).astype(np.int64)
        value = np.where(tried, nodes["wins"], np.nan) / np.maximum(visits, 1)
        action = self.tree.paths["buffer"][0, :n].copy()
        choice = self.searcher.choose(visits, np.nan_to_num(value))
        return SearchResult(
            action=int(action[choice]), simulations=self.done(), playout_plies=self.playout_plies(), seconds=seconds,
            statistics={"action": action, "visits": visits, "value": value}, extra=self.costs())
