"""`kingmaker token`: what it prints is what the server reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kingmaker.cli.app import app
from kingmaker.server.roles import Role
from kingmaker.server.tokens import read_tokens


def test_the_lines_are_those_of_the_file(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["token", "rook.team", "--role", "bot", "--role", "player"])
    assert result.exit_code == 0
    first, _, lines = result.stdout.partition("\n\n")
    path = tmp_path / "tokens.toml"
    path.write_text(lines)
    found = read_tokens(path).with_token(first.rpartition(" ")[2])
    assert found is not None
    name, entry = found
    assert (name, entry.roles) == ("rook.team", frozenset({Role.BOT, Role.PLAYER}))


def test_as_json_it_has_token_and_hash() -> None:
    result = CliRunner().invoke(app, ["token", "alice", "--json"])
    data = json.loads(result.stdout)
    assert data["token"].startswith("km_")
    assert len(data["sha256"]) == 64
    assert data["roles"] == ["player"]


def test_a_role_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    result = CliRunner().invoke(app, ["token", "alice", "--role", "king"])
    assert result.stderr == (
        "error: Invalid value for '--role': 'king' is not one of 'player', 'bot', 'operator'.\n"
    )


@pytest.mark.parametrize("words", [["a b"], ["alice", "--role", "king"], []])
def test_wrong_words_are_refused(words: list[str]) -> None:
    assert CliRunner().invoke(app, ["token", *words]).exit_code == 2
