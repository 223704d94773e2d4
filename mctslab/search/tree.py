"""The search tree of the searchers for two players: a structure of arrays that is made once and used for every move.

Statistics stand on the edges; the edges of a node are contiguous. A node is made at its first visit, which is one playout,
and gets its edges at the second, so that the many nodes that are visited once stay small. With transpositions, equal
positions (by the game's `key`) are one node, and the tree is a graph.

Values are stored from the viewpoint of the player who moved: ``wins[edge]`` is the sum of what he got in the simulations
through that edge. A proven win is plus infinity there and a proven loss minus infinity, which needs no rule in a selection.
Visits and wins are float32: exact up to `MAX_SIMULATIONS`, where a search ends.
"""
import math
from typing import NamedTuple

import numpy as np
from numba import config

from ..core import jit, new_records, u64
from ..core.bitset import num_words

ROOT = 0
UNVISITED = TERMINAL = -1       # no node
MAX_SIMULATIONS = 2**23         # float32 counts to 2**24, by halves (draws) to 2**23

NODES, EDGES, ROWS = range(3)                                       # indices of Path.used
SIMULATIONS, PLIES, DEPTHS, DEEPEST, TERMINALS = range(5)           # indices of Path.counts


class Tree(NamedTuple):
    """Nodes, edges, rows of AMAF statistics (of no length where a searcher has none), and the simulation in progress.

    What a node has is one record, in one place, and what a simulation needs is another. For speed, what is called at every
    move takes records and the arrays that it uses: passing a record is free, passing an array costs some nanoseconds.
    """

    nodes: np.ndarray           # records of `node_dtype`
    action: np.ndarray          # int32 [edges]
    code: np.ndarray            # int32 [edges]: the action's code
    child: np.ndarray           # int32 [edges]: node it leads to, or UNVISITED (as ends are)
    visits: np.ndarray          # float32 [edges]
    wins: np.ndarray            # float32 [edges]: for the player who moves
    amaf: np.ndarray            # float32 [rows, codes, 2]: sums of each player's payoffs of the playouts with the code
    permutations: np.ndarray    # float32 [rows, codes, 2]: permutation statistics where they are kept apart
    table: np.ndarray           # int32 [a power of 2]: node of a key, -1 for none; empty without transpositions
    states: np.ndarray          # [1]: the position
    paths: np.ndarray           # [1]: record of `path_dtype`


FIELDS = ("nodes",), ("action", "code", "child", "visits", "wins"), ("amaf", "permutations")     # by kind


def node_dtype(codes):
    return np.dtype([("key", "u8"),                         # the position's, 0 where it is not shared
                     ("seen", "u8", (num_words(codes),)),   # set of codes of its first playout
                     ("payoff", "f4"),                      # of that, the first player's
                     ("visits", "i4"),                      # playouts through it
                     ("first", "i4"),                       # its first edge
                     ("degree", "i4"),                      # number of its edges, 0 before they are made
                     ("row", "i4"),                         # its row, if it has edges
                     ("winner", "i1"),                      # 1 + the player who is proven to win, or 0
                     ("frozen", "i1")],                     # does its row hold its permutation statistics?
                    align=True)


def path_dtype(game):
    """What a simulation needs. Sizes are rounded up, so that games that differ a little share their compiled searches."""
    length, codes, actions = [64 * num_words(n) for n in (game.max_length() + 1, game.num_codes(), game.max_actions())]
    return np.dtype([("used", "i8", (3,)),              # nodes, edges, rows
                     ("limits", "i8", (3,)),            # how many may be in use when a simulation begins
                     ("counts", "i8", (5,)),            # simulations, plies of playouts, sum and maximum of depths, ends in
                                                        # the tree
                     ("nodes", "i4", (length,)),        # nodes left in the descent
                     ("edges", "i4", (length,)),        # edges taken from them
                     ("movers", "i4", (length,)),       # players who moved
                     ("sequence", "i4", (2 * length,)), # codes of the descent, then of the playout
                     ("codes", "i4", (codes + 1,)),     # distinct codes of the sequence, its last first
                     ("ends", "i4", (length,)),         # how many of them are in sequence[d:]
                     ("stamps", "i8", (codes,)),        # simulation that last had the code
                     ("buffer", "i4", (actions,)),
                     ("scores", "f4", (actions,)),      # of a node's edges
                     ("amaf", "f4", (actions, 2)),      # the reference's statistics of their codes
                     ("logs", "f4", (4096,))],          # logarithms of 0 (here 0), 1, 2, ...
                    align=True)


def records(n, dtype):
    """An array of n records, all zero. Interpreted code reads fields as attributes only of a recarray."""
    array = np.zeros(n, dtype)
    return array.view(np.recarray) if config.DISABLE_JIT else array


def new_tree(game, transpositions=False, amaf=False, apart=False):
    """A tree with room for one simulation and a few nodes.

    Parameters
    ----------
    transpositions : bool
        Keep a table of positions.
    amaf : bool
        Keep AMAF statistics.
    apart : bool
        Keep permutation statistics in rows of their own.
    """
    codes = game.num_codes() if amaf else 0
    paths = records(1, path_dtype(game))
    paths["logs"] = [0.0] + [math.log(n) for n in range(1, 4096)]
    ints, floats = [np.zeros(0, np.int32)] * 3, [np.zeros(0, np.float32)] * 2
    rows = [np.zeros((0, n, 2), np.float32) for n in (codes, codes if apart else 0)]
    tree = Tree(records(0, node_dtype(codes)), *ints, *floats, *rows, np.zeros(int(transpositions), np.int32),
                new_records(game), paths)
    for kind, reserve in enumerate(reserves(game)):
        tree = enlarged(tree, kind, 256 + reserve, reserve)
    return tree


