"""Lines of positions and observations whose game is found by their tag."""

from __future__ import annotations

from kingmaker.cext.errors import InputError, UnknownGameError, shown

from .games import game_types
from .position import Observation, Position, new_game, parse_observation, parse_position


def read_observation(line: str, seat: int | None = None, game: str = "") -> Observation:
    """Read a position or observation line as what one seat sees.

    Args:
        line: the text.
        seat: the observing seat. An observation names its own; a position of a game without
            hidden information is observed by the seat to decide.
        game: name of the game; empty: found by the tag of the line.

    Raises:
        InputError: the line, the game or the seat is wrong.
    """
    line = line.strip()
    name = game or _game_of(line)
    found = read_either(name, line)
    if isinstance(found, Position):
        return observed(found, seat)
    if seat not in (None, found.observer):
        raise InputError(
            f"this observation is p{found.observer}'s, not p{seat}'s; leave the seat out",
            field="seat",
            value=str(seat),
        )
    return found


def read_either(game: str, line: str) -> Position | Observation:
    """Read a position or observation line of a game.

    Raises:
        InputError: the line or the game is wrong.
    """
    if line.rpartition(" ")[2].startswith("@"):
        return parse_observation(game, line)
    try:
        return parse_position(game, line)
    except UnknownGameError:
        raise
    except InputError as error:
        if "?" not in line or not new_game(game).game.is_hidden:
            raise  # in all games with something hidden "?" stands for it
        raise InputError(
            "a line with ? is an observation; end it in @p1, @p2 or whichever seat sees it",
            field="position",
            value=line,
        ) from error


def observed(position: Position, seat: int | None) -> Observation:
    """Return what a seat sees of a position; None: the seat to decide, if nothing is hidden.

    Raises:
        InputError: there is no such seat, or it is needed.
    """
    if seat is None and not position.game.is_hidden:
        seat = position.seat
    if not seat:
        raise InputError(
            "a position shows what every seat holds; choose the observing seat", field="seat"
        )
    return position.observe(seat)


def _game_of(line: str) -> str:
    """Find a game by the tag at the start of its lines."""
    tag = line.split(" ")[0].split(";")[0]
    by_tag = {game.tag: name for name, game in game_types().items()}
    if tag in by_tag:
        return by_tag[tag]
    if tag in game_types():
        begins = game_types()[tag].tag
        message = (
            f"{tag!r} is the name of a game; give a position or observation line, which begins "
            f"with {begins}"
        )
    else:
        known = ", ".join(f"{tag} ({name})" for tag, name in by_tag.items())
        what = f"no game has the tag {shown(tag)!r}" if line else "the line is empty"
        message = f"{what}; tags are {known}"
    raise InputError(message, field="position", value=line)
