"""Without its extras Kingmaker plays, searches, solves and serves; other commands name theirs."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest

from kingmaker.cli.app import EXTRAS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TTT = "ttt board=.../oo./xx. node=play:p1"
NO_EXTRAS = f"""
import sys
for name in {[name for modules in EXTRAS.values() for name in modules]!r}:
    sys.modules[name] = None
"""
SERVER = f"""{NO_EXTRAS}
from kingmaker.cli import main
sys.argv = ["kingmaker", *sys.argv[1:]]
main()
"""
COMMANDS = f"""{NO_EXTRAS}
import json
from typer.testing import CliRunner
from kingmaker.cli.app import app
for arguments in json.loads(sys.argv[1]):
    done = CliRunner().invoke(app, arguments, prog_name="kingmaker")
    print(json.dumps([done.exit_code, done.stdout, done.stderr]))
"""
NEED_NONE = [
    ["games"],
    ["hint", TTT, "--simulations", "100"],
    ["solve", "tic_tac_toe"],
    ["play", "leduc_poker", "--seat", "0", "--level", "1", "--json"],
]
NEED_ONE = [
    (["mcp"], "mcp"),
    (["ladder", "status"], "ladder"),
    (["train", "leduc_poker", "--out", "none"], "ladder"),
    (["serve", "--ladders", "none.sqlite"], "ladder"),
]


class Done(NamedTuple):
    """How a command ended."""

    exit_code: int
    stdout: str
    stderr: str


@cache
def done_without_extras() -> dict[str, Done]:
    """Run all commands in one process that can import no extra, as they import much in common."""
    commands = [*NEED_NONE, *(arguments for arguments, _ in NEED_ONE)]
    program = [sys.executable, "-c", COMMANDS, json.dumps(commands)]
    ran = subprocess.run(program, capture_output=True, text=True, timeout=60, check=True)
    ends = [Done(*json.loads(line)) for line in ran.stdout.splitlines()]
    return dict(zip(map(" ".join, commands), ends, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("arguments", NEED_NONE)
def test_the_command_needs_no_extra(arguments: list[str]) -> None:
    done = done_without_extras()[" ".join(arguments)]
    assert done.exit_code == 0, done.stderr
    assert done.stdout


@pytest.mark.slow
def test_the_server_needs_no_extra() -> None:
    command = [sys.executable, "-c", SERVER, "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"address" in process.stdout.readline()
        process.terminate()
        process.communicate()


@pytest.mark.parametrize(("arguments", "extra"), NEED_ONE)
def test_the_command_names_the_extra_that_it_needs(arguments: list[str], extra: str) -> None:
    done = done_without_extras()[" ".join(arguments)]
    assert done.exit_code == 1
    assert done.stderr.startswith("error: this needs ")
    assert done.stderr.endswith(f": pip install 'kingmaker[{extra}]'\n")
    assert done.stderr.count("\n") == 1


def test_the_extras_bring_what_commands_say_they_bring() -> None:
    packages = packages_distributions()
    for extra, modules in EXTRAS.items():
        required = " ".join(PROJECT["optional-dependencies"][extra]).lower().replace("_", "-")
        for module in modules:
            names = [name.lower().replace("_", "-") for name in packages[module]]
            assert any(name in required for name in names)


def test_what_only_some_need_is_no_dependency() -> None:
    required = " ".join(PROJECT["dependencies"]).lower()
    for modules in EXTRAS.values():
        for module in modules:
            assert module not in required
