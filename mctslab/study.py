"""Studies: grids of cells, and the runner that plays what is missing.

A study names its cells; a cell is a setting with a number of games. `rows` plays the games that are not yet on disk and
returns them all, so a notebook that calls it gives the same result whether `mctslab run` has filled the rows before or not.
"""
import inspect
import json
import os
import time
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from .arena import Task, host, play_task, warm_up
from .core import InputError, derive_seed, one_of
from .games import make_game
from .search import make_searcher
from .store import FLOATS, KEY, Store
from .workers import open_pool, spread

PROFILES = ("smoke", "laptop", "paper")
SEED = 2026             # the master seed of all committed results
FLUSH_SECONDS = 5       # a kill loses at most the games of so many seconds


def project_folder():
    """The folder of the checkout with notebooks/ and data/; the current one where the package is installed elsewhere."""
    checkout = Path(__file__).resolve().parents[1]
    named = os.environ.get("MCTSLAB_PROJECT")
    if named and not Path(named).is_dir():
        raise InputError(f"MCTSLAB_PROJECT is {named!r}, which is no folder")
    return Path(named or (checkout if (checkout / "notebooks").is_dir() else Path.cwd()))


@dataclass(frozen=True)
class Cell:
    """One setting of a study.

    Parameters
    ----------
    games : tuple of str
        Games by name and options; run k plays ``games[k % len(games)]``.
    a : str
        The searcher.
    runs : int
        Games to play, an even number where there are two players, who change sides within each pair; or searches.
    label : str
        Name of the cell; by default the game and the searcher.
    trace : bool
        Keep the log of improvements and the best sequence in the rows?
    b : str
        The other player. Empty in games of one player; and where `a` searches single turns, one in each of as many games
        of two players (see `arena.turn`).
    """

    games: tuple
    a: str
    runs: int
    label: str = ""
    trace: bool = True
    b: str = ""

    @property
    def name(self):
        return " / ".join([self.label or self.games[0], self.a, *([self.b] if self.b else [])])

    def tasks(self, study, seed):
        """The games of this cell."""
        for k in range(self.runs):
            pair, seat = divmod(k, 2) if self.b else (k, 0)
            yield Task(study, self.name, pair, seat, derive_seed(seed, study, self.name, pair, seat), seed,
                       self.games[pair % len(self.games)], self.a, self.b, self.trace)


def against(game, a, b, games, label="", **budget):
    """The cell of a match with the same budget for both players: simulations or seconds."""
    a, b = (make_searcher(player, **budget) for player in (a, b))
    return Cell((game,), str(a), games, label, b=str(b))


def by_profile(profile, smoke, laptop, paper):
    """The value of a profile."""
    return {"smoke": smoke, "laptop": laptop, "paper": paper}[profile]


@dataclass(frozen=True)
class Study:
    """A study: a notebook and the grid of cells that it shows.

    Parameters
    ----------
    name : str
    notebook : str
        File name without ending.
    grid : callable
        ``grid(profile, **parameters)`` gives the cells; its parameters are those of the notebook.
    title : str
        One line for lists.
    """

    name: str
    notebook: str
    grid: object
    title: str

    def parameters(self):
        """Names and defaults of the grid's own parameters."""
        return {name: p.default for name, p in inspect.signature(self.grid).parameters.items() if name != "profile"}

    def cells(self, profile, **parameters):
        """The grid of a profile, every game and searcher of it checked.

        Raises
        ------
        InputError
            For an unknown profile, a parameter that the grid has not, or one that makes a game or searcher impossible.
        """
        if profile not in PROFILES:
            raise InputError(f"unknown profile {profile!r}; profiles: {one_of(PROFILES)}")
        for key in parameters:
            if key not in self.parameters():
                raise InputError(f"{self.name} has no parameter {key!r}; its parameters are: "
                                 f"{one_of(['profile', 'seed', *self.parameters()])}")
        cells = self.grid(profile, **parameters)
        for cell in cells:
            for spec in cell.games:
                for player in filter(None, (cell.a, cell.b)):
                    make_searcher(player).check_game(make_game(spec))
        return cells

    def tasks(self, profile, seed=SEED, **parameters):
        """Every game of the grid; errors as `cells`, and for a seed that is no whole number of 0 or more."""
        check_seed(seed)
        return [task for cell in self.cells(profile, **parameters) for task in cell.tasks(self.name, seed)]


