"""Hex: full boards, solved openings, counts of games, a plain flood fill, the law of the playouts, keys, drawings."""
import re
from itertools import chain, zip_longest
from math import comb, sqrt
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from conftest import code, playout, positions
from full_search import Oracle, count_games, read_key, stacks
from scipy.stats import chi2

from mctslab import InputError, make_game
from mctslab.core import below, jit, new_records, stream
from mctslab.draw.hex import read_board
from mctslab.games.hex import Hex, join, spread

OPENINGS = pd.read_csv(Path(__file__).with_name("hex_solved_openings.csv"), comment="#")
SVG = "{http://www.w3.org/2000/svg}"
Z = 4       # standard errors that a rate may be off


def winning_cells(size):
    table = OPENINGS[(OPENINGS["size"] == size) & (OPENINGS.wins == 1)]
    return set(table.cell)


def flood_fill(board, player):
    """Are the player's two edges joined? Said plainly, cell by cell."""
    board = board if player == 0 else board.T       # transposing the cells keeps who touches whom
    rows, cols = board.shape
    todo = [(0, col) for col in range(cols) if board[0, col] == player]
    seen = set(todo)
    while todo:
        row, col = todo.pop()
        for near in (row, col - 1), (row, col + 1), (row - 1, col), (row - 1, col + 1), (row + 1, col - 1), (row + 1, col):
            if 0 <= near[0] < rows and 0 <= near[1] < cols and near not in seen and board[near] == player:
                seen.add(near)
                todo.append(near)
    return any(row == rows - 1 for row, _ in seen)


@jit
def join_full_boards(rows, cols, stones, joined, result):
    """For every colouring, bit by bit: is player 0 joined, is player 1?"""
    for colouring in range(result.shape[0]):
        stones[:] = 0
        joined[:] = 0
        for cell in range(rows * cols):
            player = 1 - (colouring >> cell & 1)
            row, col = cell // cols, cell % cols
            stones[player, row if player == 0 else col] |= 1 << (col if player == 0 else row)
        result[colouring, 0] = join(stones[0], joined[0], rows)
        result[colouring, 1] = join(stones[1], joined[1], cols)


def full_boards(rows, cols):
    stones, result = np.zeros((2, 2, max(rows, cols) + 1), np.int32), np.zeros((1 << rows * cols, 2), np.int64)
    join_full_boards(rows, cols, *stones, result)
    return result


@pytest.mark.parametrize("rows, cols", [(1, 1), (2, 2), (3, 3), (4, 4), (1, 5), (5, 2), (3, 4), (4, 3)])
def test_every_full_board_has_exactly_one_winner(rows, cols):
    assert (full_boards(rows, cols).sum(1) == 1).all()


@pytest.mark.parametrize("rows, cols", [(3, 3), (2, 4), (4, 2)])
def test_the_winner_of_every_full_board_is_that_of_a_plain_flood_fill(rows, cols):
    for colouring, won in enumerate(full_boards(rows, cols)):
        board = 1 - (colouring >> np.arange(rows * cols) & 1).reshape(rows, cols)
        assert won.tolist() == [flood_fill(board, player) for player in range(2)]


def test_a_seed_spreads_over_its_run_of_stones_to_both_ends():
    rng = np.random.default_rng(1)
    for _ in range(300):
        line = "".join(rng.choice(["0", "1"], 20, p=[0.1, 0.9]))
        seeds = "".join(rng.choice(["0", "1"], 20, p=[0.9, 0.1]))
        runs = [run.span() for run in re.finditer("1+", line)]
        held = {i for start, end in runs if "1" in seeds[start:end] for i in range(start, end)}
        assert f"{spread(int(seeds, 2), int(line, 2)):020b}" == "".join("01"[i in held] for i in range(20))


