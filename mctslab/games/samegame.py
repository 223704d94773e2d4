"""SameGame: a board of coloured blocks is to be cleared.

A move removes a group: two or more blocks of one colour that touch by their sides; n blocks score (n - 2)^2. Blocks above it
fall down; when a column is empty, those to its right close up to the left. The game ends when no group is left; an empty
board scores 1000 more. What m > 0 blocks of a colour that are left over cost is an option: "bonus" nothing (Cazenave, Nested
Monte-Carlo Search, IJCAI 2009, and bnegreve/nrpa), "colours" (m - 2)^2 for each colour (Schadd et al. 2008, Baier), "blocks"
m^2 for each colour (erik-adelbert/mcs).

Playout policy "tabu" (TabuColorRandom, Cazenave 2009): groups of the tabu colour, the most frequent one of the start board
(the lowest of equals), are played only if no other group is left or, with `clearing`, if the group is all that is left of
the colour. "tabu_playout" takes the most frequent colour of the position where the playout begins. Searches try all moves.

Known values: 20 public games replay to their points (tests/samegame_replays.csv); a random game from a random board has 64.4
moves on average (Schadd et al. 2008).
"""
from typing import NamedTuple

import numpy as np

from ..core import below, game, jit, u64
from .samegame_blocks import (ONE, PLANES, ZERO, count_code, filled, first_marked, lowest, mark, mark_random, most_frequent,
                              popcount, remove_marked, unmark, update)
from .samegame_positions import EMPTY, board_text, expand_board

UNIFORM, TABU, TABU_PLAYOUT = range(3)


@jit
def start_code(board, i, colours, rng):
    """Code of cell i of the start position: from the board, or drawn."""
    if board is None:
        return below(rng, colours) + 1
    return 0 if board[i] == EMPTY else np.int64(board[i]) + 1


