"""Jaipur: each rule at a position made for it, a plain engine beside, conservation, what is hidden, policies, drawings."""
from collections import Counter
from itertools import combinations, permutations
from math import comb
from xml.etree import ElementTree

import jaipur_plain
import numpy as np
import pytest
from conftest import code, named, play, positions, snapshot
from full_search import read_key
from jaipur_plain import BONUS, CARDS, KINDS, TOKENS, count
from scipy.stats import chi2

from mctslab import InputError, Jaipur
from mctslab.core import jit, new_records, stream
from mctslab.games.jaipur_playouts import random_action

GOODS = KINDS[:6]
SPLITS = list(BONUS)


@jit
def read_difference(g, root):
    return g.score_difference(root[0])


@jit
def draw_action(g, root, policy, rng, result):
    """Play the policy's action in root, whose code goes to result."""
    result[0] = random_action(g, root[0], policy, rng)


def words(text):
    """``2 gold + camel`` as counts by kind."""
    counts = [0] * 7
    for part in filter(None, text.split(" + ")):
        number, kind = part.split() if " " in part else (1, part)
        counts[KINDS.index(kind)] += int(number)
    return counts


def table(hands=("", ""), market="5 camel", herds=(0, 0), deck="", sold="", game=None):
    """A position with player 0 to move. The deck's last card is drawn first; `sold` "rest" is all that lies nowhere else."""
    state = (game or Jaipur()).new_initial_state(1)
    s = state.record
    s["hand"][0] = [words(hand)[:6] for hand in hands]
    s["held"][0] = s["hand"][0].sum(1)
    s["market"][0], s["herd"][0] = words(market), herds
    cards = [KINDS.index(card) for card in deck.split()]
    s["left"], s["deck"][0, :len(cards)], s["deck"][0, len(cards):] = len(cards), cards, 0
    elsewhere = s["hand"][0].sum(0) + s["market"][0, :6] + np.bincount(cards, minlength=7)[:6]
    s["sold"][0] = np.array(list(CARDS.values()))[:6] - elsewhere if sold == "rest" else words(sold)[:6]
    return state


def names(state):
    return set(named(state))


def exchanges(state):
    return {name for name in names(state) if name.startswith("exchange")}


def bag(counts):
    return [kind for kind, n in zip(KINDS, counts) for _ in range(n)]


def plain_round(state):
    """The same position at the start of a round for the plain engine."""
    s, game = state.position, state.game
    bonus = {pile + 3: [int(value) for value in s.bonus[pile] if value] for pile in range(3)}
    return jaipur_plain.Round([bag(hand) for hand in s.hand], map(int, s.herd), bag(s.market),
                              [KINDS[card] for card in s.deck[:s.left]], bonus, int(s.turn), game.same_type)


# The deal: facts 1 to 5.

@pytest.mark.parametrize("split", SPLITS)
def test_a_round_starts_with_all_55_cards_and_18_shuffled_bonus_tokens(split):
    orders = set()
    for seed in range(50):
        s = Jaipur(bonus=split).new_initial_state(seed).position
        assert s.left == 40
        assert s.market.sum() == 5
        assert s.market[6] >= 3
        assert (s.held + s.herd).tolist() == [5, 5] == (s.hand.sum(1) + s.herd).tolist()
        cards = bag(s.market) + bag(s.hand.sum(0)) + ["camel"] * s.herd.sum() + [KINDS[card] for card in s.deck[:40]]
        assert Counter(cards) == CARDS
        piles = [[int(value) for value in pile if value] for pile in s.bonus]
        assert [sorted(pile, reverse=True) for pile in piles] == list(BONUS[split].values())
        orders.add(str(piles))
    assert len(orders) > 45


def test_the_tables_add_up():
    assert [sum(values) for values in TOKENS.values()] == [29, 27, 25, 17, 17, 15]
    assert sum(map(len, TOKENS.values())) == 38
    assert sum(CARDS.values()) == 55
    for piles in BONUS.values():
        assert sum(map(len, piles.values())) == 18
    assert [sum(pile) for pile in BONUS["7-6-5"].values()] == [14, 30, 45]


def test_hands_start_with_few_goods_or_five_and_the_market_with_three_to_five_camels():
    starts = [Jaipur().new_initial_state(seed).position for seed in range(1000)]
    assert {int(n) for s in starts for n in s.held} >= {2, 3, 4, 5}
    assert {int(s.market[6]) for s in starts} == {3, 4, 5}


