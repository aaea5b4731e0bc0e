"""The options of Kingdom Coinquest (section 13 of the rules page)."""

from kingmaker.cext.errors import refusal
from kingmaker.cext.options import Choice, Flag, Number, Options, Texts

from .names import SUITS


def _check_kings(texts: Texts, path: str) -> None:
    kings, players = texts["kings"], int(texts["players"])
    is_choice = len(kings) == len(set(kings) & set(SUITS)) == players
    if kings != "random" and not is_choice:
        wanted = f"kings is random or {players} different letters of {SUITS}, one for each seat"
        raise refusal(f"{path}.kings", kings, "R3.2", wanted)


OPTIONS = Options(
    "kingdom_coinquest",
    Number("players", "R3.1", "2, 3 or 4 seats", 2, 4, 2),
    Choice(
        "kings",
        "R3.2",
        "random, or a different suit letter of hsdc for each seat, such as hs",
        ("random",),
        takes_other=lambda text: True,  # checked together with the number of players
    ),
    Number("health", "R3.3", "health at the start, {}", 1, 99, 20),
    Number(
        "turn_limit",
        "R4.5, R10.5",
        "turns of all players together before the game ends, {}",
        1,
        9999,
        600,
    ),
    Flag(
        "ace_strike",
        "R6.9",
        "1: a resurrected weapon may strike at once, 0: from the next turn",
    ),
    untold=("players", "kings", "health"),
    check=_check_kings,
)
