"""What holds for every engine, with every game, at every node and for whoever asks."""

from __future__ import annotations

import mmap
import random
import threading
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.random import PCG64

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.search.analysis import (
    MAX_THREADS,
    MEGABYTE,
    Analysis,
    Bound,
    Budget,
    MoveAnalysis,
    StopReason,
)
from kingmaker.search.draws import MAX_SEED
from kingmaker.search.position import Observation, Position
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search
from tests.random_play import BETWEEN, TERMINAL, VARIANTS, Variant, by_phase, steps_of

HANG_SECONDS = 60
"""A search that goes on for so long after it was told to stop has not heard it."""
STATM = Path("/proc/self/statm")


class Kind(NamedTuple):
    """An engine with options.

    Attributes:
        simulations: a few of them; what they are differs.
    """

    engine: str
    options: dict[str, str | int | float]
    simulations: int

    def __str__(self) -> str:
        return "-".join([self.engine, *map(str, self.options.values())])

    def takes(self, variant: Variant) -> bool:
        return ENGINES[self.engine].takes_hidden or not GAMES[variant.name].is_hidden

    def search(self, observation: Observation, budget: Budget, **arguments: Any) -> Search:
        arguments = {"seed": 1, "options": self.options, **arguments}
        return Search(observation, budget, engine=self.engine, **arguments)

    def ask(self, observation: Observation, budget: Budget, **arguments: Any) -> Analysis:
        return self.search(observation, budget, **arguments).run()


FEW = {"expectimax": 1000, "pimc": 4}
DEFAULTS: dict[str, dict[str, str | int | float]] = {"pimc": {"depth": 2}}
"""The default depth of `pimc` is for decisions: before a deal of hearts a world has millions of
states then."""
CHOICES: list[tuple[str, dict[str, str | int | float]]] = [
    *((engine, DEFAULTS.get(engine, {})) for engine in ENGINES),
    ("ismcts", {"observers": "single"}),
    ("ismcts", {"observers": "multiple", "selection": "auto"}),
    ("ismcts", {"observers": "multiple", "selection": "ucb"}),
    ("mcts", {"playout": "uniform"}),
    ("expectimax", {"rivals": "paranoid"}),
    ("pimc", {"rivals": "paranoid", "depth": 2}),
]
KINDS = [Kind(engine, options, FEW.get(engine, 60)) for engine, options in CHOICES]
PLAINEST = KINDS[len(ENGINES)]
"""It takes every game, with one tree."""
ASKED = [
    *(variant for variant in VARIANTS if variant.name not in ("chessault", "knights_duty")),
    Variant("chessault", {}),
    Variant("goofspiel", {"cards": "4"}),
    Variant("goofspiel", {"cards": "5", "order": "descending"}),
    Variant("hearts", {"pass": "none"}),
    Variant("hearts", {"pass": "left"}),
    Variant("kingdom_coinquest", {"players": "2", "ace_strike": "1", "turn_limit": "30"}),
    Variant("code_of_chivalry", {"players": "3", "deck": "stretch", "auto_pass": "private"}),
    # With every number of seats it would take three times as long.
    Variant("knights_duty", {"players": "2", "arena": "square", "clans": "choose"}),
    Variant("knights_duty", {"players": "6", "radius": "3"}),
]
LARGE = [
    Variant("connect_four", {}),
    Variant("goofspiel", {}),
    Variant("kingdom_coinquest", {"players": "3"}),
]
HUNGRY = [
    Kind("ismcts", {"observers": "single"}, 60_000),
    Kind("ismcts", {"observers": "multiple", "selection": "ucb"}, 20_000),
    Kind("ismcts", {"observers": "multiple", "selection": "auto"}, 20_000),
    Kind("mcts", {}, 60_000),
    Kind("expectimax", {}, 500_000),
    Kind("pimc", {"depth": 4}, 600),
]
"""With so many simulations they would take more than two megabytes in large games."""
PIMC = HUNGRY[-1]


def is_special(kind: Kind) -> bool:
    """Whether an option changes what seats play for, or how playouts choose."""
    return bool({"rivals", "playout"} & kind.options.keys())


def is_repeated(kind: Kind, variant: Variant) -> bool:
    """Whether this engine plays the game with fewer seats, too, and another one this variant."""
    first = next(each for each in ASKED if each.name == variant.name)
    return variant not in (first, *LARGE) and kind != PLAINEST


def pairs(kinds: list[Kind], variants: list[Variant]) -> list[Any]:
    """Every kind of engine with every game that it takes."""
    return [
        pytest.param(
            kind,
            variant,
            id=f"{kind}-{variant}",
            marks=[pytest.mark.slow]
            if variant in BETWEEN or is_repeated(kind, variant) or is_special(kind)
            else [],
        )
        for kind in kinds
        for variant in variants
        if kind.takes(variant)
    ]


