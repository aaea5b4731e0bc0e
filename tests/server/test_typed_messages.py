"""Typed messages of all games: one shape, and errors in terms of the fields that were sent."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.search.position import Position, new_game
from kingmaker.server.convert import (
    observation_message,
    position_message,
    read_move,
    read_observation,
    read_position,
)
from kingmaker.v1 import types_pb2
from tests.random_play import VARIANTS, Variant, steps_of

NUM_STATES = 12
NUM_MUTATIONS = 25  # of each message
STEP = re.compile(r"(\w+)(?:\[(\d+)\])?")
# What only lines and tokens have: labels, options behind ;, observers, seats and cards behind
# colons, rows of BASE and KNOWN, and the words for how something is written. Boards have rows too:
# numbered ones, six of Connect Four, and those of "board, file and row".
NOTATION = re.compile(
    r"\w=|;\w|@|[a-z]:\S|p\d:|[*>]|(?<!six )(?<!top )(?<!file and )\brows?\b(?! \d)|"
    r"\b(lines?|tag|labels?|letters?|writ\w+|separated|joined|BASE|KNOWN)\b"
)
TYPED_LETTERS = "letters of cdhsq"  # of HeartsSeat.shown
PYTHON = re.compile(r"\b(True|False|None)\b|[\[{]'|\\x|\\u")


def typed(kind: type[Message], game: str) -> Descriptor:
    """Return the message of a game in Position, Observation or Move."""
    return message_of(kind.DESCRIPTOR.fields_by_name[game])


def message_of(field: Any) -> Descriptor:
    """Return the message that a field holds."""
    message: Descriptor = field.message_type
    assert message is not None
    return message


@cache
def is_map(field: Any) -> bool:
    return bool(field.message_type and field.message_type.GetOptions().map_entry)


def shapes(message: Descriptor) -> list[tuple[str, int]]:
    return [(field.name, field.number) for field in message.fields]


# --- the shape ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_an_observation_is_what_is_seen_and_its_observer(game: str) -> None:
    position = typed(types_pb2.Position, game)
    observation = typed(types_pb2.Observation, game)
    (seen, *_), (observer, *_) = observation.fields, observation.fields[1:]
    assert shapes(observation)[:2] == [("seen", 1), ("observer", 2)]
    assert seen.message_type is position
    assert observer.type == FieldDescriptor.TYPE_INT32
    assert not {*observation.fields_by_name} & {*position.fields_by_name}


@pytest.mark.parametrize("game", GAMES)
def test_whose_turn_it_is_has_one_shape(game: str) -> None:
    position = typed(types_pb2.Position, game)
    node = message_of(position.fields_by_name["node"])
    assert node.name == position.name.replace("Position", "Node")
    assert shapes(node)[:2] == [("type", 1), ("seat", 2)]
    assert node.fields[0].type == FieldDescriptor.TYPE_STRING
    assert node.fields[1].type == FieldDescriptor.TYPE_INT32
    assert "seat" not in position.fields_by_name


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_seat_of_the_node_is_the_one_that_decides(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant, 60):
        position = Position(game, state)
        node = position.view["node"]
        drawn_for = game.chance_seat(state) + 1 if position.is_chance else 0
        assert node["seat"] == (position.seat or drawn_for)
        assert node == position.observe(1).view["seen"]["node"] or game.is_hidden


@pytest.mark.parametrize("game", GAMES)
def test_options_are_nested_alike(game: str) -> None:
    position = typed(types_pb2.Position, game)
    options = GAMES[game].option_help
    assert not {*options} & {*position.fields_by_name} - {"players"}
    told = new_game(game).view.get("options")
    assert ("options" in position.fields_by_name) == (told is not None) == bool(options)
    if told is not None:
        field = position.fields[0]
        assert (field.name, field.number) == ("options", 1)
        message = message_of(field)
        assert message.name == position.name.replace("Position", "Options")
        assert {*message.fields_by_name} == {*told} <= {*options}


@pytest.mark.parametrize("game", GAMES)
def test_fields_are_numbered_in_order_without_gaps(game: str) -> None:
    file = typed(types_pb2.Position, game).file
    for message in file.message_types_by_name.values():
        assert [field.number for field in message.fields] == [*range(1, len(message.fields) + 1)]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_view_has_the_fields_of_its_message(variant: Variant) -> None:
    game = variant.new()
    position = Position(game, steps_of(variant, 12)[5].state)
    assert {*position.view} == {*typed(types_pb2.Position, game.name).fields_by_name}
    for seat in range(game.num_seats + 1):
        view = position.observe(seat).view
        assert {*view} == {*typed(types_pb2.Observation, game.name).fields_by_name}
        assert {*view["seen"]} == {*position.view}
        assert view["observer"] == seat


# --- errors ---------------------------------------------------------------------------------------


def slots(message: Message) -> list[tuple[Message, Any]]:
    """List the fields of a message and of those in it."""
    found: list[tuple[Message, Any]] = []
    for field in message.DESCRIPTOR.fields:
        found.append((message, field))
        if field.message_type and not is_map(field):
            value = getattr(message, field.name)
            for each in value if field.is_repeated else [value] * message.HasField(field.name):
                found += slots(each)
    return found


def other(value: Any, rng: random.Random) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, 0, 1, 9, -1, 2**31 - 1])
    return rng.choice([value[::-1], value[1:], value.upper(), "", "zz", "?", "king", "none", "jh"])


def damage(message: Message, rng: random.Random) -> None:
    """Change one field at random."""
    holder, field = rng.choice(slots(message))
    value = getattr(holder, field.name)
    if is_map(field):
        value[rng.choice([*value, "king", "zz", "peasant"])] = rng.choice([0, 1, 2, 50, -1])
    elif field.is_repeated and len(value):
        place, change = rng.randrange(len(value)), rng.random()
        if change < 0.3:
            del value[place]
        elif change < 0.6 or field.message_type:
            value.append(value[place])
        else:
            value[place] = other(value[place], rng)
    elif field.is_repeated:
        value.add() if field.message_type else value.append(1 if field.cpp_type == 1 else "zz")
    elif field.message_type:
        holder.ClearField(field.name) if rng.random() < 0.5 else value.SetInParent()
    else:
        setattr(holder, field.name, other(value, rng))


def follow(message: Descriptor, path: str) -> None:
    """Check that a path names a field, a place in a list, or a key of a map."""
    steps = [STEP.fullmatch(step) for step in path.split(".")] if path else []
    for place, step in enumerate(steps, 1):
        assert step, path
        field = message.fields_by_name.get(step[1])
        assert field is not None, f"{message.name} has no field {step[1]} of {path}"
        assert not step[2] or (field.is_repeated and not is_map(field)), path
        if is_map(field):
            assert place >= len(steps) - 1, path
            return
        if place < len(steps):
            message = message_of(field)


def check_error(error: InputError, kind: str, message: Descriptor) -> None:
    """Check that an error speaks of the typed message."""
    root, _, path = error.field.partition(".")
    assert root == kind, error.field
    follow(message, path)
    sentence = str(error).partition("; got ")[0].replace(TYPED_LETTERS, "")
    assert not NOTATION.search(sentence), (error.field, str(error))
    assert not NOTATION.search(error.value), (error.field, str(error))
    assert not PYTHON.search(str(error)), (error.field, str(error))


def messages(variant: Variant, rng: random.Random) -> Iterator[tuple[str, Any, Any]]:
    """Yield kinds, messages and their readers, of states of random games."""
    game = variant.new()
    steps = steps_of(variant, 60)
    for state, _ in rng.sample(steps, min(NUM_STATES, len(steps))):
        position = Position(game, state)
        yield "position", position_message(position), read_position
        for seat in {position.seat, rng.randint(0, game.num_seats)}:
            yield "observation", observation_message(position.observe(seat)), read_observation


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_an_error_names_a_field_of_the_message_and_nothing_of_the_notation(
    variant: Variant,
) -> None:
    rng = random.Random(str(variant))
    num_errors = 0
    for kind, whole, read in messages(variant, rng):
        for _ in range(NUM_MUTATIONS):
            sent = type(whole)()
            getattr(sent, variant.name).CopyFrom(getattr(whole, variant.name))
            damage(getattr(sent, variant.name), rng)
            try:
                read(sent)
            except InputError as error:
                check_error(error, kind, typed(type(whole), variant.name))
                num_errors += 1
    assert num_errors > 100


def move_messages(game: Game, steps: Any) -> Iterator[types_pb2.Move]:
    """Yield the typed moves of a random game, without their tokens."""
    for move in {step.move for step in steps if step.move is not None}:
        sent = types_pb2.Move()
        for name, value in game.move_view(move).items():
            field = getattr(sent, game.name)
            if isinstance(value, list):
                getattr(field, name).extend(value)
            else:
                setattr(field, name, value)
        yield sent


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_an_error_of_a_typed_move_names_its_field(variant: Variant) -> None:
    rng = random.Random(str(variant))
    game = variant.new()
    num_errors = 0
    for whole in move_messages(game, steps_of(variant, 60)):
        for _ in range(NUM_MUTATIONS):
            sent = types_pb2.Move()
            sent.CopyFrom(whole)
            damage(getattr(sent, game.name), rng)
            try:
                read_move(game, sent)
            except InputError as error:
                check_error(error, "move", typed(types_pb2.Move, game.name))
                num_errors += 1
    assert num_errors > 20


def test_fields_stand_where_the_message_has_them() -> None:
    game = GAMES["kingdom_coinquest"]
    view = new_game(game.name).observe(1).view
    for sent, field in (
        (view | {"turn": 0}, "observation.turn"),
        (view | {"seen": view["seen"] | {"old_pools": []}}, "observation.seen.old_pools"),
        (view | {"seen": view["seen"] | {"observer": 1}}, "observation.seen.observer"),
        (view | {"seen": [1]}, "observation.seen"),
        (view | {"observer": 3}, "observation.observer"),
    ):
        with pytest.raises(InputError) as caught:
            game.from_view(sent)
        assert caught.value.field == field
