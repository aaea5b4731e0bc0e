"""What the tests of notations share: the lines of a rules page, and why a line is refused."""

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
