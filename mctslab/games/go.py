"""Go: who holds the larger area wins.

Players place a stone in turn, Black first. Groups of the opponent's without liberties are captured, then one's own (suicide,
illegal unless `suicide`). Ko "simple": a stone that stands alone and has just captured one stone may not be retaken at once.
"positional": no move may bring back any earlier position (positional superko; a pass may). One may always pass; two passes
in a row end the game, and so does the cap of plies. It is scored as it stands: stones, and empty regions that touch one
colour only; White adds the komi. (Tromp and Taylor, The Logical Rules of Go: suicide, positional superko, no cap.)

Searches and playouts leave out moves into one's own single-point eyes, and the suicide of a single stone, which is a pass
by another name. They pass if nothing else is left.

Known values: 57, 489 and 12675 legal positions on 2 x 2, 2 x 3 and 3 x 3; sequence counts, superko bans and values of small
boards (tests/test_go.py); a playout from the empty 9 x 9 board has about 111 plies, and Black wins 42 % at komi 7.5.
"""
from typing import NamedTuple

import numpy as np

from ..core import game, jit, u64
from .stones import (EMPTY, NEIGHBOURS, NO_POINT, action_name, action_of, after_move, area, beside, board_dtype, clear, draw,
                     hash_board, is_eye, is_suicide, list_tries, num_cells, place, point_of, position_key, update_hash,
                     zobrist)

SIMPLE, POSITIONAL = range(2)


@jit
def group_hash(s, head, t):
    """Hash of the stones of a group."""
    h = u64(0)
    p = head
    while True:
        h ^= zobrist(p, t)
        p = np.int64(s.next[p])
        if p == head:
            return h


@jit
def hash_after(s, p, t):
    """Hash of the stones when player t has played on the empty point p, and what has no liberties has gone."""
    lives, takes = after_move(s, p, t)
    h = s.hash if not (lives or takes) else s.hash ^ zobrist(p, t)
    if lives and not takes:
        return h
    gone = 1 - t if takes else t
    for i in range(4):
        head = np.int64(s.head[p + NEIGHBOURS[i]])
        pairs = 0                               # of the group there and p
        first = i                               # of the directions in which that group is
        for j in range(3, -1, -1):
            q = p + NEIGHBOURS[j]
            if s.board[q] == gone + 1 and s.head[q] == head:
                pairs += 1
                first = j
        if first == i and pairs > 0 and s.libs[head] == pairs:
            h ^= group_hash(s, head, gone)
    return h


@jit
def place_of(s, h):
    """Where the table of positions holds this one, or the free place where it would stand."""
    mask = s.seen.size - 1
    i = np.int64(h & u64(mask))
    while s.seen[i] != u64(0) and s.seen[i] != h:
        i = (i + 1) & mask
    return i


@jit
def remember(s):
    """Enter the position among those seen."""
    s.seen[place_of(s, s.hash)] = s.hash
    s.past += s.hash * (s.hash | u64(1))


@game
class Go(NamedTuple):
    size: int = 9               # rows
    cols: int = 0               # 0: as many as rows
    komi: float = 7.5
    ko: int = SIMPLE
    suicide: bool = False       # is it legal?
    cap: int = 0                # plies, passes included, after which the game ends; 0: three times the cells

    limits = {"size": (1, 19), "cols": (0, 19), "komi": (-500.0, 500.0), "cap": (0, 5000)}
    choices = {"ko": ("simple", "positional")}

    def columns(g):
        return g.cols if g.cols > 0 else g.size

    def dtype(g):
        table = 1 if g.ko == SIMPLE else 1 << int(1.5 * (g.max_length() + 1)).bit_length()
        return board_dtype(g, ("seen", "u8", (table,)),     # hash table of the positions so far, for positional superko
                           ("past", "u8"))                  # hash of the set of them

    def max_actions(g):
        return num_cells(g) + 1

    def max_length(g):
        return g.cap if g.cap > 0 else 3 * num_cells(g)

    def start(g, s, rng):
        clear(g, s)
        for i in range(s.seen.size):
            s.seen[i] = u64(0)
        s.past = u64(0)
        if g.ko == POSITIONAL:
            remember(s)

    def current_player(g, s):
        return np.int64(s.turn)

    def repeats(g, s, p, t):
        """Does the ko rule forbid player t the empty point p?"""
        if g.ko == SIMPLE:
            return p == s.ko
        h = hash_after(s, p, t)
        return s.seen[place_of(s, h)] == h

    def tries(g, s, p, t):
        """Is the empty point p a move of player t for searches and playouts?"""
        if is_eye(s, p, t):
            return False
        if is_suicide(s, p, t) and (not g.suicide or beside(np.int64(s.around[u64(p)]), 1 - t) == 4):
            return False
        return not g.repeats(s, p, t)

    def legal_actions(g, s, buf):
        n = 0
        t = np.int64(s.turn)
        for a in range(num_cells(g)):
            p = point_of(g, a)
            if s.board[p] == EMPTY and (g.suicide or not is_suicide(s, p, t)) and not g.repeats(s, p, t):
                buf[n] = a
                n += 1
        buf[n] = num_cells(g)
        return n + 1

    def search_actions(g, s, buf):
        n = list_tries(g, s, buf)
        if n > 0:
            return n
        buf[0] = num_cells(g)
        return 1

    def play(g, s, a, rng):
        if a == num_cells(g):
            s.last = s.ko = NO_POINT
            s.passes += 1
        else:
            s.last = point_of(g, a)
            taken = place(s, np.int64(s.last), np.int64(s.turn))
            update_hash(s, np.int64(s.last), np.int64(s.turn), taken)
            s.passes = 0
            if g.ko == POSITIONAL:
                remember(s)
        s.turn = 1 - s.turn
        s.ply += 1
        s.over = s.passes == 2 or s.ply >= g.max_length()

    def is_terminal(g, s):
        return s.over == 1

    def is_capped(g, s):
        """Did the cap end the game?"""
        return s.over == 1 and s.passes < 2

    def payoff(g, s):
        lead = area(s) - g.komi
        return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5

    def code(g, s, a):
        return np.int64(s.turn) * (num_cells(g) + 1) + a

    def key(g, s):
        """With positional superko the positions so far count too: they decide what is legal."""
        return position_key(s) ^ s.past

    def playout(g, s, rng, trace, n, buf):
        """Uniformly random among the moves that ``search_actions`` lists."""
        cells = num_cells(g)
        t = np.int64(s.turn)
        passes = np.int64(s.passes)
        left = g.max_length() - np.int64(s.ply)
        p = np.int64(s.last)
        while passes < 2 and left > 0:
            p = draw(g, s, t, rng)
            if p == NO_POINT:
                trace[n] = t * (cells + 1) + cells
                s.ko = NO_POINT
                passes += 1
            else:
                trace[n] = t * (cells + 1) + action_of(g, p)
                taken = place(s, p, t)
                passes = 0
                if g.ko == POSITIONAL:
                    update_hash(s, p, t, taken)
                    remember(s)
            n += 1
            t = 1 - t
            left -= 1
        s.turn = t
        s.passes = passes
        s.ply = g.max_length() - left
        s.last = p
        s.over = 1
        hash_board(g, s)
        return n

    def action_to_string(g, s, a):
        return "pass" if a == num_cells(g) else action_name(g, a)
