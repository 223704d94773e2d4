"""Sudoku of side box * box, 16 by 16 by default, as a constraint satisfaction problem (Cazenave, Nested Monte-Carlo Search,
IJCAI 2009).

Every row, column and box holds each value once. The domain of an empty cell is what its row, column and box leave it. An
action gives a value to the empty cell of smallest domain (of several, the first in reading order: our choice, the paper does
not say), which removes it from the domains of the cell's peers. The game ends when a domain is empty or no cell is. The
score is the number of cells that have a value, givens included: 256 solves a 16 by 16.

Without `board`, each seed gives another puzzle: the canonical grid with symbols, rows, columns, bands, stacks and the two
axes permuted at random, of which a share `empty` of the cells is blanked uniformly; 66 % is the paper's hard region (169 of
256). It has a solution, often many. The paper's 100 puzzles are not public and need not be alike: grids drawn here are all
of the canonical grid's isomorphism class. `board` is a puzzle of one's own (`sudoku_board` has its forms).
"""
from typing import NamedTuple

import numpy as np

from ..core import InputError, below, game, jit
from .sudoku_board import BOX_OF_SIDE, SYMBOLS, board_to_string, read_board, side_of

# A cell is one word: size of its domain, its number, its domain as a bit mask. So the least word is the chosen cell, and a
# value leaves the domain and its size by one subtraction. A cell with a value has its bit as domain and a size beyond all.
SIZE, CELL, DOMAIN = 24, 16, 0xFFFF
ASSIGNED, GIVEN = 32, 64


def peer_table():
    """The peers of each cell in reading order, uint8 [box, cell, peer]."""
    table = np.zeros((5, 256, 39), np.uint8)
    for side, box in BOX_OF_SIDE.items():
        row, column = np.divmod(np.arange(side * side), side)
        square = row // box * box + column // box
        shared = (row == row[:, None]) | (column == column[:, None]) | (square == square[:, None])
        np.fill_diagonal(shared, False)
        table[box, :side * side, :3 * side - 2 * box - 1] = np.nonzero(shared)[1].reshape(side * side, -1)
    return table


PEERS = peer_table()


@jit
def num_peers(box):
    return 3 * box * box - 2 * box - 1


@jit
def popcount16(x):
    x = x - ((x >> 1) & 0x5555)
    x = (x & 0x3333) + ((x >> 2) & 0x3333)
    x = (x + (x >> 4)) & 0x0F0F
    return (x + (x >> 8)) & 0x1F


@jit(allocates=True)
def permutation(n, rng):
    """Random order of range(n). Only a deal allocates, never a search."""
    order = np.arange(n)
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@jit(allocates=True)
def line_permutation(box, rng):
    """Random order of the rows, or columns, that keeps bands together."""
    order = np.empty(box * box, np.int64)
    bands = permutation(box, rng)
    for band in range(box):
        within = permutation(box, rng)
        for i in range(box):
            order[band * box + i] = bands[band] * box + within[i]
    return order


