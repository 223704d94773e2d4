"""Playout policies of Splendor that draw a turn without listing all."""
import numpy as np

from ..core import below, jit
from .splendor_cards import (COLOURED, GOLD, HELD, NONE, NUM_NOBLES, OPEN, WIDTH, bank, buy, excess, free_place,
                             guests, lane, may_buy, own_place, reserve, total, welcome)

BUY_FIRST, KIND_FIRST, INFORMED, UNIFORM = range(4)
BUYS, TAKES, RESERVES = range(3)        # kinds of turns

# Codes of turns: the set of the colours gained, one colour gained twice, a pass, a card bought, a card or level reserved.
DOUBLE_CODE = 32
PASS_CODE = DOUBLE_CODE + GOLD
BUY_CODE = PASS_CODE + 1
RESERVE_CODE = BUY_CODE + NONE
CODES = RESERVE_CODE + NONE + 3
TRIPLES = 0, 1, 1, 1, 4, 10             # ways to take three colours, or all, by their number


@jit
def gain_code(gains):
    """Code of a turn that gains coloured tokens, given as lanes."""
    code = 0
    for colour in range(GOLD):
        n = lane(gains, colour)
        if n == 2:
            return DOUBLE_CODE + colour
        code |= n << colour
    return np.int64(code)


@jit
def return_tokens(s, player, rng):
    """Return what is held over ten, each token as likely as any."""
    for held in range(total(s.tokens[player]), HELD, -1):
        i = below(rng, held)
        colour = 0
        while i >= lane(s.tokens[player], colour):
            i -= lane(s.tokens[player], colour)
            colour += 1
        s.tokens[player] -= np.int64(1) << WIDTH * colour


@jit
def draw_take(stock, rng):
    """The tokens to take, as lanes, or 0 if there are none: of all sets that may be taken one, equally likely."""
    colours = doubles = 0
    for colour in range(GOLD):
        n = lane(stock, colour)
        colours += n > 0
        doubles += n == 4
    if colours == 0:
        return np.int64(0)
    i = below(rng, TRIPLES[colours] + doubles)
    taken = np.int64(0)
    if i < TRIPLES[colours]:
        need = min(3, colours)
        for colour in range(GOLD):
            if lane(stock, colour) > 0:
                if below(rng, colours) < need:
                    taken += np.int64(1) << WIDTH * colour
                    need -= 1
                colours -= 1
        return taken
    i -= TRIPLES[colours]
    colour = -1
    while i >= 0:
        colour += 1
        i -= lane(stock, colour) == 4
    return np.int64(2) << WIDTH * colour


@jit
def random_take(s, player, taken, rng):
    """Take these tokens and return some. Returns the turn's code."""
    held = s.tokens[player]
    s.tokens[player] += taken
    return_tokens(s, player, rng)
    return gain_code(excess(s.tokens[player] & COLOURED, held & COLOURED))


@jit
def random_reserve(s, player, rng, buf):
    """Reserve a random card of table or decks. Returns the turn's code, or -1 where none can be reserved."""
    if free_place(s, player) < 0:
        return np.int64(-1)
    n = 0
    for i in range(OPEN):
        buf[n] = i
        n += s.cards[i] != NONE
    for level in range(3):
        buf[n] = OPEN + level
        n += s.left[level] > 0
    if n == 0:
        return np.int64(-1)
    i = np.int64(buf[below(rng, n)])
    code = RESERVE_CODE + (np.int64(s.cards[i]) if i < OPEN else NONE + i - OPEN)
    reserve(s, player, i if i < OPEN else -1, i - OPEN)
    return_tokens(s, player, rng)
    return code


@jit
def random_buy(s, player, rng, buf):
    """Buy a random card. Returns the turn's code, or -1 where none can be bought."""
    n = 0
    for i in range(OPEN + 3):
        place = own_place(player, i)
        buf[n] = place
        n += may_buy(s, player, np.int64(s.cards[place]))
    if n == 0:
        return np.int64(-1)
    place = np.int64(buf[below(rng, n)])
    code = BUY_CODE + np.int64(s.cards[place])
    buy(s, player, place, 0)
    return code


@jit
def random_action(s, policy, rng, buf):
    """Play a random action, nobles apart. Returns its code."""
    player = np.int64(s.turn)
    code = np.int64(-1)
    if policy == KIND_FIRST:
        untried = 7                     # kinds, as bits
        while untried != 0:
            kind = below(rng, 3)
            if (untried >> kind) & 1 == 0:
                continue
            untried ^= 1 << kind
            if kind == BUYS:
                code = random_buy(s, player, rng, buf)
            elif kind == TAKES:
                taken = draw_take(bank(s), rng)
                if taken != 0:
                    code = random_take(s, player, taken, rng)
            else:
                code = random_reserve(s, player, rng, buf)
            if code >= 0:
                return code
        return np.int64(PASS_CODE)
    code = random_buy(s, player, rng, buf)
    if code < 0 and policy == INFORMED and below(rng, 10) == 0:
        code = random_reserve(s, player, rng, buf)
    if code < 0:
        taken = draw_take(bank(s), rng)
        code = random_take(s, player, taken, rng) if taken != 0 else random_reserve(s, player, rng, buf)
    return code if code >= 0 else np.int64(PASS_CODE)


@jit
def random_turn(s, policy, rng, buf):
    """Play a random turn, but not its end. Returns its code, less the player's part: see `Splendor.code`."""
    player = np.int64(s.turn)
    code = random_action(s, policy, rng, buf)
    s.passes = s.passes + 1 if code == PASS_CODE else 0
    coming = guests(s, s.bonus[player])
    if coming != 0:
        i = below(rng, NUM_NOBLES)
        while (coming >> i) & 1 == 0:
            i = (i + 1) % NUM_NOBLES
        welcome(s, player, i)
    return code
