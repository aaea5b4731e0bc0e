"""Lines of positions and observations of Knaves Out as typed views (R14.2, R14.4).

A *view* is keyed like the messages KnavesOutPosition and, with `observer`, KnavesOutObservation.
Reading checks the grammar only; tokens.py reads moves, nodes.py the node. line.pyx writes lines,
line_reading.pyx reads those that have no error.
"""

import re

from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import (
    NOTHING,
    read_line,
    read_list,
    read_number,
    read_parts,
)

from . import options
from .names import (
    CARDS,
    JOKER,
    MARKS,
    PIECE_LETTERS,
    SOLDIERS,
    TOWER_NAMES,
    View,
)
from .nodes import read_node
from .tokens import ACTION_FORMS, MOVES, read_move, write_move

__all__ = ["HELP", "PATHS", "read_move", "read_position", "write_move"]

FORM = "R14.2"
FIELDS = ("WORLD", "TURN", "NODE", "TOWERS")
PATHS = {  # of the fields of a line -> rule of their form
    **dict.fromkeys(("options", "players[].board", "turn"), FORM),
    "node": "R14.3",
    "ivory": FORM,
    **{f"players[{seat}]": FORM for seat in range(options.MOST_SEATS)},
}
TURN = re.compile(r"t=([^;]*);f=([^;]*);a=([^;]*)")
TWO_TOWERS = re.compile(r"I=([^;]*);D=([^;]*)")
GREAT_TOWER = re.compile(r"([1-8][a-h][1-8])\.p([1-8])(?:>p([1-8]))?\.r([0-9]{1,2})b([0-9]{1,2})")
BOARD = re.compile(r"([^,ic]*),([^,ic]*)(i?)(c?)")
CARD = re.compile("[a2-9tjqk][cdhs]|jo")
COURT = re.compile(r"([a2-9tjqk][cdhs])(\*?)((?:\([a-z]+\.[^()]*\))*)=(.*)")
DEVOURED = re.compile(r"\(([a-z]+)\.([^()]*)\)")
LEVEL = re.compile(r"([a2-9tjqk][cdhs])(\*?)")
PIECE = re.compile(
    r"([KRNBPkrnbp])([1-8][a-h][1-8])\.([0-9]{1,2})(?:/(?=.)(?:m([1-9][0-9]?))?(a?)(c?)(g?)(>?))?"
)
SAILOR = re.compile("([Pp])([0-9])(~?)")
SWAYER = re.compile("swayp([1-8])")
PERMISSION = re.compile("shap([1-8])@([1-8][a-h][1-8]|x)")
ACTS = re.compile("acts([1-9])")
RECORD = re.compile("(0|[1-9a-f][0-9a-f]{0,12})/([1-9][0-9]?)")
KIND_OF_LETTER = {letter: kind for kind, letter in PIECE_LETTERS.items()}
HELP = (
    f"Moves: {MOVES}.\n"
    f"Actions: {ACTION_FORMS}.\n"
    f"Position: ko WORLD TURN NODE TOWERS {' '.join(f'p{n}:' for n in range(1, 9))}\n"
    "After ko come ;<option>=<value> for options that differ from their defaults. WORLD has for "
    "each seat x,y of its board, then i for an island and c for cleansed ground, or -, joined by "
    "/. TURN is t=<turn>;f=<first seat>;a=<active seat>, a seat p<n> or -. NODE is a name, @ and "
    "the seat asked or -, and its context in braces. TOWERS is I=<x>;D=<x>: - for unused, * for "
    "gone, or <square>.p<Chosen One>.r<red>b<black>, after the Chosen One of D >p<enemy>.\n"
    "Each player, p1 to p8 as many as play, has 12 parts joined by colons, - for an empty one: the "
    "seat; + or x for defeated; hand; discard; the towers J, Q, K and A; pieces; soldiers at sea; "
    "marks; records. A tower is its base, * if tainted, (<effect>.<cards>) for each devoured "
    "stack, =, and its stack, * after a card with a Joker. A piece is a letter of KRNBP, krnb if "
    "tainted, p for an unpawn, its square, a dot and its checkers, then / and m<steps>, a "
    "attacked, c cleansed, g surge, > mover; at sea P<checkers> or p<checkers>, ~ if fresh. Marks "
    "are words joined by dots, then acts<k>, swayp<n>, shap<n>@<square>. A record is <mask "
    "hex>/<floor>.\n"
    "Observation: the same with ?<number of cards> for the hands of others, then @p<n>, the seat "
    "that sees it; @- is a spectator."
)


# --- reading ------------------------------------------------------------------------------------


