"""Margins against an adversary who tries everything, on small ensembles, and against closed forms."""
import functools
import math
from itertools import combinations, product

import numpy as np
import pytest
from test_votes import held, plain_order, plain_part, random_table, ratio

from mctslab import InputError
from mctslab.search.margins import (FREE, READINGS, VISITS_A, VISITS_B, WINS_A, alterable, bound_visits, find_changes,
                                    find_ranges, margin, search_interval, search_sets)
from mctslab.search.votes import RULES, Election

SCALE = 24      # makes whole numbers of what a tree with up to 4 simulations gives under any rule
ADDITIVE = [rule for rule in RULES if rule != "score"]
CASES = [(rule, reading) for rule in RULES for reading in READINGS]


@functools.cache
def outputs(rule, simulations, moves):
    """All that a tree can give to the moves with so many simulations: for ``score``, its visits and doubled wins."""
    found = set()
    for n in product(range(simulations + 1), repeat=moves):
        if sum(n) == simulations:
            for w in product(*(range(k + 1) for k in n)):
                if rule == "score":
                    found.add(n + tuple(2 * k for k in w))
                elif rule == "voting":
                    found.update(tuple(SCALE * (j == k) for j in range(moves)) for k in range(moves) if simulations)
                else:
                    found.add(scaled(plain_part(rule, "visits", n, w, range(moves))))
    return found


def scaled(part):
    return tuple(int(SCALE * x) for x in part)


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def alters(rule, total, order, a, rivals):
    """Does one of the rivals come before move a with these sums over the trees?"""
    place = {k: order.index(k) for k in order}
    if rule != "score":
        return any((-total[b], place[b]) < (-total[a], place[a]) for b in rivals)
    n, w = total[:len(order)], total[len(order):]
    return any((-ratio(w[b], n[b]), place[b]) < (-ratio(w[a], n[a]), place[a]) for b in rivals)


def swapped(part, a, b, moves):
    """What a tree gives, with moves a and b exchanged (in visits and wins alike)."""
    part = list(part)
    for shift in range(0, len(part), moves):
        part[shift + a], part[shift + b] = part[shift + b], part[shift + a]
    return tuple(part)


def new_sums(rule, reading, parts, sizes, chosen, a, moves):
    """All sums over the trees that an adversary can reach who has the chosen ones, each with the moves that may then win."""
    rest, others = (0,) * len(parts[0]), [b for b in range(moves) if b != a]
    for i, part in enumerate(parts):
        rest = rest if i in chosen else plus(rest, part)
    if reading == "swap":
        return [(functools.reduce(plus, (swapped(parts[i], a, b, moves) for i in chosen), rest), [b]) for b in others]
    sums = {rest}
    if reading == "replace":
        for i in chosen:
            sums = {plus(s, output) for s in sums for output in outputs(rule, sizes[i], moves)}
    return [(s, others) for s in sums]


def adversary(rule, reading, parts, sizes, order, a):
    """The margin by trying all sets of trees and all outputs, ties broken in a fixed order."""
    for m in range(1, len(parts) + 1):
        for chosen in combinations(range(len(parts)), m):
            if any(alters(rule, sums, order, a, rivals)
                   for sums, rivals in new_sums(rule, reading, parts, sizes, chosen, a, len(order))):
                return m
    return len(parts) + 1


def one_sided(rng, trees, moves, most):
    """A random table of trees that agree, more or less, so that margins are large."""
    simulations = rng.integers(1, most + 1, trees)
    visits = np.array([rng.multinomial(n, rng.dirichlet(np.r_[4, np.ones(moves - 1)])) for n in simulations], float)
    return visits, rng.binomial(2 * visits.astype(int), np.r_[0.95, rng.random(moves - 1) * 0.4]) / 2


@pytest.mark.parametrize("rule, reading", CASES)
def test_the_margin_is_what_an_adversary_finds(rule, reading):
    rng, seen = np.random.default_rng(CASES.index((rule, reading))), set()
    hard = reading == "replace"
    for trial in range(120 if hard else 250):
        moves = int(rng.integers(2, 4 if hard and rule in ("score", "means") else 5))
        trees = int(rng.integers(1, (4 if rule in ("score", "means") else 5) if hard else 6))
        most = (3 if hard else 4) if rule != "voting" else 4
        visits, wins = one_sided(rng, trees, moves, most) if trial % 2 else random_table(rng, trees, moves, 2)
        wins = np.floor(wins) if hard else wins
        order, election = plain_order(rule, visits, wins), held(visits, wins, rule)
        if rule == "score":
            parts = [tuple(map(int, (*n, *(2 * w)))) for n, w in zip(visits, wins)]
        else:
            parts = [scaled(plain_part(rule, "visits", n, w, order)) for n, w in zip(visits, wins)]
        sizes = [int(n.sum()) for n in visits]
        expected = adversary(rule, reading, parts, sizes, order, election.winner)
        assert margin(election, reading) == expected, (visits, wins)
        seen.add(expected)
    assert {1, 2, 3} <= seen


