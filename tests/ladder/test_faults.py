"""Games that break, bots that end their workers, and executors that are gone."""

from __future__ import annotations

import itertools
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from kingmaker.cext.errors import ContractError
from kingmaker.ladder.coordinator import Progress, begin_ladder, run_ladder
from kingmaker.ladder.errors import LadderError
from kingmaker.ladder.executors import Play, Suspicion, play_here
from kingmaker.ladder.model import Cause, GameRecord, GameTask, MoveRecord
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.replay import replay
from kingmaker.ladder.store import Ladder, Store
from kingmaker.tasks.executors import ExecutorError
from kingmaker.tasks.model import RunReport, run_or_report
from kingmaker.tasks.retries import MAX_ATTEMPTS, MAX_FAULTS

from .fake_executor import FakeExecutor, Lost, breaking, plan, won_by
from .toys import Deadly

pytestmark = pytest.mark.usefixtures("immediate_retries")


def test_a_game_that_breaks_is_reported_and_played_again(store: Store) -> None:
    ladder = begin_ladder(store, "breaks", plan())
    executor = FakeExecutor(breaking(MAX_ATTEMPTS - 1, play, only="0000004"))
    assert run_ladder(ladder, executor).state is LadderState.FINISHED
    assert len(ladder.finished()) == 18
    reports = ladder.reports()
    assert Counter(report.detail for report in reports) == {
        f"break {number}": 2 for number in range(1, MAX_ATTEMPTS)
    }
    assert {report.task_id for report in reports} < ladder.finished()


def test_a_game_that_breaks_always_is_given_up_until_the_ladder_is_resumed(store: Store) -> None:
    ladder = begin_ladder(store, "gives up", plan())
    watched: list[Progress] = []
    executor = FakeExecutor(breaking(MAX_ATTEMPTS, play, only="0000004"))
    ending = run_ladder(ladder, executor, watch=watched.append)
    assert ending.state is LadderState.STOPPED is ladder.state
    assert ending.reason == (
        "2 games broke 4 times each, which can be resumed; the latest: break 4"
    )
    assert watched[-1].num_given_up == 2
    assert len(ladder.finished()) == 16
    assert [report for each in watched for report in each.new_reports] == ladder.reports()
    assert run_ladder(ladder, FakeExecutor()).state is LadderState.FINISHED
    assert len(ladder.finished()) == 18


def test_a_game_that_breaks_the_engine_contract_is_not_played_again(store: Store) -> None:
    def breach(task: GameTask) -> GameRecord:
        if task.group.startswith("0000004"):
            raise ContractError("tic_tac_toe breaks the engine contract: no legal moves")
        return play(task)

    ladder = begin_ladder(store, "breaks the contract", plan())
    executor = FakeExecutor(lambda task: run_or_report(breach, task))
    ending = run_ladder(ladder, executor)
    assert ending.state is LadderState.STOPPED
    assert ending.reason == (
        "2 games broke the engine contract, which can be resumed; the latest: tic_tac_toe breaks "
        "the engine contract: no legal moves"
    )
    assert Counter(report.kind for report in ladder.reports()) == {"contract_broken": 2}
    assert len(executor.played) == 18


def test_a_test_ends_with_the_game_that_breaks_the_engine_contract(store: Store) -> None:
    def breach(task: GameTask) -> GameRecord:
        raise ContractError("tic_tac_toe breaks the engine contract: no legal moves")

    tested = plan(bots=["a=random", "b=random"], num_groups=None, sprt={"elo0": 0, "elo1": 5})
    ladder = begin_ladder(store, "tests a broken game", tested)
    executor = FakeExecutor(lambda task: run_or_report(breach, task))
    with pytest.raises(LadderError, match=r"without game \w+, which broke the engine contract"):
        run_ladder(ladder, executor)
    assert len(executor.played) == 1


def test_a_ladder_stops_when_all_games_break(store: Store) -> None:
    ladder = begin_ladder(store, "broken", plan(num_groups=None))
    with pytest.raises(LadderError, match=f"{MAX_FAULTS} faults in a row: break"):
        run_ladder(ladder, FakeExecutor(breaking(MAX_ATTEMPTS, play)))
    assert ladder.state is LadderState.STOPPED


def test_any_number_of_faults_with_games_between_them_is_mended(store: Store) -> None:
    ladder = begin_ladder(store, "hiccups", plan(num_groups=15))
    assert run_ladder(ladder, FakeExecutor(breaking(1, play))).state is LadderState.FINISHED
    assert len(ladder.reports()) == 30 > MAX_FAULTS


def losing(culprit: str, *, has_crashed: bool, num_moves: Callable[[], int], times: int) -> Play:
    """Games that lose their worker the first `times`, while this bot is asked."""
    losses = Counter[str]()

    def lose(task: GameTask) -> GameRecord:
        bots = [bot.name for bot in task.bots]
        if culprit not in bots or losses[task.id] == times:
            return play(task)
        losses[task.id] += 1
        seat = bots.index(culprit) + 1
        moves = (MoveRecord(seat, "b2", 0.0),) * num_moves()
        report = RunReport(task.id, "worker_lost", "its worker is gone", "2026-01-02T03:04:05Z")
        record = replace(
            won_by(*(name for name in bots if name != culprit))(task),
            moves=moves,
            cause=Cause.CRASHED,
            culprit=seat,
        )
        raise Lost(Suspicion(report, record, has_crashed))

    return lose


