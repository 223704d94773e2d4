"""Open-loop MCTS: SOLMCTS and SO-ISMCTS against a plain search. What all honest searchers share is in test_ensemble."""
import math
from dataclasses import replace

import numpy as np
import pytest
from conftest import run_playout
from toy_cards import Tricks

from mctslab.core import below, stream
from mctslab.core.play import determinize_state, read_status
from mctslab.search.open_loop import ISMCTS, SOLMCTS, mix

F = np.float32
START = Tricks(cards=8, hand=3).new_initial_state(2)


class Node:
    def __init__(self):
        self.children, self.visits, self.wins, self.available = {}, 0, F(0), 0


class PlainOpenLoop:
    """The search said again, with dictionaries."""

    def __init__(self, searcher):
        self.c2, self.availability, self.depths = F(searcher.c**2), searcher.availability, []

    def score(self, node, child):
        total = child.available if self.availability else node.visits
        return child.wins / F(child.visits) + np.sqrt(self.c2 * F(math.log(total)) * (F(1) / F(child.visits)))

    def choose(self, node, actions, rng):
        untried = [a for a in actions if a not in node.children]
        if untried:
            action = untried[below(rng, len(untried))]
            node.children[action] = Node()
        else:
            action = max(actions, key=lambda a: self.score(node, node.children[a]))
        for a in actions:
            if a in node.children:
                node.children[a].available += 1
        return action, bool(untried)

    def search(self, state, seed, simulations):
        rng, guesses, root = stream(seed, "playout"), stream(seed, "determinization"), Node()
        trace, buffer = np.zeros(state.game.max_length(), np.int32), np.zeros(state.game.max_actions(), np.int32)
        for _ in range(simulations):
            s, node, path, new = state.clone(), root, [], False
            determinize_state(s.game, s.record, np.int64(state.current_player()), guesses)
            while not new and not s.is_terminal():
                action, new = self.choose(node, s.legal_actions(), rng)
                node = node.children[action]
                path.append((node, s.current_player()))
                s.apply_action(action)
            if not s.is_terminal():
                run_playout(s.game, s.record, 0, rng, trace, buffer)
            payoff = read_status(s.game, s.record)[2]
            root.visits += 1
            for node, mover in path:
                node.visits += 1
                node.wins += F(payoff if mover == 0 else 1 - payoff)
            self.depths.append(len(path))
        return root


@pytest.mark.parametrize("searcher", [SOLMCTS(simulations=1500), ISMCTS(simulations=1500)], ids=str)
def test_the_kernel_is_the_plain_search(searcher):
    plain = PlainOpenLoop(searcher)
    root = plain.search(START, seed=5, simulations=1500)
    result = searcher.search(START, seed=5)
    table = result.table().set_index("action")
    assert table["visits"].to_dict() == {action: child.visits for action, child in sorted(root.children.items())}
    np.testing.assert_allclose(table["value"], [c.wins / c.visits for _, c in sorted(root.children.items())], 1e-5)
    assert result.extra["depth_mean"] == np.mean(plain.depths)
    assert result.extra["depth_max"] == max(plain.depths)


def nodes_of(player):
    return player.tree.nodes[:player.tree.paths["used"][0, 0]]


def test_a_simulation_adds_a_node_at_most_and_keys_are_never_shared():
    player = SOLMCTS(simulations=3000).player(START.game)
    result = player.search(START, 1)
    nodes = nodes_of(player)
    assert len(set(nodes["key"].tolist())) == len(nodes) <= 3001
    assert nodes["visits"][0] == 3000 == result.statistics["visits"].sum()
    assert (nodes["visits"][1:] >= 1).all()


def test_keys_differ_and_are_never_0():
    keys = {int(mix(node, action)) for node in [*range(50), 2**22] for action in [*range(50), 2**31 - 1]}
    assert len(keys) == 51 * 51
    assert 0 not in keys


def test_availability_counts_when_an_action_was_eligible():
    player = ISMCTS(simulations=2000).player(START.game)
    player.search(START, 1)
    nodes = nodes_of(player)
    assert (nodes["available"][1:] >= nodes["visits"][1:]).all()
    at_root = sorted(nodes["available"][player.children[:3]].tolist())
    assert at_root == [1998, 1999, 2000]        # in each simulation since it has its node


def test_the_two_explore_differently():
    results = [searcher.search(START, 1).statistics["visits"].tolist() for searcher in (
        SOLMCTS(simulations=2000), ISMCTS(simulations=2000), replace(SOLMCTS(simulations=2000), c=0.0))]
    assert len(set(map(tuple, results))) == 3
