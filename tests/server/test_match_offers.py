"""Offers in a match: to take a move back, and to agree on a draw."""

from __future__ import annotations

from typing import Any

from kingmaker.v1 import match_service_pb2 as pb

from .match_client import PRECONDITION, Player, create, two_players
from .support import failure_of


async def test_against_bots_a_move_is_taken_back_at_once(matches: Any) -> None:
    match_id = await create(matches, "tic_tac_toe", "", "random", has_take_backs=True)
    ann = await Player.join(matches, match_id)
    board = ann.view.observation.text
    await ann.play("b2")
    await ann.until_turn()
    await ann.act("TakeBack")
    view = await ann.look()
    assert view.observation.text == board
    assert ann.events[-1].kind == pb.MATCH_EVENT_KIND_TAKEN_BACK
    await ann.play_out()
    assert ann.view.status.result.end == pb.MATCH_END_FINISHED


async def test_the_same_call_again_takes_no_second_move_back(matches: Any) -> None:
    match_id = await create(matches, "tic_tac_toe", "", "random", has_take_backs=True)
    ann = await Player.join(matches, match_id)
    for _ in range(2):
        await ann.play()
        await ann.until_turn()
    seen = ann.seen
    await ann.act("TakeBack", after_event=seen)
    failed = await failure_of(ann.act("TakeBack", after_event=seen))
    assert failed.code is PRECONDITION
    assert failed.info.metadata["field"] == "after_event"
    assert "the game has gone on" in failed.message
    assert len((await ann.look()).moves) == 7
    failed = await failure_of(ann.act("TakeBack", after_event=1000))
    assert set(failed.fields) == {"after_event"}
    await ann.act("TakeBack", after_event=ann.seen)
    assert len((await ann.look()).moves) == 9


async def test_a_person_is_asked_before_a_move_is_taken_back(matches: Any) -> None:
    ann, ben = await two_players(matches, has_take_backs=True)
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


async def test_a_draw_needs_all_people_and_lapses_with_a_move(matches: Any) -> None:
    ann, ben = await two_players(matches)
    await ben.look()
    await ben.act("OfferDraw")
    await ann.look()
    await ann.play()
    assert not ann.view.status.HasField("offer")
    await ann.act("OfferDraw")
    status = (await ben.act("AnswerOffer", agrees=True)).status
    assert status.result.end == pb.MATCH_END_DRAWN
    assert list(status.result.returns) == [0.5, 0.5]


async def test_an_offer_is_declined_when_the_last_to_answer_becomes_a_bot(matches: Any) -> None:
    ann, ben = await two_players(matches, has_take_backs=True)
    await ann.play("b2")
    assert (await ann.act("TakeBack")).status.HasField("offer")
    status = (await ben.act("ReplacePlayer", bot="bot:nobody")).status
    assert not status.HasField("offer")
    assert (status.phase, status.node.seat) == (pb.MATCH_PHASE_PLAYING, 2)


async def test_bots_decline_a_draw(matches: Any) -> None:
    match_id = await create(matches, "tic_tac_toe", "", "random")
    ann = await Player.join(matches, match_id)
    status = (await ann.act("OfferDraw")).status
    assert not status.HasField("offer")
    assert status.phase == pb.MATCH_PHASE_PLAYING
    assert (await failure_of(ann.act("OfferDraw"))).code is PRECONDITION
