"""The command line as a user meets it: one line and exit code 2 for wrong input, the same output twice."""
import json

import pytest


@pytest.mark.parametrize("arguments, message", [
    (["solve", "left_mov", "--searcher", "nested"], "unknown game 'left_mov'; games: leftmost, left_move"),
    (["solve", "left_move(deep=3)", "--searcher", "nested"], "no option 'deep'; its options are: depth"),
    (["solve", "left_move(depth=0)", "--searcher", "nested"], "option depth of left_move is 0; it must be from 1"),
    (["solve", "left_move(depth=1.5)", "--searcher", "nested"], "depth of left_move is 1.5; it must be a whole number"),
    (["solve", "left_move", "--searcher", "nest"], "unknown searcher 'nest'; searchers: sampling, nested"),
    (["solve", "left_move", "--searcher", "nested(level=-1)"], "option level of nested is -1; it must be from 0 to 8"),
    (["solve", "left_move", "--searcher", "nested(replace=<)"], "replace of nested is '<'; allowed: >, >=, random"),
    (["solve", "left_move", "--searcher", "nested(simulations=-5)"], "simulations of nested is -5; it must be from 0 to"),
    (["solve", "left_move", "--searcher", "nested(playout=tabu)"], "no playout policy 'tabu'; allowed: uniform"),
    (["solve", "left_move", "--searcher", "nested", "--seconds", "0"], "0"),
    (["run", "nested_toy", "--time-limit", "nan"], "nan is not a finite number"),
    (["match", "nim", "--a", "uct", "--b", "flat", "--seconds", "inf"], "inf is not a finite number"),
    (["solve", "left_move(depth=3", "--searcher", "nested"], "is not of the form name"),
    (["solve", "left_move"], "--searcher"),
    (["solve", "jaipur", "--searcher", "ensemble"], "jaipur is a game of 2 players; solve needs one of 1 player"),
    (["run", "nested_tay"], "unknown study 'nested_tay'; studies: nested_toy"),
    (["run", "nested_toy", "--profile", "huge"], "unknown profile 'huge'; profiles: smoke, laptop, paper"),
    (["run", "nested_toy", "-p", "deep=3"], "no parameter 'deep'; its parameters are: profile, seed, depth"),
    (["run", "nested_toy", "-p", "depth=deep"], "parameter depth of 10_nested_toy.ipynb is 'deep'; it must be of type int"),
    (["run", "nested_toy", "-p", "depth=0", "--fresh"], "depth of left_move is 0; it must be from 1"),
    (["run", "nested_toy", "-p", "seed=-1"], "seed is -1; it must be a whole number, 0 or more"),
    (["run", "nested_morpion", "-p", "variants=6D"], "6D"),
    (["run", "nested_toy", "--profile", "smoke", "-p", "profile=paper"], "profile is given by --profile"),
    (["run", "nested_morpion", "-p", "variants="], "variants is ''; it must be one or more of 5D, 5T, 4D, 4T"),
    (["run", "nested_sudoku", "-p", "limit=0"], "limit is 0; it must be more than 0"),
    (["solve", "sudoku(board=/dev/zero)", "--searcher", "nested"], "'/dev/zero' is not a text file"),
    (["solve", "left_move", "--searcher", "nested(simulations=99999999999999999999)"], "simulations of nested is 9999999"),
    (["run", "nested_toy", "-p", "depth"], "not of the form NAME=VALUE"),
    (["run", "nested_toy", "--workers", "0"], "0"),
    (["run"], "name the studies to run, or give --all"),
    (["walk"], "walk"),
])
def test_wrong_input_gives_one_line_and_exit_code_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert code == 2 and out == ""
    assert err.count("\n") == 1 and message in err


def test_list_shows_every_game_searcher_and_study_with_options(run):
    code, out, _ = run("list")
    assert code == 0
    for text in ("left_move", "depth=60", "nested", "level=1", "nested_toy", "profile, seed, depth"):
        assert text in out


def test_solve_prints_the_same_twice(run):
    first = run("solve", "left_move(depth=12)", "--searcher", "nested(level=2)", "--seed", "3")
    second = run("solve", "left_move(depth=12)", "--searcher", "nested(level=2)", "--seed", "3")
    assert first[0] == 0 and first[:2] == second[:2]
    assert "score" in first[1] and "moves left" in first[1]


def test_the_json_of_solve_replays_and_differs_in_seconds_only(run):
    command = ("solve", "left_move(depth=12)", "--searcher", "nested(level=2)", "--json")
    first, second = (json.loads(run(*command)[1]) for _ in range(2))
    assert first["actions"].count(0) == first["score"] and first["simulations"] == 264
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


def test_solve_keeps_the_best_of_its_restarts(run):
    command = ("solve", "left_move", "--searcher", "nested", "--json", "--restarts")
    one, many = (json.loads(run(*command, n)[1]) for n in ("1", "20"))
    assert many["score"] >= one["score"] and many["simulations"] == 20 * one["simulations"]


def test_status_counts_rows(run, tmp_path, monkeypatch):
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    code, out, _ = run("status", "nested_toy", "--json")
    assert code == 0 and json.loads(out)["nested_toy"]["smoke"]["present"] == 0
