"""How the studies stand: rows there and wanted, pages fresh or stale, and the time that missing games would take."""
import hashlib
from dataclasses import dataclass
from functools import cache
from math import log

import nbformat

from .core import InputError
from .games import make_game
from .search import make_searcher
from .store import Store
from .study import PROFILES, SEED, STUDIES, answers, is_current, project_folder

BUDGET = {"simulations", "seconds"}


def source_of(entry):
    """The notebook of a study."""
    return project_folder() / "notebooks" / f"{entry.notebook}.ipynb"


def page_of(entry, profile):
    """The executed notebook of a profile; at laptop it is the notebook itself."""
    folder = "notebooks" if profile == "laptop" else f"build/{profile}"
    return project_folder() / folder / f"{entry.notebook}.ipynb"


def read_page(path):
    """The cells of a notebook, none where there is no file.

    Raises
    ------
    InputError
        If the file is no notebook.
    """
    try:
        return nbformat.read(path, 4).cells if path.exists() else []
    except (ValueError, AttributeError, nbformat.ValidationError) as error:
        raise InputError(f"{path} is no notebook ({str(error).splitlines()[0][:80]}); restore it") from None


def digest(value):
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def store_of(name, profile):
    return Store(project_folder() / "data" / profile, name)


def fingerprint(entry, profile, parameters=(), rows=None):
    """What a page is made from: noted when it is executed, and compared by `standing`, which has read the rows already."""
    of_grid = {key: value for key, value in dict(parameters).items() if key == "seed" or key in entry.parameters()}
    cells = entry.cells(profile, **{key: value for key, value in of_grid.items() if key != "seed"})
    used = {make_game(spec) for cell in cells for spec in cell.games}
    used |= {make_searcher(spec) for cell in cells for spec in (cell.a, cell.b) if spec}
    shown = [(cell.cell_type, cell.source) for cell in read_page(source_of(entry))]
    # What has no rows of its own, the ledger, shows those of all studies.
    rows = wanted_rows(entry, profile, **of_grid) if rows is None else rows
    rows = [rows] if cells else [store_of(name, profile).read() for name in STUDIES]
    return {"grid": digest(cells), "notebook": digest(shown), "parameters": dict(parameters),
            "rows": digest([frame.to_csv(index=False) for frame in rows if len(frame)]),
            "versions": {one.name: one.version for one in used}}


def wanted_rows(entry, profile, seed=SEED, **parameters):
    """The rows there that a grid wants, of whatever versions; a paper's list of games is not made in vain."""
    store = store_of(entry.name, profile)
    there = store.file.exists() or store.parts.exists()
    return answers(store, entry.tasks(profile, seed, **parameters)) if there else store.read()


def current_rows(frame):
    """Those of today's versions."""
    return frame[is_current(frame)] if len(frame) else frame


def standing(entry, profile):
    """Rows and page of a study at a profile.

    Returns
    -------
    dict
        ``wanted``, ``present`` (rows of today's versions), ``executed`` (was its page made?), ``stale`` and ``reasons``: a
        page is stale when the version of its game or searcher, its rows, its grid or its notebook has changed since it was
        executed, or it is gone.
    """
    wanted, reasons = sum(cell.runs for cell in entry.cells(profile)), []
    rows = wanted_rows(entry, profile)
    present = len(current_rows(rows))
    then = store_of(entry.name, profile).facts().get("page")
    if then:
        now = fingerprint(entry, profile, rows=rows)
        reasons += [f"its {key} changed" for key in ("grid", "notebook", "parameters", "rows") if then.get(key) != now[key]]
        reasons += [f"{name} has version {version}, had {then['versions'][name]}"
                    for name, version in now["versions"].items() if then["versions"].get(name, version) != version]
        reasons += [] if page_of(entry, profile).exists() else ["its page is gone"]
    elif len(rows) > present:
        reasons.append(f"{len(rows) - present} rows are of older versions")
    elif present == wanted > 0:
        reasons.append("its notebook was not executed on these rows")
    return {"wanted": wanted, "present": present, "executed": bool(then), "stale": bool(reasons), "reasons": reasons}


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
    for store in (store_of(name, profile) for profile in profiles for name in STUDIES):
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


def forecast(entry, profile, measured, fresh=False, seed=SEED, **parameters):
    """(games wanted, games there, seconds of the others where their speed is known, games where it is not); all if fresh."""
    current = current_rows(wanted_rows(entry, profile, seed, **parameters))
    cells, there = entry.cells(profile, **parameters), {} if fresh else current.groupby("cell").size().to_dict()
    return sum(cell.runs for cell in cells), sum(there.values()), *time_of(cells, there, measured)


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
