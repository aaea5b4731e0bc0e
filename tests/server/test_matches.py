"""Matches over gRPC: seats, events, secrets, clocks, offers, bots, records."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from kingmaker.cext.games import GAMES
from kingmaker.server.analysis.service import AnalysisServicer
from kingmaker.v1 import analysis_service_pb2 as analysis_pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .match_client import Player, ended, keeping, new_match
from .support import Service, failure_of, serving

PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION


@pytest_asyncio.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[tuple[Service, Any]]:
    async with keeping(tmp_path) as both:
        yield both


@pytest.fixture
def stub(keeper: tuple[Service, Any]) -> Any:
    return keeper[1]


async def create(stub: Any, game: str, *bots: str, **options: Any) -> str:
    answer = await stub.CreateMatch(new_match(game, *bots, **options))
    return str(answer.status.match_id)


async def two_players(stub: Any, game: str = "tic_tac_toe", **options: Any) -> list[Player]:
    match_id = await create(stub, game, "", "", **options)
    players = [await Player.join(stub, match_id, name) for name in ("Ann", "Ben")]
    await players[0].look()
    return players


LONG = {"chessault", "kingdom_coinquest", "knights_duty"}  # hundreds of random moves


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.slow] * (game in LONG)) for game in GAMES]
)
async def test_a_person_plays_any_game_against_bots_to_its_end(stub: Any, game: str) -> None:
    num_seats = len((await stub.CreateMatch(new_match(game))).status.seats)
    match_id = await create(stub, game, "", *["random"] * (num_seats - 1))
    player = await Player.join(stub, match_id)
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
    service, stub = keeper
    num_seats = 4 if game == "hearts" else 2
    match_id = await create(stub, game, *["random"] * num_seats)
    view = await ended(stub, match_id)
    record = await stub.GetMatchRecord(pb.GetMatchRecordRequest(match_id=match_id))
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


async def test_seed_nonce_and_record_are_secret_until_the_end(stub: Any) -> None:
    ann, ben = await two_players(stub)
    status = ann.view.status
    assert not status.HasField("result")
    assert len(status.commitment) == 64
    failed = await failure_of(stub.GetMatchRecord(pb.GetMatchRecordRequest(match_id=ann.match_id)))
    assert failed.code is PRECONDITION
    await ben.act("ResignMatch")
    record = await stub.GetMatchRecord(pb.GetMatchRecordRequest(match_id=ann.match_id))
    assert record.status.result.nonce


def stripped(view: pb.MatchView) -> bytes:
    """What a view says of the game, without what is random for other reasons."""
    plain = pb.MatchView.FromString(view.SerializeToString())
    plain.status.match_id = plain.status.commitment = ""
    for event in plain.events:
        event.ClearField("at")
    return plain.SerializeToString(deterministic=True)


async def test_no_byte_for_a_seat_depends_on_what_it_can_not_see(stub: Any) -> None:
    told_ann: dict[str, set[bytes]] = {}
    told_spectators: set[bytes] = set()
    deals: set[tuple[str, str]] = set()
    for _ in range(15):
        ann, ben = await two_players(stub, "kuhn_poker")
        await ben.look()
        ours, theirs = (
            player.view.observation.kuhn_poker.seen.cards[seat - 1]
            for seat, player in ((1, ann), (2, ben))
        )
        deals.add((ours, theirs))
        told_ann.setdefault(ours, set()).add(stripped(ann.view))
        watched = await stub.GetMatch(pb.GetMatchRequest(match_id=ann.match_id))
        told_spectators.add(stripped(watched.view))
    assert len(deals) > len(told_ann)  # with one card of ours, several of theirs
    assert all(len(views) == 1 for views in told_ann.values())
    assert len(told_spectators) == 1


async def test_a_match_begins_when_the_last_seat_is_taken(stub: Any) -> None:
    match_id = await create(stub, "tic_tac_toe", "", "")
    ann = await Player.join(stub, match_id, seat=2)
    assert ann.view.viewer == 2
    assert ann.view.status.phase == pb.MATCH_PHASE_OPEN
    assert not ann.view.HasField("observation")
    ben = await Player.join(stub, match_id, "Ben")
    assert ben.view.viewer == 1
    assert ben.view.status.phase == pb.MATCH_PHASE_PLAYING
    assert [seat.name for seat in ben.view.status.seats] == ["Ben", "Ann"]
    assert len(ben.view.moves) == 9
    failed = await failure_of(stub.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Cid")))
    assert failed.code is PRECONDITION


async def test_the_last_person_who_leaves_an_open_match_cancels_it(stub: Any) -> None:
    match_id = await create(stub, "hearts", "", "", "random", "random")
    ann = await Player.join(stub, match_id)
    status = (await ann.act("LeaveMatch")).status
    assert status.phase == pb.MATCH_PHASE_ENDED
    assert (status.result.end, status.result.culprit) == (pb.MATCH_END_CANCELLED, 1)
    assert [seat.name for seat in status.seats] == ["Ann", "", "random", "random"]
    assert (await ended(stub, match_id)).status == status
    joining = pb.JoinMatchRequest(match_id=match_id, name="Ben")
    for call in (ann.act("LeaveMatch"), stub.JoinMatch(joining)):
        failed = await failure_of(call)
        assert (failed.code, failed.message) == (PRECONDITION, "the match has ended")


async def test_who_leaves_an_open_match_makes_room_for_others(stub: Any) -> None:
    match_id = await create(stub, "hearts", "", "", "", "random")
    ann, ben = [await Player.join(stub, match_id, name) for name in ("Ann", "Ben")]
    status = (await ann.act("LeaveMatch")).status
    assert status.phase == pb.MATCH_PHASE_OPEN
    assert [seat.name for seat in status.seats] == ["", "Ben", "", "random"]
    await ben.look()
    assert (ben.events[-1].kind, ben.events[-1].seat) == (pb.MATCH_EVENT_KIND_LEFT, 1)
    assert (await Player.join(stub, match_id, "Cid")).view.viewer == 1
    await Player.join(stub, match_id, "Dan")
    failed = await failure_of(ben.act("LeaveMatch"))
    assert failed.code is PRECONDITION
    assert failed.message == "the match has begun; ResignMatch gives up"


async def test_who_has_left_sees_nothing_of_who_sits_there_now(stub: Any) -> None:
    match_id = await create(stub, "hearts", "", "", "", "random", has_hints=True)
    ann, _ = [await Player.join(stub, match_id, name) for name in ("Ann", "Ben")]
    stream = ann.watch()
    await stream.read()
    back = pb.JoinMatchRequest(match_id=match_id, token=ann.token, name="Ann")
    await ann.act("LeaveMatch")
    assert (await failure_of(stream.read())).code is grpc.StatusCode.PERMISSION_DENIED
    calls = (stub.JoinMatch(back), ann.act("LeaveMatch"), ann.act("GetMatchHint"), ann.look())
    for call in calls:
        assert (await failure_of(call)).code is grpc.StatusCode.PERMISSION_DENIED


async def test_five_leaves_at_once_are_one(stub: Any) -> None:
    match_id = await create(stub, "hearts", "", "", "", "random")
    ann, _ = [await Player.join(stub, match_id, name) for name in ("Ann", "Ben")]
    answers = await asyncio.gather(
        *(ann.act("LeaveMatch") for _ in range(5)), return_exceptions=True
    )
    assert sum(not isinstance(each, Exception) for each in answers) == 1
    events = (await stub.GetMatch(pb.GetMatchRequest(match_id=match_id))).view.events
    assert [each.kind for each in events].count(pb.MATCH_EVENT_KIND_LEFT) == 1


async def test_the_stream_tells_everything_once_and_goes_on_from_any_event(stub: Any) -> None:
    ann, ben = await two_players(stub)
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


async def test_the_same_play_twice_is_played_once(stub: Any) -> None:
    ann, _ben = await two_players(stub)
    before = ann.seen
    first = await ann.play("b2", after=before)
    again = await ann.play("b2", after=before)
    assert first.events == again.events
    assert again.status.num_events == before + 1
    failed = await failure_of(ann.play("a1", after=before))
    assert failed.code is PRECONDITION
    assert failed.info.metadata["field"] == "after_event"


async def test_twenty_equal_plays_at_once_are_one(stub: Any) -> None:
    ann, _ = await two_players(stub)
    before = ann.seen
    views = await asyncio.gather(*(ann.play("b2", after=before) for _ in range(20)))
    assert {view.status.num_events for view in views} == {before + 1}


async def test_wrong_acts_are_refused_and_change_nothing(stub: Any) -> None:
    ann, ben = await two_players(stub)
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
        (Player(stub, ann.match_id, "nonsense", ann.view).play("b2"), None),
        (Player(stub, ann.match_id, "", ann.view).play("b2"), None),
        (Player(stub, "nonsense", ann.token, ann.view).look(), grpc.StatusCode.NOT_FOUND),
    ):
        failed = await failure_of(act)
        assert failed.code is (code or grpc.StatusCode.PERMISSION_DENIED)
        assert ann.token not in failed.message
    assert (await ann.look()).status == before


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"game": "chess"}, "options.game"),
        ({"game": "hearts", "game_options": {"players": "9"}}, "options.game_options.players"),
        ({"game": "hearts", "title": "x" * 81}, "options.title"),
        ({"game": "hearts", "title": "a\nb"}, "options.title"),
        ({"game": "hearts", "title": "\u202eevil"}, "options.title"),
    ],
)
async def test_a_match_that_can_not_be_is_refused(
    stub: Any, options: dict[str, Any], field: str
) -> None:
    request = pb.CreateMatchRequest(options=pb.MatchOptions(**options))
    failed = await failure_of(stub.CreateMatch(request))
    assert field in failed.fields


async def test_bots_of_other_servers_and_unknown_ones_are_refused(stub: Any) -> None:
    bots = ("grpc://localhost:1/level=1", "bot:rook@localhost:1", "nonsense", "cfr")
    for bot in bots:
        failed = await failure_of(stub.CreateMatch(new_match("tic_tac_toe", bot, "")))
        assert "seats[0].bot" in failed.fields


async def test_a_client_has_a_quota_of_matches_that_have_not_ended(tmp_path: Path) -> None:
    async with keeping(tmp_path, max_client_matches=3) as (_, stub):
        ids = [await create(stub, "tic_tac_toe", "", "") for _ in range(3)]
        for _ in range(3):
            failed = await failure_of(stub.CreateMatch(new_match("tic_tac_toe")))
            assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert "RetryInfo" in failed.details
        players = [await Player.join(stub, ids[0]) for _ in range(2)]
        await players[0].act("ResignMatch")
        await create(stub, "tic_tac_toe")
        listed = await stub.ListMatches(pb.ListMatchesRequest())
        assert {each.match_id for each in listed.matches} >= set(ids)


async def test_lists_leave_private_matches_out_and_come_in_pages(stub: Any) -> None:
    ids = [await create(stub, "tic_tac_toe", title=f"{i}") for i in range(5)]
    await create(stub, "tic_tac_toe", is_private=True)
    await create(stub, "kuhn_poker", "random", "random")
    seen: list[str] = []
    token = ""
    while True:
        request = pb.ListMatchesRequest(page_size=2, page_token=token, game="tic_tac_toe")
        page = await stub.ListMatches(request)
        seen += [each.match_id for each in page.matches]
        token = page.next_page_token
        if not token:
            break
    assert seen == ids[::-1]
    opened = await stub.ListMatches(pb.ListMatchesRequest(phase=pb.MATCH_PHASE_OPEN))
    assert len(opened.matches) == 5


async def test_a_hint_is_for_who_moves_and_all_learn_of_it(stub: Any) -> None:
    ann, ben = await two_players(stub, has_hints=True)
    hint = (await ann.act("GetMatchHint", top=2)).hint
    assert len(hint.suggestions) == 2
    assert hint.suggestions[0].explanation
    await ben.look()
    assert ben.events[-1].kind == pb.MATCH_EVENT_KIND_HINTED
    await ann.play()
    failed = await failure_of(ann.act("GetMatchHint"))
    assert failed.code is PRECONDITION


async def test_a_hint_is_not_of_a_later_turn_than_its_player_has_seen(stub: Any) -> None:
    ann, ben = await two_players(stub, has_hints=True)
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


async def test_a_move_overtakes_a_hint(stub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _ = await two_players(stub, has_hints=True)
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


async def test_a_hint_that_is_refused_is_no_event(stub: Any) -> None:
    ann, _ = await two_players(stub, has_hints=True)
    failed = await failure_of(ann.act("GetMatchHint", top=-1))
    assert set(failed.fields) == {"top"}
    assert (await ann.look()).status.num_events == ann.seen
    assert ann.events[-1].kind != pb.MATCH_EVENT_KIND_HINTED


@pytest.mark.parametrize("game", ["hearts", "leduc_poker"])
async def test_what_a_player_sees_has_a_record_where_searches_use_one(
    keeper: tuple[Service, Any], game: str
) -> None:
    service, stub = keeper
    num_seats = 4 if game == "hearts" else 2
    ann = await Player.join(stub, await create(stub, game, "", *["random"] * (num_seats - 1)))
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
    assert not (await stub.GetMatch(spectator)).view.observation.HasField("record")


async def test_against_bots_a_move_is_taken_back_at_once(stub: Any) -> None:
    match_id = await create(stub, "tic_tac_toe", "", "random", has_take_backs=True)
    ann = await Player.join(stub, match_id)
    board = ann.view.observation.text
    await ann.play("b2")
    await ann.until_turn()
    await ann.act("TakeBack")
    view = await ann.look()
    assert view.observation.text == board
    assert ann.events[-1].kind == pb.MATCH_EVENT_KIND_TAKEN_BACK
    await ann.play_out()
    assert ann.view.status.result.end == pb.MATCH_END_FINISHED


async def test_a_person_is_asked_before_a_move_is_taken_back(stub: Any) -> None:
    ann, ben = await two_players(stub, has_take_backs=True)
    await ann.play("b2")
    offer = (await ann.act("TakeBack")).status.offer
    assert (offer.kind, offer.seat) == (pb.MATCH_OFFER_KIND_TAKE_BACK, 1)
    assert list(offer.waiting_for) == [2]
    await ben.act("AnswerOffer", agrees=False)
    assert (await ann.look()).status.node.seat == 2
    assert (await failure_of(ann.act("TakeBack"))).code is PRECONDITION  # once for a move
    await ben.look()
    await ben.play("a1")
    await ann.look()
    await ann.play("c1")
    await ann.act("TakeBack")
    await ben.act("AnswerOffer", agrees=True)
    view = await ann.look()
    assert view.status.node.seat == 1
    assert len(view.moves) == 7


async def test_a_draw_needs_all_people_and_lapses_with_a_move(stub: Any) -> None:
    ann, ben = await two_players(stub)
    await ben.look()
    await ben.act("OfferDraw")
    await ann.look()
    await ann.play()
    assert not ann.view.status.HasField("offer")
    await ann.act("OfferDraw")
    status = (await ben.act("AnswerOffer", agrees=True)).status
    assert status.result.end == pb.MATCH_END_DRAWN
    assert list(status.result.returns) == [0.5, 0.5]


async def test_an_offer_is_declined_when_the_last_to_answer_becomes_a_bot(stub: Any) -> None:
    ann, ben = await two_players(stub, has_take_backs=True)
    await ann.play("b2")
    assert (await ann.act("TakeBack")).status.HasField("offer")
    status = (await ben.act("ReplacePlayer", bot="bot:nobody")).status
    assert not status.HasField("offer")
    assert (status.phase, status.node.seat) == (pb.MATCH_PHASE_PLAYING, 2)


async def test_bots_decline_a_draw(stub: Any) -> None:
    match_id = await create(stub, "tic_tac_toe", "", "random")
    ann = await Player.join(stub, match_id)
    status = (await ann.act("OfferDraw")).status
    assert not status.HasField("offer")
    assert status.phase == pb.MATCH_PHASE_PLAYING
    assert (await failure_of(ann.act("OfferDraw"))).code is PRECONDITION


async def test_matches_of_an_unknown_game_are_not_just_none(stub: Any) -> None:
    failed = await failure_of(stub.ListMatches(pb.ListMatchesRequest(game="chess")))
    assert failed.code is grpc.StatusCode.NOT_FOUND
    assert list(failed.fields) == ["game"]
    assert "games are chessault, " in failed.message


async def test_all_wrong_options_of_a_match_are_named(stub: Any) -> None:
    options = {"players": "9", "health": "0", "colour": "red"}
    wanted = pb.MatchOptions(game="kingdom_coinquest", game_options=options)
    failed = await failure_of(stub.CreateMatch(pb.CreateMatchRequest(options=wanted)))
    assert set(failed.fields) == {f"options.game_options.{name}" for name in options}


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("kuhn_poker", "seats has 3; this game needs 2"),
        (
            "kingdom_coinquest",
            "seats has 3; this game needs 2 unless game_options has another number of players",
        ),
    ],
)
async def test_a_wrong_number_of_seats_is_told_with_the_option_for_more(
    stub: Any, game: str, told: str
) -> None:
    options = pb.MatchOptions(game=game)
    request = pb.CreateMatchRequest(options=options, seats=[pb.NewSeat()] * 3)
    assert (await failure_of(stub.CreateMatch(request))).fields == {"seats": told}


@pytest.mark.parametrize(
    ("call", "option"), [("GetMatchHint", "has_hints"), ("TakeBack", "has_take_backs")]
)
async def test_what_a_match_is_without_is_named_with_its_option(
    stub: Any, call: str, option: str
) -> None:
    ann, _ = await two_players(stub)
    failed = await failure_of(ann.act(call))
    assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
    assert f"options.{option} of CreateMatch" in failed.message


async def test_many_hints_of_a_turn_are_one_event(stub: Any) -> None:
    ann, _ = await two_players(stub, has_hints=True)
    for _ in range(3):
        await ann.act("GetMatchHint", top=1)
    assert (await ann.look()).status.num_events == 5
    assert ann.events[-1].kind == pb.MATCH_EVENT_KIND_HINTED


async def test_who_resigns_loses_and_with_more_seats_a_bot_plays_on(stub: Any) -> None:
    ann, _ = await two_players(stub)
    status = (await ann.act("ResignMatch")).status
    assert status.result.culprit == 1
    assert list(status.result.returns) == [0.0, 1.0]
    match_id = await create(stub, "hearts", "", "random", "random", "random")
    cid = await Player.join(stub, match_id, "Cid")
    await cid.act("ResignMatch")
    assert (await ended(stub, match_id)).status.result.end == pb.MATCH_END_FINISHED


async def test_a_replaced_player_can_come_back(stub: Any) -> None:
    ann, ben = await two_players(stub)
    status = (await ben.act("ReplacePlayer", bot="level:2,simulations=10")).status
    assert status.seats[1].bot == "level:2,simulations=10"
    await ann.play("b2")
    await ann.until_turn()
    assert (await failure_of(ben.play("a1"))).code is PRECONDITION
    request = pb.JoinMatchRequest(match_id=ben.match_id, token=ben.token, name="Ben again")
    back = await stub.JoinMatch(request)
    assert back.seat == 2
    assert back.view.status.seats[1].name == "Ben again"
    await ann.play()
    await ben.look()
    await ben.play()


async def test_a_seat_that_a_bot_plays_on_has_no_moves(stub: Any) -> None:
    match_id = await create(stub, "tic_tac_toe", "", "")
    ann = await Player.join(stub, match_id, "Ann")
    await Player.join(stub, match_id, "Ben")
    assert (await ann.look()).moves
    await ann.act("ReplacePlayer", bot="bot:nobody")
    view = await ann.look()
    assert view.status.node.seat == view.viewer == 1
    assert not view.moves


async def test_after_the_end_no_refusal_offers_the_seat_back(stub: Any) -> None:
    match_id = await create(stub, "hearts", "", "random", "random", "random")
    cid = await Player.join(stub, match_id, "Cid")
    await cid.act("ResignMatch")
    assert "takes it back" in (await failure_of(cid.act("ResignMatch"))).message
    await ended(stub, match_id)
    refused = await failure_of(cid.act("ResignMatch"))
    assert refused.code is PRECONDITION
    assert refused.message == "the match has ended"


async def test_a_player_who_lets_others_wait_can_be_replaced(
    stub: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingmaker.server.matches.acts.LEAVE_SECONDS", 0.05)
    ann, _ben = await two_players(stub)
    await ann.play("b2")
    await asyncio.sleep(0.1)
    await ann.act("ReplacePlayer", seat=2, bot="random")
    await ann.until_turn()


async def test_a_seat_without_time_loses(stub: Any) -> None:
    options = pb.MatchOptions(game="tic_tac_toe")
    options.clock.FromMilliseconds(300)
    options.clock_increment.FromMilliseconds(50)
    answer = await stub.CreateMatch(pb.CreateMatchRequest(options=options))
    match_id = answer.status.match_id
    ann = await Player.join(stub, match_id)
    ben = await Player.join(stub, match_id, "Ben")
    await ann.look()
    await ann.play("b2")
    clock = ann.view.status.seats[0].clock.ToMilliseconds()
    assert 50 < clock <= 350
    view = await ended(stub, match_id)
    assert view.status.result.end == pb.MATCH_END_TIMED_OUT
    assert list(view.status.result.returns) == [1.0, 0.0]
    assert view.status.seats[1].clock.ToMilliseconds() == 0
    assert (await failure_of(ben.play("a1", after=0))).code is PRECONDITION


async def test_a_connected_program_plays(keeper: tuple[Service, Any]) -> None:
    from kingmaker.v1 import bot_service_pb2 as bots_pb
    from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub

    service, stub = keeper
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
    match_id = await create(stub, "tic_tac_toe", "bot:rook", "random")
    assert (await ended(stub, match_id)).status.result.end == pb.MATCH_END_FINISHED
    answering.cancel()
    stream.cancel()


async def test_what_is_stored_survives_the_server(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, stub):
        ann, ben = await two_players(stub)
        await ann.play("b2")
        bots = await create(stub, "hearts", *["level:1,simulations=20"] * 4)
    async with keeping(tmp_path) as (_, stub):
        for player in (ann, ben):
            player.stub = stub
        await ben.look()
        await ben.play("a1")
        await ann.look()
        assert "x" in ann.view.observation.text
        view = await ended(stub, bots)  # the bots think on
        assert view.status.result.end == pb.MATCH_END_FINISHED
        assert [event.number for event in view.events] == sorted(
            {event.number for event in view.events}
        )


async def test_tokens_are_stored_as_digests(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, stub):
        ann, _ = await two_players(stub)
    stored = b"".join(path.read_bytes() for path in sorted(tmp_path.iterdir()))  # noqa: ASYNC240
    assert ann.token.encode() not in stored
    assert hashlib.sha256(ann.token.encode()).hexdigest().encode() in stored


async def test_a_server_without_a_database_says_how_to_get_one() -> None:
    async with serving() as service:
        from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

        stub = MatchServiceStub(service.channel)
        failed = await failure_of(stub.CreateMatch(new_match("hearts")))
        assert failed.code is grpc.StatusCode.UNIMPLEMENTED
        assert "--matches" in failed.message
        stream = stub.WatchMatch(pb.WatchMatchRequest(match_id="x"))
        assert (await failure_of(stream)).code is grpc.StatusCode.UNIMPLEMENTED


async def test_the_number_of_streams_is_limited(tmp_path: Path) -> None:
    async with keeping(tmp_path, max_watchers=1) as (_, stub):
        ann, ben = await two_players(stub)
        stream = ann.watch()
        await stream.read()
        assert (await failure_of(ben.watch())).code is grpc.StatusCode.RESOURCE_EXHAUSTED
        stream.cancel()


async def test_streams_end_at_once_when_the_server_stops(tmp_path: Path) -> None:
    async with keeping(tmp_path, grace_seconds=20.0) as (service, stub):
        ann, _ = await two_players(stub)
        stream = ann.watch()
        await anext(aiter(stream))
        start = asyncio.get_running_loop().time()
        drain = asyncio.create_task(service.server.drain())
        failed = await failure_of(stream)
        assert failed.code is grpc.StatusCode.UNAVAILABLE
        await drain
        assert asyncio.get_running_loop().time() - start < 5


async def test_a_token_and_another_seat_contradict_each_other(stub: Any) -> None:
    ann, _ = await two_players(stub)
    joining = {"match_id": ann.match_id, "name": "Ann", "token": ann.token}
    failed = await failure_of(stub.JoinMatch(pb.JoinMatchRequest(seat=2, **joining)))
    assert failed.fields == {"seat": "seat is 2, but the token is of seat 1; leave seat out"}
    for seat in (0, 1):
        assert (await stub.JoinMatch(pb.JoinMatchRequest(seat=seat, **joining))).seat == 1
