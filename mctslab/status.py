"""How the studies stand: rows there and wanted, pages fresh or stale, and the time that missing games would take."""
import hashlib
from dataclasses import dataclass
from functools import cache
from math import log

import nbformat

from .games import make_game
from .search import make_searcher
from .store import Store
from .study import PROFILES, SEED, STUDIES, answers, is_current, project_folder

BUDGET = {"simulations", "seconds"}


def source_of(entry):
    """The notebook of a study."""
    return project_folder() / "notebooks" / f"{entry.notebook}.ipynb"


def digest(value):
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def fingerprint(entry, profile, parameters=()):
    """What a page is made from, besides rows: noted when it is executed, and compared by `standing`."""
    cells = entry.cells(profile, **{key: value for key, value in dict(parameters).items() if key in entry.parameters()})
    used = {make_game(spec) for cell in cells for spec in cell.games}
    used |= {make_searcher(spec) for cell in cells for spec in (cell.a, cell.b) if spec}
    page = nbformat.read(source_of(entry), 4).cells if source_of(entry).exists() else []
    return {"grid": digest(cells), "notebook": digest([(cell.cell_type, cell.source) for cell in page]),
            "parameters": dict(parameters), "versions": {one.name: one.version for one in used}}


def rows_there(store, entry, profile, seed=SEED, **parameters):
    """(rows of today's versions, number of older ones) that a grid wants; a paper's list of games is not made in vain."""
    if not (store.file.exists() or store.parts.exists()):
        return store.read(), 0
    frame = answers(store, entry.tasks(profile, seed, **parameters))
    current = frame[is_current(frame)] if len(frame) else frame
    return current, len(frame) - len(current)


def standing(entry, profile):
    """Rows and page of a study at a profile.

    Returns
    -------
    dict
        ``wanted``, ``present`` (rows of today's versions), ``stale`` and ``reasons``: a result is stale when the version of
        its game or searcher, its grid or its notebook has changed since its page was executed.
    """
    store = Store(project_folder() / "data" / profile, entry.name)
    wanted, reasons = sum(cell.runs for cell in entry.cells(profile)), []
    current, old = rows_there(store, entry, profile)
    then = store.facts().get("page")
    if then:
        now = fingerprint(entry, profile)
        reasons += [f"its {key} changed" for key in ("grid", "notebook", "parameters") if then[key] != now[key]]
        reasons += [f"{name} has version {version}, had {then['versions'][name]}"
                    for name, version in now["versions"].items() if then["versions"].get(name, version) != version]
    elif old:
        reasons.append(f"{old} rows are of older versions")
    elif len(current) == wanted > 0:
        reasons.append("its notebook was not executed on these rows")
    return {"wanted": wanted, "present": len(current), "stale": bool(reasons), "reasons": reasons}


@dataclass(frozen=True)
class Measured:
    """Means over games: all of their searches together."""

    seconds: float
    searches: float
    simulations: float


@cache
def split(spec):
    """(searcher without its budget, simulations, seconds) of its text."""
    searcher = make_searcher(spec)
    rest = tuple((key, value) for key, value in vars(searcher).items() if key not in BUDGET)
    return (searcher.name, rest), searcher.simulations, searcher.seconds


def measure(profiles=PROFILES):
    """What rows of all studies tell of speed: (game, players without budgets) -> {players: `Measured`}."""
    found = {}
    for store in (Store(project_folder() / "data" / profile, name) for profile in profiles for name in STUDIES):
        frame = store.read()
        frame = frame.assign(b=frame["b"].fillna(""), seconds=frame["a_seconds"] + frame["b_seconds"].fillna(0),
                             simulations=frame["a_simulations"] + frame["b_simulations"].fillna(0),
                             searches=frame["plies"].where(frame["b"].notna(), 1))
        means = frame.groupby(["game", "a", "b"])[["seconds", "searches", "simulations"]].mean().astype(float)
        for (game, *players), mean in means.iterrows():
            kinds = game, *(split(spec)[0] for spec in players if spec)
            found.setdefault(kinds, {})[*players,] = Measured(mean["seconds"], max(mean["searches"], 1), mean["simulations"])
    return found


def seconds_of(game, a, b, measured):
    """Seconds that a game would take: as measured, else in proportion to the nearest budget measured; None if unknown."""
    players = [split(spec) for spec in (a, b) if spec]
    known = measured.get((str(make_game(game)), *(kind for kind, _, _ in players)), {})
    same = known.get(tuple(spec and str(make_searcher(spec)) for spec in (a, b)))
    simulations, seconds = (sum(player[i] for player in players) / len(players) for i in (1, 2))
    if same or not known or not (simulations or seconds):
        return same and same.seconds
    nearest = min(known.values(), key=lambda one: abs(log(max(one.simulations, 1) / one.searches / max(simulations, 1))))
    return nearest.searches * seconds or nearest.seconds * simulations * nearest.searches / max(nearest.simulations, 1)


def time_of(cells, there, measured):
    """(seconds of the games of some cells that are not there yet where their speed is known, games where it is not)."""
    seconds = unknown = 0
    for cell in cells:
        left = cell.runs - there.get(cell.name, 0)
        times = [seconds_of(game, cell.a, cell.b, measured) for game in cell.games] if left else [0]
        unknown += left if None in times else 0
        seconds += 0 if None in times else left * sum(times) / len(times)
    return seconds, unknown


def forecast(entry, profile, measured, seed=SEED, **parameters):
    """(games wanted, games there, seconds that the others would take where their speed is known, games where it is not)."""
    current, _ = rows_there(Store(project_folder() / "data" / profile, entry.name), entry, profile, seed, **parameters)
    cells, there = entry.cells(profile, **parameters), current.groupby("cell").size().to_dict()
    return sum(cell.runs for cell in cells), len(current), *time_of(cells, there, measured)


def cost_table(profile):
    """Markdown: games of each study and the core-hours that all would take, at the speeds in the committed rows."""
    measured, lines, total = measure(["laptop"]), [], 0
    for entry in (entry for entry in STUDIES.values() if entry.cells(profile)):
        seconds, unknown = time_of(entry.cells(profile), {}, measured)
        hours = f"{float(f'{seconds / 3600:.2g}'):,g}" + (f", unknown for {unknown:,} games" if unknown else "")
        lines.append(f"| {entry.title} | `{entry.name}` | {sum(cell.runs for cell in entry.cells(profile)):,} | {hours} |")
        total += seconds
    lines.append(f"| all, where it is known | | | {float(f'{total / 3600:.2g}'):,g} |")
    return "\n".join(["| experiment | study | games | core-hours |", "|---" * 4 + "|", *lines])
