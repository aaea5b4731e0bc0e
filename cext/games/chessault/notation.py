"""Lines of Chessault as typed views, and tokens <-> typed views (section 13).

A *view* is keyed like the proto messages ChessaultPosition, ChessaultObservation (with `observer`)
and ChessaultMove. Reading checks the grammar only; `pack` refuses unknown letters. line.pyx writes
lines, and reads those that have no error.
"""

import re
from collections.abc import Mapping
from functools import cache

from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import (
    read_line,
    read_list,
    read_number,
    read_parts,
    read_word,
)

from .names import (
    ABILITY_LETTERS,
    ABILITY_SIGNS,
    ACTIONS,
    ARGUMENTS,
    FILES,
    LETTERS,
    SIDES,
    SQUARES,
    TALLIES,
    TYPE_OF_LETTER,
    ZONES,
    Counts,
    Figure,
    View,
)
from .options import OPTIONS

FORM = "section 13"
MOVES = (
    "deploy:<t>, buy:<t>, done, place:<sq>, sacrifice:<sq>, roll, pass, recruit:<t>, "
    "resurrect:<t>, king:<sq>-<sq>, move:<sq>-<sq>, promote:<t>, keep:protect, keep:explode, "
    "keep:convert, hold, explode or convert:<sq>, with a type t of p n b r q k and a square a0 to "
    "h9; an outcome is dice: and the rolled types that can move, in the order pnbrqk, or dice:-; "
    "three real dice may be given as faces:<t><t><t>"
)
FIELDS = (
    *("board", "side", "turn", "action", "node", "done", "credits", "unplaced", "stock", "dead"),
    *("pool", "marks", "tally"),
)
HELP = (
    f"Moves: {MOVES}.\n"
    f"Position: chs {' '.join(FIELDS)}\n"
    "After chs come ;supply=double and ;max_turns=<n> if they are not standard and 400. board is "
    "rows 9 to 0 with / between them: a digit is as many empty squares, a letter of pnbrqk a "
    "figure of Black, in capitals of White, then + protect, * explode or ~ convert, - of a fresh "
    "pawn, . of a moved figure. side is p1 (White) or p2, whose turn it is; turn is a number; "
    "action is 0 in the setup, 1 to 3, or e at the end of the turn. node is setup, place:<t>, "
    "sacrifice, action, dice, move:<types>, promote:<sq>, keep:<sq>:<letters of pxc>, "
    "activate:<sq>, end:p1, end:p2 or end:draw. done is -, p1, p2 or p1p2, who is done with the "
    "setup. credits, unplaced, stock and dead are those of White / those of Black: a number, or "
    "letters with their numbers, or -. pool is p<n>x<n>c<n>, the free tokens; marks are "
    "<converter>><target> joined by commas, x for a converter that is gone, or -; tally is "
    "m<moves>k<kills>r<reaches>s<king moves>.\n"
    "Observation: the same, then @p1 or @p2, the seat that sees it; @- is a spectator."
)
PATHS = (  # of the fields of a line
    *("options", "figures", "active", "turn", "action", "node", "players"),
    *("players[].credits", "players[].unplaced", "players[].stock", "players[].dead"),
    *("pool", "marks", "tally", "observer"),
)
NODES = {  # type -> the fields of its arguments
    **dict.fromkeys(("setup", "sacrifice", "action", "dice"), ()),
    **dict.fromkeys(("promote", "activate"), ("square",)),
    "place": ("figure",),
    "move": ("types",),
    "keep": ("square", "kinds"),
    "end": ("winner",),
}
SEATS = {"p1": 1, "p2": 2}
ACTION_NUMBERS = {action: number for number, action in enumerate(ACTIONS)}
DONE = {"-": (), "p1": (1,), "p2": (2,), "p1p2": (1, 2)}  # seats
RESULTS = {"p1": 1, "p2": 2, "draw": 0}  # winners
ABILITY_OF_SIGN = {sign: ability for ability, sign in ABILITY_SIGNS.items()}
ABILITY_OF_LETTER = {letter: ability for ability, letter in ABILITY_LETTERS.items()}
CELL = re.compile(r"[1-8]|[pnbrqkPNBRQK][+*~]?-?\.?")
COUNT = re.compile(r"([a-zA-Z])([0-9]+)")


# --- reading ----------------------------------------------------------------------------------


def read_position(text: str) -> View:
    """Return the view of a position or observation line, which need not be valid."""
    line = read_line(text, "chs", FIELDS, (FORM, "R13.5"), OPTIONS, has_labels=False)
    kind = line.kind
    board, side, turn, action, node, done, credits, *zones, pool, marks, tally = line.values
    return {
        "options": OPTIONS.checked(line.options, f"{kind}.options"),
        "figures": _read_board(board, f"{kind}.figures"),
        "active": read_word(side, SEATS, f"{kind}.active", FORM),
        "turn": read_number(turn, f"{kind}.turn", FORM),
        "action": read_word(action, ACTION_NUMBERS, f"{kind}.action", FORM),
        "node": _read_node(node, f"{kind}.node"),
        "players": _read_players(done, credits, zones, f"{kind}.players"),
        "pool": _read_numbers(pool, ABILITY_LETTERS, f"{kind}.pool"),
        "marks": [_read_mark(mark, f"{kind}.marks") for mark in read_list(marks)],
        "tally": _read_numbers(tally, TALLIES, f"{kind}.tally"),
        **line.observer,
    }


def _read_board(text: str, where: str) -> list[Figure]:
    wanted = "the board has 10 rows, 9 down to 0, with / between them"
    rows = read_parts(text, "/", 10, where, FORM, wanted)
    return [
        figure
        for row, row_text in enumerate(reversed(rows))
        for figure in _read_row(row_text, row, where)
    ]


