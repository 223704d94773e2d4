"""Exact laws of the scores of nested searches on the toy problems `leftmost` and `left_move`, and what the searches cost.

Source of the problems, and of the idea of a recursion over the moves left: Cazenave, Nested Monte-Carlo Search, IJCAI 2009,
section 3. The recursions themselves are derived here. With r moves left, a search makes one move: it tries left and right
once, and `move_chances` says what its memory is after that, for every rule of `nested`. Then:

* Without memory the moves are independent, so a score is a sum of independent left moves of known chances.
* With memory, a search that keeps its memory follows it: that is a game of the level below, whose next move depends on the
  memory that it had itself, and so on down to a playout, whose moves are a fair coin's. The state of level L is the scores
  (k_0, ..., k_(L-1)) of nested memories, on the moves left; `memory_laws` keeps their joint law with the score k_L.
"""
from math import comb
from typing import NamedTuple

import numpy as np
from scipy.stats import binom

from .core import InputError
from .core.spec import check_options
from .search.nested import ORDER, REPLACE

# Chances of tries of equal score, by rule. Both beat the memory: that the first is kept, not the second. One equals the
# memory: that it replaces it. Both equal the memory: that the first is kept in the end, and that the second is.
TIES = {">": (1, 0, 0, 0), ">=": (0, 1, 0, 1), "random": (1 / 2, 1 / 2, 1 / 3, 1 / 3)}
MOST_NUMBERS = 20_000_000       # in the largest array of the recursion with memory
LIMITS = {"depth": (1, 10_000), "level": (0, 8), "branching": (1, None)}


class Moments(NamedTuple):
    """Mean and standard deviation of a law."""

    mean: float
    sd: float


def moments(law):
    """Mean and standard deviation of a law.

    Parameters
    ----------
    law : array_like, shape (n,)
        Probabilities of the scores 0..n-1.

    Returns
    -------
    Moments
    """
    law = np.asarray(law, float)
    scores = np.arange(len(law))
    mean = law @ scores
    return Moments(float(mean), float(np.sqrt(law @ (scores - mean) ** 2)))


def playouts_of(depth, level, branching=2):
    """Playouts of one nested search of a tree of fixed depth: ``branching**level * comb(depth, level)`` (derived here).

    Parameters
    ----------
    depth, level, branching : int

    Returns
    -------
    int
    """
    _check("playouts_of", depth=depth, level=level, branching=branching)
    return branching ** level * comb(depth, level)


def random_moves_of(depth, level, branching=2):
    """Moves in the playouts of one nested search: ``branching**level * comb(depth, level + 1)`` (derived here).

    Level 1 of a binary tree makes depth * (depth - 1), as in the paper, section 3.

    Parameters
    ----------
    depth, level, branching : int

    Returns
    -------
    int
    """
    _check("random_moves_of", depth=depth, level=level, branching=branching)
    return branching ** level * comb(depth, level + 1)


def leftmost_law(depth=60, level=0):
    """Law of the score of a nested search on ``leftmost(depth)`` (the paper, section 3).

    Level 0 is geometric, cut off at the depth. Any higher level finds the optimum whatever its memory and tie rule: after
    k lefts, trying left scores k + 1 or more, trying right k.

    Parameters
    ----------
    depth, level : int

    Returns
    -------
    numpy.ndarray, shape (depth + 1,)
        Probabilities of the scores 0..depth.
    """
    _check("leftmost_law", depth=depth, level=level)
    law = np.zeros(depth + 1)
    law[depth] = 1
    if level == 0:
        law[:depth] = 0.5 ** np.arange(1, depth + 1)
        law[depth] = 0.5 ** depth
    return law


def left_move_law(depth=60, level=1, memory=True, replace=">", order="game"):
    """Law of the score of ``nested(level, memory, replace, order)`` on ``left_move(depth)`` (derived here).

    Parameters
    ----------
    depth, level : int
        With memory the recursion holds some (depth + 1)**(level + 1) numbers. At depth 60 level 2 takes a tenth of a second;
        level 3 takes about ten seconds and 1 GB.
    memory, replace, order
        As the options of `mctslab.Nested`. Without memory they matter through ties alone: the left move wins them with
        ``">"`` in the game's order and with ``">="`` in the reversed one.

    Returns
    -------
    numpy.ndarray, shape (depth + 1,)
        Probabilities of the scores 0..depth.

    Raises
    ------
    InputError
        For options out of range, and with memory for a depth that is too large for the level.
    """
    _check("left_move_law", depth=depth, level=level, memory=memory, replace=replace, order=order)
    if not memory:
        return forgetful_laws(depth, level, replace, order)[depth]
    if (depth + 1) ** (level + 1) > MOST_NUMBERS:
        deepest = int(MOST_NUMBERS ** (1 / (level + 1))) - 1
        raise InputError(f"depth is {depth}: with memory the exact law of level {level} can be had to depth {deepest}")
    return memory_laws(depth, level, replace, order)[level]


