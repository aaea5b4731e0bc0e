"""The package kingmaker-client: its calls, errors and types, and what it needs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from kingmaker.v1 import (
    game_service_pb2,
    game_service_pb2_grpc,
    match_service_pb2,
    match_service_pb2_grpc,
    types_pb2,
)
from tests.server.process import ServerProcess

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "clients" / "python"
TYPES = ["-m", "mypy", "--strict", "--no-incremental", "--config-file=", "--no-error-summary"]
MEANT = re.compile(r"  # mistake$")
LIBRARIES = {"google", "typing_extensions", "cython_runtime", "kingmaker_client"}
"""Besides what grpc imports of its own, if that is installed."""


def run(*arguments: str | Path, **options: Any) -> str:
    command = [sys.executable, *map(str, arguments)]
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command, capture_output=True, text=True, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package; returns the folder to import it from."""
    folder = tmp_path_factory.mktemp("client")
    run("setup.py", "--quiet", "build_py", "--build-lib", folder, cwd=SOURCE)
    return folder


@pytest.fixture
def client_module(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Import the package beside the server's code."""
    monkeypatch.syspath_prepend(str(package))
    yield import_module("kingmaker_client")
    for name in [name for name in sys.modules if name.startswith("kingmaker_client")]:
        del sys.modules[name]


class BusyGames(game_service_pb2_grpc.GameServiceServicer):
    """A server that is busy at first."""

    def __init__(self, refusals: int, seconds: float) -> None:
        self.refusals, self.seconds = refusals, seconds
        self.tokens: list[str] = []

    def StartGame(self, request: Any, context: Any) -> Any:
        self.tokens.append(dict(context.invocation_metadata()).get("authorization", ""))
        if len(self.tokens) <= self.refusals:
            delay = Duration(nanos=int(self.seconds * 1e9) % 10**9, seconds=int(self.seconds))
            status = status_pb2.Status(code=8, message="the queue is full")
            status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=delay))
            context.abort_with_status(rpc_status.to_status(status))
        return game_service_pb2.StartGameResponse(position=types_pb2.Position(game=request.game))


@pytest.fixture
def busy() -> Iterator[Any]:
    """Serve `BusyGames`; call it with them to get the address."""
    servers = []

    def serve(servicer: BusyGames) -> str:
        server = grpc.server(ThreadPoolExecutor(1))
        game_service_pb2_grpc.add_GameServiceServicer_to_server(servicer, server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        servers.append(server)
        return f"127.0.0.1:{port}"

    yield serve
    for server in servers:
        server.stop(None)


def test_the_example_plays_a_game_with_nothing_but_grpc(
    package: Path, server: ServerProcess
) -> None:
    libraries = Path(grpc.__file__).parents[1]
    tell = (
        "import sys; sys.argv = ['play.py', sys.argv[1]]\n"
        "import runpy; runpy.run_path('examples/play.py', run_name='__main__')\n"
        "print(*{name.split('.')[0] for name in sys.modules if not name.startswith('_')})"
    )
    found = f"{package}:{libraries}"
    out = run("-S", "-c", tell, server.address, cwd=SOURCE, env={"PYTHONPATH": found})
    *_, shares, refused, modules = out.splitlines()
    assert shares.startswith("win shares: [")
    assert refused.startswith("NOT_FOUND: there is no game 'leduc'")
    others = {name for name in modules.split() if not name.startswith("grpc")}
    assert others - set(sys.stdlib_module_names) <= LIBRARIES


def test_an_error_has_its_details(client_module: Any, server: ServerProcess) -> None:
    types = import_module("kingmaker_client.v1.types_pb2")
    position = types.Position(game="tic_tac_toe", text="ttt board=.../.x./... node=play:p2")
    with client_module.Client(server.address) as client:
        with pytest.raises(client_module.KingmakerError) as caught:
            client.play(position, ["b2"], seed=1)
        error = caught.value
        assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "WRONG_STATE")
        assert (error.field, error.value, error.rule) == ("moves[0]", "b2", "R1.3")
        assert [each.field for each in error.violations] == ["moves[0]"]
        assert error.retry_seconds is None
        with pytest.raises(client_module.KingmakerError, match="INVALID_ARGUMENT"):
            next(client.analyze(types.Observation(game="tic_tac_toe", text="no")))


