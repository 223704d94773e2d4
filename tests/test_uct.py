"""UCT and flat Monte Carlo."""
import numpy as np
import pytest
from conftest import snapshot
from plain_search import PlainUCT

from mctslab.games.hex import Hex
from mctslab.games.nim import Nim
from mctslab.games.tictactoe import TicTacToe
from mctslab.search.flat import Flat
from mctslab.search.tree import ROOT
from mctslab.search.uct import UCT, Settings, prove, select

START = TicTacToe().new_initial_state()
WIN = START.after([0, 3, 1, 4])         # X completes the top row at 2; otherwise O completes the middle row at 5
BLOCK = START.after([0, 4, 1])          # O must take 2


def visits(result):
    return dict(zip(result.statistics["action"].tolist(), result.statistics["visits"].tolist(), strict=True))


@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("moves", [[], [0, 4, 1]])
def test_uct_is_the_plain_search(share, moves):
    plain, state = PlainUCT(share, c=0.4), START.after(moves)
    root = plain.search(state, seed=5, simulations=300)
    result = UCT(simulations=300, transpositions=share).search(state, seed=5)
    assert visits(result) == {action: move.visits for action, move in root.moves.items()}
    np.testing.assert_allclose(result.statistics["value"], [move.wins / move.visits for move in root.moves.values()], 1e-6)
    assert result.extra["depth_mean"] == np.mean(plain.depths)
    assert result.extra["depth_max"] == max(plain.depths)


def tree_of(visits, wins, total):
    """A player's tree whose root has edges with these counts."""
    tree = UCT().player(TicTacToe()).tree
    tree.nodes[ROOT]["first"], tree.nodes[ROOT]["degree"], tree.nodes[ROOT]["visits"] = 0, len(visits), total
    tree.visits[:len(visits)], tree.wins[:len(wins)] = visits, wins
    return tree


def selected(tree, c, fpu=1e6):
    settings = Settings(np.float32(c**2), np.float32(fpu), False, 0)
    edge = select(tree.nodes[ROOT], tree.visits, tree.wins, tree.paths[0], settings)
    return edge, tree.paths["scores"][0, :tree.nodes[ROOT]["degree"]]


def test_a_score_is_the_mean_plus_c_root_of_log_n_over_visits():
    edge, scores = selected(tree_of([10, 5, 85], [6, 4, 50], total=100), c=0.4)
    np.testing.assert_allclose(scores, [0.6 + 0.4 * 0.678614, 0.8 + 0.4 * 0.959705, 0.588235 + 0.4 * 0.232762], 1e-5)
    assert edge == 1


def test_a_large_constant_explores_and_none_exploits():
    tree = tree_of([90, 10], [60, 5], total=100)
    assert selected(tree, c=0)[0] == 0
    assert selected(tree, c=2)[0] == 1


def test_an_unvisited_move_has_the_value_of_the_first_play_urgency():
    tree = tree_of([10, 0, 0], [7, 0, 0], total=10)
    assert selected(tree, c=0)[0] == 1
    assert selected(tree, c=0, fpu=0.5)[0] == 0
    assert selected(tree, c=0, fpu=0.71)[0] == 1


def test_logarithms_beyond_the_table_are_right():
    edge, scores = selected(tree_of([1_000_000], [0], total=1_000_000), c=1)
    np.testing.assert_allclose(scores, [np.sqrt(np.log(1e6) / 1e6)], 1e-4)


def test_a_proven_win_is_selected_first_and_a_proven_loss_last():
    tree = tree_of([5, 5, 0, 5], [5, -np.inf, 0, np.inf], total=20)
    assert selected(tree, c=0.4)[0] == 3
    tree.wins[3] = -np.inf
    assert selected(tree, c=0.4)[0] == 2


def test_a_proof_goes_up_as_far_as_it_decides():
    tree = tree_of([1, 1], [0, 0], total=3)
    path = tree.paths[0]
    path["nodes"][:2], path["edges"][:2], path["movers"][:2] = [0, 1], [0, 2], [0, 1]
    tree.nodes[1]["first"], tree.nodes[1]["degree"] = 2, 2
    tree.nodes["winner"][:2], tree.wins[2:4] = 0, 0
    prove(tree, path, 2, 0)         # player 1, to move at node 1, loses by edge 2; his edge 3 is open
    assert tree.wins[2] == -np.inf
    assert tree.nodes["winner"][:2].tolist() == [0, 0]
    path["edges"][1] = 3
    prove(tree, path, 2, 0)         # now all his moves lose, so player 0 wins by edge 0
    assert tree.wins[:4].tolist() == [np.inf, 0, -np.inf, -np.inf]
    assert tree.nodes["winner"][:2].tolist() == [1, 1]


@pytest.mark.parametrize("searcher", [UCT(), UCT(solver=True), Flat()], ids=str)
def test_a_win_is_taken_and_a_threat_is_blocked(searcher):
    assert searcher.search(WIN).action == 2
    assert searcher.search(BLOCK).action == 2


def test_tic_tac_toe_is_drawn_by_uct_against_itself():
    player, state = UCT(simulations=3000).player(START.game), START.clone()
    while not state.is_terminal():
        state.apply_action(player.search(state, seed=1).action)
    assert state.returns() == (0.5, 0.5)


def test_uct_never_loses_to_random_play():
    player, random = UCT(simulations=800).player(START.game), np.random.default_rng(1)
    for seat in [0, 1] * 10:
        state = START.clone()
        while not state.is_terminal():
            mine = state.current_player() == seat
            state.apply_action(player.search(state).action if mine else random.choice(state.legal_actions()))
        assert state.returns()[seat] >= 0.5


@pytest.mark.parametrize("heap", range(1, 13))
def test_the_solver_knows_nim(heap):
    state = Nim(heap=heap, take=3).new_initial_state()
    result = UCT(simulations=20_000, solver=True).search(state)
    assert result.end == "solved"
    assert result.simulations < 20_000
    best = np.nanmax(result.statistics["value"])
    assert best == (1 if heap % 4 else 0)
    assert not heap % 4 or result.action == heap % 4


def mover_wins(state, known):
    """Minimax over a game without draws."""
    key = snapshot(state)
    if key not in known:
        nexts = [state.after([action]) for action in state.legal_actions()]
        known[key] = any(s.returns()[state.current_player()] == 1 if s.is_terminal() else not mover_wins(s, known)
                         for s in nexts)
    return known[key]


@pytest.mark.parametrize("share", [False, True])
def test_the_solver_knows_the_winning_openings_of_small_hex_boards(share):
    searcher, known = UCT(simulations=50_000, solver=True, transpositions=share), {}
    for opening in range(9):
        state = Hex(size=3).new_initial_state().after([opening])
        result = searcher.search(state)
        values = dict(zip(result.statistics["action"].tolist(), result.statistics["value"], strict=True))
        assert result.end == "solved"
        assert (values[result.action] == 1) == mover_wins(state, known)
    assert len({known[key] for key in known}) == 2


def test_a_search_without_the_solver_uses_its_budget_and_proves_nothing():
    result = UCT(simulations=500).search(WIN)
    assert (result.end, result.simulations) == ("done", 500)


def test_flat_gives_every_action_its_share_and_plays_the_best_mean():
    result = Flat(simulations=1000).search(START)
    assert sorted(result.statistics["visits"].tolist()) == [111] * 8 + [112]
    assert result.action == 4
    assert result.extra["depth_max"] == 1
    assert result.playout_plies > 0
