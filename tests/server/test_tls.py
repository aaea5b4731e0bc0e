"""TLS: certificates of the server and of clients, and their renewal."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import ssl
from contextlib import ExitStack, closing, suppress
from http.client import HTTPSConnection
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
import structlog
from typer.testing import CliRunner

from kingmaker.cext.errors import InputError
from kingmaker.cli.app import app
from kingmaker.ladder.channel import open_channel
from kingmaker.server import app as server_app
from kingmaker.server.web import acceptor, protocol
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import ladder_service_pb2 as ladders_pb
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .certificates import Authority
from .named_callers import table, token_of
from .process import server_process
from .support import failure, midgame, observation_of, serving, simulations, until

CODE = grpc.StatusCode


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture(scope="module")
def pair(authority: Authority) -> tuple[Path, Path]:
    return authority.sign("server")


def call(
    address: str,
    authority: Authority,
    method: str = "list",
    *,
    client: tuple[Path, Path] | None = None,
) -> Any:
    """Make a call over a new connection."""
    certificate, key = client or (None, None)
    credentials = grpc.ssl_channel_credentials(
        authority.certificate.read_bytes(),
        key.read_bytes() if key else None,
        certificate.read_bytes() if certificate else None,
    )
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.secure_channel(address, credentials, options) as channel:
        if method == "list":
            games: Any = GameServiceStub(channel)
            return games.ListGames(games_pb.ListGamesRequest(), timeout=10)
        search = pb.Search(observation=observation_of(midgame()), budget=simulations(1))
        analysis: Any = AnalysisServiceStub(channel)
        return analysis.SelectMove(pb.SelectMoveRequest(search=search), timeout=10)


def code_of(*args: Any, **kwargs: Any) -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as caught:
        call(*args, **kwargs)
    return failure(caught.value).code


def test_only_those_who_speak_tls_are_answered(
    tmp_path: Path, authority: Authority, pair: tuple[Path, Path]
) -> None:
    with server_process(tmp_path, tls_certificate=str(pair[0]), tls_key=str(pair[1])) as server:
        assert call(server.address, authority).ByteSize()
        other = Authority(tmp_path, "other")
        assert code_of(server.address, other) is CODE.UNAVAILABLE
        with grpc.insecure_channel(server.address) as channel, pytest.raises(grpc.RpcError):
            GameServiceStub(channel).ListGames(games_pb.ListGamesRequest(), timeout=10)


@pytest.mark.slow
def test_a_renewed_certificate_is_that_of_new_connections(tmp_path: Path) -> None:
    old, new = Authority(tmp_path, "old"), Authority(tmp_path, "new")
    files = tmp_path / "server.crt", tmp_path / "server.pem.key"
    for source, file in zip(old.sign("a"), files, strict=True):
        shutil.copy(source, file)
    settings = {"tls_certificate": str(files[0]), "tls_key": str(files[1])}
    with server_process(tmp_path, 0, web="127.0.0.1:0", **settings) as server:
        url = str(server.wait_for_line("listening")["url"])

        def both(authority: Authority) -> bool:
            """Whether both ports have a certificate of this authority."""
            return (
                bool(call(server.address, authority).ByteSize()) and status(url, authority) == 200
            )

        assert both(old)
        certificate, key = new.sign("b")
        replace(certificate, files[0])  # which does not fit the key
        assert both(old)
        replace(key, files[1])
        assert both(new)
        assert code_of(server.address, old) is CODE.UNAVAILABLE
        with pytest.raises(ssl.SSLCertVerificationError):
            status(url, old)
        files[0].unlink()
        assert both(new)
        server.wait_for_line("certificate not read, that of before stays valid")


def status(url: str, authority: Authority, client: tuple[Path, Path] | None = None) -> int:
    """Read the page over a new connection; returns the status."""
    context = ssl.create_default_context(cafile=str(authority.certificate))
    if client is not None:
        context.load_cert_chain(*client)
    connection = HTTPSConnection(urlsplit(url).netloc, timeout=10, context=context)
    with closing(connection):
        connection.request("GET", "/")
        return connection.getresponse().status


@pytest.mark.slow
def test_the_http_port_wants_certificates_of_clients_too(
    tmp_path: Path, authority: Authority, pair: tuple[Path, Path]
) -> None:
    settings = {
        "tls_certificate": str(pair[0]),
        "tls_key": str(pair[1]),
        "tls_client_ca": str(authority.certificate),
        "anonymous": "player",
    }
    with server_process(tmp_path, 0, web="127.0.0.1:0", **settings) as server:
        url = str(server.wait_for_line("listening")["url"])
        assert status(url, authority, authority.sign("alice.example")) == 200
        for stranger in (None, Authority(tmp_path, "stranger").sign("alice.example")):
            with pytest.raises(OSError):
                status(url, authority, stranger)


def test_connections_without_a_handshake_count(
    tmp_path: Path, authority: Authority, pair: tuple[Path, Path]
) -> None:
    settings = {"tls_certificate": str(pair[0]), "tls_key": str(pair[1])}
    with server_process(
        tmp_path, 0, web="127.0.0.1:0", max_client_streams="1", **settings
    ) as server:
        url = str(server.wait_for_line("listening")["url"])
        address = urlsplit(url).hostname, urlsplit(url).port
        assert status(url, authority) == 200
        with ExitStack() as stack:
            first, second, third = (
                stack.enter_context(socket.create_connection(address, timeout=5)) for _ in range(3)
            )
            assert third.recv(1) == b""
            with pytest.raises(OSError):
                status(url, authority)
            second.sendall(b"no TLS\n")
            while second.recv(100):  # an alert, and the end
                pass
            assert status(url, authority) == 200
            first.settimeout(0.1)
            with pytest.raises(TimeoutError):  # it is still open
                first.recv(1)


@pytest.mark.parametrize("handshake_seconds", [None, 0.4], ids=["never", "slow"])
async def test_the_time_of_a_handshake_is_that_of_its_request(
    handshake_seconds: float | None,
    authority: Authority,
    pair: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in acceptor, protocol:
        monkeypatch.setattr(module, "REQUEST_SECONDS", 0.6)
    files = {"tls_certificate": pair[0], "tls_key": pair[1]}
    async with serving(web="127.0.0.1:0", **files) as web:
        address = urlsplit(web.server.url or "")
        start = asyncio.get_running_loop().time()
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        if handshake_seconds is not None:
            await asyncio.sleep(handshake_seconds)
            context = ssl.create_default_context(cafile=str(authority.certificate))
            await writer.start_tls(context, server_hostname="localhost")
        assert await asyncio.wait_for(reader.read(), 5) == b""
        assert 0.5 < asyncio.get_running_loop().time() - start < 0.95
        writer.close()


async def test_a_handshake_that_fails_is_in_the_log(pair: tuple[Path, Path]) -> None:
    files = {"tls_certificate": pair[0], "tls_key": pair[1]}
    with structlog.testing.capture_logs() as logs:
        async with serving(web="127.0.0.1:0", **files) as web:
            address = urlsplit(web.server.url or "")
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            writer.write(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n")
            await reader.read()
            port = writer.get_extra_info("sockname")[1]
            writer.close()
            await until(lambda: bool(logs))
    [line] = (line for line in logs if "peer" in line)
    assert (line["event"], line["peer"]) == ("connection closed", f"ipv4:127.0.0.1:{port}")
    assert line["why"].startswith("the handshake of TLS failed: ")
    assert "HTTP_REQUEST" in line["why"]


async def test_a_slow_client_that_does_not_end_tls_is_cut_off_too(
    authority: Authority, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.5)
    async with serving(web="127.0.0.1:0", tls_certificate=pair[0], tls_key=pair[1]) as web:
        await asyncio.wait_for(asyncio.to_thread(read_to_end, web.server.url or "", authority), 5)


def read_to_end(url: str, authority: Authority) -> None:
    """Make a handshake, and then read the connection until the server closes it."""
    context = ssl.create_default_context(cafile=str(authority.certificate))
    plain = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=4)
    encrypted = context.wrap_socket(plain, server_hostname="localhost")
    with socket.socket(fileno=encrypted.detach()) as connection:
        connection.settimeout(4)
        while connection.recv(1000):
            pass


@pytest.mark.parametrize("is_tls", [False, True], ids=["plain", "tls"])
async def test_connections_of_grpc_are_limited_before_their_handshake(
    is_tls: bool, authority: Authority, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_app, "MANY_FILES", 8)  # which allows two connections
    monkeypatch.setattr(server_app, "GRPC_HANDSHAKE_SECONDS", 1.5)
    files = {"tls_certificate": pair[0], "tls_key": pair[1]} if is_tls else {}
    async with serving(**files) as service:
        host, _, port = service.server.address.rpartition(":")
        streams = [await asyncio.open_connection(host, int(port)) for _ in range(3)]
        ends = [asyncio.create_task(reader.read()) for reader, _ in streams]
        await asyncio.sleep(0.7)
        assert [each.done() for each in ends] == [False, False, True]
        await asyncio.wait_for(asyncio.gather(*ends), 3)
        for _, writer in streams:
            writer.close()
        if not is_tls:
            await service.games.ListGames(games_pb.ListGamesRequest(), timeout=5)


def replace(source: Path, file: Path) -> None:
    """Put a new file in the place of an old one, as certbot does."""
    copy = file.with_suffix(".new")
    shutil.copy(source, copy)
    os.replace(copy, file)


@pytest.mark.slow
def test_a_client_is_known_by_its_certificate(
    tmp_path: Path, authority: Authority, pair: tuple[Path, Path]
) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(
        '[alice]\ncertificate = "alice.example"\nroles = ["player"]\n'
        '[rook]\ncertificate = "rook.example"\nroles = ["bot"]\n'
    )
    settings = {
        "tls_certificate": str(pair[0]),
        "tls_key": str(pair[1]),
        "tls_client_ca": str(authority.certificate),
        "tokens": str(tokens),
    }
    alice, rook, eve = (authority.sign(f"{name}.example") for name in ("alice", "rook", "eve"))
    with server_process(tmp_path, 0, **settings) as server:
        address = server.address
        assert call(address, authority, "select", client=alice).ByteSize()
        assert code_of(address, authority, "select", client=rook) is CODE.PERMISSION_DENIED
        assert code_of(address, authority, "select", client=eve) is CODE.UNAUTHENTICATED
        assert code_of(address, authority) is CODE.UNAVAILABLE  # without a certificate
        stranger = Authority(tmp_path, "stranger").sign("alice.example")
        assert code_of(address, authority, client=stranger) is CODE.UNAVAILABLE
        server.stop()  # all lines are written then
        assert server.exit_code() == 0
        clients = {line["client"] for line in server.lines() if line["event"] == "call"}
        assert {"alice", "rook"} <= clients


@pytest.mark.slow
def test_our_own_programs_find_certificate_and_token_in_the_environment(
    tmp_path: Path,
    authority: Authority,
    pair: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(table("alice", ["player"]))
    settings = {"tls_certificate": str(pair[0]), "tls_key": str(pair[1]), "tokens": str(tokens)}
    with server_process(tmp_path, 0, **settings) as server:
        monkeypatch.delenv("KINGMAKER_CLIENT_CA", raising=False)
        refused = CliRunner().invoke(app, ["health", server.address])
        assert "if it wants TLS, set KINGMAKER_CLIENT_CA" in refused.stderr
        monkeypatch.setenv("KINGMAKER_CLIENT_CA", str(authority.certificate))
        monkeypatch.setenv("KINGMAKER_CLIENT_TOKEN", token_of("alice"))
        with open_channel(server.address) as channel:
            games: Any = GameServiceStub(channel)
            assert games.ListGames(games_pb.ListGamesRequest(), timeout=10).games


@pytest.mark.slow
def test_ladders_of_a_guarded_server_reach_the_bots_on_it(
    tmp_path: Path, authority: Authority, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text("".join(table(name, [name]) for name in ("player", "bot", "operator")))
    settings = {
        "tls_certificate": str(pair[0]),
        "tls_key": str(pair[1]),
        "tokens": str(tokens),
        "ladders": str(tmp_path / "ladder.sqlite"),
        "ladder_workers": "1",
        "client_token": token_of("player"),
        "client_ca": str(authority.certificate),
    }
    with server_process(tmp_path, 0, **settings) as server:
        monkeypatch.setenv("KINGMAKER_CLIENT_CA", str(authority.certificate))
        monkeypatch.setenv("KINGMAKER_CLIENT_TOKEN", token_of("bot"))
        bot = open_channel(server.address)
        monkeypatch.setenv("KINGMAKER_CLIENT_TOKEN", token_of("operator"))
        with bot, open_channel(server.address) as operator:
            Thread(target=answer_all, args=(bot,), daemon=True).start()
            ladders: Any = LadderServiceStub(operator)
            bots = [
                ladders_pb.LadderBot(name="rook", spec=f"bot:rook@{server.address}"),
                ladders_pb.LadderBot(name="random", spec="random"),
            ]
            plan = ladders_pb.LadderPlan(game="tic_tac_toe", bots=bots, num_groups=1)
            ladders.StartLadder(ladders_pb.StartLadderRequest(name="spring", plan=plan))
            *_, last = ladders.WatchLadder(ladders_pb.WatchLadderRequest(name="spring"))
    assert (last.status.state, last.status.num_games) == (ladders_pb.LADDER_STATE_FINISHED, 2)


def answer_all(channel: grpc.Channel) -> None:
    """Play as a bot, until the channel is closed."""
    stub: Any = BotServiceStub(channel)
    with suppress(grpc.RpcError, ValueError):
        stream = stub.Connect(bots_pb.ConnectRequest(name="rook"))
        session = next(stream).registered.session
        for event in stream:
            question = event.question
            stub.AnswerMove(
                bots_pb.AnswerMoveRequest(
                    session=session, question=question.id, move=question.moves[0]
                )
            )


@pytest.mark.parametrize("spoil", ["certificate", "key", "both"])
async def test_files_that_dont_fit_are_an_error_of_the_start(
    tmp_path: Path, authority: Authority, pair: tuple[Path, Path], spoil: str
) -> None:
    certificate, key = pair
    if spoil == "certificate":
        certificate = tmp_path / "nowhere.pem"
    elif spoil == "key":
        key = authority.sign("another")[1]
    else:
        certificate = key
    with pytest.raises(InputError, match=str(certificate)):
        async with serving(tls_certificate=certificate, tls_key=key):
            pass
