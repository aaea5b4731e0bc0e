"""The state of a game of Knaves Out, and how it is printed (sections 2, 12 and 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from .knaves_out_board import Point, World, board_of, world_of
from .knaves_out_cards import COURT, TOWERS, Record, Tower, refuse, remaining
from .knaves_out_nodes import Node

NUMBER = re.compile("0|[1-9][0-9]{0,4}")
MIN_PLAYERS, MAX_PLAYERS = 2, 8
MAX_MAX_TURNS = 99_999
HAND_SIZE = 10
MAX_CHECKERS = 4  # under a piece
NUM_CHECKERS = 12  # of each colour
TOWER_CHECKERS = 10  # R11.3

BUILDINGS = "KRNBkrnb"
PAWN, UNPAWN = "P", "p"
LIMITS = {"K": 1, "R": 2, "N": 2, "B": 2, "P": 8, "p": 8}  # R1.3, by kind
TURN_MARKS = (
    "rush",
    "seabreeze",
    "blacksails",
    "luck",
    "punches",
    "conspire",
    "defend",
    "ended",
    "played",
)
LASTING_MARKS = (
    "summer",
    "frenzy",
    "insight",
    "parlay",
    "lionheart",
    "shield",
    "thorns",
    "redirect",
    "blessing",
)
MARKS = (*TURN_MARKS, *LASTING_MARKS, "upper", "feast", "castled", "skip", "skipped")

# Values of the options with words, the default first (section 12).
CHOICES = {
    "direction": ("cw", "ccw"),
    "layout": ("fixed", "place"),
    "kings": ("place", "fixed"),
    "start_court": ("off", "on"),
    "start_jokers": ("off", "on"),
    "fuel": ("off", "on"),
    "each": ("all", "present"),
    "aos": ("court", "devour", "off"),
    "two_towers": ("on", "off"),
    "friendly_fire": ("on", "off"),
    "limit_result": ("draw", "rank"),
}
OPTION_ORDER = ["first", *list(CHOICES)[:-1], "max_turns", "limit_result"]


# Options (section 12)


@dataclass(frozen=True)
class Options:
    """The options of a game."""

    players: int
    first: int  # 0: rolled
    max_turns: int
    words: Mapping[str, str]  # of every option of CHOICES

    def __getitem__(self, name: str) -> str:
        return self.words[name]

    def tag(self) -> str:
        """Print the first field of a position."""
        values = {
            "first": f"p{self.first}" if self.first else "",
            "max_turns": str(self.max_turns) if self.max_turns != 120 * self.players else "",
        }
        for name, choices in CHOICES.items():
            values[name] = self.words[name] if self.words[name] != choices[0] else ""
        return "ko" + "".join(f";{name}={values[name]}" for name in OPTION_ORDER if values[name])


def read_options(texts: Mapping[str, str]) -> Options:
    """Read the options of a new game."""
    unknown = texts.keys() - {"players", *OPTION_ORDER}
    if unknown:
        refuse(sorted(unknown)[0], "section 12", "no such option")
    players = read_number("players", texts.get("players", "2"), MIN_PLAYERS, MAX_PLAYERS)
    first = texts.get("first", "roll")
    if first != "roll" and first not in [f"p{seat}" for seat in range(1, players + 1)]:
        refuse("first", "section 12", f"{first!r} is neither roll nor a seat")
    limit = texts.get("max_turns", str(120 * players))
    max_turns = read_number("max_turns", limit, 1, MAX_MAX_TURNS)
    words = {name: texts.get(name, choices[0]) for name, choices in CHOICES.items()}
    for name, word in words.items():
        if word not in CHOICES[name]:
            refuse(name, "section 12", f"{word!r} is not one of {', '.join(CHOICES[name])}")
    for name in ("start_jokers", "fuel"):
        if words[name] == "on" and words["start_court"] == "off":
            refuse(name, "section 12", "needs start_court=on")
    return Options(players, 0 if first == "roll" else int(first[1:]), max_turns, words)


def read_number(name: str, text: str, least: int, most: int) -> int:
    """Read a number within bounds, without leading zeros."""
    if not NUMBER.fullmatch(text) or not least <= int(text) <= most:
        refuse(name, "R14.5 a", f"{text!r} is not a number from {least} to {most}")
    return int(text)


# Pieces


@dataclass(frozen=True)
class Piece:
    """A building or soldier on land, with what it has done in its owner's turn."""

    letter: str  # upper case white, lower case black: tainted, or an unpawn
    checkers: int = 0
    steps: int = 0
    has_attacked: bool = False
    is_cleansed: bool = False
    has_surge: bool = False
    is_mover: bool = False

    @property
    def kind(self) -> str:
        """Give K, R, N, B whatever the colour, P for a pawn, p for an unpawn."""
        return self.letter.upper() if self.is_building else self.letter

    @property
    def is_building(self) -> bool:
        """Tell buildings from soldiers."""
        return self.letter in BUILDINGS

    @property
    def is_tainted(self) -> bool:
        """Tell whether this is a tainted building."""
        return self.letter in "krnb"

    def without_flags(self) -> Piece:
        """Forget what the piece has done this turn (R4.6)."""
        return Piece(self.letter, self.checkers)

    def text(self, square: str) -> str:
        """Print the piece (R14.2)."""
        flags = f"m{self.steps}" * bool(self.steps) + "a" * self.has_attacked
        flags += "c" * self.is_cleansed + "g" * self.has_surge + ">" * self.is_mover
        return f"{self.letter}{square}.{self.checkers}" + f"/{flags}" * bool(flags)


