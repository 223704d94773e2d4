"""The command line. Exit codes: 0 done, 1 failed while running, 2 wrong input; an error is one line on standard error."""
import json
import math
import os
import signal
import sys
from contextlib import suppress

import click

from . import __version__, study
from .arena import host, play_match
from .core import InputError, one_of
from .core.spec import format_value, parse_value
from .games import GAMES, make_game
from .search import SEARCHERS, make_searcher
from .status import fingerprint, forecast, measure, source_of, standing
from .store import Store
from .workers import open_pool, spread


class Positive(click.FloatRange):
    """A finite number above 0."""

    def convert(self, value, param, ctx):
        number = super().convert(value, param, ctx)
        return number if math.isfinite(number) else self.fail(f"{value} is not a finite number.", param, ctx)


POSITIVE = Positive(0, min_open=True)


def cores():
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Commands(click.Group):
    """A group whose error for an unknown command lists the known ones."""

    def resolve_command(self, context, arguments):
        if arguments and arguments[0] not in self.commands:
            raise click.UsageError(f"unknown command {arguments[0]!r}; commands: {one_of(self.commands)}")
        return super().resolve_command(context, arguments)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mctslab")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def app(debug):
    """A reproducible study of Monte Carlo search: games, searchers, experiments.

    A GAME or a searcher is a name with options as in Python: samegame, "samegame(position=3)", "nested(level=2)".
    """


@app.command("list")
def list_all():
    """Games, searchers and studies, each with its options and their defaults."""
    for title, classes in (("Games", GAMES.values()), ("Searchers", SEARCHERS.values())):
        click.echo(f"{title}:")
        for cls in classes:
            click.echo(f"  {cls.name:<18} {_options(cls)}")
    click.echo("Studies:")
    for entry in study.STUDIES.values():
        click.echo(f"  {entry.name:<18} {entry.title} (notebooks/{entry.notebook}.ipynb); parameters: "
                   + ", ".join(["profile", "seed", *entry.parameters()]))


def _options(cls):
    defaults = cls._field_defaults if cls.name in GAMES else cls.defaults()
    words = {key: "|".join(sorted(choice, key=lambda word: word not in (defaults[key], choice[0])))
             for key, choice in cls.choices.items()}
    text = ", ".join(f"{key}={words.get(key) or format_value(value) or repr('')}" for key, value in defaults.items())
    if cls.name in GAMES:
        text += f"; or {cls.shorthand}" if cls.shorthand else ""
        text += f"; playouts: {'|'.join(cls.playouts)}" if len(cls.playouts) > 1 else ""
    return text