KINDS_AND_VARIANTS = pairs(KINDS, ASKED)
KINDS_AND_HIDDEN = pairs(KINDS, [each for each in ASKED if GAMES[each.name].is_hidden])


@cache
def positions_of(name: str, options: tuple[tuple[str, str], ...]) -> list[Position]:
    variant = Variant(name, dict(options))
    game = variant.new()
    rng = random.Random(1)
    phases = by_phase(game, steps_of(variant, 300, num_games=12)).values()
    drawn = [step for steps in phases for step in rng.sample(steps, min(len(steps), 2))]
    return [Position(game, state) for state, _ in drawn if game.node_of(state) != TERMINAL]


def positions(variant: Variant) -> list[Position]:
    """Two positions of each kind of node, but the end."""
    return positions_of(variant.name, tuple(variant.options.items()))


def questions(variant: Variant) -> list[Observation]:
    """What every seat and a spectator see of them."""
    return [
        position.observe(seat)
        for position in positions(variant)
        for seat in range(1 + position.num_seats)
    ]


def decisions(variant: Variant) -> list[Observation]:
    """What the deciding seat sees of them."""
    return [each.observe(each.seat) for each in positions(variant) if each.seat]


def widest(variant: Variant) -> Observation:
    """The decision with most moves."""
    return max(decisions(variant), key=lambda each: len(each.legal_moves()))


# --- answers --------------------------------------------------------------------------------------


def assert_shares(shares: tuple[float, ...], num_seats: int) -> None:
    """Win shares, or probabilities; fails on NaN."""
    assert len(shares) == num_seats
    assert all(-1e-9 <= each <= 1 + 1e-9 for each in shares)
    assert sum(shares) == pytest.approx(1)


def assert_move_is_valid(move: MoveAnalysis, observation: Observation) -> None:
    assert_shares(move.values, observation.num_seats)
    assert move.visits >= 0
    assert 0 <= move.standard_error <= 1
    assert move.line[0] == move.move
    assert all(observation.game.move_text(observation.game.parse_move(m)) == m for m in move.line)
    assert move.world_share is None or 0 <= move.world_share <= 1
    for reply in move.replies:
        assert reply.seat != observation.observer
        assert 0 < reply.frequency <= 1 + 1e-9
        assert 0 <= reply.value <= 1 + 1e-9


def assert_valid(analysis: Analysis, observation: Observation, budget: Budget) -> None:
    """Check all that must hold for any answer to a finished search."""
    is_own = 0 < observation.seat == observation.observer
    assert_shares(analysis.values, observation.num_seats)
    legal = observation.legal_moves() if is_own else []
    assert sorted(move.move for move in analysis.moves) == sorted(legal)
    for move in analysis.moves:
        assert_move_is_valid(move, observation)
    assert len(analysis.policy) == len(analysis.moves)
    assert analysis.best_move == (analysis.moves[0].move if is_own else "")
    if is_own:
        assert_shares(analysis.policy, len(legal))
        assert_shares(tuple(move.visit_share for move in analysis.moves), len(legal))
    assert analysis.memory_bytes <= budget.memory_bytes
    assert 0 <= analysis.simulations <= (budget.simulations or analysis.simulations)
    assert analysis.num_nodes >= 0
    assert analysis.depth >= 0
    assert 0 <= analysis.fusion_risk <= 1
    assert analysis.is_exact == (analysis.bound is Bound.EXACT)
    assert analysis.stop_reason is not None


@pytest.mark.parametrize(("kind", "variant"), KINDS_AND_VARIANTS)
def test_an_answer_is_valid_whoever_asks_at_whatever_node(kind: Kind, variant: Variant) -> None:
    budget = Budget(simulations=kind.simulations)
    for observation in questions(variant):
        assert_valid(kind.ask(observation, budget), observation, budget)


SMALLEST = [
    (Budget(simulations=1, memory_bytes=MEGABYTE), 1),
    (Budget(simulations=5, memory_bytes=MEGABYTE), 3),
    (Budget(milliseconds=0.1, memory_bytes=MEGABYTE), 1),
]
"""Budgets and threads."""


