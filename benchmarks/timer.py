"""Pieces of work with what is aimed at, and with the same work by others, measured right after it in each round.

So whatever else the machine does meets both, and their ratio says more than either figure.
"""
import statistics
from collections.abc import Callable
from dataclasses import dataclass

from mctslab.bench import in_columns, in_turn, number, spread

COSTS = {"seconds", "ns", "GiB", "KiB"}     # units of which less is better; the others are rates
NOT_MEASURED = "not installed"


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


def measure(cases, rounds):
    """Rows with the medians of so many rounds."""
    works = {(case.name, who): work for case in cases for who, work in (("", case.ours), ("peer", case.peer[1])) if work}
    figures = in_turn(works, rounds)
    return [row(case, figures[case.name, ""], figures.get((case.name, "peer"), [])) for case in cases]


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


def words(r):
    """A row as words: what, measured, spread, target, peer, ratio, verdict."""
    aims = [number(r["target"])] if r["target"] else []
    aims += [f"{number(r['factor'])} x"] if r["factor"] else []
    peer = f"{r['peer']}: {number(r['peer_median']) if 'ratio' in r else NOT_MEASURED}" if r["peer"] else ""
    return [r["name"], f"{number(r['median'])} {r['unit']}", f"{number(r['low'])} to {number(r['high'])}", ", ".join(aims),
            peer, number(r["ratio"]) if "ratio" in r else "",
            {True: "reached", False: "missed", None: "not measured" if aims else ""}[r["reached"]]]


HEAD = ["work", "measured", "spread", "aim", "beside it", "ratio", ""]


def table(rows):
    """All rows in columns."""
    return in_columns([HEAD, *map(words, rows)])


def markdown(rows):
    """All rows as a table of Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [HEAD, ["---"] * len(HEAD), *map(words, rows)])
