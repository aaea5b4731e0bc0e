"""Formats of what the commands print."""

import pytest

from kingmaker.cli.output import advice_text, percent


@pytest.mark.parametrize(
    ("share", "text"), [(0.5, "50.0 %"), (-0.0004, "0.0 %"), (-0.0, "0.0 %"), (-0.058, "-5.8 %")]
)
def test_a_percentage_has_one_decimal_and_no_negative_zero(share: float, text: str) -> None:
    assert percent(share) == text


def test_advice_says_how_often_and_how_much_as_far_as_known() -> None:
    assert advice_text(None, "50.0 %") == "wins 50.0 %"
    assert advice_text(0.25, "50.0 %") == "play it in 25.0 % of cases, it wins 50.0 %"
    assert advice_text(0.25, "") == "play it in 25.0 % of cases"
    assert advice_text(None, "") == ""
