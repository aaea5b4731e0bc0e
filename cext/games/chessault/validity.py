"""Validity of Chessault lines: R13.4 on parsed views, position and observation alike.

Nothing is hidden, so an observation is valid if the position in it is (R13.5).
"""

from typing import Any

from . import options
from .board import END_ROW, LINE_ROW, SETUP_ROWS, is_active, row_of
from .names import (
    ABILITY_SIGNS,
    ACTIONS,
    END_OF_TURN,
    LETTERS,
    SETUP,
    SIDES,
    TOKENS,
    ZONE_ORDER,
    ZONES,
    counted,
    counts_name,
    credits_name,
    joined,
)
from .node_validity import check_node
from .refusals import refusal
from .views import being_placed, board_of, figures_of

View = dict[str, Any]

RULE = "R13.4"
NODE_ACTIONS = {  # node -> the actions at which it stands
    "setup": "0",
    "place": "0123",
    "sacrifice": "0123",
    "action": "123",
    "dice": "123",
    "move": "123",
    "activate": "123",
    "keep": "123e",
    "promote": "123e",
    "end": "123e",
}
UNMOVED_NODES = ("place", "sacrifice", "action", "dice", "move")
RECEIVED = {"king": 1, "queen": 1, "pawn": 2}  # R4.1
SETUP_WORTH = 13  # four figures received and nine credits


def check(view: View, kind: str) -> None:
    """Refuse a view that breaks R13.4.

    Args:
        view: a parsed line.
        kind: what it is, for errors: "position" or "observation".

    Raises:
        InputError: it names the field, its value and what would be right.
    """
    _check_clock(view, kind)
    _check_figures(view, kind)
    _check_supply(view, kind)
    _check_tokens(view, kind)
    _check_kings(view, kind)
    if view["action"] == SETUP:
        _check_setup(view, kind)
    else:
        _check_later(view, kind)
    _check_marks(view, kind)
    _check_tally(view, kind)
    check_node(view, kind)


def _check_clock(view: View, kind: str) -> None:
    turn, action, active = view["turn"], ACTIONS[view["action"]], view["active"]
    limit = view["options"]["max_turns"]
    if turn > limit:
        wanted = f"the turn is at most max_turns, here {limit}"
        raise refusal(f"{kind}.turn", turn, RULE, wanted)
    if (turn == 0) != (action == "0"):
        wanted = "turn 0 is the setup, and there the action is 0; later it is 1, 2, 3 or e"
        raise refusal(f"{kind}.action", action, RULE, wanted)
    if turn and active != 2 - turn % 2:
        wanted = f"White (p1) has the odd turns and Black (p2) the even ones; turn {turn} is of p"
        raise refusal(f"{kind}.side", f"p{active}", RULE, f"{wanted}{3 - active}")
    node = view["node"]["type"]
    if action not in NODE_ACTIONS[node]:
        wanted = (
            f"the node {node} stands at action {joined(NODE_ACTIONS[node], 'or')}, not {action}"
        )
        raise refusal(f"{kind}.node", node, RULE, wanted)


# --- the board --------------------------------------------------------------------------------


def _check_figures(view: View, kind: str) -> None:
    for figure in view["figures"]:
        if wanted := _fault(view, figure):
            raise refusal(f"{kind}.board", figure_text(figure), RULE, wanted)


def figure_text(figure: View) -> str:
    """Name a figure as in errors: `N~. on d4`."""
    letter = LETTERS[figure["type"]]
    signs = ABILITY_SIGNS.get(figure["ability"], "") + ("-" if figure["is_fresh"] else "")
    moved = "." if figure["has_moved"] else ""
    shown = letter.upper() if figure["seat"] == 1 else letter
    return f"{shown}{signs}{moved} on {figure['square']}"


def _fault(view: View, figure: View) -> str:
    """Say what would be right instead of a figure; "" if it may stand so."""
    square, seat, kind = figure["square"], figure["seat"], figure["type"]
    if not is_active(square):
        if row_of(square) != LINE_ROW[seat]:
            return "on row 0 there are White's figures only, on row 9 Black's"
        if kind == "king" or figure["ability"]:
            return "on rows 0 and 9 there is no king and no ability"
    if kind == "pawn" and figure["ability"]:
        return "a pawn has no ability"
    may_be_fresh = kind == "pawn" and row_of(square) in (LINE_ROW[seat], *SETUP_ROWS[seat])
    if figure["is_fresh"] and not may_be_fresh:
        rows = "1 and 2" if seat == 1 else "7 and 8"
        return f"only pawns are fresh, those of {SIDES[seat]} on rows {rows}"
    may_have_moved = seat == view["active"] and view["action"] not in (SETUP, END_OF_TURN)
    if figure["has_moved"] and not may_have_moved:
        return "only figures of the side to move are marked as moved, at actions 1 to 3"
    return _pawn_fault(view, figure)


