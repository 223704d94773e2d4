"""Workers: every task done once, whoever does it and whoever dies."""
import os
import signal
import time
from concurrent.futures import Future

import pytest

from mctslab import InputError
from mctslab.arena import play_task
from mctslab.study import Cell
from mctslab.workers import Cluster, Here, open_pool, spread

ROWS = [*Cell(("nim",), "uct(simulations=20)", 10, b="flat(simulations=9)").tasks("s", 1),
        *Cell(("leftmost(depth=9)",), "sampling", 3, trace=False).tasks("s", 1)]


def double(task):
    return 2 * task


def double_or_die(task):
    """Task 7 kills its worker, the first time if it is a file's path."""
    number, file = task
    if number == 7 and not (file and os.path.exists(file)):
        if file:
            open(file, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def sleep(task):
    time.sleep(0.02)
    return task


def fail(task):
    raise InputError(f"{task} is wrong")


def identify(task):
    return os.getpid()


@pytest.fixture(scope="module")
def two():
    with open_pool(2) as pool:
        yield pool


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as made:
        yield made


def rows(pool, **options):
    """The rows of ROWS without what may differ, in the order of the tasks."""
    found = dict(spread(play_task, ROWS, pool, **options))
    return [{key: value for key, value in found[task][0].items() if "seconds" not in key} for task in ROWS]


def test_each_task_is_done_once_by_one_worker_or_two(two):
    for pool in (open_pool(1), two):
        found = list(spread(double, range(300), pool))
        assert sorted(found) == [(n, 2 * n) for n in range(300)]


def test_rows_do_not_depend_on_who_plays(two):
    expected = rows(open_pool(1))
    assert rows(two) == rows(two, alone=True) == expected


def test_a_worker_that_dies_costs_only_what_it_was_at(two, tmp_path):
    tasks = [(n, str(tmp_path / "died")) for n in range(40)]
    assert sorted(result for _, result in spread(double_or_die, tasks, two)) == [2 * n for n in range(40)]


def test_a_task_at_which_every_worker_dies_is_named(two):
    found = []
    with pytest.raises(RuntimeError, match=r"4 workers died at \(7, ''\)"):
        for _, result in spread(double_or_die, [(n, "") for n in range(40)], two):
            found.append(result)
    assert sorted(found)[:7] == list(range(0, 14, 2)) and 14 not in found


def test_an_idle_worker_that_dies_is_replaced(two):
    list(spread(double, range(9), two))
    os.kill(next(spread(identify, [0], two))[1], signal.SIGKILL)
    assert len(list(spread(double, range(9), two))) == 9


def test_an_error_in_a_worker_is_raised_here_with_its_place(two):
    with pytest.raises(InputError, match="3 is wrong") as error:
        list(spread(fail, [3], two))
    assert "in fail" in str(error.value.__cause__)


def test_no_task_is_begun_after_the_deadline(two):
    for pool in (open_pool(1), two):
        assert list(spread(double, range(9), pool, deadline=time.monotonic())) == []
    assert 0 < len(list(spread(sleep, range(2000), two, deadline=time.monotonic() + 0.2))) < 100


def test_the_end_of_a_pool_is_the_end_of_its_workers():
    with open_pool(2) as pool:
        processes = {pid for _, pid in spread(identify, range(200), pool)}
        assert all(os.path.exists(f"/proc/{pid}") for pid in processes)
    assert processes and not any(os.path.exists(f"/proc/{pid}") for pid in processes)


def test_the_rows_of_a_cluster_are_those_of_one_worker(cluster):
    with open_pool(scheduler=cluster.scheduler_address) as pool:
        assert pool.slots(alone=False) == pool.slots(alone=True) == 2
        assert rows(pool) == rows(pool, alone=True) == rows(open_pool(1))


def test_a_worker_of_a_cluster_that_dies_costs_only_what_it_was_at(cluster, tmp_path):
    tasks = [(n, str(tmp_path / "died")) for n in range(40)]
    with open_pool(scheduler=cluster.scheduler_address) as pool:
        found = [result for _, result in spread(double_or_die, tasks, pool)]
    assert sorted(found) == [2 * n for n in range(40)]


def test_a_worker_with_other_sources_is_refused(cluster, monkeypatch):
    with open_pool(scheduler=cluster.scheduler_address) as pool:
        monkeypatch.setattr("mctslab.workers.source_digest", lambda: "others")
        with pytest.raises(RuntimeError, match="a worker has other sources of mctslab .*, not others"):
            list(spread(double, [1], pool))


def test_a_cluster_that_is_not_there_is_named(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("mctslab.workers.PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:1", "nonsense"):
        with pytest.raises(InputError, match=f"no Dask scheduler at '{address}'"):
            Cluster(address)


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(InputError, match=r"needs the package distributed: pip install -e '.\[cluster\]'"):
        Cluster("tcp://127.0.0.1:1")


def test_a_scheduler_that_goes_away_is_told():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as made, \
            open_pool(scheduler=made.scheduler_address) as pool:
        found = spread(sleep, range(2000), pool)
        assert next(found) == (0, 0)
        made.close()
        with pytest.raises(RuntimeError, match="the cluster's scheduler is gone"):
            list(found)


def test_a_cluster_that_no_worker_comes_to_is_left_at_the_deadline(monkeypatch):
    class Empty(Here):
        def slots(self, alone):
            return 0

        def submit(self, function, *args):
            return Future()
    monkeypatch.setattr("mctslab.workers.POLL", 0.01)
    assert list(spread(double, [1], Empty(), deadline=time.monotonic() + 0.05)) == []
