"""Nested rollout policy adaptation: the step by hand, the law of the playouts, and a plain recursive reference."""
import hashlib
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import binom, chisquare

from mctslab import NRPA, InputError, LeftMove, game, make_searcher
from mctslab.core import stream, uniform
from mctslab.search import solver
from mctslab.search.nrpa import adapt, new_policies, new_sequences, playout
from mctslab.search.solver import FINISHED, IMPROVED, new_progress


@game
class Tour(NamedTuple):
    """Visit all cities once from city 0; each road has a worth. An action is a city, a code a road."""

    cities: int = 7

    players = 1

    def dtype(g):
        return np.dtype([("here", "i4"), ("ply", "i4"), ("worth", "i4"), ("seen", "i4", (g.cities,))], align=True)

    def max_actions(g):
        return g.cities - 1

    def max_length(g):
        return g.cities - 1

    def num_codes(g):
        return g.cities * g.cities

    def start(g, s, rng):
        s.here = 0
        s.ply = 0
        s.worth = 0
        s.seen[:] = 0
        s.seen[0] = 1

    def legal_actions(g, s, buf):
        n = 0
        for city in range(g.cities):
            if not s.seen[city]:
                buf[n] = city
                n += 1
        return n

    def play(g, s, a, rng):
        s.worth += (7 * s.here * s.here + 5 * a * s.here + 3 * a) % 11
        s.here = a
        s.seen[a] = 1
        s.ply += 1

    def is_terminal(g, s):
        return s.ply == g.cities - 1

    def payoff(g, s):
        return np.float64(s.worth)

    def code(g, s, a):
        return s.here * g.cities + a


def choices(state):
    """(action, code) of each legal action."""
    return [(a, int(state.game.code(state.position, a))) for a in state.legal_actions()]


def reference(options, root, level, policy, rng):
    """Rosin's listing. Returns score and sequence."""
    if level == 0:
        state, sequence = root.clone(), []
        while not state.is_terminal():
            actions = choices(state)
            sums = np.cumsum([math.exp(policy[code]) for _, code in actions])
            x = uniform(rng) * sums[-1]
            sequence.append(actions[int(np.argmax(sums > x))][0])
            state.apply_action(sequence[-1])
        return state.returns()[0], sequence
    best, sequence = -math.inf, []
    for _ in range(options.iterations):
        score, line = reference(options, root, level - 1, policy.copy(), rng)
        if score > best or (score == best and options.replace == ">="):
            best, sequence = score, line
        policy = reference_step(options.alpha, root, policy, sequence)
    return best, sequence


def reference_step(alpha, root, policy, sequence):
    state, adapted = root.clone(), policy.copy()
    for action in sequence:
        z = sum(math.exp(policy[code]) for _, code in choices(state))
        for other, code in choices(state):
            adapted[code] += alpha * (other == action) - alpha * math.exp(policy[code]) / z
        state.apply_action(action)
    return adapted


def fingerprint():
    """What a search of each of two games found and learnt, to the last bit."""
    out = []
    for rules, options in ((LeftMove(depth=8), NRPA(level=2, iterations=9)), (Tour(), NRPA(iterations=4, alpha=0.7))):
        work, progress, rng = options.prepare(rules), new_progress(rules), stream(5, "playout")
        options.begin(rules, rules.new_initial_state().record, work)
        while options.advance(rules, work, progress, rng, 100) != FINISHED:
            pass
        learnt = hashlib.sha256(work.policies.weights.tobytes() + work.policies.exps.tobytes()).hexdigest()
        out.append((float(progress.result[0]), progress.result_line.tolist(), progress.count.tolist(), learnt))
    return str(out)


def test_a_step_takes_all_probabilities_from_the_old_policy():
    rules = Tour(cities=4)
    policies, sequences = new_policies(rules, 2), new_sequences(rules, 2)
    policies.exps[1, :4] = 1, 2, 1, 3
    policies.weights[1] = np.log(policies.exps[1])
    sequences.length[1] = 2
    sequences.codes[1, :5] = 0, 1, 2, 0, 3          # probabilities 1/4, 1/2, 1/4; then 1/4, 3/4
    sequences.ends[1, :2] = 3, 5
    sequences.chosen[1, :2] = 1, 3                  # codes 1 and 0
    adapt(policies, sequences, 1, 0.5)
    steps = [-1 / 4 + 3 / 4, 1 / 2, -1 / 4, -3 / 4]
    assert policies.weights[1, :4] == pytest.approx(np.log([1, 2, 1, 3]) + 0.5 * np.array(steps), abs=1e-15)
    assert policies.exps[1] == pytest.approx(np.exp(policies.weights[1]), rel=1e-15)
    assert not policies.gradient.any() and not policies.weights[[0, 2]].any()


def test_playouts_follow_the_softmax_of_the_weights():
    rules, options = LeftMove(depth=3), NRPA(level=1)
    work, rng = options.prepare(rules), stream(1, "playout")
    options.begin(rules, rules.new_initial_state().record, work)
    work.policies.exps[1] = [1, 3, 2, 2, 5, 1]
    games = 6000
    counts = Counter()
    for _ in range(games):
        playout(rules, work, rng)
        counts[tuple(work.sequences.actions[0].tolist())] += 1
    expected = {line: math.prod(p[a] for p, a in zip(((1 / 4, 3 / 4), (1 / 2, 1 / 2), (5 / 6, 1 / 6)), line))
                for line in product((0, 1), repeat=3)}
    assert chisquare([counts[line] for line in expected], [games * p for p in expected.values()]).pvalue > 0.01


