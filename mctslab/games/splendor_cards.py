"""The cards, nobles and tokens of Splendor: tables, the state, and what each kind of action moves.

Tokens are six small numbers, of white, blue, green, red, black and gold, in one integer, six bits for each: the lanes.
Prices and bonuses are lanes too, so that whole purses are added, subtracted and compared at once.

The tables are those of the game (Space Cowboys, 2014) as nine public programs have them, ten tables compared cell by
cell, among them those of bouk/splendimax, cestpasphoto/alpha-zero-general and the COMP90054 course (Melbourne). Where
they differ, in one card and three nobles, sums decide: at each level all colours are asked for equally often, and the
nobles are the pairs and triples of neighbours on the ring of colours.
"""
import numpy as np

from ..core import below, jit, next64, shuffle

COLOURS = "white", "blue", "green", "red", "black", "gold"
GOLD = 5                            # colour
WIDTH = 6                           # bits of a lane
GUARD = 0x20 * 0x1041041            # the highest bit of each lane but that of gold; no number there needs it
COLOURED = (1 << WIDTH * GOLD) - 1  # the lanes but that of gold
GOLD_UNIT = 1 << WIDTH * GOLD
SUPPLY = 4 * 0x1041041 + 5 * GOLD_UNIT      # tokens in the game: four of each colour, five of gold
HELD = 10                           # tokens of a player at most

# Points and price of each card, by level and colour of its bonus; a price's digits are the colours above.
CARDS = (
    ("0:03000 0:00021 0:02002 0:01111 0:31001 0:02201 0:01211 1:00400",     # level 1, white
     "0:10002 0:00003 0:10111 0:00202 0:10220 0:10121 0:01310 1:00040",     # blue
     "0:21000 0:00030 0:11011 0:02020 0:13100 0:11012 0:01022 1:00004",     # green
     "0:30000 0:02100 0:20020 0:11101 0:21101 0:20102 0:10013 1:40000",     # red
     "0:00300 0:00210 0:20200 0:11110 0:22010 0:12110 0:00131 1:04000"),    # black
    ("1:00322 1:23030 2:00050 2:00142 2:00053 3:60000",                     # level 2
     "1:02230 1:02303 2:05000 2:20014 2:53000 3:06000",
     "1:23002 1:30230 2:00500 2:42001 2:05300 3:00600",
     "1:20023 1:03023 2:00005 2:14200 2:30005 3:00060",
     "1:32200 1:30302 2:50000 2:01420 2:00530 3:00006"),
    ("3:03353 4:00007 4:30036 5:30007",                                     # level 3
     "3:30335 4:70000 4:63003 5:73000",
     "3:53033 4:07000 4:36300 5:07300",
     "3:35303 4:00700 4:03630 5:00730",
     "3:33530 4:00070 4:00363 5:00073"))
NOBLES = "44000", "40004", "04400", "00440", "00044", "33300", "33003", "30033", "03330", "00333"     # bonuses asked for
NOBLE_POINTS = 3


def lanes(digits):
    return sum(int(digit) << WIDTH * i for i, digit in enumerate(digits))


LISTED = [(colour, *card.split(":")) for level in CARDS for colour, row in enumerate(level) for card in row.split()]
NONE = len(LISTED)                  # no card: a 91st that nobody can pay
COST = np.array([lanes(price) for *_, price in LISTED] + [31])
BONUS = np.array([colour for colour, *_ in LISTED] + [0])
POINTS = np.array([int(points) for _, points, _ in LISTED] + [0])
NOBLE = np.array([lanes(digits) for digits in NOBLES])
FIRST = np.array([0, 40, 70, 90])   # card of each level; levels are 0 to 2 here, 1 to 3 for people
OPEN = 12                           # places of face-up cards, four of each level; then three for each player's reserved ones
RESERVED = 3                        # cards of a player at most
PLACES = OPEN + 2 * RESERVED
NUM_NOBLES = 3

