"""Golden refusals: the engine still says why a move is illegal as it did.

tests/refusals/regenerate.py writes the files; a game without one fails.
"""

from __future__ import annotations

import pytest

from kingmaker.cext.games import GAMES
from tests.refusals.regenerate import (
    FOLDER,
    PARSERS,
    parsed,
    path_of,
    possible_tokens,
    read_blocks,
    reason_of,
    reasons_in,
    summary,
)

LEAST = {
    "chessault": (5000, 180),
    "code_of_chivalry": (4500, 190),
    "connect_four": (150, 2),
    "goofspiel": (1500, 7),
    "hearts": (2500, 12),
    "kingdom_coinquest": (4500, 85),
    "knights_duty": (2200, 70),
    "kuhn_poker": (150, 5),
    "leduc_poker": (400, 7),
    "tic_tac_toe": (250, 2),
}
"""Least pairs of line and token, and least reasons apart from names and numbers, by game."""


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_move_is_refused_for_the_recorded_reason(name: str) -> None:
    for kind, line, refused in read_blocks(name):
        game, state = parsed(name, kind, line)
        recorded = {token: reason for reason, tokens in refused.items() for token in tokens}
        assert not possible_tokens(game, state, recorded), line
        assert {token: reason_of(game, state, token) for token in recorded} == recorded, line


@pytest.mark.parametrize("name", GAMES)
def test_there_are_enough_illegal_moves_and_reasons(name: str) -> None:
    blocks = read_blocks(name)
    reasons = reasons_in(blocks)
    counts = (reasons.total(), len(reasons))
    assert all(map(int.__ge__, counts, LEAST[name])), summary(name, blocks)
    assert {block.kind for block in blocks} == {*PARSERS}


def test_there_is_no_file_of_refusals_without_a_game() -> None:
    assert {*FOLDER.glob("*.txt")} == {path_of(name) for name in GAMES}