def test_without_steps_level_1_is_the_best_of_its_playouts():
    state, options, runs = LeftMove(depth=6).new_initial_state(), NRPA(level=1, iterations=4, alpha=0.0), 1500
    results = [options.search(state, seed) for seed in range(runs)]
    assert {r.simulations for r in results} == {4}
    counts = Counter(int(r.score) for r in results)
    law = np.diff(binom.cdf(range(-1, 7), 6, 0.5) ** 4)
    pooled = [counts[0] + counts[1] + counts[2] + counts[3], counts[4], counts[5], counts[6]]
    assert chisquare(pooled, runs * np.array([law[:4].sum(), *law[4:]])).pvalue > 0.01


@pytest.mark.parametrize("replace", [">=", ">"])
@pytest.mark.parametrize("level, iterations, alpha", [(1, 30, 1.0), (2, 8, 1.0), (3, 4, 0.5)])
@pytest.mark.parametrize("rules", [LeftMove(depth=8), Tour()], ids=str)
def test_a_recursive_reference_finds_the_same_sequence(rules, level, iterations, alpha, replace):
    options = NRPA(level=level, iterations=iterations, alpha=alpha, replace=replace, restarts=2)
    state, rng = rules.new_initial_state(), stream(4, "playout")
    result = options.search(state, seed=4)
    runs = [reference(options, state, level, defaultdict(float), rng) for _ in range(2)]
    assert (result.score, result.actions) == max(runs, key=lambda run: run[0])


def test_the_optimum_of_left_move_is_found():
    assert NRPA(level=2, iterations=25).search(LeftMove(depth=20).new_initial_state(), seed=1).score == 20


@pytest.mark.parametrize("replace", [">=", ">"])
def test_the_result_is_the_best_playout_and_replays_to_its_score(replace):
    for seed in range(5):
        state = Tour(cities=9).new_initial_state()
        result = NRPA(level=2, iterations=7, replace=replace).search(state, seed)
        for action in result.actions:
            state.apply_action(action)
        assert state.returns()[0] == result.score == result.extra["best_seen"]
        assert result.simulations == 7 ** 2 and result.end == "done"


@pytest.mark.parametrize("budget", [1, 99, 1000, 1001, 2345])
def test_the_budget_of_playouts_is_kept_exactly(budget):
    result = NRPA(level=3, iterations=10, simulations=budget).search(Tour().new_initial_state())
    assert result.simulations == budget and result.playout_plies == 6 * budget
    assert result.extra["runs"] == budget // 1000 and result.end == ("done" if budget >= 1000 else "cut off")


def test_the_result_depends_on_the_seed_and_not_on_how_the_kernel_is_called(monkeypatch):
    state, options = LeftMove(depth=30).new_initial_state(), NRPA(level=2, iterations=12, simulations=300)

    def found(seed):
        result = options.search(state, seed)
        return result.score, result.actions, [(n, score) for n, _, score in result.improvements]
    expected = found(3)
    assert found(3) == expected != found(4)
    monkeypatch.setattr(solver._Run, "set_chunk", lambda run: setattr(run, "chunk", 1))
    assert found(3) == expected


def test_a_new_best_stops_the_kernel():
    rules, options = Tour(), NRPA(level=2, iterations=20)
    work, progress, rng = options.prepare(rules), new_progress(rules), stream(1, "playout")
    options.begin(rules, rules.new_initial_state().record, work)
    assert options.advance(rules, work, progress, rng, 50) == IMPROVED and progress.count[0] == 1


def test_exps_stay_within_the_range_of_floats():
    rules = LeftMove(depth=20)
    policies, sequences = new_policies(rules, 2), new_sequences(rules, 2)
    sequences.length[1] = 20
    sequences.codes[1] = [0, 1] * 20        # one pair of codes at every position
    sequences.ends[1] = 2 * np.arange(1, 21)
    sequences.chosen[1] = 2 * np.arange(20)
    adapt(policies, sequences, 1, 100.0)
    assert policies.weights[1, :2].tolist() == [1000, -1000]
    assert policies.exps[1, :2].tolist() == [math.exp(500), math.exp(-500)]


def test_interpreted_and_compiled_learn_the_same_to_the_last_bit():
    run = subprocess.run([sys.executable, "-c", "import test_nrpa; print(test_nrpa.fingerprint())"], capture_output=True,
                         text=True, cwd=Path(__file__).parent, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, check=True)
    assert run.stdout.strip() == fingerprint()


def test_options_are_checked():
    assert str(make_searcher("nrpa(level=2, replace=>)")) == "nrpa(level=2, replace=>)"
    with pytest.raises(InputError, match="replace of nrpa is '='; allowed: >=, >"):
        NRPA(replace="=")
    with pytest.raises(InputError, match="level of nrpa is 0"):
        NRPA(level=0)
