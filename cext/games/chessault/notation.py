"""Lines of Chessault <-> typed views: positions and observations (section 13, R13).

A *view* is a position or observation as plain data, keyed like the proto messages
ChessaultPosition and ChessaultObservation; an observation has the key `observer`. Parsing
validates: what `view_text` writes from a wrong view, `parse` refuses, and what would not show in a
line `view_text` refuses itself.
"""

import re
from collections.abc import Mapping
from typing import Any

from . import options
from .board import LINE_ROW
from .names import (
    ABILITY_LETTERS,
    ABILITY_OF_SIGN,
    ABILITY_SIGNS,
    ACTIONS,
    FILES,
    LETTERS,
    SIDES,
    SQUARE_INDEX,
    TYPE_OF_LETTER,
    ZONE_ORDER,
    ZONES,
    Counts,
)
from .nodes import node_text, parse_node
from .refusals import FORM, number, refusal
from .validity import check

View = dict[str, Any]
Figure = dict[str, Any]

FIELDS = (
    "board",
    "side",
    "turn",
    "action",
    "node",
    "done",
    "credits",
    "unplaced",
    "stock",
    "dead",
    "pool",
    "marks",
    "tally",
)
DONE = {"-": (), "p1": (1,), "p2": (2,), "p1p2": (1, 2)}  # seats
TALLIES = {"moves": "m", "kills": "k", "reaches": "r", "king_moves": "s"}
CELL = re.compile(r"([1-8])|([pnbrqkPNBRQK])([+*~]?)(-?)(\.?)")
ROW = re.compile(rf"(?:{CELL.pattern})+")
COUNT = re.compile(r"([a-z])([0-9]+)")
NUM_ROWS = 10


# --- writing ----------------------------------------------------------------------------------


def view_text(view: View) -> str:
    """Write the line of a view; what is absent or empty counts as zero, empty or nobody.

    Raises:
        InputError: an option has no such value, or the node sets a field that its type does not
            have; the line can't tell.
    """
    players = view.get("players", [])
    zones = [[player.get(zone) or {} for player in players] for zone in ZONES]
    done = "".join(f"p{seat}" for seat, player in enumerate(players, 1) if player.get("is_done"))
    fields = [
        options.tag(options.texts(view.get("options") or {})),
        _board_text(view.get("figures", [])),
        f"p{view.get('active', 0)}",
        str(view.get("turn", 0)),
        _action_text(view.get("action", 0)),
        node_text(view.get("node") or {}),
        done or "-",
        "/".join(str(player.get("credits", 0)) for player in players),
        *("/".join(map(_counts_text, zone, (1, 2, 3))) for zone in zones),
        _numbers_text(view.get("pool") or {}, ABILITY_LETTERS),
        ",".join(map(_mark_text, view.get("marks", []))) or "-",
        _numbers_text(view.get("tally") or {}, TALLIES),
    ]
    if "observer" in view:
        fields.append(f"@p{view['observer']}" if view["observer"] else "@-")
    return " ".join(fields)


def _board_text(figures: list[Figure]) -> str:
    """Write the ten rows; what stands nowhere or twice is added in a way that no line may hold."""
    cells: dict[str, str] = {}
    wrong = ""
    for figure in figures:
        square = figure.get("square", "")
        if square in SQUARE_INDEX and square not in cells:
            cells[square] = _figure_text(figure)
        else:
            wrong += f"({square})"
    return "/".join(_row_text(cells, row) for row in reversed(range(NUM_ROWS))) + wrong


def _figure_text(figure: Figure) -> str:
    kind, seat = figure.get("type", ""), figure.get("seat", 0)
    letter = LETTERS.get(kind) if seat in SIDES else None
    if letter is None:
        return f"({kind})"
    ability = figure.get("ability", "")
    is_on_line = figure["square"][1] in "09"
    is_shown_fresh = figure.get("is_fresh") and not (kind == "pawn" and is_on_line)
    return (
        (letter.upper() if seat == 1 else letter)
        + (ABILITY_SIGNS.get(ability, f"({ability})") if ability else "")
        + ("-" if is_shown_fresh else "")
        + ("." if figure.get("has_moved") else "")
    )


def _row_text(cells: Mapping[str, str], row: int) -> str:
    text = "".join(cells.get(f"{file}{row}", " ") for file in FILES)
    return re.sub(" +", lambda empty: str(len(empty[0])), text)


def _action_text(action: int) -> str:
    return ACTIONS[action] if 0 <= action < len(ACTIONS) else str(action)


