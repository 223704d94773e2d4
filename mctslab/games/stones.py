"""The board that Go, AtariGo and NoGo share: stones in groups, their liberties, captures.

A point is an index into arrays with a border around the board; the border column before a row ends the row above. The stones
of a group form a ring, and its head, one of them, names it. Of its liberties only the pseudo-liberties are kept: pairs of a
stone and an empty neighbour. There are none if and only if there are no liberties, and they are easy to keep. What a point
has around it is packed in one number. (The scheme of libego and other fast Go programs.)
"""
import numpy as np

from ..core import below, jit, scramble, u64

EMPTY, BLACK, WHITE, BORDER = range(4)      # player t has the stones t + 1 and the opponent 2 - t
BORDER_BESIDE = 0x111                       # in `around` the border counts as a stone of both colours and for itself
LETTERS = "ABCDEFGHJKLMNOPQRST"
NO_POINT = 0                                # a point of the border
WIDTH = 20                                  # of the board in memory, whatever its size: constants make directions fast
NEIGHBOURS = (-WIDTH, -1, 1, WIDTH)
DIAGONALS = (-WIDTH - 1, -WIDTH + 1, WIDTH - 1, WIDTH + 1)


def board_dtype(g, *more):
    """Layout of a state. Boards of up to 10 rows share one, so that kernels are compiled once for all of them.

    A game's own fields come first: numba would take a layout that only adds fields at the end for a subtype of this one.
    """
    n = max(256, -(-((g.size + 2) * WIDTH + 1) // 64) * 64)
    return np.dtype([*more,
                     ("board", "i1", (n,)),         # EMPTY, BLACK, WHITE or BORDER
                     ("around", "i2", (n,)),        # neighbours: black + border, white + border, border, in 4 bits each
                     ("head", "i2", (n,)),          # the head of a stone's group
                     ("next", "i2", (n,)),          # the next stone in its ring
                     ("libs", "i2", (n,)),          # of a head: pseudo-liberties
                     ("count", "i2", (n,)),         # of a head: stones
                     ("empties", "i2", (n,)),       # empty points, in any order
                     ("place", "i2", (n,)),         # where an empty point stands among them
                     ("num_empties", "i4"),
                     ("stones", "i4", (2,)),        # on the board, by player
                     ("turn", "i4"),                # player to move
                     ("ko", "i4"),                  # point where he may not retake; NO_POINT if none
                     ("passes", "i4"),              # in a row, just before
                     ("ply", "i4"),
                     ("over", "i4"),                # 1 when the game is
                     ("last", "i4"),                # point of the last move, NO_POINT if none: for pictures
                     ("hash", "u8")],               # of the stones
                    align=True)


@jit
def num_cells(g):
    return g.size * g.columns()


@jit
def point_of(g, a):
    """The point of an action, that is a cell counted row by row from the top left."""
    return (a // g.columns() + 1) * WIDTH + a % g.columns() + 1


@jit
def action_of(g, p):
    """The inverse."""
    row = np.int64(u64(p) // u64(WIDTH)) - 1
    return p - WIDTH - 1 - row * (WIDTH - g.columns())


@jit
def zobrist(p, kind):
    """Random bits for a stone of player 0 or 1 on a point, or (kind 2) for a ko there."""
    return scramble(3 * p + kind)


@jit
def clear(g, s):
    """The empty board."""
    for p in range(s.board.size):
        s.board[p] = BORDER
        s.around[p] = s.head[p] = s.next[p] = s.libs[p] = s.count[p] = s.empties[p] = s.place[p] = 0
    n = num_cells(g)
    for a in range(n):
        p = point_of(g, a)
        s.board[p] = EMPTY
        s.empties[a] = p
        s.place[p] = a
    for a in range(n):
        p = point_of(g, a)
        for d in NEIGHBOURS:
            if s.board[p + d] == BORDER:
                s.around[p] += BORDER_BESIDE
    s.num_empties = n
    s.stones[0] = s.stones[1] = 0
    s.turn = s.passes = s.ply = s.over = 0
    s.ko = s.last = NO_POINT
    hash_board(g, s)


@jit
def beside(around, t):
    """How many neighbours are stones of player t or border."""
    return (around >> (4 * t)) & 15


@jit
def num_open(around):
    """How many neighbours are empty."""
    return 4 - (around & 15) - ((around >> 4) & 15) + ((around >> 8) & 15)


@jit
def after_move(s, p, t):
    """(would the stone have a liberty before captures, would it capture) if player t played on the empty point p"""
    lives = num_open(np.int64(s.around[u64(p)])) > 0
    takes = False
    for d in NEIGHBOURS:                    # takes back below what it takes from groups here: no counting of pairs
        s.libs[u64(s.head[u64(p + d)])] -= 1
    for d in NEIGHBOURS:
        q = p + d
        c = s.board[u64(q)]
        left = s.libs[u64(s.head[u64(q)])]
        lives |= (c == t + 1) & (left > 0)
        takes |= (c == 2 - t) & (left == 0)
    for d in NEIGHBOURS:
        s.libs[u64(s.head[u64(p + d)])] += 1
    return lives, takes


@jit
def is_suicide(s, p, t):
    """Would a stone of player t on the empty point p be without liberties, captures made?"""
    if num_open(np.int64(s.around[u64(p)])) > 0:
        return False
    lives, takes = after_move(s, p, t)
    return not (lives or takes)


@jit
def is_eye(s, p, t):
    """Is the empty point p a single-point eye of player t: his stones around, and at most one diagonal point, at the border
    none, of the opponent's?"""
    around = np.int64(s.around[u64(p)])
    if beside(around, t) != 4:
        return False
    enemies = 1 if around >> 8 > 0 else 0
    for d in DIAGONALS:
        enemies += s.board[u64(p + d)] == 2 - t
    return enemies < 2


@jit
def remove(s, group, t):
    """Take the group of player t with that head off the board. Returns its size."""
    one = 1 + 15 * t                        # in `around`
    n = np.int64(s.num_empties)
    p = group
    while True:
        s.board[u64(p)] = EMPTY
        s.empties[u64(n)] = p
        s.place[u64(p)] = n
        n += 1
        for d in NEIGHBOURS:
            q = u64(p + d)
            s.around[q] -= one
            s.libs[u64(s.head[q])] += 1     # no point beside is empty but those of the group; at the border it goes nowhere
        p = np.int64(s.next[u64(p)])
        if p == group:
            break
    size = n - np.int64(s.num_empties)
    s.num_empties = n
    s.stones[t] -= size
    return size


@jit
def join(s, a, b):
    """Make two groups one: the smaller takes the head of the larger. Returns it."""
    if s.count[u64(b)] > s.count[u64(a)]:
        a, b = b, a
    p = b
    while True:
        s.head[u64(p)] = a
        p = np.int64(s.next[u64(p)])
        if p == b:
            break
    s.next[u64(a)], s.next[u64(b)] = s.next[u64(b)], s.next[u64(a)]
    s.libs[u64(a)] += s.libs[u64(b)]
    s.count[u64(a)] += s.count[u64(b)]
    return a


@jit
def place(s, p, t):
    """Player t plays on the empty point p: the opponent's groups without liberties go, else his own.

    Returns how many stones went, a negative number if they were his own. Sets the ko: a stone that stands alone has captured
    one stone.
    """
    one = 1 + 15 * t                        # in `around`
    around = np.int64(s.around[u64(p)])
    n = np.int64(s.num_empties) - 1
    k = s.place[u64(p)]
    moved = s.empties[u64(n)]
    s.empties[u64(k)] = moved
    s.place[u64(moved)] = k
    s.num_empties = n
    s.stones[t] += 1
    s.board[u64(p)] = t + 1
    s.head[u64(p)] = s.next[u64(p)] = p
    s.count[u64(p)] = 1
    s.libs[u64(p)] = num_open(around)
    group = p
    for d in NEIGHBOURS:
        q = u64(p + d)
        s.around[q] += one
        c = s.board[q]
        if c in (BLACK, WHITE):
            other = np.int64(s.head[q])
            s.libs[u64(other)] -= 1
            if c == t + 1 and other != group:
                group = join(s, group, other)
    taken = 0
    ko = NO_POINT
    for d in NEIGHBOURS:
        q = p + d
        if s.board[u64(q)] == 2 - t and s.libs[u64(s.head[u64(q)])] == 0:
            taken += remove(s, np.int64(s.head[u64(q)]), 1 - t)
            ko = q
    s.ko = ko if taken == 1 and beside(around, 1 - t) == 4 else NO_POINT
    if s.libs[u64(group)] == 0:
        return -remove(s, group, t)
    return taken


@jit
def update_hash(s, p, t, taken):
    """Keep the hash of the stones after `place`: what went are the last of the empty points."""
    s.hash ^= zobrist(p, t)
    n = np.int64(s.num_empties)
    for k in range(n - abs(taken), n):
        s.hash ^= zobrist(np.int64(s.empties[k]), 1 - t if taken > 0 else t)


@jit
def hash_board(g, s):
    """The hash of the stones from scratch."""
    s.hash = zobrist(0, 2)              # not 0, which marks a free place in a table of positions
    for a in range(num_cells(g)):
        p = point_of(g, a)
        if s.board[p] != EMPTY:
            s.hash ^= zobrist(p, np.int64(s.board[p]) - 1)


@jit
def position_key(s):
    """Hash of the stones, the player to move, the ko and whether the last move was a pass."""
    key = s.hash ^ zobrist(np.int64(s.ko), 2)
    if s.turn == 1:
        key ^= zobrist(0, 0)
    if s.passes == 1:
        key ^= zobrist(0, 1)
    return key


@jit
def draw(g, s, t, rng):
    """One of the empty points where ``g.tries`` player t, all equally likely; NO_POINT if there is none. Refused points are
    swapped to the end of the list."""
    k = np.int64(s.num_empties)
    while k > 0:
        j = below(rng, k)
        p = np.int64(s.empties[u64(j)])
        if g.tries(s, p, t):
            return p
        k -= 1
        q = s.empties[u64(k)]
        s.empties[u64(k)] = p
        s.empties[u64(j)] = q
        s.place[u64(p)] = k
        s.place[u64(q)] = j
    return NO_POINT


@jit
def list_tries(g, s, buf):
    """The actions that ``g.tries``, in the order of the board."""
    n = 0
    for a in range(num_cells(g)):
        p = point_of(g, a)
        if s.board[p] == EMPTY and g.tries(s, p, np.int64(s.turn)):
            buf[n] = a
            n += 1
    return n


@jit
def area_of_open_regions(s):
    """Black's empty points less White's, of those with empty neighbours. Bits 12 and 13 of `around` are lent for flags: what
    colours the region touches, spread until nothing changes."""
    spreads = True
    while spreads:
        spreads = False
        for k in range(np.int64(s.num_empties)):
            p = np.int64(s.empties[k])
            around = np.int64(s.around[p])
            border = (around >> 8) & 15
            flags = (around | (0x1000 if beside(around, 0) > border else 0) | (0x2000 if beside(around, 1) > border else 0))
            for d in NEIGHBOURS:
                q = p + d
                if s.board[q] == EMPTY:
                    flags |= np.int64(s.around[q]) & 0x3000
            spreads |= flags != around
            s.around[p] = flags
    area = 0
    for k in range(np.int64(s.num_empties)):
        p = np.int64(s.empties[k])
        around = np.int64(s.around[p])
        s.around[p] = around & 0xFFF
        if num_open(around) > 0:
            area += np.int64(around & 0x3000 == 0x1000) - np.int64(around & 0x3000 == 0x2000)
    return area


@jit
def area(s):
    """Black's area less White's: stones, and empty regions that touch one colour only."""
    total = np.int64(s.stones[0]) - np.int64(s.stones[1])
    closed = True
    for k in range(np.int64(s.num_empties)):
        around = np.int64(s.around[u64(s.empties[u64(k)])])
        if num_open(around) > 0:
            closed = False
        else:
            total += (beside(around, 0) == 4) * 1 - (beside(around, 1) == 4) * 1
    return total if closed else total + area_of_open_regions(s)


def action_name(g, a):
    """``C7``: column and row as Go players and GTP write them, row 1 at the bottom."""
    row, col = divmod(a, g.columns())
    return f"{LETTERS[col]}{g.size - row}"


def board_rows(g, s):
    """The board as an array of rows from the top: EMPTY, BLACK or WHITE."""
    return np.array([s.board[point_of(g, a)] for a in range(num_cells(g))]).reshape(g.size, -1)
