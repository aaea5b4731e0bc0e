"""An asyncio client: `python asyncio_client.py ADDRESS` prints what it got as one JSON object.

It lets two bots of different levels play a game, with several calls at the same time.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import grpc

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub

GAME = "leduc_poker"
LEVELS = (10, 1)


async def main(address: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        games, analysis = GameServiceStub(channel), AnalysisServiceStub(channel)
        played = await asyncio.gather(*(play(games, analysis, seed) for seed in range(4)))
        print(json.dumps({"games": played, "analysis": await analyse(games, analysis)}))  # noqa: T201 - its output


async def play(games: Any, analysis: Any, seed: int) -> dict[str, Any]:
    """Play a game to its end; returns its moves, the log of seat 1 and the win shares."""
    start = games_pb.StartGameRequest(game=GAME, seed=seed, viewers=[1])
    state = await games.StartGame(start)
    moves = []
    log = list(state.views[0].events)
    while state.node.kind == types_pb2.NODE_KIND_DECISION:
        seat = state.node.seat
        chosen = await analysis.SelectMove(
            pb.SelectMoveRequest(
                search=pb.Search(
                    position=state.position,
                    seat=seat,
                    budget=types_pb2.SearchBudget(simulations=300),
                    seed=seed,
                ),
                level=LEVELS[seat - 1],
            )
        )
        moves.append(chosen.move.text)
        state = await games.ApplyMoves(
            games_pb.ApplyMovesRequest(
                position=state.position, moves=[chosen.move], seed=seed, viewers=[1]
            )
        )
        log += state.views[0].events
    return {
        "moves": moves,
        "log": [[event.seat, event.description] for event in log],
        "returns": list(state.node.returns),
    }


async def analyse(games: Any, analysis: Any) -> dict[str, Any]:
    """Read three snapshots, cancel, and see how the call ends."""
    start = await games.StartGame(games_pb.StartGameRequest(game=GAME, seed=1))
    stream = analysis.Analyze(pb.AnalyzeRequest(search=pb.Search(position=start.position, seat=1)))
    snapshots = [await stream.read() for _ in range(3)]
    stream.cancel()
    return {
        "finals": [snapshot.is_final for snapshot in snapshots],
        "code": (await stream.code()).name,
    }


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
