"""Why a well-formed move of Code of Chivalry is not legal, with the number of its rule."""

from collections.abc import Callable
from typing import Any

from .cards import HIDDEN, OTHER_ATTACKS, STRENGTHS
from .names import NODE_NAMES, a_card
from .views import asked_seat, num_cards

View = dict[str, Any]
Reason = tuple[str, str]  # a sentence, a rule number

NODES = {  # verb -> the nodes it belongs to, and the rule that says so
    "deal": (("deal",), "R2.2"),
    "draw": (("draw",), "R3.2"),
    "take": (("take",), "R7.3"),
    "attack": (("main", "attack"), "R3.3"),
    "fortify": (("main", "fortify"), "R3.3"),
    "special": (("main",), "R3.3"),
    "discard": (("main",), "R3.4"),
    "end": (("fortify", "attack"), "R12.1"),
    "respond": (("respond",), "R5.1"),
    "pass": (("respond", "rob"), "R12.1"),
    "rob": (("rob",), "R6.2"),
    "show": (("show",), "R7.2"),
    "choose": (("choose",), "R7.2"),
    "tax": (("tax",), "R7.4"),
    "give": (("give",), "R7.4"),
}
TURN_KINDS = {"attack": "an attack", "fortify": "a turn of fortifying"}  # by node
ANSWERS_TO_STRENGTH = (*STRENGTHS, "traitor", "executioner", "minstrel")
ANSWERS = {  # attack role -> the roles that answer it (R5.1)
    "peasant": ANSWERS_TO_STRENGTH,
    "soldier": ANSWERS_TO_STRENGTH,
    "king": ANSWERS_TO_STRENGTH,
    "knight": (*ANSWERS_TO_STRENGTH, "princess"),
    "dragon": ("princess", "executioner", "minstrel"),
    "ninja": ("executioner", "minstrel"),
    "archer": ("executioner", "minstrel"),
}


def why_illegal(view: View, move: View) -> Reason:
    """Return the first reason against a move in a view where it is not legal."""
    node, verb = view["node"], move["verb"]
    if node["type"] == "over":
        return ("the game is over", "R9.4" if node["reason"] == "gems" else "R9.6")
    nodes, rule = NODES[verb]
    if node["type"] not in nodes:
        return _why_not_now(view, verb, nodes, rule)
    check = CHECKS.get(verb)
    reason = check(view, move) if check else None
    return reason or ("it is not among the legal moves", "")


def _why_not_now(view: View, verb: str, nodes: tuple[str, ...], rule: str) -> Reason:
    now = view["node"]["type"]
    if now in TURN_KINDS and "main" in nodes:
        if verb == "discard":
            return ("a card has been played in this turn, so none is discarded", "R3.4")
        return (f"this turn is {TURN_KINDS[now]}, and the kinds of turns exclude each other", rule)
    names = " or ".join(NODE_NAMES[node] for node in nodes)
    return (f"it is {NODE_NAMES[now]}; {verb} belongs to {names}", rule)


def _why_not_held(view: View, seat: int, move: View, rule: str) -> Reason | None:
    """Name a card that is certainly not in the hand; a hidden hand may hold any."""
    player = view["players"][seat - 1]
    if player["num_hidden"]:
        return None
    wanted = {move["card"]: 1} if "card" in move else _played(move)
    for card, count in wanted.items():
        held = player["hand"].get(card, 0)
        if held < count:
            name = f"no {card}" if not held else f"only {a_card(card, held)}"
            return (f"the hand of p{seat} has {name}", "R8.1" if card == "jester" else rule)
    return None


def _played(move: View) -> dict[str, int]:
    return {move["role"]: move["num_cards"], "jester": move["num_jesters"]}


def _why_not_in_deck(view: View, move: View) -> Reason | None:
    role = move["role"]
    option = {"minstrel": "minstrels", "monk": "monks"}.get(role)
    if option and not view["options"][option]:
        if move["num_jesters"]:
            return (f"there is no {role} in the deck, so no jester plays one", "R8.1")
        return (f"there is no {role} in the deck", "R1.2")
    return None


# --- the active player ------------------------------------------------------------------------


def _why_no_attack(view: View, move: View) -> Reason | None:
    seat, role, node = move["seat"], move["role"], view["node"]
    if seat == view["active"]:
        return ("nobody attacks himself; the target is a rival", "R4.1")
    if node["type"] == "attack" and seat != node["target"]:
        return (f"all attack cards of this turn go against p{node['target']}", "R4.1")
    if role not in STRENGTHS and role not in OTHER_ATTACKS:
        return (f"{a_card(role)} is no attack card", "R1.1")
    return _why_not_held(view, view["active"], move, "R3.3") or _why_barred(view, seat, role)