# A turn: facts 6 to 11.

def test_a_turn_is_one_of_four_actions():
    state = table(("gold + 2 cloth", ""), "diamond + spice + 3 camel", (1, 0))
    assert names(state) == {
        "take diamond", "take spice", "take the camels", "sell 1 cloth", "sell 2 cloth",
        "exchange 2 cloth for 1 diamond + 1 spice", "exchange 1 gold + 1 cloth for 1 diamond + 1 spice",
        "exchange 1 gold + 1 camel for 1 diamond + 1 spice", "exchange 1 cloth + 1 camel for 1 diamond + 1 spice"}


def test_one_good_is_taken_and_the_market_refilled_from_the_deck():
    state = play(table(("gold", ""), "2 diamond + 3 camel", deck="leather spice"), "take diamond")
    s = state.position
    assert bag(s.hand[0]) == ["diamond", "gold"]
    assert bag(s.market) == ["diamond", "spice", "camel", "camel", "camel"]
    assert s.left == 1
    assert state.current_player() == 1


def test_a_full_hand_takes_no_good_but_camels():
    assert "take gold" in names(table(("6 leather", ""), "gold + 4 camel"))
    full = names(table(("7 leather", ""), "gold + 4 camel"))
    assert "take the camels" in full
    assert "take gold" not in full


def test_all_camels_go_to_the_herd_and_the_market_is_refilled():
    s = play(table(("7 leather", ""), "gold + 4 camel", (2, 0), "cloth camel camel spice spice"), "take the camels").position
    assert s.herd.tolist() == [6, 0]
    assert bag(s.market) == ["gold", "spice", "spice", "camel", "camel"]
    assert s.left == 1


def test_an_exchange_moves_two_cards_or_more_each_way_and_draws_none():
    state = table(("2 cloth", ""), "gold + spice + leather + 2 camel", (1, 0), "diamond")
    assert {len(name.split(" for ")[1].split(" + ")) for name in exchanges(state)} == {2, 3}
    assert not any("camel" in name.split(" for ")[1] for name in exchanges(state))
    s = play(state, "exchange 2 cloth + 1 camel for 1 gold + 1 spice + 1 leather").position
    assert bag(s.hand[0]) == ["gold", "spice", "leather"]
    assert bag(s.market) == ["cloth", "cloth", "camel", "camel", "camel"]
    assert (s.herd[0], s.left) == (0, 1)


@pytest.mark.parametrize("hand, camels", [(3, 4), (5, 2), (6, 1), (7, 0)])
def test_camels_are_returned_as_far_as_the_hand_has_room(hand, camels):
    state = table((f"{hand} leather", ""), "2 gold + 2 spice + camel", (11, 0))
    returned = [name.split(" for ")[0].split() for name in exchanges(state)]
    assert max(int(names[names.index("camel") - 1]) if "camel" in names else 0 for names in returned) == camels


def test_a_kind_is_not_both_taken_and_returned():
    state = table(("gold + cloth", ""), "gold + cloth + 3 camel", (2, 0))
    assert exchanges(state) == {"exchange 2 camel for 1 gold + 1 cloth"}
    state = table(("gold + cloth", ""), "gold + cloth + 3 camel", (2, 0), game=Jaipur(same_type=True))
    assert exchanges(state) == {
        "exchange 2 camel for 1 gold + 1 cloth", "exchange nothing for nothing",
        "exchange 1 camel for 1 gold", "exchange 1 camel for 1 cloth"}      # not cloth for gold: nothing to disguise it


def test_a_disguised_pass_changes_nothing_but_the_turn():
    state = table(("2 gold", ""), "2 gold + 3 camel", game=Jaipur(same_type=True))
    s, after = state.position, play(state, "exchange nothing for nothing").position
    assert (s.hand == after.hand).all()
    assert (s.market == after.market).all()
    assert after.turn == 1


@pytest.mark.parametrize("kind", GOODS)
def test_diamonds_gold_and_silver_are_sold_in_twos_or_more_even_when_no_token_is_left(kind):
    state = table((f"4 {kind}", ""), sold=f"{len(TOKENS[kind])} {kind}")
    least = 2 if kind in ("diamond", "gold", "silver") else 1
    assert {name for name in names(state) if name.startswith("sell")} == {f"sell {n} {kind}" for n in range(least, 5)}


