"""Validity of the choices, attacks and results of a line: R13.6 (e) to (h) and R13.7."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from kingmaker.cext.errors import InputError

from .movement import contenders, is_legal_step
from .names import CHOICES, HIDDEN, INSPIRATIONS, seats_name
from .refusals import refusal
from .views import (
    in_range,
    initiative,
    is_attacker,
    is_in_range,
    is_up,
    movers,
    pile_now,
    sharing,
    standing,
)
from .work import attack_text, choice_text, inspiration_text, shares_text

View = dict[str, Any]

LISTS = {  # stage -> what it may have; the end has a result only
    "clan": (),
    "place": (),
    "step": ("steps",),
    "claim": ("steps", "claims"),
    "target": ("targets",),
    "order": ("targets", "orders"),
    "inspire": ("attacks", "waiting", "attacker_inspiration"),
    "draw": ("attacks", "waiting", "attacker_inspiration", "target_inspiration"),
    "end": ("winners",),
}


def check_work(view: View, kind: str) -> None:
    """Refuse choices, attacks and results that do not fit the rest of the view."""
    _check_kinds(view, kind)
    check = CHECKS.get(view["stage"])
    if check:
        check(view, kind)


def _refuse(kind: str, item: str, rule: str, wanted: str) -> InputError:
    return refusal(f"{kind}.work", item, rule, wanted)


def _check_kinds(view: View, kind: str) -> None:
    """Every item is one of the stage (e)."""
    stage = view["stage"]
    for key in (*CHOICES, "attacks", "waiting", *INSPIRATIONS, "winners"):
        if view[key] and key not in LISTS[stage]:
            wanted = f"the work of {stage} has {_items_name(LISTS[stage])}"
            raise _refuse(kind, _first_item(view, key), "R13.6e", wanted)


def _items_name(keys: Sequence[str]) -> str:
    """Name the items that lists stand for: `items m and c`."""
    letters = {"attacks": "q", "waiting": "w", "winners": "r"} | INSPIRATIONS
    names = [CHOICES[key][0] if key in CHOICES else letters[key] for key in keys]
    return f"no items but {', '.join(names)}" if names else "no items"


def _first_item(view: View, key: str) -> str:
    if key in CHOICES:
        return choice_text(key, view[key][0])
    if key in INSPIRATIONS:
        return inspiration_text(key, view[key])
    if key == "attacks":
        return attack_text(view[key][0])
    if key == "waiting":
        return f"w{view[key][0]}"
    return shares_text(view[key], len(view["players"]))


def _check_choosers(view: View, kind: str, key: str, wanted_seats: list[int], who: str) -> None:
    """A list has the choices of exactly these seats (e)."""
    found = [entry["seat"] for entry in view[key]]
    if found != wanted_seats:
        letter = CHOICES[key][0]
        text = ";".join(f"{letter}{seat}" for seat in found) or "-"
        wanted = f"items {letter} are those of {who}: {seats_name(wanted_seats)}"
        raise _refuse(kind, text, "R13.6e", wanted)


def _check_is_asked(view: View, kind: str, seats: list[int], who: str) -> None:
    """The actor is a member of the asked group (g)."""
    if view["seat"] not in seats:
        wanted = f"at {view['stage']} one of {who} is asked: {seats_name(seats)}"
        raise refusal(f"{kind}.actor", f"p{view['seat']}", "R13.6g", wanted)


def _check_agreements(view: View, kind: str) -> None:
    if view["options"]["agreements"] == "off":
        wanted = "nobody is asked for an agreement with agreements=off"
        raise refusal(f"{kind}.stage", view["stage"], "R13.6f", wanted)


def _before_actor(view: View, seats: list[int]) -> list[int]:
    return [seat for seat in seats if seat < view["seat"]]


# --- movement ---------------------------------------------------------------------------------


def _check_step(view: View, kind: str) -> None:
    _check_is_asked(view, kind, movers(view), "the movers")
    earlier = _before_actor(view, movers(view))
    _check_choosers(view, kind, "steps", earlier, f"the movers before p{view['seat']}")
    _check_steps_legal(view, kind)


def _check_claim(view: View, kind: str) -> None:
    _check_agreements(view, kind)
    _check_choosers(view, kind, "steps", movers(view), "all movers")
    _check_steps_legal(view, kind)
    asked = list(contenders(view))
    _check_is_asked(view, kind, asked, "the contenders for a space")
    earlier = _before_actor(view, asked)
    _check_choosers(view, kind, "claims", earlier, f"the contenders before p{view['seat']}")


def _check_steps_legal(view: View, kind: str) -> None:
    for entry in view["steps"]:
        if entry["choice"] != HIDDEN and not is_legal_step(view, entry["seat"], entry["choice"]):
            wanted = (
                f"p{entry['seat']} stays, or steps to a space of the arena that is empty or holds "
                "a mover (R6.2)"
            )
            raise _refuse(kind, choice_text("steps", entry), "R13.6f", wanted)


# --- attacks ----------------------------------------------------------------------------------


def _check_target(view: View, kind: str) -> None:
    asked = [entry["seat"] for entry in view["targets"]]
    _check_is_asked(view, kind, asked, "the pending attackers (items a)")
    for entry in view["targets"]:
        seat, item = entry["seat"], choice_text("targets", entry)
        if (entry["choice"] == "") != (seat >= view["seat"]):
            wanted = (
                f"p{seat} declares before p{view['seat']}, so its item says what"
                if seat < view["seat"]
                else f"p{seat} has not declared yet, so its item is a{seat} alone"
            )
            raise _refuse(kind, item, "R13.6e", wanted)
        _check_attacker(view, kind, seat, item)
        _check_declared(view, kind, entry)


def _check_order(view: View, kind: str) -> None:
    _check_agreements(view, kind)
    for entry in view["targets"]:
        item = choice_text("targets", entry)
        if entry["choice"] in ("", "none"):
            wanted = "at order every item a has its target, and those with none are gone"
            raise _refuse(kind, item, "R13.6e", wanted)
        _check_attacker(view, kind, entry["seat"], item)
        _check_declared(view, kind, entry)
    _check_is_asked(view, kind, sharing(view), "the attackers that share a target")
    earlier = _before_actor(view, sharing(view))
    _check_choosers(view, kind, "orders", earlier, f"the sharing attackers before p{view['seat']}")


def _check_attacker(view: View, kind: str, seat: int, item: str) -> None:
    """An attacker has its weapon as token and somebody in range (f)."""
    if seat not in standing(view) or not is_attacker(view, seat):
        wanted = f"p{seat} attacks only if its token of slot {view['slot']} is its weapon"
        raise _refuse(kind, item, "R13.6f", wanted)
    if not in_range(view, seat):
        wanted = f"p{seat} attacks only if an opponent is in range of its weapon"
        raise _refuse(kind, item, "R13.6f", wanted)


def _check_declared(view: View, kind: str, entry: View) -> None:
    choice = entry["choice"]
    if choice in ("", "none", HIDDEN):
        return
    if not is_in_range(view, entry["seat"], int(choice[1])):
        targets = seats_name(in_range(view, entry["seat"]))
        wanted = f"p{entry['seat']} may attack those in range: {targets}"
        raise _refuse(kind, choice_text("targets", entry), "R13.6f", wanted)


# --- combats ----------------------------------------------------------------------------------


def _check_attacks(view: View, kind: str) -> None:
    """The queue and those that wait, (e) and (f)."""
    if not view["attacks"]:
        wanted = f"at {view['stage']} there is an attack to resolve, an item q"
        raise _refuse(kind, "no q", "R13.6e", wanted)
    for attack in view["attacks"]:
        attacker, item = attack["attacker"], attack_text(attack)
        _check_attacker(view, kind, attacker, item)
        if not is_in_range(view, attacker, attack["target"]):
            wanted = f"p{attacker} attacks one in range: {seats_name(in_range(view, attacker))}"
            raise _refuse(kind, item, "R13.6f", wanted)
    for seat in view["waiting"]:
        _check_attacker(view, kind, seat, f"w{seat}")
    _check_once(view, kind)
    _check_queue_order(view, kind)


def _check_once(view: View, kind: str) -> None:
    """Each attacker and each target of a round occurs once."""
    attackers = [attack["attacker"] for attack in view["attacks"]] + view["waiting"]
    targets = [attack["target"] for attack in view["attacks"]]
    for seats, who in ((attackers, "attacks or waits"), (targets, "is attacked")):
        twice = [seat for seat in seats if seats.count(seat) > 1]
        if twice:
            wanted = f"every seat {who} once in the queue"
            raise _refuse(kind, f"p{twice[0]}", "R13.6f", wanted)


def _check_queue_order(view: View, kind: str) -> None:
    order = initiative(view)
    for first, second in pairwise(view["attacks"]):
        if order.index(first["attacker"]) > order.index(second["attacker"]):
            names = ", ".join(f"p{seat}" for seat in order)
            wanted = f"attacks stand in the initiative order of turn {view['turn']}, {names}"
            raise _refuse(kind, attack_text(second), "R13.6f", wanted)


def _check_inspire(view: View, kind: str) -> None:
    _check_attacks(view, kind)
    attacker, target = view["attacks"][0]["attacker"], view["attacks"][0]["target"]
    asked = [seat for seat in sorted((attacker, target)) if is_up(view, seat)]
    _check_is_asked(view, kind, asked, "the two of the first attack whose Inspiration is up")
    was_asked = view["seat"] == target and is_up(view, attacker)
    if was_asked != bool(view["attacker_inspiration"]):
        wanted = (
            f"p{attacker} was asked before p{target}, so ia says what it chose"
            if was_asked
            else f"p{attacker} has not been asked, so there is no ia"
        )
        raise _refuse(kind, _answer_text(view, "attacker_inspiration"), "R13.7", wanted)


def _check_draw(view: View, kind: str) -> None:
    _check_attacks(view, kind)
    for key, role in (("attacker_inspiration", "attacker"), ("target_inspiration", "target")):
        seat, answer = view["attacks"][0][role], view[key]
        if is_up(view, seat) != (answer == "no"):
            item = INSPIRATIONS[key]
            wanted = (
                f"p{seat} was asked and its Inspiration is still up, so {item}=n"
                if is_up(view, seat)
                else f"the Inspiration of p{seat} is down, so {item}=y if it was used now, or none"
            )
            raise _refuse(kind, _answer_text(view, key), "R13.7", wanted)
    hearts, shields = pile_now(view)
    if not hearts:
        found = f"{hearts} hearts and {shields} shields"
        raise _refuse(kind, found, "R13.6g", "a card is picked only from a pile with a heart")


def _answer_text(view: View, key: str) -> str:
    return inspiration_text(key, view[key]) if view[key] else f"no {INSPIRATIONS[key]}"


# --- the end ----------------------------------------------------------------------------------


def _check_end(view: View, kind: str) -> None:
    """The result follows from who stands (h)."""
    winners, left = view["winners"], standing(view)
    if not left:
        is_right = len(winners) > 1
        wanted = "with nobody standing two or more seats share the win, those that fell together"
    elif len(left) == 1:
        is_right = winners == left
        wanted = f"the last one standing, p{left[0]}, has 1"
    else:
        limit = view["options"]["turn_limit"]
        if view["turn"] != limit or view["slot"] != 3:
            wanted = f"with two or more standing the game ends in slot 3 of turn {limit} only"
            found = f"t{view['turn']} {view['slot']}.end"
            raise refusal(f"{kind}.stage", found, "R13.6h", wanted)
        is_right = winners == left
        wanted = f"at the turn limit those that stand share the win: {seats_name(left)}"
    if not is_right:
        text = shares_text(winners, len(view["players"])) if winners else "-"
        raise _refuse(kind, text, "R13.6h", wanted)


CHECKS = {
    "step": _check_step,
    "claim": _check_claim,
    "target": _check_target,
    "order": _check_order,
    "inspire": _check_inspire,
    "draw": _check_draw,
    "end": _check_end,
}
