"""Lost Cities: each rule at a position made for it, a plain engine beside, what is hidden, policies, drawings."""
from collections import Counter
from itertools import permutations
from math import perm
from xml.etree import ElementTree

import lost_cities_plain
import numpy as np
import pytest
from conftest import code, named, play, playout, positions, snapshot
from lost_cities_plain import COLOURS, RANKS, expedition_points
from scipy.stats import chi2

from mctslab import InputError, LostCities, make_game
from mctslab.core import below, jit, new_records, stream
from mctslab.core.play import play_action
from mctslab.games.lost_cities import random_turn
from mctslab.games.lost_cities_cards import SOURCES, take_turn


@jit
def read_difference(g, root):
    return g.score_difference(root[0])


@jit
def draw_actions(g, root, policy, rng, actions):
    """The actions that a policy takes in a position."""
    s = root[0]
    for i in range(actions.size):
        place, discard, source = random_turn(g, s, policy, rng)
        actions[i] = (2 * np.int64(s.hands[s.turn, place]) + discard) * SOURCES + source


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
    return set(named(state))


def played(state):
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
    state = play(state, "play red wager, draw", "discard blue 8, draw", "play red wager, draw",
                 "discard blue 9, draw", "play red wager, draw")
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
    ("wager wager wager", -80), ("wager 2 3 4 5 6 7", 14), ("2 3 4 5 6 7 8", 15), ("2 3 4 5 6 7 8 9", 44),
    ("wager wager 4 5 6 7 8 10", 80), ("wager wager wager 2 3 4 5 6 7 8 9 10", 156)])
def test_an_expedition_is_worth_what_the_rules_say(ranks, worth):
    for colour in COLOURS:
        state = LostCities().new_initial_state()
        for player, sign in (0, 1), (1, -1):
            state.record["played"] = 0
            state.record["played"][0, player] = as_set(cards(f"{colour} {ranks}"))
            assert points(state) == sign * worth
    assert expedition_points([rank if rank == "wager" else int(rank) for rank in ranks.split()]) == worth


def test_the_best_and_the_worst_total_are_as_known():
    state = LostCities().new_initial_state()
    wagers = ", ".join(f"{colour} wager wager wager" for colour in COLOURS)
    state.record["played"] = as_set(everything(state.game)), as_set(cards(wagers))
    assert points(state) == 780 - -400


@pytest.mark.parametrize("expeditions, returns", [(("red 9 10", "blue 10"), (1, 0)), (("red 10", "blue 10"), (0.5, 0.5)),
                                                  (("red 9", "blue 10"), (0, 1)), (("red 10", ""), (0, 1))])
def test_more_points_win_and_equal_points_draw(expeditions, returns):
    state = table(("white 2", "white 3"), expeditions, deck="white 4")
    assert play(state, "discard white 2, draw").returns() == returns


def test_a_game_ends_by_its_cap_and_is_scored_as_it_stands():
    state = table(("red 9, blue 2", "green 9 10"), cap=2)
    state = play(state, "play red 9, draw", "play green 10, draw")
    assert state.is_terminal()
    assert state.is_capped()
    assert state.returns() == (0, 1)


def test_the_default_cap_is_beyond_uniform_games():
    lengths = [len(playout(LostCities().new_initial_state(seed), 1, seed)) for seed in range(300)]
    assert 140 < np.mean(lengths) < 147
    assert max(lengths) < 250 < LostCities().cap


def test_like_wagers_make_one_action():
    state = table(("red wager wager 5", "any"), piles="blue 2")
    assert len(state.legal_actions()) == len(names(state)) == 2 * 2 * 2
    assert hand(play(state, "play red wager, take blue"), 0) == ["blue 2", "red 5", "red wager"]


def test_the_bound_on_the_number_of_actions_is_reached():
    state = table(("red 2 3 4 5, blue 2 3 4 5", "any"), piles="red 6, blue 6, white 6, green 6, yellow 6")
    assert len(state.legal_actions()) == state.game.max_actions() == 88


def test_codes_tell_the_mover_the_card_what_is_done_with_it_and_whether_the_deck_is_drawn():
    state = table(("red wager wager 5", "blue 5, red 7, red 8"), piles="blue 2, green 3")
    kinds = {}
    for action in state.legal_actions():
        first, source = state.action_to_string(action).split(", ")
        kinds.setdefault(code(state, action), set()).add((first, source == "draw"))
    assert len(kinds) == 8
    assert all(len(kind) == 1 for kind in kinds.values())
    other = play(state, "play red 5, draw")
    assert all(code(other, action) >= 220 > code(state, mine)
               for action in other.legal_actions() for mine in state.legal_actions())


