"""Facts of Knaves Out for the tests that run over every game."""

from __future__ import annotations

import random
import re

from kingmaker.cext.game import Game
from tests.facts.facts import Facts, Options
from tests.reference.knaves_out_positions import random_position, random_token

CARDS = [rank + suit for rank in "a23456789tjqk" for suit in "cdhs"]
SQUARES = [f"{board}{file}{row}" for board in "123" for file in "abcdefgh" for row in range(1, 9)]
TOWERS = [*"jqka"]
SEATS = [f"p{seat}" for seat in range(1, 4)]
PLAIN_ACTIONS = (
    *("tax", "poison", "feast", "upper", "train", "defend", "blessing", "raise", "blacksails"),
    *("undead", "lich", "luck", "wind", "punches", "ladyluck", "servant", "motorhead", "conspire"),
    *("rush", "seabreeze", "summer", "frenzy", "crimson", "lionheart", "insight", "sha", "shield"),
    *("thorns", "icequeen", "redirect", "boister"),
)
SQUARE_ACTIONS = (
    *("fortify", "charm", "execute", "knight", "taint", "surge", "failed", "cherry", "castle"),
)
MARKS = (
    *("rush", "seabreeze", "blacksails", "luck", "punches", "conspire", "defend", "ended"),
    *("played", "summer", "frenzy", "insight", "parlay", "lionheart", "shield", "thorns"),
    *("redirect", "blessing", "upper", "feast", "castled", "skip", "skipped"),
    *("acts1", "acts2", "swayp1", "swayp2"),
)
SQUARE = re.compile("[1-8][a-h][1-8]")
PIECE = re.compile(r"[KRNBPkrnbp](?=[1-8][a-h][1-8]\.)")
FLAGS = re.compile(r"\.[0-4](/[m0-9acg>]+)?(?=[,:])")
VALUE = re.compile("(?<=[=,])([^,={}]*)(?=[,}])")
RARE = (  # beginnings of tokens, the most wanted ones first
    ("act:redirect", "act:lionheart", "act:insight", "act:charm", "act:cherry"),
    ("act:parlay", "act:thorns", "act:servant", "act:wind", "redir:", "reroll:"),
    ("attack:", "last:", "act:build", "act:train", "act:raise", "act:blessing"),
    ("play:", "joker:", "find:", "sail:", "land:"),
)


def vary(options: Options, seed: int) -> Options:
    """Vary all options but the number of seats; every eighth game has the default.

    Most games begin with a court, as without one they take long to come to the books of actions;
    some are cut short by a turn limit, those of more than four seats always, as the reference takes
    a minute for a whole one.
    """
    rng = random.Random(seed)
    seats = int(options["players"])
    if seats > 4:
        options = {"max_turns": str(rng.choice([seats, 3 * seats, 6 * seats])), **options}
    if seed % 8 == 0:
        return options
    has_court = rng.random() < 0.7
    others = {
        "first": rng.choice(["roll", f"p{rng.randint(1, seats)}"]),
        "direction": "ccw",
        "layout": "place",
        "kings": "fixed",
        "each": "present",
        "aos": rng.choice(["court", "devour", "off"]),
        "two_towers": "off",
        "friendly_fire": "off",
        "limit_result": "rank",
        "max_turns": str(rng.choice([1, 7, 20, 60])),
    }
    varied = {name: value for name, value in others.items() if rng.random() < 0.35}
    court = {"start_court": "on"}
    court |= {name: "on" for name in ("start_jokers", "fuel") if rng.random() < 0.6}
    return varied | (court if has_court else {}) | options


def eager(game: Game, state: bytes) -> list[int]:
    """Return moves to rare nodes: marks that interrupt attacks, then attacks and other actions."""
    moves = game.moves_of(state)
    for wanted in RARE:
        if found := [move for move in moves if game.move_text(move).startswith(wanted)]:
            return found
    return moves


# --- damage ---------------------------------------------------------------------------------------


def replaced(line: str, pattern: re.Pattern[str], text: str, rng: random.Random) -> str:
    """Replace one match of a pattern, if there is any."""
    found = [*pattern.finditer(line)]
    if not found:
        return line
    match = rng.choice(found)
    return line[: match.start()] + text + line[match.end() :]


def change_square(line: str, other: str, rng: random.Random) -> str:
    """Write another square, often one that the line has elsewhere."""
    squares = SQUARE.findall(line) if rng.random() < 0.5 else SQUARES
    return replaced(line, SQUARE, rng.choice(squares or SQUARES), rng)


def change_piece(line: str, other: str, rng: random.Random) -> str:
    """Make a piece another one."""
    return replaced(line, PIECE, rng.choice("KRNBPkrnbp"), rng)


