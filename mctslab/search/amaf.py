"""All moves as first (AMAF): statistics of a node on every move code, wherever in the rest of a playout the code stands.

A code counts once in a playout, and from the node onwards: for a node of the path, the moves above it do not count. A row
holds, per code, the sum of the first player's payoffs and the sum of the second's, for a code may be either player's; both
add up to the number of playouts. A node gets its row together with its edges, at its second visit; the row then starts from
the set of codes of its first playout, which is all that a node visited once needs to keep.
"""
import numpy as np

from ..core import jit, u64
from ..core.bitset import set_bit
from .tree import ROOT, ROWS, SIMULATIONS, TERMINAL


@jit
def find_codes(path, depth, length):
    """Write the distinct codes of the sequence to path.codes; the first path.ends[d] are those of sequence[d:]."""
    stamp = path.counts[SIMULATIONS] + 1
    n = 0
    path.ends[depth] = 0
    for i in range(length - 1, -1, -1):
        code = u64(path.sequence[u64(i)])
        path.codes[u64(n)] = code
        if path.stamps[code] != stamp:
            path.stamps[code] = stamp
            n += 1
        if i <= depth:
            path.ends[i] = n


@jit
def start_row(amaf, path, node):
    """Give a node (a record) its row, in which its first playout is counted."""
    node.row = path.used[ROWS]
    path.used[ROWS] += 1
    row = amaf[node.row]
    payoff = node.payoff
    other = np.float32(1) - payoff
    for start in range(0, row.shape[0], 64):
        bits = node.seen[start >> 6]
        part = row[start:min(start + 64, row.shape[0])]
        for i in range(part.shape[0]):
            once = np.float32((bits >> u64(i)) & u64(1))
            part[i, 0] = once * payoff
            part[i, 1] = once * other


@jit
def line_up(path, row, codes):
    """Copy a row's statistics of an edge's code to path.amaf, edge by edge: side by side, they compile to vector code."""
    for i in range(codes.size):
        code = u64(codes[i])
        one, two = row[code, 0], row[code, 1]       # both are read before either is written: one copy of 8 bytes
        path.amaf[i, 0] = one
        path.amaf[i, 1] = two


@jit
def update_amaf(nodes, amaf, path, depth, leaf, payoff):
    """Count a playout, its codes found, in the rows of the path; a leaf keeps the set of codes."""
    for player in range(2):
        part = payoff if player == 0 else np.float32(1) - payoff
        if part > 0:        # but for draws, one of them has it all
            for d in range(depth):
                row = amaf[nodes[path.nodes[d]].row]
                for i in range(path.ends[d]):
                    row[u64(path.codes[i]), u64(player)] += part
    if leaf != TERMINAL:
        new = nodes[leaf]
        for i in range(new.seen.size):
            new.seen[i] = u64(0)
        for i in range(path.ends[depth]):
            set_bit(new.seen, path.codes[i])
        new.payoff = payoff


def root_statistics(tree, edges, player):
    """Columns of the root's table, for the player to move."""
    sums = tree.amaf[tree.nodes[ROOT]["row"], tree.code[edges]]
    visits = sums.sum(axis=1)
    return {"amaf_visits": visits.round().astype(np.int64),
            "amaf_value": sums[:, player] / np.where(visits > 0, visits, np.nan)}