@pytest.mark.parametrize("kind", GOODS)
def test_tokens_are_taken_from_the_highest_one_for_each_card_while_they_last(kind):
    for gone in range(len(TOKENS[kind])):
        for n in range(2, 6):
            s = play(table((f"{n} {kind}", ""), sold=f"{gone} {kind}"), f"sell {n} {kind}").position
            assert s.points[0] == sum(TOKENS[kind][gone:gone + n])
            assert s.goods[0] == len(TOKENS[kind][gone:gone + n])


@pytest.mark.parametrize("n, pile", [(1, None), (2, None), (3, 0), (4, 1), (5, 2), (6, 2), (7, 2)])
def test_three_four_and_five_or_more_cards_bring_one_bonus_token(n, pile):
    s = play(table((f"{n} leather", "")), f"sell {n} leather").position
    assert s.drawn.tolist() == [int(i == pile) for i in range(3)]
    assert (s.owners == 0).all()


def test_the_bonus_comes_also_without_goods_tokens_and_only_while_the_pile_lasts():
    state = table(("3 gold", "3 gold"), sold="5 gold")
    state.record["drawn"][0, 0] = 6
    state = play(state, "sell 3 gold", "sell 3 gold")
    s = state.position
    assert s.points.tolist() == [0, 0]
    assert s.drawn.tolist() == [7, 0, 0]
    assert s.owners[0] >> 6 == 0        # the last one is player 0's


# The end of a round: facts 12 to 14 and 18.

def test_a_round_ends_when_the_third_kind_has_no_tokens():
    state = table(("2 silver", ""), "5 gold", deck="gold", sold="5 diamond + 7 cloth + 3 silver")
    assert play(state, "sell 2 silver").is_terminal()
    state = table(("2 silver", ""), "5 gold", deck="gold", sold="5 diamond + 3 silver")
    assert not play(state, "sell 2 silver").is_terminal()


def test_empty_bonus_piles_do_not_end_a_round():
    state = table(("3 leather", "leather"), "5 gold")
    state.record["drawn"][0] = 7, 6, 5
    assert not play(state, "sell 3 leather").is_terminal()


def test_a_round_ends_when_the_market_cannot_be_refilled_not_when_the_deck_is_empty():
    state = play(table(("", ""), "2 gold + 3 camel", deck="leather"), "take gold")
    assert state.position.left == 0
    assert not state.is_terminal()
    assert play(state, "take gold").is_terminal()
    short = play(table(("", ""), "2 gold + 3 camel", deck="leather leather"), "take the camels")
    assert short.is_terminal()
    assert short.position.market.sum() == 4
    assert not play(table(("", ""), "2 gold + 3 camel", deck="spice leather leather"), "take the camels").is_terminal()


@pytest.mark.parametrize("herds, margin", [((3, 2), 5), ((2, 3), -5), ((2, 2), 0), ((0, 0), 0)])
def test_the_larger_herd_is_worth_5_and_equal_herds_nothing(herds, margin):
    end = play(table(market="gold + 4 camel", herds=herds), "take gold")
    assert end.is_terminal()
    assert read_difference(end.game, end.record) == margin
    assert end.returns()[0] == 0.5 + 0.1 * margin


@pytest.mark.parametrize("points, drawn, owners, goods, payoff", [
    ((10, 9), 0, 0, (0, 5), 1), ((9, 10), 0, 0, (5, 0), 0),         # rupees
    ((10, 12), 1, 0, (1, 5), 1), ((12, 10), 1, 1, (5, 1), 0),       # as many rupees: bonus tokens
    ((10, 10), 2, 0b10, (3, 2), 1), ((10, 10), 2, 0b01, (2, 3), 0), # as many of these too: goods tokens
    ((10, 10), 2, 0b01, (4, 4), 0.5)])
def test_rupees_decide_then_bonus_tokens_then_goods_tokens(points, drawn, owners, goods, payoff):
    state = table(market="gold + 4 camel")
    s = state.record
    s["points"][0], s["drawn"][0, 0], s["owners"][0, 0], s["goods"][0], s["bonus"][0, 0] = points, drawn, owners, goods, 2
    assert play(state, "take gold").returns() == (payoff, 1 - payoff)


