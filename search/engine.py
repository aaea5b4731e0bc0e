"""The searches by name, and how one is run: budget, threads, snapshots, cancel.

With several threads each has its own tree and its own streams, spawned from the seed, and its
fixed part of the simulations; their statistics are added up in the order of the threads. So the
answer depends on observation, engine, options, seed, number of threads and simulations, and on
nothing else. A budget in milliseconds ends where the clock says.
"""

from __future__ import annotations

import hashlib
import json
import math
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import Any, cast

import numpy as np

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.game import Game

from .analysis import (
    MAX_MILLISECONDS,
    MAX_THREADS,
    Analysis,
    Bound,
    Budget,
    MoveAnalysis,
    StopReason,
)
from .expectimax import MAX_DEPTH, MAX_WIDTH, RIVALS
from .expectimax_searcher import ExpectimaxSearcher
from .flat import FlatSearcher
from .growing import GrowingSearcher
from .ismcts import IsmctsSearcher
from .mcts import MctsSearcher
from .merge import Searcher, bound_of, fusion_risk_of, merge, policy_of
from .mo_ismcts import MoIsmctsSearcher
from .pimc import PimcSearcher
from .position import Observation, Position
from .searcher import Searcher as CompiledSearcher

MAX_SEED = 2**63 - 1
MIN_TREE_BYTES = 1 << 16
MAX_NODE_BYTES = 256  # a simulation adds at most a node for each move somewhere, and its index
STACK_BYTES = 1 << 20  # of expectimax, besides its states
STACK_STATES = 128  # more plies than a limited number of states reaches
MAX_ENTRY_BYTES = 160  # a state adds at most an entry to the table, which is to stay half empty
STOP_REASONS = (StopReason.TIME, StopReason.SIMULATIONS, StopReason.SOLVED, StopReason.CANCELLED)


OPTION_HELP: Mapping[str, str] = {
    "exploration": "how much the tree search explores, 0 to 100",
    "playout": "how games are played out: policy (the game's own) or uniform",
    "playout_plies": "plies of a playout before its end is evaluated, 0 to 10^6; 0: to the end",
    "max_depth": "decisions in the tree at most, 0 to 10^6; 0: any number",
    "observers": "whose tree grows: single (the searching seat's) or multiple (every seat's)",
    "selection": "how moves are chosen in the tree: ucb, or regret (with multiple) to mix them",
    "anchor": "win shares that regret may give up at first to keep to the playout policy, 0 to 1",
    "depth": f"plies to look ahead, 1 to {MAX_DEPTH}",
    "width": f"moves of a kind to look at, the best in full depth, 0 to {MAX_WIDTH}; 0: all alike",
    "rivals": "what more than one rival want: selfish (to win) or paranoid (that you lose)",
}


def _tree_bytes(game: Game, simulations: int) -> int:
    """A simulation adds a node for every move somewhere, at most."""
    return MIN_TREE_BYTES + simulations * game.max_moves * MAX_NODE_BYTES


def _table_bytes(game: Game, states: int) -> int:
    """A state adds one entry at most; the stack is there before the first one."""
    return STACK_BYTES + STACK_STATES * game.state_bytes + states * MAX_ENTRY_BYTES


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """A way to search.

    Attributes:
        name: as in requests.
        summary: what it is for, in a line.
        searcher: makes the compiled search of one thread.
        options: the options it takes, with their defaults; None: the game's own.
        takes_hidden: whether it can search games with hidden information.
        choose: answers from the legal moves and a seed, without a search; None: it searches.
        ranks_by_value: whether its moves rank by value, since it looks at all of them alike; else
            by visits.
        max_threads: threads that it can use; more change nothing. None: any number.
        memory_of: bytes that a game and so many simulations may want; None: all there are.
        exchange_rate: how many of its simulations take about as long as one of a tree search;
            levels count in the latter.
    """

    name: str
    summary: str
    searcher: Callable[[Game, bytes, np.random.SeedSequence, dict[str, Any], int], Searcher]
    options: Mapping[str, float | int | str | None]
    takes_hidden: bool = True
    choose: Callable[[Sequence[str], int], str] | None = None
    ranks_by_value: bool = False
    max_threads: int | None = None
    memory_of: Callable[[Game, int], int] | None = _tree_bytes
    exchange_rate: int = 1

    @property
    def does_search(self) -> bool:
        """Whether simulations are of use to it."""
        return self.choose is None

    @property
    def option_help(self) -> dict[str, str]:
        """A line for each option: what it is, its values and its default."""
        return {
            name: f"{OPTION_HELP[name]}; default {'by game and budget' if value is None else value}"
            for name, value in self.options.items()
        }


