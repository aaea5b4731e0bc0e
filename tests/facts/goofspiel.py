"""Facts of Goofspiel for the tests that run over every game."""

from __future__ import annotations

import random

from tests.facts.facts import Facts


def vary(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary the number of cards and the order of the prizes; every sixth game is the default one."""
    rng = random.Random(seed)
    if seed % 6 == 0:
        return options
    return {
        "cards": str(rng.choice([4, 4, 5, 6, 8, 13])),
        "order": rng.choice(["random", "ascending", "descending"]),
    }


FACTS = Facts(
    # 13 prizes, 13 bids of each seat, one reveal, then 12 prizes (docs/rules/goofspiel.md, R1).
    node_counts=[1, 13, 13 * 13, 13 * 13 * 13, 13 * 13 * 13, 13 * 13 * 13 * 12],
    vary=vary,
    small_options=({"cards": "4", "order": "random"}, {"cards": "4", "order": "descending"}),
    chance_nodes=(
        "goof;cards=5 p1=2,3,4,5 p2=1,2,4,5 bids=_/_ points=0/3 prize=_ down=1,2,4,5 node=prize",
    ),
    uniform_playouts=(
        "goof;cards=4 p1=1,2,4 p2=1,2,3 bids=_/_ points=0/3 prize=_ down=1,2,4 node=prize",
        "goof;cards=4 p1=1,3 p2=1,2 bids=1/_ points=2/3 prize=1 down=4 node=bid:p2",
        "goof;cards=5;order=ascending p1=1,2,4,5 p2=1,2,3,5 bids=_/_ points=0/1 prize=2 "
        "down=3,4,5 node=bid:p1",
        "goof;cards=5;order=descending p1=1,4,5 p2=1,2,5 bids=5/1 points=5/4 prize=3 "
        "down=1,2 node=reveal",
    ),
    counted_worlds=(
        ("goof;cards=5 p1=2,4,5 p2=1,2,5 bids=?/_ points=3/2 prize=1 down=3,4 node=bid:p2 @p2", 3),
        (
            "goof;cards=5 p1=1,2,4,5 p2=1,2,3,5 bids=?/5 points=0/2 prize=1 down=3,4,5 "
            "node=reveal @-",
            4,
        ),
    ),
    wrong_options=(
        ("order", "ascending;cards=5", "R1.2"),
        ("cards", 14, "R1.1"),
    ),
    grammar=[
        (("bid:", "prize:"), [*map(str, range(1, 14)), "?"]),
        (("reveal:",), [*map(str, range(1, 14))], "-", [*map(str, range(1, 14))]),
    ],
    least_refusals=(1500, 7),
)
