"""A ladder plays all its games, whatever order they end in, and goes on where it was stopped."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.coordinator import Ending, Progress, begin_ladder, run_ladder
from kingmaker.ladder.errors import DiskFullError, LadderError
from kingmaker.ladder.model import GameRecord, GameTask
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.results import mirrored_groups
from kingmaker.ladder.store import Store

from .fake_executor import FakeExecutor, any_of, plan, results_of, won_by


def test_all_games_are_played_and_stored(store: Store) -> None:
    ladder = begin_ladder(store, "all", plan())
    executor = FakeExecutor()
    assert run_ladder(ladder, executor) == Ending(LadderState.FINISHED, "all games are played")
    assert ladder.state is LadderState.FINISHED
    assert len(executor.played) == 18
    assert ladder.finished() == {task.id for task in executor.played}
    groups = mirrored_groups(results_of(ladder))
    assert Counter(group.seating for group in groups) == {
        ("a", "b"): 3,
        ("a", "c"): 3,
        ("b", "c"): 3,
    }


def test_a_ladder_that_is_run_again_plays_nothing_again(store: Store) -> None:
    ladder = begin_ladder(store, "all", plan())
    run_ladder(ladder, FakeExecutor())
    executor = FakeExecutor()
    assert run_ladder(ladder, executor).state is LadderState.FINISHED
    assert not executor.played


def test_the_workers_are_kept_busy_to_the_end(store: Store) -> None:
    sizes: list[int] = []

    def choose(waiting: list[GameTask]) -> int:
        sizes.append(len(waiting))
        return 0

    run_ladder(begin_ladder(store, "busy", plan()), FakeExecutor(choose=choose))
    assert sizes == [4] * 15 + [3, 2, 1]


def test_one_slow_game_holds_up_no_other(store: Store) -> None:
    slow = plan().tasks(plan().schedule().group(0))[0].id
    executor = FakeExecutor(
        choose=lambda waiting: min(range(len(waiting)), key=lambda i: waiting[i].id == slow),
        capacity=2,
    )
    run_ladder(begin_ladder(store, "slow", plan()), executor)
    assert [task.id == slow for task in executor.played] == [False] * 17 + [True]


def test_what_is_reported_is_stored(store: Store) -> None:
    ladder = begin_ladder(store, "told", plan())
    watched: list[Progress] = []

    def watch(progress: Progress) -> None:
        watched.append(progress)
        assert progress.num_games == len(ladder.finished())

    run_ladder(ladder, FakeExecutor(), watch=watch)
    assert [progress.num_games for progress in watched] == [*range(19), 18]
    assert [result for progress in watched for result in progress.new_results] == results_of(ladder)
    assert {progress.total_games for progress in watched} == {18}
    assert [progress.state for progress in watched[-2:]] == [
        LadderState.RUNNING,
        LadderState.FINISHED,
    ]


def test_what_the_database_refuses_is_not_reported(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = begin_ladder(store, "full", plan())
    watched: list[Progress] = []

    def watch(progress: Progress) -> None:
        watched.append(progress)
        if progress.num_games == 5:
            monkeypatch.setattr(ladder, "add_all", refuse)

    def refuse(records: list[GameRecord]) -> int:
        raise DiskFullError("no room left")

    with pytest.raises(DiskFullError):
        run_ladder(ladder, FakeExecutor(), watch=watch)
    assert watched[-1].num_games == 5 == len(ladder.finished())
    monkeypatch.undo()
    assert run_ladder(ladder, FakeExecutor()).state is LadderState.FINISHED
    assert len(ladder.finished()) == 18


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_ladder_and_it_goes_on_later(store: Store, number: int) -> None:
    ladder = begin_ladder(store, "stops", plan())
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]

    def watch(progress: Progress) -> None:
        if progress.num_games == 7:
            signal.raise_signal(number)

    first, second = FakeExecutor(), FakeExecutor()
    ending = run_ladder(ladder, first, watch=watch)
    assert ending == Ending(LadderState.STOPPED, f"stopped by {signal.Signals(number).name}")
    assert ladder.state is LadderState.STOPPED
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == handlers
    assert not first.waiting
    assert run_ladder(ladder, second).state is LadderState.FINISHED
    assert Counter(task.id for task in first.played + second.played) == Counter(ladder.finished())


def test_another_thread_may_stop_the_ladder(store: Store) -> None:
    ladder = begin_ladder(store, "stops", plan(num_groups=None))
    stop = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.num_games == 7:
            threading.Thread(target=stop.set).start()

    ending = run_ladder(ladder, FakeExecutor(), watch=watch, stop=stop)
    assert ending == Ending(LadderState.STOPPED, "stopped")
    assert ladder.state is LadderState.STOPPED
    assert len(ladder.finished()) >= 7


def test_swiss_pairing_looks_at_the_results(store: Store) -> None:
    names = "abcdefgh"
    bots = [f"{name}=random" for name in names]
    swiss = plan(bots=bots, pairing="swiss", num_rounds=4, num_groups=None)
    pairs = []
    for order in (names, names[::-1]):
        ladder = begin_ladder(store, order, swiss)
        run_ladder(ladder, FakeExecutor(won_by(*order), capacity=2))
        seatings = [group.seating for group in mirrored_groups(results_of(ladder))]
        assert Counter(bot for seating in seatings for bot in seating) == dict.fromkeys(names, 4)
        assert len(set(seatings)) == 16
        pairs.append(seatings)
    assert pairs[0][:3] == pairs[1][:3]  # nothing is known yet of these bots
    assert pairs[0] != pairs[1]


def test_swiss_pairing_that_is_resumed_completes_the_groups_that_were_begun(store: Store) -> None:
    names = "abcdef"
    bots = [f"{name}=random" for name in names]
    swiss = plan(bots=bots, pairing="swiss", num_rounds=3, num_groups=None)
    ladder = begin_ladder(store, "swiss", swiss)
    for stop in (5, 9, 14, 99):
        run_ladder(ladder, FakeExecutor(choose=any_of(), capacity=5), watch=stopping_at(stop))
    assert ladder.state is LadderState.FINISHED
    assert len(ladder.finished()) == swiss.total_games == 18
    assert len(mirrored_groups(results_of(ladder))) == 9


def stopping_at(number: int) -> Callable[[Progress], None]:
    def watch(progress: Progress) -> None:
        if progress.num_games == number:
            signal.raise_signal(signal.SIGINT)

    return watch


def test_a_ladder_needs_a_name(store: Store) -> None:
    with pytest.raises(InputError, match="is not a valid name"):
        begin_ladder(store, "two\nlines", plan())


def test_a_ladder_of_other_rules_is_not_resumed(store: Store) -> None:
    begun = plan().model_copy(update={"rules_version": "0.0"})
    ladder = store.create_ladder("old", begun.to_json())
    with pytest.raises(InputError, match=r"begun with rules version 0\.0 of tic_tac_toe"):
        run_ladder(ladder, FakeExecutor())


def test_a_ladder_does_not_begin_without_a_bots_server(store: Store) -> None:
    away = plan(bots=["a=random", "away=grpc://127.0.0.1:9/level=5,time=50ms"])
    with pytest.raises(LadderError, match=r"bot away can't play: .* answered UNAVAILABLE"):
        run_ladder(begin_ladder(store, "away", away), FakeExecutor())


def test_several_ladders_may_use_one_executor(store: Store) -> None:
    executor = FakeExecutor(won_by("b", "c"), capacity=6)
    test = plan(bots=["a=random", "b=random"], sprt={"elo1": 100}, num_groups=None)
    run_ladder(begin_ladder(store, "first", test), executor)
    second = begin_ladder(store, "second", plan(seed=99))
    assert run_ladder(second, executor).state is LadderState.FINISHED
    assert len(second.finished()) == 18
