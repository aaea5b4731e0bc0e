"""A Knight's Duty in words: moves; picture.py draws states, changes.py lists differences.

Works on views, and on the scene that the compiled rules derive from a state (`KnightsDuty.scene`);
players are called p1 to p6, spaces by their coordinates.
"""

from .changes import changes
from .names import DIRECTION_NAMES, HIDDEN, HIGH_GROUND, UNFILLED, Space, View, a_token
from .picture import choice_of, hit_chance, render

__all__ = ["changes", "describe_anywhere", "describe_move", "render"]

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
    """Describe a move in words that hold in every position."""
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


def describe_move(view: View, move: View, scene: View) -> str:
    """Describe a move or outcome in words that complete "p1 can ..."."""
    words = describe_anywhere(move)
    if move["verb"] != view["node"]["type"]:
        return words
    detail = DETAILS[move["verb"]](view, move["choice"], scene)
    return f"{words}{detail}"


# --- what a position adds ---------------------------------------------------------------------


def _space_name(space: Space) -> str:
    """Name a space: `1,-1`, `0,0, the High Ground`."""
    return f"{space[0]},{space[1]}" + (", the High Ground" if space == HIGH_GROUND else "")


def _corner_detail(view: View, choice: str, scene: View) -> str:
    corners = dict(enumerate(scene["corners"]))
    space = corners.get(int(choice[1:]))
    return f" at {_space_name(space)}" if space else ""


def _slot_detail(view: View, choice: str, scene: View) -> str:
    return f" in slot {view['players'][view['node']['seat'] - 1]['tracker'].index(UNFILLED) + 1}"


def _step_detail(view: View, choice: str, scene: View) -> str:
    space = scene["ends"].get(choice)
    return f" {'on' if choice == 'stay' else 'to'} {_space_name(space)}" if space else ""


def _claim_detail(view: View, choice: str, scene: View) -> str:
    space = _space_name(scene["goals"][view["node"]["seat"]])
    return {"yes": f" on {space}", "no": f" at {space}"}.get(choice, f": {space}")


def _target_detail(view: View, choice: str, scene: View) -> str:
    seat, other = view["node"]["seat"], int(choice[1:]) if choice[1:].isdigit() else 0
    if other not in scene["rivals"]:
        return ""
    weapon = view["players"][seat - 1]["weapon"]
    chance = f"hits {hit_chance(scene['piles'][other])} before Inspiration"
    if view["players"][other - 1]["heart"] == "defeated":
        chance = "already defeated"
    return f" with the {weapon} at distance {scene['rivals'][other]} ({chance})"


def _order_detail(view: View, choice: str, scene: View) -> str:
    target = choice_of(view, "targets", view["node"]["seat"])
    # The answers are not always granted (R8.6): one attacker must begin.
    return {"first": f" against {target}", "wait": f" and let others attack {target} first"}.get(
        choice, f": {target}"
    )


def _inspire_detail(view: View, choice: str, scene: View) -> str:
    if choice != "yes":
        return ""
    if view["attacks"][0]["attacker"] == view["node"]["seat"]:
        return " for one heart more in the pile"
    if scene["pile"][0]:
        return " for one heart less in the pile"
    if view["attacker_inspiration"] == HIDDEN:
        return " against that of the attacker, if it is used: else the pile holds no heart to lose"
    return " to no effect: the pile holds no heart"


def _draw_detail(view: View, choice: str, scene: View) -> str:
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
