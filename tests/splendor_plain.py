"""Splendor said once more, plainly and slowly: tokens are words in lists, and what may be returned is tried out."""
from collections import Counter
from copy import deepcopy
from itertools import combinations
from typing import NamedTuple

from mctslab.games.splendor_cards import LISTED, NOBLES

COLOURS = ["white", "blue", "green", "red", "black"]
TOKENS = [*COLOURS, "gold"]
SIZES = {1: 40, 2: 30, 3: 20}


def numbers(gains, sign=1):
    """``2 white 1 gold`` for the numbers of that sign."""
    return " ".join(f"{abs(n)} {colour}" for n, colour in zip(gains, TOKENS) if n * sign > 0)


def returning(gains):
    return f", return {numbers(gains, -1)}" if min(gains) < 0 else ""


def count(words):
    return numbers([list(words).count(colour) for colour in TOKENS])


def bag(text):
    """The reverse: a list of colours from their numbers, by digits ``20001`` or by words."""
    if text.isdigit():
        return [colour for colour, n in zip(COLOURS, text) for _ in range(int(n))]
    parts = text.split()
    return [colour for n, colour in zip(parts[::2], parts[1::2]) for _ in range(int(n))]


class Card(NamedTuple):
    level: int
    bonus: str
    points: int
    price: tuple

    def __str__(self):
        return f"level {self.level} {self.bonus} for {count(self.price)}"


CARDS = [Card(1 if i < 40 else 2 if i < 70 else 3, COLOURS[colour], int(points), tuple(bag(price)))
         for i, (colour, points, price) in enumerate(LISTED)]
GUESTS = [tuple(bag(digits)) for digits in NOBLES]


class Player:
    def __init__(self):
        self.tokens, self.cards, self.reserved, self.nobles = [], [], [None] * 3, []

    def points(self):
        return sum(card.points for card in self.cards) + 3 * len(self.nobles)

    def bonuses(self):
        return Counter(card.bonus for card in self.cards)


