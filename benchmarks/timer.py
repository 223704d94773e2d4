"""Measurements in rounds: each round measures every piece of work once, and right after it the peer beside it.

So whatever else the machine does meets both, and their ratio says more than either figure.
"""
import contextlib
import os
import statistics
from collections.abc import Callable
from dataclasses import dataclass

CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
COSTS = {"seconds", "ns", "GiB"}        # units of which less is better; the others are rates


@dataclass(frozen=True)
class Case:
    """A piece of work with what is aimed at.

    Parameters
    ----------
    name, unit : str
    ours : callable
        Does the work with a seed and returns the figure.
    target : float
        Aim for the figure; None where there is none.
    source : str
        Where the aim comes from.
    peer : (str, callable)
        Who does the same, and how, as `ours`; None for how where it is not installed.
    factor : float
        Aim for how many times better than the peer it is; None where there is none.
    """

    name: str
    unit: str
    ours: Callable
    target: float | None = None
    source: str = ""
    peer: tuple = ("", None)
    factor: float | None = None


def pin():
    """Stay on one core, where the system can."""
    if CORES:
        os.sched_setaffinity(0, {min(CORES)})


@contextlib.contextmanager
def all_cores():
    """For threads that are started within."""
    if CORES:
        os.sched_setaffinity(0, CORES)
    yield
    pin()


def measure(cases, rounds):
    """Rows with the medians of so many rounds; one more goes before them, to compile and to warm up."""
    figures = {case.name: ([], []) for case in cases}
    for seed in range(rounds + 1):
        for case in cases:
            for work, found in zip((case.ours, case.peer[1]), figures[case.name], strict=True):
                if work:
                    figure = work(seed)
                    found += [figure] if seed > 0 else []
    return [row(case, *figures[case.name]) for case in cases]


def spread(figures, prefix=""):
    return {f"{prefix}median": statistics.median(figures), f"{prefix}low": min(figures), f"{prefix}high": max(figures)}


def row(case, ours, peers):
    """What was found beside what was aimed at."""
    cost = case.unit in COSTS
    result = {"name": case.name, "unit": case.unit, **spread(ours), "target": case.target, "source": case.source,
              "peer": case.peer[0], "factor": case.factor}
    reached = []
    if case.target:
        reached.append(result["median"] <= case.target if cost else result["median"] >= case.target)
    if peers:
        result |= spread(peers, "peer_")
        result["ratio"] = statistics.median(p / o if cost else o / p for o, p in zip(ours, peers, strict=True))
        if case.factor:
            reached.append(result["ratio"] >= case.factor)
    result["reached"] = all(reached) if reached else None
    return result


def number(x):
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.3g}"


def line(r):
    """A row as words: what, reached, spread, target, peer, ratio, verdict."""
    aims = [number(r["target"])] if r["target"] else []
    aims += [f"{number(r['factor'])} x peer"] if r["factor"] else []
    peer = f"{r['peer']}, {number(r['peer_median']) if 'ratio' in r else 'not installed'}" if r["peer"] else ""
    return [r["name"], f"{number(r['median'])} {r['unit']}", f"{number(r['low'])} to {number(r['high'])}", ", ".join(aims),
            peer, f"{r['ratio']:.3g} x" if "ratio" in r else "", {True: "reached", False: "MISSED", None: ""}[r["reached"]]]


def table(rows):
    """All rows in columns."""
    lines = [["what", "here", "spread", "target", "peer", "ratio", ""], *map(line, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, words, widths)).rstrip() for words in lines)
