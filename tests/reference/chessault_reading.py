"""Reading positions of Chessault (section 13)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from .chessault_board import (
    ABILITIES,
    FILES,
    KINDS,
    LINE,
    NUM_ROWS,
    SEATS,
    SQUARES,
    WHITE,
    Figure,
    enemy_of,
    refuse,
)
from .chessault_state import (
    ABILITY_LETTERS,
    ABILITY_SIGNS,
    NUMBER,
    Action,
    Activate,
    Dice,
    End,
    Keep,
    Mark,
    Move,
    Node,
    Options,
    Place,
    Promote,
    Sacrifice,
    Setup,
    State,
    Tally,
    Zone,
    Zones,
    read_options,
)
from .chessault_validity import check_validity

Value = TypeVar("Value")

FIELD_NAMES = [
    "tag",
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
]
RULE = "section 13"
ACTIONS = ("0", "1", "2", "3", "e")
SEAT_OF_TEXT = {f"p{seat}": seat for seat in SEATS}
DONE: dict[str, set[int]] = {"-": set(), "p1": {1}, "p2": {2}, "p1p2": {1, 2}}
WINNERS = {"p1": 1, "p2": 2, "draw": None}
PLAIN_NODES: dict[str, Node] = {
    "setup": Setup(),
    "sacrifice": Sacrifice(),
    "action": Action(),
    "dice": Dice(),
}
ABILITY_OF_SIGN = {sign: ability for ability, sign in ABILITY_SIGNS.items()}
ABILITY_OF_LETTER = {letter: ability for ability, letter in ABILITY_LETTERS.items()}

NUM = "(0|[1-9][0-9]{0,5})"
ROW_PART = re.compile(r"(?P<empty>[1-8])|(?P<kind>[pnbrqkPNBRQK])(?P<sign>[+*~]?)(?P<flags>-?\.?)")
ROW = re.compile(r"(?:[1-8]|[pnbrqkPNBRQK][+*~]?-?\.?)+")
ZONE = re.compile(rf"-|(?:[a-zA-Z]{NUM})+")
ZONE_PART = re.compile(f"([a-zA-Z]){NUM}")
POOL = re.compile(f"p{NUM}x{NUM}c{NUM}")
TALLY = re.compile(f"m{NUM}k{NUM}r{NUM}s{NUM}")


def read_position(text: str) -> State:
    """Read a position line; ValueError with field and rule if it is not valid."""
    state = read_fields(text.split(" "))
    pairs = zip(text.split(" "), state.text_fields(), strict=True)
    for name, (given, printed) in zip(FIELD_NAMES, pairs, strict=True):
        if given != printed:
            refuse(name, RULE, f"{given!r} is written {printed!r}")
    check_validity(state)
    return state


# The fields, each by itself. Order and spelling are checked by printing.


def read_fields(texts: list[str]) -> State:
    """Read the 14 fields of a line, without looking at their sense."""
    if len(texts) != len(FIELD_NAMES):
        refuse("line", RULE, f"{len(texts)} fields instead of {len(FIELD_NAMES)}")
    values = dict(zip(FIELD_NAMES, texts, strict=True))
    side = read_choice("side", values["side"], SEAT_OF_TEXT)
    return State(
        options=read_tag(values["tag"]),
        board=read_board(values["board"]),
        side=side,
        turn=read_number("turn", values["turn"]),
        action=read_choice("action", values["action"], {text: text for text in ACTIONS}),
        node=read_node(values["node"]),
        done=set(read_choice("done", values["done"], DONE)),
        credits=read_credits(values["credits"]),
        unplaced=read_zones("unplaced", values["unplaced"]),
        stock=read_zones("stock", values["stock"]),
        dead=read_zones("dead", values["dead"]),
        pool=read_pool(values["pool"]),
        marks=read_marks(values["marks"]),
        tally=read_tally(values["tally"]),
    )


def read_choice(field: str, text: str, values: Mapping[str, Value]) -> Value:
    """Read one of a few values."""
    if text not in values:
        refuse(field, RULE, f"{text!r} is not one of {', '.join(values)}")
    return values[text]


def read_number(field: str, text: str) -> int:
    """Read a number."""
    if not NUMBER.fullmatch(text):
        refuse(field, RULE, f"{text!r} is not a number of at most 999999")
    return int(text)


def read_tag(text: str) -> Options:
    """Read the tag with its options."""
    tag, *entries = text.split(";")
    if tag != "chs":
        refuse("tag", RULE, f"{tag!r} is not the tag chs")
    texts = {}
    for entry in entries:
        key, _, value = entry.partition("=")
        texts[key] = value
    return read_options(texts)


def read_board(text: str) -> dict[str, Figure]:
    """Read the ten rows."""
    rows = text.split("/")
    if len(rows) != NUM_ROWS:
        refuse("board", RULE, f"{len(rows)} rows instead of {NUM_ROWS}")
    board = {}
    for row, row_text in zip(reversed(range(NUM_ROWS)), rows, strict=True):
        board.update(read_row(row, row_text))
    return {square: board[square] for square in SQUARES if square in board}


def read_row(row: int, text: str) -> dict[str, Figure]:
    """Read the figures of one row."""
    if not ROW.fullmatch(text):
        refuse("board", RULE, f"{text!r} is not a row")
    figures = {}
    file = 0
    for part in ROW_PART.finditer(text):
        if part["empty"]:
            file += int(part["empty"])
            continue
        if file < len(FILES):
            figures[FILES[file] + str(row)] = read_figure(row, part)
        file += 1
    if file != len(FILES):
        refuse("board", RULE, f"{text!r} has {file} squares instead of {len(FILES)}")
    return figures


def read_figure(row: int, part: re.Match[str]) -> Figure:
    """Read a figure; every pawn on rows 0 and 9 is fresh."""
    kind = part["kind"].lower()
    is_recruited_pawn = kind == "p" and row in LINE.values()
    return Figure(
        kind=kind,
        owner=owner_of_letter(part["kind"]),
        ability=ABILITY_OF_SIGN[part["sign"]],
        is_fresh=is_recruited_pawn or "-" in part["flags"],
        has_moved="." in part["flags"],
    )


def owner_of_letter(text: str) -> int:
    """White's letters are upper case."""
    return WHITE if text.isupper() else enemy_of(WHITE)


