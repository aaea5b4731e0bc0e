"""Calls that ask an `Admission` for slots, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from kingmaker.server.pool.admission import Admission
from kingmaker.server.pool.lines import Claim, Ticket

ENOUGH = 1 << 40


def admission(
    slots: int = 1,
    interactive: int = 10,
    bulk: int = 10,
    share: float = 1.0,
    memory: int = ENOUGH,
) -> Admission:
    return Admission(slots, interactive, bulk, lambda _: share, lambda *_: None, memory)


def call(client: str, **more: Any) -> Claim:
    return Claim(client, seconds=more.pop("seconds", 0.05), **more)


def bulk(client: str, **more: Any) -> Claim:
    return Claim(client, is_bulk=True, seconds=60, **more)


async def start(entering: Coroutine[Any, Any, Ticket]) -> asyncio.Task[Ticket]:
    """Let a call get as far as it can without waiting for others."""
    task = asyncio.create_task(entering)
    await settle()
    return task


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


class Held:
    """A call that holds slots, and returns them as soon as it is asked to."""

    def __init__(self, gate: Admission, ticket: Ticket) -> None:
        self.gate = gate
        self.ticket = ticket
        self.turns = 1
        self.back: asyncio.Task[None] | None = None
        ticket.on_pause = self.pause

    def pause(self) -> None:
        asyncio.get_running_loop().call_soon(self.rest)

    def rest(self) -> None:
        self.gate.rest(self.ticket)
        self.back = asyncio.create_task(self.go_on())

    async def go_on(self) -> None:
        await self.gate.enter_again(self.ticket)
        self.turns += 1

    def end(self) -> None:
        if self.back is not None:
            self.back.cancel()
        self.gate.leave(self.ticket)
