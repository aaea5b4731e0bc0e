"""Checks of what users of the environments pass."""

from __future__ import annotations

from operator import index

from kingmaker.cext.errors import StateError, refusal
from kingmaker.cext.game import Game

RENDER_MODES = ["ansi"]


def action_of(game: Game, action: object) -> int:
    """Return an action as a number of Python.

    Raises:
        InputError: the game has no such action; a fraction is none.
    """
    try:
        number = index(action)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number < game.num_actions:
        wanted = f"an action is a whole number, 0 to {game.num_actions - 1}"
        raise refusal("action", action, "", wanted)
    return number


def not_legal(game: Game, state: bytes, action: int) -> StateError:
    """Return the error of an action that the game has, but not in this state."""
    move = game.move_at(action)
    why, rule = game.why_illegal(state, move)
    return StateError(
        f"action {action}, {game.move_text(move)}, is not legal: {why}",
        field="action",
        value=str(action),
        rule=rule,
    )


def check_begun(has_begun: bool) -> None:
    """Check that there has been a reset.

    Raises:
        StateError: there has not.
    """
    if not has_begun:
        raise StateError("there is no game to see; call reset first")


def check_render_mode(mode: str | None) -> None:
    """Check how an environment is to be drawn.

    Raises:
        InputError: it is no mode that there is.
    """
    if mode is not None and not (isinstance(mode, str) and mode in RENDER_MODES):
        wanted = "render_mode must be ansi, or None for no drawing"
        raise refusal("render_mode", mode, "", wanted)