STATE = np.dtype([("tokens", "i8", (2,)),           # lanes of each player; the bank has the others
                  ("bonus", "i8", (2,)),            # lanes: his cards bought, by colour
                  ("inside", "i8", (3,)),           # set of the cards of a level's deck: bit i is card FIRST[level] + i
                  ("deal", "u8"),                   # stands for the order of the decks in `key`
                  ("ply", "i2"),                    # turns taken
                  ("cards", "i1", (PLACES,)),       # at each place, or NONE
                  ("left", "i1", (3,)),             # cards in each deck
                  ("nobles", "i1", (NUM_NOBLES,)),
                  ("host", "i1", (NUM_NOBLES,)),    # the player whom a noble has visited, or -1
                  ("points", "i1", (2,)),
                  ("bought", "i1", (2,)),           # number of cards
                  ("secret", "i1"),                 # bit i: the card at place OPEN + i was reserved unseen
                  ("passes", "i1"),                 # in a row
                  ("turn", "i1"),                   # player to move
                  ("over", "i1"),                   # 0, 1 by the rules, 2 by the cap
                  ("deck", "i1", (90,))],           # of a level from FIRST[level] on, the last one is drawn first; then 0
                 align=True)


@jit
def total(tokens):
    """Sum of the lanes: as in casting out nines, base 64."""
    return tokens % 63


@jit
def lane(tokens, colour):
    return (tokens >> WIDTH * colour) & 63


@jit
def excess(price, means):
    """By how much each lane of a price is above that of the means, both without gold."""
    difference = (price | GUARD) - means
    above = difference & GUARD              # of the lanes where it is not below
    return difference & (above - (above >> (WIDTH - 1)))


@jit
def bank(s):
    """Lanes of the tokens that nobody has."""
    return SUPPLY - s.tokens[0] - s.tokens[1]


@jit
def missing(s, player, card):
    """Number of tokens that the player would have to replace by gold to buy a card."""
    return total(excess(COST[card], s.bonus[player] + (s.tokens[player] & COLOURED)))


@jit
def may_buy(s, player, card):
    return missing(s, player, card) <= s.tokens[player] >> WIDTH * GOLD


@jit
def own_place(player, i):
    """Place of the i-th card that a player can buy: those on the table, then those he has reserved."""
    return i + RESERVED * player if i >= OPEN else i


@jit
def free_place(s, player):
    """Where the player can put a reserved card, or -1."""
    for place in range(OPEN + RESERVED * player, OPEN + RESERVED * player + RESERVED):
        if s.cards[place] == NONE:
            return place
    return -1


@jit
def draw_card(s, level):
    """The next card of a deck that has one."""
    s.left[level] -= 1
    at = FIRST[level] + np.int64(s.left[level])
    card = np.int64(s.deck[at])
    s.deck[at] = 0
    s.inside[level] ^= np.int64(1) << (card - FIRST[level])
    return card


@jit
def clear_place(s, place):
    """A card leaves its place: from the table, the next of its level takes it."""
    s.cards[place] = NONE
    if place >= OPEN:
        s.secret &= ~(1 << (place - OPEN))
    elif s.left[place >> 2] > 0:
        s.cards[place] = draw_card(s, place >> 2)


@jit
def buy(s, player, place, extra):
    """Buy the card at a place. Gold replaces the coloured tokens that are missing, and those of the lanes `extra`."""
    card = np.int64(s.cards[place])
    price = excess(COST[card], s.bonus[player])
    replaced = excess(price, s.tokens[player] & COLOURED) + extra
    s.tokens[player] -= price - replaced + (total(replaced) << WIDTH * GOLD)
    s.bonus[player] += np.int64(1) << WIDTH * BONUS[card]
    s.points[player] += POINTS[card]
    s.bought[player] += 1
    clear_place(s, place)


