"""Small games of two players searched to the end, as an oracle: every game counted, every position valued.

Recursion is written with stacks, one entry per depth, since kernels do not recurse.
"""
import numpy as np

from mctslab.core import jit, new_records


@jit
def read_key(g, root):
    return g.key(root[0])


@jit
def walk_all_games(g, states, actions, number, tried, rng, counts):
    """Count the sequences of each length, and those that end there by their payoff: counts[ply] = (all, 0, 1/2, 1)."""
    depth = np.int64(0)
    tried[0] = -1               # not looked at yet
    while depth >= 0:
        s = states[depth]
        if tried[depth] < 0:
            tried[depth] = 0
            number[depth] = 0
            counts[depth, 0] += 1
            if g.is_terminal(s):
                counts[depth, 1 + np.int64(2 * g.payoff(s))] += 1
            else:
                number[depth] = g.legal_actions(s, actions[depth])
        if tried[depth] == number[depth]:
            depth -= 1
        else:
            states[depth + 1] = s
            g.play(states[depth + 1], np.int64(actions[depth, tried[depth]]), rng)
            tried[depth] += 1
            depth += 1
            tried[depth] = -1


@jit
def solve(g, states, actions, number, tried, rng, best, keys, values):
    """Payoff of states[0] under perfect play; a move that wins for sure ends the trying. The table has one entry a slot."""
    depth = np.int64(0)
    tried[0] = -1
    while True:
        s = states[depth]
        mover = np.int64(g.current_player(s))
        slot = g.key(s) & np.uint64(keys.size - 1)
        value = -1.0            # not known yet
        if tried[depth] < 0:
            if g.is_terminal(s):
                value = g.payoff(s)
            elif keys[slot] == g.key(s):
                value = values[slot]        # -1 in a slot never used
            if value < 0:
                number[depth] = g.legal_actions(s, actions[depth])
                tried[depth] = 0
                best[depth] = mover         # the worst for the mover
        elif tried[depth] == number[depth] or best[depth] == 1 - mover:
            value = best[depth]
            keys[slot] = g.key(s)
            values[slot] = value
        if value < 0:
            states[depth + 1] = s
            g.play(states[depth + 1], np.int64(actions[depth, tried[depth]]), rng)
            tried[depth] += 1
            depth += 1
            tried[depth] = -1
        elif depth == 0:
            return value
        else:
            depth -= 1
            if g.current_player(states[depth]) == 0:
                best[depth] = max(best[depth], value)
            else:
                best[depth] = min(best[depth], value)


def stacks(state):
    """States with the given one at the bottom, actions, and two counters."""
    depth = state.game.max_length() + 2
    states = new_records(state.game, depth)
    states[0] = state.record[0]
    return states, np.zeros((depth, state.game.max_actions()), np.int32), *np.zeros((2, depth), np.int64)


def count_games(game):
    """For each ply: sequences of that length, those that end there in a loss, a draw, a win of the first player."""
    state = game.new_initial_state()
    counts = np.zeros((game.max_length() + 1, 4), np.int64)
    walk_all_games(game, *stacks(state), state.rng, counts)
    return counts


class Oracle:
    """Payoffs of a game's positions under perfect play. It remembers up to 2**bits of them."""

    def __init__(self, bits=18):
        self.keys, self.values = np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1.0)

    def value(self, state):
        """The first player's payoff."""
        return solve(state.game, *stacks(state), state.rng, np.zeros(state.game.max_length() + 2), self.keys, self.values)

    def winning_actions(self, state):
        """The actions after which the player to move has won."""
        won = 1 - state.current_player()
        return [action for action in state.legal_actions() if self.value(state.after([action])) == won]
