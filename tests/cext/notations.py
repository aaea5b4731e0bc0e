"""What tests of lines share: those of a rules page, playing on from one, why one is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.search.scenario import read_blocks
from tests.random_play import possible

PAGES = Path(__file__).parents[2] / "docs" / "rules"
View = dict[str, Any]


def page_lines(game: str, *verbs: str) -> Iterator[str]:
    """What stands behind these verbs in the scenario blocks of a game's page."""
    for block in read_blocks(PAGES / f"{game}.md"):
        for line in block.lines:
            verb, _, content = line.text.partition(" ")
            if verb in verbs:
                yield content


def read_line(kind: type[Game], line: str) -> tuple[Game, bytes]:
    """The game and the state of a line, or the observation if it has an observer."""
    return kind.parse_observation(line) if "@" in line else kind.parse_position(line)


def tokens_of(game: Game, state: bytes) -> list[str]:
    """The tokens of the legal moves or outcomes."""
    return [game.move_text(number) for number in possible(game, state)]


def played(kind: type[Game], line: str, *tokens: str) -> tuple[Game, bytes]:
    """The game and state of a line after moves and outcomes, each of which must be possible."""
    game, state = kind.parse_position(line)
    for token in tokens:
        assert token in tokens_of(game, state)
        state = game.after(state, game.parse_move(token))
    return game, state


def seen_by(game: Game, state: bytes, token: str) -> list[str]:
    """A move as the spectator and each seat see it happen."""
    move = game.parse_move(token)
    return [game.move_text(game.seen(state, move, seat)) for seat in range(-1, game.num_seats)]


def error_of(kind: type[Game], line: str) -> InputError:
    """The error that a line is refused with."""
    with pytest.raises(InputError) as caught:
        read_line(kind, line)
    return caught.value


def refused(kind: type[Game], line: str) -> tuple[str, str]:
    """Field of the position and rule of the error that a line is refused with."""
    error = error_of(kind, line)
    message = "observation" if "@" in line else "position"
    return error.field.removeprefix(f"{message}.").removeprefix("seen."), error.rule


def sent(view: View, message: Message) -> View:
    """A view as it comes back from its typed message."""
    return MessageToDict(
        ParseDict(view, message),
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )
