"""Slots, queues, shares and the order in which calls get their turn."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from kingmaker.server.errors import DrainingError, OverloadError
from kingmaker.server.pool.admission import QUANTUM_SECONDS, Admission
from kingmaker.server.settings import MIB

from .admission_support import ENOUGH, Held, admission, bulk, call, settle, start


async def test_interactive_calls_go_before_bulk_ones() -> None:
    gate = admission()
    held = await gate.enter(call("a"))
    slow = await start(gate.enter(bulk("a")))
    interactive = await start(gate.enter(call("a")))
    gate.leave(held)
    await settle()
    assert interactive.done()
    assert not slow.done()
    gate.leave(await interactive)
    await settle()
    assert slow.done()


async def test_the_client_that_has_used_least_is_next() -> None:
    gate = admission(slots=2)
    first, second = await gate.enter(call("greedy")), await gate.enter(call("greedy"))
    greedy = await start(gate.enter(call("greedy")))
    modest = await start(gate.enter(call("modest")))
    gate.leave(first)
    await settle()
    assert modest.done()
    assert not greedy.done()
    gate.leave(second)
    await settle()
    assert greedy.done()


async def test_the_calls_of_a_client_are_served_in_the_order_of_arrival() -> None:
    gate = admission()
    held = await gate.enter(call("z"))
    waiting = [await start(gate.enter(call("a"))) for _ in range(3)]
    gate.leave(held)
    for expected in range(3):
        await settle()
        assert [task.done() for task in waiting] == [i <= expected for i in range(3)]
        gate.leave(await waiting[expected])


async def test_nobody_waits_behind_all_that_another_client_sent_before() -> None:
    gate = admission()
    held = await gate.enter(call("busy"))
    busy = [await start(gate.enter(call("busy"))) for _ in range(3)]
    late = await start(gate.enter(call("late")))
    await asyncio.sleep(0.01)
    gate.leave(held)
    await settle()
    assert late.done()
    assert not any(task.done() for task in busy)


async def test_a_search_with_two_threads_takes_two_slots() -> None:
    gate = admission(slots=2)
    held = await gate.enter(call("a"))
    wide = await start(gate.enter(call("a", threads=2)))
    narrow = await start(gate.enter(call("a")))
    assert not wide.done()
    assert not narrow.done(), "it must not overtake the call before it"
    gate.leave(held)
    await settle()
    assert wide.done()
    assert not narrow.done()
    assert gate.status().running == 2


@pytest.mark.parametrize("make", [call, bulk])
async def test_a_long_call_returns_its_slot_to_another_client_and_gets_it_back(make: Any) -> None:
    gate = admission()
    long = Held(gate, await gate.enter(make("a")))
    await asyncio.sleep(QUANTUM_SECONDS)
    other = await asyncio.wait_for(gate.enter(make("b")), QUANTUM_SECONDS)
    assert long.turns == 1
    gate.leave(other)
    assert long.back is not None
    await asyncio.wait_for(long.back, 1)
    long.end()
    assert gate.status().running == 0


async def test_a_call_keeps_its_slot_for_a_quantum() -> None:
    gate = admission()
    long = Held(gate, await gate.enter(call("a")))
    other = await start(gate.enter(call("b")))
    await settle()
    assert not other.done()
    gate.leave(await asyncio.wait_for(other, 10 * QUANTUM_SECONDS))
    long.end()


async def test_bulk_gives_way_to_a_player_at_once() -> None:
    gate = admission()
    long = Held(gate, await gate.enter(bulk("a")))
    player = await start(gate.enter(call("a")))
    await settle()
    gate.leave(await asyncio.wait_for(player, QUANTUM_SECONDS / 2))
    long.end()


async def test_two_clients_that_always_want_more_get_equal_shares() -> None:
    gate = admission()
    both = [Held(gate, await gate.enter(bulk("a")))]
    both += [Held(gate, await gate.enter(bulk("b")))]
    await asyncio.sleep(1.0)
    for each in both:
        each.end()
    used = [each.ticket.used for each in both]
    assert min(used) > 0.3 * sum(used)


async def test_two_clients_that_always_want_more_get_slots_by_their_shares() -> None:
    shares = {"large": 0.8, "small": 0.2}
    gate = Admission(1, 10, 10, shares.__getitem__, lambda *_: None, ENOUGH, 0.4)
    both = [Held(gate, await gate.enter(bulk(client))) for client in shares]
    await asyncio.sleep(1.5)
    for each in both:
        each.end()
    large, small = (each.ticket.used for each in both)
    assert large > 2 * small > 0


async def test_a_client_expects_slots_by_its_share() -> None:
    shares = {"large": 1.0, "small": 0.1, "busy": 0.5}
    gate = Admission(1, 100, 10, shares.__getitem__, lambda *_: None, ENOUGH, 0.5)
    running = Held(gate, await gate.enter(call("busy")))
    waiting = [await start(gate.enter(call("busy"))) for _ in range(20)]
    first = {name: await start(gate.enter(call(name, patience=0.4))) for name in shares}
    more = [await start(gate.enter(call(name, patience=0.4))) for name in ("large", "small")]
    assert first["small"].done()
    assert isinstance(first["small"].exception(), OverloadError)
    assert not first["large"].done()
    for each in (*waiting, *first.values(), *more):
        each.cancel()
    running.end()


async def test_a_long_call_gives_way_to_a_short_one_of_its_own_client() -> None:
    gate = admission()
    long = Held(gate, await gate.enter(call("a", seconds=60)))
    start_of_wait = asyncio.get_running_loop().time()
    gate.leave(await asyncio.wait_for(gate.enter(call("a")), 3))
    waited = asyncio.get_running_loop().time() - start_of_wait
    assert 0.8 < waited < 2
    long.end()


async def test_a_client_can_have_begun_so_many_searches_and_no_more() -> None:
    gate = admission(bulk=100)
    begun = [Held(gate, await gate.enter(bulk("a"))) for _ in range(1)]
    others = [await start(gate.enter(bulk("a"))) for _ in range(5)]
    await asyncio.sleep(2.5)
    assert gate.status().live == 2
    for task in others:
        task.cancel()
    await settle()
    begun[0].end()


async def test_long_searches_of_a_client_leave_room_for_its_short_ones() -> None:
    gate = admission()
    begun = [Held(gate, await gate.enter(bulk("a"))) for _ in range(2)]
    third = await start(gate.enter(bulk("a")))
    short = await asyncio.wait_for(gate.enter(call("a")), 1)
    assert gate.status().live == 3
    assert not third.done()
    gate.leave(short)
    third.cancel()
    await settle()
    for held in begun:
        held.end()


async def test_bulk_searches_leave_memory_for_interactive_ones() -> None:
    gate = admission(slots=3, memory=100)
    alone = await gate.enter(bulk("a", memory_bytes=90))
    gate.leave(alone)
    first = await gate.enter(bulk("a", memory_bytes=40))
    second = await start(gate.enter(bulk("b", memory_bytes=40)))
    player = await start(gate.enter(call("c", memory_bytes=40)))
    assert player.done()
    assert not second.done()
    gate.leave(first)
    gate.leave(await player)
    await settle()
    assert second.done()


async def test_a_client_has_its_share_of_the_memory_beyond_one_search() -> None:
    gate = admission(slots=4, memory=100, share=0.5)
    first = await gate.enter(call("a", memory_bytes=30))
    second = await start(gate.enter(call("a", memory_bytes=30)))
    third = await start(gate.enter(call("a", memory_bytes=20)))
    other = await start(gate.enter(call("b", memory_bytes=50)))
    assert not second.done()
    assert third.done(), "30 and 20 are its half"
    assert other.done()
    gate.leave(first)
    await settle()
    assert second.done()
    for each in (second, third, other):
        gate.leave(await each)
    alone = await gate.enter(call("a", memory_bytes=90))
    gate.leave(alone)


async def test_bulk_searches_of_a_client_leave_memory_for_its_own_moves() -> None:
    gate = admission(slots=4, memory=100, share=0.5)
    long = await gate.enter(bulk("a", memory_bytes=75))
    move = await asyncio.wait_for(gate.enter(call("a", memory_bytes=10)), 1)
    worlds = await asyncio.wait_for(gate.enter(bulk("a")), 1)
    for each in (long, move, worlds):
        gate.leave(each)


async def test_a_call_that_is_cancelled_at_its_turn_leaves_its_memory_to_the_next() -> None:
    gate = admission(memory=100)
    held = await gate.enter(call("a", memory_bytes=90))
    second = await start(gate.enter(call("b", memory_bytes=90)))
    third = await start(gate.enter(call("c", memory_bytes=80)))
    gate.leave(held)
    second.cancel()
    await settle()
    assert third.done()
    gate.leave(await third)


async def test_a_client_at_its_limit_of_searches_is_told_so() -> None:
    gate = admission(slots=1)
    held = [Held(gate, await gate.enter(call("a"))) for _ in range(1)]
    gate.rest(held[0].ticket)
    second = await gate.enter(call("a"))
    with pytest.raises(OverloadError, match="a had as many searches as a client may") as refused:
        await gate.enter(call("a", patience=0.1))
    assert refused.value.limit == "client"
    assert "memory" not in str(refused.value)
    gate.leave(second)
    held[0].end()


@pytest.mark.parametrize(
    ("begun", "why"),
    [
        ([("a", 60)], "a had as much memory as a client may use after 0.1"),
        ([("b", 60)], "60 MiB of memory were not free after 0.1"),
    ],
)
async def test_a_call_that_got_no_memory_in_time_is_told_so(
    begun: list[tuple[str, int]], why: str
) -> None:
    gate = admission(slots=4, memory=100 * MIB, share=0.5)
    held = [await gate.enter(call(name, memory_bytes=size * MIB)) for name, size in begun]
    with pytest.raises(OverloadError, match=re.escape(why)) as refused:
        await gate.enter(call("a", memory_bytes=60 * MIB, patience=0.1))
    assert refused.value.limit == "memory"
    assert "less memory_bytes" in str(refused.value)
    for each in held:
        gate.leave(each)
    assert gate.status().memory_bytes == 0


async def test_the_memory_of_what_has_begun_never_exceeds_the_limit() -> None:
    gate = admission(slots=3, memory=100)
    first = await gate.enter(call("a", memory_bytes=60))
    second = await start(gate.enter(call("b", memory_bytes=60)))
    third = await start(gate.enter(call("c", memory_bytes=40)))
    assert third.done(), "it fits beside the first"
    assert not second.done()
    assert gate.status().memory_bytes == 100
    gate.leave(first)
    await settle()
    assert second.done()
    gate.leave(await second)
    gate.leave(await third)
    assert gate.status().memory_bytes == 0


async def test_a_paused_search_keeps_its_memory() -> None:
    gate = admission(memory=100)
    long = Held(gate, await gate.enter(bulk("a", memory_bytes=60)))
    player = await start(gate.enter(call("b", memory_bytes=60)))
    await asyncio.sleep(2 * QUANTUM_SECONDS)
    assert not player.done()
    assert long.turns == 1
    long.end()
    await settle()
    assert player.done()


async def test_a_full_queue_refuses_at_once() -> None:
    gate = admission(interactive=1)
    await gate.enter(call("a"))
    await start(gate.enter(call("b")))
    with pytest.raises(OverloadError, match="1 interactive calls wait") as caught:
        await gate.enter(call("c"))
    assert 0.05 <= caught.value.retry_seconds <= 10
    assert gate.status().refused == 1


async def test_a_client_gets_no_more_than_its_share_of_the_queue() -> None:
    gate = admission(slots=2, interactive=4, share=0.5)
    for _ in range(2):
        await gate.enter(call("a"))
    for _ in range(2):
        await start(gate.enter(call("a")))
    with pytest.raises(OverloadError, match="a has 2 calls waiting"):
        await gate.enter(call("a"))
    await start(gate.enter(call("b")))
    assert gate.status().waiting_interactive == 3


async def test_a_queue_full_of_one_clients_calls_has_room_for_another_client() -> None:
    gate = admission(interactive=3)
    held = await gate.enter(call("a"))
    greedy = [await start(gate.enter(call("a"))) for _ in range(3)]
    modest = await start(gate.enter(call("b")))
    with pytest.raises(OverloadError):
        await greedy[2]
    gate.leave(held)
    await settle()
    assert modest.done()


@pytest.mark.parametrize(
    ("interactive", "share", "others"), [(1, 1.0, 0), (10, 0.1, 0), (4, 1.0, 3), (16, 0.5, 15)]
)
async def test_the_last_call_of_a_client_is_displaced_by_its_own_next_one(
    interactive: int, share: float, others: int
) -> None:
    gate = admission(interactive=interactive, share=share)
    held = await gate.enter(call("held", seconds=5.0))
    held.on_pause = lambda: None
    first = await start(gate.enter(call("a", patience=0.05)))
    tasks = [first, *[await start(gate.enter(call(f"other {i}"))) for i in range(others)]]
    tasks += [await start(gate.enter(call("a", patience=each))) for each in (0.3, 0.05, 0.05)]
    gate.leave(held)
    while tasks:
        await settle()
        ended = [task for task in tasks if task.done()]
        assert ended
        for task in ended:
            tasks.remove(task)
            if task.exception() is None:
                gate.leave(task.result())
    gate.leave(await gate.enter(call("new")))
    assert (gate.status().running, gate.status().waiting_interactive) == (0, 0)


async def test_a_call_that_can_not_be_served_in_time_is_refused_at_once() -> None:
    gate = admission()
    await gate.enter(call("a", seconds=1))
    for _ in range(5):
        await start(gate.enter(call("a", patience=10)))
    with pytest.raises(OverloadError, match="no slot is expected") as caught:
        await gate.enter(call("a", patience=0.01))
    assert caught.value.retry_seconds > 0.1


async def test_calls_that_may_take_long_but_do_not_refuse_nobody() -> None:
    gate = admission()
    for _ in range(50):
        gate.leave(await gate.enter(call("a", seconds=60)))
    await gate.enter(call("a", seconds=60))
    waiting = await start(gate.enter(call("a", seconds=60, patience=0.5)))
    assert not waiting.done()
    assert gate.status().waiting_interactive == 1


async def test_a_call_that_waits_since_another_got_its_slot_gets_it_after_a_quantum() -> None:
    gate = admission()
    ticket = await gate.enter(call("a", seconds=60))
    waiting = await start(gate.enter(call("b")))
    long = Held(gate, ticket)  # can be paused only now
    gate.leave(await asyncio.wait_for(waiting, 1))
    long.end()


async def test_in_an_overload_the_newest_is_first_and_the_oldest_is_refused() -> None:
    gate = admission()
    held = await gate.enter(call("a"))
    waiting = []
    for _ in range(8):
        waiting.append(await start(gate.enter(call("a", patience=0.2))))
        await asyncio.sleep(0.001)
    refused = [task.done() for task in waiting]
    assert refused == sorted(refused, reverse=True), "the oldest are refused"
    assert 2 <= sum(refused) <= 6
    with pytest.raises(OverloadError):
        await waiting[0]
    gate.leave(held)
    await settle()
    assert waiting[-1].done()
    assert not waiting[-2].done()


async def test_a_call_waits_no_longer_than_it_can() -> None:
    gate = admission()
    await gate.enter(call("a", seconds=0.001))
    late = asyncio.create_task(gate.enter(call("b", patience=0.1)))
    with pytest.raises(OverloadError, match=r"no slot was free for 0\.1\d s"):
        await asyncio.wait_for(late, 1)
    assert gate.status().waiting_interactive == 0


@pytest.mark.slow
async def test_at_four_times_capacity_what_is_served_is_served_in_time() -> None:
    gate, waits, lost = admission(slots=2, interactive=64, share=0.5), [], []
    loop = asyncio.get_running_loop()

    async def search() -> None:
        begun = loop.time()
        try:
            ticket = await gate.enter(call("a", patience=0.2))
        except OverloadError:
            lost.append(loop.time() - begun)
            return
        waits.append(loop.time() - begun)
        await asyncio.sleep(0.05)
        gate.leave(ticket)

    async with asyncio.TaskGroup() as calls:
        for _ in range(320):  # for two seconds, in which 80 can be served
            calls.create_task(search())
            await asyncio.sleep(0.00625)
    assert len(waits) >= 0.8 * 80
    assert sorted(waits)[int(0.9 * len(waits))] < 0.1
    assert max(waits) < 0.25


async def test_a_call_that_gives_up_frees_its_place() -> None:
    gate = admission(interactive=1)
    held = await gate.enter(call("a"))
    waiting = await start(gate.enter(call("b")))
    waiting.cancel()
    await settle()
    assert gate.status().waiting_interactive == 0
    gate.leave(held)
    assert gate.status().running == 0
    gate.leave(await gate.enter(call("c")))


async def test_a_call_that_gives_up_at_its_turn_frees_the_slot() -> None:
    gate = admission()
    held = await gate.enter(call("a"))
    waiting = await start(gate.enter(call("b")))
    gate.leave(held)
    waiting.cancel()
    await settle()
    assert waiting.cancelled()
    assert gate.status().running == 0


async def test_a_search_that_ends_while_it_waits_leaves_the_queue() -> None:
    gate = admission()
    long = Held(gate, await gate.enter(bulk("a")))
    player = await start(gate.enter(call("b")))
    await asyncio.wait_for(asyncio.shield(player), 1)
    await settle()
    gate.leave(long.ticket)
    assert gate.status().waiting_bulk == 0
    await gate.enter_again(long.ticket)  # as its owner may not know yet
    assert gate.status().waiting_bulk == 0
    gate.leave(await player)
    assert gate.status().running == gate.status().live == 0
    gate.leave(await gate.enter(call("c")))


async def test_a_call_that_has_given_way_is_never_refused() -> None:
    gate = admission(bulk=1)
    long = Held(gate, await gate.enter(bulk("a")))
    player = await start(gate.enter(call("b")))
    other = await start(gate.enter(bulk("c")))
    await asyncio.sleep(0.01)
    assert gate.status().waiting_bulk == 2
    gate.leave(await player)
    gate.leave(await other)
    assert long.back is not None
    await asyncio.wait_for(long.back, 1)
    assert long.turns == 2


async def test_closing_refuses_waiting_and_new_calls() -> None:
    gate = admission()
    held = await gate.enter(call("a"))
    waiting = await start(gate.enter(call("b")))
    gate.close()
    await settle()
    with pytest.raises(DrainingError):
        await waiting
    with pytest.raises(DrainingError):
        await gate.enter(call("c"))
    gate.leave(held)
    assert gate.status().running == 0


async def test_the_status_says_how_long_the_oldest_waits() -> None:
    gate = admission()
    await gate.enter(call("a"))
    assert gate.status().interactive_seconds == 0
    await start(gate.enter(call("b")))
    await asyncio.sleep(0.02)
    assert 0.01 < gate.status().interactive_seconds < 5
    assert gate.status().bulk_seconds == 0
