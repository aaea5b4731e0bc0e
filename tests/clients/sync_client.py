"""A synchronous client: `python sync_client.py ADDRESS` prints what it got as one JSON object."""

from __future__ import annotations

import json
import sys
from typing import Any

import grpc
from grpc_status import rpc_status

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub

GAME = "kingdom_coinquest"
SEED = 5  # of all draws of the game


def main(address: str) -> None:
    with grpc.insecure_channel(address) as channel:
        print(json.dumps(story(GameServiceStub(channel), AnalysisServiceStub(channel))))  # noqa: T201 - its output


def story(games: Any, analysis: Any) -> dict[str, Any]:
    """Start a game, play, ask for a move, for hints and for an analysis; make a mistake."""
    start = games.StartGame(games_pb.StartGameRequest(game=GAME, seed=SEED))
    draws = [types_pb2.Move(text="draw:forge")] * 3
    drawn = games.ApplyMoves(
        games_pb.ApplyMovesRequest(position=start.position, moves=draws, seed=SEED)
    )
    legal = games.ListMoves(games_pb.ListMovesRequest(position=drawn.position))
    seen = games.Observe(
        games_pb.ObserveRequest(position=drawn.position, seat=drawn.node.seat)
    ).observation
    budget = types_pb2.SearchBudget(simulations=500)
    selected = analysis.SelectMove(
        pb.SelectMoveRequest(search=pb.Search(observation=seen, budget=budget, seed=1))
    )
    suggested = analysis.SuggestMoves(
        pb.SuggestMovesRequest(search=pb.Search(observation=seen, budget=budget))
    )
    stream = analysis.Analyze(pb.AnalyzeRequest(search=pb.Search(observation=seen)))
    snapshots = [next(stream) for _ in range(3)]
    stream.cancel()
    try:
        next(stream)
        ended = "OK"
    except grpc.RpcError:
        ended = stream.code().name
    return {
        "position": drawn.position.text,
        "legal": [each.move.text for each in legal.moves],
        "observation": seen.text,
        "selected": selected.move.text,
        "explanations": [each.explanation for each in suggested.suggestions],
        "snapshots": [snapshot.report.simulations for snapshot in snapshots],
        "ended": ended,
        "failure": failure(analysis, drawn.position),
    }


def failure(analysis: Any, position: types_pb2.Position) -> dict[str, Any]:
    try:
        analysis.SelectMove(pb.SelectMoveRequest(search=pb.Search(position=position, seat=9)))
    except grpc.RpcError as error:
        status = rpc_status.from_call(error)
        assert status is not None
        return {
            "code": error.code().name,
            "details": [each.type_url.rpartition(".")[2] for each in status.details],
        }
    return {}


if __name__ == "__main__":
    main(sys.argv[1])
