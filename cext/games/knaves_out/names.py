"""The words of Knaves Out: cards, pieces, squares, marks, actions, nodes and verbs.

Everything stands in the order of its numbers in state.pxd.
"""

from collections.abc import Mapping
from typing import Any

from kingmaker.cext.reasons import Numbers, seat_name

View = dict[str, Any]

RANKS = "a23456789tjqk"
SUITS = "cdhs"
JOKER = "jo"
HIDDEN = "?"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
CARD_NUMBERS = {card: number for number, card in enumerate(CARDS)}
RANK_NAMES = {
    "a": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "t": "ten",
    "j": "jack",
    "q": "queen",
    "k": "king",
}
SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}

TOWERS = "jqka"
TOWER_NAMES = {"j": "knave", "q": "queen", "k": "king", "a": "ace"}  # fields of a player
TOWER_WORDS = {"j": "the Knave", "q": "the Queen", "k": "the King", "a": "the Ace of Spades"}

GREAT_TOWERS = {"ivory": "the Ivory Tower", "dark": "the Dark Tower"}

KINDS_OF_PIECE = ("king", "rook", "knight", "bishop", "pawn", "unpawn")
BUILDINGS = KINDS_OF_PIECE[:4]
BUILT = KINDS_OF_PIECE[1:4]  # by the action Build
SOLDIERS = KINDS_OF_PIECE[4:]
PIECE_LETTERS = dict(zip(KINDS_OF_PIECE, "KRNBPp", strict=True))  # untainted
BUILT_LETTERS = dict(zip(BUILT, "rnb", strict=True))  # of moves and nodes

FILES = "abcdefgh"
SQUARES = tuple(
    f"{board}{file}{row}" for board in range(1, 9) for file in FILES for row in range(1, 9)
)
SQUARE_NUMBERS = {square: number for number, square in enumerate(SQUARES)}

OWN_TURN_MARKS = (  # R4.7
    *("rush", "seabreeze", "blacksails", "luck", "punches", "conspire", "defend", "ended"),
    "played",
)
LASTING_MARKS = (  # R4.8
    *("summer", "frenzy", "insight", "parlay", "lionheart", "shield", "thorns", "redirect"),
    "blessing",
)
MARKS = (*OWN_TURN_MARKS, *LASTING_MARKS, "upper", "feast", "castled", "skip", "skipped")
EFFECTS = ("motorhead", "sha", "ladyluck", "icequeen", "lich", "crimson")
EFFECT_TOWERS = dict(zip(EFFECTS, "jjqqkk", strict=True))

