"""Seats of a match: taken, left, lost by time, replaced by a bot and taken back."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from kingmaker.v1 import match_service_pb2 as pb

from .match_client import PRECONDITION, Player, create, ended, two_players
from .support import failure_of


async def test_a_match_begins_when_the_last_seat_is_taken(matches: Any) -> None:
    match_id = await create(matches, "tic_tac_toe", "", "")
    ann = await Player.join(matches, match_id, seat=2)
    assert ann.view.viewer == 2
    assert ann.view.status.phase == pb.MATCH_PHASE_OPEN
    assert not ann.view.HasField("observation")
    ben = await Player.join(matches, match_id, "Ben")
    assert ben.view.viewer == 1
    assert ben.view.status.phase == pb.MATCH_PHASE_PLAYING
    assert [seat.name for seat in ben.view.status.seats] == ["Ben", "Ann"]
    assert len(ben.view.moves) == 9
    failed = await failure_of(matches.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Cid")))
    assert failed.code is PRECONDITION


async def test_a_creator_who_leaves_an_open_match_alone_cancels_it(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "", "random", "random")
    ann = await Player.join(matches, match_id)
    status = (await ann.act("LeaveMatch")).status
    assert status.phase == pb.MATCH_PHASE_ENDED
    assert (status.result.end, status.result.culprit) == (pb.MATCH_END_CANCELLED, 1)
    assert [seat.name for seat in status.seats] == ["Ann", "", "random", "random"]
    assert (await ended(matches, match_id)).status == status
    joining = pb.JoinMatchRequest(match_id=match_id, name="Ben")
    for call in (ann.act("LeaveMatch"), matches.JoinMatch(joining)):
        failed = await failure_of(call)
        assert (failed.code, failed.message) == (PRECONDITION, "the match has ended")


async def test_who_leaves_an_open_match_makes_room_for_others(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "", "", "random")
    ann, ben = [await Player.join(matches, match_id, name) for name in ("Ann", "Ben")]
    status = (await ann.act("LeaveMatch")).status
    assert status.phase == pb.MATCH_PHASE_OPEN
    assert [seat.name for seat in status.seats] == ["", "Ben", "", "random"]
    await ben.look()
    assert (ben.events[-1].kind, ben.events[-1].seat) == (pb.MATCH_EVENT_KIND_LEFT, 1)
    assert (await Player.join(matches, match_id, "Cid")).view.viewer == 1
    await Player.join(matches, match_id, "Dan")
    failed = await failure_of(ben.act("LeaveMatch"))
    assert failed.code is PRECONDITION
    assert failed.message == "the match has begun; ResignMatch gives up"


async def test_who_has_left_sees_nothing_of_who_sits_there_now(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "", "", "random", has_hints=True)
    ann, _ = [await Player.join(matches, match_id, name) for name in ("Ann", "Ben")]
    stream = ann.watch()
    await stream.read()
    back = pb.JoinMatchRequest(match_id=match_id, token=ann.token, name="Ann")
    await ann.act("LeaveMatch")
    assert (await failure_of(stream.read())).code is grpc.StatusCode.PERMISSION_DENIED
    calls = (matches.JoinMatch(back), ann.act("LeaveMatch"), ann.act("GetMatchHint"), ann.look())
    for call in calls:
        assert (await failure_of(call)).code is grpc.StatusCode.PERMISSION_DENIED


async def test_five_leaves_at_once_are_one(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "", "", "random")
    ann, _ = [await Player.join(matches, match_id, name) for name in ("Ann", "Ben")]
    answers = await asyncio.gather(
        *(ann.act("LeaveMatch") for _ in range(5)), return_exceptions=True
    )
    assert sum(not isinstance(each, Exception) for each in answers) == 1
    events = (await matches.GetMatch(pb.GetMatchRequest(match_id=match_id))).view.events
    assert [each.kind for each in events].count(pb.MATCH_EVENT_KIND_LEFT) == 1


async def test_who_resigns_loses_and_with_more_seats_a_bot_plays_on(matches: Any) -> None:
    ann, _ = await two_players(matches)
    status = (await ann.act("ResignMatch")).status
    assert status.result.culprit == 1
    assert list(status.result.returns) == [0.0, 1.0]
    match_id = await create(matches, "hearts", "", "random", "random", "random")
    cid = await Player.join(matches, match_id, "Cid")
    await cid.act("ResignMatch")
    assert (await ended(matches, match_id)).status.result.end == pb.MATCH_END_FINISHED


async def test_a_replaced_player_can_come_back(matches: Any) -> None:
    ann, ben = await two_players(matches)
    status = (await ben.act("ReplacePlayer", bot="level:2,simulations=10")).status
    assert status.seats[1].bot == "level:2,simulations=10"
    await ann.play("b2")
    await ann.until_turn()
    assert (await failure_of(ben.play("a1"))).code is PRECONDITION
    request = pb.JoinMatchRequest(match_id=ben.match_id, token=ben.token, name="Ben again")
    back = await matches.JoinMatch(request)
    assert back.seat == 2
    assert back.view.status.seats[1].name == "Ben again"
    await ann.play()
    await ben.look()
    await ben.play()


async def test_a_seat_that_a_bot_plays_on_has_no_moves(matches: Any) -> None:
    match_id = await create(matches, "tic_tac_toe", "", "")
    ann = await Player.join(matches, match_id, "Ann")
    await Player.join(matches, match_id, "Ben")
    assert (await ann.look()).moves
    await ann.act("ReplacePlayer", bot="bot:nobody")
    view = await ann.look()
    assert view.status.node.seat == view.viewer == 1
    assert not view.moves


async def test_after_the_end_no_refusal_offers_the_seat_back(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "random", "random", "random")
    cid = await Player.join(matches, match_id, "Cid")
    await cid.act("ResignMatch")
    assert "takes it back" in (await failure_of(cid.act("ResignMatch"))).message
    await ended(matches, match_id)
    refused = await failure_of(cid.act("ResignMatch"))
    assert refused.code is PRECONDITION
    assert refused.message == "the match has ended"


async def test_a_player_who_lets_others_wait_can_be_replaced(
    matches: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingmaker.server.matches.acts.LEAVE_SECONDS", 0.05)
    ann, _ben = await two_players(matches)
    await ann.play("b2")
    await asyncio.sleep(0.1)
    await ann.act("ReplacePlayer", seat=2, bot="random")
    await ann.until_turn()


async def test_a_seat_without_time_loses(matches: Any) -> None:
    options = pb.MatchOptions(game="tic_tac_toe")
    options.clock.FromMilliseconds(300)
    options.clock_increment.FromMilliseconds(50)
    answer = await matches.CreateMatch(pb.CreateMatchRequest(options=options))
    match_id = answer.status.match_id
    ann = await Player.join(matches, match_id)
    ben = await Player.join(matches, match_id, "Ben")
    await ann.look()
    await ann.play("b2")
    clock = ann.view.status.seats[0].clock.ToMilliseconds()
    assert 50 < clock <= 350
    view = await ended(matches, match_id)
    assert view.status.result.end == pb.MATCH_END_TIMED_OUT
    assert list(view.status.result.returns) == [1.0, 0.0]
    assert view.status.seats[1].clock.ToMilliseconds() == 0
    assert (await failure_of(ben.play("a1", after=0))).code is PRECONDITION


async def test_a_token_and_another_seat_contradict_each_other(matches: Any) -> None:
    ann, _ = await two_players(matches)
    joining = {"match_id": ann.match_id, "name": "Ann", "token": ann.token}
    failed = await failure_of(matches.JoinMatch(pb.JoinMatchRequest(seat=2, **joining)))
    assert failed.fields == {"seat": "seat is 2, but the token is of seat 1; leave seat out"}
    for seat in (0, 1):
        assert (await matches.JoinMatch(pb.JoinMatchRequest(seat=seat, **joining))).seat == 1