def _counts_text(counts: Mapping[str, int], seat: int) -> str:
    """Write counts; what is none, such as a count below 0, no line may hold."""
    listed = [f"{LETTERS[kind]}{counts[kind]}" for kind in ZONE_ORDER if counts.get(kind)]
    text = "".join(listed)
    unknown = "".join(f"({kind})" for kind in counts if kind not in LETTERS)
    return ((text.upper() if seat == 1 else text) + unknown) or "-"


def _numbers_text(numbers: Mapping[str, int], letters: Mapping[str, str]) -> str:
    return "".join(f"{letter}{numbers.get(key, 0)}" for key, letter in letters.items())


def _mark_text(mark: Mapping[str, str]) -> str:
    converter, target = mark.get("converter", ""), mark.get("target", "")
    return f"{_square_text(converter) if converter else 'x'}>{_square_text(target)}"


def _square_text(square: str) -> str:
    """Write a square; what is none no line may hold."""
    return square if square in SQUARE_INDEX else f"({square})"


# --- reading ----------------------------------------------------------------------------------


def parse_position(text: str) -> View:
    """Return the view of a position line.

    Raises:
        InputError: the line breaks R13; names the field, its value and the rule.
    """
    fields = text.split(" ")
    if fields[-1].startswith("@"):
        wanted = "a position ends with the tally; this line has the last field of an observation"
        raise refusal("position", fields[-1], "R13.5", wanted)
    return _parse(fields, text, "position", None)


def parse_observation(text: str) -> View:
    """Return the view of an observation line.

    Raises:
        InputError: the line breaks R13.5, or its position breaks R13; names the field, its value
            and the rule.
    """
    *fields, observer = text.split(" ")
    observers = {"@-": 0, "@p1": 1, "@p2": 2}
    if observer not in observers:
        wanted = "an observation ends with @p1, @p2 or, for a spectator, @-"
        raise refusal("observation.observer", observer, "R13.5", wanted)
    return _parse(fields, text, "observation", observers[observer])


def _parse(fields: list[str], text: str, kind: str, observer: int | None) -> View:
    if len(fields) != 1 + len(FIELDS):
        wanted = f"the fields, separated by one space each, are chs, {', '.join(FIELDS)}"
        is_observation = observer is not None
        raise refusal(kind, text, FORM, wanted + (" and @" if is_observation else ""))
    where = {name: f"{kind}.{name}" for name in ("tag", *FIELDS)}
    given = dict(zip(("tag", *FIELDS), fields, strict=True))
    view = {
        "options": _parse_tag(given["tag"], where["tag"], f"{kind}.options"),
        "figures": _parse_board(given["board"], where["board"]),
        "active": 1 + _one_of(given["side"], ("p1", "p2"), where["side"]),
        "turn": number(given["turn"], where["turn"]),
        "action": _one_of(given["action"], ACTIONS, where["action"]),
        "node": parse_node(given["node"], where["node"]),
        "players": _parse_players(given, where),
        "pool": _parse_numbers(given["pool"], ABILITY_LETTERS, where["pool"]),
        "marks": _parse_marks(given["marks"], where["marks"]),
        "tally": _parse_numbers(given["tally"], TALLIES, where["tally"]),
    }
    if observer is not None:
        view["observer"] = observer
    check(view, kind)
    return view


def _one_of(text: str, values: tuple[str, ...], where: str) -> int:
    """Read one of these values and return its index."""
    if text not in values:
        name = where.partition(".")[2]
        raise refusal(where, text, FORM, f"the {name} is one of {', '.join(values)}")
    return values.index(text)


def _parse_tag(text: str, where: str, options_field: str) -> options.Values:
    tag, *items = text.split(";")
    pairs = [item.partition("=") for item in items]
    given = {option: value for option, _, value in pairs}
    if tag != "chs" or len(given) != len(items) or not all(sign for _, sign, _ in pairs):
        wanted = "the tag is chs, then ;supply= and ;max_turns= if they differ from their defaults"
        raise refusal(where, text, FORM, wanted)
    checked = options.checked(given, options_field)
    if text != options.tag(checked):
        wanted = "the tag names the options that differ from their defaults, in the order of "
        raise refusal(where, text, FORM, f"{wanted}section 15: {options.tag(checked)}")
    return options.values(checked)


# --- the board --------------------------------------------------------------------------------


