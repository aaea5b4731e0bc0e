"""All services over HTTP: Connect, gRPC-Web and JSON, with the answers and errors of gRPC."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack

import pytest
from connectrpc.code import Code
from connectrpc.errors import ConnectError
from google.rpc import error_details_pb2

from kingmaker.server.listening import ListenError
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2

from .support import Service, midgame, observation_of, position_of, seconds, serving, until
from .web_client import (
    ANALYZE,
    CLIENTS,
    LIST,
    WebClient,
    analysis,
    connected,
    enveloped,
    http,
    post,
    url_of,
)


def is_idle(service: Service) -> bool:
    return service.server.status().running == 0


@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_call_has_the_answer_of_grpc(web: Service, kind: str) -> None:
    request = games_pb.ListMovesRequest(position=position_of(midgame()))
    answer = await WebClient(url_of(web), kind).call("GameService/ListMoves", request)
    assert answer == await web.games.ListMoves(request)


@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_stream_comes_message_by_message(web: Service, kind: str) -> None:
    request = pb.AnalyzeRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=seconds(1))
    )
    request.report_interval.FromMilliseconds(100)
    await until(lambda: is_idle(web))
    stream = WebClient(url_of(web), kind).stream("AnalysisService/Analyze", request)
    num_running = 0
    finals = []
    async for message in stream:
        num_running += not is_idle(web)  # kept back, they would come when nothing runs
        finals.append(message.is_final)
    assert finals == [False] * (len(finals) - 1) + [True]
    assert len(finals) >= 3
    assert num_running >= 2


@pytest.mark.parametrize("kind", CLIENTS)
async def test_errors_keep_their_code_and_details(web: Service, kind: str) -> None:
    request = games_pb.StartGameRequest(game="chess")
    with pytest.raises(ConnectError) as refused:
        await WebClient(url_of(web), kind).call("GameService/StartGame", request)
    assert refused.value.code is Code.NOT_FOUND
    [info, bad] = refused.value.details
    assert error_details_pb2.ErrorInfo.FromString(info.message_bytes).reason == "UNKNOWN_GAME"
    violations = error_details_pb2.BadRequest.FromString(bad.message_bytes).field_violations
    assert [each.field for each in violations] == ["game"]


@pytest.mark.parametrize("kind", CLIENTS)
async def test_errors_of_streams_keep_their_details(web: Service, kind: str) -> None:
    request = pb.AnalyzeRequest(search=pb.Search(position=position_of(midgame()), seat=9))
    with pytest.raises(ConnectError) as refused:
        async for _ in WebClient(url_of(web), kind).stream("AnalysisService/Analyze", request):
            pass
    assert refused.value.code is Code.INVALID_ARGUMENT
    assert refused.value.details


async def test_json_can_be_posted_as_with_curl(web: Service) -> None:
    answer = await post(url_of(web), "GameService/StartGame", {"game": "tic_tac_toe"})
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["node"] == {"kind": "NODE_KIND_DECISION", "seat": 1}


async def test_details_of_errors_are_json_too(web: Service) -> None:
    position = {"game": "tic_tac_toe", "text": "ttt board=.../.../.x. node=play:p2"}
    fields = {"position": position, "moves": [{"text": "b1"}]}
    answer = await post(url_of(web), "GameService/ApplyMoves", fields)
    assert answer.status == 400
    assert answer.json["code"] == "failed_precondition"
    [info, _] = [each["debug"] for each in answer.json["details"]]
    assert info["metadata"]["field"] == "moves[0]"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/vendor/lit-html.js", 200),
        ("/vendor/LICENSE.lit-html", 200),
        ("/icon.svg", 200),
        ("/__init__.py", 404),
        ("/tsconfig.json", 404),
        ("/vendor/lit-html.d.ts", 404),
        ("/__pycache__/__init__.cpython-311.pyc", 404),
        ("/vendor", 404),
        ("/../server/app.py", 404),
    ],
)
async def test_only_files_of_the_page_are_served(path: str, status: int) -> None:
    async with serving(web="127.0.0.1:0") as service:
        answer = await http(url_of(service), "GET", path, b"")
    assert answer.status == status


async def test_the_deadline_of_the_header_ends_a_search() -> None:
    request = pb.AnalyzeRequest(search=pb.Search(observation=observation_of(midgame())))
    async with serving(web="127.0.0.1:0", deadline_margin_seconds=0.5) as service:
        stream = WebClient(url_of(service), "connect").stream(
            "AnalysisService/Analyze", request, timeout_ms=1000
        )
        answers = [each async for each in stream]
    assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_DEADLINE


async def seconds_to_end(web: Service, *, is_stream: bool) -> float:
    """Close the connection of a search of a minute; returns the seconds until it has ended."""
    async with connected(url_of(web)) as connection:
        if is_stream:
            body, kind = enveloped(analysis()), "application/connect+json"
        else:
            body, kind = json.dumps({"search": analysis()["search"]}).encode(), "application/json"
        method = "Analyze" if is_stream else "EvaluatePosition"
        path = f"/kingmaker.v1.AnalysisService/{method}"
        await connection.send("POST", path, body, content_type=kind)
        if is_stream:
            assert (await connection.head())[0] == 200
            for _ in range(3):
                assert b'"isFinal"' not in await connection.chunk()
        await until(lambda: not is_idle(web))
    return await until(lambda: is_idle(web), limit=30)


@pytest.mark.parametrize("is_stream", [True, False])
async def test_closing_the_connection_ends_the_search(web: Service, is_stream: bool) -> None:
    assert await seconds_to_end(web, is_stream=is_stream) < 30


@pytest.mark.slow
@pytest.mark.parametrize("is_stream", [True, False])
async def test_a_search_ends_50_ms_after_its_connection(web: Service, is_stream: bool) -> None:
    """The best of ten, as other programs may hold this one up."""
    assert min([await seconds_to_end(web, is_stream=is_stream) for _ in range(10)]) < 0.05


async def test_a_reader_that_stalls_gets_the_newest_not_a_queue(web: Service) -> None:
    """The handler waits for the reader, as over gRPC, so that nothing piles up here."""
    async with connected(url_of(web)) as connection:
        await connection.send(
            "POST",
            "/kingmaker.v1.AnalysisService/Analyze",
            enveloped(analysis(0.5)),
            content_type="application/connect+json",
        )
        await until(lambda: not is_idle(web))
        await until(lambda: is_idle(web), limit=20)
        other = await post(url_of(web), "GameService/ListGames", {})
        assert other.status == 200


async def test_a_port_that_is_taken_is_an_error(web: Service) -> None:
    with pytest.raises(ListenError, match="another program"):
        async with serving(web=url_of(web).removeprefix("http://")):
            pass


async def test_a_server_whose_port_is_idle_stops_at_once() -> None:
    """The best of five, as other programs may hold this one up."""
    seconds = []
    for _ in range(5):
        async with serving(web="127.0.0.1:0") as service, connected(url_of(service)) as idle:
            await idle.send("GET", "/openapi.json")
            assert (await idle.answer()).status == 200
            start = asyncio.get_running_loop().time()
            await service.server.drain()
            seconds.append(asyncio.get_running_loop().time() - start)
    assert min(seconds) < 0.1


async def test_draining_refuses_calls_of_the_port_and_closes_it() -> None:
    async with serving(web="127.0.0.1:0") as service:
        url = url_of(service)
        async with connected(url) as connection:
            await connection.send(
                "POST",
                "/kingmaker.v1.AnalysisService/Analyze",
                enveloped(analysis()),
                content_type="application/connect+json",
            )
            await connection.head()
            drain = asyncio.create_task(service.server.drain())
            await asyncio.sleep(0.05)
            refused = await post(url, "GameService/ListGames", {})
            last = b""
            while b'"isFinal"' not in last:
                last = await connection.chunk()
            await drain
        assert refused.json["code"] == "unavailable"
        with pytest.raises(OSError):
            await http(url, "GET", "/openapi.json")


@pytest.mark.parametrize(
    ("path", "status"),
    [(f"/kingmaker.v1.{LIST}", 499), (f"/kingmaker.v1.{ANALYZE}", 200), ("/mcp", 503)],
)
async def test_a_drain_breaks_off_requests_that_do_not_arrive(
    path: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncExitStack() as stack:
        async with serving(web="127.0.0.1:0", mcp=True, grace_seconds=0.2) as service:
            connection = await stack.enter_async_context(connected(url_of(service)))
            kind = "application/connect+json" if path.endswith("Analyze") else "application/json"
            head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\n"
            connection.writer.write(f"{head}content-length: 10\r\n\r\n{{".encode())
            await asyncio.sleep(0.1)  # until it is being read
        answer = await connection.answer()
    assert answer.status == status
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_match_is_played_over_http_alone(web: Service) -> None:
    """Without a setting, matches last as long as the server."""
    fields = {"options": {"game": "tic_tac_toe"}, "seats": [{}, {"bot": "random"}]}
    created = await post(url_of(web), "MatchService/CreateMatch", fields)
    match_id = created.json["status"]["matchId"]
    joined = await post(
        url_of(web), "MatchService/JoinMatch", {"matchId": match_id, "name": "<b>Ann</b>"}
    )
    token, view = joined.json["token"], joined.json["view"]
    seen = view["status"]["numEvents"]
    async with connected(url_of(web)) as connection:
        await connection.send(
            "POST",
            "/kingmaker.v1.MatchService/WatchMatch",
            enveloped({"matchId": match_id, "token": token, "afterEvent": seen}),
            content_type="application/connect+json",
        )
        assert (await connection.head())[0] == 200
        while view["status"]["phase"] != "MATCH_PHASE_ENDED":
            if view.get("moves"):
                move = {"text": view["moves"][0]["move"]["text"]}
                play = {"matchId": match_id, "token": token, "afterEvent": seen, "move": move}
                assert (await post(url_of(web), "MatchService/PlayMove", play)).status == 200
            view = json.loads((await connection.chunk())[5:])["view"]
            for event in view.get("events", []):
                assert event["number"] == seen + 1
                seen = event["number"]
    assert sum(view["status"]["result"]["returns"]) == 1
