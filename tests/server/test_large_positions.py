"""The largest position that a game has is taken: Knaves Out with eight seats and much in hand."""

from __future__ import annotations

import pytest

from kingmaker.search.position import Position, parse_position
from kingmaker.server import convert
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import Service, observation_of, position_of

CARDS = [rank + suit for rank in "a23456789tjqk" for suit in "cdhs"]
HAND = ["4c", "4d", "4h", "4s", "5c", "5d", "5h", "5s", "6c", "6d"]
BASES = ["jc", "qc", "kc", "as"]
SQUARES = [file + row for file in "abc" for row in "12345678"]
KINDS = [("K", 4), ("R", 2), ("R", 2), ("N", 2), ("N", 2), ("B", 0), ("B", 0)]
KINDS += [("P", 1)] * 8 + [("p", 1)] * 4 + [("p", 0)] * 4
TURN_MARKS = "rush.seabreeze.blacksails.luck.punches.conspire.defend.ended.played"
MARKS = "summer.frenzy.insight.parlay.lionheart.shield.thorns.redirect.blessing.upper.feast.castled"
SEATS = range(1, 9)


def player(seat: int) -> str:
    """All pieces, marks and swayers of a seat, all its cards open, and ten large records."""
    discard = [card for card in CARDS if card not in [*HAND, *BASES]]
    pieces = [
        f"{letter}{seat}{square}.{checkers}{'/m9a' if seat == 1 and letter in 'Pp' else ''}"
        for (letter, checkers), square in zip(KINDS, SQUARES, strict=False)
    ]
    marks = [TURN_MARKS, MARKS, "acts1"] if seat == 1 else [MARKS, "skip"]
    marks += [f"swayp{other}" for other in SEATS if other != seat]
    records = []
    for floor in range(1, 11):
        unheld = sum(1 << CARDS.index(card) for card in CARDS if card not in HAND[:floor])
        records.append(f"{unheld:x}/{floor}")
    return ":".join(
        [
            *(f"p{seat}", "+", "".join(HAND), "".join(discard) + "jojo"),
            *(f"{base}=" for base in BASES),
            *(",".join(pieces), "-", ".".join(marks), ",".join(records)),
        ]
    )


@pytest.fixture(scope="module")
def largest() -> Position:
    world = "0,0/8,0/16,0/24,0/24,8/16,8/8,8/0,8"
    head = f"ko {world} t=900;f=p1;a=p1 main@p1 I=-;D=-"
    return parse_position("knaves_out", " ".join([head, *(player(seat) for seat in SEATS)]))


def test_limits_leave_room_beside_the_largest_position(largest: Position) -> None:
    message = convert.position_message(largest)
    assert 20_000 < message.knaves_out.ByteSize() < convert.MAX_TYPED_BYTES * 3 / 4
    assert 4000 < len(message.text) < convert.MAX_LINE * 3 / 4


async def test_the_largest_position_is_taken_in_each_form(
    service: Service, largest: Position
) -> None:
    both = convert.position_message(largest)
    by_text = types_pb2.Position(game=both.game, text=both.text)
    typed = types_pb2.Position(knaves_out=both.knaves_out)
    for message in (both, by_text, typed):
        answer = await service.games.ListMoves(pb.ListMovesRequest(position=message))
        assert [move.move.text for move in answer.moves] == largest.legal_moves()


async def test_its_observation_is_taken_in_each_form(service: Service, largest: Position) -> None:
    seen = await service.games.Observe(pb.ObserveRequest(position=position_of(largest), seat=1))
    assert seen.observation.text == observation_of(largest).text
    by_text = types_pb2.Observation(game="knaves_out", text=seen.observation.text)
    typed = types_pb2.Observation(knaves_out=seen.observation.knaves_out)
    for message in (seen.observation, by_text, typed):
        answer = await service.games.ListMoves(pb.ListMovesRequest(observation=message))
        assert [move.move.text for move in answer.moves] == largest.legal_moves()
