"""Random games from fixed seeds, for the tests that run over every game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

import pytest
from numpy.random import PCG64, SFC64

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.facts import FACTS
from tests.playthroughs.regenerate import options_of

CHANCE, TERMINAL, SPECTATOR = -1, -2, -1
NODE = re.compile(r"[a-z]+")

POLICY_SHARES = (0.0, 1.0, 0.5)
"""Part of the decisions that the playout policy makes, the others being uniform; by seed.

Uniform games are long and wander, games of the policy attack and end.
"""


class Variant(NamedTuple):
    """A game with options."""

    name: str
    options: dict[str, str]

    def __str__(self) -> str:
        return "-".join([self.name, *self.options.values()])

    def new(self) -> Game:
        return GAMES[self.name](**self.options)


class Step(NamedTuple):
    """A state and the move or outcome that came next; None at the end."""

    state: bytes
    move: int | None


VARIANTS = [Variant(name, options) for name in GAMES for options in options_of(name)]
"""Every game with every number of seats, arena and supply."""
BETWEEN = [
    variant
    for name in GAMES
    for variant in [v for v in VARIANTS if v.name == name and v.options.keys() == {"players"}][1:-1]
]
"""Neither the fewest nor the most seats of a game."""
EACH = [
    pytest.param(variant, id=str(variant), marks=[pytest.mark.slow] if variant in BETWEEN else [])
    for variant in VARIANTS
]
"""All variants for a test; those between are for long runs only."""


def varied(variant: Variant, seed: int) -> Variant:
    """Vary the options of a game; those that the variant names stay, such as its seats."""
    return Variant(variant.name, FACTS[variant.name].vary(variant.options, seed))


EAGER_SHARE = 0.7
NUM_GAMES = 6
"""One of each part of the policy, with and without eager moves."""


def play(game: Game, seed: int) -> Iterator[Step]:
    """Play a random game, step by step to its end; every second one has more of `eager` moves."""
    rng = random.Random(seed)
    stream = PCG64(seed)
    policy_share = POLICY_SHARES[seed % 3]
    eager = FACTS[game.name].eager if seed % 2 else None
    state = game.start_state()
    while (node := game.node_of(state)) != TERMINAL:
        if node == CHANCE:
            move = game.sample(state, stream)
        elif rng.random() < policy_share:
            move = game.policy_move(state, stream)
        elif eager and rng.random() < EAGER_SHARE:
            move = rng.choice(eager(game, state))
        else:
            move = rng.choice(game.moves_of(state))
        yield Step(state, move)
        state = game.after(state, move)
    yield Step(state, None)


@cache
def possible(game: Game, state: bytes) -> list[int]:
    """The legal moves, or at a chance node the outcomes."""
    return game.moves_of(state) or [outcome for outcome, _ in game.outcomes_of(state)]


@lru_cache(4 * len(VARIANTS))  # most tests ask for the same steps, in the order of the variants
def sampled_steps(
    name: str, options: tuple[tuple[str, str], ...], most: int, num_games: int
) -> tuple[Step, ...]:
    """Return steps from several random games, drawn at random if there are many, and the ends."""
    game = GAMES[name](**dict(options))
    games = [list(replayed(game, moves_of(name, options, seed))) for seed in range(num_games)]
    steps = [step for steps in games for step in steps[:-1]]
    # Not every k-th: where rounds are of k plies that would be the same node of each.
    drawn = random.Random(0).sample(range(len(steps)), min(most, len(steps)))
    return (*(steps[index] for index in sorted(drawn)), *(steps[-1] for steps in games))


@cache  # the moves and not the states, which would take 160 MB
def moves_of(name: str, options: tuple[tuple[str, str], ...], seed: int) -> list[int]:
    """Return the moves and outcomes of a random game."""
    game = GAMES[name](**dict(options))
    return [step.move for step in play(game, seed) if step.move is not None]


def replayed(game: Game, moves: Iterable[int]) -> Iterator[Step]:
    """Repeat a game, step by step to its end."""
    state = game.start_state()
    for move in moves:
        yield Step(state, move)
        state = game.after(state, move)
    yield Step(state, None)


def steps_of(variant: Variant, most: int = 150, num_games: int = NUM_GAMES) -> list[Step]:
    """Return about `most` steps from several random games, with the ends of all of them."""
    return [*sampled_steps(variant.name, tuple(variant.options.items()), most, num_games)]


def phase_of(game: Game, state: bytes) -> str:
    """Return the kind of node, without the seat."""
    view = game.view(state)
    node = view["node"] if "node" in view else view["stage"]
    match = NODE.match(node if isinstance(node, str) else node["type"])
    assert match is not None
    return match[0]


def by_phase(game: Game, steps: Iterable[Step]) -> dict[str, list[Step]]:
    """Sort steps by the kind of node that they stand at."""
    phases: dict[str, list[Step]] = {}
    for step in steps:
        phases.setdefault(phase_of(game, step.state), []).append(step)
    return phases


def seats_of(game: Game) -> list[int]:
    """Every seat and the spectator."""
    return [*range(game.num_seats), SPECTATOR]


def policy_states(game: Game, count: int) -> Iterator[bytes]:
    """Yield at least so many states of whole games by the playout policy, their ends left out."""
    stream = SFC64(7)
    while count > 0:
        state = game.start_state()
        while (node := game.node_of(state)) >= CHANCE:
            yield state
            count -= 1
            chance = node == CHANCE
            move = game.sample(state, stream) if chance else game.policy_move(state, stream)
            state = game.after(state, move)
