"""The final move of an ensemble, chosen from the root tables of its trees.

Kowalski, Ciezkowski, Krzyzynski and Winands (2026) name four rules. With n visits and w wins of a root move in a tree (the
mover's wins), q = w / n (0 without visits), K moves and T trees, the score of a move is

- ``visits``: the sum over trees of n;
- ``score``: the pooled mean, sum of w / sum of n;
- ``voting``: the number of trees that vote for it;
- ``borda``: the sum of K - rank, where each tree ranks the moves and equals share the mean of their ranks. Moves that a tree
  has not visited, or has pruned, have rank K there.

The variants ``means`` (sum of q: per-tree means) and ``shares`` (sum of n / N, N the visits of the tree, which a tree with
more simulations does not dominate; not in the paper) are rules of their own.

The paper leaves open what a tree votes for. `vote` says: its most visited move, of equals that with the higher mean
(``visits``); the move with the highest mean, of equals the more visited (``mean``); the move of its ``last`` simulation. A
tree whose root visits are dictated by a bandit over all trees says nothing by its visits. Borda ranks in the same way, by
visits where the vote is ``last``.

Equals are told apart by an order of the moves that is made once a turn, from all trees: by pooled mean (visits, shares) or
pooled visits (the other rules), then at random. It also settles the ties within trees. `margins` holds it fixed when the
outputs of trees change.
"""
import numpy as np

from ..core import InputError, jit, one_of, shuffle

RULES = ("visits", "score", "voting", "borda", "means", "shares")
VISITS, SCORE, VOTING, BORDA, MEANS, SHARES = range(6)
VOTES = ("visits", "mean", "last")
BY_VISITS, BY_MEAN, BY_LAST = range(3)
TIE = 1e-10         # sums of means and shares that differ by less are equal but for rounding; other scores are exact


@jit
def mean(wins, visits):
    """The mean of a move, 0 if it has no visits."""
    return wins / visits if visits > 0 else 0.0


@jit
def pool(visits, wins, pooled):
    """Sum the root tables over the trees: visits to pooled[0], wins to pooled[1]."""
    trees, moves = visits.shape
    for k in range(moves):
        pooled[0, k] = pooled[1, k] = 0.0
    for i in range(trees):
        for k in range(moves):
            pooled[0, k] += visits[i, k]
            pooled[1, k] += wins[i, k]


@jit
def draw_order(order, moves, rng):
    """A random order of the moves; in order of their numbers if `rng` is empty."""
    for k in range(moves):
        order[k] = k
    if rng.size > 0:
        shuffle(order, moves, rng)


@jit
def sort_falling(order, keys, n):
    """Sort order[:n] by falling key; equals stay as they are."""
    for j in range(1, n):
        k, i = order[j], j
        while i > 0 and keys[order[i - 1]] < keys[k]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = k


@jit
def order_ties(rule, pooled, order, keys, place, moves):
    """Make the order in which ties are broken from a random one; place[k] is the place of move k in it."""
    for k in range(moves):
        keys[k] = mean(pooled[1, k], pooled[0, k]) if rule in (VISITS, SHARES) else pooled[0, k]
    sort_falling(order, keys, moves)
    for j in range(moves):
        place[order[j]] = j


@jit
def rank_keys(vote, visits, wins, pruned, keys):
    """What a tree ranks its moves by: keys[0], of equals keys[1]. A move without rank has -1."""
    for k in range(visits.size):
        keys[0, k] = keys[1, k] = -1.0
        if visits[k] > 0 and not pruned[k]:
            keys[0, k] = wins[k] / visits[k] if vote == BY_MEAN else visits[k]
            keys[1, k] = visits[k] if vote == BY_MEAN else wins[k]


@jit
def favourite(keys, order, moves):
    """The best ranked move, of equals the first in order; -1 if there is none."""
    best = -1
    for j in range(moves):
        k = order[j]
        if keys[0, k] >= 0 and (best < 0 or keys[0, k] > keys[0, best] or
                                (keys[0, k] == keys[0, best] and keys[1, k] > keys[1, best])):
            best = k
    return best


@jit
def borda_points(keys, part):
    """K - rank of each move that has one; the others have 0 already."""
    moves = part.size
    for k in range(moves):
        if keys[0, k] < 0:
            continue
        above, equal = 0, 0
        for j in range(moves):
            above += (keys[0, j] > keys[0, k]) | ((keys[0, j] == keys[0, k]) & (keys[1, j] > keys[1, k]))
            equal += (keys[0, j] == keys[0, k]) & (keys[1, j] == keys[1, k])
        part[k] = moves - 1 - above - 0.5 * (equal - 1)


@jit
def give(rule, vote, visits, wins, pruned, last, order, keys, part):
    """What one tree gives to each move. Returns the most that it could give to one: 0 for a tree without simulations."""
    moves, total = visits.size, 0.0
    for k in range(moves):
        total += visits[k]
        part[k] = 0.0
    if total == 0:
        return 0.0
    if rule in (VOTING, BORDA):
        rank_keys(vote, visits, wins, pruned, keys)
        if rule == BORDA:
            borda_points(keys, part)
            return moves - 1.0
        move = last if vote == BY_LAST else favourite(keys, order, moves)
        if move >= 0:
            part[move] = 1.0
        return 1.0
    for k in range(moves):
        part[k] = mean(wins[k], visits[k]) if rule == MEANS else visits[k] / total if rule == SHARES else visits[k]
    return 1.0 if rule in (MEANS, SHARES) else total


