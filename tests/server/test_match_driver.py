"""The server that drives a match: it watches its clocks, and lets its bots think."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from shutil import rmtree
from types import SimpleNamespace
from typing import Any, cast

import pytest
import pytest_asyncio

from kingmaker.cext.errors import ContractError
from kingmaker.ladder.errors import StoreError
from kingmaker.ladder.match_store import Append, MatchStore
from kingmaker.search.position import Observation, new_game
from kingmaker.server.matches import acts
from kingmaker.server.matches import driver as driver_module
from kingmaker.server.matches import matches as matches_module
from kingmaker.server.matches.bots import Players
from kingmaker.server.matches.live import Live
from kingmaker.server.matches.matches import Matches
from kingmaker.server.matches.model import End, Options
from kingmaker.server.settings import ServerSettings

from .support import until


class Slow:
    """Bots that think until they may play the first move."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.seen: list[Observation] = []
        self.may_play = asyncio.Event()

    async def choose(self, match: Any, bot: str, observation: Observation, deadline: Any) -> str:
        self.asked.append(bot)
        self.seen.append(observation)
        await self.may_play.wait()
        return observation.legal_moves()[0]


@pytest.fixture
def bots() -> Slow:
    return Slow()


@pytest_asyncio.fixture
async def matches(bots: Slow, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Matches]:
    monkeypatch.setattr(matches_module, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(matches_module, "CLAIM_SECONDS", 100.0)
    running = Matches(ServerSettings(), cast(Players, bots))
    running.start()
    yield running
    running.stop()
    await running.release()
    running.close()


async def begun(matches: Matches, clock: float) -> Live:
    """A match of two people that has begun."""
    live = await matches.create(Options("tic_tac_toe", {}, clock=clock), ["", ""], "creator")
    for seat, name in enumerate(("Ann", "Ben"), 1):
        await matches.act(live, partial(acts.join, seat=seat, name=name, secret=name))
    return live


def result_of(live: Live) -> tuple[End, int] | None:
    result = live.state.result
    return None if result is None else (result.end, result.culprit)


async def test_a_clock_runs_out_though_the_database_fails_at_that_moment(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[Sequence[Append]] = []
    append = MatchStore.append

    def fail_once(store: MatchStore, appends: Sequence[Append]) -> list[bool]:
        if not failures:
            failures.append(appends)
            raise StoreError("the database is away")
        return append(store, appends)

    live = await begun(matches, clock=0.2)
    monkeypatch.setattr(MatchStore, "append", fail_once)
    await until(lambda: result_of(live) == (End.TIMED_OUT, 1))
    assert len(failures) == 1


async def test_a_clock_runs_out_though_the_time_of_day_was_set_back(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await begun(matches, clock=0.1)
    back = SimpleNamespace(time=lambda: time.time() - 0.1, monotonic=time.monotonic)
    monkeypatch.setattr(matches_module, "time", back)
    await until(lambda: result_of(live) == (End.TIMED_OUT, 1))


async def with_an_offer(matches: Matches, **options: Any) -> Live:
    """A match in which a person asks another to take a move back, and a bot is to move."""
    seats = ["", "level:3", "level:3", ""]
    live = await matches.create(
        Options("hearts", {}, has_take_backs=True, **options), seats, "creator"
    )
    for seat, name in ((1, "Ann"), (4, "Ben")):
        await matches.act(live, partial(acts.join, seat=seat, name=name, secret=name))
    while live.state.bot_turn is None:
        token = live.state.position.legal_moves()[0]
        await matches.act(live, partial(acts.play, seat=live.state.to_move, token=token))
    await matches.act(live, partial(acts.take_back, seat=live.state.plies[-1].seat))
    assert live.state.offer is not None
    return live


async def test_a_bot_waits_with_its_move_while_people_answer_an_offer(
    matches: Matches, bots: Slow
) -> None:
    live = await with_an_offer(matches)
    number, asked = live.state.num_events, live.state.offer
    bots.may_play.set()
    await asyncio.sleep(0.2)
    assert (live.state.num_events, live.state.offer) == (number, asked)
    await matches.act(live, partial(acts.answer, seat=4, agrees=False))
    await until(lambda: live.state.num_events > number + 1)


async def test_a_bot_waits_for_an_answer_no_longer_than_its_clock_allows(
    matches: Matches, bots: Slow
) -> None:
    live = await with_an_offer(matches, clock=2.0)
    number = live.state.num_events
    bots.may_play.set()
    await until(lambda: live.state.num_events > number)
    assert (live.state.offer, live.state.result) == (None, None)


async def test_a_bot_thinks_on_while_another_seat_changes_hands(
    matches: Matches, bots: Slow
) -> None:
    live = await matches.create(Options("tic_tac_toe", {}, clock=60.0), ["level:3", ""], "creator")
    await matches.act(live, partial(acts.join, seat=2, name="Eve", secret="Eve"))
    await until(lambda: len(bots.asked) == 1)
    for _ in range(3):
        await matches.act(live, partial(acts.replace, by=2, seat=2, bot="level:1", name="level:1"))
        await matches.act(live, partial(acts.return_to_seat, seat=2, name="Eve"))
        await asyncio.sleep(0)
    bots.may_play.set()
    await until(lambda: len(live.state.plies) == 1)
    assert bots.asked == ["level:3"]


async def test_a_bot_thinks_once_though_the_database_fails_as_it_moves(
    matches: Matches, bots: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_module, "RETRY_SECONDS", 0.02)
    live = await begun(matches, clock=60.0)
    failures: list[Sequence[Append]] = []
    append = MatchStore.append

    def fail_thrice(store: MatchStore, appends: Sequence[Append]) -> list[bool]:
        if any(each.kind == "played" for append in appends for each in append.events):
            failures.append(appends)
            if len(failures) <= 3:
                raise StoreError("the database is away")
        return append(store, appends)

    monkeypatch.setattr(MatchStore, "append", fail_thrice)
    await matches.act(live, partial(acts.replace, by=1, seat=1, bot="level:3", name="level:3"))
    bots.may_play.set()
    await until(lambda: len(live.state.plies) == 1)
    assert len(failures) == 4
    assert bots.asked == ["level:3"]


async def test_a_bot_that_fails_again_and_again_is_asked_more_and_more_seldom(
    matches: Matches, bots: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that breaks the engine contract does so each time, and fills the log."""
    monkeypatch.setattr(driver_module, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(driver_module, "MOST_RETRY_SECONDS", 0.04)
    asked: list[float] = []

    async def fail(*args: object) -> str:
        asked.append(time.monotonic())
        raise ContractError("the game has no outcomes")

    monkeypatch.setattr(bots, "choose", fail)
    live = await matches.create(Options("tic_tac_toe", {}), ["level:3", "level:3"], "creator")
    await until(lambda: len(asked) == 20)  # without the longest wait it would take hours
    waits = [after - before for before, after in pairwise(asked)]
    assert waits[0] >= 0.019
    assert min(waits[1:]) >= 0.039
    assert live.state.plies == []


async def test_another_bot_at_the_seat_to_move_thinks_anew(matches: Matches, bots: Slow) -> None:
    live = await begun(matches, clock=60.0)
    for i, bot in enumerate(("level:1", "level:2"), 1):
        await matches.act(live, partial(acts.replace, by=1, seat=1, bot=bot, name=bot))
        await until(partial(has_asked, bots, i))
        await matches.act(live, partial(acts.return_to_seat, seat=1, name="Ann"))
        assert live.thinking is None
    assert bots.asked == ["level:1", "level:2"]


def has_asked(bots: Slow, times: int) -> bool:
    return len(bots.asked) == times


@pytest.mark.parametrize("turns", range(4))
async def test_what_can_not_be_stored_any_more_ends_with_an_error(
    matches: Matches, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    live = await begun(matches, clock=60.0)
    number, has_ended = live.state.num_events, threading.Event()
    monkeypatch.setattr(MatchStore, "append", lambda store, appends: has_ended.wait(10))
    act = asyncio.create_task(matches.act(live, partial(acts.resign, seat=1)))
    for _ in range(turns):
        await asyncio.sleep(0)
    await matches.release()
    async with asyncio.timeout(10):
        with pytest.raises(StoreError, match="shuts down"):
            await act
        with pytest.raises(StoreError, match="shuts down"):
            await matches.act(live, partial(acts.resign, seat=1))
    has_ended.set()
    assert live.state.num_events == number


@pytest.mark.parametrize("name", ["hearts", "leduc_poker"])
async def test_bots_get_a_record_in_games_that_use_it(
    matches: Matches, bots: Slow, name: str
) -> None:
    bots.may_play.set()
    game = new_game(name).game
    await matches.create(Options(name, {}), ["level:3"] * game.num_seats, "creator")
    await until(lambda: len(bots.seen) > 3)
    for observation in bots.seen:
        assert (observation.record is not None) == game.uses_records
        assert observation.record is None or observation.with_record(observation.record)


def test_matches_are_closed_though_a_thread_still_writes_into_their_folder(bots: Slow) -> None:
    running = Matches(ServerSettings(), cast(Players, bots))
    folder = Path(running.database._address).parent
    is_closed = threading.Event()

    def write() -> None:
        for number in count():
            if is_closed.is_set():
                return
            with suppress(FileNotFoundError):
                (folder / str(number % 100)).touch()

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        running.close()
    finally:
        is_closed.set()
        for writer in writers:
            writer.join()
        rmtree(folder, ignore_errors=True)