@pytest.mark.parametrize(("kind", "variant"), KINDS_AND_VARIANTS)
def test_an_answer_to_the_smallest_budget_is_valid(kind: Kind, variant: Variant) -> None:
    for observation in questions(variant)[::2]:
        for budget, threads in SMALLEST:
            analysis = kind.ask(observation, budget, threads=threads)
            assert_valid(analysis, observation, budget)


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind.engine not in ("expectimax", "pimc")], ids=str
)
def test_an_answer_of_most_threads_in_the_least_memory_is_valid(kind: Kind) -> None:
    budget = Budget(simulations=2 * MAX_THREADS, memory_bytes=MEGABYTE)
    for variant in filter(kind.takes, LARGE):
        observation = widest(variant)
        assert_valid(kind.ask(observation, budget, threads=MAX_THREADS), observation, budget)


@pytest.mark.parametrize("variant", LARGE, ids=str)
def test_a_memory_too_small_for_the_threads_is_refused_by_name(variant: Variant) -> None:
    budget = Budget(simulations=MAX_THREADS, memory_bytes=MEGABYTE)
    with pytest.raises(InputError) as refused:
        PIMC.ask(widest(variant), budget, threads=MAX_THREADS)
    assert refused.value.field == "budget.memory_bytes"


def option_strategy(engine: str) -> st.SearchStrategy[dict[str, Any]]:
    """Any options that the engine takes."""
    values: dict[str, st.SearchStrategy[Any]] = {
        "exploration": st.floats(0, 100),
        "root_exploration": st.none() | st.floats(0, 100),
        "temperature": st.just(0) | st.floats(0.015, 100),
        "playout": st.sampled_from(["policy", "uniform"]),
        "playout_plies": st.none() | st.integers(0, 50),
        "max_depth": st.integers(0, 5),
        "expand": st.none() | st.integers(1, 200),
        "depth": st.integers(1, 4),
        "width": st.none() | st.integers(0, 3),
        "rivals": st.sampled_from(["selfish", "paranoid"]),
        "hostility": st.none() | st.floats(0, 1),
        "rival_policy": st.none() | st.floats(0, 1),
        "observers": st.just("multiple"),
        "selection": st.sampled_from(["ucb", "auto"]),
        "anchor": st.none() | st.floats(0, 1),
    }
    return st.fixed_dictionaries(
        {}, optional={name: values[name] for name in ENGINES[engine].options}
    )


@st.composite
def requests(draw: st.DrawFn, engine: str) -> tuple[Observation, Budget, dict[str, Any]]:
    """Any question with any small budget, options, seed and threads."""
    kind = next(each for each in KINDS if each.engine == engine)
    variant = draw(st.sampled_from([each for each in ASKED if kind.takes(each)]))
    observation = draw(st.sampled_from(questions(variant)))
    milliseconds = draw(st.none() | st.floats(0.001, 2))
    most = draw(st.integers(1, 3 * kind.simulations))
    budget = Budget(
        milliseconds=milliseconds,
        simulations=most if milliseconds is None else draw(st.sampled_from([None, most])),
        memory_bytes=draw(st.integers(MEGABYTE, 8 * MEGABYTE)),
    )
    options = draw(option_strategy(engine))
    if options.get("selection") == "auto":
        options["observers"] = "multiple"
    # These go with one tree alone.
    if any(options.get(name) for name in ("hostility", "rival_policy", "root_exploration")):
        options |= {"observers": "single", "selection": "ucb", "expand": None, "anchor": None}
    elif options.get("anchor"):
        options |= {"observers": "multiple", "selection": "auto"}
    elif options.get("expand"):
        options["observers"] = "multiple"
    seed, threads = draw(st.integers(0, MAX_SEED)), draw(st.integers(1, 4))
    return observation, budget, {"seed": seed, "threads": threads, "options": options}


@pytest.mark.parametrize("engine", ENGINES)
def test_any_options_that_are_taken_give_a_valid_answer(engine: str) -> None:
    @settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(requests(engine))
    def answer(request: tuple[Observation, Budget, dict[str, Any]]) -> None:
        observation, budget, arguments = request
        analysis = Search(observation, budget, engine=engine, **arguments).run()
        assert_valid(analysis, observation, budget)

    answer()


# --- memory ---------------------------------------------------------------------------------------


def resident_bytes() -> int:
    return int(STATM.read_text().split()[1]) * mmap.PAGESIZE


@pytest.mark.skipif(not STATM.exists(), reason="memory in use is read as Linux tells it")
@pytest.mark.parametrize(("kind", "variant"), pairs(HUNGRY, LARGE))
def test_a_search_that_wants_more_memory_stays_within_its_limit(
    kind: Kind, variant: Variant
) -> None:
    observation = widest(variant)
    budget = Budget(simulations=kind.simulations, memory_bytes=2 * MEGABYTE)
    kind.ask(observation, Budget(simulations=1))
    before = resident_bytes()
    search = kind.search(observation, budget)
    analysis = search.run()
    taken = resident_bytes() - before
    assert_valid(analysis, observation, budget)
    assert analysis.memory_bytes > MEGABYTE
    # The answer, and whatever else the process does meanwhile, take memory too, but less.
    assert taken <= 2 * budget.memory_bytes


