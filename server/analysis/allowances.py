"""Effective budgets of searches: after the limits of the server and the caller's deadline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kingmaker.search.analysis import Budget, StopReason
from kingmaker.search.solution import Limits
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from ..convert import duration_message, write_duration

STOP_REASONS = {
    None: types_pb2.STOP_REASON_UNSPECIFIED,
    StopReason.TIME: types_pb2.STOP_REASON_TIME,
    StopReason.SIMULATIONS: types_pb2.STOP_REASON_SIMULATIONS,
    StopReason.SOLVED: types_pb2.STOP_REASON_SOLVED,
    StopReason.CANCELLED: types_pb2.STOP_REASON_CANCELLED,
    StopReason.DEPTH: types_pb2.STOP_REASON_DEPTH,
    StopReason.TARGET: types_pb2.STOP_REASON_TARGET,
}


class Allowance(NamedTuple):
    """The effective budget of a search.

    Attributes:
        budget: the budget.
        time_reason: stop reason if the time ends it.
        simulations_reason: stop reason if the simulations end it.
    """

    budget: Budget
    time_reason: types_pb2.StopReason
    simulations_reason: types_pb2.StopReason

    def stop_reason(self, reason: StopReason | None) -> types_pb2.StopReason:
        """Map the search's stop reason to that of the answer."""
        if reason is StopReason.TIME:
            return self.time_reason
        if reason is StopReason.SIMULATIONS:
            return self.simulations_reason
        return STOP_REASONS[reason]


@dataclass(frozen=True, slots=True)
class SolveAllowance:
    """The effective limits of solving.

    Attributes:
        limits: the limits.
        time_reason: stop reason if the time ends it.
        nodes_reason: stop reason if the nodes end it.
    """

    limits: Limits
    time_reason: types_pb2.StopReason
    nodes_reason: types_pb2.StopReason

    def stop_reason(self, reason: StopReason | None) -> types_pb2.StopReason:
        """Map the solver's stop reason to that of the answer."""
        if reason is StopReason.TIME:
            return self.time_reason
        if reason is StopReason.NODES:
            return self.nodes_reason
        return STOP_REASONS[reason]


def budget_message(budget: Budget) -> types_pb2.SearchBudget:
    """Write the effective limits of a search."""
    message = types_pb2.SearchBudget(
        simulations=budget.simulations, memory_bytes=budget.memory_bytes
    )
    if budget.milliseconds is not None:
        write_duration(message.time, budget.milliseconds / 1000)
    return message


def limits_message(limits: Limits) -> pb.SolveLimits:
    """Write the effective limits of solving."""
    milliseconds = limits.milliseconds
    return pb.SolveLimits(
        time=None if milliseconds is None else duration_message(milliseconds / 1000),
        nodes=limits.nodes,
        memory_bytes=limits.memory_bytes,
    )