# A plain engine beside.

GAMES = [LostCities(), LostCities(colours=2), LostCities(colours=3, hand=1)]


def check_position(state, plain):
    """Is everything where the plain engine has it?"""
    assert points(state) == plain.points(0) - plain.points(1)
    assert pile_names(state) == plain.piles
    for player in range(2):
        assert hand(state, player) == sorted(f"{colour} {rank}" for colour, rank in plain.hands[player])
        assert unpack(state.position.played[player]) == sorted(
            f"{colour} {rank}" for colour, ranks in plain.expeditions[player].items() for rank in ranks)
        assert unpack(state.position.known[player]) == sorted(f"{colour} {rank}" for colour, rank in plain.seen[player])


def check_in_lock_step(state, rng, every):
    """Play a random game on both engines; all legal actions must agree, and every so many turns the whole position."""
    plain = plain_round(state)
    while not plain.is_over():
        assert not state.is_terminal()
        legal = {state.action_to_string(action): action for action in state.legal_actions()}
        assert legal.keys() == plain.legal()
        name = list(legal)[below(rng, len(legal))]
        play_action(state.game, state.record, legal[name], state.rng)
        plain.play(name)
        if plain.turns % every == 0:
            check_position(state, plain)
    check_position(state, plain)
    difference = plain.points(0) - plain.points(1)
    assert state.is_terminal()
    assert state.returns()[0] == (0.5 if difference == 0 else difference > 0)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_random_games_agree_with_a_plain_engine(game):
    for seed in range(60):
        check_in_lock_step(game.new_initial_state(seed), stream(seed, "test"), 1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_thousand_random_games_agree_with_a_plain_engine():
    for seed in range(10_000):
        check_in_lock_step(GAMES[0].new_initial_state(seed), stream(seed, "test"), 20)


def places(state):
    """All cards, wherever they are."""
    s = state.position
    on_table = [name for bits in (*s.played, s.discarded) for name in unpack(bits)]
    return Counter(on_table + hand(state, 0) + hand(state, 1) + [name_of(int(card)) for card in s.deck[:s.left]])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_card_is_ever_lost_or_made(game):
    for seed in range(5):
        for state, _ in positions(game, seed):
            assert places(state) == Counter(map(name_of, everything(game)))
            assert unpack(state.position.discarded) == sorted(
                f"{colour} {rank}" for colour, ranks in pile_names(state).items() for rank in ranks)
            assert not state.position.deck[state.position.left:].any()


# What is hidden.

def shuffled_unseen(state, player, rng):
    """Another state that looks the same to the player: the cards he has not seen are shuffled, hand and deck alike."""
    other, s = state.clone(), state.position
    known = list(map(card_of, unpack(s.known[1 - player])))
    unseen = list(map(int, s.hands[1 - player][:state.game.hand]))
    for card in known:
        unseen.remove(card)
    size = len(unseen)
    unseen = rng.permutation(unseen + list(map(int, s.deck[:s.left])))
    other.record["hands"][0, 1 - player, :state.game.hand] = rng.permutation(np.append(unseen[:size], known))
    other.record["deck"][0, :s.left] = unseen[size:]
    return other


@pytest.mark.parametrize("game", [*GAMES, LostCities(memory=False)], ids=str)
def test_a_determinization_depends_on_nothing_that_the_player_cannot_see(game):
    rng = np.random.default_rng(1)
    for state, _ in positions(game, 1):
        for player in range(2):
            drawn = state.determinize(player, 3)
            other = shuffled_unseen(state, player, rng)
            assert places(other) == places(state)
            assert snapshot(other.determinize(player, 3)) == snapshot(drawn)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_determinization_contradicts_nothing_that_the_player_has_seen(game):
    for seed in range(3):
        for state, legal in positions(game, seed):
            for player in range(2):
                drawn = state.determinize(player, seed)
                assert places(drawn) == places(state)
                for field in "played", "known", "discarded", "piles", "left", "turn", "ply":
                    assert (drawn.record[field] == state.record[field]).all()
                assert (drawn.position.hands[player] == state.position.hands[player]).all()
                assert not Counter(unpack(state.position.known[1 - player])) - Counter(hand(drawn, 1 - player))
                assert state.current_player() != player or drawn.legal_actions() == legal


def test_a_card_taken_from_a_pile_is_known_until_it_is_played_unless_memory_is_off():
    for memory in True, False:
        state = table(("red 7, blue 2", "green 2 3"), piles="white 9", memory=memory)
        state = play(state, "discard blue 2, take white", "discard green 2, draw")
        hands = [hand(state.determinize(1, seed), 0) for seed in range(200)]
        assert sum("white 9" in held for held in hands) in ([200] if memory else range(1, 50))
        assert unpack(state.position.known[0]) == ["white 9"] * memory
        assert not play(state, "play white 9, draw").position.known[0]


def test_of_two_wagers_the_one_that_was_seen_goes_first():
    state = table(("red wager 7", "green 2 3"), piles="red wager")
    state = play(state, "play red 7, take red", "play green 2, draw")
    assert unpack(state.position.known[0]) == ["red wager"]
    assert not play(state, "discard red wager, draw").position.known[0]


@pytest.mark.parametrize("known", ["", "blue wager", "yellow 10", "yellow 9 10"])
def test_every_way_to_place_the_unseen_cards_is_equally_likely(known):
    """Two places in the other hand and two in the deck for two like wagers and two numbers."""
    taken, n = cards(known), 20_000
    unseen = cards("blue wager wager, yellow 9 10")
    seen = "blue wager 3 4 5 6 7 8 9 10, yellow wager wager wager 3 4 5 6 7 8"
    state = table(("blue 2, yellow 2", "blue wager, yellow 10" if known in ("blue wager", "yellow 10") else "yellow 9 10"),
                  expeditions=("", seen), known=("", known), colours=2)
    for card in taken:
        unseen.remove(card)
    ways = Counter()
    for order in permutations(unseen):
        ways[tuple(sorted(taken + list(order[2:]))), order[:2]] += 1 / perm(len(unseen))
    states = new_records(state.game, n)
    redraw(state.game, state.record, states, 0, stream(1, "test"))
    found = Counter((tuple(sorted(s["hands"][1, :2].tolist())), tuple(s["deck"][:2].tolist())) for s in states)
    assert found.keys() == ways.keys()
    assert sum((found[way] - n * p) ** 2 / (n * p) for way, p in ways.items()) < chi2.isf(1e-4, max(len(ways) - 1, 1))


# Playout policies.

def walk_by(policy, games=2):
    """Positions of games played by a policy, some with many piles and some with few."""
    for seed in range(games):
        state, rng, action = LostCities().new_initial_state(seed), stream(seed, "walk"), np.zeros(1, np.int64)
        while not state.is_terminal():
            yield state
            draw_actions(state.game, state.record, policy, rng, action)
            state.apply_action(int(action[0]))


@jit
def pick_actions(g, root, rng, actions, buf):
    for i in range(actions.size):
        actions[i] = buf[below(rng, g.legal_actions(root[0], buf))]


def test_a_uniform_playout_draws_from_the_list_of_legal_actions():
    for state in walk_by(0):
        ours, theirs, buf = np.zeros(50, np.int64), np.zeros(50, np.int64), np.zeros(88, np.int32)
        draw_actions(state.game, state.record, 1, stream(1, "test"), ours)
        pick_actions(state.game, state.record, stream(1, "test"), theirs, buf)
        assert ours.tolist() == theirs.tolist()


def law(state, policy):
    """The chance of each action by name, as the head of the game's file says."""
    player, colours, piles = state.current_player(), COLOURS[:state.game.colours], pile_names(state)
    ranks = {colour: [] for colour in colours}
    for name in unpack(state.position.played[player]):
        ranks[name.split()[0]].append(name.split()[1])
    held, may, chances = hand(state, player), played(state), Counter()
    for card in held:
        colour = card.split()[0]
        to_play = 0 if card not in may else 1 if ranks[colour] else 1 / 2
        lowest = min((other for other in may if other.startswith(colour)), key=card_of, default=None)
        for what, chance in (f"play {lowest}", to_play), (f"discard {card}", 1 - to_play):
            open_piles = [pile for pile in colours if piles[pile] and (what != f"discard {card}" or pile != colour)]
            each = 1 / 4 / len(colours) if policy == "informed" else 1 / 2 / max(len(open_piles), 1)
            for pile in open_piles:
                chances[f"{what}, take {pile}"] += chance * each / len(held)
            chances[f"{what}, draw"] += chance * (1 - each * len(open_piles)) / len(held)
    return +chances


@pytest.mark.parametrize("policy", ["kind_first", "informed"])
def test_a_policy_draws_each_action_with_its_chance(policy):
    actions, statistics, freedom = np.zeros(20_000, np.int64), 0, 0
    index = LostCities.playouts.index(policy)
    for state in list(state.clone() for state in walk_by(index, 1))[::6]:
        draw_actions(state.game, state.record, index, stream(2, policy), actions)
        numbers, counts = np.unique(actions, return_counts=True)
        found = dict(zip(map(state.action_to_string, numbers), counts))
        chances = law(state, policy)
        assert found.keys() <= chances.keys() <= names(state)
        assert sum(chances.values()) == pytest.approx(1)
        statistics += sum((found.get(name, 0) - len(actions) * p) ** 2 / (len(actions) * p) for name, p in chances.items())
        freedom += len(chances) - 1
    assert freedom > 50
    assert statistics < chi2.isf(1e-4, freedom)


@jit
def step(g, root, policy, rng):
    """Take a policy's turn. Returns its action."""
    s = root[0]
    place, discard, source = random_turn(g, s, policy, rng)
    action = (2 * np.int64(s.hands[s.turn, place]) + discard) * SOURCES + source
    take_turn(g, s, place, discard, source)
    return action


@pytest.mark.parametrize("policy", LostCities.playouts)
def test_a_playout_is_a_game_by_its_policy(policy):
    index = LostCities.playouts.index(policy)
    state, end = LostCities().new_initial_state(1), LostCities().new_initial_state(1)
    plain, rng, codes = plain_round(state), stream(4, "playout"), []
    while not state.is_terminal():
        before = state.clone()
        action = step(state.game, state.record, index, rng)
        codes.append(code(before, action))
        assert before.action_to_string(action) in plain.legal()
        plain.play(before.action_to_string(action))
    assert playout(end, index, 4) == codes
    assert snapshot(state) == snapshot(end)
    assert points(end) == plain.points(0) - plain.points(1)


def test_the_policies_games_have_their_known_lengths():
    for index, mean in enumerate((72.1, 143.4, 51.5)):
        lengths = [len(playout(LostCities().new_initial_state(seed), index, seed)) for seed in range(500)]
        assert abs(np.mean(lengths) - mean) < 4 * np.std(lengths) / 500**0.5


# Names, options, drawings.

def test_a_game_goes_by_its_options():
    assert str(make_game("lost_cities", memory=False, cap=100)) == "lost_cities(memory=false, cap=100)"
    assert (LostCities().players, LostCities().hidden, LostCities().max_length()) == (2, True, 300)


@pytest.mark.parametrize("options, message", [({"colours": 6}, "colours of lost_cities is 6; it must be from 2 to 5"),
                                              ({"hand": 9}, "hand of lost_cities is 9; it must be from 1 to 8")])
def test_what_the_state_cannot_hold_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        LostCities(**options)


def example():
    return table(("red 7, blue wager", "red 9 10"), expeditions=("red wager 2 3", "white 10"), piles="blue 5 4, red 4",
                 known=("red 7", ""), deck="green 2 3")


def test_the_text_shows_expeditions_piles_hands_and_points():
    assert str(example()).splitlines() == [
        "Lost Cities: player 0 to move, 2 cards in the deck",
        "        player 0  discarded  player 1",
        "yellow  -         -          -",
        "blue    -         5 4        -",
        "white   -         -          10",
        "green   -         -          -",
        "red     x 2 3     4          -",
        "points  -30                  -10",
        "hand of player 0: blue x, red 7*",
        "hand of player 1: red 9, red 10",
        "x: a wager; *: the other player saw it being taken"]


def test_the_drawing_shows_each_card_once_by_rank_and_letter_of_its_colour():
    root = ElementTree.fromstring(example()._repr_html_())
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert Counter(word for word in words if word == "x" or word.isdigit()) == {
        "x": 2, "2": 1, "3": 1, "4": 2, "5": 1, "7": 1, "9": 1, "10": 2}
    assert Counter(word for word in words if word in set("YBWGR")) == Counter("RRRWBBRBRRR")
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 1
    assert "Lost Cities: player 0 to move, 2 cards in the deck" in words


@pytest.mark.parametrize("expeditions, caption", [
    (("red 9 10", "blue 10"), "player 0 has won"), (("red 10", "blue 10"), "drawn"), (("red 10", ""), "player 1 has won")])
def test_the_caption_tells_who_has_won(expeditions, caption):
    state = play(table(("white 2", "white 3"), expeditions, deck="white 4"), "discard white 2, draw")
    assert str(state).startswith(f"Lost Cities: {caption}\n")
    assert caption in state._repr_html_()
