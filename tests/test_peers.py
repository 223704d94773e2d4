"""Rules in lock-step with other programs, where they are installed: OpenSpiel (pip) and GNU Go (Debian's gnugo)."""
import os
import shutil
import subprocess

import numpy as np
import pytest
from stones_tools import read_board

from mctslab import make_game
from mctslab.games.go import Go
from mctslab.games.stones import BLACK, WHITE, action_name, board_rows

GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))     # Debian's place for it
needs_gnugo = pytest.mark.skipif(not GNUGO, reason="needs GNU Go")
COLOURS = "black", "white"


def any_of(legal, rng):
    return int(rng.choice(legal))


def rarely_pass(legal, rng):
    """One of the legal actions of Go, the last of which is the pass."""
    return int(rng.choice(legal[:-1])) if len(legal) > 1 and rng.random() < 0.98 else legal[-1]


def random_game(ours, theirs, rng, pick):
    """Play a random game in OpenSpiel's state and ours, which must agree at every ply. Yields the actions."""
    while not theirs.is_terminal():
        legal = sorted(ours.legal_actions())
        assert legal == sorted(theirs.legal_actions())
        assert ours.current_player() == theirs.current_player()
        choice = pick(legal, rng)
        ours.apply_action(choice)
        theirs.apply_action(choice)
        yield choice


def openspiel(name, **options):
    return pytest.importorskip("pyspiel").load_game(name, options)


@pytest.mark.parametrize("game, name, options, games", [
    ("tictactoe", "tic_tac_toe", {}, 200), ("hex(size=2)", "hex", {"board_size": 2}, 50),
    ("hex(size=5)", "hex", {"board_size": 5}, 50), ("hex", "hex", {"board_size": 11}, 10),
    ("hex(size=3, cols=7)", "hex", {"num_rows": 3, "num_cols": 7}, 50),
    ("hex(size=6, cols=4)", "hex", {"num_rows": 6, "num_cols": 4}, 50)])
def test_random_games_of_hex_and_tictactoe_agree_with_openspiel(game, name, options, games):
    rng, results = np.random.default_rng(1), set()
    for _ in range(games):
        ours, theirs = make_game(game).new_initial_state(), openspiel(name, **options).new_initial_state()
        for _ in random_game(ours, theirs, rng, any_of):
            pass
        assert ours.is_terminal() and theirs.returns() == [2 * r - 1 for r in ours.returns()]
        results.add(ours.returns()[0])
    assert results == ({0, 0.5, 1} if game == "tictactoe" else {0, 1})


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_random_games_of_go_agree_with_openspiel(size):
    """Its game ends as a draw when a position comes back; ours goes on, since its legal actions know the simple ko only."""
    cap, rng, ends = 2 * size * size, np.random.default_rng(1), {"repetition": 0, "cap": 0, "passes": 0}
    for _ in range(30 if size < 9 else 10):
        ours = Go(size=size, cap=cap).new_initial_state()
        theirs = openspiel("go", board_size=size, komi=7.5, max_game_length=cap).new_initial_state()
        boards, choices = [{}], []
        for choice in random_game(ours, theirs, rng, rarely_pass):
            boards.append(read_board(ours))
            choices.append(choice)
        if boards[-1] in boards[:-1] and choices[-1] != size * size:
            assert theirs.returns() == [0, 0]
            ends["repetition"] += 1
        else:
            assert ours.is_terminal() and theirs.returns() == [2 * r - 1 for r in ours.returns()]
            ends["cap" if ours.is_capped() else "passes"] += 1
    assert ends["cap"] + ends["passes"] > 0 and (ends["repetition"] > 0 or size > 3)


