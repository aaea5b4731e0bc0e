"""The arena and its players as text, at most 100 columns wide."""

from fractions import Fraction

from kingmaker.cext.words import counted, observer_lines, result_name, seats_name

from .names import (
    DIRECTION_NAMES,
    HIGH_GROUND,
    INSPIRATIONS,
    Space,
    View,
    space_of,
)

CELL = 4  # columns of a space
MARGIN = 6  # columns of the label before a row
TITLES = ("", "order", "Heart", "space", "weapon", "Inspiration", "slot 1", "slot 2", "slot 3")
DUTIES = {
    "clan": "picks a corner",
    "place": "programmes",
    "step": "chooses a step",
    "claim": "claims a contested space or gives way",
    "target": "declares a target",
    "order": "goes first or waits",
    "inspire": "may use Inspiration",
}
UNDECIDED = "not asked yet"


def render(view: View, scene: View) -> str:
    """Draw a state or observation: the arena, then the players, then pending choices and attacks.

    Args:
        view: view of the state.
        scene: facts that the compiled rules derive (`KnightsDuty.scene`).
    """
    parts = [
        [_headline(view)],
        _arena_lines(view, scene) + _legend(view, scene),
        _table(view, scene),
        _pending_lines(view, scene) + observer_lines(view),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _headline(view: View) -> str:
    """Name the turn, the stage, the player to move and the decision."""
    slot = f", slot {view['slot']}" if view["slot"] else ""
    when = f"turn {view['turn']} of {view['options']['turn_limit']}{slot}"
    if view["node"]["type"] == "end":
        return f"{when}; the game is over: {result_name(view['winners'])}"
    if view["node"]["type"] == "draw":
        attack = view["attacks"][0]
        who = f"p{attack['attacker']} attacks p{attack['target']}"
        return f"{when}; {who}, and a card is picked from the pile"
    return f"{when}; p{view['node']['seat']} {DUTIES[view['node']['type']]}"


# --- the arena --------------------------------------------------------------------------------


def _arena_lines(view: View, scene: View) -> list[str]:
    """Draw the spaces: each row is labelled with r before it and the range of q after it."""
    knights = {space_of(view, seat): f"p{seat}" for seat in scene["order"]}
    corners = scene["corners"] if view["node"]["type"] == "clan" else []
    names = {space: f"c{number}" for number, space in enumerate(corners)} | knights
    lines = []
    for row in scene["rows"]:
        (first, r), last = row[0], row[-1][0]
        shift = " " * (abs(r) * CELL // 2 if view["options"]["arena"] == "hex" else 0)
        cells = "".join(_cell(space, names.get(space), scene).ljust(CELL) for space in row)
        lines.append(f"r {r:>2}  ".ljust(MARGIN) + f"{shift}{cells}{shift} q {first} to {last}")
    return lines


def _cell(space: Space, name: str | None, scene: View) -> str:
    """Draw a space: `p1`, `p1*` on the High Ground, `*`, `+` within range, a corner, `.`."""
    ground = "*" if space == HIGH_GROUND else ""
    if name:
        return f"{name}{ground}"
    return f"{ground}{'+' if space in scene['within'] else ''}" or "."


def _legend(view: View, scene: View) -> list[str]:
    is_hex = view["options"]["arena"] == "hex"
    ways = "nw and ne up, sw and se down" if is_hex else "n up, s down, diagonals between"
    lines = [f"* High Ground; a space is q,r; w left, e right, {ways}"]
    if scene["reach"]:
        seat = scene["shown"]
        weapon = view["players"][seat - 1]["weapon"]
        rivals = ", ".join(f"p{other} ({gap})" for other, gap in scene["rivals"].items())
        lines.append(
            f"+ within {scene['reach']}, the range of p{seat}'s {weapon}: {rivals or 'nobody'}"
        )
    return lines


# --- the players ------------------------------------------------------------------------------


def _table(view: View, scene: View) -> list[str]:
    titles = [f"[{title}]" if title == f"slot {view['slot']}" else title for title in TITLES]
    rows = [titles, *(_row(view, seat, scene) for seat in range(1, len(view["players"]) + 1))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _row(view: View, seat: int, scene: View) -> list[str]:
    player = view["players"][seat - 1]
    node = view["node"]
    name = f"p{seat} >" if seat == node["seat"] and node["type"] != "draw" else f"p{seat}"
    if player["heart"] == "out":
        return [name, "-", "out", *[""] * (len(TITLES) - 3)]
    space, weapon = space_of(view, seat), player["weapon"]
    return [
        name,
        str(scene["order"].index(seat) + 1),
        player["heart"].capitalize(),
        f"{space[0]},{space[1]}" if space else "-",
        f"{weapon} ({scene['reaches'][weapon]})" if weapon else "none",
        "up" if player["inspiration_up"] else "down",
        *(token or "." for token in player["tracker"]),
    ]


# --- pending choices and attacks --------------------------------------------------------------


def _pending_lines(view: View, scene: View) -> list[str]:
    lines = [_choices_line(view, kind, scene) for kind in ("steps", "claims", "targets", "orders")]
    lines += [_queue_line(view), _pile_line(view, scene)]
    return [line for line in lines if line]


def _choices_line(view: View, kind: str, scene: View) -> str:
    told = [f"p{seat} {words}" for seat, words in _choices(view, kind, scene)]
    return f"{kind}: {', '.join(told)}" if told else ""


def _choices(view: View, kind: str, scene: View) -> list[tuple[int, str]]:
    """List the choices made and the seats still to choose; empty at other stages."""
    if kind == "claims":
        goals = scene.get("goals", {}).items()
        return [(seat, f"for {q},{r}: {_chosen(view, kind, seat)}") for seat, (q, r) in goals]
    if kind == "orders":
        return [(seat, _chosen(view, kind, seat)) for seat in scene.get("sharing", [])]
    if kind == "targets":
        named = {"": UNDECIDED, "none": "on nobody"}
        return [
            (each["seat"], named.get(each["choice"], f"on {each['choice']}"))
            for each in view["targets"]
        ]
    return [
        (each["seat"], DIRECTION_NAMES.get(each["choice"], each["choice"])) for each in view[kind]
    ]


def choice_of(view: View, kind: str, seat: int) -> str | None:
    """Return the choice of a seat in a list of choices; None if it is not in the list."""
    return next((entry["choice"] for entry in view[kind] if entry["seat"] == seat), None)


def _chosen(view: View, kind: str, seat: int) -> str:
    return choice_of(view, kind, seat) or UNDECIDED


def _queue_line(view: View) -> str:
    if not view["attacks"]:
        return ""
    attacks = [f"p{attack['attacker']} on p{attack['target']}" for attack in view["attacks"]]
    waiting = f"; waiting: {seats_name(view['waiting'])}" if view["waiting"] else ""
    return f"attacks: {', then '.join(attacks)}{waiting}"


def _pile_line(view: View, scene: View) -> str:
    if "pile" not in scene:
        return ""
    attack = view["attacks"][0]
    is_before = view["node"]["type"] == "inspire"
    hearts, shields = scene["pile_before" if is_before else "pile"]
    when = " before Inspiration" if is_before else ""
    used = [
        f"p{attack[role]} {view[key]}"
        for key, role in zip(INSPIRATIONS, ("attacker", "target"), strict=True)
        if view[key]
    ]
    cards = f"{counted(hearts, 'heart')}, {counted(shields, 'shield')}"
    answers = f"; Inspiration: {', '.join(used)}" if used else ""
    return f"pile{when}: {cards}, hits {hit_chance((hearts, shields))}{answers}"


def hit_chance(pile: tuple[int, int]) -> Fraction:
    """Return the probability of a heart, by numbers of (hearts, shields) (R9.5)."""
    return Fraction(pile[0], sum(pile))
