"""The runner: same rows on any number of workers, no game played twice, a killed run resumes."""
import signal
import subprocess
import sys
import time

import pytest

from mctslab import InputError, make_searcher, study
from mctslab.store import KEY, Store
from mctslab.study import Cell, Study, fill, missing, play_all, present

GRID = [Cell(("left_move(depth=12)",), "nested(level=2)", 6),
        Cell(("leftmost(depth=9)", "leftmost(depth=10)"), "sampling", 5)]
SETTLED = [*KEY, "game", "a", "score", "end", "a_simulations", "a_playout_plies"]


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A study of eleven games in a project folder of its own."""
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    entry = Study("small", "none", lambda profile: GRID, "")
    monkeypatch.setitem(study.STUDIES, "small", entry)
    return entry


def settled(store):
    return store.read()[SETTLED].to_dict("records")


def test_the_rows_do_not_depend_on_the_number_of_workers_or_the_order(small, tmp_path):
    tasks = small.tasks("smoke")
    one, two = Store(tmp_path / "one", "small"), Store(tmp_path / "two", "small")
    assert play_all(tasks, one, workers=1) == play_all(tasks[::-1], two, workers=2) == 11
    assert settled(one) == settled(two)


def test_a_second_run_plays_no_game_and_changes_no_byte(small, tmp_path):
    assert fill("small", "smoke") == (11, 11, 11)
    before = (tmp_path / "data/smoke/small.parquet").read_bytes()
    assert fill("small", "smoke") == (0, 11, 11)
    assert (tmp_path / "data/smoke/small.parquet").read_bytes() == before


def test_a_gap_is_filled_and_fresh_starts_anew(small, tmp_path):
    fill("small", "smoke")
    store = Store(tmp_path / "data/smoke", "small")
    frame, expected = store.read(), settled(store)
    store.clear()
    store.append(frame.drop(index=[0, 4]).to_dict("records"))
    assert fill("small", "smoke")[0] == 2
    assert settled(store) == expected
    assert fill("small", "smoke", fresh=True)[0] == 11


def test_the_runs_of_a_cell_cycle_through_its_games_with_seeds_of_their_own(small):
    tasks = [t for t in small.tasks("smoke") if t.a == "sampling"]
    assert [t.game for t in tasks] == ["leftmost(depth=9)", "leftmost(depth=10)"] * 2 + ["leftmost(depth=9)"]
    assert len({t.seed for t in small.tasks("smoke")}) == 11
    assert {t.seed for t in small.tasks("smoke", seed=1)}.isdisjoint({t.seed for t in small.tasks("smoke", seed=2)})


def test_rows_of_an_older_version_count_as_missing(small, tmp_path, monkeypatch):
    fill("small", "smoke")
    store = Store(tmp_path / "data/smoke", "small")
    monkeypatch.setattr("mctslab.search.Nested.version", 99)
    assert len(missing(store, small.tasks("smoke"))) == 6
    assert len(present(store, small.tasks("smoke"))) == 5


def test_a_time_limit_begins_no_further_game(small):
    played, there, wanted = fill("small", "smoke", time_limit=1e-9)
    assert played == there == 0 and wanted == 11


def test_unknown_profiles_and_parameters_are_named(small):
    with pytest.raises(InputError, match="'huge'; profiles: smoke, laptop, paper"):
        small.tasks("huge")
    with pytest.raises(InputError, match="no parameter 'depth'"):
        small.tasks("smoke", depth=3)


def test_every_study_has_cells_with_distinct_names_for_every_profile():
    for entry in study.STUDIES.values():
        for profile in study.PROFILES:
            names = [cell.name for cell in entry.grid(profile)]
            assert (names or entry.name == "claims") and len(set(names)) == len(names)      # the ledger plays no game


KILLED = """
import signal
import mctslab.study as study
signal.signal(signal.SIGINT, signal.default_int_handler)    # a background job starts with it ignored
study.FLUSH_SECONDS = 0
study.STUDIES["slow"] = study.Study("slow", "none", lambda profile: [
    study.Cell(("left_move(depth=30)",), "nested(level=3, restarts=3)", 60)], "")
