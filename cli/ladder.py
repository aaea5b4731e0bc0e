"""`kingmaker ladder`: bots rated against each other, from plan to report."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from kingmaker.cext.errors import InputError

from . import ladder_flags as flags
from .inputs import GameOptions, lines_of, pairs
from .output import CommandError, JsonFlag, err, out, working, write_json

if TYPE_CHECKING:
    from kingmaker.ladder.executors import GameExecutor
    from kingmaker.ladder.plan import LadderPlan
    from kingmaker.ladder.store import Ladder, Store
    from kingmaker.ladder.summary import Summary

# The modules of kingmaker.ladder are imported inside the functions so that no other command waits
# for SQLAlchemy, SciPy and matplotlib.

STOPPED = 130
UNDECIDED = 3
TEST_CODES = {"elo1": 0, "elo0": 1, None: UNDECIDED}
"""Exit code by the accepted hypothesis of a sequential test."""

DEFAULT_DATABASE = "ladder.sqlite"

app = typer.Typer(help="Rate bots against each other.", no_args_is_help=True, add_completion=False)


@app.command()
def run(
    name: flags.Name,
    plan: flags.PlanFile = "",
    game: flags.Game = "",
    option: GameOptions = None,
    bot: flags.Bots = None,
    pairing: flags.Pairing = "",
    groups: flags.Groups = None,
    rounds: flags.Rounds = None,
    sprt: flags.Sprt = "",
    openings: flags.Openings = None,
    book: flags.Book = "",
    move_ms: flags.MoveMs = None,
    game_ms: flags.GameMs = None,
    increment_ms: flags.IncrementMs = None,
    seed: flags.LadderSeed = None,
    anchor: flags.Anchor = "",
    database: flags.Database = DEFAULT_DATABASE,
    workers: flags.Workers = None,
    dask: flags.Dask = "",
    report: flags.Folder = ".",
    json: JsonFlag = False,
) -> None:
    """Play a new ladder; Ctrl-C stops it, and `resume` continues it."""
    with _failures():
        clock = {"move_ms": move_ms, "game_ms": game_ms, "increment_ms": increment_ms}
        wanted = _plan(
            plan,
            game=game,
            options=pairs(option, "options"),
            bots=bot,
            pairing=pairing,
            num_groups=groups,
            num_rounds=rounds,
            sprt=_bounds(sprt),
            openings=openings,
            book=_book(book),
            clock={key: value for key, value in clock.items() if value is not None},
            seed=seed,
            anchor=anchor,
        )
        _begin(name, wanted, database, workers, dask, report, json)


@app.command()
def best(
    name: flags.Name,
    plan: flags.PlanFile = "",
    game: flags.Game = "",
    option: GameOptions = None,
    bot: flags.Bots = None,
    margin: flags.Margin = 20.0,
    error: flags.ErrorRate = 0.05,
    groups: flags.MostGroups = None,
    openings: flags.Openings = None,
    book: flags.Book = "",
    move_ms: flags.MoveMs = None,
    seed: flags.LadderSeed = None,
    database: flags.Database = DEFAULT_DATABASE,
    workers: flags.Workers = None,
    dask: flags.Dask = "",
    report: flags.Folder = ".",
    json: JsonFlag = False,
) -> None:
    """Find the best of several bots in few games; `resume` continues it."""
    with _failures():
        wanted = _plan(
            plan,
            game=game,
            options=pairs(option, "options"),
            bots=bot,
            best={"margin": margin, "error": error},
            num_groups=groups,
            openings=openings,
            book=_book(book),
            clock={} if move_ms is None else {"move_ms": move_ms},
            seed=seed,
        )
        _begin(name, wanted, database, workers, dask, report, json)


@app.command()
def tune(
    name: flags.Name,
    game: flags.Game,
    spec: flags.Space,
    games: flags.NumGames,
    option: GameOptions = None,
    openings: flags.Openings = None,
    book: flags.Book = "",
    move_ms: flags.MoveMs = None,
    seed: flags.LadderSeed = 0,
    database: flags.Database = DEFAULT_DATABASE,
    workers: flags.Workers = None,
    dask: flags.Dask = "",
    json: JsonFlag = False,
) -> None:
    """Tune the settings of a bot against its defaults; the same command continues it."""
    with _failures():
        from kingmaker.ladder.progress import Display
        from kingmaker.ladder.tuning import TunePlan, parse_space
        from kingmaker.ladder.tuning import tune as run_tuning

        from . import ladder_tables as tables

        fields = {
            "game": game,
            "options": pairs(option, "options"),
            "openings": openings,
            "book": _book(book),
            "clock": {} if move_ms is None else {"move_ms": move_ms},
        }
        plan = TunePlan(parse_space(spec), games, fields, seed or 0)
        with (
            _store(database, create=True) as store,
            _executor(workers, dask) as executor,
            Display(err()) as display,
        ):
            found = run_tuning(store, name, plan, executor, watch=display)
    if found is None:
        raise typer.Exit(STOPPED)
    if json:
        write_json(asdict(found))
    else:
        out().print(tables.tuned(found))
    if not found.low > 0:
        raise typer.Exit(UNDECIDED)


@app.command()
def resume(
    name: flags.OptionalName = "",
    database: flags.Database = DEFAULT_DATABASE,
    workers: flags.Workers = None,
    dask: flags.Dask = "",
    report: flags.Folder = ".",
    json: JsonFlag = False,
) -> None:
    """Continue a ladder that was stopped or killed; no game is lost or played twice."""
    _check_folder(report)
    with _failures(), _store(database) as store:
        ladder = _ladder(store, name)
        with _executor(workers, dask) as executor:
            _play(ladder, executor, report, json)


@app.command()
def status(
    name: Annotated[str, typer.Argument(help="Name of a ladder; default: list all.")] = "",
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="Number of ladders of the list, the latest ones."),
    ] = None,
    database: flags.Database = DEFAULT_DATABASE,
    json: JsonFlag = False,
) -> None:
    """List the ladders, or show the standings of one, even while it is played."""
    with _failures(), _store(database) as store:
        from kingmaker.ladder.games import overview

        from . import ladder_tables as tables

        if not name:
            overviews = [
                replace(overview(ladder), state=ladder.present_state)
                for ladder in store.ladders()[-(limit or 0) :]
            ]
            if json:
                write_json([asdict(each) for each in overviews])
            else:
                out().print(tables.ladders_table(overviews))
            return
        ladder = store.ladder(name)
        state = ladder.present_state.value
        _show(replace(_summary(ladder), state=state), json)


@app.command()
def report(
    name: flags.OptionalName = "",
    database: flags.Database = DEFAULT_DATABASE,
    folder: Annotated[
        str, typer.Option("--folder", metavar="FOLDER", help="Folder for NAME.html and NAME.json.")
    ] = ".",
) -> None:
    """Write the report of a ladder: an HTML page, and its numbers as JSON."""
    _check_folder(folder)
    with _failures(), _store(database) as store:
        for path in _write_report(_summary(_ladder(store, name)), folder):
            print(path)


@app.command()
def export(
    name: flags.OptionalName = "",
    database: flags.Database = DEFAULT_DATABASE,
    text: Annotated[
        bool, typer.Option("--text", help="Text records for people instead of JSON lines.")
    ] = False,
    game: Annotated[
        str, typer.Option("--game", metavar="ID", help="Only the game whose id starts with this.")
    ] = "",
    output: Annotated[
        str, typer.Option("--output", metavar="FILE", help="Output file; - is stdout.")
    ] = "-",
) -> None:
    """Write the games of a ladder as files that `kingmaker replay` reads."""
    with _failures(), _store(database) as store:
        from kingmaker.ladder.export import write_json_lines, write_text_records
        from kingmaker.ladder.games import find_game

        ladder = _ladder(store, name)
        records = iter([find_game(ladder, game)]) if game else ladder.records()
        with _output(output) as file:
            (write_text_records if text else write_json_lines)(records, file)


@app.command()
def games(
    name: flags.OptionalName = "",
    database: flags.Database = DEFAULT_DATABASE,
    bot: Annotated[str, typer.Option("--bot", help="Only games of this bot.")] = "",
    cause: Annotated[
        str,
        typer.Option("--cause", help="Only games with this end, such as timed_out."),
    ] = "",
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Number of games, the latest ones.")
    ] = 20,
    json: JsonFlag = False,
) -> None:
    """List the games of a ladder: bots by seat, their returns, and the cause of the end."""
    with _failures(), _store(database) as store:
        from collections import deque

        from kingmaker.ladder.games import choose_games

        from . import ladder_tables as tables

        ladder = _ladder(store, name)
        found = deque(choose_games(ladder, ladder.summaries(), bot=bot, cause=cause), limit)
        if json:
            write_json([tables.game_json(game) for game in found])
        else:
            out().print(tables.games_table(found))


@contextmanager
def _failures() -> Iterator[None]:
    """Turn errors of databases, workers and bots into the error of a command."""
    from kingmaker.ladder.errors import LadderError, StoreError
    from kingmaker.tasks.executors import ExecutorError

    try:
        yield
    except (StoreError, LadderError, ExecutorError) as error:
        raise CommandError(str(error)) from error


def _plan(file: str, **flags: Any) -> LadderPlan:
    """Read a plan from a file; given flags replace its fields."""
    from kingmaker.ladder.plan import LadderPlan, read_plan

    given = {name: value for name, value in flags.items() if value or value == 0}
    if not file:
        if not {"game", "bots"} <= given.keys():
            raise InputError("give --game and two --bot or more, or a --plan", field="plan")
        return LadderPlan.of(**given)
    read = read_plan(Path(file))
    return LadderPlan.of(**(read.to_json() | given)) if given else read


def _bounds(text: str) -> dict[str, float] | None:
    """Read the two hypotheses of a sequential test."""
    if not text:
        return None
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise InputError(
            f"{text!r} is not ELO0,ELO1, such as 0,20", field="sprt", value=text
        ) from None
    return {"elo0": elo0, "elo1": elo1}


def _book(file: str) -> list[str]:
    """Read the positions of a book; empty lines and lines that begin with # are left out."""
    if not file:
        return []
    with lines_of(file) as lines:
        found = [line.strip() for line in lines]
    book = [line for line in found if line and not line.startswith("#")]
    if not book:
        raise InputError(f"{file} has no positions", field="book", value=file)
    return book


