"""A ladder plays all its games, whatever happens meanwhile, and ends when it should."""

from __future__ import annotations

import itertools
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.coordinator import (
    Ending,
    Progress,
    begin_ladder,
    run_ladder,
)
from kingmaker.ladder.errors import DiskFullError, LadderError
from kingmaker.ladder.executors import (
    Outcome,
    Play,
    Suspicion,
    play_here,
)
from kingmaker.ladder.games import overview
from kingmaker.ladder.model import Cause, GameRecord, GameTask, MoveRecord
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.replay import replay
from kingmaker.ladder.results import Result, mirrored_groups
from kingmaker.ladder.sprt import Verdict
from kingmaker.ladder.store import Ladder, Store
from kingmaker.ladder.summary import read_summary
from kingmaker.tasks import retries
from kingmaker.tasks.executors import ExecutorError
from kingmaker.tasks.model import RunReport
from kingmaker.tasks.retries import MAX_ATTEMPTS, MAX_FAULTS

from .toys import Deadly

Choose = Callable[[list[GameTask]], int]


def oldest(waiting: list[GameTask]) -> int:
    return 0


def any_of() -> Choose:
    """Choose games in a random order."""
    rng = random.Random(5)
    return lambda waiting: rng.randrange(len(waiting))


@dataclass
class FakeExecutor:
    """Plays in this process, one game at a time, when it is asked for outcomes.

    Attributes:
        play: plays a game; what it raises becomes a run report.
        choose: which of the waiting games is next; -1: none.
        capacity: how many games it wants in hand.
        played: the games, in order.
    """

    play: Play = play
    choose: Choose = oldest
    capacity: int = 4
    waiting: list[GameTask] = field(default_factory=list)
    played: list[GameTask] = field(default_factory=list)

    def submit(self, task: GameTask) -> None:
        self.waiting.append(task)

    def completed(self, timeout_seconds: float) -> list[Outcome]:
        place = self.choose(self.waiting) if self.waiting else -1
        if place < 0:
            return []
        task = self.waiting.pop(place)
        self.played.append(task)
        try:
            return [self.play(task)]
        except _Lost as lost:
            return [lost.suspicion]
        except RuntimeError as error:
            return [RunReport(task.id, "error", str(error), "2026-01-02T03:04:05Z")]

    def cancel(self) -> None:
        self.waiting.clear()

    def close(self) -> None:
        self.cancel()


def plan(**values: Any) -> LadderPlan:
    bots = ["a=random", "b=random", "c=random"]
    given = {"game": "tic_tac_toe", "bots": bots, "num_groups": 9, "openings": 0}
    return LadderPlan.of(**(given | values))


def won_by(*names: str) -> Play:
    """Games that are won by the first of these bots that plays."""

    def win(task: GameTask) -> GameRecord:
        bots = [bot.name for bot in task.bots]
        winner = next(name for name in names if name in bots)
        returns = tuple(float(bot == winner) for bot in bots)
        moves = (MoveRecord(1, f"as in group {task.group}", 0.0),)  # no group repeats another
        return GameRecord(
            task, moves, "", returns, Cause.FINISHED, 0, "", (0.0, 0.0), 0.0, "2026-01-02T03:04:05Z"
        )

    return win


def breaking(number: int, play: Play, *, only: str = "") -> Play:
    """Games that break the first `number` times; `only` those of this group."""
    breaks = Counter[str]()

    def break_first(task: GameTask) -> GameRecord:
        if task.group == (only or task.group) and breaks[task.id] < number:
            breaks[task.id] += 1
            raise RuntimeError(f"break {breaks[task.id]}")
        return play(task)

    return break_first


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        yield store


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "RETRY_SECONDS", (0.0, 0.0, 0.0))


def results_of(ladder: Ladder) -> list[Result]:
    return [Result.of(record) for record in ladder.records()]


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
    assert "2 games broke 4 times each" in ending.reason
    assert watched[-1].num_given_up == 2
    assert len(ladder.finished()) == 16
    assert [report for each in watched for report in each.new_reports] == ladder.reports()
    assert run_ladder(ladder, FakeExecutor()).state is LadderState.FINISHED
    assert len(ladder.finished()) == 18


def test_a_ladder_stops_when_all_games_break(store: Store) -> None:
    ladder = begin_ladder(store, "broken", plan(num_groups=None))
    with pytest.raises(LadderError, match=f"{MAX_FAULTS} faults in a row: break"):
        run_ladder(ladder, FakeExecutor(breaking(MAX_ATTEMPTS, play)))
    assert ladder.state is LadderState.STOPPED


def test_any_number_of_faults_with_games_between_them_is_mended(store: Store) -> None:
    ladder = begin_ladder(store, "hiccups", plan(num_groups=15))
    assert run_ladder(ladder, FakeExecutor(breaking(1, play))).state is LadderState.FINISHED
    assert len(ladder.reports()) == 30 > MAX_FAULTS


class _Lost(Exception):
    def __init__(self, suspicion: Suspicion) -> None:
        super().__init__()
        self.suspicion = suspicion


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
        raise _Lost(Suspicion(report, record, has_crashed))

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


def test_a_worker_that_dies_of_the_same_signal_is_no_fault(store: Store) -> None:
    ladder = begin_ladder(store, "stops", plan())

    def die(task: GameTask) -> GameRecord:
        signal.raise_signal(signal.SIGTERM)
        raise RuntimeError("killed by SIGTERM")

    assert run_ladder(ladder, FakeExecutor(die)).state is LadderState.STOPPED
    assert not ladder.reports()


