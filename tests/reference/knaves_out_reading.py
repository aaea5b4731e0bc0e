"""Reading positions and observations of Knaves Out (R14.2 to R14.5)."""

from __future__ import annotations

import re

from .knaves_out_board import Point
from .knaves_out_cards import (
    CANONICAL,
    EFFECTS,
    JOKER,
    RANKS,
    SUITS,
    TOWERS,
    Record,
    Tower,
    is_in,
    refuse,
)
from .knaves_out_nodes import SQUARE, read_node
from .knaves_out_state import (
    MARKS,
    GreatTower,
    Options,
    Piece,
    Player,
    Sailor,
    State,
    read_options,
)
from .knaves_out_validity import check_validity

NUM_HEAD_FIELDS = 5
CARD = f"[{RANKS}][{SUITS}]"
CARD_TEXT = re.compile(f"{CARD}|{JOKER}")
CARDS_TEXT = re.compile(f"(?:{CARD}|{JOKER})*")
HIDDEN_HAND = re.compile(r"\?(0|[1-9]|10)")
TOWER = re.compile(
    rf"({CARD})(\*?)((?:\((?:{'|'.join(EFFECTS)})\.(?:{CARD}|{JOKER})+\))*)=((?:{CARD}\*?)*)"
)
DEVOURED = re.compile(r"\(([a-z]+)\.([a-z0-9]+)\)")
ENTRY = re.compile(rf"{CARD}\*?")
PIECE = re.compile(rf"([KRNBPkrnbp])({SQUARE})\.([0-4])(?:/(?:m([1-9][0-9]?))?(a?)(c?)(g?)(>?))?")
SAILOR = re.compile("([Pp])([0-4])(~?)")
ACTS, SWAYER = re.compile("acts([12])"), re.compile("swayp([1-8])")
PERMISSION = re.compile(f"shap([1-8])@({SQUARE}|x)")
RECORD = re.compile("(0|[1-9a-f][0-9a-f]{0,12})/([1-9]|10)")
BOARD = re.compile(r"(-?[0-9]{1,4}),(-?[0-9]{1,4})(i?)(c?)")
TURN = re.compile(r"t=(0|[1-9][0-9]{0,4});f=(-|p[1-8]);a=(-|p[1-8])")
GREAT = re.compile(r"I=(\*|-|[^;]+);D=(\*|-|[^;]+)")
GREAT_TOWER = re.compile(rf"({SQUARE})\.p([1-8])(?:>p([1-8]))?\.r([0-9]|10)b([0-9]|10)")
OBSERVER = re.compile("@(-|p[1-8])")


def read_position(text: str) -> State:
    """Read a position line; ValueError with field and rule if it is not valid (R14.5)."""
    state = read_fields(text.split(" "))
    check_canonical(text, state.text())
    check_validity(state)
    return state


def read_observation(text: str) -> State:
    """Read an observation line as one of the positions that it comes from (R14.4).

    A hidden hand matters only for R14.5 (b) and (c). The one that is dealt here has as many cards
    outside of each mask as any, so if it does not fit, none does.
    """
    *fields, last = text.split(" ")
    match = OBSERVER.fullmatch(last)
    if not match:
        refuse("@", "R14.4", f"{last!r} is not a seat that looks on")
    observer = 0 if match[1] == "-" else int(match[1][1:])
    if observer > len(fields) - NUM_HEAD_FIELDS:
        refuse("@", "R14.4", f"there is no seat {observer}")
    sizes = {}
    for seat, index in enumerate(range(NUM_HEAD_FIELDS, len(fields)), start=1):
        if seat != observer:
            fields[index], sizes[seat] = without_hand(fields[index])
    state = read_fields(fields)
    for seat, size in sizes.items():
        deal_hand(state.players[seat], size)
    check_canonical(text, state.observe(observer))
    check_validity(state)
    return state


def without_hand(text: str) -> tuple[str, int]:
    """Empty the hidden hand of a PLAYER field; give its size, too."""
    parts = text.split(":")
    match = HIDDEN_HAND.fullmatch(parts[2]) if len(parts) > 2 else None
    if not match:
        refuse("player", "R14.4", f"{text!r} has no hidden hand")
    return ":".join([*parts[:2], "-", *parts[3:]]), int(match[1])


