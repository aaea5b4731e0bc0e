"""Reading positions of Code of Chivalry (R13.1 to R13.3)."""

from __future__ import annotations

from collections import Counter

from .code_of_chivalry_cards import (
    CARD_OF_LETTER,
    FORTIFY_ROLES,
    Cards,
    read_attack_card,
    read_cards,
    read_role_letter,
    refuse,
)
from .code_of_chivalry_state import (
    EVERYBODY,
    NUMBER,
    OPTION_NAMES,
    Attack,
    Choose,
    Deal,
    Draw,
    Fortify,
    Give,
    Knowledge,
    Main,
    Node,
    Options,
    Over,
    Player,
    Respond,
    Rob,
    Show,
    State,
    Take,
    Tax,
    read_options,
)
from .code_of_chivalry_validity import check_validity

FIELD_NAMES = [
    "options",
    "turn",
    "active",
    "reshuffles",
    "players",
    "draw",
    "discard",
    "node",
    "known",
    "base",
]


def read_position(text: str) -> State:
    """Read a position line; ValueError with field and rule if it is not valid."""
    state = read_fields(text.split(" "))
    check_canonical(text, state.text())
    check_validity(state)
    return state


def check_canonical(given: str, printed: str) -> None:
    """R13.1: a line that is not printed exactly so is refused."""
    pairs = zip(given.split(" "), printed.split(" "), strict=True)
    for name, (given_field, printed_field) in zip([*FIELD_NAMES, "@"], pairs, strict=False):
        if given_field != printed_field:
            refuse(name, "R13.1, R13.2", f"{given_field!r} is written {printed_field!r}")


# The fields, each by itself. Order and spelling are checked by printing.


def read_fields(texts: list[str]) -> State:
    """Read the 10 fields of a line, without looking at their sense."""
    if len(texts) != len(FIELD_NAMES):
        refuse("line", "R13.1", f"{len(texts)} fields instead of {len(FIELD_NAMES)}")
    values = dict(zip(FIELD_NAMES, texts, strict=True))
    options = read_tag(values["options"])
    players = [read_player(text) for text in values["players"].split("/")]
    if len(players) != options.players:
        refuse("players", "R13.1", f"{len(players)} entries in a game for {options.players}")
    node, ladder = read_node(values["node"], options.players)
    base, own = read_base(values["base"], options.players)
    return State(
        options=options,
        turn=read_number("turn", values["turn"]),
        active=read_seat("active", values["active"], options.players),
        reshuffles=read_number("reshuffles", values["reshuffles"]),
        players=players,
        draw_pile=read_cards("draw", values["draw"]),
        discard_pile=read_cards("discard", values["discard"]),
        node=node,
        known=read_known(values["known"], options.players),
        ladder=ladder,
        base=base,
        own=own,
    )


def read_tag(text: str) -> Options:
    """Read the tag with its options."""
    tag, *entries = text.split(";")
    if tag != "coc":
        refuse("options", "R13.1", f"{tag!r} is not the tag coc")
    texts = {}
    for entry in entries:
        key, equals, value = entry.partition("=")
        if key not in OPTION_NAMES or not equals:
            refuse("options", "R13.1, section 12", f"{entry!r} is not an option of a position")
        texts[key] = value
    return read_options(texts)


def read_number(field: str, text: str) -> int:
    """Read a number without sign and leading zeros."""
    if not NUMBER.fullmatch(text):
        refuse(field, "R13.1", f"{text!r} is not a number")
    return int(text)


def read_seat(field: str, text: str, num_seats: int) -> int:
    """Read a seat."""
    if text not in [f"p{seat + 1}" for seat in range(num_seats)]:
        refuse(field, "R13.1", f"{text!r} is not a seat of a game for {num_seats}")
    return int(text[1:])


def read_player(text: str) -> Player:
    """Read one entry of PLAYERS."""
    parts = text.split(",")
    if len(parts) != 3:
        refuse("players", "R13.1", f"{text!r} is not <gems>,<fortifications>,<hand>")
    gems, fortifications, hand = parts
    return Player(
        gems=read_number("players", gems),
        hand=read_cards("players", hand),
        fortifications=read_fortifications(fortifications),
    )


