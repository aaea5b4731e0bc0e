"""Facts of tic-tac-toe for the tests that run over every game."""

from __future__ import annotations

from tests.facts.facts import Facts

FACTS = Facts(
    # docs/rules/tic_tac_toe.md, section 6: 255168 games in all.
    node_counts=[1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0],
    grammar=[("abc", "123")],
    least_refusals=(250, 2),
)
