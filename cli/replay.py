"""`kingmaker replay`: stored games, replayed and checked move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cext.errors import InputError
from kingmaker.ladder.words import one_line
from kingmaker.search.events import open_event

from .inputs import lines_of, naming
from .output import JsonFlag, complain, who, write_json

if TYPE_CHECKING:
    from kingmaker.ladder.model import GameRecord


def replay(
    file: Annotated[
        str, typer.Argument(help="Games as `kingmaker ladder export` writes them; - is stdin.")
    ],
    show: Annotated[bool, typer.Option("--show", help="Print every move in words.")] = False,
    json: JsonFlag = False,
) -> None:
    """Replay stored games and check every move, deal and result; exit code 1 if one is wrong."""
    # Imported here so that no other command waits for these imports.
    from kingmaker.ladder.export import read_records
    from kingmaker.ladder.replay import ReplayError
    from kingmaker.ladder.replay import replay as check

    num_verified, failures = 0, []
    with lines_of(file) as lines, naming(file):
        for record in read_records(lines):
            if show:
                _print_game(record)
            try:
                check(record)
            except ReplayError as error:
                failures.append({"game": record.task.id, "ply": error.ply, "message": str(error)})
            else:
                num_verified += 1
    if json:
        write_json({"verified": num_verified, "failed": len(failures), "failures": failures})
    else:
        for failure in failures:
            print(f"{failure['game']}: {one_line(str(failure['message']))}")
        print(f"{num_verified} verified, {len(failures)} failed")
    if not num_verified and not failures:
        complain(f"{file} has no games", kind="note")
    if failures:
        raise typer.Exit(1)


def _print_game(record: GameRecord) -> None:
    """Print a game move by move, as far as the moves can be played."""
    from kingmaker.ladder.bots import InfrastructureError
    from kingmaker.ladder.play import first_position

    task = record.task
    seats = ", ".join(f"p{seat} {bot.name}" for seat, bot in enumerate(task.bots, 1))
    print(one_line(f"{task.game} {task.id}: {seats}"))
    try:
        position = first_position(task)
        for ply, move in enumerate(record.moves, 1):
            event = open_event(position, move.token)
            time = f" ({move.ms:.0f} ms)" if move.seat else ""
            print(f"{ply:>4}. {who(event)}: {event.description}{time}")
            position = position.apply(move.token)
    except (InputError, InfrastructureError):
        return  # the check reports the error
    shares = ", ".join(f"p{seat} {share:.3g}" for seat, share in enumerate(record.returns, 1))
    print(one_line(f"{record.cause}: {shares}. {record.detail}").rstrip(" .") + "\n")
