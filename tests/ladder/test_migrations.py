"""The schema: made by the migrations, at once or not at all, and never older than its reader."""

from __future__ import annotations

import sqlite3
import threading
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import alembic.op
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

import kingmaker.ladder.database as database_module
from kingmaker.ladder.database import HEAD, make_engine, read_url
from kingmaker.ladder.errors import NewerSchemaError, StoreError
from kingmaker.ladder.migrating import head
from kingmaker.ladder.records import Table
from kingmaker.ladder.store import Store

from .samples import sample_record

ROOT = Path(__file__).parents[2]


@contextmanager
def connected(database: str) -> Iterator[Connection]:
    """Connect beside the store, and write at the end."""
    engine = make_engine(read_url(database))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def test_the_migrations_make_the_tables_of_the_models(database: str) -> None:
    Store(database).close()
    with connected(database) as connection:
        assert compare_metadata(MigrationContext.configure(connection), Table.metadata) == []


def test_a_difference_to_the_models_would_be_seen(database: str) -> None:
    Store(database).close()
    with connected(database) as connection:
        connection.execute(text("ALTER TABLE games DROP COLUMN detail"))
        [difference] = compare_metadata(MigrationContext.configure(connection), Table.metadata)
    assert difference[0] == "add_column"


def test_the_newest_revision_is_that_of_the_last_migration() -> None:
    assert head() == HEAD


def test_a_database_that_is_up_to_date_stays_as_it_is(database: str) -> None:
    with Store(database) as store:
        store.create_ladder("spring", {}).add(sample_record(0))
    with Store(database) as store:
        assert list(store.ladder("spring").records()) == [sample_record(0)]


def test_several_may_open_a_new_database_at_once(database: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(Store, [database] * 4))
    stores[0].create_ladder("spring", {})
    assert [store.ladder("spring").name for store in stores] == ["spring"] * 4
    for store in stores:
        store.close()


def test_several_new_databases_may_be_opened_at_once(tmp_path: Path) -> None:
    """Alembic's scripts find their connection in a module, that is, one for the whole process."""
    paths = [str(tmp_path / f"{number}.sqlite") for number in range(8)]
    with ThreadPoolExecutor(len(paths)) as pool:
        stores = list(pool.map(Store, paths))
    for store, path in zip(stores, paths, strict=True):
        store.create_ladder(path, {})
        assert [each.name for each in store.ladders()] == [path]
        store.close()


@pytest.mark.parametrize("is_released", [True, False])
def test_the_switch_to_wal_waits_though_sqlite_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_released: bool
) -> None:
    monkeypatch.setattr(database_module, "LOCK_SECONDS", 30 if is_released else 0.1)
    path = tmp_path / "ladder.sqlite"
    with (
        closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other,
        closing(sqlite3.connect(path, timeout=0)) as connection,
    ):
        other.execute("BEGIN EXCLUSIVE")
        release = threading.Timer(0.2, other.rollback)
        if is_released:
            release.start()
            database_module._use_wal(connection)
            release.join()
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        else:
            with pytest.raises(sqlite3.OperationalError, match="database is locked"):
                database_module._use_wal(connection)


def test_a_migration_that_breaks_off_leaves_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(alembic.op, "create_index", break_off)
        with pytest.raises(KeyboardInterrupt):
            Store(database)
    with connected(database) as connection:
        assert inspect(connection).get_table_names() == []
    with Store(database) as store:
        assert store.ladders() == []


def test_a_newer_schema_is_refused_and_left_as_it_is(database: str) -> None:
    Store(database).close()
    with connected(database) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9876'"))
    with pytest.raises(NewerSchemaError, match="has schema 9876, and this version of Kingmaker"):
        Store(database)
    with connected(database) as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9876"


def test_a_database_of_something_else_is_refused_and_left_as_it_is(database: str) -> None:
    with connected(database) as connection:
        connection.execute(text("CREATE TABLE games (title TEXT)"))
    with pytest.raises(StoreError, match=r"games.* already exists"):
        Store(database)
    with connected(database) as connection:
        assert inspect(connection).get_table_names() == ["games"]


def test_the_migrations_are_installed() -> None:
    installed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "ladder").rglob("*.py")}
    assert {".".join(("kingmaker", *folder.parts)) for folder in folders} <= {
        *installed["packages"]
    }
