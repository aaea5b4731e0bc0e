"""Names of Hearts: cards, directions of the pass and the letters of what a seat has shown."""

SUITS = "cdhs"
RANKS = "23456789tjqka"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]  # in card order (R1.1)
ORDER = {card: place for place, card in enumerate(CARDS)}
QUEEN = "qs"
TWO_OF_CLUBS = "2c"
HIDDEN = "?"

DIRECTIONS = ("none", "left", "across", "right")  # the receiver sits so many seats on (R1.2)
LETTERS = "cdhsq"  # what a seat cannot hold (R3.5)

SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
RANK_NAMES = dict(zip("tjqka", ("10", "jack", "queen", "king", "ace"), strict=True))


def points_of(card: str) -> int:
    """Count the points of a card (R1.1)."""
    return 13 if card == QUEEN else int(card[1] == "h")


def card_name(card: str) -> str:
    """Write a card in words, such as "the queen of spades"."""
    if card == HIDDEN:
        return "a hidden card"
    return f"the {RANK_NAMES.get(card[0], card[0])} of {SUIT_NAMES[card[1]]}"


def is_excluded(card: str, letters: str) -> bool:
    """Tell whether a seat that has shown these letters cannot hold the card (R3.5)."""
    return card[1] in letters or ("q" in letters and card[1] == "s" and card != QUEEN)