print("ready", flush=True)
study.fill("slow", "smoke", workers=2)
"""


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_keeps_its_rows_and_the_next_one_goes_on(kill, tmp_path, monkeypatch):
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    process = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    store = Store(tmp_path / "data/smoke", "slow")
    while process.poll() is None and len(list(store.parts.glob("*.parquet"))) < 3:
        time.sleep(0.01)
    process.send_signal(kill)
    process.wait(60)
    kept = settled(store)
    assert 3 <= len(kept) < 60
    monkeypatch.setitem(study.STUDIES, "slow", Study("slow", "none", lambda profile: [
        Cell(("left_move(depth=30)",), "nested(level=3, restarts=3)", 60)], ""))
    played, there, wanted = fill("slow", "smoke")
    assert there == wanted == 60 and played == 60 - len(kept)
    assert all(row in settled(store) for row in kept)


MATCHES = [Cell(("tictactoe",), "uct(simulations=20)", 4, b="flat(simulations=9)"),
           Cell(("nim", "nim(heap=9)"), "flat(simulations=9)", 8, b="uct(simulations=20)")]


@pytest.fixture
def matches(tmp_path, monkeypatch):
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    monkeypatch.setitem(study.STUDIES, "matches", Study("matches", "none", lambda profile: MATCHES, ""))
    return "matches"


def test_the_games_of_a_pair_share_the_game_and_change_seats(matches):
    tasks = study.get_study(matches).tasks("smoke")
    assert [(t.pair, t.seat, t.game) for t in tasks[4:]] == [
        (pair, seat, ("nim", "nim(heap=9)")[pair % 2]) for pair in range(4) for seat in (0, 1)]
    assert len({t.seed for t in tasks}) == 12


def test_rows_of_two_players_know_both(matches, monkeypatch):
    rows = study.rows(matches, "smoke")
    assert len(rows) == 12 and set(rows["b"]) == {"flat(simulations=9)", "uct(simulations=20)"}
    assert fill(matches, "smoke")[0] == 0
    monkeypatch.setattr("mctslab.search.UCT.version", 99)
    assert fill(matches, "smoke")[0] == 12


def test_by_player_has_each_game_from_both_sides(matches):
    players = study.by_player(study.rows(matches, "smoke"))
    assert players.groupby(["cell", "pair", "seat"])["score"].sum().tolist() == [1.0] * 12
    flat = players[players["player"] == "flat"]
    assert set(flat["opponent"]) == {"uct"} and len(flat) == 12
    assert (flat["depth"] == 1).all()


ENSEMBLE = ["ensemble_static", "ensemble_trees", "ensemble_allocation", "ensemble_combined", "ensemble_time"]


@pytest.fixture(scope="module")
def grids():
    """The cells of each study of ensembles and profile, every game and searcher checked."""
    return {(name, profile): study.get_study(name).cells(profile) for name in ENSEMBLE for profile in study.PROFILES}


def players(cell):
    return [make_searcher(spec) for spec in (cell.a, cell.b) if spec]


def test_matches_have_an_even_number_of_games():
    for entry in study.STUDIES.values():
        for profile in study.PROFILES:
            assert not [cell.name for cell in entry.grid(profile) if cell.b and (cell.runs < 2 or cell.runs % 2)]


def test_smoke_is_small_and_laptop_has_25_pairs_in_every_cell(grids):
    for (name, profile), cells in grids.items():
        for cell in cells:
            assert profile != "smoke" or (cell.runs <= 4 and max(p.simulations for p in players(cell)) <= 50)
            assert profile == "smoke" or not cell.b or cell.runs >= 50
        assert profile != "smoke" or len(cells) <= 100, name


def test_both_players_of_a_match_have_the_same_budget(grids):
    for cells in grids.values():
        for cell in cells:
            assert len({(p.simulations, p.seconds) for p in players(cell)}) == 1, cell.name
            assert all((p.simulations > 0) != (p.seconds > 0) for p in players(cell))


def test_both_play_out_alike_but_where_that_is_the_question(grids):
    for cells in grids.values():
        for cell in cells:
            assert len({p.playout for p in players(cell)}) == 1 or cell.label.startswith("playouts on"), cell.name


def test_the_static_grid_is_rules_by_trees_by_budgets_on_three_games(grids):
    for profile, budgets in (("laptop", 3), ("paper", 3)):
        cells = [cell for cell in grids["ensemble_static", profile] if not cell.label]
        found = {(cell.games[0], p.trees, p.selection, p.simulations) for cell in cells for p in players(cell)[:1]}
        assert len(found) == len(cells) == 3 * 6 * 4 * budgets
        assert {p.name for cell in cells for p in players(cell)[1:]} == {"solmcts"}
        pairs = [cell.runs // 2 for cell in cells if players(cell)[0].selection == "visits" and cell.games[0] != "splendor"]
        assert sum(n >= 150 for n in pairs) >= 2 * 6 * 2


def test_the_paper_profile_has_the_budgets_of_the_paper(grids):
    for (name, profile), cells in grids.items():
        assert profile != "paper" or max(p.simulations for cell in cells for p in players(cell)) == 250_000
        if name == "ensemble_time":
            assert (1.0 in {p.seconds for cell in cells for p in players(cell)}) == (profile == "paper")


@pytest.mark.parametrize("games", ["hex", "jaipur chess", "", " ", "jaipur,splendor"])
@pytest.mark.parametrize("name", ENSEMBLE)
def test_games_that_a_study_of_ensembles_has_not_are_refused(name, games):
    with pytest.raises(InputError, match=f"games is '{games}'; it must be one or more of jaipur, lost_cities, splendor, "
                                         "separated by blanks"):
        study.get_study(name).cells("smoke", games=games)


def test_the_games_and_trees_of_a_study_can_be_chosen():
    cells = study.get_study("ensemble_trees").cells("laptop", games="splendor", trees=7)
    assert {cell.games for cell in cells} == {("splendor",)}
    assert {players(cell)[0].trees for cell in cells} == {7}
    with pytest.raises(InputError, match="trees of ensemble is 0"):
        study.get_study("ensemble_trees").cells("smoke", trees=0)


def test_single_turns_are_rows_without_an_opponent(tmp_path, monkeypatch):
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    turns = [Cell(("jaipur",), f"ensemble(simulations=40, allocation={a})", 3, "turn") for a in ("uniform", "greedy")]
    monkeypatch.setitem(study.STUDIES, "turns", Study("turns", "none", lambda profile: turns, ""))
    rows = study.rows("turns", "smoke", workers=2)
    assert len(rows) == 6 and rows["b"].isna().all() and rows["payoff_a"].isna().all()
    assert (rows.groupby("pair")["plies"].nunique() == 1).all() and (rows["a_simulations"] == 40).all()
    assert all(extra["action"] >= 0 and len(extra["trees"]) == 1 for extra in rows["extra"])
    assert fill("turns", "smoke") == (0, 6, 6)
