"""Speed of one core: medians of rounds, beside what was aimed at and beside programs of others, measured in turn with them.

    python benchmarks/run.py [solvers] [players] [cards] [--rounds N]

Prints a table for each family and writes ``benchmarks/results/<family>.json`` with the machine and the versions. Absolute
figures belong to that machine; compare ratios of one run.
"""
import argparse
import json
from importlib import metadata
from pathlib import Path

import cards
import players
import solvers
from timer import measure, pin, table

from mctslab.arena import host

FAMILIES = {"solvers": solvers, "players": players, "cards": cards}
PEERS = "open-spiel", "mctspy"


def versions():
    """The versions of those peers that are installed."""
    present = {dist.metadata["Name"].replace("_", "-"): dist.version for dist in metadata.distributions()}
    return {name: present[name] for name in PEERS if name in present}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="family", help=f"{', '.join(FAMILIES)}; default: all")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    unknown = set(options.families) - set(FAMILIES)
    if unknown or options.rounds < 1:
        parser.error(f"unknown family {min(unknown)}" if unknown else "rounds must be 1 or more")
    pin()
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    for name in options.families or FAMILIES:
        rows = measure(FAMILIES[name].cases(), options.rounds)
        if rows:
            print(table(rows), end="\n\n", flush=True)
            about = {"host": host()[1], "peers": versions(), "rounds": options.rounds, "rows": rows}
            (results / f"{name}.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
