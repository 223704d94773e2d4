"""The window of Monte Carlo Permutation Search: the latest playouts, as one bitset per move code."""
from typing import NamedTuple

import numpy as np

from ..core import jit, u64
from ..core.bitset import num_words, popcount

WINS, DRAWS = range(2)      # rows of Window.results
VISITS, HALVES = range(2)   # rows of Window.counts


class Window(NamedTuple):
    """A ring of playouts. The playout number t has bit t % 64 of word t // 64 in each set that it belongs to.

    Words are taken in turn, and there is one more than the window fills: so a word is cleared as a whole when it is taken
    again, and no playout need be remembered to be taken out.
    """

    bits: np.ndarray        # uint64 [words, codes]: for each code, the playouts that have it anywhere
    results: np.ndarray     # uint64 [2, words]: the playouts that the first player won; that were drawn
    total: np.ndarray       # int64 [2]: playouts ever entered; the size of the window
    counts: np.ndarray      # uint64 [2, codes]: selected playouts that have the code; half points of the first player there


def new_window(game, size):
    """An empty window for that many playouts."""
    words, codes = num_words(size) + 1, game.num_codes()
    return Window(np.empty((words, codes), np.uint64), np.empty((2, words), np.uint64), np.array([0, size]),
                  np.empty((2, codes), np.uint64))


def empty(window):
    window.total[0] = 0


@jit
def push(bits, results, total, codes, n, payoff):
    """Enter a playout with n distinct codes. The arrays are a window's."""
    t = total[0]
    word = (t >> 6) % bits.shape[0]
    if t & 63 == 0:
        row = bits[word]
        for i in range(row.size):
            row[i] = u64(0)
        for result in range(2):
            results[result, word] = u64(0)
    bit = u64(1) << u64(t & 63)
    for i in range(n):
        bits[word, u64(codes[i])] |= bit
    if payoff == 1:
        results[WINS, word] |= bit
    elif payoff > 0:
        results[DRAWS, word] |= bit
    total[0] = t + 1


@jit
def add_word(counts, row, mask, won, drawn):
    """Add the playouts of one word of a selection; `won` and `drawn` are parts of the mask. The loops are vector code."""
    visits, halves = counts[VISITS], counts[HALVES]
    for code in range(row.size):
        visits[code] += popcount(row[code] & mask)
        halves[code] += popcount(row[code] & won) << u64(1)
    if drawn != u64(0):
        for code in range(row.size):
            halves[code] += popcount(row[code] & drawn)


@jit
def count_playouts(window, codes, n):
    """Over the playouts that contain all of n codes, count those with each code, and the results of these."""
    for code in range(window.counts.shape[1]):
        window.counts[VISITS, code] = u64(0)
        window.counts[HALVES, code] = u64(0)
    oldest = max(np.int64(0), window.total[0] - window.total[1])
    recent = ~u64(0) << u64(oldest & 63)     # the first word also has playouts that are too old
    for block in range(oldest >> 6, (window.total[0] + 63) >> 6):
        word = block % window.bits.shape[0]
        row = window.bits[word]
        mask = recent           # places not filled yet are in no set
        recent = ~u64(0)
        for i in range(n):
            mask &= row[u64(codes[i])]
        if mask != u64(0):
            add_word(window.counts, row, mask, mask & window.results[WINS, word], mask & window.results[DRAWS, word])
