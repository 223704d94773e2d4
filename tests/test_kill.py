"""Runs that end badly, as real processes: what was written stays whole, and the next run comes to the same rows."""
import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from mctslab import study
from mctslab.store import KEY, Store
from mctslab.study import Cell, Study, fill

GRID = [Cell(("left_move(depth=30)",), "nested(level=3, restarts=3)", 60),
        Cell(("nim(heap=30)",), "uct(simulations=3000)", 20, b="flat(simulations=3000)")]
SCRIPT = f"""
import json, signal
from mctslab import study
from mctslab.study import Cell
signal.signal(signal.SIGINT, signal.default_int_handler)    # a background job starts with it ignored
study.FLUSH_SECONDS = 0
study.STUDIES["killed"] = study.Study("killed", "none", lambda profile: {GRID}, "")
print(json.dumps(study.fill("killed", "smoke", workers=2)))
"""
TIMES = ["host", "a_seconds", "b_seconds", "extra"]       # the trace of improvements in `extra` has seconds, too


def start(project, **options):
    return subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=os.environ | {"MCTSLAB_PROJECT": str(project)}, **options)


def store_of(project):
    return Store(project / "data/smoke", "killed")


def settled(project):
    return store_of(project).read().drop(columns=TIMES).to_dict("records")


def workers_of(process):
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "popen_loky" in line]


def wait_for(condition, process=None):
    """Wait until something holds; fail when the process ends before."""
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end and (process is None or process.poll() is None), process and process.stderr.read()
        time.sleep(0.01)


def wait_for_parts(project, number, process):
    wait_for(lambda: len(list(store_of(project).parts.glob("*.parquet"))) >= number, process)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The rows of a run that nothing happens to."""
    project = tmp_path_factory.mktemp("undisturbed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MCTSLAB_PROJECT", str(project))
        patch.setitem(study.STUDIES, "killed", Study("killed", "none", lambda profile: GRID, ""))
        assert fill("killed", "smoke") == (80, 80, 80)
    return settled(project)


@pytest.fixture
def check(undisturbed, tmp_path, monkeypatch):
    """Are the rows on disk whole and right, and does the next run play exactly the others?"""
    def call():
        kept = settled(tmp_path)
        assert all(row in undisturbed for row in kept)
        assert not store_of(tmp_path).read().duplicated(KEY).any()
        monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
        monkeypatch.setitem(study.STUDIES, "killed", Study("killed", "none", lambda profile: GRID, ""))
        assert fill("killed", "smoke") == (80 - len(kept), 80, 80)
        assert settled(tmp_path) == undisturbed
        return kept
    return call


@pytest.mark.parametrize("kill", [signal.SIGINT, signal.SIGKILL])
def test_a_killed_run_keeps_what_came_and_its_workers_end(check, tmp_path, kill):
    run = start(tmp_path)
    wait_for_parts(tmp_path, 2, run)
    workers = workers_of(run)
    run.send_signal(kill)
    assert run.wait(60) != 0
    assert 2 <= len(check()) < 80
    assert len(workers) == 2
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in workers))


def test_a_killed_worker_costs_nothing_but_its_games(check, tmp_path):
    run = start(tmp_path)
    for parts in (1, 2):
        wait_for_parts(tmp_path, parts, run)
        os.kill(workers_of(run)[0], signal.SIGKILL)
    out, err = run.communicate(timeout=300)
    assert json.loads(out) == [80, 80, 80], err
    assert len(check()) == 80


def test_two_runs_at_once_lose_and_double_nothing(check, tmp_path):
    runs = [start(tmp_path) for _ in range(2)]
    assert [run.wait(300) for run in runs] == [0, 0]
    assert len(check()) == 80


def test_a_file_that_cannot_grow_is_told_and_nothing_is_torn(check, tmp_path):
    run = start(tmp_path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)))
    assert run.wait(300) != 0 and "File too large" in run.stderr.read()
    assert len(check()) < 80


@pytest.fixture
def small_disk(tmp_path):
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(tmp_path)], capture_output=True)
    if mounted.returncode:
        pytest.skip("needs the right to mount")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_full_disk_is_told_and_nothing_is_torn(check, small_disk):
    ballast = small_disk / "ballast"
    run = start(small_disk)
    wait_for_parts(small_disk, 1, run)
    with pytest.raises(OSError, match="No space"), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1000))
    assert run.wait(300) != 0 and "No space" in run.stderr.read()
    assert not [path for path in (small_disk / "data").rglob(".*") if path.suffix != ".lock"]
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=10m", str(small_disk)], check=True)
    assert 1 <= len(check()) < 80