def _ismcts(
    game: Game,
    observation: bytes,
    seed: np.random.SeedSequence,
    options: dict[str, Any],
    memory_bytes: int,
) -> Searcher:
    if options["observers"] == "single":
        return IsmctsSearcher(game, observation, seed, options, memory_bytes)
    world = game.determinized(observation, np.random.SFC64(0))
    if options["selection"] == "regret" and game.history_of(world) is not None:
        return GrowingSearcher(game, observation, seed, options, memory_bytes)
    return MoIsmctsSearcher(game, observation, seed, options, memory_bytes)


_SEARCH_OPTIONS: dict[str, float | int | str | None] = {
    "exploration": 0.7,
    "playout": "policy",
    "playout_plies": None,
}
ENGINES: dict[str, EngineInfo] = {
    info.name: info
    for info in (
        EngineInfo(
            "ismcts",
            "tree search over determinizations, for hidden information",
            _ismcts,
            # Averages over evaluated playouts vary less than results do: in Kingdom Coinquest 0.15
            # to 0.35 win about 58 % of games against 0.7 at 2,000 to 3,000 simulations.
            {
                **_SEARCH_OPTIONS,
                "exploration": 0.3,
                "max_depth": 0,
                "observers": None,
                "selection": None,
                "anchor": None,
                "rivals": "selfish",
            },
        ),
        EngineInfo(
            "mcts",
            "tree search with proven results, for games without hidden information",
            MctsSearcher,
            _SEARCH_OPTIONS,
            takes_hidden=False,
        ),
        EngineInfo(
            "expectimax",
            "every line to a depth, with proven results, for games without hidden information",
            ExpectimaxSearcher,
            {"depth": None, "rivals": "selfish", "width": None},
            takes_hidden=False,
            ranks_by_value=True,
            max_threads=1,
            memory_of=_table_bytes,
            exchange_rate=10,
        ),
        EngineInfo(
            "pimc",
            "determinizations solved one by one with open hands, for tactics",
            PimcSearcher,
            # A whole trick of four. 50 ms are enough for 80 worlds or more in Kingdom Coinquest and
            # for 200 in the tricks of a card game; for 20 where moves are as many as in its pass.
            {"depth": 4, "rivals": "selfish"},
            ranks_by_value=True,
            memory_of=None,
        ),
        EngineInfo(
            "flat",
            "baseline: every legal move tried equally often by playouts",
            lambda *args: FlatSearcher(*_with(args, greedy=False)),
            {"playout": "policy", "playout_plies": None},
        ),
        EngineInfo(
            "greedy",
            "baseline: the move after which the heuristic evaluation is best",
            lambda *args: FlatSearcher(*_with(args, greedy=True)),
            {},
        ),
        EngineInfo(
            "random",
            "baseline: any legal move",
            lambda *args: FlatSearcher(*_with(args, greedy=True)),
            {},
            choose=lambda moves, seed: moves[_random_order(len(moves), seed)[0]],
        ),
    )
}


def _with(arguments: tuple[Any, ...], **options: Any) -> tuple[Any, ...]:
    game, observation, seed, given, memory_bytes = arguments
    plain = {"exploration": 0.0, "playout": "policy", "playout_plies": 0}
    return game, observation, seed, {**plain, **given, **options}, memory_bytes


def default_engine(game: Game) -> str:
    """Name the engine that suits a game."""
    if game.is_hidden:
        return "ismcts"
    return "expectimax" if game.is_tactical else "mcts"


