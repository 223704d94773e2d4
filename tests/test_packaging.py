"""pyproject.toml, requirements.lock, environment.yml, CITATION.cff and the Makefile say the same."""
import ast
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import mctslab

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DECLARED = [Requirement(text) for text in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]]
LOCK = [Requirement(line) for line in (ROOT / "requirements.lock").read_text().splitlines() if not line.startswith("#")]


def locked_version(requirement):
    """The one version that a line of the lock allows."""
    (pin,) = requirement.specifier
    assert pin.operator == "==" and "*" not in pin.version, f"{requirement} is no pin"
    return Version(pin.version)


LOCKED = {canonicalize_name(r.name): locked_version(r) for r in LOCK}


@pytest.mark.parametrize("requirement", DECLARED, ids=str)
def test_every_declared_dependency_is_pinned_to_a_version_it_allows(requirement):
    assert LOCKED[canonicalize_name(requirement.name)] in requirement.specifier


def test_every_package_that_the_sources_import_is_declared():
    trees = [ast.parse(path.read_text()) for path in (ROOT / "mctslab").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    imported = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"mctslab"}
    brought_by = metadata.packages_distributions()
    groups = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["cluster"]
    declared = {Requirement(text).name for text in groups}
    assert {name for name in imported if not declared & {name, *brought_by.get(name, ())}} == set()


def test_the_lock_pins_all_that_the_dependencies_need_in_turn():
    todo, seen = [(r.name, r.extras) for r in DECLARED], set()
    while todo:
        name, extras = todo.pop()
        for requirement in map(Requirement, metadata.requires(name) or ()):
            wanted = any(not requirement.marker or requirement.marker.evaluate({"extra": e}) for e in extras or {""})
            key = canonicalize_name(requirement.name), frozenset(requirement.extras)
            if wanted and key not in seen:
                seen.add(key)
                todo.append(key)
    assert {name for name, _ in seen} <= set(LOCKED)


def test_the_lock_names_each_package_once_and_no_place_to_get_it_from():
    assert len(LOCK) == len(LOCKED)
    assert not any(r.url for r in LOCK)
    assert "--" not in "".join(map(str, LOCK))


def test_the_conda_environment_installs_the_same_lock_and_this_package():
    *conda, pip = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert pip == {"pip": ["-r requirements.lock", "-e ."]}
    python = next(name.partition("=")[2] for name in conda if name.startswith("python="))
    assert Requirement("python" + PROJECT["requires-python"]).specifier.contains(python)


def test_the_citation_gives_the_version_and_licence_of_the_package():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["version"], citation["license"]) == (mctslab.__version__, PROJECT["license"])


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
@pytest.mark.parametrize("python", ["", "no-such-python", "false"])
def test_make_says_in_one_line_which_python_it_needs(python):
    made = subprocess.run(["make", "-s", "python", f"PYTHON={python}"], cwd=ROOT, capture_output=True, text=True)
    assert made.returncode != 0
    assert made.stderr.startswith(f"PYTHON='{python}' will not do: mctslab needs Python 3.11 or newer")


def test_the_table_of_sources_names_every_table_of_facts_and_no_file_that_is_not_there():
    rows = (ROOT / "data" / "SOURCES.md").read_text().splitlines()
    named = {row.split("`")[1] for row in rows if row.startswith("| `")}
    tables = {path.relative_to(ROOT).as_posix() for folder in ("mctslab", "tests", "data/published")
              for path in (ROOT / folder).rglob("*") if path.suffix in {".csv", ".txt"}}
    assert tables <= named
    assert [file for file in named if not (ROOT / file).is_file()] == []
