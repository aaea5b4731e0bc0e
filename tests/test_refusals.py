"""Golden refusals: the engine still says why a move is illegal, and what a damaged line breaks.

tests/refusals/regenerate.py writes the files; a game without one fails.
"""

from __future__ import annotations

from collections import Counter

import pytest

from kingmaker.cext.games import GAMES
from tests.refusals.regenerate import (
    FOLDER,
    LARGE,
    PARSERS,
    lines_path_of,
    parsed,
    path_of,
    possible_tokens,
    read_blocks,
    read_refusals,
    reason_of,
    reasons_in,
    refusal_of,
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

TOLERANCE = dict.fromkeys(GAMES, 0)
"""Damaged lines of each game that may break another rule or field than is recorded.

Of several clauses that a line breaks, the one that is found first may change.
"""


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


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_line_is_refused_for_the_recorded_rule(name: str) -> None:
    differing: Counter[str] = Counter()
    for recorded in read_refusals(name):
        now = refusal_of(name, recorded.kind, recorded.line)
        assert now.rule, recorded
        assert now.field, recorded
        if now != recorded:
            was = f"{recorded.kind} {recorded.rule} {recorded.field}"
            differing[f"{was} -> {now.rule} {now.field}"] += 1
    table = "\n".join(f"{count:5}  {change}" for change, count in differing.most_common())
    assert differing.total() <= TOLERANCE[name], f"not refused as recorded:\n{table}"


@pytest.mark.parametrize("name", GAMES)
def test_there_are_enough_damaged_lines(name: str) -> None:
    kinds = Counter(refusal.kind for refusal in read_refusals(name))
    assert {*kinds} == {*PARSERS}
    assert kinds.total() >= (350 if name in LARGE else 80)


def test_there_is_no_file_of_refusals_without_a_game() -> None:
    paths = {path for name in GAMES for path in (path_of(name), lines_path_of(name))}
    assert {*FOLDER.glob("*.txt")} == paths
