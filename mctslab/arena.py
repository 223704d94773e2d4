"""Games between players, and problems solved by one: each gives a row."""
import json
import platform
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import numba
import numpy as np
import pandas as pd

from .core import InputError, derive_seed
from .games import make_game
from .search import make_searcher
from .workers import open_pool, spread

BEGINNERS = "solmcts(simulations=100)"      # who play the games from which single turns are taken


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


@dataclass(frozen=True)
class Task:
    """One game to play, or one search to make: what a row is made from.

    The game is dealt by the seed (master, game, pair), so that all arms of a comparison and both seats of a pair meet the
    same deal; `seed` is that of the players, derived from (master, study, cell, pair, seat). In a game for two players `b`
    may be empty: then `a` searches for one move of a game that others have begun.
    """

    study: str
    cell: str
    pair: int
    seat: int       # which player moves first: 0 is a, 1 is b
    seed: int
    master: int
    game: str
    a: str
    b: str = ""     # empty where one player searches
    trace: bool = True


def make_row(task):
    """Play a game or solve a problem.

    Returns
    -------
    dict
        A row of `mctslab.store.SCHEMA`.
    """
    game = make_game(task.game)
    deal = derive_seed(task.master, str(game), task.pair, "deal")
    state = game.new_initial_state(deal)
    row = dict(study=task.study, cell=task.cell, pair=task.pair, seat=task.seat, seed=task.seed, game=str(game),
               game_version=game.version, host=host()[0])
    if task.b:
        return row | game_columns(task, state)
    return row | (search_columns(task, state) if game.players == 1 else turn_columns(task, *turn(str(game), deal)))


def play_task(task):
    """A row and the `host` that made it, with all compiled beforehand, so that no row's seconds hold that."""
    for spec in filter(None, (task.a, task.b)):
        warm_up((task.game, spec))
    return make_row(task), host()


def make_rows(tasks, workers=1):
    """Rows as they are finished."""
    with open_pool(workers) as pool:
        for _, (row, _) in spread(play_task, tasks, pool):
            yield row


@lru_cache(2000)        # positions are small, and every searcher of a study meets the same
def turn(game, deal):
    """(position, number of moves before it) of a game between two quick open-loop searches, where there is a choice."""
    state, player, found = make_game(game).new_initial_state(deal), make_searcher(BEGINNERS).player(make_game(game)), []
    plies = 0
    while not state.is_terminal():
        result = player.search(state, derive_seed(deal, "turn", plies))
        if result.simulations:
            found.append((state.clone(), plies))
        state.apply_action(result.action)
        plies += 1
    if not found:
        raise InputError(f"{game} leaves no choice in any of its turns: there is no single turn to search")
    return found[derive_seed(deal, "turn") % len(found)]


def warm_up(pair):
    """Compile or load what a searcher needs for a game."""
    game, spec = pair
    _warm_up(game, str(replace(make_searcher(spec), simulations=1, seconds=0.0)))


@cache
def _warm_up(game, spec):
    make_searcher(spec).search(make_game(game).new_initial_state(), 0)


def search_columns(task, state):
    """What one searcher found in a game of one player."""
    searcher = make_searcher(task.a)
    result = searcher.search(state, task.seed)
    extra = {key: value for key, value in result.extra.items() if key != "runs" or value != 1}
    if task.trace:
        extra["improvements"] = [[n, round(t, 4), score] for n, t, score in result.improvements]
        extra["actions"] = result.actions
    return dict(
        a=str(searcher), a_version=searcher.version, score=result.score, plies=len(result.actions), end=result.end,
        a_simulations=result.simulations, a_playout_plies=result.playout_plies, a_seconds=result.seconds,
        extra=to_json(extra))


def to_json(extra):
    return json.dumps(extra, separators=(",", ":"))


def turn_columns(task, state, plies):
    """What one search found in a position of a game of two players. All searchers have the same seed there."""
    searcher = make_searcher(task.a)
    player = searcher.player(state.game)
    result = player.search(state, derive_seed(task.master, str(state.game), task.pair, "turn"))
    return dict(a=str(searcher), a_version=searcher.version, plies=plies,
                extra=to_json({"action": result.action} | player.facts([result]))) | costs("a", [result])


def game_columns(task, state):
    """How a game of two players went, and what each player's searches cost."""
    searchers = {"a": make_searcher(task.a), "b": make_searcher(task.b)}
    first, second = ("a", "b") if task.seat == 0 else ("b", "a")
    players = {side: searcher.player(state.game) for side, searcher in searchers.items()}
    results, plies = {"a": [], "b": []}, 0
    while not state.is_terminal():
        side = second if state.current_player() else first
        # A seed for each move of each player: what one of them draws tells the other nothing.
        results[side].append(players[side].search(state, derive_seed(task.seed, side, plies)))
        state.apply_action(results[side][-1].action)
        plies += 1
    returns = state.returns()
    row = dict(payoff_a=returns[task.seat], plies=plies, end="cap" if state.is_capped() else "rules")
    for side, searcher in searchers.items():
        row |= {side: str(searcher), f"{side}_version": searcher.version} | costs(side, results[side])
    facts = {side: found for side in players if (found := players[side].facts(results[side]))}
    return row | ({"extra": to_json(facts)} if facts else {})


def costs(side, results):
    """Sums over a player's searches, and means over all of their simulations."""
    simulations = sum(r.simulations for r in results)

    def mean(name):
        return sum(r.extra[name] * r.simulations for r in results if name in r.extra) / max(simulations, 1)
    return {f"{side}_simulations": simulations, f"{side}_playout_plies": sum(r.playout_plies for r in results),
            f"{side}_seconds": sum(r.seconds for r in results), f"{side}_depth": mean("depth_mean"),
            f"{side}_terminal_share": mean("terminal_share")}


def play_match(game, a, b, games=100, seed=1, workers=1):
    """Play games between two players who change sides: the two games of a pair have the same deal.

    Parameters
    ----------
    game, a, b : NamedTuple and Searcher of the package, or str
        Objects or their names with options.
    games : int
        An even number.
    seed : int
        Master seed.
    workers : int
        Processes; the rows are the same for any number, but for seconds.

    Returns
    -------
    pandas.DataFrame
        A row per game, sorted by pair and seat.

    Raises
    ------
    InputError
        For an odd number of games, or a game or player that is unknown or does not fit.
    """
    if games < 2 or games % 2:
        raise InputError(f"games is {games}; it must be even and 2 or more: players change sides in each pair")
    cell = f"{game} / {a} / {b}"
    for searcher in (a, b):
        make_searcher(str(searcher)).check_game(make_game(str(game)))
    tasks = [Task("match", cell, pair, seat, derive_seed(seed, "match", cell, pair, seat), seed, str(game), str(a), str(b))
             for pair in range(games // 2) for seat in (0, 1)]
    return pd.DataFrame(sorted(make_rows(tasks, workers), key=lambda row: (row["pair"], row["seat"])))
