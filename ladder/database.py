"""Access to a database of ladders: address, connections, error messages, schema.

SQLite runs in WAL mode, so that readers and the writer don't wait for each other, with
`synchronous=FULL`: in this mode a commit that has returned is on the disk, even if the power fails
(https://sqlite.org/pragma.html#pragma_synchronous). We begin its transactions, as Python's
driver begins none for a schema change (https://docs.sqlalchemy.org/dialects/sqlite.html). While the
database is in use, or after a kill, the latest games are in the file `<database>-wal` beside it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from kingmaker.cext.errors import InputError

from .errors import DiskFullError, StoreError
from .records import LadderRow

HEAD = "0005"
"""The newest revision of the schema; with it, Alembic is not loaded."""
DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}
SECRETS = ("password", "sslpassword")
"""Parameters of PostgreSQL's URLs that are not shown."""
CONNECT_SECONDS = 10
LOCK_SECONDS = 30  # wait for another writer of SQLite
RETRY_SECONDS = 0.01
# PostgreSQL's advisory locks, under which a schema is changed, and under which matches and batches
# are counted and created.
MIGRATION_LOCK, CREATION_LOCK = 0x6B6D6C64, 0x6B6D6372
SQLITE_MEANINGS = {
    sqlite3.SQLITE_CANTOPEN: "can't be opened; check that its folder exists and is writable",
    sqlite3.SQLITE_NOTADB: "is not an SQLite database",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_READONLY: "is not writable",
    sqlite3.SQLITE_PERM: "can't be opened: permission denied",
    sqlite3.SQLITE_BUSY: f"was locked by another process for more than {LOCK_SECONDS} s",
}


def read_url(address: str) -> URL:
    """Parse the address of a database: a URL, or the path of an SQLite file.

    Raises:
        InputError: it is malformed, of a kind of database that is not supported, or one in memory.
    """
    if "://" not in address:
        return _expect_name(URL.create("sqlite", database=address))
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        public = address.rpartition("@")[2].partition("?")[0]  # without a password
        raise InputError(
            f"{public!r} is not the address of a database; examples: ladder.sqlite, "
            "postgresql://user@host/database",
            field="database",
            value=public,
        ) from None
    kind = url.drivername.split("+")[0]
    if kind not in DRIVERS:
        raise InputError(
            f"databases of kind {kind!r} are not supported; use sqlite or postgresql",
            field="database",
            value=kind,
        )
    return _expect_name(url.set(drivername=DRIVERS[kind]))


def _expect_name(url: URL) -> URL:
    """Return the URL unless it means SQLite's database in memory, which each connection has anew.

    Threads, and the processes that play ladders, would look for tables in empty ones.
    """
    if url.drivername == "sqlite" and (
        url.database in (None, "", ":memory:") or url.query.get("mode") == "memory"
    ):
        raise InputError(
            "a database in memory can't be shared by threads and processes; give a file",
            field="database",
            value=url.database or "",
        )
    return url


def show_url(url: URL) -> str:
    """Return the name of the database for messages, without a password."""
    if url.drivername == "sqlite":
        return str(url.database)
    url = url.set(drivername="postgresql").difference_update_query(SECRETS)
    return url.render_as_string(hide_password=True)


def make_engine(url: URL, *, is_temporary: bool = False) -> Engine:
    """Create the engine of a database; no connection is opened yet.

    A temporary SQLite file is written without waiting for the disk: it is lost with its process.

    The execution option `begin` is the statement that begins a transaction of SQLite: a writer must
    take its lock at once (`BEGIN IMMEDIATE`), as a reader that becomes a writer can't wait for it.

    Raises:
        StoreError: the driver is not installed.
    """
    if url.drivername != "sqlite":
        return _make_postgresql_engine(url)
    engine = create_engine(url, connect_args={"timeout": LOCK_SECONDS})
    event.listen(engine, "connect", partial(_configure_sqlite, is_temporary=is_temporary))
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_postgresql_engine(url: URL) -> Engine:
    try:
        return create_engine(
            url, connect_args={"connect_timeout": CONNECT_SECONDS}, pool_pre_ping=True
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            f"PostgreSQL needs the package {error.name}: pip install 'kingmaker[postgres]'"
        ) from error


def _configure_sqlite(connection: sqlite3.Connection, _: Any, *, is_temporary: bool) -> None:
    connection.isolation_level = None  # transactions begin in `_begin_sqlite`
    if is_temporary:  # also the switch to WAL
        connection.execute("PRAGMA synchronous=OFF").close()
    _use_wal(connection)
    if not is_temporary:
        connection.execute("PRAGMA synchronous=FULL").close()
    connection.execute("PRAGMA foreign_keys=ON").close()


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode; SQLite waits for no lock where two connections do so at once."""
    deadline = monotonic() + LOCK_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() >= deadline:
                raise
        else:
            return
        sleep(RETRY_SECONDS)


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


@contextmanager
def clear_errors(name: str) -> Iterator[None]:
    """Turn the driver's errors into `StoreError`; `name` is that of the database."""
    try:
        yield
    except DBAPIError as error:
        raise _explain(name, error) from error


