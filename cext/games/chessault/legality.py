"""Why a well-formed move of Chessault is not legal, with the number of its rule."""

from collections.abc import Callable
from typing import Any

from .board import Figure, destinations, is_active, is_in_area, is_own, touches
from .names import (
    LETTERS,
    NODE_NAMES,
    PRICES,
    PROMOTIONS,
    RESURRECTION_PRICE,
    SACRIFICES,
    SETUP,
    counted,
    credits_name,
    joined,
)
from .views import (
    being_placed,
    board_of,
    convertible,
    is_in_check,
    king_of,
    movable_types,
    placeable,
    resolved,
    sacrificeable,
)

View = dict[str, Any]
Reason = tuple[str, str]  # a sentence, a rule number

NODES = {  # verb -> the node it belongs to, and the rule that says so
    "deploy": ("setup", "R4.2"),
    "buy": ("setup", "R4.2"),
    "done": ("setup", "R4.6"),
    "place": ("place", "R4.3"),
    "sacrifice": ("sacrifice", "R6.7"),
    "roll": ("action", "R6.2"),
    "pass": ("action", "R6.4"),
    "recruit": ("action", "R6.6"),
    "resurrect": ("action", "R6.8"),
    "king": ("action", "R6.5"),
    "move": ("move", "R6.3"),
    "promote": ("promote", "R8.6"),
    "keep": ("keep", "R9.4"),
    "hold": ("activate", "R9.7"),
    "explode": ("activate", "R9.8"),
    "convert": ("activate", "R9.12"),
    "dice": ("dice", "R12.1"),
    "faces": ("dice", "R12.5"),
}


def why_illegal(view: View, move: View) -> Reason:
    """Return the first reason against a move in a view where it is not legal."""
    now, verb = view["node"]["type"], move["verb"]
    if now == "end":
        return ("the game is over", "R11.5")
    node, rule = NODES[verb]
    if now != node:
        return (f"it is {NODE_NAMES[now]}; {verb} belongs to {NODE_NAMES[node]}", rule)
    check = CHECKS.get(verb)
    reason = check(view, move) if check else None
    return reason or ("it is not among the legal moves", "")


def _own(view: View, zone: str, kind: str) -> int:
    """Count X's figures of a type in a zone."""
    return int(view["players"][view["active"] - 1][zone].get(kind, 0))


def _credits(view: View) -> int:
    return int(view["players"][view["active"] - 1]["credits"])


# --- setup ------------------------------------------------------------------------------------


def _why_no_deploy(view: View, move: View) -> Reason | None:
    kind = move["type"]
    return None if _own(view, "unplaced", kind) else (f"no {kind} is unplaced", "R4.2")


def _why_no_purchase(view: View, move: View) -> Reason | None:
    if move["type"] == "king":
        return ("kings cannot be bought", "R4.5")
    return _why_not_affordable(view, move["type"], "R4.5")


def _why_not_done(view: View, move: View) -> Reason | None:
    if view["players"][view["active"] - 1]["unplaced"]:
        return ("a player with unplaced figures is not done", "R4.6")
    return None


def _why_not_affordable(view: View, kind: str, rule: str) -> Reason | None:
    """What speaks against buying or recruiting: stock, credits, or for a queen a sacrifice."""
    if not _own(view, "stock", kind):
        return (f"there is no {kind} in the stock", rule)
    price, has = PRICES[kind], _credits(view)
    if has < price:
        return (f"{counted(kind)} costs {credits_name(price)}, and there are {has}", rule)
    if kind == "queen" and not sacrificeable(view):
        where = "" if placeable(view) else " on the full recruitment line"
        return (f"there is no {joined(SACRIFICES, 'or')}{where} to sacrifice for a queen", "R6.7")
    return None


def _why_not_there(view: View, move: View) -> Reason | None:
    square = move["square"]
    if square in board_of(view):
        return (f"{square} is not free", "R4.3" if view["action"] == SETUP else "R6.6")
    if view["action"] == SETUP:
        return (f"{square} is not in the own setup zone", "R4.3")
    return (f"the {being_placed(view)} is placed on the own recruitment line", "R6.6")


def _why_no_sacrifice(view: View, move: View) -> Reason | None:
    figure = board_of(view).get(move["square"])
    if figure is None or figure["seat"] != view["active"]:
        return (f"no own figure stands on {move['square']}", "R6.7")
    if figure["type"] not in SACRIFICES:
        return (f"a {joined(SACRIFICES, 'or')} is sacrificed, no {figure['type']}", "R6.7")
    return ("the recruitment line is full, so a figure on it is sacrificed", "R6.7")


# --- actions ----------------------------------------------------------------------------------


def _why_no_roll(view: View, move: View) -> Reason | None:
    return ("no figure could move after the roll, so the action is passed", "R6.2")


def _why_no_pass(view: View, move: View) -> Reason | None:
    types = ", ".join(movable_types(view))
    return (f"an action is passed only if nothing could move; here {types} could", "R6.4")


def _why_no_recruit(view: View, move: View) -> Reason | None:
    kind = move["type"]
    if kind == "king":
        return ("the king cannot be recruited", "R6.6")
    if reason := _why_not_affordable(view, kind, "R6.6"):
        return reason
    return ("no square of the own recruitment line is free", "R6.6")


