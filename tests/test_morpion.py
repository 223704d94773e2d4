"""Morpion Solitaire: record games, a plain rule engine, published means of random games and of nested searches."""
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import playout

from mctslab import InputError, make_game, make_searcher
from mctslab.core import below, jit, new_records, stream
from mctslab.games.morpion import VARIANTS, points, slot_of

DIRECTIONS = (1, 0), (0, 1), (1, 1), (1, -1)
RECORDS = {"5D": 82, "5T": 178}
CROSS = {
    5: ["   oooo", "   o  o", "   o  o", "oooo  oooo", "o        o",
        "o        o", "oooo  oooo", "   o  o", "   o  o", "   oooo"],
    4: ["  ooo", "  o o", "ooo ooo", "o     o", "ooo ooo", "  o o", "  ooo"]}
SVG = "{http://www.w3.org/2000/svg}"
Z = 4       # standard errors that a mean may be off; the known means are rounded to 0.1


def start(variant):
    return make_game("morpion", variant=variant).new_initial_state()


def read_record(variant):
    """The actions of a record game."""
    text = Path(__file__).with_name("morpion_records.txt").read_text()
    actions = []
    for row in text.split(f"\n{variant}\n")[1].split("\n\n")[0].splitlines():
        x, y, sign, offset = row.split()
        direction = "-|\\/".index(sign)
        dx, dy = DIRECTIONS[direction]
        first = int(offset) - 2
        actions.append(int(slot_of(int(x) + first * dx, int(y) + first * dy, direction)))
    return actions


def replay(variant, actions):
    state = start(variant)
    for action in actions:
        state.apply_action(action)      # raises if it is not legal
    return state


class Plain:
    """The rules said plainly: a set of dots and a list of lines (direction, points)."""

    def __init__(self, variant):
        self.length, self.disjoint = int(variant[0]), variant[1] == "D"
        self.dots = {(x, y) for y, row in enumerate(CROSS[self.length]) for x, mark in enumerate(row) if mark == "o"}
        self.lines = []

    def allows(self, direction, line):
        """May the line stand beside those drawn?"""
        parts = {direction: set(line) if self.disjoint else set(pairwise(line))}
        return not any(d == direction and parts[d] & set(other if self.disjoint else pairwise(other))
                       for d, other in self.lines)

    def legal(self):
        found = {}
        for x, y in self.dots:
            for direction, (dx, dy) in enumerate(DIRECTIONS):
                for back in range(self.length):
                    line = tuple((x + (i - back) * dx, y + (i - back) * dy) for i in range(self.length))
                    if len(self.dots.intersection(line)) == self.length - 1 and self.allows(direction, line):
                        found[line] = direction
        return found

    def play(self, line):
        self.lines.append((self.legal()[line], line))
        self.dots.update(line)


@pytest.mark.parametrize("variant", RECORDS)
def test_the_record_game_replays_and_leaves_no_line(variant):
    state = replay(variant, read_record(variant))
    assert state.is_terminal() and state.returns() == (RECORDS[variant],)


def test_the_178_line_breaks_the_disjoint_rule_at_its_tenth_move():
    actions = read_record("5T")
    state = replay("5D", actions[:9])
    with pytest.raises(InputError, match="not legal"):
        state.apply_action(actions[9])


def test_the_82_line_is_legal_where_lines_may_touch():
    assert replay("5T", read_record("5D")).position.ply == 82


@pytest.mark.parametrize("variant", RECORDS)
def test_there_are_28_first_moves(variant):
    assert len(start(variant).legal_actions()) == 28


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_fast_rules_agree_with_the_plain_ones(variant):
    rng = np.random.default_rng(1)
    for _ in range(3):
        state, plain = start(variant), Plain(variant)
        while not state.is_terminal():
            lines = {tuple(points(state.game, a)): a for a in state.legal_actions()}
            assert lines.keys() == plain.legal().keys() and len(lines) == state.position.num_legal
            line = list(lines)[rng.integers(len(lines))]
            plain.play(line)
            state.apply_action(lines[line])
        assert not plain.legal() and state.returns() == (len(plain.lines),)


