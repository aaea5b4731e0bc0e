"""`kingmaker ladder`: bots rated against each other, from the plan to the report."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from kingmaker.cext.errors import InputError

from .inputs import JsonFlag, pairs
from .output import CommandError, err, out, working, write_json

if TYPE_CHECKING:
    from kingmaker.ladder.executors import Executor
    from kingmaker.ladder.plan import LadderPlan
    from kingmaker.ladder.store import GameSummary, Ladder, Store
    from kingmaker.ladder.summary import Summary

# The modules of kingmaker.ladder are imported inside of the functions: no other command is to wait
# for SQLAlchemy, SciPy and matplotlib.

STOPPED = 130

Name = Annotated[str, typer.Argument(help="Name of the ladder.")]
OptionalName = Annotated[
    str, typer.Argument(help="Name of the ladder; may be left out if there is one only.")
]
Database = Annotated[
    str,
    typer.Option(
        "--database",
        envvar="KINGMAKER_DATABASE",
        help="SQLite file, or postgresql://user@host/database.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", help="Processes that play; one for each core if left out.", show_default=False
    ),
]
Dask = Annotated[
    str,
    typer.Option(
        "--dask", metavar="HOST:PORT", help="Play on the Dask cluster of this scheduler instead."
    ),
]
Folder = Annotated[
    str,
    typer.Option("--report", metavar="FOLDER", help="Where the report goes; '' writes none."),
]
DEFAULT_DATABASE = "ladder.sqlite"

app = typer.Typer(help="Rate bots against each other.", no_args_is_help=True)


@app.command()
def run(
    name: Name,
    plan: Annotated[
        str,
        typer.Option("--plan", metavar="FILE", help="TOML or JSON; flags replace its fields."),
    ] = "",
    game: Annotated[str, typer.Option("--game", help="Name of the game.")] = "",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="KEY=VALUE", help="Option of the game."),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="[NAME=]SPEC", help="Bot; see docs/ladder.md."),
    ] = None,
    pairing: Annotated[
        str, typer.Option("--pairing", help="round_robin, gauntlet (of the first bot) or swiss.")
    ] = "",
    groups: Annotated[
        int | None,
        typer.Option(
            "--groups",
            help="Mirrored groups to play; until Ctrl-C if left out.",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", help="Rounds of Swiss pairing.", show_default=False),
    ] = None,
    sprt: Annotated[
        str,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop as soon as it is clear how much better the first bot is than the second.",
        ),
    ] = "",
    move_ms: Annotated[
        float | None,
        typer.Option("--move-ms", help="Clock of a move; a bot over it loses.", show_default=False),
    ] = None,
    game_ms: Annotated[
        float | None,
        typer.Option("--game-ms", help="Clock of a game.", show_default=False),
    ] = None,
    increment_ms: Annotated[
        float | None,
        typer.Option(
            "--increment-ms", help="Added to the game's clock after a move.", show_default=False
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of deals and bots.", show_default=False)
    ] = None,
    anchor: Annotated[
        str, typer.Option("--anchor", help="Bot that has 0 Elo; the mean of all if left out.")
    ] = "",
    database: Database = DEFAULT_DATABASE,
    workers: Workers = None,
    dask: Dask = "",
    report: Folder = ".",
    json: JsonFlag = False,
) -> None:
    """Play a new ladder; Ctrl-C stops it, and `resume` goes on."""
    with _failures():
        from kingmaker.ladder.coordinator import begin_ladder

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
            clock={key: value for key, value in clock.items() if value is not None},
            seed=seed,
            anchor=anchor,
        )
        _check_folder(report)
        with _store(database, create=True) as store, _executor(workers, dask) as executor:
            _play(begin_ladder(store, name, wanted), executor, report, json)


@app.command()
def resume(
    name: OptionalName = "",
    database: Database = DEFAULT_DATABASE,
    workers: Workers = None,
    dask: Dask = "",
    report: Folder = ".",
    json: JsonFlag = False,
) -> None:
    """Go on with a ladder that was stopped or killed; no game is lost or played twice."""
    _check_folder(report)
    with _failures(), _store(database) as store:
        ladder = _ladder(store, name)
        with _executor(workers, dask) as executor:
            _play(ladder, executor, report, json)


@app.command()
def status(
    name: Annotated[str, typer.Argument(help="Name of a ladder; all are listed if left out.")] = "",
    database: Database = DEFAULT_DATABASE,
    json: JsonFlag = False,
) -> None:
    """List the ladders, or show the standings of one, also while it is played."""
    with _failures(), _store(database) as store:
        from . import ladder_tables as tables

        if not name:
            rows = [tables.ladder_row(ladder) for ladder in store.ladders()]
            if json:
                write_json(rows)
            else:
                out().print(tables.ladders_table(rows))
            return
        _show(_summary(store.ladder(name)), json)


@app.command()
def report(
    name: OptionalName = "",
    database: Database = DEFAULT_DATABASE,
    folder: Annotated[
        str, typer.Option("--folder", metavar="FOLDER", help="Where NAME.html and NAME.json go.")
    ] = ".",
) -> None:
    """Write the report of a ladder: a page to look at, and its numbers as JSON."""
    _check_folder(folder)
    with _failures(), _store(database) as store:
        for path in _write_report(_summary(_ladder(store, name)), folder):
            print(path)


@app.command()
def export(
    name: OptionalName = "",
    database: Database = DEFAULT_DATABASE,
    text: Annotated[
        bool, typer.Option("--text", help="Text records for people instead of JSON lines.")
    ] = False,
    game: Annotated[
        str, typer.Option("--game", metavar="ID", help="One game only, by the start of its id.")
    ] = "",
    output: Annotated[
        str, typer.Option("--output", metavar="FILE", help="Where to write; - is stdout.")
    ] = "-",
) -> None:
    """Write the games of a ladder as files that `kingmaker replay` reads."""
    with _failures(), _store(database) as store:
        from kingmaker.ladder.export import write_json_lines, write_text_records

        ladder = _ladder(store, name)
        records = iter([_record(ladder, game)]) if game else ladder.records()
        with _output(output) as file:
            (write_text_records if text else write_json_lines)(records, file)


@app.command()
def games(
    name: OptionalName = "",
    database: Database = DEFAULT_DATABASE,
    bot: Annotated[str, typer.Option("--bot", help="Only games of this bot.")] = "",
    cause: Annotated[
        str, typer.Option("--cause", help="Only games that ended so, such as timed_out.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, help="Only so many, the latest.")] = 20,
    json: JsonFlag = False,
) -> None:
    """List the games of a ladder: who sat where, what each got, and why it ended."""
    with _failures(), _store(database) as store:
        from collections import deque

        from . import ladder_tables as tables

        ladder = _ladder(store, name)
        _check_known(bot, [each["name"] for each in ladder.plan["bots"]], "bot")
        _check_known(cause, tables.CAUSES, "cause")
        found = deque(_games(ladder, bot, cause), limit)
        if json:
            write_json([tables.game_json(game) for game in found])
        else:
            out().print(tables.games_table(found))


@contextmanager
def _failures() -> Iterator[None]:
    """Turn what goes wrong with databases, workers and bots into the error of a command."""
    from kingmaker.ladder.coordinator import LadderError
    from kingmaker.ladder.database import StoreError
    from kingmaker.ladder.executors import ExecutorError

    try:
        yield
    except (StoreError, LadderError, ExecutorError) as error:
        raise CommandError(str(error)) from error


def _plan(file: str, **flags: Any) -> LadderPlan:
    """Read a plan from a file, with the flags that were given in place of its fields."""
    from kingmaker.ladder.plan import LadderPlan, read_plan

    given = {name: value for name, value in flags.items() if value or value == 0}
    if not file:
        if not {"game", "bots"} <= given.keys():
            raise InputError("give --game and two --bot or more, or a --plan", field="plan")
        return LadderPlan.of(**given)
    read = read_plan(Path(file))
    return LadderPlan.of(**(read.to_json() | given)) if given else read


def _bounds(text: str) -> dict[str, float] | None:
    """Read the bounds of a test."""
    if not text:
        return None
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise InputError(
            f"{text!r} is not ELO0,ELO1, such as 0,20", field="sprt", value=text
        ) from None
    return {"elo0": elo0, "elo1": elo1}


def _store(database: str, *, create: bool = False) -> Store:
    from kingmaker.ladder.store import Store

    return Store(database, create=create)


def _ladder(store: Store, name: str) -> Ladder:
    """Find a ladder, which needs no name if it is the only one."""
    if name:
        return store.ladder(name)
    ladders = store.ladders()
    if len(ladders) == 1:
        return ladders[0]
    names = ", ".join(ladder.name for ladder in ladders)
    raise InputError(
        f"say which ladder of {store.name}: {names}" if names else f"{store.name} has no ladder",
        field="name",
    )


def _executor(workers: int | None, dask: str) -> AbstractContextManager[Executor]:
    """Start what plays the games."""
    from kingmaker.ladder.executors import DaskExecutor, LocalExecutor

    if dask and workers is not None:
        raise InputError("a Dask cluster has its own workers; leave --workers out", field="workers")
    return DaskExecutor(dask) if dask else LocalExecutor(workers)


def _play(ladder: Ladder, executor: Executor, folder: str, json: bool) -> None:
    """Play a ladder to its end or until it is stopped, and show how it stands then."""
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
    """Make sure before a long run that its report can be kept."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from None


def _write_report(summary: Summary, folder: str) -> list[Path]:
    """Write page and JSON; returns where they are."""
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


def _record(ladder: Ladder, start: str) -> Any:
    """Find the one game whose id begins so."""
    ids = [task_id for task_id in ladder.finished() if task_id.startswith(start)]
    if len(ids) != 1:
        what = "no game" if not ids else f"{len(ids)} games"
        raise InputError(
            f"{what} of {ladder.name!r} with an id that begins with {start!r}; `kingmaker ladder "
            "games` lists them",
            field="game",
            value=start,
        )
    return ladder.record(ids[0])


def _games(ladder: Ladder, bot: str, cause: str) -> Iterator[GameSummary]:
    for game in ladder.summaries():
        if bot and bot not in [each.name for each in game.task.bots]:
            continue
        if cause and game.cause.value != cause:
            continue
        yield game


def _check_known(value: str, known: list[str], what: str) -> None:
    if value and value not in known:
        raise InputError(
            f"there is no {what} {value!r}; there is: {', '.join(known)}", field=what, value=value
        )
