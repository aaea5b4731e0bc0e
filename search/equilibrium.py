"""An equilibrium by CFR+, of the game from the latest state without hidden information."""

from __future__ import annotations

import math
import time
from itertools import islice

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game

from . import cfr
from .analysis import StopReason
from .cfr import CfrSolver, TreeTooLarge, public_root
from .feasibility import Feasibility
from .solution import (
    LIMIT_WORDS,
    MAX_POLICIES,
    Equilibrium,
    InfeasibleError,
    InformationSetPolicy,
    Limits,
    Method,
    Solution,
    SolvedMove,
)

DEFAULT_TARGET = 1e-4
MIN_TARGET, MAX_TARGET = 1e-12, 1.0
NUM_SEATS = 2
HOPELESS = 100.0
"""A tree is refused unbuilt only if its rough estimate exceeds the limits by this factor."""
LEAST_BYTES = 8
"""Least memory of a history; about 35 bytes are typical."""
LAST_CHECK_NS = 20_000_000
"""Time that a search at its limit may use to measure its last policies. Larger trees report the
exploitability of an earlier iteration."""


class EquilibriumTask:
    """A run of the method EQUILIBRIUM; see `Solver`.

    Args:
        game: the rules, for two seats.
        state: a full state.
        limits: time, nodes and memory.
        target: exploitability at which to stop.
        shows_mover: whether the answer may include the policy of the seat that decides at `state`.
        include_policy: whether the answer lists the policies of all information sets.

    Raises:
        InputError: the game has more seats.
        StateError: the game has no history of the state (`Game.history`).
    """

    def __init__(
        self,
        game: Game,
        state: bytes,
        limits: Limits,
        target: float,
        *,
        shows_mover: bool,
        include_policy: bool,
    ) -> None:
        if game.num_seats != NUM_SEATS:
            raise InputError(
                f"an equilibrium is computed for {NUM_SEATS} seats, and this game has "
                f"{game.num_seats}; use the method limited on a full position",
                field="method",
                value=Method.EQUILIBRIUM.value,
            )
        self._game = game
        self._state = state
        self._root, self._path = public_root(game, state)
        self._feasibility = Feasibility(game, self._root, limits)
        self._limits = limits
        self._target = target
        self._shows_mover = shows_mover
        self._include_policy = include_policy
        self._kernel: CfrSolver | None = None
        self._is_built = False
        self._is_cancelled = False

    def run(self, deadline_ns: int) -> StopReason:
        """Continue the iterations until the clock shows `deadline_ns`; 0: to the end.

        Raises:
            InfeasibleError: the tree doesn't fit into the limits.
        """
        kernel = self._kernel or self._begin()
        if not self._is_built:
            code = self._build(kernel, deadline_ns)
            self._is_built = code == 2
            if not self._is_built:
                return StopReason.CANCELLED if code == 3 else StopReason.TIME
        code = kernel.run(self._max_iterations(kernel), NUM_SEATS * self._target, deadline_ns)
        return (StopReason.TIME, StopReason.NODES, StopReason.TARGET, StopReason.CANCELLED)[code]

    def cancel(self) -> None:
        """End `run`; callable from any thread."""
        self._is_cancelled = True
        self._feasibility.cancel()
        if self._kernel is not None:
            self._kernel.cancel()

    def solution(self, reason: StopReason | None, seconds: float) -> Solution:
        """Return the result so far; `run` must have been called.

        Raises:
            InfeasibleError: the time was up before the first policies were measured.
        """
        kernel = self._kernel
        assert kernel is not None
        if reason is StopReason.TIME:
            self._check_last(kernel)
            if not kernel.measured_values:
                raise self._too_large(kernel, reason)
        is_known = self._is_built and kernel.iterations > 0
        # After a cancel the answer must come at once.
        is_listed = self._include_policy and reason not in (None, StopReason.CANCELLED)
        return Solution(
            method=Method.EQUILIBRIUM,
            values=kernel.measured_values,
            bound=None,
            open_hands=False,
            moves=self._moves(kernel) if is_known else (),
            depth=0,
            nodes=kernel.num_histories * (1 + kernel.iterations),
            seconds=seconds,
            memory_bytes=kernel.memory_bytes,
            stop_reason=reason,
            equilibrium=self._equilibrium(kernel, self._policies(kernel) if is_listed else ()),
        )

    def _begin(self) -> CfrSolver:
        self._feasibility.measure()
        self._check_feasibility()
        kernel = CfrSolver(self._game, self._root, self._limits.memory_bytes)
        self._kernel = kernel
        if self._is_cancelled:  # by another thread, before it could see the kernel
            kernel.cancel()
        return kernel

    def _check_feasibility(self) -> None:
        """Refuse a tree that is far too large, before it has filled time and memory."""
        histories = self._feasibility.num_histories
        visits = self._feasibility.most_nodes / 2  # to build it, and for an iteration
        allowed = min(visits, self._limits.memory_bytes / LEAST_BYTES)
        if histories > HOPELESS * allowed:
            raise InfeasibleError(
                f"an equilibrium is infeasible: it visits all of about {histories:.1e} histories "
                f"(estimate), and the limits allow {allowed:.1e} at most; solve from a state "
                "nearer to the end",
                {
                    "estimated_histories": f"{histories:.3e}",
                    "estimated_bytes": f"{LEAST_BYTES * histories:.3e}",
                },
            )

    def _build(self, kernel: CfrSolver, deadline_ns: int) -> int:
        try:
            return kernel.build(deadline_ns)
        except TreeTooLarge as error:
            raise InfeasibleError(
                f"{error}; allow more, or solve from a state nearer to the end",
                {
                    "estimated_histories": f"{error.num_histories:.3e}",
                    "estimated_bytes": f"{error.num_bytes:.3e}",
                    "nodes": f"{kernel.num_histories}",
                },
            ) from None

    def _max_iterations(self, kernel: CfrSolver) -> int:
        """Turn the limit of nodes into iterations; 0: no limit."""
        if self._limits.nodes is None:
            return 0
        iterations = self._limits.nodes // kernel.num_histories - 1
        if iterations < 1:
            raise self._too_large(kernel, StopReason.NODES)
        return iterations

    def _check_last(self, kernel: CfrSolver) -> None:
        """Measure the policies as they are at the end, if that is quick."""
        if not self._is_built or not kernel.iterations:
            return
        deadline_ns = time.monotonic_ns() + LAST_CHECK_NS
        kernel.run(kernel.iterations, NUM_SEATS * self._target, deadline_ns)

    def _moves(self, kernel: CfrSolver) -> tuple[SolvedMove, ...]:
        if not self._shows_mover or self._game.node_of(self._state) < 0:
            return ()
        tokens = map(self._game.move_text, self._game.moves_of(self._state))
        found = [
            SolvedMove(token, probability, line=(token,))
            for token, probability in zip(tokens, kernel.policy(self._path), strict=True)
        ]
        return tuple(sorted(found, key=lambda each: -each.probability))

    def _policies(self, kernel: CfrSolver) -> tuple[InformationSetPolicy, ...]:
        """List the policies; () if that is cancelled."""
        found = []
        try:
            for each in islice(kernel.information_sets(), MAX_POLICIES):
                found.append(self._policy(each))
                if self._is_cancelled:
                    return ()
        except InterruptedError:
            return ()
        return tuple(found)

    def _policy(self, found: cfr.InformationSetPolicy) -> InformationSetPolicy:
        return InformationSetPolicy(
            seat=found.seat + 1,
            observation=self._game.text(found.observation),
            moves=tuple(map(self._game.move_text, found.moves)),
            policy=tuple(found.policy),
            reach=found.reach,
        )

    def _equilibrium(
        self, kernel: CfrSolver, policies: tuple[InformationSetPolicy, ...]
    ) -> Equilibrium:
        is_measured = math.isfinite(kernel.nash_conv)
        return Equilibrium(
            root=self._game.text(self._root),
            iterations=kernel.iterations,
            num_histories=kernel.num_histories,
            num_information_sets=kernel.num_information_sets,
            exploitability=kernel.nash_conv / NUM_SEATS if is_measured else None,
            policies=policies,
            is_cut=0 < len(policies) < kernel.num_information_sets,
        )

    def _too_large(self, kernel: CfrSolver, limit: StopReason) -> InfeasibleError:
        histories = float(kernel.num_histories)
        if not self._is_built:
            histories = max(histories, self._feasibility.num_histories)
        bytes_each = kernel.memory_bytes / max(kernel.num_histories, 1)
        num_bytes = histories * max(bytes_each, LEAST_BYTES)
        return InfeasibleError(
            f"the game tree is too large for the {LIMIT_WORDS[limit]} allowed: an equilibrium "
            f"visits all of its {'' if self._is_built else 'about '}{histories:.1e} histories and "
            f"takes some {num_bytes:.1e} bytes (estimate); allow more, or solve from a state "
            "nearer to the end",
            {
                "estimated_histories": f"{histories:.3e}",
                "estimated_bytes": f"{num_bytes:.3e}",
                "nodes": f"{kernel.num_histories}",
            },
        )
