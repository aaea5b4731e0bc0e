"""A task of a batch as a job of the pool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kingmaker.batch.tasks import AnyTask, TaskResult
from kingmaker.search.analysis import Analysis, Budget, StopReason


@dataclass(frozen=True, slots=True)
class TaskJob:
    """Run a task.

    Attributes:
        task: what to run.
    """

    task: AnyTask

    kind = None

    @property
    def budget(self) -> Budget:
        """Limits of the search."""
        return self.task.budget

    @property
    def game_name(self) -> str:
        """Name of the game."""
        return self.task.game

    def begin(self) -> Any:
        """Create the search."""
        return self.task.begin()

    def answer(self, search: Any, found: Any) -> TaskResult:
        """Return the result; without a text if it was ended early, as the server shuts down."""
        if isinstance(found, Analysis) and found.stop_reason is StopReason.CANCELLED:
            return TaskResult(self.task.id, "")
        return self.task.result(found)

    def effort(self, found: object) -> None:
        """None: a result is a line, which keeps what was searched to itself."""