def test_all_tokens_together_are_worth_224():
    assert sum(map(sum, TOKENS.values())) + sum(map(sum, BONUS["7-6-5"].values())) + 5 == 224


def test_a_round_is_scored_as_it_stands_at_the_cap_and_says_so():
    state = table(("leather", "2 diamond"), "5 gold", deck="gold gold", game=Jaipur(cap=2))
    end = play(state, "sell 1 leather", "sell 2 diamond")
    assert end.is_terminal()
    assert end.is_capped()
    assert end.returns() == (0.0, 1.0)
    assert read_difference(end.game, end.record) == 4 - 14


def test_a_round_that_ends_by_the_rules_at_its_last_turn_is_not_capped():
    end = play(table(market="gold + 4 camel", game=Jaipur(cap=1)), "take gold")
    assert end.is_terminal()
    assert not end.is_capped()


# Matches: fact 15.

def last_turn(state, herds):
    """Set up a round so that its next action, to take gold, ends it for the larger herd."""
    other = table(market="gold + 4 camel", herds=herds).record
    for field in "hand", "held", "market", "herd", "left", "sold":
        state.record[field] = other[field]
    return play(state, "take gold")


def test_the_loser_of_a_round_begins_the_next_and_two_seals_win():
    state = Jaipur(rounds=3).new_initial_state(1)
    for herds, seals, starter in [((3, 1), [1, 0], 1), ((1, 4), [1, 1], 0)]:
        state = last_turn(state, herds)
        s = state.position
        assert not state.is_terminal()
        assert (s.seals.tolist(), s.left, s.ply, state.current_player()) == (seals, 40, 0, starter)
    end = last_turn(state, (0, 1))
    assert end.returns() == (0.0, 1.0)
    assert read_difference(end.game, end.record) == 5 - 5 - 5


def test_a_match_ends_when_it_is_decided_or_after_its_last_round():
    two = last_turn(last_turn(Jaipur(rounds=3).new_initial_state(1), (1, 0)), (1, 0))
    assert two.returns() == (1.0, 0.0)
    three = Jaipur(rounds=3).new_initial_state(1)
    for herds, starter in [((1, 1), 1), ((2, 1), 1)]:       # after a drawn round the other player begins
        three = last_turn(three, herds)
        assert three.current_player() == starter
    assert last_turn(three, (0, 0)).returns() == (1.0, 0.0)


def test_the_deal_of_a_later_round_is_in_the_state():
    decks = set()
    for seed in range(3):
        state = Jaipur(rounds=3).new_initial_state(1)
        state.rng = stream(seed, "other")
        decks.add(last_turn(state, (1, 0)).record["deck"].tobytes())
    assert len(decks) == 1
    assert decks != {Jaipur(rounds=3).new_initial_state(1).record["deck"].tobytes()}
    hidden = {last_turn(state.determinize(0, seed), (1, 0)).record["deck"].tobytes() for seed in range(5)}
    assert len(hidden) == 5


# The set of legal actions: fact 16.

@jit
def count_actions(g, states, hands, markets, cards, buffer):
    """(the most actions of any hand and market with all other camels in the herd, the fewest that are no exchange)"""
    s = states[0]
    most, fewest = 0, 1000
    for i in range(len(hands)):
        for j in range(len(markets)):
            possible = True
            s.held[0] = 0
            for kind in range(6):
                s.hand[0, kind] = hands[i, kind]
                s.held[0] += hands[i, kind]
                possible &= hands[i, kind] + markets[j, kind] <= cards[kind]
            for kind in range(7):
                s.market[kind] = markets[j, kind]
            s.herd[0] = cards[6] - markets[j, 6]
            if possible:
                n = g.legal_actions(s, buffer)
                most = max(most, n)
                others = 0
                for k in range(n):
                    others += buffer[k] < 49
                fewest = min(fewest, others)
    return most, fewest


def multisets(total, kinds):
    """All ways to have that many cards of so many kinds."""
    places = combinations(range(total + kinds - 1), kinds - 1)
    return np.array([np.diff([-1, *bars, total + kinds - 1]) - 1 for bars in places], np.int8)


