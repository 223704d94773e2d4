"""How the trees of an ensemble share a budget of simulations: policies that choose the tree of the next batch.

Kowalski, Ciezkowski, Krzyzynski and Winands (2026). The index of a tree is made from its root's statistics: n visits and
mean q of each move, with Hoeffding's one-sided bounds q +- sqrt(ln(1 / delta) / 2n) where bounds are named.

- ``uniform``: the tree with the fewest simulations.
- ``greedy``: the most contested tree, by the highest upper bound of another move less the lower bound of the best (by q)
  move. A tree with a negative index is locked; if all are, uniform.
- ``difference``: the highest 1 - (q1 - q2) + c sqrt(ln N / n), of the two most visited moves; n simulations of N are the
  tree's.
- ``proportion``: the same with n2 / n1.
- ``across``: one bandit (UCB1) over root moves on the sums over all trees; each tree in turn must take the move chosen.
- ``pruning``: uniform, and a root move whose upper bound is below the best's lower bound is never tried again in that tree.
- ``freeze``: besides, a tree with one move left gets nothing more; when no tree is left the search ends.
- ``halving`` (not in the paper): sequential halving (Karnin, Koren and Somekh, 2013) over root moves on the sums over all
  trees: ceil(log2 K) rounds of equal budgets in which the moves left are forced equally often; the better half goes on.

A batch is a 2500th of the budget. Policies that look at statistics begin when every tree has had its even share of the first
tenth of the budget (`start`). Simulations are spread evenly to within one, at the end of the budget too.
"""
import math

import numpy as np

from ..core import jit
from .tree import SIMULATIONS
from .uct import logarithm

POLICIES = ("uniform", "greedy", "difference", "proportion", "across", "pruning", "freeze", "halving")
UNIFORM, GREEDY, DIFFERENCE, PROPORTION, ACROSS, PRUNING, FREEZE, HALVING = range(8)
BATCHES = 2500
FREE = -1                   # no root move is forced
OPEN, PRUNED = range(2)     # states of a root move


@jit
def best_mean(visits, wins, state):
    """The move with the highest mean among the open ones, of equals the more visited; -1 if none has been visited."""
    best = -1
    for k in range(visits.size):
        if visits[k] > 0 and state[k] == OPEN:
            lead = 1.0 if best < 0 else np.float64(wins[k]) * visits[best] - np.float64(wins[best]) * visits[k]
            if lead > 0 or (lead == 0 and visits[k] > visits[best]):
                best = k
    return best


@jit
def upper(visits, wins, width):
    """Upper bound of a move's expectation."""
    return wins / np.float64(visits) + math.sqrt(width / visits) if visits > 0 else np.inf


@jit
def lower(visits, wins, width):
    return wins / np.float64(visits) - math.sqrt(width / visits) if visits > 0 else -np.inf


@jit
def contestedness(visits, wins, state, width):
    """How far the bounds of a root's best move overlap those of the others; negative if the tree is locked."""
    best = best_mean(visits, wins, state)
    if best < 0:
        return np.inf
    top = -np.inf
    for k in range(visits.size):
        if k != best:
            top = max(top, upper(visits[k], wins[k], width))
    return top - lower(visits[best], wins[best], width)


@jit
def count_locked(plan, visits, wins, width):
    """How many trees are locked."""
    n, locked = plan.actions, 0
    for first in range(0, plan.trees * n, n):
        locked += contestedness(visits[first:first + n], wins[first:first + n], plan.state[first:first + n], width) < 0
    return locked


@jit
def two_most_visited(visits, wins):
    """The most visited move and the next, of equals the one with more wins."""
    first, second = -1, -1
    for k in range(visits.size):
        if first < 0 or visits[k] > visits[first] or (visits[k] == visits[first] and wins[k] > wins[first]):
            first, second = k, first
        elif second < 0 or visits[k] > visits[second] or (visits[k] == visits[second] and wins[k] > wins[second]):
            second = k
    return first, second


@jit
def closeness(visits, wins, policy):
    """How close a root's two most visited moves are, in mean or in visits."""
    first, second = two_most_visited(visits, wins)
    if visits[second] == 0:
        return 1.0
    if policy == PROPORTION:
        return np.float64(visits[second]) / visits[first]
    return 1.0 - (np.float64(wins[first]) / visits[first] - np.float64(wins[second]) / visits[second])


@jit
def prune(visits, wins, state, width):
    """Prune the root moves that are worse than the best, by their bounds. Returns how many moves are open."""
    best = best_mean(visits, wins, state)
    n = 0
    for k in range(visits.size):
        if best >= 0 and upper(visits[k], wins[k], width) < lower(visits[best], wins[best], width):
            state[k] = PRUNED
        n += state[k] == OPEN
    return n


