"""The fit of an evaluation's weights to results."""

from dataclasses import replace

import numpy as np
import pytest

from kingmaker.benchmarks.terms import OPTIONS, Row, fitted, held_out, rows


@pytest.mark.parametrize("game", OPTIONS)
def test_a_game_gives_differences_of_terms_with_its_result(game: str) -> None:
    found = [row for seed in range(3) for row in rows(game, "policy", 1, seed)]
    assert len(found) > 10
    assert {row.game for row in found} == {0, 1, 2}
    assert {row.share for row in found} <= {0.0, 0.5, 1.0}
    assert max(np.abs(row.terms).max() for row in found) > 0
    assert all(0 <= row.estimate <= 1 for row in found)


def test_a_position_has_the_value_that_the_engine_finds_next() -> None:
    """Where none searches it is the result."""
    for row in rows("chessault", "policy", 1, 1):
        assert row.value == row.share
    found = rows("chessault", "expectimax", 50, 1)
    assert len({row.value for row in found}) > len(found) // 2
    assert all(0 <= row.value <= 1 for row in found)


WEIGHTS = (1.0, -0.1, 2.0)


def known(number: int) -> list[Row]:
    """Positions whose results follow `WEIGHTS`, and an evaluation that knows nothing."""
    rng = np.random.Generator(np.random.SFC64(1))
    terms = rng.normal(size=(number, 3)) * (1, 5, 0.2)
    values = 1 / (1 + np.exp(-terms @ WEIGHTS))
    shares = rng.random(number) < values
    return [Row(terms[i], 0.5, float(shares[i]), values[i], i // 4) for i in range(number)]


def test_the_weights_of_a_known_curve_are_found() -> None:
    played = known(20_000)
    weights = fitted(np.array([row.terms for row in played]), np.array([r.share for r in played]))
    assert weights == pytest.approx(WEIGHTS, abs=0.1)


def test_the_fit_is_tested_in_games_it_has_not_seen() -> None:
    played = known(4_000)
    num_tested, fit, present = held_out(played)
    assert num_tested == 400
    assert present == pytest.approx(np.log(2))
    assert 0.5 < fit < 0.62  # the curve itself has 0.56
    flipped = [replace(row, share=1 - row.share) if row.game % 10 == 0 else row for row in played]
    assert held_out(flipped)[1] > np.log(2)


def test_values_make_up_for_results_that_say_nothing() -> None:
    """With games whose results are all the same, only the values tell the weights."""
    played = [replace(row, share=0.5) for row in known(4_000)]
    by_results, by_values = (held_out(played, mix)[1] for mix in (0.0, 1.0))
    assert by_results == pytest.approx(np.log(2), abs=1e-3)
    assert by_values > 0.75  # sure of what the results here don't show
