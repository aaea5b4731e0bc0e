"""Names for the codes of structs and moves, and the values of cards (R1)."""

SUITS: str
NAMES: dict[int, str]
PHASES: tuple[str, ...]
VERB_NAMES: dict[int, tuple[str, str]]

def value(card: str, /) -> int:
    """Return the value of equipment (R1.4); 0 for other cards."""

def cost(card: str, /) -> int:
    """Return the turns that equipment needs on the quartermaster (R1.6); 0 for other cards."""