def check_options(
    engine: EngineInfo, game: Game, options: Mapping[str, str | int | float]
) -> dict[str, Any]:
    """Fill options up with defaults and check them.

    Raises:
        InputError: an option is unknown or out of range.
    """
    for name in options:
        if name not in engine.options:
            raise InputError(
                f"engine {engine.name} has no option {name!r}; "
                f"it has {', '.join(engine.options) or 'none'}",
                field=f"engine_options.{name}",
                value=str(options[name]),
            )
    checked: dict[str, Any] = {**engine.options, **options}
    if checked.get("playout_plies", 0) is None:
        checked["playout_plies"] = game.playout_plies
    if checked.get("anchor", 0) is None:
        checked["anchor"] = game.anchor_weight
    if checked.get("width", 0) is None:
        checked["width"] = game.search_width
    _check_number(checked, "exploration", float, 0.0, 100.0)
    _check_number(checked, "playout_plies", int, 0, 10**6)
    _check_number(checked, "max_depth", int, 0, 10**6)
    _check_number(checked, "anchor", float, 0.0, 1.0)
    if checked.get("depth") is not None:
        _check_number(checked, "depth", int, 1, MAX_DEPTH)
    _check_number(checked, "width", int, 0, MAX_WIDTH)
    _check_word(checked, "playout", ("policy", "uniform"))
    _check_word(checked, "rivals", RIVALS)
    if "observers" in checked:
        _check_observers(checked, game)
    return checked


def _check_observers(options: dict[str, Any], game: Game) -> None:
    """Fill up whose trees `ismcts` grows and how they choose; only those of all seats can mix."""
    if options["observers"] is None:
        mixes = game.needs_mixing or options["selection"] == "regret"
        options["observers"] = "multiple" if mixes else "single"
    _check_word(options, "observers", ("single", "multiple"))
    if options["selection"] is None:
        options["selection"] = "regret" if options["observers"] == "multiple" else "ucb"
    _check_word(options, "selection", ("ucb", "regret"))
    if options["observers"] == "multiple" and options["rivals"] == "paranoid":
        raise InputError(
            "rivals is 'paranoid', which goes with observers=single alone",
            field="engine_options.rivals",
            value="paranoid",
        )
    if options["observers"] == "single" and options["selection"] == "regret":
        raise InputError(
            "selection is 'regret', which needs a tree for every seat; take observers=multiple",
            field="engine_options.selection",
            value="regret",
        )


def _check_word(options: dict[str, Any], name: str, words: Sequence[str]) -> None:
    if name in options and options[name] not in words:
        raise InputError(
            f"{name} is {options[name]!r}; it must be {' or '.join(words)}",
            field=f"engine_options.{name}",
            value=str(options[name]),
        )


def _check_number(
    options: dict[str, Any], name: str, kind: Callable[[Any], float], low: float, high: float
) -> None:
    if name not in options:
        return
    try:
        number = kind(options[name])
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not low <= number <= high:
        raise InputError(
            f"{name} is {options[name]!r}; it must be a number from {low:g} to {high:g}",
            field=f"engine_options.{name}",
            value=str(options[name]),
        )
    options[name] = number