def _parse_board(text: str, where: str) -> list[Figure]:
    rows = text.split("/")
    if len(rows) != NUM_ROWS:
        wanted = f"the board has {NUM_ROWS} rows, 9 down to 0, with / between them"
        raise refusal(where, text, FORM, f"{wanted}, not {len(rows)}")
    by_row = [
        _parse_row(row_text, row, where)
        for row, row_text in zip(reversed(range(NUM_ROWS)), rows, strict=True)
    ]
    return [figure for row in reversed(by_row) for figure in row]


def _parse_row(text: str, row: int, where: str) -> list[Figure]:
    if not ROW.fullmatch(text):
        wanted = (
            f"row {row} is made of the digits 1 to 8 and of figures: a letter of pnbrqk or PNBRQK, "
            "then in this order +, * or ~ for an ability, - for a fresh pawn, . for a moved figure"
        )
        raise refusal(where, text, FORM, wanted)
    figures = []
    file, was_empty = 0, False
    for empty, letter, ability, fresh, moved in CELL.findall(text):
        if empty and was_empty:
            wanted = f"in row {row} neighbouring empty squares are one number"
            raise refusal(where, text, FORM, wanted)
        if letter and file < len(FILES):
            square = f"{FILES[file]}{row}"
            figures.append(_figure(square, letter, ability, bool(fresh), bool(moved)))
        file, was_empty = file + int(empty or 1), bool(empty)
    if file != len(FILES):
        raise refusal(where, text, FORM, f"row {row} has {len(FILES)} squares, not {file}")
    if row in LINE_ROW.values() and "-" in text:
        wanted = f"in row {row} every pawn is fresh, and - is not written"
        raise refusal(where, text, FORM, wanted)
    return figures


def _figure(square: str, letter: str, sign: str, is_fresh: bool, has_moved: bool) -> Figure:
    kind = TYPE_OF_LETTER[letter.lower()]
    return {
        "square": square,
        "seat": 1 if letter.isupper() else 2,
        "type": kind,
        "ability": ABILITY_OF_SIGN[sign] if sign else "",
        "is_fresh": is_fresh or (kind == "pawn" and square[1] in "09"),
        "has_moved": has_moved,
    }


# --- players, tokens, marks -------------------------------------------------------------------


def _parse_players(given: Mapping[str, str], where: Mapping[str, str]) -> list[View]:
    if given["done"] not in DONE:
        wanted = f"the seats that are done with the setup are one of {', '.join(DONE)}"
        raise refusal(where["done"], given["done"], FORM, wanted)
    halves = {name: _halves(given[name], where[name]) for name in ("credits", *ZONES)}
    return [
        {
            "is_done": seat in DONE[given["done"]],
            "credits": number(halves["credits"][seat - 1], where["credits"]),
            **{zone: _parse_counts(halves[zone][seat - 1], seat, where[zone]) for zone in ZONES},
        }
        for seat in SIDES
    ]


def _halves(text: str, where: str) -> list[str]:
    halves = text.split("/")
    if len(halves) != len(SIDES):
        raise refusal(where, text, FORM, "White and Black are separated by one /")
    return halves


def _parse_counts(text: str, seat: int, where: str) -> Counts:
    if text == "-":
        return {}
    letters = "kqrbnp".upper() if seat == 1 else "kqrbnp"
    pairs = COUNT.findall(text.lower())
    counts = {
        TYPE_OF_LETTER[letter]: number(count, where)
        for letter, count in pairs
        if letter in TYPE_OF_LETTER
    }
    if not counts or text != _counts_text(counts, seat):
        wanted = (
            f"the figures of {SIDES[seat]} are -, or letters in the order {letters}, each with its "
            "count, none of them 0"
        )
        raise refusal(where, text, FORM, wanted)
    return counts


def _parse_numbers(text: str, letters: Mapping[str, str], where: str) -> dict[str, int]:
    found = re.fullmatch("".join(f"{letter}([0-9]+)" for letter in letters.values()), text)
    if not found:
        wanted = f"a number follows each of the letters {', '.join(letters.values())}"
        raise refusal(where, text, FORM, wanted)
    return {key: number(count, where) for key, count in zip(letters, found.groups(), strict=True)}


def _parse_marks(text: str, where: str) -> list[View]:
    return [] if text == "-" else [_parse_mark(mark, where) for mark in text.split(",")]


def _parse_mark(text: str, where: str) -> View:
    converter, arrow, target = text.partition(">")
    if not arrow or target not in SQUARE_INDEX or converter not in ("x", *SQUARE_INDEX):
        wanted = "a mark is converter>target, two squares, or x>target when the converter is gone"
        raise refusal(where, text, FORM, wanted)
    return {"converter": "" if converter == "x" else converter, "target": target}
