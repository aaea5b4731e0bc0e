"""Validity of nodes: the table of R13.3, and that the deciding seat has a legal move (R13.4)."""

from typing import Any

from kingmaker.cext.errors import InputError

from .cards import FORTIFICATIONS, HIDDEN, LETTERS, STRENGTHS, cards_text
from .refusals import refusal
from .views import is_hidden, num_cards, rivals, target

View = dict[str, Any]


def check_node(view: View, kind: str) -> None:
    """Refuse a node that does not fit the rest of its position or observation."""
    CHECKS[view["node"]["type"]](view, kind)


def _refuse_node(kind: str, value: object, wanted: str, rule: str = "R13.3") -> InputError:
    return refusal(f"{kind}.node", value, rule, wanted)


def _check_rival(view: View, kind: str, key: str) -> None:
    seat = view["node"][key]
    if seat == view["active"]:
        wanted = f"the {key} of this node is a rival of p{view['active']}"
        raise _refuse_node(kind, f"p{seat}", wanted)


def _check_has_cards(view: View, kind: str, seat: int) -> None:
    if not num_cards(view, seat):
        wanted = f"at {view['node']['type']} the hand of p{seat} has a card to choose"
        raise refusal(f"{kind}.p{seat}.hand", "no cards", "R13.4", wanted)


def _check_deal(view: View, kind: str) -> None:
    """The deal has come to this point (R2.1, R2.2)."""
    values = view["options"]
    first: int = values["first_player"]
    if view["active"] != first:
        wanted = f"during the deal the first seat, p{first}, is active"
        raise refusal(f"{kind}.active", f"p{view['active']}", "R13.3", wanted)
    for key in ("discard", "known"):
        if view[key]:
            raise refusal(f"{kind}.{key}", "not -", "R13.3", f"during the deal {key} is -")
    for seat, player in enumerate(view["players"], 1):
        where = f"{kind}.p{seat}"
        if player["gems"] != values["start_gems"]:
            wanted = f"during the deal every seat has {values['start_gems']} gems"
            raise refusal(f"{where}.gems", player["gems"], "R13.3", wanted)
        if laid := [role for role in FORTIFICATIONS if player[role]]:
            wanted = "during the deal nobody has fortifications"
            raise refusal(f"{where}.fortifications", "+".join(laid), "R13.3", wanted)
        dealt = _num_dealt(view, seat)
        if num_cards(view, seat) != dealt:
            found, wanted = f"{num_cards(view, seat)} cards", f"at this deal p{seat} holds {dealt}"
            raise refusal(f"{where}.hand", found, "R13.3", wanted)


def _num_dealt(view: View, seat: int) -> int:
    """Count the cards that a seat has at this point of the deal."""
    first, num_seats = view["options"]["first_player"], view["options"]["players"]
    place, present = (seat - first) % num_seats, (view["node"]["seat"] - first) % num_seats
    if place == present:
        return 2 - int(view["node"]["left"])
    return 2 if place < present else 0


def _check_draw(view: View, kind: str) -> None:
    is_empty = not view["num_draw"] if "num_draw" in view else not view["draw"]
    if is_empty:
        raise refusal(f"{kind}.draw", "no cards", "R13.3", "at draw the draw pile has a card")
    if view["turn"] == 1 and view["node"]["left"] != 1:
        raise _refuse_node(kind, "draw:2", "in turn 1 one card is drawn, draw:1")


def _check_main(view: View, kind: str) -> None:
    _check_has_cards(view, kind, view["active"])


def _check_fortify(view: View, kind: str) -> None:
    """Nothing: `end` is always legal."""


def _check_attack(view: View, kind: str) -> None:
    _check_rival(view, kind, "target")


def _check_respond(view: View, kind: str) -> None:
    _check_rival(view, kind, "target")
    node = view["node"]
    target, victim, role = node["target"], node["seat"], node["attack_card"]["role"]
    if victim not in (view["active"], target):
        wanted = f"the victim is the target p{target} or the active p{view['active']}"
        raise _refuse_node(kind, f"p{victim}", wanted)
    if role not in STRENGTHS and victim != target:
        wanted = f"a traitor turns no {role}, so its victim is the target p{target}"
        raise _refuse_node(kind, f"p{victim}", wanted)
    if role == "archer" and not view["players"][target - 1]["archer"]:
        wanted = f"an archer attacks a rival with an archer; p{target} has none"
        raise _refuse_node(kind, f"p{target}", wanted)


def _check_rob(view: View, kind: str) -> None:
    node = view["node"]
    gems = view["players"][node["source"] - 1]["gems"]
    if node["gems"] > gems:
        wanted = f"at most the {gems} gems of p{node['source']} are in flight"
        raise _refuse_node(kind, node["gems"], wanted)
    if node["seat"] == node["receiver"]:
        wanted = "the asked seat is not the receiver of the gems"
        raise _refuse_node(kind, f"p{node['seat']}", wanted)


