"""Random games from fixed seeds, for the tests that run over every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from numpy.random import PCG64

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES

CHANCE, TERMINAL, SPECTATOR = -1, -2, -1

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


VARIANTS = [
    Variant(name, {"players": str(players)} if len(game.seat_counts) > 1 else {})
    for name, game in GAMES.items()
    for players in game.seat_counts
]
"""Every game with every number of seats."""


def play(game: Game, seed: int) -> Iterator[Step]:
    """Play a random game, step by step to its end."""
    rng = random.Random(seed)
    stream = PCG64(seed)
    policy_share = POLICY_SHARES[seed % 3]
    state = game.start_state()
    while (node := game.node_of(state)) != TERMINAL:
        if node == CHANCE:
            move = game.sample(state, stream)
        elif rng.random() < policy_share:
            move = game.policy_move(state, stream)
        else:
            move = rng.choice(game.moves_of(state))
        yield Step(state, move)
        state = game.after(state, move)
    yield Step(state, None)


@cache
def sampled_steps(name: str, options: tuple[tuple[str, str], ...], most: int) -> list[Step]:
    """Return steps from several random games; of long ones every k-th and always the end."""
    game = GAMES[name](**dict(options))
    games = [list(play(game, seed)) for seed in range(12)]
    steps = [step for steps in games for step in steps[:-1]]
    return steps[:: 1 + len(steps) // most] + [steps[-1] for steps in games]


def steps_of(variant: Variant, most: int = 300) -> list[Step]:
    """Return about `most` steps from several random games, with the ends of all of them."""
    return sampled_steps(variant.name, tuple(variant.options.items()), most)


def seats_of(game: Game) -> list[int]:
    """Every seat and the spectator."""
    return [*range(game.num_seats), SPECTATOR]
