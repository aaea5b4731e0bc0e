"""The ledger of ladders: a database in which a finished game is neither lost nor counted twice.

A `Store` is a database, an SQLite file or a PostgreSQL server; a `Ladder` is one ladder in it. Data
is on the disk when a call returns (SQLite runs in WAL mode with `synchronous=FULL`), and a failed
call leaves nothing: every call is one transaction. A game is keyed by the id of its task, and
adding it again changes nothing, so that after any failure the coordinator can simply continue: skip
`Ladder.finished`, play the rest.

Opening a store brings its schema up to date, see `migrations/`. Threads may share a store.

    with Store("ladder.sqlite") as store:
        ladder = store.create_ladder("spring", plan)
        ladder.add(record)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Connection, Select, func, insert, select, update
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session, selectinload, undefer

from kingmaker.cext.errors import InputError, StateError
from kingmaker.tasks.model import RunReport

from .database import (
    bring_up_to_date,
    clear_errors,
    ladder_lock,
    make_engine,
    read_url,
    show_url,
)
from .errors import LadderExistsError, UnknownLadderError
from .model import Bot, Cause, GameRecord, GameTask
from .records import (
    BotRow,
    GameRow,
    LadderRow,
    LadderState,
    RunReportRow,
    SeatRow,
    Table,
    game_values,
    read_record,
    read_task,
    report_values,
    seat_values,
)

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

    from .results import Result

LOCK_ATTEMPTS, LOCK_SECONDS = 3, 0.3  # to play a ladder that another process may look at
MAX_NAMED = 20  # ladders, by an error
PAGE_SIZE = 200  # games read in one transaction, so that a slow reader doesn't block others


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A stored game without its moves, for statistics.

    Attributes:
        number: counts games in the order of arrival, with gaps; see `Ladder.summaries`.
        task: of the game.
        returns: win share of each seat.
        cause: why it ended.
        culprit: the seat that lost by crash, overrun or illegal move, from 1; else 0.
        detail: what the culprit did, in a sentence; else empty.
        num_plies: moves and chance outcomes.
        thinking_ms: of each seat, over the game.
        wall_ms: wall-clock time of the game.
        finished_at: ISO 8601, UTC.
        line: see `GameRecord.line`; empty: unknown, as of games stored by older versions.
    """

    number: int
    task: GameTask
    returns: tuple[float, ...]
    cause: Cause
    culprit: int
    detail: str
    num_plies: int
    thinking_ms: tuple[float, ...]
    wall_ms: float
    finished_at: str
    line: str = ""


class Store:
    """A database of ladders.

    Args:
        url: path of an SQLite file, or `sqlite:///path`, or `postgresql://user@host/database`.
        create: make an SQLite file that doesn't exist.
        is_temporary: whether an SQLite file need not outlive this process; it is then faster.

    Raises:
        InputError: the URL is malformed or of another kind of database, or there is no such file.
        NewerSchemaError: a newer version of Kingmaker has written the database.
        StoreError: the database can't be reached or isn't one of Kingmaker.
    """

    def __init__(self, url: str, *, create: bool = True, is_temporary: bool = False) -> None:
        parsed = read_url(url)
        if not create:
            _expect_file(parsed)
        self.name = show_url(parsed)
        self._reader = make_engine(parsed, is_temporary=is_temporary)
        self._writer = self._reader.execution_options(begin="BEGIN IMMEDIATE")
        self.counts: dict[tuple[int, str, int], int] = {}  # see `Ladder.counted`
        try:
            bring_up_to_date(self.name, self._reader)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._reader.dispose()

    def create_ladder(self, name: str, plan: Mapping[str, Any], owner: str = "") -> Ladder:
        """Add a ladder, in the state `RUNNING`.

        Args:
            name: unique in the store.
            plan: JSON data for the coordinator.
            owner: name of the caller that may stop it at a server; empty: nobody in particular.

        Raises:
            LadderExistsError: the name is taken.
            StoreError: see the class.
        """
        values = {
            "name": name,
            "plan": dict(plan),
            "state": LadderState.RUNNING.value,
            "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "owner": owner,
        }
        with self.writing() as connection:
            statement = insert_if_new(connection, LadderRow).returning(LadderRow.id)
            if connection.scalar(statement, values) is None:
                raise LadderExistsError(
                    f"there is a ladder {name!r} in {self.name} already; resume it, or choose "
                    "another name",
                    field="name",
                    value=name,
                )
        return self.ladder(name)

    def ladder(self, name: str) -> Ladder:
        """Find a ladder.

        Raises:
            UnknownLadderError: there is no ladder of this name.
            StoreError: see the class.
        """
        with self.reading() as session:
            found = select(LadderRow).where(LadderRow.name == name)
            row = session.scalar(found) if name.isprintable() else None  # as all names are
            if row is not None:
                return Ladder(self, row)
            latest = select(LadderRow.name).order_by(LadderRow.id.desc()).limit(MAX_NAMED + 1)
            names = [repr(each) for each in session.scalars(latest)]
        shown = ", ".join(reversed(names[:MAX_NAMED])) or "none"
        which = "the latest" if len(names) > MAX_NAMED else "those there"
        raise UnknownLadderError(
            f"there is no ladder {name!r}; {which} are: {shown}", field="name", value=name
        )

    def ladders(self, after: int = 0, limit: int | None = None) -> list[Ladder]:
        """List ladders, the oldest first.

        Args:
            after: only those with a greater `number`.
            limit: most of them; None: all.
        """
        query = select(LadderRow).where(LadderRow.id > after).order_by(LadderRow.id).limit(limit)
        with self.reading() as session:
            return [Ladder(self, row) for row in session.scalars(query)]

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction: committed at the end of the block, rolled back if it raises."""
        with clear_errors(self.name), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a read-only session; its rows stay usable after it."""
        with clear_errors(self.name), Session(self._reader, expire_on_commit=False) as session:
            yield session

    def lock(self, ladder_id: int) -> AbstractContextManager[bool]:
        """Try to hold the lock of a ladder; yields whether that succeeded."""
        return ladder_lock(self.name, self._reader, ladder_id)