def read_node(text: str) -> Node:
    """Read the NODE field."""
    node = find_node(text)
    if node is None:
        refuse("node", RULE, f"{text!r} is no node")
    return node


def find_node(text: str) -> Node | None:
    """Give the node that is written so, if any."""
    name, *arguments = text.split(":")
    match name, arguments:
        case _, [] if name in PLAIN_NODES:
            return PLAIN_NODES[name]
        case "place", [kind] if len(kind) == 1 and kind in KINDS:
            return Place(kind)
        case "move", [kinds] if set(kinds) <= set(KINDS):
            return Move("".join(kind for kind in KINDS if kind in kinds))
        case "promote", [square] if square in SQUARES:
            return Promote(square)
        case "activate", [square] if square in SQUARES:
            return Activate(square)
        case "keep", [square, letters] if square in SQUARES and set(letters) <= set("pxc"):
            return Keep(square, frozenset(ABILITY_OF_LETTER[letter] for letter in letters))
        case "end", [winner] if winner in WINNERS:
            return End(WINNERS[winner])
    return None


def read_credits(text: str) -> dict[int, int]:
    """Read White's and Black's credits."""
    return {seat: read_number("credits", entry) for seat, entry in pair_of("credits", text).items()}


def pair_of(field: str, text: str) -> dict[int, str]:
    """Split White's and Black's part."""
    parts = text.split("/")
    if len(parts) != len(SEATS):
        refuse(field, RULE, f"{text!r} is not White's and Black's part")
    return dict(zip(SEATS, parts, strict=True))


def read_zones(field: str, text: str) -> Zones:
    """Read the zones of both players."""
    return {seat: read_zone(field, part, seat) for seat, part in pair_of(field, text).items()}


def read_zone(field: str, text: str, seat: int) -> Zone:
    """Read the figures of one player in a zone."""
    if not ZONE.fullmatch(text):
        refuse(field, RULE, f"{text!r} is no list of figures")
    zone: Zone = Counter()
    for letter, count in ZONE_PART.findall(text):
        if letter.lower() not in KINDS or owner_of_letter(letter) != seat:
            refuse(field, RULE, f"{letter!r} is no figure of seat {seat}")
        zone[letter.lower()] += int(count)
    return zone


def read_pool(text: str) -> dict[str, int]:
    """Read the free tokens."""
    found = POOL.fullmatch(text)
    if not found:
        refuse("pool", RULE, f"{text!r} is not of the form p5x3c3")
    return dict(zip(ABILITIES, map(int, found.groups()), strict=True))


def read_marks(text: str) -> list[Mark]:
    """Read the pending conversions."""
    if text == "-":
        return []
    marks = []
    for entry in text.split(","):
        converter, _, target = entry.partition(">")
        if converter not in (*SQUARES, "x") or target not in SQUARES:
            refuse("marks", RULE, f"{entry!r} is no mark")
        marks.append(Mark(None if converter == "x" else converter, target))
    return marks


def read_tally(text: str) -> Tally:
    """Read what X has done in its turn."""
    found = TALLY.fullmatch(text)
    if not found:
        refuse("tally", RULE, f"{text!r} is not of the form m0k0r0s0")
    return Tally(*map(int, found.groups()))
