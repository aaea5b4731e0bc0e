"""Tasks, and work that is written down and may break, for workers of any kind."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from kingmaker.batch.tasks import AnalysisTask, TaskResult, analysis_task, run
from kingmaker.search.position import new_game


@dataclass(frozen=True)
class Diary:
    """Runs tasks, and notes begin and end of each.

    Attributes:
        path: of a file; each line is `begin` or `end`, the id of the task and that of the process.
        seconds: that each task takes longer.
        breaking: id of a task that kills its worker.
        times: how often it does that.
    """

    path: Path
    seconds: float = 0.0
    breaking: str = ""
    times: int = 1

    def __call__(self, task: AnalysisTask) -> TaskResult:
        self._note("begin", task)
        if task.id == self.breaking and self.begun()[task.id] <= self.times:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(self.seconds)
        result = run(task)
        self._note("end", task)
        return result

    def begun(self) -> Counter[str]:
        """Count how often each task was begun."""
        return self._count("begin")

    def ended(self) -> Counter[str]:
        """Count how often each task was run to its end."""
        return self._count("end")

    def lines(self) -> list[list[str]]:
        """Read all lines that are whole."""
        text = self.path.read_text() if self.path.exists() else ""
        return [line.split() for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def _count(self, event: str) -> Counter[str]:
        return Counter(line[1] for line in self.lines() if line[0] == event)

    def _note(self, event: str, task: AnalysisTask) -> None:
        with self.path.open("a") as diary:  # a short line is written at once
            diary.write(f"{event} {task.id} {os.getpid()}\n")


def searches(number: int) -> list[AnalysisTask]:
    """Make different small analyses."""
    observation = new_game("tic_tac_toe").observe(1)
    return [analysis_task(observation, simulations=20, seed=seed) for seed in range(number)]
