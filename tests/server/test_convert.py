"""Typed messages and views: the same as by protobuf's own conversion, and each read once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.search.position import Position
from kingmaker.server import convert
from kingmaker.v1 import tic_tac_toe_pb2, types_pb2

from .support import midgame

TEXTS = ("", "a", "1/bw ü€😀", "\0" * 200)
NUMBERS = (0, 1, -1, 127, 128, 300, -65, (1 << 31) - 1, -(1 << 31))
VALUES = {
    FieldDescriptor.TYPE_STRING: TEXTS,
    FieldDescriptor.TYPE_INT32: NUMBERS,
    FieldDescriptor.TYPE_SINT32: NUMBERS,
    FieldDescriptor.TYPE_BOOL: (False, True),
}


def positions(game: str) -> Iterator[Position]:
    num_plies = (0, 1) if game == "kuhn_poker" else (0, 1, 4, 5)
    return (midgame(game, plies, seed) for plies in num_plies for seed in (7, 8))


def as_by_protobuf(typed: Any) -> dict[str, Any]:
    return MessageToDict(
        typed, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def fill(message: Any, draw: Random) -> None:
    """Fill a message with anything that its fields can hold."""
    for field in message.DESCRIPTOR.fields:
        here = getattr(message, field.name)
        below = field.message_type
        if draw.random() < 0.4:
            continue
        if below is None and not field.is_repeated:
            setattr(message, field.name, draw.choice(VALUES[field.type]))
        elif below is None:
            here.extend(draw.choices(VALUES[field.type], k=3))
        elif below.GetOptions().map_entry:
            values = VALUES[below.fields_by_name["value"].type]
            here.update({key: draw.choice(values) for key in draw.sample(TEXTS, 2)})
        elif field.is_repeated:
            for _ in range(draw.randrange(3)):
                fill(here.add(), draw)
        else:
            here.SetInParent()
            fill(here, draw)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", [types_pb2.Position, types_pb2.Observation, types_pb2.Move])
def test_any_message_is_read_as_by_protobuf(game: str, kind: Any) -> None:
    for seed in range(20):
        message = kind()
        typed = getattr(message, game)
        typed.SetInParent()
        fill(typed, Random(seed))
        assert convert._as_dict(message, game) == as_by_protobuf(typed)


def test_fields_of_a_later_version_are_left_out() -> None:
    #        a number       8 bytes                a text          4 bytes
    later = b"\xf8\x3f\x81\x01\xf9\x3f" + bytes(8) + b"\xfa\x3f\x02hi\xfd\x3f" + bytes(4)
    group = b"\xfb\x3f" + later + b"\xfb\x3f\xfc\x3f\xfc\x3f"
    shape = convert._shape_of(tic_tac_toe_pb2.TicTacToeMove.DESCRIPTOR)
    sent = tic_tac_toe_pb2.TicTacToeMove(square="b2").SerializeToString()
    assert shape.view(later + group + sent + group) == {"square": "b2"}


def test_short_texts_are_told_apart() -> None:
    """More of them than are kept, with all letters in turn, and some twice."""
    shape = convert._shape_of(tic_tac_toe_pb2.TicTacToeMove.DESCRIPTOR)
    draw = Random(1)
    texts = ["".join(draw.choices("a\0\x01é", k=draw.randrange(10))) for _ in range(2000)]
    for text in (*texts, *map(chr, range(2000)), *texts):
        sent = tic_tac_toe_pb2.TicTacToeMove(square=text).SerializeToString()
        assert shape.view(sent) == {"square": text}


WRONG = {0: b"\x05", 1: bytes(8), 2: b"\x02\xff\xfe", 5: bytes(4)}
"""A value of each wire type."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", [types_pb2.Position, types_pb2.Observation, types_pb2.Move])
def test_values_of_a_wrong_type_are_left_out_as_by_protobuf(game: str, kind: Any) -> None:
    message = kind()
    typed = getattr(message, game)
    typed.SetInParent()
    fill(typed, Random(1))
    for field in typed.DESCRIPTOR.fields:
        is_number = field.type in {*VALUES} - {FieldDescriptor.TYPE_STRING}
        right = {0, 2} if is_number and field.is_repeated else {0 if is_number else 2}
        for wire_type in WRONG.keys() - right:
            tag = field.number << 3 | wire_type
            written = bytes([tag]) if tag < 128 else bytes([tag & 127 | 128, tag >> 7])
            typed.MergeFromString(written + WRONG[wire_type])
    assert convert._as_dict(message, game) == as_by_protobuf(typed)


