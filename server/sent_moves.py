"""Errors of moves in the words in which they were sent: fields of a typed move, or a token."""

from __future__ import annotations

from kingmaker.cext.errors import IllegalMoveError, StateError
from kingmaker.search.position import Observation, Position
from kingmaker.search.typed_moves import in_words, typed_refusal
from kingmaker.v1 import types_pb2

from .convert import typed_view


def in_sent_words(
    error: StateError, node: Position | Observation, move: types_pb2.Move
) -> StateError:
    """Return the error of a move at a node as its sender can read it.

    It is the same for a move with a text. For a typed one it names the field that is wrong.
    """
    view = typed_view(move)
    if view is None:
        return error
    if isinstance(error, IllegalMoveError):
        return typed_refusal(node, view)
    error.value = in_words(view)
    return error
