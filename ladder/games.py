"""Lists of a database: its ladders in brief, and games by bot or cause."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar

from kingmaker.cext.errors import InputError

from .model import Cause, GameRecord
from .plan import LadderPlan
from .records import LadderState
from .store import GameSummary, Ladder

AnyGame = TypeVar("AnyGame", GameSummary, GameRecord)


@dataclass(frozen=True, slots=True)
class Overview:
    """A ladder in a list of ladders.

    Attributes:
        name: of the ladder.
        state: see `LadderState`.
        game: name of the game.
        bots: names, in the order of the plan.
        num_games: stored; of a finished test or race those that count, as in a `Summary`.
        total_games: most games; None: unlimited, or the game is not installed.
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
    """Describe a ladder, even if its game or bots are not installed.

    Raises:
        StoreError: the database fails.
    """
    state = ladder.state  # read before the games: a finished ladder then has all of them
    return Overview(
        name=ladder.name,
        state=state,
        game=ladder.plan["game"],
        bots=tuple(bot_names(ladder)),
        num_games=_num_games(ladder, state),
        total_games=_total_games(json.dumps(ladder.plan)),
        created_at=ladder.created_at,
    )


def _num_games(ladder: Ladder, state: LadderState) -> int:
    """Count the games without those that were in play at the verdict of a test or a race."""
    has_verdict = ladder.plan.get("sprt") or ladder.plan.get("best")
    if has_verdict and state is LadderState.FINISHED:
        return ladder.counted(partial(_num_decided, ladder))
    return ladder.num_games


def _num_decided(ladder: Ladder) -> int:
    from .summary import decided_groups  # loads SciPy

    results = ladder.results()
    with suppress(InputError):  # the game or a bot is not installed
        decided = decided_groups(LadderPlan.of(**ladder.plan), results)
        if decided is not None:
            return sum(result.group in decided for result in results)
    return len(results)


@lru_cache(maxsize=1024)
def _total_games(plan: str) -> int | None:
    """Return the most games of a plan; kept, as a plan is slow to check and never changes."""
    with suppress(InputError):
        return LadderPlan.of(**json.loads(plan)).total_games
    return None


def bot_names(ladder: Ladder) -> list[str]:
    """List the names of the bots in the order of the plan."""
    return [bot["name"] for bot in ladder.plan["bots"]]


def choose_games(
    ladder: Ladder, games: Iterable[AnyGame], *, bot: str = "", cause: str = ""
) -> Iterator[AnyGame]:
    """Filter the games of a ladder by bot and cause.

    Args:
        ladder: of the games.
        games: read lazily.
        bot: only games of this bot; empty: of all.
        cause: only games with this cause of the end, see `Cause`; empty: all.

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


def find_game(ladder: Ladder, start: str, numbers: Container[int] | None = None) -> GameRecord:
    """Find the one game whose id starts with `start`.

    Args:
        ladder: of the game.
        start: of its id.
        numbers: of the games that may be found; None: all.

    Raises:
        InputError: there is none, or more than one.
    """
    ids = [
        task_id
        for task_id, number in ladder.numbers().items()
        if task_id.startswith(start) and (numbers is None or number in numbers)
    ]
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