@jit(allocates=True)
def set_values(board, box, empty, grid, rng):
    """Values of the puzzle to solve, 0 where empty; a random one where there is no board.

    `board` is an argument, not ``g.board``, so that numba leaves out the branch that its type excludes.
    """
    cells = grid.shape[0]
    if board is None:
        side = box * box
        symbols, rows, columns = permutation(side, rng), line_permutation(box, rng), line_permutation(box, rng)
        transposed = below(rng, 2) == 1
        blanks = np.int64(np.floor(empty * cells + 0.5))
        for cell in range(cells):
            row, column = rows[cell // side], columns[cell % side]
            if transposed:
                row, column = column, row
            grid[cell] = 1 + symbols[(box * (row % box) + row // box + column) % side]
            if below(rng, cells - cell) < blanks:       # selection sampling: exactly so many, all sets alike
                grid[cell] = 0
                blanks -= 1
    else:
        for cell in range(cells):
            grid[cell] = board[cell]


@jit
def values_to_words(box, cells):
    """Turn values into the words of givens and of open cells, in place."""
    for cell in range(cells.shape[0]):
        if cells[cell] > 0:
            cells[cell] = (GIVEN << SIZE) | (cell << CELL) | (1 << (np.int64(cells[cell]) - 1))
    for cell in range(cells.shape[0]):
        if cells[cell] == 0:
            used = np.int64(0)
            for i in range(num_peers(box)):
                word = np.int64(cells[PEERS[box, cell, i]])
                if word >= GIVEN << SIZE:
                    used |= word
            domain = ((1 << (box * box)) - 1) & ~used
            cells[cell] = (popcount16(domain) << SIZE) | (cell << CELL) | domain


@jit
def choose_cell(s):
    """Smallest domain, first in reading order: the least word."""
    least = np.int32(0x7FFFFFFF)
    for word in s.cells:
        least = min(least, word)
    s.chosen = least


@jit
def assign(box, s, cell, value):
    """Give a cell a value (0 for the first), take it from the peers, choose the next cell."""
    bit = np.int64(1) << value
    step = (np.int64(1) << SIZE) | bit
    for i in range(num_peers(box)):
        peer = np.uint64(PEERS[box, np.uint64(cell), np.uint64(i)])      # unsigned: no negative index to look for
        word = np.int64(s.cells[peer])
        s.cells[peer] = word - ((word >> value) & 1) * step
    s.cells[cell] = (ASSIGNED << SIZE) | (cell << CELL) | bit
    s.assigned += 1
    choose_cell(s)


@game
class Sudoku(NamedTuple):
    box: int = 4
    empty: float = 0.66
    board: bytes = None

    players = 1
    limits = {"box": (2, 4), "empty": (0.0, 1.0)}

    @classmethod
    def expand_options(cls, options):
        if options.get("board") is None:
            return options
        board = read_board(options["board"])
        box = BOX_OF_SIDE[side_of(board)]
        if options.get("box", box) != box:
            raise InputError(f"option box of sudoku is {options['box']!r}, but the board is that of box {box}")
        default = cls._field_defaults["empty"]
        if options.get("empty", default) != default:
            raise InputError(f"option empty of sudoku is {options['empty']!r}, but a board has its own empty cells: "
                             "give one of the two")
        return options | {"box": box, "board": board}

    def _describe(g, options):
        return options if g.board is None else {"board": board_to_string(g.board)}

    def side(g):
        return g.box * g.box

    def dtype(g):
        return np.dtype([("cells", "i4", (g.side() ** 2,)),     # words, in reading order
                         ("chosen", "i4"),                      # the least of them: the cell to play
                         ("assigned", "i4")],                   # cells that have a value
                        align=True)

    def max_actions(g):
        return g.side()

    def max_length(g):
        return g.side() ** 2

    def num_codes(g):
        return g.side() ** 3

    def target(g):
        return g.side() ** 2

    def start(g, s, rng):
        set_values(g.board, g.box, g.empty, s.cells, rng)
        s.assigned = 0
        for value in s.cells:
            s.assigned += value > 0
        values_to_words(g.box, s.cells)
        choose_cell(s)

    def legal_actions(g, s, buf):
        word = np.int64(s.chosen)
        first = (word >> CELL & 0xFF) * g.side()
        n = 0
        for value in range(g.side()):
            if word >> value & 1:
                buf[n] = first + value
                n += 1
        return n

    def play(g, s, a, rng):
        cell = np.int64(s.chosen) >> CELL & 0xFF
        assign(g.box, s, cell, a - cell * g.side())

    def is_terminal(g, s):
        size = np.int64(s.chosen) >> SIZE
        return size == 0 or size >= ASSIGNED

    def payoff(g, s):
        return np.float64(s.assigned)

    def code(g, s, a):
        return a

    def playout(g, s, rng, trace, n, buf):
        """Uniform over the values of each chosen domain; a single value takes no draw."""
        side = g.side()
        size = np.int64(s.chosen) >> SIZE
        while 0 < size < ASSIGNED:
            word = np.int64(s.chosen)
            domain = word & DOMAIN
            if size > 1:
                for _ in range(below(rng, size)):
                    domain &= domain - 1
            value = popcount16((domain & -domain) - 1)
            cell = word >> CELL & 0xFF
            trace[n] = cell * side + value
            n += 1
            assign(g.box, s, cell, value)
            size = np.int64(s.chosen) >> SIZE
        return n

    def action_to_string(g, s, a):
        """``r3c5=7``: row and column from 1, then the value's symbol."""
        cell, value = divmod(a, g.side())
        return f"r{cell // g.side() + 1}c{cell % g.side() + 1}={SYMBOLS[value + 1]}"
