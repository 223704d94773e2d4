"""Forward checking against a plain depth-first search: solutions, refutations, counts of lines, and its budget."""
import random
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import chisquare

from mctslab import ForwardChecking, InputError, Leftmost, Sudoku, game, make_searcher
from mctslab.draw.sudoku import read_cells

UNSOLVABLE = "...2/..../.2../..4."       # every empty cell has two values left or more


@game
class Lock(NamedTuple):
    """Three binary digits; the score is the number they write; 6 and 7 open the lock."""

    digits: int = 3

    players = 1

    def dtype(g):
        return np.dtype([("ply", "i4"), ("number", "i4")], align=True)

    def max_actions(g):
        return 2

    def max_length(g):
        return g.digits

    def target(g):
        return 6

    def start(g, s, rng):
        s.ply = 0
        s.number = 0

    def legal_actions(g, s, buf):
        buf[0] = 0
        buf[1] = 1
        return 2

    def play(g, s, a, rng):
        s.ply += 1
        s.number = 2 * s.number + a

    def is_terminal(g, s):
        return s.ply == g.digits

    def payoff(g, s):
        return np.float64(s.number)


def solve_plainly(state):
    """Lines, actions played and best score of a depth-first search in the game's order, up to the first solution."""
    lines = plies = 0
    best, target = -1, state.game.target()
    stack = [state]
    while stack and best < target:
        here = stack.pop()
        plies += here is not state
        if here.is_terminal():
            lines += 1
            best = max(best, here.returns()[0])
        for action in reversed(here.legal_actions()):
            child = here.clone()
            child.apply_action(action)
            stack.append(child)
    return lines, plies, best


def random_board(box, givens, rng):
    """A puzzle without contradiction that may have no solution."""
    side, grid = box * box, [0] * box ** 4
    for cell in rng.sample(range(side * side), givens):
        peers = [k for k in range(side * side) if k // side == cell // side or k % side == cell % side or (
            k // side // box == cell // side // box and k % side // box == cell % side // box)]
        free = sorted(set(range(1, side + 1)) - {grid[k] for k in peers})
        grid[cell] = rng.choice(free) if free else 0
    return Sudoku(board=bytes(grid)).new_initial_state()


def test_a_lock_is_opened_after_the_lines_before_its_number():
    result = ForwardChecking(order="game").search(Lock().new_initial_state())
    assert (result.actions, result.score, result.end) == ([1, 1, 0], 6, "solved")
    assert (result.simulations, result.playout_plies) == (7, 7 + 3 + 1 + 1 + 1)
    assert [score for _, _, score in result.improvements] == [0, 1, 2, 3, 4, 5, 6]


def test_a_random_order_visits_the_pairs_of_numbers_in_any_order():
    """6 and 7 share their first digits, so the lock opens at the first line of one of four pairs."""
    lines = [ForwardChecking().search(Lock().new_initial_state(), seed).simulations for seed in range(400)]
    counts = np.bincount(lines, minlength=8)
    assert counts[1::2].sum() == 400
    assert chisquare(counts[1::2]).pvalue > 1e-4


@pytest.mark.parametrize("box, givens, boards", [(2, 4, 60), (2, 5, 60), (3, 26, 8)])
def test_it_finds_a_solution_exactly_when_there_is_one(box, givens, boards):
    rng, ends = random.Random(givens), set()
    for seed in range(boards):
        state = random_board(box, givens, rng)
        if state.is_terminal():
            continue
        best = solve_plainly(state)[2]
        result = ForwardChecking().search(state, seed)
        assert result.end == ("solved" if best == state.game.target() else "unsolved")
        ends.add(result.end)
        if result.end == "unsolved":
            assert result.score == best
    assert ends == {"solved", "unsolved"}


@pytest.mark.parametrize("state", [Sudoku(box=2).new_initial_state(1), Sudoku(board=UNSOLVABLE).new_initial_state(),
                                   Sudoku(box=3).new_initial_state(4), Sudoku(box=3, empty=0.8).new_initial_state(9)])
def test_lines_actions_and_score_are_those_of_a_plain_depth_first_search(state):
    result = ForwardChecking(order="game").search(state)
    assert (result.simulations, result.playout_plies, result.score) == solve_plainly(state)


def test_an_exhausted_tree_is_unsolved_and_a_smaller_budget_is_cut_off():
    state = Sudoku(board=UNSOLVABLE).new_initial_state()
    lines = ForwardChecking().search(state, 1).simulations
    ends = [ForwardChecking(simulations=n).search(state, 1).end for n in (lines - 1, lines, lines + 1)]
    assert ends == ["cut off", "unsolved", "unsolved"]


def test_a_larger_budget_goes_on_where_the_smaller_one_stopped():
    state = Sudoku().new_initial_state(0)
    short, long = (ForwardChecking(simulations=n).search(state, 2) for n in (1000, 6000))
    log = [(lines, score) for lines, _, score in long.improvements]
    assert short.simulations == 1000 and short.end == "cut off"
    assert [(lines, score) for lines, _, score in short.improvements] == [entry for entry in log if entry[0] <= 1000] != log


def test_it_searches_on_from_any_position():
    state = Sudoku(box=3).new_initial_state(4)
    for action in ForwardChecking().search(state, 1).actions[:20]:
        state.apply_action(action)
    result = ForwardChecking().search(state, 2)
    assert result.end == "solved"
    for action in result.actions:
        state.apply_action(action)
    assert 0 not in read_cells(state)[0]


def test_it_refuses_a_game_without_a_target():
    with pytest.raises(InputError, match="^forward_checking searches for a target score, and leftmost has none$"):
        ForwardChecking().search(Leftmost().new_initial_state())


def test_restarts_are_no_option_of_it():
    with pytest.raises(InputError, match="no option 'restarts'; its options are: order, simulations, seconds"):
        make_searcher("forward_checking(restarts=2)")
