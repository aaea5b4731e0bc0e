"""Conversion between messages and the library's types; generic over games.

The field of a oneof `typed` has the name of its game, and its message has the field names of the
game's typed view. So one conversion does for every game, and no code here names one. A game without
such a field, for example of another package, is sent as text only.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.duration_pb2 import Duration

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.wire import Shape
from kingmaker.search.analysis import Bound, MoveAnalysis, Reply
from kingmaker.search.games import game_type, game_types
from kingmaker.search.position import (
    Observation,
    Position,
    observation_from_view,
    parse_observation,
    parse_position,
    position_from_view,
)
from kingmaker.search.record import MAX_RECORD, Record, RecordError, Seen
from kingmaker.search.typed_moves import typed_record_refusal
from kingmaker.v1 import types_pb2

# The largest position, of Knaves Out with eight seats, ten records of 40 cards and more each, has
# 5,000 characters and 21,000 bytes; most have a few hundred.
MAX_LINE = 1 << 13  # characters of a notation
MAX_TYPED_BYTES = 1 << 15  # of a typed message
MAX_CACHED_MOVES = 1 << 14
# A position is sent more than once: to list its moves, to observe it, for a hint, to make a move.
MAX_KEPT = 1 << 8  # positions, and as many observations, that are kept by their messages
MAX_KEPT_BYTES = 1 << 12  # of such a message; most have a few hundred
NODE_KINDS = {
    "chance": types_pb2.NODE_KIND_CHANCE,
    "end": types_pb2.NODE_KIND_END,
}
BOUNDS = {
    None: types_pb2.BOUND_UNSPECIFIED,
    Bound.EXACT: types_pb2.BOUND_EXACT,
    Bound.LOWER: types_pb2.BOUND_LOWER,
    Bound.UPPER: types_pb2.BOUND_UPPER,
    Bound.HEURISTIC: types_pb2.BOUND_HEURISTIC,
}
KINDS = {  # of the fields of typed messages, which have no enums, bytes and numbers of 64 bits
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_UINT32: "uint32",
    FieldDescriptor.TYPE_SINT32: "sint32",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_MESSAGE: "message",
}
TYPED_GAMES = frozenset(
    field.name for field in types_pb2.Position.DESCRIPTOR.oneofs_by_name["typed"].fields
)

Message = TypeVar("Message", types_pb2.Position, types_pb2.Observation)
Node = TypeVar("Node", Position, Observation)

_move_cache: dict[tuple[Game, str], types_pb2.Move] = {}
_positions: OrderedDict[bytes, Position] = OrderedDict()
_observations: OrderedDict[bytes, Observation] = OrderedDict()


def read_position(message: types_pb2.Position) -> Position:
    """Read a full state from its line, its typed message, or both.

    Raises:
        InputError: it is missing, invalid, or line and typed message differ.
    """
    if _is_line(message):
        return parse_position(message.game, _line(message.text))
    return _read(message, _positions, _new_position)


def _new_position(message: types_pb2.Position, data: bytes) -> Position:
    game, text, view = _contents(message, data)
    by_text = parse_position(game, _line(text)) if text else None
    by_view = position_from_view(game, view) if view is not None else None
    if by_text is not None and by_view is not None and by_text != by_view:
        raise _contradiction("position", text)
    position = by_text or by_view
    if position is None:
        raise InputError("the position is missing; give its text or its typed message")
    return position


def read_observation(message: types_pb2.Observation) -> Observation:
    """Read an observation from its line, its typed message, or both.

    Raises:
        InputError: it is missing, invalid, or line and typed message differ, or its record does not
            lead to it.
    """
    if _is_line(message) and not message.HasField("record"):
        return parse_observation(message.game, _line(message.text))
    return _read(message, _observations, _new_observation)


def _new_observation(message: types_pb2.Observation, data: bytes) -> Observation:
    game, text, view = _contents(message, data)
    by_text = parse_observation(game, _line(text)) if text else None
    by_view = observation_from_view(game, view) if view is not None else None
    if by_text is not None and by_view is not None and by_text != by_view:
        raise _contradiction("observation", text)
    observation = by_text or by_view
    if observation is None:
        raise InputError("the observation is missing; give its text or its typed message")
    if message.HasField("record"):
        record = _read_record(observation.game, message.record)
        try:
            return observation.with_record(record)
        except RecordError as error:
            view = typed_view(message.record.seen[error.place].move)
            if view is None:
                raise
            raise typed_record_refusal(observation, error, view) from None
    return observation


def _read_record(game: Game, message: types_pb2.Record) -> Record:
    if len(message.seen) > MAX_RECORD:
        raise InputError(
            f"the record has {len(message.seen)} entries; it must have at most {MAX_RECORD}",
            field="record.seen",
        )
    seen = []
    for place, entry in enumerate(message.seen):
        try:
            seen.append(Seen(entry.seat, read_move(game, entry.move)))
        except InputError as error:
            below = error.field.removeprefix("move").removeprefix(".")
            error.field = f"record.seen[{place}].move{below and '.'}{below}"
            raise
    return Record(tuple(seen), dict(message.options))


def read_move(game: Game, message: types_pb2.Move) -> str:
    """Read the token of a move from itself, its typed message, or both.

    Raises:
        InputError: it is missing, of another game, not of the notation, or text and message differ.
    """
    typed = message.WhichOneof("typed")
    token = _line(message.text)
    if typed is not None:
        if typed != game.name:
            raise InputError(
                f"the typed move is of {typed}, the position of {game.name}", value=typed
            )
        typed_token = game.move_text(game.move_from_view(_as_dict(message, typed)))
        if token and token != typed_token:
            raise InputError(
                f"text says {token}, the typed move {typed_token}; give one of them", value=token
            )
        token = typed_token
    if not token:
        raise InputError("the move is missing; give its text or its typed message")
    game.parse_move(token)
    return token


def typed_view(message: types_pb2.Move) -> dict[str, Any] | None:
    """Return the view of a move that was sent as its typed message alone; None: it has a text."""
    typed = message.WhichOneof("typed")
    return None if typed is None or message.text else _as_dict(message, typed)


def position_message(position: Position) -> types_pb2.Position:
    """Write a full state as line and typed message."""
    game = position.game.name
    typed = {game: position.view} if game in TYPED_GAMES else {}
    return types_pb2.Position(game=game, text=position.text, **typed)


def observation_message(observation: Observation) -> types_pb2.Observation:
    """Write an observation as line and typed message, with its record."""
    game = observation.game.name
    typed = {game: observation.view} if game in TYPED_GAMES else {}
    message = types_pb2.Observation(game=game, text=observation.text, **typed)
    if observation.record is not None:
        message.record.CopyFrom(_record_message(observation.game, observation.record))
    return message


def _record_message(game: Game, record: Record) -> types_pb2.Record:
    return types_pb2.Record(
        seen=[
            types_pb2.SeenMove(seat=seat, move=move_message(game, move))
            for seat, move in record.seen
        ],
        options={name: str(value) for name, value in record.options.items()},
    )


def move_message(game: Game, token: str) -> types_pb2.Move:
    """Write a move or outcome; the message is cached, so don't change it."""
    key = (game, token)
    message = _move_cache.get(key)
    if message is None:
        view = game.move_view(game.parse_move(token)) if game.name in TYPED_GAMES else None
        message = types_pb2.Move(text=token, **({} if view is None else {game.name: view}))
        if len(_move_cache) >= MAX_CACHED_MOVES:
            _move_cache.clear()
        _move_cache[key] = message
    return message


