"""Without its extras Kingmaker plays, searches, solves and serves; other commands name theirs."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from kingmaker.cli.app import EXTRAS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TTT = "ttt board=.../oo./xx. node=play:p1"
WITHOUT_EXTRAS = f"""
import sys
for name in {[name for modules in EXTRAS.values() for name in modules]!r}:
    sys.modules[name] = None
from kingmaker.cli import main
sys.argv = ["kingmaker", *sys.argv[1:]]
main()
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_EXTRAS, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["hint", TTT, "--simulations", "100"],
        ["solve", "tic_tac_toe"],
        ["play", "leduc_poker", "--seat", "0", "--level", "1", "--json"],
    ],
)
def test_the_command_needs_no_extra(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_server_needs_no_extra() -> None:
    command = [sys.executable, "-c", WITHOUT_EXTRAS, "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"address" in process.stdout.readline()
        process.terminate()
        process.communicate()


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["mcp"], "mcp"),
        (["ladder", "run", "none.toml"], "ladder"),
        (["train", "leduc_poker", "--out", "none"], "ladder"),
        (["serve", "--ladders", "none.sqlite"], "ladder"),
    ],
)
def test_the_command_names_the_extra_that_it_needs(arguments: list[str], extra: str) -> None:
    done = run(*arguments)
    assert done.returncode == 1
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