@pytest.mark.parametrize("game", GAMES)
def test_views_are_read_and_written_as_by_protobuf(game: str) -> None:
    for position in positions(game):
        observation = position.observe(1)
        for node, message in (
            (position, convert.position_message(position)),
            (observation, convert.observation_message(observation)),
        ):
            typed = getattr(message, game)
            assert typed == ParseDict(node.view, type(typed)())
            assert convert._as_dict(message, game) == as_by_protobuf(typed)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "kind",
    [types_pb2.Position, types_pb2.Observation, types_pb2.Move],
    ids=lambda kind: kind.__name__,
)
def test_messages_of_games_have_plain_fields_only(game: str, kind: Any) -> None:
    found: dict[str, Any] = {}

    def collect(descriptor: Any) -> None:
        for field in descriptor.fields:
            if field.full_name not in found:
                found[field.full_name] = field
                if field.message_type is not None:
                    collect(field.message_type)

    collect(kind.DESCRIPTOR.fields_by_name[game].message_type)
    assert found
    assert {field.type for field in found.values()} <= {*VALUES, FieldDescriptor.TYPE_MESSAGE}


def test_a_move_whose_fields_are_all_zero_is_still_typed() -> None:
    position = midgame("tic_tac_toe", 0)
    typed = {
        convert.move_message(position.game, move).WhichOneof("typed")
        for move in position.legal_moves()
    }
    assert typed == {"tic_tac_toe"}


def test_what_is_sent_again_is_not_read_again() -> None:
    for position in (midgame(), midgame("knights_duty", 4)):
        typed = convert.observation_message(position.observe(position.seat))
        assert convert.read_observation(typed) is convert.read_observation(typed)
        sent = convert.position_message(position)
        assert convert.read_position(sent) is convert.read_position(sent)
    line = types_pb2.Position(game=position.game.name, text=position.text)
    assert convert.read_position(line) is convert.read_position(line)


def test_what_another_thread_forgets_meanwhile_is_read_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Batches are read on threads, and all other requests on the event loop."""

    class Forgetful(OrderedDict[bytes, Any]):
        def get(self, key: bytes, default: Any = None) -> Any:
            return self.pop(key, default)

    monkeypatch.setattr(convert, "_observations", Forgetful())
    observation = midgame().observe(1)
    sent = convert.observation_message(observation)
    for _ in range(3):
        assert convert.read_observation(sent) == observation


@pytest.mark.parametrize("game", [name for name, kind in GAMES.items() if kind.reads_lines])
def test_a_line_that_is_read_in_c_is_not_kept(game: str) -> None:
    position = midgame(game, 4)
    sent = types_pb2.Position(game=game, text=position.text)
    assert convert.read_position(sent) == position
    assert convert.read_position(sent) is not convert.read_position(sent)
    observation = position.observe(1)
    seen = types_pb2.Observation(game=game, text=observation.text)
    assert convert.read_observation(seen) == observation
    assert convert.read_observation(seen) is not convert.read_observation(seen)


def test_what_is_wrong_is_refused_each_time() -> None:
    message = types_pb2.Observation(game="hearts", text="no line @p1")
    for _ in range(2):
        with pytest.raises(InputError):
            convert.read_observation(message)


def test_long_messages_are_not_kept() -> None:
    observation = midgame().observe(1)
    message = convert.observation_message(observation)
    # An unknown field, as a newer client may send it.
    padded = types_pb2.Observation.FromString(
        message.SerializeToString() + b"\xfa\x3f\x80\x80\x01" + bytes(1 << 14)
    )
    assert padded.ByteSize() > convert.MAX_KEPT_BYTES
    assert convert.read_observation(padded) == observation
    assert convert.read_observation(padded) is not convert.read_observation(padded)
    assert convert.read_observation(message) is convert.read_observation(message)