def move_messages(game: Game, tokens: Iterable[str]) -> list[types_pb2.Move]:
    """Write moves and outcomes."""
    return [move_message(game, token) for token in tokens]


def node_message(position: Position | Observation) -> types_pb2.Node:
    """Write the node: a seat, chance or the end."""
    kind = NODE_KINDS.get(position.node, types_pb2.NODE_KIND_DECISION)
    is_known = isinstance(position, Position) and position.is_terminal
    returns = position.game.returns_of(position.state) if is_known else []
    return types_pb2.Node(kind=kind, seat=position.seat, returns=returns)


def move_analysis_message(
    observation: Observation, move: MoveAnalysis, probability: float
) -> types_pb2.MoveAnalysis:
    """Write the analysis of one legal move of `observation`."""
    game = observation.game
    description = observation.describe(move.move)
    later = [observation.describe_anywhere(token) for token in move.line[1:]]
    return types_pb2.MoveAnalysis(
        move=move_message(game, move.move),
        description=description,
        visits=move.visits,
        visit_share=move.visit_share,
        probability=probability,
        values=move.values if move.is_examined else (),
        standard_error=move.standard_error if move.is_examined else 0,
        is_exact=move.is_exact,
        is_examined=move.is_examined,
        line=move_messages(game, move.line),
        line_descriptions=[description, *later] if move.line else [],
        replies=[reply_message(game, reply) for reply in move.replies],
        world_share=move.world_share,
    )


