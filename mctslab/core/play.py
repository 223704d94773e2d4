"""Games and searches as Python code sees them: `State`, `SearchResult` and the small kernels below them."""
import functools
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numba import config

from .cache import jit
from .errors import InputError, one_of
from .rng import stream

RENDERERS = {}      # game class -> (state to text, state to SVG); mctslab.draw fills it, to keep rules and drawing apart


def new_records(game, n=1):
    """An array of n states of a game, all zero. Interpreted code reads fields as attributes only of a recarray."""
    records = np.zeros(n, game.dtype())
    return records.view(np.recarray) if config.DISABLE_JIT else records


@jit
def start_state(g, root, rng):
    g.start(root[0], rng)


@jit
def play_action(g, root, action, rng):
    g.play(root[0], action, rng)


@jit
def read_status(g, root):
    """(is terminal, player to move, payoff if terminal)"""
    s = root[0]
    over = g.is_terminal(s)
    return over, np.int64(g.current_player(s)), np.float64(g.payoff(s)) if over else 0.0


@jit
def read_capped(g, root):
    return bool(g.is_capped(root[0]))


@jit
def list_actions(g, root, buffer):
    return np.int64(g.legal_actions(root[0], buffer))


@jit
def determinize_state(g, root, player, rng):
    g.determinize(root[0], player, rng)


class State:
    """A position of a game, with the random stream of its chance events.

    Made by ``game.new_initial_state(seed)``. `apply_action` changes the state in place; `clone` first to keep the old one.

    Attributes
    ----------
    game : NamedTuple
        The game's rules and parameters.
    record : numpy.ndarray, shape (1,), dtype ``game.dtype()``
        The position as kernels see it.
    rng : numpy.ndarray of uint64, shape (4,)
        Random stream of deals and chance events.
    """

    def __init__(self, game, record, rng):
        self.game, self.record, self.rng = game, record, rng

    @property
    def position(self):
        """The record with its fields as attributes, for drawing and inspection: ``state.position.ply``."""
        return self.record.view(np.recarray)[0]

    def is_terminal(self):
        """Is the game over?"""
        return bool(read_status(self.game, self.record)[0])

    def current_player(self):
        """The player to move, 0 or 1."""
        return int(read_status(self.game, self.record)[1])

    def returns(self):
        """What each player gets: ``(r0, r1)`` in [0, 1] with sum 1, or ``(score,)`` in a game of one player.

        Raises
        ------
        InputError
            If the game is not over.
        """
        over, _, payoff = read_status(self.game, self.record)
        if not over:
            raise InputError(f"{self.game} is not over: a state has returns only when is_terminal()")
        return (payoff,) if self.game.players == 1 else (payoff, 1.0 - payoff)

    def is_capped(self):
        """Has the game ended by its cap on turns?"""
        return self.is_terminal() and read_capped(self.game, self.record)

    def legal_actions(self):
        """The legal actions, a list of int; empty when the game is over."""
        if self.is_terminal():
            return []
        buffer = np.zeros(self.game.max_actions() + 8, np.int32)        # room for the list of a rule that is one too long
        return buffer[:list_actions(self.game, self.record, buffer)].tolist()

    def apply_action(self, action):
        """Play an action.

        Raises
        ------
        InputError
            If the action is not legal here; the state is unchanged.
        """
        legal = self.legal_actions()
        if action not in legal:
            raise InputError(f"action {action!r} is not legal here; " + (
                f"legal: {one_of(legal)}" if legal else "the game is over"))
        play_action(self.game, self.record, np.int64(action), self.rng)

    def after(self, actions):
        """A copy in which the actions have been played.

        Raises
        ------
        InputError
            At the first action that is not legal.
        """
        copy = self.clone()
        for action in actions:
            copy.apply_action(action)
        return copy

    def clone(self):
        """An independent copy, its random stream included."""
        return State(self.game, self.record.copy(), self.rng.copy())

    def action_to_string(self, action):
        """The action as people write it."""
        return self.game.action_to_string(self.position, int(action))

    def determinize(self, player, seed):
        """A copy in which all that `player` cannot see is drawn anew from what is possible."""
        if player not in range(self.game.players):
            raise InputError(f"player is {player!r}; allowed: {one_of(range(self.game.players))}")
        copy = self.clone()
        determinize_state(self.game, copy.record, np.int64(player), stream(seed, "determinization"))
        return copy

    def __str__(self):
        text, _ = RENDERERS.get(type(self.game), (None, None))
        return text(self) if text else f"{self.game}: {self.position}"

    __repr__ = __str__

    def _repr_html_(self):
        text, svg = RENDERERS.get(type(self.game), (None, None))
        return svg(self) if svg else f"<pre>{self}</pre>"


