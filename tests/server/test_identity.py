"""Who is who: tokens, roles, owners, quotas, proxies."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from pydantic import ValidationError

from kingmaker.cext.errors import InputError
from kingmaker.ladder.coordinator import begin_ladder
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.store import Store
from kingmaker.server.app import SERVICES
from kingmaker.server.identity import METHOD_ROLES, Identities
from kingmaker.server.settings import ServerSettings
from kingmaker.server.tokens import read_tokens
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import (
    analysis_service_pb2_grpc,
    batch_service_pb2,
    bot_service_pb2_grpc,
    ladder_service_pb2_grpc,
    match_service_pb2,
    review_service_pb2,
)
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import ladder_service_pb2 as ladders_pb
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub
from kingmaker.v1.review_service_pb2_grpc import ReviewServiceStub

from .support import Failure, Service, failure_of, midgame, observation_of, seconds, serving, until

CODE = grpc.StatusCode
SELECT = "/kingmaker.v1.AnalysisService/SelectMove"
ROLES = {"alice": "player", "bob": "player", "rook": "bot", "queen": "bot", "root": "operator"}


def token_of(name: str) -> str:
    return f"the token of {name}"


def header(name: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {token_of(name)}")] if name else []


def table(name: str, roles: Sequence[str], **more: str) -> str:
    digest = hashlib.sha256(token_of(name).encode()).hexdigest()
    lines = [f'["{name}"]', f'sha256 = "{digest}"', f"roles = {list(roles)}"]
    return "\n".join([*lines, *(f"{key} = {value}" for key, value in more.items()), ""])


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    path = tmp_path / "tokens.toml"
    path.write_text("\n".join(table(name, [role]) for name, role in ROLES.items()))
    return path


@pytest_asyncio.fixture
async def guarded(tokens: Path, tmp_path: Path) -> AsyncIterator[Service]:
    """A server that only names of the file may call, with ladders."""
    database = str(tmp_path / "ladder.sqlite")
    async with serving(slots=2, tokens=tokens, ladders=database, ladder_workers=1) as service:
        yield service


def write(path: Path, text: str) -> None:
    path.write_text(text)


def remove(path: Path) -> None:
    path.unlink()


def search(length: float = 0.01) -> pb.SelectMoveRequest:
    return pb.SelectMoveRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=seconds(length))
    )


async def list_games(service: Service, *metadata: tuple[str, str]) -> None:
    await service.games.ListGames(games_pb.ListGamesRequest(), metadata=metadata)


async def refused(service: Service, *metadata: tuple[str, str]) -> Failure:
    call = service.games.ListGames(games_pb.ListGamesRequest(), metadata=metadata)
    return await failure_of(call)


async def connect(service: Service, who: str, bot: str) -> tuple[Any, str]:
    """Connect a bot; returns its stream and session."""
    stub: Any = bot_service_pb2_grpc.BotServiceStub(service.channel)
    stream = stub.Connect(bots_pb.ConnectRequest(name=bot), metadata=header(who))
    first = await stream.read()
    return stream, first.registered.session


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


# --- owners -------------------------------------------------------------------------------------


@asynccontextmanager
async def a_ladder_of(service: Service, name: str) -> AsyncIterator[Any]:
    """Start a ladder for somebody, and stop it in the end."""
    stub: Any = ladder_service_pb2_grpc.LadderServiceStub(service.channel)
    bots = [ladders_pb.LadderBot(name=bot, spec="random") for bot in "ab"]
    plan = ladders_pb.LadderPlan(game="tic_tac_toe", bots=bots)
    request = ladders_pb.StartLadderRequest(name="spring", plan=plan)
    await stub.StartLadder(request, metadata=header(name))
    yield stub
    await stub.StopLadder(
        ladders_pb.StopLadderRequest(name="spring"), metadata=header("root"), timeout=30
    )


@pytest.mark.slow
async def test_a_ladder_belongs_to_who_started_it(guarded: Service) -> None:
    async with a_ladder_of(guarded, "alice") as stub:
        stop = ladders_pb.StopLadderRequest(name="spring")
        resume = ladders_pb.ResumeLadderRequest(name="spring")
        assert (await failure_of(stub.StopLadder(stop))).code is CODE.UNAUTHENTICATED
        for method, request in ((stub.StopLadder, stop), (stub.ResumeLadder, resume)):
            failed = await failure_of(method(request, metadata=header("bob")))
            assert failed.code is CODE.PERMISSION_DENIED
            assert "ladder 'spring' belongs to another" in failed.message
        await stub.StopLadder(stop, metadata=header("alice"))
        failed = await failure_of(stub.ResumeLadder(resume, metadata=header("bob")))
        assert failed.code is CODE.PERMISSION_DENIED
        await stub.ResumeLadder(resume, metadata=header("alice"))
        look = ladders_pb.GetLadderRequest(name="spring")
        assert (await stub.GetLadder(look, metadata=header("rook"))).plan.seed == 0


async def test_the_anonymous_have_no_ladders_unless_they_are_operators(
    tokens: Path, tmp_path: Path
) -> None:
    database = str(tmp_path / "other.sqlite")
    async with serving(tokens=tokens, anonymous="player", ladders=database) as service:
        stub: Any = ladder_service_pb2_grpc.LadderServiceStub(service.channel)
        bots = [ladders_pb.LadderBot(name=bot, spec="random") for bot in "ab"]
        plan = ladders_pb.LadderPlan(game="tic_tac_toe", bots=bots)
        request = ladders_pb.StartLadderRequest(name="spring", plan=plan)
        failed = await failure_of(stub.StartLadder(request))
        assert failed.code is CODE.UNAUTHENTICATED
        with Store(database) as store:
            begin_ladder(
                store, "of nobody", LadderPlan.of(game="tic_tac_toe", bots=["random", "flat"])
            )
        for name in ("", "alice"):
            stop = ladders_pb.StopLadderRequest(name="of nobody")
            failed = await failure_of(stub.StopLadder(stop, metadata=header(name)))
            assert failed.code is CODE.PERMISSION_DENIED


async def test_a_bots_name_stays_that_of_who_had_it_first(guarded: Service) -> None:
    stream, _ = await connect(guarded, "rook", "deep")
    stream.cancel()
    stub: Any = bot_service_pb2_grpc.BotServiceStub(guarded.channel)
    request = bots_pb.ConnectRequest(name="deep")
    await asyncio.sleep(0.5)  # it notices that the stream has ended
    failed = await failure_of(stub.Connect(request, metadata=header("queen")))
    assert failed.code is CODE.PERMISSION_DENIED
    await connect(guarded, "rook", "deep")


async def test_a_bots_name_can_be_reserved(tmp_path: Path) -> None:
    path = tmp_path / "tokens.toml"
    path.write_text(table("rook", ["bot"], bots='["deep"]') + table("queen", ["bot"]))
    async with serving(tokens=path) as service:
        stub: Any = bot_service_pb2_grpc.BotServiceStub(service.channel)
        call = stub.Connect(bots_pb.ConnectRequest(name="deep"), metadata=header("queen"))
        assert (await failure_of(call)).code is CODE.PERMISSION_DENIED
        await connect(service, "rook", "deep")


async def test_a_stolen_session_is_of_no_use(guarded: Service) -> None:
    _, session = await connect(guarded, "rook", "deep")
    stub: Any = bot_service_pb2_grpc.BotServiceStub(guarded.channel)
    answer = bots_pb.AnswerMoveRequest(session=session, question=1)
    failed = await failure_of(stub.AnswerMove(answer, metadata=header("queen")))
    assert failed.code is CODE.PERMISSION_DENIED
    failed = await failure_of(stub.AnswerMove(answer, metadata=header("rook")))
    assert failed.fields == {"question": "question 1 was never asked in this session"}


# --- quotas and limits --------------------------------------------------------------------------


async def test_the_slots_are_divided_by_the_shares_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tokens.toml"
    shares = {"alice": "0.8", "bob": "0.1"}
    path.write_text("\n".join(table(name, ["player"], share=shares[name]) for name in shares))
    async with serving(slots=1, tokens=path) as service:

        async def simulations(name: str) -> int:
            request = pb.AnalyzeRequest(search=search(1.5).search)
            stream = service.analysis.Analyze(request, metadata=header(name))
            answers: list[pb.AnalyzeResponse] = [answer async for answer in stream]
            return answers[-1].report.simulations

        alice, bob = await asyncio.gather(*map(simulations, shares))
    assert alice > 2 * bob > 0


async def test_calls_are_counted_by_name(tokens: Path) -> None:
    write(tokens, table("alice", ["player"]) + table("bob", ["player"], calls_per_minute="5"))
    async with serving(tokens=tokens, calls_per_minute=2) as service:
        for name, number in (("alice", 2), ("bob", 5)):
            for _ in range(number):
                await list_games(service, *header(name))
            failed = await refused(service, *header(name))
            assert (failed.code, failed.info.reason) == (CODE.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
            assert failed.details["QuotaFailure"].violations[0].subject == f"client:{name}"
            wait = failed.details["RetryInfo"].retry_delay.ToMilliseconds() / 1000
            assert 0 < wait <= 60 / number


async def test_the_log_says_why_a_call_was_refused(tokens: Path) -> None:
    with structlog.testing.capture_logs() as lines:
        async with serving(tokens=tokens, calls_per_minute=1) as service:
            await list_games(service, *header("alice"))
            await refused(service, *header("alice"))
            await refused(service)
    calls = [line for line in lines if line["event"] == "call"]
    assert [(line.get("reason"), line.get("limit")) for line in calls] == [
        (None, None),
        ("QUOTA_EXCEEDED", "client"),
        ("UNAUTHENTICATED", None),
    ]


async def test_search_time_is_counted_after_it_was_used(tokens: Path) -> None:
    async with serving(tokens=tokens, search_seconds_per_minute=0.6, slots=2) as service:
        await service.analysis.SelectMove(search(0.1), metadata=header("alice"))
        await service.analysis.SelectMove(search(1.0), metadata=header("alice"))
        await until(lambda: service.server.status().running == 0)  # its time is known
        failed = await failure_of(
            service.analysis.SelectMove(search(0.1), metadata=header("alice"))
        )
        assert failed.info.reason == "QUOTA_EXCEEDED"
        assert failed.details["RetryInfo"].retry_delay.seconds > 10
        await list_games(service, *header("alice"))
        await service.analysis.SelectMove(search(0.1), metadata=header("bob"))


async def test_every_call_that_searches_is_refused_without_search_time(tokens: Path) -> None:
    async with serving(tokens=tokens, search_seconds_per_minute=0.01, slots=2) as service:
        await service.analysis.SelectMove(search(0.1), metadata=header("alice"))
        await until(lambda: service.server.status().running == 0)  # its time is known
        reviews: Any = ReviewServiceStub(service.channel)
        matches: Any = MatchServiceStub(service.channel)
        for call, request in (
            (service.analysis.SuggestMoves, pb.SuggestMovesRequest()),
            (reviews.ReviewGame, review_service_pb2.ReviewGameRequest()),
            (matches.GetMatchHint, match_service_pb2.GetMatchHintRequest()),
        ):
            failed = await failure_of(call(request, metadata=header("alice")))
            assert failed.info.reason == "QUOTA_EXCEEDED"


async def test_a_cancelled_search_counts_too(tokens: Path) -> None:
    async with serving(tokens=tokens, search_seconds_per_minute=0.2, slots=2) as service:
        call = service.analysis.SelectMove(search(60), metadata=header("alice"))
        await asyncio.sleep(0.5)
        call.cancel()
        await until(lambda: service.server.status().running == 0)
        failed = await failure_of(service.analysis.SelectMove(search(), metadata=header("alice")))
        assert failed.info.reason == "QUOTA_EXCEEDED"


async def test_open_streams_of_a_client_are_limited(tokens: Path) -> None:
    async with serving(tokens=tokens, max_client_streams=2, max_streams=3) as service:
        stub: Any = bot_service_pb2_grpc.BotServiceStub(service.channel)

        def begin(who: str, bot: str) -> Any:
            return stub.Connect(bots_pb.ConnectRequest(name=bot), metadata=header(who))

        streams = [(await connect(service, "rook", bot))[0] for bot in ("a", "b")]
        failed = await failure_of(begin("rook", "c"))
        assert failed.code is CODE.RESOURCE_EXHAUSTED
        assert failed.details["QuotaFailure"].violations[0].subject == "client:rook"
        await connect(service, "queen", "c")
        failed = await failure_of(begin("queen", "d"))
        assert failed.details["QuotaFailure"].violations[0].subject == "streams"
        streams[0].cancel()
        await asyncio.sleep(0.2)
        await connect(service, "rook", "d")


async def test_who_only_watches_the_health_is_counted_too() -> None:
    async with serving(max_client_streams=2) as service:
        health: Any = health_pb2_grpc.HealthStub(service.channel)
        for _ in range(2):
            watch = health.Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        failed = await failure_of(health.Watch(health_pb2.HealthCheckRequest()))
        assert failed.code is CODE.RESOURCE_EXHAUSTED
        await health.Check(health_pb2.HealthCheckRequest())


async def test_who_watches_the_health_takes_no_streams_from_others(tokens: Path) -> None:
    async with serving(tokens=tokens, anonymous="", max_streams=1) as service:
        health: Any = health_pb2_grpc.HealthStub(service.channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        await connect(service, "rook", "a")


async def test_a_share_of_the_file_counts_in_place_of_the_usual_one(tokens: Path) -> None:
    write(tokens, table("alice", ["player"]) + table("bob", ["player"], share="1"))
    usual = {"slots": 1, "interactive_queue": 3, "client_share": 0.25}
    async with serving(tokens=tokens, **usual) as service:
        stubs = analysis_service_pb2_grpc.AnalysisServiceStub(service.channel)
        for name, places in (("alice", 1), ("bob", 3)):
            await until(lambda: service.server.status().running == 0)
            calls = [
                asyncio.ensure_future(failure_or_answer(stubs, search(0.3), name))
                for _ in range(places + 2)
            ]
            found = await asyncio.gather(*calls)
            assert found.count(CODE.OK) == 1 + places  # one has the slot


async def failure_or_answer(stub: Any, request: Any, name: str) -> grpc.StatusCode:
    try:
        await stub.SelectMove(request, metadata=header(name))
    except grpc.aio.AioRpcError as error:
        return error.code()
    return CODE.OK


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


async def test_only_its_creator_cancels_a_match_by_leaving_it(tokens: Path, tmp_path: Path) -> None:
    """A stranger who looks in where nobody sits opens the seat again, and no more."""
    async with serving(slots=2, tokens=tokens, matches=str(tmp_path / "matches")) as service:
        stub: Any = MatchServiceStub(service.channel)
        options = match_service_pb2.MatchOptions(game="tic_tac_toe")
        created = await stub.CreateMatch(
            match_service_pb2.CreateMatchRequest(options=options), metadata=header("alice")
        )
        match = {"match_id": created.status.match_id}
        phases = []
        for name in ("bob", "alice"):
            joining = match_service_pb2.JoinMatchRequest(**match, name=name)
            joined = await stub.JoinMatch(joining, metadata=header(name))
            leaving = match_service_pb2.LeaveMatchRequest(**match, token=joined.token)
            left = await stub.LeaveMatch(leaving, metadata=header(name))
            phases.append(left.status.phase)
        assert phases == [match_service_pb2.MATCH_PHASE_OPEN, match_service_pb2.MATCH_PHASE_ENDED]
