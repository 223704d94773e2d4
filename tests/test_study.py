"""The runner: same rows on any number of workers, no game played twice, a killed run resumes."""
import signal
import subprocess
import sys
import time

import pytest

from mctslab import InputError, study
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
            assert names and len(set(names)) == len(names)


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
