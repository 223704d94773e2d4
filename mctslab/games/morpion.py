"""Morpion Solitaire: as many lines as possible are to be drawn on a grid without borders.

At first the outline of a Greek cross is dotted: 36 dots for lines of 5, 24 for lines of 4. A move adds one dot and draws one
straight line (horizontal, vertical or diagonal) of `line` neighbouring dots through it; the other dots of the line must be
there already. In the disjoint game ("5D", "4D") lines of one direction share no dot, in the touching game ("5T", "4T") they
may share an end but no segment. The score is the number of moves. (Cazenave, Nested Monte-Carlo Search, IJCAI 2009, plays
5D; records: morpionsolitaire.com.)

Known values: 28 first moves (lines of 5); the record games of 82 (5D) and 178 moves (5T) replay (tests/morpion_records.txt).
Proved: 4D has at most 35 moves, 4T 62 (solved), 5D 84, 5T 485 (Michalewski, Nagorko, Pawlewicz: linear programming).
"""
from typing import NamedTuple

import numpy as np

from ..core import InputError, below, game, jit, one_of, u64

# A slot is a place of the grid as seen along a direction: direction, track, place on the track, in 2 + 6 + 6 bits. A dot has
# four slots, one in each direction; that of direction 0 names it. The slot of a line's first dot names the line and is the
# action. A track is one word of bits, so the neighbourhood of a dot is four rotated words.
#
# The grid is a torus of side 64, which is as good as an endless one while no game is wider than 60.
# 5T (each 5D game is one): call a dot's side in one of the 8 directions free until a segment covers it. Free sides stay 288:
# a move adds 8 and covers 8. Each row, column and diagonal with a dot has two free sides, so they are at most 144. The cross
# is on 10 rows and 26 diagonals. Of e more columns each is in use, and at least e - 3 more diagonals are, since those of
# neighbouring dots are at most two apart: 10 + (10 + e) + 26 + (e - 3) <= 144 gives e <= 50.
# 4T: two neighbouring columns beside the cross have four dots or more between them, as the first lines of three columns
# pass there by different segments; so 62 moves add at most 35 columns to the 7 of the cross.
VARIANTS = ("5D", "5T", "4D", "4T")
OUTLINE = ((1, 0), (0, 1), (1, 0), (0, 1), (-1, 0), (0, 1), (-1, 0), (0, -1), (-1, 0), (0, -1), (1, 0), (0, -1))
HORIZONTAL, VERTICAL, FALLING, RISING = range(4)    # (1, 0), (0, 1), (1, 1), (1, -1), where y grows downwards
PLACES = 63                             # mask of a place
SLOTS = 1 << 14
LANE = 16                               # the windows of the four directions stand in one word, 16 bits each
EACH = u64(0x0001_0001_0001_0001)       # bit 0 of each lane
ZERO, ONE = u64(0), u64(1)
MOST_LEGAL = 240        # 5T: a legal line needs 6 of the free sides, each of use to 4 lines; 4T: 4 of at most 316, each to 3


@jit
def rotate(word, n):
    """The word with bit n moved to bit 0."""
    down = u64(n & PLACES)
    return (word >> down) | (word << ((u64(64) - down) & u64(63)))


