"""A small card game with hidden hands and a hidden stock, whose values can be enumerated: for tests."""
from typing import NamedTuple

import numpy as np

from mctslab import game
from mctslab.core import shuffle

STOCK, PLAYED = 2, 3        # places of a card besides the players' hands
MOST = 12                   # cards; games of all sizes share their compiled code


@game
class Tricks(NamedTuple):
    """Two hands and a stock; the leader plays a card, the other any card, the higher takes the trick and both draw.

    Whoever has taken the trick draws first and leads the next. The number of tricks decides.
    """

    cards: int = 8
    hand: int = 2

    hidden = True
    limits = {"cards": (4, MOST), "hand": (1, 6)}

    def dtype(g):
        return np.dtype([("place", "i1", (MOST,)),   # of each card: 0, 1 (a player's hand), STOCK or PLAYED
                         ("stock", "i1", (MOST,)),   # the cards to draw, in order, from `top` on
                         ("top", "i1"),
                         ("led", "i1"),                 # the card on the table, or -1
                         ("turn", "i1"),
                         ("tricks", "i1", (2,)),
                         ("held", "i1", (2,))],         # cards in each hand
                        align=True)

    def max_actions(g):
        return g.hand

    def max_length(g):
        return g.cards

    def num_codes(g):
        return 2 * g.cards

    def start(g, s, rng):
        for i in range(g.cards):
            s.stock[i] = i
        shuffle(s.stock, g.cards, rng)
        for i in range(g.cards):
            s.place[s.stock[i]] = i % 2 if i < 2 * g.hand else STOCK
        s.top = 2 * g.hand
        s.held[0] = s.held[1] = g.hand
        s.led = -1

    def current_player(g, s):
        return np.int64(s.turn)

    def legal_actions(g, s, buf):
        n = 0
        for card in range(g.cards):
            if s.place[card] == s.turn:
                buf[n] = card
                n += 1
        return n

    def play(g, s, a, rng):
        s.place[a] = PLAYED
        s.held[s.turn] -= 1
        if s.led < 0:
            s.led = a
            s.turn = 1 - s.turn
            return
        if a < s.led:
            s.turn = 1 - s.turn
        s.led = -1
        s.tricks[s.turn] += 1
        for player in (np.int64(s.turn), 1 - np.int64(s.turn)):
            if s.top < g.cards:
                s.place[s.stock[s.top]] = player
                s.held[player] += 1
                s.top += 1

    def is_terminal(g, s):
        return s.held[0] + s.held[1] == 0

    def payoff(g, s):
        return 0.5 + 0.5 * ((s.tricks[0] > s.tricks[1]) - np.float64(s.tricks[0] < s.tricks[1]))

    def score_difference(g, s):
        return np.float64(s.tricks[0]) - np.float64(s.tricks[1])

    def score_scale(g):
        return np.float64(g.cards // 2)

    def code(g, s, a):
        return a + g.cards * np.int64(s.turn)

    def determinize(g, s, player, rng):
        """Shuffle what the player has not seen, from a pool in the order of the cards."""
        pool = np.int64(s.top)      # the pool stands where the stock will: its end is the stock
        n = np.int64(s.held[1 - player])
        first = pool - n
        at = first
        for card in range(g.cards):
            if s.place[card] == STOCK or s.place[card] == 1 - player:
                s.stock[at] = card
                at += 1
        shuffle(s.stock[first:], at - first, rng)
        for i in range(first, at):
            s.place[s.stock[i]] = 1 - player if i < pool else STOCK
