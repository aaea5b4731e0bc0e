"""Whole games with hidden hands, played and got wrong, of which no log line tells anything."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.search.position import parse_position
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import match_service_pb2 as matches_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .match_client import Player, ended, new_match
from .process import ServerProcess, server_process
from .support import failure_of, simulations

SEED = 8_675_309_424_242_424_242
GAMES = ("hearts", "code_of_chivalry", "leduc_poker")
WORD = re.compile(r"[\w:.=/+-]+")
FREE = {"event", "timestamp", "peer", "client", "request", "address", "version", "ms", "seconds"}
"""Fields that tell of the call, with values that no game has a say in."""
USUAL = {"listening", "call", "draining", "stopped"}


class Secrets:
    """What must not stand in the log: texts as they are, and words."""

    def __init__(self) -> None:
        self.texts: set[str] = {str(SEED)}
        self.words: set[str] = set()

    def add(self, position: types_pb2.Position) -> None:
        """Remember a position, what each seat sees of it, and what its moves are called."""
        here = parse_position(position.game, position.text)
        self.texts.add(here.text)
        self.texts |= {here.observe(seat).text for seat in range(1, here.game.num_seats + 1)}
        self.words |= {move for move in here.legal_moves() if len(move) > 1}

    def found_in(self, line: str) -> set[str]:
        fields = json.loads(line)
        told = " ".join(str(value) for key, value in fields.items() if key not in FREE)
        return {text for text in self.texts if text in line} | self.words & set(WORD.findall(told))


async def play_with_open_rules(channel: grpc.aio.Channel, game: str, secrets: Secrets) -> None:
    """Play a game by its position, with moves, hints and mistakes at each ply."""
    games: Any = GameServiceStub(channel)
    analysis: Any = AnalysisServiceStub(channel)
    state = await games.StartGame(games_pb.StartGameRequest(game=game, seed=SEED, settle=True))
    while state.node.kind == types_pb2.NODE_KIND_DECISION:
        position = state.position
        secrets.add(position)
        search = pb.Search(position=position, seat=state.node.seat, budget=simulations(3))
        answer = await analysis.SelectMove(pb.SelectMoveRequest(search=search))
        if state.node.seat == 1:
            await mistakes(games, analysis, search)
        state = await games.ApplyMoves(
            games_pb.ApplyMovesRequest(
                position=position, moves=[answer.move], seed=SEED, settle=True
            )
        )
    secrets.add(state.position)


async def mistakes(games: Any, analysis: Any, search: pb.Search) -> None:
    """Send what is refused, with a message that quotes it."""
    position = search.position
    broken = types_pb2.Position(game=position.game, text=position.text[:-3] + "??")
    await failure_of(games.ApplyMoves(games_pb.ApplyMovesRequest(position=broken)))
    nonsense = types_pb2.Move(text=position.text[:40])
    await failure_of(
        games.ApplyMoves(games_pb.ApplyMovesRequest(position=position, moves=[nonsense]))
    )
    wrong = pb.Search(position=broken, seat=99, engine=position.text)
    await failure_of(analysis.SuggestMoves(pb.SuggestMovesRequest(search=wrong)))
    await analysis.SuggestMoves(pb.SuggestMovesRequest(search=search))


async def play_a_match(channel: grpc.aio.Channel, secrets: Secrets) -> None:
    """Play against bots, and get everything told at the end."""
    stub: Any = MatchServiceStub(channel)
    request = new_match("hearts", "", *["level:1,simulations=5"] * 3)
    match_id = (await stub.CreateMatch(request)).status.match_id
    ann = await Player.join(stub, match_id)
    await ann.until_turn()
    await failure_of(ann.play("hearts"))
    await ann.play_out()
    await ended(stub, match_id)
    record = await stub.GetMatchRecord(matches_pb.GetMatchRecordRequest(match_id=match_id))
    secrets.add(record.position)
    secrets.texts |= {str(record.status.result.seed), record.status.result.nonce, ann.token}


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_no_line_tells_cards_positions_or_seeds(tmp_path: Path) -> None:
    secrets = Secrets()
    matches = str(tmp_path / "matches.sqlite")
    with server_process(tmp_path, log_level="debug", matches=matches) as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            for game in GAMES:
                await play_with_open_rules(channel, game, secrets)
            await play_a_match(channel, secrets)
        server.stop()
        await asyncio.to_thread(server.exit_code)
        lines = written_by(server)
    assert {json.loads(line)["event"] for line in lines} <= USUAL
    assert sum('"INVALID_ARGUMENT"' in line for line in lines) > 10
    assert len(secrets.texts) > 100
    assert len(secrets.words) > 50
    assert not [found for line in lines if (found := secrets.found_in(line))]


def written_by(server: ServerProcess) -> list[str]:
    """All lines, as they are."""
    return server.log.read_text().splitlines()


def test_the_search_for_secrets_finds_them() -> None:
    secrets = Secrets()
    secrets.words.add("QS")
    assert secrets.found_in(json.dumps({"event": "fault", "why": "no QS here"})) == {"QS"}
    assert secrets.found_in(json.dumps({"event": "call", "seed": SEED})) == {str(SEED)}
    assert not secrets.found_in(json.dumps({"event": "call", "request": "QS"}))
