"""Exact counts of sequences of moves and outcomes."""

from __future__ import annotations

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search.perft import count_sequences
from kingmaker.search.position import new_game, parse_position

# docs/rules/kuhn_poker.md, R1.4; docs/rules/tic_tac_toe.md, section 6
COUNTS = {
    "kuhn_poker": [1, 3, 6, 12, 24, 12, 0],
    "tic_tac_toe": [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0],
}

ENDING = (
    "chs n7/3p-3k/4N3/8/8/1r+6/2B1q*3/3P4/6K+1/2P5 p2 8 3 move:prqk p1p2 2/1 -/- "
    "Q2R2B1N1P6/q1r1b2n1p7 -/- p3x2c0 x>h8,e7>d8,c3>b4 m1k0r0s0"
)


@pytest.mark.parametrize("name", COUNTS)
def test_the_whole_tree_is_counted(name: str) -> None:
    start = new_game(name)
    assert count_sequences(start.game, start.state, len(COUNTS[name]) - 1) == COUNTS[name]


def test_equal_positions_are_counted_once_for_each_way_to_them() -> None:
    """As node by node in tests/cext/test_node_counts.py; some games of this one end."""
    position = parse_position("chessault", ENDING)
    assert count_sequences(position.game, position.state, 4) == [1, 41, 155, 850, 6905 + 478 + 29]


def test_the_state_is_the_only_sequence_of_length_0() -> None:
    start = new_game("leduc_poker")
    before = bytes(bytearray(start.state))
    assert count_sequences(start.game, start.state, 0) == [1]
    assert start.state == before


@pytest.mark.parametrize("depth", [-1, 33])
def test_a_depth_out_of_range_is_refused(depth: int) -> None:
    start = new_game("tic_tac_toe")
    with pytest.raises(InputError) as refused:
        count_sequences(start.game, start.state, depth)
    assert (refused.value.field, refused.value.value) == ("depth", str(depth))


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(InputError, match="bytes"):
        count_sequences(new_game("chessault").game, new_game("tic_tac_toe").state, 1)
