"""Facts of Code of Chivalry for the tests that run over every game."""

from __future__ import annotations

import random
import re
from collections import Counter

from tests.facts.facts import CARD_COPIES, SEATS, Facts
from tests.reference.code_of_chivalry_cards import CARDS, DECK_TABLE, LETTERS
from tests.reference.code_of_chivalry_positions import random_position

EXTRA = re.compile("(minstrel|monk)s=([0-9])")
HIDDEN = re.compile("[?]([0-9]{1,3})")
PLAYS = [
    *CARDS,
    *(f"jester={card}" for card in CARDS),
    *(f"peasant*{count}" for count in range(1, 6)),
    *(f"peasant*{count}+jester*{jesters}" for count in range(1, 4) for jesters in (1, 2)),
]


def vary(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary all options but the number of seats; every eighth game is the default one.

    A low turn limit cuts some games short, since the first turns differ most.
    """
    if seed % 8 == 0:
        return options
    rng = random.Random(seed)
    players = int(options["players"])
    others = {
        "first_player": f"p{rng.randint(1, players)}",
        "minstrels": str(rng.randrange(5)),
        "monks": str(rng.randrange(5)),
        "deck": rng.choice(["base", "stretch", "stretch"]),
        "reshuffle_step": str(rng.randrange(4)),
        "turn_limit": str(rng.choice([1, 20, 60, 300])),
        "auto_pass": rng.choice(["public", "off", "private"]),
    }
    varied = {key: value for key, value in others.items() if rng.random() < 0.6}
    return options | varied | varied_gems(players, rng)


def varied_gems(players: int, rng: random.Random) -> dict[str, str]:
    """Draw the number of gems and the number to win, in five of eight games."""
    if rng.random() < 0.375:
        return {"two_player": rng.choice(["published", "plain"])}
    start = rng.randint(1, 30 // players)
    target = rng.randint(start + 1, players * start)
    floor = rng.randint(1, target)
    return {"start_gems": str(start), "target_gems": str(target), "target_floor": str(floor)}


def count_pile(line: str) -> str:
    """Put the remaining cards of Code of Chivalry, or their number, into the draw pile."""
    fields = line.split(" ")
    if len(fields) < 10:
        return line
    kingdoms = [kingdom.partition(",")[2] for kingdom in fields[4].split("/")]
    seen: Counter[str] = Counter()
    for text in [*kingdoms, fields[6], *cards_of_node(fields[7].split(":"))]:
        for letter, count in CARD_COPIES.findall(text):
            seen["j" if letter.isupper() else letter] += int(count or 1)  # a jester in a role
    deck = Counter({letter: count for _, letter, count in DECK_TABLE})
    deck.update({LETTERS[card]: int(count) for card, count in EXTRA.findall(fields[0])})
    pile = deck - seen
    num_hidden = sum(int(number) for number in HIDDEN.findall(fields[4]))
    hidden = f"?{pile.total() - num_hidden}"
    cards = "".join(f"{letter}{n if n > 1 else ''}" for letter, n in pile.items() if n)
    fields[5] = hidden if len(fields) > 10 else cards or "-"
    return " ".join(fields)


def cards_of_node(parts: list[str]) -> list[str]:
    """The parts of a NODE field of Code of Chivalry that are cards on the table."""
    return {"attack": parts[2:3], "respond": parts[2:4], "rob": parts[1:2]}.get(parts[0], [])


FACTS = Facts(
    # 17 kinds of cards for each of the first three cards dealt; but a third of the same kind there
    # is not of the seven kinds with two copies (docs/rules/code_of_chivalry.md, R1.1, R2.2).
    node_counts=[1, 17, 17 * 17, 17 * 17 * 17 - 7],
    vary=vary,
    random_position=random_position,
    repair=count_pile,
    mutation_cost=2,
    num_random_games=2,
    is_large=True,
    chance_nodes=(
        "coc;players=2 0 p1 0 6,-,j/6,-,- p24s16k9g3n5d3a6c6l6u2h2m2t2w3r2x2j - deal:p1:1 - -",
        "coc;players=2 60 p1 1 6,-,p20/6,-,s11 p4s5k9gx g2n5d3a6c6l6u2h2m2t2w3r2xj2 draw:1 - "
        "*:p4s5k9gx",
        "coc;players=3 7 p1 0 4,-,p/6,-,p3s2kgx2/5,-,s p20s13k8g2n5d3a6c6l6u2h2mt2w3r2j2 m "
        "take:p2:4 *>p2:x2 -",
    ),
    wrong_options=(
        ("auto_pass", "off;turn_limit=5", "R10.3"),
        ("turn_limit", 100001, "R9.6"),
        ("first_player", 5, "R2.4"),
    ),
    grammar=[
        (
            (
                "end",
                "pass",
                "special:herald",
                "special:monk",
                "rob:highwayman",
                "tax:gem",
                "tax:cards",
            ),
        ),
        (("deal:", "draw:", "take:", "show:", "give:"), [*CARDS, "?"]),
        (("fortify:", "special:", "discard:"), [*CARDS, "jester=archer", "jester=monk"]),
        (("fortify:", "special:", "respond:", "rob:"), PLAYS),
        (("attack:",), SEATS, ":", PLAYS),
        (("special:merchant:", "special:jester=merchant:", "choose:"), SEATS),
    ],
    least_refusals=(4500, 190),
)
