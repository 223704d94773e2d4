"""Loops around a game's rules that nothing else is in."""
from mctslab.core import jit


@jit
def games(g, work, policy, rng, trace, buffer, n):
    """Play n games to their ends, each from a new deal, with the trace of moves. Returns what the first player gets."""
    won = 0.0
    for _ in range(n):
        g.start(work[0], rng)
        g.playout_as(policy, work[0], rng, trace, 0, buffer)
        won += g.payoff(work[0])
    return won


@jit
def determinizations(g, root, work, player, rng, n):
    """Copy a position and redraw what a player does not see, n times."""
    for _ in range(n):
        work[0] = root[0]
        g.determinize(work[0], player, rng)
