"""Why a well-formed move of Kingdom Coinquest is not legal, with the number of its rule."""

from typing import Any

from .cards import VALUES
from .words import SUIT_NAMES, actor, card_name, load_name, turns

View = dict[str, Any]
Reason = tuple[str, str]  # a sentence, a rule number

PHASES = {  # verb -> the node types it belongs to, and the rule that says so
    "king": ("king", "R3.1"),
    "draw": ("draw", "R5.1"),
    "deal": ("deal", "R5.2"),
    "pass": ("play", "R6.1"),
    "prep": ("play", "R6.1"),
    "equip": ("play", "R6.1"),
    "attack": ("play strike", "R6.1"),
    "queen": ("play", "R6.1"),
    "ace": ("play", "R6.1"),
    "hold": ("strike", "R6.9"),
    "discard": ("discard", "R8.1"),
    "salvage": ("discard", "R8.1"),
    "scrap": ("discard", "R8.1"),
}
PHASE_NAMES = {
    "king": "the drawing of kings",
    "draw": "the draw phase",
    "deal": "the draw from the forge",
    "play": "the play phase",
    "strike": "the strike after an ace",
    "discard": "the discard phase",
}


def why_illegal(view: View, move: View) -> Reason:
    """Return the first reason against a move in a view where it is not legal."""
    verb = move["verb"]
    player = actor(view)
    if player is None:
        return ("the game is over", "R10.5" if _num_living(view) > 1 else "R10.3")
    phase = view["node"].split(":")[0]
    wanted, rule = PHASES[verb]
    if phase not in wanted.split():
        if phase == "discard" and "play" in wanted:
            return ("the play move of this turn is made, and there is only one", "R6.10")
        if verb == "hold":
            return ("hold belongs to a weapon that an ace has just put on the peasant", "R6.9")
        now, then = PHASE_NAMES[phase], PHASE_NAMES[wanted.split()[0]]
        return (f"it is {now} of {view['node'][-2:]}; {verb} belongs to {then}", rule)
    check = {
        "king": _why_no_king,
        "draw": _why_no_draw,
        "deal": _why_no_deal,
        "prep": _why_no_prep,
        "equip": _why_no_equip,
        "attack": _why_no_attack,
        "queen": _why_no_queen,
        "ace": _why_no_ace,
        "discard": _why_no_discard,
        "salvage": _why_no_discard,
        "scrap": _why_no_scrap,
    }.get(verb)
    reason = check(view, player, move) if check else None
    return reason or ("it is not among the legal moves", "")


def _num_living(view: View) -> int:
    return sum(player["health"] > 0 for player in view["players"])


def _why_no_king(view: View, player: View, move: View) -> Reason | None:
    return (f"the king of {SUIT_NAMES[move['suit']]} is drawn already", "R3.1")


def _why_no_draw(view: View, player: View, move: View) -> Reason | None:
    if move["source"] == "forge":
        return ("the forge is empty, and there is no graveyard to shuffle into it", "R9.3")
    if move["source"] == "grave":
        return ("the graveyard is empty", "R5.1")
    name = card_name(move["card"])
    if any(move["card"] in other["salvage"] for other in view["players"]):
        return (f"{name} lies in the salvage yard of another player", "R5.6")
    return (f"{name} is not in the salvage yard", "R5.1")


def _why_no_deal(view: View, player: View, move: View) -> Reason | None:
    if move["card"] == "?":
        return ("an outcome names the card that is drawn", "R5.2")
    return (f"{card_name(move['card'])} is not in the forge", "R5.2")


def _why_not_held(player: View, move: View, rule: str) -> Reason | None:
    """Name a card that is certainly not in the hand; a hidden hand may hold any."""
    held = {card["card"] for card in player["hand"]}
    for card in (move["card"], move.get("partner")):
        if card and card not in held and "?" not in held:
            return (f"{card_name(card)} is not in the hand", rule)
    return None


def _why_no_prep(view: View, player: View, move: View) -> Reason | None:
    if reason := _why_not_held(player, move, "R6.1"):
        return reason
    if player["quartermaster"]["lead"]:
        return (f"the quartermaster is busy with {load_name(player['quartermaster'])}", "R6.1")
    lead, partner, own = move["card"], move.get("partner"), player["suit"]
    if lead[0] not in VALUES:
        return (
            f"{card_name(lead)} is no equipment; only twos to tens are prepared",
            "R6.3" if partner else "R6.1",
        )
    if not partner:
        return _why_not_alone(lead, own)
    if lead[1] == own:
        return (f"{card_name(lead)} is of the own suit and needs no recruiting", "R6.3")
    if partner[0] == "j":
        if any(player[unit]["partner"][:1] == "j" for unit in ("knight", "peasant")):
            return ("a player has at most one jack in play", "R6.5")
        return None
    if partner[0] != lead[0]:
        return ("the partner of a pair has the same rank as its lead, or is a jack", "R6.3")
    return (f"{card_name(partner)} is of the own suit and can't be a partner", "R6.3")


def _why_not_alone(card: str, own: str) -> Reason | None:
    if card[1] == own:
        return None
    return (f"{card_name(card)} is a rival card and is never played alone", "R6.2")


def _why_no_equip(view: View, player: View, move: View) -> Reason | None:
    if not player["quartermaster"]["lead"]:
        return ("the quartermaster has nothing to equip with", "R6.1")
    return (f"{load_name(player['quartermaster'])} needs {turns(player['counters'])} more", "R1.9")


def _why_no_attack(view: View, player: View, move: View) -> Reason | None:
    if not player["peasant"]["lead"]:
        return ("the peasant has no weapon", "R6.1")
    target = view["players"][move["seat"] - 1]
    if target is player:
        return ("nobody attacks himself", "R7.1")
    return (f"p{move['seat']} is eliminated", "R10.1")


def _why_no_queen(view: View, player: View, move: View) -> Reason | None:
    if reason := _why_not_held(player, move, "R6.1"):
        return reason
    if player["queen"]["lead"]:
        return (f"the queen slot is taken by {load_name(player['queen'])}", "R6.1")
    return _why_no_court(player, move, "queen")


def _why_no_ace(view: View, player: View, move: View) -> Reason | None:
    if reason := _why_not_held(player, move, "R6.1"):
        return reason
    if reason := _why_no_court(player, move, "ace"):
        return reason
    if not view["grave"]:
        return ("the graveyard is empty", "R6.8")
    return (f"{card_name(view['grave'][0])} on top of the graveyard is no equipment", "R6.8")


def _why_no_court(player: View, move: View, rank: str) -> Reason | None:
    """Return what is wrong with the queens or aces themselves (R6.2, R6.4)."""
    lead, partner = move["card"], move.get("partner")
    for card in (lead, partner):
        if card and card[0] != rank[0]:
            return (f"{card_name(card)} is no {rank}", "R6.4" if partner else "R6.1")
    if not partner:
        return _why_not_alone(lead, player["suit"])
    for card in (lead, partner):
        if card[1] == player["suit"]:
            return (f"{card_name(card)} is of the own suit and is played alone", "R6.4")
    return None


def _why_no_discard(view: View, player: View, move: View) -> Reason | None:
    if reason := _why_not_held(player, move, "R8.1"):
        return reason
    return ("the salvage yard is full", "R8.2")


def _why_no_scrap(view: View, player: View, move: View) -> Reason | None:
    return ("the quartermaster has nothing to scrap", "R8.1")
