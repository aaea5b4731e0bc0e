"""The options of Knaves Out (section 12 of the rules page)."""

from collections.abc import Mapping

from kingmaker.cext.errors import refusal
from kingmaker.cext.options import Choice, Number, Options, Texts

MOST_SEATS = 8
SEATS = tuple(f"p{seat}" for seat in range(1, MOST_SEATS + 1))
TURNS_OF_PLAYER = 120  # D64
MOST_TURNS = 99_999


def _check_together(texts: Texts, path: str) -> None:
    """Refuse a first seat beyond the players, and options without the one that they need."""
    seats = SEATS[: int(texts["players"])]
    if texts["first"] not in ("roll", *seats):
        wanted = f"first is roll or one of the {len(seats)} seats"
        raise refusal(f"{path}.first", texts["first"], "R3.1", wanted)
    for name, rule in (("start_jokers", "R3.5"), ("fuel", "R3.6")):
        if texts[name] == "on" and texts["start_court"] == "off":
            raise refusal(f"{path}.{name}", "on", rule, f"{name} on needs start_court on")


def _usual(texts: Mapping[str, str]) -> Texts:
    """Return the default that depends on the number of players, of 2 if that is no number."""
    players = texts.get("players", "2")
    is_known = players in tuple("2345678")
    return {"max_turns": str(TURNS_OF_PLAYER * int(players if is_known else "2"))}


def _switch(name: str, default: str, rule: str, text: str) -> Choice:
    values = ("off", "on") if default == "off" else ("on", "off")
    return Choice(name, rule, f"{text}, on or off", values)


OPTIONS = Options(
    "knaves_out",
    Number("players", "R1.1", "{} seats", 2, MOST_SEATS, 2),
    Choice(
        "first",
        "R3.1",
        "who begins: roll, the dice decide, or a seat p1 to p8",
        ("roll", *SEATS),
    ),
    Choice(
        "direction",
        "R3.1, D67",
        "seating order: cw, ascending seats, or ccw, descending",
        ("cw", "ccw"),
    ),
    Choice(
        "layout",
        "R3.2, D3",
        "boards: fixed by a table, or place, the players lay them",
        ("fixed", "place"),
    ),
    Choice(
        "kings",
        "R3.4",
        "king buildings: place, the players do, or fixed by a table",
        ("place", "fixed"),
    ),
    _switch("start_court", "off", "R3.5", "begin with a court of three cards"),
    _switch("start_jokers", "off", "R3.5", "with start_court: Jokers may lie under the court"),
    _switch("fuel", "off", "R3.6", "with start_court: three cards on each tower"),
    Choice(
        "each",
        "R6.3, D8",
        "a price for each tower: all, payable with a full court only, or present, those in play",
        ("all", "present"),
    ),
    Choice(
        "aos",
        "R5.4, D7",
        "the tower of the ace of spades: with a full court, after Motorhead or Ice Queen (devour), "
        "or never (off)",
        ("court", "devour", "off"),
    ),
    _switch("two_towers", "on", "R11.1", "the Ivory and the Dark Tower can be called"),
    _switch("friendly_fire", "on", "R9.1", "own pieces can be attacked"),
    Number(
        "max_turns",
        "R12.4, D64",
        "turns of all players together before the game ends, {}",
        1,
        MOST_TURNS,
        TURNS_OF_PLAYER * 2,
        usual="120 for each player",
    ),
    Choice(
        "limit_result",
        "R12.4",
        "at the turn limit: draw, the living share 1, or rank, the strongest do",
        ("draw", "rank"),
    ),
    untold=("players",),
    usual=_usual,
    check=_check_together,
    rule="section 12",
)
