"""Facts of Kuhn poker for the tests that run over every game."""

from __future__ import annotations

from tests.facts.facts import Facts

FACTS = Facts(
    # 3 x 2 deals; 2 first moves, 4 second ones, of which only `pb` continues (R1.4).
    node_counts=[1, 3, 6, 12, 24, 12, 0],
    information_sets=[6, 6],  # docs/rules/kuhn_poker.md, R3.2
    small_options=({},),
    chance_nodes=(
        "kuhn p1=_ p2=_ bets=- node=deal:p1",
        "kuhn p1=q p2=_ bets=- node=deal:p2",
    ),
    counted_worlds=(
        ("kuhn p1=? p2=_ bets=- node=deal:p2 @p2", 3),
        ("kuhn p1=q p2=? bets=pb node=play:p1 @p1", 2),
        ("kuhn p1=? p2=? bets=bp node=end @-", 3 * 2),
    ),
    grammar=[(("pass", "bet"),), (("deal:",), "jqk?")],
    least_refusals=(150, 5),
)
