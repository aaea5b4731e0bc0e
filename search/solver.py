"""Solving a position: its exact value, a bound, or an equilibrium.

Three methods, see `Method`. A proof by expectimax takes a full state and searches it with all hands
open; an equilibrium takes a full state or an observation, and solves the whole game from the
latest state without hidden information. Unlike `kingmaker.search.run.Search` this is for authors
and researchers, not for play: the answer to a full position uses everything in it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Protocol

from kingmaker.cext.errors import (
    InputError,
    StateError,
    check_range,
    check_whole,
    shown,
    wrong_type,
)

from .analysis import SLICE_MILLISECONDS, StopReason, check_flag, deadline_of
from .engine_options import config_hash
from .equilibrium import DEFAULT_TARGET, MAX_TARGET, MIN_TARGET, EquilibriumTask
from .expectimax import MAX_DEPTH
from .position import Observation, Position
from .proof import ProofTask
from .solution import Limits, Method, Solution
from .worlds import sample_worlds

WORLD_SEED = 1
METHOD_NAMES = ", ".join(method.value for method in Method)


class Solver:
    """A solver that can be run at once or in steps, watched and cancelled.

    Args:
        subject: the position, or an observation of it.
        limits: time, nodes and memory; time counts from the first step.
        method: how to solve, or its name; None: a proof for games without hidden information, else
            an equilibrium.
        depth: plies to search, chance included, for LIMITED; None: as deep as the limits allow.
        target: exploitability at which an EQUILIBRIUM is good enough, in win shares.
        include_policy: whether an EQUILIBRIUM lists its policy in every information set.

    Raises:
        InputError: an argument is out of range, or the method doesn't suit the subject.
        TypeError: an argument is of a wrong kind.
        StateError: the game is over, or has no history of the state (`Game.history`).
    """

    def __init__(
        self,
        subject: Position | Observation,
        limits: Limits | None = None,
        *,
        method: Method | str | None = None,
        depth: int | None = None,
        target: float | None = None,
        include_policy: bool = False,
    ) -> None:
        if not isinstance(subject, Position | Observation):
            raise wrong_type("subject", subject, "a position or an observation")
        if subject.is_terminal:
            raise StateError("the game is over: there is nothing to solve")
        game = subject.game
        self.subject = subject
        if limits is None:
            limits = Limits()
        elif not isinstance(limits, Limits):
            raise wrong_type("limits", limits, "Limits, such as Limits(nodes=1_000_000)")
        self.budget = limits
        if isinstance(method, str):
            method = method_of(method)
        elif not isinstance(method, Method | None):
            raise wrong_type("method", method, f"a Method or its name: {METHOD_NAMES}")
        check_flag("include_policy", include_policy)
        self.method = method or (Method.EQUILIBRIUM if game.is_hidden else Method.EXACT)
        self.is_finished = False
        self.is_cancelled = False
        _check_options(self.method, depth, target, include_policy=include_policy)
        target = DEFAULT_TARGET if target is None else target
        self._options = {"depth": depth, "target": target}
        self.seconds = 0.0
        self._reason: StopReason | None = None
        self._start_ns = 0
        self._running = Lock()
        self._task: _Task
        if self.method is Method.EQUILIBRIUM:
            self._task = EquilibriumTask(
                game,
                _state_of(subject),
                self.budget,
                target,
                shows_mover=isinstance(subject, Position) or subject.observer == subject.seat,
                include_policy=include_policy,
            )
        else:
            _check_open(subject, self.method)
            self._task = ProofTask(game, _state_of(subject), self.budget, self.method, depth)

    @property
    def config_hash(self) -> str:
        """Twelve hex digits that change with method and options."""
        return config_hash(f"solve:{self.method.value}", self._options, 1)

    def run(self) -> Solution:
        """Solve until the end, a limit or `cancel`; releases the GIL.

        Signals are handled now and then, so that Ctrl-C ends it with KeyboardInterrupt.

        Raises:
            InfeasibleError: no proof was found, or the tree of an equilibrium doesn't fit.
            RuntimeError: another thread runs this solver.
        """
        with self._alone():
            while not self.is_finished:
                self._advance(SLICE_MILLISECONDS)
            return self._task.solution(self._reason, self.seconds)

    def advance(self, milliseconds: float) -> Solution:
        """Continue solving for this time; `stop_reason` is None while it is not finished.

        Raises:
            InfeasibleError: no proof was found, or the tree of an equilibrium doesn't fit.
            RuntimeError: another thread runs this solver.
        """
        with self._alone():
            self._advance(milliseconds)
            return self._task.solution(self._reason, self.seconds)

    def step(self, milliseconds: float) -> None:
        """Continue as `advance` does, without a solution.

        Raises:
            InfeasibleError: no proof can be found, or the tree of an equilibrium doesn't fit.
            RuntimeError: another thread runs this solver.
        """
        with self._alone():
            self._advance(milliseconds)

    def snapshot(self) -> Solution:
        """Return the solution after the last step.

        Raises:
            InfeasibleError: the solver has ended without a proof or policies.
            RuntimeError: another thread runs this solver, or it has not made a step.
        """
        with self._alone():
            if not self._start_ns:
                raise RuntimeError("this solver has not made a step; call step or advance first")
            return self._task.solution(self._reason, self.seconds)

    def cancel(self) -> None:
        """End the solver within a millisecond; callable from any thread."""
        self.is_cancelled = True
        self._task.cancel()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads from running this solver, to the end of the block.

        Raises:
            RuntimeError: another one runs it.
        """
        if not self._running.acquire(blocking=False):
            raise RuntimeError("this solver already runs on another thread")
        try:
            yield
        finally:
            self._running.release()

    def _advance(self, milliseconds: float) -> None:
        now = time.monotonic_ns()
        self._start_ns = self._start_ns or now
        deadline, is_slice = deadline_of(
            self._start_ns, self.budget.milliseconds, now, milliseconds
        )
        reason = self._task.run(deadline)
        self.seconds = (time.monotonic_ns() - self._start_ns) / 1e9
        self.is_finished = reason is not StopReason.TIME or not is_slice
        self._reason = reason if self.is_finished else None


