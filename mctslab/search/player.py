"""Searches for a move in a game of two players: the budget, the memory, and the report around a kernel of simulations.

A kernel makes a given number of simulations, fewer where its tree has no more room, and returns. So one loop here serves
every such searcher: it reads the clock and enlarges the tree between calls, and neither changes what a seed finds.
"""
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core import InputError, SearchResult, stream
from .memory import check_memory
from .searcher import Searcher
from .tree import (DEEPEST, DEPTHS, MAX_SIMULATIONS, NODES, PLIES, ROOT, SIMULATIONS, TERMINALS, capacity, enlarged,
                   item_size, new_tree, reserves, reset)
from .tree_table import SearchedTree, code_statistics

HORIZON = 0.25                  # seconds that one call of a kernel may take, so that an interrupt is heard
DEFAULT_SIMULATIONS = 1000      # where no budget is given
SMALL = 2**26                   # bytes that a search takes without a look at what is free


@dataclass(frozen=True)
class TreeSearcher(Searcher):
    """Base of the searchers for two players.

    A subclass has options and ``advance(game, root, work, rng, simulations)`` that runs its kernel on the arrays of a
    `Player`.

    Parameters
    ----------
    simulations : int
        Simulations for each move; 0 for no limit. The same seed gives the same result.
    seconds : float
        Time for each move; 0 for no limit. Without either limit a move has 1000 simulations.
    playout : str
        Playout policy of the game; empty for its default.
    """

    limits: ClassVar[dict] = {"simulations": (0, MAX_SIMULATIONS), "seconds": (0, 1e9)}
    amaf: ClassVar[bool] = False        # does it keep AMAF statistics?
    apart: ClassVar[bool] = False       # and permutation statistics in rows of their own?
    needs_all: ClassVar[bool] = True    # does it search the true position, in which nothing may be hidden?
    transpositions = False              # an option of subclasses; not annotated, so that it comes after those here

    simulations: int = 0
    seconds: float = 0.0
    playout: str = ""

    def check_game(self, game):
        """Refuse a game that this searcher cannot play, or in which it would see what is hidden from the player."""
        super().check_game(game)
        if self.needs_all and game.hidden:
            raise InputError(f"{self.name} would see what {game.name} hides from the players; allowed: ensemble, solmcts, "
                             "ismcts, and as an upper bound cheat")

    def player(self, game):
        """A `Player` of a game with this searcher.

        Raises
        ------
        InputError
            If the searcher cannot play the game, or its simulations may need more memory than is free.
        """
        return Player(self, game)

    def search(self, state, seed=0):
        """Search for the move to play in a state, which is not changed.

        A `Player` is made for this one search and may be thrown away: threads can share a searcher. Where many moves are
        searched for, make a player and keep it.

        Parameters
        ----------
        state : State
            A position of a game of two players.
        seed : int
            Seed of the playouts.

        Returns
        -------
        SearchResult

        Raises
        ------
        InputError
            As in `player`.
        """
        return self.player(state.game).search(state, seed)

    def growth(self, game):
        """Nodes, edges and rows for each simulation, at most and on average."""
        return 1, game.max_actions(), int(self.amaf)

    def prepare(self, game):
        """More arrays of the kernel, the player's `more`."""

    def begin(self, work):
        """Make `work.more` ready for a search."""

    def choose(self, visits, value):
        """Index of the action to play: the most simulated one, of equals the better, of those the first."""
        return np.lexsort((-value, -visits))[0]

    def more_columns(self, work, edges, player):
        """More statistics on the root's edges, for the player to move."""
        return {}

    def tree_columns(self, work, parents, edges, players):
        """More statistics on edges of any nodes, the parents, for the players who move there."""
        tree = work.tree
        return code_statistics("amaf", tree.amaf, tree.nodes["row"][parents], tree.code[edges], players) if self.amaf else {}


