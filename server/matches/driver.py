"""Driving matches: bots think, clocks are watched.

One server drives a match, see `Live.is_driven`; which one is decided in `matches.py`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import structlog

from kingmaker.cext.errors import InputError
from kingmaker.ladder.errors import NewerVersionError, StoreError

from ..errors import (
    BotLeftError,
    DeadlineError,
    DrainingError,
    OverloadError,
)
from . import acts
from .acts import Act, Moment
from .bots import Players
from .live import Live
from .model import BotTurn

RETRY_SECONDS = 1.0  # after a bot could not move, or the end of a clock not be stored
MOST_RETRY_SECONDS = 60.0  # after fault upon fault, as of a game that breaks the contract

OFFER_SECONDS, OFFER_PART = 10.0, 0.1  # that a bot waits at most; as a part of what its clock has

BOT_FAULTS = (
    *(InputError, OverloadError, BotLeftError, DeadlineError, DrainingError, StoreError),
    NewerVersionError,
)
"""What keeps a bot from moving for now."""

log = structlog.get_logger()


class Driver:
    """Drives matches; on the event loop.

    Args:
        players: choose the moves of bots.
        act: does something in a match, see `Matches.act`.

    Attributes:
        is_closing: whether nothing is to be driven any more.
    """

    def __init__(
        self,
        players: Players,
        act: Callable[[Live, Callable[[Moment], list[Act]]], Awaitable[None]],
    ) -> None:
        self._players = players
        self._act = act
        self._chores: set[asyncio.Task[None]] = set()
        self.is_closing = False

    def drive(self, live: Live) -> None:
        """Let the bot think that is to move, and watch the clock that runs, or stop both.

        A bot that thinks about this turn goes on: others may act meanwhile as often as they like.
        """
        self._watch_clock(live)
        turn = live.state.bot_turn if self._drives(live) else None
        if live.thinking is not None:
            if live.thinking_about == turn and not live.thinking.done():
                return
            if live.thinking is not asyncio.current_task():
                live.thinking.cancel()
        live.thinking_about = turn
        live.thinking = asyncio.create_task(self._think(live, turn)) if turn is not None else None

    async def attempt(self, live: Live, make: Callable[[Moment], list[Act]]) -> bool:
        """Do what no caller waits for; False: it failed."""
        try:
            await self._act(live, make)
        except (InputError, StoreError, NewerVersionError) as error:
            log.warning("match is stuck", match=live.match.id, why=str(error))
            return False
        return True

    def _drives(self, live: Live) -> bool:
        return live.is_driven and not self.is_closing

    def _watch_clock(self, live: Live) -> None:
        """Set the alarm for the end of the clock that runs, if one does."""
        if live.alarm is not None:
            live.alarm.cancel()
        live.alarm = None
        deadline = live.state.deadline
        if deadline is not None and self._drives(live):
            seconds = max(deadline - time.time(), 0) + 0.001
            live.alarm = asyncio.get_running_loop().call_later(seconds, self._run_out, live)

    def _run_out(self, live: Live) -> None:
        live.alarm = None
        task = asyncio.create_task(self._end_overdue(live))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _end_overdue(self, live: Live) -> None:
        """End a match whose clock has run out; if it goes on, watch its clock again.

        It goes on if the database fails, or if the time of day was set back meanwhile.
        """
        if not await self.attempt(live, acts.run_out):
            await asyncio.sleep(RETRY_SECONDS)
        if live.alarm is None:
            self._watch_clock(live)

    async def _think(self, live: Live, turn: BotTurn) -> None:
        """Play the move of a bot, unless its turn ends first.

        A move that was chosen and could not be stored is kept: its search was paid for.
        """
        token = ""
        wait = RETRY_SECONDS
        while live.state.bot_turn == turn and live.is_driven:
            state = live.state
            seat = turn.seat
            try:
                if not token:
                    token = await self._players.choose(
                        live.match, turn.bot, state.observe(seat), state.deadline
                    )
                await self._wait_for_answers(live)
                await self._act(live, partial(_play, turn=turn, token=token))
                return
            except BOT_FAULTS as error:
                log.info("bot did not move", match=live.match.id, seat=seat, why=str(error))
                wait = RETRY_SECONDS
            except Exception as error:
                log.error("fault", match=live.match.id, exc_info=error)
                wait = min(2 * wait, MOST_RETRY_SECONDS)
            await asyncio.sleep(wait)

    async def _wait_for_answers(self, live: Live) -> None:
        """Give people a while to answer an offer, which a move would end."""
        seconds = OFFER_SECONDS
        if live.state.deadline is not None:
            seconds = min(seconds, OFFER_PART * (live.state.deadline - time.time()))
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while live.state.offer is not None:
                    await live.changed.wait()


def _play(here: Moment, turn: BotTurn, token: str) -> list[Act]:
    """Play the move of a bot; nothing to do if it is no longer its turn."""
    return acts.play(here, turn.seat, token) if here.state.bot_turn == turn else []
