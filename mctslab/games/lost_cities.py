"""Lost Cities (Reiner Knizia, 1999): two players send expeditions of five colours; one round, 60 cards, 8 in each hand.

Each colour has three wagers and the numbers 2 to 10. A turn is to play a card and then to draw one. The card goes to the
player's own expedition of its colour, where numbers must rise and wagers come before all numbers, or on top of the colour's
discard pile. The new card is the top of the deck or of any discard pile, but not the card just discarded. The round ends at
once when the last card of the deck is drawn. An expedition without cards counts 0, any other (sum of its numbers - 20) x
(1 + its wagers), and 20 more if it has eight cards or more; hands count nothing. The box plays three rounds and adds them
up; here a round is a game. (Rulebooks of 1999 and 2019, without the sixth colour of the latter.)

Card and draw are one decision here, and wagers of a colour are alike. Two players may take discards for ever, so there is a
cap on turns, at which the position is scored as it stands; a million uniformly random games all ended before it.

Playout policies. `uniform`: every legal action alike. The others draw a card of the hand, then what to do with it, then
where to draw. A card that may be played is played if its expedition has begun, else as often as not; but of the cards of its
colour that may be played, the lowest is. Any other is discarded. `kind_first` draws from the deck or from the discard piles,
as often from either, if a pile may be taken, and from each pile alike; `informed` from the deck with chance 3/4, else from
the pile of a random colour (if that may not be taken, from the deck). The 3/4 is tuned, for short playouts.

Known values: 2, 3, 9, 10 are worth 4, with a wager 8; three wagers alone -80; a whole colour 156; the worst total is -400.
Random games take 143 turns if uniform, 72 by `kind_first` and 51 by `informed`.
"""
from typing import NamedTuple

import numpy as np

from ..core import below, game, jit, shuffle
from .lost_cities_cards import (COLOURS, DECK, SOURCES, STATE, WHOLE, WIDTH, all_sources, count_sources, deal, list_cards,
                                may_play, nth_source, score, take_turn, without_pile)

KIND_FIRST, UNIFORM, INFORMED = range(3)


@jit
def draw_uniform(g, s, rng):
    """A random number of `legal_actions`, without listing them: (place, discard, source)."""
    player = np.int64(s.turn)
    sources = all_sources(s)
    choices = count_sources(sources)
    n = 0
    seen = np.int64(0)
    for i in range(g.hand):
        card = np.int64(s.hands[player, i])
        if (seen >> card) & 1 == 0:
            seen |= np.int64(1) << card
            n += choices * may_play(s, player, card) + count_sources(without_pile(sources, card))
    n = below(rng, n)
    seen = np.int64(0)
    for i in range(g.hand):
        card = np.int64(s.hands[player, i])
        if (seen >> card) & 1 == 0:
            seen |= np.int64(1) << card
            plays = choices * may_play(s, player, card)
            if n < plays:
                return i, 0, nth_source(sources, n)
            n -= plays
            others = without_pile(sources, card)
            discards = count_sources(others)
            if n < discards:
                return i, 1, nth_source(others, n)
            n -= discards
    return -1, -1, -1       # not reached


@jit
def draw_card(g, s, rng):
    """A random card to play or discard, by the rules of thumb above: (place, discard). Few branches, for speed."""
    player = np.int64(s.turn)
    place = below(rng, g.hand)
    card = np.int64(s.hands[player, place])
    wager = card // WIDTH * WIDTH
    begun = (s.played[player] >> wager) & WHOLE
    coin = below(rng, 2)
    if (begun >> max(card - wager, 2) != 0) | ((begun == 0) & (coin == 0)):
        return place, 1
    for i in range(g.hand):
        other = np.int64(s.hands[player, i])
        better = (wager <= other) & (other < card) & (begun >> max(other - wager, 2) == 0)
        card = other if better else card
        place = i if better else place
    return place, 0


@jit
def draw_evenly(s, barred, rng):
    """The deck or a discard pile but the barred one, as often the one as the other."""
    sources = all_sources(s) & ~(1 << barred)
    piles = count_sources(sources) - 1
    if piles == 0 or below(rng, 2) == 0:
        return np.int64(DECK)
    return nth_source(sources, 1 + below(rng, piles))


@jit
def draw_mostly_deck(g, s, barred, rng):
    """The deck three times of four, or else a discard pile if the first that comes to mind is there and not barred."""
    pile = below(rng, 4) == 0
    source = 1 + below(rng, g.colours)
    return source if pile & (source != barred) & (s.piles[source - 1] != 0) else np.int64(DECK)


@jit
def random_turn(g, s, policy, rng):
    """What a policy does: (place of the card in the hand, discard, source)."""
    if policy == UNIFORM:
        return draw_uniform(g, s, rng)
    place, discard = draw_card(g, s, rng)
    barred = 1 + np.int64(s.hands[s.turn, place]) // WIDTH if discard else SOURCES      # its own pile, or none
    if policy == INFORMED:
        return place, discard, draw_mostly_deck(g, s, barred, rng)
    return place, discard, draw_evenly(s, barred, rng)


