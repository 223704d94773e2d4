"""Playout policies of Jaipur that draw an action without listing all.

They draw the kind of the action first: take a good, take the camels, sell or exchange. Where that kind cannot be played, or
the exchange drawn is none, they draw again. Then, each uniformly, ::

    take a good     any card of the market's goods
    sell            any kind of goods that may be sold, and any number of them (`kind_first`) or all
    exchange        how many cards k, from 2 to what market, hand and herd allow; k of the market's goods; k of the hand's
                    goods of other kinds and the camels that the hand has room for (none, if these are fewer than k)

    no_exchange     one of the first three kinds, equally likely; sells all. One of them can always be played.
    kind_first      the four kinds are equally likely
    informed        an exchange is a quarter as likely as another kind; sells all

A search with `no_exchange` is much stronger than with `kind_first`, and at least as strong as with `informed`, whose quarter
was tuned.
"""
import numpy as np

from ..core import below, jit
from .jaipur_cards import (CAMEL, EXCHANGE, GOODS, HAND, LEAST, MARKET, SALE, gain, return_camels, sell, take_camels,
                           take_good)

NO_EXCHANGE, KIND_FIRST, INFORMED = range(3)
TAKE, CAMELS, SELL = range(3)       # kinds of actions; 3 is an exchange
TICKETS = 12, 16, 13        # of the policies: the first three kinds have four tickets each and an exchange has the rest


@jit
def draw_good(s, rng):
    """The kind of a random card of the market's goods, of which there is one."""
    i = below(rng, MARKET - np.int64(s.market[CAMEL]))
    kind = 0
    while i >= s.market[kind]:
        i -= np.int64(s.market[kind])
        kind += 1
    return kind


@jit
def draw_sale(s, player, everything, rng):
    """(kind, number) of a random sale; the number is 0 where there is none."""
    n = 0
    for kind in range(GOODS):
        n += s.hand[player, kind] >= LEAST[kind]
    if n == 0:
        return 0, 0
    i = below(rng, n)
    kind = -1
    while i >= 0:
        kind += 1
        i -= s.hand[player, kind] >= LEAST[kind]
    most = np.int64(s.hand[player, kind])
    return kind, most if everything else LEAST[kind] + below(rng, most - LEAST[kind] + 1)


@jit
def random_exchange(s, player, rng):
    """Play a random exchange. Returns the set of kinds taken, as bits, or 0 where the draw was none and nothing is done."""
    goods = MARKET - np.int64(s.market[CAMEL])
    camels = min(np.int64(s.herd[player]), HAND - np.int64(s.held[player]))
    most = min(goods, np.int64(s.held[player]) + camels)
    if most < 2:
        return 0
    k = 2 + below(rng, most - 1)
    need = k
    taken = np.int64(0)             # by kind, four bits each
    kinds = 0
    pool = camels                   # cards that may be returned
    for kind in range(GOODS):
        for _ in range(s.market[kind]):
            if need > 0 and below(rng, goods) < need:
                need -= 1
                taken += 1 << (4 * kind)
                kinds |= 1 << kind
            goods -= 1
        if (kinds >> kind) & 1 == 0:
            pool += np.int64(s.hand[player, kind])
    if pool < k:
        return 0
    need = k
    for kind in range(GOODS):
        n = (taken >> (4 * kind)) & 15
        if n == 0:
            for _ in range(s.hand[player, kind]):
                if need > 0 and below(rng, pool) < need:
                    need -= 1
                    n -= 1
                pool -= 1
        gain(s, player, kind, n)
    return_camels(s, player, need)
    return kinds


@jit
def random_action(g, s, policy, rng):
    """Play a random action, but not the end of the turn. Returns its code, less the player's part: see `Jaipur.code`."""
    player = np.int64(s.turn)
    while True:
        action = below(rng, TICKETS[policy]) >> 2
        if action == TAKE:
            if s.market[CAMEL] < MARKET and s.held[player] < HAND:
                kind = draw_good(s, rng)
                take_good(s, player, kind)
                return kind
        elif action == CAMELS:
            if s.market[CAMEL] > 0:
                take_camels(s, player)
                return CAMEL
        elif action == SELL:
            kind, n = draw_sale(s, player, policy != KIND_FIRST, rng)
            if n > 0:
                sell(g, s, player, kind, n)
                return SALE + 7 * kind + n - 1
        else:
            kinds = random_exchange(s, player, rng)
            if kinds > 0:
                return EXCHANGE + kinds
