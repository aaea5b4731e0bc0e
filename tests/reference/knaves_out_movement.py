"""Steps, going to sea and landing in Knaves Out (R8)."""

from __future__ import annotations

from dataclasses import replace

from .knaves_out_board import board_of
from .knaves_out_moves import can_sail, can_step, guards, sails_free
from .knaves_out_state import PAWN, Piece, Sailor, State
from .knaves_out_turns import Context, deal, relocate, remove, to_main


def begin_step(state: State, step: str) -> None:
    """Begin a step, `move.<from>.<to>` or `sail.<square>`, with its hazard (R8.5)."""
    square = step.split(".")[1]
    piece = state.mine.pieces[square]
    if not piece.is_building and not piece.is_mover and is_hazardous(state, square):
        context: Context = {"k": "hazard", "on": square, "dmg": 1, "step": step}
        if not deal(state, context):
            return
    finish_step(state, step)


def is_hazardous(state: State, square: str) -> bool:
    """Tell whether starting a movement on a square hurts (R11.4)."""
    tower = state.great.get("ivory")
    if not tower or tower.chosen == state.active:
        return False
    return board_of(tower.square) == board_of(square)


def finish_step(state: State, step: str) -> None:
    """Make the step unless the hazard has made it impossible (R8.5)."""
    to_main(state)
    verb, square, *to = step.split(".")
    piece = state.mine.pieces.get(square)
    is_possible = can_step if verb == "move" else can_sail
    if not piece or not is_possible(state, square):
        return
    if verb == "move":
        make_step(state, square, to[0], piece)
    else:
        go_to_sea(state, square, piece)


def make_step(state: State, square: str, to: str, piece: Piece) -> None:
    """R8.1, R8.4, R8.9, R4.9."""
    begins_cleansed = not piece.is_mover and board_of(square) == state.cleansed
    moved = replace(piece, steps=piece.steps + 1)
    if not piece.is_building:
        is_cleansed = piece.is_cleansed or begins_cleansed
        moved = replace(moved, is_cleansed=is_cleansed, is_mover=True)
    relocate(state, square, to, moved)
    if piece.letter == PAWN:
        use_permissions(state, [board_of(square), board_of(to)], to)


def use_permissions(state: State, boards: list[int], place: str) -> None:
    """R8.9; the place is the square of the pawn, or `x`."""
    for seat in guards(state, boards):
        state.mine.permissions[seat] = place


def go_to_sea(state: State, square: str, piece: Piece) -> None:
    """R8.6."""
    cost = 0 if sails_free(state, piece.letter) else 1
    remove(state, square)
    state.mine.sea.append(Sailor(piece.letter, piece.checkers - cost, is_fresh=True))
    if piece.letter == PAWN:
        use_permissions(state, [board_of(square)], "x")


def land(state: State, token: str, square: str) -> None:
    """R8.7; the token is that of the soldier, as in `land:`."""
    sailor = next(
        sailor for sailor in state.mine.sea if sailor.token() == token and not sailor.is_fresh
    )
    state.mine.sea.remove(sailor)
    state.mine.pieces[square] = Piece(sailor.letter, sailor.checkers, steps=1, is_mover=True)
    if sailor.letter == PAWN:
        use_permissions(state, [board_of(square)], square)
    to_main(state)
