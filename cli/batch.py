"""`kingmaker batch`: files of positions or games, on all cores or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar

from kingmaker.cext.errors import InputError, check_range, shown
from kingmaker.cext.words import counted

from .inputs import MAX_MEGABYTES, EngineName, EngineOptions, Megabytes, pairs
from .ladder_flags import Dask, Workers
from .output import CommandError, analysis_json, complain, err

if TYPE_CHECKING:
    from kingmaker.batch.inputs import Entry
    from kingmaker.batch.run import Progress, Watch
    from kingmaker.batch.tasks import AnalysisTask, AnyTask, ReviewTask, TaskResult
    from kingmaker.tasks.executors import Executor

# The modules of kingmaker.batch are imported inside the functions, as `--help` must not wait for
# them.

T = TypeVar("T", "AnalysisTask", "ReviewTask")

STOPPED = 130
NUM_SHOWN = 20  # wrong lines that are printed
LINE_SECONDS = 60.0  # between lines if there is no terminal
DEFAULT_DATABASE = "batch.sqlite"

Source = Annotated[
    str,
    typer.Argument(
        metavar="INPUT", help="JSON lines, or Parquet if it ends in .parquet; - is stdin."
    ),
]
Target = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="OUTPUT",
        help="File for the results, in the same formats; - is stdout.",
    ),
]
Database = Annotated[
    str,
    typer.Option(
        "--database",
        envvar="KINGMAKER_DATABASE",
        help="Where results are kept: an SQLite file, or postgresql://user@host/database.",
    ),
]
KeepGoing = Annotated[
    bool,
    typer.Option("--keep-going", help="Skip wrong lines and run the others; exit code 1."),
]
TaskSeed = Annotated[int, typer.Option("--seed", help="Seed of each task that gives none.")]

app = typer.Typer(
    help="Analyze many positions, or review many games; continues where it stopped.",
    no_args_is_help=True,
    add_completion=False,
)


@app.command()
def analyze(
    source: Source,
    output: Target = "-",
    simulations: Annotated[
        int, typer.Option("--simulations", help="Simulations of each line that gives none.")
    ] = 1000,
    memory_mb: Megabytes = 64,
    engine: EngineName = "",
    engine_option: EngineOptions = None,
    seed: TaskSeed = 0,
    database: Database = DEFAULT_DATABASE,
    workers: Workers = None,
    dask: Dask = "",
    keep_going: KeepGoing = False,
) -> None:
    """Analyze every position of a file."""
    from kingmaker.batch.files import check_files, read_lines
    from kingmaker.batch.inputs import AnalysisDefaults, read_analyses
    from kingmaker.search.analysis import MAX_SIMULATIONS, MEGABYTE

    check_range("--simulations", simulations, 1, MAX_SIMULATIONS)
    check_range("--memory-mb", memory_mb, 1, MAX_MEGABYTES)
    check_files(source, output)
    defaults = AnalysisDefaults(
        simulations, memory_mb * MEGABYTE, engine, pairs(engine_option, "engine_options"), seed
    )
    entries = list(read_analyses(read_lines(source), defaults))
    _run(entries, output, database, workers, dask, keep_going)


@app.command()
def review(
    source: Source,
    output: Target = "-",
    effort: Annotated[
        str, typer.Option("--effort", help="Time to think: quick, standard or deep.")
    ] = "standard",
    engine: EngineName = "",
    seed: TaskSeed = 0,
    database: Database = DEFAULT_DATABASE,
    workers: Workers = None,
    dask: Dask = "",
    keep_going: KeepGoing = False,
) -> None:
    """Review every game of a file."""
    from kingmaker.batch.files import check_files, read_lines
    from kingmaker.batch.inputs import ReviewDefaults, read_reviews

    check_files(source, output)
    entries = list(read_reviews(read_lines(source), ReviewDefaults(effort, engine, seed)))
    _run(entries, output, database, workers, dask, keep_going)


def _run(
    entries: list[Entry[T]],
    output: str,
    database: str,
    workers: int | None,
    dask: str,
    keep_going: bool,
) -> None:
    """Run all tasks, and write the output when they are done."""
    from kingmaker.batch.files import write_rows
    from kingmaker.batch.results import Results
    from kingmaker.batch.run import run_batch
    from kingmaker.ladder.store import Store

    if not entries:
        raise InputError("the input has no tasks", field="input")
    num_wrong = _report_wrong(entries)
    if num_wrong and not keep_going:
        are = "line is" if num_wrong == 1 else "lines are"
        raise InputError(f"{num_wrong} {are} wrong; --keep-going runs the others")
    with _failures(), Store(database) as store:
        results = Results(store)
        tasks = [entry.task for entry in entries if entry.task is not None]
        with _executor(workers, dask) as executor, _display() as watch:
            done, why_stopped = run_batch(tasks, executor, results, watch=watch)
        if why_stopped:
            complain(
                f"{why_stopped}: {done.num_done} of {done.total} tasks are done; the same command "
                "goes on with the others",
                kind="note",
            )
            raise typer.Exit(STOPPED)
        write_rows(_rows(entries, results, done), output)
    complain(_summary(done, num_wrong), kind="note")
    if num_wrong or done.failures:
        raise typer.Exit(1)


def _report_wrong(entries: list[Entry[T]]) -> int:
    """Print what is wrong with lines; returns how many are."""
    wrong = [entry for entry in entries if entry.error is not None]
    for entry in wrong[:NUM_SHOWN]:
        error = entry.error
        assert error is not None
        field = f"{error.field}: " if error.field else ""
        is_told = not error.value or error.value in str(error)
        value = "" if is_told else f"; it is {shown(error.value)!r}"
        complain(f"line {entry.line}: {field}{error}{value}")
    if len(wrong) > NUM_SHOWN:
        complain(f"{len(wrong) - NUM_SHOWN} more lines are wrong")
    return len(wrong)


def _rows(entries: list[Entry[T]], results: Any, done: Progress) -> Iterator[dict[str, Any]]:
    """Write the rows of the output, in the order of the input."""
    ids = [entry.task.id if entry.task else "" for entry in entries]
    for entry, text in zip(entries, results.texts(ids), strict=True):
        row: dict[str, Any] = {"line": entry.line, "name": entry.name}
        if entry.task is None:
            assert entry.error is not None
            error = entry.error
            row["error"] = {"field": error.field, "value": error.value, "message": str(error)}
        elif text is None:
            report = done.failures[entry.task.id]
            row |= {"task": entry.task.id, "error": {"message": f"{report.kind}: {report.detail}"}}
        else:
            row |= {"task": entry.task.id, **_result_json(entry.task, text)}
        yield row


def _result_json(task: AnyTask, text: str) -> dict[str, Any]:
    """Return a result as plain data; without times, which are no part of it."""
    from kingmaker.batch.tasks import AnalysisTask, read_analysis, read_review
    from kingmaker.review import words
    from kingmaker.search.position import parse_observation

    if isinstance(task, AnalysisTask):
        observation = parse_observation(task.game, task.observation)
        found = analysis_json(observation, read_analysis(text))
    else:
        found = words.to_json(read_review(text))
    del found["seconds"]
    found.pop("name", None)  # it stands before
    return found


def _summary(done: Progress, num_wrong: int) -> str:
    parts = [f"{counted(done.num_done, 'task')} done"]
    if done.num_known:
        parts.append(f"{done.num_known} of them known before")
    if done.failures:
        parts.append(f"{len(done.failures)} given up")
    if num_wrong:
        parts.append(f"{counted(num_wrong, 'line')} wrong")
    return ", ".join(parts)


def _executor(
    workers: int | None, dask: str
) -> AbstractContextManager[Executor[AnyTask, TaskResult]]:
    from kingmaker.batch.tasks import run
    from kingmaker.tasks.cluster import DaskExecutor
    from kingmaker.tasks.local import LocalExecutor

    if dask and workers is not None:
        raise InputError("a Dask cluster has its own workers; leave --workers out", field="workers")
    return DaskExecutor(run, dask) if dask else LocalExecutor(run, workers)


@contextmanager
def _display() -> Iterator[Watch]:
    """Show a bar on stderr if it is a terminal, else write a line now and then."""
    bar = ProgressBar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err(),
        disable=not err().is_terminal,
        transient=True,
    )
    row = bar.add_task("running", total=None)
    last = monotonic()

    def watch(progress: Progress) -> None:
        nonlocal last
        bar.update(row, total=progress.total, completed=progress.num_done)
        if bar.disable and monotonic() - last > LINE_SECONDS:
            last = monotonic()
            complain(f"{progress.num_done} of {progress.total} tasks are done", kind="note")

    with bar:
        yield watch


@contextmanager
def _failures() -> Iterator[None]:
    """Turn errors of databases and workers into the error of a command."""
    from kingmaker.batch.run import BatchError
    from kingmaker.ladder.errors import StoreError
    from kingmaker.tasks.executors import ExecutorError

    try:
        yield
    except (StoreError, BatchError, ExecutorError) as error:
        raise CommandError(str(error)) from error
