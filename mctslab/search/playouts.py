"""Playouts from one position, as samples to look at: what AMAF and permutation statistics are made of."""
import numpy as np

from ..core import InputError, jit, new_records, stream


@jit
def run_playouts(g, root, scratch, policy, rng, codes, payoffs, buffer):
    for i in range(payoffs.size):
        scratch[0] = root[0]
        s = scratch[0]
        g.playout_as(policy, s, rng, codes[i], 0, buffer)
        payoffs[i] = g.payoff(s)


def sample_playouts(state, n, seed=0, policy=0):
    """Play a position to its end n times.

    Parameters
    ----------
    state : State
        A position of a game of two players; it is not changed.
    n : int
        Number of playouts.
    seed : int
        Seed of the playouts.
    policy : int
        Index of the game's playout policy.

    Returns
    -------
    codes : numpy.ndarray of int32, shape (n, longest)
        Move codes in order, -1 after the end of a playout.
    payoffs : numpy.ndarray of float64, shape (n,)
        Player 0's.

    Raises
    ------
    InputError
        If the game is over, or has one player.
    """
    game = state.game
    if game.players != 2 or state.is_terminal():
        raise InputError(f"{game} has {game.players} players" if game.players != 2 else f"{game} is over: nothing to play")
    codes, payoffs = np.full((n, game.max_length() + 1), -1, np.int32), np.empty(n)
    buffer = np.zeros(game.max_actions(), np.int32)
    run_playouts(game, state.record, new_records(game), np.int64(policy), stream(seed, "playout"), codes, payoffs, buffer)
    return codes[:, :max(1, int((codes >= 0).sum(axis=1).max(initial=0)))], payoffs


@jit
def read_codes(g, root, actions, codes):
    for i in range(actions.size):
        codes[i] = g.code(root[0], np.int64(actions[i]))


def action_codes(state):
    """The move code of each legal action, in the order of ``state.legal_actions()``: int32."""
    actions = np.array(state.legal_actions(), np.int32)
    codes = np.zeros(len(actions), np.int32)
    read_codes(state.game, state.record, actions, codes)
    return codes


def code_sets(codes, num_codes):
    """Which codes each playout has, in any order: booleans of shape (playouts, num_codes)."""
    sets = np.zeros((len(codes), num_codes + 1), bool)      # the last column takes what is beyond the end
    np.put_along_axis(sets, np.where(codes >= 0, codes, num_codes).astype(np.int64), True, axis=1)
    return sets[:, :num_codes]
