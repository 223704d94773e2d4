"""``@game``: a NamedTuple class of rules becomes a type of its own that compiled searchers call as ``g.play(s, a, rng)``.

numba specialises a searcher for each game and inlines the rules, so one searcher source serves every game at the speed of
code written for one. With ``NUMBA_DISABLE_JIT=1`` the same calls are plain Python methods.
"""
import inspect
import re

import numpy as np
from numba import config, types
from numba.extending import models, overload_method, register_model, typeof_impl

from .cache import ALLOCATION, JIT_OPTIONS
from .errors import InputError, one_of
from .play import new_initial_state
from .rng import below
from .spec import check_options, format_spec


class Defaults:
    """What a game need not write. Class attributes and underlined names serve Python, the rest compiled code."""

    version = 1             # raised when behaviour changes: rows of older versions are stale
    players = 2
    hidden = False          # is something hidden from the players?
    limits = {}             # parameter -> (low, high), ends included, None for open
    choices = {}            # parameter -> its words; the field holds the index of one
    shorthand = ""          # option that stands for several fields, as lists show it: "variant=5D|5T"
    playouts = ("uniform",)     # names of the playout policies, the default first

    @classmethod
    def expand_options(cls, options):
        """Turn shorthands (``variant="5D"``, a board file) into the fields they stand for."""
        return options

    def max_actions(g):
        """The most legal actions of any position."""
        raise NotImplementedError

    def max_length(g):
        """The most actions of any game."""
        raise NotImplementedError

    def num_codes(g):
        """Codes are in [0, num_codes)."""
        return 2 * g.max_actions()

    def action_to_string(g, s, a):
        return str(a)

    def current_player(g, s):
        return np.int64(0)

    def search_actions(g, s, buf):
        """The rules' actions less those that no search should try."""
        return g.legal_actions(s, buf)

    def code(g, s, a):
        """The action's move code for AMAF, permutations and policies, the mover included."""
        return a

    def key(g, s):
        """A uint64 for transpositions: equal for equal positions with the same player to move; 0: not to be shared."""
        return np.uint64(0)

    def determinize(g, s, player, rng):
        """Redraw what `player` cannot see; here nothing is hidden."""

    def is_capped(g, s):
        """Has a game that is over ended by its cap on turns?"""
        return False

    def score_difference(g, s):
        """Points of player 0 less those of player 1 at the end; in games without points 1 for a win and -1 for a loss."""
        return np.float64(2 * g.payoff(s) - 1)

    def score_scale(g):
        """A difference in points that is large: in units of it, searchers may value what `payoff` only calls a win."""
        return np.float64(1)

    def playout(g, s, rng, trace, n, buf):
        """Uniformly random actions to the end; their codes go to trace[n:]. Returns the trace's new length."""
        while not g.is_terminal(s):
            k = np.int64(g.search_actions(s, buf))
            a = np.int64(buf[below(rng, k)])
            trace[n] = g.code(s, a)
            n += 1
            g.play(s, a, rng)
        return n

    def playout_as(g, policy, s, rng, trace, n, buf):
        """A playout by the policy of that index in `playouts`."""
        return g.playout(s, rng, trace, n, buf)


class SinglePlayerDefaults(Defaults):
    """As `Defaults`; a playout records the actions themselves, since a nested search replays them."""

    players = 1

    def target(g):
        """The score at which a search may stop: the problem is solved."""
        return np.inf

    def playout(g, s, rng, trace, n, buf):
        """Uniformly random actions to the end, written to trace[n:]. Returns the trace's new length."""
        while not g.is_terminal(s):
            k = np.int64(g.search_actions(s, buf))
            a = np.int64(buf[below(rng, k)])
            trace[n] = a
            n += 1
            g.play(s, a, rng)
        return n


class GameType(types.NamedTuple):
    """numba's type of a game: its fields are values, its methods are found on its class."""

    def __init__(self, fields, cls):
        super().__init__(fields, cls)
        # The name is part of the cache key: two classes with like fields must differ in it.
        self.name = f"{cls.__module__}.{cls.__qualname__}({', '.join(map(str, fields))})"