@app.command()
@click.argument("studies", nargs=-1, metavar="STUDY...")
@click.option("--all", "every", is_flag=True, help="All studies.")
@click.option("--profile", default="laptop", show_default=True, help="smoke, laptop or paper.")
@click.option("-p", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the study's notebook.")
@click.option("--workers", type=click.IntRange(1), default=cores, help="Processes; by default one per processor.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on the workers of a Dask cluster: tcp://HOST:PORT.")
@click.option("--time-limit", type=POSITIVE, metavar="MINUTES", help="Begin no game after that.")
@click.option("--fresh", is_flag=True, help="Delete the rows of the profile first.")
@click.option("--redraw", is_flag=True, help="Play nothing: refuse if rows are missing.")
@click.option("--dry-run", is_flag=True, help="Only say what would be played, and how long it would take.")
def run(studies, every, profile, parameters, workers, scheduler, time_limit, fresh, redraw, dry_run):
    """Play the games of studies that are not on disk yet, then execute their notebooks, several at a time.

    What is finished is kept at any interruption; the same command goes on from there.
    """
    if every == bool(studies):
        raise InputError("name the studies to run, or give --all")
    given = dict(_parameter(text) for text in parameters)
    plans = [_plan(name, profile, given) for name in (study.STUDIES if every else studies)]
    if dry_run:
        _tell_costs(plans, fresh)
        return
    if fresh and redraw:
        raise InputError("--fresh deletes rows and --redraw plays none: give one of them")
    with suppress(ValueError):                                          # not in the main thread
        signal.signal(signal.SIGTERM, signal.default_int_handler)       # how a cluster's queue ends a job
    ready, errors, unfinished = [], [], []
    if redraw:
        for plan in plans:
            plan.refuse_gaps()
        ready = plans
    else:
        with open_pool(workers, scheduler) as pool:
            if not pool.slots(alone=False):
                click.echo(f"{scheduler} has no worker yet: waiting for one", err=True)
            for plan in plans:
                try:
                    played, there, wanted = study.fill(
                        plan.entry.name, profile, workers=pool, progress=True, fresh=fresh,
                        time_limit=time_limit and 60 * time_limit, **plan.grid_parameters)
                except Exception as error:
                    errors.append(error)
                    continue
                click.echo(f"{plan.name}: {played} games played, {there} of {wanted} present")
                (ready if there == wanted else unfinished).append(plan)
    with open_pool(min(workers, len(ready))) as pool:
        for plan, error in spread(Plan.execute, ready, pool):
            if error:
                errors.append(error)
            else:
                click.echo(f"{plan.name}:\n  rows      {plan.rows}\n  figures   {plan.figures}\n  notebook  {plan.target}")
    if unfinished:
        names = ", ".join(plan.entry.name for plan in unfinished)
        click.echo(f"not finished in the time given: {names}; the same command goes on", err=True)
    for error in errors[:-1]:
        click.echo(_line(error), err=True)
    if errors:
        raise errors[-1]


def _tell_costs(plans, fresh):
    """Games wanted and present, and the time for the others."""
    measured, total = measure(), 0
    for plan in plans:
        wanted, there, seconds, unknown = plan.forecast(measured, fresh)
        told = [f"about {seconds / 3600:.3g} core-hours by measured speeds"] if seconds else []
        told += [f"unknown for {unknown} games"] if unknown else []
        click.echo(f"{plan.name}: {wanted} games wanted, {there} present" + "; ".join(["", *told]))
        total += seconds
    if len(plans) > 1:
        click.echo(f"all that is known: about {total / 3600:.3g} core-hours")


class Plan:
    """One study to run: its parameters checked, and where things go."""

    def __init__(self, entry, profile, given):
        from .notebook import check_parameters, read_parameters     # Jupyter takes a second to load: only who runs one waits

        if "profile" in given:
            raise InputError(f"profile is given by --profile, not by -p: --profile {given['profile']}")
        self.entry, self.profile, self.given = entry, profile, given
        self.name = f"{entry.name} ({profile})"
        self.source = source_of(entry)
        if not self.source.exists():
            raise InputError(f"{self.source} is missing: run mctslab within its checkout")
        self.parameters = {"profile": profile} | given
        changed = check_parameters(self.source, self.parameters)
        if lacking := entry.parameters().keys() - read_parameters(self.source):
            raise InputError(f"the parameters cell of {self.source.name} lacks {one_of(sorted(lacking))}")
        self.grid_parameters = {key: value for key, value in given.items() if key == "seed" or key in entry.parameters()}
        # Only the committed profile with its own parameters may replace the committed page and figures.
        self.committed = profile == "laptop" and not changed
        project = study.project_folder()
        out = project if self.committed else project / "build" / profile
        self.target = (self.source.parent if self.committed else out) / self.source.name
        self.figures = out / "figures"
        self.rows = project / "data" / profile / f"{entry.name}.parquet"
        study.check_seed(given.get("seed", study.SEED))
        entry.cells(profile, **{key: value for key, value in self.grid_parameters.items() if key != "seed"})

    def forecast(self, measured, fresh=False):
        """See `mctslab.status.forecast`."""
        return forecast(self.entry, self.profile, measured, fresh, **self.grid_parameters)

    def refuse_gaps(self):
        """Raise InputError if rows are missing."""
        wanted, there, _, _ = self.forecast({})
        if there < wanted:
            raise InputError(f"{self.name} lacks {wanted - there} of {wanted} games: run it without --redraw first")

    def execute(self):
        """Run the notebook, whose rows are there, and note what its page was made from. Returns the error, if any."""
        from .notebook import ExecutionError, execute

        made_from = fingerprint(self.entry, self.profile, self.given)
        try:
            execute(self.source, self.target, self.parameters, {"MCTSLAB_FIGURES": str(self.figures)})
        except ExecutionError as error:
            return error
        if self.committed or self.profile != "laptop":
            Store(self.rows.parent, self.entry.name).note(page=made_from)


def _plan(name, profile, given):
    entry = study.get_study(name)
    if profile not in study.PROFILES:
        raise InputError(f"unknown profile {profile!r}; profiles: {one_of(study.PROFILES)}")
    return Plan(entry, profile, given)


def _parameter(text):
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputError(f"-p {text!r} is not of the form NAME=VALUE")
    return name.strip(), parse_value(value.strip())


@app.command()
@click.argument("studies", nargs=-1, metavar="STUDY...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def status(studies, as_json):
    """Rows present and wanted, per study and profile; is a page stale, and why?"""
    found = {}
    for name in studies or study.STUDIES:
        profiles = {profile: standing(study.get_study(name), profile) for profile in study.PROFILES}
        reasons = [f"{profile}: {reason}" for profile, state in profiles.items() for reason in state["reasons"]]
        found[name] = {"stale": bool(reasons), "reasons": reasons} | profiles
    if as_json:
        click.echo(json.dumps(found, indent=1))
        return
    for name, state in found.items():
        counts = "   ".join(f"{p} {state[p]['present']}/{state[p]['wanted']}" for p in study.PROFILES)
        executed = any(state[p]["executed"] for p in study.PROFILES)
        word = "stale: " + "; ".join(state["reasons"]) if state["stale"] else "fresh" if executed else "not executed yet"
        click.echo(f"{name:<20} {counts}   {word}")


@app.command()
@click.argument("game")
@click.option("--searcher", required=True, metavar="SEARCHER", help='A searcher of one player, e.g. "nested(level=2)".')
@click.option("--seconds", type=POSITIVE, help="Time to search: the best so far is given.")
@click.option("--restarts", type=click.IntRange(1), help="Runs to make.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the deal and of the search.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def solve(game, searcher, seconds, restarts, seed, as_json):
    """Solve a game of one player: score, sequence and final position."""
    game, searcher = make_game(game), make_searcher(searcher)
    budget = {key: value for key, value in {"seconds": seconds, "restarts": restarts}.items() if value is not None}
    searcher = make_searcher(str(searcher), **budget)
    if game.players != 1:
        raise InputError(f"{game.name} is a game of {game.players} players; solve needs one of 1 player: play it in a match")
    searcher.check_game(game)
    state = game.new_initial_state(seed)
    result = searcher.search(state, seed)
    if as_json:
        click.echo(json.dumps({
            "game": str(game), "searcher": str(searcher), "seed": seed, "score": result.score, "actions": result.actions,
            "end": result.end, "simulations": result.simulations, "playout_plies": result.playout_plies,
            "seconds": round(result.seconds, 6)}))
        return
    names = []
    for action in result.actions:
        names.append(state.action_to_string(action))
        state.apply_action(action)
    click.echo(f"{game}, {searcher}, seed {seed}")
    click.echo(f"score {result.score:g} ({result.end}) in {len(names)} moves, {result.simulations:,} playouts")
    click.echo("moves " + " ".join(names))
    click.echo(str(state))
    click.echo(f"{result.seconds:.2f} seconds", err=True)


@app.command()
@click.argument("game")
@click.option("--a", required=True, metavar="PLAYER", help='A searcher of two players, e.g. "grave(ref=50)".')
@click.option("--b", required=True, metavar="PLAYER", help="Its opponent.")
@click.option("--simulations", type=click.IntRange(1), help="Simulations per move of each player.")
@click.option("--seconds", type=POSITIVE, help="Seconds per move of each player.")
@click.option("--games", type=click.IntRange(2), default=20, show_default=True,
              help="An even number: players change sides in each pair.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Master seed.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes; timed games want one.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def match(game, a, b, simulations, seconds, games, seed, workers, as_json):
    """Play a match: the mean score of player A with its 95 % interval over the pairs."""
    from .stats import match_score

    if (simulations is None) == (seconds is None):
        raise InputError("give either --simulations or --seconds")
    budget = {"simulations": simulations} if simulations else {"seconds": seconds}
    game, a, b = make_game(game), make_searcher(a, **budget), make_searcher(b, **budget)
    rows = play_match(game, a, b, games, seed, workers)
    found = match_score(rows.groupby("pair")["payoff_a"].mean())
    if as_json:
        listed = [{key: value for key, value in row.items() if key != "host"} for row in rows.to_dict("records")]
        click.echo(json.dumps({"game": str(game), "a": str(a), "b": str(b), "games": listed, "mean_a": round(found.score, 6),
                               "low": round(found.low, 6), "high": round(found.high, 6), "pairs": found.pairs}))
        return
    click.echo(f"{game}: {a} against {b}, seed {seed}")
    by_seat = rows.groupby("seat")["payoff_a"].mean()
    click.echo(f"A scores {found.score:.1%}, 95 % interval [{found.low:.1%}, {found.high:.1%}] over {found.pairs} pairs; "
               f"as first player {by_seat[0]:.1%}, as second {by_seat[1]:.1%}")
    for side, seconds in (("A", rows["a_seconds"].sum()), ("B", rows["b_seconds"].sum())):
        click.echo(f"{side} searched for {seconds:.2f} seconds", err=True)


@app.command()
@click.argument("game")
@click.option("--searcher", required=True, metavar="PLAYER", help='A searcher of two players, e.g. "mcps".')
@click.option("--simulations", type=click.IntRange(1), help="Simulations per move.")
@click.option("--seconds", type=POSITIVE, help="Seconds per move.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the deal and of the searches.")
@click.option("--second", is_flag=True, help="The searcher moves first.")
def play(game, searcher, simulations, seconds, seed, second):
    """Play against a searcher on the terminal; ? lists the moves and commands."""
    from .play_terminal import TerminalGame

    if simulations and seconds:
        raise InputError("give --simulations or --seconds, not both")
    budget = {key: value for key, value in {"simulations": simulations, "seconds": seconds}.items() if value is not None}
    searcher = make_searcher(searcher, **budget)
    TerminalGame(make_game(game), searcher, person=int(second), seed=seed, tell=click.echo).play()


@app.command()
@click.option("--out", type=click.Path(file_okay=False), help="Folder to write to; build/report by default.")
def report(out):
    """Make pages of the executed notebooks, to read without a network."""
    from pathlib import Path

    from .report import build       # nbconvert takes a while to load

    project = study.project_folder()
    click.echo(build(project, Path(out) if out else project / "build/report"))


@app.command()
@click.option("--game", "games", multiple=True, metavar="GAME", help="A game, more than once for several; all by default.")
@click.option("--searcher", "searchers", multiple=True, metavar="SEARCHER", help="A searcher, likewise.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Medians are over so many.")
@click.option("--compile", "cold", is_flag=True, help="Time compilation too: some seconds for each game and searcher.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def bench(games, searchers, rounds, cold, as_json):
    """Measure the speed of games and of every searcher that fits them, on one core."""
    from . import bench

    bench.pin()
    rows = bench.measure(games, searchers, rounds, cold)
    click.echo(json.dumps({"host": host()[1], "rounds": rounds, "rows": rows}, indent=1) if as_json else bench.table(rows))


def _line(error):
    """An error in one line."""
    return f"mctslab: {type(error).__name__}: {' '.join(str(error).split())}"


def main(arguments=None):
    """Entry point of the command ``mctslab``."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        app.main(arguments, prog_name="mctslab", standalone_mode=False)
        code = 0
    except (InputError, click.ClickException) as error:
        if "--debug" in arguments:
            raise
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        click.echo(f"mctslab: {' '.join(text.split())}", err=True)
        code = 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("mctslab: interrupted; finished games are kept, the same command goes on", err=True)
        code = 1
    except Exception as error:
        if "--debug" in arguments:
            raise
        click.echo(_line(error), err=True)
        code = 1
    sys.exit(code)
