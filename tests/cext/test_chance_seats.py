"""The seat that an outcome of chance concerns, at a node of each kind."""

from __future__ import annotations

import pytest

from kingmaker.search.position import Position, new_game, parse_position

NODES = [
    ("code_of_chivalry", "deal:p2:1", 2),
    ("code_of_chivalry", "draw:1", 1),
    ("hearts", "node=direction", 0),
    ("hearts", "node=deal:p3", 3),
    ("goofspiel", "node=prize", 0),
    ("goofspiel", "node=reveal", 0),
    ("kingdom_coinquest", "node=king:p2", 2),
    ("kingdom_coinquest", "node=deal:p1", 1),
    ("kuhn_poker", "node=deal:p1", 1),
    ("kuhn_poker", "node=deal:p2", 2),
    ("leduc_poker", "node=deal:p2", 2),
    ("leduc_poker", "node=deal:board", 0),
]
"""(game, what the line of the node has, seat or 0 for none)."""


def seat_of(position: Position) -> int:
    return position.game.chance_seat(position.state) + 1


def chance_node(game: str, part: str) -> Position:
    """Find a chance node whose line has a part, in games of first and last moves."""
    for choice in (0, -1):
        position = new_game(game)
        while not position.is_terminal:
            if position.is_chance and part in position.text:
                return position
            if position.is_chance:
                position = position.apply(next(iter(position.chance_outcomes())))
            else:
                position = position.apply(position.legal_moves()[choice])
    raise AssertionError(f"no node of {game} has {part}")


@pytest.mark.parametrize(("game", "part", "seat"), NODES)
def test_the_seat_of_a_draw(game: str, part: str, seat: int) -> None:
    assert seat_of(chance_node(game, part)) == seat


@pytest.mark.parametrize(
    ("game", "line", "seat"),
    [
        # R12.1: each seat rolls its own dice; the second has turn 2.
        (
            "chessault",
            "chs 8/rn1qk+3/3p-p-p-2/8/8/8/8/3P-P-3/3QK+3/8 p2 2 1 dice p1p2 9/0 -/- "
            "Q1R2B2N2P6/q1r1b2n1p5 -/- p3x3c3 - m0k0r0s0",
            2,
        ),
        # R7.3: the merchant's seat takes, p2 has the hand.
        (
            "code_of_chivalry",
            "coc;players=3 7 p1 0 4,-,p/6,-,p3s2kgx2/5,-,s p20s13k8g2n5d3a6c6l6u2h2mt2w3r2j2 m "
            "take:p2:4 *>p2:x2 -",
            1,
        ),
        # R9.1: the attacker draws.
        (
            "knights_duty",
            "kd t24 3.draw chance 2,-2/F/P/u/EMY;-1,-2/F/B/u/MHB q2>1;ia=n;id=n",
            2,
        ),
        (
            "knights_duty",
            "kd t3 1.draw chance 0,0/F/B/d/BMM;3,0/F/S/d/HMM q1>2;ia=y",
            1,
        ),
    ],
)
def test_the_seat_of_a_draw_in_a_conflict(game: str, line: str, seat: int) -> None:
    assert seat_of(parse_position(game, line)) == seat
