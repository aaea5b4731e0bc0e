"""Matches in a database: what they are played with, and their events, each stored once.

Events are appended to a match after an event of a given number; if the match has gone on since,
nothing is stored. So any number of servers may work on one match.

The *driver* of a match is the server that lets its bots think and watches its clocks. It holds a
lease, which it extends; a server that stores an event takes the lease over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, tuple_, update

from .database import CREATION_LOCK, one_at_a_time
from .match_records import MatchEventRow, MatchRow
from .store import Store

MAX_IDS = 500  # of a query


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event of a match.

    Attributes:
        number: from 1, without gaps.
        kind: name of the kind.
        at: seconds since 1970.
        data: what else there is to know, as JSON data.
    """

    number: int
    kind: str
    at: float
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match without its events.

    Attributes:
        id: random, public.
        game: its name.
        options: what it is played with, as JSON data.
        rules_version: of the game.
        seed: of its chance outcomes; secret until the end.
        nonce: of the commitment; secret until the end.
        creator: the client that created it.
        created: seconds since 1970.
    """

    id: str
    game: str
    options: dict[str, Any]
    rules_version: str
    seed: int
    nonce: str
    creator: str
    created: float


@dataclass(frozen=True, slots=True)
class Digest:
    """What the columns of a match say of its events.

    Attributes:
        phase: where it stands.
        seats: who sits where.
        needs_driver: whether a bot is to move or a clock runs.
    """

    phase: str
    seats: list[Any]
    needs_driver: bool


@dataclass(frozen=True, slots=True)
class Append:
    """Events to be appended to a match; all are stored, or none.

    Attributes:
        match_id: of the match.
        events: the first has the number after the last one stored.
        digest: of the match with them.
        driver: the server that stores them.
        until: how long that is then the driver, in seconds since 1970.
    """

    match_id: str
    events: Sequence[StoredEvent]
    digest: Digest
    driver: str
    until: float


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in a list.

    Attributes:
        match: without events.
        digest: of its events.
        num_events: number of the last one.
        changed: when that happened, seconds since 1970.
    """

    match: StoredMatch
    digest: Digest
    num_events: int
    changed: float


