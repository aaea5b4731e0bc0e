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
BIN = Path(sys.executable).parent
BUF = BIN / "buf"


@pytest.mark.parametrize("command", [["lint"], ["format", "--diff", "--exit-code"]])
def test_the_protos_keep_to_the_style_and_comment_on_everything(command: list[str]) -> None:
    buf = BUF if BUF.exists() else shutil.which("buf")
    assert buf, "buf is not installed; it comes with the dev tools (buf-bin)"
    run = subprocess.run(
        [buf, *command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_protos_are_compared_with_the_contract_of_the_last_release(tmp_path: Path) -> None:
    """The last one by the numbers of its version, not by its letters."""

    def make(target: str) -> tuple[int, str]:
        old = ["-o", ".venv/.built", "-o", ".venv/.dev-tools"]
        run = subprocess.run(
            ["make", "-f", ROOT / "Makefile", *old, f"BIN={BIN}", target],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return run.returncode, run.stdout

    def write(field: str) -> None:
        proto = tmp_path / "proto" / "a.proto"
        proto.write_text(f'syntax = "proto3";\npackage a;\nmessage A {{ int32 {field} = 1; }}\n')

    for folder in ("cext", "search", "proto", "clients/contract"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    for version, field in (("0.9.0", "one"), ("0.10.0", "two")):
        (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
        write(field)
        assert make("contract")[0] == 0
        assert make("breaking")[0] == 0
    write("one")
    code, said = make("breaking")
    assert code
    assert 'from "two" to "one"' in said


@pytest.mark.parametrize("kind", [types_pb2.Position, types_pb2.Observation, types_pb2.Move])
def test_every_game_has_a_typed_message_of_its_name(kind: type[types_pb2.Position]) -> None:
    fields = kind.DESCRIPTOR.oneofs_by_name["typed"].fields
    assert {field.name for field in fields} == set(GAMES)
    for field in fields:
        title = "".join(word.capitalize() for word in field.name.split("_"))
        assert field.message_type
        assert field.message_type.name == title + kind.DESCRIPTOR.name