@dataclass(frozen=True, order=True)
class Sailor:
    """A soldier at sea; they are printed in the order of the fields."""

    letter: str  # P before p
    checkers: int
    is_fresh: bool

    def text(self) -> str:
        """Print the soldier."""
        return f"{self.letter}{self.checkers}" + "~" * self.is_fresh

    def token(self) -> str:
        """Write the soldier as in `land:`."""
        return ("u" if self.letter == UNPAWN else "p") + str(self.checkers)


@dataclass(frozen=True)
class GreatTower:
    """One of the Two Towers while it stands (R11)."""

    square: str
    chosen: int
    enemy: int  # of the Dark Tower, else 0
    red: int
    black: int

    def text(self) -> str:
        """Print the tower (R14.2)."""
        enemy = f">p{self.enemy}" if self.enemy else ""
        return f"{self.square}.p{self.chosen}{enemy}.r{self.red}b{self.black}"


# Players


@dataclass
class Player:
    """What belongs to one player."""

    is_alive: bool = True
    hand: tuple[str, ...] = ()  # canonical order
    discard: tuple[str, ...] = ()  # canonical order
    towers: dict[str, Tower] = field(default_factory=dict)  # by letter
    pieces: dict[str, Piece] = field(default_factory=dict)  # by square
    sea: list[Sailor] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    num_actions: int = 0
    swayers: set[int] = field(default_factory=set)
    permissions: dict[int, str] = field(default_factory=dict)  # R8.9: by seat, a square or `x`
    records: tuple[Record, ...] = ()

    def copy(self) -> Player:
        """Copy, so that changes of the copy leave this unchanged."""
        return replace(
            self,
            towers=dict(self.towers),
            pieces=dict(self.pieces),
            sea=list(self.sea),
            marks=set(self.marks),
            swayers=set(self.swayers),
            permissions=dict(self.permissions),
        )

    def open_cards(self) -> list[str]:
        """List the cards that everybody sees."""
        return [*self.discard, *(card for tower in self.towers.values() for card in tower.cards())]

    def deck(self) -> list[str]:
        """List the draw pile in canonical order (R14.2)."""
        return remaining([*self.hand, *self.open_cards()])

    def has_court(self) -> bool:
        """Tell whether Knave, Queen and King are in play."""
        return all(letter in self.towers for letter in COURT)

    def has_effect(self, code: str) -> bool:
        """Tell whether a devour effect is in force (R6.7)."""
        return any(code == name for tower in self.towers.values() for name, _ in tower.devoured)

    def has_taint(self, letter: str) -> bool:
        """Tell whether a court card is in play and tainted."""
        return letter in self.towers and self.towers[letter].has_joker

    def squares_with(self, kinds: str) -> list[str]:
        """List the squares of the own pieces of these kinds, in square order."""
        return sorted(square for square, piece in self.pieces.items() if piece.kind in kinds)

    def num_pieces(self, kind: str) -> int:
        """Count pieces of a kind, those at sea too (R1.3)."""
        at_sea = sum(sailor.letter == kind for sailor in self.sea)
        return at_sea + sum(piece.kind == kind for piece in self.pieces.values())

    def king_square(self) -> str:
        """Find the king building of a living player."""
        return next(square for square, piece in self.pieces.items() if piece.kind == "K")

    def mover(self) -> str:
        """Find the mover (R4.9), empty if there is none."""
        return next((square for square, piece in self.pieces.items() if piece.is_mover), "")


