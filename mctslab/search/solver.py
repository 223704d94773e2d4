"""Searches of one player: the budget, restarts and the log of improvements around a kernel that can stop and go on.

A kernel keeps all its state in arrays, makes a given number of playouts, and returns. So one loop here serves every such
searcher: it reads the clock between calls (never in compiled code), and a search can be stopped at any time with the best
sequence so far.
"""
import time
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core import SearchResult, jit, stream
from .searcher import Searcher

RUNNING, IMPROVED, FINISHED = 0, 1, 2       # what a kernel returns: go on; a new best was seen; the run is over
HORIZON = 0.25                              # seconds that one call of a kernel may take, so that an interrupt is heard


class Progress(NamedTuple):
    """What a kernel reports. `seen` is the best of all playouts, `result` what the last finished run chose."""

    count: np.ndarray           # int64 [4]: playouts, plies played in them, length of seen_line, length of result_line
    seen: np.ndarray            # float64 [1]: best score seen
    seen_line: np.ndarray       # int32 [max_length]: its actions, from the root
    result: np.ndarray          # float64 [1]
    result_line: np.ndarray     # int32 [max_length]


PLAYOUTS, PLIES, SEEN_LENGTH, RESULT_LENGTH = range(4)


def new_progress(game):
    """An empty report."""
    length = game.max_length()
    return Progress(np.zeros(4, np.int64), np.full(1, -np.inf), np.zeros(length, np.int32), np.full(1, -np.inf),
                    np.zeros(length, np.int32))


@jit
def copy_line(target, at, source, n):
    """target[at:at + n] = source[:n]; a slice assignment would compile string formatting for its error message."""
    for i in range(n):
        target[at + i] = source[i]


@jit
def finish_with_seen(progress):
    """End a run whose result is the best that it has seen."""
    progress.result[0] = progress.seen[0]
    progress.count[RESULT_LENGTH] = progress.count[SEEN_LENGTH]
    copy_line(progress.result_line, 0, progress.seen_line, progress.count[SEEN_LENGTH])


def how_it_ended(score, target, end):
    """The `SearchResult.end` of a search: with a target, what is not cut off is solved or unsolved."""
    if not np.isfinite(target):
        return end
    return "solved" if score >= target else "unsolved" if end == "done" else end


@dataclass(frozen=True)
class Solver(Searcher):
    """Base of the searchers for one player.

    A subclass has options, ``prepare(game)`` that makes the kernel's arrays, ``begin(game, root, work)`` that starts a run
    and ``advance(game, work, progress, rng, playouts)`` that goes on with it.

    Parameters
    ----------
    restarts : int
        Runs to make, one after the other; the best result counts. 0 means one run, or as many as the budget allows where
        `simulations` or `seconds` is given.
    simulations : int
        Playouts to make; 0 for no limit. The same seed gives the same result.
    seconds : float
        Time to use; 0 for no limit. The best result so far is returned.
    """

    players: ClassVar[int] = 1
    cuts_runs: ClassVar[bool] = True        # can the budget end within a run?
    limits: ClassVar[dict] = {"restarts": (0, 2**62), "simulations": (0, 2**62), "seconds": (0, 1e9)}

    def search(self, state, seed=0):
        """Search from a state.

        Parameters
        ----------
        state : State
            A position of a game of one player; it is not changed.
        seed : int
            Seed of the playouts.

        Returns
        -------
        SearchResult

        Raises
        ------
        InputError
            If the game has two players, or lacks what this searcher needs.
        """
        self.check_game(state.game)
        if state.is_terminal():
            score, target = state.returns()[0], state.game.target()
            return SearchResult(-1, [], score, end=how_it_ended(score, target, "done"))
        return _Run(self, state, seed).search()

    def allowed_runs(self):
        """Calls of `begin` that the options allow."""
        return self.restarts or (np.inf if self.simulations or self.seconds else 1)

    def keeps_best(self):
        """Is the result of a run the best of all that it has seen?"""
        return True


class _Run:
    """One call of `Solver.search`."""

    def __init__(self, solver, state, seed):
        self.solver, self.game, self.root = solver, state.game, state.record
        self.rng = stream(seed, "playout")
        self.progress = new_progress(self.game)
        self.work = solver.prepare(self.game)
        self.best, self.line = -np.inf, []
        self.improvements, self.runs = [], 0
        self.limit = solver.simulations or np.iinfo(np.int64).max
        self.target = self.game.target()

    def search(self):
        solver, progress, allowed = self.solver, self.progress, self.solver.allowed_runs()
        self.start, self.chunk = time.perf_counter(), 16
        while self.runs < allowed and (progress.count[PLAYOUTS] == 0 or not self.over()):       # never without a result
            solver.begin(self.game, self.root, self.work)
            if self.finish_run():
                self.runs += 1
                if progress.result[0] > self.best:
                    self.keep(progress.result, progress.result_line, RESULT_LENGTH)
        if self.anytime():
            self.keep(progress.seen, progress.seen_line, SEEN_LENGTH)
        return self.report(self.runs < allowed)

    def finish_run(self):
        """Go on to the end of a run; False where the budget or the solution came first."""
        status = RUNNING
        while status != FINISHED:
            left = self.limit - self.progress.count[PLAYOUTS]
            status = self.solver.advance(self.game, self.work, self.progress, self.rng, min(self.chunk, left))
            if len(self.improvements) == 0 or self.progress.seen[0] > self.improvements[-1][2]:
                self.improvements.append((int(self.progress.count[PLAYOUTS]), time.perf_counter() - self.start,
                                          float(self.progress.seen[0])))
            if status != FINISHED and self.over():
                return False
            self.set_chunk()
        return True

    def anytime(self):
        """Does the best playout count, though no finished run chose it? Where it solves, or a search that keeps its best
        was cut off, or nothing else is there."""
        seen = self.progress.seen[0]
        return seen > self.best and (seen >= self.target or self.runs == 0 or self.solver.keeps_best())

    def keep(self, score, line, length):
        self.best = float(score[0])
        self.line = line[:self.progress.count[length]].tolist()

    def over(self):
        count = self.progress.count[PLAYOUTS]
        late = self.solver.seconds > 0 and time.perf_counter() - self.start >= self.solver.seconds
        return count >= self.limit or self.progress.seen[0] >= self.target or late

    def set_chunk(self):
        """Playouts for the next call: at most twice the last, and about half of the time left."""
        spent = time.perf_counter() - self.start
        left = min(self.solver.seconds - spent, HORIZON) if self.solver.seconds > 0 else HORIZON
        rate = self.progress.count[PLAYOUTS] / max(spent, 1e-9)
        self.chunk = max(1, min(2 * self.chunk, int(left / 2 * rate)))

    def report(self, stopped):
        count = self.progress.count
        # Without a target, a search that restarts has done its work whenever it ends, if it finished one run.
        cut = stopped if np.isfinite(self.target) else self.runs == 0 and self.solver.cuts_runs
        end = how_it_ended(self.best, self.target, "cut off" if cut else "done")
        return SearchResult(
            action=self.line[0], actions=self.line, score=self.best, simulations=int(count[PLAYOUTS]),
            playout_plies=int(count[PLIES]), seconds=time.perf_counter() - self.start, end=end,
            improvements=self.improvements, extra={"runs": self.runs, "best_seen": float(self.progress.seen[0])})
