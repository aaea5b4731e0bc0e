"""What README and docs show works: clients against a real server, and the library."""

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

import grpc
import pytest

from kingmaker.server.identity import ROLES
from kingmaker.server.roles import Role

ROOT = Path(__file__).parents[1]
ADDRESS = "127.0.0.1:50051"
WEB_ADDRESS = "127.0.0.1:50080"


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """List the fenced blocks of a page that hold a whole program."""
    text = text_of(page)
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def programs(language: str) -> dict[str, str]:
    """Map page and number to each program of the pages for client authors."""
    return {
        f"{page} {number}": block
        for page in ("README.md", "docs/clients.md")
        for number, block in enumerate(blocks(page, language), start=1)
    }


PROGRAMS = programs("python")
NODE_PROGRAMS = programs("js")
WHOLE_GAME = blocks("docs/clients.md", "python")[0]
WHOLE_GAME_IN_NODE = blocks("docs/clients.md", "js")[0]
FAILURE = blocks("docs/clients.md", "python")[1]
FAILURE_IN_NODE = blocks("docs/clients.md", "js")[1]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ladders") / "ladder.sqlite"


@pytest.fixture(scope="module")
def addresses(database: Path) -> Iterator[dict[str, str]]:
    """Start `kingmaker serve` on free ports and yield what it says of them."""
    kingmaker = str(Path(sys.executable).with_name("kingmaker"))
    ports = ["--port", "0", "--web", "127.0.0.1:0"]
    with subprocess.Popen(
        [kingmaker, "serve", *ports, "--json", "--ladders", str(database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
        process.send_signal(signal.SIGTERM)


@pytest.fixture(scope="module")
def server(addresses: dict[str, str]) -> str:
    """Yield the address of a server."""
    return addresses["address"]


@pytest.fixture(scope="module")
def web(addresses: dict[str, str]) -> str:
    """Yield the address of its HTTP port."""
    return addresses["url"].removeprefix("http://")


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


def in_python(
    program: str, server: str, folder: Path, *flags: str, **environment: str
) -> list[str]:
    """Run a program in a folder and return the lines that it prints."""
    path = folder / "program.py"
    path.write_text(program.replace(ADDRESS, server))
    return output([sys.executable, *flags, str(path)], folder, **environment)


def in_node(program: str, server: str, folder: Path) -> list[str]:
    """Run a program in a folder with the protos and nothing else of Kingmaker."""
    modules = node_modules()
    copy_protos(folder)
    path = folder / "program.js"
    path.write_text(program.replace(ADDRESS, server))
    return output(["node", str(path)], folder, NODE_PATH=str(modules))


def node_modules() -> Path:
    """Find the packages for Node, or skip the test."""
    modules = ROOT / "tests" / "clients" / "node" / "node_modules"
    if not shutil.which("node") or not modules.is_dir():
        pytest.skip("node or its packages are missing: install node, then `make node`")
    return modules


def copy_protos(folder: Path) -> None:
    """Copy the contract alone into a folder."""
    target = folder / "proto" / "kingmaker" / "v1"
    target.mkdir(parents=True)
    for proto in (ROOT / "proto" / "kingmaker" / "v1").glob("*.proto"):
        shutil.copy(proto, target)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_python_program_works(program: str, server: str, tmp_path: Path) -> None:
    assert in_python(program, server, tmp_path)


@pytest.mark.parametrize("program", NODE_PROGRAMS.values(), ids=NODE_PROGRAMS)
def test_the_node_program_works(program: str, server: str, tmp_path: Path) -> None:
    assert in_node(program, server, tmp_path)


def check_whole_game(lines: list[str]) -> None:
    """Check what a loop prints of a game of Leduc poker: all that its player may know."""
    assert lines[0].startswith("chance, p1: deal the ")
    assert lines[1] == "chance, p2: deal a hidden card to p2"
    assert lines[2].startswith("your moves: ")
    assert any(line.startswith("p1: ") for line in lines)
    assert any(line.startswith("p2: ") for line in lines)
    assert any(line.startswith("  p1 puts ") for line in lines)
    assert lines[-1].startswith("win shares: ")


@pytest.mark.slow
def test_the_loop_in_python_plays_a_whole_game(server: str, tmp_path: Path) -> None:
    check_whole_game(in_python(WHOLE_GAME, server, tmp_path))


def test_the_loop_in_node_plays_a_whole_game(server: str, tmp_path: Path) -> None:
    check_whole_game(in_node(WHOLE_GAME_IN_NODE, server, tmp_path))


def check_match(lines: list[str]) -> None:
    """Check what a match of Leduc poker prints: all that its player may know."""
    assert lines[0].startswith("p1: deal the ")
    assert lines[1] == "p2: deal a hidden card to p2"
    assert any(line.startswith("your moves: ") for line in lines)
    assert lines[-1].startswith("win shares: ")


@pytest.mark.slow
def test_the_match_in_python_is_a_whole_game(server: str, tmp_path: Path) -> None:
    program, _ = blocks("docs/matches.md", "python")
    assert len(program.splitlines()) <= 40
    check_match(in_python(program, server, tmp_path))


def test_a_stream_is_read_by_hand_in_python(web: str, tmp_path: Path) -> None:
    _, program = blocks("docs/matches.md", "python")
    *answers, end = in_python(program.replace(WEB_ADDRESS, web), web, tmp_path)
    assert len(answers) > 1
    assert all(line.startswith("so far {") for line in answers)
    assert "'move': {'text': 'raise'" in answers[-1]
    assert end == "end {}"


def test_a_stream_read_by_hand_tells_its_error(web: str, tmp_path: Path) -> None:
    _, program = blocks("docs/matches.md", "python")
    wrong = program.replace(WEB_ADDRESS, web).replace("p1=kh", "p1=zz")
    [error] = in_python(wrong, web, tmp_path)
    assert error.startswith("end {'error': {'code': 'invalid_argument'")


def test_the_table_of_roles_has_what_the_server_allows() -> None:
    text = text_of("docs/operating.md")
    for role in (Role.PLAYER, Role.BOT):
        [row] = re.findall(rf"^\| `{role.value}` \| (.+) \|$", text, re.MULTILINE)
        for service, methods in ROLES.items():
            allowed = [name for name, roles in methods.items() if role in roles]
            is_whole = len(allowed) == len(methods)
            reads = service.removesuffix("Service").lower()  # "what reads ladders and matches"
            assert (
                not allowed
                or (is_whole and f"`{service}`" in row)
                or all(f"`{name}`" in row for name in allowed)
                or (not is_whole and "what reads" in row and reads[:5] in row)
            ), (role, service)


def test_no_two_pages_create_a_ladder_of_one_name() -> None:
    """A reader who follows both in one folder would be refused by the second."""
    names = [
        name
        for page in ("README.md", *(f"docs/{path.name}" for path in ROOT.glob("docs/*.md")))
        for name in set(re.findall(r"^\$ kingmaker ladder run (\w+) --game", text_of(page), re.M))
    ]
    assert len(names) > 1
    assert len(names) == len(set(names))


def test_the_match_in_javascript_is_a_whole_game(web: str, tmp_path: Path) -> None:
    if not shutil.which("node"):
        pytest.skip("node is missing")
    [program] = blocks("docs/matches.md", "js")
    assert len(program.splitlines()) <= 40
    path = tmp_path / "program.js"
    path.write_text(program.replace(WEB_ADDRESS, web))
    check_match(output(["node", str(path)], tmp_path))


def test_the_match_with_curl_is_a_whole_game(web: str, tmp_path: Path) -> None:
    if not (shutil.which("curl") and shutil.which("jq")):
        pytest.skip("curl or jq is missing")
    program = blocks("docs/matches.md", "sh")[1]
    lines = output(["sh", "-ec", program.replace(WEB_ADDRESS, web)], tmp_path)
    assert sum(json.loads(lines[-1])) == 1


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "node"])
def test_the_details_of_an_error_are_decoded(language: str, server: str, tmp_path: Path) -> None:
    if language == "python":
        printed = in_python(FAILURE, server, tmp_path)
    else:
        printed = in_node(FAILURE_IN_NODE, server, tmp_path)
    text = " ".join(printed)
    assert text.startswith("FAILED_PRECONDITION b2 is not legal: b2 is taken")
    for part in ("WRONG_STATE", "moves[0]", "b2", "R1.3"):
        assert part in text


def test_stubs_made_from_the_protos_alone_play_a_whole_game(server: str, tmp_path: Path) -> None:
    """Without Kingmaker: `-S` leaves out the packages installed for development."""
    [command] = [block for block in blocks("docs/clients.md", "sh") if "grpc_tools" in block]
    copy_protos(tmp_path)
    tools = str(Path(sys.executable).parent)
    output(["sh", "-ec", command], tmp_path, PATH=f"{tools}{os.pathsep}{os.environ['PATH']}")
    libraries = str(Path(grpc.__file__).parents[1])
    found = f"stubs{os.pathsep}{libraries}"
    where = "import kingmaker.v1.types_pb2 as types; print(types.__file__)"
    [stub] = output([sys.executable, "-S", "-c", where], tmp_path, PYTHONPATH=found)
    assert "stubs" in Path(stub).parts
    check_whole_game(in_python(WHOLE_GAME, server, tmp_path, "-S", PYTHONPATH=found))


def test_types_for_typescript_are_made_from_the_protos_alone(tmp_path: Path) -> None:
    [command] = [block for block in blocks("docs/clients.md", "sh") if "gen-types" in block]
    tools = node_modules() / ".bin"
    copy_protos(tmp_path)
    output(["sh", "-ec", command.replace("npx ", f"{tools}/")], tmp_path)
    types = (tmp_path / "stubs" / "kingmaker" / "v1" / "SeatView.ts").read_text()
    assert "'events'?: " in types


def test_the_python_client_of_the_readme_gets_three_reasoned_moves(
    server: str, tmp_path: Path
) -> None:
    lines = in_python(blocks("README.md", "python")[0], server, tmp_path)
    assert len(lines) == 3
    assert {line.split()[0] for line in lines} < {
        *("pass", "equip:knight", "equip:peasant", "attack:p2")
    }
    assert all(re.match(r"\S+ \d+% \w", line) for line in lines)


@pytest.mark.slow
def test_the_node_client_of_the_readme_wins(server: str, tmp_path: Path) -> None:
    [client] = blocks("README.md", "js")
    assert in_node(client, server, tmp_path) == ["c1: put x on c1"]


@pytest.mark.slow
def test_the_python_programs_about_ladders_tell_the_same_ratings(
    server: str, database: Path
) -> None:
    over_grpc, by_library = blocks("docs/ladder.md", "python")
    path = database.with_name("program.py")
    path.write_text(over_grpc.replace(ADDRESS, server))
    printed = output([sys.executable, str(path)], database.parent)
    path.write_text(by_library)
    stored = output([sys.executable, str(path)], database.parent)
    assert "40 all games are played" in printed
    assert [line.split(":")[0] for line in printed[-2:]] == [line.split()[0] for line in stored]
    with database.with_name("spring.jsonl").open() as games:
        assert len(list(games)) == 40