def _store(database: str, *, create: bool = False) -> Store:
    from kingmaker.ladder.store import Store

    return Store(database, create=create)


def _ladder(store: Store, name: str) -> Ladder:
    """Find a ladder; without a name, the only one of the database."""
    if name:
        return store.ladder(name)
    ladders = store.ladders()
    if len(ladders) == 1:
        return ladders[0]
    names = ", ".join(ladder.name for ladder in ladders)
    raise InputError(
        f"{store.name} has several ladders; name one: {names}"
        if names
        else f"{store.name} has no ladder",
        field="name",
    )


def _executor(workers: int | None, dask: str) -> AbstractContextManager[GameExecutor]:
    """Start the executor that plays the games."""
    from kingmaker.ladder.executors import play_here, play_on_cluster

    if dask and workers is not None:
        raise InputError("a Dask cluster has its own workers; leave --workers out", field="workers")
    return play_on_cluster(dask) if dask else play_here(workers)


def _play(ladder: Ladder, executor: GameExecutor, folder: str, json: bool) -> None:
    """Play a ladder until it ends or is stopped, then show its standings."""
    from kingmaker.ladder.coordinator import run_ladder
    from kingmaker.ladder.progress import Display
    from kingmaker.ladder.records import LadderState

    console = err()
    with Display(console) as display:
        ending = run_ladder(ladder, executor, watch=display)
    summary = _summary(ladder)
    console.print(f"{ladder.name}: {ending.reason}", markup=False)
    _show(summary, json)
    if folder:
        for path in _write_report(summary, folder):
            console.print(str(path), markup=False)
    if ending.state is not LadderState.FINISHED:
        raise typer.Exit(STOPPED)
    if summary.test:
        raise typer.Exit(TEST_CODES[summary.test[-1].verdict])
    if summary.race is not None and summary.race.is_decided:
        return
    if ladder.plan["sprt"] is not None or summary.race is not None:
        raise typer.Exit(UNDECIDED)