# --- what an answer depends on --------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "variant"), KINDS_AND_HIDDEN)
def test_what_a_seat_cannot_see_changes_nothing_in_its_answer(kind: Kind, variant: Variant) -> None:
    stream = PCG64(3)
    budget = Budget(simulations=max(2, kind.simulations // 3))
    num_different = 0
    for position in positions(variant):
        for seat in range(1 + position.num_seats):
            observation = position.observe(seat)
            other = observation.determinize(stream)
            if other != position:
                num_different += 1
                answer = kind.ask(observation, budget, threads=2)
                assert kind.ask(other.observe(seat), budget, threads=2) == answer
    assert num_different > 2


@pytest.mark.parametrize(("kind", "variant"), KINDS_AND_VARIANTS)
def test_a_seed_and_a_simulation_budget_reproduce_the_answer(kind: Kind, variant: Variant) -> None:
    budget = Budget(simulations=kind.simulations)
    for index, observation in enumerate(questions(variant)[::2]):
        threads = 1 + index % 3
        first, second = (kind.ask(observation, budget, seed=9, threads=threads) for _ in range(2))
        assert first == second


def draws(kind: Kind, variant: Variant) -> bool:
    """Whether the engine draws anything at random that can show in its answer."""
    if kind.engine == "pimc":
        return GAMES[variant.name].is_hidden
    if kind.engine == "greedy":
        return GAMES[variant.name].is_hidden or any(each.is_chance for each in positions(variant))
    return kind.engine != "expectimax"


@pytest.mark.parametrize(("kind", "variant"), KINDS_AND_VARIANTS)
def test_another_seed_gives_another_answer_where_anything_is_drawn(
    kind: Kind, variant: Variant
) -> None:
    budget = Budget(simulations=kind.simulations)

    def answer(observation: Observation, seed: int) -> Analysis:
        return replace(kind.ask(observation, budget, seed=seed), seed=0)

    differ = any(
        answer(observation, seed) != first
        for observation in decisions(variant)
        for first in [answer(observation, 0)]
        for seed in range(1, 12)
    )
    assert differ == draws(kind, variant)


@pytest.mark.parametrize(("kind", "variant"), KINDS_AND_VARIANTS)
def test_a_search_in_slices_gives_the_answer_of_one_run(kind: Kind, variant: Variant) -> None:
    rng = random.Random(4)
    budget = Budget(simulations=5 * kind.simulations)
    for threads, observation in enumerate(rng.sample(questions(variant), 3), start=1):
        whole = kind.ask(observation, budget, threads=threads)
        search = kind.search(observation, budget, threads=threads)
        snapshot = search.advance(rng.uniform(0.05, 1))
        while not search.is_finished:
            assert snapshot.stop_reason is None
            assert_valid(replace(snapshot, stop_reason=StopReason.TIME), observation, budget)
            snapshot = search.advance(rng.uniform(0.05, 1))
        assert snapshot == whole


# --- cancel ---------------------------------------------------------------------------------------


def cancelled(search: Search, delay: float) -> Analysis:
    """Run a search on a thread and cancel it after so many seconds."""
    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(search.run()), daemon=True)
    thread.start()
    thread.join(delay)
    search.cancel()
    thread.join(HANG_SECONDS)
    assert answers, "the search goes on"
    return answers[0]


@pytest.mark.parametrize(("kind", "variant"), KINDS_AND_VARIANTS)
def test_a_cancelled_search_ends_and_its_answer_is_valid(kind: Kind, variant: Variant) -> None:
    rng = random.Random(5)
    budget = Budget(milliseconds=10_000 * HANG_SECONDS)
    observation = rng.choice(decisions(variant))
    for threads in (1, 2):
        search = kind.search(observation, budget, threads=threads)
        analysis = cancelled(search, delay=rng.uniform(0, 0.01))
        assert_valid(analysis, observation, budget)
        assert analysis.stop_reason in (StopReason.CANCELLED, StopReason.SOLVED)


@pytest.mark.parametrize(("kind", "variant"), KINDS_AND_VARIANTS)
def test_a_search_cancelled_before_it_began_has_a_valid_answer(
    kind: Kind, variant: Variant
) -> None:
    budget = Budget(simulations=kind.simulations)
    for observation in questions(variant)[::3]:
        search = kind.search(observation, budget)
        search.cancel()
        assert_valid(search.run(), observation, budget)
