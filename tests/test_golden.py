"""Behaviour moves only with a version: digests of a few fixed-seed games and searches, kept in golden.json.

Where a test here fails, either the change was not meant, or the ``version`` of the game or searcher that it names must be
raised, so that the rows it made before are known to be stale. Then ``python tests/test_golden.py --update`` writes the new
entries. It refuses to overwrite the digest of a version that has one; ``--force`` is for versions that no row has used.
"""
import json
import sys
from pathlib import Path

import pytest
from conftest import game_digest, instances, search_digest, searches

FILE = Path(__file__).with_name("golden.json")
UPDATE = "python tests/test_golden.py --update"


def versioned(searcher, game):
    versions = f"{searcher.version}, {game.version}" if searcher else game.version
    return f"{f'{searcher} on ' if searcher else ''}{game} @ {versions}"


def cases():
    """Name with versions -> function that computes the digest."""
    games = {versioned(None, game): lambda game=game: game_digest(game) for game in instances()}
    return games | {versioned(*pair): lambda pair=pair: search_digest(*pair) for pair in searches()}


CASES = cases()


def read():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def updated(old, new, force=False):
    """The new file, from the old one and the digests computed now.

    Raises
    ------
    SystemExit
        If a digest has changed and its version has not.
    """
    moved = [name for name in new if name in old and old[name] != new[name]]
    if moved and not force:
        raise SystemExit("moved without a new version (raise it, or --force): " + "; ".join(moved))
    return new


@pytest.mark.parametrize("name", CASES)
def test_behaviour_moves_only_with_a_version(name):
    golden = read()
    assert name in golden, f"{name} is new: run {UPDATE}"
    assert CASES[name]() == golden[name], (
        f"the behaviour of {name} has moved. If it was meant to, raise `version` in its class and run {UPDATE}")


def test_an_update_takes_new_versions_and_refuses_to_overwrite_old_ones():
    old = {"hex @ 1": "a", "go @ 1": "b"}
    assert updated(old, {"hex @ 2": "c", "go @ 1": "b"}) == {"hex @ 2": "c", "go @ 1": "b"}
    assert updated(old, {"hex @ 1": "c"}, force=True) == {"hex @ 1": "c"}
    with pytest.raises(SystemExit, match="moved without a new version .*: hex @ 1"):
        updated(old, {"hex @ 1": "c", "go @ 1": "b"})


if __name__ == "__main__":
    if "--update" not in sys.argv:
        sys.exit(f"usage: {UPDATE} [--force]")
    FILE.write_text(json.dumps(updated(read(), {name: compute() for name, compute in CASES.items()},
                                       "--force" in sys.argv), indent=1) + "\n")