def read_fortifications(text: str) -> dict[str, str]:
    """Read the physical card of each role that is face up (R13.2)."""
    letters = "" if text == "-" else text
    fortifications = dict(read_role_letter("players", letter) for letter in letters)
    for role in fortifications:
        if role not in FORTIFY_ROLES:
            refuse("players", "R13.2", f"a {role} cannot lie before its owner")
    return fortifications


def read_node(text: str, num_seats: int) -> tuple[Node, str]:
    """Read NODE (R13.3).

    Returns:
        The node, and the physical card that lies on the table as ladder, or "".
    """

    def seat(part: str) -> int:
        return read_seat("node", part, num_seats)

    def number(part: str) -> int:
        return read_number("node", part)

    def picks(part: str) -> dict[int, str]:
        return read_picks(part, num_seats)

    match text.split(":"):
        case ["deal", dealt, left]:
            return Deal(seat(dealt), number(left)), ""
        case ["draw", left]:
            return Draw(number(left)), ""
        case ["main"]:
            return Main(), ""
        case ["fortify"]:
            return Fortify(), ""
        case ["attack", target, ladder]:
            return Attack(seat(target)), read_ladder(ladder)
        case ["respond", target, ladder, attack, victim]:
            node = Respond(seat(target), read_attack_card(attack), seat(victim))
            return node, read_ladder(ladder)
        case ["rob", ladder, source, receiver, amount, asked]:
            robbery = Rob(seat(source), seat(receiver), number(amount), seat(asked))
            return robbery, read_ladder(ladder)
        case ["show", asked, laid]:
            return Show(seat(asked), picks(laid)), ""
        case ["choose", laid]:
            return Choose(picks(laid)), ""
        case ["take", seller, left]:
            return Take(seat(seller), number(left)), ""
        case ["tax", taxed]:
            return Tax(seat(taxed)), ""
        case ["give", giver, left]:
            return Give(seat(giver), number(left)), ""
        case ["over", "gems" | "limit" as reason, winners]:
            return Over(reason, tuple(seat(winner) for winner in winners.split("+"))), ""
        case _:
            raise ValueError(f"node: {text!r} is not a node (R13.3)")


def read_ladder(text: str) -> str:
    """Read the ladder on the table (R13.2)."""
    if text == "-":
        return ""
    role, card = read_role_letter("node", text)
    if role != "ladder":
        refuse("node", "R13.2", f"{text!r} is not a ladder")
    return card


def read_picks(text: str, num_seats: int) -> dict[int, str]:
    """Read PICKS (R13.3)."""
    picks = {}
    for entry in [] if text == "-" else text.split("+"):
        seat, _, letter = entry.partition("=")
        if letter not in CARD_OF_LETTER:
            refuse("node", "R13.3", f"{entry!r} is not <seat>=<letter>")
        picks[read_seat("node", seat, num_seats)] = CARD_OF_LETTER[letter]
    return picks


def read_known(text: str, num_seats: int) -> Knowledge:
    """Read KNOWN (R13.1)."""
    written = {}
    for entry in [] if text == "-" else text.split(";"):
        row, colon, cards = entry.partition(":")
        observer, arrow, holder = row.partition(">")
        if not colon or not arrow:
            refuse("known", "R13.1", f"{entry!r} is not <observer>><seat>:<cards>")
        key = (
            EVERYBODY if observer == "*" else read_seat("known", observer, num_seats),
            read_seat("known", holder, num_seats),
        )
        if key[0] == key[1]:
            refuse("known", "R13.1, R11.2", f"{entry!r} is a row of a seat's own hand")
        written[key] = read_cards("known", cards)
    knowledge = Knowledge(num_seats)
    for key in knowledge.rows:
        public = written.get((EVERYBODY, key[1]), Counter())
        knowledge.rows[key] = Counter(written.get(key, public))
    return knowledge


def read_base(text: str, num_seats: int) -> tuple[Cards | None, dict[int, Cards]]:
    """Read BASE (R13.1).

    Returns:
        The base, and the own entry of each seat.
    """
    own: dict[int, Cards] = {seat + 1: Counter() for seat in range(num_seats)}
    if text == "-":
        return None, own
    first, *entries = text.split(";")
    if not first.startswith("*:"):
        refuse("base", "R13.1", f"{first!r} is not *:<cards>")
    for entry in entries:
        seat, _, cards = entry.partition(":")
        own[read_seat("base", seat, num_seats)] = read_cards("base", cards)
    return read_cards("base", first.removeprefix("*:")), own
