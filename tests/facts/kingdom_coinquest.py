"""Facts of Kingdom Coinquest for the tests that run over every game."""

from __future__ import annotations

import random
import re

from tests.facts.facts import SEATS, Facts, cards_of
from tests.reference.kingdom_coinquest_positions import random_position

EQUIPMENT = re.compile(r"\b[a2-9tjq][hsdc]\b")
CARDS = cards_of("a23456789tjq", "hsdc")

# Positions of Kingdom Coinquest with many moves, and the depths to which they are compared.
COMPARED = {
    "recruiting": (
        "kc turn=31 epoch=0 node=play:p1 p1=h/20/ah,as,ad/-/-/-/9h/- "
        "p2=s/20/6d/-/-/ts/-/- forge=40 grave=tc,4d",
        4,
    ),
    "jacks": (
        "kc turn=9 epoch=0 node=play:p1 p1=h/20/jh,7s,7c/2h,9d/-/-/5h/- "
        "p2=s/4/6d!,8d/-/3s:0/-/-/qs forge=36 grave=tc,4d",
        4,
    ),
    "reshuffle": (
        "kc turn=70 epoch=0 node=draw:p1 p1=h/9/7h,8s!/2h,3h,4h/5h:1/6h/8h/qh "
        "p2=s/6/2s,3s/5s,6s,7s/8d+8c:3/9s/ts/qs forge=0 grave=qc,2d,ah,5c,3d,4d,5d,6d,7d,9d,td,"
        "jd,qd,2c,3c,4c,6c,7c,9c,tc,jc,ac,9h,th,jh,as,ad,js,4s",
        3,
    ),
    "three players": (
        "kc turn=50 epoch=0 node=play:p1 p1=h/12/3s,5d,9c/-/-/-/9h/- "
        "p2=s/5/as,2d!/4h,tc/6c+jd:2/-/8s/- p3=d/14/6d,7c/-/-/-/-/- forge=34 grave=4d",
        4,
    ),
    "strike": (
        "kc;ace_strike=1 turn=31 epoch=0 node=play:p1 p1=h/20/as,ad,5d/-/9h:2/-/-/- "
        "p2=s/20/6d/-/-/-/-/- p3=c/7/2c/-/-/-/-/- forge=40 grave=tc,4d",
        4,
    ),
}


def vary(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary all options but the number of seats.

    Every tenth game may last 600 turns, so that some games have several reshuffles; the others have
    lower limits, since the first turns differ most.
    """
    rng = random.Random(seed)
    players = int(options["players"])
    kings = "".join(rng.sample("hsdc", players))
    return {
        "players": str(players),
        "kings": rng.choice(["random", kings]),
        "health": str(rng.choice([1, 5, 20, 20, 99])),
        "turn_limit": "600" if seed % 10 == 0 else str(rng.choice([1, 30, 60, 120])),
        "ace_strike": str(rng.randrange(2)),
    }


def count_forge(line: str) -> str:
    """Write the number of the remaining cards of Kingdom Coinquest."""
    hand_cards = line.partition("grave=")[0].count("?") - len(re.findall(r"\?~", line))
    left = 48 - len(EQUIPMENT.findall(line)) - hand_cards
    return re.sub(r"forge=\d+", f"forge={left}", line)


FACTS = Facts(
    num_random_games=6,
    # Two kings (4 x 3), then `draw:forge` is the only move and the deals have 48, 47 outcomes.
    node_counts=[1, 4, 12, 12, 12 * 48, 12 * 48, 12 * 48 * 47],
    vary=vary,
    random_position=random_position,
    repair=count_forge,
    compared=COMPARED,
    compared_starts=({"players": "2"}, {"players": "3", "kings": "shd"}),
    is_large=True,
    chance_nodes=(
        "kc turn=0 epoch=0 node=king:p2 p1=h/20/-/-/-/-/-/- p2=_/20/-/-/-/-/-/- forge=48 grave=-",
    ),
    wrong_options=(("turn_limit", -5, "R4.5"),),
    grammar=[
        (("draw:forge", "draw:grave", "pass", "hold", "scrap", "equip:knight", "equip:peasant"),),
        (("king:",), "hsdc"),
        (("attack:",), SEATS),
        (
            ("draw:salvage:", "deal:", "prep:", "queen:", "discard:", "salvage:"),
            ["?", *CARDS],
        ),
        (("prep:", "queen:"), CARDS, "+", CARDS),
        (("queen:",), ("qh", "qs", "qd", "qc"), "+", ("qh", "qs", "qd", "qc")),
        (("ace:",), CARDS, (":knight", ":peasant")),
        (
            ("ace:",),
            ("ah", "as", "ad", "ac"),
            "+",
            ("ah", "as", "ad", "ac"),
            (":knight", ":peasant"),
        ),
    ],
    least_refusals=(4500, 85),
)