def read_position(text: str) -> View:
    """Return the view of a line; a view with an observer is an observation.

    Raises:
        InputError: the line breaks the grammar of R14.2, R14.3 or R14.4.
    """
    num_seats = sum(field[:1] == "p" and field[2:3] == ":" for field in text.split(" "))
    names = [*FIELDS, *(f"p{seat}" for seat in range(1, num_seats + 1))]
    line = read_line(text, "ko", names, (FORM, "R14.4"), options.OPTIONS, has_labels=False)
    kind, observer = line.kind, line.observer
    world, turn, node, towers, *fields = line.values
    seat = observer.get("observer")
    if seat is not None and seat > num_seats:
        raise refusal("observation.observer", f"@p{seat}", "R14.4", f"there are {num_seats} seats")
    players = [
        _read_player(field, index, f"{kind}.players[{index}]", seat in (None, index + 1))
        for index, field in enumerate(fields)
    ]
    _read_world(world, players, f"{kind}.players")
    clock = _read_turn(turn, kind)
    return {
        "options": line.options,
        **clock,
        "node": read_node(node, f"{kind}.node", clock["active"], players),
        **_read_towers(towers, kind),
        "players": players,
        **observer,
    }


def _read_turn(text: str, kind: str) -> dict[str, int]:
    found = TURN.fullmatch(text)
    if not found:
        raise refusal(f"{kind}.turn", text, FORM, "t=<turn>;f=<first seat>;a=<active seat>")
    number, first, active = found.groups()
    return {
        "turn": read_number(number, f"{kind}.turn", FORM),
        "first_seat": _read_seat(first, f"{kind}.first_seat"),
        "active": _read_seat(active, f"{kind}.active"),
    }


def _read_seat(text: str, path: str) -> int:
    if text == NOTHING:
        return 0
    if not re.fullmatch("p[1-8]", text):
        raise refusal(path, text, FORM, "a seat is p1 to p8, or - for none")
    return int(text[1])


def _read_world(text: str, players: list[View], path: str) -> None:
    """Add the boards to the players."""
    wanted = f"the boards of the {len(players)} seats are separated by /"
    for index, part in enumerate(read_parts(text, "/", len(players), path, FORM, wanted)):
        where = f"{path}[{index}].board"
        if part == NOTHING:
            continue
        found = BOARD.fullmatch(part)
        if not found:
            wanted = "a board is x,y, then i for an island and c for cleansed ground, or -"
            raise refusal(where, part, FORM, wanted)
        players[index]["board"] = {
            "x": read_number(found[1], f"{where}.x", FORM),
            "y": read_number(found[2], f"{where}.y", FORM),
            "is_island": bool(found[3]),
            "is_cleansed": bool(found[4]),
        }


def _read_towers(text: str, kind: str) -> View:
    found = TWO_TOWERS.fullmatch(text)
    if not found:
        raise refusal(f"{kind}.ivory", text, FORM, "the Two Towers are I=<x>;D=<x>")
    return {
        "ivory": _read_great_tower(found[1], f"{kind}.ivory", is_dark=False),
        "dark": _read_great_tower(found[2], f"{kind}.dark", is_dark=True),
    }


def _read_great_tower(text: str, path: str, *, is_dark: bool) -> View:
    if text in (NOTHING, "*"):
        return {"status": "gone" if text == "*" else ""}
    found = GREAT_TOWER.fullmatch(text)
    if not found or is_dark != bool(found[3]):
        enemy = ">p<enemy>" if is_dark else ""
        wanted = f"it is -, *, or <square>.p<Chosen One>{enemy}.r<red>b<black>"
        raise refusal(path, text, FORM, wanted)
    square, chosen, enemy, red, black = found.groups()
    return {
        "status": "standing",
        "square": square,
        "chosen_one": int(chosen),
        "chosen_enemy": int(enemy or 0),
        "red": read_number(red, f"{path}.red", FORM),
        "black": read_number(black, f"{path}.black", FORM),
    }


# --- players ------------------------------------------------------------------------------------


def _read_player(text: str, index: int, path: str, is_open: bool) -> View:
    wanted = (
        "a player is 12 parts joined by colons: seat, + or x, hand, discard, the four towers, "
        "pieces, sea, marks, records"
    )
    parts = read_parts(text, ":", 12, path, FORM, wanted)
    name, life, hand, discard, *towers, pieces, sea, marks, records = parts
    if name != f"p{index + 1}" or life not in ("+", "x"):
        wanted = f"the player begins with p{index + 1}:+, or with x for a defeated one"
        raise refusal(path, f"{name}:{life}", FORM, wanted)
    return {
        "is_alive": life == "+",
        **_read_hand(hand, path, is_open=is_open),
        "discard": _read_cards(discard, f"{path}.discard"),
        **{
            field: _read_tower(tower, f"{path}.{field}")
            for field, tower in zip(TOWER_NAMES.values(), towers, strict=True)
            if tower != NOTHING
        },
        "pieces": [_read_piece(part, f"{path}.pieces") for part in read_list(pieces)],
        "sea": [_read_sailor(part, f"{path}.sea") for part in read_list(sea)],
        **_read_marks(marks, path),
        "records": [_read_record(part, f"{path}.records") for part in read_list(records)],
    }


