"""The final move of an ensemble: hand-made tables with ties, and a plain version of the rules on random tables."""
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mctslab import InputError
from mctslab.core import stream
from mctslab.search.votes import RULES, VOTES, Election


def ratio(a, b):
    """a / b, 0 if b is 0."""
    return Fraction(a) / Fraction(b) if b else Fraction(0)


def plain_order(rule, visits, wins):
    """The moves in the order in which ties are broken, the lower number first of what is left."""
    n, w = [sum(map(Fraction, column)) for column in zip(*visits)], [sum(map(Fraction, column)) for column in zip(*wins)]
    key = [ratio(b, a) for a, b in zip(n, w)] if rule in ("visits", "shares") else n
    return sorted(range(len(n)), key=lambda k: -key[k])


def plain_part(rule, vote, n, w, order, pruned=(), last=-1):
    """What one tree with visits n and wins w gives to each move, in exact fractions."""
    total, moves = sum(map(Fraction, n)), len(n)
    if total == 0:
        return [Fraction(0)] * moves
    if rule in ("visits", "means", "shares"):
        return [{"visits": Fraction(a), "means": ratio(b, a), "shares": ratio(a, total)}[rule] for a, b in zip(n, w)]
    ranked = [k for k in order if n[k] > 0 and k not in pruned]
    key = {k: (ratio(w[k], n[k]), n[k]) if vote == "mean" else (n[k], w[k]) for k in ranked}
    if rule == "borda":
        return [Fraction(sum(2 * (key[j] < key[k]) + (key[j] == key[k]) for j in ranked) - 1, 2) + moves - len(ranked)
                if k in key else Fraction(0) for k in range(moves)]
    if vote != "last":
        last = max(ranked, key=key.get) if ranked else -1
    return [Fraction(int(k == last)) for k in range(moves)]


def plain_scores(rule, parts, visits, wins):
    if rule == "score":
        return [ratio(sum(map(Fraction, w)), sum(map(Fraction, n))) for n, w in zip(zip(*visits), zip(*wins))]
    return [sum(column) for column in zip(*parts)]


def plain_winner(scores, order):
    return max(order, key=lambda k: scores[k])       # the first of equals


def random_table(rng, trees, moves, most=6):
    """Root tables with many ties, unvisited moves and idle trees; a win counts 1, a draw 0.5."""
    visits = rng.integers(0, most, (trees, moves)) * (rng.random((trees, moves)) < rng.choice([0.6, 1]))
    return visits.astype(float), rng.binomial(2 * visits, rng.random(moves)) / 2


def held(visits, wins, rule="visits", vote="visits", **options):
    election = Election(*np.shape(visits), rule, vote)
    election.hold(visits, wins, **options)
    return election


@pytest.mark.parametrize("vote", VOTES)
@pytest.mark.parametrize("rule", RULES)
def test_the_rules_are_the_plain_ones_on_random_tables(rule, vote):
    rng = np.random.default_rng(RULES.index(rule))
    election = Election(7, 6, rule, vote)       # one memory for tables of all sizes
    for _ in range(300):
        visits, wins = random_table(rng, rng.integers(1, 8), rng.integers(1, 7))
        pruned, last = rng.random(visits.shape) < 0.2, rng.integers(0, visits.shape[1], len(visits))
        order = plain_order(rule, visits, wins)
        parts = [plain_part(rule, vote, n, w, order, np.flatnonzero(p), k) for n, w, p, k in zip(visits, wins, pruned, last)]
        scores = plain_scores(rule, parts, visits, wins)
        assert election.hold(visits, wins, pruned, last) == plain_winner(scores, order)
        assert election.scores == pytest.approx(np.array(scores, float), abs=1e-12)


VISITS = [[6, 3, 1], [2, 3, 5], [1, 4, 5]]
WINS = [[3, 2, 1], [1, 2, 2], [0, 3, 2]]


@pytest.mark.parametrize("rule, scores, winner", [
    ("visits", [9, 10, 11], 2),
    ("score", [4 / 9, 7 / 10, 5 / 11], 1),
    ("voting", [1, 0, 2], 2),
    ("borda", [2 + 0 + 0, 1 + 1 + 1, 0 + 2 + 2], 2),
    ("means", [1 / 2 + 1 / 2 + 0, 2 / 3 + 2 / 3 + 3 / 4, 1 + 2 / 5 + 2 / 5], 1),
    ("shares", [0.9, 1.0, 1.1], 2)])
def test_the_scores_of_a_table_worked_by_hand(rule, scores, winner):
    election = held(VISITS, WINS, rule)
    assert (election.scores.tolist(), election.winner) == (pytest.approx(scores), winner)


@pytest.mark.parametrize("rule, visits, wins, winner", [
    ("visits", [[5, 5], [5, 5]], [[1, 2], [2, 2]], 1),              # the larger pooled mean
    ("shares", [[50, 150], [3, 1]], [[10, 60], [2, 0]], 1),         # 1 : 1 in shares, 12/53 : 60/151 in means
    ("score", [[2, 4], [2, 4]], [[1, 2], [1, 2]], 1),               # the larger visits
    ("means", [[2, 4], [2, 4]], [[1, 2], [1, 2]], 1),
    ("voting", [[9, 1, 0], [4, 6, 0]], [[4, 0, 0], [1, 3, 0]], 0),  # a vote each, 13 visits against 7
    ("borda", [[9, 1, 0], [4, 6, 0]], [[4, 0, 0], [1, 3, 0]], 0),   # 3 points each
    ("visits", [[5, 5], [5, 5]], [[2, 2], [2, 2]], 0)])             # nothing left but the number
