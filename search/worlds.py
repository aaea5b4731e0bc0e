"""Worlds: full states drawn from the information set of an observation, and how likely they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from kingmaker.cext.errors import InputError, check_integer, check_kind, check_list
from kingmaker.cext.game import Game

from .draws import check_seed
from .ismcts import NUM_BATCHES
from .node import check_position
from .position import Observation, Position, check_observation
from .record import RivalPolicy, past_of

MAX_WORLDS = 10_000


def sample_worlds(observation: Observation, count: int, seed: int) -> list[Position]:
    """Draw worlds that fit an observation, each independently.

    Args:
        observation: of the seat.
        count: number of worlds, 1 to `MAX_WORLDS`.
        seed: 0 to 2**63 - 1; the same seed gives the same worlds.

    Raises:
        InputError: `count` or `seed` is out of range.
        TypeError: `observation` is a full state or another value, `count` or `seed` no number.
    """
    check_observation(observation)
    check_integer("count", count, 1, MAX_WORLDS)
    check_seed(seed)
    stream = np.random.SFC64(seed)
    return [observation.determinize(stream) for _ in range(count)]


def weigh_worlds(
    observation: Observation,
    worlds: Iterable[Position],
    seed: int,
    policy: RivalPolicy | None = None,
) -> list[float]:
    """Weigh worlds by how likely the moves of the rivals that the observer has seen are in them.

    Nothing but the record of the observation and what each world would show of it is used. Without
    a record all weights are equal.

    Args:
        observation: of the seat.
        worlds: that fit it, as `sample_worlds` draws them.
        seed: of what the past of a world leaves open; the same seed gives the same weights.
        policy: how rivals are assumed to choose; None: `policy_of_rivals` of the game.

    Returns:
        The weight of each world, 0 or more, in sum 1.

    Raises:
        InputError: `seed` is out of range, or a world does not fit the observation.
        TypeError: an argument is of a wrong kind.
    """
    check_observation(observation)
    check_seed(seed)
    worlds = check_worlds(observation, worlds)
    if policy is not None:
        check_kind("policy", policy, RivalPolicy, "a RivalPolicy, or None for that of the game")
    if observation.record is None or not worlds:
        return [1 / len(worlds) for _ in worlds]
    policy = policy or policy_of_rivals(observation.game)
    past = past_of(observation, observation.record, policy)
    stream = np.random.SFC64(seed)
    return _weights([past.log_likelihood(world.state, stream) for world in worlds], policy.power)


def check_worlds(observation: Observation, worlds: Iterable[Position]) -> list[Position]:
    """Return worlds, all of which are full states that fit an observation.

    Raises:
        InputError: one does not fit.
        TypeError: one is no full state, or they are no list.
    """
    found = check_list("worlds", worlds, "full states, as sample_worlds returns them")
    for world in found:
        check_position("worlds", world)
        if why := observation.why_inconsistent(world):
            raise InputError(
                f"this world does not fit the observation: {why}", field="worlds", value=world.text
            )
    return found


def _weights(logs: Sequence[float | None], power: float) -> list[float]:
    """Turn log likelihoods into weights in sum 1; equal ones if all worlds are impossible."""
    found = [each for each in logs if each is not None and each > -math.inf]
    if not found:
        return [1 / len(logs)] * len(logs)
    best = max(found)
    # A world whose past was not found may still have one: it counts as the least likely.
    least = min(found)
    weights = [math.exp(power * ((least if each is None else each) - best)) for each in logs]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def believed_worlds(
    observation: Observation, count: int, seed: int, policy: RivalPolicy | None = None
) -> list[Position]:
    """Draw worlds by their weights: `count` are drawn, and each is there as often as it weighs.

    `Search` takes them as `worlds`. Arguments and errors are those of `sample_worlds` and
    `weigh_worlds`.
    """
    worlds = sample_worlds(observation, count, seed)
    return [worlds[at] for at in _drawn(weigh_worlds(observation, worlds, seed, policy), seed)]


def likely_worlds(
    observation: Observation, count: int, seed: int, stops: Callable[[int], bool]
) -> tuple[list[Position], bytes]:
    """Draw worlds of an observation with a record by their weights, for a search of it.

    Args:
        observation: with a record.
        count: of worlds, at most.
        seed: as in `sample_worlds`.
        stops: number of worlds so far, at least one -> whether they are enough.

    Returns:
        As many worlds as were drawn; and of each the number of its batch, from 0 to
        `NUM_BATCHES` less 1, in order of the draws.
    """
    assert observation.record is not None
    # More worlds are worth more than more pasts of each.
    policy = replace(policy_of_rivals(observation.game), pasts=1)
    past = past_of(observation, observation.record, policy)
    stream = np.random.SFC64(seed)
    worlds: list[Position] = []
    logs: list[float | None] = []
    while len(worlds) < count and not (worlds and stops(len(worlds))):
        worlds.append(observation.determinize(stream))
        logs.append(past.log_likelihood(worlds[-1].state, stream))
    places = _drawn(_weights(logs, policy.power), seed)
    batches = bytes(place * NUM_BATCHES // len(worlds) for place in places)
    return [worlds[place] for place in places], batches


def _drawn(weights: Sequence[float], seed: int) -> list[int]:
    """Draw as many places as there are weights, each as often as it weighs, in order."""
    count = len(weights)
    ends = np.cumsum(weights)
    first = np.random.Generator(np.random.SFC64(seed)).random()
    places = np.searchsorted(ends, (np.arange(count) + first) / count * ends[-1])
    return [min(place, count - 1) for place in places.tolist()]


def policy_of_rivals(game: Game) -> RivalPolicy:
    """Return how rivals are assumed to choose in a game, by its own values."""
    return RivalPolicy(game.rival_temperature, power=game.rival_trust)