def best_challenge(visits, wins, chosen, reading, order, a):
    """Can these trees let another move overtake a in pooled mean? Plain loops over what b gets."""
    n, w = visits.astype(int), (2 * wins).astype(int)
    rest = [i for i in range(len(n)) if i not in chosen]
    free = int(n[chosen].sum()) if reading == "replace" else 0
    for b in order:
        if b != a:
            more = (a, b) if reading == "swap" else ()
            n_a, n_b, w_a, w_b = (int(t[rest, x].sum() + sum(t[chosen, y].sum() for y in more if y != x))
                                  for t in (n, w) for x, y in ((a, b), (b, a)))
            for y in range(free + 1):
                left, right = (w_b + 2 * y) * max(n_a + free - y, 1), w_a * max(n_b + y, 1)
                if left > right or (left == right and order.index(b) < order.index(a)):
                    return True
    return False


@pytest.mark.parametrize("reading", READINGS)
def test_the_margin_of_the_pooled_mean_is_exact_on_larger_tables(reading):
    """Up to 8 trees of up to 40 simulations, unevenly: most sets are dismissed by bounds."""
    rng, margins = np.random.default_rng(8 + READINGS.index(reading)), []
    for _ in range(200):
        visits, wins = one_sided(rng, int(rng.integers(2, 9)), int(rng.integers(2, 4)), int(rng.integers(5, 41)))
        order, election = plain_order("score", visits, wins), held(visits, wins, "score")
        trees = len(visits)
        found = (m for m in range(1, trees + 1) for chosen in combinations(range(trees), m)
                 if best_challenge(visits, wins, list(chosen), reading, order, election.winner))
        margins.append(next(found, trees + 1))
        assert margin(election, reading) == margins[-1], (visits, wins)
    assert sum(m >= (2 if reading == "replace" else 3) for m in margins) > 15


@pytest.mark.parametrize("reading", READINGS)
def test_no_bound_dismisses_a_set_that_would_do(reading):
    """Wherever t is: it makes the search shorter, not its answer. With as many trees as the margin, few sets will do."""
    rng, tried = np.random.default_rng(31), 0
    while tried < 100:
        visits, wins = one_sided(rng, int(rng.integers(3, 9)), 2, 40)
        election = held(visits, wins, "score")
        m, trees, a, order = margin(election, reading), len(visits), election.winner, election.order.tolist()
        change, total = np.zeros((5, trees)), np.zeros(5)
        find_changes(READINGS.index(reading), visits, wins, election.units, a, 1 - a, change, total)
        able = [s for s in map(list, combinations(range(trees), m)) if best_challenge(visits, wins, s, reading, order, a)]
        if m > 1 and any(total[WINS_A] + change[WINS_A, s].sum() > 0 for s in able):
            tried += 1
            for t in -0.5, 0.0, 0.3, 0.6, 1.0, 1.5:
                assert search_sets(m, change, total, order[1] == a, t, election.work[6:], *election.items), (visits, wins, t)


@pytest.mark.parametrize("reading", READINGS)
def test_the_bounds_on_visits_are_kept_by_every_change_and_met_by_some(reading):
    rng = np.random.default_rng(9)
    for _ in range(60):
        trees, m = 5, int(rng.integers(1, 5))
        visits = rng.integers(0, 12, (trees, 2)) + 3.0
        change, total = np.zeros((5, trees)), np.zeros(5)
        find_changes(READINGS.index(reading), visits, visits / 2, visits.sum(axis=1), 0, 1, change, total)
        ranges = find_ranges(m, change, total, np.zeros(trees, np.int64), np.zeros(trees))
        after = [total + change[:, list(chosen)].sum(axis=1) for chosen in combinations(range(trees), m)]
        extremes = [f(s[part] for s in after) for part in (VISITS_A, VISITS_B, FREE) for f in (min, max)]
        assert list(ranges) == extremes
        low = int(rng.integers(0, 30)) if reading == "replace" else 0
        high = low + int(rng.integers(0, 30)) if reading == "replace" else 0
        splits = [(s[VISITS_A] + s[FREE] - y, s[VISITS_B] + y)
                  for s in after for y in range(low, min(high, int(s[FREE])) + 1)]
        fewest_a, highest_a, fewest_b, highest_b = bound_visits(ranges, low, high)
        assert all(fewest_a <= max(a, 1) <= highest_a and fewest_b <= max(b, 1) <= highest_b for a, b in splits)


def test_no_interval_of_free_visits_dismisses_a_split_within_it():
    """Where y of the free visits go to b, an interval about y has to find an overtaking, if no other is asked."""
    rng, tried = np.random.default_rng(7), 0
    while tried < 60:
        trees, m = int(rng.integers(3, 7)), 2
        visits, wins = one_sided(rng, trees, 2, 25)
        election, change, total = held(visits, wins, "score"), np.zeros((5, trees)), np.zeros(5)
        a = election.winner
        find_changes(READINGS.index("replace"), visits, wins, election.units, a, 1 - a, change, total)
        ranges = find_ranges(m, change, total, election.items[0], election.work[7, :trees])
        splits = set()
        for chosen in map(list, combinations(range(trees), m)):
            w_a, n_a, w_b, n_b, free = total + change[:, chosen].sum(axis=1)
            splits |= {y for y in range(int(free) + 1) if w_a > 0 and n_b + y > 0 and
                       (w_b + y) / (n_b + y) > w_a / (n_a + free - y)}
        if splits and margin(election, "replace") == m:
            tried += 1
            for y, t, (below, above) in product(splits, (-0.5, 0.0, 0.5, 1.0, 1.5), ((0, 0), (4, 0), (0, 4))):
                assert search_interval(m, change, total, False, t, ranges, float(max(y - below, 0)), float(y + above),
                                       election.work[6:], *election.items), (visits, wins, y, t)


