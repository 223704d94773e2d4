"""What all searchers are: frozen options, each with its default and its allowed values written once."""
from dataclasses import dataclass, fields
from typing import ClassVar

from ..core import InputError, one_of
from ..core.play import check_rules
from ..core.spec import check_options, format_spec


@dataclass(frozen=True)
class Searcher:
    """Base of the searchers. A subclass is a frozen dataclass; its fields are its options.

    Raises
    ------
    InputError
        On construction, for an option of the wrong type or out of range.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1          # raised when behaviour changes: rows of older versions are stale
    players: ClassVar[int] = 2          # plays games of that many players
    limits: ClassVar[dict] = {}         # option -> (low, high), ends included, None for open
    choices: ClassVar[dict] = {}        # option -> its words

    def __post_init__(self):
        given = {key: value for key, value in vars(self).items()}
        for key, value in check_options(self.name, given, self.defaults(), self.limits, self.choices).items():
            object.__setattr__(self, key, value)

    @classmethod
    def defaults(cls):
        """Option names with their defaults."""
        return {f.name: f.default for f in fields(cls)}

    def __str__(self):
        return format_spec(self.name, {key: value for key, value in vars(self).items() if value != self.defaults()[key]})

    def check_game(self, game):
        """Refuse a game that this searcher cannot play."""
        if game.players != self.players:
            raise InputError(f"{self.name} searches games of {self.players} player{'s' * (self.players > 1)}; "
                             f"{game.name} has {game.players}")
        if not type(game).__module__.startswith("mctslab."):
            check_rules(game)

    def playout_policy(self, game):
        """Index of the playout policy that the option ``playout`` names; empty means the game's default, its first."""
        if self.playout and self.playout not in game.playouts:
            raise InputError(f"{game.name} has no playout policy {self.playout!r}; allowed: {one_of(game.playouts)}")
        return game.playouts.index(self.playout) if self.playout else 0
