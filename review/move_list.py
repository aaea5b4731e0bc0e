"""A game as a list of tokens, in JSON: what `kingmaker play` saves, or others write."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from pydantic import ConfigDict, TypeAdapter, ValidationError

from kingmaker.cext.errors import InputError
from kingmaker.ladder.model import faults_of, listed


@dataclass(frozen=True, slots=True)
class MoveList:
    """A game and its moves; only the first two fields are needed.

    Attributes:
        game: its name.
        moves: tokens of the moves and outcomes so far.
        options: of the game; the others keep their defaults.
        names: who sits where.
        returns: win share of each seat, if the game was broken off.
        seed: of the outcomes that `moves` leaves out, and of those to come.
        name: what to call it.
        ending: how it was broken off, one of `words.ENDINGS`.
        unfinished: whether it waits to be played on.
        seat: of the person at the terminal; 0: nobody, or it is not known.
        level: of the bots that the person plays against; 0: it is not known.
    """

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")

    game: str
    moves: list[str]
    options: dict[str, str] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)
    seed: int | None = None
    name: str = ""
    ending: str = ""
    unfinished: bool = False
    seat: int = 0
    level: int = 0


_MOVE_LIST: TypeAdapter[MoveList] = TypeAdapter(MoveList)


def read_move_list(line: str) -> MoveList:
    """Read a line of JSON.

    Raises:
        InputError: it is malformed; lists the first faults.
    """
    try:
        return _MOVE_LIST.validate_json(line)
    except ValidationError as error:
        raise InputError(
            listed(faults_of(error, [each.name for each in fields(MoveList)])), field="file"
        ) from None


def write_move_list(game: MoveList) -> str:
    """Return a game as a line of JSON, without the fields that have their defaults."""
    return _MOVE_LIST.dump_json(game, exclude_defaults=True).decode()
