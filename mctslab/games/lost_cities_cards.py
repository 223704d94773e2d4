"""The cards of Lost Cities: sets of them, the state of a round, turns and points. The rules stand in `lost_cities`."""
import numpy as np

from ..core import jit

COLOURS = "yellow", "blue", "white", "green", "red"

# A card is 11 x colour + rank: its number, or 0 for a wager. A set of cards is one integer, the sum of 1 << card: of each
# colour it has eleven bits, two that count the wagers and one for each number. So sets are added and subtracted as integers,
# and all eleven bits are set in a whole colour.
WIDTH = 11
WHOLE = (1 << WIDTH) - 1
DECK = 0                # where a card is drawn: 0 the deck, 1 + colour a discard pile
SOURCES = 6
STATE = np.dtype([("played", "i8", (2,)),       # set of each player's cards on expeditions
                  ("known", "i8", (2,)),        # set of cards in each hand that the other player has seen him take
                  ("discarded", "i8"),          # set of the cards on discard piles
                  ("piles", "i8", (5,)),        # each pile's ranks + 1, four bits each, the top in the lowest; 0: empty
                  ("hands", "i1", (2, 8)),      # cards, in no order
                  ("deck", "i1", (60,)),        # cards, the next one to draw is deck[left - 1]; 0 from there on
                  ("left", "i1"),               # cards in the deck
                  ("turn", "i1"),               # the player to move
                  ("ply", "i2")],               # turns taken
                 align=True)


@jit
def may_play(s, player, card):
    """May a card go to the player's expedition: has that no number as high, for a wager no number at all?"""
    colour = card // WIDTH
    rank = card - colour * WIDTH
    return ((s.played[player] >> (colour * WIDTH)) & WHOLE) >> max(rank, 2) == 0


@jit
def all_sources(s):
    """Where a card can be drawn, as bits: the deck and the discard piles that are not empty."""
    sources = 1
    for colour in range(5):
        sources |= np.int64(s.piles[colour] != 0) << (1 + colour)
    return sources


@jit
def without_pile(sources, card):
    """The sources less the pile on which the card is discarded."""
    return sources & ~(2 << (card // WIDTH))


@jit
def count_sources(sources):
    """How many of six bits are set."""
    n = (sources & 0x15) + ((sources >> 1) & 0x15)
    return (n & 3) + ((n >> 2) & 3) + (n >> 4)


@jit
def nth_source(sources, n):
    """The n-th bit that is set, from 0."""
    source = 0
    while True:
        n -= (sources >> source) & 1
        if n < 0:
            return source
        source += 1


@jit
def take_turn(g, s, place, discard, source):
    """Play or discard the card at a place of the hand, and draw."""
    player = np.int64(s.turn)
    card = np.int64(s.hands[player, place])
    colour = card // WIDTH
    rank = card - colour * WIDTH
    unit = np.int64(1) << card
    seen = s.known[player] & (unit if rank > 0 else 3 * unit)
    s.known[player] -= unit if seen else 0          # of like wagers, one that was seen goes first
    pile = s.piles[colour]
    s.piles[colour] = pile << 4 | (rank + 1) if discard else pile
    s.discarded += unit if discard else 0
    s.played[player] += 0 if discard else unit
    if source == DECK:
        s.left -= 1
        s.hands[player, place] = s.deck[s.left]
        s.deck[s.left] = 0
    else:
        colour = source - 1
        card = colour * WIDTH + (s.piles[colour] & 15) - 1
        unit = np.int64(1) << card
        s.piles[colour] >>= 4
        s.discarded -= unit
        if g.memory:
            s.known[player] += unit
        s.hands[player, place] = card
    s.turn = 1 - player
    s.ply += 1


@jit
def score(s, player):
    """Points of a player's expeditions."""
    total = 0
    for colour in range(5):
        cards = (s.played[player] >> (colour * WIDTH)) & WHOLE
        if cards != 0:
            wagers = cards & 3
            numbers = 0
            points = -20
            for rank in range(2, WIDTH):
                numbers += (cards >> rank) & 1
                points += rank * ((cards >> rank) & 1)
            total += points * (1 + wagers)
            if wagers + numbers >= 8:
                total += 20
    return total


@jit
def list_cards(cards, out, n):
    """Write the cards of a set to out[n:], in order. Returns the new length."""
    for colour in range(5):
        for _ in range(cards & 3):
            out[n] = colour * WIDTH
            n += 1
        for rank in range(2, WIDTH):
            if (cards >> rank) & 1:
                out[n] = colour * WIDTH + rank
                n += 1
        cards >>= WIDTH
    return n


@jit
def deal(s, player, first, hand):
    """Fill a hand from a place on with cards from the deck."""
    for i in range(first, hand):
        s.left -= 1
        s.hands[player, i] = s.deck[s.left]
        s.deck[s.left] = 0
