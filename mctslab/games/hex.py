"""Hex on a rhombus of rows x columns of hexagons, without the swap rule.

The players fill one empty cell each in turn. The first player wins when his stones join the top row to the bottom row, the
second when his join the left column to the right one. Cell (r, c) touches (r, c-1), (r, c+1), (r-1, c), (r-1, c+1),
(r+1, c-1) and (r+1, c). A full board has exactly one such chain, so there is no draw, and the game stops at the chain.
(Piet Hein 1942, John Nash 1948; Browne, Hex Strategy, 2000.) Cells are named as usual: b3 is column b, row 3 from the top.

A playout fills the whole board and looks only then who has won, which changes neither the winner nor his chances. So its
trace holds a code for each empty cell, those of the first player before those of the second, not in the order of play. For
AMAF and permutations the order does not matter, but moves made after the win count as well: each playout is evidence on
every cell, for one player or the other, and the length of a playout is the number of empty cells.

Known values: the first player wins on every n x n board (Nash); all his winning openings up to n = 5
(tests/hex_solved_openings.csv); he wins 52.3 % of random games on 11 x 11, 54.5 % on 7 x 7. On other boards the player with
the shorter way wins even as second player.
"""
from typing import NamedTuple

import numpy as np

from ..core import game, jit, next64, scramble, u64

# A place is row * 32 + column: a cell whose row and column can be read without a division. Unsigned indices, here and there,
# are for speed: numba need not look for negative ones.


@jit
def remove(s, place):
    """Take a place from the empty ones, which stay in order. (The loop is written so that it compiles to vector code.)"""
    s.free -= 1
    empty = s.empty
    gone = np.int16(place)
    for i in range(u64(s.free)):
        here = empty[i]
        after = empty[i + u64(1)]
        empty[i] = here if here < gone else after


@jit
def spread(seeds, line):
    """The runs of ones in a line that hold a seed."""
    x = seeds & line
    x |= ((line + x) ^ line) & line     # towards high bits: the carry runs through the ones
    run = line
    x |= run & (x >> 1)                 # towards low bits: 1, 2, 4, ... places at once
    run &= run >> 1
    x |= run & (x >> 2)
    run &= run >> 2
    x |= run & (x >> 4)
    run &= run >> 4
    x |= run & (x >> 8)
    run &= run >> 8
    return x | (run & (x >> 16))


@jit
def touches(joined, line, bit):
    """Does a new stone touch the player's first edge or a stone that is joined to it?"""
    if line == 0:
        return True
    beside = joined[line] & ((bit << 1) | (bit >> 1))
    above = joined[line - 1] & ((bit << 1) | bit)
    below = joined[line + 1] & (bit | (bit >> 1))
    return (beside | above | below) != 0


@jit
def join(stones, joined, lines):
    """Join a player's stones to his first edge, a whole line at once, down and up again. Do they reach the last line?"""
    joined[0] = stones[0]
    while True:
        reach = np.int64(stones[0])
        for i in range(1, lines):
            reach = spread(joined[i] | reach | (reach >> 1), np.int64(stones[i]))
            joined[i] = reach
        if reach != 0:
            return True
        change = False
        for i in range(lines - 2, 0, -1):
            old = np.int64(joined[u64(i)])
            reach = spread(old | reach | (reach << 1), np.int64(stones[u64(i)]))
            joined[u64(i)] = reach
            change |= reach != old
        if not change:
            return False


@game
class Hex(NamedTuple):
    size: int = 11      # rows
    cols: int = 0       # 0: as many as rows

    limits = {"size": (1, 20), "cols": (0, 20)}

    @classmethod
    def expand_options(cls, options):
        """A square board has one spelling."""
        square = options.get("cols") == options.get("size", cls._field_defaults["size"])
        return options | {"cols": 0} if square else options

    def width(g):
        return g.cols if g.cols > 0 else g.size

    def cells(g):
        return g.size * g.width()

    def lines(g, player):
        """Lines between the player's edges: rows for the first player, columns for the second."""
        return g.size if player == 0 else g.width()

    def dtype(g):
        lines = max(g.size, g.width()) + 1
        return np.dtype([("key", "u8"),
                         ("stones", "i4", (2, lines)),      # [player, line]: bits of his stones, in lines as above
                         ("joined", "i4", (2, lines)),      # those of them that are joined to his first edge
                         ("empty", "i2", (g.cells(),)),     # places in reading order, the first `free` of them
                         ("free", "i2"),
                         ("turn", "i1"),
                         ("winner", "i1")],                 # -1 while there is none
                        align=True)

    def max_actions(g):
        return g.cells()

    def max_length(g):
        return g.cells()

    def num_codes(g):
        return 2 * g.cells()

    def start(g, s, rng):
        s.key = scramble(g.num_codes())        # not 0, which stands for no key
        s.turn = 0
        s.winner = -1
        s.free = g.cells()
        for i in range(s.stones.shape[1]):
            for player in range(2):
                s.stones[player, i] = 0
                s.joined[player, i] = 0
        for cell in range(g.cells()):
            s.empty[cell] = cell // g.width() * 32 + cell % g.width()

    def current_player(g, s):
        return np.int64(s.turn)

    def legal_actions(g, s, buf):
        free = np.int64(s.free)
        for i in range(free):
            place = np.int64(s.empty[i])
            buf[i] = (place >> 5) * g.width() + (place & 31)
        return free

    def play(g, s, a, rng):
        mover = np.int64(s.turn)
        row = a // g.width()
        col = a - row * g.width()
        s.key ^= scramble(g.code(s, a))
        remove(s, row * 32 + col)
        s.turn = 1 - mover
        line, at = (row, col) if mover == 0 else (col, row)
        bit = np.int64(1) << at
        s.stones[mover, line] |= bit
        if touches(s.joined[mover], line, bit) and join(s.stones[mover], s.joined[mover], g.lines(mover)):
            s.winner = mover

    def is_terminal(g, s):
        return s.winner >= 0

    def payoff(g, s):
        return 1.0 if s.winner == 0 else 0.0

    def code(g, s, a):
        return a + g.cells() * np.int64(s.turn)

    def key(g, s):
        """Equal for equal positions; the stones say whose turn it is."""
        return s.key

    def playout(g, s, rng, trace, n, buf):
        """Fill the board at random. Who fills which cells is all that counts, so only those of the first player are drawn.

        Of the state, what `is_terminal` and `payoff` tell holds afterwards, and the stones of the first player.
        """
        if s.winner >= 0:
            return n
        free = np.int64(s.free)
        firsts = (free + 1 - s.turn) >> 1
        word = u64(0)
        for i in range(firsts):
            word = word << u64(32) if i & 1 else next64(rng)        # two draws of 32 bits each
            j = u64(i) + (((word >> u64(32)) * u64(free - i)) >> u64(32))
            place = np.int64(s.empty[j])
            s.empty[j] = s.empty[u64(i)]
            s.stones[0, u64(place >> 5)] |= 1 << (place & 31)
            trace[u64(n + i)] = (place >> 5) * g.width() + (place & 31)
        for i in range(firsts, free):
            place = np.int64(s.empty[u64(i)])
            trace[u64(n + i)] = (place >> 5) * g.width() + (place & 31) + g.cells()
        s.free = 0
        s.winner = 0 if join(s.stones[0], s.joined[0], g.size) else 1
        return n + free

    def action_to_string(g, s, a):
        """``b3``: the column's letter, the row's number."""
        return f"{chr(ord('a') + a % g.width())}{a // g.width() + 1}"