@game
class LostCities(NamedTuple):
    colours: int = 5
    hand: int = 8           # cards in a hand
    memory: bool = True     # does `determinize` know which discards the opponent has taken and not played since?
    cap: int = 300          # turns of both players

    limits = {"colours": (2, 5), "hand": (1, 8), "cap": (1, 10_000)}
    playouts = ("kind_first", "uniform", "informed")
    hidden = True

    def dtype(g):
        return STATE

    def max_actions(g):
        """Each card of the hand is played with any of 1 + colours draws or discarded with one draw less."""
        return g.hand * (2 * g.colours + 1)

    def max_length(g):
        return g.cap

    def num_codes(g):
        return 2 * 2 * 2 * WIDTH * g.colours

    def start(g, s, rng):
        for player in range(2):
            s.played[player] = 0
            s.known[player] = 0
        s.discarded = 0
        for colour in range(5):
            s.piles[colour] = 0
        s.left = list_cards((np.int64(1) << (WIDTH * g.colours)) - 1, s.deck, 0)
        shuffle(s.deck, np.int64(s.left), rng)
        deal(s, 0, 0, g.hand)
        deal(s, 1, 0, g.hand)
        s.turn = 0
        s.ply = 0

    def current_player(g, s):
        return np.int64(s.turn)

    def legal_actions(g, s, buf):
        """An action is ((card, 0 to play or 1 to discard it), source) as one number: (card x 2 + discard) x 6 + source."""
        player = np.int64(s.turn)
        sources = all_sources(s)
        n = 0
        seen = np.int64(0)
        for i in range(g.hand):
            card = np.int64(s.hands[player, i])
            if (seen >> card) & 1 == 0:         # of like wagers only the first
                seen |= np.int64(1) << card
                for discard in range(0 if may_play(s, player, card) else 1, 2):
                    allowed = without_pile(sources, card) if discard else sources
                    for source in range(SOURCES):
                        if (allowed >> source) & 1:
                            buf[n] = (2 * card + discard) * SOURCES + source
                            n += 1
        return n

    def play(g, s, a, rng):
        """All chance is in the order of the deck."""
        card = a // (2 * SOURCES)
        place = 0
        while s.hands[s.turn, place] != card:
            place += 1
        take_turn(g, s, place, a // SOURCES % 2, a % SOURCES)

    def is_terminal(g, s):
        return s.left == 0 or s.ply >= g.cap

    def is_capped(g, s):
        return s.left > 0

    def payoff(g, s):
        return 0.5 + 0.5 * np.sign(score(s, 0) - score(s, 1))

    def score_difference(g, s):
        return np.float64(score(s, 0) - score(s, 1))

    def score_scale(g):
        """Differences in `kind_first` playouts have a standard deviation of 52: one in twenty is larger than this."""
        return np.float64(100)

    def determinize(g, s, player, rng):
        """Shuffle what the player has not seen into the deck and the other hand, which keeps the cards known to be there."""
        other = 1 - player
        unseen = (np.int64(1) << (WIDTH * g.colours)) - 1 - s.played[0] - s.played[1] - s.discarded - s.known[other]
        for i in range(g.hand):
            unseen -= np.int64(1) << np.int64(s.hands[player, i])
        known = list_cards(s.known[other], s.hands[other], 0)
        s.left = list_cards(unseen, s.deck, 0)
        shuffle(s.deck, np.int64(s.left), rng)
        deal(s, other, known, g.hand)

    def playout_as(g, policy, s, rng, trace, n, buf):
        while not g.is_terminal(s):
            place, discard, source = random_turn(g, s, policy, rng)
            trace[n] = g.code(s, (2 * np.int64(s.hands[s.turn, place]) + discard) * SOURCES + source)
            n += 1
            take_turn(g, s, place, discard, source)
        return n

    def playout(g, s, rng, trace, n, buf):
        return g.playout_as(KIND_FIRST, s, rng, trace, n, buf)

    def code(g, s, a):
        """Who moves, the card, played or discarded, and whether the draw is from the deck or from a pile."""
        draw = 1 if a % SOURCES > 0 else 0
        return (np.int64(s.turn) * WIDTH * g.colours * 2 + a // SOURCES) * 2 + draw

    def action_to_string(g, s, a):
        """``play red 7, draw``, ``discard blue wager, take white``"""
        card, discard, source = a // (2 * SOURCES), a // SOURCES % 2, a % SOURCES
        rank = card % WIDTH
        what = f"{'discard' if discard else 'play'} {COLOURS[card // WIDTH]} {rank if rank else 'wager'}"
        return f"{what}, {f'take {COLOURS[source - 1]}' if source else 'draw'}"