class MatchStore:
    """The matches of a database; threads may share it.

    Every method raises StoreError if the database fails, and has then changed nothing.

    Args:
        store: the database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(self, match: StoredMatch, first: Append, *, most: int, most_of_creator: int) -> bool:
        """Add a match with its first events; False: there are too many that have not ended.

        Args:
            match: with a new id.
            first: its first events.
            most: the limit for all matches that have not ended.
            most_of_creator: the limit for those of one creator.
        """
        with self._store.writing() as connection:
            unended = select(func.count()).select_from(MatchRow).where(MatchRow.phase != "ended")
            of_creator = unended.where(MatchRow.creator == match.creator)
            one_at_a_time(connection, CREATION_LOCK)
            if (connection.scalar(unended) or 0) >= most:
                return False
            if (connection.scalar(of_creator) or 0) >= most_of_creator:
                return False
            values = {name: getattr(match, name) for name in StoredMatch.__slots__}
            connection.execute(
                insert(MatchRow),
                {
                    **values,
                    **_columns(first),
                    "is_private": bool(match.options.get("is_private")),
                    "num_events": len(first.events),
                },
            )
            _insert_events(connection, first)
        return True

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Append events to matches in one transaction; tells for each whether it was in time."""
        with self._store.writing() as connection:
            _lock(connection, MatchRow.id.in_([each.match_id for each in appends]))
            return [self._append(connection, each) for each in appends]

    def _append(self, connection: Connection, append: Append) -> bool:
        """Append events, unless others have been stored since."""
        statement = (
            update(MatchRow)
            .where(
                MatchRow.id == append.match_id,
                MatchRow.num_events == append.events[0].number - 1,
            )
            .values(**_columns(append), num_events=append.events[-1].number)
        )
        if connection.execute(statement).rowcount != 1:
            return False
        _insert_events(connection, append)
        return True

    def find(self, match_id: str) -> StoredMatch | None:
        """Read a match; None: there is none with this id."""
        if "\0" in match_id:  # which PostgreSQL refuses in any text
            return None
        with self._store.reading() as session:
            row = session.get(MatchRow, match_id)
            return None if row is None else _read(row)

    def summary(self, match_id: str) -> Listed | None:
        """Read a match and what its columns say of its events; None: there is none."""
        with self._store.reading() as session:
            row = session.get(MatchRow, match_id)
            return None if row is None else _listed(row)

    def events(self, match_id: str, after: int = 0) -> list[StoredEvent]:
        """Read the events of a match after the one with a number, in order."""
        query = (
            select(MatchEventRow)
            .where(MatchEventRow.match_id == match_id, MatchEventRow.number > after)
            .order_by(MatchEventRow.number)
        )
        with self._store.reading() as session:
            return [
                StoredEvent(row.number, row.kind, row.at, row.data)
                for row in session.scalars(query)
            ]

    def counts(self, match_ids: Iterable[str]) -> dict[str, tuple[int, str]]:
        """Map matches to the number of their last event and their driver."""
        ids = list(match_ids)
        found: dict[str, tuple[int, str]] = {}
        with self._store.reading() as session:
            for i in range(0, len(ids), MAX_IDS):
                query = select(MatchRow.id, MatchRow.num_events, MatchRow.driver).where(
                    MatchRow.id.in_(ids[i : i + MAX_IDS])
                )
                found |= {row[0]: (row[1], row[2]) for row in session.execute(query)}
        return found

    def latest(
        self, phase: str, game: str, before: tuple[float, str] | None, limit: int
    ) -> list[Listed]:
        """List matches that are not private, the one changed last first.

        Args:
            phase: of the matches; empty: any.
            game: of the matches; empty: any.
            before: time of the change and id of the last match of the page before.
            limit: most matches.
        """
        query = (
            select(MatchRow)
            .where(MatchRow.is_private.is_(False))
            .order_by(MatchRow.changed.desc(), MatchRow.id.desc())
            .limit(limit)
        )
        if phase:
            query = query.where(MatchRow.phase == phase)
        if game:
            query = query.where(MatchRow.game == game)
        if before is not None:
            query = query.where(tuple_(MatchRow.changed, MatchRow.id) < before)
        with self._store.reading() as session:
            return [_listed(row) for row in session.scalars(query)]

    def claim(
        self, driver: str, now: float, until: float, limit: int, but: Collection[str] = ()
    ) -> None:
        """Become the driver of matches that need one and have none, up to a number of them.

        Args:
            driver: of them.
            now: seconds since 1970.
            until: how long, in seconds since 1970.
            limit: most matches.
            but: matches that are left to other drivers.
        """
        free = (
            MatchRow.needs_driver.is_(True),
            MatchRow.driver_until < now,
            MatchRow.id.not_in(but),
        )
        with self._store.reading() as session:
            ids = session.scalars(select(MatchRow.id).where(*free).limit(limit)).all()
        if ids:
            self._update(MatchRow.id.in_(ids), *free, driver=driver, driver_until=until)

    def drive(self, driver: str, until: float) -> list[str]:
        """Stay the driver of one's matches until a time, past to end that; returns their ids."""
        mine = (MatchRow.driver == driver, MatchRow.needs_driver.is_(True))
        with self._store.reading() as session:
            ids = list(session.scalars(select(MatchRow.id).where(*mine)))
        if ids:
            self._update(*mine, driver_until=until)
        return ids

    def _update(self, *conditions: ColumnElement[bool], **values: Any) -> None:
        """Change columns of the matches that fulfil all conditions."""
        with self._store.writing() as connection:
            ids = _lock(connection, *conditions)
            for i in range(0, len(ids), MAX_IDS):
                some = update(MatchRow).where(MatchRow.id.in_(ids[i : i + MAX_IDS]))
                connection.execute(some.values(**values))

    def leave(self, driver: str, match_id: str) -> None:
        """Drive a match no more; another driver may at once."""
        with self._store.writing() as connection:
            connection.execute(
                update(MatchRow)
                .where(MatchRow.id == match_id, MatchRow.driver == driver)
                .values(driver="", driver_until=0.0)
            )

    def idle(self, open_since: float, playing_since: float, limit: int) -> list[str]:
        """List matches in which nothing has happened since some time."""
        is_open = (MatchRow.phase == "open") & (MatchRow.changed < open_since)
        is_played = (MatchRow.phase == "playing") & (MatchRow.changed < playing_since)
        query = select(MatchRow.id).where(or_(is_open, is_played)).limit(limit)
        with self._store.reading() as session:
            return list(session.scalars(query))

    def delete(self, ended_before: float, limit: int) -> list[str]:
        """Delete matches that ended before a time, with all their events; returns their ids."""
        old = (MatchRow.phase == "ended", MatchRow.changed < ended_before)
        with self._store.reading() as session:
            ids = list(session.scalars(select(MatchRow.id).where(*old).limit(limit)))
        if ids:
            with self._store.writing() as connection:
                ids = _lock(connection, MatchRow.id.in_(ids))
                connection.execute(delete(MatchEventRow).where(MatchEventRow.match_id.in_(ids)))
                connection.execute(delete(MatchRow).where(MatchRow.id.in_(ids)))
        return ids


def _lock(connection: Connection, *conditions: ColumnElement[bool]) -> list[str]:
    """Lock the rows of matches, in the order of their ids, which are returned.

    All transactions that change several matches do so first, and so none waits for a row of
    another that waits for one of its own. SQLite has one writer at a time, and no such locks.
    """
    query = select(MatchRow.id).where(*conditions).order_by(MatchRow.id).with_for_update()
    return list(connection.scalars(query))


def _columns(append: Append) -> dict[str, Any]:
    digest = append.digest
    return {
        "changed": append.events[-1].at,
        "phase": digest.phase,
        "seats": digest.seats,
        "needs_driver": digest.needs_driver,
        "driver": append.driver,
        "driver_until": append.until,
    }


def _insert_events(connection: Connection, append: Append) -> None:
    connection.execute(
        insert(MatchEventRow),
        [
            {
                "match_id": append.match_id,
                "number": event.number,
                "kind": event.kind,
                "at": event.at,
                "data": event.data,
            }
            for event in append.events
        ],
    )


def _read(row: MatchRow) -> StoredMatch:
    return StoredMatch(**{name: getattr(row, name) for name in StoredMatch.__slots__})


def _listed(row: MatchRow) -> Listed:
    digest = Digest(row.phase, row.seats, row.needs_driver)
    return Listed(_read(row), digest, row.num_events, row.changed)
