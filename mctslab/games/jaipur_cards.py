"""The cards and tokens of Jaipur: what there is, the deal, what each of the four actions moves, what a player cannot see.

Kinds of cards are numbers: 0 to 5 diamond, gold, silver, cloth, spice, leather, 6 camel. Cards of a kind are alike, so hands
and market are counts. Tables from the rules of the game (Asmodee, Space Cowboys); the split of the bonus tokens, which they
do not print, as in the public implementations of anicolao and of Bottenbley (7-6-5) and of Kandenas (6-6-6).
"""
import numpy as np

from ..core import below, jit, shuffle

KINDS = "diamond", "gold", "silver", "cloth", "spice", "leather", "camel"
GOODS = 6           # kinds of goods
CAMEL = 6
CARDS = np.array([6, 6, 6, 8, 8, 10, 11])
LEAST = np.array([2, 2, 2, 1, 1, 1])                # cards of a kind that may be sold at once
TOKENS = np.array([[7, 7, 5, 5, 5, 0, 0, 0, 0],     # values of the tokens of a kind, in the order in which they are taken
                   [6, 6, 5, 5, 5, 0, 0, 0, 0],
                   [5, 5, 5, 5, 5, 0, 0, 0, 0],
                   [5, 3, 3, 2, 2, 1, 1, 0, 0],
                   [5, 3, 3, 2, 2, 1, 1, 0, 0],
                   [4, 3, 2, 1, 1, 1, 1, 1, 1]])
NUM_TOKENS = np.array([5, 5, 5, 7, 7, 9])
BONUS = np.array([[[3, 3, 2, 2, 2, 1, 1], [6, 6, 5, 5, 4, 4, 0], [10, 10, 9, 8, 8, 0, 0]],      # for 3, 4, 5 or more cards,
                  [[3, 3, 2, 2, 1, 1, 0], [6, 6, 5, 5, 4, 4, 0], [10, 10, 9, 9, 8, 8, 0]]])     # by split; unshuffled
NUM_BONUS = np.array([[7, 6, 5], [6, 6, 6]])
PACKED_BONUS = (BONUS << 4 * np.arange(7)).sum(2)       # a pile's list in one number, four bits for each
CAMEL_TOKEN = 5
MARKET = 5          # cards
HAND = 7            # cards at most
FIRST_CAMELS = 3    # lie in the market before the deal
MAX_DECK = 52
SALE, EXCHANGE = 7, 49      # the first action that sells and the first that exchanges: `Jaipur.legal_actions`

STATE = np.dtype([("chance", "u8", (4,)),       # random stream of the deals to come
                  ("margin", "i2"),             # rupees of player 0 less player 1's in the rounds that are over
                  ("ply", "i2"),                # turns in this round
                  ("points", "i2", (2,)),       # sum of a player's goods tokens
                  ("turn", "i1"),               # player to move
                  ("starter", "i1"),            # who began the round
                  ("finished", "i1"),           # 1: the round ends with this turn
                  ("over", "i1"),               # 1: the game is
                  ("capped", "i1"),             # 1: a round ended by the cap
                  ("played", "i1"),             # rounds that are over
                  ("seals", "i1", (2,)),        # rounds won
                  ("held", "i1", (2,)),         # cards in a player's hand
                  ("herd", "i1", (2,)),         # his camels
                  ("goods", "i1", (2,)),        # his goods tokens
                  ("hand", "i1", (2, GOODS)),   # his cards by kind
                  ("known", "i1", (2, GOODS)),  # those of them that the other has seen him take
                  ("market", "i1", (7,)),       # by kind
                  ("sold", "i1", (GOODS,)),     # by kind; as many tokens are gone, if there were as many
                  ("drawn", "i1", (3,)),        # bonus tokens gone from a pile
                  ("owners", "i1", (3,)),       # bit i: the pile's token i went to player 1
                  ("bonus", "i1", (3, 7)),      # a pile's values in the order in which they are taken
                  ("left", "i1"),               # cards in the deck
                  ("deck", "i1", (MAX_DECK,))], # its last card, number left - 1, is drawn first; 0 where no card is left
                 align=True)


@jit
def draw_card(s):
    """The kind of the deck's next card."""
    s.left -= 1
    card = np.int64(s.deck[s.left])
    s.deck[s.left] = 0
    return card


@jit
def deal(g, s):
    """A new round: three camels in the market, five cards for each player, two more in the market, shuffled bonus tokens."""
    s.ply = s.finished = s.left = 0
    for kind in range(7):
        s.market[kind] = 0
        for _ in range(CARDS[kind] - (FIRST_CAMELS if kind == CAMEL else 0)):
            s.deck[s.left] = kind
            s.left += 1
    shuffle(s.deck, MAX_DECK, s.chance)
    for kind in range(GOODS):
        s.hand[0, kind] = s.hand[1, kind] = s.known[0, kind] = s.known[1, kind] = s.sold[kind] = 0
    for player in range(2):
        s.points[player] = s.goods[player] = s.held[player] = s.herd[player] = 0
        for _ in range(5):
            card = draw_card(s)
            if card == CAMEL:
                s.herd[player] += 1
            else:
                s.hand[player, card] += 1
                s.held[player] += 1
    s.market[CAMEL] = FIRST_CAMELS
    refill(s, MARKET - FIRST_CAMELS)
    for pile in range(3):
        s.drawn[pile] = s.owners[pile] = 0
        for i in range(7):
            s.bonus[pile, i] = BONUS[g.bonus, pile, i]
        shuffle(s.bonus[pile], NUM_BONUS[g.bonus, pile], s.chance)


