"""What a database of ladders holds, at a glance: each ladder in a line, and games by choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from kingmaker.cext.errors import InputError

from .model import Cause, GameRecord
from .plan import LadderPlan
from .records import LadderState
from .store import GameSummary, Ladder

AnyGame = TypeVar("AnyGame", GameSummary, GameRecord)


@dataclass(frozen=True, slots=True)
class Overview:
    """What a list of ladders tells of one.

    Attributes:
        name: of the ladder.
        state: what it is doing.
        game: what is played.
        bots: names, in the order of the plan.
        num_games: stored.
        total_games: planned at most; None: no end is planned, or the game is gone.
        created_at: ISO 8601, UTC.
    """

    name: str
    state: LadderState
    game: str
    bots: tuple[str, ...]
    num_games: int
    total_games: int | None
    created_at: str


def overview(ladder: Ladder) -> Overview:
    """Look at a ladder, also at one whose game or bots are gone from this installation.

    Raises:
        StoreError: the database fails.
    """
    state = ladder.state  # before the games: what is finished has them all
    total_games = None
    with suppress(InputError):
        total_games = LadderPlan.of(**ladder.plan).total_games
    return Overview(
        name=ladder.name,
        state=state,
        game=ladder.plan["game"],
        bots=tuple(bot_names(ladder)),
        num_games=len(ladder.finished()),
        total_games=total_games,
        created_at=ladder.created_at,
    )


def bot_names(ladder: Ladder) -> list[str]:
    """List the names of the bots in the order of the plan."""
    return [bot["name"] for bot in ladder.plan["bots"]]


def choose_games(
    ladder: Ladder, games: Iterable[AnyGame], *, bot: str = "", cause: str = ""
) -> Iterator[AnyGame]:
    """Leave out the games of a ladder that are not asked for.

    Args:
        ladder: whose games they are.
        games: of that ladder; read as they are needed.
        bot: only games of this one; empty: of all.
        cause: only games that ended so, see `Cause`; empty: all.

    Raises:
        InputError: there is no such bot or cause; raised at once.
    """
    _check_known(bot, bot_names(ladder), "bot")
    _check_known(cause, [each.value for each in Cause], "cause")
    return (
        game
        for game in games
        if (not bot or bot in [each.name for each in game.task.bots])
        and (not cause or game.cause.value == cause)
    )


def find_game(ladder: Ladder, start: str) -> GameRecord:
    """Find the one game whose id begins so.

    Raises:
        InputError: there is none, or more than one.
    """
    ids = [task_id for task_id in ladder.finished() if task_id.startswith(start)]
    record = ladder.record(ids[0]) if len(ids) == 1 else None
    if record is None:
        what = f"{len(ids)} games" if ids else "no game"
        raise InputError(
            f"{what} of {ladder.name!r} with an id that begins with {start!r}; the list of its "
            "games has all ids",
            field="game",
            value=start,
        )
    return record


def _check_known(value: str, known: list[str], what: str) -> None:
    if value and value not in known:
        raise InputError(
            f"there is no {what} {value!r}; there is: {', '.join(known)}", field=what, value=value
        )
