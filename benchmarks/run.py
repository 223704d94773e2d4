"""Speed of one core: medians of rounds, beside what was aimed at and beside programs of others, measured in turn with them.

    python benchmarks/run.py [solvers] [players] [cards] [growth] [parts] [--rounds N] [--most N] [--redraw]

Without names: solvers, players, cards. For each a table is printed and ``benchmarks/results/<family>.json`` written, with
the machine and the versions; then all aims, those reached and those missed. ``growth`` and ``parts`` also draw figures.
--redraw measures nothing: it prints and draws what is in the files, and brings the README's table up to date.
Absolute figures belong to that machine; compare ratios of one run.
"""
import argparse
import json
import os
from importlib import metadata
from pathlib import Path

import cards
import compiling
import growth
import parts
import players
import solvers
from notes import NOTES
from timer import markdown, measure, table

from mctslab.arena import host
from mctslab.bench import pin

AIMED = {"solvers": solvers, "players": players, "cards": cards}
OTHERS = {"growth": growth, "parts": parts}
PEERS = "open-spiel", "mctspy"
PROJECT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
MARKS = "<!-- speed -->\n", "<!-- end of speed -->"


def versions():
    """The versions of those peers that are installed."""
    present = {dist.metadata["Name"].replace("_", "-"): dist.version for dist in metadata.distributions()}
    return {name: present[name] for name in PEERS if name in present}


def read(name):
    """What was measured of a family; None where it was not."""
    file = RESULTS / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else None


def run(name, rounds, most):
    """Measure a family and write its file."""
    rows = measure(AIMED[name].cases(), rounds) if name in AIMED else OTHERS[name].measured(rounds, most)
    RESULTS.mkdir(exist_ok=True)
    about = {"host": host()[1], "peers": versions(), "rounds": rounds, "rows": rows}
    (RESULTS / f"{name}.json").write_text(json.dumps(about, indent=1) + "\n")


def report(name):
    print(f"{name}, {read(name)['host']['cpu']}, {read(name)['rounds']} rounds")
    if name in AIMED:
        print(table(read(name)["rows"]), end="\n\n", flush=True)
    else:
        OTHERS[name].report(read(name))


def aims():
    """All rows that were measured, and those of them that have an aim."""
    rows = [row for name in AIMED if read(name) for row in read(name)["rows"]]
    return rows, [row for row in rows if row["target"] or row["factor"]]


def why_missed(rows):
    return [f"{row['name']}: {NOTES.get(row['name'], 'not looked into')}" for row in rows if row["reached"] is False]


def readme():
    """The part of the README that the files make."""
    host, rounds = ({json.dumps(read(name)[key]) for name in AIMED} for key in ("host", "rounds"))
    if len(host) > 1 or len(rounds) > 1:
        raise SystemExit("the results of the families are not of one machine and as many rounds: measure them all")
    about, rows = json.loads(host.pop()), aims()[0]
    text = (f"One core of: {about['cpu']}; {about['system']}, Python {about['python']}, numba {about['numba']}; medians of "
            f"{rounds.pop()} rounds, lowest and highest.")
    missed = "".join(f"- Missed: {line}.\n" for line in why_missed(rows))
    more = [OTHERS[name].words(read(name)) for name in OTHERS if read(name)]
    more += [compiling.words(read("matrix"), read("compiling"))] if read("matrix") and read("compiling") else []
    more = "".join(f"\n{text}\n" for text in more)
    return f"{text}\n\n{markdown(rows)}\n" + (f"\n{missed}" if missed else "") + more


def with_readme(page):
    """The README with that part in its place."""
    before, mark, rest = page.partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not mark or not end:
        raise SystemExit(f"the README has no place for the table, between {MARKS[0].strip()} and {MARKS[1]}")
    return f"{before}{mark}{readme()}{end}{after}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="family",
                        help=f"{', '.join(AIMED | OTHERS)}; default: {', '.join(AIMED)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, default=10**6, help="largest number of simulations of growth and parts")
    parser.add_argument("--redraw", action="store_true")
    options = parser.parse_args()
    unknown = set(options.families) - set(AIMED | OTHERS)
    if unknown or options.rounds < 1 or options.most < 1:
        parser.error(f"unknown family {min(unknown)}" if unknown else "rounds and most must be 1 or more")
    os.environ.setdefault("MCTSLAB_FIGURES", str(PROJECT / "figures"))
    pin()
    for name in options.families or AIMED:
        if not options.redraw:
            run(name, options.rounds, options.most)
        report(name)
    rows = aims()[1]
    print(table(rows), *why_missed(rows), sep="\n")
    print(f"{sum(row['reached'] is True for row in rows)} of {len(rows)} aims reached")
    if options.redraw:
        page = PROJECT / "README.md"
        page.write_text(with_readme(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