def solve(
    subject: Position | Observation,
    limits: Limits | None = None,
    *,
    method: Method | str | None = None,
    depth: int | None = None,
    target: float | None = None,
    include_policy: bool = False,
) -> Solution:
    """Solve a position to the end of its limits; arguments and errors as in `Solver`."""
    return Solver(
        subject, limits, method=method, depth=depth, target=target, include_policy=include_policy
    ).run()


def method_of(name: str) -> Method | None:
    """Return the method with a name; None for an empty name.

    Raises:
        InputError: there is no such method.
    """
    if not name:
        return None
    try:
        return Method(name)
    except ValueError:
        raise InputError(
            f"there is no method {shown(name)!r}; methods are {METHOD_NAMES}",
            field="method",
            value=shown(name),
        ) from None


class _Task(Protocol):
    """A run of one method on one subject; the first `run` creates the compiled kernel.

    That claims memory and may take a while, and a server creates solvers on its event loop.
    """

    def run(self, deadline_ns: int) -> StopReason:
        """Continue until the clock shows `deadline_ns` (0: no limit), which returns TIME."""

    def cancel(self) -> None:
        """End `run` within a millisecond."""

    def solution(self, reason: StopReason | None, seconds: float) -> Solution:
        """Return the result so far; InfeasibleError if it ended without the requested one."""


def _check_open(subject: Position | Observation, method: Method) -> None:
    """Check that the subject hides nothing.

    Raises:
        InputError: the subject hides something.
    """
    if isinstance(subject, Observation) and subject.game.is_hidden:
        raise InputError(
            f"{method.value} needs all hands, and an observation of {subject.game.name} doesn't "
            "show them; send a full position, use the method equilibrium, or analyze with the "
            "engine pimc",
            field="method",
            value=method.value,
        )


def _state_of(subject: Position | Observation) -> bytes:
    """Return the state of a position, or one that is consistent with an observation.

    Any world will do: nothing is hidden, or the solver uses only what the observer knows.
    """
    if isinstance(subject, Position):
        return subject.state
    [world] = sample_worlds(subject, 1, WORLD_SEED)
    return world.state


def _check_options(
    method: Method, depth: int | None, target: float | None, *, include_policy: bool
) -> None:
    if depth is not None:
        check_whole("depth", depth, 1, MAX_DEPTH)
    check_range("target", target, MIN_TARGET, MAX_TARGET)
    if depth is not None and method is not Method.LIMITED:
        raise _misplaced("depth", str(depth), method, Method.LIMITED)
    if target is not None and method is not Method.EQUILIBRIUM:
        raise _misplaced("target", f"{target:g}", method, Method.EQUILIBRIUM)
    if include_policy and method is not Method.EQUILIBRIUM:
        raise _misplaced("include_policy", "true", method, Method.EQUILIBRIUM)


def _misplaced(name: str, value: str, method: Method, right: Method) -> InputError:
    return InputError(
        f"{name} is for the method {right.value}, not for {method.value}; leave {name} out",
        field=name,
        value=value,
    )