class Search:
    """A search that can be run in one go or step by step, watched and cancelled.

    Args:
        observation: what the searching seat sees.
        budget: what it may spend, counted from the first step.
        engine: a name in `ENGINES`; empty: what suits the game.
        seed: 0 to 2**63 - 1; drawn when absent.
        threads: independent trees, each on its own thread.
        options: options of the engine; the others keep their defaults.
        worlds: what the seat believes: each simulation draws its world from these positions, all
            alike. None: from all that fit the observation. For `ismcts` with `selection=ucb`.

    Raises:
        InputError: an argument is out of range, or the engine is unknown.
        StateError: the game is over.
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
        worlds: Sequence[Position] | None = None,
    ) -> None:
        game = observation.game
        name = engine or default_engine(game)
        if name not in ENGINES:
            raise InputError(
                f"there is no engine {name!r}; engines are {', '.join(ENGINES)}",
                field="engine",
                value=name,
            )
        self.engine = ENGINES[name]
        if game.is_hidden and not self.engine.takes_hidden:
            raise InputError(
                f"{name} can't search {game.name}, which hides information; use ismcts",
                field="engine",
                value=name,
            )
        if not 1 <= threads <= MAX_THREADS:
            raise InputError(
                f"threads is {threads}; it must be 1 to {MAX_THREADS}",
                field="threads",
                value=str(threads),
            )
        if seed is not None and not 0 <= seed <= MAX_SEED:
            raise InputError(
                f"seed is {seed}; it must be 0 to {MAX_SEED}", field="seed", value=str(seed)
            )
        if observation.is_terminal:
            raise StateError("the game is over: there is nothing to search", field="observation")
        self.observation = observation
        self.budget = budget
        self.options = check_options(self.engine, game, options or {})
        self.seed = secrets.randbits(63) if seed is None else seed
        self.is_finished = False
        self._running = Lock()
        self._threads: ThreadPoolExecutor | None = None
        self._start_ns = 0
        self._seconds = 0.0
        simulations = budget.simulations
        # A thread without a single simulation would have nothing to say.
        num_searchers = min(threads, simulations or threads, self.engine.max_threads or threads)
        self._shares = [
            0
            if simulations is None
            else simulations // num_searchers + (i < simulations % num_searchers)
            for i in range(num_searchers)
        ]
        self._searchers = [
            self.engine.searcher(
                game,
                observation.state,
                child,
                self.options,
                self._memory_of(budget.memory_bytes // num_searchers, share),
            )
            for child, share in zip(
                np.random.SeedSequence(self.seed).spawn(num_searchers), self._shares, strict=True
            )
        ]

        if worlds is not None:
            self._believe(worlds)

    @property
    def config_hash(self) -> str:
        """Twelve hex digits that change with engine, options and number of threads."""
        return config_hash(self.engine.name, self.options, len(self._searchers))

    @property
    def does_mix(self) -> bool:
        """Whether the answer is a mixed policy, to be drawn from, rather than a best move."""
        return self.options.get("selection") == "regret"

    def run(self) -> Analysis:
        """Search until the budget is spent or `cancel` is called; releases the GIL."""
        return self.advance(math.inf)

    def advance(self, milliseconds: float) -> Analysis:
        """Search on for so long; `stop_reason` of the answer is None while there is more to do.

        Every thread makes one simulation at least, however short the time, so that a search in
        slices comes to its end.

        Raises:
            RuntimeError: another thread is in here, or the game broke the engine contract.
        """
        if not self._running.acquire(blocking=False):
            raise RuntimeError("this search already runs on another thread")
        try:
            return self._analysis(self._advance(milliseconds))
        finally:
            self._running.release()

    def cancel(self) -> None:
        """End the search within a millisecond; from any thread."""
        for searcher in self._searchers:
            searcher.cancel()

    def _believe(self, worlds: Sequence[Position]) -> None:
        if self.options.get("selection") != "ucb":
            raise InputError(
                "worlds are given, which only ismcts with selection=ucb draws from",
                field="worlds",
                value=str(len(worlds)),
            )
        if not worlds:
            raise InputError("worlds is empty; give one at least", field="worlds", value="0")
        for world in worlds:
            if not self.observation.is_consistent(world):
                raise InputError(
                    f"this world does not fit the observation: {world.text}",
                    field="worlds",
                    value=world.text,
                )
        for searcher in self._searchers:
            cast(CompiledSearcher, searcher).believe([world.state for world in worlds])

    def _memory_of(self, limit: int, simulations: int) -> int:
        """Return the memory that so many simulations (0: no limit) may want.

        Claiming and clearing all that is allowed would take longer than a search of a few.
        """
        if simulations == 0 or self.engine.memory_of is None:
            return limit
        return min(limit, self.engine.memory_of(self.observation.game, simulations))

    def _advance(self, milliseconds: float) -> StopReason | None:
        now = time.monotonic_ns()
        self._start_ns = self._start_ns or now
        budget_end = slice_end = math.inf
        if self.budget.milliseconds is not None:
            budget_end = self._start_ns + self.budget.milliseconds * 1e6
        if milliseconds < MAX_MILLISECONDS:
            slice_end = now + milliseconds * 1e6
        end = min(budget_end, slice_end)
        deadline = 0 if end == math.inf else max(int(end), 1)
        reasons = [STOP_REASONS[code] for code in self._run_all(deadline)]
        self._seconds = (time.monotonic_ns() - self._start_ns) / 1e9
        reason: StopReason | None
        if StopReason.CANCELLED in reasons:
            reason = StopReason.CANCELLED
        elif self._is_cut(reasons, slice_end < budget_end):
            reason = None
        elif StopReason.SOLVED in reasons:
            reason = StopReason.SOLVED
        elif StopReason.TIME in reasons:
            reason = StopReason.TIME
        else:
            reason = StopReason.SIMULATIONS
        self.is_finished = reason is not None
        return reason

    def _is_cut(self, reasons: Sequence[StopReason], is_slice: bool) -> bool:
        """Whether a slice ended before the search.

        One proof is enough to stop, except where the simulations of the other threads are
        promised: their answer must not depend on where the slices ended.
        """
        if not is_slice or StopReason.TIME not in reasons:
            return False
        return StopReason.SOLVED not in reasons or self.budget.simulations is not None

    def _run_all(self, deadline_ns: int) -> list[int]:
        """Run every searcher, the first on this thread; returns their stop codes."""
        if not self.engine.does_search:
            return [STOP_REASONS.index(StopReason.SOLVED)]
        (first, share), *others = zip(self._searchers, self._shares, strict=True)
        if not others:
            return [first.run(share, deadline_ns)]
        # The threads are the search's own, as it must not wait for those of another one, and stay
        # for its next slices; they end with the search.
        self._threads = self._threads or ThreadPoolExecutor(len(others), "search")
        runs = [self._threads.submit(each.run, part, deadline_ns) for each, part in others]
        try:
            code = first.run(share, deadline_ns)
        finally:
            wait(runs)
        return [code, *(run.result() for run in runs)]

    def _analysis(self, reason: StopReason | None) -> Analysis:
        moves, values, is_exact = merge(
            self.observation, self._searchers, by_value=self.engine.ranks_by_value
        )
        if not self.engine.does_search:
            moves = _in_random_order(moves, self.seed)
        policy = policy_of(self.observation, self._searchers, moves)
        if self.does_mix and moves:
            values = tuple(
                sum(p * move.values[i] for p, move in zip(policy, moves, strict=True))
                for i in range(len(values))
            )
        bound = bound_of(self._searchers, is_exact)
        if reason is StopReason.SOLVED and "depth" in self.options and bound is not Bound.EXACT:
            reason = StopReason.DEPTH
        return Analysis(
            moves=moves,
            values=values,
            policy=policy,
            is_exact=is_exact,
            simulations=sum(each.simulations for each in self._searchers),
            num_nodes=sum(each.num_nodes for each in self._searchers),
            depth=max(each.depth for each in self._searchers),
            seconds=self._seconds,
            memory_bytes=sum(each.memory_bytes for each in self._searchers),
            engine=self.engine.name,
            seed=self.seed,
            stop_reason=reason,
            bound=bound,
            fusion_risk=fusion_risk_of(moves),
        )


def _in_random_order(moves: tuple[MoveAnalysis, ...], seed: int) -> tuple[MoveAnalysis, ...]:
    order = _random_order(len(moves), seed)
    return tuple(replace(moves[i], share=1 / len(moves)) for i in order)


def _random_order(number: int, seed: int) -> list[int]:
    order: list[int] = np.random.Generator(np.random.SFC64(seed)).permutation(number).tolist()
    return order


def config_hash(engine: str, options: Mapping[str, Any], threads: int) -> str:
    """Hash what, besides seed and budget, decides the answer: twelve hex digits."""
    return _config_hash(engine, tuple(sorted(options.items())), threads)


@lru_cache(maxsize=256)
def _config_hash(engine: str, options: tuple[tuple[str, Any], ...], threads: int) -> str:
    text = json.dumps([engine, options, threads])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def analyze(
    observation: Observation,
    budget: Budget,
    *,
    engine: str = "",
    seed: int | None = None,
    threads: int = 1,
    options: Mapping[str, str | int | float] | None = None,
) -> Analysis:
    """Search an observation to the end of its budget; arguments and errors as in `Search`."""
    return Search(
        observation, budget, engine=engine, seed=seed, threads=threads, options=options
    ).run()
