"""Seeds and streams of searches are numpy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kingmaker.cext.rng import Seed
from tests.random_play import VARIANTS, steps_of

STREAMS, ROWS = 4, 50
WORDS = 3  # 64-bit words that seed SFC64


class Words(np.random.bit_generator.ISeedSequence):
    """Some words of a sequence, as the seed of one generator."""

    def __init__(self, words: np.ndarray) -> None:
        self._words = words

    def generate_state(self, n_words: int, dtype: object = np.uint32) -> np.ndarray:
        """Return them."""
        return self._words


@pytest.mark.parametrize("number", [0, 1, 2**31, 2**32 + 5, 2**63 - 1, 2**64 - 1])
@pytest.mark.parametrize("places", [(), (0,), (3,), (1, 2**32 - 1, 7)])
def test_the_streams_of_a_seed_are_those_of_numpy(number: int, places: tuple[int, ...]) -> None:
    sequence = np.random.SeedSequence(number, spawn_key=places)
    assert Seed(number, *places).word() == sequence.generate_state(1)[0]
    words = sequence.generate_state(STREAMS * WORDS, np.uint64)
    for drawn, row in zip(
        Seed(number, *places).drawn(STREAMS, ROWS), words.reshape(STREAMS, WORDS), strict=True
    ):
        seed: Any = Words(row)
        stream = np.random.SFC64(seed)
        raw = stream.ctypes
        for half, whole, share, other in drawn:
            assert half == raw.next_uint32(raw.state_address)
            assert whole == raw.next_uint64(raw.state_address)
            assert share == raw.next_double(raw.state_address)
            assert other == raw.next_uint32(raw.state_address)


def test_the_end_of_a_generator_may_ask_for_another_one() -> None:
    variant = next(each for each in VARIANTS if each.name == "hearts")
    game = variant.new()
    states = [step.state for step in steps_of(variant, 1)]
    observation = game.observed(states[len(states) // 2], 0)
    wanted, other = np.random.PCG64(1), np.random.PCG64(2)

    class Last(np.random.PCG64):
        def __del__(self) -> None:
            game.determinized(observation, other)

    game.determinized(observation, Last())
    game.determinized(observation, wanted)
    for generator, seed in ((wanted, 1), (other, 2)):
        fresh = np.random.PCG64(seed)
        game.determinized(observation, fresh)
        assert generator.state == fresh.state != np.random.PCG64(seed).state
