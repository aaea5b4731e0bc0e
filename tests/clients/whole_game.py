"""Bots play a whole game: `python whole_game.py ADDRESS GAME OPTIONS LEVEL` prints it as JSON.

OPTIONS is a JSON object. The client knows no rules: the server chooses the moves, applies them and
draws what chance decides.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import grpc

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub

SEED = 1
BUDGET = types_pb2.SearchBudget(simulations=4000)  # of which a level uses a part


def play(games: Any, analysis: Any, game: str, options: dict[str, str], level: int) -> Any:
    """Return all moves and outcomes, and the win shares."""
    state = games.StartGame(games_pb.StartGameRequest(game=game, options=options, seed=SEED))
    told = [event.move.text for event in state.events]
    decisions = 0
    while state.node.kind == types_pb2.NODE_KIND_DECISION:
        search = pb.Search(
            position=state.position, seat=state.node.seat, budget=BUDGET, seed=SEED + decisions
        )
        chosen = analysis.SelectMove(pb.SelectMoveRequest(search=search, level=level))
        request = games_pb.ApplyMovesRequest(
            position=state.position, moves=[chosen.move], seed=SEED
        )
        state = games.ApplyMoves(request)
        told += [event.move.text for event in state.events]
        decisions += 1
    return {"told": told, "decisions": decisions, "returns": list(state.node.returns)}


if __name__ == "__main__":
    address, game, options, level = sys.argv[1:]
    with grpc.insecure_channel(address) as channel:
        played = play(
            GameServiceStub(channel),
            AnalysisServiceStub(channel),
            game,
            json.loads(options),
            int(level),
        )
    print(json.dumps(played))  # noqa: T201 - its output
