"""The .proto files: style, comments, and what the conversion relies on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kingmaker.cext.games import GAMES
from kingmaker.v1 import types_pb2

ROOT = Path(__file__).parents[2]
BUF = Path(sys.executable).with_name("buf")


@pytest.mark.parametrize("command", [["lint"], ["format", "--diff", "--exit-code"]])
def test_the_protos_keep_to_the_style_and_comment_on_everything(command: list[str]) -> None:
    buf = BUF if BUF.exists() else shutil.which("buf")
    assert buf, "buf is not installed; it comes with the dev tools (buf-bin)"
    run = subprocess.run(
        [buf, *command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("kind", [types_pb2.Position, types_pb2.Observation, types_pb2.Move])
def test_every_game_has_a_typed_message_of_its_name(kind: type[types_pb2.Position]) -> None:
    fields = kind.DESCRIPTOR.oneofs_by_name["typed"].fields
    assert {field.name for field in fields} == set(GAMES)
    for field in fields:
        title = "".join(word.capitalize() for word in field.name.split("_"))
        assert field.message_type
        assert field.message_type.name == title + kind.DESCRIPTOR.name
