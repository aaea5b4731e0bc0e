"""Matches over gRPC: played to their end, watched, kept secret, stored."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.cext.games import GAMES
from kingmaker.ladder.store import Store
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .match_client import PRECONDITION, Player, create, ended, keeping, new_match, two_players
from .support import Service, failure_of, serving

LONG = {"chessault", "kingdom_coinquest", "knights_duty"}  # hundreds of random moves


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.slow] * (game in LONG)) for game in GAMES]
)
async def test_a_person_plays_any_game_against_bots_to_its_end(matches: Any, game: str) -> None:
    num_seats = len((await matches.CreateMatch(new_match(game))).status.seats)
    match_id = await create(matches, game, "", *["random"] * (num_seats - 1))
    player = await Player.join(matches, match_id)
    view = await player.play_out()
    assert view.status.result.end == pb.MATCH_END_FINISHED
    assert sum(view.status.result.returns) == pytest.approx(1)
    assert list(view.status.result.returns) == list(view.status.node.returns)
    numbers = [event.number for event in player.events]
    assert numbers == list(range(1, view.status.num_events + 1))


@pytest.mark.parametrize("game", ["leduc_poker", "tic_tac_toe", "hearts"])
async def test_the_record_is_what_game_service_makes_of_its_seed(
    keeper: tuple[Service, Any], game: str
) -> None:
    """Whoever has the record can check the deal: it was fixed before the first move."""
    service, matches = keeper
    num_seats = 4 if game == "hearts" else 2
    match_id = await create(matches, game, *["random"] * num_seats)
    view = await ended(matches, match_id)
    record = await matches.GetMatchRecord(pb.GetMatchRecordRequest(match_id=match_id))
    result = record.status.result
    text = f"{match_id}\n{result.seed}\n{result.nonce}"
    assert hashlib.sha256(text.encode()).hexdigest() == view.status.commitment
    plays = [each.play for each in record.events if each.kind == pb.MATCH_EVENT_KIND_PLAYED]
    start = await service.games.StartGame(games_pb.StartGameRequest(game=game, seed=result.seed))
    decisions = [each.move for each in plays if each.kind == types_pb2.NODE_KIND_DECISION]
    position, tokens = start.position, [each.move.text for each in start.events]
    for i in range(0, len(decisions), 500):
        request = games_pb.ApplyMovesRequest(
            position=position, moves=decisions[i : i + 500], seed=result.seed
        )
        again = await service.games.ApplyMoves(request)
        position = again.position
        tokens += [each.move.text for each in again.events]
    assert position == record.position
    assert tokens == [each.move.text for each in plays]


async def test_seed_nonce_and_record_are_secret_until_the_end(matches: Any) -> None:
    ann, ben = await two_players(matches)
    status = ann.view.status
    assert not status.HasField("result")
    assert len(status.commitment) == 64
    failed = await failure_of(
        matches.GetMatchRecord(pb.GetMatchRecordRequest(match_id=ann.match_id))
    )
    assert failed.code is PRECONDITION
    await ben.act("ResignMatch")
    record = await matches.GetMatchRecord(pb.GetMatchRecordRequest(match_id=ann.match_id))
    assert record.status.result.nonce


def stripped(view: pb.MatchView) -> bytes:
    """What a view says of the game, without what is random for other reasons."""
    plain = pb.MatchView.FromString(view.SerializeToString())
    plain.status.match_id = plain.status.commitment = ""
    for event in plain.events:
        event.ClearField("at")
    return plain.SerializeToString(deterministic=True)


async def test_no_byte_for_a_seat_depends_on_what_it_can_not_see(matches: Any) -> None:
    told_ann: dict[str, set[bytes]] = {}
    told_spectators: set[bytes] = set()
    deals: set[tuple[str, str]] = set()
    for _ in range(15):
        ann, ben = await two_players(matches, "kuhn_poker")
        await ben.look()
        ours, theirs = (
            player.view.observation.kuhn_poker.seen.cards[seat - 1]
            for seat, player in ((1, ann), (2, ben))
        )
        deals.add((ours, theirs))
        told_ann.setdefault(ours, set()).add(stripped(ann.view))
        watched = await matches.GetMatch(pb.GetMatchRequest(match_id=ann.match_id))
        told_spectators.add(stripped(watched.view))
    assert len(deals) > len(told_ann)  # with one card of ours, several of theirs
    assert all(len(views) == 1 for views in told_ann.values())
    assert len(told_spectators) == 1


async def test_the_stream_tells_everything_once_and_goes_on_from_any_event(matches: Any) -> None:
    ann, ben = await two_players(matches)
    stream = ben.watch(after=0)
    first = (await stream.read()).view
    assert [event.number for event in first.events] == list(range(1, ann.seen + 1))
    await ann.play("b2")
    second = (await stream.read()).view
    assert [event.play.description for event in second.events] != [""]
    assert second.moves
    stream.cancel()
    later = ben.watch(after=second.status.num_events)
    assert not (await later.read()).view.events
    await ben.act("ResignMatch")
    last = (await later.read()).view
    assert last.status.result.end == pb.MATCH_END_RESIGNED
    assert await later.read() is grpc.aio.EOF


async def test_the_same_play_twice_is_played_once(matches: Any) -> None:
    ann, _ben = await two_players(matches)
    before = ann.seen
    first = await ann.play("b2", after=before)
    again = await ann.play("b2", after=before)
    assert first.events == again.events
    assert again.status.num_events == before + 1
    failed = await failure_of(ann.play("a1", after=before))
    assert failed.code is PRECONDITION
    assert failed.info.metadata["field"] == "after_event"


async def test_twenty_equal_plays_at_once_are_one(matches: Any) -> None:
    ann, _ = await two_players(matches)
    before = ann.seen
    views = await asyncio.gather(*(ann.play("b2", after=before) for _ in range(20)))
    assert {view.status.num_events for view in views} == {before + 1}


async def test_wrong_acts_are_refused_and_change_nothing(matches: Any) -> None:
    ann, ben = await two_players(matches)
    before = (await ann.look()).status
    for act, code in (
        (ben.play("b2"), PRECONDITION),
        (ann.play("b9"), grpc.StatusCode.INVALID_ARGUMENT),
        (ann.play("b2", after=99), grpc.StatusCode.INVALID_ARGUMENT),
        (ann.act("GetMatchHint"), PRECONDITION),
        (ann.act("TakeBack"), PRECONDITION),
        (ann.act("AnswerOffer", agrees=True), PRECONDITION),
        (ann.act("ReplacePlayer", seat=2), PRECONDITION),
        (ann.act("ReplacePlayer", seat=7), grpc.StatusCode.INVALID_ARGUMENT),
        (ann.act("ReplacePlayer", bot="grpc://evil:1/"), grpc.StatusCode.INVALID_ARGUMENT),
        (Player(matches, ann.match_id, "nonsense", ann.view).play("b2"), None),
        (Player(matches, ann.match_id, "", ann.view).play("b2"), None),
        (Player(matches, "nonsense", ann.token, ann.view).look(), grpc.StatusCode.NOT_FOUND),
    ):
        failed = await failure_of(act)
        assert failed.code is (code or grpc.StatusCode.PERMISSION_DENIED)
        assert ann.token not in failed.message
    assert (await ann.look()).status == before


async def test_a_connected_program_plays(keeper: tuple[Service, Any]) -> None:
    service, matches = keeper
    bots = BotServiceStub(service.channel)
    stream = bots.Connect(bots_pb.ConnectRequest(name="rook"))
    session = (await stream.read()).registered.session

    async def answer() -> None:
        while True:
            question = (await stream.read()).question
            await bots.AnswerMove(
                bots_pb.AnswerMoveRequest(
                    session=session, question=question.id, move=question.moves[-1]
                )
            )

    answering = asyncio.create_task(answer())
    match_id = await create(matches, "tic_tac_toe", "bot:rook", "random")
    assert (await ended(matches, match_id)).status.result.end == pb.MATCH_END_FINISHED
    answering.cancel()
    stream.cancel()


async def test_what_is_stored_survives_the_server(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, matches):
        ann, ben = await two_players(matches)
        await ann.play("b2")
        bots = await create(matches, "hearts", *["level:1,simulations=20"] * 4)
    async with keeping(tmp_path) as (_, matches):
        for player in (ann, ben):
            player.stub = matches
        await ben.look()
        await ben.play("a1")
        await ann.look()
        assert "x" in ann.view.observation.text
        view = await ended(matches, bots)  # the bots think on
        assert view.status.result.end == pb.MATCH_END_FINISHED
        assert [event.number for event in view.events] == sorted(
            {event.number for event in view.events}
        )


async def test_matches_that_end_with_the_server_do_not_wait_for_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[bool] = []

    class Watched(Store):
        def __init__(self, url: str, *, is_temporary: bool) -> None:
            opened.append(is_temporary)
            super().__init__(url, is_temporary=is_temporary)

    monkeypatch.setattr("kingmaker.server.database.Store", Watched)
    for settings in ({}, {"matches": str(tmp_path / "matches.sqlite")}):
        async with serving(web="127.0.0.1:0", **settings) as service:
            await create(MatchServiceStub(service.channel), "tic_tac_toe", "", "")
    assert opened == [True, False]


async def test_tokens_are_stored_as_digests(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, matches):
        ann, _ = await two_players(matches)
    stored = b"".join(path.read_bytes() for path in sorted(tmp_path.iterdir()))  # noqa: ASYNC240
    assert ann.token.encode() not in stored
    assert hashlib.sha256(ann.token.encode()).hexdigest().encode() in stored


async def test_the_number_of_streams_is_limited(tmp_path: Path) -> None:
    async with keeping(tmp_path, max_watchers=1) as (_, matches):
        ann, ben = await two_players(matches)
        stream = ann.watch()
        await stream.read()
        assert (await failure_of(ben.watch())).code is grpc.StatusCode.RESOURCE_EXHAUSTED
        stream.cancel()


async def test_streams_end_at_once_when_the_server_stops(tmp_path: Path) -> None:
    async with keeping(tmp_path, grace_seconds=20.0) as (service, matches):
        ann, _ = await two_players(matches)
        stream = ann.watch()
        await anext(aiter(stream))
        start = asyncio.get_running_loop().time()
        drain = asyncio.create_task(service.server.drain())
        failed = await failure_of(stream)
        assert failed.code is grpc.StatusCode.UNAVAILABLE
        await drain
        assert asyncio.get_running_loop().time() - start < 5
