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
    Number("players", 2, 6, 2, "R1.1", "2 to 6 seats, in a square arena 2 to 4; default 2 (R1.1)"),
    Choice(
        "arena",
        ("hex", "square"),
        "hex",
        "R2.6",
        "hex, or square with eight directions; default hex (R2.1, R2.6)",
    ),
    Number(
        "radius", 3, 6, 4, "R2.1", "spaces from the centre to the edge, 3 to 6; default 4 (R2.1)"
    ),
    Choice(
        "clans",
        ("auto", "choose"),
        "auto",
        "R3.2",
        "corners at the start: auto, or choose in seat order; default auto (R3.1, R3.2)",
    ),
    Choice(
        "empty_slots",
        ("on", "off"),
        "on",
        "R4.6",
        "whether a slot may be left empty, on or off; default on (R4.6)",
    ),
    Choice(
        "agreements",
        ("on", "off"),
        "on",
        "R6.4",
        "whether contested spaces and shared targets are asked about, on or off; default on "
        "(R6.4, R8.6)",
    ),
    Choice(
        "swap",
        ("allow", "block"),
        "allow",
        "R6.3",
        "whether two Knights may exchange spaces, allow or block; default allow (R6.3)",
    ),
    Choice(
        "inspire",
        ("hidden", "open"),
        "hidden",
        "R9.3",
        "whether the attacker's Inspiration is hidden from the target, hidden or open; default "
        "hidden (R9.3)",
    ),
    Number(
        "turn_limit",
        1,
        1000,
        60,
        "R11.4",
        "turns after which those who stand draw, 1 to 1000; default 60 (R11.4)",
    ),
    untold=("players",),
    check=check_together,
    rule="section 16",
)