def _read_hand(text: str, path: str, *, is_open: bool) -> View:
    if is_open:
        return {"hand": _read_cards(text, f"{path}.hand"), "num_hidden": 0}
    where = f"{path}.num_hidden"
    if text[:1] != "?":
        wanted = "the observer sees ? and the number of cards here"
        raise refusal(where, text, "R14.4", wanted)
    return {"hand": [], "num_hidden": read_number(text[1:], where, "R14.4")}


def _read_cards(text: str, path: str) -> list[str]:
    """Read cards one after the other; - is no card."""
    cards = [] if text == NOTHING else CARD.findall(text)
    if text != NOTHING and (not text or "".join(cards) != text):
        wanted = "cards are - or a rank of a23456789tjqk and a suit of cdhs each, jo for a Joker"
        raise refusal(path, text, FORM, wanted)
    return cards


def _read_tower(text: str, path: str) -> View:
    found = COURT.fullmatch(text)
    if not found:
        wanted = "a tower is its base, * if tainted, (<effect>.<cards>) if devoured, =, its stack"
        raise refusal(path, text, FORM, wanted)
    base, star, devoured, stack = found.groups()
    return {
        "base": base,
        "is_tainted": bool(star),
        "devoured": [
            {"effect": effect, "cards": _read_cards(cards, f"{path}.devoured")}
            for effect, cards in DEVOURED.findall(devoured)
        ],
        "stack": _read_stack(stack, f"{path}.stack"),
    }


def _read_stack(text: str, path: str) -> list[str]:
    levels = LEVEL.findall(text)
    if "".join(card + star for card, star in levels) != text:
        wanted = "a stack is its cards from bottom to top, * after a card with a Joker"
        raise refusal(path, text, FORM, wanted)
    return [card for level in levels for card in (level[0], JOKER)[: 1 + bool(level[1])]]


def _read_piece(text: str, path: str) -> View:
    found = PIECE.fullmatch(text)
    if not found:
        wanted = (
            "a piece is a letter of KRNBP or krnbp, its square, a dot and its checkers, then / and "
            "m<steps>, a, c, g, > if it has any of them"
        )
        raise refusal(path, text, FORM, wanted)
    letter, square, checkers, steps, *flags = found.groups()
    kind = KIND_OF_LETTER.get(letter) or KIND_OF_LETTER[letter.upper()]
    attacked, cleansed, surge, mover = map(bool, flags)
    return {
        "kind": kind,
        "is_tainted": letter.islower() and kind not in SOLDIERS,
        "square": square,
        "checkers": read_number(checkers, f"{path}.checkers", FORM),
        "steps": int(steps or 0),
        "has_attacked": attacked,
        "is_cleansed": cleansed,
        "has_surge": surge,
        "is_mover": mover,
    }


def _read_sailor(text: str, path: str) -> View:
    found = SAILOR.fullmatch(text)
    if not found:
        wanted = "a soldier at sea is P or p with its number of checkers, then ~ if it is fresh"
        raise refusal(path, text, FORM, wanted)
    kind = KIND_OF_LETTER[found[1]]
    return {"kind": kind, "checkers": int(found[2]), "is_fresh": bool(found[3])}


def _read_marks(text: str, path: str) -> View:
    """Read marks in their order, then actions taken, swayers and permissions."""
    parts = read_list(text, ".")
    marks = [part for part in parts if part in MARKS]
    taken = [found for part in parts if (found := ACTS.fullmatch(part))]
    swayers = [found for part in parts if (found := SWAYER.fullmatch(part))]
    used = [found for part in parts if (found := PERMISSION.fullmatch(part))]
    ordered = [*marks, *(found[0] for found in (*taken, *swayers, *used))]
    if ordered != parts or len(taken) > 1:
        wanted = (
            f"marks are words of {', '.join(MARKS)} in this order, then acts<k>, swayp<n> and "
            "shap<n>@<square> by seat, joined by dots"
        )
        raise refusal(f"{path}.marks", text, FORM, wanted)
    return {
        "marks": marks,
        "actions_taken": int(taken[0][1]) if taken else 0,
        "swayed_by": [int(found[1]) for found in swayers],
        "permissions": [
            {"seat": int(found[1]), "square": found[2].replace("x", "")} for found in used
        ],
    }


def _read_record(text: str, path: str) -> View:
    found = RECORD.fullmatch(text)
    if not found:
        raise refusal(path, text, FORM, "a record is <mask hex>/<floor>, the floor at least 1")
    mask = int(found[1], 16)
    cards = [card for number, card in enumerate(CARDS) if mask >> number & 1]
    return {"cards": cards, "floor": int(found[2])}
