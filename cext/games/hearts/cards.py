"""Names in Hearts: cards, directions of the pass and the letters of shown voids (R3.5)."""

from kingmaker.cext.options import Choice, Options

SUITS = "cdhs"
RANKS = "23456789tjqka"
HIDDEN = "?"
NAMES = {suit << 4 | rank: RANKS[rank] + SUITS[suit] for suit in range(4) for rank in range(13)}
"""Cards in card order (R1.1), by their codes in structs and moves."""
CODES = {card: code for code, card in NAMES.items()}
HIDDEN_CODE = 63
SEEN_CODES = CODES | {HIDDEN: HIDDEN_CODE}

DIRECTIONS = ("none", "left", "across", "right")  # index: seats to the receiver (R1.2)
OPTIONS = Options(
    "hearts",
    Choice(
        "pass",
        "R1.2",
        "the direction of the pass: random, none, left, across or right",
        ("random", *DIRECTIONS),
    ),
)
LETTERS = "cdhsq"  # cards that a seat cannot hold (R3.5)
SHOWN = ["".join(x for i, x in enumerate(LETTERS) if bits >> i & 1) for bits in range(32)]
"""Sets of letters, by their bits."""

SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
RANK_NAMES = dict(zip("tjqka", ("10", "jack", "queen", "king", "ace"), strict=True))


def card_name(card: str) -> str:
    """Write a card in words, such as "the queen of spades"."""
    if card == HIDDEN:
        return "a hidden card"
    return f"the {RANK_NAMES.get(card[0], card[0])} of {SUIT_NAMES[card[1]]}"


def card_token(code: int) -> str:
    """Write a card as in a line, by its code."""
    return NAMES.get(code, HIDDEN)
