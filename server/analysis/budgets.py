"""Budgets of searches: the caller's limits, the server's limits and the deadline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from google.protobuf.duration_pb2 import Duration

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import (
    MAX_MEMORY_BYTES,
    MAX_MILLISECONDS,
    MAX_SIMULATIONS,
    MIN_MEMORY_BYTES,
    Budget,
)
from kingmaker.search.solution import MAX_NODES, Limits
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from ..errors import DeadlineError, Problems
from ..settings import ServerSettings
from .allowances import Allowance, SolveAllowance

MAX_SECONDS = MAX_MILLISECONDS / 1000
MIN_SECONDS = 1e-6


class Wish(NamedTuple):
    """The caller's limits of a search; None: no limit."""

    seconds: float | None = None
    simulations: int | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class SolveWish:
    """The caller's limits of solving; None: no limit."""

    seconds: float | None = None
    nodes: int | None = None
    memory_bytes: int | None = None


def read_seconds(message: Duration, field: str, high: float) -> float:
    """Read a time above 0.

    Raises:
        InputError: it is not in (0, `high`].
    """
    seconds = message.seconds + message.nanos / 1e9
    if message.seconds >= 0 and not 0 <= message.nanos < 10**9:
        raise InputError(
            f"{field} has {message.nanos} nanos; they must be 0 to 999999999",
            field=field,
            value=f"{message.nanos}",
        )
    if not MIN_SECONDS <= seconds <= high:
        raise InputError(
            f"{field} is {seconds:g} s; it must be above 0 (at least a microsecond) and at most "
            f"{high:g} s",
            field=field,
            value=f"{seconds:g}s",
        )
    return seconds


def read_wish(message: types_pb2.SearchBudget, problems: Problems) -> Wish:
    """Read a budget, and record every limit that is out of range."""
    seconds = simulations = memory_bytes = None
    if message.HasField("time"):
        with problems.at("budget"):
            seconds = read_seconds(message.time, "time", MAX_SECONDS)
    if message.HasField("simulations"):
        simulations = message.simulations
        _check(problems, "budget", "simulations", simulations, 1, MAX_SIMULATIONS)
    if message.HasField("memory_bytes"):
        memory_bytes = message.memory_bytes
        _check(problems, "budget", "memory_bytes", memory_bytes, MIN_MEMORY_BYTES, MAX_MEMORY_BYTES)
    return Wish(seconds, simulations, memory_bytes)


def read_solve_wish(message: pb.SolveLimits, problems: Problems) -> SolveWish:
    """Read limits of solving, and record every one that is out of range."""
    seconds = nodes = memory_bytes = None
    if message.HasField("time"):
        with problems.at("limits"):
            seconds = read_seconds(message.time, "time", MAX_SECONDS)
    if message.HasField("nodes"):
        nodes = message.nodes
        _check(problems, "limits", "nodes", nodes, 1, MAX_NODES)
    if message.HasField("memory_bytes"):
        memory_bytes = message.memory_bytes
        _check(problems, "limits", "memory_bytes", memory_bytes, MIN_MEMORY_BYTES, MAX_MEMORY_BYTES)
    return SolveWish(seconds, nodes, memory_bytes)


def _check(problems: Problems, path: str, field: str, value: int, low: int, high: int) -> None:
    """Record a limit that is out of range."""
    if low <= value <= high:
        return
    with problems.at(path):
        raise InputError(
            f"{field} is {value}; it must be {low} to {high}", field=field, value=str(value)
        )


def allow(
    wish: Wish,
    settings: ServerSettings,
    remaining_seconds: float | None,
    *,
    is_stream: bool = False,
) -> Allowance:
    """Apply the limits of the server and the caller's deadline to the caller's limits.

    Args:
        wish: the caller's limits.
        settings: the limits of the server.
        remaining_seconds: time until the deadline; None: no deadline.
        is_stream: whether it is a streamed analysis, which has a higher time limit and leaves
            memory to others.

    Raises:
        DeadlineError: the deadline has passed.
    """
    cap = settings.max_analyze_seconds if is_stream else settings.max_seconds
    seconds, time_reason = cap, types_pb2.STOP_REASON_SERVER_CAP
    if wish.seconds is not None:
        if wish.seconds <= cap:
            seconds, time_reason = wish.seconds, types_pb2.STOP_REASON_TIME
    elif wish.simulations is None and not is_stream:
        seconds, time_reason = settings.default_seconds, types_pb2.STOP_REASON_TIME
    if remaining_seconds is not None:
        if remaining_seconds <= 0:
            raise DeadlineError("the deadline came before the search could begin")
        until_due = remaining_seconds - _margin(settings, remaining_seconds)
        if until_due < seconds:
            seconds = max(until_due, MIN_SECONDS)
            time_reason = types_pb2.STOP_REASON_DEADLINE
    simulations, simulations_reason = wish.simulations, types_pb2.STOP_REASON_SIMULATIONS
    if simulations is not None and simulations > settings.max_simulations:
        simulations, simulations_reason = (
            settings.max_simulations,
            types_pb2.STOP_REASON_SERVER_CAP,
        )
    cap_bytes = settings.bulk_memory_bytes if is_stream else settings.max_memory_bytes
    memory_bytes = min(wish.memory_bytes or settings.default_memory_bytes, cap_bytes)
    # Most calls have no deadline, and one of few budgets.
    make = _allowance if remaining_seconds is None else _allowance.__wrapped__
    return make(seconds, simulations, memory_bytes, time_reason, simulations_reason)


@lru_cache(maxsize=256)
def _allowance(
    seconds: float,
    simulations: int | None,
    memory_bytes: int,
    time_reason: types_pb2.StopReason,
    simulations_reason: types_pb2.StopReason,
) -> Allowance:
    budget = Budget(seconds * 1000, simulations, memory_bytes)
    return Allowance(budget, time_reason, simulations_reason)


def allow_solve(
    wish: SolveWish, settings: ServerSettings, remaining_seconds: float | None
) -> SolveAllowance:
    """Apply the limits of the server and the caller's deadline to the caller's limits.

    Raises:
        DeadlineError: the deadline has passed.
    """
    timed = allow(
        Wish(wish.seconds, None, wish.memory_bytes), settings, remaining_seconds, is_stream=True
    )
    nodes, nodes_reason = wish.nodes, types_pb2.STOP_REASON_NODES
    if nodes is None or nodes > settings.max_nodes:
        nodes, nodes_reason = settings.max_nodes, types_pb2.STOP_REASON_SERVER_CAP
    limits = Limits(timed.budget.milliseconds, nodes, timed.budget.memory_bytes)
    return SolveAllowance(limits, timed.time_reason, nodes_reason)


def patience(seconds: float, settings: ServerSettings, remaining_seconds: float | None) -> float:
    """Return how long a call can wait for a slot and still be answered in time.

    Args:
        seconds: longest time of its search; the deadline may cut it to half of what remains.
        settings: of the server.
        remaining_seconds: time until the caller's deadline; None: no deadline.
    """
    if remaining_seconds is None:
        return settings.queue_seconds
    spare = remaining_seconds - _margin(settings, remaining_seconds)
    spare -= min(seconds, remaining_seconds / 2)
    return min(max(spare, 0.0), settings.queue_seconds)


def _margin(settings: ServerSettings, remaining_seconds: float) -> float:
    """Return the time before a deadline that a search must not use."""
    return min(settings.deadline_margin_seconds, remaining_seconds / 2)
