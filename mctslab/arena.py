"""Games between players, and problems solved by one: each gives a row."""
import json
import platform
from functools import cache
from hashlib import sha256
from pathlib import Path

import numba
import numpy as np

from .core import derive_seed
from .games import make_game
from .search import make_searcher


@cache
def host():
    """(short name, description) of this machine: what may make seconds, and nothing else, differ."""
    cpu = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        names = [line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                 if line.startswith("model name")]
        cpu = f"{names[0]}, {len(names)} cores" if names else cpu
    about = {"cpu": cpu, "system": platform.system(), "python": platform.python_version(), "numba": numba.__version__,
             "numpy": np.__version__}
    return sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:8], about


def solve_row(task):
    """Solve one problem.

    Parameters
    ----------
    task : Task
        What to play; see `mctslab.study`. Its game is dealt by the seed (master, game, pair), so that every searcher meets
        the same problem; the search has the seed (master, study, cell, pair, seat).

    Returns
    -------
    dict
        A row of `mctslab.store.SCHEMA`.
    """
    game, searcher = make_game(task.game), make_searcher(task.a)
    state = game.new_initial_state(derive_seed(task.master, str(game), task.pair, "deal"))
    result = searcher.search(state, task.seed)
    extra = {key: value for key, value in result.extra.items() if key != "runs" or value != 1}
    if task.trace:
        extra["improvements"] = [[n, round(t, 4), score] for n, t, score in result.improvements]
        extra["actions"] = result.actions
    return dict(
        study=task.study, cell=task.cell, pair=task.pair, seat=task.seat, seed=task.seed,
        game=str(game), game_version=game.version, a=str(searcher), a_version=searcher.version,
        score=result.score, plies=len(result.actions), end=result.end, a_simulations=result.simulations,
        a_playout_plies=result.playout_plies, a_seconds=result.seconds, host=host()[0],
        extra=json.dumps(extra, separators=(",", ":")))
