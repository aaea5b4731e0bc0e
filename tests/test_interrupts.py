"""Ctrl-C ends long loops without the GIL, and the commands that run them."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
from numpy.random import SFC64

from kingmaker.benchmarks import playout_policy, prior_net
from kingmaker.benchmarks.playout_policy import ending_quietly
from kingmaker.benchmarks.prior_net import Learner, first_weights, net_of, plain_game
from kingmaker.search.cfr import CfrSolver
from kingmaker.search.policy_gradient import PolicyGradient
from kingmaker.search.position import new_game
from tests.interrupts import interrupted

FOREVER = 10**9
GAME = plain_game("hearts", {})
NET = net_of(GAME, first_weights(GAME, (4, 4), 1), {})
KUHN, LARGE = new_game("kuhn_poker"), new_game("goofspiel", {"cards": 5})
SOLVER = CfrSolver(KUHN.game, KUHN.state, 1 << 20)
SOLVER.build()


@pytest.mark.parametrize(
    "work",
    [
        lambda: GAME.playouts(GAME.start_state(), SFC64(1), FOREVER),
        lambda: GAME.policy_games(SFC64(1), FOREVER),
        lambda: PolicyGradient(GAME).play(NET, SFC64(1), FOREVER),
        lambda: SOLVER.run(),
        lambda: CfrSolver(LARGE.game, LARGE.state, 1 << 28).build(),
    ],
    ids=["playouts", "policy_games", "policy_gradient", "cfr", "tree"],
)
def test_an_interrupt_ends_work_without_the_gil(work: Callable[[], object]) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(work)


def test_a_solver_goes_on_after_an_interrupt() -> None:
    solvers = [CfrSolver(KUHN.game, KUHN.state, 1 << 20) for _ in range(2)]
    for solver in solvers:
        solver.build()
    with pytest.raises(KeyboardInterrupt):
        interrupted(solvers[0].run)
    iterations = solvers[0].iterations + 9
    for solver in solvers:
        solver.run(iterations)
    assert solvers[0].nash_conv == solvers[1].nash_conv
    assert solvers[0].values() == solvers[1].values()


def test_games_on_another_thread_end_when_they_are_cancelled() -> None:
    teacher = PolicyGradient(GAME)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(teacher.play, NET, SFC64(1), FOREVER)
        teacher.cancel()
        with pytest.raises(RuntimeError, match="these games were cancelled"):
            running.result(10)


def test_an_interrupt_while_threads_begin_ends_their_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They would play on, and the process wait for them at its end."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    learner = Learner([[GAME], [GAME]], first_weights(GAME, (4, 4), 1), 0.8, 0.001, 1)
    monkeypatch.setattr(learner.threads, "map", interrupt)
    with pytest.raises(KeyboardInterrupt):
        learner.step(4, 0.1)
    for [teacher] in learner.teachers:
        with pytest.raises(RuntimeError, match="these games were cancelled"):
            teacher.play(NET, SFC64(1), 1)


@pytest.mark.parametrize("command", [playout_policy, prior_net])
def test_a_command_that_learns_ends_quietly(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["command", "hearts", "--games", str(FOREVER)])
    with pytest.raises(SystemExit) as ended, ending_quietly():
        interrupted(command.main)
    assert ended.value.code == 128 + signal.SIGINT