class Ladder:
    """One ladder of a store; made by `Store.create_ladder` and `Store.ladder`.

    Attributes:
        name: of the ladder.
        plan: JSON data for the coordinator.
        created_at: ISO 8601, UTC.
        owner: name of the caller that may stop it at a server; empty: nobody in particular.
        number: counts the ladders of the store as they are created, with gaps.
    """

    def __init__(self, store: Store, row: LadderRow) -> None:
        self.name = row.name
        self.plan: dict[str, Any] = row.plan
        self.created_at = row.created_at
        self.owner = row.owner
        self.number = row.id
        self._store = store
        self._bot_ids: dict[Bot, int] = {}

    @property
    def state(self) -> LadderState:
        """The stored state of the ladder."""
        with self._store.reading() as session:
            query = select(LadderRow.state).where(LadderRow.id == self.number)
            return LadderState(session.scalars(query).one())

    @state.setter
    def state(self, state: LadderState) -> None:
        with self._store.writing() as connection:
            connection.execute(
                update(LadderRow).where(LadderRow.id == self.number).values(state=state.value)
            )

    @property
    def present_state(self) -> LadderState:
        """The state of the ladder, `INTERRUPTED` if its process died."""
        state = self.state
        if state is not LadderState.RUNNING:
            return state
        with self._store.lock(self.number) as is_free:
            return LadderState.INTERRUPTED if is_free else LadderState.RUNNING

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Hold the exclusive right to play the ladder, up to the end of the block or the process.

        Raises:
            StateError: another process plays it.
            StoreError: the database can't be reached.
        """
        with self._wait_for_lock() as is_ours:
            if not is_ours:
                raise StateError(
                    f"ladder {self.name!r} of this database is being played by another process; "
                    "stop that process, or watch it with `kingmaker ladder status`",
                    field="name",
                    value=self.name,
                )
            yield

    @contextmanager
    def _wait_for_lock(self) -> Iterator[bool]:
        """Try to hold the lock, for longer than a look at the present state holds it."""
        for _ in range(LOCK_ATTEMPTS - 1):
            with self._store.lock(self.number) as is_ours:
                if is_ours:
                    yield True
                    return
            sleep(LOCK_SECONDS / LOCK_ATTEMPTS)
        with self._store.lock(self.number) as is_ours:
            yield is_ours

    def add(self, record: GameRecord) -> bool:
        """Store a game, unless it is stored already; returns whether it was new.

        When this returns, the game is on disk and survives any end of this process.

        Raises:
            InputError: the name of a bot stands for another spec in this ladder.
            DiskFullError: the disk is full; nothing is stored.
            StoreError: nothing is stored.
        """
        return self.add_all([record]) == 1

    def add_all(self, records: Iterable[GameRecord]) -> int:
        """Store games in one transaction, all or none; returns how many were new.

        Raises:
            InputError, DiskFullError, StoreError: as `add`.
        """
        records = list(records)
        with self._store.writing() as connection:
            bot_ids = self._find_bots(connection, records)
            new = sum(self._insert(connection, record, bot_ids) for record in records)
        self._bot_ids |= bot_ids
        return new

    def add_report(self, report: RunReport) -> None:
        """Store a run report.

        Raises:
            DiskFullError, StoreError: nothing is stored.
        """
        with self._store.writing() as connection:
            connection.execute(insert(RunReportRow), report_values(self.number, report))

    @property
    def num_games(self) -> int:
        """Number of stored games."""
        query = select(func.count()).where(GameRow.ladder_id == self.number)
        with self._store.reading() as session:
            return session.scalars(query).one()

    def counted(self, count: Callable[[], int]) -> int:
        """Return a number that follows from the games; `count` is called only after a new game."""
        key = self.number, self.created_at, self.num_games
        if key not in self._store.counts:
            self._store.counts[key] = count()
        return self._store.counts[key]

    @property
    def num_reports(self) -> int:
        """Number of stored run reports."""
        query = select(func.count()).where(RunReportRow.ladder_id == self.number)
        with self._store.reading() as session:
            return session.scalars(query).one()

    def numbers(self) -> dict[str, int]:
        """Map the ids of the stored games to their numbers."""
        query = select(GameRow.task_id, GameRow.number).where(GameRow.ladder_id == self.number)
        with self._store.reading() as session:
            return {row.task_id: row.number for row in session.execute(query)}

    def finished(self) -> set[str]:
        """Collect the ids of the stored games."""
        return set(self.numbers())

    def record(self, task_id: str) -> GameRecord | None:
        """Read one game; None if it isn't stored."""
        query = self._games().where(GameRow.task_id == task_id).options(undefer(GameRow.moves))
        with self._store.reading() as session:
            row = session.scalar(query)
            return None if row is None else read_record(row)

    def records(self) -> Iterator[GameRecord]:
        """Read all games in the order of arrival, a few at a time."""
        for row in self._pages(0, with_moves=True):
            yield read_record(row)

    def open_numbers(self, after: int = 0) -> list[int]:
        """List the games that may be shown to those who play in this ladder.

        A game tells the deal of its mirrored group, which others of the group are still to be
        played with. So these are the games of complete groups, by the number of the last game of
        the group; all games once the ladder is finished, those of incomplete groups at the end.

        Args:
            after: only groups whose last game has a greater `number`. So a list that
                was broken off can be continued after any of its games; some of the last group then
                come twice.
        """
        is_finished = self.state is LadderState.FINISHED  # read before the games
        query = select(GameRow.group_id, GameRow.number).where(GameRow.ladder_id == self.number)
        groups: defaultdict[str, list[int]] = defaultdict(list)
        with self._store.reading() as session:
            for group, number in session.execute(query.order_by(GameRow.number)):
                groups[group].append(number)
            first = next(iter(groups.values()), [0])[0]
            seats = select(func.count()).where(SeatRow.game_number == first)
            num_seats = session.scalars(seats).one()
        complete = [each for each in groups.values() if len(each) == num_seats]
        complete.sort(key=lambda numbers: numbers[-1])
        shown = [number for numbers in complete if numbers[-1] > after for number in numbers]
        if is_finished:
            shown += [n for each in groups.values() if len(each) < num_seats for n in each]
        return shown

    def chosen_records(self, numbers: Sequence[int]) -> Iterator[GameRecord]:
        """Read the games of these numbers, in this order, a few at a time."""
        for row in self._chosen(numbers, with_moves=True):
            yield read_record(row)

    def chosen_summaries(self, numbers: Sequence[int]) -> Iterator[GameSummary]:
        """Read the games of these numbers without their moves, in this order."""
        for row in self._chosen(numbers, with_moves=False):
            yield _read_summary(row)

    def summaries(self, after: int = 0) -> Iterator[GameSummary]:
        """Read all games without their moves, in the order of arrival.

        Args:
            after: only games of a greater `number`, to follow a ladder that one process plays.
        """
        for row in self._pages(after, with_moves=False):
            yield _read_summary(row)

    def results(self) -> list[Result]:
        """List the results of all games, in the order of arrival; much faster than `summaries`."""
        from .results import Result  # loads NumPy

        query = (
            select(GameRow.number, GameRow.group_id, GameRow.line, BotRow.name, SeatRow.returns)
            .join(SeatRow, SeatRow.game_number == GameRow.number)
            .join(BotRow, BotRow.id == SeatRow.bot_id)
            .where(GameRow.ladder_id == self.number)
            .order_by(GameRow.number, SeatRow.seat)
        )
        with self._store.reading() as session:
            seats = session.execute(query).all()
        found = []
        for (_, group, line), rows in groupby(seats, key=lambda row: row[:3]):
            bots, returns = zip(*(row[3:] for row in rows), strict=True)
            found.append(Result(group, bots, returns, line))
        return found

    def reports(self) -> list[RunReport]:
        """List the run reports, the oldest first."""
        query = select(RunReportRow).where(RunReportRow.ladder_id == self.number)
        with self._store.reading() as session:
            return [
                RunReport(row.task_id, row.kind, row.detail, row.at)
                for row in session.scalars(query.order_by(RunReportRow.id))
            ]

    def _find_bots(self, connection: Connection, records: Iterable[GameRecord]) -> dict[Bot, int]:
        """Return the row of each bot of these games; inserts rows of new bots."""
        bots = {bot for record in records for bot in record.task.bots}
        return {
            bot: self._bot_ids.get(bot) or self._find_bot(connection, bot)
            for bot in sorted(
                bots, key=lambda bot: bot.name
            )  # in a fixed order, as writers could deadlock otherwise
        }

    def _find_bot(self, connection: Connection, bot: Bot) -> int:
        values = {"ladder_id": self.number, "name": bot.name, "spec": bot.spec}
        connection.execute(insert_if_new(connection, BotRow), values)
        found, spec = connection.execute(
            select(BotRow.id, BotRow.spec).where(
                BotRow.ladder_id == self.number, BotRow.name == bot.name
            )
        ).one()
        if spec != bot.spec:
            raise InputError(
                f"bot {bot.name!r} of ladder {self.name!r} is {spec!r}, not {bot.spec!r}; give "
                "this bot another name",
                field="bots",
                value=bot.spec,
            )
        return found

    def _insert(self, connection: Connection, record: GameRecord, bot_ids: dict[Bot, int]) -> bool:
        """Insert a game with its seats; False if it is stored already."""
        statement = insert_if_new(connection, GameRow).returning(GameRow.number)
        number: int | None = connection.scalar(statement, game_values(self.number, record))
        if number is None:
            return False
        connection.execute(insert(SeatRow), seat_values(number, record, bot_ids))
        return True

    def _games(self) -> Select[GameRow]:
        """Select the games of this ladder with all but their moves."""
        seats = selectinload(GameRow.seats).joinedload(SeatRow.bot)
        return select(GameRow).where(GameRow.ladder_id == self.number).options(seats)

    def _pages(self, after: int, *, with_moves: bool) -> Iterator[GameRow]:
        """Read games in the order of arrival, in transactions of `PAGE_SIZE` games."""
        query = self._games().order_by(GameRow.number).limit(PAGE_SIZE)
        if with_moves:
            query = query.options(undefer(GameRow.moves))
        while True:
            with self._store.reading() as session:
                rows = session.scalars(query.where(GameRow.number > after)).all()
            yield from rows
            if len(rows) < PAGE_SIZE:
                return
            after = rows[-1].number

    def _chosen(self, numbers: Sequence[int], *, with_moves: bool) -> Iterator[GameRow]:
        """Read games by number, in transactions of `PAGE_SIZE` games."""
        query = self._games()
        if with_moves:
            query = query.options(undefer(GameRow.moves))
        for start in range(0, len(numbers), PAGE_SIZE):
            page = numbers[start : start + PAGE_SIZE]
            with self._store.reading() as session:
                found = session.scalars(query.where(GameRow.number.in_(page)))
                rows = {row.number: row for row in found}
            yield from (rows[number] for number in page)


def _expect_file(url: URL) -> None:
    """Raise InputError if an SQLite database has no file."""
    if url.drivername == "sqlite" and not Path(url.database or "").is_file():
        raise InputError(
            f"there is no database {url.database!r}", field="database", value=str(url.database)
        )


def insert_if_new(connection: Connection, table: type[Table]) -> sqlite.Insert | postgresql.Insert:
    """Build an insert that does nothing if the key exists."""
    # Imported here as both load much that reading has no use for.
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table).on_conflict_do_nothing()
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table).on_conflict_do_nothing()


def _read_summary(row: GameRow) -> GameSummary:
    return GameSummary(
        number=row.number,
        task=read_task(row),
        returns=tuple(seat.returns for seat in row.seats),
        cause=Cause(row.cause),
        culprit=row.culprit,
        detail=row.detail,
        num_plies=row.num_plies,
        thinking_ms=tuple(seat.thinking_ms for seat in row.seats),
        wall_ms=row.wall_ms,
        finished_at=row.finished_at,
        line=row.line,
    )
