"""A caller who rolls real dice hands in their faces, and is told the outcome that they are.

Rule numbers are those of docs/rules/chessault.md.
"""

from __future__ import annotations

import grpc
import pytest

from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import Service, failure_of

GAME = "chessault"
ACTION = (  # pawns, queen and king can move
    "chs 8/rn1qk+3/3p-p-p-2/8/8/8/8/3P-P-3/3QK+3/8 p1 1 1 action p1p2 9/0 -/- "
    "Q1R2B2N2P6/q1r1b2n1p5 -/- p3x3c3 - m0k0r0s0"
)
DICE = ACTION.replace("1 action", "1 dice")


def request(line: str, *tokens: str, seed: int | None = None) -> pb.ApplyMovesRequest:
    return pb.ApplyMovesRequest(
        position=types_pb2.Position(game=GAME, text=line),
        moves=[types_pb2.Move(text=token) for token in tokens],
        seed=seed,
    )


@pytest.mark.parametrize(
    ("faces", "outcome"),
    [
        ("faces:ppk", "dice:pk"),
        ("faces:kpq", "dice:pqk"),
        ("faces:qqn", "dice:q"),
        ("faces:nbr", "dice:-"),
    ],
)
async def test_the_answer_names_the_outcome_that_faces_come_to(
    service: Service, faces: str, outcome: str
) -> None:
    """R12.5."""
    by_faces = await service.games.ApplyMoves(request(DICE, faces))
    assert by_faces == await service.games.ApplyMoves(request(DICE, outcome))
    [event] = by_faces.events
    assert event.move.text == outcome
    assert event.move.chessault.verb == "dice"
    assert not event.is_drawn


async def test_faces_may_come_as_a_typed_move(service: Service) -> None:
    move = types_pb2.Move()
    move.chessault.verb = "faces"
    move.chessault.types.extend(["king", "pawn", "pawn"])
    asked = request(DICE)
    asked.moves.append(move)
    answer = await service.games.ApplyMoves(asked)
    assert answer.events[0].move.text == "dice:pk"
    assert list(answer.events[0].move.chessault.types) == ["pawn", "king"]


async def test_with_a_seed_faces_are_taken_and_other_rolls_are_drawn(service: Service) -> None:
    tokens = ("roll", "faces:qqk", "move:d1-a4", "roll")
    answer = await service.games.ApplyMoves(request(ACTION, *tokens, seed=5))
    assert [event.move.text for event in answer.events[:4]] == [
        "roll",
        "dice:qk",
        "move:d1-a4",
        "roll",
    ]
    assert [event.is_drawn for event in answer.events[:5]] == [False] * 4 + [True]
    replayed = request(ACTION, *(event.move.text for event in answer.events))
    assert (await service.games.ApplyMoves(replayed)).position == answer.position


@pytest.mark.parametrize("faces", ["faces:ppx", "faces:pp", "faces:ppkk", "faces:", "faces:PPK"])
async def test_faces_that_are_not_three_letters_are_malformed(service: Service, faces: str) -> None:
    failed = await failure_of(service.games.ApplyMoves(request(DICE, faces)))
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
    assert list(failed.fields) == ["moves[0]"]
    assert failed.info.metadata["rule"] == "R12.5"
    assert "letters of pnbrqk in any order" in failed.message


async def test_faces_are_refused_where_no_dice_roll(service: Service) -> None:
    failed = await failure_of(service.games.ApplyMoves(request(ACTION, "faces:ppk")))
    assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
    assert failed.info.metadata["rule"] == "R12.5"
    assert failed.info.metadata["value"] == "faces:ppk"
    assert "faces belongs to the roll of the dice" in failed.message


async def test_faces_are_no_outcome_that_is_listed(service: Service) -> None:
    """R12.5: only the outcomes are tokens of the node."""
    position = types_pb2.Position(game=GAME, text=DICE)
    answer = await service.games.ListMoves(pb.ListMovesRequest(position=position))
    assert all(outcome.move.text.startswith("dice:") for outcome in answer.outcomes)


@pytest.mark.parametrize("seed", [None, 5])
async def test_an_impossible_outcome_is_refused_as_one_with_and_without_a_seed(
    service: Service, seed: int | None
) -> None:
    """R12.1: no rook can move. What a seed would draw instead is no reason."""
    failed = await failure_of(service.games.ApplyMoves(request(DICE, "dice:r", seed=seed)))
    assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
    assert failed.info.metadata["value"] == "dice:r"
    assert failed.info.metadata["rule"] == "R12.1"
    assert "no rook can move, so the outcome leaves it out" in failed.message


async def test_with_a_seed_a_wrong_move_is_refused_after_the_roll(service: Service) -> None:
    failed = await failure_of(service.games.ApplyMoves(request(DICE, "move:d1-a1", seed=5)))
    assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
    assert failed.info.metadata["value"] == "move:d1-a1"
    assert failed.info.metadata["rule"] == "R6.3"
