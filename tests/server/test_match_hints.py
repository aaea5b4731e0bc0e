"""Hints in a match: whose they are, what all learn of them, and what is refused."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from kingmaker.cext.games import GAMES
from kingmaker.server.analysis.service import AnalysisServicer
from kingmaker.v1 import analysis_service_pb2 as analysis_pb
from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .match_client import PRECONDITION, Player, create, two_players
from .support import Service, failure_of


async def test_a_hint_is_for_who_moves_and_all_learn_of_it(matches: Any) -> None:
    ann, ben = await two_players(matches, has_hints=True)
    hint = (await ann.act("GetMatchHint", top=2)).hint
    assert len(hint.suggestions) == 2
    assert hint.suggestions[0].explanation
    await ben.look()
    assert ben.events[-1].kind == pb.MATCH_EVENT_KIND_HINTED
    await ann.play()
    failed = await failure_of(ann.act("GetMatchHint"))
    assert failed.code is PRECONDITION


async def test_a_hint_is_not_of_a_later_turn_than_its_player_has_seen(matches: Any) -> None:
    ann, ben = await two_players(matches, has_hints=True)
    seen = ann.seen
    await ann.play()
    await ben.look()
    await ben.play()
    failed = await failure_of(ann.act("GetMatchHint", after_event=seen))
    assert failed.code is PRECONDITION
    assert failed.info.metadata["field"] == "after_event"
    assert "the game has gone on" in failed.message
    await ann.look()
    hint = (await ann.act("GetMatchHint", after_event=ann.seen, top=1)).hint
    assert hint.suggestions[0].analysis.move.text in [each.move.text for each in ann.view.moves]
    failed = await failure_of(ann.act("GetMatchHint", after_event=1000))
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
    assert set(failed.fields) == {"after_event"}


async def test_a_move_overtakes_a_hint(matches: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _ = await two_players(matches, has_hints=True)
    suggest = AnalysisServicer.SuggestMoves

    async def play_first(*asked: Any) -> Any:
        await ann.play()
        return await suggest(*asked)

    monkeypatch.setattr(AnalysisServicer, "SuggestMoves", play_first)
    failed = await failure_of(ann.act("GetMatchHint"))
    assert failed.code is PRECONDITION
    assert "a move was made while the hint was computed" in failed.message
    assert "after_event" not in failed.message
    await ann.look()
    assert pb.MATCH_EVENT_KIND_HINTED not in [event.kind for event in ann.events]


async def test_a_hint_that_is_refused_is_no_event(matches: Any) -> None:
    ann, _ = await two_players(matches, has_hints=True)
    failed = await failure_of(ann.act("GetMatchHint", top=-1))
    assert set(failed.fields) == {"top"}
    assert (await ann.look()).status.num_events == ann.seen
    assert ann.events[-1].kind != pb.MATCH_EVENT_KIND_HINTED


@pytest.mark.parametrize("game", ["hearts", "leduc_poker"])
async def test_what_a_player_sees_has_a_record_where_searches_use_one(
    keeper: tuple[Service, Any], game: str
) -> None:
    service, matches = keeper
    num_seats = 4 if game == "hearts" else 2
    ann = await Player.join(matches, await create(matches, game, "", *["random"] * (num_seats - 1)))
    await ann.until_turn()
    await ann.play()
    await ann.until_turn()
    seen = ann.view.observation
    assert seen.HasField("record") == GAMES[game].uses_records
    if GAMES[game].uses_records:
        assert len(seen.record.seen) == sum(
            each.kind == pb.MATCH_EVENT_KIND_PLAYED for each in ann.events
        )
        assert all(each.move.HasField("hearts") for each in seen.record.seen)
        search = analysis_pb.Search(observation=seen, budget=types_pb2.SearchBudget(simulations=10))
        await service.analysis.SuggestMoves(analysis_pb.SuggestMovesRequest(search=search))
    spectator = pb.GetMatchRequest(match_id=ann.match_id)
    assert not (await matches.GetMatch(spectator)).view.observation.HasField("record")


async def test_many_hints_of_a_turn_are_one_event(matches: Any) -> None:
    ann, _ = await two_players(matches, has_hints=True)
    for _ in range(3):
        await ann.act("GetMatchHint", top=1)
    assert (await ann.look()).status.num_events == 5
    assert ann.events[-1].kind == pb.MATCH_EVENT_KIND_HINTED