@pytest.mark.parametrize("same_type", [False, True])
def test_the_bound_on_actions_is_the_most_and_without_exchanges_there_is_always_one(same_type):
    game = Jaipur(same_type=same_type)
    hands, markets = multisets(7, 7)[:, :6], multisets(5, 7)        # in a hand, the seventh kind is none
    assert (len(hands), len(markets)) == (comb(13, 6), comb(11, 6))
    buffer = np.zeros(1000, np.int32)
    most, fewest = count_actions(game, new_records(game), hands, markets, np.array(list(CARDS.values())), buffer)
    assert most == game.max_actions()
    assert fewest == 1


# The plain engine beside, and what is conserved.

def follow(game, seed, every_ply):
    """Play a random game on both engines; at each ply, or at the end only, all must agree."""
    walk = positions(game, seed)
    state, legal = next(walk)
    plain = plain_round(state)
    while legal:
        if every_ply:
            assert names(state) == plain.legal()
            compare(state, plain)
        before = state.clone()
        state, legal = next(walk)
        plain.play(played(before, state))
    compare(state, plain)
    assert plain.over != state.is_capped()
    assert state.returns()[0] == plain.payoff()
    assert read_difference(game, state.record) == plain.rupees()[0] - plain.rupees()[1]


def played(before, after):
    """The name of the action that led from one state to another, from the differences."""
    s, t = before.position, after.position
    player, gains = s.turn, (t.hand - s.hand)[s.turn]
    if (t.sold != s.sold).any():
        return f"sell {count(bag(t.sold - s.sold))}"
    if t.left == s.left and t.market.sum() == 5:
        camels = s.herd[player] - t.herd[player]
        lost = bag([*np.maximum(-gains, 0), camels])
        return f"exchange {count(lost)} for {count(bag(np.maximum(gains, 0)))}"
    return f"take {bag(gains)[0]}" if gains.any() else "take the camels"


def compare(state, plain):
    s = state.position
    assert [bag(hand) for hand in s.hand] == [sorted(hand, key=KINDS.index) for hand in plain.hands]
    assert s.herd.tolist() == plain.herds
    assert bag(s.market) == sorted(plain.market, key=KINDS.index)
    assert [KINDS[card] for card in s.deck[:s.left]] == plain.deck
    assert Counter(bag(s.sold)) == Counter(plain.discarded)
    for player in range(2):
        assert (s.points[player], s.goods[player]) == (sum(plain.won[0][player]), len(plain.won[0][player]))
        mine = [int(s.bonus[pile, i]) for pile in range(3) for i in range(s.drawn[pile])
                if s.owners[pile] >> i & 1 == player]
        assert sorted(mine) == sorted(plain.won[1][player])


@pytest.mark.parametrize("game", [Jaipur(), Jaipur(bonus="6-6-6", same_type=True)], ids=str)
def test_legal_actions_and_positions_are_those_of_a_plain_engine_at_every_ply(game):
    for seed in range(100, 130):
        follow(game, seed, every_ply=True)


def test_results_are_those_of_a_plain_engine():
    for seed in range(500):
        follow(Jaipur(cap=90), seed, every_ply=False)


@pytest.mark.slow
@pytest.mark.parametrize("thousand", range(1, 11))
def test_ten_thousand_games_are_those_of_a_plain_engine(thousand):
    for seed in range(1000 * thousand, 1000 * (thousand + 1)):
        follow(Jaipur(), seed, every_ply=seed % 50 == 0)


@pytest.mark.parametrize("game", [Jaipur(rounds=3), Jaipur(same_type=True)], ids=str)
def test_cards_and_tokens_are_conserved(game):
    for seed in range(20):
        for state, _ in positions(game, seed):
            s = state.position
            on_table = s.hand.sum(0) + s.market[:6] + s.sold + np.bincount(s.deck[:s.left], minlength=7)[:6]
            assert dict(zip(GOODS, on_table.tolist())) | {"camel": 11} == CARDS
            assert s.herd.sum() + s.market[6] + (s.deck[:s.left] == 6).sum() == 11
            assert s.points.sum() == sum(sum(TOKENS[kind][:n]) for kind, n in zip(GOODS, s.sold))
            assert s.goods.sum() == sum(min(n, len(TOKENS[kind])) for kind, n in zip(GOODS, s.sold))
            assert (s.held == s.hand.sum(1)).all()
            assert s.held.max() <= 7
            assert (s.known <= s.hand).all()
            assert min(counts.min() for counts in (s.hand, s.known, s.market, s.herd, s.sold)) >= 0


