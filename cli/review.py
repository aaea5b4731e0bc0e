"""`kingmaker review`: what went wrong in a game, and whether it was luck, information or play."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from kingmaker.cext.errors import InputError
from kingmaker.cext.words import counted

from .fitted_table import FittedTable
from .inputs import EngineName, lines_of, naming
from .output import JsonFlag, complain, err, out, percent, working, write_json

if TYPE_CHECKING:
    from kingmaker.review.games import PlayedGame
    from kingmaker.review.model import Review

# The modules of kingmaker.review are imported inside the functions, as other commands must not wait
# for them.

NUM_LUCKIEST = 5


def review(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Games of `ladder export`, of `play --save`, or a list of moves; - is stdin.",
        ),
    ],
    effort: Annotated[
        str, typer.Option("--effort", help="Time to think: quick, standard or deep.")
    ] = "standard",
    seed: Annotated[int, typer.Option("--seed", help="Seed of all random choices.")] = 0,
    engine: EngineName = "",
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", min=1, help="Threads; default: one for each core.", show_default=False
        ),
    ] = None,
    worst: Annotated[int, typer.Option("--worst", min=0, help="Worst moves to explain.")] = 10,
    luck: Annotated[
        bool,
        typer.Option("--luck", help="Only adjust the results of all games for luck, by player."),
    ] = False,
    choices: Annotated[
        bool,
        typer.Option(
            "--choices", help="With --luck: adjust for the bots' own choices, asking them again."
        ),
    ] = False,
    html: Annotated[
        str, typer.Option("--html", metavar="FOLDER", help="Write a page for each game there.")
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Review finished games: luck, information or play."""
    from kingmaker.review.review import review_game
    from kingmaker.review.words import to_json
    from kingmaker.tasks.executors import num_cores

    number = threads or num_cores()
    games = (game for file in files for game in _read(file))
    if luck:
        _adjust(games, effort, seed, engine, choices, json)
        return
    if choices:
        raise InputError("--choices is for --luck", field="choices")
    num_games = 0
    for game in games:
        num_games += 1
        with working("reviewing"):
            found = review_game(game, effort=effort, seed=seed, engine=engine, threads=number)
        if json:
            write_json(to_json(found), indent=None)
        else:
            _print(found, worst)
        if html:
            _write_page(game, found, html, num_games)
    if not num_games:
        raise InputError("the files have no finished games", field="file")


def _read(file: str) -> Iterator[PlayedGame]:
    """Read the finished games of a file, and say how many others it has."""
    from kingmaker.review.games import read_games

    with lines_of(file) as lines, naming(file):
        num_unfinished = yield from read_games(lines)
    if num_unfinished:
        name = "standard input" if file == "-" else file
        verbs = "is not finished and was" if num_unfinished == 1 else "are not finished and were"
        command = "" if file == "-" else f" ({shlex.join(['kingmaker', 'play', '--resume', file])})"
        games = counted(num_unfinished, "game")
        complain(f"{games} of {name} {verbs} left out{command}", kind="warning")


def _print(found: Review, worst: int) -> None:
    from kingmaker.review import words

    console = out()
    seats = range(1, len(found.result) + 1)
    name = f" {found.name}" if found.name else ""
    ending = words.ending_words(found)
    console.print(escape(f"{found.game}{name}: {counted(len(found.decisions), 'decision')}"))
    rows = [
        (
            words.seat_name(found, seat),
            percent(found.result[seat - 1]),
            percent(found.start[seat - 1]),
            words.points(found.luck[seat - 1]),
            words.points(-found.losses[seat - 1]),
            words.points(found.plays[seat - 1] + found.losses[seat - 1]),
            *([words.points(found.ending_change[seat - 1])] if ending else []),
            words.points(found.unseen[seat - 1]),
            percent(found.adjusted[seat - 1]),
            words.grade_counts(found, seat),
        )
        for seat in seats
    ]
    parts = ["= start", "+ luck", "+ own moves", "+ others' moves", "+ unseen"]
    if ending:
        parts.insert(-1, f"+ {ending}")
    columns = [f">{part}" for part in ("result", *parts, "without luck")]
    console.print(FittedTable(["seat", *columns, "moves"], rows))
    console.print(
        f"standard errors: {100 * found.unseen_error:.1f} points of what is unseen, by the values; "
        f"{100 * found.adjusted_error:.1f} of the result without luck"
    )
    for each in found.worst(worst):
        console.print(
            escape(
                f"{each.ply:>4}. p{each.seat}: {each.words}, {each.grade.value}. "
                f"{words.judgement(each)}"
            )
        )
    for chance in words.luckiest(found, NUM_LUCKIEST):
        luck = ", ".join(f"p{seat} {words.points(chance.luck[seat - 1])}" for seat in seats)
        console.print(escape(f"{chance.ply:>4}. luck, {chance.words}: {luck}"))


def _adjust(
    games: Iterator[PlayedGame], effort: str, seed: int, engine: str, choices: bool, json: bool
) -> None:
    """Print the mean result of each player, as it is and adjusted for luck."""
    from kingmaker.review.players import adjusted_players

    with working("measuring luck"):
        players = adjusted_players(games, effort, seed, engine, choices=choices)
    if not players:
        raise InputError("the files have no finished games", field="file")
    if json:
        write_json({name: _known(asdict(each)) for name, each in players.items()})
        return
    rows = [
        (
            name,
            f"{each.num_games}",
            f"{percent(each.mean)} ± {100 * each.error:.1f}",
            f"{percent(each.adjusted)} ± {100 * each.adjusted_error:.1f}",
            _part(each.variance_left, each.variance_error),
        )
        for name, each in players.items()
    ]
    out().print(FittedTable(["player", ">deals", ">won", ">without luck", ">variance left"], rows))


def _part(part: float, error: float) -> str:
    """Format a part of a variance with its error; nan: unknown, with too few games."""
    if math.isnan(part):
        return "-"
    return percent(part) if math.isnan(error) else f"{percent(part)} ± {100 * error:.1f}"


def _known(figures: dict[str, object]) -> dict[str, object]:
    """Replace figures that are unknown by None, as JSON has no nan."""
    return {name: None if value != value else value for name, value in figures.items()}


def _write_page(game: PlayedGame, found: Review, folder: str, number: int) -> None:
    from kingmaker.review.report import write_html

    name = re.sub(r"[^\w.-]+", "_", found.name).strip(".") or f"{found.game}-{number}"
    path = Path(folder) / f"review-{name}.html"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write_html(game, found), encoding="utf-8")
    except OSError as error:
        message = f"{path} can't be written: {error.strerror}"
        raise InputError(message, field="html", value=str(path)) from None
    err().print(str(path), markup=False)
