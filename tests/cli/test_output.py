"""Formats of what the commands print."""

import pytest

from kingmaker.cli.output import percent

from .conftest import Command


@pytest.mark.parametrize(
    ("share", "text"), [(0.5, "50.0 %"), (-0.0004, "0.0 %"), (-0.0, "0.0 %"), (-0.058, "-5.8 %")]
)
def test_a_percentage_has_one_decimal_and_no_negative_zero(share: float, text: str) -> None:
    assert percent(share) == text


def test_a_part_of_a_move_never_becomes_a_picture(kingmaker: Command) -> None:
    castle = (
        "ko 0,0/8,0 t=9;f=p1;a=p1 main@p1 I=-;D=- p1:+:-:-:jd=:qd=:kd=:-:R1a1.4,K2d4.0:-:-:- "
        "p2:+:-:-:jc=:-:-:-:P2c5.3,P2d5.2,K2f6.4:-:-:-"
    )
    told = kingmaker("analyze", castle, "--seat", "1", "--simulations", "20").stdout
    assert "act:castle:1a1" in told
