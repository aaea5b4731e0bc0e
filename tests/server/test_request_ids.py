"""Every call has an id, of the caller's or our own choice, in its log lines and its error."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.server.logs import add_circumstances
from kingmaker.server.telemetry.calls import CALL, Call, request_id_of
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub

from .process import server_process
from .support import Service, failure, failure_of, serving
from .web_client import post

UNKNOWN_GAME = games_pb.StartGameRequest(game="chess")


def metadata(request_id: str) -> list[tuple[str, str]]:
    return [("x-request-id", request_id)]


def test_a_well_formed_id_of_the_caller_is_kept() -> None:
    for given in ("a", "7f0c2a1e-53b2-4d7e-9d62-6b1d1f1a2b3c", "Root=1-67891233-abcdef012345"):
        assert request_id_of(metadata(given)) == given


@pytest.mark.parametrize(
    "given", ["", " ", "-a", "a b", "a\nb", 'a"', "ä", "x" * 65, "<script>", "a\x00"]
)
def test_another_id_is_replaced(given: str) -> None:
    made = request_id_of(metadata(given))
    assert made != given
    assert len(made) == 16
    assert request_id_of([("other", "a")]) != made


async def test_an_error_has_the_id(service: Service) -> None:
    call = service.games.StartGame(UNKNOWN_GAME, metadata=metadata("mine-1"))
    failed = await failure_of(call)
    assert failed.info.metadata["request_id"] == "mine-1"
    assert ("x-request-id", "mine-1") in list(await call.trailing_metadata())


async def test_an_error_of_a_caller_without_an_id_has_a_new_one(service: Service) -> None:
    ids = {
        (await failure_of(service.games.StartGame(UNKNOWN_GAME))).info.metadata["request_id"]
        for _ in range(3)
    }
    assert len(ids) == 3
    assert "" not in ids


async def test_an_error_over_http_has_the_id() -> None:
    async with serving(web="127.0.0.1:0") as running:
        url = str(running.server.url)
        answer = await post(url, "GameService/StartGame", {"game": "chess"}, x_request_id="mine-2")
        assert answer.headers["x-request-id"] == "mine-2"
        assert answer.json["details"][0]["debug"]["metadata"]["request_id"] == "mine-2"
        answer = await post(url, "GameService/StartGame", {"game": "tic_tac_toe"})
        assert answer.status == 200


@pytest.mark.slow
def test_log_lines_have_the_id(tmp_path: Path) -> None:
    with (
        server_process(tmp_path) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        games: Any = GameServiceStub(channel)
        with pytest.raises(grpc.RpcError) as refused:
            games.StartGame(UNKNOWN_GAME)
        line = server.wait_for_line("call")
    assert line["request"] == failure(refused.value).info.metadata["request_id"]


async def test_lines_within_a_call_have_its_id() -> None:
    async def handle(request_id: str) -> dict[str, Any]:
        CALL.set(Call("/a/b", request_id, "peer"))
        await asyncio.sleep(0)
        return dict(add_circumstances(None, "info", {"event": "something"}))

    lines = await asyncio.gather(*(asyncio.create_task(handle(each)) for each in "ab"))
    assert [line["request"] for line in lines] == ["a", "b"]
    assert "request" not in add_circumstances(None, "info", {"event": "outside"})
