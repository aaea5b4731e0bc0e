"""The cards of Code of Chivalry: names, letters, counts and roles (R1, R12.1, R13.2).

A *multiset* is a dict from card name to number of copies, at least 1, in card order.
"""

BASE_COUNTS = {  # in card order (R1.1); minstrels and monks are options (R1.2)
    "peasant": 24,
    "soldier": 16,
    "knight": 9,
    "king": 3,
    "ninja": 5,
    "dragon": 3,
    "archer": 6,
    "castle": 6,
    "ladder": 6,
    "catapult": 2,
    "herald": 2,
    "merchant": 2,
    "traitor": 2,
    "highwayman": 3,
    "princess": 2,
    "executioner": 2,
    "jester": 2,
    "minstrel": 0,
    "monk": 0,
}
CARDS = list(BASE_COUNTS)
CARD_INDEX = {card: index for index, card in enumerate(CARDS)}
LETTERS = dict(zip(CARDS, "pskgndacluhmtwrxjio", strict=True))
CARD_OF_LETTER = {letter: card for card, letter in LETTERS.items()}
ROLES = [card for card in CARDS if card != "jester"]

STRENGTHS = {"peasant": 1, "soldier": 2, "knight": 3, "king": 4}
ATTACKS = (*STRENGTHS, "ninja", "dragon", "archer", "ladder", "catapult")
FORTIFICATIONS = ("castle", "archer", "minstrel")

HIDDEN = "?"
