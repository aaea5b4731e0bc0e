"""The ledger: what was promised stays, what failed leaves nothing, on both kinds of database."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.games import GAMES
from kingmaker.ladder import database as database_module
from kingmaker.ladder import store as store_module
from kingmaker.ladder.errors import DiskFullError, StoreError
from kingmaker.ladder.model import Bot, Cause, GameRecord, TimeControl
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.replay import replay
from kingmaker.ladder.store import Ladder, Store
from kingmaker.tasks.model import RunReport
from tests.postgresql import PostgresqlServer

from .fakes import task_of
from .killed_writer import NAME
from .samples import sample_record, sample_task

ROOT = Path(__file__).parents[2]
NUM_KILLS = 12
PLAN = {"games": ["leduc_poker"], "groups": 3, "bots": {"careful": 1.5}}
LATE = RunReport("0" * 32, "worker_lost", "the worker of game 0 is gone", "2026-01-02T03:04:05Z")
LOST = RunReport("1" * 32, "error", "no answer", "2026-01-02T03:04:06Z")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with Store(database) as store:
        yield store


@pytest.fixture
def ladder(store: Store) -> Ladder:
    return store.create_ladder("spring", PLAN)


def sqlite_ladder(folder: Path) -> Ladder:
    return Store(str(folder / "ladder.sqlite")).create_ladder("spring", PLAN)


@pytest.mark.parametrize(("is_temporary", "synchronous"), [(False, 2), (True, 0)])
def test_what_need_not_last_does_not_wait_for_the_disk(
    tmp_path: Path, is_temporary: bool, synchronous: int
) -> None:
    path = str(tmp_path / "matches.sqlite")
    with Store(path, is_temporary=is_temporary) as store, store.reading() as session:
        assert session.scalar(text("PRAGMA synchronous")) == synchronous
        assert session.scalar(text("PRAGMA journal_mode")) == "wal"
        assert session.scalar(text("PRAGMA foreign_keys")) == 1


def test_a_game_comes_back_as_it_was(ladder: Ladder) -> None:
    ladder.add(sample_record(0))
    assert list(ladder.records()) == [sample_record(0)]
    assert ladder.record(sample_task(0).id) == sample_record(0)


def test_the_task_of_a_stored_game_has_its_id(ladder: Ladder) -> None:
    ladder.add(sample_record(0))
    [record] = ladder.records()
    assert record.task.id == sample_task(0).id


def test_stored_games_replay(ladder: Ladder) -> None:
    ladder.add_all(play(task_of(name)) for name in GAMES)
    records = list(ladder.records())
    assert [record.task.game for record in records] == list(GAMES)
    assert [replay(record).text for record in records] == [record.end for record in records]


def test_a_lost_game_comes_back_with_culprit_clock_and_any_text(ladder: Ladder) -> None:
    record = sample_record(1)
    task = replace(
        record.task,
        options=(("a", "ü"), ("b", "'; DROP TABLE games;--")),
        bots=(Bot("Ω \N{BLACK CHESS QUEEN}", "level:3"),) * 3,
        clock=TimeControl(None, 60_000, 0),
    )
    lost = replace(
        record,
        task=task,
        returns=(0.5, 0.0, 0.5),
        thinking_ms=(1.0, 2.0, 3.0),
        cause=Cause.ILLEGAL,
        culprit=2,
        detail="'bet:\n9' is not legal; \N{PILE OF POO}",
        moves=(),
    )
    ladder.add(lost)
    assert list(ladder.records()) == [lost]


def test_what_no_database_holds_is_replaced_in_the_words_of_a_bot(ladder: Ladder) -> None:
    ladder.add(replace(sample_record(0), detail="a\0b\ud800c"))
    [record] = ladder.records()
    assert record.detail == "a\N{REPLACEMENT CHARACTER}b?c"


def test_a_game_is_stored_once(ladder: Ladder) -> None:
    assert ladder.add(sample_record(0))
    assert not ladder.add(replace(sample_record(0), returns=(1.0, 0.0)))
    assert list(ladder.records()) == [sample_record(0)]


def test_many_games_are_stored_at_once_but_those_that_are_there(ladder: Ladder) -> None:
    ladder.add(sample_record(1))
    assert ladder.add_all([sample_record(index) for index in (0, 1, 2, 2)]) == 2
    assert ladder.finished() == {sample_task(index).id for index in range(3)}


def test_games_come_in_the_order_of_arrival_over_several_pages(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "PAGE_SIZE", 2)
    arrived = [3, 0, 4, 1, 2, 5]
    ladder.add_all(sample_record(index) for index in arrived)
    assert list(ladder.records()) == [sample_record(index) for index in arrived]
    assert [game.task for game in ladder.summaries()] == [sample_task(i) for i in arrived]


def test_summaries_go_on_behind_the_last_that_was_seen(ladder: Ladder) -> None:
    ladder.add(sample_record(0))
    [first] = ladder.summaries()
    ladder.add(sample_record(1))
    [second] = ladder.summaries(after=first.number)
    assert (second.task, second.num_plies, second.returns) == (sample_task(1), 6, (1 / 3, 2 / 3))


def test_the_ladders_of_a_store_keep_their_games_apart(store: Store) -> None:
    spring, autumn = store.create_ladder("spring", PLAN), store.create_ladder("autumn", PLAN)
    assert spring.add(sample_record(0))
    assert autumn.add(sample_record(0))
    spring.add(sample_record(1))
    assert autumn.finished() == {sample_task(0).id}
    assert autumn.record(sample_task(1).id) is None


def test_a_ladder_is_found_again_with_plan_and_state(database: str) -> None:
    with Store(database) as store:
        store.create_ladder("spring", PLAN).state = LadderState.STOPPED
        store.create_ladder("autumn", {})
    with Store(database) as store:
        assert [ladder.name for ladder in store.ladders()] == ["spring", "autumn"]
        found = store.ladder("spring")
        assert (found.plan, found.state) == (PLAN, LadderState.STOPPED)
        assert store.ladder("autumn").state is LadderState.RUNNING


def test_two_ladders_have_two_names(store: Store, ladder: Ladder) -> None:
    with pytest.raises(InputError, match=r"there is a ladder 'spring' in .* already"):
        store.create_ladder("spring", {})


def test_an_unknown_ladder_is_answered_with_those_there_are(store: Store, ladder: Ladder) -> None:
    with pytest.raises(InputError, match=r"no ladder 'sprung'; those there are: 'spring'"):
        store.ladder("sprung")


def test_run_reports_are_kept_beside_the_games(ladder: Ladder) -> None:
    ladder.add_report(LATE)
    ladder.add_report(LOST)
    ladder.add_report(LATE)
    assert ladder.reports() == [LATE, LOST, LATE]
    assert not ladder.finished()


def test_a_name_means_one_bot(ladder: Ladder) -> None:
    ladder.add(sample_record(0))
    other = replace(sample_task(1), bots=(Bot("hasty", "greedy"), Bot("careful", "random")))
    with pytest.raises(InputError, match=r"bot 'careful' .* is 'ismcts:.*'random'"):
        ladder.add(replace(sample_record(1), task=other))
    assert ladder.finished() == {sample_task(0).id}


def test_of_games_that_fail_together_none_is_stored(ladder: Ladder) -> None:
    # No database stores this one; the type is wrong on purpose.
    broken = replace(sample_record(1), end=None)  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        ladder.add_all([sample_record(0), broken])
    assert not ladder.finished()
    assert ladder.add(sample_record(0))


def test_threads_may_add_and_read_at_once(ladder: Ladder) -> None:
    with ThreadPoolExecutor(4) as pool:
        added = list(pool.map(ladder.add, [sample_record(index // 2) for index in range(24)]))
        assert sum(added) == 12
    assert ladder.finished() == {sample_task(index).id for index in range(12)}


def test_two_stores_of_one_database_see_each_others_games(database: str) -> None:
    with Store(database) as here, Store(database) as there:
        here.create_ladder("spring", PLAN).add(sample_record(0))
        ladder = there.ladder("spring")
        assert not ladder.add(sample_record(0))
        assert ladder.add(sample_record(1))
        assert len(list(here.ladder("spring").records())) == 2


def test_one_alone_plays_a_ladder(database: str) -> None:
    with Store(database) as here, Store(database) as there:
        spring, autumn = (here.create_ladder(name, PLAN) for name in ("spring", "autumn"))
        same = there.ladder("spring")
        with spring.playing(), autumn.playing():
            assert spring.add(sample_record(0))
            assert not same.add(sample_record(0))  # whoever else writes is not held up
            with pytest.raises(StateError, match=r"'spring' of .* is being played"), same.playing():
                pass
        with same.playing():
            pass


def test_who_stops_playing_a_ladder_has_let_it_go(database: str) -> None:
    with Store(database) as here, Store(database) as there:
        here.create_ladder("spring", PLAN)
        ladders = [store.ladder("spring") for store in (here, there)]
        for turn in range(100):
            with suppress(ZeroDivisionError), ladders[turn % 2].playing():
                assert 0 / (turn % 3) == 0  # whether that went well or not


def test_schemas_of_one_database_have_ladders_of_their_own(postgresql: PostgresqlServer) -> None:
    with Store(postgresql.empty_database()) as one, Store(postgresql.empty_database()) as other:
        ladders = [store.create_ladder("spring", PLAN) for store in (one, other)]
        with ladders[0].playing(), ladders[1].playing():
            for ladder in ladders:
                with pytest.raises(StateError), ladder.playing():
                    pass


def test_who_is_killed_plays_a_ladder_no_more(database: str) -> None:
    code = (
        "import sys, time\nfrom kingmaker.ladder.store import Store\n"
        "with Store(sys.argv[1]).ladder('spring').playing():\n"
        "    print('playing', flush=True)\n    time.sleep(60)"
    )
    with Store(database) as store:
        ladder = store.create_ladder("spring", PLAN)
        process = subprocess.Popen([sys.executable, "-c", code, database], stdout=subprocess.PIPE)
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"playing\n"
            with pytest.raises(StateError), ladder.playing():
                pass
            process.kill()
        _wait_for_lock(ladder)


def _wait_for_lock(ladder: Ladder) -> None:
    """Play a ladder as soon as we may; a server notices within moments that somebody is gone."""
    for _ in range(100):
        with suppress(StateError), ladder.playing():
            return
        time.sleep(0.05)
    raise AssertionError("the lock is never let go")


def test_a_lock_leaves_no_file_behind(tmp_path: Path) -> None:
    ladder = sqlite_ladder(tmp_path)
    before = set(tmp_path.iterdir())
    with ladder.playing():
        assert len(set(tmp_path.iterdir()) - before) == 1
    assert set(tmp_path.iterdir()) == before


@pytest.mark.slow
def test_what_a_killed_writer_was_promised_is_stored_once(database: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.ladder.killed_writer", database, str(NUM_KILLS), "7"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    acknowledged = json.loads(done.stdout)
    with Store(database) as store:
        records = list(store.ladder(NAME).records())
    assert len(acknowledged) == len(set(acknowledged)) >= NUM_KILLS // 2
    # Every game up to the last is there, once and whole; the last may lack the acknowledgement.
    assert records == [sample_record(index) for index in range(len(records))]
    assert set(acknowledged) <= set(range(len(records)))


def test_when_sqlite_is_full_nothing_is_stored_and_with_room_it_goes_on(tmp_path: Path) -> None:
    ladder = sqlite_ladder(tmp_path)
    ladder.add(sample_record(0))
    with limited_pages(ladder, 5), pytest.raises(DiskFullError, match=r"ladder\.sqlite.*full"):
        ladder.add_all(sample_record(index, num_plies=1000) for index in range(1, 9))
    assert list(ladder.records()) == [sample_record(0)]
    assert ladder.add(sample_record(1))


@contextmanager
def limited_pages(ladder: Ladder, room: int) -> Iterator[None]:
    """Let the database grow by a few pages only; the limit belongs to its one connection."""

    def limit(pages: str) -> None:
        with ladder._store.writing() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    with ladder._store.writing() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    limit(pages + room)
    try:
        yield
    finally:
        limit("1000000")


def test_a_full_disk_spoils_no_record(small_disk: Path) -> None:
    ladder = sqlite_ladder(small_disk)
    acknowledged: list[GameRecord] = []
    with pytest.raises(DiskFullError, match="no room left for"):
        fill(ladder, acknowledged)
    assert acknowledged
    assert list(ladder.records()) == acknowledged
    with closing(sqlite3.connect(small_disk / "ladder.sqlite")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def fill(ladder: Ladder, acknowledged: list[GameRecord]) -> None:
    for index in range(1000):
        record = sample_record(index, num_plies=500)
        ladder.add(record)
        acknowledged.append(record)


def test_a_disk_that_is_full_from_the_start_is_reported(small_disk: Path) -> None:
    (small_disk / "ballast").write_bytes(b"0" * (1 << 20))
    with pytest.raises(DiskFullError, match="no room left for"):
        sqlite_ladder(small_disk)


def test_a_server_that_only_reads_is_reported(postgresql: PostgresqlServer) -> None:
    """As a standby does."""
    address = postgresql.empty_database()
    with Store(address) as store:
        store.create_ladder("spring", PLAN)
    reading = address.replace(
        "-csearch_path", "-cdefault_transaction_read_only%3Don%20-csearch_path"
    )
    with Store(reading) as store:
        ladder = store.ladder("spring")
        with pytest.raises(StoreError, match="is not writable") as caught:
            ladder.add(sample_record(0))
    assert caught.value.public == "the database is not writable"


def test_a_server_that_stops_is_reported_and_may_come_back(postgresql: PostgresqlServer) -> None:
    with Store(postgresql.empty_database()) as store:
        ladder = store.create_ladder("spring", PLAN)
        ladder.add(sample_record(0))
        postgresql.stop()
        try:
            with pytest.raises(StoreError, match="can't be reached"):
                ladder.add(sample_record(1))
        finally:
            postgresql.start()
        assert not ladder.add(sample_record(0))
        assert ladder.add(sample_record(1))


def test_an_unknown_ladder_is_told_from_the_latest_ones(tmp_path: Path) -> None:
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        for i in range(30):
            store.create_ladder(f"{i}", {})
        with pytest.raises(InputError, match="; the latest are: '10', '11'"):
            store.ladder("x")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "mysql://host/db",
            "databases of kind 'mysql' are not supported; use sqlite or postgresql",
        ),
        ("postgresql://me:secret@host:port/db", "^'host:port/db' is not the address of a database"),
        ("postgresql://host:port/db?password=secret", "^'postgresql://host:port/db' is not the "),
        ("://", "is not the address of a database"),
        *(
            (address, "^a database in memory can't be shared by threads and processes; give")
            for address in ("", ":memory:", "sqlite://", "sqlite:///file:x?mode=memory&uri=true")
        ),
    ],
)
def test_a_wrong_address_is_refused(address: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Store(address)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://someone:secret@127.0.0.1:1/db", r"someone:\*\*\*@127.0.0.1:1/db"),
        (
            "postgresql://someone@127.0.0.1:1/db?password=secret&sslpassword=secret&sslmode=disable",
            r"someone@127.0.0.1:1/db\?sslmode=disable",
        ),
    ],
)
def test_a_server_that_is_not_there_is_reported_without_the_password(
    address: str, shown: str
) -> None:
    with pytest.raises(StoreError, match=f"{shown} can't be reached: ") as acknowledged:
        Store(address)
    assert "secret" not in str(acknowledged.value)


def test_a_folder_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"nowhere/ladder\.sqlite can't be opened; check"):
        Store(str(tmp_path / "nowhere" / "ladder.sqlite"))


def test_a_file_of_something_else_is_reported_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear operator, " * 100)
    with pytest.raises(StoreError, match=r"letter\.txt is not an SQLite database"):
        Store(str(path))
    assert path.read_text() == "Dear operator, " * 100


def test_a_reader_may_ask_for_a_file_that_exists(tmp_path: Path) -> None:
    path = tmp_path / "ladder.sqlite"
    with pytest.raises(InputError, match=r"there is no database '.*ladder\.sqlite'"):
        Store(str(path), create=False)
    assert not path.exists()
    sqlite_ladder(tmp_path)
    assert Store(f"sqlite:///{path}", create=False).ladder("spring").plan == PLAN


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    """What synchronous=FULL in WAL mode promises; a kill of the process alone can't show it."""
    with sqlite_ladder(tmp_path)._store.writing() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2