class Player:
    """A searcher at work on a game: it keeps its tree's memory from move to move, and nothing else.

    Not to be shared between threads.

    Attributes
    ----------
    tree : Tree
        The last search's.
    """

    def __init__(self, searcher, game):
        searcher.check_game(game)
        searcher.playout_policy(game)
        self.searcher, self.game = searcher, game
        self.tree = self.new_tree()
        self.searches = 0       # begun so far
        self.more = searcher.prepare(game)
        timed = searcher.seconds > 0
        self.limit = searcher.simulations or (MAX_SIMULATIONS if timed else DEFAULT_SIMULATIONS)
        if not timed:
            check_memory(f"{searcher} on {game}", self.need(self.bounds()))

    def new_tree(self):
        return new_tree(self.game, self.searcher.transpositions, self.searcher.amaf, self.searcher.apart)

    def bounds(self):
        """The most nodes, edges and rows that the simulations allowed can make, and the reserve of one more."""
        growth, reserve = self.searcher.growth(self.game), reserves(self.game)
        return [256 + self.limit * n + more for n, more in zip(growth, reserve, strict=True)]

    def need(self, sizes):
        """Bytes of a tree of these sizes."""
        return sum(n * item_size(self.tree, kind) for kind, n in enumerate(sizes))

    def search(self, state, seed=0):
        """As `TreeSearcher.search`, on the memory that this player has."""
        if state.game != self.game:
            raise InputError(f"this player plays {self.game}, not {state.game}")
        if state.is_terminal():
            return SearchResult(-1)
        only = self.forced_action(state)
        if only >= 0:
            return SearchResult(only, statistics={"action": np.array([only]), "visits": np.zeros(1, np.int64)})
        rng = stream(seed, "playout")
        self.searches += 1
        self.begin(state, seed, rng)
        self.advance(state, rng, 0)         # compiles before the clock starts
        start, seconds, chunk = time.perf_counter(), self.searcher.seconds, 16
        while True:
            done = self.advance(state, rng, min(chunk, self.limit - self.done()))
            spent = time.perf_counter() - start
            if self.done() >= self.limit or (seconds > 0 and spent >= seconds) or self.is_decided():
                return self.report(state, spent)
            left = min(seconds - spent, HORIZON) if seconds > 0 else HORIZON
            if done < chunk:
                self.make_room()
            chunk = max(1, min(2 * chunk, int(left / 2 * self.done() / max(spent, 1e-9))))

    def forced_action(self, state):
        """The action to play without a search, or -1."""
        return -1

    def begin(self, state, seed, rng):
        """Make the memory ready for a search."""
        reset(self.tree)
        self.searcher.begin(self)

    def is_decided(self):
        """Would more simulations be useless?"""
        return self.tree.nodes["winner"][ROOT] != 0

    def done(self):
        return int(self.tree.paths["counts"][0, SIMULATIONS])

    def advance(self, state, rng, simulations):
        before = self.done()
        self.searcher.advance(self.game, state.record, self, rng, simulations)
        return self.done() - before

    def make_room(self):
        """Double what is too small for one more simulation, but never beyond what the simulations allowed can use."""
        for kind, (bound, reserve) in enumerate(zip(self.bounds(), reserves(self.game), strict=True)):
            need, size = int(self.tree.paths["used"][0, kind]) + reserve, capacity(self.tree, kind)
            if need > size:
                new = min(bound, 2 * need)
                if (new - size) * item_size(self.tree, kind) > SMALL:
                    check_memory(f"{self.searcher} on {self.game}, after {self.done()} simulations,",
                                 new * item_size(self.tree, kind))
                self.tree = enlarged(self.tree, kind, new, reserve)

    def read_edges(self, node):
        """(edges, visits, values, index of the one to play) of a node that has edges, for the player who moves there."""
        tree, first = self.tree, int(self.tree.nodes[node]["first"])
        edges = slice(first, first + int(tree.nodes[node]["degree"]))
        visits, wins = tree.visits[edges].astype(np.int64), tree.wins[edges]
        value = np.clip(wins / np.where(visits > 0, visits, np.nan), 0, 1)      # of a proof, infinity becomes 1 or 0
        best = wins == wins.max() if np.isinf(wins.max()) else wins > -np.inf       # a proof comes before all counts
        return edges, visits, value, self.searcher.choose(np.where(best, visits, -1), np.nan_to_num(value))

    def report(self, state, seconds):
        edges, visits, value, choice = self.read_edges(ROOT)
        table = {"action": self.tree.action[edges].copy(), "visits": visits, "value": value}
        return SearchResult(
            action=int(table["action"][choice]), simulations=self.done(), playout_plies=self.playout_plies(),
            seconds=seconds, end="solved" if self.tree.nodes[ROOT]["winner"] != 0 else "done",
            statistics=table | self.searcher.more_columns(self, edges, state.current_player()), extra=self.costs(),
            searched=SearchedTree(self, state))

    def facts(self, results):
        """What a row says of this player's searches in a game beside their costs, a dict."""
        return {}

    def playout_plies(self):
        return int(self.tree.paths["counts"][0, PLIES])

    def costs(self):
        """What the search reports of its descents, its playouts and its size."""
        counts, done = self.tree.paths["counts"][0], self.done()
        return {"depth_mean": int(counts[DEPTHS]) / done, "depth_max": int(counts[DEEPEST]),
                "terminal_share": int(counts[TERMINALS]) / done, "playout_length_mean": int(counts[PLIES]) / done,
                "nodes": int(self.tree.paths["used"][0, NODES])}
