"""Jaipur said once more, plainly and slowly: cards are words in lists, and what may be exchanged is tried out."""
from collections import Counter
from itertools import combinations

TOKENS = {
    "diamond": [7, 7, 5, 5, 5],
    "gold": [6, 6, 5, 5, 5],
    "silver": [5, 5, 5, 5, 5],
    "cloth": [5, 3, 3, 2, 2, 1, 1],
    "spice": [5, 3, 3, 2, 2, 1, 1],
    "leather": [4, 3, 2, 1, 1, 1, 1, 1, 1],
}
CARDS = {"diamond": 6, "gold": 6, "silver": 6, "cloth": 8, "spice": 8, "leather": 10, "camel": 11}
BONUS = {"7-6-5": {3: [3, 3, 2, 2, 2, 1, 1], 4: [6, 6, 5, 5, 4, 4], 5: [10, 10, 9, 8, 8]},
         "6-6-6": {3: [3, 3, 2, 2, 1, 1], 4: [6, 6, 5, 5, 4, 4], 5: [10, 10, 9, 9, 8, 8]}}
PRECIOUS = "diamond", "gold", "silver"
KINDS = list(CARDS)


def count(cards):
    """``1 gold + 2 camel``"""
    return " + ".join(f"{n} {kind}" for kind in KINDS if (n := list(cards).count(kind))) or "nothing"


class Round:
    """One round: two hands, two herds, the market, the deck (its last card comes first), and the tokens."""

    def __init__(self, hands, herds, market, deck, bonus, player=0, same_type=False):
        self.hands, self.herds = [list(hand) for hand in hands], list(herds)
        self.market, self.deck = list(market), list(deck)
        self.tokens = {good: list(values) for good, values in TOKENS.items()}
        self.bonus = {number: list(values) for number, values in bonus.items()}
        self.won = [[], []], [[], []]       # values of goods tokens and of bonus tokens, by player
        self.player, self.same_type = player, same_type
        self.discarded, self.over = [], False

    def exchanges(self):
        """(taken, returned) of every exchange, sorted; what is both taken and returned is left out."""
        hand, goods = self.hands[self.player], sorted(card for card in self.market if card != "camel")
        mine = sorted(hand + ["camel"] * min(5, self.herds[self.player]))
        found = set()
        for n in range(2, len(goods) + 1):
            for taken in set(combinations(goods, n)):
                for returned in set(combinations(mine, n)):
                    if len(hand) + n - sum(card != "camel" for card in returned) > 7:
                        continue
                    if set(taken) & set(returned) and not self.same_type:
                        continue
                    gained, lost = Counter(taken) - Counter(returned), Counter(returned) - Counter(taken)
                    found.add((tuple(sorted(gained.elements())), tuple(sorted(lost.elements()))))
        return found

    def legal(self):
        """The names of the legal actions."""
        hand = self.hands[self.player]
        names = {f"take {card}" for card in self.market if card != "camel" and len(hand) < 7}
        if "camel" in self.market:
            names.add("take the camels")
        for good in TOKENS:
            least = 2 if good in PRECIOUS else 1
            names |= {f"sell {n} {good}" for n in range(least, hand.count(good) + 1)}
        return names | {f"exchange {count(returned)} for {count(taken)}" for taken, returned in self.exchanges()}

    def play(self, name):
        verb, rest = name.split(" ", 1)
        hand = self.hands[self.player]
        if name == "take the camels":
            self.herds[self.player] += self.market.count("camel")
            self.market = [card for card in self.market if card != "camel"]
            self.refill()
        elif verb == "take":
            self.market.remove(rest)
            hand.append(rest)
            self.refill()
        elif verb == "sell":
            number, good = rest.split()
            self.sell(int(number), good)
        else:
            returned, taken = ([kind for part in side.split(" + ") if part != "nothing"
                                for kind in [part.split()[1]] * int(part.split()[0])] for side in rest.split(" for "))
            for card in taken:
                self.market.remove(card)
            for card in returned:
                if card == "camel":
                    self.herds[self.player] -= 1
                else:
                    hand.remove(card)
            hand += taken
            self.market += returned
        self.player = 1 - self.player

    def refill(self):
        while len(self.market) < 5 and self.deck:
            self.market.append(self.deck.pop())
        self.over |= len(self.market) < 5

    def sell(self, number, good):
        goods, bonus = self.won[0][self.player], self.won[1][self.player]
        for _ in range(number):
            self.hands[self.player].remove(good)
            self.discarded.append(good)
            if self.tokens[good]:
                goods.append(self.tokens[good].pop(0))
        if number >= 3 and self.bonus[min(number, 5)]:
            bonus.append(self.bonus[min(number, 5)].pop(0))
        self.over |= sum(not values for values in self.tokens.values()) >= 3

    def rupees(self):
        """Of each player, the token for the larger herd included."""
        return [sum(self.won[0][p]) + sum(self.won[1][p]) + 5 * (self.herds[p] > self.herds[1 - p]) for p in range(2)]

    def payoff(self):
        """Player 0's: more rupees, then more bonus tokens, then more goods tokens."""
        first, second = zip(self.rupees(), map(len, self.won[1]), map(len, self.won[0]), strict=True)
        return 1.0 if first > second else 0.0 if first < second else 0.5
