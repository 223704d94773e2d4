"""Ensemble Determinization MCTS (Kowalski, Ciezkowski, Krzyzynski and Winands, 2026).

What is hidden from the player is drawn T times from what is possible; each determinization has a UCT tree of its own, and
all trees share the budget of the turn as `allocation` says. The move played is chosen from the root tables of all trees by
one of the rules in `votes`. With `dynamic`, the number of trees changes from turn to turn by the rule in `tree_count`.
"""
import math
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core import InputError, SearchResult, stream
from .allocation import POLICIES, PRUNED, count_locked
from .forest import Settings, grow, new_forest, plant
from .hidden import DeterminizingPlayer, DeterminizingSearcher
from .margins import margin
from .player import DEFAULT_SIMULATIONS
from .tree import enlarged, reserves
from .tree_count import TreeCount
from .votes import RULES, VOTES, Election

MOST = 1000     # trees
MARGINS = 3     # larger margins are of no interest


@dataclass(frozen=True)
class Ensemble(DeterminizingSearcher):
    """Ensemble Determinization MCTS.

    Parameters
    ----------
    trees : int
        Determinizations, each with a tree.
    selection : str
        Rule of the final move; `votes` describes them. ``shares`` is ``visits`` with each tree's own sum as 1.
    vote : str
        What a tree votes for or ranks by, likewise.
    c, reward
        As in `DeterminizingSearcher`.
    untried : str
        Order in which a node's moves are tried for the first time: ``random``, or ``list``, as the game lists them.
    allocation : str
        Policy that shares out the budget; `allocation` describes them.
    allocation_c : float
        Exploration constant of the policies ``difference`` and ``proportion``.
    start : float
        Share of the budget that is split evenly before a policy acts.
    delta : float
        Error allowed to each of Hoeffding's bounds.
    dynamic : bool
        Change the number of trees from turn to turn, from `trees` in a player's first.
    l_up, m_up : int
        One tree more after `l_up` turns in a row in which `m_up` trees or fewer could alter the move.
    l_down, m_down : int
        One tree fewer after `l_down` turns in a row in which no `m_down` trees could alter it by their removal.
    min_trees, max_trees : int
        Bounds of that.
    reading : str
        What may become of a tree's output when the move is altered: ``replace`` or ``swap`` (see `margins`); ``default`` is
        ``replace`` for the selection ``voting`` and ``swap`` for the others.
    simulations, seconds, playout
        As in `TreeSearcher`; for all trees together.
    """

    name: ClassVar[str] = "ensemble"
    limits: ClassVar[dict] = DeterminizingSearcher.limits | {
        "trees": (1, MOST), "allocation_c": (0, 100), "start": (0, 1), "delta": (1e-12, 1),
        "l_up": (1, None), "m_up": (1, None), "l_down": (1, None), "m_down": (0, None), "min_trees": (1, MOST),
        "max_trees": (1, MOST)}
    choices: ClassVar[dict] = DeterminizingSearcher.choices | {
        "selection": RULES, "vote": VOTES, "untried": ("random", "list"), "allocation": POLICIES,
        "reading": ("default", "replace", "swap")}

    trees: int = 10
    selection: str = "visits"
    vote: str = "visits"
    untried: str = "random"
    allocation: str = "uniform"
    allocation_c: float = 0.7071
    start: float = 0.1
    delta: float = 0.05
    dynamic: bool = False
    l_up: int = 2
    m_up: int = 1
    l_down: int = 2
    m_down: int = 2
    min_trees: int = 1
    max_trees: int = 50
    reading: str = "default"

    def __post_init__(self):
        super().__post_init__()
        if self.min_trees > self.max_trees:
            raise InputError(f"option min_trees of ensemble is {self.min_trees}; it must be at most max_trees = "
                             f"{self.max_trees}")
        if self.dynamic and not self.min_trees <= self.trees <= self.max_trees:
            raise InputError(f"option trees of ensemble is {self.trees}; it must be from min_trees = {self.min_trees} to "
                             f"max_trees = {self.max_trees}")

    def player(self, game):
        """An `EnsemblePlayer` of a game with this searcher."""
        return EnsemblePlayer(self, game)

    def width(self):
        """The Hoeffding radius of n visits is sqrt(width / n)."""
        return math.log(1 / self.delta) / 2

    def settings(self, game, budget):
        return Settings(
            c2=np.float32(self.c**2), fpu=np.float32(1e6), policy=self.playout_policy(game),
            shuffle=self.untried == "random", score=self.reward == "score",
            allocation=POLICIES.index(self.allocation), width=self.width(),
            c_trees2=np.float32(self.allocation_c**2), start=self.start, budget=float(budget))


