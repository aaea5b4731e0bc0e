"""The words of Chessault: types of figures, abilities, squares, nodes, verbs and sides.

Types, abilities, phases and verbs stand in the order of their numbers in state.pxd. *Counts* are a
dict from type to number, at least 1 (zero counts are left out).
"""

from collections.abc import Mapping
from typing import Any

Counts = dict[str, int]
View = dict[str, Any]
Figure = dict[str, Any]

TYPES = ("pawn", "knight", "bishop", "rook", "queen", "king")
LETTERS = dict(zip(TYPES, "pnbrqk", strict=True))
TYPE_OF_LETTER = {letter: kind for kind, letter in LETTERS.items()}
ZONE_ORDER = ("king", "queen", "rook", "bishop", "knight", "pawn")  # of counts in a line
PRICES = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 7}  # R6.6
RESURRECTION_PRICE = 2  # R6.8

ABILITIES = ("protect", "explode", "convert")
ABILITY_LETTERS = dict(zip(ABILITIES, "pxc", strict=True))
ABILITY_SIGNS = dict(zip(ABILITIES, "+*~", strict=True))

SIDES = {1: "White", 2: "Black"}  # by seat
ZONES = ("unplaced", "stock", "dead")
TALLIES = {"moves": "m", "kills": "k", "reaches": "r", "king_moves": "s"}
SETUP, END_OF_TURN = 0, 4
ACTIONS = ("0", "1", "2", "3", "e")  # of a line, by number

FILES = "abcdefgh"
SQUARES = tuple(f"{file}{row}" for row in range(10) for file in FILES)
EXPLODE_FIELDS = frozenset(("a1", "h1", "c3", "f3", "c6", "f6", "a8", "h8"))  # R2.2
CONVERT_FIELDS = frozenset(("b2", "g2", "d4", "e4", "d5", "e5", "b7", "g7"))

NODE_NAMES = {
    "setup": "the choice of a setup turn",
    "place": "the placing of a figure",
    "sacrifice": "the choice of a sacrifice",
    "action": "the choice of an action",
    "dice": "the roll of the dice",
    "move": "the move after a roll",
    "promote": "a promotion",
    "keep": "the choice of an ability",
    "activate": "the use of an ability",
    "end": "the end",
}
PHASES = tuple(NODE_NAMES)
VERBS = (
    *("deploy", "buy", "done", "place", "sacrifice", "roll", "pass", "recruit", "resurrect"),
    *("king", "move", "promote", "keep", "hold", "explode", "convert", "dice", "faces"),
)
ARGUMENTS = {  # the fields of a typed move, by verb
    **dict.fromkeys(("deploy", "buy", "recruit", "resurrect", "promote"), ("type",)),
    **dict.fromkeys(("place", "sacrifice", "convert"), ("square",)),
    **dict.fromkeys(("king", "move"), ("source", "target")),
    **dict.fromkeys(("dice", "faces"), ("types",)),
    "keep": ("ability",),
}


def figures_name(kind: str, count: int = 1) -> str:
    """Name figures of a type: `a rook`, `3 pawns`."""
    return f"a {kind}" if count == 1 else f"{count} {kind}s"


def counts_name(counts: Mapping[str, int]) -> str:
    """Name counts: `2 queens, a rook`; `-` if there is none."""
    listed = [figures_name(kind, counts[kind]) for kind in ZONE_ORDER if counts.get(kind)]
    return ", ".join(listed) or "-"


def player_name(seat: int) -> str:
    """Name a player: `White (p1)`."""
    return f"{SIDES[seat]} (p{seat})"


def on_square(figure: Figure) -> str:
    """Name a figure by its place: `the rook on e6`."""
    return f"the {figure['type']} on {figure['square']}"


def figure_text(figure: Figure) -> str:
    """Write a figure as in a line, a fresh pawn of any row with its sign: `N~.`."""
    letter, ability = LETTERS[figure["type"]], figure["ability"]
    return (
        (letter.upper() if figure["seat"] == 1 else letter)
        + (ABILITY_SIGNS[ability] if ability else "")
        + ("-" if figure["is_fresh"] else "")
        + ("." if figure["has_moved"] else "")
    )


def board_of(view: View) -> dict[str, Figure]:
    """Map occupied squares to figures."""
    return {figure["square"]: figure for figure in view["figures"]}
