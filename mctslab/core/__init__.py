"""The ground of games and searchers: compilation, random streams, dispatch of rules, states. Nothing about any one game."""
from .cache import CACHE_DIR, jit
from .dispatch import game
from .errors import InputError, check_text_file, one_of
from .play import SearchResult, State, new_records
from .rng import below, derive_seed, mix, next64, scramble, shuffle, stream, u64, uniform

__all__ = ["CACHE_DIR", "InputError", "SearchResult", "State", "below", "check_text_file", "derive_seed", "game", "jit",
           "mix", "new_records", "next64", "one_of", "scramble", "shuffle", "stream", "u64", "uniform"]
