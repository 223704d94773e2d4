"""The actions of Splendor as numbers, and lists of those that are legal.

Numbers below `PASS` gain tokens: 3 + the gain of each colour, three bits each. The others reserve a card, its number or 90 +
the level of a deck, and return a token (1 + its colour, or 0); or they buy a card and pay gold beside what is missing, three
bits for each colour. Where several nobles come, `CHOICE` times 1 + the place of the chosen one is added.
"""
import numpy as np

from ..core import jit
from .splendor_cards import (BONUS, COLOURED, COST, GOLD, GOLD_UNIT, HELD, NONE, NUM_NOBLES, OPEN, WIDTH, bank, excess,
                             free_place, guests, lane, may_buy, own_place, total)

PASS = 1 << 18
RESERVE = PASS + 1              # + 7 card + returned
BUY = PASS + 1024               # + card + EXTRA gold
EXTRA = 128
CHOICE = 1 << 23
NO_GAIN = 3 * 0o111111


@jit
def unit(colour):
    """One token of a colour in an action."""
    return np.int64(1) << 3 * colour


@jit
def spread(digits, digit):
    """The lanes of numbers of three bits, less `digit` each."""
    found = np.int64(0)
    for colour in range(6):
        found += (((digits >> 3 * colour) & 7) - digit) << WIDTH * colour
    return found


@jit
def list_returns(held, kept, n, action, buf, at):
    """Append to buf[:at] the action with each way to return n tokens, none of the colours `kept`. Returns the new number."""
    if n == 0:
        buf[at] = action
        return at + 1
    for i in range(6):
        if (kept >> i) & 1 or lane(held, i) < 1:
            continue
        one = action - unit(i)
        if n == 1:
            buf[at] = one
            at += 1
            continue
        for j in range(i, 6):
            if (kept >> j) & 1 or lane(held, j) < 1 + (i == j):
                continue
            two = one - unit(j)
            if n == 2:
                buf[at] = two
                at += 1
                continue
            for k in range(j, 6):
                if (kept >> k) & 1 == 0 and lane(held, k) >= 1 + (i == k) + (j == k):
                    buf[at] = two - unit(k)
                    at += 1
    return at


@jit
def list_takes(g, s, buf, n):
    """Append the actions that take tokens.

    With `room` for fewer tokens than are taken, a player ends with ten whatever he takes. If he gains one each of some
    colours, he may have taken these alone or have returned the others: so each set of colours is listed once.
    """
    held = s.tokens[s.turn]
    room = HELD - total(held)
    stock = bank(s)
    here = colours = 0
    for colour in range(GOLD):
        if lane(stock, colour) > 0:
            here |= 1 << colour
            colours += 1
    if colours == 0:
        return n
    most = min(3, colours)
    for taken in range(32):
        if taken & ~here:
            continue
        size = 0
        action = np.int64(NO_GAIN)
        for colour in range(GOLD):
            if (taken >> colour) & 1:
                size += 1
                action += unit(colour)
        if size == most or (size < most and ((most > room and size >= room) or (g.fewer and size > 0))):
            n = list_returns(held, taken, max(0, size - room), action, buf, n)
    for colour in range(GOLD):
        if lane(stock, colour) == 4:
            n = list_returns(held, 1 << colour, max(0, 2 - room), NO_GAIN + 2 * unit(colour), buf, n)
    return n


@jit
def list_reserves(s, buf, n):
    """Append the actions that reserve a card."""
    player = np.int64(s.turn)
    if free_place(s, player) < 0:
        return n
    held = s.tokens[player]
    full = total(held) == HELD and bank(s) >= GOLD_UNIT
    for i in range(OPEN + 3):
        card = np.int64(s.cards[i]) if i < OPEN else NONE + i - OPEN
        if card == NONE and i < OPEN or i >= OPEN and s.left[i - OPEN] == 0:
            continue
        action = RESERVE + 7 * card
        if not full:
            buf[n] = action
            n += 1
            continue
        for colour in range(6):
            if colour == GOLD or lane(held, colour) > 0:
                buf[n] = action + 1 + colour
                n += 1
    return n


@jit
def list_payments(s, player, card, buf, n):
    """Append the ways to buy a card with gold instead of coloured tokens that the player has; none of them is the first."""
    price = excess(COST[card], s.bonus[player])
    held = s.tokens[player] & COLOURED
    paid = price - excess(price, held)              # in coloured tokens
    spare = (s.tokens[player] >> WIDTH * GOLD) - total(price - paid)
    extra = np.int64(0)                             # counted up like the digits of an odometer
    used = np.int64(0)
    while True:
        buf[n] = BUY + card + EXTRA * extra
        n += 1
        colour = 0
        while colour < GOLD:
            digit = (extra >> 3 * colour) & 7
            if used < spare and digit < lane(paid, colour):
                extra += unit(colour)
                used += 1
                break
            extra -= digit << 3 * colour
            used -= digit
            colour += 1
        if colour == GOLD:
            return n


@jit
def list_nobles(s, bonus, buf, first, last):
    """Let each of the actions buf[first:last], after which the bonuses are these, choose a noble if several come.

    More actions are appended. Returns the new number.
    """
    coming = guests(s, bonus)
    lowest = coming & -coming
    n = last
    if coming != lowest:
        for i in range(NUM_NOBLES):
            if ((coming - lowest) >> i) & 1:
                for k in range(first, last):
                    buf[n] = buf[k] + CHOICE * (1 + i)
                    n += 1
        for k in range(first, last):
            buf[k] += CHOICE * (1 + (lowest >> 1))
    return n


@jit
def list_turns(g, s, buf):
    """Write all legal actions to buf: tokens, cards to reserve, cards to buy. Returns their number."""
    player = np.int64(s.turn)
    bonus = s.bonus[player]
    n = list_takes(g, s, buf, 0)
    n = list_reserves(s, buf, n)
    n = list_nobles(s, bonus, buf, 0, n)
    for i in range(OPEN + 3):
        card = np.int64(s.cards[own_place(player, i)])
        if may_buy(s, player, card):
            first = n
            if g.overpay:
                n = list_payments(s, player, card, buf, n)
            else:
                buf[n] = BUY + card
                n += 1
            n = list_nobles(s, bonus + (np.int64(1) << WIDTH * BONUS[card]), buf, first, n)
    if n == 0:
        buf[0] = PASS
        n = list_nobles(s, bonus, buf, 0, 1)
    return n