def test_a_test_stops_by_itself(store: Store) -> None:
    test = plan(bots=["a=random", "b=random"], sprt={"elo0": 0, "elo1": 50}, num_groups=None)
    ladder = begin_ladder(store, "test", test)
    watched: list[Progress] = []
    ending = run_ladder(ladder, FakeExecutor(won_by("a")), watch=watched.append)
    assert ending == Ending(LadderState.FINISHED, "the test accepts elo1")
    status = watched[-1].sprt
    assert status is not None
    assert status.verdict is Verdict.ELO1
    assert status.num_groups * 2 <= watched[-1].num_games <= status.num_groups * 2 + 4
    assert status == read_summary(ladder).test[-1]


@pytest.mark.parametrize(
    "fields",
    [
        {"bots": ["a=random", "b=random"], "sprt": {"elo0": 0, "elo1": 50}},
        {"bots": ["a=random", "b=random"], "best": {"margin": 100, "error": 0.1}},
    ],
    ids=["test", "race"],
)
def test_the_list_counts_no_games_that_were_in_play_at_the_verdict(
    store: Store, fields: dict[str, Any]
) -> None:
    ladder = begin_ladder(store, "decided", plan(**fields, num_groups=None))
    run_ladder(ladder, FakeExecutor(won_by("a"), any_of(), capacity=9))
    counted = read_summary(ladder).num_games
    assert overview(ladder).num_games == counted < ladder.num_games


def test_the_games_of_a_decided_ladder_are_counted_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read them all takes seconds, and a list of ladders is asked for again and again."""
    fields: dict[str, Any] = {"bots": ["a=random", "b=random"], "sprt": {"elo0": 0, "elo1": 50}}
    ladder = begin_ladder(store, "decided", plan(**fields, num_groups=None))
    run_ladder(ladder, FakeExecutor(won_by("a"), any_of(), capacity=9))
    first = overview(ladder)
    monkeypatch.setattr(Ladder, "results", None)
    assert overview(store.ladder("decided")) == first


def test_the_list_counts_games_of_incomplete_groups_of_other_ladders(store: Store) -> None:
    ladder = begin_ladder(store, "stops", plan(num_groups=9))
    stop = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.num_games == 5:
            stop.set()

    run_ladder(ladder, FakeExecutor(won_by("a", "b", "c")), watch=watch, stop=stop)
    assert overview(ladder).num_games == read_summary(ladder).num_games == 5


def test_a_test_whose_games_repeat_each_other_ends_without_a_verdict(store: Store) -> None:
    test = plan(bots=["a=random", "b=random"], sprt={"elo0": 0, "elo1": 50}, num_groups=None)

    def same(task: GameTask) -> GameRecord:
        return replace(won_by("a")(task), moves=(MoveRecord(1, "b2", 0.0),))

    ladder = begin_ladder(store, "test", test)
    ending = run_ladder(ladder, FakeExecutor(same))
    assert ending.state is LadderState.STOPPED
    assert "100 groups all repeat earlier ones" in ending.reason
    assert run_ladder(ladder, FakeExecutor(same)) == ending


def test_a_test_takes_the_groups_by_number(store: Store) -> None:
    """Whatever order they end in, verdict and ratio are those of the same groups."""
    test = plan(bots=["a=random", "b=random"], sprt={"elo1": 100}, num_groups=None, seed=4)
    statuses = []
    for name, choose in {"in order": oldest, "mixed": any_of()}.items():
        ladder = begin_ladder(store, name, test)
        watched: list[Progress] = []
        run_ladder(ladder, FakeExecutor(mostly("a"), choose, capacity=9), watch=watched.append)
        statuses.append(watched[-1].sprt)
    assert statuses[0] is not None
    assert statuses[0].num_groups > 4
    assert statuses[0] == statuses[1]


def mostly(name: str) -> Play:
    """Games of which this bot wins three of four."""

    def win(task: GameTask) -> GameRecord:
        other = next(bot.name for bot in task.bots if bot.name != name)
        return won_by(name if task.seed % 4 else other)(task)

    return win


def test_a_test_that_is_resumed_ends_as_if_it_had_not_been_stopped(store: Store) -> None:
    test = plan(bots=["a=random", "b=random"], sprt={"elo1": 100}, num_groups=None, seed=4)
    whole, parts = (begin_ladder(store, name, test) for name in ("whole", "parts"))
    watched: list[Progress] = []

    def watch(progress: Progress) -> None:
        if progress.num_games == 7:
            signal.raise_signal(signal.SIGINT)

    run_ladder(parts, FakeExecutor(mostly("a"), any_of()), watch=watch)
    for ladder in (whole, parts):
        run_ladder(ladder, FakeExecutor(mostly("a")), watch=watched.append)
    assert watched[-1].sprt == read_summary(whole).test[-1]


def test_a_test_does_not_go_on_without_a_game(store: Store) -> None:
    ladder = begin_ladder(store, "hole", plan(bots=["a=random", "b=random"], sprt={}))
    with pytest.raises(LadderError, match="the test can't continue without game"):
        run_ladder(ladder, FakeExecutor(breaking(MAX_ATTEMPTS, play, only="0000001")))
    assert ladder.state is LadderState.STOPPED


def test_a_test_without_a_verdict_ends_with_its_groups(store: Store) -> None:
    test = plan(bots=["a=random", "b=random"], sprt={}, num_groups=3)
    ending = run_ladder(begin_ladder(store, "short", test), FakeExecutor())
    assert ending == Ending(LadderState.FINISHED, "all games are played")


def test_no_ladder_but_a_test_has_a_status(store: Store) -> None:
    watched: list[Progress] = []
    run_ladder(begin_ladder(store, "plain", plan()), FakeExecutor(), watch=watched.append)
    assert watched[-1].sprt is None


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
