"""The nets that ship with Kingmaker, in `nets/<game>-<seats>.npz` beside this module."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from .game import Game
from .net import Net

FOLDER = Path(__file__).parent / "nets"


def file_name(game: Game) -> str:
    """Return the name of the file of a game's net."""
    return f"{game.name}-{game.num_seats}.npz"


def net_of(game: Game) -> Net | None:
    """Return the net for a game with this number of seats and these options; None: there is none.

    Raises:
        InputError: the file for it is not a net, or one of another version of the game.
    """
    kind: Callable[..., Game] = type(game)
    return _net_of(kind, tuple(sorted(game.options.items())))


@cache
def _net_of(kind: Callable[..., Game], options: tuple[tuple[str, Any], ...]) -> Net | None:
    game = kind(**dict(options))
    path = FOLDER / file_name(game)
    if not path.exists():
        return None
    net = Net.load(path)
    if net.card["options"] != game.options:
        return None
    net.check_fits(game)
    return net
