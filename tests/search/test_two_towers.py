"""What searches of Knaves Out make of the Two Towers and of islands; the policy meets few."""

from __future__ import annotations

import pytest

from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.position import parse_position

DARK = (
    "ko;max_turns=60 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=2h8.p1>p2.r0b{} p1:+:{} "
    "p2:+:-:-:-:-:-:-:K2e5.4:-:-:-"
)
"""A king each; the Dark Tower hunts p2. The checkers under it and what p1 has vary."""
COURT = "-:-:jd=ah2h3h4h:qh=ad2d3d4d:kd=ac2c3c4c:-:K1a1.4,R1a2.1,P2g7.0:-:-:-"
SOLDIERS = "-:-:-:-:-:-:K1a1.4,P2g7.4,P2g8.4:-:-:-"
ISLAND = (
    "ko;max_turns=60 0,0/8,0i/4,8 t=60;f=p1;a=p1 main@p1 I=*;D=- "
    "p1:+:-:-:-:-:-:-:K1a1.4:P2,P3~:-:- p2:+:-:-:-:-:-:-:K2d4.0:-:-:- p3:x:-:-:-:-:-:-:-:-:-:-"
)
"""The king of p2 stands on an island, and p3 has fallen. A pawn of p1 may land in the last turn."""


def moves_at(text: str) -> list[str]:
    position = parse_position("knaves_out", text)
    seen = position.observe(position.seat)
    return [select_move(seen, Budget(simulations=500), seed=seed)[0] for seed in range(4)]


def moves_of_turn(text: str, seed: int) -> list[str]:
    """Return the moves of a seat up to dice, a card or the end of its turn."""
    position = parse_position("knaves_out", text)
    seat = position.seat
    moves = []
    while not (position.is_terminal or position.is_chance) and position.seat == seat:
        seen = position.observe(seat)
        moves.append(select_move(seen, Budget(simulations=500), seed=seed)[0])
        position = position.apply(moves[-1])
    return moves


@pytest.mark.parametrize(
    ("text", "move"),
    [
        (DARK.format(0, COURT), "act:execute:2h8"),  # R11.6: its last point
        (DARK.format(1, SOLDIERS), "-2h8"),  # the last turn of its clock
        (ISLAND, "land:p2"),  # R8.7
    ],
)
def test_a_search_wins_where_it_can(text: str, move: str) -> None:
    """In this turn, if not with its first move: pawns may step first, or attack from elsewhere."""
    for seed in range(4):
        assert any(move in each for each in moves_of_turn(text, seed))


def test_a_search_spares_the_dark_tower_while_its_clock_runs() -> None:
    """R11.6: each point shortens the clock."""
    moves = moves_at(DARK.format(5, SOLDIERS))
    assert not any(move.startswith("attack") for move in moves)