@jit
def reserve(s, player, place, level):
    """Reserve the card at a place of the table, or with place -1 the top card of a level's deck, and take gold if any."""
    own = free_place(s, player)
    if place >= 0:
        s.cards[own] = s.cards[place]
        clear_place(s, place)
    else:
        s.cards[own] = draw_card(s, level)
        s.secret |= 1 << (own - OPEN)
    if bank(s) >= GOLD_UNIT:
        s.tokens[player] += GOLD_UNIT


@jit
def guests(s, bonus):
    """Set of the nobles, as bits, that visit a player who has such bonuses."""
    found = 0
    for i in range(NUM_NOBLES):
        found |= ((s.host[i] < 0) & (((bonus | GUARD) - NOBLE[s.nobles[i]]) & GUARD == GUARD)) << i
    return found


@jit
def welcome(s, player, i):
    """A noble visits the player."""
    s.host[i] = player
    s.points[player] += NOBLE_POINTS


@jit
def lay_deck(s, level, rng):
    """Write the cards `inside` a deck in order, then shuffle them."""
    first = FIRST[level]
    n = 0
    for i in range(FIRST[level + 1] - first):
        s.deck[first + n] = first + i       # stays only if there is such a card
        n += (s.inside[level] >> i) & 1
    for i in range(first + n, FIRST[level + 1]):
        s.deck[i] = 0
    s.left[level] = n
    shuffle(s.deck[first:], n, rng)


@jit
def deal(s, rng):
    """Shuffle the decks, lay four cards of each level and three nobles."""
    s.deal = next64(rng)
    for place in range(PLACES):
        s.cards[place] = NONE
    for level in range(3):
        s.inside[level] = (np.int64(1) << (FIRST[level + 1] - FIRST[level])) - 1
        lay_deck(s, level, rng)
        for place in range(4 * level, 4 * level + 4):
            s.cards[place] = draw_card(s, level)
    for i in range(NUM_NOBLES):
        s.host[i] = -1
        s.nobles[i] = below(rng, len(NOBLE) - i)
        for j in range(i):                  # the n-th of those that are left: skip the ones before, in order
            s.nobles[i] += s.nobles[i] >= s.nobles[j]
        for j in range(i, 0, -1):
            if s.nobles[j] < s.nobles[j - 1]:
                noble = s.nobles[j]
                s.nobles[j] = s.nobles[j - 1]
                s.nobles[j - 1] = noble


@jit
def redraw(s, player, memory, rng):
    """Shuffle what a player has not seen into the decks and the other's places of cards reserved unseen.

    Without memory he has forgotten which cards the other reserved from the table, and knows their level only.
    """
    first = OPEN + RESERVED * (1 - player)
    hidden = 0
    for place in range(first, first + RESERVED):
        card = np.int64(s.cards[place])
        if card != NONE and (not memory or (s.secret >> (place - OPEN)) & 1):
            level = 2 if card >= FIRST[2] else 1 if card >= FIRST[1] else 0
            s.inside[level] |= np.int64(1) << (card - FIRST[level])
            s.cards[place] = level
            hidden |= 1 << (place - first)
    for level in range(3):
        lay_deck(s, level, rng)
    for i in range(RESERVED):
        if (hidden >> i) & 1:
            s.cards[first + i] = draw_card(s, np.int64(s.cards[first + i]))
    s.deal = next64(rng)


def unpack(tokens):
    """The lanes as a list of six."""
    return [int(tokens) >> WIDTH * i & 63 for i in range(6)]


def numbers(tokens):
    """``2 blue 1 red``, from six numbers; those below 1 are left out."""
    return " ".join(f"{n} {colour}" for n, colour in zip(tokens, COLOURS) if n > 0)


def card_name(card):
    """``level 2 red for 5 black``"""
    level = int(np.searchsorted(FIRST, card, "right"))
    return f"level {level} {COLOURS[BONUS[card]]} for {numbers(unpack(COST[card]))}"
