"""mctslab: a reproducible study of Monte Carlo search. Games and searchers in numba, experiments in notebooks."""
from . import draw, studies      # noqa: F401 (they register drawings and studies)
from .core import InputError, SearchResult, State, game, jit
from .games import GAMES, make_game
from .search import SEARCHERS, make_searcher

__version__ = "0.1.0"
globals().update({cls.__name__: cls for registry in (GAMES, SEARCHERS) for cls in registry.values()})
__all__ = ["GAMES", "InputError", "SEARCHERS", "SearchResult", "State", "game", "jit", "make_game", "make_searcher",
           *(cls.__name__ for registry in (GAMES, SEARCHERS) for cls in registry.values())]