def _check_show(view: View, kind: str) -> None:
    _check_rival(view, kind, "seat")
    asked = view["node"]["seat"]
    _check_has_cards(view, kind, asked)
    order = rivals(view)
    _check_picks(view, kind, order[: order.index(asked)])


def _check_choose(view: View, kind: str) -> None:
    _check_picks(view, kind, rivals(view))
    picks = view["node"]["picks"]
    if not picks:
        raise _refuse_node(kind, "-", "there is a card to choose", "R13.4")
    for pick in picks:
        if not any(
            row["observer"] == 0 and row["holder"] == pick["seat"] and pick["card"] in row["cards"]
            for row in view["known"]
        ):
            wanted = f"the picks are face up, so the row *>p{pick['seat']} has the {pick['card']}"
            raise _refuse_node(kind, f"p{pick['seat']}={LETTERS[pick['card']]}", wanted)


def _check_picks(view: View, kind: str, seats: list[int]) -> None:
    """Picks of exactly those of `seats` that have cards, each in its hand."""
    node = view["node"]
    wanted = sorted(seat for seat in seats if num_cards(view, seat))
    found = [pick["seat"] for pick in node["picks"]]
    if found != wanted:
        names = "+".join(f"p{seat}" for seat in wanted) or "nobody"
        value = "+".join(f"p{seat}" for seat in found) or "-"
        raise _refuse_node(kind, value, f"here the picks are those of {names}")
    for pick in node["picks"]:
        hand = view["players"][pick["seat"] - 1]["hand"]
        if is_hidden(view, pick["seat"]) or pick["card"] == HIDDEN:
            continue
        if pick["card"] not in hand:
            value = f"p{pick['seat']}={LETTERS[pick['card']]}"
            wanted_card = f"p{pick['seat']} picks a card of its hand, {cards_text(hand)}"
            raise _refuse_node(kind, value, wanted_card)


def _check_take(view: View, kind: str) -> None:
    _check_rival(view, kind, "seat")
    seat, left = view["node"]["seat"], view["node"]["left"]
    if left > num_cards(view, seat):
        wanted = f"at most the {num_cards(view, seat)} cards of p{seat} are left to take"
        raise _refuse_node(kind, left, wanted)


def _check_taxed(view: View, kind: str) -> None:
    _check_rival(view, kind, "seat")
    seat = view["node"]["seat"]
    if not view["players"][seat - 1]["castle"]:
        raise _refuse_node(kind, f"p{seat}", f"a taxed seat has a castle; p{seat} has none")


def _check_tax(view: View, kind: str) -> None:
    _check_taxed(view, kind)
    seat = view["node"]["seat"]
    if not view["players"][seat - 1]["gems"] and num_cards(view, seat) < 2:
        wanted = f"p{seat} has a gem or two cards to be taxed with"
        raise _refuse_node(kind, f"p{seat}", wanted, "R13.4")


def _check_give(view: View, kind: str) -> None:
    _check_taxed(view, kind)
    seat, left = view["node"]["seat"], view["node"]["left"]
    if left > num_cards(view, seat):
        wanted = f"at most the {num_cards(view, seat)} cards of p{seat} are left to give"
        raise _refuse_node(kind, left, wanted)


def _check_over(view: View, kind: str) -> None:
    gems = [player["gems"] for player in view["players"]]
    winners = view["node"]["winners"]
    names = "+".join(f"p{seat}" for seat in winners)
    if view["node"]["reason"] == "gems":
        least = target(view)
        if len(winners) != 1 or gems[winners[0] - 1] < least:
            wanted = f"the winner is one seat with at least {least} gems"
            raise _refuse_node(kind, names, wanted)
        return
    limit = view["options"]["turn_limit"]
    if view["turn"] != limit:
        raise _refuse_node(kind, "over:limit", f"the game ends so in turn {limit}")
    richest = [seat for seat, count in enumerate(gems, 1) if count == max(gems)]
    if winners != richest:
        wanted = "the winners are the seats with the most gems, " + "+".join(
            f"p{seat}" for seat in richest
        )
        raise _refuse_node(kind, names, wanted)


CHECKS = {
    "deal": _check_deal,
    "draw": _check_draw,
    "main": _check_main,
    "fortify": _check_fortify,
    "attack": _check_attack,
    "respond": _check_respond,
    "rob": _check_rob,
    "show": _check_show,
    "choose": _check_choose,
    "take": _check_take,
    "tax": _check_tax,
    "give": _check_give,
    "over": _check_over,
}
