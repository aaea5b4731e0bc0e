"""The options of Chessault (section 15 of the rules page)."""

from kingmaker.cext.options import Choice, Number, Options

from .names import Counts

SUPPLIES: dict[str, Counts] = {  # R2.4
    "standard": {"king": 1, "queen": 2, "rook": 2, "bishop": 2, "knight": 2, "pawn": 8},
    "double": {"king": 1, "queen": 2, "rook": 4, "bishop": 4, "knight": 4, "pawn": 16},
}
MOST_TURNS = 10_000
OPTIONS = Options(
    "chessault",
    Choice(
        "supply",
        "R2.4",
        "figures of each side: standard (2 queens, 2 rooks, 2 bishops, 2 knights, 8 pawns) or "
        "double (2 queens, 4 rooks, 4 bishops, 4 knights, 16 pawns)",
        tuple(SUPPLIES),
    ),
    Number(
        "max_turns",
        "R10.7",
        "turns of both players together before the game is a draw, {}",
        1,
        MOST_TURNS,
        400,
    ),
    rule="section 15",
)
