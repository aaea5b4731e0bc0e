"""The games by name: ours, and those that other packages have registered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType

from kingmaker.cext.errors import InputError, UnknownGameError, check_text, shown, unknown
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES

from .foreign import checked_type

ENTRY_POINTS = "kingmaker.games"
"""Entry-point group in which other packages register `name = module:GameSubclass`."""


@cache
def _registered() -> tuple[dict[str, type[Game]], dict[str, str]]:
    """Map names to the classes of all games that can be used, and of the others to the reason."""
    usable: dict[str, type[Game]] = {}
    unusable: dict[str, str] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            others = [*GAMES.values(), *usable.values()]
            usable[entry.name] = checked_type(entry.name, entry.load(), others)
        except Exception as error:  # another package's: it must not take the other games along
            unusable[entry.name] = f"{type(error).__name__}: {error}"
    return {**usable, **GAMES}, {name: why for name, why in unusable.items() if name not in GAMES}


def game_types() -> Mapping[str, type[Game]]:
    """Map the name of every game, ours and those of other packages, to its class; read-only.

    A game of another package that can't be loaded or built, or is larger than a search can hold, is
    left out.
    """
    return MappingProxyType(_registered()[0])


def game_type(name: str) -> type[Game]:
    """Look a game up by name.

    Raises:
        UnknownGameError: no game has this name.
        InputError: the name is empty, or the game of this name can't be used; says why.
        TypeError: it is no text.
    """
    if type(name) is not str:
        check_text("name", name, "the name of a game")
    return _game_type(name)


@cache  # of the names that there are: an error is not kept
def _game_type(name: str) -> type[Game]:
    usable, unusable = _registered()
    if not name:
        raise InputError(f"the game is missing; games are {', '.join(usable)}", field="game")
    if name in unusable:
        raise InputError(
            f"the game {name!r} of another package can't be used: {unusable[name]}",
            field="game",
            value=name,
        )
    if name not in usable:
        raise UnknownGameError(unknown("game", name, usable), field="game", value=shown(name))
    return usable[name]