register_model(GameType)(models.TupleModel)
_registered = set()         # names of methods
_class_names = set()
_classes = set()            # (module, qualified name)


def _template(name, method):
    def template(g, *args):
        return getattr(g.instance_class, name, None)        # the method itself: a wrapper would cost 20 %
    template.__signature__ = inspect.signature(method)
    return template


def _kernel_methods(cls):
    """(name, function) of each method that compiled code may call."""
    for name in dir(cls):
        static = inspect.getattr_static(cls, name)
        if inspect.isfunction(static) and not name.startswith("_") and not hasattr(tuple, name):
            yield name, static


def _check_fields(cls, args, options):
    """Field values of a game from constructor arguments."""
    if len(args) > len(cls._fields):
        raise InputError(f"{cls.name} has {len(cls._fields)} options ({one_of(cls._fields)}), but got {len(args)} values")
    given = cls.expand_options(dict(zip(cls._fields, args)) | options)
    for key, words in cls.choices.items():
        if isinstance(given.get(key), str) and given[key] in words:
            given[key] = words.index(given[key])
        elif key in given and given[key] not in range(len(words)):
            raise InputError(f"option {key} of {cls.name} is {given[key]!r}; allowed: {one_of(words)}")
    return check_options(cls.name, given, cls._field_defaults, cls.limits)


def _game_string(g):
    """``name(option=value, ...)`` with the options that differ from their defaults."""
    changed = {key: g.choices[key][value] if key in g.choices else value
               for key, value in g._asdict().items() if value != g._field_defaults[key]}
    return format_spec(g.name, g._describe(changed))


def game(cls):
    """Class decorator that makes a NamedTuple class of rules a game.

    The fields are the run-time parameters, numbers and flags with defaults, at least one. The methods are the rules; see
    `Defaults` for those that have a default. Methods that must be written: ``dtype``, ``max_actions``, ``max_length``,
    ``start``, ``legal_actions``, ``play``, ``is_terminal``, ``payoff`` and, for two players, ``current_player``.

    Raises
    ------
    TypeError
        If a field has no default or there is none: a game without parameters cannot be passed to compiled code.
    """
    if not cls._fields or len(cls._field_defaults) < len(cls._fields):
        raise TypeError(f"game {cls.__name__} needs at least one field, and a default for each")
    defaults = SinglePlayerDefaults if getattr(cls, "players", 2) == 1 else Defaults
    for base in (defaults, Defaults):
        for name, value in vars(base).items():
            if not name.startswith("__") and not hasattr(cls, name):
                setattr(cls, name, value)
    if "name" not in vars(cls):
        cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
    # numba's dispatcher tells NamedTuples apart by the names of class and fields alone: without this, a cell of a notebook
    # that defines a game once more would go on playing the old rules.
    cls.defined_again = (cls.__module__, cls.__qualname__) in _classes
    _classes.add((cls.__module__, cls.__qualname__))
    while cls.__name__ in _class_names:
        cls.__name__ += "_"
    _class_names.add(cls.__name__)
    construct = cls.__new__
    cls.__new__ = lambda cls, *args, **options: construct(cls, **_check_fields(cls, args, options))
    cls.__str__ = _game_string
    cls.__eq__ = lambda g, other: type(g) is type(other) and tuple.__eq__(g, other)     # tuples of like fields are equal
    cls.__ne__ = object.__ne__
    cls.__hash__ = lambda g: hash((type(g), tuple(g)))
    cls._describe = getattr(cls, "_describe", lambda g, options: options)
    cls.new_initial_state = new_initial_state
    if not config.DISABLE_JIT:
        typeof_impl.register(cls)(lambda g, context: GameType([typeof_impl(x, context) for x in g], cls))
        for name, method in _kernel_methods(cls):
            if name not in _registered:
                _registered.add(name)
                options = JIT_OPTIONS | ALLOCATION      # a game of a user's own may allocate
                overload_method(GameType, name, jit_options=options, strict=False)(_template(name, method))
    return cls
