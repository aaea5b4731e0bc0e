"""The commands that a search gets, whenever they are given."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kingmaker.search.analysis import Budget
from kingmaker.server.pool.live import Live
from kingmaker.server.pool.slices import Command, Event, Job

from .support import SearchTask

OVERRUN_SECONDS = 0.1


class Link:
    """Keeps what it is given; also the host, which assigns itself when it is told to."""

    is_isolated = True
    num_restarts = 0

    def __init__(self) -> None:
        self.pids: list[int] = []
        self.commands: list[Command] = []
        self.killed: list[str] = []
        self.assigned: list[Live[Any]] = []

    async def start(self) -> None:
        pass

    def assign(self, live: Live[Any]) -> None:
        self.assigned.append(live)

    def close(self) -> None:
        pass

    def send(self, command: Command, job: Job[Any] | None = None) -> None:
        self.commands.append(command)

    def kill(self, why: str) -> None:
        self.killed.append(why)


def begun(link: Link, milliseconds: float = 60_000) -> tuple[Live[Any], list[bool]]:
    stops: list[bool] = []
    job = SearchTask(lambda: pytest.fail("not begun"), Budget(milliseconds=milliseconds))
    return Live(job, link, OVERRUN_SECONDS, stops.append), stops


async def test_commands_from_before_it_began_reach_it() -> None:
    link = Link()
    live, _ = begun(link)
    live.resume()
    live.pause()
    live.ask()
    assert link.commands == []
    live.attach(link)
    assert link.commands == [Command.BEGIN, Command.PAUSE, Command.ASK]


async def test_a_pause_between_slots_and_resume_is_not_lost() -> None:
    link = Link()
    live, _ = begun(link)
    live.resume()
    live.attach(link)
    live.receive((Event.PAUSED, None, 0.0))
    live.pause()
    live.resume()
    assert link.commands == [Command.BEGIN, Command.RESUME, Command.PAUSE]


async def test_what_is_dropped_before_it_began_never_begins() -> None:
    link = Link()
    live, stops = begun(link)
    live.resume()
    live.drop()
    assert not live.attach(link)
    assert link.commands == []
    assert stops == [True]


async def test_what_is_dropped_while_paused_is_resumed_to_end() -> None:
    link = Link()
    live, stops = begun(link)
    live.resume()
    live.attach(link)
    live.receive((Event.PAUSED, None, 0.0))
    live.drop()
    assert link.commands == [Command.BEGIN, Command.DROP, Command.RESUME]
    live.receive((Event.FAILED, InterruptedError(), 0.0))
    live.receive((Event.FREED, None, 0.0))
    assert stops == [False, True]


async def test_a_drop_that_crosses_a_pause_still_ends_it() -> None:
    link = Link()
    live, _ = begun(link)
    live.resume()
    live.attach(link)
    live.drop()
    live.receive((Event.PAUSED, None, 0.0))
    assert link.commands == [Command.BEGIN, Command.DROP, Command.RESUME]


@pytest.mark.parametrize("command", ["pause", "finish", "drop"])
async def test_what_does_not_obey_is_killed(command: str) -> None:
    link = Link()
    live, _ = begun(link)
    live.resume()
    live.attach(link)
    getattr(live, command)()
    await asyncio.sleep(2 * OVERRUN_SECONDS)
    assert len(link.killed) == 1


async def test_what_overruns_its_budget_is_killed_and_nothing_else() -> None:
    links = [Link(), Link()]
    for link, milliseconds in zip(links, (50, 60_000), strict=True):
        live, _ = begun(link, milliseconds)
        live.resume()
        live.attach(link)
    await asyncio.sleep(0.05 + 2 * OVERRUN_SECONDS)
    assert [len(link.killed) for link in links] == [1, 0]


async def test_a_dead_link_fails_the_call() -> None:
    link = Link()
    live, stops = begun(link)
    answer = live.resume()
    live.attach(link)
    live.fail(RuntimeError("it died"))
    with pytest.raises(RuntimeError, match="it died"):
        await answer
    assert stops == [True]
    live.drop()
    assert link.commands == [Command.BEGIN]
