"""Go: a plain board, public positions, counts of positions and of games, superko, solved boards, playouts."""
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from conftest import playout, search_actions
from scipy.stats import chisquare
from stones_tools import ORACLES, PlainGo, Solver, count_sequences, read_board

from mctslab import InputError
from mctslab.core import jit, new_records, stream
from mctslab.games.go import Go
from mctslab.games.stones import LETTERS, action_of, area

VECTORS = pd.read_csv(Path(__file__).parent / "go_board_vectors.csv", comment="#", keep_default_na=False)
LONG = 250      # a cap that no test reaches
Z = 4           # standard errors that a mean may be off; the known means are rounded


def action(game, name):
    """The action with that name, ``C7`` or ``pass``."""
    if name == "pass":
        return game.size * game.columns()
    return (game.size - int(name[1:])) * game.columns() + LETTERS.index(name[0])


def play(game, names):
    return game.new_initial_state().after([action(game, name) for name in names.split()])


def ko_point(state):
    return state.action_to_string(action_of(state.game, int(state.position.ko))) if state.position.ko else ""


@pytest.mark.parametrize("row", list(VECTORS.itertuples()), ids=VECTORS.name)
def test_public_positions_come_out_as_published(row):
    state = Go(suicide=True).new_initial_state()
    for name in row.moves.split():
        stones = len(read_board(state))
        state.record["turn"] = "BW".index(name[0])
        state.apply_action(action(state.game, name[1:]))
    board = {cell: "XO"[player] for cell, player in read_board(state).items()}
    assert "/".join("".join(board.get((r, c), ".") for c in range(9)) for r in range(9)) == row.board
    assert (ko_point(state), area(state.record[0])) == (row.ko, row.score)
    if row.moves:
        assert stones + 1 - len(board) == row.captured + row.own


@pytest.mark.parametrize("options", [
    {"size": 9}, {"size": 5, "suicide": True}, {"size": 4, "cols": 7, "ko": "positional"}, {"size": 19, "cols": 2},
    {"size": 1, "cols": 7, "suicide": True}, {"size": 3, "ko": "positional", "suicide": True}, {"size": 2, "cols": 3}
], ids=str)
def test_the_fast_board_agrees_with_the_plain_one_at_every_ply(options):
    game = Go(**options, cap=LONG)
    for seed in range(3):
        state, plain, rng = game.new_initial_state(), PlainGo(game), np.random.default_rng(seed)
        while not state.is_terminal():
            assert read_board(state) == plain.board and area(state.record[0]) == plain.area()
            names = {row * game.columns() + col: (row, col) for row, col in plain.empty()}
            legal = [a for a, cell in names.items() if plain.is_legal(cell)]
            sensible = [a for a, cell in names.items() if plain.is_sensible(cell)]
            assert state.legal_actions() == [*legal, game.size * game.columns()]
            assert search_actions(state) == (sensible or [game.size * game.columns()])
            choice = rng.choice(legal) if legal and rng.random() < 0.95 else game.size * game.columns()
            state.apply_action(choice)
            plain.play(names.get(choice))
        assert plain.passes == 2 or (state.position.ply == LONG and game.is_capped(state.position))
        lead = plain.area() - game.komi
        assert state.returns()[0] == (lead > 0) + 0.5 * (lead == 0)


@jit
def count_legal(g, work, rng):
    """Count the ways to colour the board that come about stone by stone, without a capture or a suicide."""
    legal = 0
    cells = g.max_actions() - 1
    for colouring in range(3 ** cells):
        g.start(work[0], rng)
        rest = colouring
        stones = 0
        for a in range(cells):
            colour = rest % 3
            rest //= 3
            if colour > 0:
                stones += 1
                work[0].turn = colour - 1
                g.play(work[0], a, rng)
        legal += work[0].stones[0] + work[0].stones[1] == stones
    return legal


@pytest.mark.parametrize("rows, cols, legal", [(1, 1, 1), (1, 5, 113), (2, 2, 57), (2, 3, 489), (3, 3, 12675)])
def test_small_boards_have_as_many_legal_positions_as_known(rows, cols, legal):
    """OEIS A094777 for the squares. A colouring is legal if and only if no stone of it goes, in whatever order they come."""
    game = Go(rows, cols, cap=LONG)
    assert count_legal(game, new_records(game), stream(0, "count")) == legal