def reply_message(game: Game, reply: Reply) -> types_pb2.Reply:
    """Write a reply of a rival."""
    return types_pb2.Reply(
        seat=reply.seat,
        move=move_message(game, reply.move),
        frequency=reply.frequency,
        value=reply.value,
        standard_error=reply.standard_error,
    )


def duration_message(seconds: float) -> Duration:
    """Write a time."""
    message = Duration()
    write_duration(message, seconds)
    return message


def write_duration(message: Duration, seconds: float) -> None:
    """Write a time into a message."""
    message.seconds, message.nanos = divmod(round(seconds * 1e9), 10**9)


def _is_line(message: types_pb2.Position | types_pb2.Observation) -> bool:
    """Whether a message has a line, no typed message, and a game that reads lines in C.

    To read such a line takes less time than to find what is kept of it.
    """
    kind = game_types().get(message.game)
    return (
        kind is not None
        and kind.reads_lines
        and message.text != ""
        and message.WhichOneof("typed") is None
    )


def _read(
    message: Message, kept: OrderedDict[bytes, Node], read: Callable[[Message, bytes], Node]
) -> Node:
    """Return what a message says, which is kept for the next calls with the same one."""
    data = message.SerializeToString()
    found = kept.get(data)
    if found is None:
        found = read(message, data)
        if len(data) > MAX_KEPT_BYTES:
            return found
        kept[data] = found
        if len(kept) > MAX_KEPT:
            kept.popitem(last=False)
    else:
        with suppress(KeyError):  # another thread, that reads a batch, has put others in its place
            kept.move_to_end(data)
    return found


def _contents(
    message: types_pb2.Position | types_pb2.Observation, data: bytes
) -> tuple[str, str, dict[str, Any] | None]:
    """Return what a message, whose bytes are `data`, says: game, line and typed view, or None."""
    if len(data) > MAX_TYPED_BYTES and (typed := message.WhichOneof("typed")):
        _check_size(typed, getattr(message, typed).ByteSize())
    fields = _contents_shape(message.DESCRIPTOR).view(data)
    text = fields.pop("text")
    game = fields.pop("game")
    typed = next(iter(fields), None)
    game = game or typed or ""
    game_type(game)  # raises for a missing or unknown game, even if the line is missing
    if typed is None:
        return game, text, None
    if typed != game:
        raise InputError(
            f"the game is {game}, but the typed message is of {typed}", field="game", value=game
        )
    return game, text, fields[typed]


def _line(text: str) -> str:
    if len(text) > MAX_LINE:
        raise InputError(
            f"the text has {len(text)} characters; it must have at most {MAX_LINE}", field="text"
        )
    return text


def _contradiction(what: str, text: str) -> InputError:
    return InputError(
        f"text and typed message are not the same {what}; give one of them", value=text
    )


def _as_dict(message: Any, typed: str) -> dict[str, Any]:
    """Convert a typed message to plain data.

    As `MessageToDict` does with field names and fields of default values.
    """
    view = getattr(message, typed)
    data = view.SerializeToString()
    _check_size(typed, len(data))
    return _shape_of(view.DESCRIPTOR).view(data)


def _check_size(typed: str, size: int) -> None:
    """Check the size of a typed message, as its conversion takes a while."""
    if size > MAX_TYPED_BYTES:
        raise InputError(
            f"the typed message has {size} bytes; it must have at most {MAX_TYPED_BYTES}",
            field=typed,
        )


@cache
def _contents_shape(descriptor: Any) -> Shape:
    """Describe the wire format of a position or observation: its game, line and typed message."""
    return _shape(descriptor, ("game", "text", *TYPED_GAMES))


@cache
def _shape_of(descriptor: Any) -> Shape:
    """Describe the wire format of a message."""
    return _shape(descriptor, descriptor.fields_by_name)


def _shape(descriptor: Any, names: Iterable[str]) -> Shape:
    """Describe the wire format of these fields of a message; others are left out of its views."""
    shape = Shape()
    for field in map(descriptor.fields_by_name.__getitem__, names):
        below = field.message_type
        is_map = below is not None and below.GetOptions().map_entry
        shape.add(
            field.number,
            field.name,
            "map" if is_map else KINDS[field.type],
            None if below is None else _shape_of(below),
            field.is_repeated,
            None
            if field.has_presence and not descriptor.GetOptions().map_entry
            else field.default_value,
        )
    return shape