def reserves(game):
    """The most nodes, edges and rows that one simulation adds: one node, but edges to as many as a game has moves."""
    return 1, game.max_length() * game.max_actions(), game.max_length()


def capacity(tree, kind):
    return len(getattr(tree, FIELDS[kind][0]))


def item_size(tree, kind):
    """Bytes of one node, edge or row."""
    fields = [getattr(tree, field) for field in FIELDS[kind]]
    table = 16 if kind == NODES and tree.table.size else 0      # at most four entries for each node
    return table + sum(field.itemsize * int(np.prod(field.shape[1:])) for field in fields)


def enlarged(tree, kind, size, reserve):
    """The tree with room for that many nodes, edges or rows, of which one simulation may need a reserve."""
    used, new = tree.paths["used"][0, kind], {}
    for field in FIELDS[kind]:
        old = getattr(tree, field)
        new[field] = records(size, old.dtype) if kind == NODES else np.empty((size, *old.shape[1:]), old.dtype)
        new[field][:used] = old[:used]
    if kind == NODES and tree.table.size:
        new["table"] = np.empty(2 << int(size).bit_length(), np.int32)      # at most half full
    tree = tree._replace(**new)
    tree.paths["limits"][0, kind] = size - reserve
    if "table" in new:
        fill_table(tree)
    return tree


@jit
def fill_table(tree):
    """Enter all nodes in a new table."""
    for i in range(tree.table.size):
        tree.table[i] = -1
    for node in range(tree.paths[0].used[NODES]):
        if tree.nodes[node].key != u64(0):
            tree.table[slot(tree.table, tree.nodes, tree.nodes[node].key)] = node


@jit
def reset(tree):
    """An empty tree: the root alone."""
    path = tree.paths[0]
    for i in range(tree.table.size):
        tree.table[i] = -1
    for i in range(3):
        path.used[i] = 0
    for i in range(5):
        path.counts[i] = 0
    for i in range(path.stamps.size):
        path.stamps[i] = 0
    add_node(tree.nodes, path, u64(0))
    root = tree.nodes[ROOT]
    for i in range(root.seen.size):     # it is not left for a playout before it has edges
        root.seen[i] = u64(0)


@jit
def has_room(path):
    """Can any one simulation be made?"""
    used, limits = path.used, path.limits
    return used[NODES] <= limits[NODES] and used[EDGES] <= limits[EDGES] and used[ROWS] <= limits[ROWS]


@jit
def add_node(nodes, path, key):
    node = path.used[NODES]
    path.used[NODES] = node + 1
    new = nodes[node]
    new.key = key
    new.visits = 0
    new.degree = 0
    new.winner = 0
    new.frozen = 0
    return node


@jit
def slot(table, nodes, key):
    """Where a key stands in the table, or where it belongs."""
    mask = u64(table.size - 1)
    i = key & mask
    while table[i] >= 0 and nodes[table[i]].key != key:
        i = (i + u64(1)) & mask
    return i


@jit
def expand(g, s, path, node, action, code, child, visits, wins):
    """Give a node (a record) its edges, one for each action that a search should try. The arrays are the tree's."""
    n = np.int64(g.search_actions(s, path.buffer))
    first = path.used[EDGES]
    path.used[EDGES] = first + n
    node.first = first
    node.degree = n
    for i in range(n):
        action[u64(first + i)] = path.buffer[i]
    for i in range(n):
        code[u64(first + i)] = g.code(s, np.int64(path.buffer[i]))
    for i in range(n):
        child[u64(first + i)] = UNVISITED
        visits[u64(first + i)] = 0
        wins[u64(first + i)] = 0


@jit
def take(g, s, path, rng, action, code, node, edge, depth):
    """Move along an edge of a node; it is the path's edge number `depth`."""
    path.nodes[depth] = node
    path.edges[depth] = edge
    path.movers[depth] = g.current_player(s)
    path.sequence[depth] = code[edge]
    g.play(s, np.int64(action[edge]), rng)


@jit
def enter(g, s, path, nodes, table):
    """The node of a position, made if there is none."""
    key = u64(0)
    if table.size > 0:
        key = g.key(s)
    if key == u64(0):
        return add_node(nodes, path, key)
    i = slot(table, nodes, key)
    if table[i] < 0:
        table[i] = add_node(nodes, path, key)
    return np.int64(table[i])


@jit
def highest(scores, n):
    """Index of the first highest score; scores are 0 or more, or minus infinity."""
    bits = scores.view(np.int32)        # these have the order of the floats, and whole numbers compile to vector code
    top = np.int64(bits[0]) << 32
    for i in range(1, n):
        top = max(top, (np.int64(bits[i]) << 32) - i)
    return -top & 0xFFFFFFFF            # the low half: of equal scores, the first makes the highest sum


@jit
def backup(nodes, visits, wins, path, depth, leaf, payoff):
    """Count a simulation's payoff, the first player's, along its path, and the leaf's visit if it ended at a node."""
    for d in range(depth):
        edge = path.edges[d]
        nodes[path.nodes[d]].visits += 1
        visits[edge] += np.float32(1)
        wins[edge] += payoff if path.movers[d] == 0 else np.float32(1) - payoff
    if leaf != TERMINAL:
        nodes[leaf].visits += 1


@jit
def count(path, depth, leaf, length):
    """Count a simulation: depth of its descent, where it ended, and the length of its sequence."""
    path.counts[SIMULATIONS] += 1
    path.counts[PLIES] += length - depth
    path.counts[DEPTHS] += depth
    path.counts[DEEPEST] = max(path.counts[DEEPEST], depth)
    path.counts[TERMINALS] += leaf == TERMINAL
