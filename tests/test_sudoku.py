"""Sudoku against a plain engine of sets, the generator's law, boards from users, and what searchers report of it."""
import os
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from mctslab import InputError, Sudoku, make_game, make_searcher
from mctslab.draw.sudoku import read_cells, svg, text

SMALL = "1.../..3./.4../...2"
NO_VALUE_LEFT = "123./...4/..../...."      # no value twice in a unit, and none left for r1c4


def values(state):
    """The grid in reading order, 0 for an open cell."""
    return read_cells(state)[0].tolist()


def units(box):
    """Rows, columns and boxes as lists of cells."""
    side = box * box
    rows = [[r * side + c for c in range(side)] for r in range(side)]
    columns = [list(column) for column in zip(*rows)]
    boxes = [[(r + i) * side + c + j for i in range(box) for j in range(box)]
             for r in range(0, side, box) for c in range(0, side, box)]
    return rows + columns + boxes


def is_valid(grid, box):
    """Does no unit hold a value twice?"""
    return all(max(Counter(grid[cell] for cell in unit if grid[cell]).values(), default=1) == 1 for unit in units(box))


class PlainSudoku:
    """The rules again, with sets."""

    def __init__(self, grid, box):
        self.grid, self.side, self.units = list(grid), box * box, units(box)

    def domain(self, cell):
        return set(range(1, self.side + 1)) - {self.grid[peer] for unit in self.units if cell in unit for peer in unit}

    def actions(self):
        """Legal actions; none when the game is over."""
        domains = {cell: self.domain(cell) for cell, value in enumerate(self.grid) if value == 0}
        if not domains:
            return []
        chosen = min(domains, key=lambda cell: (len(domains[cell]), cell))
        return [chosen * self.side + value - 1 for value in sorted(domains[chosen])]

    def play(self, action):
        self.grid[action // self.side] = action % self.side + 1

    def score(self):
        return sum(value > 0 for value in self.grid)


@pytest.mark.parametrize("box", [2, 3, 4])
def test_a_generated_puzzle_is_its_valid_grid_with_exactly_the_share_of_cells_blanked(box):
    for seed in range(20):
        solution = values(Sudoku(box=box, empty=0).new_initial_state(seed))
        puzzle = values(Sudoku(box=box, empty=0.66).new_initial_state(seed))
        assert is_valid(solution, box) and 0 not in solution
        assert puzzle.count(0) == {2: 11, 3: 53, 4: 169}[box]
        assert all(given in (0, value) for given, value in zip(puzzle, solution))


def test_the_seed_decides_the_puzzle():
    puzzles = [values(Sudoku().new_initial_state(seed)) for seed in (0, 1, 2, 0)]
    assert puzzles[0] == puzzles[3]
    assert len(set(map(tuple, puzzles))) == 3


def test_generated_grids_are_uniform_over_an_isomorphism_class():
    """Of the 288 grids of side 4, 192 are like the canonical one."""
    game = Sudoku(box=2, empty=0)
    counts = Counter(tuple(values(game.new_initial_state(seed))) for seed in range(192 * 20))
    assert len(counts) == 192
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_every_cell_is_blanked_equally_often():
    game = Sudoku(box=2, empty=0.5)
    blanks = sum(np.array(values(game.new_initial_state(seed))) == 0 for seed in range(1000))
    assert blanks.sum() == 8000
    assert chisquare(blanks).pvalue > 1e-4


@pytest.mark.parametrize("box, games", [(2, 30), (3, 10), (4, 5)])
def test_random_games_agree_with_the_plain_engine(box, games):
    rng = random.Random(box)
    for seed in range(games):
        state = Sudoku(box=box).new_initial_state(seed)
        plain = PlainSudoku(values(state), box)
        while actions := plain.actions():
            assert state.legal_actions() == actions
            action = rng.choice(actions)
            state.apply_action(action)
            plain.play(action)
            assert values(state) == plain.grid
        assert state.is_terminal()
        assert state.returns() == (plain.score(),)


def test_the_first_action_of_a_playout_is_uniform_over_the_domain():
    state = make_game("sudoku(board=..../..../..../....)").new_initial_state()
    counts = Counter(make_searcher("sampling").search(state, seed).action for seed in range(1000))
    assert sorted(counts) == [0, 1, 2, 3]
    assert chisquare(list(counts.values())).pvalue > 1e-4


@pytest.mark.parametrize("searcher", ["sampling(simulations=200)", "nested(simulations=2000)", "nested(memory=false)",
                                      "nested(level=2, simulations=2000)", "forward_checking(simulations=2000)"])
def test_what_a_searcher_reports_obeys_the_rules_keeps_the_givens_and_has_its_score(searcher):
    for seed in range(3):
        state = Sudoku().new_initial_state(seed)
        givens, result = values(state), make_searcher(searcher).search(state, seed)
        for action in result.actions:
            state.apply_action(action)      # refuses what is not legal
        assert is_valid(values(state), 4)
        assert all(given in (0, value) for given, value in zip(givens, values(state)))
        assert state.is_terminal() and state.returns() == (result.score,)
        assert (result.end == "solved") == (0 not in values(state))


def test_restarted_nested_search_solves_the_hard_region():
    for seed in range(5):
        result = make_searcher("nested(level=1, simulations=50000)").search(Sudoku().new_initial_state(seed), seed=1)
        assert (result.score, result.end) == (256, "solved")


def test_a_board_may_be_a_text_a_file_or_bytes_and_prints_as_text(tmp_path):
    path = tmp_path / "puzzle.txt"
    path.write_text("# a puzzle\n1 . . .\n\n0-3.   # the second row\n.4..\n...2\n")
    boards = [SMALL, str(path), path, bytes([1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2])]
    games = [Sudoku(board=board) for board in boards]
    assert {str(game) for game in games} == {f"sudoku(board={SMALL})"}
    assert games[0] == games[1] == games[2] == games[3] == make_game(str(games[0]))
    assert values(games[0].new_initial_state()) == list(boards[3])


@pytest.mark.parametrize("box", [2, 3, 4])
def test_a_generated_puzzle_given_as_a_board_is_the_same_game(box):
    state = Sudoku(box=box).new_initial_state(5)
    copy = make_game(str(Sudoku(box=box, board=bytes(values(state))))).new_initial_state()
    assert copy.game.box == box
    assert copy.record.tobytes() == state.record.tobytes()


@pytest.mark.parametrize("options, message", [
    ({"box": 5}, "option box of sudoku is 5; it must be from 2 to 4"),
    ({"empty": 1.5}, "option empty of sudoku is 1.5; it must be from 0.0 to 1.0"),
    ({"board": 12}, "option board of sudoku is 12; it must be a file, rows joined by '/', or bytes"),
    ({"board": bytes(15)}, "option board of sudoku has 15 bytes, the largest 0; it must have 16, 81 or 256, "
                           "from 0 to 4, 9 or 16"),
    ({"board": bytes([5] * 16)}, "option board of sudoku has 16 bytes, the largest 5; it must have 16, 81 or 256, "
                                 "from 0 to 4, 9 or 16"),
    ({"board": SMALL, "box": 3}, "option box of sudoku is 3, but the board is that of box 2"),
    ({"board": SMALL, "empty": 0.5}, "option empty of sudoku is 0.5, but a board has its own empty cells: "
                                     "give one of the two"),
    ({"board": "nowhere/p.txt"}, "board 'nowhere/p.txt' is neither a file (No such file or directory) "
                                 "nor 4, 9 or 16 rows joined by '/'"),
    ({"board": "1.../...2/.3./...."}, "row 3 of the board has 3 cells; it must have 4, as many as there are rows"),
    ({"board": "1.../...5/..../...."}, "row 2 of the board has '5'; allowed: 1 to 4 and . 0 - for an empty cell"),
    ({"board": "/".join(["h" + "." * 15] + ["." * 16] * 15)},
     "row 1 of the board has 'h'; allowed: 1 to g, a after 9, and . 0 - for an empty cell"),
    ({"board": "..../3..3/..../...."}, "the sudoku has 3 twice in row 2: r2c1 and r2c4"),
    ({"board": "..../3.../..../3..."}, "the sudoku has 3 twice in column 1: r2c1 and r4c1"),
    ({"board": "..../..../..2./...2"}, "the sudoku has 2 twice in the box from r3c3: r3c3 and r4c4"),
])
def test_wrong_options_give_one_line_that_says_what_is_allowed(options, message):
    with pytest.raises(InputError) as error:
        Sudoku(**options)
    assert str(error.value) == message


@pytest.mark.parametrize("content, message", [
    (b"1...\n....\n# rows\n..3\n....\n", "line 4 of {} has 3 cells; it must have 4, as many as there are rows"),
    (b"1...\n..x.\n....\n....\n", "line 2 of {} has 'x'; allowed: 1 to 4 and . 0 - for an empty cell"),
    (b"1...\n....\n....\n", "board {} has 3 rows; it must have 4, 9 or 16"),
    (b"\xff\xfe\x00", "board '{}' is neither a file (not a text file) nor 4, 9 or 16 rows joined by '/'"),
])
def test_a_faulty_file_gives_one_line_that_says_where(tmp_path, content, message):
    path = tmp_path / "puzzle.txt"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        Sudoku(board=path)
    assert str(error.value) == message.format(path)


def test_a_puzzle_with_a_cell_that_nothing_fits_is_over_at_once():
    state = Sudoku(board=NO_VALUE_LEFT).new_initial_state()
    assert state.is_terminal() and state.legal_actions() == []
    assert state.returns() == (4,)
    assert "no value left for r1c4" in str(state)


def test_the_drawings_tell_givens_assigned_values_and_a_dead_end_apart():
    state = Sudoku(board="12../...4/..../....").new_initial_state()
    state.apply_action(state.legal_actions()[0])        # r1c3=3
    assert text(state).splitlines()[1] == "1 2 | 3'!"
    drawing = svg(state)
    assert drawing.count('font-weight="bold"') == 3 and drawing.count("#2a6ebb") == 1 and drawing.count("#a11d00") == 1
    assert "<title>Sudoku 4 by 4: 4 of 16 cells, no value left for r1c4</title>" in drawing


def test_actions_are_written_as_row_column_and_value():
    game = Sudoku()
    state = game.new_initial_state()
    assert state.action_to_string(2 * 256 + 4 * 16 + 11) == "r3c5=c"
    assert game.code(state.position, 77) == 77 < game.num_codes()


SAME = """
import hashlib
from mctslab import Sudoku, make_searcher
digest = hashlib.sha256()
for game in (Sudoku(box=2, empty=0.9), Sudoku(box=3), Sudoku(board="1.../..../..../...4")):
    for searcher in ("sampling(simulations=5)", "nested(simulations=20)", "forward_checking(simulations=20)"):
        state = game.new_initial_state(2)
        result = make_searcher(searcher).search(state, seed=3)
        digest.update(repr((state.record.tolist(), result.actions, result.score, result.simulations)).encode())
print(digest.hexdigest())
"""


def test_interpreted_and_compiled_runs_are_the_same():
    def run(**flags):
        command = [sys.executable, "-c", SAME]
        return subprocess.run(command, env=os.environ | flags, capture_output=True, text=True, check=True).stdout
    assert run(NUMBA_DISABLE_JIT="1") == run(NUMBA_DISABLE_JIT="0") != ""
