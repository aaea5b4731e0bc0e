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


def test_the_protos_are_compared_with_the_newest_tag_since_the_contract_was_settled(
    tmp_path: Path,
) -> None:
    """An older tag, of a contract that nobody relied on, does not count."""

    def git(*words: str) -> None:
        author = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
        subprocess.run(["git", *author, *words], cwd=tmp_path, check=True, capture_output=True)

    def breaking() -> tuple[int, str]:
        old = ["-o", ".venv/.built", "-o", ".venv/.dev-tools"]
        run = subprocess.run(
            ["make", "-f", ROOT / "Makefile", *old, f"BIN={BUF.parent}", "breaking"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return run.returncode, run.stdout

    for folder in ("cext", "search", "proto"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    proto = tmp_path / "proto" / "a.proto"
    git("init", "--quiet")
    for tag, field in (("v0.1.9", "one"), ("v0.2.0", "two"), ("v0.10.0", "three")):
        proto.write_text(f'syntax = "proto3";\npackage a;\nmessage A {{ int32 {field} = 1; }}\n')
        git("add", ".")
        git("commit", "--quiet", "-m", tag)
        code, said = breaking()
        assert (code == 0) == (tag != "v0.10.0"), said
        git("tag", tag)
        assert breaking()[0] == 0
    assert "v0.10.0" in breaking()[1]


@pytest.mark.parametrize("kind", [types_pb2.Position, types_pb2.Observation, types_pb2.Move])
def test_every_game_has_a_typed_message_of_its_name(kind: type[types_pb2.Position]) -> None:
    fields = kind.DESCRIPTOR.oneofs_by_name["typed"].fields
    assert {field.name for field in fields} == set(GAMES)
    for field in fields:
        title = "".join(word.capitalize() for word in field.name.split("_"))
        assert field.message_type
        assert field.message_type.name == title + kind.DESCRIPTOR.name
