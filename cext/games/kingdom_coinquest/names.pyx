"""Names for the codes of structs and moves, and the values of cards (R1)."""

from .state cimport (
    NO_CARD, UNIT_KNIGHT, UNIT_PEASANT, VERB_ACE, VERB_ATTACK,
    VERB_DEAL, VERB_DISCARD, VERB_DRAW_FORGE, VERB_DRAW_GRAVE, VERB_DRAW_SALVAGE, VERB_EQUIP,
    VERB_HOLD, VERB_KING, VERB_PASS, VERB_PREP, VERB_QUEEN, VERB_SALVAGE, VERB_SCRAP, cost_of,
    is_equipment, rank_of)

SUITS = "hsdc"
CODES = {
    rank + suit: high << 4 | low
    for high, suit in enumerate(SUITS) for low, rank in enumerate("a23456789tjq", 1)}
NAMES = {code: card for card, code in CODES.items()}
HAND_CODES = {"?": NO_CARD, **CODES}    # with an observation's hidden card
KINGS = {suit: code for code, suit in enumerate(SUITS)}
UNITS = {"knight": UNIT_KNIGHT, "peasant": UNIT_PEASANT}
UNIT_NAMES = {code: unit for unit, code in UNITS.items()}
PHASES = ("king", "draw", "deal", "play", "strike", "discard", "end")  # by `Phase`
PHASE_CODES = {phase: code for code, phase in enumerate(PHASES)}
VERBS = {
    "king": VERB_KING, "draw": VERB_DRAW_FORGE, "deal": VERB_DEAL, "pass": VERB_PASS,
    "prep": VERB_PREP, "equip": VERB_EQUIP, "attack": VERB_ATTACK, "queen": VERB_QUEEN,
    "ace": VERB_ACE, "hold": VERB_HOLD, "discard": VERB_DISCARD, "salvage": VERB_SALVAGE,
    "scrap": VERB_SCRAP}
SOURCES = {
    "forge": VERB_DRAW_FORGE, "grave": VERB_DRAW_GRAVE, "salvage": VERB_DRAW_SALVAGE}
VERB_NAMES = {code: (verb, "") for verb, code in VERBS.items()}  # verb and source of a move
VERB_NAMES |= {code: ("draw", source) for source, code in SOURCES.items()}


def value(str card) -> int:
    """Return the value of equipment (R1.4); 0 for other cards."""
    return rank_of(CODES[card]) if is_equipment(CODES[card]) else 0


def cost(str card) -> int:
    """Return the turns that equipment needs on the quartermaster (R1.6); 0 for other cards."""
    return cost_of(CODES[card]) if is_equipment(CODES[card]) else 0