def deal_hand(player: Player, size: int) -> None:
    """Deal a hand out of the deck, cards outside of the widest masks first (R13.5)."""
    deck = player.deck()
    if size > len(deck):
        refuse("player", "R1.2", f"a hand of {size} cards, but {len(deck)} are left")
    deck.sort(key=lambda card: sum(is_in(mask, card) for mask, _ in player.records))
    player.hand = tuple(sorted(deck[:size], key=CANONICAL.__getitem__))


def check_canonical(text: str, printed: str) -> None:
    """Refuse a line that reads as another one (R14.5 a)."""
    if text != printed:
        wrong = [
            field
            for field, expected in zip(text.split(" "), printed.split(" "), strict=False)
            if field != expected
        ]
        refuse("line", "R14.5 a", f"{wrong} is not canonical")


def read_fields(fields: list[str]) -> State:
    """Read the fields of a position, without its sense."""
    if len(fields) <= NUM_HEAD_FIELDS:
        refuse("line", "R14.2", f"{len(fields)} fields")
    players = fields[NUM_HEAD_FIELDS:]
    options = read_tag(fields[0], len(players))
    _, world, turn_text, node_text, towers_text, *_ = fields
    turn = TURN.fullmatch(turn_text)
    if not turn:
        refuse("turn", "R14.2", f"{turn_text!r} is not t=;f=;a=")
    corners, island, cleansed = read_world(world, options.players)
    great, called = read_great(towers_text)
    return State(
        options=options,
        corners=corners,
        island=island,
        cleansed=cleansed,
        turn=int(turn[1]),
        first=read_seat("turn", turn[2], options.players),
        active=read_seat("turn", turn[3], options.players),
        node=read_node(node_text, options.players),
        great=great,
        called=called,
        players={
            seat: read_player(text, seat, options.players)
            for seat, text in enumerate(players, start=1)
        },
    )


def read_seat(field: str, text: str, num_seats: int) -> int:
    """Read `pN` or `-`."""
    seat = 0 if text == "-" else int(text[1:])
    if seat > num_seats:
        refuse(field, "R14.2", f"there is no seat {seat}")
    return seat


def read_tag(text: str, num_players: int) -> Options:
    """Read the first field; the number of players is that of their fields."""
    tag, *parts = text.split(";")
    texts: dict[str, str] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or name in texts or name == "players":
            refuse("tag", "R14.2", f"{part!r} is no option")
        texts[name] = value
    if tag != "ko":
        refuse("tag", "R14.2", f"{tag!r} is not ko")
    return read_options({**texts, "players": str(num_players)})


def read_world(text: str, num_boards: int) -> tuple[list[Point | None], int, int]:
    """Read the WORLD field: corners, island, cleansed board."""
    entries = text.split("/")
    if len(entries) != num_boards:
        refuse("world", "R14.2", f"{len(entries)} boards of {num_boards} players")
    corners: list[Point | None] = []
    marked: dict[str, list[int]] = {"i": [], "c": []}
    for board, entry in enumerate(entries, start=1):
        match = BOARD.fullmatch(entry)
        if entry == "-":
            corners.append(None)
        elif match:
            corners.append((int(match[1]), int(match[2])))
            for letter in match[3] + match[4]:
                marked[letter].append(board)
        else:
            refuse("world", "R14.2", f"{entry!r} is no board")
    if max(len(boards) for boards in marked.values()) > 1:
        refuse("world", "R14.5 d", "more than one island or cleansed board")
    return corners, sum(marked["i"]), sum(marked["c"])


def read_great(text: str) -> tuple[dict[str, GreatTower], set[str]]:
    """Read the TOWERS field: the standing ones, and all that were called."""
    match = GREAT.fullmatch(text)
    if not match:
        refuse("towers", "R14.2", f"{text!r} is not I=;D=")
    great, called = {}, set()
    for name, entry in zip(("ivory", "dark"), match.groups(), strict=True):
        if entry == "-":
            continue
        called.add(name)
        if entry != "*":
            great[name] = read_great_tower(name, entry)
    return great, called