def _explain(name: str, error: DBAPIError) -> StoreError:
    cause = error.orig
    words = " ".join(str(cause).split())
    if isinstance(cause, sqlite3.Error):
        code = (
            getattr(cause, "sqlite_errorcode", 0) & 0xFF
        )  # the low byte is the primary result code
        if code == sqlite3.SQLITE_FULL:
            return _disk_full(name, words)
        meaning = SQLITE_MEANINGS.get(code, "failed")
        return StoreError(f"{name} {meaning} ({words})", f"the database {meaning}")
    state = getattr(cause, "sqlstate", None)
    if state == "53100":  # disk_full, see the table of error codes in PostgreSQL's manual
        return _disk_full(name, words)
    if state == "25006":  # read_only_sql_transaction, of a standby for example
        return StoreError(f"{name} is not writable ({words})", "the database is not writable")
    meaning = "can't be reached" if state is None or error.connection_invalidated else "failed"
    return StoreError(f"{name} {meaning}: {words}", f"the database {meaning}")


def _disk_full(name: str, words: str) -> DiskFullError:
    return DiskFullError(f"no room left for {name}: {words}", "no room left for the database")


def bring_up_to_date(name: str, engine: Engine) -> None:
    """Run the missing migrations in one transaction, under an exclusive lock.

    Raises:
        NewerSchemaError: a newer version of Kingmaker has written the schema.
        StoreError: the database can't be reached or changed.
    """
    with clear_errors(name), engine.connect() as connection:
        if _revision(connection) == HEAD:
            return
    from .migrating import check_revision, upgrade  # loads Alembic

    with clear_errors(name), engine.connect() as connection:
        check_revision(name, connection)
    with (
        clear_errors(name),
        engine.execution_options(begin="BEGIN IMMEDIATE").begin() as connection,
    ):
        one_at_a_time(connection, MIGRATION_LOCK)
        if _revision(connection) != HEAD:  # another process may have migrated it meanwhile
            check_revision(name, connection)
            upgrade(connection)


def one_at_a_time(connection: Connection, key: int) -> None:
    """Wait for the other transactions with this lock; on SQLite one has begun after the other."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


def _revision(connection: Connection) -> str | None:
    """Return the revision of a schema, where Alembic keeps it; None: there is none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


@contextmanager
def ladder_lock(name: str, engine: Engine, ladder_id: int) -> Iterator[bool]:
    """Try to hold the lock of a ladder; yields whether that succeeded.

    The operating system or the database server releases the lock as soon as its process is gone,
    whatever ended it.

    Raises:
        StoreError: the database can't be reached.
    """
    if engine.dialect.name == "postgresql":
        holding = _advisory_lock(name, engine, ladder_id)
    else:
        holding = _file_lock(name, engine.url.database or "", ladder_id)
    with holding as is_ours:
        yield is_ours


@contextmanager
def _advisory_lock(name: str, engine: Engine, ladder_id: int) -> Iterator[bool]:
    """Hold an advisory lock of PostgreSQL: bound to a connection, with table and row as its key."""
    # Schema changes have a lock of their own.
    key = f"'{LadderRow.__tablename__}'::regclass::oid::int4, :ladder"
    values = {"ladder": ladder_id}
    with clear_errors(name):
        connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    try:
        with clear_errors(name):
            is_ours = bool(connection.scalar(text(f"SELECT pg_try_advisory_lock({key})"), values))
        try:
            yield is_ours
        finally:  # the server notices a close late
            if is_ours:
                with suppress(DBAPIError):
                    connection.execute(text(f"SELECT pg_advisory_unlock({key})"), values)
    finally:
        connection.invalidate()  # not returned to the pool, where it would keep the lock
        connection.close()


@contextmanager
def _file_lock(name: str, path: str, ladder_id: int) -> Iterator[bool]:
    """Hold a lock on a file beside an SQLite database."""
    database = Path(path).resolve()
    file = database.with_name(f"{database.name}-playing-{ladder_id}")
    lock = FileLock(file, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    except OSError as error:
        raise StoreError(
            f"{file} of {name} can't be locked: {error.strerror}", "the ladder can't be locked"
        ) from error
    try:
        yield True
    finally:
        with suppress(
            OSError
        ):  # a process that opened it meanwhile notices that it is gone, and creates another
            file.unlink()
        lock.release()