def test_the_calls_of_the_client_answer(client_module: Any, server: ServerProcess) -> None:
    with client_module.Client(server.address) as client:
        names = [game.name for game in client.list_games()]
        assert "hearts" in names
        game = client.start("connect_four", seed=1)
        seen = client.observe(game.position, 1)
        moves = client.legal_moves(seen)
        assert moves == client.legal_moves(game.position)
        assert client.select_move(seen, level=2).move.text in {each.move.text for each in moves}
        snapshots = client.analyze(seen, budget_ms=20_000, report_ms=20)
        assert not next(snapshots).is_final
        snapshots.close()  # cancels


def test_the_client_has_all_services_of_the_contract(client_module: Any) -> None:
    names = {path.stem for path in (ROOT / "proto/kingmaker/v1").glob("*_service.proto")}
    with client_module.Client("127.0.0.1:1") as client:
        stubs = {type(value).__name__ for value in vars(client).values()}
    for name in names:
        assert "".join(map(str.title, name.split("_"))) + "Stub" in stubs


def test_a_call_is_repeated_when_the_server_says(client_module: Any, busy: Any) -> None:
    games = BusyGames(refusals=2, seconds=0.05)
    with client_module.Client(busy(games), token="secret") as client:
        assert client.start("hearts").position.game == "hearts"
    assert games.tokens == ["Bearer secret"] * 3


def test_a_seat_whose_answer_is_lost_is_asked_for_with_the_same_key(client_module: Any) -> None:
    """A server that takes the seat and closes the connection, then one in its place."""
    requests: list[Any] = []

    class Matches(match_service_pb2_grpc.MatchServiceServicer):
        def JoinMatch(self, request: Any, context: Any) -> Any:
            requests.append(request)
            if len(requests) == 1:
                context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")
            return match_service_pb2.JoinMatchResponse(seat=1, token="its token")

    server = grpc.server(ThreadPoolExecutor(1))
    match_service_pb2_grpc.add_MatchServiceServicer_to_server(Matches(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with client_module.Client(f"127.0.0.1:{port}") as client:
            assert client.join_match("a match", "Ann").token == "its token"
            client.join_match("another match", "Ann")
    finally:
        server.stop(None)
    first, again, other = [request.key for request in requests]
    assert first == again != other
    assert len(first) >= 16


def test_no_call_is_repeated_beyond_its_time(client_module: Any, busy: Any) -> None:
    games = BusyGames(refusals=9, seconds=60)
    full = pytest.raises(client_module.KingmakerError, match="the queue is full")
    with client_module.Client(busy(games), timeout=5) as client, full as caught:
        client.start("hearts")
    assert caught.value.retry_seconds == 60
    assert len(games.tokens) == 1


def test_what_is_no_server_of_ours_is_told_apart(client_module: Any) -> None:
    refused = pytest.raises(client_module.KingmakerError)
    with client_module.Client("127.0.0.1:1", timeout=2) as client, refused as caught:
        client.list_games()
    assert caught.value.reason == ""


def test_the_clients_have_the_version_of_the_server() -> None:
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]["version"] == ours


@pytest.mark.slow
def test_types_find_each_mistake_and_nothing_else(package: Path) -> None:
    environment = {"MYPYPATH": str(package)}
    run(*TYPES, "examples/play.py", package / "kingmaker_client", cwd=SOURCE, env=environment)
    done = subprocess.run(
        [sys.executable, *TYPES, "examples/misuse.py"],
        cwd=SOURCE,
        env=environment,
        capture_output=True,
        text=True,
    )
    found = {int(line) for line in re.findall(r"misuse\.py:(\d+): error:", done.stdout)}
    lines = (SOURCE / "examples" / "misuse.py").read_text().splitlines()
    assert found == {number for number, line in enumerate(lines, start=1) if MEANT.search(line)}


@pytest.mark.slow
def test_the_wheel_of_the_sdist_plays_too(tmp_path: Path, server: ServerProcess) -> None:
    run("-m", "build", "--no-isolation", "--outdir", tmp_path, SOURCE)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name == f"kingmaker_client-{version('kingmaker')}-py3-none-any.whl"
    names = {name.split("/")[0] for name in ZipFile(wheel).namelist()}
    assert names == {
        "kingmaker_client",
        wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info",
    }
    target = tmp_path / "installed"
    run("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", target, wheel)
    libraries = Path(grpc.__file__).parents[1]
    environment = {"PYTHONPATH": f"{target}:{libraries}"}
    out = run("-S", "examples/play.py", server.address, cwd=SOURCE, env=environment)
    assert "win shares" in out