class Table:
    """A position. Decks and the table's rows are lists by level; the last card of a deck comes first."""

    def __init__(self, decks, rows, nobles, goal=15, overpay=False, fewer=False, cap=400):
        self.decks, self.rows, self.nobles = decks, rows, nobles
        self.bank = 4 * COLOURS + 5 * ["gold"]
        self.players, self.turn, self.ply, self.passes, self.over = [Player(), Player()], 0, 0, 0, ""
        self.goal, self.overpay, self.fewer, self.cap = goal, overpay, fewer, cap

    def takes(self):
        """Each list of tokens that may be taken."""
        here = [colour for colour in COLOURS if colour in self.bank]
        most = min(3, len(here))
        for n in range(1 if self.fewer else max(1, most), most + 1):
            yield from (list(take) for take in combinations(here, n))
        yield from ([colour] * 2 for colour in COLOURS if self.bank.count(colour) >= 4)

    def ways(self, taken):
        """What a player gains of each colour if he takes these tokens: for each way to get down to ten."""
        mine = sorted(self.players[self.turn].tokens + taken)
        for returned in set(combinations(mine, max(0, len(mine) - 10))):
            yield tuple(taken.count(colour) - returned.count(colour) for colour in TOKENS)

    def payments(self, card):
        """Each way to pay for a card: all tokens, and those coloured ones that gold stands for although they are there."""
        player = self.players[self.turn]
        price = Counter(card.price) - player.bonuses()
        mine = Counter(player.tokens)
        least = price - mine
        paid = sorted((price - least).elements())
        for n in range(mine["gold"] - least.total() + 1 if self.overpay else 1):
            for spared in set(combinations(paid, n)):
                if n + least.total() <= mine["gold"]:
                    yield Counter(paid) - Counter(spared) + Counter(gold=n + least.total()), count(spared)

    def own_legal(self):
        """(name, bonus that the turn brings) of each turn, the choice of a noble apart."""
        player = self.players[self.turn]
        for gains in {gains for taken in self.takes() for gains in self.ways(taken)}:
            yield f"take {numbers(gains) or 'nothing'}{returning(gains)}", None
        if None in player.reserved:
            cards = [str(card) for row in self.rows.values() for card in row if card]
            gold = ["gold"] if "gold" in self.bank else []
            for what in cards + [f"level {level} deck" for level in self.decks if self.decks[level]]:
                for gains in self.ways(gold):
                    lost = [n - len(gold) * (colour == "gold") for n, colour in zip(gains, TOKENS)]
                    yield f"reserve {what}{returning(lost)}", None
        for card in [card for row in self.rows.values() for card in row] + player.reserved:
            if card:
                for _, spared in self.payments(card):
                    yield f"buy {card}{f', gold for {spared}' if spared else ''}", card.bonus

    def guests(self, bonus):
        """The nobles that come at the end of a turn that brings a bonus."""
        bonuses = self.players[self.turn].bonuses() + Counter([bonus] if bonus else [])
        return [noble for noble in self.nobles if not Counter(noble) - bonuses]

    def legal(self):
        """The names of the legal actions."""
        names, guests = set(), {bonus: self.guests(bonus) for bonus in [None, *COLOURS]}
        for name, bonus in list(self.own_legal()) or [("pass", None)]:
            coming = guests[bonus]
            names |= {f"{name}, noble {count(noble)}" for noble in coming} if len(coming) > 1 else {name}
        return names

    def play(self, name):
        player = self.players[self.turn]
        parts = dict(part.split(" ", 1) for part in name.split(", ") if part != "pass")
        self.passes = self.passes + 1 if name.startswith("pass") else 0
        if "take" in parts and parts["take"] != "nothing":
            self.move(bag(parts["take"]), self.bank, player.tokens)
        if "reserve" in parts:
            self.reserve(player, parts["reserve"])
        if "buy" in parts:
            self.buy(player, parts["buy"], parts.get("gold", "").removeprefix("for "))
        self.move(bag(parts.get("return", "")), player.tokens, self.bank)
        guests = self.guests(None)
        if guests:
            noble = next(noble for noble in guests if parts.get("noble", count(noble)) == count(noble))
            self.move([noble], self.nobles, player.nobles)
        self.ply += 1
        if self.passes == 2 or (self.turn == 1 and max(player.points() for player in self.players) >= self.goal):
            self.over = "rules"
        elif self.ply == self.cap:
            self.over = "cap"
        self.turn = 1 - self.turn

    def move(self, things, source, target):
        for thing in things:
            source.remove(thing)
            target.append(thing)

    def leave(self, card):
        """A card leaves the table, and the deck fills its place, or the player's reserve."""
        for level, row in self.rows.items():
            if card in row:
                row[row.index(card)] = self.decks[level].pop() if self.decks[level] else None
                return
        reserved = self.players[self.turn].reserved
        reserved[reserved.index(card)] = None

    def reserve(self, player, what):
        place = player.reserved.index(None)
        if what.endswith("deck"):
            player.reserved[place] = self.decks[int(what.split()[1])].pop()
        else:
            player.reserved[place] = next(card for card in CARDS if str(card) == what)
            for level, row in self.rows.items():
                if player.reserved[place] in row:
                    row[row.index(player.reserved[place])] = self.decks[level].pop() if self.decks[level] else None
        if "gold" in self.bank:
            self.move(["gold"], self.bank, player.tokens)

    def buy(self, player, name, spared):
        card = next(card for card in CARDS if str(card) == name)
        paid = next(paid for paid, other in self.payments(card) if other == spared)
        self.move(list(paid.elements()), player.tokens, self.bank)
        player.cards.append(card)
        self.leave(card)

    def payoff(self):
        one, two = ((player.points(), -len(player.cards)) for player in self.players)
        return 0.5 + 0.5 * ((one > two) - (one < two))

    def clone(self):
        return deepcopy(self)
