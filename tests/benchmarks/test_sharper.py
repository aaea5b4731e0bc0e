"""Policies raised to a power: what they lose in solved positions."""

from __future__ import annotations

import pytest

from kingmaker.benchmarks.sharper import loss, sharpened
from kingmaker.search.position import Observation


def test_a_power_makes_likely_moves_likelier() -> None:
    policy = {"place:sword": 0.75, "place:bow": 0.25, "place:move": 0.0}
    assert sharpened(policy, 1) == {"place:sword": 0.75, "place:bow": 0.25}
    assert sharpened(policy, 2) == pytest.approx({"place:sword": 0.9, "place:bow": 0.1})


def test_a_sharper_policy_loses_less_if_its_likeliest_move_is_the_best() -> None:
    def player(observation: Observation, _: int) -> dict[str, float]:
        first, *others = observation.legal_moves()
        return {first: 0.6, **dict.fromkeys(others, 0.4 / len(others))}

    losses = [loss(player, power) for power in (1, 2)]
    alone = loss(lambda observation, _: {observation.legal_moves()[0]: 1.0}, 1)
    assert abs(losses[1] - alone) < abs(losses[0] - alone)
    assert losses[0] > 0
