"""Games of another package, with rules in Python, in a real server: served as others; errors."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2, match_service_pb2, types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub
from tests.server.process import ServerProcess, server_process

SOURCE = Path(__file__).parents[1] / "python_game" / "high_card.py"
TITLE = "High card: two seats get a card each"
FAULTY = """
from high_card import CHANGE, HighCard

class FaultyCard(HighCard):
    name, tag = "faulty_card", "fc"

    def apply(self, state, move):
        if move == CHANGE:
            raise KeyError("a mistake")
        return super().apply(state, move)

    def text(self, state):
        return "fc" + super().text(state)[2:]

    @classmethod
    def read(cls, text, field):
        return super().read("hc" + text[2:], field)
"""
ENTRIES = """
[kingmaker.games]
high_card = high_card:HighCard
faulty_card = faulty_card:FaultyCard
short_card = high_card:PythonGame
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for which the games are installed as pip would."""
    folder = tmp_path_factory.mktemp("python_game")
    shutil.copy(SOURCE, folder)
    (folder / "faulty_card.py").write_text(FAULTY)
    info = folder / "high_card-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: high-card\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    path = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(path))
        with server_process(
            tmp_path_factory.mktemp("log"), matches=str(folder / "matches.sqlite")
        ) as it:
            yield it


@pytest.fixture
def channel(server: ServerProcess) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(server.address) as it:
        yield it


def searched(game: str, tag: str) -> pb.SelectMoveRequest:
    line = f"{tag};cards=5 hands=?/1 back=_/_ node=play:p2 @p2"
    seen = types_pb2.Observation(game=game, text=line)
    budget = types_pb2.SearchBudget(simulations=100)
    return pb.SelectMoveRequest(search=pb.Search(observation=seen, budget=budget), level=10)


def test_it_is_searched(channel: grpc.Channel) -> None:
    answer = AnalysisServiceStub(channel).SelectMove(searched("high_card", "hc"), timeout=20)
    assert (answer.move.text, answer.description) == ("change", "give back the 1")


def test_its_rules_are_shown(channel: grpc.Channel) -> None:
    games = GameServiceStub(channel)
    game = games.GetGame(game_service_pb2.GetGameRequest(game="high_card"))
    assert game.rules_markdown.startswith(TITLE)
    ours = games.GetGame(game_service_pb2.GetGameRequest(game="hearts"))
    assert ours.rules_markdown.startswith("# Hearts")


def test_a_match_is_played_against_a_bot(channel: grpc.Channel) -> None:
    matches = MatchServiceStub(channel)
    assert list(played(matches, "high_card", "keep").result.returns) in ([1, 0], [0, 1])


def played(matches: Any, game: str, move: str) -> Any:
    """Play a match in which the person always makes one move; returns its last status."""
    options = match_service_pb2.MatchOptions(game=game)
    seats = [match_service_pb2.NewSeat(), match_service_pb2.NewSeat(bot="level:3")]
    created = matches.CreateMatch(
        match_service_pb2.CreateMatchRequest(options=options, seats=seats)
    )
    match_id = created.status.match_id
    joined = matches.JoinMatch(match_service_pb2.JoinMatchRequest(match_id=match_id, name="Ann"))
    watch = match_service_pb2.WatchMatchRequest(match_id=match_id, token=joined.token)
    for answer in matches.WatchMatch(watch, timeout=20):
        if answer.view.moves:
            matches.PlayMove(
                match_service_pb2.PlayMoveRequest(
                    match_id=match_id,
                    token=joined.token,
                    after_event=answer.view.status.num_events,
                    move=types_pb2.Move(text=move),
                )
            )
    return answer.view.status


def test_an_error_of_a_method_is_internal_and_the_server_goes_on(
    server: ServerProcess, channel: grpc.Channel
) -> None:
    service = AnalysisServiceStub(channel)
    with pytest.raises(grpc.RpcError) as caught:
        service.SelectMove(searched("faulty_card", "fc"), timeout=20)
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    fault = server.wait_for_line("fault")
    assert "apply raises KeyError: 'a mistake'" in str(fault)
    assert service.SelectMove(searched("high_card", "hc"), timeout=20).move.text == "change"


def test_a_game_that_is_none_is_refused_with_the_reason(channel: grpc.Channel) -> None:
    with pytest.raises(grpc.RpcError, match="can't be used: TypeError: PythonGame lacks move_text"):
        GameServiceStub(channel).GetGame(game_service_pb2.GetGameRequest(game="short_card"))
