"""The words of views and sentences, and the letters that lines write them with (R13.3)."""

STAGES = ("clan", "place", "step", "claim", "target", "order", "inspire", "draw", "end")
STAGE_NAMES = {
    "clan": "the choice of corners",
    "place": "the programming",
    "step": "the choice of steps",
    "claim": "the claiming of contested spaces",
    "target": "the declaring of targets",
    "order": "the choice between first and wait",
    "inspire": "the question for Inspiration",
    "draw": "the picking of a card from the pile",
    "end": "the end",
}

HEARTS = {"full": "F", "broken": "B", "defeated": "X"}  # a Knight that is out has no letter
WEAPONS = {"": "n", "sword": "S", "spear": "P", "bow": "B"}
HIDDEN = "?"
LOCKED = "locked"
UNFILLED = ""
TOKENS = {
    "sword": "S",
    "spear": "P",
    "bow": "B",
    "shield": "H",
    "parry": "Y",
    "move": "M",
    "empty": "E",
    LOCKED: "x",
    UNFILLED: ".",
    HIDDEN: HIDDEN,
}
SUPPLY = {"sword": 2, "spear": 2, "bow": 2, "shield": 2, "parry": 2, "move": 3}  # R1.2

CHOICES = {  # a list of a view -> the letter of its items, and what they may say (R13.3)
    "steps": ("m", {way: way for way in ("stay", "n", "ne", "e", "se", "s", "sw", "w", "nw")}),
    "claims": ("c", {"yes": "y", "no": "n"}),
    "targets": ("a", {"": "", "none": "n"} | {f"p{seat}": str(seat) for seat in range(1, 7)}),
    "orders": ("o", {"first": "f", "wait": "w"}),
}
INSPIRATIONS = {"attacker_inspiration": "ia", "target_inspiration": "id"}
ANSWERS = {"yes": "y", "no": "n"}

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


def a_token(token: str) -> str:
    """Name what lies in a slot: `a sword`, `nothing`."""
    named = {"move": "a movement", "empty": "nothing", HIDDEN: "an unseen token"}
    return named.get(token, f"a {token}")


def tracker_text(tracker: list[str]) -> str:
    """Write a tracker as a line does: `SH.`."""
    return "".join(TOKENS[token] for token in tracker)


def seats_name(seats: list[int]) -> str:
    """List seats: `p1`, `p1 and p3`, `p1, p2 and p3`; `nobody`."""
    names = [f"p{seat}" for seat in seats]
    if len(names) < 2:
        return "".join(names) or "nobody"
    return f"{', '.join(names[:-1])} and {names[-1]}"
