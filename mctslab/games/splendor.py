"""Splendor (Marc Andre, 2014), for two players: tokens buy cards, cards make other cards cheaper, nobles visit the rich.

In a turn a player does one of four things. He takes three tokens of different colours, or as many as there are colours
left. Or two of a colour that has all four. Or he reserves a card, one of the twelve on the table or the unseen top of a
deck, if he has fewer than three reserved ones, and takes a gold token if there is one. Or he buys a card from the table
or one that he reserved: each card of a colour that he has bought makes the price in that colour less by one, and gold
stands for any colour. Then he returns what he holds over ten tokens, whichever he likes. Of the nobles whose bonuses he
has, one visits him, whom he chooses. The game ends when both have had as many turns and one has 15 points. More points
win, then fewer bought cards; else it is drawn. (Rules of Space Cowboys: four tokens of each colour and five of gold,
three nobles.)

Open in the rules, and options here: may a player pay gold for a coloured token that he has (`overpay`; no, as in most
programs), or take fewer tokens than he can (`fewer`; no)? Without a legal action he passes, on which the rules are
silent. The game ends on two passes in a row, and, since tokens can be taken and returned for ever, by a cap on turns;
then points count.

An action is the whole turn, with the tokens returned and the noble chosen. What is taken and returned is one net gain of
each colour, so that no two actions are the same turn.

Known values: 90 cards, 10 nobles; 30 actions at the start; in uniformly random games 92 turns and 23 actions, at most
266.
"""
from typing import NamedTuple

import numpy as np

from ..core import below, game, jit, mix, u64
from .splendor_actions import BUY, CHOICE, EXTRA, PASS, RESERVE, list_turns, spread
from .splendor_cards import (COLOURED, COLOURS, NOBLE, NONE, NUM_NOBLES, OPEN, PLACES, RESERVED, STATE, WIDTH, buy,
                             card_name, deal, excess, guests, numbers, redraw, reserve, unpack, welcome)
from .splendor_playouts import BUY_CODE, CODES, MOST_POINTS, PASS_CODE, RESERVE_CODE, UNIFORM, gain_code, random_turn


@jit
def place_of(s, card):
    """Where a card lies."""
    place = 0
    while s.cards[place] != card:
        place += 1
    return place


@jit
def end_turn(g, s):
    """The player to move is done, nobles included."""
    player = np.int64(s.turn)
    s.ply += 1
    if s.passes == 2 or (player == 1 and max(s.points[0], s.points[1]) >= g.goal):
        s.over = 1
    elif s.ply >= g.cap:
        s.over = 2
    s.turn = 1 - player