def new_initial_state(game, seed=0):
    """The state in which a game starts.

    Parameters
    ----------
    seed : int
        Seed of the deal and of all later chance events.

    Returns
    -------
    State
    """
    state = State(game, new_records(game), stream(seed, "deal"))
    start_state(game, state.record, state.rng)
    return state


@functools.lru_cache
def check_rules(game, games=3):
    """Play a few random games: a slip in rules that compiled code would run into could end Python without a word.

    Raises
    ------
    InputError
        Naming the method that breaks its contract.
    """
    for seed in range(games):
        state, rng, length = new_initial_state(game, seed), np.random.default_rng(seed), 0
        while not state.is_terminal():
            actions = state.legal_actions()
            if not 1 <= len(actions) <= game.max_actions():
                raise InputError(f"{game}: legal_actions gives {len(actions)} actions before the end; "
                                 f"it must give from 1 to max_actions() = {game.max_actions()}")
            if length == game.max_length():
                raise InputError(f"{game}: a game is longer than max_length() = {length}")
            state.apply_action(int(rng.choice(actions)))
            length += 1
        if not np.isfinite(state.returns()).all():
            raise InputError(f"{game}: payoff gives {state.returns()[0]}; it must be a finite number")


@dataclass
class SearchResult:
    """What a search found and what it cost.

    Attributes
    ----------
    action : int
        The action to play; -1 if the game is over.
    actions : list of int
        Games of one player: the best sequence found, from the state searched to the end of the game.
    score : float
        Games of one player: the score of `actions`.
    simulations : int
        Playouts made (for a depth-first search: complete or refuted lines).
    playout_plies : int
        Actions played in them.
    seconds : float
        Wall-clock time.
    end : str
        ``"done"``, ``"solved"`` (the game's target score was reached), ``"unsolved"`` (all was searched without it) or
        ``"cut off"`` (the budget ended first).
    improvements : list of (int, float, float)
        Each new best: simulations so far, seconds so far, score.
    statistics : dict of str to numpy.ndarray
        Columns of `table`, one entry per root action.
    extra : dict
        What only this kind of search reports.
    searched : SearchedTree, optional
        The search tree, where `tree` can show one; keeping the result keeps the tree's memory.
    """

    action: int
    actions: list = field(default_factory=list)
    score: float = float("nan")
    simulations: int = 0
    playout_plies: int = 0
    seconds: float = 0.0
    end: str = "done"
    improvements: list = field(default_factory=list)
    statistics: dict = field(default_factory=dict)
    extra: dict = field(default_factory=dict)
    searched: object = field(default=None, repr=False, compare=False)

    def table(self):
        """The root statistics as a DataFrame, one row per action."""
        return pd.DataFrame(self.statistics)

    def tree(self, depth=None, visits=1, children=None):
        """The search tree of a game of two players as a DataFrame, one row per edge.

        Rows stand in order of their depths, those of a node together, the edge to play first, then by visits. With
        transpositions a node can be reached by several edges; its own edges are listed once, at the least depth.

        Parameters
        ----------
        depth : int, optional
            Edges from the root at most.
        visits : int
            Visits of an edge at least; 0 also lists the actions that were not tried.
        children : int, optional
            Edges of each node at most.

        Returns
        -------
        pandas.DataFrame
            ``parent`` and ``node``, between which the edge is (the root is 0; -1 where there is none, as at the end of a
            game), ``depth`` (1 at the root), ``player`` who moves, ``action`` and its ``name``, ``actions`` (how many there
            are at the parent), ``visits``, ``value`` for the player who moves. Searchers with AMAF add ``amaf_visits`` and
            ``amaf_value`` of the action's code at the parent, and MCPS what `MCPS` describes.

        Raises
        ------
        InputError
            If there is no tree, or the player who made it has searched again; if an option is out of range.
        """
        return self._searched_tree().table(depth, visits, children)

    def principal_variation(self):
        """The line of the search tree in which each player takes the action that the searcher would play, a list of int.

        Raises
        ------
        InputError
            If there is no tree, or the player who made it has searched again.
        """
        return self._searched_tree().principal_variation()

    def _searched_tree(self):
        if self.searched is None:
            raise InputError("this search has no tree to show; allowed: searches of games of two players, not over yet, by "
                             "uct, rave, grave, mcps, flat or cheat")
        return self.searched
