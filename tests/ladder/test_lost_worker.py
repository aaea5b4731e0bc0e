"""A ladder on a cluster goes on when a worker is lost, and ends when all or the scheduler are."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import pytest

from kingmaker.ladder.coordinator import Progress, Watch, begin_ladder, run_ladder
from kingmaker.ladder.errors import LadderError
from kingmaker.ladder.executors import play_on_cluster
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Store
from kingmaker.tasks import cluster as cluster_module

pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PATIENCE_SECONDS = 100.0
PLAN = LadderPlan.of(
    game="connect_four",
    bots=["a=mcts:simulations=300", "b=mcts:simulations=100"],
    num_groups=60,
    seed=4,
)


class Cluster:
    """A scheduler and two workers that nobody restarts, each a program of its own."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._stack = stack
        self._folder = folder
        flags = ("--host", "127.0.0.1", "--port", "0")
        self.scheduler = self._run("scheduler", "dask_scheduler", *flags)
        self.address = self._find("scheduler", r"Scheduler at:\s*(tcp://\S+)")
        self.workers = [self._worker(name) for name in ("one", "two")]

    def _worker(self, name: str) -> subprocess.Popen[bytes]:
        worker = self._run(name, "dask_worker", self.address, "--nthreads", "1", "--no-nanny")
        self._find(name, r"Registered to:\s*(tcp://\S+)")
        return worker

    def _run(self, name: str, module: str, *flags: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *flags, "--no-dashboard"]
        log = self._stack.enter_context((self._folder / name).open("wb"))
        process = self._stack.enter_context(
            subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=subprocess.STDOUT)
        )
        self._stack.callback(process.kill)
        return process

    def _find(self, name: str, pattern: str) -> str:
        end = monotonic() + PATIENCE_SECONDS
        while monotonic() < end:
            if found := re.search(pattern, (self._folder / name).read_text()):
                return found[1]
            sleep(0.1)
        raise AssertionError((self._folder / name).read_text())


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path, stack)


def killing(*workers: subprocess.Popen[bytes], at: int) -> Watch:
    """Watch a ladder, and kill workers when it has so many games."""

    def watch(progress: Progress) -> None:
        if progress.num_games >= at:
            for worker in workers:
                worker.send_signal(signal.SIGKILL)

    return watch


def test_a_ladder_ends_when_it_is_finished_though_a_worker_was_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    with Store(str(tmp_path / "ladder.sqlite")) as store, play_on_cluster(cluster.address) as them:
        ladder = begin_ladder(store, "lost", PLAN)
        watch = killing(cluster.workers[0], at=20)
        assert run_ladder(ladder, them, watch=watch).state is LadderState.FINISHED
        assert ladder.num_games == 120
    assert cluster.workers[0].wait(PATIENCE_SECONDS) == -signal.SIGKILL
    assert cluster.workers[1].poll() is None


def test_a_ladder_ends_when_all_workers_are_lost(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "MAX_IDLE_SECONDS", 3.0)
    with Store(str(tmp_path / "ladder.sqlite")) as store, play_on_cluster(cluster.address) as them:
        ladder = begin_ladder(store, "alone", PLAN)
        with pytest.raises(LadderError, match="has had no worker for 3 s"):
            run_ladder(ladder, them, watch=killing(*cluster.workers, at=20))
        assert ladder.state is LadderState.STOPPED
        assert 20 <= ladder.num_games < 120


def test_a_ladder_ends_when_the_scheduler_is_lost(cluster: Cluster, tmp_path: Path) -> None:
    with Store(str(tmp_path / "ladder.sqlite")) as store, play_on_cluster(cluster.address) as them:
        ladder = begin_ladder(store, "headless", PLAN)
        with pytest.raises(LadderError, match="the Dask scheduler is gone"):
            run_ladder(ladder, them, watch=killing(cluster.scheduler, at=20))
        assert ladder.state is LadderState.STOPPED
        assert 20 <= ladder.num_games < 120
