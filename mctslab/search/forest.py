"""Trees that share a root position and a budget: one UCT for each determinization, all in the nodes and edges of one `Tree`.

The roots are the tree's first nodes and have the same actions, so edge i * K + k is move k of root i: the root tables of
all trees are the first T * K edges. One call of the kernel makes many simulations over all trees; which tree has the next
ones, and which root move if that is not its own choice, `allocation` decides. Every tree draws from a stream of its own:
what it does in its n-th simulation depends on the simulations before it, not on when the other trees had theirs.
"""
from typing import NamedTuple

import numpy as np

from ..core import below, jit, new_records, next64, u64
from ..core.bitset import num_words
from .allocation import FREE, OPEN, allocate, learn
from .hidden import reward
from .tree import (ROOT, TERMINAL, UNVISITED, add_node, backup, count, enter, expand, has_room, highest, records, reset,
                   take)
from .uct import select


class Forest(NamedTuple):
    """What the trees of an ensemble have besides the nodes and edges."""

    states: np.ndarray      # [trees]: the determinizations
    streams: np.ndarray     # uint64 [trees, 4]
    plans: np.ndarray       # [1]: record of `plan_dtype`


class Settings(NamedTuple):
    """The options in the form that compiled code takes."""

    c2: np.float32          # of `uct.select`, as the next one
    fpu: np.float32
    policy: int             # of the playouts
    shuffle: bool           # are untried moves tried in random order?
    score: bool             # is the reward the difference in points, not the win?
    allocation: int         # index in `allocation.POLICIES`
    width: np.float64       # ln(1 / delta) / 2: the Hoeffding radius is sqrt(width / n)
    c_trees2: np.float32    # square of the constant of the bandits over trees
    start: np.float64       # share of the budget that is split evenly first
    budget: np.float64      # simulations of this search, estimated where its limit is a time


def plan_dtype(game, trees):
    """Sizes are rounded up, so that ensembles that differ a little share their compiled searches."""
    trees, actions = 64 * num_words(trees), 64 * num_words(game.max_actions())
    return np.dtype([("trees", "i8"),                       # T
                     ("actions", "i8"),                     # K
                     ("tree", "i8"),                        # whose turn it is
                     ("left", "i8"),                        # simulations left of its batch
                     ("move", "i8"),                        # root move that it must take, or FREE
                     ("halvings", "i8"),                    # of the root moves so far
                     ("simulations", "i8", (trees,)),       # made in each tree
                     ("index", "f8", (trees,)),             # the policy's opinion of each tree
                     ("last", "i8", (trees,)),              # root move of its last simulation
                     ("kept", "i8", (trees,)),              # root moves of it that are not pruned
                     ("state", "i1", (trees * actions,)),   # of each root edge: OPEN or PRUNED
                     ("order", "i8", (actions,)),           # in which policies over root moves look at them
                     ("sums", "f8", (2 * actions,))],       # visits and wins of each root move over all trees
                    align=True)


def new_forest(game, trees):
    return Forest(new_records(game, trees), np.zeros((trees, 4), np.uint64), records(1, plan_dtype(game, trees)))


@jit
def shuffle_edges(node, action, code, rng):
    """Bring the edges of a node (a record) into random order."""
    first = np.int64(node.first)
    for i in range(np.int64(node.degree) - 1, 0, -1):
        a, b = first + i, first + below(rng, i + 1)
        action[a], action[b] = action[b], action[a]
        code[a], code[b] = code[b], code[a]


@jit
def plant(g, root, forest, tree, trees, determinization, playout, shuffle):
    """Make the roots from as many determinizations. Returns whether they all have the same moves."""
    s, path, plan = tree.states[0], tree.paths[0], forest.plans[0]
    player = np.int64(g.current_player(root[0]))
    reset(tree)
    actions = np.int64(g.search_actions(root[0], path.buffer))
    plan.trees, plan.actions, plan.tree, plan.left, plan.move, plan.halvings = trees, actions, trees - 1, 0, FREE, 0
    for k in range(actions):
        j = below(playout, k + 1) if shuffle else k
        plan.order[k] = plan.order[j]
        plan.order[j] = k
    same = True
    for i in range(trees):
        tree.states[0] = root[0]
        g.determinize(s, player, determinization)
        forest.states[i] = tree.states[0]
        for word in range(4):
            forest.streams[i, word] = next64(playout)
        node = ROOT if i == 0 else add_node(tree.nodes, path, u64(0))
        expand(g, s, path, tree.nodes[node], tree.action, tree.code, tree.child, tree.visits, tree.wins)
        same &= np.int64(tree.nodes[node].degree) == actions
        for k in range(actions):
            same &= tree.action[i * actions + k] == tree.action[k]
            plan.state[i * actions + k] = OPEN
        plan.simulations[i], plan.index[i], plan.last[i], plan.kept[i] = 0, np.inf, -1, actions
    return same


@jit
def root_edge(plan, i, node, visits, wins, path, rng, settings):
    """The move of tree i's root that the allocation demands, or UCB1's choice among those that are not pruned."""
    first = i * plan.actions
    if plan.move != FREE:
        return first + plan.move
    untried = plan.actions - np.int64(node.visits)
    if settings.shuffle and untried > 0:
        edge, left = first, below(rng, untried)
        while visits[edge] > 0 or left > 0:
            left -= visits[edge] == 0
            edge += 1
        return edge
    edge = select(node, visits, wins, path, settings)
    if plan.kept[i] < plan.actions:
        for k in range(plan.actions):
            if plan.state[first + k] != OPEN:
                path.scores[k] = -np.inf
        edge = first + highest(path.scores, plan.actions)
    return edge


@jit
def grow(g, forest, tree, settings, simulations):
    """Make simulations, as long as the tree has room and the allocation wants any."""
    s, path, plan = tree.states[0], tree.paths[0], forest.plans[0]
    for _ in range(simulations):
        if not has_room(path):
            return
        if plan.left == 0:
            allocate(plan, path, tree.visits, tree.wins, settings)
            if plan.left == 0:
                return
        i = np.int64(plan.tree)
        tree.states[0] = forest.states[i]
        rng = forest.streams[i]
        node, depth = i, np.int64(0)
        edge = root_edge(plan, i, tree.nodes[i], tree.visits, tree.wins, path, rng, settings)
        while True:
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
            if tree.nodes[node].degree == 0:
                expand(g, s, path, tree.nodes[node], tree.action, tree.code, tree.child, tree.visits, tree.wins)
                if settings.shuffle:
                    shuffle_edges(tree.nodes[node], tree.action, tree.code, rng)
            edge = select(tree.nodes[node], tree.visits, tree.wins, path, settings)
        length = depth
        if node != TERMINAL:
            length = np.int64(g.playout_as(settings.policy, s, rng, path.sequence, depth, path.buffer))
        backup(tree.nodes, tree.visits, tree.wins, path, depth, node, reward(g, s, settings.score))
        count(path, depth, node, length)
        plan.simulations[i] += 1
        plan.last[i] = path.edges[0] - i * plan.actions
        plan.left -= 1
        if plan.left == 0:
            learn(plan, i, tree.visits, tree.wins, settings)
