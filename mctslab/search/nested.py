"""Nested Monte-Carlo Search (Cazenave, IJCAI 2009, section 2).

A search of level 0 is one playout. A search of level L plays one game; before each of its moves it tries every legal action,
continues each with a search of level L-1, keeps the best complete sequence seen since this call began (its memory), and
plays the next action of that sequence::

    nested(position, level):
        best = -inf
        while position is not terminal:
            for action in legal actions:
                score = nested(play(position, action), level - 1)      # a playout at level 1
                if score > best: best, sequence = score, moves played + action + its continuation
            position = play(position, next action of sequence)

The paper's listing replaces the memory only when a score is strictly better; Cazenave's later programs also replace on ties,
which changes the law of the scores, so the rule is an option. Without memory, each move forgets what came before it. The
recursion is unrolled into one array per quantity with a row per level, so a search can stop after any playout and go on.
"""
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import below, jit, new_records
from .solver import (FINISHED, IMPROVED, PLAYOUTS, PLIES, RESULT_LENGTH, RUNNING, SEEN_LENGTH, Solver, copy_line)

REPLACE = (">", ">=", "random")
ORDER = ("game", "reversed", "shuffled")


class Settings(NamedTuple):
    """The options in the form that compiled code takes."""

    level: int
    memory: bool
    replace: int        # index in REPLACE
    order: int          # index in ORDER
    tries: int
    policy: int


class Work(NamedTuple):
    """The searches in progress: row l is the one of level l, row 0 the playout."""

    states: np.ndarray      # [level + 1]: its position
    actions: np.ndarray     # int32 [level + 1, max_actions]: legal there
    counts: np.ndarray      # int64 [level + 1, 4]: columns below
    best: np.ndarray        # float64 [level + 1]: score of its memory
    lines: np.ndarray       # int32 [level + 1, max_length]: its moves so far, then the rest of its memory
    lengths: np.ndarray     # int64 [level + 1]: length of its line
    current: np.ndarray     # int64 [1]: the level at work


LEGAL, TRIED, PLY, TIES = range(4)      # legal actions, tries made (-1 before a move's first), moves played, equal bests met


@jit
def start_level(work, level):
    work.best[level] = -np.inf
    work.lengths[level] = 0
    work.counts[level, TRIED] = -1
    work.counts[level, PLY] = 0
    work.counts[level, TIES] = 0