def _begin(
    name: str,
    plan: LadderPlan,
    database: str,
    workers: int | None,
    dask: str,
    report: str,
    json: bool,
) -> None:
    """Play a new ladder."""
    from kingmaker.ladder.coordinator import begin_ladder, check_servers

    _check_folder(report)
    check_servers(plan)  # before a ladder is stored that can't be played
    with _store(database, create=True) as store, _executor(workers, dask) as executor:
        _play(begin_ladder(store, name, plan), executor, report, json)


def _summary(ladder: Ladder) -> Summary:
    from kingmaker.ladder.summary import read_summary

    with working("rating"):
        return read_summary(ladder)


def _show(summary: Summary, json: bool) -> None:
    from kingmaker.ladder.summary import to_json

    from . import ladder_tables as tables

    if json:
        print(to_json(summary), end="")
    else:
        out().print(tables.shown(summary))


def _check_folder(folder: str) -> None:
    """Check before a long run that its report can be written."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from None


def _write_report(summary: Summary, folder: str) -> list[Path]:
    """Write page and JSON; returns their paths."""
    from kingmaker.ladder.report import write_html
    from kingmaker.ladder.summary import to_json

    base = Path(folder) / (re.sub(r"[^\w.-]+", "_", summary.name).strip(".") or "ladder")
    texts = {".html": write_html(summary), ".json": to_json(summary)}
    paths = []
    for suffix, text in texts.items():
        paths.append(base.with_name(base.name + suffix))
        with _output(str(paths[-1])) as file:
            file.write(text)
    return paths


@contextmanager
def _output(path: str) -> Iterator[TextIO]:
    """Open a file to write, or stdout for `-`."""
    if path == "-":
        yield sys.stdout
        return
    try:
        with Path(path).open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str, error: OSError) -> InputError:
    return InputError(f"{path} can't be written: {error.strerror}", field="output", value=path)