def check_seed(seed):
    """Refuse a master seed that is no whole number of 0 or more."""
    if not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed is {seed!r}; it must be a whole number, 0 or more")


def is_current(frame):
    """Boolean mask of the rows whose game and searcher have the versions of today."""
    games = {spec: make_game(spec).version for spec in frame["game"].unique()}
    current = frame["game_version"] == frame["game"].map(games)
    for side in ("a", "b"):
        searchers = {spec: make_searcher(spec).version for spec in frame[side].dropna().unique()}
        current &= frame[side].isna() | (frame[f"{side}_version"] == frame[side].map(searchers))
    return current


def answers(store, tasks):
    """Rows on disk that answer the tasks, of whatever versions, in the order of their keys."""
    frame = store.read()
    wanted = pd.MultiIndex.from_tuples([(t.cell, t.pair, t.seat, t.seed) for t in tasks], names=KEY)
    keys = frame[KEY].astype({"cell": "object", "pair": int, "seat": int, "seed": int})
    return frame[pd.MultiIndex.from_frame(keys).isin(wanted)]


def present(store, tasks):
    """Rows on disk that answer the tasks, of today's versions, in the order of their keys."""
    frame = answers(store, tasks)
    return frame[is_current(frame)] if len(frame) else frame


def missing(store, tasks):
    """The tasks that no row on disk answers."""
    done = set(present(store, tasks)[KEY].itertuples(index=False, name=None))
    return [t for t in tasks if (t.cell, t.pair, t.seat, t.seed) not in done]


def play_all(tasks, store, workers=1, progress=False, time_limit=None):
    """Play games, writing rows as they come.

    Parameters
    ----------
    workers : int or Executor
        Processes, or a pool of `mctslab.workers`. Games whose budget is in seconds are played one at a time.
    progress : bool
        Show games done, rate and time left on the terminal.
    time_limit : float or None
        Seconds after which no further game is begun.

    Returns
    -------
    int
        Games played.
    """
    deadline = time.monotonic() + time_limit if time_limit else float("inf")
    searchers = {spec: make_searcher(spec) for spec in {spec for t in tasks for spec in (t.a, t.b) if spec}}
    timed = {spec for spec, searcher in searchers.items() if searcher.seconds > 0}
    together = [t for t in tasks if not timed & {t.a, t.b}]
    alone = [t for t in tasks if timed & {t.a, t.b}]
    pairs = {(make_game(game).name, searchers[spec].name): (game, spec)
             for game, spec in dict.fromkeys((t.game, spec) for t in tasks for spec in (t.a, t.b) if spec)}
    games, buffer, flushed, hosts = 0, [], time.monotonic(), {host()[0]}
    with nullcontext(workers) if isinstance(workers, Executor) else open_pool(workers) as pool:
        for _ in spread(warm_up, pairs.values(), pool, deadline):       # one compiles, all find it on disk
            pass
        try:
            found = chain(spread(play_task, together, pool, deadline), spread(play_task, alone, pool, deadline, alone=True))
            for _, (row, (name, about)) in tqdm(found, total=len(tasks), unit="game", disable=None if progress else True):
                buffer.append(row)
                games += 1
                if name not in hosts:
                    hosts.add(name)
                    store.note(hosts={name: about})
                if time.monotonic() - flushed > FLUSH_SECONDS:
                    store.append(buffer)
                    buffer, flushed = [], time.monotonic()
        finally:
            store.append(buffer)
    return games


def describe(frame, profile, before):
    """What stands beside the rows: cells, versions, machines that made them; and the page that was noted `before`."""
    cells = {cell: {side: rows[side].iloc[0] for side in ("a", "b") if rows[side].notna().all()}
             | {"games": sorted(rows["game"].unique()), "rows": len(rows)} for cell, rows in frame.groupby("cell")}
    hosts = {name: about for name, about in (before.get("hosts", {}) | dict([host()])).items()
             if name in set(frame["host"].dropna())}
    versions = {}
    for name, version in (("game", "game_version"), ("a", "a_version"), ("b", "b_version")):
        versions |= frame.dropna(subset=name).groupby(name)[version].max().to_dict()
    about = {"profile": profile, "cells": cells, "hosts": hosts, "versions": {k: int(v) for k, v in versions.items()}}
    return about | {"page": before["page"]} if "page" in before else about


