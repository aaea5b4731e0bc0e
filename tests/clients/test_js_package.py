"""The npm package kingmaker-client: its own tests against a real server, and its types."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.server.process import ServerProcess

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "clients" / "js"
MEANT = re.compile(r" // mistake$")


@pytest.fixture(scope="module")
def tools() -> Path:
    """Find what the package is built and tested with, or skip and say what is missing."""
    folder = SOURCE / "node_modules" / ".bin"
    if not shutil.which("node"):
        pytest.skip("the package for npm is not tested: node is not installed")
    if not (SOURCE / "dist" / "node.js").exists() or not folder.is_dir():
        pytest.skip("the package for npm is not tested: run `make clients`")
    return folder


def node(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["node", *map(str, arguments)],
        cwd=SOURCE,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("file", ["node", pytest.param("browser", marks=pytest.mark.slow)])
@pytest.mark.usefixtures("tools")
def test_its_own_tests_pass(file: str, server: ServerProcess) -> None:
    done = node("--test", f"test/{file}.test.mjs", KINGMAKER_URL=f"http://{server.address}")
    assert done.returncode == 0, done.stdout
    assert "# pass 0" not in done.stdout


@pytest.mark.slow
def test_types_find_each_mistake_and_nothing_else(tools: Path) -> None:
    done = node(tools / "tsc", "-p", "examples/tsconfig.json", "--noEmit")
    assert done.returncode == 0, done.stdout
    done = node(tools / "tsc", "-p", "examples/tsconfig.misuse.json", "--pretty", "false")
    found = {int(line) for line in re.findall(r"misuse\.ts\((\d+),", done.stdout)}
    lines = (SOURCE / "examples" / "misuse.ts").read_text(encoding="utf-8").splitlines()
    assert found == {number for number, line in enumerate(lines, start=1) if MEANT.search(line)}


def test_it_has_the_version_of_the_server() -> None:
    package = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert package["version"] == ours["project"]["version"]


@pytest.mark.usefixtures("tools")
def test_what_is_published_is_what_is_built() -> None:
    done = subprocess.run(
        ["npm", "pack", "--dry-run", "--json"], cwd=SOURCE, capture_output=True, text=True
    )
    [packed] = json.loads(done.stdout)
    names = {each["path"] for each in packed["files"]}
    assert {"dist/node.js", "dist/browser.js", "dist/node.d.ts", "package.json"} <= names
    assert {"dist/gen/kingmaker/v1/types_pb.js", "dist/gen/kingmaker/v1/types_pb.d.ts"} <= names
    assert not {name for name in names if name.startswith(("src", "test", "dist/examples"))}
