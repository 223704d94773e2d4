"""SameGame: public games replayed, a plain engine, the law of its playouts, boards of the user's, drawings."""
import os
import pickle
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

from mctslab import InputError, SameGame, make_game, make_searcher
from mctslab.core import below, jit, new_records, stream
from mctslab.games.samegame import colour_rows, group_cells
from mctslab.games.samegame_positions import POSITIONS

REPLAYS = pd.read_csv(Path(__file__).parent / "samegame_replays.csv", comment="#", index_col="position")
SVG = "{http://www.w3.org/2000/svg}"


class Plain:
    """The rules again, slowly: columns are lists of colours from the bottom, empty columns are not kept."""

    def __init__(self, state):
        self.rows, self.score = state.game.rows, 0
        columns = colour_rows(state.game, state.position)[::-1].T.tolist()
        self.columns = [[cell for cell in column if cell >= 0] for column in columns]
        self.columns = [column for column in self.columns if column]

    def colour(self, x, y):
        return self.columns[x][y] if 0 <= x < len(self.columns) and 0 <= y < len(self.columns[x]) else None

    def groups(self):
        """Action -> cells of each group."""
        groups, seen = {}, set()
        for x, y in [(x, y) for x, column in enumerate(self.columns) for y in range(len(column))]:
            group, todo = set(), [] if (x, y) in seen else [(x, y)]
            while todo:
                i, j = todo.pop()
                if (i, j) not in group and self.colour(i, j) == self.colour(x, y):
                    group.add((i, j))
                    todo += [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
            seen |= group
            if len(group) > 1:
                groups[x * self.rows + y] = group
        return groups

    def play(self, action):
        group = self.groups()[action]
        self.score += (len(group) - 2) ** 2
        columns = [[cell for y, cell in enumerate(column) if (x, y) not in group] for x, column in enumerate(self.columns)]
        self.columns = [column for column in columns if column]

    def count(self, colour):
        return sum(column.count(colour) for column in self.columns)

    def payoff(self, ending):
        left = [self.count(colour) for colour in range(10) if self.count(colour)]
        cost = {"bonus": 0, "colours": sum((m - 2) ** 2 for m in left), "blocks": sum(m * m for m in left)}[ending]
        return self.score - cost + (0 if left else 1000)


def start(spec, seed=0):
    return make_game(spec).new_initial_state(seed)


def playout(state, policy, seed):
    """The actions of one playout."""
    return make_searcher("sampling", simulations=1, playout=policy).search(state, seed).actions


# Rules

@pytest.mark.parametrize("position", range(1, 21))
def test_public_games_replay_to_their_group_sizes_and_scores(position):
    game, replay = REPLAYS.loc[position], {}
    for ending in ("bonus", "colours", "blocks"):
        state = make_game("samegame", position=position, ending=ending).new_initial_state()
        for move in game["moves_col_height:size"].split():
            x, y, size = map(int, move.replace(":", ",").split(","))
            group = group_cells(state.game, state.position, x * 15 + y)
            assert len(group) == size
            i, j = min(group)
            state.apply_action(i * 15 + j)
        assert state.position.score == game.sum_group_points
        replay[ending] = state.returns()[0]
    assert replay == {"bonus": game.score_bonus_only, "colours": game.score_bonus_minus_penalty_schadd,
                      "blocks": game.score_in_log}


def test_the_uncleared_public_game_costs_what_its_ending_says():
    assert (REPLAYS.cleared == 0).sum() == 1
    scores = REPLAYS.loc[20, ["score_bonus_only", "score_bonus_minus_penalty_schadd", "score_in_log"]]
    assert scores.tolist() == [3836, 3831, 3807]


def test_standard_positions_hold_the_known_numbers_of_each_colour():
    counts = {position: sorted(Counter(board).values()) for position, board in POSITIONS.items()}
    assert all(counts[position] == [45] * 5 for position in range(11, 16))
    assert all(counts[position] == [40, 40, 40, 40, 65] for position in range(16, 21))


@pytest.mark.parametrize("size", [
    dict(rows=1, cols=9, colours=2), dict(rows=9, cols=1, colours=2), dict(rows=5, cols=8, colours=3),
    dict(rows=32, cols=4, colours=2), dict(rows=15, cols=15, colours=5), dict(rows=15, cols=15, colours=10)])
def test_random_games_agree_with_the_plain_engine(size):
    for seed in range(6):
        ending = ("bonus", "colours", "blocks")[seed % 3]
        state = SameGame(**size, ending=ending).new_initial_state(seed)
        plain, random = Plain(state), np.random.default_rng(seed)
        while groups := plain.groups():
            assert state.legal_actions() == sorted(groups)
            action = int(random.choice(list(groups)))
            assert state.action_to_string(action).endswith(f":{len(groups[action])}")
            state.apply_action(action)
            plain.play(action)
            assert Plain(state).columns == plain.columns and state.position.score == plain.score
            assert not state.position.marked.any()
        assert state.is_terminal() and state.returns() == (plain.payoff(ending),)


def test_columns_close_up_only_when_one_is_empty():
    state = start("samegame(board=.0/10/12)")
    state.apply_action(4)
    assert str(state).splitlines()[1:] == ["..", "1.", "12"]
    state.apply_action(0)
    assert str(state).splitlines()[1:] == ["..", "..", "2."]


@pytest.mark.parametrize(("board", "bonus", "colours", "blocks"), [
    ("0/1", 0, -2, -2), ("010/101", 0, -2, -18), ("'00'", 1000, 1000, 1000), ("000/111", 1002, 1002, 1002)])
def test_endings_by_hand(board, bonus, colours, blocks):
    for ending, score in zip(("bonus", "colours", "blocks"), (bonus, colours, blocks)):
        state = start(f"samegame(board={board}, ending={ending})")
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        assert state.returns() == (score,)


@jit
def code_of(g, root, action):
    return g.code(root[0], action)


def test_a_group_keeps_its_code_while_other_blocks_go():
    state = start("samegame(position=1)")
    before = {action: code_of(state.game, state.record, action) for action in state.legal_actions()}
    assert len(set(before.values())) == len(before) and all(0 <= code < 2**16 for code in before.values())
    state.apply_action(max(before))
    after = [action for action in state.legal_actions() if action < 150]
    assert len(after) > 10 and all(code_of(state.game, state.record, action) == before[action] for action in after)


def test_codes_tell_colours_apart():
    states = [start(f"samegame(board={board})") for board in ("001/223", "112/330")]
    assert len({code_of(state.game, state.record, 1) for state in states}) == 2


# Playouts

@jit
def random_games(g, work, rng, games, buffer, out):
    """Games on random boards by the list of legal actions: length and mean number of groups of each."""
    s = work[0]
    for i in range(games):
        g.start(s, rng)
        while not g.is_terminal(s):
            n = np.int64(g.legal_actions(s, buffer))
            out[i, 0] += 1
            out[i, 1] += n
            g.play(s, np.int64(buffer[below(rng, n)]), rng)
        out[i, 1] /= out[i, 0]


def test_random_games_have_the_published_length_and_branching():
    g, out = SameGame(), np.zeros((4000, 2))
    random_games(g, new_records(g), stream(1, "test"), len(out), np.zeros(g.max_actions(), np.int32), out)
    length, branching = out.mean(axis=0)                # standard errors 0.085 and 0.03
    assert abs(length - 64.4) < 0.4 and abs(branching - 20.7) < 0.15


ARCH = "samegame(board=0001/0202/0202/3313)"            # the arch of 0 has two feet


def first_actions(spec, policy, n=3000):
    state = start(spec)
    return Counter(playout(state, policy, seed)[0] for seed in range(n))


def test_each_group_is_equally_likely():
    seen = first_actions(ARCH, "uniform")
    assert sorted(seen) == start(ARCH).legal_actions() and len(seen) == 4
    assert chisquare(list(seen.values())).pvalue > 0.001


def test_under_tabu_each_group_that_may_be_played_is_equally_likely():
    free = first_actions(ARCH, "tabu")                  # all of colour 0, the tabu colour, are one group
    assert len(free) == 4 and chisquare(list(free.values())).pvalue > 0.001
    strict = first_actions(ARCH.replace(")", ", clearing=false)"), "tabu")
    assert set(free) - set(strict) == {1} and chisquare(list(strict.values())).pvalue > 0.001


@pytest.mark.parametrize("policy", ["tabu", "tabu_playout"])
@pytest.mark.parametrize("clearing", [True, False])
def test_tabu_groups_wait_for_the_others_unless_they_clear_the_colour(policy, clearing):
    waited = cleared = differ = 0
    for seed in range(100):
        state = make_game("samegame", rows=7, cols=6, colours=3, clearing=clearing).new_initial_state(seed)
        old = np.argmax([Plain(state).count(colour) for colour in range(3)])
        for action in playout(state, "uniform", seed)[:4]:
            state.apply_action(action)
        new, plain = np.argmax([Plain(state).count(colour) for colour in range(3)]), Plain(state)
        tabu = old if policy == "tabu" else new
        differ += old != new
        for action in playout(state, policy, seed) if not state.is_terminal() else []:
            groups = plain.groups()
            colours = [plain.colour(*min(group)) for group in groups.values()]
            if plain.colour(*min(groups[action])) != tabu:
                waited += tabu in colours
            elif set(colours) != {tabu}:
                assert clearing and len(groups[action]) == plain.count(tabu)
                cleared += 1
            plain.play(action)
        assert not plain.groups()
    assert waited > 0 and differ > 0 and (cleared > 0) == clearing


SCRIPT = """
from mctslab import make_game, make_searcher
game = make_game("samegame(rows=7, cols=6, colours=3)")
for policy in game.playouts:
    r = make_searcher("sampling", simulations=20, playout=policy).search(game.new_initial_state(4), 3)
    print(r.score, r.actions, r.playout_plies)
"""


def test_interpreted_and_compiled_playouts_are_equal():
    runs = [subprocess.run([sys.executable, "-W", "error", "-c", SCRIPT], env=os.environ | {"NUMBA_DISABLE_JIT": off},
                           capture_output=True, text=True, check=True).stdout for off in "01"]
    assert runs[0] == runs[1] and len(runs[0].splitlines()) == 3


# Boards of the user's

@pytest.mark.parametrize("game", [
    SameGame(), SameGame(rows=20, cols=7, colours=3), SameGame(position=3), SameGame(board="0112/2201"),
    SameGame(board="0012"), SameGame(board="0/1/1", ending="colours"), SameGame(board=".0-/010/012"),
    SameGame(position=20, ending="blocks", clearing=False), SameGame(board=bytes([255, 0, 1, 1]), rows=2, cols=2)], ids=str)
def test_a_game_is_made_again_from_its_string(game):
    assert make_game(str(game)) == game and pickle.loads(pickle.dumps(game)) == game


def test_games_are_named_briefly():
    assert str(SameGame(position=3)) == "samegame(position=3)"
    assert str(SameGame(board=bytes([0, 1, 1, 2]), rows=2, cols=2)) == "samegame(board=01/12)"
    assert str(SameGame(board="0112")) == "samegame(board='0112')"


def test_a_board_file_has_its_size_and_colours(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("# a board\n\n.1.  # top\n012\n")
    game = SameGame(board=str(path))
    assert (game.rows, game.cols, game.colours) == (2, 3, 3) and game == SameGame(board=".1./012")


@pytest.mark.parametrize(("content", "message"), [
    ("012\n01\n", "line 2 has 2 cells; the rows above have 3"), ("# x\n012\n0R2\n", "line 3 has 'R'; allowed: a digit"),
    ("0 1\n", "line 1 has ' '"), ("", "the board has 0 rows; it must have from 1 to 32"),
    ("..\n..\n", "the board has 0 colours"),
    ("01\n.1\n", "line 2 is empty in column 1 below a block"), ("0.1\n", "empty column 2 left of a block"),
    ("0\n" * 33, "the board has 33 rows"), ("0" * 65, "the board has 65 cols")])
def test_a_bad_board_file_is_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "board.txt"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        SameGame(board=path)
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(("spec", "message"), [
    ("board=nowhere.txt", "board 'nowhere.txt': No such file"), ("board=01/12, rows=3", "rows is 3, but the board"),
    ("board=12", "board of samegame is 12; it must be a file or rows"), ("position=3, board=00/11", "it takes one of them"),
    ("board=01/12, colours=2", "colours is 2, but the board"), ("position=3, rows=10", "rows is 10; the standard"),
    ("position=21", "position of samegame is 21; it must be from 0 to 20"), ("colours=11", "from 1 to 10"),
    ("rows=0", "from 1 to 32"), ("cols=65", "from 1 to 64"), ("rows=two", "a whole number"),
    ("ending=other", "bonus, colours, blocks")])
def test_bad_options_are_refused_in_one_line(spec, message):
    with pytest.raises(InputError, match="^[^\n]*$") as error:
        make_game(f"samegame({spec})")
    assert message in str(error.value)


def test_bytes_must_fit_the_size():
    with pytest.raises(InputError, match="rows is 15, but the board"):
        SameGame(board=bytes(30))


# Drawings

def test_the_text_of_a_position_is_a_board_file(tmp_path):
    state, path = start("samegame(position=5)"), tmp_path / "board.txt"
    for action in playout(state, "uniform", 1)[:40]:
        state.apply_action(action)
    path.write_text(str(state))
    again = SameGame(board=path).new_initial_state()
    caption = f"# SameGame 15 by 15: {state.position.score} points, {len(state.legal_actions())} groups"
    assert str(state).splitlines()[0] == caption
    assert str(again).splitlines()[1:] == str(state).splitlines()[1:] and again.legal_actions() == state.legal_actions()


def test_the_svg_has_a_title_and_a_digit_on_each_block():
    state = start("samegame(rows=4, cols=30, colours=10)", seed=2)
    root = ET.fromstring(state._repr_html_())
    assert root.find(f"{SVG}title").text.startswith("SameGame 4 by 30: 0 points")
    texts = root.findall(f".//{SVG}text")
    assert Counter("".join(t.text for t in texts)) == Counter(map(str, colour_rows(state.game, state.position).ravel()))
    assert all(len(t.get("x").split()) == len(t.text) for t in texts)


def test_the_end_of_a_game_is_told_with_its_score():
    state = start("samegame(board=000/111)")
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert str(state).splitlines()[0] == "# SameGame 2 by 3: 0 blocks left, 1002 points"
