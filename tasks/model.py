"""Tasks and what becomes of them.

A task is plain data from which its result follows: whoever runs it, and wherever, gets the same.
So a task that was lost is run again, and its result is stored once, by its id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from kingmaker.cext.errors import ContractError

CONTRACT_BROKEN = "contract_broken"
"""Kind of the run report of a game that breaks the engine contract: its author has to mend it."""


class Task(Protocol):
    """Plain data that can be sent to other processes."""

    @property
    def id(self) -> str:
        """The key of the task: 32 hex digits, a digest of all that its result depends on."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """A fault of the infrastructure or of a game: no result; the task is run again if that helps.

    Attributes:
        task_id: of the task that was running.
        kind: `worker_lost`, `out_of_memory`, `bot_did_not_start`, `paused`, `CONTRACT_BROKEN` or
            `error`.
        detail: what happened, in a sentence.
        at: ISO 8601, UTC.
    """

    task_id: str
    kind: str
    detail: str
    at: str


class InfrastructureError(Exception):
    """A task could not be run, which says nothing of its result.

    Attributes:
        kind: as in `RunReport`.
        detail: what happened, in a sentence.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail


TaskT = TypeVar("TaskT", bound=Task)
Result = TypeVar("Result")


def report_of(task: Task, kind: str, detail: str) -> RunReport:
    """Return the run report of a task that has just broken."""
    return RunReport(task.id, kind, detail, datetime.now(UTC).isoformat(timespec="milliseconds"))


def run_or_report(work: Callable[[TaskT], Result], task: TaskT) -> Result | RunReport:
    """Run a task; every exception becomes a run report."""
    try:
        return work(task)
    except InfrastructureError as error:
        return report_of(task, error.kind, error.detail)
    except MemoryError as error:
        return report_of(task, "out_of_memory", str(error) or "there is not enough memory")
    except ContractError as error:
        return report_of(task, CONTRACT_BROKEN, str(error))
    except Exception as error:
        return report_of(task, "error", f"{type(error).__name__}: {error}")