def _why_no_resurrection(view: View, move: View) -> Reason | None:
    kind, has = move["type"], _credits(view)
    if kind == "king":
        return ("kings cannot be resurrected", "R6.8")
    if not _own(view, "dead", kind):
        return (f"no own {kind} is dead", "R6.8")
    if has < RESURRECTION_PRICE:
        price = credits_name(RESURRECTION_PRICE)
        return (f"to resurrect costs {price}, and there are {has}", "R6.8")
    return None


def _why_no_king_move(view: View, move: View) -> Reason | None:
    king = king_of(view, view["active"])
    if king is None or king["square"] != move["source"]:
        return (f"the own king does not stand on {move['source']}", "R6.5")
    if view["tally"]["king_moves"]:
        return ("the special king move has been used in this turn", "R6.5")
    if not is_in_check(view, view["active"]):
        return ("the king is not in check", "R6.5")
    return _why_not_reached(view, king, move["target"])


def _why_no_move(view: View, move: View) -> Reason | None:
    source, types = move["source"], view["node"]["types"]
    figure = board_of(view).get(source)
    if figure is None or figure["seat"] != view["active"]:
        return (f"no own figure stands on {source}", "R6.3")
    if figure["type"] not in types:
        return (f"the dice move a {joined(types, 'or')}, no {figure['type']}", "R6.3")
    if figure["has_moved"]:
        return (f"the {figure['type']} on {source} has moved in this turn", "R7.7")
    return _why_not_reached(view, figure, move["target"])


def _why_not_reached(view: View, figure: Figure, target: str) -> Reason | None:
    board, source, kind = board_of(view), figure["square"], figure["type"]
    if target in destinations(board, figure):
        return None
    if not is_active(target):
        return ("no figure moves onto row 0 or 9", "R7.1")
    if not is_in_area(source, target):
        return (f"a recruited figure on {source} moves within its spawn quarter", "R7.1")
    if is_own(board, figure, target):
        return (f"an own figure stands on {target}", "R7.2")
    rule = "R7.4" if kind == "pawn" else "R7.3"
    return (f"the {kind} on {source} does not reach {target}", rule)


# --- after a move -----------------------------------------------------------------------------


def _why_no_promotion(view: View, move: View) -> Reason | None:
    kind = move["type"]
    if kind not in PROMOTIONS:
        return (f"a pawn is promoted to a {joined(PROMOTIONS, 'or')}", "R8.6")
    return (f"there is no {kind} in the stock", "R8.6")


def _why_not_kept(view: View, move: View) -> Reason | None:
    node = view["node"]
    figure = board_of(view)[node["square"]]
    choices = [*node["kinds"], *([figure["ability"]] if figure["ability"] else [])]
    name = f"the {figure['type']} on {node['square']}"
    return (f"{name} chooses between {joined(choices)}", "R9.4")


def _active_figure(view: View) -> Figure:
    return board_of(view)[view["node"]["square"]]


def _why_no_explosion(view: View, move: View) -> Reason | None:
    figure = _active_figure(view)
    return (f"the {figure['type']} on {figure['square']} holds {figure['ability']}", "R9.7")


def _why_no_conversion(view: View, move: View) -> Reason | None:
    figure, square, board = _active_figure(view), move["square"], board_of(view)
    if figure["ability"] != "convert":
        return _why_no_explosion(view, move)
    if square in convertible(view, figure["square"]):
        return None
    if not touches(figure["square"], square):
        return (f"{square} does not touch {figure['square']}", "R9.12")
    if square not in board or board[square]["seat"] == view["active"]:
        return (f"no enemy figure stands on {square}", "R9.12")
    if not is_active(square):
        return ("figures on a recruitment line cannot be converted", "R9.12")
    return (f"the {board[square]['type']} on {square} is the target of a mark already", "R9.12")


# --- chance -----------------------------------------------------------------------------------


def _why_not_rolled(view: View, move: View) -> Reason | None:
    movable = movable_types(view)
    for kind in move["types"]:
        if kind not in movable:
            return (f"no {kind} can move, so the outcome leaves it out", "R12.1")
    return ("six types can move, so a roll always shows one of them", "R12.2")


def _why_no_faces(view: View, move: View) -> Reason | None:
    letters = "".join(LETTERS[kind] for kind in resolved(view, move)["types"]) or "-"
    return (f"these faces come to the outcome dice:{letters}", "R12.5")


CHECKS: dict[str, Callable[[View, View], Reason | None]] = {
    "deploy": _why_no_deploy,
    "buy": _why_no_purchase,
    "done": _why_not_done,
    "place": _why_not_there,
    "sacrifice": _why_no_sacrifice,
    "roll": _why_no_roll,
    "pass": _why_no_pass,
    "recruit": _why_no_recruit,
    "resurrect": _why_no_resurrection,
    "king": _why_no_king_move,
    "move": _why_no_move,
    "promote": _why_no_promotion,
    "keep": _why_not_kept,
    "explode": _why_no_explosion,
    "convert": _why_no_conversion,
    "dice": _why_not_rolled,
    "faces": _why_no_faces,
}