@jit
def elect(rule, vote, visits, wins, pruned, last, rng, parts, units, pooled, keys, scores, order, place):
    """Fill the work arrays of an `Election`. Returns the move chosen."""
    trees, moves = visits.shape
    pool(visits, wins, pooled)
    draw_order(order, moves, rng)
    order_ties(rule, pooled, order, scores, place, moves)
    for k in range(moves):
        scores[k] = mean(pooled[1, k], pooled[0, k]) if rule == SCORE else 0.0
    for i in range(trees):
        part = parts[i, :moves]
        units[i] = give(rule, vote, visits[i], wins[i], pruned[i], last[i], order, keys, part)
        if rule != SCORE:
            for k in range(moves):
                scores[k] += part[k]
    top = scores[0]
    for k in range(moves):
        top = max(top, scores[k])
    if rule in (MEANS, SHARES):
        top -= TIE
    for j in range(moves):
        if scores[order[j]] >= top:
            return order[j]
    return order[0]     # not reached


class Election:
    """The choice of a final move, turn after turn, with memory that is allocated once.

    Parameters
    ----------
    trees, moves : int
        The most trees and root moves that there will be.
    rule : str
        One of `RULES`.
    vote : str
        One of `VOTES`: what a tree votes for, or ranks by.

    Attributes
    ----------
    winner : int
        Index of the move chosen last.
    visits, wins : numpy.ndarray of float64, shape (T, K)
        The tables that it was chosen from.
    parts, units : numpy.ndarray of float64
        What tree i gives to move k, in parts[i, k] (visits for the rule ``score``), and the most it could, in units[i].
    place : numpy.ndarray of int64
        Place of each move in the order that breaks ties.

    Raises
    ------
    InputError
        For a rule or vote that is not known.
    """

    def __init__(self, trees, moves, rule="visits", vote="visits"):
        for name, word, known in ("rule", rule, RULES), ("vote", vote, VOTES):
            if word not in known:
                raise InputError(f"{name} is {word!r}; it must be one of {one_of(known)}")
        self.rule, self.vote = RULES.index(rule), VOTES.index(vote)
        self.parts, self.units = np.zeros((trees, moves)), np.zeros(trees)
        self.pooled, self.keys, self.all_scores = np.zeros((2, moves)), np.zeros((2, moves)), np.zeros(moves)
        self.order, self.place = np.zeros(moves, np.int64), np.zeros(moves, np.int64)
        self.none_pruned, self.no_last = np.zeros((trees, moves), np.int8), np.full(trees, -1, np.int64)
        self.luck = np.zeros(0, np.uint64)
        self.work = np.zeros((14, max(trees + 1, 5)))       # of `margins`
        self.items = np.zeros((2, trees + 1), np.int64)
        self.visits = self.wins = np.zeros((0, 0))
        self.winner = -1

    def hold(self, visits, wins, pruned=None, last=None, rng=None):
        """Choose a move.

        Parameters
        ----------
        visits, wins : array, shape (T, K)
            Root tables; the wins are the mover's. Kept until the next call, for the margins.
        pruned : array of int8, shape (T, K), optional
            Not 0 where a tree has pruned a move: it has no vote and no rank there.
        last : array of int64, shape (T,), optional
            The root move of each tree's last simulation, -1 for none. The vote ``last`` needs it.
        rng : array of uint64, shape (4,), optional
            Stream that breaks the last ties; without it they fall to the lower number.

        Returns
        -------
        int
            Index of the move.

        Raises
        ------
        InputError
            For tables that are larger than was announced or do not fit each other, or votes by ``last`` without it.
        """
        self.visits, self.wins = np.ascontiguousarray(visits, np.float64), np.ascontiguousarray(wins, np.float64)
        shape, room = self.visits.shape, self.parts.shape
        if len(shape) != 2 or not (0 < shape[0] <= room[0] and 0 < shape[1] <= room[1]):
            raise InputError(f"visits has the shape {shape}; it must have one tree and move or more, and at most {room}")
        if self.rule == VOTING and self.vote == BY_LAST and last is None:
            raise InputError("vote=last needs the root move of each tree's last simulation")
        pruned = self.none_pruned[:shape[0], :shape[1]] if pruned is None else np.asarray(pruned, np.int8)
        last = self.no_last[:shape[0]] if last is None else np.asarray(last, np.int64)
        for name, array, wanted in ("wins", self.wins, shape), ("pruned", pruned, shape), ("last", last, shape[:1]):
            if array.shape != wanted:
                raise InputError(f"{name} has the shape {array.shape}; it must be {wanted}, as visits")
        rng = self.luck if rng is None else rng
        self.winner = int(elect(self.rule, self.vote, self.visits, self.wins, np.ascontiguousarray(pruned),
                                np.ascontiguousarray(last), rng, self.parts, self.units, self.pooled, self.keys,
                                self.all_scores, self.order, self.place))
        return self.winner

    @property
    def scores(self):
        """Score of each move, float64 of shape (K,): a copy."""
        return self.all_scores[:self.visits.shape[1]].copy()
