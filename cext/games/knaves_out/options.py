"""The options of Knaves Out (section 12 of the rules page)."""

from collections.abc import Mapping

from kingmaker.cext.errors import refusal, shown
from kingmaker.cext.options import Choice, Number, Options, Texts, text_of

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


def _switch(name: str, default: str, rule: str, text: str) -> Choice:
    values = ("off", "on") if default == "off" else ("on", "off")
    return Choice(name, values, default, rule, f"{text}, on or off; default {default} ({rule})")


def _usual(players: str) -> Texts:
    """Return the default that depends on the number of players, of 2 if that is no number."""
    is_known = players in tuple("2345678")
    return {"max_turns": str(TURNS_OF_PLAYER * int(players if is_known else "2"))}


class _Options(Options):
    """Options of which one has a default that depends on the number of players."""

    def checked(self, given: Mapping[str, object], path: str = "options") -> Texts:
        """Return every option with its value as text, see `Options.checked`."""
        return super().checked({**_usual(shown(given.get("players", "2"))), **given}, path)


OPTIONS = _Options(
    "knaves_out",
    Number("players", 2, MOST_SEATS, 2, "R1.1", "2 to 8 seats; default 2 (R1.1)"),
    Choice(
        "first",
        ("roll", *SEATS),
        "roll",
        "R3.1",
        "who begins: roll, the dice decide, or a seat p1 to p8; default roll (R3.1)",
    ),
    Choice(
        "direction",
        ("cw", "ccw"),
        "cw",
        "R3.1",
        "seating order: cw, ascending seats, or ccw, descending; default cw (R3.1, D67)",
    ),
    Choice(
        "layout",
        ("fixed", "place"),
        "fixed",
        "R3.2",
        "boards: fixed by a table, or place, the players lay them; default fixed (R3.2, D3)",
    ),
    Choice(
        "kings",
        ("place", "fixed"),
        "place",
        "R3.4",
        "king buildings: place, the players do, or fixed by a table; default place (R3.4)",
    ),
    _switch("start_court", "off", "R3.5", "begin with a court of three cards"),
    _switch("start_jokers", "off", "R3.5", "with start_court: Jokers may lie under the court"),
    _switch("fuel", "off", "R3.6", "with start_court: three cards on each tower"),
    Choice(
        "each",
        ("all", "present"),
        "all",
        "R6.3",
        "a price for each tower: all, payable with a full court only, or present, those in play; "
        "default all (R6.3, D8)",
    ),
    Choice(
        "aos",
        ("court", "devour", "off"),
        "court",
        "R5.4",
        "the tower of the ace of spades: with a full court, after Motorhead or Ice Queen (devour), "
        "or never (off); default court (R5.4, D7)",
    ),
    _switch("two_towers", "on", "R11.1", "the Ivory and the Dark Tower can be called"),
    _switch("friendly_fire", "on", "R9.1", "own pieces can be attacked"),
    Number(
        "max_turns",
        1,
        MOST_TURNS,
        TURNS_OF_PLAYER * 2,
        "R12.4",
        "turns of all players together before the game ends, 1 to 99999; default 120 for each "
        "player (R12.4, D64)",
    ),
    Choice(
        "limit_result",
        ("draw", "rank"),
        "draw",
        "R12.4",
        "at the turn limit: draw, the living share 1, or rank, the strongest do; default draw "
        "(R12.4)",
    ),
    untold=("players",),
    check=_check_together,
    rule="section 12",
)


def written(view: Mapping[str, object], players: int) -> list[str]:
    """Write `name=value` of each option of a view that differs from its default (R14.2)."""
    defaults = OPTIONS.defaults | _usual(str(players))
    texts = {name: text_of(view[name]) for name in OPTIONS.told}
    return [f"{name}={text}" for name, text in texts.items() if text != defaults[name]]