# What is hidden: fact 17.

def test_a_card_seen_taken_is_known_until_as_many_of_its_kind_are_gone():
    state = table(("cloth", "2 leather"), "2 cloth + 3 camel", deck="camel camel camel camel")
    state.record["known"] = 0
    state = play(state, "take cloth", "sell 1 leather", "take cloth", "sell 1 leather")
    assert bag(state.position.hand[0]) == ["cloth"] * 3
    assert bag(state.position.known[0]) == ["cloth"] * 2
    for n, left in (1, 1), (2, 0), (3, 0):
        assert bag(play(state, f"sell {n} cloth").position.known[0]) == ["cloth"] * left


def test_an_exchange_shows_what_is_taken_and_hides_what_is_returned():
    state = table(("gold + leather", ""), "cloth + spice + 3 camel")
    state.record["known"] = 0
    state = play(state, "exchange 1 gold + 1 leather for 1 cloth + 1 spice")
    assert bag(state.position.known[0]) == ["cloth", "spice"]


@pytest.mark.parametrize("memory", [True, False])
def test_a_determinization_never_contradicts_what_was_seen(memory):
    changed = 0
    for state, _ in positions(Jaipur(memory=memory), 3):
        for player in range(2):
            s, t, other = state.position, state.determinize(player, seed=5).position, 1 - player
            for field in ("turn", "ply", "points", "held", "herd", "goods", "market", "sold", "drawn", "owners", "left"):
                assert np.array_equal(s[field], t[field]), field
            assert (s.hand[player] == t.hand[player]).all()
            assert (t.hand[other] >= (s.known[other] if memory else 0)).all()
            assert (t.known[other] == (s.known[other] if memory else 0)).all()
            assert t.hand[other].sum() == t.held[other]
            for kind in range(7):       # no card that is seen is dealt again
                hands = (s.hand[other, kind], t.hand[other, kind]) if kind < 6 else (0, 0)
                assert (s.deck[:s.left] == kind).sum() + hands[0] == (t.deck[:s.left] == kind).sum() + hands[1]
            for pile in range(3):
                assert sorted(s.bonus[pile]) == sorted(t.bonus[pile])
                for i in range(s.drawn[pile]):
                    assert s.owners[pile] >> i & 1 == other or s.bonus[pile, i] == t.bonus[pile, i]
            changed += (s.hand[other] != t.hand[other]).any() and (s.deck != t.deck).any()
    assert changed > 10


def hide_otherwise(state, player, rng):
    """Change all that a player cannot see, by hand: hidden cards, the deck, bonus tokens, the deals to come."""
    twin, other = state.clone(), 1 - player
    s = twin.record[0]
    for _ in range(2):
        mine = np.flatnonzero(s["hand"][other] > s["known"][other])
        deck = np.flatnonzero(s["deck"][:s["left"]] < 6)
        if len(mine) and len(deck):
            i, kind = rng.choice(deck), rng.choice(mine)
            s["hand"][other, kind] -= 1
            s["hand"][other, s["deck"][i]] += 1
            s["deck"][i] = kind
    s["deck"][:s["left"]] = rng.permutation(s["deck"][:s["left"]])
    for pile, size in enumerate(np.count_nonzero(s["bonus"], axis=1)):
        free = [i for i in range(size) if i >= s["drawn"][pile] or s["owners"][pile] >> i & 1 == other]
        s["bonus"][pile, free] = rng.permutation(s["bonus"][pile, free])
    s["chance"] = rng.integers(2**63, size=4)
    return twin


@pytest.mark.parametrize("game", [Jaipur(), Jaipur(rounds=3, memory=False, bonus="6-6-6")], ids=str)
def test_a_determinization_depends_on_nothing_that_the_player_cannot_see(game):
    rng, different = np.random.default_rng(1), 0
    for seed in range(3):
        for state, _ in positions(game, seed):
            for player in range(2):
                twin = hide_otherwise(state, player, rng)
                different += snapshot(twin) != snapshot(state)
                ours, theirs = state.determinize(player, seed), twin.determinize(player, seed)
                assert snapshot(ours) == snapshot(theirs)
    assert different > 300