class GnuGo:
    """GNU Go on an empty square board, asked over the Go Text Protocol."""

    def __init__(self, size, *options):
        self.process = subprocess.Popen([GNUGO, "--mode", "gtp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.ask(f"boardsize {size}", "clear_board")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate("quit\n")

    def ask(self, *commands):
        """The answers, each a list of words."""
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()
        return [self.answer(command) for command in commands]

    def answer(self, command):
        lines = list(iter(self.process.stdout.readline, "\n"))
        assert lines and lines[0].startswith("="), f"{command}: {lines}"
        return " ".join(lines)[1:].split()

    def legal(self, colour):
        """Names of the points where a colour may play."""
        return set(self.ask(f"all_legal {colour}")[0])

    def captures(self):
        """How many stones both colours have taken."""
        return sum(int(count) for (count,) in self.ask(*(f"captures {colour}" for colour in COLOURS)))

    def capturing(self, colour, names):
        """The moves among these that would take something."""
        taken = int(self.ask(f"captures {colour}")[0][0])
        tries = [command for name in names for command in (f"trymove {colour} {name}", f"captures {colour}", "popgo")]
        return {name for name, (count,) in zip(names, self.ask(*tries)[1::3], strict=True) if int(count) > taken}

    def board(self):
        """The stones of each colour."""
        return [set(stones) for stones in self.ask(*(f"list_stones {colour}" for colour in COLOURS))]


def names(state, actions):
    return {action_name(state.game, a) for a in actions}


def stones(state):
    rows = board_rows(state.game, state.position).ravel()
    return [names(state, np.flatnonzero(rows == stone).tolist()) for stone in (BLACK, WHITE)]


def play_on_both(state, peer, choice):
    peer.ask(f"play {COLOURS[state.current_player()]} {state.action_to_string(choice)}")
    state.apply_action(choice)
    assert stones(state) == peer.board()


KO = {"simple": "--simple-ko", "positional": "--positional-superko"}
SUICIDE = {False: "--forbid-suicide", True: "--allow-all-suicide"}


@needs_gnugo
@pytest.mark.parametrize("ko, suicide, size, plies", [
    ("simple", False, 3, 300), ("simple", False, 6, 300), ("simple", False, 9, 150), ("simple", True, 3, 300),
    ("simple", True, 6, 300), ("positional", False, 2, 100), ("positional", False, 3, 300), ("positional", False, 4, 300)])
def test_random_games_of_go_agree_with_gnugo_under_each_rule(ko, suicide, size, plies):
    """Superko with suicide is not tried: GNU Go 3.8 allows suicides that bring back a position."""
    rng, bans = np.random.default_rng(size), 0
    while plies > 0:
        state = Go(size=size, ko=ko, suicide=suicide, cap=400).new_initial_state()
        with GnuGo(size, KO[ko], SUICIDE[suicide]) as peer:
            while not state.is_terminal() and plies > 0:
                legal = state.legal_actions()
                assert names(state, legal[:-1]) == peer.legal(COLOURS[state.current_player()])
                bans += banned_by_ko(state, legal)
                play_on_both(state, peer, rarely_pass(legal, rng))
                plies -= 1
    assert bans > 0


def banned_by_ko(state, legal):
    """How many points the ko rule alone forbids: those that are legal when nothing is known of the past."""
    free = Go(size=state.game.size, suicide=state.game.suicide).new_initial_state()
    for field in set(free.record.dtype.names) - {"ko", "seen", "past"}:
        free.record[field] = state.record[field]
    return len(free.legal_actions()) - len(legal)


@needs_gnugo
@pytest.mark.parametrize("name, size", [("nogo", 1), ("nogo", 3), ("nogo", 5), ("nogo", 7), ("atari_go", 3), ("atari_go", 5),
                                        ("atari_go", 9)])
def test_random_games_of_nogo_and_atarigo_agree_with_gnugo_without_ko(name, size):
    """NoGo: what GNU Go allows and what takes nothing. AtariGo: what it allows, until something is taken."""
    rng, taken = np.random.default_rng(size), 0
    for _ in range(5):
        state = make_game(name, size=size).new_initial_state()
        with GnuGo(size, "--no-ko", "--forbid-suicide") as peer:
            while True:
                colour = COLOURS[state.current_player()]
                allowed = peer.legal(colour) if name == "nogo" or not peer.captures() else set()
                expected = allowed - peer.capturing(colour, sorted(allowed)) if name == "nogo" else allowed
                assert names(state, state.legal_actions()) == expected
                if not expected:
                    break
                play_on_both(state, peer, any_of(state.legal_actions(), rng))
            assert state.is_terminal() and state.returns()[state.current_player()] == 0
            taken += peer.captures()
    assert (taken > 0) == (name == "atari_go")
