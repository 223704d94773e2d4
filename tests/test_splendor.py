"""Splendor: each rule at a position made for it, a plain engine beside, what is hidden, policies, drawings."""
from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from xml.etree import ElementTree

import numpy as np
import pytest
import splendor_plain
from conftest import code, named, play, positions, snapshot
from full_search import read_key
from scipy.stats import chi2
from splendor_plain import CARDS, COLOURS, GUESTS, TOKENS, bag

from mctslab import Splendor
from mctslab.core import below, jit, new_records, stream
from mctslab.games.splendor import end_turn
from mctslab.games.splendor_actions import list_reserves, list_takes
from mctslab.games.splendor_cards import FIRST, NONE, PLACES, unpack
from mctslab.games.splendor_playouts import INFORMED, KIND_FIRST, MOST_POINTS, random_turn

OPTIONS = [{}, {"overpay": True}, {"fewer": True, "goal": 21}, {"overpay": True, "fewer": True, "cap": 70}]


@jit
def read_difference(g, root):
    return g.score_difference(root[0])


@jit
def draw_turn(g, root, policy, rng, buffer):
    """Play the policy's turn in root. Returns its code."""
    player = np.int64(root[0].turn)
    found = random_turn(root[0], policy, rng, buffer) + player * (g.num_codes() // 2)
    end_turn(g, root[0])
    return found


@jit
def determinize_often(g, root, player, rng, out, work):
    """The cards at all places, then those of the decks, of many determinizations."""
    for i in range(len(out)):
        work[0] = root[0]
        g.determinize(work[0], player, rng)
        for j in range(18):
            out[i, j] = work[0].cards[j]
        for j in range(90):
            out[i, 18 + j] = work[0].deck[j]


def card(text):
    """Number of the card ``white 03000``: its bonus and price."""
    bonus, price = text.split()
    return next(i for i, other in enumerate(CARDS) if (other.bonus, other.price) == (bonus, tuple(bag(price))))


def lanes(text):
    return sum(n << 6 * i for i, n in enumerate(Counter(bag(text))[colour] for colour in TOKENS))


def table(mine="", theirs="", bonuses=("", ""), on_table=(), reserved=((), ()), decks="", nobles=(), points=(0, 0),
          bought=(0, 0), turn=0, **options):
    """A position: tokens of player 0 and 1 in words, cards as in `card`, the last one of a deck is drawn first."""
    state = Splendor(**options).new_initial_state(1)
    s = state.record
    s["tokens"][0], s["bonus"][0] = [lanes(mine), lanes(theirs)], [lanes(text) for text in bonuses]
    s["cards"], s["deck"], s["inside"], s["left"] = NONE, 0, 0, 0
    for text in on_table:
        level = CARDS[card(text)].level - 1
        s["cards"][0, 4 * level + np.argmax(s["cards"][0, 4 * level:] == NONE)] = card(text)
    for player in range(2):
        s["cards"][0, 12 + 3 * player:][:len(reserved[player])] = [card(text) for text in reserved[player]]
    for text in filter(None, decks.split(", ")):
        level = CARDS[card(text)].level - 1
        s["deck"][0, FIRST[level] + s["left"][0, level]] = card(text)
        s["left"][0, level] += 1
        s["inside"][0, level] |= 1 << card(text) - FIRST[level]
    s["host"] = 1       # who is not named has been here
    for i, digits in enumerate(nobles):
        s["nobles"][0, i], s["host"][0, i] = GUESTS.index(tuple(bag(digits))), -1
    s["points"][0], s["bought"][0], s["turn"], s["ply"] = points, bought, turn, 10 + turn
    return state


def names(state, verb=""):
    return {name for name in named(state) if name.startswith(verb)}


def holds(state, player=0):
    return splendor_plain.numbers(unpack(state.position.tokens[player]))


# The set-up and the tables: facts 1, 10, 12 and 13.

def test_the_cards_add_up():
    assert len(set(CARDS)) == 90
    for level, (number, points, cost) in enumerate([(8, 5, 33), (6, 55, 41), (4, 80, 43)], 1):
        cards = [card for card in CARDS if card.level == level]
        assert Counter(card.bonus for card in cards) == dict.fromkeys(COLOURS, number)
        assert sum(card.points for card in cards) == points
        assert Counter(colour for card in cards for colour in card.price) == dict.fromkeys(COLOURS, cost)


def test_the_white_card_that_some_programs_have_wrong_and_one_that_some_lack_are_there():
    assert CARDS[card("white 02002")] == (1, "white", 0, ("blue", "blue", "black", "black"))
    assert CARDS[card("red 00005")] == (2, "red", 2, ("black",) * 5)


def test_the_nobles_are_all_pairs_and_triples_of_neighbours_on_the_ring_of_colours():
    ring = [(COLOURS * 2)[i:i + 3] for i in range(5)]
    pairs = {frozenset(Counter(colours[:2] * 4).items()) for colours in ring}
    triples = {frozenset(Counter(colours * 3).items()) for colours in ring}
    assert {frozenset(Counter(noble).items()) for noble in GUESTS} == pairs | triples
    assert len(GUESTS) == 10
    assert set(Counter(colour for noble in GUESTS for colour in noble).values()) == {17}


def test_a_game_starts_with_90_cards_3_nobles_and_25_tokens_in_the_bank():
    nobles = set()
    for seed in range(100):
        s = Splendor().new_initial_state(seed).position
        assert s.left.tolist() == [36, 26, 16]
        assert [CARDS[i].level for i in s.cards[:12]] == [1] * 4 + [2] * 4 + [3] * 4
        assert (s.cards[12:] == NONE).all()
        decks = [int(i) for level in range(3) for i in s.deck[FIRST[level]:FIRST[level] + s.left[level]]]
        assert sorted(s.cards[:12].tolist() + decks) == list(range(90))
        assert s.tokens.tolist() == [0, 0]
        nobles |= set(combinations(s.nobles.tolist(), 3))
        assert len(set(s.nobles.tolist())) == 3
    assert len(nobles) > 60      # of 120


def test_the_opening_has_30_actions_and_no_purchase():
    for seed in range(20):
        verbs = Counter(name.split()[0] for name in named(Splendor().new_initial_state(seed)))
        assert verbs == {"take": 15, "reserve": 15}


# Tokens: facts 2, 4 and 8.

def test_three_different_tokens_or_two_of_a_colour_that_has_four_are_taken():
    state = table(theirs="1 black")
    takes = {"take " + splendor_plain.count(three) for three in combinations(COLOURS, 3)}
    assert names(state, "take") == takes | {f"take 2 {colour}" for colour in COLOURS[:4]}
    state = play(state, "take 1 white 1 blue 1 black")
    assert holds(state) == "1 white 1 blue 1 black"
    assert names(state, "take 2") == {"take 2 green", "take 2 red"}


@pytest.mark.parametrize("left, takes", [
    (["white", "blue"], {"take 1 white 1 blue"}), (["red"], {"take 1 red"}), ([], set())])
def test_of_fewer_colours_than_three_one_each_is_taken(left, takes):
    gone = {colour: 3 if colour in left else 4 for colour in COLOURS}
    state = table(theirs=" ".join(f"{n} {colour}" for colour, n in gone.items()))
    assert names(state, "take") == takes


def test_fewer_tokens_than_possible_are_taken_only_with_the_option():
    assert not any(len(name.split()) == 3 and "2" not in name for name in names(table(), "take"))
    state = table(fewer=True)
    some = {"take " + splendor_plain.count(few) for n in (1, 2, 3) for few in combinations(COLOURS, n)}
    assert names(state, "take") == some | {f"take 2 {colour}" for colour in COLOURS}


def test_what_is_over_ten_is_returned_from_all_tokens_gold_and_those_just_taken_included():
    state = table("4 white 4 blue 1 gold", theirs="3 green 3 red 3 black")
    assert names(state, "take") == {
        "take 1 green", "take 1 red", "take 1 black",               # and two others, which are returned
        *(f"take 1 {one} 1 {two}, return 1 {back}" for one, two in combinations(["green", "red", "black"], 2)
          for back in ("white", "blue", "gold")),
        *(f"take 1 green 1 red 1 black, return {back}" for back in (
            "2 white", "2 blue", "1 white 1 blue", "1 white 1 gold", "1 blue 1 gold"))}
    after = play(state, "take 1 green 1 red 1 black, return 1 white 1 gold")
    assert holds(after) == "3 white 4 blue 1 green 1 red 1 black"


def test_with_ten_tokens_all_that_is_taken_may_be_returned():
    state = table("4 white 4 blue 2 gold", theirs="3 green 3 red 3 black")
    assert "take nothing" in names(state)
    after = play(state, "take nothing")
    assert holds(after) == holds(state)
    assert after.position.passes == 0


def test_two_of_a_colour_may_be_taken_for_others_with_ten_tokens():
    state = table("4 white 4 blue 2 gold")
    assert {name for name in names(state) if name.startswith("take 2 red")} == {
        f"take 2 red, return {back}" for back in ("2 white", "2 blue", "2 gold", "1 white 1 blue", "1 white 1 gold",
                                                  "1 blue 1 gold")}


def test_tokens_that_need_not_be_returned_may_not_be():
    assert not any("return" in name for name in names(table("4 white 3 blue")))


# Reserved cards: fact 3.

def test_a_card_of_the_table_is_reserved_with_a_gold_token_and_the_next_one_takes_its_place():
    state = table(on_table=["red 30000", "blue 00003"], decks="white 03000, green 00030")
    after = play(state, "reserve level 1 blue for 3 black")
    s = after.position
    assert s.cards[:4].tolist() == [card("red 30000"), card("green 00030"), NONE, NONE]
    assert s.cards[12] == card("blue 00003")
    assert (holds(after), s.secret, s.left[0]) == ("1 gold", 0, 1)


def test_the_top_card_of_a_deck_is_reserved_unseen():
    after = play(table(decks="red 00060, red 00005"), "reserve level 2 deck")
    s = after.position
    assert (s.cards[12], s.secret, s.left[1], holds(after)) == (card("red 00005"), 1, 1, "1 gold")


def test_an_empty_deck_has_no_card_to_reserve_and_its_places_stay_empty():
    state = table(on_table=["red 30000"])
    assert names(state, "reserve") == {"reserve level 1 red for 3 white"}
    assert (play(state, "reserve level 1 red for 3 white").position.cards[:12] == NONE).all()


def test_without_gold_a_card_is_reserved_all_the_same():
    state = table(theirs="5 gold", on_table=["red 30000"])
    assert holds(play(state, "reserve level 1 red for 3 white")) == ""


def test_with_ten_tokens_the_gold_or_another_token_is_returned():
    state = table("4 white 4 blue 2 red", on_table=["red 30000"])
    back = {"white": "3 white 4 blue 2 red 1 gold", "blue": "4 white 3 blue 2 red 1 gold",
            "red": "4 white 4 blue 1 red 1 gold", "gold": "4 white 4 blue 2 red"}
    assert names(state, "reserve") == {f"reserve level 1 red for 3 white, return 1 {colour}" for colour in back}
    for colour, left in back.items():
        assert holds(play(state, f"reserve level 1 red for 3 white, return 1 {colour}")) == left
    full = table("4 white 4 blue 2 red", "5 gold", on_table=["red 30000"])
    assert names(full, "reserve") == {"reserve level 1 red for 3 white"}


def test_with_three_reserved_cards_none_can_be_added_until_one_is_bought():
    mine = ["white 03000", "green 53033", "red 35303"]
    state = table("3 blue", on_table=["red 30000"], reserved=(mine, ()), decks="white 00400")
    assert names(state, "reserve") == set()
    state = play(state, "buy level 1 white for 3 blue", "take 1 white 1 blue 1 green")
    assert state.position.cards[12:15].tolist() == [NONE, card(mine[1]), card(mine[2])]
    assert len(names(state, "reserve")) == 2
    assert play(state, "reserve level 1 red for 3 white").position.cards[12] == card("red 30000")


def test_reserved_cards_are_bought_by_their_owner_only():
    cards = (["white 03000"], ["blue 00003"])
    assert names(table("3 blue 3 black", reserved=cards), "buy") == {"buy level 1 white for 3 blue"}
    assert names(table("", "3 blue 3 black", reserved=cards, turn=1), "buy") == {"buy level 1 blue for 3 black"}


# Purchases: fact 5.

def test_the_price_is_less_by_the_bonuses_and_spent_tokens_go_back():
    state = table("4 white 2 red", bonuses=("1 white 3 green", ""), on_table=["red 30000", "blue 10121"],
                  decks="white 00400")
    assert names(state, "buy") == {"buy level 1 red for 3 white"}
    after = play(state, "buy level 1 red for 3 white")
    s = after.position
    assert holds(after) == "2 white 2 red"
    assert (unpack(s.bonus[0])[:5], s.bought.tolist()) == ([1, 0, 3, 1, 0], [1, 0])
    assert s.cards[0] == card("white 00400")


def test_a_card_may_cost_nothing():
    state = table("1 red", bonuses=("4 white", ""), on_table=["red 30000"])
    assert holds(play(state, "buy level 1 red for 3 white")) == "1 red"


@pytest.mark.parametrize("gold, can", [(1, False), (2, True), (3, True)])
def test_gold_stands_for_the_tokens_that_are_missing(gold, can):
    state = table(f"2 white 2 blue {gold} gold", on_table=["white 23030"])
    assert names(state, "buy") == set()
    state = table(f"2 white 2 blue 2 red {gold} gold", on_table=["white 23030"])
    assert names(state, "buy") == ({"buy level 2 white for 2 white 3 blue 3 red"} if can else set())
    if can:
        assert holds(play(state, *names(state, "buy"))) == ("1 gold" if gold == 3 else "")


def test_gold_is_paid_for_tokens_that_one_has_only_with_the_option():
    position = dict(mine="2 white 1 blue 2 gold", on_table=["green 21000"])
    assert names(table(**position), "buy") == {"buy level 1 green for 2 white 1 blue"}
    state = table(**position, overpay=True)
    spared = {"": "2 gold", ", gold for 1 white": "1 white 1 gold", ", gold for 1 blue": "1 blue 1 gold",
              ", gold for 2 white": "2 white", ", gold for 1 white 1 blue": "1 white 1 blue"}
    assert names(state, "buy") == {f"buy level 1 green for 2 white 1 blue{rest}" for rest in spared}
    for rest, left in spared.items():
        assert holds(play(state, f"buy level 1 green for 2 white 1 blue{rest}")) == left


# Nobles: fact 6.

def test_a_noble_comes_to_whoever_has_the_bonuses_tokens_do_not_count():
    assert play(table("4 white 4 blue", nobles=["44000"]), "take 2 red").position.points[0] == 0
    state = table("3 blue", bonuses=("3 white 4 blue", ""), on_table=["white 03000"], nobles=["44000"])
    after = play(state, "buy level 1 white for 3 blue").position
    assert (after.points.tolist(), after.host[0], after.bought[0]) == ([3, 0], 0, 1)


def test_of_several_nobles_one_comes_whom_the_player_chooses_and_the_other_a_turn_later():
    state = table(bonuses=("3 white 4 blue 4 black", ""), on_table=["white 03000"], nobles=["44000", "40004"])
    name = "buy level 1 white for 3 blue, noble 4 white"
    assert names(state, "buy") == {f"{name} 4 blue", f"{name} 4 black"}
    after = play(state, f"{name} 4 black")
    assert (after.position.host[:2].tolist(), after.position.points[0]) == ([-1, 0], 3)
    last = play(after, "take 2 red", "take 2 green").position       # no choice any more, and no other action is needed
    assert (last.host[:2].tolist(), last.points.tolist()) == ([0, 0], [6, 0])


def test_the_choice_of_a_noble_is_part_of_every_action():
    both = table(bonuses=("4 white 4 blue 4 black", ""), nobles=["44000", "40004"])
    one = table(bonuses=("4 white 4 blue 4 black", ""), nobles=["44000"])
    assert names(both) == {f"{name}, noble 4 white 4 {colour}" for name in names(one) for colour in ("blue", "black")}


def test_a_noble_comes_with_any_action_and_to_the_player_to_move_only():
    for name in "take 1 white 1 blue 1 green", "reserve level 1 green for 2 white 1 blue":
        state = table(bonuses=("4 white 4 blue", "4 white 4 blue"), on_table=["green 21000"], nobles=["44000"])
        assert play(state, name).position.points.tolist() == [3, 0]


# The end: facts 7, 9 and 14.

@pytest.mark.parametrize("turn, points, over", [
    (0, (14, 0), False), (1, (0, 14), True), (1, (15, 0), True), (1, (14, 13), False)])
def test_the_game_ends_when_both_had_as_many_turns_and_one_has_15_points(turn, points, over):
    state = table("4 red", "4 red" if turn else "", on_table=["black 04000"], points=points, turn=turn)
    state.record["bonus"][0] = lanes("4 blue")
    after = play(state, "buy level 1 black for 4 blue")
    assert after.is_terminal() == over
    assert not after.is_capped()


def test_the_first_player_may_be_overtaken_in_the_last_turn():
    state = table(bonuses=("4 blue", "6 white"), on_table=["black 04000", "white 60000"], points=(14, 13))
    state = play(state, "buy level 1 black for 4 blue")
    assert not state.is_terminal()
    end = play(state, "buy level 2 white for 6 white")
    assert end.returns() == (0.0, 1.0)
    assert read_difference(end.game, end.record) == 15 - 16


@pytest.mark.parametrize("points, bought, payoff", [
    ((16, 15), (9, 1), 1), ((15, 16), (1, 9), 0),
    ((15, 15), (9, 10), 1), ((15, 15), (10, 9), 0), ((15, 15), (8, 8), 0.5)])
def test_points_decide_then_fewer_bought_cards_whatever_is_reserved_or_visits(points, bought, payoff):
    state = table(points=points, bought=bought, turn=1, reserved=(["white 03000"], ["white 00400", "blue 00003"]))
    state.record["host"][0] = 0, 0, 1
    assert play(state, "take 2 red").returns() == (payoff, 1 - payoff)


def test_the_goal_is_an_option():
    assert play(table(points=(0, 6), turn=1, goal=6), "take 2 red").is_terminal()
    assert not play(table(points=(0, 5), turn=1, goal=6), "take 2 red").is_terminal()


def blocked(reserved=("black 00070", "red 00730", "white 00007"), **options):
    """Nobody can do anything: the players have all coloured tokens, and three cards reserved that they cannot buy."""
    theirs = "white 03000", "blue 63003", "green 21000"
    return table("4 white 4 blue 2 green", "2 green 4 red 4 black", reserved=(reserved, theirs), **options)


def test_a_player_passes_only_if_nothing_else_is_legal_and_two_passes_end_the_game():
    for turn in 0, 1:
        state = blocked(turn=turn, points=(3, 2))
        assert names(state) == {"pass"}
        once = play(state, "pass")
        assert not once.is_terminal()
        end = play(once, "pass")
        assert end.is_terminal()
        assert not end.is_capped()
        assert end.returns() == (1.0, 0.0)


def test_passes_in_a_row_are_counted_anew_after_another_action():
    state = play(blocked(["green 02020", "red 00730", "white 00007"], turn=1), "pass")
    assert state.position.passes == 1
    state.record["bonus"][0, 0] = lanes("2 red")
    state = play(state, "buy level 1 green for 2 blue 2 red")
    assert state.position.passes == 0
    assert names(state) == {"take nothing", "take 1 blue, return 1 green", "take 1 blue, return 1 red",
                            "take 1 blue, return 1 black"}


def test_a_noble_comes_even_to_one_who_passes():
    state = blocked(nobles=["44000"], bonuses=("4 white 4 blue", ""))
    assert play(state, "pass").position.points[0] == 3


def test_a_game_is_scored_as_it_stands_at_the_cap_and_says_so():
    end = play(table(points=(1, 2), cap=12), "take 2 red", "take 2 blue")
    assert end.is_terminal()
    assert end.is_capped()
    assert end.returns() == (0.0, 1.0)
    assert not play(table(points=(1, 15), turn=1, cap=12), "take 2 red").is_capped()


# The plain engine beside, and what is conserved.

def plain_table(state):
    """The start of a game for the plain engine."""
    s, g = state.position, state.game
    decks = {level + 1: [CARDS[i] for i in s.deck[FIRST[level]:][:s.left[level]]] for level in range(3)}
    rows = {level + 1: [CARDS[i] for i in s.cards[4 * level:][:4]] for level in range(3)}
    return splendor_plain.Table(decks, rows, [GUESTS[i] for i in s.nobles], g.goal, g.overpay, g.fewer, g.cap)


def compare(state, plain):
    s = state.position
    at = [None if i == NONE else CARDS[i] for i in s.cards]
    assert [at[:4], at[4:8], at[8:12]] == list(plain.rows.values())
    decks = [[CARDS[i] for i in s.deck[FIRST[level]:][:s.left[level]]] for level in range(3)]
    assert decks == list(plain.decks.values())
    assert [sum(1 << CARDS.index(other) - FIRST[i] for other in deck) for i, deck in enumerate(decks)] == s.inside.tolist()
    for i, player in enumerate(plain.players):
        assert unpack(s.tokens[i]) == [player.tokens.count(colour) for colour in TOKENS]
        assert unpack(s.bonus[i])[:5] == [player.bonuses()[colour] for colour in COLOURS]
        assert (s.points[i], s.bought[i]) == (player.points(), len(player.cards))
        assert at[12 + 3 * i:][:3] == player.reserved
        assert {GUESTS[noble] for noble, host in zip(s.nobles, s.host) if host == i} == set(player.nobles)
    assert (s.turn, s.ply, s.passes) == (plain.turn, plain.ply, plain.passes)
    assert (state.is_terminal(), state.is_capped()) == (plain.over != "", plain.over == "cap")


def check_conserved(plain):
    """Each token and each card is somewhere, once."""
    tokens = Counter(plain.bank) + Counter(plain.players[0].tokens) + Counter(plain.players[1].tokens)
    assert tokens == dict.fromkeys(COLOURS, 4) | {"gold": 5}
    assert max(len(player.tokens) for player in plain.players) <= 10
    places = [*plain.decks.values(), *plain.rows.values()]
    places += [cards for player in plain.players for cards in (player.cards, player.reserved)]
    assert sorted(filter(None, sum(places, []))) == sorted(CARDS)


def follow(game, seed):
    """Play a random game on both engines, which must agree at each ply."""
    state, rng = game.new_initial_state(seed), stream(seed, "test")
    plain = plain_table(state)
    while not state.is_terminal():
        actions = named(state)
        assert len(actions) == len(state.legal_actions())
        assert set(actions) == plain.legal()
        name = sorted(actions)[below(rng, len(actions))]
        state.apply_action(actions[name])
        plain.play(name)
        compare(state, plain)
    check_conserved(plain)
    assert state.returns()[0] == plain.payoff()
    assert read_difference(game, state.record) == plain.players[0].points() - plain.players[1].points()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_legal_actions_and_positions_are_those_of_a_plain_engine_at_every_ply(options):
    for seed in range(40):
        follow(Splendor(**options), seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_games_are_those_of_a_plain_engine(part):
    for seed in range(1000 * part, 1000 * part + 1000):
        follow(Splendor(**OPTIONS[seed % 4]), 100 + seed)


# The number of actions.

@jit
def count_actions(g, states, buffer, counts):
    """For each state the ways to take tokens and to reserve a card."""
    for i in range(len(states)):
        counts[i, 0] = list_takes(g, states[i], buffer, 0)
        counts[i, 1] = list_reserves(states[i], buffer, 0)


def holdings():
    """(tokens of the player, tokens in the bank) up to the order of the colours; a bank of 1 stands for 1 to 3."""
    kinds = [(held, left) for held in range(5) for left in (0, 1, 4) if held + left <= 4]
    for colours in combinations_with_replacement(kinds, 5):
        for gold, left in product(range(6), (0, 1)):
            mine = [held for held, _ in colours] + [gold]
            if sum(mine) <= 10 and gold + left <= 5:
                yield mine, [left for _, left in colours] + [left]


def num_payments(mine):
    """Ways to put gold for some of the coloured tokens; the prices of cards allow no more."""
    ways = [1, 0, 0, 0, 0, 0]
    for held in mine[:5]:
        ways = [sum(ways[n - k] for k in range(min(held, n) + 1)) for n in range(6)]
    return sum(ways[:mine[5] + 1])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_position_has_more_actions_than_the_bound(options):
    """A reserve that is full leaves 15 cards to buy, another 14 at most and 15 to reserve.

    Of three nobles two may be welcome before a turn, since one came when they all were: each action is there twice; or
    all three are, but only by a purchase.
    """
    game, pairs = Splendor(**options), list(holdings())
    states, counts = new_records(game, len(pairs)), np.zeros((len(pairs), 2), int)
    scale = 64 ** np.arange(6)
    mine, bank = (np.array(part) for part in zip(*pairs))
    supply = np.array([4, 4, 4, 4, 4, 5])
    states["tokens"][:, 0], states["tokens"][:, 1] = mine @ scale, (supply - mine - bank) @ scale
    states["cards"], states["left"] = NONE, 1
    states["cards"][:, :12] = 0
    count_actions(game, states, np.zeros(3000, np.int32), counts)
    takes, reserves = counts.T
    ways = np.array([num_payments(held) for held in mine.tolist()]) if game.overpay else 1
    assert game.max_actions() == max((2 * (takes + reserves + 14 * ways)).max(), (takes + reserves + 3 * 14 * ways).max(),
                                     (2 * (takes + 15 * ways)).max(), (takes + 3 * 15 * ways).max())


# What is hidden.

def cards_of(state):
    """The cards at all places, then those of the decks."""
    s = state.position
    decks = [s.deck[FIRST[level]:][:s.left[level]].tolist() for level in range(3)]
    return s.cards.tolist(), decks


def is_hidden(state, player, place, memory=True):
    """Has the player not seen the card at this place, or forgotten it?"""
    s = state.position
    return 12 + 3 * (1 - player) <= place < 15 + 3 * (1 - player) and s.cards[place] != NONE and (
        not memory or bool(s.secret >> place - 12 & 1))


@pytest.mark.parametrize("memory", [True, False])
def test_a_determinization_never_contradicts_what_was_seen(memory):
    changed = 0
    for seed in range(8):
        for state, _ in positions(Splendor(memory=memory), seed):
            for player in range(2):
                other = state.determinize(player, seed)
                (cards, decks), (cards_2, decks_2) = cards_of(state), cards_of(other)
                assert list(map(len, decks)) == list(map(len, decks_2))
                assert sorted(cards + sum(decks, [])) == sorted(cards_2 + sum(decks_2, []))
                for level in range(3):
                    assert {CARDS[i].level for i in decks_2[level]} <= {level + 1}
                for place in range(PLACES):
                    if is_hidden(state, player, place, memory):
                        assert CARDS[cards_2[place]].level == CARDS[cards[place]].level
                        changed += cards[place] != cards_2[place]
                    else:
                        assert cards[place] == cards_2[place]
                inside = [sum(1 << i - FIRST[level] for i in decks_2[level]) for level in range(3)]
                assert inside == other.position.inside.tolist()
                for field in set(state.record.dtype.names) - {"cards", "deck", "inside", "deal"}:
                    assert (state.record[field] == other.record[field]).all()
    assert changed > 100


@pytest.mark.parametrize("memory", [True, False])
def test_a_determinization_does_not_depend_on_what_is_hidden(memory):
    different = 0
    for seed in range(4):
        for state, legal in positions(Splendor(memory=memory), seed):
            player = state.current_player()
            others = [state.determinize(player, 10 + i) for i in range(2)]
            different += cards_of(others[0])[0] != cards_of(others[1])[0]
            drawn = [other.determinize(player, seed).record.tobytes() for other in [state, *others]]
            assert drawn[0] == drawn[1] == drawn[2]
            assert [other.legal_actions() for other in others] == [legal, legal]
    assert different > 20


def uniform_p(samples, number):
    """The p-value of chi-square for so many equally likely results."""
    counts = np.array(list(Counter(map(tuple, samples)).values()))
    assert len(counts) == number
    expected = len(samples) / number
    return chi2.sf(((counts - expected) ** 2 / expected).sum(), number - 1)


@pytest.mark.parametrize("memory, number", [(True, 2 * 24), (False, 2 * 120)])
def test_determinizations_are_uniform_over_the_places_of_the_unseen_cards(memory, number):
    """Two cards of level 1 in the deck; of level 3 three, one reserved unseen and one that was seen when it was reserved."""
    state = table(reserved=(["red 30000"], ["green 36300", "red 03630"]), memory=memory,
                  decks="white 03000, blue 00003, white 30036, blue 63003, black 00363")
    state.record["secret"] = 0b001001       # the player's own was reserved unseen too
    out = np.zeros((24_000, 108), np.int64)
    determinize_often(state.game, state.record, 0, stream(1, "test"), out, new_records(state.game))
    assert (out[:, 12] == card("red 30000")).all()
    assert uniform_p(out.tolist(), number) > 1e-3


# Codes, keys and policies.

def test_a_code_tells_the_mover_and_what_he_gains_buys_or_reserves():
    seen = {}
    for seed in range(20):
        for state, _ in positions(Splendor(), seed):
            for name, action in named(state).items():
                what = name.split(", ")[0].replace("take 2", "take 2 x")
                gained = frozenset(what.split()) - {"gold", "1"} if what.startswith("take") else what
                assert seen.setdefault(code(state, action), (state.current_player(), gained)) == (
                    state.current_player(), gained)
    assert len(set(seen.values())) == len(seen)


def test_keys_are_equal_where_only_the_order_of_turns_differed():
    start = Splendor().new_initial_state(3)
    ids = [f"reserve {CARDS[i]}" for i in start.position.cards[:12]]
    one = play(start, ids[0], "take 2 red", ids[5], "take 2 blue")
    two = play(start, ids[5], "take 2 blue", ids[0], "take 2 red")
    assert snapshot(one) != snapshot(two)
    assert read_key(one.game, one.record) == read_key(two.game, two.record)


def test_keys_of_different_positions_differ():
    keys = {}
    for seed in range(10):
        for state, _ in positions(Splendor(), seed):
            s = state.position
            cards = s.cards.tolist()
            facts = [sorted(cards[:12]), sorted(cards[12:15]), sorted(cards[15:]), s.tokens.tolist(), s.bonus.tolist()]
            facts = str([*facts, s.host.tolist(), s.points.tolist(), int(s.ply), int(s.passes), seed])
            assert keys.setdefault(int(read_key(state.game, state.record)), facts) == facts
    assert len(keys) == len(set(keys.values()))


POLICIES = range(len(Splendor.playouts) - 1)


def drawn(state, policy, rng):
    """(state after a random turn of the policy, its code)"""
    after = state.clone()
    buffer = np.zeros(state.game.max_actions(), np.int32)
    return after, draw_turn(state.game, after.record, policy, rng, buffer)


@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_policy_draws_is_a_legal_action(policy):
    rng = stream(1, "policy")
    for seed in range(6):
        for state, legal in positions(Splendor(), seed):
            if not legal:
                continue
            after, found = drawn(state, policy, rng)
            ways = {snapshot(state.after([action])): code(state, action) for action in legal}
            assert ways[snapshot(after)] == found


def shares(state, policy, draws=3000):
    """How often a policy draws the action of each name."""
    rng, found = stream(2, "policy"), Counter()
    ways = {snapshot(state.after([action])): name for name, action in named(state).items()}
    for _ in range(draws):
        found[ways[snapshot(drawn(state, policy, rng)[0])]] += 1
    return {name: n / draws for name, n in found.items()}


def verbs(state, policy):
    """How often a policy takes, reserves and buys."""
    found = Counter()
    for name, share in shares(state, policy).items():
        found[name.split()[0]] += share
    return found


@pytest.mark.parametrize("policy, likely, bought", [
    (MOST_POINTS, {"take": 15 / 22, "reserve": 3 / 22, "buy": 4 / 22}, {3}),
    (KIND_FIRST, {"take": 1 / 3, "reserve": 1 / 3, "buy": 1 / 3}, {0, 1, 3})])
def test_sets_and_cards_or_the_kinds_are_equally_likely_and_the_default_buys_most_points(policy, likely, bought):
    state = table("2 gold", bonuses=("4 white 3 blue", ""), on_table=["white 03000", "black 04000", "red 03630"],
                  reserved=(["red 30000", "white 60000"], []))
    assert verbs(state, policy) == pytest.approx(likely, abs=0.04)
    cards = [name[4:] for name in shares(state, policy) if name.startswith("buy")]
    assert {other.points for other in CARDS if str(other) in cards} == bought


def test_the_informed_policy_buys_if_it_can_else_takes_in_nine_cases_of_ten():
    assert verbs(table("3 blue", on_table=["white 03000"]), INFORMED) == pytest.approx({"buy": 1})
    assert verbs(table(on_table=["white 03000"]), INFORMED) == pytest.approx({"take": 0.9, "reserve": 0.1}, abs=0.02)
    gone = dict(mine="4 white 4 blue 2 green", theirs="2 green 4 red 4 black", on_table=["white 30036"])
    assert verbs(table(**gone), INFORMED) == pytest.approx({"reserve": 1})


def test_sets_of_tokens_are_equally_likely_to_be_taken():
    found = shares(table(theirs="1 red"), KIND_FIRST)       # with no card to buy or reserve
    assert found == pytest.approx(dict.fromkeys(names(table(theirs="1 red")), 1 / 14), abs=0.02)


def test_each_token_is_as_likely_to_be_returned():
    state = table("4 white 4 blue 2 green", "2 green 4 red 4 black", on_table=["white 30036"])
    found = {name.split()[-1]: share for name, share in shares(state, KIND_FIRST).items()}
    assert found == pytest.approx({"white": 4 / 11, "blue": 4 / 11, "green": 2 / 11, "gold": 1 / 11}, abs=0.04)


def test_one_who_cannot_do_anything_passes_in_every_policy():
    assert all(shares(blocked(), policy, 10) == {"pass": 1} for policy in POLICIES)


# The drawings.

def test_the_text_tells_all_that_is_on_the_table():
    state = table("1 white 2 gold", "4 red", bonuses=("1 green", ""), on_table=["red 30000", "black 00070"],
                  reserved=(["blue 63003"], []), decks="red 00005", nobles=["33300"], points=(4, 3), bought=(1, 0))
    state.record["secret"], state.record["host"][0, 1] = 1, 1
    assert str(state).splitlines()[:-1] == [
        "Splendor: player 0 to move, turn 11",
        "nobles: W3 U3 G3",
        "3 (0 more)        K+4 R7            -                 -                 -",
        "2 (1 more)        -                 -                 -                 -",
        "1 (0 more)        R W3              -                 -                 -",
        "bank: W3 U4 G4 K4 *3",
        "player 0: 4 points, 1 card",
        "    tokens W1 *2; bonuses G1",
        "    reserved U+4 W6 U3 K3?",
        "player 1: 3 points, 0 cards, 2 nobles",
        "    tokens R4; bonuses -"]


def test_the_svg_shows_each_card_token_and_noble_and_names_its_colour_by_a_letter():
    state = table("1 white 2 gold", on_table=["red 30000"], reserved=(["blue 63003"], []), nobles=["33300"])
    words = [element.text for element in ElementTree.fromstring(state._repr_html_()).iter() if element.text]
    assert {"R", "3W", "U", "4", "6W", "3U", "3K", "1W", "2*", "3G", "Splendor: player 0 to move, turn 11"} <= set(words)
    assert "Splendor: drawn" in play(table(turn=1, cap=12), "take 2 red")._repr_html_()