@pytest.mark.parametrize("rows, cols, ko, counts", [
    (2, 2, "positional", [1, 5, 21, 68, 156, 316, 604, 1088]), (2, 2, "simple", [1, 5, 21, 68, 156, 316, 604, 1168]),
    (1, 5, "positional", [1, 6, 29, 112, 333, 826, 1840, 3792]), (1, 5, "simple", [1, 6, 29, 112, 333, 828, 1860, 3954]),
    (3, 3, "positional", [1, 10, 91, 738, 5281, 33384]), (3, 3, "simple", [1, 10, 91, 738, 5281, 33384]),
    (4, 4, "simple", [1, 17, 273, 4112, 57984]), (5, 5, "simple", [1, 26, 651, 15650])])
def test_there_are_as_many_games_as_an_independent_engine_counted(rows, cols, ko, counts):
    assert count_sequences(Go(rows, cols, ko=ko, cap=LONG), len(counts) - 1)[0] == counts


@pytest.mark.parametrize("rows, ko, counts", [
    (2, "positional", [1, 4, 12, 24, 16, 32, 32, 16]), (2, "simple", [1, 4, 12, 24, 16, 32, 32, 32]),
    (3, "positional", [1, 9, 72, 504, 2976, 14720]), (4, "simple", [1, 16, 240, 3360, 43576]),
    (5, "simple", [1, 25, 600, 13800])])
def test_there_are_as_many_games_without_a_pass(rows, ko, counts):
    assert count_sequences(Go(rows, ko=ko, cap=LONG), len(counts) - 1, without=rows * rows)[0] == counts


@pytest.mark.parametrize("rows, cols, moves, banned", [
    (1, 3, "C1 A1 B1 A1", "C1"), (1, 4, "C1 A1 D1 B1", "C1"), (1, 5, "D1 B1 C1 E1", "D1"), (2, 2, "B1 A1 B2 A2 B1 B2", "B1"),
    (1, 3, "C1 B1 pass A1", "C1")])
def test_the_shortest_bans_of_superko_alone(rows, cols, moves, banned):
    for ko in "simple", "positional":
        game = Go(rows, cols, ko=ko, cap=LONG)
        assert (action(game, banned) in play(game, moves).legal_actions()) == (ko == "simple")


def black_leads(game_of, by, limit, at_limit, opening):
    """Does Black lead by so much in the end? What is not decided within the limit of plies is `at_limit`."""
    game = Go(*game_of, komi=by - 0.5, ko="positional", cap=LONG)
    return Solver(game, limit, at_limit, sort=True).black_wins(game.new_initial_state().after(opening))


@pytest.mark.parametrize("row", list(ORACLES[ORACLES.game == "go"].itertuples()), ids=lambda row: f"{row.rows}x{row.cols}")
def test_small_boards_have_their_known_values(row):
    """A value is proved twice: Black gets it, and not more, even if each long line is counted against the claim."""
    limit = 18 if row.rows == 3 else LONG
    openings = enumerate(row.openings.replace("/", " ").split())
    for opening, value in [([], row.result), *([[a], v] for a, v in openings)]:
        assert black_leads((row.rows, row.cols), int(value), limit, False, opening)
        assert not black_leads((row.rows, row.cols), int(value) + 1, limit, True, opening)


def test_two_passes_end_the_game_and_so_does_the_cap():
    passed, capped = play(Go(), "pass pass"), play(Go(cap=2), "E5 pass")
    assert passed.is_terminal() and not passed.game.is_capped(passed.position) and passed.returns() == (0, 1)
    assert capped.is_terminal() and capped.game.is_capped(capped.position) and capped.returns() == (1, 0)
    assert not play(Go(), "pass E5 pass").is_terminal()


def test_a_lead_of_the_komi_is_a_draw():
    assert play(Go(size=3, komi=9), "B2 pass pass").returns() == (0.5, 0.5)


def test_the_key_tells_apart_what_can_go_on_differently():
    def key(names, **options):
        state = play(Go(size=4, **options), names)
        return int(read_key(state.game, state.record))
    assert key("A1 B1 C1 D1") == key("C1 B1 A1 D1") != key("A1 C1 B1 D1")
    assert len({key(""), key("pass"), key("A1"), key("pass A1"), key("A1 pass")}) == 5
    ko = "B1 C1 A2 D2 B3 C3 C2 B2"           # White has just taken C2, which Black may not retake
    assert ko_point(play(Go(size=4), ko)) == "C2"
    assert key(f"{ko} D4 A4") != key("B1 C1 A2 D2 B3 C3 C2 A4 D4 B2")      # the same stones, no ko
    assert key("A1 B1 C1 D1", ko="positional") != key("C1 B1 A1 D1", ko="positional")


