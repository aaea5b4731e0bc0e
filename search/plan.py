"""What a search does, apart from its observation: engine, options, shares of the budget.

Most searches use one of few plans, so plans are cached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kingmaker.cext.errors import (
    InputError,
    check_integer,
    check_mapping,
    check_text,
    shown,
    unknown,
)
from kingmaker.cext.game import Game

from .analysis import MAX_THREADS
from .engine_options import MIXING, check_history, check_options, config_hash
from .registry import ENGINES, EngineInfo, default_engine

MAX_KEPT = 256


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What a search does, its observation, seed and time aside.

    Attributes:
        engine: that searches.
        options: of the engine, all of them; not to be changed, as other searches have the same.
        config_hash: twelve hex digits that change with engine, options and number of threads.
        does_mix: whether the answer is a mixed policy, to draw a move from, and not a best move.
        quotas: simulations of each thread; 0: no limit.
        memory_limit: bytes that the tree of each thread may have.
        memories: bytes of the tree of each thread, if so many simulations can need no more.
    """

    engine: EngineInfo
    options: dict[str, Any]
    config_hash: str
    does_mix: bool
    quotas: tuple[int, ...]
    memory_limit: int
    memories: tuple[int, ...]


def plan_of(
    game: Game,
    engine: str,
    options: Mapping[str, str | int | float] | None,
    threads: int,
    simulations: int | None,
    memory_bytes: int,
) -> Plan:
    """Return the plan of a search; arguments as in `Search`, and of its budget.

    Raises:
        InputError: an argument is out of range, or the engine is unknown.
        TypeError: an argument is of a wrong kind.
    """
    given = tuple(check_mapping("options", options).items())
    try:
        return _plan_of(game, engine, given, threads, simulations, memory_bytes)
    except TypeError:  # a value without a hash, which is wrong, or an array of a single number
        return _plan_of.__wrapped__(game, engine, given, threads, simulations, memory_bytes)


@lru_cache(maxsize=MAX_KEPT)
def _plan_of(
    game: Game,
    name: str,
    given: tuple[tuple[str, str | int | float], ...],
    threads: int,
    simulations: int | None,
    memory_bytes: int,
) -> Plan:
    engine, options = check_engine(game, name, dict(given))
    check_integer("threads", threads, 1, MAX_THREADS)
    # Every thread gets at least one simulation, as the merge needs a result from each.
    # As an int, for JSON has no number of NumPy.
    number = int(min(threads, simulations or threads, engine.max_threads or threads))
    quotas = tuple(
        0 if simulations is None else simulations // number + (i < simulations % number)
        for i in range(number)
    )
    limit = memory_bytes // number
    return Plan(
        engine,
        options,
        config_hash(engine.name, options, number),
        options.get("selection") in MIXING,
        quotas,
        limit,
        tuple(_memory_of(game, engine, limit, quota) for quota in quotas),
    )


def _memory_of(game: Game, engine: EngineInfo, limit: int, simulations: int) -> int:
    """Return the memory that a number of simulations (0: no limit) can need.

    Claiming and clearing the whole limit would take longer than a search of few simulations.
    """
    if simulations == 0 or engine.memory_of is None:
        return limit
    return min(limit, engine.memory_of(game, simulations))


def check_engine(
    game: Game, name: str, options: Mapping[str, str | int | float]
) -> tuple[EngineInfo, dict[str, Any]]:
    """Return the engine with a name (empty: the default of the game) and all of its options.

    Raises:
        InputError: there is no such engine, it can't search the game, or an option is wrong.
        TypeError: the name is no text.
    """
    engine = engine_for(game, name)
    if game.is_hidden and not engine.takes_hidden:
        raise InputError(
            f"{engine.name} can't search {game.name}, which hides information; use ismcts",
            field="engine",
            value=engine.name,
        )
    checked = check_options(engine, game, options)
    check_history(game, checked)
    return engine, checked


def engine_for(game: Game, name: str) -> EngineInfo:
    """Return the engine with a name, or for an empty one the default of a game.

    Raises:
        InputError: there is no such engine.
        TypeError: the name is no text.
    """
    return engine_named(default_engine(game) if isinstance(name, str) and not name else name)


def engine_named(name: str) -> EngineInfo:
    """Return the engine with a name.

    Raises:
        InputError: there is no such engine.
        TypeError: the name is no text.
    """
    check_text("engine", name, 'the name of one, or "" for the default')
    if name not in ENGINES:
        raise InputError(unknown("engine", name, ENGINES), field="engine", value=shown(name))
    return ENGINES[name]
