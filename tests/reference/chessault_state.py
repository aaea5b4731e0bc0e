"""The state of a game of Chessault, and how it is printed (sections 3 and 13)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from .chessault_board import (
    ABILITIES,
    FILES,
    KINDS,
    NUM_ROWS,
    SEATS,
    SUPPLIES,
    WHITE,
    Figure,
    is_on_board,
    refuse,
)

NUMBER = re.compile("0|[1-9][0-9]{0,5}")  # section 13: no leading zeros, at most 999999
MAX_CREDITS = 999_999  # R2.7
MAX_MAX_TURNS = 10_000
ZONE_KINDS = "kqrbnp"  # the order of printed zones
ABILITY_SIGNS = {"": "", "protect": "+", "explode": "*", "convert": "~"}
ABILITY_LETTERS = {"protect": "p", "explode": "x", "convert": "c"}

Zone = Counter[str]  # figures of one player, by kind
Zones = dict[int, Zone]  # by seat


# Options (section 15)


@dataclass(frozen=True)
class Options:
    """The options of a game."""

    supply: str = "standard"
    max_turns: int = 400

    def tag(self) -> str:
        """Print the first field of a position."""
        tag = "chs"
        if self.supply != Options().supply:
            tag += f";supply={self.supply}"
        if self.max_turns != Options().max_turns:
            tag += f";max_turns={self.max_turns}"
        return tag


def read_options(texts: Mapping[str, str]) -> Options:
    """Read the options of a new game."""
    options = Options()
    for key, text in texts.items():
        if key == "supply":
            if text not in SUPPLIES:
                refuse(key, "section 15", f"{text!r} is neither standard nor double")
            options = replace(options, supply=text)
        elif key == "max_turns":
            if not NUMBER.fullmatch(text) or not 1 <= int(text) <= MAX_MAX_TURNS:
                refuse(key, "section 15", f"{text!r} is not a number from 1 to {MAX_MAX_TURNS}")
            options = replace(options, max_turns=int(text))
        else:
            refuse(key, "section 15", "no such option")
    return options


# Nodes (section 5)


@dataclass(frozen=True)
class Setup:
    """X takes, buys, or is done."""


@dataclass(frozen=True)
class Sacrifice:
    """X gives a figure for the queen to be placed."""


@dataclass(frozen=True)
class Place:
    """X sets a figure."""

    kind: str


@dataclass(frozen=True)
class Action:
    """X chooses an action."""


@dataclass(frozen=True)
class Dice:
    """The dice are rolled."""


@dataclass(frozen=True)
class Move:
    """X moves a figure of one of these kinds, in the order of KINDS."""

    kinds: str


@dataclass(frozen=True)
class Promote:
    """The owner of the pawn on a square chooses what it becomes."""

    square: str


@dataclass(frozen=True)
class Keep:
    """The figure on a square keeps its ability or takes one of those offered."""

    square: str
    offer: frozenset[str]


@dataclass(frozen=True)
class Activate:
    """The figure on a square may use its ability."""

    square: str


@dataclass(frozen=True)
class End:
    """The game is over; no winner means a draw."""

    winner: int | None


Node = Setup | Sacrifice | Place | Action | Dice | Move | Promote | Keep | Activate | End


def node_text(node: Node) -> str:
    """Print the NODE field."""
    match node:
        case Place(kind):
            return f"place:{kind}"
        case Move(kinds):
            return f"move:{kinds}"
        case Promote(square):
            return f"promote:{square}"
        case Keep(square, offer):
            letters = [ABILITY_LETTERS[ability] for ability in ABILITIES if ability in offer]
            return f"keep:{square}:{''.join(letters)}"
        case Activate(square):
            return f"activate:{square}"
        case End(winner):
            return f"end:p{winner}" if winner else "end:draw"
    return type(node).__name__.lower()


# The state (section 3)


@dataclass(frozen=True)
class Mark:
    """A pending conversion."""

    converter: str | None  # its square, None when it is gone
    target: str

    def text(self) -> str:
        """Print an entry of the MARKS field."""
        return f"{self.converter or 'x'}>{self.target}"


@dataclass
class Tally:
    """What X has done in this turn."""

    moves: int = 0
    kills: int = 0
    reaches: int = 0
    special: int = 0  # the special king move, 0 or 1

    def text(self) -> str:
        """Print the TALLY field."""
        return f"m{self.moves}k{self.kills}r{self.reaches}s{self.special}"


@dataclass
class State:
    """A state of the game; it is changed in place, by the procedures of section 5."""

    options: Options
    board: dict[str, Figure]  # by square
    side: int  # X
    turn: int
    action: str  # 0 to 3, or e
    node: Node
    done: set[int]
    credits: dict[int, int]
    unplaced: Zones
    stock: Zones
    dead: Zones
    pool: dict[str, int]  # by ability
    marks: list[Mark]
    tally: Tally

    def copy(self) -> State:
        """Copy, so that changes of the copy leave this unchanged."""
        return replace(
            self,
            board=dict(self.board),
            done=set(self.done),
            credits=dict(self.credits),
            unplaced={seat: Counter(zone) for seat, zone in self.unplaced.items()},
            stock={seat: Counter(zone) for seat, zone in self.stock.items()},
            dead={seat: Counter(zone) for seat, zone in self.dead.items()},
            pool=dict(self.pool),
            marks=list(self.marks),
            tally=replace(self.tally),
        )

    def figures(self, seat: int) -> list[tuple[str, Figure]]:
        """List the figures of a seat with their squares, recruited ones included."""
        return [pair for pair in self.board.items() if pair[1].owner == seat]

    def king_square(self, seat: int) -> str | None:
        """Find a king."""
        kings = [square for square, figure in self.figures(seat) if figure.kind == "k"]
        return kings[0] if kings else None

    def is_free(self, square: str) -> bool:
        """Tell whether nobody stands on a square."""
        return square not in self.board

    def decider(self) -> int | None:
        """Give the seat that is asked, None at a chance node and at the end (R13.2)."""
        match self.node:
            case Dice() | End():
                return None
            case Promote(square):
                return self.board[square].owner
        return self.side

    def text(self) -> str:
        """Print the position."""
        return " ".join(self.text_fields())

    def text_fields(self) -> list[str]:
        """Print the 14 fields of the position."""
        return [
            self.options.tag(),
            board_text(self.board),
            f"p{self.side}",
            str(self.turn),
            self.action,
            node_text(self.node),
            "".join(f"p{seat}" for seat in sorted(self.done)) or "-",
            "/".join(str(self.credits[seat]) for seat in SEATS),
            zones_text(self.unplaced),
            zones_text(self.stock),
            zones_text(self.dead),
            "".join(f"{ABILITY_LETTERS[ability]}{self.pool[ability]}" for ability in ABILITIES),
            ",".join(mark.text() for mark in self.marks) or "-",
            self.tally.text(),
        ]


def board_text(board: Mapping[str, Figure]) -> str:
    """Print the BOARD field."""
    return "/".join(row_text(board, row) for row in reversed(range(NUM_ROWS)))


def row_text(board: Mapping[str, Figure], row: int) -> str:
    """Print one row of the BOARD field."""
    text, num_empty = "", 0
    for square in [file + str(row) for file in FILES]:
        if square not in board:
            num_empty += 1
            continue
        text += str(num_empty or "") + figure_text(square, board[square])
        num_empty = 0
    return text + str(num_empty or "")


def figure_text(square: str, figure: Figure) -> str:
    """Print a figure; that pawns of rows 0 and 9 are fresh is not written."""
    fresh = "-" if figure.is_fresh and is_on_board(square) else ""
    moved = "." if figure.has_moved else ""
    return letter(figure.kind, figure.owner) + ABILITY_SIGNS[figure.ability] + fresh + moved


def letter(kind: str, owner: int) -> str:
    """Print the type of a figure."""
    return kind.upper() if owner == WHITE else kind


def zones_text(zones: Zones) -> str:
    """Print the UNPLACED, STOCK or DEAD field."""
    return "/".join(zone_text(seat, zones[seat]) for seat in SEATS)


def zone_text(seat: int, zone: Zone) -> str:
    """Print the figures of one player in a zone."""
    return "".join(f"{letter(kind, seat)}{zone[kind]}" for kind in ZONE_KINDS if zone[kind]) or "-"


def in_dice_order(kinds: Iterable[str]) -> str:
    """Write kinds of figures once each, in the order of R12.4."""
    found = set(kinds)
    return "".join(kind for kind in KINDS if kind in found)
