"""Who is who: tokens, roles, the file of names, proxies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from pydantic import ValidationError

from kingmaker.cext.errors import InputError
from kingmaker.server.identity import METHOD_ROLES, Identities
from kingmaker.server.services import SERVICES
from kingmaker.server.settings import ServerSettings
from kingmaker.server.tokens import read_tokens
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import (
    batch_service_pb2,
    bot_service_pb2_grpc,
    match_service_pb2,
    review_service_pb2,
)
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import ladder_service_pb2 as ladders_pb

from .named_callers import connect, header, list_games, refused, search, table, token_of, write
from .support import Service, failure_of, serving

CODE = grpc.StatusCode
SELECT = "/kingmaker.v1.AnalysisService/SelectMove"


# --- tokens and roles ---------------------------------------------------------------------------


async def test_without_a_token_nothing_is_answered_and_nothing_read(guarded: Service) -> None:
    call: Any = guarded.channel.unary_unary(SELECT)
    for request in (b"", b"\xff" * 100_000):
        failed = await failure_of(call(request))
        assert failed.code is CODE.UNAUTHENTICATED
        assert failed.info.reason == "UNAUTHENTICATED"
        assert "player" in failed.message


@pytest.mark.parametrize(
    "value", ["Bearer wrong", f"Basic {token_of('alice')}", "", "Bearer ", "Bearer " + "x" * 7000]
)
async def test_a_wrong_token_is_refused(guarded: Service, value: str) -> None:
    failed = await refused(guarded, ("authorization", value))
    assert failed.code is CODE.UNAUTHENTICATED


async def test_a_wrong_token_is_refused_where_the_anonymous_may_call(tokens: Path) -> None:
    async with serving(tokens=tokens, anonymous="player") as service:
        await list_games(service)
        failed = await refused(service, ("authorization", "Bearer wrong"))
        assert failed.code is CODE.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("name", "may_search", "may_connect"),
    [("alice", True, False), ("rook", False, True), ("root", True, True)],
)
async def test_roles_decide_what_may_be_called(
    guarded: Service, name: str, may_search: bool, may_connect: bool
) -> None:
    await list_games(guarded, *header(name))
    bots: Any = bot_service_pb2_grpc.BotServiceStub(guarded.channel)
    stream = bots.Connect(bots_pb.ConnectRequest(name="x"), metadata=header(name))
    select = guarded.analysis.SelectMove(search(), metadata=header(name))
    if may_search:
        assert (await select).move.text
    else:
        failed = await failure_of(select)
        assert (failed.code, failed.info.reason) == (CODE.PERMISSION_DENIED, "NOT_ALLOWED")
    if may_connect:
        assert (await stream.read()).registered.session
    else:
        assert (await failure_of(stream)).code is CODE.PERMISSION_DENIED


async def test_health_is_for_everybody_and_reflection_for_callers(guarded: Service) -> None:
    health: Any = health_pb2_grpc.HealthStub(guarded.channel)
    answer = await health.Check(health_pb2.HealthCheckRequest())
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    assert await unanswered(guarded).code() is CODE.UNAUTHENTICATED
    [listed] = [each async for each in reflect(guarded, header("alice"))]
    assert SERVICES[0] in [each.name for each in listed.list_services_response.service]


async def test_reflection_can_be_turned_off() -> None:
    async with serving(reflection=False) as service:
        assert await unanswered(service).code() is CODE.UNIMPLEMENTED


def unanswered(service: Service) -> Any:
    """A call that is refused before it asks.

    A client that asks when the call has ended may report an error of its own instead.
    """
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(service.channel)
    return stub.ServerReflectionInfo()


def reflect(service: Service, metadata: Sequence[tuple[str, str]] = ()) -> Any:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(service.channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    return stub.ServerReflectionInfo(iter([request]), metadata=metadata)


MODULES = (pb, batch_service_pb2, bots_pb, games_pb, ladders_pb)


def test_every_method_says_who_may_call_it() -> None:
    methods = {
        f"/{service.full_name}/{method.name}"
        for module in (*MODULES, match_service_pb2, review_service_pb2)
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    ours = {method for method in METHOD_ROLES if method.startswith("/kingmaker.")}
    assert ours == methods


async def test_the_anonymous_have_the_roles_of_the_settings(tokens: Path) -> None:
    async with serving(tokens=tokens, anonymous="bot") as service:
        await connect(service, "", "rook")
        failed = await failure_of(service.analysis.SelectMove(search()))
        assert failed.code is CODE.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("settings", "is_open"),
    [
        ({}, True),
        ({"host": "[::1]"}, True),
        ({"host": "0.0.0.0", "anonymous": "player,bot,operator"}, True),
        ({"tokens": "tokens.toml"}, False),
        ({"trusted_proxies": "10.0.0.0/8", "tokens": "tokens.toml"}, False),
    ],
)
def test_only_a_private_server_is_open_by_itself(settings: dict[str, str], is_open: bool) -> None:
    assert (len(ServerSettings.model_validate(settings).anonymous_roles) == 3) is is_open


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"host": "0.0.0.0"}, "nobody could call a server on 0.0.0.0"),
        ({"anonymous": "king"}, "there is no role 'king'"),
        ({"trusted_proxies": "10.0.0.1/8"}, "has host bits set"),
        ({"tls_key": "key.pem"}, "tls_certificate and tls_key belong together"),
        ({"tls_client_ca": "ca.pem"}, "tls_client_ca needs tls_certificate"),
    ],
)
def test_settings_of_access_that_cant_be_are_refused(settings: dict[str, str], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        ServerSettings.model_validate(settings)


# --- the file -----------------------------------------------------------------------------------


async def test_the_file_is_read_again_when_it_changes(guarded: Service, tokens: Path) -> None:
    await list_games(guarded, *header("alice"))
    write(tokens, table("carol", ["player"]))
    await until_allowed(guarded, "carol")
    assert (await refused(guarded, *header("alice"))).code is CODE.UNAUTHENTICATED


@pytest.mark.slow
async def test_a_broken_file_leaves_the_tokens_as_they_were(guarded: Service, tokens: Path) -> None:
    write(tokens, "[alice")
    await asyncio.sleep(1.5)
    await list_games(guarded, *header("alice"))
    remove(tokens)
    await asyncio.sleep(1.5)
    await list_games(guarded, *header("alice"))
    write(tokens, table("carol", ["player"]))
    await until_allowed(guarded, "carol")


def remove(path: Path) -> None:
    path.unlink()


async def until_allowed(service: Service, name: str) -> None:
    for _ in range(100):
        try:
            await list_games(service, *header(name))
            return
        except grpc.aio.AioRpcError:
            await asyncio.sleep(0.1)
    raise AssertionError(f"{name} may still not call")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[alice", "Expected"),
        ("alice = " + "[" * 10_000, "recursion"),
        (table("alice", ["king"]), "alice.roles"),
        (table("alice", []), "alice.roles"),
        (table("alice", ["bot"], share="2"), "alice.share"),
        (table("alice", ["bot"], rolls="2"), "alice.rolls"),
        ('[alice]\nroles = ["bot"]', "give one of sha256 and certificate"),
        ('[alice]\nsha256 = "12"\nroles = ["bot"]', "alice.sha256"),
        (table("alice", ["bot"]) + table("alice", ["bot"]).replace("alice", "bob"), "same token"),
        (
            table("a", ["bot"], bots='["x"]') + table("b", ["bot"], bots='["x"]'),
            "two names have the same bot x",
        ),
        (table("a:b", ["bot"]), "a:b"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "tokens.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"tokens\.toml can't be read: .*{words}") as caught:
        read_tokens(path)
    assert token_of("alice") not in str(caught.value)


def test_the_file_may_begin_with_the_mark_of_an_editor(tmp_path: Path) -> None:
    path = tmp_path / "tokens.toml"
    path.write_text(table("alice", ["bot"]), encoding="utf-8-sig")
    assert set(read_tokens(path).by_name) == {"alice"}


# --- addresses ----------------------------------------------------------------------------------


class FakeContext:
    """The context of a call from this peer with these headers."""

    def __init__(self, peer: str, *headers: tuple[str, str]) -> None:
        self._peer = peer
        self._headers = headers

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> Sequence[tuple[str, str]]:
        return self._headers


FORWARDED = "x-forwarded-for"


@pytest.mark.parametrize(
    ("peer", "headers", "client"),
    [
        ("ipv4:10.0.0.1:5", [(FORWARDED, "1.2.3.4")], "proxied:1.2.3.4"),
        ("ipv4:10.0.0.1:5", [(FORWARDED, "9.9.9.9, 1.2.3.4, 10.7.7.7")], "proxied:1.2.3.4"),
        ("ipv4:10.0.0.1:5", [(FORWARDED, "9.9.9.9"), (FORWARDED, "1.2.3.4")], "proxied:1.2.3.4"),
        ("ipv4:10.0.0.1:5", [], "ipv4:10.0.0.1"),
        ("ipv4:10.0.0.1:5", [(FORWARDED, " , ")], "ipv4:10.0.0.1"),
        ("ipv4:11.0.0.1:5", [(FORWARDED, "1.2.3.4")], "ipv4:11.0.0.1"),
        ("ipv6:%5B::ffff:10.0.0.1%5D:5", [(FORWARDED, "1.2.3.4")], "proxied:1.2.3.4"),
        ("ipv6:%5B::ffff:11.0.0.1%5D:5", [(FORWARDED, "1.2.3.4")], "ipv4:11.0.0.1"),
        ("ipv4:10.0.0.1:5", [(FORWARDED, "1.2.3.4, ::ffff:10.7.7.7")], "proxied:1.2.3.4"),
        ("ipv6:%5Bfd00::1%5D:5", [(FORWARDED, "user-7")], "proxied:user-7"),
        ("ipv6:%5B2001:db8:1:2:3::4%5D:5", [], "ipv6:2001:db8:1:2::/64"),
        ("ipv4:10.0.0.1:5", [(FORWARDED, "1.2.3.4:567, 10.7.7.7:89")], "proxied:1.2.3.4"),
        ("ipv4:10.0.0.1:5", [(FORWARDED, "2001:db8:1:2:3::4")], "proxied:2001:db8:1:2::/64"),
        ("ipv4:10.0.0.1:5", [(FORWARDED, "[2001:db8:1:2::9]:80")], "proxied:2001:db8:1:2::/64"),
        ("ipv4:10.0.0.1:5", [(FORWARDED, "team:7")], "proxied:team:7"),
        ("unix:/run/kingmaker", [], "unix"),
    ],
)
def test_a_client_is_who_a_trusted_proxy_says(
    peer: str, headers: list[tuple[str, str]], client: str
) -> None:
    settings = ServerSettings(trusted_proxies="10.0.0.0/8, fd00::/8", anonymous="player")
    context: Any = FakeContext(peer, *headers)
    caller = Identities(settings).identify(context, context.invocation_metadata(), context.peer())
    assert caller.client == client


async def test_without_trusted_proxies_a_header_says_nothing() -> None:
    async with serving(calls_per_minute=2) as service:
        for number in (1, 2):
            await list_games(service, (FORWARDED, f"1.2.3.{number}"))
        assert (await refused(service, (FORWARDED, "1.2.3.3"))).info.reason == "QUOTA_EXCEEDED"


async def test_behind_a_trusted_proxy_clients_have_quotas_of_their_own() -> None:
    trusting: dict[str, Any] = {"trusted_proxies": "127.0.0.1", "anonymous": "player"}
    async with serving(calls_per_minute=1, **trusting) as service:
        for number in (1, 2, 3):
            await list_games(service, (FORWARDED, f"1.2.3.{number}"))
        assert (await refused(service, (FORWARDED, "1.2.3.3"))).info.reason == "QUOTA_EXCEEDED"
