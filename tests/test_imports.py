"""What is imported only when it is needed, so that commands start at once."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

import kingmaker
from kingmaker.cli.app import COMMANDS
from kingmaker.ladder.store import Store

HEAVY = {
    *("numpy", "scipy", "matplotlib", "jinja2", "sqlalchemy", "alembic"),
    *("grpc", "google.protobuf", "pydantic", "pydantic_settings", "structlog", "asyncio"),
    *("kingmaker.cext.games", "kingmaker.search.run", "kingmaker.ladder", "kingmaker.server"),
}
HELP = "import sys; sys.argv = ['kingmaker', '--help']; from kingmaker.cli import main; main()"


def imported(code: str) -> set[str]:
    """Run code in an interpreter of its own and list the modules that it has then imported."""
    tell = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    done = subprocess.run(
        [sys.executable, "-c", tell + code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("code", ["import kingmaker", HELP])
def test_neither_the_library_nor_its_help_imports_what_only_some_work_needs(code: str) -> None:
    modules = imported(code)
    assert "kingmaker" in modules
    assert not HEAVY & modules


def test_help_of_a_command_imports_that_command_alone() -> None:
    modules = imported(HELP.replace("'--help'", "'verify', '--help'"))
    assert "kingmaker.cli.verify" in modules
    assert {f"kingmaker.cli.{name}" for name in COMMANDS} & modules == {"kingmaker.cli.verify"}


def test_the_health_of_a_server_is_asked_without_loading_games() -> None:
    ask = HELP.replace("'--help'", "'health', '127.0.0.1:1'")
    modules = imported(
        "import contextlib; "
        + ask.replace("main()", "\nwith contextlib.suppress(SystemExit): main()")
    )
    assert "grpc" in modules
    assert not {"numpy", "kingmaker.cext.games"} & modules


def test_a_list_of_ladders_loads_neither_migrations_nor_statistics(tmp_path: Path) -> None:
    database = str(tmp_path / "ladder.sqlite")
    Store(database, create=True).close()
    modules = imported(HELP.replace("'--help'", f"'ladder', 'status', '--database', {database!r}"))
    assert "sqlalchemy" in modules
    assert not {"alembic", "scipy", "kingmaker.ladder.coordinator"} & modules


def test_what_is_used_is_imported() -> None:
    assert {"numpy", "kingmaker.search.run"} <= imported("import kingmaker; kingmaker.analyze")


def test_every_public_name_is_listed_and_found() -> None:
    star: dict[str, object] = {}
    exec("from kingmaker import *", star)
    assert set(kingmaker.__all__) <= set(star) & set(dir(kingmaker))
    assert kingmaker.solve.__module__ == "kingmaker.search.solver"


def test_every_error_of_wrong_values_is_public() -> None:
    errors = {"IllegalMoveError", "InputError", "StateError", "UnknownGameError"}
    assert errors <= set(kingmaker.__all__)
    with pytest.raises(kingmaker.IllegalMoveError, match="a1 is not legal"):
        kingmaker.new_game("tic_tac_toe").apply("a1", "a1")


def test_what_only_type_checkers_need_is_not_listed() -> None:
    assert "TYPE_CHECKING" not in dir(kingmaker)


def test_a_name_that_is_not_public_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'kingmaker' has no attribute 'slove'"):
        getattr(kingmaker, "slove")  # noqa: B009


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_itself(name: str) -> None:
    module = import_module(f"kingmaker.cli.{name}")
    if isinstance(app := getattr(module, "app", None), typer.Typer):
        line = app.info.help
    else:
        line = getattr(module, name).__doc__.splitlines()[0]
    assert line == COMMANDS[name]
