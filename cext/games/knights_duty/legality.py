"""Why a well-formed move of A Knight's Duty is not legal, with the number of its rule."""

from collections.abc import Callable
from typing import Any

from . import arena
from .movement import destination
from .names import DIRECTION_NAMES, HIDDEN, STAGE_NAMES, SUPPLY
from .views import RANGES, gap, knight_on, standing

View = dict[str, Any]
Reason = tuple[str, str]  # a sentence, a rule number

RULES = {  # verb, which is also its stage -> the rule that asks for it
    "clan": "R3.2",
    "place": "R4.4",
    "step": "R6.1",
    "claim": "R6.4",
    "target": "R8.3",
    "order": "R8.5",
    "inspire": "R9.3",
    "draw": "R9.5",
}


def why_illegal(view: View, move: View) -> Reason:
    """Return the first reason against a move in a view where it is not legal."""
    stage, verb = view["stage"], move["verb"]
    if stage == "end":
        return _why_over(view)
    if verb != stage:
        return (f"it is {STAGE_NAMES[stage]}; {verb} belongs to {STAGE_NAMES[verb]}", RULES[verb])
    if move["choice"] == HIDDEN:
        return ("a move says what is chosen", RULES[verb])
    check = CHECKS.get(verb)
    reason = check(view, move["choice"]) if check else None
    return reason or ("it is not among the legal moves", "")


def _why_over(view: View) -> Reason:
    rule = {0: "R11.3", 1: "R11.2"}.get(len(standing(view)), "R11.4")
    return ("the game is over", rule)


def _why_no_corner(view: View, choice: str) -> Reason | None:
    corners = arena.corners(view["options"])
    index = int(choice[1:])
    if index >= len(corners):
        return (f"the arena has the corners c0 to c{len(corners) - 1}", "R2.6")
    seat = knight_on(view, corners[index])
    return (f"the corner {choice} is taken by p{seat}", "R3.2") if seat else None


def _why_not_placed(view: View, choice: str) -> Reason | None:
    if choice == "empty":
        return ("no slot is left empty with empty_slots=off", "R4.6")
    tracker = view["players"][view["seat"] - 1]["tracker"]
    if tracker.count(choice) < SUPPLY[choice]:
        return None  # what lies on the tracker is hidden
    return (f"all {SUPPLY[choice]} {choice} tokens are on the tracker of p{view['seat']}", "R4.5")


def _why_no_step(view: View, choice: str) -> Reason | None:
    ways = arena.directions(view["options"])
    if choice not in ways:
        kind = "hexagons have" if arena.is_hex(view["options"]) else "the arena has"
        rule = "R2.2" if arena.is_hex(view["options"]) else "R2.6"
        return (f"{kind} no direction {choice}, only {' '.join(ways)}", rule)
    space = destination(view, view["seat"], choice)
    if space is None:
        return (f"there is no space to the {DIRECTION_NAMES[choice]}", "R6.2")
    return (f"p{knight_on(view, space)}, who does not move, stands on it", "R6.2")


def _why_no_target(view: View, choice: str) -> Reason | None:
    seat, other = view["seat"], int(choice[1])
    if other == seat:
        return ("nobody attacks himself", "R8.3")
    if other not in standing(view):
        return (f"p{other} is not on the board", "R8.3")
    weapon = view["players"][seat - 1]["weapon"]
    return (
        f"p{other} is {gap(view, seat, other)} away, a {weapon} reaches {RANGES[weapon]}",
        "R8.1",
    )


CHECKS: dict[str, Callable[[View, str], Reason | None]] = {  # of the others all choices are legal
    "clan": _why_no_corner,
    "place": _why_not_placed,
    "step": _why_no_step,
    "target": _why_no_target,
}
