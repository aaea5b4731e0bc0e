"""Every output in README and docs is what the command or program above it prints.

An example is a fenced `text` block of commands, each a line `$ command` followed by its output, or
a program followed by a `text` block with its output. A line `...` stands for any lines. Only
figures that depend on the machine may differ: see `MACHINE`.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.server.process import server_process

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(p for p in sorted((ROOT / "docs").rglob("*.md")) if p.parent.name != "tutorials"),
]
"""Tutorials, whose commands follow each other, have tests/test_tutorials.py."""
NODE_MODULES = ROOT / "tests" / "clients" / "node" / "node_modules"
ADDRESS = "127.0.0.1:50051"
WEB = "http://127.0.0.1:50080"
NOT_RUN = {"make test": "it is what runs this test"}
SECONDS = 300

MACHINE = (
    (r"\d+\.\d+ s\b", "# s"),
    (r"thinking: \d+\.\d+ %", "thinking: # %"),
)
"""Patterns of the figures that depend on the machine, and what they count as."""

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A command or program and the output that is printed for it.

    Attributes:
        place: page and line of the output.
        language: of the program; empty for a command.
        source: the command or program.
        printed: the output on the page.
    """

    place: str
    language: str
    source: str
    printed: str


def examples_of(text: str, name: str) -> Iterator[Example]:
    """Read the examples of a page."""
    program, end = "", 0
    language = ""
    for block in BLOCK.finditer(text):
        kind, body = block.groups()
        place = f"{name}:{text.count(chr(10), 0, block.start()) + 1}"
        follows = program and not re.search("^#", text[end : block.start()], re.MULTILINE)
        if kind == "text" and body.startswith("$ "):
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                yield Example(place, "", command, printed)
        elif kind == "text" and follows:
            yield Example(place, language, program, body)
        program = body if kind in ("python", "js") else ""
        language, end = kind, block.end()


EXAMPLES = [
    example
    for page in PAGES
    for example in examples_of(page.read_text(encoding="utf-8"), str(page.relative_to(ROOT)))
]


def comparable(output: str) -> list[str]:
    """Return the lines of an output without the figures of the machine and spaces at line ends."""
    for pattern, instead in MACHINE:
        output = re.sub(pattern, instead, output)
    return [line.rstrip() for line in output.rstrip().splitlines()]


def difference(printed: str, got: str) -> str:
    """Show how an output differs from the printed one; "" if it does not."""
    expected, found = comparable(printed), comparable(got)
    pattern = "\n".join(".*" if line == "..." else re.escape(line) for line in expected)
    if re.fullmatch(pattern, "\n".join(found), re.DOTALL):
        return ""
    return "\n".join(difflib.unified_diff(expected, found, "printed", "found", lineterm="", n=0))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a server and yield its address."""
    with server_process(tmp_path_factory.mktemp("server")) as process:
        yield process.address


def run(command: list[str], folder: Path) -> str:
    bin_folder = Path(sys.executable).parent
    done = subprocess.run(
        command,
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            "NODE_PATH": str(NODE_MODULES),
        },
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def started(num_lines: int) -> str:
    """Return the first lines of `make run`, with the addresses of the page."""
    if not (ROOT / ".venv" / ".built").exists():
        pytest.skip("nothing is built by make, and to build is not this test's work")
    flags = "--port 0 --web 127.0.0.1:0"
    command = ["make", "-s", "-o", ".venv/.built", "run", f"RUN_ARGS={flags}"]
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        output = "".join(process.stdout.readline() for _ in range(num_lines))
        process.terminate()
    output = re.sub(r"http://127\.0\.0\.1:\d+", WEB, output)
    return re.sub(r"(?<!//)127\.0\.0\.1:\d+", ADDRESS, output)


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.place)
def test_the_output_is_what_the_page_prints(
    example: Example, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    _, language, source, printed = example
    if source in NOT_RUN:
        pytest.skip(NOT_RUN[source])
    if source == "make run":
        got = started(len(printed.splitlines()))
    elif language == "":
        got = run(shlex.split(source), tmp_path)
    else:
        if ADDRESS in source:
            source = source.replace(ADDRESS, request.getfixturevalue("server"))
        path = tmp_path / f"program.{language}"
        path.write_text(source, encoding="utf-8")
        if language == "js" and not (shutil.which("node") and NODE_MODULES.is_dir()):
            pytest.skip("node or its packages are missing: install node, then `make node`")
        runner = "node" if language == "js" else sys.executable
        got = run([runner, str(path)], ROOT if language == "js" else tmp_path)
    assert not difference(printed, got), difference(printed, got)


def test_readme_and_docs_have_examples_of_every_kind() -> None:
    assert {example.language for example in EXAMPLES} == {"", "python", "js"}
    assert {example.source for example in EXAMPLES} >= {"make run", *NOT_RUN}


def test_examples_are_found_with_their_output() -> None:
    page = (
        "```text\n$ a b\none\n$ c\n```\nprose\n```python\nprint(2)\n```\nIt prints:\n"
        "```text\n2\n```\n# Heading\n```python\npass\n```\n# Another\n```text\na drawing\n```\n"
    )
    assert [each[1:] for each in examples_of(page, "page")] == [
        ("", "a b", "one\n"),
        ("", "c", ""),
        ("python", "print(2)\n", "2\n"),
    ]


@pytest.mark.parametrize(
    ("printed", "got", "is_same"),
    [
        ("9 nodes, 0.04 s\n", "9 nodes, 12.10 s\n", True),
        ("9 nodes, 0.04 s\n", "8 nodes, 0.04 s\n", False),
        ("a  \n", "a\n", True),
        ("a\n...\nz\n", "a\nb\nc\nz\n", True),
        ("a\n...\n", "b\nc\n", False),
        ("a\n", "a\nb\n", False),
    ],
)
def test_only_figures_of_the_machine_may_differ(printed: str, got: str, is_same: bool) -> None:
    assert (difference(printed, got) == "") == is_same
