"""The tables of a ladder's database, and the conversion of games to rows and back.

One database holds any number of ladders. A *ladder* has a plan and a state; its *games* are keyed
by the id of their task, once per ladder, so that two ladders of one plan keep their results apart.
Data of a seat (bot, return, thinking time) is a row of *seats*, so that SQL can count by
bot and by seat. The moves of a game are one JSON text of `[seat, token, ms]`: they are written
once and read only together, and a table of them would be a hundred times as long.

Seeds are kept as decimal digits, as they may exceed the 63 bits of a database's integer; times of
day as text, as in the records. The migrations in `migrations/` create these tables.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import JSON, Double, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import TypeDecorator

from kingmaker.tasks.model import RunReport

from .model import Bot, Cause, GameRecord, GameTask, MoveRecord, TimeControl


class LadderState(StrEnum):
    """The state of a ladder."""

    RUNNING = "running"
    """Games are being played; stored also after the process has died."""
    INTERRUPTED = "interrupted"
    """The process died, and the ladder can be resumed; never stored."""
    STOPPED = "stopped"
    """The ladder was stopped; it can be resumed."""
    FINISHED = "finished"
    """All games of the plan are stored, or its test has ended."""


class Seed(TypeDecorator[int]):
    """An integer of any size, kept as decimal digits."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> str | None:
        """Write the digits."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> int | None:
        """Read the digits."""
        return None if value is None else int(value)


class Table(DeclarativeBase):
    """Base of all tables."""

    type_annotation_map: ClassVar = {float: Double, dict[str, Any]: JSON, list[Any]: JSON}


class LadderRow(Table):
    """A ladder; its plan is JSON that only the coordinator reads."""

    __tablename__ = "ladders"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    plan: Mapped[dict[str, Any]]
    state: Mapped[str]
    created_at: Mapped[str]
    owner: Mapped[str]


class BotRow(Table):
    """A bot of a ladder; within a ladder a name stands for one spec."""

    __tablename__ = "bots"
    __table_args__ = (UniqueConstraint("ladder_id", "name", name="uq_bots_ladder_id_name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladders.id"))
    name: Mapped[str]
    spec: Mapped[str]


class GameRow(Table):
    """A finished game; `number` counts in the order of arrival, with gaps."""

    __tablename__ = "games"
    __table_args__ = (
        UniqueConstraint("ladder_id", "task_id", name="uq_games_ladder_id_task_id"),
        Index("ix_games_ladder_id_number", "ladder_id", "number"),
    )

    number: Mapped[int] = mapped_column(primary_key=True)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladders.id"))
    task_id: Mapped[str] = mapped_column(String(32))
    game: Mapped[str]
    options: Mapped[dict[str, Any]]
    group_id: Mapped[str]
    rotation: Mapped[int]
    deal_seed: Mapped[int] = mapped_column(Seed)
    seed: Mapped[int] = mapped_column(Seed)
    move_ms: Mapped[float | None]
    game_ms: Mapped[float | None]
    increment_ms: Mapped[float]
    rules_version: Mapped[str]
    max_plies: Mapped[int]
    start: Mapped[str] = mapped_column(Text)
    num_plies: Mapped[int]
    moves: Mapped[list[Any]] = mapped_column(deferred=True)
    line: Mapped[str]
    end: Mapped[str] = mapped_column(Text)
    cause: Mapped[str]
    culprit: Mapped[int]
    detail: Mapped[str] = mapped_column(Text)
    wall_ms: Mapped[float]
    finished_at: Mapped[str]

    seats: Mapped[list[SeatRow]] = relationship(order_by="SeatRow.seat", lazy="raise")


class SeatRow(Table):
    """A seat of a game, from 1."""

    __tablename__ = "seats"

    game_number: Mapped[int] = mapped_column(ForeignKey("games.number"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"), index=True)
    returns: Mapped[float]
    thinking_ms: Mapped[float]

    bot: Mapped[BotRow] = relationship(lazy="raise")


class RunReportRow(Table):
    """A fault of the infrastructure; a game may have several, and still be played later."""

    __tablename__ = "run_reports"

    id: Mapped[int] = mapped_column(primary_key=True)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladders.id"), index=True)
    task_id: Mapped[str] = mapped_column(String(32))
    kind: Mapped[str]
    detail: Mapped[str] = mapped_column(Text)
    at: Mapped[str]


def game_values(ladder_id: int, record: GameRecord) -> dict[str, Any]:
    """Return the columns of `games` for a record."""
    task = record.task
    return {
        "ladder_id": ladder_id,
        "task_id": task.id,
        "game": task.game,
        "options": dict(task.options),
        "group_id": task.group,
        "rotation": task.rotation,
        "deal_seed": task.deal_seed,
        "seed": task.seed,
        "move_ms": task.clock.move_ms,
        "game_ms": task.clock.game_ms,
        "increment_ms": task.clock.increment_ms,
        "rules_version": task.rules_version,
        "max_plies": task.max_plies,
        "start": task.start,
        "num_plies": len(record.moves),
        "moves": [[move.seat, move.token, move.ms] for move in record.moves],
        "line": record.line,
        "end": record.end,
        "cause": record.cause.value,
        "culprit": record.culprit,
        "detail": storable(record.detail),
        "wall_ms": record.wall_ms,
        "finished_at": record.finished_at,
    }


def seat_values(
    game_number: int, record: GameRecord, bot_ids: dict[Bot, int]
) -> list[dict[str, Any]]:
    """Return the columns of `seats` for a record; `bot_ids` maps a bot to its row."""
    seats = zip(record.task.bots, record.returns, record.thinking_ms, strict=True)
    return [
        {
            "game_number": game_number,
            "seat": seat,
            "bot_id": bot_ids[bot],
            "returns": returns,
            "thinking_ms": thinking_ms,
        }
        for seat, (bot, returns, thinking_ms) in enumerate(seats, 1)
    ]


def read_task(row: GameRow) -> GameTask:
    """Return the task of a game whose seats are loaded."""
    return GameTask(
        game=row.game,
        options=tuple(sorted(row.options.items())),
        bots=tuple(Bot(seat.bot.name, seat.bot.spec) for seat in row.seats),
        group=row.group_id,
        rotation=row.rotation,
        deal_seed=row.deal_seed,
        seed=row.seed,
        clock=TimeControl(row.move_ms, row.game_ms, row.increment_ms),
        rules_version=row.rules_version,
        max_plies=row.max_plies,
        start=row.start,
    )


def read_record(row: GameRow) -> GameRecord:
    """Return the record of a game whose seats and moves are loaded."""
    return GameRecord(
        task=read_task(row),
        moves=tuple(MoveRecord(seat, token, ms) for seat, token, ms in row.moves),
        end=row.end,
        returns=tuple(seat.returns for seat in row.seats),
        cause=Cause(row.cause),
        culprit=row.culprit,
        detail=row.detail,
        thinking_ms=tuple(seat.thinking_ms for seat in row.seats),
        wall_ms=row.wall_ms,
        finished_at=row.finished_at,
    )


def report_values(ladder_id: int, report: RunReport) -> dict[str, Any]:
    """Return the columns of `run_reports` for a report."""
    return {
        "ladder_id": ladder_id,
        "task_id": report.task_id,
        "kind": report.kind,
        "detail": storable(report.detail),
        "at": report.at,
    }


def storable(text: str) -> str:
    """Replace characters that no database stores: NUL and lone surrogates from a broken bot."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
