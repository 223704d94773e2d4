"""Names with options, as the command line and the rows write them: ``nested(level=2, memory=false)``."""
import re

import numpy as np

from .errors import InputError, one_of

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COMMA = re.compile(r""",(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""")        # outside quotes


def parse(text):
    """Split ``name(option=value, ...)``.

    Returns
    -------
    (str, dict)
        The name, and the options as numbers, booleans, None or words.

    Raises
    ------
    InputError
        If the text is not of that form.
    """
    match = re.fullmatch(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if not match:
        raise InputError(f"{text!r} is not of the form name or name(option=value, ...)")
    options = {}
    for part in filter(str.strip, _COMMA.split(match[2] or "")):
        key, equals, value = part.partition("=")
        if not equals or not _NAME.fullmatch(key.strip()):
            raise InputError(f"{part.strip()!r} in {text!r} is not of the form option=value")
        if key.strip() in options:
            raise InputError(f"option {key.strip()!r} stands twice in {text!r}")
        options[key.strip()] = parse_value(value.strip())
    return match[1], options


def parse_value(text):
    """A number, true, false, none, or the text itself without its quotes."""
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def format_value(value):
    """The shortest text that `parse` turns back into the value."""
    if isinstance(value, str) and (not isinstance(parse_value(value), str) or "," in value or value != value.strip()):
        return repr(value)
    return str(value).lower() if isinstance(value, bool) or value is None else f"{value:g}" if (
        isinstance(value, float) and float(f"{value:g}") == value) else str(value)


def format_spec(name, options):
    """The inverse of `parse`: ``name`` alone where no option is given."""
    inner = ", ".join(f"{key}={format_value(value)}" for key, value in options.items())
    return f"{name}({inner})" if inner else name


def check_options(name, given, defaults, limits=(), choices=()):
    """Defaults overridden by the given options, each checked.

    Parameters
    ----------
    name : str
        Whose options they are, for the message.
    given, defaults : dict
        A given value must have the type of its default.
    limits : mapping of str to (low, high)
        Allowed ranges, ends included; None leaves an end open.
    choices : mapping of str to tuple of str
        Words an option may take.

    Raises
    ------
    InputError
        Naming the option, its value and what is allowed.
    """
    limits, choices = dict(limits), dict(choices)
    for key in given:
        if key not in defaults:
            raise InputError(f"{name} has no option {key!r}; its options are: {one_of(defaults) or 'none'}")
    checked = dict(defaults)
    for key, value in given.items():
        checked[key] = _check(f"option {key} of {name}", value, defaults[key], limits.get(key), choices.get(key))
    return checked


def _check(what, value, default, limit, words):
    if words is not None:
        if value not in words:
            raise InputError(f"{what} is {value!r}; allowed: {one_of(words)}")
        return value
    kind = type(default)
    if isinstance(value, np.generic):
        value = value.item()
    if kind is float and type(value) is int:
        value = float(value)
    if default is not None and type(value) is not kind:
        names = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
        raise InputError(f"{what} is {value!r}; it must be {names.get(kind, kind.__name__)}")
    low, high = limit or (None, None)
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        allowed = f"{low} or more" if high is None else f"{high} or less" if low is None else f"from {low} to {high}"
        raise InputError(f"{what} is {value}; it must be {allowed}")
    return value
