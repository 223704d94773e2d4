"""Lost Cities said once more, plainly and slowly: cards are (colour, rank) in lists, with rank "wager" or a number."""

COLOURS = "yellow", "blue", "white", "green", "red"
RANKS = ["wager"] * 3 + list(range(2, 11))


def expedition_points(ranks):
    """Points of an expedition's ranks."""
    if not ranks:
        return 0
    wagers = ranks.count("wager")
    points = (sum(rank for rank in ranks if rank != "wager") - 20) * (1 + wagers)
    return points + 20 if len(ranks) >= 8 else points


class Round:
    """One round. The last card of the deck and of each pile is drawn first; `seen` are cards that a player took openly."""

    def __init__(self, hands, deck, colours=COLOURS):
        self.hands, self.deck, self.player, self.turns = [list(hand) for hand in hands], list(deck), 0, 0
        self.expeditions = [{colour: [] for colour in colours} for _ in range(2)]
        self.piles = {colour: [] for colour in colours}
        self.seen = [[], []]

    def may_play(self, card):
        colour, rank = card
        numbers = [other for other in self.expeditions[self.player][colour] if other != "wager"]
        return not numbers if rank == "wager" else all(rank > other for other in numbers)

    def legal(self):
        """The names of the legal actions."""
        names = set()
        for colour, rank in self.hands[self.player]:
            sources = ["draw"] + [f"take {other}" for other, pile in self.piles.items() if pile]
            if self.may_play((colour, rank)):
                names |= {f"play {colour} {rank}, {source}" for source in sources}
            names |= {f"discard {colour} {rank}, {source}" for source in sources if source != f"take {colour}"}
        return names

    def play(self, name):
        """Take the turn of that name."""
        first, source = name.split(", ")
        what, colour, rank = first.split()
        card = colour, rank if rank == "wager" else int(rank)
        hand, seen = self.hands[self.player], self.seen[self.player]
        hand.remove(card)
        if card in seen:
            seen.remove(card)
        place = self.expeditions[self.player] if what == "play" else self.piles
        if source == "draw":
            hand.append(self.deck.pop())
        else:
            taken = source.removeprefix("take ")
            hand.append((taken, self.piles[taken].pop()))
            seen.append(hand[-1])
        place[colour].append(card[1])
        self.player = 1 - self.player
        self.turns += 1

    def is_over(self):
        return not self.deck

    def points(self, player):
        return sum(map(expedition_points, self.expeditions[player].values()))
