"""The columns of a SameGame board as bits: groups, gravity and the choice of a random group.

A position ``s`` (its fields: `SameGame.dtype`) holds one bit per cell in 64-bit words, a word per column and quantity, bit h
for height h. Columns count from 1, with an empty one at each side. A group is marked by sweeps over its columns; a move
costs a few operations for each column that it touches, and none for the rest of the board.
"""
import numpy as np

from ..core import below, jit, u64

ZERO, ONE = u64(0), u64(1)
PLANES = 4                  # bits of a block's code: its colour + 1, 0 for an empty cell


@jit
def popcount(x):
    """The number of bits set; LLVM makes one instruction of it."""
    x = x - ((x >> u64(1)) & u64(0x5555555555555555))
    x = (x & u64(0x3333333333333333)) + ((x >> u64(2)) & u64(0x3333333333333333))
    x = (x + (x >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * u64(0x0101010101010101)) >> u64(56))


@jit
def lowest(x):
    return x & (~x + ONE)


@jit
def filled(s, c):
    """The cells of a column that hold a block."""
    return s.planes[c, 0] | s.planes[c, 1] | s.planes[c, 2] | s.planes[c, 3]


@jit
def blocks_of(s, c, code):
    """The cells of a column that hold a block of that code; none for code 0."""
    cells = filled(s, c)
    for p in range(PLANES):
        cells &= ~(s.planes[c, p] ^ (ZERO - ((u64(code) >> u64(p)) & ONE)))
    return cells


@jit
def count_code(s, cols, code):
    n = 0
    for c in range(1, cols + 1):
        n += popcount(blocks_of(s, c, code))
    return n


@jit
def most_frequent(s, cols, colours):
    """Code of the most frequent colour, the lowest of equals."""
    best, most = 1, 0
    for code in range(1, colours + 1):
        n = count_code(s, cols, code)
        if n > most:
            best, most = code, n
    return best


@jit
def update(s, lo, hi):
    """Renew all that depends on columns lo..hi, whose blocks have changed."""
    for c in range(lo - 1, hi + 1):
        up, right = ZERO, ZERO
        for p in range(PLANES):
            x = s.planes[c, p]
            up |= x ^ (x >> ONE)
            right |= x ^ s.planes[c + 1, p]
        s.up[c] = filled(s, c) & ~up
        s.right[c] = filled(s, c) & ~right
    num_firsts, num_free, code = s.num_firsts, s.num_free, s.tabu
    for c in range(max(lo - 1, 1), hi + 2):
        firsts = (s.up[c] | s.right[c]) & ~(s.up[c] << ONE) & ~s.right[c - 1]
        free = firsts & ~blocks_of(s, c, code)
        num_firsts += popcount(firsts) - popcount(s.firsts[c])
        num_free += popcount(free) - popcount(s.free[c])
        s.firsts[c] = firsts
        s.free[c] = free
    s.num_firsts, s.num_free = num_firsts, num_free


@jit
def spread(cells, up):
    """Cells of a column and all that hang together with them in it."""
    while True:
        more = cells | ((cells & up) << ONE) | ((cells >> ONE) & up)
        if more == cells:
            return cells
        cells = more


@jit
def mark(s, c, cell):
    """Mark the group of a cell. Returns its first and its last column.

    Sweeps to the right and back until nothing is added; what other marks there are stays as it is.
    """
    s.marked[c] = spread(s.marked[c] | cell, s.up[c])
    lo, hi, grown = c, c, True
    while grown:
        grown = False
        x = lo
        while True:
            new = s.marked[x] & s.right[x] & ~s.marked[x + 1]
            if new != ZERO:
                s.marked[x + 1] = spread(s.marked[x + 1] | new, s.up[x + 1])
                hi = max(hi, x + 1)
            elif x >= hi:
                break
            x += 1
        while True:
            new = s.marked[x] & s.right[x - 1] & ~s.marked[x - 1]
            if new != ZERO:
                s.marked[x - 1] = spread(s.marked[x - 1] | new, s.up[x - 1])
                lo = min(lo, x - 1)
                grown = True
            elif x <= lo:
                break
            x -= 1
    return lo, hi


@jit
def unmark(s, lo, hi):
    for c in range(lo, hi + 1):
        s.marked[c] = ZERO


@jit
def drop(s, c):
    """Remove the marked blocks of a column, run by run; those above fall. Returns how many were removed."""
    gone = s.marked[c]
    s.marked[c] = ZERO
    n = popcount(gone)
    while gone != ZERO:
        below_run = lowest(gone) - ONE
        run = gone & ~(gone + lowest(gone))
        k = u64(popcount(run))
        for p in range(PLANES):
            x = s.planes[c, p]
            s.planes[c, p] = (x & below_run) | ((x >> k) & ~below_run)
        gone = (gone ^ run) >> k
    return n


@jit
def close_up(s, lo, cols):
    """Move columns lo..cols to the left over the empty ones among them."""
    to = lo
    for c in range(lo, cols + 1):
        if filled(s, c) != ZERO:
            for p in range(PLANES):
                x = s.planes[c, p]
                s.planes[c, p] = ZERO
                s.planes[to, p] = x
            to += 1


@jit
def remove_marked(s, lo, hi, cols):
    """Play the marked group, which stands in columns lo..hi."""
    n = 0
    emptied = False
    for c in range(lo, hi + 1):
        n += drop(s, c)
        emptied |= filled(s, c) == ZERO
    if emptied:
        close_up(s, lo, cols)
        hi = cols
    update(s, lo, hi)
    s.score += (n - 2) * (n - 2)


@jit
def pick(masks, k):
    """(column, bit) of the k-th cell in the columns' masks."""
    c = 1
    n = popcount(masks[c])
    while k >= n:
        k -= n
        c += 1
        n = popcount(masks[c])
    cells = masks[c]
    for _ in range(k):
        cells &= cells - ONE
    return c, lowest(cells)


@jit
def mark_clearing(s, cols):
    """Mark the group that is all of the tabu colour. Returns its columns, (1, 0) if there is none."""
    n = count_code(s, cols, s.tabu)
    c = 1
    while n > 1 and blocks_of(s, c, s.tabu) == ZERO:
        c += 1
    cell = lowest(blocks_of(s, c, s.tabu))
    if n < 2 or (s.firsts[c] & cell) == ZERO:
        return 1, 0
    lo, hi = mark(s, c, cell)
    for x in range(lo, hi + 1):
        n -= popcount(s.marked[x])
    if n > 0:
        unmark(s, lo, hi)
        return 1, 0
    return lo, hi


@jit
def mark_random(s, cols, tabu, clearing, rng):
    """Propose a random group and mark it. Returns its columns, (1, 0) where another proposal must follow.

    A group has one or more cells in `firsts`, but is accepted at the first of them only: so each group is equally likely,
    and one is all that must be marked. Likewise the group that is all of the tabu colour is looked for only when drawn.
    """
    if not tabu or s.num_free == 0:
        c, cell = pick(s.firsts, below(rng, s.num_firsts))
    else:
        k = below(rng, s.num_free + clearing)
        if k == s.num_free:
            return mark_clearing(s, cols)
        c, cell = pick(s.free, k)
    lo, hi = mark(s, c, cell)
    if lo < c or (s.marked[c] & (cell - ONE)) != ZERO:
        unmark(s, lo, hi)
        return 1, 0
    return lo, hi


@jit
def first_marked(s, rows, lo):
    """The action of the marked group: its first cell, column by column and from the bottom."""
    return (lo - 1) * rows + popcount(lowest(s.marked[lo]) - ONE)
