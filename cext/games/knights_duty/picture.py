"""The arena and its players as text, at most 100 columns wide."""

from typing import Any

from . import arena
from .arena import HIGH_GROUND, Space
from .movement import contenders
from .names import DIRECTION_NAMES, INSPIRATIONS, seats_name
from .views import (
    RANGES,
    choice_of,
    gap,
    hit_chance,
    in_range,
    initiative,
    knight_on,
    pile,
    pile_now,
    sharing,
    space_of,
    standing,
)

View = dict[str, Any]

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


def render(view: View) -> str:
    """Draw a state or observation: the arena, then the players, then what is pending."""
    parts = [
        [_headline(view)],
        _arena_lines(view) + _legend(view),
        _table(view),
        _pending_lines(view) + _observer_lines(view),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _headline(view: View) -> str:
    """Say when it is and who is asked for what."""
    slot = f", slot {view['slot']}" if view["slot"] else ""
    when = f"turn {view['turn']} of {view['options']['turn_limit']}{slot}"
    if view["stage"] == "end":
        winners = view["winners"]
        verb = "wins" if len(winners) == 1 else "share the win"
        return f"{when}; the game is over: {seats_name(winners)} {verb}"
    if view["stage"] == "draw":
        attack = view["attacks"][0]
        who = f"p{attack['attacker']} attacks p{attack['target']}"
        return f"{when}; {who}, and a card is picked from the pile"
    return f"{when}; p{view['seat']} {DUTIES[view['stage']]}"


# --- the arena --------------------------------------------------------------------------------


def _shown_seat(view: View) -> int:
    """Return whose range is shown: the seat that decides, or the attacker at a draw; 0: nobody."""
    if view["stage"] == "draw":
        return int(view["attacks"][0]["attacker"])
    return int(view["seat"])


def _reach(view: View) -> int:
    """Return how far the weapon reaches whose range is shown; 0 if there is none."""
    seat = _shown_seat(view)
    if not seat or space_of(view, seat) is None:
        return 0
    return RANGES.get(view["players"][seat - 1]["weapon"], 0)


def _arena_lines(view: View) -> list[str]:
    """Draw the spaces: each row is labelled with r before it and the range of q after it."""
    is_hex = arena.is_hex(view["options"])
    lines = []
    for row in arena.rows(view["options"]):
        (first, r), last = row[0], row[-1][0]
        shift = " " * (abs(r) * CELL // 2 if is_hex else 0)
        cells = "".join(_cell(view, space).ljust(CELL) for space in row)
        lines.append(f"r {r:>2}  ".ljust(MARGIN) + f"{shift}{cells}{shift} q {first} to {last}")
    return lines


def _cell(view: View, space: Space) -> str:
    """Draw a space: `p1`, `p1*` on the High Ground, `*`, `+` within range, a corner, `.`."""
    ground = "*" if space == HIGH_GROUND else ""
    if seat := knight_on(view, space):
        return f"p{seat}{ground}"
    corners = arena.corners(view["options"])
    if view["stage"] == "clan" and space in corners:
        return f"c{corners.index(space)}"
    return f"{ground}{'+' if _is_within(view, space) else ''}" or "."


def _is_within(view: View, space: Space) -> bool:
    """Tell whether a space is in the range that is shown."""
    start = space_of(view, seat) if (seat := _shown_seat(view)) else None
    return start is not None and arena.distance(view["options"], start, space) <= _reach(view)


def _legend(view: View) -> list[str]:
    is_hex = arena.is_hex(view["options"])
    ways = "nw and ne up, sw and se down" if is_hex else "n up, s down, diagonals between"
    lines = [f"* High Ground; a space is q,r; w left, e right, {ways}"]
    seat, reach = _shown_seat(view), _reach(view)
    if reach:
        weapon = view["players"][seat - 1]["weapon"]
        knights = ", ".join(
            f"p{other} ({gap(view, seat, other)})" for other in in_range(view, seat)
        )
        lines.append(f"+ within {reach}, the range of p{seat}'s {weapon}: {knights or 'nobody'}")
    return lines


# --- the players ------------------------------------------------------------------------------


def _table(view: View) -> list[str]:
    titles = [f"[{title}]" if title == f"slot {view['slot']}" else title for title in TITLES]
    rows = [titles, *(_row(view, seat) for seat in range(1, len(view["players"]) + 1))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _row(view: View, seat: int) -> list[str]:
    player = view["players"][seat - 1]
    name = f"p{seat} >" if seat == view["seat"] else f"p{seat}"
    if player["heart"] == "out":
        return [name, "-", "out", *[""] * (len(TITLES) - 3)]
    place = [other for other in initiative(view) if other in standing(view)].index(seat) + 1
    space, weapon = space_of(view, seat), player["weapon"]
    return [
        name,
        str(place),
        player["heart"].capitalize(),
        f"{space[0]},{space[1]}" if space else "-",
        f"{weapon} ({RANGES[weapon]})" if weapon else "none",
        "up" if player["inspiration_up"] else "down",
        *(token or "." for token in player["tracker"]),
    ]


# --- what is pending --------------------------------------------------------------------------


def _pending_lines(view: View) -> list[str]:
    lines = [_choices_line(view, kind) for kind in ("steps", "claims", "targets", "orders")]
    lines += [_queue_line(view), _pile_line(view)]
    return [line for line in lines if line]


def _choices_line(view: View, kind: str) -> str:
    told = [f"p{seat} {words}" for seat, words in _choices(view, kind)]
    return f"{kind}: {', '.join(told)}" if told else ""


def _choices(view: View, kind: str) -> list[tuple[int, str]]:
    """List who has chosen what, and who is yet to choose; nothing if that is not the stage."""
    if kind == "claims" and view["stage"] == "claim":
        goals = contenders(view).items()
        return [(seat, f"for {q},{r}: {_chosen(view, kind, seat)}") for seat, (q, r) in goals]
    if kind == "orders" and view["stage"] == "order":
        return [(seat, _chosen(view, kind, seat)) for seat in sharing(view)]
    if kind == "targets":
        named = {"": UNDECIDED, "none": "on nobody"}
        return [
            (each["seat"], named.get(each["choice"], f"on {each['choice']}"))
            for each in view["targets"]
        ]
    return [
        (each["seat"], DIRECTION_NAMES.get(each["choice"], each["choice"])) for each in view[kind]
    ]


def _chosen(view: View, kind: str, seat: int) -> str:
    return choice_of(view, kind, seat) or UNDECIDED


def _queue_line(view: View) -> str:
    if not view["attacks"]:
        return ""
    attacks = [f"p{attack['attacker']} on p{attack['target']}" for attack in view["attacks"]]
    waiting = f"; waiting: {seats_name(view['waiting'])}" if view["waiting"] else ""
    return f"attacks: {', then '.join(attacks)}{waiting}"


def _pile_line(view: View) -> str:
    if view["stage"] not in ("inspire", "draw"):
        return ""
    attack = view["attacks"][0]
    if view["stage"] == "draw":
        hearts, shields = pile_now(view)
        when = ""
    else:
        hearts, shields = pile(view, attack["attacker"], attack["target"])
        when = " before Inspiration"
    used = [
        f"p{attack[role]} {view[key]}"
        for key, role in zip(INSPIRATIONS, ("attacker", "target"), strict=True)
        if view[key]
    ]
    cards = f"{_count(hearts, 'heart')}, {_count(shields, 'shield')}"
    chance = f"hits {hit_chance(hearts, shields)}"
    answers = f"; Inspiration: {', '.join(used)}" if used else ""
    return f"pile{when}: {cards}, {chance}{answers}"


def _count(number: int, card: str) -> str:
    return f"{number} {card}" if number == 1 else f"{number} {card}s"


def _observer_lines(view: View) -> list[str]:
    if "observer" not in view:
        return []
    observer = f"p{view['observer']}" if view["observer"] else "a spectator"
    return [f"as {observer} sees it"]
