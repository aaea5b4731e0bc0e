"""What README and docs show works: clients against a real server, the library, and every link."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
ADDRESS = "127.0.0.1:50051"


def blocks(page: str, language: str) -> list[str]:
    """List the fenced blocks of a page that hold a whole program."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


PROGRAMS = {
    f"{page} {number}": block
    for page in ("README.md", "docs/clients.md")
    for number, block in enumerate(blocks(page, "python"), start=1)
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ladders") / "ladder.sqlite"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[str]:
    """Start `kingmaker serve` on a free port and yield its address."""
    kingmaker = str(Path(sys.executable).with_name("kingmaker"))
    with subprocess.Popen(
        [kingmaker, "serve", "--port", "0", "--json", "--ladders", str(database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.send_signal(signal.SIGTERM)


def output(command: list[str], folder: Path, **environment: str) -> list[str]:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_python_program_works(program: str, server: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(program.replace(ADDRESS, server))
    assert output([sys.executable, str(path)], tmp_path)


def test_the_python_client_of_the_readme_gets_three_reasoned_moves(
    server: str, tmp_path: Path
) -> None:
    path = tmp_path / "client.py"
    path.write_text(blocks("README.md", "python")[0].replace(ADDRESS, server))
    lines = output([sys.executable, str(path)], tmp_path)
    assert len(lines) == 3
    assert {line.split()[0] for line in lines} < {
        *("pass", "equip:knight", "equip:peasant", "attack:p2")
    }
    assert all(re.match(r"\S+ \d+% \w", line) for line in lines)


def test_the_node_client_of_the_readme_wins(server: str, tmp_path: Path) -> None:
    modules = ROOT / "tests" / "clients" / "node" / "node_modules"
    if not shutil.which("node") or not modules.is_dir():
        pytest.skip("node or its packages are missing: install node, then `make node`")
    path = tmp_path / "client.js"
    [client] = blocks("README.md", "js")
    path.write_text(client.replace(ADDRESS, server))
    lines = output(["node", str(path)], ROOT, NODE_PATH=str(modules))
    assert lines == ["c1: put x on c1"]


@pytest.mark.slow
def test_the_python_programs_about_ladders_tell_the_same_ratings(
    server: str, database: Path
) -> None:
    over_grpc, in_python = blocks("docs/ladder.md", "python")
    path = database.with_name("program.py")
    path.write_text(over_grpc.replace(ADDRESS, server))
    told = output([sys.executable, str(path)], database.parent)
    path.write_text(in_python)
    stored = output([sys.executable, str(path)], database.parent)
    assert "40 all games are played" in told
    assert [line.split(":")[0] for line in told[-2:]] == [line.split()[0] for line in stored]
    with database.with_name("spring.jsonl").open() as games:
        assert len(list(games)) == 40


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    targets = re.findall(r"\]\(([^)#\s]+)", text)
    missing = [
        target for target in targets if "://" not in target and not (page.parent / target).exists()
    ]
    assert not missing