@jit
def read_key(g, root):
    return g.key(root[0])


@pytest.mark.parametrize("options", [
    {"size": 9}, {"size": 6, "ko": "positional", "cap": LONG}, {"size": 5, "suicide": True}], ids=str)
def test_a_playout_makes_search_actions_and_ends_where_they_lead(options):
    game = Go(**options)
    for seed in range(5):
        end, state = game.new_initial_state(), game.new_initial_state()
        for ply, code in enumerate(playout(end, 0, seed)):
            player, a = divmod(code, game.max_actions())
            assert player == ply % 2 and a in search_actions(state)
            state.apply_action(a)
        assert state.is_terminal() and read_board(end) == read_board(state) and end.returns() == state.returns()
        for field in "turn", "ko", "passes", "ply", "over", "last", "hash", "seen", "past":
            assert np.array_equal(end.record[field], state.record[field])


@jit
def sample(g, states, rng, trace, buffer, firsts, lengths):
    """First code and length of playouts from states[0]. Returns how many Black wins."""
    won = 0.0
    for i in range(firsts.size):
        states[1] = states[0]
        lengths[i] = g.playout(states[1], rng, trace, 0, buffer)
        firsts[i] = trace[0]
        won += g.payoff(states[1])
    return won


def sample_playouts(state, n):
    game, states = state.game, new_records(state.game, 2)
    states[0] = state.record[0]
    firsts, lengths = np.zeros(n, np.int64), np.zeros(n, np.int64)
    won = sample(game, states, stream(1, "sample"), np.zeros(game.max_length(), np.int32),
                 np.zeros(game.max_actions(), np.int32), firsts, lengths)
    return firsts, lengths, won / n


def test_the_first_move_of_a_playout_is_uniform_over_the_search_actions():
    game = Go(size=5)
    state = play(game, "A2 D5 B1 E4 B2 D4")      # A1 is an eye of Black's, who is to move, E5 one of White's
    allowed = search_actions(state)
    assert len(allowed) == 17 and len(state.legal_actions()) == 19
    firsts = sample_playouts(state, 20_000)[0]
    counts = np.bincount(firsts, minlength=game.num_codes())
    assert counts[allowed].sum() == 20_000
    assert chisquare(counts[allowed]).pvalue > 1e-4


def test_playouts_have_their_known_length_and_result():
    """110.0 plies and 42.0 % for Black in a prototype apart from this board, which did not count the last pass."""
    _, lengths, won = sample_playouts(Go().new_initial_state(), 50_000)
    assert abs(lengths.mean() - 111.0) < 0.1 + Z * lengths.std() / np.sqrt(50_000)
    assert abs(won - 0.42) < 0.001 + Z * np.sqrt(0.42 * 0.58 / 50_000)


@pytest.mark.parametrize("options, message", [
    ({"size": 20}, "option size of go is 20; it must be from 1 to 19"),
    ({"ko": "super"}, "option ko of go is 'super'; allowed: simple, positional"),
    ({"komi": "6"}, "option komi of go is '6'; it must be a number"),
    ({"cap": -1}, "option cap of go is -1; it must be from 0 to 5000")])
def test_a_wrong_option_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        Go(**options)


def test_the_drawings_show_stones_coordinates_the_last_move_and_the_ko():
    from mctslab.draw import stones
    state = play(Go(size=4), "B1 C1 A2 D2 B3 C3 C2 B2")
    assert stones.text(state).splitlines() == [
        "Go 4 by 4, move 8: Black to play", " 4  . . . .", " 3  . X O .", " 2  X(O). O", " 1  . X O .", "    A B C D"]
    root = ElementTree.fromstring(stones.svg(state))
    tags = [node.tag.split("}")[1] for node in root.iter()]
    assert tags.count("circle") == 7 + 1 and tags.count("rect") == 1 + 1
    assert stones.caption(play(Go(size=3), "B2 pass pass")) == "Go 3 by 3, move 3: Black wins by 1.5"