@jit
def lowest(word):
    """Index of the lowest bit that is set: the number of bits below it, counted in parallel."""
    v = (word & (~word + ONE)) - ONE
    v -= (v >> ONE) & u64(0x5555555555555555)
    v = (v & u64(0x3333333333333333)) + ((v >> u64(2)) & u64(0x3333333333333333))
    v = (v + (v >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F)
    return np.int64((v * u64(0x0101010101010101)) >> u64(56))


@jit
def slot_of(x, y, direction):
    """The slot of a point in a direction."""
    track = y if direction == HORIZONTAL else x if direction == VERTICAL else y - x if direction == FALLING else y + x
    place = y if direction == VERTICAL else x
    return (direction << 12) | ((track & PLACES) << 6) | (place & PLACES)


@jit
def dot_of(slot):
    """The dot of a slot, that is its slot of direction 0: y << 6 | x."""
    direction = slot >> 12
    track = (slot >> 6) & PLACES
    place = slot & PLACES
    x = track if direction == VERTICAL else place
    y = track if direction == HORIZONTAL else place if direction == VERTICAL else (
        track + place if direction == FALLING else track - place)
    return ((y & PLACES) << 6) | x


@jit
def along(slot, n):
    """The slot n places further on the track."""
    return (slot & ~PLACES) | ((slot + n) & PLACES)


@jit
def forget(s, dot, line, uses):
    """Drop from the legal lines those that needed this dot, and those that overlap the line now drawn."""
    n = 0
    for i in range(np.int64(s.num_legal)):
        move = np.int64(s.legal[i])
        s.legal[n] = move
        apart = (((move ^ line) & (SLOTS - 1)) >> 6 != 0) | ((move - line + uses - 1) & PLACES > 2 * uses - 2)
        n += (move >> 14 != dot) & apart
    s.num_legal = n


@jit
def place(g, s, dot):
    """Put a dot, and add the lines that now lack one dot only: the bits of all four windows at once."""
    length = g.line
    uses = g.uses()
    x = dot & PLACES
    y = dot >> 6
    window = (ONE << u64(2 * length - 1)) - ONE
    dots = ZERO
    drawn = ZERO
    for direction in range(4):
        slot = slot_of(x, y, direction)
        first = slot - length + 1
        s.dots[slot >> 6] |= ONE << u64(slot & PLACES)
        dots |= (rotate(s.dots[slot >> 6], first) & window) << u64(LANE * direction)
        drawn |= (rotate(s.drawn[slot >> 6], first) & window) << u64(LANE * direction)
    gaps = ~dots & (window * EACH)
    some = gaps             # a line from here lacks at least one dot
    more = ZERO             # at least two
    for k in range(1, 5):   # to a constant, which compiles to straight code
        if k < length:
            more |= some & (gaps >> u64(k))
            some |= gaps >> u64(k)
        if k < uses:
            drawn |= drawn >> ONE
    lines = some & ~more & ~drawn & (((ONE << u64(length)) - ONE) * EACH)
    n = np.int64(s.num_legal)
    while lines != ZERO:
        bit = lowest(lines)
        lines &= lines - ONE
        line = along(slot_of(x, y, bit // LANE), bit % LANE - length + 1)
        s.legal[n] = (dot_of(along(line, lowest(gaps >> u64(bit)))) << 14) | line
        n += 1
    s.num_legal = n


@jit
def draw(g, s, line, dot):
    """A move: mark what the line uses, then its dot."""
    uses = g.uses()
    s.drawn[line >> 6] |= rotate((ONE << u64(uses)) - ONE, -line)
    s.moves[s.ply] = line
    s.ply += 1
    forget(s, dot, line, uses)
    place(g, s, dot)


def points(g, line):
    """The (x, y) of a line's dots, first dot first; the box of the cross has its top left corner at (0, 0)."""
    dots = [int(dot_of(along(line, i))) for i in range(g.line)]
    return [((dot + 27) % 64 - 27, ((dot >> 6) + 27) % 64 - 27) for dot in dots]


@game
class Morpion(NamedTuple):
    line: int = 5               # dots of a line
    disjoint: bool = True       # may lines of one direction not even share an end?

    players = 1
    shorthand = "variant=5D|5T|4D|4T"
    limits = {"line": (4, 5)}

    @classmethod
    def expand_options(cls, options):
        """``variant="5T"`` stands for both fields; a field that is given too overrides it."""
        if "variant" not in options:
            return options
        options = dict(options)
        variant = options.pop("variant")
        if variant not in VARIANTS:
            raise InputError(f"option variant of {cls.name} is {variant!r}; allowed: {one_of(VARIANTS)}")
        return {"line": int(variant[0]), "disjoint": variant[1] == "D"} | options

    def variant(g):
        return f"{g.line}{'D' if g.disjoint else 'T'}"

    def _describe(g, options):
        return {"variant": g.variant()} if options else {}

    def dtype(g):
        return np.dtype([("dots", "u8", (256,)),            # [direction, track]: bits of the dots
                         ("drawn", "u8", (256,)),           # the same of what lines of the direction use: dots, or segments
                         ("legal", "u4", (MOST_LEGAL,)),    # legal moves: new dot << 14 | line
                         ("moves", "i2", (485,)),           # lines drawn, in order: for pictures
                         ("num_legal", "i4"),
                         ("ply", "i4")],
                        align=True)

    def max_actions(g):
        return MOST_LEGAL

    def max_length(g):
        if g.line == 4:
            return 35 if g.disjoint else 62
        return 84 if g.disjoint else 485

    def num_codes(g):
        return SLOTS

    def target(g):
        """The optimum where it is known."""
        return np.float64(g.max_length()) if g.line == 4 else np.inf

    def uses(g):
        """Places of a track that a line uses: all its dots, or the segments between, each at its first dot."""
        return g.line if g.disjoint else g.line - 1

    def start(g, s, rng):
        for i in range(256):
            s.dots[i] = ZERO
            s.drawn[i] = ZERO
        s.num_legal = 0
        s.ply = 0
        edge = g.line - 2
        x = edge
        y = 0
        for dx, dy in OUTLINE:
            for _ in range(edge):
                forget(s, slot_of(x, y, HORIZONTAL), 0, 0)
                place(g, s, slot_of(x, y, HORIZONTAL))
                x += dx
                y += dy

    def legal_actions(g, s, buf):
        for i in range(np.int64(s.num_legal)):
            buf[i] = np.int64(s.legal[i]) & (SLOTS - 1)
        return np.int64(s.num_legal)

    def play(g, s, a, rng):
        draw(g, s, a, dot_of(along(a, lowest(~rotate(s.dots[a >> 6], a)))))

    def is_terminal(g, s):
        return s.num_legal == 0

    def payoff(g, s):
        return np.float64(s.ply)

    def playout(g, s, rng, trace, n, buf):
        """Uniformly random actions, the same as drawn from `legal_actions`."""
        while s.num_legal > 0:
            move = np.int64(s.legal[below(rng, np.int64(s.num_legal))])
            trace[n] = move & (SLOTS - 1)
            n += 1
            draw(g, s, move & (SLOTS - 1), move >> 14)
        return n

    def action_to_string(g, s, a):
        """``4,0: 2,0-6,0``: the new dot, the ends of the line."""
        line = points(g, a)
        x, y = next(point for i, point in enumerate(line) if not int(s.dots[a >> 6]) >> (a + i) % 64 & 1)
        return "{},{}: {},{}-{},{}".format(x, y, *line[0], *line[-1])
