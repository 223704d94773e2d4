"""Games between two players: seats, seeds, and what a row says."""
import json

import pytest

from mctslab import InputError, arena
from mctslab.arena import Task, make_row, make_rows, play_match
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


# What an ensemble tells in a row; card games

BUDGET, DEALS = 60, 4
DYNAMIC = f"ensemble(trees=3, selection=voting, dynamic=true, l_up=1, l_down=1, max_trees=6, simulations={BUDGET})"
FREEZE = f"ensemble(trees=2, selection=voting, allocation=freeze, delta=1, simulations={BUDGET})"
LISTS = "trees", "actions", "margin", "margin_removed"


@pytest.fixture(scope="module")
def cards():
    return play_match("jaipur", DYNAMIC, FREEZE, games=4, seed=2)


def told(rows):
    """(row, side, facts) for both players of each game."""
    return [(row, side, json.loads(row["extra"])[side]) for row in rows.to_dict("records") for side in "ab"]


def test_a_row_has_an_entry_for_each_turn_that_was_searched(cards):
    for row, side, facts in told(cards):
        turns = len(facts["trees"])
        assert [len(facts[name]) for name in LISTS] == [turns] * 4
        assert 5 < turns <= -(-row["plies"] // 2)
        assert row[f"{side}_simulations"] == BUDGET * turns - facts["simulations_saved"]
        assert min(facts["actions"]) >= 2
        assert all(1 <= up <= 4 and 1 <= down <= 4 for up, down in zip(facts["margin"], facts["margin_removed"]))
        assert all(0 <= facts[name] <= 1 for name in ("tilt", "locked", "pruned"))


def test_the_facts_of_a_row_are_those_of_its_side_in_either_seat(cards):
    for _, side, facts in told(cards):
        if side == "b":
            assert set(facts["trees"]) == {2} and facts["pruned"] > 0 and facts["simulations_saved"] > 0
        else:
            assert facts["trees"][0] == 3 and max(facts["trees"]) > 3
            assert facts["pruned"] == facts["simulations_saved"] == facts["nodes_saved"] == 0


def test_the_path_of_trees_follows_the_margins_of_its_row(cards):
    seen = set()
    for _, _, facts in [facts for facts in told(cards) if facts[1] == "a"]:
        trees, path = 3, []         # anew in each game
        for up, down in zip(facts["margin"], facts["margin_removed"]):
            path.append(trees)
            if up <= 1 and trees < 6:
                trees += 1
            elif down > min(2, trees - 1) and trees > 1:
                trees -= 1
        assert facts["trees"] == path
        seen |= {after - before for before, after in zip(path, path[1:])}
    assert seen == {-1, 0, 1}


def test_a_players_facts_and_moves_do_not_depend_on_the_number_of_workers(cards):
    assert without_seconds(cards) == without_seconds(play_match("jaipur", DYNAMIC, FREEZE, games=4, seed=2, workers=2))


def test_a_row_of_players_that_have_nothing_to_tell_is_without_facts(rows):
    assert "extra" not in rows
    row = play_match("jaipur", DYNAMIC, "solmcts(simulations=5)", games=2).iloc[0]
    assert list(json.loads(row["extra"])) == ["a"]


@pytest.mark.parametrize("game", ["jaipur", "lost_cities", "splendor"])
def test_a_game_that_its_cap_has_ended_says_so_and_has_a_result_as_it_stands(game):
    ends = [play_match(f"{game}(cap={cap})", DYNAMIC, "solmcts(simulations=5)", games=2) for cap in (5, 400)]
    assert [set(rows["end"]) for rows in ends] == [{"cap"}, {"rules"}]
    assert set(ends[0]["plies"]) <= {5, 6} and set(ends[0]["payoff_a"]) <= {0, 0.5, 1}


def test_all_arms_and_both_seats_meet_the_same_deals(monkeypatch):
    deals, derive = [], arena.derive_seed
    monkeypatch.setattr(arena, "derive_seed", lambda *key: deals.append((key[-1] == "deal", derive(*key))) or derive(*key))
    for cell, a in ("one", "flat(simulations=2)"), ("two", "flat(simulations=9)"):
        for pair, seat in (0, 0), (0, 1), (1, 0), (1, 1):
            arena.make_row(Task("some", cell, pair, seat, 2 * pair + seat, 7, GAME, a, B))
    found = [seed for is_deal, seed in deals if is_deal]
    assert found == 2 * [found[0], found[0], found[2], found[2]] and found[0] != found[2]


# Single turns


def search_turn(options, pair=0, game="jaipur", study="some", master=7):
    a = f"ensemble(trees=4, simulations=200, {options})"
    row = make_row(Task(study, a, pair, 0, pair, master, game, a))
    return row | json.loads(row["extra"])


def test_all_searchers_meet_the_same_position_where_there_is_a_choice():
    plies = []
    for pair in range(DEALS):
        one, two = search_turn("selection=borda", pair), search_turn("dynamic=true, reward=score", pair, study="other")
        assert one["plies"] == two["plies"] and one["actions"] == two["actions"] and min(one["actions"]) > 1
        assert len(one["trees"]) == 1 and one["a_simulations"] == 200
        assert "payoff_a" not in one and "b" not in one
        plies.append((one["plies"], *one["actions"]))
    assert len(set(plies)) == DEALS
    assert [search_turn("selection=borda", pair, master=8)["plies"] for pair in range(DEALS)] != [ply for ply, _ in plies]


def what_was_found(row):
    return [row[name] for name in ("action", "a_depth", "a_playout_plies", "margin", "margin_removed", "nodes_saved")]


def test_searchers_with_the_same_seed_differ_only_by_what_they_do_with_it():
    for pair in range(DEALS):
        uniform = search_turn("selection=score", pair)
        for same in ("allocation=pruning, delta=1e-12", "allocation=freeze, delta=1e-12", "allocation=greedy, start=1.0"):
            other = search_turn(f"selection=score, {same}", pair)
            assert other["pruned"] == 0 and what_was_found(other) == what_was_found(uniform)
    assert what_was_found(search_turn("selection=score, allocation=pruning, delta=1")) != what_was_found(search_turn(
        "selection=score"))


def test_single_turns_are_the_same_on_any_number_of_workers_and_whatever_came_before():
    tasks = [Task("some", a, pair, 0, pair, 7, game, a) for game, a in (
        ("jaipur", "ensemble(simulations=50)"), ("jaipur", "solmcts(simulations=50)"), (GAME, "uct(simulations=50)"))
        for pair in range(DEALS)]
    found = []
    for workers in 1, 2:
        arena.turn.cache_clear()
        ended = make_rows(tasks[::(-1) ** workers], workers)
        found.append(sorted(str(row | {"a_seconds": 0}) for row in ended))
    assert found[0] == found[1] and len(set(found[0])) == len(tasks)


def test_a_single_turn_is_one_of_the_first_games_of_two_quick_searches():
    state, plies = arena.turn("jaipur", 5)
    assert state.position.ply == plies
    assert len(state.legal_actions()) > 1 and not state.is_terminal()
    again, _ = arena.turn("jaipur", 5)
    again.clone().apply_action(again.legal_actions()[0])
    assert again.position.ply == plies          # searches leave it alone
