"""What a worker notes can be read when it is gone."""

from __future__ import annotations

from time import monotonic

import pytest

from kingmaker.ladder.journal import JOURNAL, ROOM_BYTES, UNLIMITED_SECONDS, Journal
from kingmaker.ladder.model import MoveRecord
from kingmaker.ladder.play import play
from kingmaker.tasks.local import CONTEXT

from .fakes import task_of

MOVES = (MoveRecord(0, "deal:♠ 1", 0.0), MoveRecord(2, "x", 1 / 3), MoveRecord(1, "y z", 1e-7))


@pytest.fixture
def journal() -> Journal:
    return Journal(CONTEXT)


def test_moves_come_back_as_they_were(journal: Journal) -> None:
    for move in MOVES:
        journal.add(move)
    assert journal.moves == MOVES


def test_the_game_before_is_forgotten(journal: Journal) -> None:
    journal.add(MOVES[0])
    journal.begin()
    assert journal.moves == ()


def test_a_question_stands_until_it_is_answered(journal: Journal) -> None:
    assert journal.open_decision is None
    before = monotonic()
    journal.ask(2, 1500)
    decision = journal.open_decision
    assert decision is not None
    assert before <= decision.began <= monotonic()
    assert (decision.seat, decision.deadline) == (2, pytest.approx(decision.began + 1.5))
    journal.hear()
    assert journal.open_decision is None
    journal.ask(1, None)
    decision = journal.open_decision
    assert decision is not None
    assert decision.deadline == pytest.approx(decision.began + UNLIMITED_SECONDS)
    journal.begin()
    assert journal.open_decision is None


def test_too_many_moves_are_not_reported_in_part(journal: Journal) -> None:
    move = MoveRecord(1, "x" * 1000, 1.0)
    for _ in range(ROOM_BYTES // 1000):
        journal.add(move)
    assert journal.moves is None
    journal.add(MOVES[0])
    assert journal.moves is None


def test_a_game_is_noted_move_by_move(journal: Journal) -> None:
    token = JOURNAL.set(journal)
    try:
        record = play(task_of("kingdom_coinquest"))
    finally:
        JOURNAL.reset(token)
    assert journal.moves == record.moves
    assert journal.open_decision is None
