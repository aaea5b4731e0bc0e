"""The data of a ladder: bots, tasks and records, as plain immutable data.

All are immutable, and all have one JSON text (`to_json`, `from_json`): keys sorted, no spaces. The
id of a game is a digest of its task's text, so that the same task is the same game everywhere.

A *group* is a set of bots, one deal seed and all rotations of the bots around the table: each bot
holds each seat once on the same deal. The group is the unit of all statistics.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from pydantic import (
    ConfigDict,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    ValidationError,
    model_serializer,
)

from kingmaker.cext.errors import InputErrors, guess

from .words import one_line

T = TypeVar("T")
_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}  # built on first use
STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, ser_json_inf_nan="constants")
NO_FIELD = "there is no such field"
MESSAGES = {
    "extra_forbidden": NO_FIELD,
    "unexpected_keyword_argument": NO_FIELD,
    "missing": "it is not given",
}
LISTED_FAULTS = 3
"""Most faults of a line in a message; each move of a long game may have one."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot of a ladder.

    Attributes:
        name: as shown in tables.
        spec: the canonical text that `specs.parse_spec` reads.
    """

    name: str
    spec: str


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time limits of a bot; a bot that exceeds one loses.

    Attributes:
        move_ms: for each move; None: no limit.
        game_ms: for all its moves of a game; None: no limit.
        increment_ms: added to the game's clock after each of its moves.
    """

    move_ms: float | None = None
    game_ms: float | None = None
    increment_ms: float = 0.0

    def __post_init__(self) -> None:
        # 50 and 50.0 must give the same text, as the id of a game depends on it.
        for name in ("move_ms", "game_ms", "increment_ms"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else float(value))


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to be played, specified so completely that it is the same on every machine.

    Attributes:
        game: name of the game.
        options: of the game, (option, value) sorted by name; the others keep their defaults.
        bots: in the order of the seats.
        group: id of the mirrored group.
        rotation: which of the group's games this is, from 0.
        deal_seed: decides every chance outcome of the group, see `deals`; 0 to 2^63 - 1.
        seed: decides the bots' own random choices; 0 to 2^63 - 1.
        clock: of every bot.
        rules_version: of the game; under another one the same moves may lead elsewhere.
        max_plies: moves and outcomes at which the game is cut, see `Cause.CUT`.
        start: line of the position that the game starts from; empty: the start of the game.
    """

    __pydantic_config__: ClassVar = STRICT  # applies to its parts as well

    game: str
    options: tuple[tuple[str, str], ...]
    bots: tuple[Bot, ...]
    group: str
    rotation: int
    deal_seed: int
    seed: int
    clock: TimeControl
    rules_version: str
    max_plies: int
    start: str = ""

    @model_serializer(mode="wrap")
    def _without_defaults(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave an empty `start` out: ids depend on the text, and older games have none."""
        fields: dict[str, Any] = write(self)
        if not self.start:
            del fields["start"]
        return fields

    @property
    def id(self) -> str:
        """32 hex digits: the key of the game in every ledger."""
        return _task_id(self)


class Cause(StrEnum):
    """Why a game ended.

    After a crash, an overrun or an illegal move the culprit has a return of 0, and the others share
    1 equally.
    """

    FINISHED = "finished"
    """By the rules."""
    CRASHED = "crashed"
    """A bot failed or broke off its connection."""
    TIMED_OUT = "timed_out"
    """A bot thought longer than its clock allows."""
    ILLEGAL = "illegal"
    """A bot sent a move that is not legal."""
    CUT = "cut"
    """The game reached `max_plies`; counted as a draw of all seats."""


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move or chance outcome of a record.

    Attributes:
        seat: the mover, from 1; 0 is chance.
        token: in the notation of the game.
        ms: thinking time of the bot; 0 for chance.
    """

    seat: int
    token: str
    ms: float


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game.

    Attributes:
        task: of the game.
        moves: all moves and chance outcomes, in order.
        end: position line of the last state.
        returns: win share of each seat; they sum to 1.
        cause: why it ended.
        culprit: the seat that lost by crash, overrun or illegal move, from 1; else 0.
        detail: what the culprit did, in a sentence; else empty.
        thinking_ms: of each seat, over the game.
        wall_ms: wall-clock time of the game.
        finished_at: ISO 8601, UTC.
    """

    __pydantic_config__: ClassVar = STRICT

    task: GameTask
    moves: tuple[MoveRecord, ...]
    end: str
    returns: tuple[float, ...]
    cause: Cause
    culprit: int
    detail: str
    thinking_ms: tuple[float, ...]
    wall_ms: float
    finished_at: str

    @property
    def line(self) -> str:
        """16 hex digits: equal in games with the same start, moves and outcomes."""
        tokens = "\n".join([self.task.start, *(move.token for move in self.moves)])
        return hashlib.blake2b(tokens.encode("utf-8", "replace"), digest_size=8).hexdigest()


def to_json(value: Any) -> str:
    """Write the canonical text of an object of this module: sorted keys, no spaces.

    Raises:
        ValueError: a number is not finite.
    """
    plain = _adapter(type(value)).dump_python(value, mode="json")
    return json.dumps(
        plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def from_json(kind: type[T], text: str) -> T:
    """Read an object of this module, such as `from_json(GameRecord, text)`.

    Raises:
        ValueError: the text is not JSON, or a field is missing, unknown or of another type; the
            message lists the first errors.
    """
    adapter: TypeAdapter[T] = _adapter(kind)
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        raise ValueError(listed(faults_of(error))) from None


def faults_of(error: ValidationError, names: Collection[str] = ()) -> list[tuple[str, str]]:
    """List the errors as (path of the field, sentence); the path of the whole object is "".

    Args:
        error: of pydantic.
        names: of the fields, of which one may have been meant by an unknown one.
    """
    faults = []
    for fault in error.errors(include_url=False):
        cause = fault.get("ctx", {}).get("error")
        if isinstance(cause, InputErrors):
            faults += [(each.field, str(each)) for each in cause.errors]
            continue
        path = ".".join(map(str, fault["loc"])) or getattr(cause, "field", "")
        if isinstance(cause, Exception):  # raised by our own validators
            words = str(cause)
        elif fault["type"] == "json_invalid":
            words = fault["msg"]
        else:
            found = one_line(repr(fault["input"]))
            words = MESSAGES.get(fault["type"], f"{_must_be(fault['msg'])}, not {found}")
            if words == NO_FIELD and len(fault["loc"]) == 1:
                words += guess(path, names)
        faults.append((path, words))
    return faults


def _must_be(message: str) -> str:
    """Put a message of pydantic in our words."""
    wanted, _, _ = message.partition(", unable to ")
    return wanted.replace("Input should be", "it must be", 1)


def listed(faults: Sequence[tuple[str, str]]) -> str:
    """Join the first faults of a line, and say how many more there are."""
    texts = [": ".join(filter(None, fault)) for fault in faults[:LISTED_FAULTS]]
    more = len(faults) - len(texts)
    return "; ".join(texts) + (f"; and {more} more" if more else "")


def _adapter(kind: Any) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


@lru_cache(maxsize=4096)
def _task_id(task: GameTask) -> str:
    return hashlib.blake2b(to_json(task).encode(), digest_size=16).hexdigest()
