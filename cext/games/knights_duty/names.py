"""The words of views, by their numbers in state.pxd, and names in sentences."""

from typing import Any

from kingmaker.cext.reasons import Numbers, seats_of
from kingmaker.cext.words import seats_name

View = dict[str, Any]
Space = tuple[int, int]  # q, r

HIDDEN = "?"
HIDDEN_NUMBER = 15
LOCKED = "locked"
UNFILLED = ""
HIGH_GROUND: Space = (0, 0)  # R2.5

CHOICES = {  # verb, which is the name of its stage, by number -> its choices, by number
    "clan": ("c0", "c1", "c2", "c3", "c4", "c5"),
    "place": ("", "sword", "spear", "bow", "shield", "parry", "move", "empty"),
    "step": ("", "stay", "n", "ne", "e", "se", "s", "sw", "w", "nw"),
    "claim": ("", "yes", "no"),
    "target": ("", "p1", "p2", "p3", "p4", "p5", "p6", "none"),
    "order": ("", "first", "wait"),
    "inspire": ("", "yes", "no"),
    "draw": ("", "heart", "shield"),
}
STAGES = (*CHOICES, "end")
HEARTS = ("out", "full", "broken", "defeated")
TOKENS = (*CHOICES["place"], LOCKED)
LISTS = {"step": "steps", "claim": "claims", "target": "targets", "order": "orders"}
INSPIRATIONS = ("attacker_inspiration", "target_inspiration")

STAGE_NAMES = {
    "clan": "the choice of corners",
    "place": "the programming",
    "step": "the choice of steps",
    "claim": "the claiming of contested spaces",
    "target": "the declaring of targets",
    "order": "the choice between first and wait",
    "inspire": "the question for Inspiration",
    "draw": "the picking of a card from the pile",
}
GROUPS = {
    "step": "the movers",
    "claim": "the contenders for a space",
    "target": "the pending attackers",
    "order": "the attackers that share a target",
    "inspire": "the two of the first attack whose Inspiration is up",
}
DIRECTION_NAMES = {
    "n": "north",
    "ne": "north-east",
    "e": "east",
    "se": "south-east",
    "s": "south",
    "sw": "south-west",
    "w": "west",
    "nw": "north-west",
}


def codes(
    words: tuple[str, ...], *, hides: bool = False, takes_none: bool = True
) -> dict[str, int]:
    """Map words to their numbers; also `?` if `hides`, and the empty word if `takes_none`."""
    found = {word: number for number, word in enumerate(words) if word or takes_none}
    return found | {HIDDEN: HIDDEN_NUMBER} if hides else found


def word_of(words: tuple[str, ...], number: int) -> str:
    """Return the word of a number."""
    return HIDDEN if number == HIDDEN_NUMBER else words[number]


def choice_name(move: int) -> str:
    """Name the choice of a packed move; the content of a slot is a choice of `place`."""
    verb = STAGES[move >> 4]
    return word_of(TOKENS if verb == "place" else CHOICES[verb], move & HIDDEN_NUMBER)


def place_name(place: int) -> str:
    """Name the field of a choice, packed as `where` of validity.pyx does."""
    verb, index, slot = STAGES[place >> 8], place >> 4 & 15, place & 15
    if verb == "place":
        return f"players[{index}].tracker[{slot}]"
    if verb == "inspire":
        return INSPIRATIONS[slot]
    return f"attacks[{index}].target" if verb == "draw" else f"{LISTS[verb]}[{index}].choice"


def attacker_name(place: int) -> str:
    """Name the field of an attacker, packed like the place of a choice."""
    index = place >> 4 & 15
    if STAGES[place >> 8] in LISTS:
        return f"targets[{index}].seat"
    return f"attacks[{index}].attacker" if place & 15 == 0 else f"waiting[{index}]"


def space_of(view: View, seat: int) -> Space | None:
    """Return the space of a Knight; None if it is out or has no corner yet."""
    space = view["players"][seat - 1].get("space")
    return (space["q"], space["r"]) if space else None


def a_token(token: str) -> str:
    """Name the content of a slot: `a sword`, `nothing`."""
    named = {"move": "a movement", "empty": "nothing", HIDDEN: "an unseen token"}
    return named.get(token, f"a {token}")


NUMBERS = Numbers(
    attacker=attacker_name,
    choice=choice_name,
    direction=lambda number: DIRECTION_NAMES[CHOICES["step"][number]],
    group=lambda stage: GROUPS[STAGES[stage]],
    heart=lambda number: HEARTS[number],
    list=lambda stage: LISTS[STAGES[stage]],
    name=lambda stage: STAGE_NAMES[STAGES[stage]],
    observer=lambda seat: f"p{seat}" if seat else "a spectator",
    place=place_name,
    seats=lambda mask: seats_name(seats_of(mask)),
    stage=lambda number: STAGES[number],
    token=lambda number: word_of(TOKENS, number),
)
