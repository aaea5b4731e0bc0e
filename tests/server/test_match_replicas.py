"""Several servers on one database: any of them can go on with any match."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .match_client import Player, ended, keeping, new_match
from .process import ServerProcess, server_process


@pytest.mark.slow
async def test_players_at_two_servers_see_the_same_match(database: str) -> None:
    async with keeping(database) as (_, first), keeping(database) as (_, second):
        created = await first.CreateMatch(new_match("connect_four", "", ""))
        match_id = created.status.match_id
        ann = await Player.join(first, match_id, "Ann")
        ben = await Player.join(second, match_id, "Ben")
        stream = ann.watch(after=0)
        streamed: list[int] = []
        for _ in range(4):
            await ann.look()
            await ann.play()
            await ben.look()
            await ben.play()
            while len(streamed) < ben.seen:  # the stream is of the other server
                view = (await stream.read()).view
                streamed += [event.number for event in view.events]
        stream.cancel()
        assert streamed == list(range(1, ben.seen + 1))
        await ann.look()
        assert (
            ann.view.observation.text.rpartition("@")[0]
            == (ben.view.observation.text.rpartition("@")[0])
        )


async def test_one_of_two_plays_at_two_servers_is_stored(database: str) -> None:
    async with keeping(database) as (_, first), keeping(database) as (_, second):
        created = await first.CreateMatch(new_match("tic_tac_toe", "", ""))
        ann = await Player.join(first, created.status.match_id)
        await Player.join(second, created.status.match_id, "Ben")
        await ann.look()
        twin = Player(second, ann.match_id, ann.token, ann.view)
        before = ann.seen
        answers = await asyncio.gather(
            ann.play("a1", after=before), twin.play("b2", after=before), return_exceptions=True
        )
        refused = [each for each in answers if isinstance(each, grpc.aio.AioRpcError)]
        assert len(refused) == 1
        assert (await ann.look()).status.num_events == before + 1


async def test_two_servers_that_both_drive_store_every_event_once(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each believes at once that the other is dead, so all bots think twice."""
    monkeypatch.setattr("kingmaker.server.matches.matches.LEASE_SECONDS", -1.0)
    monkeypatch.setattr("kingmaker.server.matches.matches.CLAIM_SECONDS", 0.01)
    bots = ["ismcts:simulations=50"] * 2
    async with keeping(database) as (_, first), keeping(database) as (_, second):
        created = await first.CreateMatch(new_match("leduc_poker", *bots))
        match_id = created.status.match_id
        one, two = await asyncio.gather(ended(first, match_id), ended(second, match_id))
        record = await second.GetMatchRecord(pb.GetMatchRecordRequest(match_id=match_id))
    assert one.status == two.status
    assert [each.number for each in record.events] == list(range(1, one.status.num_events + 1))


def stub_of(server: ServerProcess) -> tuple[grpc.aio.Channel, Any]:
    channel = grpc.aio.insecure_channel(server.address)
    return channel, MatchServiceStub(channel)


@pytest.mark.slow
async def test_when_a_server_is_killed_another_goes_on(database: str, tmp_path: Path) -> None:
    """Bots play; the watcher of the killed server goes on at the other and misses nothing."""
    with (
        server_process(tmp_path, matches=database) as first,
        server_process(tmp_path, matches=database) as second,
    ):
        channel, stub = stub_of(first)
        created = await stub.CreateMatch(new_match("hearts", *["level:1,simulations=200"] * 4))
        match_id = created.status.match_id
        numbers: list[int] = []

        async def follow(stub: Any) -> pb.MatchView:
            after = numbers[-1] if numbers else 0
            request = pb.WatchMatchRequest(match_id=match_id, after_event=after)
            async for message in stub.WatchMatch(request, timeout=60):
                numbers.extend(each.number for each in message.view.events)
                if len(numbers) > 30 and stub is not other:
                    first.process.kill()
            view: pb.MatchView = message.view
            return view

        other_channel, other = stub_of(second)
        with pytest.raises(grpc.aio.AioRpcError):  # the code depends on where the kill hits
            await follow(stub)
        view = await follow(other)
        await channel.close()
        await other_channel.close()
    assert view.status.result.end == pb.MATCH_END_FINISHED
    assert numbers == list(range(1, view.status.num_events + 1))
