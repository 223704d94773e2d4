"""Nested Rollout Policy Adaptation (Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011).

A policy has a weight w[c] for each move code c; a playout plays an action m among the legal ones with probability
p(m) = exp(w[code m]) / sum over m' of exp(w[code m']). A search of level 0 is one playout, and::

    nrpa(level, w):
        best = -inf
        repeat `iterations` times:
            score, line = nrpa(level - 1, copy of w)
            if score >= best: best, sequence = score, line
            w = adapt(w, sequence)
        return best, sequence

Adaptation is one step of gradient ascent on the log probability of the sequence. At each of its positions w[code of its
action] gains alpha and w[code m] loses alpha * p(m) for each legal m, all p taken from the policy before the step.

Rosin's listing replaces the sequence also on ties; later programs only by a better one, so the rule is an option. The step
after the last iteration of a level has no effect and is left out. Differences of weights count up to exp(1000) only, where
exp nears the end of its range. exp is called in adaptation alone: its last bit depends on the C library.
"""
import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import jit, new_records, u64, uniform
from .solver import FINISHED, IMPROVED, PLAYOUTS, PLIES, RESULT_LENGTH, RUNNING, SEEN_LENGTH, Solver, copy_line

REPLACE = (">=", ">")
BOUND = 500.0       # exp of -BOUND and BOUND times any number of actions is a normal float64


class Settings(NamedTuple):
    """The options in the form that compiled code takes."""

    level: int
    iterations: int
    alpha: float
    strict: bool        # do only better sequences replace the best?


class Sequences(NamedTuple):
    """One complete sequence per row, with what adaptation must know of the positions on its way."""

    row: np.ndarray         # int64 [level + 1]: the row that holds a level's best sequence; at level 0 the last playout
    length: np.ndarray      # int64 [level + 1]: actions
    actions: np.ndarray     # int32 [level + 1, max_length]
    chosen: np.ndarray      # int32 [level + 1, max_length]: where in `codes` the code of each action stands
    ends: np.ndarray        # int32 [level + 1, max_length]: where in `codes` each position's legal actions end
    codes: np.ndarray       # int32 [level + 1, max_length * max_actions]: of the legal actions, position after position


class Policies(NamedTuple):
    """The policies of levels 1 to `level`; row level + 1 is the uniform policy with which the top level starts."""

    weights: np.ndarray     # float64 [level + 2, num_codes]
    exps: np.ndarray        # float64 [level + 2, num_codes]: exp of the weights
    gradient: np.ndarray    # float64 [num_codes]: of the step in progress, else 0


class Work(NamedTuple):
    """The searches in progress."""

    states: np.ndarray      # [2]: root, playout
    buffer: np.ndarray      # int32 [max_actions]: legal actions
    sums: np.ndarray        # float64 [max_actions]: their cumulative exp weights
    best: np.ndarray        # float64 [level + 1]: score of a level's best sequence
    done: np.ndarray        # int64 [level + 1]: iterations made
    sequences: Sequences
    policies: Policies


@jit
def start_level(work, level):
    """A level begins without a best sequence and with the policy of the level above."""
    policies = work.policies
    work.best[level] = -np.inf
    work.done[level] = 0
    for code in range(policies.weights.shape[1]):
        policies.weights[level, code] = policies.weights[level + 1, code]
        policies.exps[level, code] = policies.exps[level + 1, code]


@jit
def add_gradient(policies, sequences, level):
    """The gradient of the log probability of a level's best sequence under its policy. Returns how many codes it read."""
    row = sequences.row[level]
    codes = sequences.codes[row]
    exps = policies.exps[level]
    gradient = policies.gradient
    start = 0
    for ply in range(sequences.length[row]):
        end = np.int64(sequences.ends[row, ply])
        total = 0.0
        for i in range(start, end):
            total += exps[u64(codes[i])]        # unsigned: numba need not look for negative indices
        share = 1.0 / total
        for i in range(start, end):
            code = u64(codes[i])
            gradient[code] -= share * exps[code]
        gradient[codes[sequences.chosen[row, ply]]] += 1.0
        start = end
    return start


@jit
def adapt(policies, sequences, level, alpha):
    """Move the policy of a level toward its best sequence."""
    codes = sequences.codes[sequences.row[level]]
    for i in range(add_gradient(policies, sequences, level)):
        code = u64(codes[i])
        slope = policies.gradient[code]
        if slope != 0.0:
            policies.gradient[code] = 0.0
            weight = policies.weights[level, code] + alpha * slope
            policies.weights[level, code] = weight
            policies.exps[level, code] = math.exp(max(-BOUND, min(BOUND, weight)))


@jit
def choose(sums, n, rng):
    """The index of a random action, with probabilities in proportion to exp weights given by their cumulative sums."""
    x = uniform(rng) * sums[n - 1]
    i = 0
    while i < n - 1 and sums[i] <= x:
        i += 1
    return i


