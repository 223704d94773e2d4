"""How many trees of an ensemble must change to alter its final move: the margin m* of a turn.

Kowalski, Ciezkowski, Krzyzynski and Winands (2026) let the number of trees depend on whether the output of at most M trees
can alter the move, and leave open what may become of an output. The readings here:

- ``replace``: anything that the tree could have put out with its simulations;
- ``swap``: the same, but what it says of the winner and of one challenger is exchanged, and that one must overtake;
- ``remove``: nothing, the tree is taken away.

The margin is the least M at which some M trees can do it, exactly, under the order of ties of the turn (see `votes`).
The winner a is replaced iff some challenger b overtakes it, so challengers are looked at one by one.

Where scores are sums over trees (all rules but ``score``), d is what the tree gives to a less what it gives to b, and u the
most that it can give to one move. The lead of a falls by at most d + u if the tree is replaced, 2 max(d, 0) if it is
swapped, max(d, 0) if it is removed, and the best M trees are those with the largest falls.

For ``score`` trees do not act one by one: what a tree does to the means of a and b depends on the others. Whether M trees
suffice has two constraints on one set of trees, a knapsack that no sorting solves. The sets of M trees are searched, and
most are dismissed unseen by a linear bound: see `search_sets`. The time grows with M: a few microseconds up to 3 of 10
trees, tens to hundreds up to 6 of 50, but it can be seconds when 30 of 50 trees must be removed.
"""
import math

import numpy as np

from ..core import InputError, jit, one_of
from .votes import MEANS, SCORE, SHARES, TIE, VOTING, mean, sort_falling

READINGS = ("replace", "swap", "remove")
REPLACE, SWAP, REMOVE = range(3)
WINS_A, VISITS_A, WINS_B, VISITS_B, FREE = range(5)     # what a change of a tree changes; FREE: visits that may go anywhere
CELLS = 8           # intervals of the free visits given to b
SLACK = 1e-9        # more than the rounding of a bound


# The rules that add ------------------------------------------------------------------------------------------------------
@jit
def additive_margin(reading, most, tie, parts, units, scores, place, winner, trees, moves, falls):
    """The margin of a rule whose scores are sums over trees; most + 1 if it is more than `most`."""
    least = most + 1
    for b in range(moves):
        if b != winner:
            for i in range(trees):
                d = parts[i, winner] - parts[i, b]
                falls[i] = d + units[i] if reading == REPLACE else max(d, 0.0) * (2 if reading == SWAP else 1)
            lead = scores[winner] - scores[b]
            least = min(least, count_largest(falls, trees, lead, place[b] < place[winner], tie, least - 1))
    return least


@jit
def count_largest(falls, trees, lead, wins_ties, tie, most):
    """How many of the largest falls add up to more than the lead, or to the lead where that is enough; most + 1 if more."""
    need = lead - tie if wins_ties else lead + tie
    fall = 0.0
    for m in range(1, min(most, trees) + 1):
        best = 0
        for i in range(1, trees):
            if falls[i] > falls[best]:
                best = i
        fall += falls[best]
        if fall > need or (wins_ties and fall == need):
            return m
        if fall + falls[best] * (most - m) < need:
            return most + 1
        falls[best] = 0.0
    return most + 1


# The pooled mean ---------------------------------------------------------------------------------------------------------
@jit
def overtakes(wins_a, visits_a, wins_b, visits_b, free, wins_ties):
    """Is b's mean above a's, if y of the free visits are won by b and the rest lost by a, for the best y?

    (wins_b + y) (visits_a + free - y) - wins_a (visits_b + y) is concave in y.
    """
    y = math.floor(min(max((visits_a + free - wins_a - wins_b) / 2, 0.0), free))
    for _ in range(2):
        mean_a, mean_b = mean(wins_a, visits_a + free - y), mean(wins_b + y, visits_b + y)
        if mean_b > mean_a or (mean_b == mean_a and wins_ties):
            return True
        y = min(y + 1, free)
    return False


@jit
def find_changes(reading, visits, wins, units, a, b, change, total):
    """change[:, i]: how tree i alters the sums of a and b. total: these sums as they are."""
    for part in range(5):
        total[part] = 0.0
    for i in range(visits.shape[0]):
        change[WINS_A, i], change[VISITS_A, i] = -wins[i, a], -visits[i, a]
        change[WINS_B, i], change[VISITS_B, i] = -wins[i, b], -visits[i, b]
        for part in range(4):
            total[part] -= change[part, i]
        change[FREE, i] = units[i] if reading == REPLACE else 0.0
        if reading == SWAP:
            change[WINS_A, i], change[VISITS_A, i] = wins[i, b] - wins[i, a], visits[i, b] - visits[i, a]
            change[WINS_B, i], change[VISITS_B, i] = -change[WINS_A, i], -change[VISITS_A, i]