def change_flags(line: str, other: str, rng: random.Random) -> str:
    """Give a piece other checkers and flags."""
    flags = "".join(flag for flag in ("m1", "a", "c", "g", ">") if rng.random() < 0.3)
    return replaced(line, FLAGS, f".{rng.randint(0, 4)}" + (f"/{flags}" if flags else ""), rng)


def change_mark(line: str, other: str, rng: random.Random) -> str:
    """Set or remove a mark of a player, in the order of marks."""
    fields = line.split(" ")
    places = [place for place, field in enumerate(fields) if field.count(":") == 11]
    if not places:
        return line
    place = rng.choice(places)
    parts = fields[place].split(":")
    marks = [] if parts[10] == "-" else parts[10].split(".")
    changed = {rng.choice(MARKS)} ^ {*marks}
    others = [mark for mark in marks if mark not in MARKS]
    parts[10] = ".".join([*(mark for mark in MARKS if mark in changed), *others]) or "-"
    return " ".join([*fields[:place], ":".join(parts), *fields[place + 1 :]])


def change_context(line: str, other: str, rng: random.Random) -> str:
    """Change a value in the context of the node, or take the node of another line."""
    fields, others = line.split(" "), other.split(" ")
    if len(fields) < 4 or len(others) < 4:
        return line
    if "{" not in fields[3] or rng.random() < 0.2:
        fields[3] = others[3]
        return " ".join(fields)
    digits = "".join(sorted(rng.choice("0123456") for _ in range(rng.choice([1, 1, 2, 3]))))
    squares = SQUARE.findall(line) or SQUARES
    words = ["main", "counter", "attack", "thorns", "execute", "ivory", "dark", "train", "j", "k"]
    value = rng.choice([digits, digits, rng.choice(squares), rng.choice(SEATS), rng.choice(words)])
    fields[3] = replaced(fields[3], VALUE, value, rng)
    return " ".join(fields)


FACTS = Facts(
    # Two seats may be first; each then places its king on one of the 64 squares of its board; then
    # 53 different cards may be drawn (docs/rules/knaves_out.md, R3.1, R3.4, R4.3).
    node_counts=[1, 2, 2 * 64, 2 * 64 * 64],
    seats=(2, 3, 8),
    differential_options=tuple({"players": players} for players in ("4", "6")),
    brief_options={"max_turns": "8"},
    vary=vary,
    eager=eager,
    random_position=lambda rng: random_position(rng, rng.choice([2, 2, 3, 4, 6])),
    random_token=random_token,
    mutators=(
        *(change_square, change_square, change_piece, change_flags, change_mark),
        *(change_context, change_context, change_context),
    ),
    mutation_cost=5,
    num_random_games=1,
    needs_hands=True,
    is_large=True,
    wrong_options=(
        ("start_jokers", "on", "R3.5"),
        ("fuel", "on", "R3.6"),
        ("first", "p3", "R3.1"),
        ("max_turns", 100_000, "R12.4"),
        ("aos", "king", "R5.4"),
    ),
    grammar=[
        (
            (
                *("shuffle", "keep", "ivory", "end_turn", "skip", "stop", "pass", "parlay", "take"),
                *("discard_hand", "keep_hand"),
            ),
        ),
        (("first:", "dark:", "act:sway:", "act:majesty:"), SEATS),
        (("board:",), ["-8", "0", "4", "8"], ",", ["-9", "0", "8"]),
        (("king:", "sail:", "at:", "on:", "step:", "from:", "insight:", "redir:"), SQUARES),
        (("court:", "draw:", "act:hail:", "act:hail:jo:", "act:marry:", "act:marry:jo:"), CARDS),
        (("draw:",), ["jo", "?"]),
        (("under:",), ["j", "q", "k", "none"]),
        (("fuel:", "play:", "joker:", "find:"), CARDS, ":", TOWERS),
        (("move:", "attack:", "last:", "act:balance:"), SQUARES[::3], "-", SQUARES[::7]),
        (("land:",), "pu", "01234"),
        (("waive:", "act:parlay:"), [*TOWERS, "-"]),
        (("die:", "reroll:"), "123456"),
        (("red:",), [str(number) for number in range(11)]),
        (("act:",), PLAIN_ACTIONS),
        (("act:",), SQUARE_ACTIONS, ":", SQUARES),
        (("act:build:",), "rnb"),
        (("act:force:",), SEATS, ":", TOWERS),
        (("act:infight:",), TOWERS, "-", TOWERS),
    ],
    least_refusals=(1000, 100),
)
