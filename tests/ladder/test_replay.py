"""A record is proven move by move, and a false one refused where it is false."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kingmaker.cext.games import GAMES
from kingmaker.ladder.model import Cause, GameRecord, MoveRecord, from_json, to_json
from kingmaker.ladder.play import play
from kingmaker.ladder.replay import ReplayError, replay
from tests.ladder.fakes import FakeBot, first, starter, task_of


@pytest.fixture(scope="module")
def record() -> GameRecord:
    """A game of Leduc poker: two cards are dealt, then p1 moves."""
    return play(task_of("leduc_poker"))


def with_move(record: GameRecord, index: int, **changes: object) -> GameRecord:
    moves = list(record.moves)
    moves[index] = replace(moves[index], **changes)  # type: ignore[arg-type]
    return replace(record, moves=tuple(moves))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_replays_also_from_its_text(name: str) -> None:
    record = play(task_of(name))
    assert replay(from_json(GameRecord, to_json(record))).text == record.end


@pytest.mark.parametrize("token", ["a9", "crash"])
def test_a_game_that_a_bot_has_lost_replays(token: str) -> None:
    def fail(observation: object) -> str:
        if token == "crash":
            raise OSError(token)
        return token

    record = play(task_of("tic_tac_toe"), starter([FakeBot(first), FakeBot(fail)]))
    assert replay(record).text == record.end
    with pytest.raises(ReplayError, match="ply 2: the record says"):
        replay(replace(record, culprit=1, returns=(0.0, 1.0)))


def test_a_game_that_was_cut_replays() -> None:
    record = play(task_of("tic_tac_toe", max_plies=3))
    assert replay(record).text == record.end
    with pytest.raises(ReplayError, match="ply 4: the record says crashed"):
        replay(replace(record, cause=Cause.CRASHED, culprit=1))


def test_a_false_outcome_is_refused(record: GameRecord) -> None:
    token = next(token for token in ("deal:js", "deal:ks") if token != record.moves[1].token)
    with pytest.raises(ReplayError, match=f"the record says {token}") as caught:
        replay(with_move(record, 1, token=token))
    assert caught.value.ply == 2


def test_an_outcome_of_another_deal_is_refused(record: GameRecord) -> None:
    with pytest.raises(ReplayError, match="chance drew"):
        replay(replace(record, task=replace(record.task, deal_seed=99)))


@pytest.mark.parametrize("token", ["fold", "castle", "deal:js"])
def test_an_illegal_move_is_refused(record: GameRecord, token: str) -> None:
    with pytest.raises(ReplayError, match=token) as caught:
        replay(with_move(record, 2, token=token))
    assert caught.value.ply == 3


def test_a_move_of_another_seat_is_refused(record: GameRecord) -> None:
    with pytest.raises(ReplayError, match="ply 3: p1 is to move; the record says seat 2"):
        replay(with_move(record, 2, seat=2))


def test_a_move_after_the_end_is_refused(record: GameRecord) -> None:
    longer = replace(record, moves=(*record.moves, MoveRecord(1, "call", 0.0)))
    with pytest.raises(ReplayError, match="the game is over"):
        replay(longer)


def test_a_missing_move_is_refused(record: GameRecord) -> None:
    with pytest.raises(ReplayError) as caught:
        replay(replace(record, moves=record.moves[:-1]))
    assert caught.value.ply == len(record.moves)


def test_a_false_end_is_refused(record: GameRecord) -> None:
    with pytest.raises(ReplayError, match="the game ends in"):
        replay(replace(record, end=record.end + " "))


def test_false_returns_are_refused(record: GameRecord) -> None:
    with pytest.raises(ReplayError, match="the returns are"):
        replay(replace(record, returns=record.returns[::-1]))


def test_a_result_that_the_game_does_not_have_is_refused(record: GameRecord) -> None:
    with pytest.raises(ReplayError, match="the record says cut with culprit 0"):
        replay(replace(record, cause=Cause.CUT, returns=(0.5, 0.5)))


def test_a_record_beyond_its_limit_is_refused(record: GameRecord) -> None:
    with pytest.raises(ReplayError, match="the game is cut at 2"):
        replay(replace(record, task=replace(record.task, max_plies=2)))


def test_a_record_of_other_rules_is_refused(record: GameRecord) -> None:
    with pytest.raises(ReplayError, match="ply 0: the task is for rules version 0"):
        replay(replace(record, task=replace(record.task, rules_version="0")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"culprit":0', '"culprit":"0"'),
        ('"culprit":0', '"culprit":0,"winner":1'),
        ('"cause":"finished"', '"cause":"bored"'),
        ('"rotation":0', '"rotation":0.5'),
        ('"moves":[', '"moves":[7,'),
    ],
)
def test_a_record_of_another_form_is_refused(record: GameRecord, old: str, new: str) -> None:
    text = to_json(record)
    assert old in text
    with pytest.raises(ValueError):
        from_json(GameRecord, text.replace(old, new, 1))


def test_the_id_of_a_game_depends_on_all_of_its_task(record: GameRecord) -> None:
    task = record.task
    others = [
        replace(task, rotation=1),
        replace(task, deal_seed=1),
        replace(task, seed=1),
        replace(task, bots=task.bots[::-1]),
        replace(task, clock=replace(task.clock, move_ms=50)),
        replace(task, max_plies=1),
    ]
    assert len({each.id for each in [task, *others]}) == len(others) + 1
    assert others[4].id == replace(task, clock=replace(task.clock, move_ms=50.0)).id
