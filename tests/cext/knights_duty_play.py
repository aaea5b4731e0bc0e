"""Playing A Knight's Duty from its lines, and the geometry of its arenas."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.cext.notations import played, tokens_of

Space = tuple[int, int]


def new(**options: object) -> Game:
    return GAMES["knights_duty"](**{key: str(value) for key, value in options.items()})


at = partial(played, GAMES["knights_duty"])


def after(line: str, *tokens: str) -> str:
    game, state = at(line, *tokens)
    return game.text(state)


def legal(line: str) -> list[str]:
    return tokens_of(*at(line))


def distance(arena: str, first: Space, second: Space) -> int:
    """R2.3, R2.6."""
    dq, dr = first[0] - second[0], first[1] - second[1]
    return max(abs(dq), abs(dr), abs(dq + dr) if arena == "hex" else 0)


def spaces(arena: str, radius: int) -> list[Space]:
    """R2.1, R2.6."""
    across = range(-radius, radius + 1)
    return [(q, r) for q, r in product(across, across) if arena == "square" or abs(q + r) <= radius]


def space_of(player: dict[str, Any]) -> Space:
    return player["space"]["q"], player["space"]["r"]


def is_accepted(parse: Any, line: str, error: type[Exception]) -> bool:
    try:
        parse(line)
    except error:
        return False
    return True