def test_without_memory_it_does_not_matter_what_was_seen_taken():
    for state, _ in positions(Jaipur(memory=False), 2):
        forgotten = state.clone()
        forgotten.record["known"][0, 1] = 0
        assert snapshot(state.determinize(0, 1)) == snapshot(forgotten.determinize(0, 1))


def test_other_seeds_give_other_determinizations():
    state = Jaipur().new_initial_state(1)
    assert len({snapshot(state.determinize(0, seed)) for seed in range(20)}) == 20


def is_likely(seen, law):
    """Chi-square of counts against probabilities at one in 100,000; what has no probability must not be seen."""
    assert set(seen) <= set(law)
    assert sum(law.values()) == pytest.approx(1)
    n = sum(seen.values())
    statistic = sum((seen[case] - n * p)**2 / (n * p) for case, p in law.items())
    return statistic < chi2.isf(1e-5, len(law) - 1)


def test_hidden_cards_are_uniform_over_the_assignments_of_cards_to_places():
    """Unseen are gold, cloth, two leathers and a camel: two goods in the hand, besides a known spice, and three cards in the
    deck."""
    state = table(("2 diamond", "spice + gold + leather"), "5 silver", (2, 0), "leather camel cloth", sold="rest")
    state.record["known"][0, 1] = words("spice")[:6]
    state.record["herd"][0] = 2, 8
    goods, law = ["gold", "cloth", "leather", "leather"], Counter()
    for hand in combinations(range(4), 2):
        deck = [good for i, good in enumerate(goods) if i not in hand] + ["camel"]
        for order in permutations(deck):
            law[count([goods[i] for i in hand]), order] += 1 / 36
    seen = Counter()
    for seed in range(6000):
        s = state.determinize(0, seed).position
        assert s.hand[1, GOODS.index("spice")] == 1
        hand = s.hand[1] - words("spice")[:6]
        seen[count(bag(hand)), tuple(KINDS[card] for card in s.deck[:3])] += 1
    assert is_likely(seen, law)


def test_hidden_bonus_tokens_are_uniform_over_the_values_not_seen():
    """Of 10 10 9 8 8 player 1 has taken the first, a 9, and player 0 the second; the other three lie in the pile."""
    state = table(sold="rest")
    state.record["bonus"][0, 2, :5], state.record["drawn"][0, 2], state.record["owners"][0, 2] = [9, 10, 8, 10, 8], 2, 1
    law = {side: Counter() for side in range(2)}
    for order in permutations([10, 10, 8, 8]):
        law[1][9, *order] += 1 / 24
    for order in permutations([10, 9, 8, 8]):
        law[0][order[0], 10, *order[1:]] += 1 / 24
    for player in range(2):
        seen = Counter(tuple(state.determinize(player, seed).position.bonus[2, :5].tolist()) for seed in range(2000))
        assert is_likely(seen, law[player])


# Playouts, codes, keys, drawings.

def exchange_law(plain):
    """The law of the exchange that `kind_first` draws, and of "none", computed from its description."""
    hand, goods = plain.hands[plain.player], [card for card in plain.market if card != "camel"]
    camels = min(plain.herds[plain.player], 7 - len(hand))
    most, law = min(len(goods), len(hand) + camels), Counter()
    for k in range(2, most + 1):
        for taken in combinations(goods, k):
            weight = 1 / (most - 1) / comb(len(goods), k)
            pool = [card for card in hand if card not in taken] + ["camel"] * camels
            for returned in combinations(pool, k):
                law[f"exchange {count(returned)} for {count(taken)}"] += weight / comb(len(pool), k)
            if len(pool) < k:
                law["none"] += weight
    return law


def policy_law(state, policy):
    """The law of a policy's next action, from its description."""
    plain, law = plain_round(state), Counter()
    exchanging = {"no_exchange": 0, "kind_first": 1, "informed": 0.25}[policy]
    goods, hand = [card for card in plain.market if card != "camel"], plain.hands[plain.player]
    for card in goods if len(hand) < 7 else []:
        law[f"take {card}"] += 1 / len(goods)
    law["take the camels"] += "camel" in plain.market
    least = {good: 2 if good in GOODS[:3] else 1 for good in GOODS}
    sold = [good for good in GOODS if hand.count(good) >= least[good]]
    for good in sold:
        numbers = range(least[good], hand.count(good) + 1) if policy == "kind_first" else [hand.count(good)]
        for n in numbers:
            law[f"sell {n} {good}"] += 1 / len(sold) / len(numbers)
    for name, p in exchange_law(plain).items():
        law[name] += p * exchanging
    del law["none"]
    total = sum(law.values())
    return {name: p / total for name, p in law.items() if p > 0}