def _pawn_fault(view: View, figure: View) -> str:
    square, node = figure["square"], view["node"]
    if figure["type"] != "pawn" or row_of(square) != END_ROW[figure["seat"]]:
        return ""
    if node["type"] == "end" or (node["type"] == "promote" and node["square"] == square):
        return ""
    return "a pawn stands on its endzone only at end, or where it is being promoted"


# --- supply and tokens ------------------------------------------------------------------------


def _check_supply(view: View, kind: str) -> None:
    """R3.2 for every player and type."""
    supply = options.supply(view["options"])
    placed = being_placed(view)
    for seat, player in enumerate(view["players"], 1):
        for figure_type in ZONE_ORDER:
            standing = sum(figure["type"] == figure_type for figure in figures_of(view, seat))
            kept = {zone: player[zone].get(figure_type, 0) for zone in ZONES}
            in_hand = int(seat == view["active"] and placed == figure_type)
            total = standing + sum(kept.values()) + in_hand
            if total != supply[figure_type]:
                zones = ", ".join(f"{zone} {count}" for zone, count in kept.items())
                raise refusal(
                    f"{kind}.{_zone_at_fault(figure_type, standing, kept, supply[figure_type])}",
                    f"{total} (board {standing}, {zones}, being placed {in_hand})",
                    RULE,
                    f"{SIDES[seat]} has {counted(figure_type, supply[figure_type])} in all",
                )


def _zone_at_fault(figure_type: str, standing: int, kept: View, most: int) -> str:
    """Name the field that alone has more than the supply, or else where such figures come from."""
    if standing > most:
        return "board"
    source = "board" if figure_type == "king" else "stock"
    return next((zone for zone, count in kept.items() if count > most), source)


def _check_tokens(view: View, kind: str) -> None:
    """R3.2 for every kind of token (R2.5)."""
    for ability, wanted in TOKENS.items():
        held = sum(figure["ability"] == ability for figure in view["figures"])
        marks = len(view["marks"]) if ability == "convert" else 0
        in_pool = view["pool"][ability]
        if in_pool + held + marks != wanted:
            also = f", marks {marks}" if ability == "convert" else ""
            raise refusal(
                f"{kind}.pool",
                f"pool {in_pool}, on figures {held}{also}",
                RULE,
                f"there are {wanted} {ability} tokens in all",
            )


def _check_kings(view: View, kind: str) -> None:
    for player in view["players"]:
        if "king" in player["stock"]:
            raise refusal(f"{kind}.stock", "king", RULE, "no king is in a stock")
        if "king" in player["dead"] and view["node"]["type"] != "end":
            raise refusal(f"{kind}.dead", "king", RULE, "a king is dead only at end")


# --- setup and later --------------------------------------------------------------------------


def _check_setup(view: View, kind: str) -> None:
    active, players = view["active"], view["players"]
    if players[active - 1]["is_done"]:
        wanted = f"the side to move, p{active}, is not done with the setup"
        raise refusal(f"{kind}.done", f"p{active}", RULE, wanted)
    for seat, player in enumerate(players, 1):
        if player["is_done"] and player["unplaced"]:
            wanted = f"p{seat} is done and so has no unplaced figures"
            raise refusal(f"{kind}.unplaced", counts_name(player["unplaced"]), RULE, wanted)
        for figure_type, count in player["unplaced"].items():
            if count > RECEIVED.get(figure_type, 0):
                wanted = "unplaced are at most a king, a queen and 2 pawns of each side"
                raise refusal(f"{kind}.unplaced", counted(figure_type, count), RULE, wanted)
    for figure in view["figures"]:
        _check_set_up(figure, kind)
    if view["marks"]:
        raise refusal(f"{kind}.marks", len(view["marks"]), RULE, "there are no marks in the setup")
    for seat in SIDES:
        _check_setup_worth(view, seat, kind)