def lost_by(ladder: Ladder) -> Counter[tuple[str, str]]:
    return Counter(
        (game.task.bots[game.culprit - 1].name, game.cause.value)
        for game in ladder.summaries()
        if game.culprit
    )


def test_a_bot_that_ends_its_worker_twice_has_lost(store: Store) -> None:
    ladder = begin_ladder(store, "crashes", plan(num_groups=60))
    steps = itertools.count()  # the decision may be another one each time
    executor = FakeExecutor(
        losing("b", has_crashed=True, num_moves=lambda: next(steps) % 3, times=99), capacity=90
    )
    assert run_ladder(ladder, executor).state is LadderState.FINISHED
    assert lost_by(ladder) == {("b", "crashed"): 80}
    assert len(ladder.reports()) == 160


def test_a_worker_that_crashed_once_is_nobodys_fault(store: Store) -> None:
    ladder = begin_ladder(store, "crash", plan())
    executor = FakeExecutor(losing("b", has_crashed=True, num_moves=lambda: 1, times=1))
    assert run_ladder(ladder, executor).state is LadderState.FINISHED
    assert not lost_by(ladder)
    assert len(ladder.reports()) == 12


@pytest.mark.parametrize(("times", "num_lost"), [(MAX_ATTEMPTS, 2), (MAX_ATTEMPTS - 1, 0)])
def test_a_bot_at_whose_decision_all_workers_are_killed_has_lost(
    store: Store, times: int, num_lost: int
) -> None:
    ladder = begin_ladder(store, "killed", plan(num_groups=1, bots=["a=random", "b=random"]))
    executor = FakeExecutor(losing("b", has_crashed=False, num_moves=lambda: 3, times=times))
    assert run_ladder(ladder, executor).state is LadderState.FINISHED
    assert lost_by(ladder).total() == num_lost


@pytest.mark.slow
def test_workers_that_are_killed_at_several_decisions_are_nobodys_fault(store: Store) -> None:
    ladder = begin_ladder(store, "killed", plan(num_groups=1, bots=["a=random", "b=random"]))
    steps = itertools.count()
    executor = FakeExecutor(
        losing("b", has_crashed=False, num_moves=lambda: next(steps) // 2, times=MAX_ATTEMPTS)
    )
    ending = run_ladder(ladder, executor)
    assert ending.reason.startswith("2 games broke 4 times each")
    assert not ladder.finished()


@pytest.mark.slow
def test_a_ladder_goes_on_with_a_bot_that_ends_its_workers(store: Store) -> None:
    bots = ["good=random", "bad=random"]
    ladder = begin_ladder(store, "deadly", plan(bots=bots, num_groups=1))
    with play_here(2, play=Deadly("bad", "exits")) as executor:
        assert run_ladder(ladder, executor).state is LadderState.FINISHED
    assert lost_by(ladder) == {("bad", "crashed"): 2}
    for record in ladder.records():
        assert "ended with code 3" in record.detail
        replay(record)


def test_the_words_of_others_are_made_printable(store: Store) -> None:
    ladder = begin_ladder(store, "rude", plan(num_groups=1))
    words = ["\x1b[31mred\n\x1b]0;title\x07" + "x" * 9999]

    def rude(task: GameTask) -> GameRecord:
        if words:
            raise RuntimeError(words.pop())
        return play(task)

    watched: list[Progress] = []
    run_ladder(ladder, FakeExecutor(rude), watch=watched.append)
    [report] = ladder.reports()
    assert report.detail.startswith("\ufffd[31mred \ufffd]0;title\ufffdxxx")
    assert len(report.detail) == 500
    assert [each for progress in watched for each in progress.new_reports] == [report]


def test_a_ladder_stops_when_its_executor_is_gone(store: Store) -> None:
    ladder = begin_ladder(store, "gone", plan())
    executor = FakeExecutor(choose=lambda waiting: leave() if len(executor.played) == 3 else 0)

    def leave() -> int:
        raise ExecutorError("the scheduler is gone")

    with pytest.raises(LadderError, match="the scheduler is gone"):
        run_ladder(ladder, executor)
    assert ladder.state is LadderState.STOPPED
    assert len(ladder.finished()) == 3


def test_a_worker_that_dies_of_the_same_signal_is_no_fault(store: Store) -> None:
    ladder = begin_ladder(store, "stops", plan())

    def die(task: GameTask) -> GameRecord:
        signal.raise_signal(signal.SIGTERM)
        raise RuntimeError("killed by SIGTERM")

    assert run_ladder(ladder, FakeExecutor(die)).state is LadderState.STOPPED
    assert not ladder.reports()
