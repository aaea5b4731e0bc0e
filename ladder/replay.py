"""Verification of stored games: a record must follow from its task and the bots' moves."""

from __future__ import annotations

import math

from kingmaker.cext.errors import InputError
from kingmaker.search.position import Position
from kingmaker.tasks.model import InfrastructureError

from .deals import Deal
from .model import Cause, GameRecord, MoveRecord
from .play import first_position, returns_of

SHARE_ERROR = 1e-9


class ReplayError(Exception):
    """A record contradicts the rules or its task.

    Attributes:
        ply: of the move or outcome that differs, from 1; 0: the task; one more than the number of
            moves: the end of the game.
    """

    def __init__(self, ply: int, message: str) -> None:
        super().__init__(ply, message)
        self.ply = ply

    def __str__(self) -> str:
        return f"ply {self.ply}: {self.args[1]}"


def replay(record: GameRecord) -> Position:
    """Check a record move by move, and return the last position.

    Chance outcomes must be those of the deal seed, moves legal, and cause, end and returns must
    follow from the last position and the culprit. Times are not checked.

    Raises:
        ReplayError: something differs; the message has the ply and the difference.
    """
    try:
        position = first_position(record.task)
    except InfrastructureError as error:
        raise ReplayError(0, error.detail) from error
    deal = Deal(record.task.deal_seed)
    for ply, move in enumerate(record.moves, 1):
        if problem := _misplaced(position, move):
            raise ReplayError(ply, problem)
        if position.is_chance:
            drawn = position.game.move_text(deal.draw(position.game, position.state))
            if move.token != drawn:
                raise ReplayError(ply, f"chance drew {drawn}; the record says {move.token}")
        try:
            position = position.apply(move.token)
        except InputError as error:
            raise ReplayError(ply, str(error)) from error
    if problem := _wrong_end(record, position):
        raise ReplayError(len(record.moves) + 1, problem)
    return position


def _misplaced(position: Position, move: MoveRecord) -> str:
    """Return the error if the game is over or another seat is to move; else ""."""
    if position.is_terminal:
        return f"the game is over; the record continues with {move.token}"
    if position.seat != move.seat:
        return f"{position.node} is to move; the record says seat {move.seat}"
    return ""


def _wrong_end(record: GameRecord, position: Position) -> str:
    """Return the error in the end of a record; else ""."""
    if record.end != position.text:
        return f"the game ends in {position.text}; the record says {record.end}"
    if problem := _wrong_cause(record, position):
        return problem
    returns = returns_of(position, record.cause, record.culprit)
    if not _are_alike(returns, record.returns):
        return f"the returns are {returns}; the record says {record.returns}"
    return ""


def _wrong_cause(record: GameRecord, position: Position) -> str:
    num_plies, limit = len(record.moves), record.task.max_plies
    if num_plies > limit:
        return f"the record has {num_plies} plies; the game is cut at {limit}"
    if record.cause is Cause.FINISHED:
        is_right = position.is_terminal and record.culprit == 0
    elif record.cause is Cause.CUT:
        is_right = not position.is_terminal and num_plies == limit and record.culprit == 0
    else:
        is_right = position.seat != 0 and record.culprit == position.seat
    if is_right:
        return ""
    return (
        f"the record says {record.cause} with culprit {record.culprit} after {num_plies} plies, "
        f"where {position.node} is asked"
    )


def _are_alike(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return len(a) == len(b) and all(
        math.isclose(x, y, abs_tol=SHARE_ERROR) for x, y in zip(a, b, strict=True)
    )
