"""The arenas of A Knight's Duty: their spaces, steps and starting corners.

Docstrings cite docs/rules/knights_duty.md.
"""

from __future__ import annotations

from itertools import product

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from tests.cext.knights_duty_play import at, distance, is_accepted, new, space_of, spaces
from tests.cext.notations import tokens_of

SIZES = [(arena, radius, number)
         for arena, numbers in {"hex": [37, 61, 91, 127], "square": [49, 81, 121, 169]}.items()
         for radius, number in enumerate(numbers, 3)]  # fmt: skip


@pytest.mark.parametrize(("arena", "radius", "number"), SIZES)
def test_an_arena_has_as_many_spaces_as_its_radius_says(
    arena: str, radius: int, number: int
) -> None:
    """R2.1, R2.6: no more than the page names, and none is missing."""
    assert len(spaces(arena, radius)) == number
    tag = f"kd;arena={arena};radius={radius}".replace(";arena=hex", "").replace(";radius=4", "")
    line = tag + " t2 0.place p1 {},{}/F/n/d/...;0,0/F/n/d/... -"
    across = range(-radius - 1, radius + 2)
    accepted = {
        space
        for space in product(across, across)
        if is_accepted(GAMES["knights_duty"].parse_position, line.format(*space), InputError)
    }
    assert accepted == {*spaces(arena, radius)} - {(0, 0)}


@pytest.mark.parametrize(("arena", "radius"), [size[:2] for size in SIZES])
def test_a_lone_mover_can_step_to_every_space_at_distance_1(arena: str, radius: int) -> None:
    """R2.1 to R2.6, R6.2: from every space of the arena."""
    game = new(arena=arena, radius=radius)
    tag = game.text(game.start_state()).split(" ")[0]
    for q, r in spaces(arena, radius):
        others = "0,0" if abs(q) > 1 or abs(r) > 1 else f"{radius},-{radius}"
        state = at(f"{tag} t2 1.step p1 {q},{r}/F/n/d/MEE;{others}/F/n/d/EEE -")[1]
        after_moves = [game.view(game.after(state, move)) for move in game.moves_of(state)]
        ends = [space_of(view["players"][0]) for view in after_moves]
        near = [end for end in spaces(arena, radius) if distance(arena, (q, r), end) <= 1]
        assert sorted(ends) == sorted(near)


@pytest.mark.parametrize(
    ("arena", "players", "corners"),
    [
        ("hex", 2, [(4, -4), (-4, 4)]),
        ("hex", 3, [(4, -4), (0, 4), (-4, 0)]),
        ("hex", 4, [(4, -4), (4, 0), (-4, 4), (-4, 0)]),
        ("hex", 5, [(4, -4), (4, 0), (0, 4), (-4, 4), (-4, 0)]),
        ("hex", 6, [(4, -4), (4, 0), (0, 4), (-4, 4), (-4, 0), (0, -4)]),
        ("square", 2, [(4, -4), (-4, 4)]),
        ("square", 3, [(4, -4), (4, 4), (-4, 4)]),
        ("square", 4, [(4, -4), (4, 4), (-4, 4), (-4, -4)]),
    ],
)
def test_knights_start_in_the_corners_of_their_number(
    arena: str, players: int, corners: list[tuple[int, int]]
) -> None:
    """R2.4, R2.6, R3.1."""
    game = new(players=players, arena=arena)
    view = game.view(game.start_state())
    assert [space_of(player) for player in view["players"]] == corners


def test_a_square_arena_has_four_corners_to_choose_from() -> None:
    """R2.6, R3.2."""
    game = new(players=4, arena="square", clans="choose")
    state = game.start_state()
    for corner in ("clan:c3", "clan:c0", "clan:c2"):
        state = game.after(state, game.parse_move(corner))
    assert tokens_of(game, state) == ["clan:c1"]