@jit
def playout(g, work, rng):
    """Level 0: a playout by the policy of level 1. Returns the score."""
    sequences = work.sequences
    row = sequences.row[0]
    codes = sequences.codes[row]
    exps = work.policies.exps[1]
    work.states[1] = work.states[0]
    s = work.states[1]
    ply = 0
    end = 0
    while not g.is_terminal(s):
        n = np.int64(g.search_actions(s, work.buffer))
        total = 0.0
        for i in range(n):
            code = u64(g.code(s, np.int64(work.buffer[i])))
            codes[end + i] = code
            total += exps[code]
            work.sums[i] = total
        i = choose(work.sums, n, rng)
        a = np.int64(work.buffer[i])
        sequences.actions[row, ply] = a
        sequences.chosen[row, ply] = end + i
        end += n
        sequences.ends[row, ply] = end
        ply += 1
        g.play(s, a, rng)
    sequences.length[row] = ply
    return np.float64(g.payoff(s))


@jit
def receive(work, settings, score):
    """Backup: levels take the score of the one below, up to the first with iterations left. False if there is none."""
    row = work.sequences.row
    for level in range(1, settings.level + 1):
        if score > work.best[level] or (score == work.best[level] and not settings.strict):
            work.best[level] = score
            row[level], row[level - 1] = row[level - 1], row[level]
        work.done[level] += 1
        if work.done[level] < settings.iterations:
            adapt(work.policies, work.sequences, level, settings.alpha)
            for lower in range(level - 1, 0, -1):
                start_level(work, lower)
            return True
        score = work.best[level]
    return False


@jit
def read_line(sequences, level, line):
    """Copy the actions of a level's sequence into `line`. Returns their number."""
    row = sequences.row[level]
    copy_line(line, 0, sequences.actions[row], sequences.length[row])
    return sequences.length[row]


@jit
def nrpa(g, work, progress, rng, settings, playouts):
    """Go on with a run until so many playouts are made, one is a new best, or the run is over."""
    for _ in range(playouts):
        score = playout(g, work, rng)
        progress.count[PLAYOUTS] += 1
        progress.count[PLIES] += work.sequences.length[work.sequences.row[0]]
        improved = score > progress.seen[0]
        if improved:
            progress.seen[0] = score
            progress.count[SEEN_LENGTH] = read_line(work.sequences, 0, progress.seen_line)
        if not receive(work, settings, score):
            progress.result[0] = work.best[settings.level]
            progress.count[RESULT_LENGTH] = read_line(work.sequences, settings.level, progress.result_line)
            return FINISHED
        if improved:
            return IMPROVED
    return RUNNING


def new_sequences(game, rows):
    """Room for one sequence per level."""
    length = game.max_length()
    return Sequences(np.arange(rows), np.zeros(rows, np.int64), np.zeros((rows, length), np.int32),
                     np.zeros((rows, length), np.int32), np.zeros((rows, length), np.int32),
                     np.zeros((rows, length * game.max_actions()), np.int32))


def new_policies(game, rows):
    """Uniform policies, the one above the top level included."""
    shape = (rows + 1, game.num_codes())
    return Policies(np.zeros(shape), np.ones(shape), np.zeros(shape[1]))


@dataclass(frozen=True)
class NRPA(Solver):
    """Nested Rollout Policy Adaptation.

    Parameters
    ----------
    level : int
        Nesting level; a run makes iterations**level playouts.
    iterations : int
        Searches of the level below in one search, each followed by a step of adaptation.
    alpha : float
        Size of that step.
    replace : str
        When a sequence replaces the best of its level: ``">="`` also when equal (the paper's), ``">"`` only when better.
    restarts, simulations, seconds
        As in `Solver`.
    """

    name: ClassVar[str] = "nrpa"
    limits: ClassVar[dict] = Solver.limits | {"level": (1, 8), "iterations": (1, 1_000_000), "alpha": (0.0, 100.0)}
    choices: ClassVar[dict] = {"replace": REPLACE}

    level: int = 3
    iterations: int = 100
    alpha: float = 1.0
    replace: str = ">="
    restarts: int = 0
    simulations: int = 0
    seconds: float = 0.0

    def prepare(self, game):
        rows, actions = self.level + 1, game.max_actions()
        return Work(new_records(game, 2), np.zeros(actions, np.int32), np.zeros(actions), np.zeros(rows),
                    np.zeros(rows, np.int64), new_sequences(game, rows), new_policies(game, rows))

    def begin(self, game, root, work):
        work.states[0] = root[0]
        for level in range(self.level, 0, -1):
            start_level(work, level)

    def advance(self, game, work, progress, rng, playouts):
        settings = Settings(self.level, self.iterations, self.alpha, self.replace == ">")
        return nrpa(game, work, progress, rng, settings, playouts)
