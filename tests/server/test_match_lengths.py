"""Matches that go on and on."""

from __future__ import annotations

from pathlib import Path

from kingmaker.v1 import match_service_pb2 as pb

from .match_client import Player, create, ended, keeping

LIMIT = 100


async def test_a_match_of_bots_is_cut_at_the_limit_of_events(tmp_path: Path) -> None:
    async with keeping(tmp_path, max_match_events=LIMIT) as (_, matches):
        last = await ended(matches, await create(matches, "hearts", *["random"] * 4))
        assert last.status.result.end == pb.MATCH_END_CUT
        assert list(last.status.result.returns) == [0.25] * 4
        assert last.status.num_events == LIMIT + 1
        assert last.status.result.nonce


async def test_take_backs_do_not_lengthen_a_match(tmp_path: Path) -> None:
    async with keeping(tmp_path, max_match_events=LIMIT) as (_, matches):
        match_id = await create(matches, "tic_tac_toe", "", "bot:nobody", has_take_backs=True)
        ann = await Player.join(matches, match_id)
        while ann.view.status.phase == pb.MATCH_PHASE_PLAYING:
            await ann.play("b2")
            if ann.view.status.phase == pb.MATCH_PHASE_PLAYING:
                await ann.act("TakeBack", after_event=ann.seen)
                await ann.look()
        assert ann.view.status.result.end == pb.MATCH_END_CUT


async def test_a_match_that_ends_at_the_limit_is_finished(tmp_path: Path) -> None:
    async def play(**settings: int) -> pb.MatchStatus:
        async with keeping(tmp_path, **settings) as (_, matches):
            match_id = await create(matches, "tic_tac_toe", "", "")
            players = [await Player.join(matches, match_id, name) for name in ("Ann", "Ben")]
            for i, move in enumerate(["a1", "a2", "b1", "b2", "c1"]):
                await players[i % 2].look()
                if players[i % 2].view.moves:
                    await players[i % 2].play(move)
            return (await ended(matches, match_id)).status

    finished = await play()
    for limit in (finished.num_events, finished.num_events - 1):
        again = await play(max_match_events=limit)
        assert again.result.end == pb.MATCH_END_FINISHED
        assert again.num_events == finished.num_events
    assert (await play(max_match_events=limit - 1)).result.end == pb.MATCH_END_CUT


async def test_a_match_that_is_longer_than_a_new_limit_is_cut_with_the_next_act(
    tmp_path: Path,
) -> None:
    async with keeping(tmp_path) as (_, matches):
        match_id = await create(matches, "tic_tac_toe", "", "")
        ann, ben = [await Player.join(matches, match_id, name) for name in ("Ann", "Ben")]
        await ann.look()
        await ann.play("b2")
    async with keeping(tmp_path, max_match_events=1) as (_, matches):
        ben.stub = matches
        await ben.look()
        await ben.play("a1")
        assert ben.view.status.result.end == pb.MATCH_END_CUT