def move_chances(law, replace, order):
    """What becomes of the memory of a search when it makes one move.

    Parameters
    ----------
    law : numpy.ndarray, shape (r,)
        Law of the lower search that continues a try; r moves are left.
    replace, order : str

    Returns
    -------
    left, right : numpy.ndarray, shape (2, r + 1)
        Chance that the left (right) try is the memory in the end if it scores s (column s), given that it beats the memory
        before (row 0) or equals it (row 1).
    keep : numpy.ndarray, shape (r + 1,)
        Chance that a memory of score b stays. All scores are those of the r moves left.
    """
    if order == "shuffled":
        both = zip(move_chances(law, replace, "game"), move_chances(law, replace, "reversed"))
        return tuple((game + reverse) / 2 for game, reverse in both)
    first, second = (law_of_left(law), law_of_right(law))[::1 if order == "game" else -1]
    first_less, second_less = (np.append(0, np.cumsum(x)[:-1]) for x in (first, second))
    above, equal, first_equal, second_equal = TIES[replace]
    take_first = np.array([second_less + above * second, equal * second_less + first_equal * second])
    take_second = np.array([first_less + (1 - above) * first, equal * first_less + second_equal * first])
    keep = (first_less * second_less + (1 - equal) * (first_less * second + first * second_less)
            + (1 - first_equal - second_equal) * first * second)
    return (take_first, take_second, keep) if order == "game" else (take_second, take_first, keep)


def law_of_left(law):
    """Law of the score of a left move and what follows it."""
    return np.append(0, law)


def law_of_right(law):
    """Law of the score of a right move and what follows it."""
    return np.append(law, 0)


def forgetful_laws(depth, level, replace, order):
    """Laws of a level without memory on 0..depth moves, shapes (1,) .. (depth + 1,): sums of independent left moves."""
    if level == 0:
        return [binom.pmf(np.arange(moves + 1), moves, 0.5) for moves in range(depth + 1)]
    laws = [np.ones(1)]
    for lower in forgetful_laws(depth - 1, level - 1, replace, order):
        left, _, _ = move_chances(lower, replace, order)
        chance = left[0] @ law_of_left(lower)
        laws.append(np.convolve(laws[-1], [1 - chance, chance]))
    return laws


def memory_laws(depth, level, replace, order):
    """Laws of the levels 0..level with memory.

    ``joint[j][k_j, ..., k_level]``, with r moves left, is the chance that a new game of level j scores k_j on them, a game
    of level j + 1 that has it as its memory scores k_(j + 1), and so on.
    """
    joint = [np.ones((1,) * (level + 1 - j)) for j in range(level + 1)]
    for _ in range(depth):
        taken, keep = [add_move(joint[0] / 2, joint[0] / 2)[None]], [None]
        for lower in joint[:-1]:
            new_memory, stay = try_moves(lower / lower.sum(), replace, order)       # an error of the sum would double
            taken.append(new_memory)
            keep.append(stay)
        joint = [joint_law(j, taken, keep) for j in range(level + 1)]
    return [marginal(x) for x in joint]


def try_moves(lower, replace, order):
    """Joint law of the levels from j up (axes 1, ...) if level j takes a new memory, by the score of its old one (axis 0).

    Row b + 1 is for a score of b, row 0 for none. `lower` is `joint` of level j - 1 with one move less. Also returned: the
    chance that level j keeps its memory, by the score of that.
    """
    left, right, keep = move_chances(marginal(lower), replace, order)
    column = (-1,) + (1,) * (lower.ndim - 1)
    above, equal = (add_move(lower * x[1:].reshape(column), lower * y[:-1].reshape(column)) for x, y in zip(left, right))
    taken = np.zeros((len(above) + 1,) + above.shape[1:])
    taken[:-1] = np.cumsum(above[::-1], axis=0)[::-1]
    taken[1:] += equal
    return taken, keep


def joint_law(j, taken, keep):
    """Of a new game of level j and the levels above: each takes a new memory, or keeps the game below and follows it."""
    law = taken[j][0]
    for i in range(j + 1, len(taken)):
        levels = tuple(range(i - j, law.ndim))          # axes of k_i, ..., k_level
        below = law.sum(levels, keepdims=True)
        law = law * keep[i].reshape((-1,) + (1,) * len(levels))
        law += below * taken[i][1:]
    return law


def marginal(joint):
    """Law of the first score."""
    return joint.reshape(len(joint), -1).sum(1)


def add_move(left, right):
    """Law of scores (all axes) from the parts of it in which all searches go left and go right, by the scores after that."""
    law = np.zeros([n + 1 for n in left.shape])
    law[(slice(1, None),) * left.ndim] = left
    law[(slice(-1),) * left.ndim] += right
    return law


def _check(function, **given):
    defaults = {"depth": 60, "level": 1, "branching": 2, "memory": True, "replace": ">", "order": "game"}
    check_options(function, given, {key: defaults[key] for key in given}, LIMITS, {"replace": REPLACE, "order": ORDER})