@game
class Splendor(NamedTuple):
    goal: int = 15              # points that end the game
    overpay: bool = False       # may gold be paid for a coloured token that one has?
    fewer: bool = False         # may fewer tokens be taken than possible?
    memory: bool = True         # does `determinize` know the cards that the opponent was seen reserving?
    cap: int = 400              # turns of both players

    limits = {"goal": (1, 60), "cap": (1, 10_000)}
    playouts = ("most_points", "kind_first", "informed", "uniform")
    hidden = True

    def dtype(g):
        return STATE

    def max_actions(g):
        """Counted over all holdings and banks, nobles included, with all cards in reach."""
        return 2040 if g.overpay else 544

    def max_length(g):
        return g.cap

    def num_codes(g):
        return 2 * CODES

    def start(g, s, rng):
        for player in range(2):
            s.tokens[player] = s.bonus[player] = s.points[player] = s.bought[player] = 0
        s.ply = s.secret = s.passes = s.turn = s.over = 0
        deal(s, rng)

    def current_player(g, s):
        return np.int64(s.turn)

    def legal_actions(g, s, buf):
        return list_turns(g, s, buf)

    def play(g, s, a, rng):
        """All chance is in the order of the decks."""
        player = np.int64(s.turn)
        what = a % CHOICE
        s.passes = s.passes + 1 if what == PASS else 0
        if what < PASS:
            s.tokens[player] += spread(what, 3)
        elif what >= BUY:
            buy(s, player, place_of(s, (what - BUY) % EXTRA), spread((what - BUY) // EXTRA, 0))
        elif what >= RESERVE:
            card = (what - RESERVE) // 7
            reserve(s, player, place_of(s, card) if card < NONE else -1, card - NONE)
            returned = (what - RESERVE) % 7
            if returned > 0:
                s.tokens[player] -= np.int64(1) << WIDTH * (returned - 1)
        coming = guests(s, s.bonus[player])
        if coming != 0:
            welcome(s, player, a // CHOICE - 1 if a >= CHOICE else coming >> 1)
        end_turn(g, s)

    def is_terminal(g, s):
        return s.over != 0

    def is_capped(g, s):
        return s.over == 2

    def payoff(g, s):
        lead = np.int64(s.points[0]) - np.int64(s.points[1])
        if lead == 0:
            lead = np.int64(s.bought[1]) - np.int64(s.bought[0])
        return 0.5 + 0.5 * np.sign(lead)

    def score_difference(g, s):
        return np.float64(s.points[0]) - np.float64(s.points[1])

    def score_scale(g):
        return np.float64(10)

    def determinize(g, s, player, rng):
        redraw(s, player, g.memory, rng)

    def playout_as(g, policy, s, rng, trace, n, buf):
        while s.over == 0:
            player = np.int64(s.turn)
            if policy == UNIFORM:
                a = np.int64(buf[below(rng, list_turns(g, s, buf))])
                trace[n] = g.code(s, a)
                g.play(s, a, rng)
            else:
                trace[n] = random_turn(s, policy, rng, buf) + player * CODES
                end_turn(g, s)
            n += 1
        return n

    def playout(g, s, rng, trace, n, buf):
        return g.playout_as(MOST_POINTS, s, rng, trace, n, buf)

    def code(g, s, a):
        """Who moves, and the colours that he gains, the card that he buys, or the card or level of which he reserves."""
        player = np.int64(s.turn)
        what = a % CHOICE
        if what < PASS:
            held = s.tokens[player]
            code = gain_code(excess((held + spread(what, 3)) & COLOURED, held & COLOURED))
        elif what == PASS:
            code = np.int64(PASS_CODE)
        elif what < BUY:
            code = RESERVE_CODE + (what - RESERVE) // 7
        else:
            code = BUY_CODE + (what - BUY) % EXTRA
        return code + player * CODES

    def key(g, s):
        """Of all but the order of the decks, for which `deal` stands, and the order of cards on the table or in reserve."""
        h = mix(s.deal, 6 * np.int64(s.ply) + 2 * np.int64(s.passes) + np.int64(s.turn))
        cards = u64(0)
        for place in range(PLACES):
            if place >= OPEN and (place - OPEN) % RESERVED == 0:
                h = mix(h, cards)
                cards = u64(0)
            cards += mix(u64(1), np.int64(s.cards[place]))
        h = mix(h, cards)
        for i in range(NUM_NOBLES):
            h = mix(h, 2 + np.int64(s.host[i]) + 4 * np.int64(s.nobles[i]))
        for player in range(2):
            h = mix(h, s.tokens[player])
            h = mix(h, s.bonus[player] + (np.int64(s.points[player]) << 36))
        return h

    def action_to_string(g, s, a):
        """``take 1 white 1 blue 1 green``, ``reserve level 3 deck, return 1 gold``, ``buy level 1 red for 3 white``"""
        a, noble = a % CHOICE, a // CHOICE - 1
        gold_for = returned = ""
        if a < PASS:
            gains = [(a >> 3 * colour & 7) - 3 for colour in range(6)]
            name = f"take {numbers(gains) or 'nothing'}"
            returned = numbers(-n for n in gains)
        elif a == PASS:
            name = "pass"
        elif a < BUY:
            card, colour = divmod(a - RESERVE, 7)
            name = f"reserve {card_name(card) if card < NONE else f'level {card - NONE + 1} deck'}"
            returned = f"1 {COLOURS[colour - 1]}" if colour else ""
        else:
            name = f"buy {card_name((a - BUY) % EXTRA)}"
            gold_for = numbers(unpack(spread((a - BUY) // EXTRA, 0)))
        chosen = numbers(unpack(NOBLE[s.nobles[noble]])) if noble >= 0 else ""
        more = {"gold for": gold_for, "return": returned, "noble": chosen}
        return ", ".join([name, *(f"{verb} {what}" for verb, what in more.items() if what)])
