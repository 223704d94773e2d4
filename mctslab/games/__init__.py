"""The games, by name. A new game is one file here and one line in `GAMES`."""
from ..core import InputError, one_of
from ..core.spec import parse
from .atari_go import AtariGo
from .go import Go
from .hex import Hex
from .jaipur import Jaipur
from .left_move import LeftMove
from .leftmost import Leftmost
from .lost_cities import LostCities
from .morpion import Morpion
from .nim import Nim
from .nogo import NoGo
from .samegame import SameGame
from .splendor import Splendor
from .sudoku import Sudoku
from .tictactoe import TicTacToe
from .wargame import Wargame

GAMES = {cls.name: cls for cls in (
    Leftmost, LeftMove, Morpion, Sudoku, SameGame, TicTacToe, Nim, Hex, Go, AtariGo, NoGo, Wargame, Jaipur, LostCities,
    Splendor)}


def make_game(spec, **options):
    """A game by name.

    Parameters
    ----------
    spec : str
        A name, or a name with options: ``"left_move"``, ``"left_move(depth=20)"``.
    **options
        More options; they override those of the spec.

    Returns
    -------
    NamedTuple
        The game; ``mctslab.LeftMove(depth=20)`` gives the same.

    Raises
    ------
    InputError
        For an unknown game or option, or a value out of range.
    """
    name, given = parse(spec)
    if name not in GAMES:
        raise InputError(f"unknown game {name!r}; games: {one_of(GAMES)}")
    return GAMES[name](**(given | options))