@jit
def pooled_margin(reading, most, visits, wins, units, place, winner, work, item, position):
    """The margin of the rule ``score``; most + 1 if it is more than `most`."""
    trees, moves = visits.shape
    change, total = work[:5, :trees], work[5, :5]
    for m in range(1, min(most, trees) + 1):
        for b in range(moves):
            if b == winner:
                continue
            wins_ties = place[b] < place[winner]
            find_changes(reading, visits, wins, units, winner, b, change, total)
            if m == 1:
                for i in range(trees):
                    if overtakes_with(total, change[:, i], wins_ties):
                        return 1
            elif overtaken_by(m, change, total, wins_ties, work[6:], item, position):
                return m
    return most + 1


@jit
def overtakes_with(total, more, wins_ties):
    """`overtakes`, of sums that change."""
    return overtakes(total[WINS_A] + more[WINS_A], total[VISITS_A] + more[VISITS_A], total[WINS_B] + more[WINS_B],
                     total[VISITS_B] + more[VISITS_B], total[FREE] + more[FREE], wins_ties)


@jit
def sum_largest(values, sign, m, item, scratch):
    """Sum of the m largest values, or of the m smallest for sign -1; their indices go to item[:m]."""
    for i in range(values.size):
        scratch[i] = sign * values[i]
    total = 0.0
    for j in range(m):
        best = 0
        for i in range(1, values.size):
            if scratch[i] > scratch[best]:
                best = i
        item[j] = best
        total += values[best]
        scratch[best] = -np.inf
    return total


@jit
def add_changes(change, item, m, more):
    """The changes of the trees item[:m] together."""
    for part in range(5):
        more[part] = 0.0
        for j in range(m):
            more[part] += change[part, item[j]]


@jit
def overtaken_by(m, change, total, wins_ties, work, item, position):
    """Can the changes of some m trees let b overtake a, where those of fewer cannot?

    If a is left without wins, all trees with wins of a are changed, and no others have to be: that set is looked at first.
    Then the most promising set by the present means; where it takes the two means is where `search_sets` is most selective.
    """
    trees = change.shape[1]
    value, scratch, more = work[0, :trees], work[1, :trees], work[2, :5]
    n = 0
    for i in range(trees):
        if change[WINS_A, i] < 0:
            item[n] = i
            n += 1
    if n <= m:
        add_changes(change, item, n, more)
        if overtakes_with(total, more, wins_ties):
            return True
    t = (mean(total[WINS_A], total[VISITS_A]) + mean(total[WINS_B], total[VISITS_B])) / 2
    weigh(change, t, 1 / max(total[VISITS_A], 1.0), 1 / max(total[VISITS_B], 1.0), value)
    sum_largest(value, 1, m, item, scratch)
    add_changes(change, item, m, more)
    if overtakes_with(total, more, wins_ties):
        return True
    return search_sets(m, change, total, wins_ties, meeting(total, more), work, item, position)


@jit
def meeting(total, more):
    """The mean of the two means after a change."""
    visits_a, visits_b = total[VISITS_A] + more[VISITS_A], total[VISITS_B] + more[VISITS_B]
    wins_a, wins_b, free = total[WINS_A] + more[WINS_A], total[WINS_B] + more[WINS_B], total[FREE] + more[FREE]
    y = min(max((visits_a + free - wins_a - wins_b) / 2, 0.0), free)
    return (mean(wins_a, visits_a + free - y) + mean(wins_b + y, visits_b + y)) / 2


@jit
def weigh(change, t, weight_a, weight_b, value):
    """What each tree takes from weight_a A - weight_b B, if all its free visits are lost by a."""
    for i in range(value.size):
        value[i] = (weight_b * (change[WINS_B, i] - t * change[VISITS_B, i])
                    - weight_a * (change[WINS_A, i] - t * change[VISITS_A, i] - t * change[FREE, i]))


@jit
def search_sets(m, change, total, wins_ties, t, work, item, position):
    """Is there a set of m trees whose changes let b overtake a and leave wins to a?

    Let A = (wins of a) - t (visits of a) after the changes, for a fixed t, and B likewise. b overtakes iff
    A / (visits of a) <= B / (visits of b), whatever t is. So A / (most visits of a) <= B / (fewest visits of b) if B >= 0,
    and A / (fewest visits of a) <= B / (most visits of b) if B < 0, for then A < 0 too. Either is linear in the set of
    trees, and tight if t is about where the two means meet, for A and B are small there. `explore` searches the sets that
    satisfy the one, then those that satisfy the other. Free visits make the bounds on visits wide, so they are searched in
    intervals of what b gets. No mean is that of 0 visits: a's is above 0, so b's is too.
    """
    ranges = find_ranges(m, change, total, item, work[1, :change.shape[1]])
    free, cells = ranges[5], CELLS if ranges[5] > 0 else 1
    for cell in range(cells):
        low, high = free * cell / cells, free * (cell + 1) / cells
        if search_interval(m, change, total, wins_ties, t, ranges, low, high, work, item, position):
            return True
    return False