@pytest.mark.parametrize("size, balanced", [(2, 3), (3, 84), (4, 6435)])
def test_the_first_player_has_half_of_all_colourings_and_his_share_of_the_balanced_ones(size, balanced):
    won = full_boards(size, size)[:, 0]
    assert won.sum() == len(won) // 2
    stones = np.array([colouring.bit_count() for colouring in range(len(won))])
    assert won[stones == (size * size + 1) // 2].sum() == balanced


@pytest.mark.parametrize("size", range(1, 5))
def test_the_winning_openings_of_small_boards_are_as_known(size):
    state = Hex(size=size).new_initial_state()
    assert {state.action_to_string(action) for action in Oracle().winning_actions(state)} == winning_cells(size)


@jit
def weigh_cells(g, states, depth, rng, trace, actions, weight):
    """What each cell is worth to the player to move, from random games; only the order of trying comes from it."""
    mover = np.int64(states[depth].turn)
    weight[depth] = 0
    for _ in range(100):
        states[depth + 1] = states[depth]
        n = g.playout(states[depth + 1], rng, trace, 0, actions)
        sign = 1 if states[depth + 1].winner == mover else -1
        for i in range(n):
            if trace[i] // g.cells() == mover:
                weight[depth, trace[i] % g.cells()] += sign


@jit
def prove(g, states, actions, tried, left, rng, proof, weight, trace, keys, wins, proofs):
    """Does the player to move in states[0] win? Depth first, with sets of cells as bits.

    The proof of a position is the set of empty cells that its winner's strategy may play. After a move that loses, the other
    moves outside of the opponent's proof lose as well, since he can answer as before; they are not tried.
    """
    depth = np.int64(0)
    tried[0] = -1
    while True:
        s = states[depth]
        slot = g.key(s) & np.uint64(keys.size - 1)
        known = True
        win = np.int64(0)
        if tried[depth] < 0:                                # a new position; where the game is over, the mover has lost
            proof[depth] = 0
            if keys[slot] == g.key(s):
                win = wins[slot]
                proof[depth] = proofs[slot]
            elif not g.is_terminal(s):
                known = False
                left[depth] = 0
                for i in range(g.legal_actions(s, actions)):
                    left[depth] |= 1 << actions[i]
                weigh_cells(g, states, depth, rng, trace, actions, weight)
        else:
            win = np.int64(left[depth] < 0)
            known = left[depth] <= 0
            if known:
                keys[slot] = g.key(s)
                wins[slot] = win
                proofs[slot] = proof[depth]
        if not known:
            tried[depth] = -1
            for cell in range(g.cells()):
                if left[depth] >> cell & 1 and (tried[depth] < 0 or weight[depth, cell] > weight[depth, tried[depth]]):
                    tried[depth] = cell
            states[depth + 1] = s
            g.play(states[depth + 1], tried[depth], rng)
            depth += 1
            tried[depth] = -1
        elif depth == 0:
            return win
        else:
            depth -= 1
            if win:
                left[depth] &= proof[depth + 1]
                proof[depth] |= proof[depth + 1]
            else:
                left[depth] = -1                            # found
                proof[depth] = proof[depth + 1] | 1 << tried[depth]


@pytest.mark.parametrize("size", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_a_search_by_proofs_finds_the_winning_openings(size):
    state, cells = Hex(size=size).new_initial_state(), size * size
    slots = 1 << 22
    tables = np.zeros(slots, np.uint64), np.zeros(slots, np.int8), np.zeros(slots, np.int64)
    names, found = [state.action_to_string(action) for action in range(cells)], set()
    for action in range((cells + 1) // 2):      # the other half is the same, turned by 180 degrees
        states, actions, tried, left = stacks(state.after([action]))
        space = np.zeros(cells + 2, np.int64), np.zeros((cells + 2, cells)), np.zeros(cells, np.int32)
        if not prove(state.game, states, actions[0], tried, left, stream(1, "prove"), *space, *tables):
            found |= {names[action], names[-1 - action]}
    assert found == winning_cells(size)


def test_the_table_of_openings_has_its_known_counts_and_is_symmetric():
    assert OPENINGS.groupby("size").wins.agg(["size", "sum"]).to_numpy().tolist() == [
        [1, 1], [4, 2], [9, 5], [16, 4], [25, 13]]
    for _, table in OPENINGS.groupby("size"):
        assert table.wins.tolist() == table.wins.tolist()[::-1]     # the board turned by 180 degrees


@pytest.mark.parametrize("rows, cols, payoff", [(3, 4, 1), (4, 3, 0)])
def test_the_player_with_the_shorter_way_wins_even_as_second(rows, cols, payoff):
    assert Oracle().value(Hex(size=rows, cols=cols).new_initial_state()) == payoff


@pytest.mark.parametrize("size, sequences, ended", [
    (2, [1, 4, 12, 24, 12], {3: 12, 4: 12}),
    (3, [1, 9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960], {5: 1440, 6: 5760, 7: 43200, 8: 86400, 9: 120960})])
def test_the_games_of_each_length_have_their_known_number(size, sequences, ended):
    counts = count_games(Hex(size=size))
    assert counts[:, 0].tolist() == sequences
    assert {ply: int(n) for ply, n in enumerate(counts[:, 1:].sum(1)) if n} == ended
    assert all(counts[ply, 3 if ply % 2 else 1] == n for ply, n in ended.items())      # who moved last has won


BOARDS = [Hex(size=7), Hex(size=3, cols=4), Hex(size=4, cols=3), Hex(size=1, cols=20), Hex(size=20)]


@pytest.mark.parametrize("game", BOARDS, ids=str)
def test_a_game_ends_as_soon_as_a_plain_flood_fill_finds_a_chain(game):
    for seed in range(3 if game.size == 20 else 20):
        for state, legal in positions(game, seed):
            board = read_board(state)
            assert legal == (np.flatnonzero(board < 0).tolist() if not state.is_terminal() else [])
            joined = [flood_fill(board, player) for player in range(2)]
            assert state.is_terminal() == any(joined)
        assert state.returns() == tuple(joined)


@pytest.mark.parametrize("game", BOARDS[:3], ids=str)
def test_each_players_moves_in_any_order_give_the_same_position(game):
    rng = np.random.default_rng(1)
    for _ in range(30):
        cells = rng.permutation(game.cells())[:min(game.size, game.width()) * 2 - 2]        # too few for a chain
        state = game.new_initial_state().after(cells)
        cells[::2], cells[1::2] = rng.permutation(cells[::2]), rng.permutation(cells[1::2])
        other = game.new_initial_state().after(cells)
        assert all(np.array_equal(state.position[name], other.position[name]) for name in ("key", "stones", "free", "turn"))
        assert other.legal_actions() == state.legal_actions()


def test_keys_are_equal_for_equal_positions_only():
    boards, keys = {}, {}
    for seed in range(300):
        for state, _ in positions(Hex(size=3), seed):
            board, key = read_board(state).tobytes(), read_key(state.game, state.record)
            assert key and boards.setdefault(key, board) == board and keys.setdefault(board, key) == key
    assert len(keys) > 1000


@jit
def sample(g, root, states, n, walk, rng, trace, buffer):
    """How many of n random games the first player wins, by playouts or by legal actions."""
    wins = 0
    s = states[0]
    for _ in range(n):
        states[0] = root[0]
        if walk:
            while not g.is_terminal(s):
                k = g.legal_actions(s, buffer)
                g.play(s, np.int64(buffer[below(rng, k)]), rng)
        else:
            g.playout(s, rng, trace, 0, buffer)
        wins += g.payoff(s) == 1.0
    return wins


def check_rate(game, n, walk, rate):
    buffers = np.zeros((2, game.cells()), np.int32)
    wins = sample(game, game.new_initial_state().record, new_records(game), n, walk, stream(1, "test"), *buffers)
    assert abs(wins / n - rate) < 0.0005 + Z * sqrt(rate * (1 - rate) / n)      # known rates are rounded


@pytest.mark.parametrize("size, rate", [(11, 0.523), (7, 0.545)])
def test_playouts_and_random_legal_actions_win_at_the_known_rate(size, rate):
    check_rate(Hex(size=size), 400_000, False, rate)
    check_rate(Hex(size=size), 40_000, True, rate)


@pytest.mark.parametrize("size, rate", [(2, 3 / 6), (3, 84 / 126), (4, 6435 / 12870)])
def test_playouts_win_at_the_exact_rate_of_small_boards(size, rate):
    check_rate(Hex(size=size), 100_000, False, rate)


@jit
def count_sets(g, root, states, n, rng, trace, buffer, counts):
    """How often the first player fills each set of cells."""
    for _ in range(n):
        states[0] = root[0]
        cells = 0
        for i in range(g.playout(states[0], rng, trace, 0, buffer)):
            if trace[i] < g.cells():
                cells |= 1 << trace[i]
        counts[cells] += 1


@pytest.mark.parametrize("moves, sets", [([4, 1], comb(7, 4)), ([4], comb(8, 4)), ([], comb(9, 5))])
def test_a_playout_gives_the_first_player_every_set_of_cells_alike(moves, sets):
    state, counts, n = Hex(size=3).new_initial_state().after(moves), np.zeros(512, np.int64), 100_000
    count_sets(state.game, state.record, new_records(state.game), n, stream(1, "test"), *np.zeros((2, 9), np.int32), counts)
    seen = counts[counts > 0]
    assert len(seen) == sets
    assert ((seen - n / sets) ** 2).sum() / (n / sets) < chi2.isf(1e-4, sets - 1)


@pytest.mark.parametrize("game", BOARDS[:2], ids=str)
def test_the_moves_of_a_playout_fill_the_board_and_win_as_it_says(game):
    for seed in range(20):
        for state, legal in positions(game, seed):
            end = state.clone()
            trace = playout(end, 0, seed)
            cells = [[c % game.cells() for c in trace if c // game.cells() == player] for player in range(2)]
            assert sorted(cells[0] + cells[1]) == legal
            assert abs(len(cells[0]) - len(cells[1])) < 2
            replay, mover = state.clone(), state.current_player()
            for cell in chain(*zip_longest(cells[mover], cells[1 - mover])):
                if cell is not None and not replay.is_terminal():
                    replay.apply_action(cell)
            assert end.is_terminal() and end.returns() == replay.returns()


def test_codes_tell_cell_and_player_and_names_are_the_usual_ones():
    state = Hex(size=3, cols=4).new_initial_state()
    assert [state.action_to_string(action) for action in (0, 3, 4, 11)] == ["a1", "d1", "a2", "d3"]
    assert [code(state, 5), code(state.after([0]), 5)] == [5, 17]
    assert Hex(size=20).new_initial_state().action_to_string(399) == "t20"


def test_a_board_goes_by_its_size_and_a_square_one_has_one_name():
    assert make_game("hex", size=5, cols=5) == make_game("hex(size=5)") != Hex(size=5, cols=6)
    assert [str(game) for game in (Hex(11, 11), Hex(5, 5), Hex(5, 6))] == ["hex", "hex(size=5)", "hex(size=5, cols=6)"]


@pytest.mark.parametrize("options, message", [({"size": 21}, "size of hex is 21; it must be from 1 to 20"),
                                              ({"cols": -1}, "cols of hex is -1; it must be from 0 to 20")])
def test_a_board_too_large_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        Hex(**options)


def test_the_drawings_show_each_stone_once_and_say_who_is_to_move():
    state = Hex(size=3, cols=4).new_initial_state().after([5, 2, 8])
    assert str(state).splitlines() == [
        "Hex 3 by 4: o (left to right) to move", "  a b c d", " 1 . . o .", "  2 . x . .", "   3 x . . ."]
    root = ElementTree.fromstring(state._repr_html_())
    assert root.find(f"{SVG}title").text == "Hex 3 by 4: o (left to right) to move"
    assert [node.text for node in root.iter(f"{SVG}text")] == ["x", "x", "o", *"abcd123"]
    assert str(state.after([11, 1])).startswith("Hex 3 by 4: x (top to bottom) has won")


def test_a_board_filled_by_a_playout_is_drawn_full():
    state = Hex(size=4).new_initial_state().after([0, 5, 3])
    playout(state, 0, seed=1)
    assert np.bincount(read_board(state).ravel()).tolist() == [8, 8]
