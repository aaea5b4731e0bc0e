"""Running a search: budget, threads, snapshots, cancel.

Each thread has its own tree, its own streams, spawned from the seed, and a fixed quota of the
simulations; their statistics are added up in the order of the threads. So the answer depends only
on observation, engine, options, seed, number of threads and simulations. With a budget in
milliseconds the number of simulations depends on the clock, and so does the number of worlds that
are weighed by a record, for which a search takes a fifth of the time at most.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Lock
from typing import Any

from kingmaker.cext.errors import InputError, StateError, check_kind
from kingmaker.cext.rng import Seed

from .analysis import (
    SLICE_MILLISECONDS,
    Analysis,
    Bound,
    Budget,
    MoveAnalysis,
    StopReason,
    check_budget,
    check_flag,
    deadline_of,
)
from .draws import check_seed, digest
from .merge import bound_of, fusion_risk_of, merge, policy_of, totals_of
from .plan import plan_of
from .position import Observation, Position, check_observation
from .registry import EngineInfo, random_order
from .searcher import Searcher
from .tree_cache import TreeCache
from .worlds import check_worlds, likely_worlds

SIMULATIONS_PER_WORLD, TIME_FOR_WORLDS = 10, 0.2
"""What worlds that are weighed may cost: to draw one takes as long as two or three simulations."""
LEAST_WORLDS, MOST_WORLDS = 16, 4000
"""That are weighed, however short or long the search."""
STOP_REASONS = (StopReason.TIME, StopReason.SIMULATIONS, StopReason.SOLVED, StopReason.CANCELLED)


class Search:
    """A search that can be run in one go or step by step, watched and cancelled.

    Args:
        observation: of the searching seat.
        budget: limits of the search; time counts from the first step.
        engine: a name in `ENGINES`; empty: the default of the game.
        seed: 0 to 2**63 - 1; None: a random one.
        threads: independent trees, each on its own thread.
        options: options of the engine; the others keep their defaults.
        all_moves: whether to search on after a proof of the best move, within the budget, until
            every move is proven. Hints and analyses need it, the choice of a move doesn't.
        worlds: the belief of the seat: each simulation draws its world from these positions, with
            equal probability. None: from all that fit the observation; where a game uses records
            and the observation has one, by how likely the rivals' moves are in them. For `ismcts`
            with `selection=ucb`. With `observers=multiple` this holds for every other simulation;
            the rest begin without hidden information, where rivals learn without these worlds.
        replies: whether its analyses list the replies of rivals, which takes a sixth to a half as
            long as 1,000 simulations.
        cache: the trees of the same seat's searches earlier in the game: this one begins with what
            the last of them found below this observation, and is kept for the next. Never needed;
            with it the answer depends on the earlier searches too. For `ismcts` with a tree of one
            seat, the default of most games; others, and those with `worlds` or worlds that a record
            weighs, search as without it.

    Attributes:
        observation: that is searched.
        budget: limits of the search.
        plan: what it does, engine and options among it.
        seed: of the search.
        is_finished: whether the last step has ended the search.

    Raises:
        InputError: an argument is out of range, or the engine is unknown.
        RuntimeError: another search with this cache still runs.
        StateError: the game is over.
        TypeError: an argument is of a wrong kind, such as a full state as `observation`.
    """

    def __init__(
        self,
        observation: Observation,
        budget: Budget,
        *,
        engine: str = "",
        seed: int | None = None,
        threads: int = 1,
        options: Mapping[str, str | int | float] | None = None,
        all_moves: bool = False,
        worlds: Iterable[Position] | None = None,
        replies: bool = True,
        cache: TreeCache | None = None,
    ) -> None:
        check_subject(observation, budget)
        plan = plan_of(
            observation.game,
            engine,
            options,
            threads,
            budget.simulations,
            budget.memory_bytes,
        )
        if seed is not None:
            check_seed(seed)
        check_flag("all_moves", all_moves)
        check_flag("replies", replies)
        if cache is not None:
            check_kind("cache", cache, TreeCache, "a TreeCache, or None")
        if observation.is_terminal:
            raise StateError("the game is over: there is nothing to search", field="observation")
        self.observation = observation
        self.budget = budget
        self.plan = plan
        self.seed = secrets.randbits(63) if seed is None else seed
        self.is_finished = False
        self._is_cancelled = False
        self._lists_replies = replies
        self._reason: StopReason | None = None  # None while it is not finished
        self._running = Lock()
        self._threads: ThreadPoolExecutor | None = None
        self._pid = 0  # of the process that the threads are in
        self._start_ns = 0
        self._seconds = 0.0
        self._weighs_worlds = (
            worlds is None
            and observation.record is not None
            and observation.game.uses_records
            and self.options.get("observers") == "single"
        )
        if worlds is not None or self._weighs_worlds:
            cache = None
        # What is taken over needs more than the simulations do.
        memories = plan.memories if cache is None else (plan.memory_limit,) * len(plan.memories)
        if budget.simulations is None:  # else the answer must not depend on the time
            memories = tuple(map(self._worthwhile, memories))
        self._searchers = list(map(self._searcher, range(len(memories)), memories))
        if cache is not None:
            cache.exchange(observation.game, plan.config_hash, self._searchers)
        if all_moves:
            for searcher in self._searchers:
                searcher.judge_all()
        if worlds is not None:
            self._believe(worlds)

    @property
    def engine(self) -> EngineInfo:
        """The engine that searches."""
        return self.plan.engine

    @property
    def options(self) -> Mapping[str, Any]:
        """Options of the engine, all of them."""
        return self.plan.options

    @property
    def config_hash(self) -> str:
        """Twelve hex digits that change with engine, options and number of threads."""
        return self.plan.config_hash

    @property
    def does_mix(self) -> bool:
        """Whether the answer is a mixed policy, to draw a move from, and not a best move."""
        return self.plan.does_mix

    @property
    def num_threads(self) -> int:
        """Number of threads that it runs on."""
        return len(self._searchers)

    def run(self) -> Analysis:
        """Search until the budget is spent or `cancel` is called; releases the GIL.

        Signals are handled now and then, so that Ctrl-C ends it with KeyboardInterrupt.

        Raises:
            RuntimeError: another thread runs this search, or the game broke its contract.
        """
        if not self._running.acquire(blocking=False):
            raise _runs_already()
        try:
            while not self.is_finished:
                self._advance(SLICE_MILLISECONDS)
            return self._analysis()
        finally:
            self._running.release()

    def advance(self, milliseconds: float) -> Analysis:
        """Continue the search for this time; `stop_reason` is None while it is not finished.

        Every thread makes at least one simulation, however short the time, so that a search in
        slices terminates. Worlds that a record weighs are all drawn in the first slice, which
        takes some 50 ms at most.

        Raises:
            RuntimeError: another thread runs this search, or the game broke its contract.
        """
        if not self._running.acquire(blocking=False):
            raise _runs_already()
        try:
            self._advance(milliseconds)
            return self._analysis()
        finally:
            self._running.release()

    def step(self, milliseconds: float) -> None:
        """Continue as `advance` does, without an analysis."""
        if not self._running.acquire(blocking=False):
            raise _runs_already()
        try:
            self._advance(milliseconds)
        finally:
            self._running.release()

    def snapshot(self) -> Analysis:
        """Return the analysis after the last step.

        Raises:
            RuntimeError: another thread runs this search.
        """
        if not self._running.acquire(blocking=False):
            raise _runs_already()
        try:
            return self._analysis()
        finally:
            self._running.release()

    @property
    def seconds(self) -> float:
        """Wall-clock time from the start of the first step to the end of the last one."""
        return self._seconds

    def cancel(self) -> None:
        """End the search within a millisecond; from any thread."""
        self._is_cancelled = True
        for searcher in self._searchers:
            searcher.cancel()

    def _believe(self, given: Iterable[Position]) -> None:
        worlds = check_worlds(self.observation, given)
        if self.options.get("selection") != "ucb":
            raise InputError(
                "worlds need the engine ismcts with selection=ucb; leave them out",
                field="worlds",
                value=str(len(worlds)),
            )
        if not worlds:
            raise InputError("worlds is empty; give one or more", field="worlds", value="0")
        for searcher in self._searchers:
            searcher.believe([world.state for world in worlds])

    def _weigh_worlds(self, now: int) -> None:
        """Draw worlds by what the record tells of them, in a part of the budget."""
        budget, count, deadline = self.budget, MOST_WORLDS, None
        if budget.simulations is not None:
            count = min(count, max(LEAST_WORLDS, budget.simulations // SIMULATIONS_PER_WORLD))
        if budget.milliseconds is not None:
            deadline = now + int(budget.milliseconds * 1e6 * TIME_FOR_WORLDS)

        def stops(number: int) -> bool:
            is_late = deadline is not None and time.monotonic_ns() > deadline
            return self._is_cancelled or (is_late and number >= LEAST_WORLDS)

        worlds, batches = likely_worlds(self.observation, count, digest("worlds", self.seed), stops)
        states = [world.state for world in worlds]
        for searcher in self._searchers:
            searcher.believe(states, batches, len(self._searchers))

    def _worthwhile(self, memory: int) -> int:
        """Return the part of a memory that pays in the time; claiming all may take longer."""
        milliseconds, memory_in = self.budget.milliseconds, self.plan.engine.memory_in
        if memory_in is None or milliseconds is None:
            return memory
        return min(memory, memory_in(milliseconds))

    def _searcher(self, number: int, memory: int) -> Searcher:
        game, state, plan = self.observation.game, self.observation.state, self.plan
        seed = Seed(self.seed, number)
        try:
            return plan.engine.searcher(game, state, seed, plan.options, memory)
        except InputError as error:
            if error.field != "budget.memory_bytes" or memory == plan.memory_limit:
                raise
            # The simulations need less, but a tree that begins far back needs more.
            return plan.engine.searcher(game, state, seed, plan.options, plan.memory_limit)

    def _advance(self, milliseconds: float) -> None:
        now = time.monotonic_ns()
        if self._weighs_worlds and not self._start_ns:
            self._weigh_worlds(now)
        self._start_ns = self._start_ns or now
        deadline, is_slice = deadline_of(
            self._start_ns, self.budget.milliseconds, now, milliseconds
        )
        reasons = self._run_all(deadline)
        self._seconds = (time.monotonic_ns() - self._start_ns) / 1e9
        reason: StopReason | None
        if StopReason.CANCELLED in reasons:
            reason = StopReason.CANCELLED
        elif StopReason.TIME in reasons and is_slice and self._needs_all(reasons):
            reason = None
        elif StopReason.SOLVED in reasons:
            reason = StopReason.SOLVED
        elif StopReason.TIME in reasons:
            reason = StopReason.TIME
        else:
            reason = StopReason.SIMULATIONS
        self._reason = reason
        self.is_finished = reason is not None

    def _needs_all(self, reasons: Sequence[StopReason]) -> bool:
        """Whether the search goes on if some thread does.

        One proof is enough to stop, except with a budget of simulations: the answer must not depend
        on where the slices ended.
        """
        return StopReason.SOLVED not in reasons or self.budget.simulations is not None

    def _run_all(self, deadline_ns: int) -> list[StopReason]:
        """Run every searcher, the first on this thread; returns why they stopped."""
        plan = self.plan
        if plan.engine.choose is not None:  # without a search
            return [StopReason.SOLVED]
        if len(self._searchers) == 1:
            return [STOP_REASONS[self._searchers[0].run(plan.quotas[0], deadline_ns)]]
        (first, quota), *others = zip(self._searchers, plan.quotas, strict=True)
        # A search has its own threads, as it must not wait for those of another one. They are kept
        # for its next slices, and end with the search.
        if self._threads is None or self._pid != os.getpid():  # a forked child has no threads
            self._threads, self._pid = ThreadPoolExecutor(len(others), "search"), os.getpid()
        runs: list[Future[int]] = []
        try:
            runs += (self._threads.submit(each.run, part, deadline_ns) for each, part in others)
            code = first.run(quota, deadline_ns)
        finally:
            wait(runs)
        return [STOP_REASONS[each] for each in (code, *(run.result() for run in runs))]

    def _analysis(self) -> Analysis:
        engine, does_mix = self.plan.engine, self.plan.does_mix
        moves, values, is_exact = merge(
            self.observation,
            self._searchers,
            by_value=engine.ranks_by_value,
            replies=self._lists_replies,
            mixes=does_mix,
        )
        if engine.choose is not None:
            moves = _in_random_order(moves, self.seed)
        policy = policy_of(self.observation, self._searchers, moves)
        if does_mix and moves:  # the best move is then the likeliest one
            order = sorted(range(len(moves)), key=lambda rank: (-policy[rank], rank))
            moves = tuple(moves[rank] for rank in order)
            policy = tuple(policy[rank] for rank in order)
            values = tuple(
                sum(p * move.values[i] for p, move in zip(policy, moves, strict=True))
                for i in range(len(values))
            )
        bound = bound_of(self._searchers, is_exact)
        reason = self._reason
        if (
            reason is StopReason.SOLVED
            and "depth" in self.plan.options
            and bound is not Bound.EXACT
        ):
            reason = StopReason.DEPTH
        simulations, num_nodes, depth, memory_bytes = totals_of(self._searchers)
        return Analysis(
            moves=moves,
            values=values,
            policy=policy,
            is_exact=is_exact,
            simulations=simulations,
            num_nodes=num_nodes,
            depth=depth,
            seconds=self._seconds,
            memory_bytes=memory_bytes,
            engine=engine.name,
            seed=self.seed,
            stop_reason=reason,
            bound=bound,
            fusion_risk=fusion_risk_of(moves),
            hostility=self._hostility(len(values)),
        )

    def _hostility(self, num_seats: int) -> float:
        has_rivals = num_seats > 2 and self.observation.observer > 0
        options = self.plan.options
        if not has_rivals or options.get("rival_policy") == 1:  # none of them chooses
            return 0.0
        return float(options.get("hostility", 0.0))


def check_subject(observation: object, budget: object) -> None:
    """Check that a search gets what one seat sees, and a budget.

    Raises:
        TypeError: one of them is of another kind.
    """
    check_observation(observation)
    check_budget(budget)


def _runs_already() -> RuntimeError:
    return RuntimeError("this search already runs on another thread")


def _in_random_order(moves: tuple[MoveAnalysis, ...], seed: int) -> tuple[MoveAnalysis, ...]:
    order = random_order(len(moves), seed)
    return tuple(replace(moves[i], visit_share=1 / len(moves)) for i in order)


def analyze(
    observation: Observation,
    budget: Budget,
    *,
    engine: str = "",
    seed: int | None = None,
    threads: int = 1,
    options: Mapping[str, str | int | float] | None = None,
    all_moves: bool = False,
) -> Analysis:
    """Search an observation to the end of its budget; arguments and errors as in `Search`.

    Where another seat or chance is to move, the win shares of all seats are estimated all the same;
    the analysis then has no `moves`, and "" as its `best_move`. `select_move` refuses that.
    """
    return Search(
        observation,
        budget,
        engine=engine,
        seed=seed,
        threads=threads,
        options=options,
        all_moves=all_moves,
    ).run()
