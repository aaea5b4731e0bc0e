"""The circulating cards of Kingdom Coinquest and what may be built of them, by notation (R1)."""

from collections.abc import Mapping

SUITS = "hsdc"
RANKS = "a23456789tjq"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]  # in card order (R1.3)
CARD_INDEX = {card: index for index, card in enumerate(CARDS)}
VALUES = {rank: value for value, rank in enumerate(RANKS, 1) if rank in "23456789t"}

DEFAULT_TURN_LIMIT = 600

# Loads that some player can have, text -> (lead, partner), whoever it is (R6.3, R6.4).
EQUIPMENT_LOADS = {
    f"{lead}+{partner}" if partner else lead: (lead, partner)
    for lead in CARDS
    for partner in ["", *CARDS]
    if lead[0] in VALUES
    and lead != partner
    and (not partner or partner[0] == "j" or partner[0] == lead[0])
}
QUEEN_LOADS = {
    f"{lead}+{partner}" if partner else lead: (lead, partner)
    for lead in CARDS
    for partner in ["", *CARDS]
    if lead[0] == "q"
    and (not partner or (partner[0] == "q" and CARD_INDEX[lead] < CARD_INDEX[partner]))
}


def cost(card: str) -> int:
    """Return the turns that equipment needs on the quartermaster (R1.6)."""
    return (VALUES[card[0]] + 1) // 3


def load_text(load: Mapping[str, str] | None) -> str:
    """Write the view of a load; nothing and a load without a lead are `-`."""
    if not load or not load.get("lead"):
        return "-"
    return f"{load['lead']}+{load['partner']}" if load.get("partner") else load["lead"]
