"""Jaipur (Sebastien Pauchon, 2009): two merchants take goods and camels from a market of five cards and sell the goods.

In a turn a player does one of four things. He takes one good. Or he takes all camels; they go to his herd. Or he exchanges:
he takes two or more goods and returns as many cards, goods of other kinds from his hand or camels. Or he sells goods of one
kind, at least two if they are diamonds, gold or silver, for a token each, the most valuable first; three, four, or five and
more cards bring a bonus token besides. A hand has at most seven cards, and the market is refilled from the deck. The round
ends when three kinds have no tokens left or the market cannot be refilled. The larger herd brings 5 rupees. More rupees win,
then more bonus tokens, then more goods tokens; beyond that the rules are silent, and the round is drawn.

Open in the rules, and options here: how the bonus tokens are split; whether an exchange may return a kind that it takes
(`same_type`), which can only disguise a smaller exchange or a pass; and, since exchanges can go on for ever, a cap on turns,
at which a round is scored as it stands. In a match of several rounds the loser of one begins the next (after a drawn one the
player who did not begin it); whoever has won more than half of them has won, else, after the last, who has won more.

Known values: 55 cards, 38 goods tokens of 130 rupees, bonus tokens of 14, 30 and 45; uniformly random games take 77 turns.
"""
from typing import NamedTuple

import numpy as np

from ..core import below, game, jit, mix, next64
from .jaipur_cards import (CAMEL, CAMEL_TOKEN, EXCHANGE, GOODS, HAND, KINDS, LEAST, SALE, STATE, bonuses, deal, gain,
                           redraw_bonus, redraw_cards, return_camels, sell, take_camels, take_good)
from .jaipur_playouts import NO_EXCHANGE, random_action

NO_GAIN = 5                                 # the digit of a kind of which as many are taken as returned: none
LAST = GOODS - 1
UNIFORM = 3


@jit
def list_exchanges(g, s, buf, n):
    """Append all exchanges to buf[:n]. Returns the new number.

    The action is EXCHANGE + sum (NO_GAIN + gain of the kind) 16^kind. What the player gains of each kind of goods goes from
    all his cards less to all of the market's more, and the camels that he returns make up for the sum. The gains of all
    kinds but the last are counted up like the digits of an odometer; those of the last are then a range.
    """
    player = np.int64(s.turn)
    camels = min(np.int64(s.herd[player]), HAND - np.int64(s.held[player]))     # that he may return
    action = np.int64(EXCHANGE + (NO_GAIN << 4 * LAST))
    total = np.int64(0)                     # of the gains
    for kind in range(LAST):
        action += (NO_GAIN - np.int64(s.hand[player, kind])) << 4 * kind
        total -= np.int64(s.hand[player, kind])
    taken = np.int64(0)
    digits = np.int64(0)                    # gain + cards in hand of each kind, as in an action
    while True:
        first = max(-np.int64(s.hand[player, LAST]), -total)
        last = min(np.int64(s.market[LAST]), camels - total)
        for gained in range(first, last + 1):
            a = action + digits + (gained << 4 * LAST)
            if taken + max(0, gained) >= 2 or (g.same_type and taken + max(0, gained) + like_for_like(s, player, a) >= 2):
                buf[n] = a
                n += 1
        kind = 0
        while kind < LAST:
            hand = np.int64(s.hand[player, kind])
            digit = (digits >> 4 * kind) & 15
            if digit < hand + s.market[kind]:
                digits += 1 << 4 * kind
                total += 1
                taken += digit >= hand
                break
            digits -= digit << 4 * kind
            total -= digit
            taken -= np.int64(s.market[kind])
            kind += 1
        if kind == LAST:
            return n


@jit
def gain_of(action, kind):
    """What an exchange brings of a kind: cards taken less cards returned."""
    return (((action - EXCHANGE) >> 4 * kind) & 15) - NO_GAIN


@jit
def like_for_like(s, player, action):
    """How many cards more can be both taken and returned in an exchange?"""
    n = 0
    for kind in range(GOODS):
        gained = gain_of(action, kind)
        n += min(s.market[kind] - max(0, gained), s.hand[player, kind] + min(0, gained))
    return n


@jit
def exchange(s, player, action):
    """Play an exchange."""
    camels = 0
    for kind in range(GOODS):
        gained = gain_of(action, kind)
        camels += gained
        gain(s, player, kind, gained)
    return_camels(s, player, camels)


@jit
def end_turn(g, s):
    s.turn = 1 - s.turn
    s.ply += 1
    if s.finished != 0:
        end_round(g, s)
    elif s.ply >= g.cap:
        s.capped = 1
        end_round(g, s)


@jit
def end_round(g, s):
    """Count rupees, give the seal, and begin the next round if there is one."""
    rupees, tokens = bonuses(s, 0)
    rupees_1, tokens_1 = bonuses(s, 1)
    rupees += np.int64(s.points[0]) - np.int64(s.points[1]) - rupees_1
    rupees += CAMEL_TOKEN * np.sign(np.int64(s.herd[0]) - np.int64(s.herd[1]))
    s.margin += rupees
    s.played += 1
    lead = rupees
    if lead == 0:
        lead = tokens - tokens_1
    if lead == 0:
        lead = np.int64(s.goods[0]) - np.int64(s.goods[1])
    if lead != 0:
        winner = 0 if lead > 0 else 1
        s.seals[winner] += 1
    if s.played == g.rounds or 2 * max(s.seals[0], s.seals[1]) > g.rounds:
        s.over = 1
        return
    s.starter = 1 - (s.starter if lead == 0 else winner)
    s.turn = s.starter
    deal(g, s)