@jit
def find_ranges(m, change, total, item, scratch):
    """Least and most visits of a, of b, and free ones, after the changes of m trees."""
    visits_a, visits_b, free = change[VISITS_A], change[VISITS_B], change[FREE]
    return (total[VISITS_A] + sum_largest(visits_a, -1, m, item, scratch),
            total[VISITS_A] + sum_largest(visits_a, 1, m, item, scratch),
            total[VISITS_B] + sum_largest(visits_b, -1, m, item, scratch),
            total[VISITS_B] + sum_largest(visits_b, 1, m, item, scratch),
            sum_largest(free, -1, m, item, scratch), sum_largest(free, 1, m, item, scratch))


@jit
def bound_visits(ranges, low, high):
    """Fewest and most visits of a, and of b, if b gets from `low` to `high` of the free visits and a the others; not 0."""
    least_a, most_a, least_b, most_b, least_free, free = ranges
    return (max(least_a + max(least_free - high, 0.0), 1.0), max(most_a + free - low, 1.0),
            max(least_b + low, 1.0), max(most_b + high, 1.0))


@jit
def search_interval(m, change, total, wins_ties, t, ranges, low, high, work, item, position):
    """`search_sets`, if b gets from `low` to `high` of the free visits and a the others."""
    fewest_a, highest_a, fewest_b, highest_b = bound_visits(ranges, low, high)
    return (explore(m, change, total, wins_ties, t, 1 / highest_a, 1 / fewest_b, low, high, work, item, position)
            or explore(m, change, total, wins_ties, t, 1 / fewest_a, 1 / highest_b, low, high, work, item, position))


@jit
def explore(m, change, total, wins_ties, t, weight_a, weight_b, low, high, work, item, position):
    """Is there an overtaking among the sets of m trees that take enough from weight_a A - weight_b B?

    Of the free visits b gets from `low` to `high`. Trees are tried in the order of what they take, so a set begun is given
    up when the next best would not complete it, and all later ones with it.
    """
    trees = change.shape[1]
    value, falling, sums = work[0, :trees], work[1], work[2:8]
    weigh(change, t, weight_a, weight_b, value)
    for_b = weight_b * (1 - t) - weight_a * t       # of a free visit that b wins instead
    need = (weight_a * (total[WINS_A] - t * total[VISITS_A]) - weight_b * (total[WINS_B] - t * total[VISITS_B])
            - max(low * for_b, high * for_b) - SLACK)
    best = value[0]
    for i in range(trees):
        item[i] = i
        best = max(best, value[i])
    if best * m < need:
        return False
    sort_falling(item, value, trees)
    falling[0] = 0.0
    for j in range(trees):
        falling[j + 1] = falling[j] + value[item[j]]        # falling[j]: sum of the j largest
    for part in range(6):
        sums[part, 0] = total[part] if part < 5 else 0.0
    depth = 0
    position[0] = 0
    while depth >= 0:
        j, left = position[depth], m - depth
        if j + left > trees or sums[5, depth] + falling[j + left] - falling[j] < need:
            depth -= 1
            continue
        position[depth] = j + 1
        for part in range(5):
            sums[part, depth + 1] = sums[part, depth] + change[part, item[j]]
        if left > 1:
            sums[5, depth + 1] = sums[5, depth] + value[item[j]]
            depth += 1
            position[depth] = j + 1
        elif overtakes(sums[WINS_A, m], sums[VISITS_A, m], sums[WINS_B, m], sums[VISITS_B, m], sums[FREE, m], wins_ties):
            return True
    return False


# What others call --------------------------------------------------------------------------------------------------------
def margin(election, reading=None, most=None):
    """The least number of trees whose outputs can alter the move that an election has chosen.

    Parameters
    ----------
    election : Election
        One that has been held.
    reading : str, optional
        One of `READINGS`; ``replace`` for the rule ``voting`` and ``swap`` for the others unless said. (One tree's mean can
        swing by 1 while means differ by hundredths: ``replace`` would call almost every turn close. For votes both agree.)
    most : int, optional
        Larger margins are of no interest. For the rule ``score`` time grows with it.

    Returns
    -------
    int
        The margin, from 1 to `most`; most + 1 if no set of so many trees can alter the move, and T + 1 if no set at all can.

    Raises
    ------
    InputError
        For a reading that is not known.
    """
    if reading is None:
        reading = "replace" if election.rule == VOTING else "swap"
    if reading not in READINGS:
        raise InputError(f"reading is {reading!r}; it must be one of {one_of(READINGS)}")
    e, (trees, moves) = election, election.visits.shape
    most = trees if most is None else min(most, trees)
    reading = READINGS.index(reading)
    if e.rule == SCORE:
        return int(pooled_margin(reading, most, e.visits, e.wins, e.units, e.place, e.winner, e.work, *e.items))
    tie, falls = TIE if e.rule in (MEANS, SHARES) else 0.0, e.work[0]
    return int(additive_margin(reading, most, tie, e.parts, e.units, e.all_scores, e.place, e.winner, trees, moves, falls))


def alterable(election, most, reading=None):
    """Can the outputs of at most `most` trees alter the move? As `margin`."""
    return margin(election, reading, most) <= min(most, len(election.visits))