def marks_text(player: Player) -> str:
    """Print the marks part."""
    parts = [mark for mark in MARKS if mark in player.marks]
    if player.num_actions:
        parts.append(f"acts{player.num_actions}")
    parts += [f"swayp{seat}" for seat in sorted(player.swayers)]
    parts += [f"shap{seat}@{place}" for seat, place in sorted(player.permissions.items())]
    return ".".join(parts)


def player_text(seat: int, player: Player, is_seen: bool) -> str:
    """Print a PLAYER field; a hand that is not seen as its size (R14.4)."""
    towers = [player.towers[name].text() if name in player.towers else "" for name in TOWERS]
    pieces = player.pieces.items()
    parts = [
        f"p{seat}",
        "+" if player.is_alive else "x",
        "".join(player.hand) if is_seen else f"?{len(player.hand)}",
        "".join(player.discard),
        *towers,
        ",".join(piece.text(square) for square, piece in sorted(pieces, key=lambda pair: pair[0])),
        ",".join(sailor.text() for sailor in sorted(player.sea)),
        marks_text(player),
        ",".join(f"{mask:x}/{floor}" for mask, floor in player.records),
    ]
    return ":".join(part or "-" for part in parts)


# The state


@dataclass
class State:
    """A state of the game; procedures change it in place."""

    options: Options
    corners: list[Point | None]  # of the boards, by seat
    island: int  # a board, 0 none
    cleansed: int
    turn: int
    first: int  # 0 before it is known
    active: int  # 0 in the setup
    node: Node
    great: dict[str, GreatTower]  # the standing ones: `ivory`, `dark`
    called: set[str]  # also those that are gone
    players: dict[int, Player]

    def copy(self) -> State:
        """Copy, so that changes of the copy leave this unchanged."""
        return replace(
            self,
            corners=list(self.corners),
            great=dict(self.great),
            called=set(self.called),
            players={seat: player.copy() for seat, player in self.players.items()},
        )

    # Seats

    def seats_after(self, seat: int) -> list[int]:
        """List the other seats in seating order after a seat."""
        size = self.options.players
        step = 1 if self.options["direction"] == "cw" else -1
        return [(seat - 1 + step * index) % size + 1 for index in range(1, size)]

    def seating(self) -> list[int]:
        """List all seats in seating order (R3.1)."""
        return [self.first, *self.seats_after(self.first)]

    def living(self) -> list[int]:
        """List the living players by seat."""
        return [seat for seat, player in self.players.items() if player.is_alive]

    def enemies(self, seat: int) -> list[int]:
        """List the other living players by seat."""
        return [other for other in self.living() if other != seat]

    @property
    def mine(self) -> Player:
        """Give the active player."""
        return self.players[self.active]

    # Squares

    @property
    def world(self) -> World:
        """Give the adjacency of the boards as they are now."""
        return world_of(tuple(self.corners), self.island)

    def owner_at(self, square: str) -> int:
        """Give the owner of the piece on a square, 0 if there is none."""
        for seat, player in self.players.items():
            if square in player.pieces:
                return seat
        return 0

    def piece_at(self, square: str) -> Piece:
        """Give the piece on a square that has one."""
        return self.players[self.owner_at(square)].pieces[square]

    def great_at(self, square: str) -> str:
        """Name the one of the Two Towers on a square, empty if there is none."""
        return next((name for name, tower in self.great.items() if tower.square == square), "")

    def holder_at(self, square: str) -> int:
        """Give whose piece or Ivory Tower stands on a square, 0 for nobody (R10.3)."""
        if self.great_at(square) == "ivory":
            return self.great["ivory"].chosen
        return self.owner_at(square)

    def is_empty(self, square: str) -> bool:
        """R2.5."""
        return not self.owner_at(square) and not self.great_at(square)

    def empty_next_to(self, square: str) -> list[str]:
        """List the empty adjacent squares in square order."""
        return [near for near in self.world.neighbours[square] if self.is_empty(near)]

    def pieces_next_to(self, square: str) -> Iterator[tuple[str, int, Piece]]:
        """Yield the pieces on adjacent squares, with square and owner."""
        for near in self.world.neighbours[square]:
            for seat, player in self.players.items():
                if near in player.pieces:
                    yield near, seat, player.pieces[near]

    def is_near_taint(self, square: str) -> bool:
        """Tell whether a tainted building of any player is adjacent (R8.2, R8.8)."""
        return any(piece.is_tainted for _, _, piece in self.pieces_next_to(square))

    # Checkers

    def unused(self, seat: int, colour: str) -> int:
        """Count the unused red or black checkers of a player (section 1)."""
        player, is_black = self.players[seat], colour == "black"
        used = sum(
            piece.checkers for piece in player.pieces.values() if piece.is_building == is_black
        )
        if not is_black:
            used += sum(sailor.checkers for sailor in player.sea)
        for tower in self.great.values():
            if tower.chosen == seat:
                used += tower.black if is_black else tower.red
        return NUM_CHECKERS - used

    # Printing (R14.2, R14.4)

    def text(self) -> str:
        """Print the position."""
        return " ".join(self.fields(list(self.players)))

    def observe(self, seat: int) -> str:
        """Print what a seat sees, 0 for a spectator."""
        return " ".join([*self.fields([seat]), f"@p{seat}" if seat else "@-"])

    def observations(self) -> list[str]:
        """Print what a spectator and each seat see; they differ in one field of the position."""
        seen, unseen = self.fields(list(self.players)), self.fields([])
        own = len(seen) - len(self.players)
        lines = [" ".join([*unseen, "@-"])]
        for seat, index in enumerate(range(own, len(seen)), start=1):
            fields = [*unseen[:index], seen[index], *unseen[index + 1 :]]
            lines.append(" ".join([*fields, f"@p{seat}"]))
        return lines

    def fields(self, seers: list[int]) -> list[str]:
        """Print the fields of the position, with the hands of some seats."""
        return [
            self.options.tag(),
            "/".join(self.board_text(board) for board in self.players),
            f"t={self.turn};f={seat_text(self.first)};a={seat_text(self.active)}",
            self.node.text(),
            f"I={self.great_text('ivory')};D={self.great_text('dark')}",
            *(player_text(seat, player, seat in seers) for seat, player in self.players.items()),
        ]

    def board_text(self, board: int) -> str:
        """Print an entry of the WORLD field."""
        corner = self.corners[board - 1]
        if corner is None:
            return "-"
        marks = "i" * (board == self.island) + "c" * (board == self.cleansed)
        return f"{corner[0]},{corner[1]}{marks}"

    def great_text(self, name: str) -> str:
        """Print one of the Two Towers."""
        if name in self.great:
            return self.great[name].text()
        return "*" if name in self.called else "-"


def seat_text(seat: int) -> str:
    """Print a seat, or `-` for none."""
    return f"p{seat}" if seat else "-"


# Strength and steps (R8)


def strength(state: State, square: str) -> int:
    """Give the strength of a soldier, or the steps of a building with surge (R8.2)."""
    piece = state.piece_at(square)
    full = 1 + piece.checkers
    if piece.letter == PAWN and state.is_near_taint(square):
        return max(full - 1, 1)
    return full


def allowance(state: State, square: str) -> int:
    """Give how many steps a piece may make in all this turn (R8.2, R8.4)."""
    piece, player = state.piece_at(square), state.players[state.owner_at(square)]
    steps = strength(state, square)
    if piece.is_building:
        return steps
    begins_cleansed = not piece.is_mover and board_of(square) == state.cleansed
    is_doubled = piece.is_cleansed or begins_cleansed
    if piece.letter == PAWN:
        steps += "frenzy" in player.marks
        is_crimson = player.has_effect("crimson") and piece.checkers >= 1
        is_doubled = is_doubled or is_crimson or "rush" in player.marks
    return 2 * steps if is_doubled else steps