def _why_barred(view: View, seat: int, role: str) -> Reason | None:
    """What in the fortifications of the target forbids a role (R4.2)."""
    player = view["players"][seat - 1]
    castle, archer = player["castle"], player["archer"]
    has_ladder = bool(view["node"].get("ladder"))
    if player["minstrel"]:
        return (f"nobody attacks p{seat}, who has a minstrel face up", "R4.2")
    if role == "archer" and not archer:
        return (f"p{seat} has no archer to shoot", "R4.2")
    if role in ("ladder", "catapult") and not castle:
        return (f"p{seat} has no castle for {a_card(role)}", "R4.2")
    if role == "ladder" and has_ladder:
        return ("a ladder is on the table already", "R4.2")
    if role in (*STRENGTHS, "dragon", "ladder") and archer:
        return (f"p{seat}'s archer stops {a_card(role)}", "R4.2")
    if role in STRENGTHS and castle and not has_ladder:
        return (f"p{seat}'s castle stops {a_card(role)} without a ladder on the table", "R4.2")
    return None


def _why_no_fortify(view: View, move: View) -> Reason | None:
    player, role = view["players"][view["active"] - 1], move["role"]
    if reason := _why_not_in_deck(view, move):
        return reason
    if player[role]:
        return (f"p{view['active']} has {a_card(role)} face up already", "R3.6")
    return _why_not_held(view, view["active"], move, "R3.6")


def _why_no_special(view: View, move: View) -> Reason | None:
    active, role = view["active"], move["role"]
    if reason := _why_not_in_deck(view, move):
        return reason
    if reason := _why_not_held(view, active, move, "R7.1"):
        return reason
    seats = [seat for seat in range(1, len(view["players"]) + 1) if seat != active]
    if role == "herald" and not any(num_cards(view, seat) for seat in seats):
        return ("no rival has a card to lay for the herald", "R7.2")
    if role == "monk" and not any(view["players"][seat - 1]["castle"] for seat in seats):
        return ("no rival has a castle for the monk to tax", "R7.4")
    return _why_no_merchant(view, move["seat"]) if role == "merchant" else None


def _why_no_merchant(view: View, seller: int) -> Reason | None:
    active = view["active"]
    if seller == active:
        return ("nobody buys of himself; the seller is a rival", "R7.3")
    if not view["players"][active - 1]["gems"]:
        return (f"p{active} has no gem to pay with", "R7.3")
    if num_cards(view, seller) < 2:
        return (f"p{seller} has fewer than 2 cards to sell", "R7.3")
    return None


def _why_no_discard(view: View, move: View) -> Reason | None:
    return _why_not_held(view, view["active"], move, "R3.4")


def _why_no_choice(view: View, move: View) -> Reason | None:
    return (f"p{move['seat']} has not laid a card for the herald", "R7.2")


# --- the others -------------------------------------------------------------------------------


def _why_no_response(view: View, move: View) -> Reason | None:
    seat, role = view["node"]["seat"], move["role"]
    attack = view["node"]["attack_card"]
    if role not in ANSWERS[attack["role"]]:
        return (f"{a_card(role)} is no answer to {a_card(attack['role'])}", "R5.1")
    if reason := _why_not_in_deck(view, move):
        return reason
    if role == "minstrel" and view["players"][seat - 1]["minstrel"]:
        return (f"p{seat} has a minstrel face up already", "R5.1")
    return _why_not_held(view, seat, move, "R5.1")


def _why_no_robbery(view: View, move: View) -> Reason | None:
    return _why_not_held(view, view["node"]["seat"], move, "R6.2")


def _why_no_show(view: View, move: View) -> Reason | None:
    return _why_unseen(move, "R7.2") or _why_not_held(view, view["node"]["seat"], move, "R7.2")


def _why_no_give(view: View, move: View) -> Reason | None:
    return _why_unseen(move, "R7.4") or _why_not_held(view, view["node"]["seat"], move, "R7.4")


def _why_no_tax(view: View, move: View) -> Reason | None:
    seat = asked_seat(view)
    if move["payment"] == "gem":
        return (f"p{seat} has no gem", "R7.4")
    return (f"p{seat} has fewer than 2 cards", "R7.4")


def _why_unseen(move: View, rule: str) -> Reason | None:
    return ("a move names its card", rule) if move["card"] == HIDDEN else None


# --- chance -----------------------------------------------------------------------------------


def _why_not_in_pile(view: View, move: View) -> Reason | None:
    rule = NODES[move["verb"]][1]
    if move["card"] == HIDDEN:
        return ("an outcome names the card that is drawn", rule)
    if "num_draw" in view:
        return ("the draw pile is hidden, and chance draws from it", rule)
    return (f"there is no {move['card']} in the draw pile", rule)


def _why_not_taken(view: View, move: View) -> Reason | None:
    if move["card"] == HIDDEN:
        return ("an outcome names the card that is taken", "R7.3")
    return _why_not_held(view, view["node"]["seat"], move, "R7.3")


CHECKS: dict[str, Callable[[View, View], Reason | None]] = {
    "deal": _why_not_in_pile,
    "draw": _why_not_in_pile,
    "take": _why_not_taken,
    "attack": _why_no_attack,
    "fortify": _why_no_fortify,
    "special": _why_no_special,
    "discard": _why_no_discard,
    "respond": _why_no_response,
    "rob": _why_no_robbery,
    "show": _why_no_show,
    "choose": _why_no_choice,
    "tax": _why_no_tax,
    "give": _why_no_give,
}
