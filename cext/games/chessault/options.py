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
        tuple(SUPPLIES),
        default="standard",
        rule="R2.4",
        help="figures of each side: standard (2 queens, 2 rooks, 2 bishops, 2 knights, 8 pawns) or "
        "double (2 queens, 4 rooks, 4 bishops, 4 knights, 16 pawns); default standard (R2.4)",
    ),
    Number(
        "max_turns",
        1,
        MOST_TURNS,
        default=400,
        rule="R10.7",
        help=f"turns of both players together before the game is a draw, 1 to {MOST_TURNS}; "
        "default 400 (R10.7)",
    ),
    rule="section 15",
)