@jit
def start_move(g, work, rng, settings, level):
    """List the actions to try before the next move of a level."""
    buffer = work.actions[level]
    n = np.int64(g.search_actions(work.states[level], buffer))
    if settings.order == 1:
        for i in range(n // 2):
            buffer[i], buffer[n - 1 - i] = buffer[n - 1 - i], buffer[i]
    elif settings.order == 2:
        for i in range(n - 1, 0, -1):
            j = below(rng, i + 1)
            buffer[i], buffer[j] = buffer[j], buffer[i]
    work.counts[level, LEGAL] = n
    work.counts[level, TRIED] = 0
    work.counts[level, TIES] = 1
    if not settings.memory:
        work.best[level] = -np.inf


@jit
def better(work, rng, settings, level, score):
    """Does a sequence of this score replace the memory? Keeps the count of equal ones, for random ties."""
    if score > work.best[level]:
        work.counts[level, TIES] = 1
        return True
    if score < work.best[level]:
        return False
    if settings.replace == 2:
        work.counts[level, TIES] += 1
        return below(rng, work.counts[level, TIES]) == 0
    return settings.replace == 1


@jit
def receive(work, rng, settings, level, score):
    """Backup: the search below `level` has ended with a score; its line is the row below."""
    ply = work.counts[level, PLY]
    tried = work.counts[level, TRIED]
    work.counts[level, TRIED] = tried + 1
    if better(work, rng, settings, level, score):
        work.best[level] = score
        work.lines[level, ply] = work.actions[level, tried % work.counts[level, LEGAL]]
        copy_line(work.lines[level], ply + 1, work.lines[level - 1], work.lengths[level - 1])
        work.lengths[level] = ply + 1 + work.lengths[level - 1]


@jit
def keep_seen(work, progress, settings, score):
    """The last playout is the best so far: its actions are each level's moves and its current try, then the playout."""
    n = 0
    for level in range(settings.level, 0, -1):
        ply = work.counts[level, PLY]
        copy_line(progress.seen_line, n, work.lines[level], ply)
        n += ply
        progress.seen_line[n] = work.actions[level, work.counts[level, TRIED] % work.counts[level, LEGAL]]
        n += 1
    copy_line(progress.seen_line, n, work.lines[0], work.lengths[0])
    progress.count[SEEN_LENGTH] = n + work.lengths[0]
    progress.seen[0] = score


@jit
def playout(g, work, progress, rng, settings):
    """Level 0, from its position in states[0]. Returns the score."""
    s = work.states[0]
    n = np.int64(g.playout_as(settings.policy, s, rng, work.lines[0], 0, work.actions[0]))
    work.lengths[0] = n
    progress.count[PLAYOUTS] += 1
    progress.count[PLIES] += n
    return np.float64(g.payoff(s))


@jit
def finish(work, progress, level, score):
    """End a run: the line of the top level is its result."""
    progress.result[0] = score
    progress.count[RESULT_LENGTH] = work.lengths[level]
    copy_line(progress.result_line, 0, work.lines[level], work.lengths[level])
    return FINISHED


@jit
def nested(g, work, progress, rng, settings, playouts):
    """Go on with a run until so many playouts are made, one is a new best, or the run is over."""
    limit = progress.count[PLAYOUTS] + playouts
    if settings.level == 0:
        score = playout(g, work, progress, rng, settings)
        if score > progress.seen[0]:
            keep_seen(work, progress, settings, score)
        return finish(work, progress, 0, score)
    level = work.current[0]
    while True:
        s = work.states[level]
        if g.is_terminal(s):
            score = np.float64(g.payoff(s))
            if level == settings.level:
                return finish(work, progress, level, score)
            level += 1
            receive(work, rng, settings, level, score)
            continue
        if work.counts[level, TRIED] < 0:
            start_move(g, work, rng, settings, level)
        tried = work.counts[level, TRIED]
        legal = work.counts[level, LEGAL]
        if tried < legal * settings.tries:
            work.states[level - 1] = work.states[level]
            g.play(work.states[level - 1], np.int64(work.actions[level, tried % legal]), rng)
            if level > 1:
                level -= 1
                start_level(work, level)
                continue
            score = playout(g, work, progress, rng, settings)
            improved = score > progress.seen[0]
            if improved:
                keep_seen(work, progress, settings, score)
            receive(work, rng, settings, level, score)
            if improved or progress.count[PLAYOUTS] >= limit:
                work.current[0] = level
                return IMPROVED if improved else RUNNING
        else:
            ply = work.counts[level, PLY]
            g.play(s, np.int64(work.lines[level, ply]), rng)
            work.counts[level, PLY] = ply + 1
            work.counts[level, TRIED] = -1


@dataclass(frozen=True)
class Nested(Solver):
    """Nested Monte-Carlo Search.

    Parameters
    ----------
    level : int
        Nesting level; 0 is one playout.
    memory : bool
        Keep the best sequence of a call from move to move (the paper's), or forget it before each move.
    replace : str
        When a sequence replaces the memory: ``">"`` strictly better (the paper's), ``">="`` also when equal, ``"random"``
        one of the equal ones with equal chances.
    order : str
        Order in which actions are tried: ``"game"`` as the game lists them, ``"reversed"``, or ``"shuffled"`` anew before
        each move.
    tries : int
        Lower searches per action and move. 1 is the paper's; more, without memory, gives reflexive search.
    playout : str
        Playout policy of the game; empty for its default.
    restarts, simulations, seconds
        As in `Solver`.
    """

    name: ClassVar[str] = "nested"
    limits: ClassVar[dict] = Solver.limits | {"level": (0, 8), "tries": (1, 10_000)}
    choices: ClassVar[dict] = {"replace": REPLACE, "order": ORDER}

    level: int = 1
    memory: bool = True
    replace: str = ">"
    order: str = "game"
    tries: int = 1
    playout: str = ""
    restarts: int = 0
    simulations: int = 0
    seconds: float = 0.0

    def keeps_best(self):
        return self.memory

    def prepare(self, game):
        rows, length = self.level + 1, game.max_length()
        return Work(new_records(game, rows), np.zeros((rows, game.max_actions()), np.int32), np.zeros((rows, 4), np.int64),
                    np.zeros(rows), np.zeros((rows, length), np.int32), np.zeros(rows, np.int64), np.zeros(1, np.int64))

    def begin(self, game, root, work):
        work.states[self.level] = root[0]
        work.current[0] = self.level
        start_level(work, self.level)

    def advance(self, game, work, progress, rng, playouts):
        settings = Settings(self.level, self.memory, REPLACE.index(self.replace), ORDER.index(self.order), self.tries,
                            self.playout_policy(game))
        return nested(game, work, progress, rng, settings, playouts)
