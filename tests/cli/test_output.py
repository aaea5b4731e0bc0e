"""Formats of what the commands print."""

import pytest

from kingmaker.cli.output import percent


@pytest.mark.parametrize(
    ("share", "text"), [(0.5, "50.0 %"), (-0.0004, "0.0 %"), (-0.0, "0.0 %"), (-0.058, "-5.8 %")]
)
def test_a_percentage_has_one_decimal_and_no_negative_zero(share: float, text: str) -> None:
    assert percent(share) == text