TABLES = {
    "all kinds": (("2 gold + cloth + 2 leather", ""), "diamond + 2 spice + leather + camel", (3, 0)),
    "some exchanges fail": (("3 leather", ""), "2 leather + cloth + spice + camel", (1, 0)),
    "a full hand": (("silver + 4 spice + 2 cloth", ""), "gold + 2 cloth + leather + camel", (2, 0)),
}


@pytest.mark.parametrize("policy", ["no_exchange", "kind_first", "informed"])
@pytest.mark.parametrize("position", TABLES)
def test_a_playout_policy_draws_its_actions_as_described(policy, position):
    state, seen, result = table(*TABLES[position], deck="gold " * 5), Counter(), np.zeros(1, np.int64)
    rng, root, number = stream(1, policy, position), state.record.copy(), Jaipur.playouts.index(policy)
    by_name = {state.action_to_string(action): action for action in state.legal_actions()}
    for _ in range(4000):
        after = state.clone()
        draw_action(state.game, after.record, number, rng, result)
        name = played(state, after)
        assert result[0] == code(state, by_name[name])
        seen[name] += 1
    assert (root == state.record).all()
    assert is_likely(seen, policy_law(state, policy))


def test_codes_tell_all_actions_apart_but_exchanges_that_take_the_same_kinds():
    for state, legal in positions(Jaipur(), 4):
        kinds = {}
        for action in legal:
            name = state.action_to_string(action)
            taken = tuple(kind for kind in KINDS if kind in name.split(" for ")[1]) if " for " in name else name
            kinds.setdefault(code(state, action), set()).add((state.current_player(), taken))
        assert all(len(same) == 1 for same in kinds.values())
        assert len(set.union(*kinds.values(), set())) == len(kinds)


def test_equal_positions_have_equal_keys_and_others_different_ones():
    state = table(("", "2 cloth"), "gold + spice + 3 camel", deck="camel silver gold leather")
    first, second, third = "take gold", "sell 1 cloth", "take spice"
    keys = {read_key(state.game, play(state, *order).record) for order in [(first, second, third), (third, second, first)]}
    assert len(keys) == 1
    seen = {}
    for seed in range(10):
        for state, _ in positions(Jaipur(), seed):
            assert seen.setdefault(int(read_key(state.game, state.record)), snapshot(state)) == snapshot(state)
    assert len(seen) > 500


def test_random_games_take_77_turns():
    lengths = [sum(1 for _ in positions(Jaipur(), seed)) - 1 for seed in range(400)]
    assert np.mean(lengths) == pytest.approx(77, abs=4 * np.std(lengths) / 20)


def test_bad_options_are_refused():
    for options in {"rounds": 4}, {"cap": 0}, {"bonus": "7-7-4"}:
        with pytest.raises(InputError, match=next(iter(options))):
            Jaipur(**options)
    assert str(Jaipur(bonus="6-6-6")) == "jaipur(bonus=6-6-6)"


def test_the_drawings_show_cards_and_tokens():
    state = play(table(("3 leather", "gold"), "diamond + cloth + 3 camel", (2, 0), "spice spice"), "sell 3 leather")
    bonus = int(state.position.bonus[0, 0])
    lines = str(state).splitlines()
    assert lines[0] == "Jaipur, turn 2: player 1 to move"
    assert lines[1] == "market: 1 diamond, 1 cloth, 3 camel; 2 cards in the deck"
    assert lines[2:4] == [f"player 0: {9 + bonus} rupees (9 + bonus {bonus})", "    nothing; herd: 2"]
    assert "leather  1 1 1 1 1 1" in lines
    assert lines[-1] == "bonus tokens: 6 for 3, 6 for 4, 5 for 5 or more"
    drawing = ElementTree.fromstring(state._repr_html_())
    texts = Counter(element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text"))
    assert (texts["diamond"], texts["cloth"], texts["gold"], texts["camel"]) == (1, 1, 1, 4)
    assert texts["bonus for 3: 6 left"] == 1
    assert "player 1 has won" in str(play(table(market="gold + 4 camel", herds=(0, 1)), "take gold"))
