"""Names with options: what users write, and the strings in the rows."""
import numpy as np
import pytest

from mctslab import InputError
from mctslab.core.spec import check_options, format_spec, parse


@pytest.mark.parametrize(("text", "name", "options"), [
    ("hex", "hex", {}),
    (" hex() ", "hex", {}),
    ("nested(level=2, memory=false)", "nested", {"level": 2, "memory": False}),
    ("nested(replace=>=)", "nested", {"replace": ">="}),
    ("go(komi=7.5,rules=Chinese)", "go", {"komi": 7.5, "rules": "Chinese"}),
    ("x(a=1e3, b=-2, c=None, d=TRUE, e=)", "x", {"a": 1000.0, "b": -2, "c": None, "d": True, "e": ""}),
    ("x(a='1, 2', b=\"true\")", "x", {"a": "1, 2", "b": "true"}),
    ("sudoku(board=my board.txt)", "sudoku", {"board": "my board.txt"}),
])
def test_a_spec_is_read(text, name, options):
    assert parse(text) == (name, options)
    assert [type(value) for value in parse(text)[1].values()] == [type(value) for value in options.values()]


@pytest.mark.parametrize("value", [0, -3, 10**12, 0.5, 2.5, 1e-9, 1 / 3, 1e300, float("inf"), True, False, None, "word",
                                   ">=", "", "a b", "12", "1.5", "true", "none", "a, b", " x "])
def test_a_value_survives_its_text(value):
    (name, options), options_given = parse(format_spec("x", {"a": value, "b": 1})), {"a": value, "b": 1}
    assert (name, options) == ("x", options_given)
    assert type(options["a"]) is type(value)


def test_a_name_without_options_has_no_parentheses():
    assert format_spec("hex", {}) == "hex"
    assert format_spec("nested", {"level": 2, "memory": False, "seconds": 1.0}) == "nested(level=2, memory=false, seconds=1)"


@pytest.mark.parametrize(("text", "message"), [
    ("", "'' is not of the form name or name(option=value, ...)"),
    ("2hex", "'2hex' is not of the form name or name(option=value, ...)"),
    ("hex(size=7", "'hex(size=7' is not of the form name or name(option=value, ...)"),
    ("hex(7)", "'7' in 'hex(7)' is not of the form option=value"),
    ("hex(=7)", "'=7' in 'hex(=7)' is not of the form option=value"),
    ("hex(size=7, size=8)", "option 'size' stands twice in 'hex(size=7, size=8)'"),
])
def test_a_wrong_spec_is_refused(text, message):
    with pytest.raises(InputError) as error:
        parse(text)
    assert str(error.value) == message


DEFAULTS = {"level": 1, "memory": True, "seconds": 0.0, "replace": ">"}
LIMITS = {"level": (0, 8), "seconds": (0, None)}
CHOICES = {"replace": (">", ">=")}


def check(**given):
    return check_options("nested", given, DEFAULTS, LIMITS, CHOICES)


@pytest.mark.parametrize("given", [{"level": 8}, {"level": np.int32(2)}, {"memory": np.bool_(False)}, {"seconds": 1},
                                   {"seconds": np.float64(0.5)}, {"seconds": np.int64(3)}, {"replace": ">="}])
def test_options_of_the_right_type_override_the_defaults(given):
    checked = check(**given)
    assert checked == DEFAULTS | given
    assert {key: type(value) for key, value in checked.items()} == {key: type(value) for key, value in DEFAULTS.items()}


@pytest.mark.parametrize(("given", "message"), [
    ({"depth": 1}, "nested has no option 'depth'; its options are: level, memory, seconds, replace"),
    ({"level": 9}, "option level of nested is 9; it must be from 0 to 8"),
    ({"level": 2.0}, "option level of nested is 2.0; it must be a whole number"),
    ({"level": True}, "option level of nested is True; it must be a whole number"),
    ({"level": "two"}, "option level of nested is 'two'; it must be a whole number"),
    ({"memory": 1}, "option memory of nested is 1; it must be true or false"),
    ({"seconds": -0.1}, "option seconds of nested is -0.1; it must be 0 or more"),
    ({"seconds": float("nan")}, "option seconds of nested is nan; it must be 0 or more"),
    ({"seconds": False}, "option seconds of nested is False; it must be a number"),
    ({"replace": "<"}, "option replace of nested is '<'; allowed: >, >="),
])
def test_a_wrong_option_is_refused_with_what_is_allowed(given, message):
    with pytest.raises(InputError) as error:
        check(**given)
    assert str(error.value) == message
