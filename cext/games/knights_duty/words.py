"""A Knight's Duty in words: moves; picture.py draws states, changes.py tells their differences.

Works on the views of notation.py; players are called p1 to p6, spaces by their coordinates.
"""

from typing import Any

from . import arena
from .arena import HIGH_GROUND, Space
from .changes import changes
from .movement import contenders, destination
from .names import DIRECTION_NAMES, HIDDEN, UNFILLED, a_token
from .picture import render
from .views import choice_of, gap, hit_chance, pile, pile_now

__all__ = ["changes", "describe_anywhere", "describe_move", "render"]

View = dict[str, Any]

PLAIN = {  # verbs whose words do not depend on a name in the choice
    "claim": {"yes": "insist", "no": "give way", HIDDEN: "insist or give way, unseen"},
    "order": {"first": "ask to go first", "wait": "wait", HIDDEN: "go first or wait, unseen"},
    "inspire": {
        "yes": "use Inspiration",
        "no": "keep Inspiration",
        HIDDEN: "use or keep Inspiration, unseen",
    },
}


def describe_anywhere(move: View) -> str:
    """Say what a move does in words that hold in every position."""
    verb, choice = move["verb"], move["choice"]
    if verb in PLAIN:
        return PLAIN[verb][choice]
    if verb == "clan":
        return f"start in corner {choice}"
    if verb == "place":
        return f"programme {a_token(choice)}"
    if verb == "step":
        return _describe_step(choice)
    if verb == "target":
        named = {HIDDEN: "declare an unseen target", "none": "attack nobody"}
        return named.get(choice, f"attack {choice}")
    return f"pick a {choice}"


def _describe_step(choice: str) -> str:
    if choice == HIDDEN:
        return "choose a step, unseen"
    return "stay" if choice == "stay" else f"step {DIRECTION_NAMES[choice]}"


def describe_move(view: View, move: View) -> str:
    """Say what a move or outcome does, to complete "p1 can ..."."""
    words = describe_anywhere(move)
    if move["verb"] != view["stage"]:
        return words
    detail = DETAILS[move["verb"]](view, move["choice"])
    return f"{words}{detail}"


# --- what a position adds ---------------------------------------------------------------------


def _space_name(space: Space | None) -> str:
    """Name a space: `1,-1`, `0,0, the High Ground`."""
    if space is None:
        return "nowhere"
    return f"{space[0]},{space[1]}" + (", the High Ground" if space == HIGH_GROUND else "")


def _corner_detail(view: View, choice: str) -> str:
    corners = dict(enumerate(arena.corners(view["options"])))
    return f" at {_space_name(corners.get(int(choice[1:])))}"


def _slot_detail(view: View, choice: str) -> str:
    return f" in slot {view['players'][view['seat'] - 1]['tracker'].index(UNFILLED) + 1}"


def _step_detail(view: View, choice: str) -> str:
    ways = arena.directions(view["options"])
    if choice != "stay" and choice not in ways:
        return ""
    space = _space_name(destination(view, view["seat"], choice))
    return f" on {space}" if choice == "stay" else f" to {space}"


def _claim_detail(view: View, choice: str) -> str:
    space = _space_name(contenders(view).get(view["seat"]))
    return {"yes": f" on {space}", "no": f" at {space}"}.get(choice, f": {space}")


def _target_detail(view: View, choice: str) -> str:
    if choice in ("none", HIDDEN):
        return ""
    seat, other = view["seat"], int(choice[1:])
    weapon = view["players"][seat - 1]["weapon"]
    if view["players"][other - 1]["heart"] == "defeated":
        chance = "already defeated"
    else:
        chance = f"hits {hit_chance(*pile(view, seat, other))} before Inspiration"
    return f" with the {weapon} at distance {gap(view, seat, other)} ({chance})"


def _order_detail(view: View, choice: str) -> str:
    target = choice_of(view, "targets", view["seat"])
    # What they asked for is not always what they get (R8.6): somebody must begin.
    return {"first": f" against {target}", "wait": f" and let others attack {target} first"}.get(
        choice, f": {target}"
    )


def _inspire_detail(view: View, choice: str) -> str:
    if choice != "yes":
        return ""
    if view["attacks"][0]["attacker"] == view["seat"]:
        return " for one heart more in the pile"
    if pile_now(view)[0]:
        return " for one heart less in the pile"
    if view["attacker_inspiration"] == HIDDEN:
        return " against that of the attacker, if it is used: else the pile holds no heart to lose"
    return " to no effect: the pile holds no heart"


def _draw_detail(view: View, choice: str) -> str:
    attack = view["attacks"][0]
    verb = "hits" if choice == "heart" else "misses"
    return f", so p{attack['attacker']} {verb} p{attack['target']}"


DETAILS = {
    "clan": _corner_detail,
    "place": _slot_detail,
    "step": _step_detail,
    "claim": _claim_detail,
    "target": _target_detail,
    "order": _order_detail,
    "inspire": _inspire_detail,
    "draw": _draw_detail,
}
