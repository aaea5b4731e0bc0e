"""The options of A Knight's Duty (section 16 of the rules page)."""

from collections.abc import Mapping

from kingmaker.cext.errors import refusal
from kingmaker.cext.options import Choice, Number, Options

MOST_PLAYERS_SQUARE = 4  # one for each corner (D3)


def check_together(texts: Mapping[str, str], path: str) -> None:
    """Refuse more players than a square arena has corners."""
    if texts["arena"] == "square" and int(texts["players"]) > MOST_PLAYERS_SQUARE:
        wanted = f"players is at most {MOST_PLAYERS_SQUARE} in a square arena"
        raise refusal(f"{path}.players", texts["players"], "R1.1", wanted)


OPTIONS = Options(
    "knights_duty",
    Number("players", "R1.1", "{} seats, in a square arena 2 to 4", 2, 6, 2),
    Choice("arena", "R2.6, R2.1", "hex, or square with eight directions", ("hex", "square")),
    Number("radius", "R2.1", "spaces from the centre to the edge, {}", 3, 6, 4),
    Choice(
        "clans",
        "R3.2, R3.1",
        "corners at the start: auto, or choose in seat order",
        ("auto", "choose"),
    ),
    Choice("empty_slots", "R4.6", "whether a slot may be left empty, on or off", ("on", "off")),
    Choice(
        "agreements",
        "R6.4, R8.6",
        "whether contested spaces and shared targets are asked about, on or off",
        ("on", "off"),
    ),
    Choice(
        "swap",
        "R6.3",
        "whether two Knights may exchange spaces, allow or block",
        ("allow", "block"),
    ),
    Choice(
        "inspire",
        "R9.3",
        "whether the attacker's Inspiration is hidden from the target, hidden or open",
        ("hidden", "open"),
    ),
    Number("turn_limit", "R11.4", "turns after which those who stand draw, {}", 1, 1000, 60),
    untold=("players",),
    check=check_together,
    rule="section 16",
)
