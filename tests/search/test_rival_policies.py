"""The policy by which the moves of rivals are judged: what it may return, and its parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search.position import new_game, parse_observation
from kingmaker.search.record import Record, RivalPolicy, Seen
from kingmaker.search.worlds import sample_worlds, weigh_worlds

from .recorded_games import DEAL, KUHN


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", -1.0),
        ("temperature", math.nan),
        ("floor", -0.5),
        ("floor", 2),
        ("power", math.nan),
        ("power", -3),
        ("pasts", 0),
        ("pasts", 2.5),
    ],
)
def test_a_policy_of_rivals_out_of_range_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError) as caught:
        RivalPolicy(**{name: value})  # type: ignore[arg-type]
    assert (caught.value.field, caught.value.value) == (f"policy.{name}", str(value))
    with pytest.raises((TypeError, InputError)):
        RivalPolicy(**{name: "1"})  # type: ignore[arg-type]


def test_a_policy_that_leaves_a_move_out_is_refused() -> None:
    observation = parse_observation("kuhn_poker", KUHN).with_record(Record((*DEAL, Seen(1, "bet"))))
    policy = RivalPolicy(choose=lambda state, seat: {})
    with pytest.raises(InputError, match="no probability of") as caught:
        weigh_worlds(observation, sample_worlds(observation, 2, 1), 1, policy)
    assert caught.value.field == "policy.choose"


@pytest.mark.parametrize(
    ("probability", "shown"),
    [(math.nan, "nan"), (-0.5, "-0.5"), (math.inf, "inf"), ("1", "'1'"), (None, "None"), (2, "2")],
)
def test_a_policy_of_no_probabilities_is_refused(probability: Any, shown: str) -> None:
    observation = parse_observation("kuhn_poker", KUHN).with_record(Record((*DEAL, Seen(1, "bet"))))
    moves = observation.game.moves_of(new_game("kuhn_poker").apply("deal:q", "deal:j").state)
    policy = RivalPolicy(choose=lambda state, seat: dict.fromkeys(moves, probability))
    with pytest.raises(
        InputError, match=f"probability of .* is {shown}; it must be a number, 0 to 1"
    ):
        weigh_worlds(observation, sample_worlds(observation, 2, 1), 1, policy)


@pytest.mark.parametrize("kind", [np.array, np.float32, Decimal, Fraction])
def test_probabilities_of_a_policy_may_be_any_numbers(kind: Callable[[float], Any]) -> None:
    """Also arrays without a dimension, as tensors are that a network returns."""
    observation = parse_observation("kuhn_poker", KUHN).with_record(Record((*DEAL, Seen(1, "bet"))))
    moves = observation.game.moves_of(new_game("kuhn_poker").apply("deal:q", "deal:j").state)
    worlds = sample_worlds(observation, 4, 1)

    def weights(probability: Any) -> list[float]:
        policy = RivalPolicy(choose=lambda state, seat: dict.fromkeys(moves, probability))
        return weigh_worlds(observation, worlds, 1, policy)

    assert weights(kind(0.5)) == weights(0.5)


def test_a_policy_of_no_moves_is_refused() -> None:
    observation = parse_observation("kuhn_poker", KUHN).with_record(Record((*DEAL, Seen(1, "bet"))))
    none: Any = None
    policy = RivalPolicy(choose=lambda state, seat: none)
    with pytest.raises(TypeError, match=r"what policy\.choose returns is None; it must be a map"):
        weigh_worlds(observation, sample_worlds(observation, 2, 1), 1, policy)
