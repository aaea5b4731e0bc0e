"""The executors of games, with a watch on the bots in local workers.

A bot inside a worker may block it for ever, or crash it. The process that started the worker reads
from the journal whose decision it was. A bot that has not answered `HANG_SECONDS` after the end of
its clock has lost, and the worker is killed. A bot whose decision it was when the worker died is
only suspected: the cause may be another. On a cluster there is no such watch.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from kingmaker.cext.errors import InputError
from kingmaker.tasks.cluster import DaskExecutor
from kingmaker.tasks.executors import Executor
from kingmaker.tasks.local import CONTEXT, LocalExecutor, ending_of
from kingmaker.tasks.model import InfrastructureError, RunReport, report_of

from .journal import JOURNAL, Journal, OpenDecision
from .model import Cause, GameRecord, GameTask
from .pauses import HEARTBEAT
from .play import broken_off, play

HANG_SECONDS = 5.0  # beyond its clock; an answer within them is judged by the worker
# Signals that end a process from outside: by a person, or by Linux when memory runs out.
KILLS = {
    getattr(signal, name)
    for name in ("SIGHUP", "SIGINT", "SIGKILL", "SIGQUIT", "SIGTERM")
    if hasattr(signal, name)
}


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The loss of a worker during a bot's decision, through chance, the machine or the bot.

    Attributes:
        report: of the fault.
        record: the game, if the bot is to blame.
        has_crashed: whether the worker ended itself; otherwise it was killed.
    """

    report: RunReport
    record: GameRecord
    has_crashed: bool


Play = Callable[[GameTask], GameRecord]
Played = GameRecord | Suspicion
Outcome = Played | RunReport
GameExecutor = Executor[GameTask, Played]


def play_here(num_workers: int | None = None, play: Play = play) -> LocalExecutor[GameTask, Played]:
    """Start processes of this machine that play games; as `LocalExecutor`."""
    return LocalExecutor(play, num_workers, GameWatch)


def play_on_cluster(
    address: str = "", *, num_workers: int | None = None, play: Play = play
) -> DaskExecutor[GameTask, Played]:
    """Connect to a cluster that plays games; as `DaskExecutor`."""
    return DaskExecutor(play, address, num_workers=num_workers)


class GameWatch:
    """The game in a worker, by the journal that it keeps."""

    def __init__(self) -> None:
        self._journal = Journal(CONTEXT)

    @property
    def open_decision(self) -> OpenDecision | None:
        """The pending decision; None between two decisions."""
        return self._journal.open_decision

    def enter(self) -> None:
        """Let the games of this process keep the journal."""
        JOURNAL.set(self._journal)

    def begin(self) -> None:
        """Forget the game before."""
        self._journal.begin()
        HEARTBEAT.start()

    def is_overdue(self) -> bool:
        """Whether a bot hangs.

        When this process was stopped too, as all of a terminal are by Ctrl-Z, its pauses are not
        the bot's time.
        """
        decision = self._journal.open_decision
        if decision is None:
            return False
        paused = HEARTBEAT.paused_seconds(decision.began)
        return monotonic() > decision.deadline + HANG_SECONDS + paused

    def hung(self, task: GameTask) -> Outcome:
        """Return the game that a bot loses because it hung."""
        decision = self._journal.open_decision
        if decision is None:  # it has answered after all, but its worker is dead
            return report_of(task, "worker_lost", "a bot hung, and its worker was killed")
        seconds = decision.deadline - decision.began
        detail = f"p{decision.seat} had {seconds:.3f} s and never answered; its worker was killed"
        return self._broken_off(task, decision, Cause.TIMED_OUT, detail) or report_of(
            task, "worker_lost", f"p{decision.seat} hung, and its worker was killed"
        )

    def lost(self, task: GameTask, report: RunReport, exit_code: int) -> Outcome:
        """Suspect the bot that the worker was waiting for."""
        decision = self._journal.open_decision
        if decision is None:
            return report
        detail = (
            f"its worker {ending_of(exit_code)} during a decision of p{decision.seat}, "
            "not for the first time"
        )
        record = self._broken_off(task, decision, Cause.CRASHED, detail)
        return report if record is None else Suspicion(report, record, -exit_code not in KILLS)

    def _broken_off(
        self, task: GameTask, decision: OpenDecision, cause: Cause, detail: str
    ) -> GameRecord | None:
        """Return the game that a bot lost with its worker; None if the journal is incomplete."""
        moves = self._journal.moves
        if moves is None:
            return None
        last_ms = (monotonic() - decision.began) * 1000
        with suppress(InfrastructureError, InputError):
            return broken_off(task, moves, cause, decision.seat, detail, last_ms)
        return None
