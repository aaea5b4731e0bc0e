"""Every tutorial works from its first line to its last, in one folder, as a reader would go along.

A fenced block with `title="NAME"` is a file. A `text` block of lines `$ command` with their output
is run and compared, as in README and docs. A command that ends in `&` is a server, which runs until
the end of the page; its usual addresses stand for those that it gets here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Self

import pytest

from tests.test_printed_examples import ADDRESS, ROOT, SECONDS, WEB, difference, examples_of

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
WEB_ADDRESS = WEB.removeprefix("http://")
FILE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Reader:
    """Somebody who does what a page says.

    Args:
        folder: that they work in.
        files: name -> content of the files of the page.
    """

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self._folder, self._files = folder, files
        self._addresses: dict[str, str] = {}
        self._servers: list[subprocess.Popen[str]] = []
        self._environment = {
            **{name: value for name, value in os.environ.items() if "KINGMAKER_" not in name},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "100",
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.terminate()
        for server in self._servers:
            server.wait(SECONDS)

    def run(self, command: str) -> str:
        """Run a command, and return what it prints."""
        for name, content in self._files.items():
            (self._folder / name).write_text(self._here(content), encoding="utf-8")
        if command.endswith("&"):
            return self._serve(command.removesuffix("&"))
        done = subprocess.run(
            ["bash", "-c", self._here(command)],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
        )
        return self._there(done.stdout)

    def _serve(self, command: str) -> str:
        """Start a server on free ports; returns its first lines."""
        server = subprocess.Popen(
            ["bash", "-c", f"exec {command.replace(WEB_ADDRESS, '127.0.0.1:0')}"],
            cwd=self._folder,
            env={**self._environment, "KINGMAKER_PORT": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._servers.append(server)
        assert server.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith(("Play in a browser", "With --web")):
            lines.append(server.stdout.readline())
            assert lines[-1], "the server has ended"
        found = re.search(r"listens on (\S+);", lines[0])
        assert found, lines
        self._addresses[ADDRESS] = found[1]
        if page := re.search(r"browser: http://(\S+)/", lines[-1]):
            self._addresses[WEB_ADDRESS] = page[1]
        return self._there("".join(lines))

    def _here(self, text: str) -> str:
        for usual, real in self._addresses.items():
            text = text.replace(usual, real)
        return text

    def _there(self, text: str) -> str:
        for usual, real in self._addresses.items():
            text = text.replace(real, usual)
        return re.sub(r"\S*/bin/kingmaker", "kingmaker", text)


def files_of(text: str) -> dict[str, str]:
    """Return the files of a page."""
    return dict(FILE.findall(text))


@pytest.mark.timeout(300)
@pytest.mark.slow
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_tutorial_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    commands = FILE.sub("", text)
    if "$ curl" in commands and not shutil.which("curl"):
        pytest.skip("curl is missing")
    with Reader(tmp_path, files_of(text)) as reader:
        for example in examples_of(commands, page.name):
            got = reader.run(example.source)
            assert not difference(example.printed, got), difference(example.printed, got)


def test_each_user_has_a_tutorial_with_files_and_commands() -> None:
    assert [page.stem for page in TUTORIALS] == ["frontend", "operator", "player", "researcher"]
    for page in TUTORIALS:
        assert len(list(examples_of(FILE.sub("", page.read_text()), page.name))) >= 3
