"""A person against a searcher on the terminal: whole games, every command, wrong input, the end of the input."""
import io

import pytest
from conftest import small_game

from mctslab import GAMES, InputError, SearchResult, game
from mctslab.cli import main
from mctslab.games.nim import Nim
from mctslab.games.tictactoe import TicTacToe
from mctslab.play_terminal import ALLOWED, TerminalGame, list_moves
from mctslab.search.uct import UCT


class First:
    """An opponent who plays the first legal move."""

    name = "first"

    def check_game(self, game):
        pass

    def player(self, game):
        return self

    def search(self, state, seed):
        return SearchResult(state.legal_actions()[0])


def script(game, lines, searcher=None, **options):
    """(the game after these lines of input, was it finished, what was shown)"""
    lines, shown = iter(lines), []

    def ask(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None
    terminal = TerminalGame(game, searcher or First(), ask=ask, tell=shown.append, **options)
    return terminal, terminal.play(), shown


@pytest.fixture
def run(capsys, monkeypatch):
    """The command with lines on standard input; gives exit code, standard output and standard error."""
    def call(lines, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        with pytest.raises(SystemExit) as end:
            main(["play", *arguments])
        return end.value.code, *capsys.readouterr()
    return call


def test_a_whole_game_of_tictactoe_is_played_by_the_command(run):
    code, out, err = run(["c3"] + ["1"] * 9, "tictactoe", "--searcher", "uct", "--simulations", "50")
    assert code == 0 and err == ""
    assert out.startswith("\nTic-tac-toe: x to move\n. . .")
    assert "uct plays " in out and "(50 simulations, value 0." in out
    assert out.rstrip().rsplit("\n", 1)[-1] in ("you have won", "drawn", "uct has won")


def test_the_command_shows_the_same_twice(run):
    command = ["take 1", "2", "?", "hint"], "nim", "--searcher", "uct", "--simulations", "80", "--seed", "4", "--second"
    assert run(*command)[:2] == run(*command)[:2]


def test_a_person_who_plays_nim_well_wins():
    terminal = TerminalGame(Nim(heap=13, take=3), UCT(simulations=100), ask=None, tell=[].append)
    terminal.ask = lambda prompt: f"take {terminal.state.position.heap % 4}"
    assert terminal.play()
    assert terminal.outcome() == "you have won"


def test_the_second_player_sees_the_first_move():
    _, finished, shown = script(TicTacToe(), ["5", "b1", "c1"], person=1)
    assert shown[0] == "first plays a1"
    assert "x . ." in shown[1]
    assert not finished


def test_moves_are_known_by_name_in_any_spelling_and_by_number():
    terminal, _, _ = script(Nim(heap=15), ["  Take   3 ", "1"])
    assert terminal.state.position.heap == 15 - 3 - 1 - 1 - 1
    terminal, finished, shown = script(TicTacToe(), ["C1", "2", "3"])      # x: c1, b1 ... o: a1, a2
    assert terminal.plies == 6 and not finished


def test_undo_takes_back_the_last_move_and_its_answer():
    terminal, _, shown = script(TicTacToe(), ["b2", "c3", "undo", "undo", "undo", "c1"])
    boards = [text for text in shown if text.startswith("\nTic-tac-toe")]
    assert boards[3] == boards[1] and boards[4] == boards[0]
    assert shown.count("nothing to undo: you have not moved yet") == 1
    assert terminal.plies == 2 and terminal.state.position.cells[2] == 1


def test_after_an_undo_the_same_move_has_the_same_answer():
    _, _, shown = script(TicTacToe(), ["b2", "undo", "b2"], searcher=UCT(simulations=60))
    answers = [text for text in shown if text.startswith("uct plays")]
    assert len(answers) == 2 and answers[0] == answers[1]


@pytest.mark.parametrize("line", ["d9", "", "0", "10", "-1", "\u00b2", "take 1", "b2 b3", "quit now"])
def test_wrong_input_gives_one_clear_line_and_changes_nothing(line):
    terminal, _, shown = script(TicTacToe(), [line])
    assert shown[1] == f"no legal move {line!r}; {ALLOWED}"
    assert "\n" not in shown[1] and terminal.plies == 0


def test_a_move_played_already_is_not_legal():
    terminal, _, shown = script(TicTacToe(), ["b2", "a1", "b2"])
    assert [text for text in shown if text.startswith("no legal move")] == [
        f"no legal move {name!r}; {ALLOWED}" for name in ("a1", "b2")]


def test_moves_are_listed_with_their_numbers_and_sought_by_words():
    moves = [("take gold", 3), ("sell 2 cloth", 5), ("exchange gold for 2 Camels", 9)]
    assert list_moves(moves, []).splitlines() == ["1 take gold   2 sell 2 cloth   3 exchange gold for 2 Camels", ALLOWED]
    assert list_moves(moves, ["gold", "camel"]).splitlines() == ["3 exchange gold for 2 Camels", ALLOWED]
    assert list_moves(moves, ["silver"]).splitlines() == ["no move has these words", ALLOWED]
    many = list_moves([(f"move {i}", i) for i in range(200)], [])
    assert max(map(len, many.splitlines()[:-1])) <= 80 and "200 move 199" in many


def test_a_hint_is_the_searchers_move_and_changes_nothing():
    terminal, _, shown = script(TicTacToe(), ["a1", "a2", "hint"])
    assert shown[-2] == "first would play b2" and terminal.plies == 4


@game
class Twins(Nim):
    name = "twins"

    def action_to_string(g, s, a):
        return "some"


def test_moves_of_one_name_are_told_apart_by_number():
    terminal, _, shown = script(Twins(heap=9), ["some", "3"])
    assert shown[1] == "3 moves are called 'some': give the number of one (? lists them)"
    assert terminal.state.position.heap == 9 - 3 - 1


@pytest.mark.parametrize("lines", [[], ["b2"], ["quit"], ["?", "quit", "b2"]])
def test_the_end_of_the_input_and_quit_end_the_game_cleanly(run, lines):
    code, out, err = run(lines, "tictactoe", "--searcher", "flat", "--simulations", "20")
    assert code == 0 and err == ""
    assert out.endswith("\nthe game ends unfinished\n")


def test_an_interrupt_ends_the_game_cleanly():
    def interrupt(prompt):
        raise KeyboardInterrupt
    shown = []
    assert not TerminalGame(TicTacToe(), First(), ask=interrupt, tell=shown.append).play()
    assert shown[-1] == "\nthe game ends unfinished"


@pytest.mark.parametrize(("arguments", "message"), [
    (["nim", "--searcher", "uct", "--simulations", "5", "--seconds", "1"], "give --simulations or --seconds, not both"),
    (["left_move", "--searcher", "nested"], "left_move is a game of one player"),
    (["nim", "--searcher", "nested"], "nested searches games of 1 player; nim has 2"),
    (["nim", "--searcher", "nobody"], "unknown searcher 'nobody'"),
    (["nim"], "--searcher")])
def test_wrong_options_give_one_line_and_exit_code_2(run, arguments, message):
    code, out, err = run([], *arguments)
    assert code == 2 and out == ""
    assert err.count("\n") == 1 and message in err


@game
class HiddenNim(Nim):
    name = "hidden_nim"
    hidden = True


def test_a_game_that_hides_something_is_refused():
    with pytest.raises(InputError, match="hidden_nim hides cards from its players"):
        TerminalGame(HiddenNim(), First())


OPEN = [name for name, cls in GAMES.items() if cls.players == 2 and not cls.hidden]


@pytest.mark.parametrize("name", OPEN)
def test_every_open_game_of_two_players_can_be_played_with_moves_of_different_names(name):
    terminal, finished, shown = script(small_game(name), ["?"] + ["1"] * 12)
    assert finished or terminal.plies >= 24
    listed = [terminal.state.action_to_string(action) for action in terminal.state.legal_actions()]
    assert len(set(listed)) == len(listed)
    assert any(text.startswith("1 ") for text in shown)
