"""Games between two players: seats, seeds, and what a row says."""
import json

import pytest

from mctslab import InputError
from mctslab.arena import play_match
from mctslab.cli import main

GAME, A, B = "tictactoe", "uct(simulations=60)", "flat(simulations=30)"


@pytest.fixture(scope="module")
def rows():
    return play_match(GAME, A, B, games=8, seed=3)


def without_seconds(rows):
    return rows.drop(columns=["a_seconds", "b_seconds"]).to_dict("records")


def test_the_rows_do_not_depend_on_the_number_of_workers(rows):
    assert without_seconds(rows) == without_seconds(play_match(GAME, A, B, games=8, seed=3, workers=2))
    assert without_seconds(rows) != without_seconds(play_match(GAME, A, B, games=8, seed=4))


def test_players_change_sides_within_each_pair(rows):
    assert rows[["pair", "seat"]].to_numpy().tolist() == [[pair, seat] for pair in range(4) for seat in (0, 1)]
    assert set(rows["payoff_a"]) <= {0, 0.5, 1} and set(rows["end"]) == {"rules"}


def test_a_row_counts_the_simulations_of_each_players_own_moves(rows):
    for row in rows.itertuples():
        first, second = -(-row.plies // 2), row.plies // 2
        mine, theirs = (first, second) if row.seat == 0 else (second, first)
        assert row.a_simulations <= 60 * mine and row.b_simulations == 30 * theirs


def test_the_stronger_player_scores_more_whatever_its_name():
    strong, weak = "uct(simulations=400)", "flat(simulations=1)"
    assert play_match(GAME, strong, weak, games=20)["payoff_a"].mean() > 0.8
    assert play_match(GAME, weak, strong, games=20)["payoff_a"].mean() < 0.2


@pytest.mark.parametrize("games", [0, 3, -2])
def test_an_odd_number_of_games_is_refused(games):
    with pytest.raises(InputError, match=f"games is {games}; it must be even"):
        play_match(GAME, A, B, games=games)


def test_a_searcher_of_one_player_is_refused():
    with pytest.raises(InputError, match="nested searches games of 1 player; tictactoe has 2"):
        play_match(GAME, "nested", B, games=2)


def test_the_match_command_prints_the_same_twice_and_its_json_holds_the_rows(capsys):
    command = ["match", "hex(size=4)", "--a", "mcps", "--b", "grave", "--simulations", "50", "--games", "4", "--seed", "1"]
    shown = []
    for more in ([], ["--workers", "2"], ["--json"]):
        with pytest.raises(SystemExit) as end:
            main(command + more)
        assert end.value.code == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] and "95 % interval" in shown[0] and "2 pairs" in shown[0]
    told = json.loads(shown[2])
    assert len(told["games"]) == 4 and told["pairs"] == 2 and told["low"] <= told["mean_a"] <= told["high"]