def fill(name, profile, seed=SEED, workers=1, progress=False, time_limit=None, fresh=False, **parameters):
    """Play the games of a study that are not on disk yet.

    Parameters
    ----------
    name, profile, seed, **parameters
        As in `rows`.
    workers, progress, time_limit
        As in `play_all`.
    fresh : bool
        Delete the rows of the study and profile first.

    Returns
    -------
    (int, int, int)
        Games played now, games on disk, games wanted.
    """
    tasks = get_study(name).tasks(profile, seed, **parameters)
    store = Store(project_folder() / "data" / profile, name)
    if fresh:
        store.clear()
    store.facts()       # what is broken there is told before hours of playing
    todo = missing(store, tasks)
    played = play_all(todo, store, workers, progress, time_limit) if todo else 0
    if played or store.parts.exists():
        store.compact(describe(store.read(), profile, store.facts()))
    return played, len(tasks) - len(todo) + played, len(tasks)


def rows(name, profile, seed=SEED, workers=1, **parameters):
    """The rows of a study; games that are not on disk are played first.

    Parameters
    ----------
    name : str
        The study, e.g. ``"nested_toy"``.
    profile : str
        ``"smoke"``, ``"laptop"`` or ``"paper"``: how many games and how large budgets.
    seed : int
        Master seed.
    workers : int
        Processes for games to be played.
    **parameters
        Parameters of the study's grid.

    Returns
    -------
    pandas.DataFrame
        A row per game: the columns of `mctslab.store.SCHEMA`, with ``extra`` as dictionaries.

    Raises
    ------
    InputError
        For an unknown study, profile or parameter.
    """
    fill(name, profile, seed, workers, **parameters)
    store = Store(project_folder() / "data" / profile, name)
    frame = plain(present(store, get_study(name).tasks(profile, seed, **parameters)))
    return frame.assign(extra=[json.loads(text) if isinstance(text, str) else {} for text in frame["extra"]])


def with_options(frame, *names):
    """Add columns with options of each row's searcher: ``with_options(rows, "level", "memory")``; None where it has none."""
    searchers = {spec: make_searcher(spec) for spec in frame["a"].unique()}

    def column(name):
        values = [getattr(searchers[spec], name, None) for spec in frame["a"]]
        return pd.Series(values, frame.index, dtype=object if None in values else None)     # else ints become floats
    return frame.assign(searcher=column("name"), **{name: column(name) for name in names})


def by_player(frame):
    """A row per game and player, for what each player's searches did.

    Returns
    -------
    pandas.DataFrame
        Columns of the game with ``player`` (its searcher's name), ``opponent``, ``score``, and per game ``depth`` (mean
        length of the descents), ``terminal_share``, ``playout_length``, ``simulations_per_second``.
    """
    names = {spec: make_searcher(spec).name for side in ("a", "b") for spec in frame[side].unique()}
    parts = []
    for side, other in (("a", "b"), ("b", "a")):
        n = frame[f"{side}_simulations"]
        parts.append(frame.assign(
            player=frame[side].map(names), opponent=frame[other].map(names),
            score=frame["payoff_a"] if side == "a" else 1 - frame["payoff_a"], depth=frame[f"{side}_depth"],
            terminal_share=frame[f"{side}_terminal_share"], playout_length=frame[f"{side}_playout_plies"] / n,
            simulations_per_second=n / frame[f"{side}_seconds"]))
    return pd.concat(parts, ignore_index=True)


def published(name):
    """A table of figures that others published: ``data/published/NAME.csv``, whose first lines name the source."""
    return pd.read_csv(project_folder() / "data" / "published" / f"{name}.csv", comment="#")


def plain(frame):
    """Arrow columns as the numpy columns that plotting libraries know."""
    kinds = {name: "float64" if name in FLOATS else "int64" if frame[name].dtype.kind in "iu" and frame[name].notna().all()
             else "object" for name in frame}
    return frame.astype(kinds)


STUDIES = {}


def study(name, notebook, title):
    """Decorator of a grid function that makes it a study; see `mctslab.studies`."""
    def declare(grid):
        STUDIES[name] = Study(name, notebook, grid, title)
        return grid
    return declare


def get_study(name):
    """The study of that name.

    Raises
    ------
    InputError
        If there is none.
    """
    if name not in STUDIES:
        raise InputError(f"unknown study {name!r}; studies: {one_of(STUDIES)}")
    return STUDIES[name]
