"""`kingmaker train`: a net for a game, from nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cext.errors import check_range

from .fitted_table import FittedTable
from .inputs import GameOptions, complete_game, pairs
from .output import CommandError, JsonFlag, err, out, percent, write_json

if TYPE_CHECKING:
    from kingmaker.training.rounds import Progress, Report, Watch

LINE_SECONDS = 10.0  # between lines if there is no terminal


def train(
    game: Annotated[
        str,
        typer.Argument(help="Name of the game; it needs features.", autocompletion=complete_game),
    ],
    option: GameOptions = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Rounds of self-play, fit and gate, in all.")
    ] = 4,
    games: Annotated[
        int, typer.Option("--games", help="Games of self-play in each round.")
    ] = 10_000,
    folder: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Folder of the training; default: GAME-SEATS.",
            show_default=False,
        ),
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything.")] = 0,
    worlds: Annotated[
        int, typer.Option("--worlds", help="Worlds that a player averages at each decision.")
    ] = 4,
    epsilon: Annotated[
        float, typer.Option("--epsilon", help="Probability of a random move in self-play.")
    ] = 0.03,
    share: Annotated[
        float, typer.Option("--share", help="Part of the decisions to learn from.")
    ] = 1.0,
    mix: Annotated[
        float,
        typer.Option("--mix", help="Weight of the players' own estimates beside results, 0 to 1."),
    ] = 0.0,
    window: Annotated[
        int, typer.Option("--window", help="Latest rounds whose games are learned from.")
    ] = 4,
    epochs: Annotated[int, typer.Option("--epochs", help="Passes over the data, at most.")] = 8,
    policy: Annotated[
        bool, typer.Option("--policy/--no-policy", help="Learn to predict the best move too.")
    ] = True,
    gate: Annotated[
        int, typer.Option("--gate", help="Mirrored groups that a new net plays against the last.")
    ] = 2000,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            help="Worker processes; default: one for each core.",
            show_default=False,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Train a net for a game by self-play, from nothing; continues where it stopped."""
    from concurrent.futures.process import BrokenProcessPool

    from kingmaker.tasks.executors import num_cores
    from kingmaker.training.plan import LIMITS, TrainingPlan
    from kingmaker.training.rounds import Training
    from kingmaker.training.tasks import workers as start_workers

    check_range("--gate", gate, *LIMITS["gate_groups"])
    plan = TrainingPlan(
        game,
        pairs(option, "options"),
        seed=seed,
        games=games,
        worlds=worlds,
        epsilon=epsilon,
        share=share,
        mix=mix,
        window=window,
        epochs=epochs,
        has_policy=policy,
        gate_groups=gate,
    )
    path = Path(folder or f"{game}-{plan.new_game().num_seats}")
    reports: list[Report] = []
    try:
        with start_workers(workers or num_cores()) as running, _display() as watch:
            training = Training(plan, path, running, watch)
            is_found = training.run(rounds, reports.append)
    except BrokenProcessPool as error:
        raise CommandError(f"a worker process is gone; run the command again: {error}") from None
    if json:
        write_json([asdict(report) for report in reports])
    else:
        out().print(_table(reports))
    if not is_found:
        raise CommandError("no net was better than the game's own evaluation")
    err().print(str(training.net_path), markup=False)


@contextmanager
def _display() -> Iterator[Watch]:
    """Show progress on stderr: a bar at a terminal, elsewhere a line now and then."""
    console = err()
    if not console.is_terminal:
        yield _lines()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, TimeRemainingColumn(), console=console, transient=True) as bars:
        shown: dict[str, TaskID] = {}

        def watch(progress: Progress) -> None:
            text = _text(progress)
            if text not in shown:
                for task in shown.values():
                    bars.update(task, visible=False)
                shown[text] = bars.add_task(text, total=progress.total)
            bars.update(shown[text], completed=progress.done)

        yield watch


def _lines() -> Watch:
    last_text, last_time = "", -LINE_SECONDS

    def watch(progress: Progress) -> None:
        nonlocal last_text, last_time
        text, now = _text(progress), monotonic()
        if text == last_text and now < last_time + LINE_SECONDS:
            return
        last_text, last_time = text, now
        err().print(f"{text}: {progress.done}/{progress.total}", markup=False)

    return watch


def _text(progress: Progress) -> str:
    return f"round {progress.round}, {progress.stage}"


def _table(reports: list[Report]) -> object:
    columns = ["round", ">games", ">positions", ">value loss", ">policy loss"]
    columns += [">loss of Game.evaluate", "against", ">win share", "accepted"]
    return FittedTable(
        columns,
        (
            [
                str(each.round),
                f"{each.games:,}",
                f"{each.positions:,}",
                f"{each.losses.value:.4f}",
                "-" if each.losses.policy is None else f"{each.losses.policy:.4f}",
                f"{each.losses.heuristic:.4f}",
                each.gate.rival,
                f"{percent(each.gate.share)} ± {100 * each.gate.error:.1f}",
                "yes" if each.is_accepted else "no",
            ]
            for each in reports
        ),
    )
