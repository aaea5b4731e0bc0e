"""ReviewService: a review in pieces, its progress, its end and its errors."""

from __future__ import annotations

import asyncio
import math
from itertools import pairwise
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from kingmaker.ladder.model import to_json
from kingmaker.ladder.play import play
from kingmaker.review.games import played
from kingmaker.review.review import review_game
from kingmaker.search.draws import settle_by_seed
from kingmaker.search.position import new_game
from kingmaker.v1 import review_service_pb2 as pb
from kingmaker.v1.review_service_pb2_grpc import ReviewServiceStub
from tests.ladder.fakes import task_of

from .support import Service, failure, failure_of

MOVES = ["b2", "a2", "a1", "c3", "b1", "c2", "b3"]
BLUNDER = pb.MoveList(game="tic_tac_toe", moves=MOVES)


def reviewed(service: Service, **fields: Any) -> Any:
    stub: Any = ReviewServiceStub(service.channel)
    chosen = {"effort": pb.REVIEW_EFFORT_QUICK, "seed": 5, **fields}
    return stub.ReviewGame(pb.ReviewGameRequest(**chosen), timeout=60)


async def test_a_review_over_grpc_is_that_of_the_library(service: Service) -> None:
    *_, last = [answer async for answer in reviewed(service, moves=BLUNDER)]
    ours = review_game(played("tic_tac_toe", MOVES), effort="quick", seed=5)
    review = last.review
    assert tuple(review.result) == ours.result
    assert tuple(review.unseen) == ours.unseen
    assert [each.move for each in review.decisions] == MOVES
    assert [each.loss for each in review.decisions] == [each.loss for each in ours.decisions]
    worst = max(review.decisions, key=lambda each: each.loss)
    assert worst.grade == pb.MOVE_GRADE_BLUNDER
    assert "It costs" in worst.explanation
    assert last.done == last.known


async def test_how_a_game_was_broken_off_is_part_of_the_review(service: Service) -> None:
    moves = pb.MoveList(game="tic_tac_toe", moves=MOVES[:5], returns=[0.0, 1.0], ending="timed_out")
    *_, last = [answer async for answer in reviewed(service, moves=moves)]
    game = played("tic_tac_toe", MOVES[:5], returns=(0.0, 1.0), ending="timed_out")
    ours = review_game(game, effort="quick", seed=5)
    assert last.review.ending == "timed_out"
    assert tuple(last.review.ending_change) == ours.ending_change
    assert last.review.ending_error == ours.ending_error
    assert len(last.review.shares) == 7


async def test_a_record_of_a_ladder_is_reviewed(service: Service) -> None:
    record = play(task_of("leduc_poker"))
    *_, last = [answer async for answer in reviewed(service, record=to_json(record))]
    assert tuple(last.review.result) == pytest.approx(record.returns)
    assert list(last.review.names) == ["bot 1", "bot 2"]
    assert [each.moves[0] for each in last.review.chances] == [
        move.token for move in record.moves if move.seat == 0
    ]


async def test_the_seed_of_a_game_stands_for_its_deal(service: Service) -> None:
    _, drawn = settle_by_seed(new_game("leduc_poker"), 3)
    moves = pb.MoveList(game="leduc_poker", moves=["raise", "fold"], deal_seed=3)
    *_, last = [answer async for answer in reviewed(service, moves=moves)]
    assert [each.moves[0] for each in last.review.chances] == drawn


async def test_progress_is_reported_and_one_message_ends(service: Service) -> None:
    record = play(task_of("kingdom_coinquest", max_plies=60))
    soon = Duration(nanos=20_000_000)
    answers = [
        answer async for answer in reviewed(service, record=to_json(record), report_interval=soon)
    ]
    assert len(answers) > 1
    assert [answer.HasField("review") for answer in answers] == [
        *[False] * (len(answers) - 1),
        True,
    ]
    assert all(one.done <= other.done for one, other in pairwise(answers))


async def test_a_cancelled_review_frees_its_slot(service: Service) -> None:
    record = play(task_of("kingdom_coinquest", max_plies=300))
    soon = Duration(nanos=20_000_000)
    call = reviewed(
        service,
        record=to_json(record),
        effort=pb.REVIEW_EFFORT_STANDARD,
        report_interval=soon,
    )
    await call.read()
    call.cancel()
    for _ in range(100):
        await asyncio.sleep(0.05)
        if service.server.status().running == 0:
            return
    raise AssertionError("the review runs on")


async def test_each_wrong_option_of_a_game_is_named(service: Service) -> None:
    options = {"turns": "9", "players": "x"}
    moves = pb.MoveList(game="kingdom_coinquest", options=options, moves=MOVES)
    stub = ReviewServiceStub(service.channel)
    failed = await failure_of(stub.ReviewGame(pb.ReviewGameRequest(moves=moves)))
    assert failed.fields.keys() == {f"moves.options.{option}" for option in options}


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({}, grpc.StatusCode.INVALID_ARGUMENT, "moves"),
        ({"moves": pb.MoveList(game="no_such")}, grpc.StatusCode.NOT_FOUND, "moves.game"),
        (
            {"moves": pb.MoveList(game="tic_tac_toe", moves=["a1", "a1"])},
            grpc.StatusCode.INVALID_ARGUMENT,
            "moves.moves",
        ),
        (
            {"moves": pb.MoveList(game="tic_tac_toe", moves=["a1"])},
            grpc.StatusCode.FAILED_PRECONDITION,
            "moves.moves",
        ),
        (
            {"moves": pb.MoveList(game="tic_tac_toe", moves=["a1"] * 5001)},
            grpc.StatusCode.INVALID_ARGUMENT,
            "moves",
        ),
        (
            {"moves": pb.MoveList(game="tic_tac_toe", moves=MOVES, ending="lost")},
            grpc.StatusCode.INVALID_ARGUMENT,
            "moves.ending",
        ),
        ({"record": "{"}, grpc.StatusCode.INVALID_ARGUMENT, "record"),
        (
            {"moves": pb.MoveList(game="tic_tac_toe", moves=["a1"], returns=[math.nan] * 2)},
            grpc.StatusCode.INVALID_ARGUMENT,
            "moves.returns",
        ),
        ({"moves": BLUNDER, "effort": 9}, grpc.StatusCode.INVALID_ARGUMENT, "effort"),
        ({"moves": BLUNDER, "engine": "x"}, grpc.StatusCode.INVALID_ARGUMENT, "engine"),
        ({"moves": BLUNDER, "seed": 2**63}, grpc.StatusCode.INVALID_ARGUMENT, "seed"),
    ],
)
async def test_a_wrong_request_names_its_field(
    service: Service, fields: dict[str, Any], code: grpc.StatusCode, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await reviewed(service, **fields).read()
    assert caught.value.code() is code
    assert failure(caught.value).info.metadata["field"] == field