def test_ties_of_scores_are_broken_as_the_rule_says(rule, visits, wins, winner):
    election = held(visits, wins, rule)
    assert election.winner == winner
    assert election.scores[winner] == pytest.approx(max(np.delete(election.scores, winner)))


def test_equal_sums_are_equal_although_floats_round():
    visits, wins = [[3, 1], [3, 1], [3, 1]], [[1, 1], [1, 0], [1, 0]]      # 1/3 + 1/3 + 1/3 against 1
    assert held(visits, wins, "means").winner == 0      # more visits
    assert held(np.fliplr(visits), np.fliplr(wins), "means").winner == 1


def test_a_tree_votes_as_it_is_told():
    visits, wins = [[5, 5, 3, 9], [0, 0, 0, 0]], [[2, 3, 3, 4], [0, 0, 0, 0]]
    assert held(visits, wins, "voting").scores.tolist() == [0, 0, 0, 1]
    pruned = [[0, 0, 0, 1], [0, 0, 0, 0]]
    assert held(visits, wins, "voting", pruned=pruned).scores.tolist() == [0, 1, 0, 0]      # of equals the higher mean
    assert held(visits, wins, "voting", "mean").scores.tolist() == [0, 0, 1, 0]
    assert held(visits, wins, "voting", "last", last=[0, -1]).scores.tolist() == [1, 0, 0, 0]
    assert held(visits, wins, "borda", "mean").scores.tolist() == [0, 2, 3, 1]
    assert held([[4, 2]], [[2, 1]], "voting", "mean").winner == 0       # equal means: the more visited


def test_borda_shares_ranks_and_puts_what_is_unvisited_or_pruned_last():
    assert held([[4, 4, 7, 1]], [[2, 2, 0, 1]], "borda").scores.tolist() == [1.5, 1.5, 3, 0]
    assert held([[0, 4, 0, 0]], [[0, 2, 0, 0]], "borda").scores.tolist() == [0, 3, 0, 0]
    assert held([[4, 4, 7, 1]], [[2, 1, 0, 1]], "borda", pruned=[[0, 0, 1, 0]]).scores.tolist() == [3, 2, 0, 1]


def test_shares_mend_the_weight_of_a_tree_with_more_simulations():
    visits, wins = [[90, 10]] + 5 * [[4, 6]], np.zeros((6, 2))
    assert held(visits, wins, "visits").winner == 0
    assert held(visits, wins, "shares").winner == 1
    assert held(visits, wins, "shares").scores == pytest.approx([0.9 + 5 * 0.4, 0.1 + 5 * 0.6])


@pytest.mark.parametrize("rule", RULES)
def test_the_last_ties_fall_to_each_move_equally_often_and_within_trees_too(rule):
    rng, election = stream(1, "ties"), Election(2, 3, rule)
    winners = [election.hold([[4, 4, 4], [4, 4, 4]], np.full((2, 3), 2), rng=rng) for _ in range(3000)]
    assert np.bincount(winners) == pytest.approx([1000] * 3, abs=110)      # over 4 sigma
    if rule == "voting":
        assert sorted(election.scores) == [0, 0, 2]


def test_bad_input_is_named():
    for arguments in ("average",), ("visits", "random"):
        with pytest.raises(InputError, match=f"is '{arguments[-1]}'; it must be one of visits"):
            Election(2, 2, *arguments)
    election = Election(2, 2, "voting", "last")
    for tables in (np.zeros((3, 2)),) * 2, (np.zeros((0, 2)),) * 2, (np.zeros(2),) * 2:
        with pytest.raises(InputError, match="visits has the shape"):
            election.hold(*tables)
    with pytest.raises(InputError, match="vote=last needs"):
        election.hold(np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(InputError, match=r"last has the shape \(1,\); it must be \(2,\)"):
        election.hold(np.ones((2, 2)), np.ones((2, 2)), last=[0])
    with pytest.raises(InputError, match="wins has the shape"):
        election.hold(np.ones((2, 2)), np.ones((2, 1)), last=[0, 0])


def outcomes():
    """Winners, scores and margins of some tables under all rules, to the bit."""
    from mctslab.search.margins import READINGS, margin
    rng, luck, facts = np.random.default_rng(5), stream(2, "ties"), []
    for rule in RULES:
        for vote in VOTES:
            for _ in range(6):
                visits, wins = random_table(rng, 6, 5)
                last = rng.integers(0, 5, 6)
                election = held(visits, wins, rule, vote, last=last, rng=luck)
                facts.append([election.winner, [x.hex() for x in election.scores.tolist()],
                              [margin(election, reading) for reading in READINGS]])
    return facts


def test_interpreted_and_compiled_agree_to_the_bit():
    script = "import json, test_votes; print(json.dumps(test_votes.outcomes()))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=Path(__file__).parent, text=True,
                          env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == outcomes()
