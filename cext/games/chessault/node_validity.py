"""Validity of nodes: what R13.4 asks of each, so that its decider has a legal move."""

from typing import Any

from kingmaker.cext.errors import InputError

from .board import END_ROW, is_active, row_of
from .names import ABILITY_LETTERS, END_OF_TURN, LETTERS, PROMOTIONS, SETUP, SIDES, joined
from .refusals import refusal
from .views import (
    asked_seat,
    blast,
    board_of,
    convertible,
    movable_types,
    placeable,
    sacrificeable,
)

View = dict[str, Any]

RULE = "R13.4"


def check_node(view: View, kind: str) -> None:
    """Refuse a node that does not fit the rest of its line."""
    if check := CHECKS.get(view["node"]["type"]):
        check(view, f"{kind}.node")


def _refuse(where: str, value: str, wanted: str) -> InputError:
    return refusal(where, value, RULE, wanted)


def _check_place(view: View, where: str) -> None:
    if view["action"] == SETUP:
        return  # R13.4 lets at most 13 figures into the 16 squares of a setup zone
    if view["node"]["figure"] == "king":
        raise _refuse(where, "place:k", "a king is placed in the setup only")
    if not placeable(view):
        value = f"place:{LETTERS[view['node']['figure']]}"
        raise _refuse(where, value, "a square of the own recruitment line is free at place")


def _check_sacrifice(view: View, where: str) -> None:
    if not sacrificeable(view):
        wanted = (
            f"{SIDES[view['active']]} has a knight, bishop, rook or queen to sacrifice, one on its "
            "recruitment line if that is full"
        )
        raise _refuse(where, "sacrifice", wanted)


def _check_dice(view: View, where: str) -> None:
    if not movable_types(view):
        raise _refuse(where, "dice", f"at dice {SIDES[view['active']]} has a figure that can move")


def _check_move(view: View, where: str) -> None:
    movable = movable_types(view)
    for kind in view["node"]["types"]:
        if kind not in movable:
            letters = "".join(LETTERS[each] for each in movable) or "none"
            wanted = f"the rolled types are among those that can move, {letters}"
            raise _refuse(where, LETTERS[kind], wanted)


def _check_activate(view: View, where: str) -> None:
    square = view["node"]["square"]
    figure = _own_figure(view, square)
    if figure is None or not figure["has_moved"]:
        raise _refuse(where, square, "activate is about a moved figure of the side to move")
    ability = figure["ability"]
    if ability == "explode" and blast(view, square):
        return
    if ability == "convert" and convertible(view, square):
        return
    wanted = (
        "the figure of activate holds explode with a figure next to it, or convert with an enemy "
        "on rows 1 to 8 next to it that is no target of a mark"
    )
    raise _refuse(where, square, wanted)


def _own_figure(view: View, square: str) -> View | None:
    """Return the figure of the side to move that is active there."""
    figure = board_of(view).get(square)
    if figure is None or figure["seat"] != view["active"] or not is_active(square):
        return None
    return figure


def _check_keep(view: View, where: str) -> None:
    square, kinds = view["node"]["square"], view["node"]["kinds"]
    figure = _own_figure(view, square)
    if figure is None or figure["type"] == "pawn":
        wanted = "keep is about a figure of the side to move on rows 1 to 8, not a pawn"
        raise _refuse(where, square, wanted)
    for ability in kinds:
        letter = ABILITY_LETTERS[ability]
        if not view["pool"][ability]:
            raise _refuse(where, letter, f"{ability} is offered only with such a token in the pool")
        if figure["ability"] == ability:
            wanted = f"the kinds are those that the figure does not hold; it holds {ability}"
            raise _refuse(where, letter, wanted)
    if view["action"] == END_OF_TURN:
        _check_keep_at_end(figure, kinds, where)
    else:
        _check_keep_after_move(figure, kinds, where)


def _check_keep_after_move(figure: View, kinds: list[str], where: str) -> None:
    if not figure["has_moved"]:
        wanted = "at actions 1 to 3 the figure of keep has moved"
        raise _refuse(where, figure["square"], wanted)
    if not figure["ability"] and len(kinds) < 2:
        wanted = "a figure without ability has at least two kinds to choose from"
        raise _refuse(where, ABILITY_LETTERS[kinds[0]], wanted)


def _check_keep_at_end(figure: View, kinds: list[str], where: str) -> None:
    if figure["ability"] not in ("protect", "explode"):
        wanted = "at action e the figure of keep holds protect or explode"
        raise _refuse(where, figure["square"], wanted)
    if kinds != ["convert"]:
        letters = "".join(ABILITY_LETTERS[ability] for ability in kinds)
        raise _refuse(where, letters, "at action e the kind offered is c")


def _check_promote(view: View, where: str) -> None:
    square = view["node"]["square"]
    figure = board_of(view).get(square)
    if (
        figure is None
        or figure["type"] != "pawn"
        or not is_active(square)
        or row_of(square) != END_ROW[figure["seat"]]
    ):
        raise _refuse(where, square, "promote is about a pawn on its endzone")
    owner = asked_seat(view)
    if figure["seat"] != owner:
        wanted = f"at this action the pawn of promote is one of {SIDES[owner]}"
        raise _refuse(where, square, wanted)
    if view["action"] != END_OF_TURN and not figure["has_moved"]:
        raise _refuse(where, square, "at actions 1 to 3 the pawn of promote has moved")
    if not any(kind in view["players"][owner - 1]["stock"] for kind in PROMOTIONS):
        wanted = f"at promote the stock of {SIDES[owner]} has a {joined(PROMOTIONS, 'or')}"
        raise _refuse(where, square, wanted)


def _check_end(view: View, where: str) -> None:
    winner = view["node"]["winner"]
    dead = [seat for seat in SIDES if "king" in view["players"][seat - 1]["dead"]]
    if winner:
        if dead != [3 - winner]:
            wanted = f"at end:p{winner} the king of {SIDES[3 - winner]} is dead and no other"
            raise _refuse(where, f"end:p{winner}", wanted)
        return
    limit = view["options"]["max_turns"]
    is_at_limit = view["action"] == END_OF_TURN and view["turn"] == limit
    if len(dead) == 1 or (not dead and not is_at_limit):
        wanted = f"at end:draw both kings are dead, or none at action e of turn {limit}"
        raise _refuse(where, "end:draw", wanted)


CHECKS = {
    "place": _check_place,
    "sacrifice": _check_sacrifice,
    "dice": _check_dice,
    "move": _check_move,
    "activate": _check_activate,
    "keep": _check_keep,
    "promote": _check_promote,
    "end": _check_end,
}