def test_a_database_that_another_process_holds_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "LOCK_SECONDS", 0.05)
    ladder = sqlite_ladder(tmp_path)
    with closing(sqlite3.connect(tmp_path / "ladder.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="was locked by another process"):
            ladder.add(sample_record(0))
    assert ladder.add(sample_record(0))


def test_games_that_may_be_shown_are_those_of_complete_groups(ladder: Ladder) -> None:
    tasks = [
        replace(sample_task(0), group=group, rotation=rotation)
        for group, rotation in (("0", 0), ("1", 0), ("2", 0), ("1", 1), ("0", 1))
    ]
    for task in tasks:
        ladder.add(replace(sample_record(0), task=task))
    numbers = [game.number for game in ladder.summaries()]
    shown = [numbers[1], numbers[3], numbers[0], numbers[4]]  # group 1 was complete before 0
    assert ladder.open_numbers() == shown
    assert ladder.open_numbers(after=numbers[2]) == shown
    assert ladder.open_numbers(after=numbers[3]) == shown[2:]
    assert [game.task for game in ladder.chosen_records(shown)] == [
        tasks[1],
        tasks[3],
        tasks[0],
        tasks[4],
    ]
    ladder.state = LadderState.FINISHED
    assert ladder.open_numbers() == [*shown, numbers[2]]


def test_a_ladder_whose_process_died_is_interrupted(tmp_path: Path) -> None:
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        ladder = store.create_ladder("spring", {})
        states = [ladder.present_state]
        with ladder.playing():
            states.append(store.ladder("spring").present_state)
        ladder.state = LadderState.FINISHED
        states.append(ladder.present_state)
    assert [state.value for state in states] == ["interrupted", "running", "finished"]