def test_the_margins_of_voting_have_closed_forms():
    rng, ran_out = np.random.default_rng(1), 0
    for _ in range(2000):
        trees, moves = rng.integers(1, 12), rng.integers(2, 5)
        favourite = rng.choice(moves, trees, p=rng.dirichlet(np.ones(moves)))
        visits = 1.0 + np.eye(moves)[favourite] + rng.integers(0, 2, (trees, 1))
        election = held(visits, visits / 2, "voting")
        a, v, place = election.winner, np.bincount(favourite, minlength=moves), election.place
        leads = [v[a] - v[b] + (place[a] < place[b]) for b in range(moves) if b != a]
        assert margin(election, "replace") == margin(election, "swap") == min(math.ceil(x / 2) for x in leads)
        assert margin(election, "remove") == (min(leads) if min(leads) <= v[a] else trees + 1)
        ran_out += min(leads) > v[a]
    assert ran_out > 20


def test_no_set_of_trees_alters_a_move_without_rival():
    election = held([[5, 0], [4, 0], [6, 0]], [[1, 0], [1, 0], [1, 0]], "voting")
    assert (margin(election, "remove"), margin(election, "replace")) == (4, 2)
    for rule in RULES:
        alone = held([[5], [4]], [[1], [1]], rule)
        assert [margin(alone, reading) for reading in READINGS] == [3, 3, 3]
        idle = held(np.zeros((2, 3)), np.zeros((2, 3)), rule)
        assert [margin(idle, reading) for reading in READINGS] == [3, 3, 3]


def test_ties_decide_a_margin():
    visits = [[3, 1], [4, 4]]       # equal without the first tree; then the higher pooled mean decides
    assert margin(held(visits, [[3, 1], [4, 0]], "visits"), "remove") == 3
    assert margin(held(visits, [[0, 1], [0, 4]], "visits"), "remove") == 1
    for last, removed in (3, 2), (9, 1):        # 7 visits against 5, or 11: a tie of votes falls to one or the other
        election = held([[3, 1], [3, 1], [1, last]], np.zeros((3, 2)), "voting")
        assert (margin(election, "replace"), margin(election, "remove")) == (1, removed)
    level = held([[2, 2], [4, 4]], [[1, 1], [3, 2]], "score")       # without the second tree the means are equal
    assert (level.winner, margin(level, "remove")) == (0, 3)
    assert margin(held([[2, 3], [4, 4]], [[1, 1.5], [3, 2]], "score"), "remove") == 1


def test_a_third_move_that_gains_by_a_swap_is_not_counted():
    """In shares 0 and 2 are equal but for the tie, and any swap of 2 with 1 would let 0 win; 1 itself needs two trees."""
    visits, wins = [[1, 0, 1], [1, 0, 1], [1, 0, 1], [1, 1, 1]], [[0, 0, 1], [1, 0, 1], [1, 0, 1], [0, 1, 0]]
    election = held(visits, wins, "shares")
    assert (election.winner, margin(election, "swap"), margin(election, "replace")) == (2, 2, 1)


@pytest.mark.parametrize("rule", RULES)
def test_most_cuts_the_search(rule):
    rng, election = np.random.default_rng(2), Election(20, 8, rule)
    for _ in range(40):
        election.hold(*one_sided(rng, 20, 8, 200))
        for reading in READINGS:
            m = margin(election, reading)
            for most in 0, 1, 3, 20, 30:
                assert margin(election, reading, most) == min(m, most + 1, 21)
                assert alterable(election, most, reading) == (m <= min(most, 20))


@pytest.mark.parametrize("rule", ADDITIVE)
def test_the_readings_are_ordered_where_scores_are_sums(rule):
    rng = np.random.default_rng(4)
    for _ in range(100):
        election = held(*one_sided(rng, 12, 4, 100), rule)
        assert 1 <= margin(election, "replace") <= margin(election, "swap") <= margin(election, "remove") <= 13


def test_the_reading_depends_on_the_rule_unless_said():
    rng = np.random.default_rng(3)
    for rule in RULES:
        elections = [held(*one_sided(rng, 6, 3, 30), rule) for _ in range(30)]
        default = "replace" if rule == "voting" else "swap"
        assert [margin(e) for e in elections] == [margin(e, default) for e in elections]
    with pytest.raises(InputError, match="reading is 'add'; it must be one of replace, swap, remove"):
        margin(elections[0], "add")
