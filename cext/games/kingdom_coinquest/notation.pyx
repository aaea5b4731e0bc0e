# cython: boundscheck=True, wraparound=True
"""Lines of Kingdom Coinquest as typed views, and tokens as views and back (R12.1, R12.3, R12.5).

line.pyx writes lines, and reads those that have no error.
"""

from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import (
    read_list,
    read_node,
    read_number,
    read_observer,
    read_tag,
)

from .options import OPTIONS

SEATS = ["p1", "p2", "p3", "p4"]
NAMES = {"old": "old_pools"} | {label: f"players[{seat}]" for seat, label in enumerate(SEATS)}
SLOTS = ("knight", "peasant", "queen")


# --- lines ----------------------------------------------------------------------------------------


def read_position(str text) -> dict:
    """Return the view of a position line, or of an observation line.

    Raises:
        InputError: the line lacks the form of R12.3 and R12.5; names the typed field.
    """
    fields = text.split(" ")
    cdef dict view = dict(read_observer(fields, "R12.5"))
    if not view and fields[-1].startswith("old="):
        wanted = (
            "old= is a field of observations, and an observation ends with @p and the number of a "
            "seat, or with @- for a spectator"
        )
        raise refusal("position", fields[-1], "R12.5", wanted)
    kind, rule, last = ("observation", "R12.5", ["old"]) if view else ("position", "R12.3", [])
    seats = SEATS[: len(fields) - 6 - len(last)]
    labels = ["turn", "epoch", "node", *seats, "forge", "grave", *last]
    if len(seats) < 2 or len(labels) != len(fields) - 1:
        wanted = f"the fields are kc, {', '.join(labels)}, with two to four seats"
        raise refusal(kind, text, rule, wanted)
    parts = {}
    for label, field in zip(labels, fields[1:], strict=True):
        name, equals, parts[label] = field.partition("=")
        if name != label or not equals:
            wanted = f"the field {label}=... is expected here"
            raise refusal(f"{kind}.{NAMES.get(label, label)}", field, "R12.3", wanted)
    view["options"] = read_tag(fields[0], "kc", OPTIONS, kind, "R12.3")
    for label in ("turn", "epoch", "forge"):
        view[label] = read_number(parts[label], f"{kind}.{label}", "R12.3")
    view["node"] = read_node(parts["node"])
    view["players"] = [
        read_player(parts[label], f"{kind}.{NAMES[label]}", view["epoch"]) for label in seats
    ]
    view["grave"] = read_list(parts["grave"])
    if last:
        pools = read_list(parts["old"], ";")
        view["old_pools"] = [read_pool(pool, "observation.old_pools") for pool in pools]
    return view


cdef dict read_player(str text, str where, int epoch):
    parts = text.split("/")
    if len(parts) != 8 or "" in parts:
        wanted = "a player is suit/health/hand/salvage/quartermaster/knight/peasant/queen"
        raise refusal(where, text, "R12.3", wanted)
    suit, health, hand, salvage, quartermaster, *loads = parts
    load, colon, counters = quartermaster.partition(":")
    if bool(colon) == (load == "-"):
        wanted = "the quartermaster holds - or <load>:<counters>"
        raise refusal(f"{where}.quartermaster", quartermaster, "R12.3", wanted)
    return {
        "suit": suit.replace("_", ""),
        "health": read_number(health, f"{where}.health", "R12.3"),
        "hand": [read_hand_card(card, f"{where}.hand", epoch) for card in read_list(hand)],
        "salvage": read_list(salvage),
        "quartermaster": read_load(load),
        "counters": read_number(counters, f"{where}.counters", "R12.3") if colon else 0,
        **{slot: read_load(load) for slot, load in zip(SLOTS, loads, strict=True)},
    }


cdef dict read_hand_card(str text, str where, int epoch):
    card = text[:1] if text.startswith("?") else text[:2]
    mark = text[len(card) :]
    if mark == "!":
        return {"card": card, "is_known": True}
    if mark and mark[0] != "~":
        wanted = "a mark is !, or ~ and an epoch lower than the present one"
        raise refusal(where, text, "R12.3", wanted)
    drawn = read_number(mark[1:], where, "R12.3") if mark else epoch
    if mark and drawn == epoch:
        wanted = "a card of the present epoch has no mark"
        raise refusal(where, text, "R12.4c", wanted)
    return {"card": card, "epoch": drawn}


cdef dict read_load(str text):
    lead, _, partner = text.partition("+")
    return {} if text == "-" else {"lead": lead, "partner": partner}


cdef dict read_pool(str text, str where):
    epoch, _, cards = text.partition(":")
    return {"epoch": read_number(epoch, where, "R12.5"), "cards": cards.split(",")}


# --- tokens ---------------------------------------------------------------------------------------


def read_move(str text) -> dict:
    """Return the view of a token; arguments that its verb does not take remain in the view."""
    verb, _, rest = text.partition(":")
    if verb in ("king", "equip"):
        return {"verb": verb, "suit" if verb == "king" else "unit": rest}
    if verb == "attack":
        return {"verb": verb, "seat": read_number(rest.removeprefix("p"), "move", "R12.1")}
    source = ""
    if verb == "draw":
        source, _, rest = rest.partition(":")
    cards, _, unit = rest.partition(":")
    card, _, partner = cards.partition("+")
    return {"verb": verb, "source": source, "card": card, "partner": partner, "unit": unit}


def write_move(dict move) -> str:
    """Write the token of a valid view."""
    cards = "+".join(card for card in (move.get("card"), move.get("partner")) if card)
    seat = f"p{move['seat']}" if "seat" in move else ""
    parts = (move["verb"], move.get("source"), cards, move.get("unit"), move.get("suit"), seat)
    return ":".join(part for part in parts if part)
