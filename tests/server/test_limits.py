"""Requests that are too large are refused before they are parsed, and leave nothing in memory."""

from __future__ import annotations

import gc
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.server.limits import MAX_REQUEST_BYTES, REQUEST_BYTES
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import ladder_service_pb2 as ladders_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .support import Service, failure_of, midgame, observation_of, position_of, serving

SELECT = "/kingmaker.v1.AnalysisService/SelectMove"
ANALYZE = "/kingmaker.v1.AnalysisService/Analyze"
APPLY = "/kingmaker.v1.GameService/ApplyMoves"
OPTIONS = {f"option{number}": "1" for number in range(65)}


async def test_too_many_bytes_are_not_even_parsed(service: Service) -> None:
    call: Any = service.channel.unary_unary(SELECT)
    junk = b"\xff" * REQUEST_BYTES
    assert (await failure_of(call(junk))).info.reason == "MALFORMED_REQUEST"
    failed = await failure_of(call(junk + b"\xff"))
    assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert failed.info.reason == "REQUEST_TOO_LARGE"
    assert failed.message == "the request has 65537 bytes; this call takes at most 65536"


async def test_what_no_call_takes_is_refused_by_the_transport(service: Service) -> None:
    call: Any = service.channel.unary_unary(SELECT)
    failed = await failure_of(call(bytes(MAX_REQUEST_BYTES + 1)))
    assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    await service.games.ListGames(games_pb.ListGamesRequest())


async def test_a_long_list_of_moves_has_a_limit_of_its_own(service: Service) -> None:
    move = types_pb2.Move(text="pass")
    move.kingdom_coinquest.verb = "pass" * 30
    request = games_pb.ApplyMovesRequest(position=position_of(midgame()), moves=[move] * 1000)
    assert request.ByteSize() > REQUEST_BYTES
    failed = await failure_of(service.games.ApplyMoves(request))
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
    assert "moves[0].verb" in failed.fields


async def test_a_plan_of_very_many_bots_has_a_limit_of_its_own(tmp_path: Path) -> None:
    bots = [ladders_pb.LadderBot(name=f"{number:090}", spec="random") for number in range(1001)]
    plan = ladders_pb.LadderPlan(game="tic_tac_toe", bots=bots)
    assert plan.ByteSize() > REQUEST_BYTES
    async with serving(ladders=str(tmp_path / "ladder.sqlite")) as service:
        stub: Any = LadderServiceStub(service.channel)
        failed = await failure_of(stub.StartLadder(ladders_pb.StartLadderRequest(plan=plan)))
        assert failed.fields == {"plan.bots": "there are 1001 bots; there may be at most 1000"}
        plan = ladders_pb.LadderPlan(game="tic_tac_toe", options=OPTIONS)
        failed = await failure_of(stub.StartLadder(ladders_pb.StartLadderRequest(plan=plan)))
        assert list(failed.fields) == ["plan.options"]


async def test_lists_and_maps_are_counted_before_they_are_read(service: Service) -> None:
    seen = observation_of(midgame())
    bots: Any = BotServiceStub(service.channel)
    calls = {
        "options": service.games.StartGame(
            games_pb.StartGameRequest(game="kingdom_coinquest", options=OPTIONS)
        ),
        "search.engine_options": service.analysis.SelectMove(
            pb.SelectMoveRequest(search=pb.Search(observation=seen, engine_options=OPTIONS))
        ),
        "games": bots.Connect(bots_pb.ConnectRequest(name="rook", games=["hearts"] * 101)),
    }
    for field, call in calls.items():
        failed = await failure_of(call)
        assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
        assert list(failed.fields) == [field]
        assert "there may be at most" in failed.fields[field]


@contextmanager
def garbage() -> Iterator[list[Any]]:
    """Collect in a list what only a garbage collection would free of the block."""
    found: list[Any] = []
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.extend(gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "request_bytes"),
    [
        (SELECT, b"\xff" * 100),
        (SELECT, b"\xff" * 100_000),
        (SELECT, pb.SelectMoveRequest(level=99).SerializeToString()),
        (SELECT, pb.SelectMoveRequest(search=pb.Search(engine="x" * 9999)).SerializeToString()),
        (APPLY, games_pb.ApplyMovesRequest(moves=[types_pb2.Move()] * 999).SerializeToString()),
        (ANALYZE, pb.AnalyzeRequest().SerializeToString()),
    ],
    ids=["malformed", "too large", "one field", "several fields", "many moves", "stream"],
)
async def test_a_refused_request_is_not_kept_by_its_own_error(
    service: Service, method: str, request_bytes: bytes
) -> None:
    is_stream = method == ANALYZE
    call: Any = (service.channel.unary_stream if is_stream else service.channel.unary_unary)(method)
    await failure_of(call(request_bytes))
    with garbage() as left:
        for _ in range(5):
            await failure_of(call(request_bytes))
    ours = [each.f_code.co_qualname for each in left if isinstance(each, types.FrameType)]
    assert not [name for name in ours if name.startswith(("CallInterceptor", "_read", "Checked"))]
    assert not [each for each in left if isinstance(each, InputError)]