def read_great_tower(name: str, text: str) -> GreatTower:
    """Read one of the Two Towers."""
    match = GREAT_TOWER.fullmatch(text)
    if not match or (match[3] is None) == (name == "dark"):
        refuse("towers", "R14.2", f"{text!r} is no {name} tower")
    square, chosen, enemy, red, black = match.groups()
    return GreatTower(square, int(chosen), int(enemy or 0), int(red), int(black))


# Players


def read_player(text: str, seat: int, num_seats: int) -> Player:
    """Read a PLAYER field."""
    parts = ["" if part == "-" else part for part in text.split(":")]
    if len(parts) != 12 or parts[0] != f"p{seat}" or parts[1] not in ("+", "x"):
        refuse(f"p{seat}", "R14.2", "not 12 parts that begin with seat and life")
    _, life, hand, discard, *towers, pieces, sea, marks, records = parts
    player = Player(
        is_alive=life == "+",
        hand=read_cards(hand),
        discard=read_cards(discard),
        towers={name: read_tower(part) for name, part in zip(TOWERS, towers, strict=True) if part},
        sea=[read_sailor(part) for part in split(sea, ",")],
        records=tuple(read_record(part) for part in split(records, ",")),
    )
    for part in split(pieces, ","):
        square, piece = read_piece(part)
        if square in player.pieces:
            refuse("pieces", "R2.5", f"two pieces on {square}")
        player.pieces[square] = piece
    for part in split(marks, "."):
        read_mark(player, part, num_seats)
    return player


def split(text: str, sign: str) -> list[str]:
    """Split a part into its entries, an empty one has none."""
    return text.split(sign) if text else []


def read_cards(text: str) -> tuple[str, ...]:
    """Read a hand or discard."""
    if not CARDS_TEXT.fullmatch(text):
        refuse("cards", "R14.2", f"{text!r} are not cards")
    return tuple(CARD_TEXT.findall(text))


def read_tower(text: str) -> Tower:
    """Read a court tower or that of the ace of spades."""
    match = TOWER.fullmatch(text)
    if not match:
        refuse("tower", "R14.2", f"{text!r} is no tower")
    base, joker, under, stack = match.groups()
    devoured = tuple((code, read_cards(cards)) for code, cards in DEVOURED.findall(under))
    return Tower(base, bool(joker), devoured, tuple(ENTRY.findall(stack)))


def read_piece(text: str) -> tuple[str, Piece]:
    """Read a piece on land, with its square."""
    match = PIECE.fullmatch(text)
    if not match:
        refuse("pieces", "R14.2", f"{text!r} is no piece")
    letter, square, checkers, steps, *flags = match.groups()
    return square, Piece(letter, int(checkers), int(steps or 0), *(bool(flag) for flag in flags))


def read_sailor(text: str) -> Sailor:
    """Read a soldier at sea."""
    match = SAILOR.fullmatch(text)
    if not match:
        refuse("sea", "R14.2", f"{text!r} is no soldier at sea")
    return Sailor(match[1], int(match[2]), bool(match[3]))


def read_record(text: str) -> Record:
    """Read a knowledge record."""
    match = RECORD.fullmatch(text)
    if not match:
        refuse("records", "R14.2", f"{text!r} is no record")
    return int(match[1], 16), int(match[2])


def read_mark(player: Player, text: str, num_seats: int) -> None:
    """Read an entry of the marks."""
    if text in MARKS:
        player.marks.add(text)
    elif match := ACTS.fullmatch(text):
        player.num_actions = int(match[1])
    elif match := SWAYER.fullmatch(text):
        player.swayers.add(checked_seat(int(match[1]), num_seats))
    elif match := PERMISSION.fullmatch(text):
        player.permissions[checked_seat(int(match[1]), num_seats)] = match[2]
    else:
        refuse("marks", "R14.2", f"{text!r} is no mark")


def checked_seat(seat: int, num_seats: int) -> int:
    """Refuse a seat that the game does not have."""
    if seat > num_seats:
        refuse("marks", "R14.2", f"there is no seat {seat}")
    return seat
