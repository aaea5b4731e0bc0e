"""Facts of Connect Four for the tests that run over every game."""

from __future__ import annotations

from tests.facts.facts import Facts

FACTS = Facts(
    # Every column is open for six plies; 7^7 - 7 at length 7, where the seven sequences that put
    # seven discs on one column are missing (docs/rules/connect_four.md, section 6).
    node_counts=[1, 7, 49, 343, 2401, 16807, 117649, 823536],
    uniform_playouts=(
        "c4 board=......./......./......./......./......./....... node=play:p1",
        "c4 board=x..o.../o..x.../x..o.../o..xo../xo.oxx./oxoxoxx node=play:p2",
    ),
    grammar=[("abcdefg",)],
    least_refusals=(150, 2),
)
