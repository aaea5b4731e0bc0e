"""Games that are written down and may break, and bots that do, for workers of any kind."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from kingmaker.cext.game import Game
from kingmaker.ladder.bots import SeatedBot, start_bot
from kingmaker.ladder.model import Bot, GameRecord, GameTask
from kingmaker.ladder.play import play
from kingmaker.search.position import Observation
from kingmaker.tasks.model import InfrastructureError


@dataclass(frozen=True)
class Toy:
    """Plays a game, and notes its begin and end.

    Attributes:
        diary: a file; each line is `begin` or `end`, the id of the game and that of the process.
        seconds: that each game takes longer.
        breaking: id of the game that breaks the first time.
        fault: how it breaks: `killed`, `refused`, `starved` or `wrong`.
    """

    diary: Path
    seconds: float = 0.0
    breaking: str = ""
    fault: str = "killed"

    def __call__(self, task: GameTask) -> GameRecord:
        self._note("begin", task)
        if task.id == self.breaking and begun(self.diary)[task.id] == 1:
            self._break()
        time.sleep(self.seconds)
        record = play(task)
        self._note("end", task)
        return record

    def _note(self, event: str, task: GameTask) -> None:
        with self.diary.open("a") as diary:  # a short line is written at once
            diary.write(f"{event} {task.id} {os.getpid()}\n")

    def _break(self) -> None:
        match self.fault:
            case "killed":
                time.sleep(0.3)  # so that the games before have arrived: it is in mid-game
                os.kill(os.getpid(), signal.SIGKILL)
            case "refused":
                raise InfrastructureError("bot_did_not_start", "no answer")
            case "starved":
                raise MemoryError
        raise RuntimeError("this is wrong")


@dataclass(frozen=True)
class Deadly:
    """Plays a game in which one bot does not survive one of its decisions.

    Attributes:
        bot: its name.
        fault: what it does: `hangs`, `crashes`, `exits` or `is killed`.
        decision: which one, from 1.
    """

    bot: str
    fault: str
    decision: int = 2

    def __call__(self, task: GameTask) -> GameRecord:
        return play(task, self.start)

    def start(self, bot: Bot, game: Game) -> SeatedBot:
        seated = start_bot(bot, game)
        return _Doomed(seated, self) if bot.name == self.bot else seated


class _Doomed:
    def __init__(self, bot: SeatedBot, doom: Deadly) -> None:
        self._bot = bot
        self._doom = doom
        self._num_decisions = 0

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> str:
        self._num_decisions += 1
        if self._num_decisions == self._doom.decision:
            _die(self._doom.fault)
        move = self._bot.select(observation, left_ms, think_ms, seed)
        assert isinstance(move, str)
        return move

    def close(self) -> None:
        self._bot.close()


def _die(fault: str) -> None:
    match fault:
        case "crashes":
            faulthandler.disable()
            os.kill(os.getpid(), signal.SIGSEGV)
        case "exits":
            os._exit(3)
        case "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(600)


def begun(diary: Path) -> Counter[str]:
    """Count how often each game was begun."""
    return Counter(task_id for event, task_id, _ in entries(diary) if event == "begin")


def ended(diary: Path) -> Counter[str]:
    """Count how often each game was played to the end."""
    return Counter(task_id for event, task_id, _ in entries(diary) if event == "end")


def players(diary: Path) -> set[int]:
    """Collect the processes that have played."""
    return {int(process) for _, _, process in entries(diary)}


def entries(diary: Path) -> list[list[str]]:
    """Read all lines that are whole."""
    text = diary.read_text() if diary.exists() else ""
    return [line.split() for line in text.splitlines(keepends=True) if line.endswith("\n")]


def is_alive(process: int) -> bool:
    """Tell whether a process runs; one that is dead but not buried does not."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_until_dead(processes: set[int], seconds: float = 20.0) -> bool:
    """Wait until none of these processes runs."""
    end = time.monotonic() + seconds
    while any(map(is_alive, processes)):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