ACTIONS = {  # code -> name, in the order of the tables of R7
    "hail": "All Hail",
    "tax": "Collect Tax",
    "build": "Build",
    "fortify": "Fortify",
    "poison": "Poison",
    "charm": "Charm",
    "execute": "Execute",
    "sway": "Sway",
    "marry": "Marry",
    "knight": "Knight",
    "feast": "Feast",
    "majesty": "Majesty",
    "upper": "Upper Hand",
    "train": "Train",
    "defend": "Defend",
    "blessing": "Blessing",
    "raise": "Raise Dead",
    "blacksails": "Blacksails",
    "taint": "Taint",
    "undead": "Boister Undead",
    "lich": "Lich King",
    "luck": "Luck",
    "wind": "Wind of Change",
    "punches": "Roll with the Punches",
    "ladyluck": "Lady Luck",
    "servant": "Unseen Servant",
    "surge": "Wild Surge",
    "force": "Force of Will",
    "motorhead": "Motorhead",
    "infight": "Infighting",
    "failed": "Failed Plan",
    "conspire": "Conspire",
    "cherry": "Cherry Bomb",
    "rush": "Rush",
    "seabreeze": "Seabreeze",
    "summer": "Summerbreeze",
    "frenzy": "Frenzied",
    "crimson": "King Crimson",
    "lionheart": "Lionheart",
    "insight": "Insight",
    "parlay": "Parlay",
    "sha": "Sheer Heart Attack",
    "castle": "Castle",
    "shield": "Shield Wall",
    "thorns": "Thorns",
    "icequeen": "Ice Queen",
    "balance": "Balance",
    "redirect": "Redirect",
    "boister": "Boister",
}
BOOKS = {  # action of a book -> its book (R5.10)
    **dict.fromkeys([*ACTIONS][16:33], "of Vile Darkness"),
    **dict.fromkeys([*ACTIONS][33:], "of Exalted Deeds"),
}
SQUARE_ACTIONS = (  # `act:<code>:<sq>`
    *("fortify", "charm", "execute", "knight", "taint", "surge", "failed", "cherry", "castle"),
)
ACTION_ARGUMENTS: Mapping[str, tuple[str, ...]] = {  # fields of the move, in order
    **dict.fromkeys(SQUARE_ACTIONS, ("square",)),
    **dict.fromkeys(("hail", "marry"), ("card",)),
    **dict.fromkeys(("sway", "majesty"), ("seat",)),
    "build": ("building",),
    "force": ("seat", "tower"),
    "infight": ("tower", "onto"),
    "parlay": ("tower",),
    "balance": ("source", "target"),
}
MOVE_ARGUMENTS: Mapping[str, tuple[str, ...]] = {  # verb -> fields of the move, in order
    "first": ("seat",),
    "board": ("x", "y"),
    "king": ("square",),
    "court": ("card",),
    "under": ("tower",),
    "fuel": ("card", "tower"),
    "shuffle": (),
    "keep": (),
    "draw": ("card",),
    "play": ("card", "tower"),
    "joker": ("card", "tower"),
    "act": ("action",),
    "move": ("source", "target"),
    "sail": ("square",),
    "land": ("soldier", "checkers"),
    "attack": ("source", "target"),
    "last": ("source", "target"),
    "ivory": (),
    "dark": ("seat",),
    "end_turn": (),
    "waive": ("tower",),
    "find": ("card", "tower"),
    "skip": (),
    "at": ("square",),
    "on": ("square",),
    "step": ("square",),
    "stop": (),
    "die": ("face",),
    "red": ("red",),
    "from": ("square",),
    "insight": ("square",),
    "pass": (),
    "parlay": (),
    "reroll": ("face",),
    "redir": ("square",),
    "take": (),
    "discard_hand": (),
    "keep_hand": (),
}
VERBS = tuple(MOVE_ARGUMENTS)

NODE_NAMES = {  # by stage
    "first": "the roll for the first seat",
    "board": "the placing of a board",
    "king": "the placing of a king building",
    "courtj": "the choice of a Knave",
    "courtq": "the choice of a Queen",
    "courtk": "the choice of a King",
    "under": "the laying of a Joker under the court",
    "fuel": "the choice of a card for a tower",
    "shuffle": "the choice to shuffle",
    "draw": "the draw",
    "main": "the main part of a turn",
    "waive": "the choice of what a Feast saves",
    "find": "the search of the deck",
    "place": "the choice of a square",
    "target": "the choice of a target",
    "charm": "the leading of a charmed pawn",
    "taint": "the roll of a tainted Queen",
    "mix": "the choice of checkers for one of the Two Towers",
    "sac": "the taking of checkers for one of the Two Towers",
    "insight": "the chance to use Insight",
    "parlay": "the chance to parlay",
    "roll": "the roll of a die",
    "lionheart": "the chance to roll a die again",
    "reroll": "the second roll of a die",
    "redirect": "the chance to redirect damage",
    "keep": "the choice to keep the hand",
    "end": "the end",
}
STAGES = tuple(NODE_NAMES)
KINDS = (  # of contexts; the first stands for none
    *("", "train", "raise", "build", "failed", "land", "ivory", "dark", "tax", "servant"),
    *("poison", "charm", "attack", "thorns", "execute", "hazard"),
)
KINDS_OF_STAGE = {
    "place": ("train", "raise", "build", "failed", "land", "ivory", "dark"),
    "find": ("tax", "servant"),
    "taint": ("poison", "charm"),
    "mix": ("ivory", "dark"),
    "sac": ("ivory", "dark"),
    "redirect": ("attack", "thorns", "execute", "hazard"),
}
COLOURS = ("", "red", "black")  # of payments
NODES_OF_VERBS = {  # verb -> where it belongs
    **{verb: verb for verb in VERBS if verb in STAGES and verb not in ("keep", "parlay")},
    **dict.fromkeys(
        ("play", "joker", "act", "move", "sail", "land", "attack", "last", "ivory", "dark"), "main"
    ),
    "end_turn": "main",
    "court": "courtj",
    "keep": "shuffle",
    "skip": "find",
    "at": "place",
    "on": "target",
    "step": "charm",
    "stop": "charm",
    "die": "roll",
    "red": "mix",
    "from": "sac",
    "pass": "parlay",
    "parlay": "parlay",
    "reroll": "lionheart",
    "redir": "redirect",
    "take": "redirect",
    "discard_hand": "keep",
    "keep_hand": "keep",
}


