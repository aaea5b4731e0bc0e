"""Imports run one way, cli -> server -> ladder -> search -> cext; only cext names games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kingmaker.cext.games import GAMES

ROOT = Path(__file__).parents[1]
ALLOWED = {
    "cext": {"cext"},
    "search": {"search", "cext"},
    "tasks": {"tasks", "cext"},
    "ladder": {"ladder", "tasks", "search", "cext", "v1"},
    "review": {"review", "training", "ladder", "search", "cext"},
    "batch": {"batch", "review", "ladder", "tasks", "search", "cext"},
    "server": {"server", "agents", "batch", "review", "ladder", "tasks", "search", "cext", "v1"},
    "adapters": {"adapters", "search", "cext"},
    "agents": {"agents", "review", "search", "cext"},
    "benchmarks": {
        "benchmarks",
        "adapters",
        "batch",
        "server",
        "review",
        "ladder",
        "tasks",
        "training",
        "search",
        "cext",
        "v1",
    },
    "training": {"training", "ladder", "tasks", "search", "cext"},
    "cli": {
        "cli",
        "agents",
        "batch",
        "benchmarks",
        "server",
        "review",
        "ladder",
        "tasks",
        "training",
        "search",
        "cext",
        "v1",
    },
}
IMPORT = re.compile(
    r"^\s*(?:from\s+(\S+)\s+c?import\b|c?import\s+(\S.*?)\s*(?:#.*)?$)", re.MULTILINE
)


def files(folder: str) -> list[Path]:
    return [
        path for suffix in ("py", "pyx", "pxd") for path in (ROOT / folder).rglob(f"*.{suffix}")
    ]


def imported(path: Path) -> set[str]:
    """List the modules that a file names in its import and cimport statements."""
    names: set[str] = set()
    for source, plain in IMPORT.findall(path.read_text(encoding="utf-8")):
        names |= {source} if source else {part.split()[0] for part in plain.split(",")}
    return names


@pytest.mark.parametrize("folder", ALLOWED)
def test_a_layer_imports_only_those_below_it(folder: str) -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(folder)
        for name in imported(path)
        if name.startswith("kingmaker.") and name.split(".")[1] not in ALLOWED[folder]
    }
    assert not wrong


@pytest.mark.parametrize("folder", ["cext", "search"])
def test_rules_and_search_know_no_grpc(folder: str) -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(folder)
        for name in imported(path)
        if name.split(".")[0] in {"grpc", "google"}
    }
    assert not wrong


@pytest.mark.parametrize("folder", ALLOWED)
def test_nothing_is_imported_by_the_name_of_its_folder(folder: str) -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(folder)
        for name in imported(path)
        if name.split(".")[0] in ALLOWED
    }
    assert not wrong


@pytest.mark.parametrize(
    "folder",
    ["adapters", "agents", "batch", "search", "tasks", "ladder", "review", "server", "training"],
)
def test_all_but_rules_and_commands_know_no_game_by_name(folder: str) -> None:
    class_names = {game.__name__ for game in GAMES.values()}
    names = re.compile("|".join(map(re.escape, [*GAMES, *class_names])))
    wrong = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in files(folder)
        for match in names.finditer(path.read_text(encoding="utf-8"))
    }
    assert not wrong


def test_the_import_statements_are_found() -> None:
    assert {"kingmaker.search.position", "grpc", "typer"} <= {
        name for path in files("cli") for name in imported(path)
    }
    assert "libc.stdint" in imported(ROOT / "cext" / "rng.pxd")
