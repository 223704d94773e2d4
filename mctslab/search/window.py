"""The window of Monte Carlo Permutation Search: the latest playouts, as one bitset per move code."""
from typing import NamedTuple

import numpy as np

from ..core import jit, u64
from ..core.bitset import num_words, popcount

WINS, DRAWS = range(2)      # rows of Window.results
VISITS, HALVES = range(2)   # rows of Window.counts


class Window(NamedTuple):
    """A ring of playouts. The playout at place k has bit k % 64 of word k // 64 in each set that it belongs to."""

    bits: np.ndarray        # uint64 [words, codes]: for each code, the playouts that have it anywhere
    results: np.ndarray     # uint64 [2, words]: the playouts that the first player won; that were drawn
    played: np.ndarray      # int32 [size, 1 + codes of a playout]: how many distinct codes, and these
    total: np.ndarray       # int64 [1]: playouts ever entered
    counts: np.ndarray      # uint64 [2, codes]: selected playouts that have the code; half points of the first player there


def new_window(game, size):
    """A window for that many playouts; `empty` it before use."""
    words, codes = num_words(size), game.num_codes()
    return Window(np.empty((words, codes), np.uint64), np.empty((2, words), np.uint64),
                  np.empty((size, 1 + min(codes, 2 * game.max_length())), np.int32), np.zeros(1, np.int64),
                  np.empty((2, codes), np.uint64))


def empty(window):
    window.bits.fill(0)
    window.results.fill(0)
    window.total[0] = 0


@jit
def push(bits, results, played, total, codes, n, payoff):
    """Enter a playout with n distinct codes, in the place of the oldest if the window is full. The arrays are a window's."""
    at = total[0] % played.shape[0]
    word = at >> 6
    bit = u64(1) << u64(at & 63)
    if total[0] >= played.shape[0]:
        for i in range(1, 1 + played[at, 0]):
            bits[word, u64(played[at, i])] &= ~bit
        for result in range(2):
            results[result, word] &= ~bit
    played[at, 0] = n
    for i in range(n):
        played[at, 1 + i] = codes[i]
    for i in range(n):
        bits[word, u64(codes[i])] |= bit
    if payoff == 1:
        results[WINS, word] |= bit
    elif payoff > 0:
        results[DRAWS, word] |= bit
    total[0] += 1


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
    filled = min(window.total[0], window.played.shape[0])
    for word in range((filled + 63) >> 6):
        row = window.bits[word]
        mask = ~u64(0)      # places not filled yet are in no set
        for i in range(n):
            mask &= row[u64(codes[i])]
        if mask != u64(0):
            add_word(window.counts, row, mask, mask & window.results[WINS, word], mask & window.results[DRAWS, word])