@game
class Jaipur(NamedTuple):
    rounds: int = 1             # at most; more than half of them win the match
    bonus: int = 0              # number of bonus tokens for three, four, five or more cards
    same_type: bool = False     # may an exchange return a kind that it takes?
    memory: bool = True         # does `determinize` know which cards the opponent was seen taking?
    cap: int = 400              # turns of a round

    limits = {"rounds": (1, 3), "cap": (1, 10_000)}
    hidden = True
    choices = {"bonus": ("7-6-5", "6-6-6")}
    playouts = ("no_exchange", "kind_first", "informed", "uniform")

    def dtype(g):
        return STATE

    def max_actions(g):
        """Counted over all hands and markets, with camels enough."""
        return 180 if g.same_type else 167

    def max_length(g):
        return g.rounds * g.cap

    def num_codes(g):
        return 2 * (EXCHANGE + 2**GOODS)

    def start(g, s, rng):
        for i in range(4):
            s.chance[i] = next64(rng)
        s.margin = s.over = s.capped = s.played = s.starter = s.turn = s.seals[0] = s.seals[1] = 0
        deal(g, s)

    def current_player(g, s):
        return np.int64(s.turn)

    def legal_actions(g, s, buf):
        """An action is the kind to take (6: the camels), SALE + 7 kind + number - 1, or an exchange: `list_exchanges`."""
        player = np.int64(s.turn)
        n = 0
        for kind in range(GOODS):
            if s.market[kind] > 0 and s.held[player] < HAND:
                buf[n] = kind
                n += 1
        if s.market[CAMEL] > 0:
            buf[n] = CAMEL
            n += 1
        for kind in range(GOODS):
            for number in range(LEAST[kind], np.int64(s.hand[player, kind]) + 1):
                buf[n] = SALE + 7 * kind + number - 1
                n += 1
        return list_exchanges(g, s, buf, n)

    def play(g, s, a, rng):
        """All chance is in the state, that of later rounds too, so that a tree meets the same cards at every visit."""
        player = np.int64(s.turn)
        if a < CAMEL:
            take_good(s, player, a)
        elif a == CAMEL:
            take_camels(s, player)
        elif a < EXCHANGE:
            sell(g, s, player, (a - SALE) // 7, (a - SALE) % 7 + 1)
        else:
            exchange(s, player, a)
        end_turn(g, s)

    def is_terminal(g, s):
        return s.over != 0

    def is_capped(g, s):
        """Did a round end by the cap?"""
        return s.capped != 0

    def payoff(g, s):
        return 0.5 + 0.5 * np.sign(np.int64(s.seals[0]) - np.int64(s.seals[1]))

    def score_difference(g, s):
        """Rupees, of all rounds together."""
        return np.float64(s.margin)

    def score_scale(g):
        return np.float64(20)

    def determinize(g, s, player, rng):
        redraw_cards(g, s, player, rng)
        redraw_bonus(g, s, player, rng)
        for i in range(4):
            s.chance[i] = next64(rng)

    def playout_as(g, policy, s, rng, trace, n, buf):
        while s.over == 0:
            player = np.int64(s.turn)
            if policy == UNIFORM:
                a = np.int64(buf[below(rng, g.legal_actions(s, buf))])
                trace[n] = g.code(s, a)
                g.play(s, a, rng)
            else:
                code = random_action(g, s, policy, rng)
                trace[n] = code + player * (EXCHANGE + 2**GOODS)
                end_turn(g, s)
            n += 1
        return n

    def playout(g, s, rng, trace, n, buf):
        return g.playout_as(NO_EXCHANGE, s, rng, trace, n, buf)

    def code(g, s, a):
        """Who moves and the action; of an exchange only which kinds it takes, not how many, nor what it returns."""
        code = a
        if a >= EXCHANGE:
            code = np.int64(EXCHANGE)
            for kind in range(GOODS):
                code += np.int64(gain_of(a, kind) > 0) << kind
        return code + np.int64(s.turn) * (EXCHANGE + 2**GOODS)

    def key(g, s):
        """Of all but what each has seen the other take. `chance` stands for the deck and the order of the bonus tokens,
        since they are drawn anew together, and with the deck all other cards decide what lies in the market."""
        h = s.chance[0]
        for kind in range(GOODS):
            h = mix(h, np.int64(s.hand[0, kind]) + 16 * np.int64(s.hand[1, kind]) + 256 * np.int64(s.sold[kind]))
        for pile in range(3):
            h = mix(h, np.int64(s.drawn[pile]) + 16 * np.int64(s.owners[pile]))
        h = mix(h, np.int64(s.left) + 256 * np.int64(s.herd[0]) + 4096 * np.int64(s.herd[1]) + 65536 * np.int64(s.seals[0]))
        h = mix(h, np.int64(s.points[0]) + 256 * np.int64(s.goods[0]) + 65536 * np.int64(s.seals[1]))
        h = mix(h, 1024 + np.int64(s.margin))
        return mix(h, 2 * np.int64(s.ply) + np.int64(s.turn) + 65536 * np.int64(s.played))

    def action_to_string(g, s, a):
        """``take gold``, ``take the camels``, ``sell 2 cloth``, ``exchange 1 spice + 1 camel for 2 gold``."""
        if a < CAMEL:
            return f"take {KINDS[a]}"
        if a == CAMEL:
            return "take the camels"
        if a < EXCHANGE:
            return f"sell {(a - SALE) % 7 + 1} {KINDS[(a - SALE) // 7]}"
        gains = [int(gain_of(a, kind)) for kind in range(GOODS)]
        gains.append(-sum(gains))
        taken, returned = ([f"{abs(n)} {kind}" for n, kind in zip(gains, KINDS) if n * sign > 0] for sign in (1, -1))
        return f"exchange {' + '.join(returned) or 'nothing'} for {' + '.join(taken) or 'nothing'}"