@jit
def learn(plan, i, all_visits, all_wins, settings):
    """Look at tree i at the end of its batch."""
    policy, first, n = settings.allocation, i * plan.actions, plan.actions
    if policy in (UNIFORM, ACROSS, HALVING):
        return
    visits, wins, state = all_visits[first:first + n], all_wins[first:first + n], plan.state[first:first + n]
    if policy == GREEDY:
        plan.index[i] = contestedness(visits, wins, state, settings.width)
    elif policy in (DIFFERENCE, PROPORTION):
        plan.index[i] = closeness(visits, wins, policy)
    elif plan.simulations[i] >= settings.start * settings.budget / plan.trees:
        plan.kept[i] = prune(visits, wins, state, settings.width)


@jit
def fewest(plan, skip_frozen):
    """The tree with the fewest simulations, the first of equals; -1 if all are frozen and skipped."""
    tree = -1
    for i in range(plan.trees):
        if not (skip_frozen and plan.kept[i] == 1) and (tree < 0 or plan.simulations[i] < plan.simulations[tree]):
            tree = i
    return tree


@jit
def favourite(plan, exploration):
    """The tree with the highest index, the term of a bandit included; of equals the one with the fewest simulations."""
    tree, top = 0, -np.inf
    for i in range(plan.trees):
        score = plan.index[i] + math.sqrt(exploration / plan.simulations[i])
        if score > top or (score == top and plan.simulations[i] < plan.simulations[tree]):
            tree, top = i, score
    return tree


@jit
def allocate(plan, path, visits, wins, settings):
    """Choose the tree of the next batch, its size, and the root move that it must take; no simulations if all is done."""
    policy, done = settings.allocation, path.counts[SIMULATIONS]
    if policy in (ACROSS, HALVING):
        plan.tree = plan.tree + 1 if plan.tree + 1 < plan.trees else 0
        plan.left = 1
        if plan.tree == 0:
            plan.move = shared_move(plan, path, visits, wins, done, settings)
        return
    tree = fewest(plan, policy == FREEZE)
    if tree < 0:
        return
    batch = max(1, np.int64(settings.budget) // BATCHES)
    even = min(batch, max(1, (np.int64(settings.budget) - done) // plan.trees))
    plan.tree, plan.left = tree, even
    by_index = policy in (GREEDY, DIFFERENCE, PROPORTION)
    if by_index and plan.simulations[tree] >= max(1.0, settings.start * settings.budget / plan.trees):
        exploration = 0.0 if policy == GREEDY else np.float64(settings.c_trees2) * logarithm(path, done)
        tree = favourite(plan, exploration)
        if policy != GREEDY or plan.index[tree] >= 0:
            plan.tree, plan.left = tree, batch


@jit
def pool(plan, visits, wins):
    """Sum the root tables over all trees."""
    n = plan.actions
    for k in range(2 * n):
        plan.sums[k] = 0
    for i in range(plan.trees):
        for k in range(n):
            plan.sums[k] += visits[i * n + k]
            plan.sums[n + k] += wins[i * n + k]


@jit
def shared_move(plan, path, visits, wins, done, settings):
    """The root move that all trees must take next."""
    pool(plan, visits, wins)
    if settings.allocation == HALVING:
        return halving_move(plan, done, settings.budget)
    n, exploration = plan.actions, np.float64(settings.c2) * logarithm(path, done)
    move, top = 0, -np.inf
    for k in plan.order[:n]:
        if plan.sums[k] == 0:
            return k
        score = plan.sums[n + k] / plan.sums[k] + math.sqrt(exploration / plan.sums[k])
        if score > top:
            move, top = k, score
    return move


@jit
def halving_move(plan, done, budget):
    """The least visited move of those left, after the end of a round the better half of them."""
    n, rounds = plan.actions, 0
    while 1 << rounds < n:
        rounds += 1
    if plan.halvings + 1 < rounds and done >= budget * (plan.halvings + 1) / rounds:
        plan.halvings += 1
        drop_half(plan)
    move = -1
    for k in plan.order[:n]:
        if plan.state[k] == OPEN and (move < 0 or plan.sums[k] < plan.sums[move]):
            move = k
    return move


@jit
def drop_half(plan):
    """Drop the moves with the lowest means, of equals the last; the larger half stays."""
    n = plan.actions
    for _ in range(plan.kept[0] // 2):
        worst, lowest = -1, np.inf
        for k in range(n):
            mean = plan.sums[n + k] / max(plan.sums[k], 1.0)
            if plan.state[k] == OPEN and mean <= lowest:
                worst, lowest = k, mean
        plan.state[worst] = PRUNED
        plan.kept[0] -= 1