class EnsemblePlayer(DeterminizingPlayer):
    """An ensemble at work on a game."""

    def __init__(self, searcher, game):
        self.most = searcher.max_trees if searcher.dynamic else searcher.trees
        super().__init__(searcher, game)
        self.count = TreeCount(searcher)
        self.forest = new_forest(game, self.most)
        self.election = Election(self.most, game.max_actions(), searcher.selection, searcher.vote)
        self.poll = Election(self.most, game.max_actions(), "voting", searcher.vote)

    def roots(self):
        """The most nodes, edges and rows of the roots."""
        return [self.most, self.most * self.game.max_actions(), 0]

    def new_tree(self):
        tree = super().new_tree()
        for kind, (n, reserve) in enumerate(zip(self.roots(), reserves(self.game), strict=True)):
            tree = enlarged(tree, kind, 256 + n + reserve, reserve)
        return tree

    def bounds(self):
        return [n + more for n, more in zip(self.roots(), super().bounds(), strict=True)]

    def begin(self, state, seed, rng):
        guesses = stream(seed, "determinization")
        if not plant(self.game, state.record, self.forest, self.tree, self.count.trees, guesses, rng,
                     self.searcher.untried == "random"):
            raise InputError(f"{self.game}: search_actions differ between determinizations of a position")
        self.started, self.rng = None, rng

    def advance(self, state, rng, simulations):
        before = self.done()
        grow(self.game, self.forest, self.tree, self.searcher.settings(self.game, self.budget()), simulations)
        self.started = self.started or time.perf_counter()      # after the first call, which compiles
        return self.done() - before

    def budget(self):
        """Simulations of this search; where time is the limit, at the speed so far."""
        seconds, done = self.searcher.seconds, self.done()
        if seconds == 0 or done == 0:
            return min(self.limit, DEFAULT_SIMULATIONS) if seconds else self.limit
        return min(self.limit, done * seconds / (time.perf_counter() - self.started))

    def is_decided(self):
        """Is no tree left that wants simulations?"""
        plan = self.forest.plans[0]
        return self.searcher.allocation == "freeze" and bool((plan["kept"][:int(plan["trees"])] == 1).all())

    def root_tables(self):
        """visits [T, K] and wins [T, K], of the player to move."""
        plan, tree = self.forest.plans[0], self.tree
        shape = int(plan["trees"]), int(plan["actions"])
        return [column[:shape[0] * shape[1]].reshape(shape).astype(np.float64) for column in (tree.visits, tree.wins)]

    def report(self, state, seconds):
        (visits, wins), plan = self.root_tables(), self.forest.plans[0]
        trees, total = len(visits), visits.sum(axis=0)
        pruned, last, costs = self.pruned(), plan["last"][:trees].copy(), self.costs()
        choice = self.election.hold(visits, wins, pruned, last, self.rng)
        self.poll.hold(visits, wins, pruned, last)
        statistics = {"action": self.tree.action[:len(total)].copy(), "visits": total.astype(np.int64),
                      "value": np.divide(wins.sum(axis=0), total, where=total > 0, out=np.full(len(total), np.nan)),
                      "votes": self.poll.scores.astype(np.int64), "score": self.election.scores}
        return SearchResult(action=int(statistics["action"][choice]), simulations=self.done(),
                            playout_plies=self.playout_plies(), seconds=seconds, statistics=statistics,
                            extra=costs | self.shares(pruned, costs["nodes"]) | self.margins())

    def pruned(self):
        """[T, K]: which root moves are out of the race; halving drops them in all trees."""
        plan = self.forest.plans[0]
        trees, actions = int(plan["trees"]), int(plan["actions"])
        pruned = plan["state"][:trees * actions].reshape(trees, actions) == PRUNED
        return np.broadcast_to(pruned[0], pruned.shape) if self.searcher.allocation == "halving" else pruned

    def margins(self):
        """The margins of the turn, at most MARGINS + 1, and what they do to the number of trees."""
        searcher, trees = self.searcher, self.count.trees
        most = max(MARGINS, searcher.m_up, searcher.m_down)
        up = margin(self.election, None if searcher.reading == "default" else searcher.reading, most)
        down = margin(self.election, "remove", most)
        change = self.count.update(up, down) if searcher.dynamic else 0
        return {"margin": up, "margin_removed": down, "trees_next": trees + change}

    def shares(self, pruned, nodes):
        """Where the budget went, and what was saved of it: a simulation makes about one node."""
        trees, plan, done = len(pruned), self.forest.plans[0], self.done()
        split, saved = plan["simulations"][:trees], 0 if self.searcher.seconds > 0 else self.limit - done
        return {"trees": trees, "split": split.tolist(), "tilt": float(np.abs(split / done - 1 / trees).sum() / 2),
                "locked": int(count_locked(plan, self.tree.visits, self.tree.wins, self.searcher.width())),
                "pruned": int(pruned.sum()), "simulations_saved": saved,
                "nodes_saved": round(saved * (nodes - trees) / done)}

    def facts(self, results):
        """Lists with an entry per turn that was searched; means and shares over these turns; sums of what was saved."""
        turns = [r.extra | {"actions": len(r.statistics["action"])} for r in results if r.simulations]
        if not turns:
            return {}
        trees = sum(turn["trees"] for turn in turns)

        def total(name):
            return sum(turn[name] for turn in turns)
        return {name: [turn[name] for turn in turns] for name in ("trees", "actions", "margin", "margin_removed")} | {
            "tilt": round(total("tilt") / len(turns), 4), "locked": round(total("locked") / trees, 4),
            "pruned": round(total("pruned") / sum(turn["trees"] * turn["actions"] for turn in turns), 4),
            "simulations_saved": total("simulations_saved"), "nodes_saved": total("nodes_saved")}
