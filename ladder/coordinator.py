"""Runs a ladder: submits games, stores results, repeats games that broke, decides when to end.

There are no rounds. The executor decides how many games are in hand, from as many groups as that
takes, so that a slow bot delays only its own games. Results are stored before they are reported; a
ladder that was killed is resumed by the same call, which plays the games that are not stored.

A fault of the infrastructure becomes a run report, and the game is played again, at most
`MAX_ATTEMPTS` times. A game that breaks the engine contract is given up at once, as it has to be
mended. A bot is blamed for lost workers if that can't be chance: it loses the game when a worker
has crashed twice during its decisions, or when in all attempts a worker was killed at the same
decision.

A sequential test takes the groups in the order of their numbers, not of their completion: short
games finish first and differ from the others, and the verdict must not depend on the speed of bots.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count

from kingmaker.cext.errors import InputError
from kingmaker.cext.words import counted
from kingmaker.tasks.executors import ExecutorError
from kingmaker.tasks.model import CONTRACT_BROKEN, InfrastructureError, RunReport
from kingmaker.tasks.retries import MAX_ATTEMPTS, MAX_FAULTS, Retries
from kingmaker.tasks.stopping import stop_signals

from .bots import start_bot
from .errors import LadderError
from .executors import GameExecutor, Outcome, Suspicion
from .model import Bot, GameRecord, GameTask
from .openings import default_plies
from .pairing import Group, Swiss
from .plan import LadderPlan, check_name
from .race import Race, RaceStatus
from .records import LadderState
from .remote import Patience
from .results import MirroredGroup, Repeats, Result
from .specs import parse_spec
from .sprt import SprtStatus
from .store import Ladder, Store
from .words import one_line

MAX_CRASHES = 2  # of a game's workers during decisions of one bot
PROBE_SECONDS = 10.0  # for the servers of all bots to answer
MAX_PROBES = 32  # at the same time
MAX_REPEATED = 100  # groups in a row that say nothing new, until a test ends without a verdict
POLL_SECONDS = 0.2  # longest delay until a signal is noticed


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a ladder.

    Attributes:
        num_games: stored.
        total_games: most games; None: unlimited.
        num_in_play: submitted, of which some may wait for a worker.
        num_given_up: games that broke `MAX_ATTEMPTS` times, or broke the engine contract.
        new_results: since the last call; at the first call all stored results.
        new_reports: since the last call.
        sprt: status of the test, if there is one.
        state: see `LadderState`.
        race: status of the race for the best bot, if there is one.
    """

    num_games: int
    total_games: int | None
    num_in_play: int
    num_given_up: int
    new_results: tuple[Result, ...]
    new_reports: tuple[RunReport, ...]
    sprt: SprtStatus | None
    state: LadderState
    race: RaceStatus | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run of a ladder ended.

    Attributes:
        state: finished or stopped.
        reason: in a sentence.
    """

    state: LadderState
    reason: str


Watch = Callable[[Progress], None]


def begin_ladder(store: Store, name: str, plan: LadderPlan, owner: str = "") -> Ladder:
    """Add a ladder to a store; `run_ladder` plays it.

    Args:
        store: of the ladder.
        name: unique in the store.
        plan: what it plays.
        owner: see `Ladder`.

    Raises:
        InputError: the name is taken or not valid.
        StoreError: the database fails.
    """
    check_name(name)
    begun = plan.model_copy(update={"rules_version": plan.rules.rules_version})
    if plan.openings is None and not plan.book:
        begun = begun.model_copy(update={"openings": default_plies(plan.rules)})
    return store.create_ladder(name, begun.to_json(), owner)


def run_ladder(
    ladder: Ladder,
    executor: GameExecutor,
    *,
    watch: Watch | None = None,
    stop: threading.Event | None = None,
) -> Ending:
    """Play the missing games of a ladder until it ends or is stopped by SIGINT, SIGTERM or `stop`.

    It handles these signals only when called in the main thread. Games that are
    in hand when it stops are dropped, and played when it is resumed.

    Args:
        ladder: new, stopped, or interrupted by the death of its process.
        executor: plays the games; must have none in hand.
        watch: called with the progress, in this thread: at the start, after each batch of games is
            stored, and at the end.
        stop: stops the ladder when set, by any thread.

    Raises:
        InputError: the rules of the game have changed since the ladder was begun.
        StateError: another process plays it.
        LadderError: a bot's server does not answer, too many games break, or the executor fails.
        StoreError: the database can't be read or written; reported results are stored.
    """
    plan = LadderPlan.of(**ladder.plan)
    _check_rules(plan)
    check_servers(plan, stop)
    with ladder.playing(), stop_signals() as received:

        def why_stop() -> str:
            if received:
                return f"stopped by {received[0]}"
            return "stopped" if stop is not None and stop.is_set() else ""

        coordinator = _Coordinator(ladder, plan, executor, watch or (lambda progress: None))
        try:
            return coordinator.run(why_stop)
        finally:
            executor.cancel()


def check_servers(plan: LadderPlan, stop: threading.Event | None = None) -> None:
    """Check that the servers of all bots answer, all at once within `PROBE_SECONDS`.

    Args:
        plan: with the bots.
        stop: ends the check when set, by any thread.

    Raises:
        LadderError: a server does not answer; its `message` does not depend on what did.
    """
    patience = Patience(PROBE_SECONDS, stop)

    def check(bot: Bot) -> None:
        try:
            start_bot(bot, plan.rules, patience).close()
        except InfrastructureError as error:
            raise LadderError(
                f"bot {bot.name} can't play: {parse_spec(bot.spec).address} does not answer as it "
                "should",
                one_line(error.detail),
            ) from error

    remote = {bot.spec: bot for bot in plan.bots if parse_spec(bot.spec).address}
    if remote:
        with ThreadPoolExecutor(min(len(remote), MAX_PROBES)) as pool:
            list(pool.map(check, remote.values()))


def _check_rules(plan: LadderPlan) -> None:
    now = plan.rules.rules_version
    if plan.rules_version not in ("", now):
        raise InputError(
            f"the ladder was begun with rules version {plan.rules_version} of {plan.game}; this is "
            f"version {now}: begin a new one",
            field="rules_version",
            value=plan.rules_version,
        )


class _Groups:
    """The state of each group: its bots, the results for the pairing, and the test.

    Attributes:
        begun: the bots of each group that was begun, by seat in rotation 0.
        sprt: status of the test, if there is one.
        num_repeated: the latest groups that all repeat earlier ones.
    """

    def __init__(self, plan: LadderPlan, pairing: Swiss | Race | None = None) -> None:
        self.begun: dict[int, tuple[str, ...]] = {}
        self._pairing = pairing
        self._num_seats = plan.num_seats
        self._games: defaultdict[int, list[Result]] = defaultdict(list)
        self._challenger = plan.bots[0].name
        self._test = plan.test()
        self._num_tested = 0
        self._untested: dict[int, MirroredGroup] = {}  # after a group that lacks
        self._repeats = None if plan.has_chance else Repeats()
        self.num_repeated = 0
        self.sprt = None if self._test is None else self._test.status()

    def begin(self, index: int, bots: tuple[str, ...]) -> None:
        """Record that a group is begun; `bots` by seat in rotation 0."""
        if index not in self.begun:
            self.begun[index] = bots
            if self._pairing is not None:
                self._pairing.begin(bots)

    def add(self, result: Result) -> None:
        """Record a finished game."""
        index = int(result.group)
        games = self._games[index]
        games.append(result)
        if len(games) < self._num_seats:
            return
        group = MirroredGroup(result.group, tuple(self._games.pop(index)))
        if self._pairing is not None:
            self._pairing.finish(self.begun[index], group.share(self.begun[index][0]))
        if self._test is not None or isinstance(self._pairing, Race):
            self._untested[index] = group
            self._go_on()

    def _go_on(self) -> None:
        """Feed test or race the groups that follow complete ones, until it has its verdict."""
        while self._num_tested in self._untested:
            group = self._untested.pop(self._num_tested)
            self._num_tested += 1
            if self._repeats is not None and self._repeats.has(group):
                self.num_repeated += 1
                continue
            self.num_repeated = 0
            if isinstance(self._pairing, Race):
                self._pairing.count(group.seating, group.share(group.seating[0]))
            if self._test is not None and self.sprt and self.sprt.verdict is None:
                self.sprt = self._test.add(group.share(self._challenger))


class _Coordinator:
    """One run of a ladder."""

    def __init__(
        self, ladder: Ladder, plan: LadderPlan, executor: GameExecutor, watch: Watch
    ) -> None:
        self._ladder = ladder
        self._plan = plan
        self._executor = executor
        self._watch = watch
        self._schedule = plan.schedule()
        self._race = self._schedule if isinstance(self._schedule, Race) else None
        self._adaptive = self._schedule if isinstance(self._schedule, Swiss) else self._race
        self._groups = _Groups(plan, self._adaptive)
        self._stored: set[str] = set()
        self._new_results: list[Result] = []
        self._new_reports: list[RunReport] = []
        self._tasks = self._unplayed()
        self._is_exhausted = False
        self._in_play: dict[str, GameTask] = {}
        self._retries: Retries[GameTask] = Retries()
        self._faults: defaultdict[str, list[RunReport | Suspicion]] = defaultdict(list)
        self._given_up = Counter[str]()  # by reason
        self._latest_fault = ""  # of a game that is given up
        self._num_faults = 0  # since the last game

    def run(self, why_stop: Callable[[], str]) -> Ending:
        """Play until the ladder ends or is stopped."""
        self._ladder.state = LadderState.RUNNING
        self._read_ledger()
        self._tell(LadderState.RUNNING)
        try:
            while (ending := self._ending(why_stop())) is None:
                self._hand_out()
                outcomes = self._executor.completed(POLL_SECONDS)
                self._take(outcomes, is_stopping=bool(why_stop()))
        except LadderError:
            self._ladder.state = LadderState.STOPPED
            raise
        except ExecutorError as error:
            self._ladder.state = LadderState.STOPPED
            raise LadderError(str(error)) from error
        self._ladder.state = ending.state
        self._tell(ending.state)
        return ending

    def _read_ledger(self) -> None:
        """Load the stored results."""
        for game in self._ladder.summaries():
            task = game.task
            bots = tuple(bot.name for bot in task.bots)
            first = len(bots) - task.rotation  # the seat of the first bot of rotation 0
            self._groups.begin(int(task.group), (*bots[first:], *bots[:first]))
            self._note(task, game.returns, game.line)

    def _note(self, task: GameTask, returns: tuple[float, ...], line: str) -> None:
        """Count a stored game."""
        result = Result(task.group, tuple(bot.name for bot in task.bots), returns, line)
        self._stored.add(task.id)
        self._groups.add(result)
        self._new_results.append(result)

    def _unplayed(self) -> Iterator[GameTask]:
        """Yield the games that are not stored."""
        for index in count():
            try:
                group = self._group(index)
            except IndexError:
                return
            self._groups.begin(index, group.bots)
            yield from (task for task in self._plan.tasks(group) if task.id not in self._stored)

    def _group(self, index: int) -> Group:
        """Return a group; one that was begun keeps its bots."""
        begun = self._groups.begun
        if self._adaptive is not None and index in begun:
            return self._adaptive.again(index, begun[index])
        group = self._schedule.group(index)
        return replace(group, bots=begun[index]) if index in begun else group

    def _hand_out(self) -> None:
        """Fill the executor up with games."""
        for _ in range(self._executor.capacity - len(self._in_play)):
            task = self._next_task()
            if task is None:
                return
            self._in_play[task.id] = task
            self._executor.submit(task)

    def _next_task(self) -> GameTask | None:
        if (due := self._retries.pop_due()) is not None:
            return due
        task = next(self._tasks, None)
        self._is_exhausted = task is None
        return task

    def _take(self, outcomes: list[Outcome], *, is_stopping: bool) -> None:
        """Store finished games and run reports, then report them."""
        self._store([outcome for outcome in outcomes if isinstance(outcome, GameRecord)])
        if not is_stopping:  # the signal may have killed the workers as well
            for outcome in outcomes:
                if not isinstance(outcome, GameRecord):
                    self._mend(outcome)
        if outcomes:
            self._tell(LadderState.RUNNING)

    def _store(self, records: list[GameRecord]) -> None:
        """Store games, then count them."""
        if not records:
            return
        self._ladder.add_all(records)
        self._num_faults = 0
        for record in records:
            del self._in_play[record.task.id]
            self._note(record.task, record.returns, record.line)

    def _mend(self, fault: RunReport | Suspicion) -> None:
        """Store a run report, and repeat the game unless a bot is to blame."""
        report = fault.report if isinstance(fault, Suspicion) else fault
        report = replace(report, detail=one_line(report.detail))
        self._ladder.add_report(report)
        self._new_reports.append(report)
        faults = self._faults[report.task_id]
        faults.append(fault)
        if record := _lost_by_a_bot(faults):
            self._store([record])
            return
        task = self._in_play.pop(report.task_id)
        if self._retries.add(task, len(faults), report.kind):
            if isinstance(fault, Suspicion) and fault.has_crashed:
                return  # the next crash decides: a bot that crashes all workers must not stop us
        else:
            self._give_up(report)
        self._num_faults += 1
        if self._num_faults >= max(MAX_FAULTS, self._executor.capacity):
            raise LadderError(f"{self._num_faults} faults in a row", report.detail)

    def _give_up(self, report: RunReport) -> None:
        is_breach = report.kind == CONTRACT_BROKEN
        why = "broke the engine contract" if is_breach else f"broke {MAX_ATTEMPTS} times"
        if self._plan.sprt is not None or self._race is not None:
            raise LadderError(
                f"the test can't continue without game {report.task_id}, which {why}",
                report.detail,
            )
        self._given_up[why if is_breach else f"{why} each"] += 1
        self._latest_fault = report.detail

    def _ending(self, why_stop: str) -> Ending | None:
        """Return the end of the ladder, if it has come, with its reason."""
        sprt = self._groups.sprt
        if sprt is not None and sprt.verdict is not None:
            return Ending(LadderState.FINISHED, f"the test accepts {sprt.verdict}")
        if self._race is not None and self._race.is_decided:
            return Ending(LadderState.FINISHED, f"the best is {self._race.status().pick}")
        if self._groups.num_repeated >= MAX_REPEATED:
            return Ending(
                LadderState.STOPPED,
                f"the latest {MAX_REPEATED} groups all repeat earlier ones, so more would say "
                "nothing new; a ladder with more --openings has other games",
            )
        if why_stop:
            return Ending(LadderState.STOPPED, why_stop)
        if not self._is_exhausted or self._in_play or self._retries:
            return None
        if self._given_up:
            given_up = " and ".join(
                f"{counted(number, 'game')} {why}" for why, number in self._given_up.items()
            )
            return Ending(
                LadderState.STOPPED,
                f"{given_up}, which can be resumed; the latest: {self._latest_fault}",
            )
        return Ending(LadderState.FINISHED, "all games are played")

    def _tell(self, state: LadderState) -> None:
        """Report the news to the watcher."""
        progress = Progress(
            num_games=len(self._stored),
            total_games=self._plan.total_games,
            num_in_play=len(self._in_play),
            num_given_up=self._given_up.total(),
            new_results=tuple(self._new_results),
            new_reports=tuple(self._new_reports),
            sprt=self._groups.sprt,
            state=state,
            race=None if self._race is None else self._race.status(),
        )
        self._new_results.clear()
        self._new_reports.clear()
        self._watch(progress)


def _lost_by_a_bot(faults: Sequence[RunReport | Suspicion]) -> GameRecord | None:
    """Return a game as lost by a bot if its broken attempts can't be chance."""
    last = faults[-1]
    if not isinstance(last, Suspicion):
        return None
    same = [each for each in faults if isinstance(each, Suspicion) and _are_alike(each, last)]
    return last.record if len(same) >= (MAX_CRASHES if last.has_crashed else MAX_ATTEMPTS) else None


def _are_alike(one: Suspicion, other: Suspicion) -> bool:
    """Whether two losses point to one bot: crashes at any decision of it, kills at the same one."""
    if one.record.culprit != other.record.culprit or one.has_crashed != other.has_crashed:
        return False
    return one.has_crashed or len(one.record.moves) == len(other.record.moves)
