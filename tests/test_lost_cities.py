"""Lost Cities: each rule at a position made for it, a plain engine beside, what is hidden, policies, drawings."""
from collections import Counter
from itertools import permutations
from math import perm
from xml.etree import ElementTree

import lost_cities_plain
import numpy as np
import pytest
from conftest import code, playout, positions, snapshot
from lost_cities_plain import COLOURS, RANKS, expedition_points
from scipy.stats import chi2

from mctslab import InputError, LostCities, make_game
from mctslab.core import below, jit, new_records, stream
from mctslab.games.lost_cities import SOURCES, random_turn


@jit
def read_difference(g, root):
    return g.score_difference(root[0])


@jit
def draw_actions(g, root, policy, rng, actions):
    """The actions that a policy takes in a position."""
    s = root[0]
    for i in range(actions.size):
        place, discard, source = random_turn(g, s, policy, rng)
        actions[i] = (2 * s.hands[s.turn, place] + discard) * SOURCES + source


@jit
def redraw(g, root, states, player, rng):
    """Determinize each of the states from a root."""
    for i in range(states.size):
        states[i] = root[0]
        g.determinize(states[i], player, rng)


def card_of(name):
    """``red 7`` or ``red wager`` as the game's number."""
    colour, rank = name.split()
    return 11 * COLOURS.index(colour) + (0 if rank == "wager" else int(rank))


def name_of(card):
    return f"{COLOURS[card // 11]} {card % 11 or 'wager'}"


def cards(text):
    """``red wager 3 4, blue 2`` as the game's numbers, in the order of the text."""
    groups = [group.split() for group in text.split(", ") if group]
    return [card_of(f"{colour} {rank}") for colour, *ranks in groups for rank in ranks]


def as_set(numbers):
    return sum(1 << card for card in numbers)


def everything(game):
    return [card_of(f"{colour} {rank}") for colour in COLOURS[:game.colours] for rank in RANKS]


