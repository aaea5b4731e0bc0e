"""All matches of a server: stored in a database that other servers may share.

An act becomes events, the events are stored if nobody was faster, and only then are they seen. What
other servers store is noticed by asking the database a few times a second for the matches that are
watched here. One server drives a match: it lets its bots think and watches its clocks. If it dies,
another one notices that within seconds; if two think they drive, the events of one are stored.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import structlog

from kingmaker.cext.errors import InputError, StateError
from kingmaker.ladder.errors import NewerVersionError, StoreError
from kingmaker.ladder.match_store import (
    Append,
    Digest,
    Listed,
    MatchStore,
    StoredEvent,
    StoredMatch,
)
from kingmaker.v1 import match_service_pb2 as pb

from ..database import Database
from ..errors import (
    DrainingError,
    OverloadError,
    UnknownNameError,
)
from ..settings import ServerSettings
from . import acts
from .acts import Act, Moment
from .bots import Players
from .driver import Driver
from .live import Live
from .messages import view_message
from .model import Kind, MatchState, Options, Phase, is_known, options_data

NUM_THREADS = 4
ID_BYTES, NONCE_BYTES, SEED_BITS = 9, 16, 64
POLL_SECONDS = 0.2  # between questions for events that other servers have stored
LEASE_SECONDS = 6.0  # a server that is silent for this long drives no match any more
RELEASE_SECONDS = 0.5  # to tell others that this one drives none
CLAIM_SECONDS = 1.0  # between looks for such matches
CLAIM_LIMIT = 500
LEFT_SECONDS = 600.0  # for which matches that can't go on here are left to other servers
DELETE_LIMIT = 50
SWEEP_SECONDS = 30.0  # between looks for idle matches
KEEP_SECONDS = 60.0  # in memory after the last use
ALIVE_SECONDS = 20.0  # longest silence of a stream
RETRY_SECONDS = 1.0  # after a failure of the database
MAX_RACES = 20  # with other servers, for one act
DAY = 24 * 3600.0
OPEN_SECONDS, PLAYING_SECONDS = DAY, 7 * DAY  # after which a match without events is abandoned

T = TypeVar("T")
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Load:
    """What a server has to do with matches.

    Attributes:
        known: in memory.
        driven: by this server.
        watchers: open streams.
    """

    known: int
    driven: int
    watchers: int


class Matches:
    """The matches of a database; used on the event loop.

    Every method that reads or writes raises StoreError if the database fails; it is opened on first
    use, so that a server can start without it.

    Args:
        settings: of the server; without `matches` they last as long as the server.
        players: choose the moves of bots.

    Attributes:
        database: of the matches.
    """

    def __init__(self, settings: ServerSettings, players: Players) -> None:
        self._settings = settings
        self._driver = Driver(players, self.act)
        self._id = secrets.token_urlsafe(8)
        # A thread that still opens the database when it is closed may add to the folder.
        self._folder = (
            None
            if settings.matches
            else TemporaryDirectory(prefix="kingmaker-", ignore_cleanup_errors=True)
        )
        folder = self._folder.name if self._folder is not None else ""
        self.database = Database(
            settings.matches or f"{folder}/matches.sqlite",
            NUM_THREADS,
            "matches",
            is_temporary=not settings.matches,
        )
        self._live: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._left: dict[str, float] = {}  # to other servers, up to a monotonic time
        self._pending: list[tuple[Append, asyncio.Future[bool]]] = []
        self._has_pending = asyncio.Event()
        self._num_watchers = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._is_closing = False
        self._is_released = False

    def start(self) -> None:
        """Begin to work on matches in the background."""
        for work, seconds in (
            (self._write, 0.0),
            (self._poll, POLL_SECONDS),
            (self._claim, CLAIM_SECONDS),
            (self._sweep, SWEEP_SECONDS),
        ):
            self._tasks.append(asyncio.create_task(self._repeat(work, seconds)))

    async def create(self, options: Options, bots: Sequence[str], creator: str) -> Live:
        """Create a match.

        Args:
            options: what it is played with.
            bots: settings of the bot of each seat, "" for an open one.
            creator: the client.

        Raises:
            InputError: the game or an option is wrong.
            OverloadError: there are too many matches.
        """
        rules = MatchState.begin(options).start.game.rules_version
        match = StoredMatch(
            id=secrets.token_urlsafe(ID_BYTES),
            game=options.game,
            options=options_data(options),
            rules_version=rules,
            seed=secrets.randbits(SEED_BITS),
            nonce=secrets.token_hex(NONCE_BYTES),
            creator=creator,
            created=time.time(),
        )
        live = Live(match, ())
        here = Moment(live.state, match.seed, match.created)
        first: list[Act] = [(Kind.CREATED, {})]
        first += [acts.seated(i, bot, bot=bot) for i, bot in enumerate(bots, 1) if bot]
        if all(bots):
            first += acts.start(here)
        append, state = self._prepared(live, first, match.created)
        most, most_of_creator = self._settings.max_matches, self._settings.max_client_matches
        is_stored = await self._call(
            lambda store: store.create(match, append, most=most, most_of_creator=most_of_creator)
        )
        if not is_stored:
            raise OverloadError(
                f"too many matches have not ended: at most {most_of_creator} of one client and "
                f"{most} of all; end some, or retry later",
                f"client:{creator}",
                RETRY_SECONDS,
            )
        self._live[match.id] = live
        self._extend(live, append.events, state)
        return live

    async def find(self, match_id: str) -> Live:
        """Return a match as it is stored now.

        Raises:
            UnknownNameError: there is none with this id.
            StateError: the rules of its game have changed, or the game is not installed.
            NewerVersionError: it has what only a newer version knows.
        """
        live = self._live.get(match_id)
        if live is None:
            return await self._load(match_id)
        live.used = time.monotonic()
        found = (await self._call(lambda store: store.counts([match_id]))).get(match_id)
        if found is None:  # deleted by another server
            self._live.pop(match_id, None)
            raise _unknown(match_id)
        await self._catch_up(live, found)
        return live

    async def act(self, live: Live, make: Callable[[Moment], list[Act]]) -> None:
        """Do something in a match; returns when it is stored.

        Args:
            live: the match.
            make: returns the events, none if there is nothing to do. It is called again if
                somebody else was faster, and may then raise.

        Raises:
            StateError, InputError: of `make`.
            NewerVersionError: it has what only a newer version knows.
        """
        async with live.lock:
            for _ in range(MAX_RACES):
                # Time does not go back, even if another server's clock is ahead.
                now = max(time.time(), live.last_at)
                made = list(make(Moment(live.state, live.match.seed, now)))
                if not made:
                    return
                append, state = self._prepared(live, made, now)
                if await self._append(append):
                    self._extend(live, append.events, state)
                    return
                await self._read_on(live)
        raise StoreError(f"match {live.match.id} changed {MAX_RACES} times meanwhile; retry")

    async def watch(self, live: Live, viewer: int, after: int) -> AsyncGenerator[pb.MatchView]:
        """Yield what a viewer sees, now and at each change, until the match has ended.

        Or until the viewer has left the seat, which another one may have taken.

        Args:
            live: from `find`.
            viewer: 1..n; 0: a spectator.
            after: number of the last event that the viewer has.

        Raises:
            OverloadError: too many watch.
            DrainingError: the server shuts down.
            NewerVersionError: it goes on with what only a newer version knows.
        """
        if self._num_watchers >= self._settings.max_watchers:
            raise OverloadError(
                f"{self._num_watchers} streams of matches are open, which is the limit",
                "watchers",
                RETRY_SECONDS,
            )
        self._num_watchers += 1
        try:
            with live.watched(viewer) as teller:
                holder = live.state.holder(viewer)
                while True:
                    if self._is_closing:
                        raise DrainingError("the server shuts down; go on at another one")
                    if live.lost is not None:
                        raise live.lost
                    changed, state = live.changed, live.state
                    if state.holder(viewer) != holder:
                        return
                    news = teller.events[after : state.num_events]
                    yield view_message(live.match, state, viewer, news, time.time())
                    if state.phase is Phase.ENDED:
                        return
                    after = state.num_events
                    with suppress(TimeoutError):
                        async with asyncio.timeout(ALIVE_SECONDS):
                            await changed.wait()
        finally:
            self._num_watchers -= 1

    def load(self) -> Load:
        """Return what there is to do."""
        return Load(
            known=len(self._live),
            driven=sum(live.is_driven for live in self._live.values()),
            watchers=self._num_watchers,
        )

    async def latest(
        self, phase: str, game: str, before: tuple[float, str] | None, limit: int
    ) -> list[Listed]:
        """List matches, see `MatchStore.latest`."""
        return await self._call(lambda store: store.latest(phase, game, before, limit))

    def stop(self) -> None:
        """End all streams and let no bot think any more; running calls can still end."""
        self._is_closing = True
        self._driver.is_closing = True
        for live in self._live.values():
            live.wake()
            self._driver.drive(live)

    async def release(self) -> None:
        """End the work in the background; other servers may take the matches over at once."""
        if not self._tasks:
            return
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._is_released = True
        for _, stored in self._pending:
            stored.set_exception(_released())
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(RELEASE_SECONDS):
                if self.database.store is not None:
                    await self._call(lambda store: store.drive(self._id, 0.0))

    def close(self) -> None:
        """Close the database."""
        self.database.close()
        if self._folder is not None:
            self._folder.cleanup()

    def _prepared(self, live: Live, made: Sequence[Act], now: float) -> tuple[Append, MatchState]:
        """Number events, and return the state after them too; cut a match that is too long."""
        state = live.state.copy()
        events: list[StoredEvent] = []

        def add(kind: Kind, data: dict[str, Any]) -> None:
            event = StoredEvent(state.num_events + 1, kind.value, now, data)
            state.apply(event)
            events.append(event)

        for act in made:
            add(*act)
        is_long = state.num_events >= self._settings.max_match_events
        if is_long and state.phase is not Phase.ENDED:
            add(*acts.cut(len(state.seats)))
        digest = Digest(
            phase=state.phase.value,
            seats=[[seat.name, seat.bot] for seat in state.seats],
            needs_driver=state.bot_turn is not None or state.deadline is not None,
        )
        append = Append(live.match.id, events, digest, self._id, now + LEASE_SECONDS)
        return append, state

    def _extend(
        self, live: Live, events: Sequence[StoredEvent], state: MatchState | None = None
    ) -> None:
        """Take over stored events; with a `state`, this server stored them and drives the match."""
        if state is not None:
            live.is_driven = True
        live.extend(events, state)
        self._driver.drive(live)

    async def _append(self, append: Append) -> bool:
        """Store events, together with those of other matches; False: others were faster."""
        if self._is_released:
            raise _released()
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        stored.add_done_callback(_read)  # though its call may be gone
        self._pending.append((append, stored))
        self._has_pending.set()
        return await asyncio.shield(stored)

    async def _write(self) -> None:
        """Store what waits to be stored in one transaction, which costs as much as for one."""
        await self._has_pending.wait()
        self._has_pending.clear()
        pending, self._pending = self._pending, []
        try:
            results = await self._call(
                lambda store: store.append([append for append, _ in pending])
            )
        except BaseException as error:
            for _, stored in pending:
                stored.set_exception(error if isinstance(error, Exception) else _released())
            raise
        for (_, stored), is_stored in zip(pending, results, strict=True):
            stored.set_result(is_stored)

    async def _load(self, match_id: str) -> Live:
        """Read a match; several callers at once share one reading."""
        task = self._loading.get(match_id)
        if task is None:
            task = asyncio.create_task(self._read(match_id))
            self._loading[match_id] = task
            task.add_done_callback(lambda _: self._loading.pop(match_id))
            task.add_done_callback(_read)  # though its callers may be gone
        return await asyncio.shield(task)

    async def _read(self, match_id: str) -> Live:
        def read(store: MatchStore) -> Live:
            match = store.find(match_id)
            if match is None:
                raise _unknown(match_id)
            live = Live(match, store.events(match_id))
            rules = live.state.start.game.rules_version
            if rules != match.rules_version:
                raise StateError(
                    f"the match is of rules version {match.rules_version} of {match.game}, and "
                    f"this server has version {rules}",
                    field="match_id",
                )
            return live

        live = self._live[match_id] = await self._call(read)
        _log_notes(match_id, live.events)
        return live

    async def _read_on(self, live: Live) -> None:
        """Take over what others have stored; the lock is held."""
        match_id, after = live.match.id, live.state.num_events
        events = await self._call(lambda store: store.events(match_id, after))
        if not events:
            return
        try:
            self._extend(live, events)
        except NewerVersionError as error:
            self._lose(live, error)
            raise
        _log_notes(match_id, events)

    def _lose(self, live: Live, error: NewerVersionError) -> None:
        """Leave a match to newer servers."""
        log.warning("match goes on at newer servers", match=live.match.id, why=str(error))
        self._live.pop(live.match.id, None)
        live.lost = error
        live.is_driven = False
        self._driver.drive(live)
        live.wake()

    async def _catch_up(self, live: Live, found: tuple[int, str]) -> None:
        """Take over what others have stored, if there is anything."""
        num_events, driver = found
        is_newest = num_events >= live.state.num_events
        if is_newest and driver != self._id and live.is_driven:
            live.is_driven = False
            self._driver.drive(live)
        if num_events > live.state.num_events:
            async with live.lock:
                if num_events > live.state.num_events:
                    await self._read_on(live)

    async def _poll(self) -> None:
        """Look for events that other servers have stored."""
        active = [
            live for live in self._live.values() if live.is_watched or live.thinking or live.alarm
        ]
        if not active:
            return
        counts = await self._call(lambda store: store.counts([live.match.id for live in active]))
        for live in active:
            found = counts.get(live.match.id)
            if found is not None and not live.lock.locked():
                with suppress(NewerVersionError):  # its watchers are told
                    await self._catch_up(live, found)

    async def _claim(self) -> None:
        """Stay the driver of one's own matches, and drive those that nobody drives."""
        if self._is_closing:
            return
        now = time.time()
        until = now + LEASE_SECONDS
        left = [match_id for match_id, end in self._left.items() if time.monotonic() < end]

        def claim(store: MatchStore) -> list[str]:
            store.claim(self._id, now, until, CLAIM_LIMIT, but=left)
            return store.drive(self._id, until)

        for match_id in await self._call(claim):
            live = self._live.get(match_id)
            if live is not None and live.is_driven and (live.thinking or live.alarm):
                continue
            try:
                live = await self.find(match_id)
            except (InputError, NewerVersionError) as error:
                log.warning("match can't go on here", match=match_id, why=str(error))
                self._left[match_id] = time.monotonic() + LEFT_SECONDS
                await self._call(partial(MatchStore.leave, driver=self._id, match_id=match_id))
                continue
            live.is_driven = True
            self._driver.drive(live)

    async def _sweep(self) -> None:
        """Forget matches that nobody uses, end those in which nothing happens, delete old ones."""
        now = time.monotonic()
        for live in list(self._live.values()):
            if live.is_watched or live.lock.locked() or now - live.used < KEEP_SECONDS:
                continue
            live.forget()
            if not (live.thinking or live.alarm):
                del self._live[live.match.id]
        self._left = {match_id: end for match_id, end in self._left.items() if now < end}
        today = time.time()
        idle = await self._call(
            lambda store: store.idle(today - OPEN_SECONDS, today - PLAYING_SECONDS, CLAIM_LIMIT)
        )
        for match_id in idle:
            try:
                live = await self.find(match_id)
            except NewerVersionError:
                continue
            except InputError:
                await self._call(partial(_abandon_unread, match_id=match_id))
            else:
                await self._driver.attempt(live, acts.abandon)
        await self._delete(today - self._settings.match_days * DAY)

    async def _delete(self, ended_before: float) -> None:
        """Delete matches that ended before a time, some in each transaction: others write too."""
        deleted = [""] * DELETE_LIMIT
        while self._settings.match_days and len(deleted) == DELETE_LIMIT:
            deleted = await self._call(lambda store: store.delete(ended_before, DELETE_LIMIT))
            for match_id in deleted:
                self._live.pop(match_id, None)

    async def _repeat(self, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Do something again and again; a failing database is waited for."""
        while True:
            try:
                await work()
            except StoreError as error:
                log.warning("matches wait for their database", why=str(error))
                await asyncio.sleep(RETRY_SECONDS)
            except Exception as error:
                log.error("fault", work=work.__name__, exc_info=error)
                await asyncio.sleep(RETRY_SECONDS)
            await asyncio.sleep(seconds)

    async def _call(self, work: Callable[[MatchStore], T]) -> T:
        """Run a function on the database, on a thread."""
        return await self.database.call(lambda store: work(MatchStore(store)))


def _read(done: asyncio.Future[Any]) -> None:
    """Read an error, which otherwise would be logged as one that nobody has read."""
    if not done.cancelled():
        done.exception()


def _log_notes(match_id: str, events: Sequence[StoredEvent]) -> None:
    """Log the kinds of events that are passed over."""
    if kinds := sorted({event.kind for event in events if not is_known(event)}):
        log.info("match has notes of a newer version", match=match_id, kinds=kinds)


def _released() -> StoreError:
    return StoreError("the matches are no longer written, as the server shuts down")


def _unknown(match_id: str) -> UnknownNameError:
    shown = match_id[:40]
    return UnknownNameError(f"there is no match {shown!r}", field="match_id", value=shown)


def _abandon_unread(store: MatchStore, match_id: str) -> None:
    """End a match as abandoned that can't be loaded: its game is gone, or has other rules now."""
    found = store.summary(match_id)
    if found is None or found.digest.phase == Phase.ENDED:
        return
    seats = found.digest.seats
    kind, data = acts.abandoned(len(seats))
    now = max(time.time(), found.changed)
    event = StoredEvent(found.num_events + 1, kind.value, now, data)
    digest = Digest(Phase.ENDED.value, seats, needs_driver=False)
    store.append([Append(match_id, [event], digest, driver="", until=0.0)])