@game
class SameGame(NamedTuple):
    rows: int = 15
    cols: int = 15
    colours: int = 5
    ending: int = 0                 # what blocks left over cost: see above
    clearing: bool = True           # tabu policies: may a group be played that is all of the tabu colour?
    position: int = 0               # 1 to 20: a standard position; 0: the board, or one drawn at random
    board: bytes | None = None      # row by row from the top: colours, 255 for an empty cell

    name = "samegame"
    players = 1
    limits = {"rows": (1, 32), "cols": (1, 64), "colours": (1, 10), "position": (0, 20)}
    choices = {"ending": ("bonus", "colours", "blocks")}
    playouts = ("uniform", "tabu", "tabu_playout")

    @classmethod
    def expand_options(cls, options):
        return expand_board(cls.name, options, cls._field_defaults, cls.limits)

    def _describe(g, options):
        """A standard position goes by its number; a board tells its size and, one row being a number, is quoted."""
        if g.board is None:
            return options
        text = board_text(g.board, g.cols)
        board = {} if g.position else {"board": text if "/" in text else f"'{text}'"}
        return {key: value for key, value in options.items() if key not in ("rows", "cols", "colours", "board")} | board

    def dtype(g):
        n = g.cols + 2                              # columns 1..cols and an empty one at each side; bit h: height h
        return np.dtype([("planes", "u8", (n, PLANES)),     # bit p of the code of each block
                         ("up", "u8", (n,)),        # has the block above the same colour?
                         ("right", "u8", (n,)),     # has the block to the right the same colour?
                         ("firsts", "u8", (n,)),    # in a group, none of it next below or to the left: each group's first
                                                    # cell, column by column and from the bottom, and a few others
                         ("free", "u8", (n,)),      # those of them that are not of the tabu colour
                         ("marked", "u8", (n,)),    # blocks of a group; zero but during a move
                         ("num_firsts", "i8"), ("num_free", "i8"),      # bits set in them
                         ("tabu", "i8"),            # code of the tabu colour
                         ("score", "i8")],          # points of the groups removed
                        align=True)

    def max_actions(g):
        return max(g.rows * g.cols // 2, 1)

    def max_length(g):
        return max(g.rows * g.cols // 2, 1)

    def num_codes(g):
        return 1 << 16

    def start(g, s, rng):
        for c in range(g.cols + 2):
            for p in range(PLANES):
                s.planes[c, p] = ZERO
            s.up[c] = s.right[c] = s.firsts[c] = s.free[c] = s.marked[c] = ZERO
        for i in range(g.rows * g.cols):
            code = u64(start_code(g.board, i, g.colours, rng))
            for p in range(PLANES):
                s.planes[1 + i % g.cols, p] |= ((code >> u64(p)) & ONE) << u64(g.rows - 1 - i // g.cols)
        s.num_firsts = s.num_free = s.score = 0
        s.tabu = most_frequent(s, g.cols, g.colours)
        update(s, 1, g.cols)

    def legal_actions(g, s, buf):
        n = 0
        for c in range(1, g.cols + 1):
            cells = s.firsts[c]
            while cells != ZERO:
                cell = lowest(cells)
                cells ^= cell
                if (s.marked[c] & cell) == ZERO:
                    mark(s, c, cell)
                    buf[n] = (c - 1) * g.rows + popcount(cell - ONE)
                    n += 1
        unmark(s, 1, g.cols)
        return n

    def play(g, s, a, rng):
        lo, hi = mark(s, a // g.rows + 1, ONE << u64(a % g.rows))
        remove_marked(s, lo, hi, g.cols)

    def is_terminal(g, s):
        return s.num_firsts == 0

    def payoff(g, s):
        if filled(s, 1) == ZERO:
            return np.float64(s.score + 1000)
        cost = 0
        if g.ending > 0:
            for code in range(1, g.colours + 1):
                m = count_code(s, g.cols, code)
                if m > 0:
                    cost += (m - 2) * (m - 2) if g.ending == 1 else m * m
        return np.float64(s.score - cost)

    def code(g, s, a):
        """A hash of the group's cells and colour: a move stays the same move while other blocks go."""
        c, cell = a // g.rows + 1, ONE << u64(a % g.rows)
        h = u64(c)
        for p in range(PLANES):
            h = (h << ONE) | (ONE if (s.planes[c, p] & cell) != ZERO else ZERO)
        lo, hi = mark(s, c, cell)
        for x in range(lo, hi + 1):
            h = (h ^ s.marked[x]) * u64(0x9E3779B97F4A7C15)
            h ^= h >> u64(29)
        unmark(s, lo, hi)
        return np.int64(h >> u64(48))

    def playout(g, s, rng, trace, n, buf):
        return g.playout_as(UNIFORM, s, rng, trace, n, buf)

    def playout_as(g, policy, s, rng, trace, n, buf):
        if policy == TABU_PLAYOUT:
            s.tabu = most_frequent(s, g.cols, g.colours)
            update(s, 1, g.cols)
        while s.num_firsts > 0:
            lo, hi = mark_random(s, g.cols, policy != UNIFORM, g.clearing, rng)
            if hi > 0:
                trace[n] = first_marked(s, g.rows, lo)
                n += 1
                remove_marked(s, lo, hi, g.cols)
        return n

    def action_to_string(g, s, a):
        """``column,height:size``, counted from 0 at the lower left."""
        return f"{a // g.rows},{a % g.rows}:{len(group_cells(g, s, a))}"


def colour_rows(g, s):
    """The board as people see it: an array of rows from the top, colours from 0, -1 for an empty cell."""
    columns = np.asarray(s.planes)[1:-1, :, None] >> np.arange(g.rows, dtype=np.uint64)[::-1] & ONE
    return sum(columns[:, p].T.astype(int) << p for p in range(PLANES)) - 1


def group_cells(g, s, a):
    """The cells of an action's group, a set of (column, height)."""
    columns = colour_rows(g, s)[::-1].T
    group, todo = set(), [divmod(a, g.rows)]
    while todo:
        x, y = cell = todo.pop()
        if cell not in group and 0 <= x < g.cols and 0 <= y < g.rows and columns[cell] == columns[divmod(a, g.rows)]:
            group.add(cell)
            todo += [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return group
