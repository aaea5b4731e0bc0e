"""Facts of Hearts for the tests that run over every game."""

from __future__ import annotations

from tests.facts.facts import Facts, cards_of

CARDS = cards_of("23456789tjqka", "cdhs")


def vary(options: dict[str, str], seed: int) -> dict[str, str]:
    """Fix the direction of the pass in five of eight games."""
    passes = ["random", "none", "random", "left", "random", "across", "right", "left"]
    return {"pass": passes[seed % 8]}


FACTS = Facts(
    # Four directions, then the first cards of the deal (docs/rules/hearts.md, R1.2, R1.3).
    node_counts=[1, 4, 4 * 52, 4 * 52 * 51],
    vary=vary,
    needs_hands=True,
    is_large=True,
    wrong_options=(("pass", "left direction=left", "R1.2"),),
    grammar=[
        (("direction:",), ("none", "left", "across", "right")),
        (("deal:", "pass:", "play:"), [*CARDS, "?"]),
    ],
    least_refusals=(2500, 12),
)
