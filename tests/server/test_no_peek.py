"""What a seat can't see changes no byte of an answer."""

from __future__ import annotations

from typing import Any

import pytest

from kingmaker.cext.games import GAMES
from kingmaker.search.position import Position
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import KINGDOM, Service, midgame, position_of, simulations

NUM_PLIES = {KINGDOM: 30, "knights_duty": 3, "knaves_out": 30}
"""After which there is something to hide; 1 in other games."""
HIDDEN_GAMES = [name for name, game in GAMES.items() if game.is_hidden]


async def twins(service: Service, game: str) -> tuple[Position, list[types_pb2.Position]]:
    """Positions that differ in what the seat to decide can't see, and in nothing else."""
    position = midgame(game, num_plies=NUM_PLIES.get(game, 1))
    known = position_of(position)
    sampled = await service.analysis.SampleWorlds(
        pb.SampleWorldsRequest(position=known, seat=position.seat, count=50, seed=1)
    )
    other = next(world for world in sampled.worlds if world.text != known.text)
    return position, [known, other]


def timeless(answer: Any) -> bytes:
    answer.report.ClearField("elapsed")
    return bytes(answer.SerializeToString(deterministic=True))


@pytest.mark.parametrize("game", HIDDEN_GAMES)
async def test_answers_do_not_depend_on_hidden_cards(service: Service, game: str) -> None:
    position, states = await twins(service, game)
    answers = []
    for state in states:
        common: dict[str, Any] = {
            "position": state,
            "seat": position.seat,
            "seed": 77,
            "budget": simulations(500),
        }
        stub = service.analysis
        selected = await stub.SelectMove(pb.SelectMoveRequest(search=pb.Search(**common), level=5))
        suggested = await stub.SuggestMoves(
            pb.SuggestMovesRequest(search=pb.Search(**common), top=5)
        )
        evaluated = await stub.EvaluatePosition(
            pb.EvaluatePositionRequest(search=pb.Search(**common))
        )
        *_, analyzed = [
            each async for each in stub.Analyze(pb.AnalyzeRequest(search=pb.Search(**common)))
        ]
        del common["budget"]
        worlds = await stub.SampleWorlds(pb.SampleWorldsRequest(**common, count=5))
        answers.append(
            [
                *map(timeless, (selected, suggested, evaluated, analyzed)),
                worlds.SerializeToString(deterministic=True),
            ]
        )
    assert answers[0] == answers[1]