def table(hands, expeditions=("", ""), piles="", known=("", ""), deck="", **options):
    """A position with player 0 to move. Piles end with their top card; the deck's last card is drawn first.

    A hand "any", and a deck that is not given, are filled with what is left over.
    """
    game = LostCities(**{"hand": len(cards(hands[0]))} | options)
    state = game.new_initial_state(1)
    s, rest = state.record, Counter(everything(game))
    rest.subtract(cards(", ".join(filter(None, [hands[0], *expeditions, piles, deck, hands[1].replace("any", "")]))))
    assert min(rest.values()) >= 0
    rest = list(rest.elements())
    other = [rest.pop() for _ in range(game.hand)] if hands[1] == "any" else cards(hands[1])
    s["hands"][0, :, :game.hand] = cards(hands[0]), other
    s["played"], s["known"] = [[as_set(cards(text)) for text in texts] for texts in (expeditions, known)]
    s["discarded"], s["piles"] = as_set(cards(piles)), 0
    for card in cards(piles):
        s["piles"][0, card // 11] = s["piles"][0, card // 11] << 4 | card % 11 + 1
    deck = cards(deck) or rest
    s["left"], s["deck"], s["deck"][0, :len(deck)] = len(deck), 0, deck
    return state


def names(state):
    return {state.action_to_string(action) for action in state.legal_actions()}


def play(state, *actions):
    """The state after actions given by name."""
    for name in actions:
        state = state.after([{state.action_to_string(action): action for action in state.legal_actions()}[name]])
    return state


def played(state, without=("take",)):
    """The cards that may be played."""
    return {name.split(", ")[0].removeprefix("play ") for name in names(state) if name.startswith("play")}


def hand(state, player):
    return sorted(name_of(card) for card in state.position.hands[player][:state.game.hand].tolist())


def points(state):
    """Player 0's points less those of player 1."""
    return read_difference(state.game, state.record)


def unpack(bits):
    """A set of cards as a sorted list of names; a wager as often as it is there."""
    found = []
    for colour in range(5):
        block = int(bits) >> 11 * colour & 0x7FF
        found += [11 * colour] * (block & 3) + [11 * colour + rank for rank in range(2, 11) if block >> rank & 1]
    return sorted(map(name_of, found))


def pile_names(state):
    """Each pile's cards from the bottom, found by taking its digits one by one."""
    piles = {}
    for colour in range(state.game.colours):
        word, ranks = int(state.position.piles[colour]), []
        while word:
            ranks.insert(0, word % 16 - 1)
            word //= 16
        piles[COLOURS[colour]] = [rank or "wager" for rank in ranks]
    return piles


def plain_round(state):
    """The same position at the start of a round for the plain engine."""
    s, game = state.position, state.game

    def pair(card):
        return COLOURS[card // 11], card % 11 or "wager"
    return lost_cities_plain.Round([map(pair, map(int, hand[:game.hand])) for hand in s.hands],
                                   map(pair, map(int, s.deck[:s.left])), COLOURS[:game.colours])


def test_the_deck_has_three_wagers_and_nine_numbers_of_each_of_five_colours():
    state = LostCities().new_initial_state(5)
    s = state.position
    found = Counter(map(name_of, [*map(int, s.deck[:s.left]), *map(int, s.hands.ravel())]))
    assert found == {f"{colour} {rank}": RANKS.count(rank) for colour in COLOURS for rank in RANKS}
    assert (found.total(), int(s.left), s.hands.shape) == (60, 44, (2, 8))


def test_every_card_comes_to_every_place_of_the_deck_alike():
    game, n = LostCities(colours=2, hand=1), 4000
    tops = Counter(name_of(int(game.new_initial_state(seed).position.deck[21])) for seed in range(n))
    expected = {f"{colour} {rank}": n * RANKS.count(rank) / 24 for colour in COLOURS[:2] for rank in set(RANKS)}
    assert sum((tops[card] - e) ** 2 / e for card, e in expected.items()) < chi2.isf(1e-4, len(expected) - 1)


def test_a_turn_plays_or_discards_one_card_and_draws_one():
    state = table(("red 7, blue 2", "any"), deck="green 3 4 5")
    assert names(state) == {"play red 7, draw", "discard red 7, draw", "play blue 2, draw", "discard blue 2, draw"}
    after = play(state, "play red 7, draw")
    assert hand(after, 0) == ["blue 2", "green 5"]
    assert unpack(after.position.played[0]) == ["red 7"]
    assert (after.current_player(), int(after.position.left)) == (1, 2)
    assert pile_names(play(state, "discard red 7, draw"))["red"] == [7]


@pytest.mark.parametrize("expedition, playable", [
    ("", "wager 2 6 10"), ("wager", "wager 2 6 10"), ("wager 2", "6 10"), ("5", "6 10"), ("7", "10"), ("2 3 9", "10"),
    ("9 10", "")])
def test_numbers_rise_and_wagers_come_before_all_numbers(expedition, playable):
    ranks = [rank for rank in ("wager", "2", "6", "10") if rank not in expedition.split() or rank == "wager"]
    state = table((f"red {' '.join(ranks)}", "any"), expeditions=(expedition and f"red {expedition}", ""))
    assert played(state) == {f"red {rank}" for rank in playable.split() if rank in ranks}


def test_the_expeditions_of_other_colours_and_of_the_other_player_do_not_matter():
    state = table(("red wager 4", "any"), expeditions=("blue 10, green 2", "red 9 10"))
    assert played(state) == {"red wager", "red 4"}


def test_a_player_may_wager_three_times_and_then_go_on_with_numbers():
    state = table(("red wager wager wager", "blue 8 9 10"), deck="red 2, green 4, red 3, green 3, red 4")
    state = play(state, *["play red wager, draw", "discard blue 8, draw"] * 2, "play red wager, draw")
    assert state.is_terminal()
    assert unpack(state.position.played[0]) == ["red wager"] * 3


def test_a_card_is_drawn_from_the_deck_or_from_any_pile_but_not_the_one_just_discarded():
    state = table(("red 7, blue 2", "any"), piles="red 3 5, white 9")
    assert {name for name in names(state) if "red 7" in name} == {
        "play red 7, draw", "play red 7, take red", "play red 7, take white", "discard red 7, draw",
        "discard red 7, take white"}
    assert "discard blue 2, take blue" not in names(state)


def test_piles_give_back_their_cards_in_reverse_order():
    state = table(("red 7, blue 2", "green 2 3"), piles="red wager 3 5")
    state = play(state, "discard blue 2, take red", "play green 2, take red")
    assert (hand(state, 0), hand(state, 1)) == (["red 5", "red 7"], ["green 3", "red 3"])
    assert pile_names(state)["red"] == ["wager"]
    assert hand(play(state, "play red 5, take red"), 0) == ["red 7", "red wager"]


def test_the_round_ends_at_once_when_the_last_card_is_drawn_and_hands_count_nothing():
    state = table(("red 10, blue 2", "green 9 10"), expeditions=("white 10", "yellow 9"), deck="blue 3")
    state = play(state, "discard blue 2, draw")
    assert state.is_terminal()
    assert not state.is_capped()
    assert state.legal_actions() == []
    assert points(state) == -10 - -11
    assert state.returns() == (1, 0)


def test_taking_discards_does_not_end_the_round():
    state = table(("red 10, blue 2", "green 9 10"), piles="red 5 6", deck="blue 3")
    assert not play(state, "discard blue 2, take red", "discard green 9, take blue").is_terminal()


@pytest.mark.parametrize("ranks, worth", [
    ("", 0), ("2 3 9 10", 4), ("wager 2 3 9 10", 8), ("wager wager 2 3 9 10", 12), ("wager 8 9", -6),
    ("wager wager wager", -80), ("wager wager 2 3 4 5 6 9", -13 * 0 + (29 - 20) * 3 + 20),
    ("wager wager 4 5 6 7 8 10", 80), ("wager 2 3 4 5 6 7", 14), ("2 3 4 5 6 7 8 9", 44), ("2 3 4 5 6 7 8", 15),
    ("wager wager wager 2 3 4 5 6 7 8 9 10", 156)])
def test_an_expedition_is_worth_what_the_rules_say(ranks, worth):
    for colour in COLOURS:
        for seat in 0, 1:
            expeditions = [f"{colour} {ranks}" if ranks and player == seat else "" for player in range(2)]
            assert points(table(("red 10", "red 9"), expeditions, deck="blue 3") if not ranks else worth_of(expeditions)
                          ) == (worth if seat == 0 else -worth)
    assert expedition_points([rank if rank == "wager" else int(rank) for rank in ranks.split()]) == worth


def worth_of(expeditions):
    other = next(colour for colour in COLOURS if not any(colour in text for text in expeditions))
    return table((f"{other} 10", f"{other} 9"), expeditions, deck=f"{other} 3")


def test_the_best_and_the_worst_total_are_as_known():
    state = LostCities().new_initial_state()
    state.record["played"] = (1 << 55) - 1, as_set(cards(", ".join(f"{colour} wager wager wager" for colour in COLOURS)))
    assert points(state) == 780 - -400