def winners_of(node: View) -> list[int]:
    """List the seats, from 1, that share the win at the end."""
    return [seat for seat, share in enumerate(node["shares"], 1) if share != "0"]


def card_name(card: str) -> str:
    """Name a card: `the jack of hearts`, `a Joker`."""
    if card == JOKER:
        return "a Joker"
    return f"the {RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


def piece_name(piece: View) -> str:
    """Name a piece: `tainted rook`, `pawn`."""
    return f"tainted {piece['kind']}" if piece["is_tainted"] else str(piece["kind"])


def pieces_of(view: View) -> dict[str, tuple[int, View]]:
    """Map occupied squares to the seat and the piece on them, without the Two Towers."""
    return {
        piece["square"]: (seat, piece)
        for seat, player in enumerate(view["players"], 1)
        for piece in player["pieces"]
    }


def on_square(view: View, square: str, *, is_target: bool = False) -> str:
    """Name what stands on a square, with its owner unless it is the active seat.

    Of a target that is owned by the active seat all is said: a player may not expect it.
    """
    for name, words in GREAT_TOWERS.items():
        if view[name].get("square") == square:
            return f"{words} on {square}"
    if square not in (found := pieces_of(view)):
        return f"the piece on {square}"
    seat, piece = found[square]
    if seat != view["active"]:
        return f"the {piece_name(piece)} of p{seat} on {square}"
    whose = f"p{seat}'s own" if is_target else "the"
    return f"{whose} {piece_name(piece)} on {square}"


# --- numbers of reasons ---------------------------------------------------------------------------

COURTS = ("no", "heart", "diamond", "red", "harmony", "club", "spade", "black", "chaos")
LETTER_NAMES = ("", *KINDS_OF_PIECE[:5], *KINDS_OF_PIECE[:4], "unpawn", "Ivory Tower", "Dark Tower")

NUMBERS = Numbers(
    square=lambda number: SQUARES[number % len(SQUARES)],
    card=lambda number: card_name(JOKER if number == len(CARDS) else CARDS[number]),
    card_code=CARDS.__getitem__,
    rank=lambda number: f"{'an' if RANKS[number] in 'a8' else 'a'} {RANK_NAMES[RANKS[number]]}",
    court_card=("jack", "queen", "king").__getitem__,
    tower=lambda number: TOWER_WORDS[TOWERS[number & 3]],
    tower_code=TOWERS.__getitem__,
    field=lambda number: TOWER_NAMES[TOWERS[number]],
    base=lambda number: f"{TOWERS[number]} without a jack",
    great=("ivory", "dark").__getitem__,
    chosen=("ivory.chosen_one", "dark.chosen_one", "dark.chosen_enemy").__getitem__,
    kind=LETTER_NAMES.__getitem__,
    a_kind=lambda number: f"{'an' if number > 5 else 'a'} {LETTER_NAMES[number]}",
    court=lambda number: f"a {COURTS[number]} court" if number else "a player without a court",
    colour=COLOURS.__getitem__,
    colour_or_any=lambda number: COLOURS[number] or "any colour",
    mark=MARKS.__getitem__,
    stage=STAGES.__getitem__,
    node=lambda number: NODE_NAMES[STAGES[number]],
    seat_or_nobody=lambda number: seat_name(number) if number >= 0 else "nobody",
    dice_shown=("fewer faces are shown than dice are rolled", "all dice are shown").__getitem__,
)
"""Formats the numbers in the sentences of reasons.pyx; `field`, `great` and `chosen` are fields."""
