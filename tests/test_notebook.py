"""Strict execution: one tiny notebook per way to fail."""
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from mctslab import InputError
from mctslab.notebook import ExecutionError, check_parameters, execute, read_parameters

PARAMETERS = "games: int = 3  # how many\nshare: float = 0.5\nname = 'x'"


@pytest.fixture
def make(tmp_path):
    """Write a notebook with a parameters cell and the given code cells."""
    def write(*sources, tags=("parameters",), parameters=PARAMETERS):
        first = new_code_cell(parameters, metadata={"tags": list(tags)})
        path = tmp_path / "source.ipynb"
        nbformat.write(new_notebook(cells=[first, *map(new_code_cell, sources)]), path)
        return path
    return write


def test_parameters_are_read_with_their_defaults(make):
    assert read_parameters(make()) == {"games": 3, "share": 0.5, "name": "x"}


@pytest.mark.parametrize("given, message", [
    ({"game": 1}, "no parameter 'game'; its parameters are: games, share, name"),
    ({"games": "4"}, "games of source.ipynb is '4'; it must be of type int"),
    ({"games": True}, "games of source.ipynb is True; it must be of type int"),
    ({"name": 3}, "must be of type str"),
])
def test_unknown_and_ill_typed_parameters_are_refused(make, given, message):
    with pytest.raises(InputError, match=message):
        check_parameters(make(), given)


def test_only_values_that_differ_are_given_on(make):
    assert check_parameters(make(), {"games": 3, "share": 1}) == {"share": 1}


@pytest.mark.parametrize("tags, parameters", [((), PARAMETERS), (("parameters",), "games = [i for i in range(3)]")])
def test_a_lost_tag_or_a_default_that_is_no_literal_is_refused(make, tags, parameters):
    with pytest.raises(InputError, match="source.ipynb"):
        read_parameters(make(tags=tags, parameters=parameters))


def test_an_executed_notebook_is_canonical_and_the_same_bytes_twice(make, tmp_path):
    source = make("import os\ntotal = 2 * games", "print(total, os.path.basename(os.getcwd()))")
    for name in ("a.ipynb", "b.ipynb"):
        execute(source, tmp_path / "out" / name, {"games": 21})
    text = (tmp_path / "out/a.ipynb").read_text()
    assert text == (tmp_path / "out/b.ipynb").read_text()
    assert f"42 {tmp_path.name}" in text and "papermill" not in text and "3.1" not in text


@pytest.mark.parametrize("sources, message", [
    (["1 / 0", "print('end')"], "ZeroDivisionError"),
    (["import sys\nsys.exit(0)", "print('end')"], "code cell 3 was not reached"),
    (["import os\nos._exit(0)", "print('end')"], "Kernel died"),
    (["print('end')", "x = 1"], "last cell gave no output"),
])
def test_a_notebook_that_does_not_reach_its_end_is_kept_aside_and_named(make, tmp_path, sources, message):
    target = tmp_path / "target.ipynb"
    target.write_text("as it was")
    with pytest.raises(ExecutionError, match=message) as error:
        execute(make(*sources), target, {})
    assert target.read_text() == "as it was"
    assert "source.ipynb" in str(error.value) and (tmp_path / "target.failed.ipynb").exists()
