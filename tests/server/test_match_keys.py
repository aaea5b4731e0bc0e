"""What a client proves with a secret: that it is the one who joined, or who created a match."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import match_service_pb2 as pb

from .match_client import PRECONDITION, Player, create, keeping, new_match
from .support import failure_of

KEY = "a secret of the caller"


async def test_a_join_whose_answer_is_lost_gives_the_same_seat_again(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "", "", "random")
    await Player.join(matches, match_id, "Ann")
    request = pb.JoinMatchRequest(match_id=match_id, name="Ben", key=KEY)
    first = await matches.JoinMatch(request)
    again = await matches.JoinMatch(request)
    assert (again.seat, again.token, again.view) == (2, first.token, first.view)
    assert again.token != KEY


async def test_joins_with_one_key_at_once_take_one_seat(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "", "", "random")
    request = pb.JoinMatchRequest(match_id=match_id, name="Ben", key=KEY)
    answers = await asyncio.gather(*(matches.JoinMatch(request) for _ in range(5)))
    assert {(each.seat, each.token) for each in answers} == {(1, answers[0].token)}
    other = pb.JoinMatchRequest(match_id=match_id, name="Cid", key=KEY[::-1])
    assert (await matches.JoinMatch(other)).seat == 2


async def test_the_last_join_of_a_match_can_be_repeated_while_it_is_played(matches: Any) -> None:
    match_id = await create(matches, "tic_tac_toe", "", "random")
    request = pb.JoinMatchRequest(match_id=match_id, name="Ann", key=KEY)
    first = await matches.JoinMatch(request)
    ann = Player(matches, match_id, first.token, first.view)
    await ann.play()
    await ann.act("ReplacePlayer", bot="bot:nobody")
    again = await matches.JoinMatch(request)
    assert (again.seat, again.token) == (1, first.token)
    assert not again.view.status.seats[0].bot


async def test_another_server_of_the_database_knows_a_join_by_its_key(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, here), keeping(tmp_path) as (_, there):
        match_id = await create(here, "hearts", "", "", "", "random")
        request = pb.JoinMatchRequest(match_id=match_id, name="Ann", key=KEY)
        first, again = await here.JoinMatch(request), await there.JoinMatch(request)
        assert (again.seat, again.token) == (first.seat, first.token)


async def test_a_key_is_of_one_match(matches: Any) -> None:
    tokens = set()
    for _ in range(2):
        match_id = await create(matches, "tic_tac_toe", "", "")
        joining = pb.JoinMatchRequest(match_id=match_id, name="Ann", key=KEY)
        tokens.add((await matches.JoinMatch(joining)).token)
    assert len(tokens) == 2


async def test_a_key_is_of_one_seat(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "", "", "random")
    joining = {"match_id": match_id, "name": "Ann", "key": KEY}
    await matches.JoinMatch(pb.JoinMatchRequest(seat=2, **joining))
    failed = await failure_of(matches.JoinMatch(pb.JoinMatchRequest(seat=3, **joining)))
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
    assert failed.message == "seat is 3, but the key has taken seat 2; leave seat out"


@pytest.mark.parametrize("key", ["short", "x" * 65])
async def test_a_key_that_can_be_guessed_or_is_too_long_is_refused(matches: Any, key: str) -> None:
    match_id = await create(matches, "tic_tac_toe", "", "")
    joining = pb.JoinMatchRequest(match_id=match_id, name="Ann", key=key)
    failed = await failure_of(matches.JoinMatch(joining))
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
    assert failed.message == f"key has {len(key)} characters; it must have 16 to 64, or be empty"


async def test_who_left_can_join_again_with_the_key(matches: Any) -> None:
    match_id = await create(matches, "hearts", "", "", "", "random")
    await Player.join(matches, match_id, "Ann")
    joining = pb.JoinMatchRequest(match_id=match_id, name="Ben", key=KEY)
    first = await matches.JoinMatch(joining)
    await matches.LeaveMatch(pb.LeaveMatchRequest(match_id=match_id, token=first.token))
    again = await matches.JoinMatch(joining)
    assert [each.kind for each in again.view.events].count(pb.MATCH_EVENT_KIND_SEATED) == 4


async def test_a_creator_whose_address_has_changed_cancels_with_the_token(tmp_path: Path) -> None:
    async with keeping(tmp_path, trusted_proxies="127.0.0.1", anonymous="player") as (_, matches):
        before, after = ((("x-forwarded-for", f"192.0.2.{i}"),) for i in (1, 2))
        asked = new_match("tic_tac_toe", "", "")
        created = await matches.CreateMatch(asked, metadata=before)
        leaving = pb.LeaveMatchRequest(match_id=created.status.match_id)
        for token in ("", created.creator_token):
            ann = await Player.join(matches, created.status.match_id)
            leaving.token, leaving.creator_token = ann.token, token
            left = await matches.LeaveMatch(leaving, metadata=after)
            is_cancelled = left.status.phase == pb.MATCH_PHASE_ENDED
            assert is_cancelled == bool(token)


async def test_a_creator_cancels_at_another_server_of_the_database(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, here), keeping(tmp_path) as (_, there):
        created = await here.CreateMatch(new_match("tic_tac_toe", "", ""))
        leaving = pb.LeaveMatchRequest(
            match_id=created.status.match_id, creator_token=created.creator_token
        )
        left = await there.LeaveMatch(leaving)
        assert left.status.result.end == pb.MATCH_END_CANCELLED
        assert left.status.result.culprit == 0


async def test_a_creator_without_a_seat_cannot_send_others_away(matches: Any) -> None:
    created = await matches.CreateMatch(new_match("hearts", "", "", "", "random"))
    match_id = created.status.match_id
    await Player.join(matches, match_id)
    leaving = pb.LeaveMatchRequest(match_id=match_id, creator_token=created.creator_token)
    failed = await failure_of(matches.LeaveMatch(leaving))
    assert failed.code is PRECONDITION
    assert failed.message == "others wait for the match to begin; it can't be cancelled any more"


async def test_a_wrong_token_of_the_creator_is_refused(matches: Any) -> None:
    created = await matches.CreateMatch(new_match("tic_tac_toe", "", ""))
    ann = await Player.join(matches, created.status.match_id)
    for wrong in (ann.token, created.creator_token[:-1], "ü"):
        failed = await failure_of(ann.act("LeaveMatch", creator_token=wrong))
        assert failed.code is grpc.StatusCode.PERMISSION_DENIED
        assert failed.message == "the match was not created with this token"
    assert (await ann.look()).status.phase == pb.MATCH_PHASE_OPEN