def _check_set_up(figure: View, kind: str) -> None:
    if row_of(figure["square"]) not in SETUP_ROWS[figure["seat"]]:
        wanted = "in the setup White's figures stand on rows 1 and 2, Black's on rows 7 and 8"
        raise refusal(f"{kind}.board", figure_text(figure), RULE, wanted)
    ability = "protect" if figure["type"] == "king" else ""
    if figure["ability"] != ability:
        wanted = "in the setup kings on the board hold protect and nothing else holds an ability"
        raise refusal(f"{kind}.board", figure_text(figure), RULE, wanted)


def _check_setup_worth(view: View, seat: int, kind: str) -> None:
    player = view["players"][seat - 1]
    figures = len(figures_of(view, seat)) + sum(player["unplaced"].values())
    figures += bool(being_placed(view)) and seat == view["active"]
    if figures + player["credits"] > SETUP_WORTH:
        raise refusal(
            f"{kind}.credits",
            f"{figures} figures and {credits_name(player['credits'])}",
            RULE,
            f"in the setup the figures of {SIDES[seat]}, unplaced, on the board or being placed, "
            f"and its credits add up to at most {SETUP_WORTH}",
        )


def _check_later(view: View, kind: str) -> None:
    done = [f"p{seat}" for seat in SIDES if view["players"][seat - 1]["is_done"]]
    if len(done) < len(SIDES):
        wanted = "turn 1 begins when both are done with the setup"
        raise refusal(f"{kind}.done", "".join(done) or "-", RULE, wanted)
    for player in view["players"]:
        if player["unplaced"]:
            wanted = "after the setup nothing is unplaced"
            raise refusal(f"{kind}.unplaced", counts_name(player["unplaced"]), RULE, wanted)


# --- marks and tally --------------------------------------------------------------------------


def _check_marks(view: View, kind: str) -> None:
    board = board_of(view)
    targets = [mark["target"] for mark in view["marks"]]
    for mark in view["marks"]:
        target, converter = mark["target"], mark["converter"]
        if target not in board or not is_active(target):
            wanted = "the target of a mark is a figure on rows 1 to 8"
            raise refusal(f"{kind}.marks", target, RULE, wanted)
        if targets.count(target) > 1:
            raise refusal(f"{kind}.marks", target, RULE, "no two marks have one target")
        if converter and not _may_convert(board.get(converter), board[target]):
            wanted = (
                "the converter of a mark is x, or a figure on rows 1 to 8 of the other side than "
                "its target, not a pawn"
            )
            raise refusal(f"{kind}.marks", f"{converter}>{target}", RULE, wanted)


def _may_convert(converter: View | None, target: View) -> bool:
    return (
        converter is not None
        and is_active(converter["square"])
        and converter["seat"] != target["seat"]
        and converter["type"] != "pawn"
    )


def _check_tally(view: View, kind: str) -> None:
    tally = view["tally"]
    for letter, count, most, wanted in _tally_limits(view):
        if count > most:
            raise refusal(f"{kind}.tally", f"{letter}{count}", RULE, wanted)
    num_moved = sum(figure["has_moved"] for figure in view["figures"])
    if num_moved > tally["moves"]:
        wanted = f"after {tally['moves']} moves no more figures are marked as moved"
        value = f"{num_moved} moved figure{'' if num_moved == 1 else 's'}"
        raise refusal(f"{kind}.board", value, RULE, wanted)


def _tally_limits(view: View) -> list[tuple[str, int, int, str]]:
    """List (letter, count, the most it may be, what is wanted)."""
    tally, action, node = view["tally"], view["action"], view["node"]["type"]
    moves, kills, reaches = tally["moves"], tally["kills"], tally["reaches"]
    special = tally["king_moves"]
    if action in (SETUP, END_OF_TURN):
        wanted = "at actions 0 and e the tally is m0k0r0s0"
        counts = (("m", moves), ("k", kills), ("r", reaches), ("s", special))
        return [(letter, count, 0, wanted) for letter, count in counts]
    most = action - (node in UNMOVED_NODES)
    dead = sum(view["players"][2 - view["active"]]["dead"].values())
    return [
        ("m", moves, most, f"at {node} of action {action} m is at most {most}"),
        ("r", reaches, moves, "there are at most as many reaches r as moves m"),
        ("s", special, 1, "s is 0 or 1"),
        ("s", special, moves, "there are at most as many special king moves s as moves m"),
        ("k", kills, dead, f"k is at most the number of the enemy's dead figures, {dead}"),
    ]