def _read_row(text: str, row: int, where: str) -> list[Figure]:
    cells = CELL.findall(text)
    if not text or "".join(cells) != text:
        wanted = (
            f"row {row} is made of the digits 1 to 8 and of figures: a letter of pnbrqk or PNBRQK, "
            "then in this order +, * or ~ for an ability, - for a fresh pawn, . for a moved figure"
        )
        raise refusal(where, text, FORM, wanted)
    figures = []
    file = 0
    for cell in cells:
        if cell.isdigit():
            file += int(cell)
        else:
            square = SQUARES[8 * row + (file & 7)]
            figures.append({"square": square, **_read_figure(cell, row in (0, 9))})
            file += 1
    if file != len(FILES):
        raise refusal(where, text, FORM, f"row {row} has {len(FILES)} squares, not {file}")
    return figures


@cache
def _read_figure(cell: str, is_on_line: bool) -> Figure:
    """Return the figure of a cell; on lines every pawn is fresh."""
    kind = TYPE_OF_LETTER[cell[0].lower()]
    return {
        "seat": 1 if cell[0].isupper() else 2,
        "type": kind,
        "ability": ABILITY_OF_SIGN.get(cell[1:2], ""),
        "is_fresh": "-" in cell or (is_on_line and kind == "pawn"),
        "has_moved": "." in cell,
    }


def _read_node(text: str, where: str) -> View:
    kind, *arguments = text.split(":")
    if len(arguments) != len(NODES.get(kind, ())) or kind not in NODES:
        wanted = (
            "a node is setup, place:t, sacrifice, action, dice, move:T, promote:sq, keep:sq:kinds, "
            "activate:sq, end:p1, end:p2 or end:draw; T is letters in the order pnbrqk, kinds are "
            "letters in the order pxc"
        )
        raise refusal(where, text, FORM, wanted)
    node: View = {"type": kind, **dict(zip(NODES[kind], arguments, strict=True))}
    if "figure" in node:
        node["figure"] = TYPE_OF_LETTER.get(node["figure"], node["figure"])
    if "types" in node:
        node["types"] = [TYPE_OF_LETTER.get(letter, letter) for letter in node["types"]]
    if "kinds" in node:
        node["kinds"] = [ABILITY_OF_LETTER.get(letter, letter) for letter in node["kinds"]]
    if "winner" in node:
        node["winner"] = read_word(node["winner"], RESULTS, f"{where}.winner", FORM)
    return node


def _read_players(done: str, credits: str, zones: list[str], where: str) -> list[View]:
    seats = read_word(done, DONE, where, FORM)
    players: list[View] = [{"is_done": seat in seats} for seat in SIDES]
    for name, text in zip(("credits", *ZONES), [credits, *zones], strict=True):
        wanted = "White and Black are separated by one /"
        halves = read_parts(text, "/", len(players), where, FORM, wanted)
        for index, half in enumerate(halves):
            path = f"{where}[{index}].{name}"
            is_number = name == "credits"
            players[index][name] = (
                read_number(half, path, FORM) if is_number else _read_counts(half, path)
            )
    return players


def _read_counts(text: str, where: str) -> Counts:
    if text != "-" and not re.fullmatch(f"(?:{COUNT.pattern})+", text):
        wanted = "figures are -, or letters in the order kqrbnp, each with its count"
        raise refusal(where, text, FORM, wanted)
    return {
        TYPE_OF_LETTER.get(letter.lower(), letter): read_number(count, where, FORM)
        for letter, count in COUNT.findall(text)
    }


def _read_numbers(text: str, letters: Mapping[str, str], where: str) -> dict[str, int]:
    found = re.fullmatch("".join(f"{letter}([0-9]+)" for letter in letters.values()), text)
    if not found:
        wanted = f"a number follows each of the letters {', '.join(letters.values())}"
        raise refusal(where, text, FORM, wanted)
    return {
        name: read_number(number, f"{where}.{name}", FORM)
        for name, number in zip(letters, found.groups(), strict=True)
    }


def _read_mark(text: str, where: str) -> View:
    converter, arrow, target = text.partition(">")
    if not arrow:
        wanted = "a mark is converter>target, two squares, or x>target when the converter is gone"
        raise refusal(where, text, FORM, wanted)
    return {"converter": "" if converter == "x" else converter, "target": target}


def read_move(text: str) -> View:
    """Return the view of a token, which need not be valid."""
    verb, _, argument = text.partition(":")
    names = ARGUMENTS.get(verb, ())
    if verb == "faces" and not re.fullmatch("[pnbrqk]{3}", argument):
        wanted = "the three faces of the dice are expected, letters of pnbrqk in any order"
        raise refusal("move", text, "R12.5", wanted)
    if names == ("types",):
        letters = [] if argument == "-" else [*argument] or [""]
        return {"verb": verb, "types": [TYPE_OF_LETTER.get(each, each) for each in letters]}
    if names == ("source", "target"):
        source, _, target = argument.partition("-")
        return {"verb": verb, "source": source, "target": target}
    if names == ("type",):
        argument = TYPE_OF_LETTER.get(argument, argument)
    return {"verb": verb, **dict.fromkeys(names, argument)}


def write_move(move: View) -> str:
    """Write the token of a move's view."""
    verb, names = move["verb"], ARGUMENTS.get(move["verb"], ())
    if names == ("types",):
        return f"{verb}:{''.join(LETTERS[kind] for kind in move['types']) or '-'}"
    arguments = "-".join(LETTERS[move[name]] if name == "type" else move[name] for name in names)
    return f"{verb}:{arguments}" if names else verb
