"""Who does the work: this process, worker processes of this machine, or those of a Dask cluster, behind one interface.

Processes rather than threads: what a search does in Python holds Python's lock, and games with small budgets do much there.
A worker that dies costs what it was at, and that is done again; and a worker dies with its parent, however that ended.
"""
import hashlib
import logging
import os
import signal
import socket
import time
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import nullcontext, suppress
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from urllib.parse import urlsplit

from loky import ProcessPoolExecutor

from .core import InputError

BATCH = 64              # tasks that a worker is given at once, at most; it returns those that it had no time for
BATCH_SECONDS = 0.5
TRIES = 3               # a task at which workers die more often is at fault itself
POLL = 1                # seconds between looks at what has changed
PATIENCE = 10           # seconds for a cluster's scheduler to answer
GONE = "the cluster's scheduler is gone; finished games are kept"
ALONE = Lock()


def spread(function, tasks, pool, deadline=float("inf"), alone=False):
    """Give tasks to workers in batches.

    Parameters
    ----------
    function : callable
        Of a module, so that it has a name elsewhere; does one task.
    tasks : iterable
        Hashable, in the order to be begun.
    pool : Executor
        From `open_pool`.
    deadline : float
        Value of ``time.monotonic()`` after which no task is begun.
    alone : bool
        One task at a time in this machine's pool or in each worker of a cluster, for those whose time is measured.

    Yields
    ------
    (task, result)
        As they come.
    """
    queue, running, deaths = deque(tasks), {}, Counter()
    while True:
        slots = max(1, pool.slots(alone))
        while queue and len(running) < slots and (left := deadline - time.monotonic()) > 0:
            # A death may break others' batches off, too: what was begun then is done again by itself, to find whose it was.
            if running and any(deaths[batch[0]] for batch in (queue, *running.values())):
                break
            # Fewer towards the end, so that no worker holds what others could do.
            size = 1 if deaths[queue[0]] else max(1, min(pool.batch, len(queue) // (4 * slots)))
            batch = [queue.popleft() for _ in range(size)]
            running[pool.submit(do_batch, function, batch, min(BATCH_SECONDS, left), alone)] = batch
        if not running:
            return
        done = wait(running, POLL, FIRST_COMPLETED).done
        if not done and time.monotonic() > deadline and not pool.slots(alone):      # no worker has come to a cluster
            return
        for future in done:
            batch = running.pop(future)
            try:
                results = future.result()
            except pool.died:
                deaths.update(batch)
                if deaths[batch[0]] > TRIES:
                    raise RuntimeError(f"{deaths[batch[0]]} workers died at {batch[0]}") from None
                results = []
            except CancelledError:
                raise RuntimeError(GONE) from None
            queue.extendleft(reversed(batch[len(results):]))
            yield from zip(batch, results)


def do_batch(function, tasks, seconds, alone):
    """Results of the first tasks: as many as are begun within so many seconds, at least one."""
    end, results = time.monotonic() + seconds, []
    with ALONE if alone else nullcontext():
        for task in tasks:
            results.append(function(task))
            if time.monotonic() > end:
                break
    return results


def open_pool(workers=1, scheduler=None):
    """A pool for `spread`: a context manager whose end is the end of its workers.

    Parameters
    ----------
    workers : int
        Processes of this machine; 1 is this process itself.
    scheduler : str or None
        Address of a Dask scheduler, e.g. ``"tcp://127.0.0.1:8786"``, whose workers are used instead.
    """
    return Cluster(scheduler) if scheduler else Processes(workers) if workers > 1 else Here()


class Here(Executor):
    """No worker but this process."""

    batch, died = 1, BrokenExecutor

    def slots(self, alone):
        return 1

    def submit(self, function, *args):
        future = Future()
        future.set_result(function(*args))
        return future


class Processes(Executor):
    """Worker processes of this machine. They start when needed; when one dies, all are replaced."""

    batch, died = BATCH, BrokenExecutor

    def __init__(self, number):
        self.number, self.executor = number, None

    def slots(self, alone):
        return 1 if alone else self.number

    def submit(self, function, *args):
        with suppress(BrokenExecutor):
            if self.executor:
                return self.executor.submit(function, *args)
        self.executor = ProcessPoolExecutor(self.number, initializer=begin_worker, initargs=(os.getpid(),))
        return self.executor.submit(function, *args)

    def shutdown(self, wait=True, *, cancel_futures=False):
        if self.executor:
            self.executor.shutdown(kill_workers=True)


def begin_worker(parent):
    """In a new process: leave Ctrl-C to the parent, and end when it does, in the middle of a game if need be."""
    def watch():
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=watch, daemon=True).start()


class Cluster(Executor):
    """The workers of a Dask cluster: whichever are there, coming and going."""

    batch = BATCH

    def __init__(self, address):
        try:
            from distributed import Client, KilledWorker
        except ImportError:
            raise InputError("--scheduler needs the package distributed: pip install -e '.[cluster]'") from None
        try:
            where = urlsplit(address)
            socket.getaddrinfo(where.hostname, where.port)      # a Client that cannot be made is long in going
            self.client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(f"no Dask scheduler at {address!r}: {error}") from None
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)      # what goes wrong is told by `spread`
        self.died, self.executor = KilledWorker, self.client.get_executor(pure=False)

    def slots(self, alone):
        try:
            threads = self.client.nthreads()
        except OSError:
            raise RuntimeError(GONE) from None
        return len(threads) if alone else sum(threads.values())

    def submit(self, function, *args):
        return self.executor.submit(call_checked, source_digest(), function, *args)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.executor.shutdown(wait=False)
        self.client.close()


def call_checked(digest, function, *args):
    """Call a function, on a machine that must have the same sources."""
    if digest != source_digest():
        raise RuntimeError(f"a worker has other sources of mctslab ({source_digest()}, not {digest}): install the same")
    return function(*args)


@cache
def source_digest():
    """A digest of the package's sources as they were when first asked for."""
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    return hashlib.sha256(sources).hexdigest()[:12]
