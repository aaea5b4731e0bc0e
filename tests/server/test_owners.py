"""What belongs to somebody, and what others may not do with it: ladders, bots, matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.ladder.coordinator import begin_ladder
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.store import Store
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import bot_service_pb2_grpc, ladder_service_pb2_grpc, match_service_pb2
from kingmaker.v1 import ladder_service_pb2 as ladders_pb
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .named_callers import connect, header, table
from .support import Service, failure_of, serving

CODE = grpc.StatusCode


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