@jit
def refill(s, n):
    """Put n cards from the deck in the market. If there are too few, the round ends."""
    if n > s.left:
        s.finished = 1
    for _ in range(min(n, np.int64(s.left))):
        s.market[draw_card(s)] += 1


@jit
def gain(s, player, kind, n):
    """Move n cards from the market to the player's hand, or if n < 0 from his hand to the market.

    What the other has seen him take he is thought to part with first.
    """
    s.market[kind] -= n
    s.hand[player, kind] += n
    s.known[player, kind] = max(0, np.int64(s.known[player, kind]) + n)
    s.held[player] += n


@jit
def take_good(s, player, kind):
    gain(s, player, kind, 1)
    refill(s, 1)


@jit
def take_camels(s, player):
    n = np.int64(s.market[CAMEL])
    s.herd[player] += n
    s.market[CAMEL] = 0
    refill(s, n)


@jit
def return_camels(s, player, n):
    s.herd[player] -= n
    s.market[CAMEL] += n


@jit
def sell(g, s, player, kind, n):
    """Sell n cards of a kind: a token for each as long as there are any, and a bonus for three or more."""
    first = np.int64(s.sold[kind])
    last = min(first + n, NUM_TOKENS[kind])
    for i in range(first, last):
        s.points[player] += TOKENS[kind, i]
    s.goods[player] += max(0, last - first)
    s.sold[kind] += n
    s.hand[player, kind] -= n
    s.known[player, kind] = max(0, np.int64(s.known[player, kind]) - n)
    s.held[player] -= n
    if n >= 3:
        take_bonus(g, s, player, min(n, 5) - 3)
    if last == NUM_TOKENS[kind] and empty_piles(s) >= 3:
        s.finished = 1


@jit
def take_bonus(g, s, player, pile):
    n = np.int64(s.drawn[pile])
    if n < NUM_BONUS[g.bonus, pile]:
        s.owners[pile] |= player << n
        s.drawn[pile] = n + 1


@jit
def empty_piles(s):
    """How many kinds of goods have no tokens left?"""
    n = 0
    for kind in range(GOODS):
        n += s.sold[kind] >= NUM_TOKENS[kind]
    return n


@jit
def bonuses(s, player):
    """(sum, number) of a player's bonus tokens"""
    total = n = 0
    for pile in range(3):
        for i in range(s.drawn[pile]):
            if (s.owners[pile] >> i) & 1 == player:
                total += np.int64(s.bonus[pile, i])
                n += 1
    return total, n


@jit
def redraw_cards(g, s, player, rng):
    """Deal the cards that a player cannot see anew to the other's hand, which has no camels, and to the deck.

    Any of the goods not seen are equally likely in the hand, and the deck has the rest in any order. How many of a kind are
    not seen the player knows, and no more goes into the pool: camels first, then the goods by kind.
    """
    other = 1 - player
    unseen = np.int64(0)                    # by kind, four bits each
    for i in range(s.left):
        unseen += 1 << 4 * np.int64(s.deck[i])
    for kind in range(GOODS):
        if not g.memory:
            s.known[other, kind] = 0
        unseen += (np.int64(s.hand[other, kind]) - np.int64(s.known[other, kind])) << 4 * kind
        s.hand[other, kind] = s.known[other, kind]
    camels = unseen >> 4 * CAMEL
    n = np.int64(0)
    for i in range(7):
        kind = CAMEL if i == 0 else i - 1
        for _ in range((unseen >> 4 * kind) & 15):
            s.deck[n] = kind
            n += 1
    while n > s.left:
        i = camels + below(rng, n - camels)
        s.hand[other, s.deck[i]] += 1
        n -= 1
        s.deck[i] = s.deck[n]
        s.deck[n] = 0
    shuffle(s.deck, n, rng)


@jit
def without(values, i, last):
    """A packed list without its item i, whose place the last one gets."""
    return values + ((((values >> 4 * last) & 15) - ((values >> 4 * i) & 15)) << 4 * i)


@jit
def redraw_bonus(g, s, player, rng):
    """Put the values of the bonus tokens that a player has not seen, in the piles or with the other, in random order."""
    for pile in range(3):
        n = NUM_BONUS[g.bonus, pile]
        values = PACKED_BONUS[g.bonus, pile]
        drawn = np.int64(s.drawn[pile])
        for i in range(drawn):
            if (s.owners[pile] >> i) & 1 == player:
                j = 0
                while (values >> 4 * j) & 15 != s.bonus[pile, i]:
                    j += 1
                n -= 1
                values = without(values, j, n)
        for i in range(NUM_BONUS[g.bonus, pile]):
            if i >= drawn or (s.owners[pile] >> i) & 1 != player:
                j = below(rng, n)
                n -= 1
                s.bonus[pile, i] = (values >> 4 * j) & 15
                values = without(values, j, n)
