"""Engine and reference model agree at every node of random games.

By default 10 games per game and number of seats, fewer of slow games; the environment variable
KINGMAKER_FUZZ_GAMES sets another number (`make test-all`, `make fuzz`), and KINGMAKER_FUZZ_SECONDS
a time after which no other game is begun (`make test-all`). A failure names the seed, the options
and the moves.
"""

from __future__ import annotations

import os
import time
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from numpy.random import PCG64

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.facts import FACTS
from tests.random_play import CHANCE, EACH, TERMINAL, VARIANTS, Variant, play, seats_of, varied
from tests.reference import REFERENCES, RuleModel

NUM_GAMES = os.environ.get("KINGMAKER_FUZZ_GAMES")
SECONDS = float(os.environ.get("KINGMAKER_FUZZ_SECONDS", "inf"))


MORE = [
    Variant(name, options)
    for name, facts in FACTS.items()
    for options in facts.differential_options
]


def asked(game: Game, state: bytes) -> str:
    node = game.node_of(state)
    return {CHANCE: "chance", TERMINAL: "end"}.get(node, f"p{node + 1}")


@cache  # the same few at every node of a game
def exact(number: float) -> Fraction:
    """The fraction that a probability or share stands for; denominators are small."""
    return Fraction(number).limit_denominator(1000)


def engine_facts(game: Game, state: bytes) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "position": game.text(state),
        "node": asked(game, state),
        "legal moves": [game.move_text(move) for move in game.moves_of(state)],
        "outcomes": [(game.move_text(o), exact(p)) for o, p in game.outcomes_of(state)],
    }
    for seat in seats_of(game):
        facts[f"observation of seat {seat + 1}"] = game.text(game.observed(state, seat))
    if game.node_of(state) == TERMINAL:
        facts["returns"] = [exact(share) for share in game.returns_of(state)]
    return facts


def reference_facts(reference: RuleModel, num_seats: int) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "position": reference.text(),
        "node": reference.node(),
        "legal moves": reference.legal(),
        "outcomes": list(reference.chance().items()),
    }
    for seat in range(num_seats + 1):
        facts[f"observation of seat {seat}"] = reference.observe(seat)
    if reference.node() == "end":
        facts["returns"] = reference.returns()
    return facts


def differences(game: Game, state: bytes, reference: RuleModel) -> str:
    """Say what engine and reference see differently, empty if nothing."""
    engine, plain = engine_facts(game, state), reference_facts(reference, game.num_seats)
    return "\n".join(
        f"{fact}:\n  engine    {engine.get(fact)}\n  reference {plain.get(fact)}"
        for fact in engine | plain
        if engine.get(fact) != plain.get(fact)
    )


def inconsistent(game: Game, state: bytes, reference: RuleModel, seed: int) -> str:
    """Say which determinization the reference finds inconsistent, empty if none."""
    stream = PCG64(seed)
    found = []
    for seat in seats_of(game):
        drawn = game.text(game.determinized(game.observed(state, seat), stream))
        if not reference.consistent(seat + 1, drawn):
            found.append(f"determinization for seat {seat + 1} is not consistent:\n  {drawn}")
    return "\n".join(found)


def first_difference(variant: Variant, seed: int) -> str:
    """Play one game through both; return a report of the first node where they differ."""
    game = variant.new()
    reference = REFERENCES[variant.name].new(variant.options)
    tokens: list[str] = []
    for ply, (state, move) in enumerate(play(game, seed)):
        found = differences(game, state, reference)
        if ply % 16 == 0:
            found += inconsistent(game, state, reference, seed + ply)
        if found:
            options = " ".join(f"{key}={value}" for key, value in variant.options.items())
            return f"seed {seed}\nnew {options}\ndo {' '.join(tokens)}\n{found}"
        if move is not None:
            tokens.append(game.move_text(move))
            reference = reference.apply(tokens[-1])
    return ""


def test_every_game_has_a_reference() -> None:
    assert GAMES.keys() <= REFERENCES.keys()


@pytest.mark.fuzz
@pytest.mark.parametrize("variant", [*EACH, *MORE], ids=str)
def test_random_games_agree(variant: Variant) -> None:
    start = time.monotonic()
    for seed in range(int(NUM_GAMES or FACTS[variant.name].num_random_games)):
        if time.monotonic() > start + SECONDS:
            break
        report = first_difference(varied(variant, seed), seed)
        assert not report, report


class GameMachine(RuleBasedStateMachine):
    """The engine and the reference agree after every step; Hypothesis chooses the steps."""

    name = ""

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        variants = [variant for variant in VARIANTS if variant.name == self.name]
        variant = data.draw(st.sampled_from(variants))
        variant = varied(variant, data.draw(st.integers(0, 99)))
        self.game = variant.new()
        self.state = self.game.start_state()
        self.reference: RuleModel = REFERENCES[self.name].new(variant.options)

    @precondition(lambda self: self.reference.node() != "end")
    @rule(data=st.data())
    def step(self, data: st.DataObject) -> None:
        token = data.draw(st.sampled_from(self.reference.legal() or list(self.reference.chance())))
        self.state = self.game.after(self.state, self.game.parse_move(token))
        self.reference = self.reference.apply(token)

    @precondition(lambda self: self.reference.node() == "end")
    @rule(data=st.data())
    def begin_again(self, data: st.DataObject) -> None:
        self.begin(data)

    @precondition(lambda self: self.reference.node() != "end")
    @rule(seed=st.integers(0, 99))
    def jump(self, seed: int) -> None:
        """Several steps of the playout policy, to get to the middle of a game."""
        stream = PCG64(seed)
        for _ in range(1 + seed % 20):
            node = self.game.node_of(self.state)
            if node == TERMINAL:
                return
            draw = self.game.sample if node == CHANCE else self.game.policy_move
            move = draw(self.state, stream)
            self.state = self.game.after(self.state, move)
            self.reference = self.reference.apply(self.game.move_text(move))

    @invariant()
    def they_agree(self) -> None:
        found = differences(self.game, self.state, self.reference)
        assert not found, found


@pytest.mark.parametrize("name", GAMES)
def test_games_that_hypothesis_chooses_agree(name: str) -> None:
    machine = type(f"Machine_{name}", (GameMachine,), {"name": name})
    test = machine.TestCase  # type: ignore[attr-defined]
    test.settings = settings(
        max_examples=20,
        stateful_step_count=30,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],  # the steps are printed as they are; shrinking takes minutes
        suppress_health_check=list(HealthCheck),
    )
    test().runTest()