def test_the_grid_has_no_edge():
    """A row that reaches across the border of the torus goes on."""
    state = start("5D")
    assert points(state.game, int(slot_of(-2, 3, 0))) == [(x, 3) for x in range(-2, 3)]
    assert points(state.game, int(slot_of(-2, 1, 3))) == [(i - 2, 1 - i) for i in range(5)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_playout_draws_the_legal_actions_one_by_one(variant):
    fast, slow = start(variant), start(variant)
    trace = playout(fast, 0, seed=5)
    rng = stream(5, "playout")
    for action in trace:
        legal = slow.legal_actions()
        assert legal[below(rng, len(legal))] == action
        slow.apply_action(action)
    assert slow.is_terminal() and fast.record.tobytes() == slow.record.tobytes()


@jit
def sample_scores(g, states, rng, trace, buffer, scores):
    for i in range(scores.size):
        states[1] = states[0]
        g.playout(states[1], rng, trace, 0, buffer)
        scores[i] = g.payoff(states[1])


def check_mean(scores, mean):
    error = np.std(scores, ddof=1) / np.sqrt(len(scores))
    assert abs(np.mean(scores) - mean) < 0.05 + Z * error


@pytest.mark.parametrize("variant, mean", [("5D", 42.9), ("5T", 53.6), ("4D", 24.1), ("4T", 37.2)])
def test_random_games_have_their_known_mean(variant, mean):
    state, scores = start(variant), np.zeros(200_000)
    states = new_records(state.game, 2)
    states[0] = state.record[0]
    sample_scores(state.game, states, stream(1, variant), np.zeros(state.game.max_length(), np.int32),
                  np.zeros(state.game.max_actions(), np.int32), scores)
    check_mean(scores, mean)


@pytest.mark.parametrize("variant, level, mean, runs", [
    ("5D", 1, 61.0, 400), ("5T", 1, 84.5, 300), ("4D", 1, 31.0, 400), ("4T", 1, 53.3, 300), ("5D", 2, 66.6, 12)])
def test_nested_search_has_its_known_mean(variant, level, mean, runs):
    state, nested = start(variant), make_searcher("nested", level=level)
    check_mean([nested.search(state, seed=seed).score for seed in range(runs)], mean)


@pytest.mark.parametrize("variant, text", [("5D", "morpion"), *((v, f"morpion(variant={v})") for v in VARIANTS[1:])])
def test_a_game_goes_by_its_variant(variant, text):
    game = make_game(f"morpion(variant={variant})")
    assert str(game) == text and make_game(text) == game == make_game("morpion", line=int(variant[0]),
                                                                      disjoint=variant[1] == "D")


@pytest.mark.parametrize("options, message", [({"variant": "6D"}, "variant of morpion is '6D'; allowed: 5D, 5T, 4D, 4T"),
                                              ({"line": 3}, "line of morpion is 3; it must be from 4 to 5")])
def test_an_unknown_variant_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        make_game("morpion", **options)


def test_a_search_stops_at_a_proven_optimum_only():
    assert [make_game("morpion", variant=v).target() for v in VARIANTS] == [np.inf, np.inf, 35, 62]


def test_an_action_is_written_as_its_new_dot_and_the_ends_of_its_line():
    state = start("5D")
    assert state.action_to_string(read_record("5D")[0]) == "2,2: 0,4-4,0"


@pytest.mark.parametrize("variant", RECORDS)
def test_the_drawings_number_each_move_once(variant):
    state = replay(variant, read_record(variant))
    numbers = [str(i + 1) for i in range(RECORDS[variant])]
    words = str(state).split("no line left")[1].split()
    assert sorted(w for w in words if w.isdigit()) == sorted(numbers) and words.count("o") == 36
    root = ElementTree.fromstring(state._repr_html_())
    assert [node.text for node in root.iter(f"{SVG}text")] == numbers
    assert root.find(f"{SVG}title").text == f"Morpion Solitaire {variant}: {RECORDS[variant]} moves, no line left"


def test_the_drawing_of_the_start_is_the_cross():
    rows = str(start("4D")).splitlines()[2:-1]
    assert [row.replace(" ", "").replace(".", " ").rstrip()[1:] for row in rows] == CROSS[4]
