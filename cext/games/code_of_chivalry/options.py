"""The options of Code of Chivalry (section 12 of the rules page).

Options are text in the request for a new game and in a position's first field; in views they are
numbers, except `auto_pass`.
"""

from collections.abc import Mapping

from kingmaker.cext.errors import refusal, shown
from kingmaker.cext.options import Choice, Number, Options, Texts

NUM_GEMS = 30  # R1.3
SEATS = tuple(f"p{seat}" for seat in range(1, 7))
AUTO_PASSES = ("public", "off", "private")  # as `AutoPass` of state.pxd


def _check_together(texts: Texts, path: str) -> None:
    """Refuse a first player beyond the seats, and gems that contradict the other options (D43)."""
    players, start, target = (int(texts[n]) for n in ("players", "start_gems", "target_gems"))
    if texts["first_player"] not in SEATS[:players]:
        wanted = f"first_player is one of the {players} seats"
        raise refusal(f"{path}.first_player", texts["first_player"], "R2.4", wanted)
    most = players * start
    if most > NUM_GEMS:
        wanted = f"start_gems is at most {NUM_GEMS // players} with {players} players and 30 gems"
        raise refusal(f"{path}.start_gems", start, "R2.1", wanted)
    if not start < target <= most:
        wanted = (
            f"target_gems is a number from {start + 1} to {most}, more than the start and at most "
            "all gems"
        )
        raise refusal(f"{path}.target_gems", target, "R9.1", wanted)
    if int(texts["target_floor"]) > target:
        wanted = f"target_floor is a number from 1 to {target}, the gems that win"
        raise refusal(f"{path}.target_floor", texts["target_floor"], "R9.1", wanted)


def _usual(texts: Mapping[str, str]) -> Texts:
    """Return the defaults that depend on other options."""
    extra = "2" if texts.get("deck") == "stretch" else "0"
    is_larger = texts.get("players") == "2" and texts.get("two_player") != "plain"
    start, target = ("6", "12") if is_larger else ("5", "10")
    return {"minstrels": extra, "monks": extra, "start_gems": start, "target_gems": target}


class _Seat(Choice):
    """A seat, which is a number in views."""

    def value(self, text: str) -> int:
        """Return the number of a seat."""
        return int(text[1:])

    def text_of(self, value: object) -> str:
        """Return the name of a number."""
        return f"p{shown(value)}" if type(value) is int else shown(value)


OPTIONS = Options(
    "code_of_chivalry",
    Number("players", "R1.4", "{} seats", 2, 6, 4),
    _Seat("first_player", "R2.4", "the seat that begins, p1 to p6", SEATS),
    Number(
        "minstrels",
        "R1.2, D35",
        "minstrels in the deck, {}",
        0,
        4,
        0,
        usual="0, with deck=stretch 2",
    ),
    Number("monks", "R1.2, D35", "monks in the deck, {}", 0, 4, 0, usual="0, with deck=stretch 2"),
    Number(
        "start_gems",
        "R2.1, D2",
        "gems of each seat at the start, together at most 30",
        1,
        15,
        5,
        usual="5; with two players 6, or 5 with two_player=plain",
    ),
    Number(
        "target_gems",
        "R9.1, D2",
        "gems that win, more than start_gems and at most all",
        2,
        30,
        10,
        usual="10; with two players 12, or 10 with two_player=plain",
    ),
    Number(
        "reshuffle_step", "R9.1", "by how much a reshuffle lowers the gems that win, {}", 0, 3, 1
    ),
    Number("target_floor", "R9.1", "the fewest gems that win, 1 to target_gems", 1, 30, 1),
    Number(
        "turn_limit",
        "R9.6",
        "turns of all players together before the game ends, {}",
        1,
        100_000,
        300,
    ),
    Choice(
        "auto_pass",
        "R10.3",
        "who is asked without a choice: public (whom the others can't rule out), off (everybody), "
        "private (nobody; that leaks)",
        AUTO_PASSES,
    ),
    Choice(
        "deck",
        "D35, section 12",
        "short for minstrels and monks: base (0, 0) or stretch (2, 2)",
        ("base", "stretch"),
    ),
    Choice(
        "two_player",
        "D2, section 12",
        "short for start_gems and target_gems with two players: published (6, 12) or plain (5, 10)",
        ("published", "plain"),
    ),
    shorthands=("deck", "two_player"),
    usual=_usual,
    check=_check_together,
    rule="section 12",
)


def of_view(view: Mapping[str, object], path: str) -> Texts:
    """Return the options of a position's view as text; an absent or zero option has its default."""
    sent, players = view.get("options") or {}, view.get("players")
    if not isinstance(sent, Mapping):
        raise refusal(path, sent, "R13.1", "a message is expected")
    given: dict[str, object] = {"players": len(players)} if isinstance(players, list) else {}
    seats = (len(players) if isinstance(players, list) else 0) or len(SEATS)
    for name, value in sent.items():
        if value or (name == "reshuffle_step" and value is not None):  # 0 is a step
            given[name] = OPTIONS.text_of(name, value)
        if name == "first_player" and value and given[name] not in SEATS[:seats]:
            wanted = f"a seat from 1 to {seats} is expected"
            raise refusal(f"{path}.first_player", value, "R2.4", wanted)
    return OPTIONS.checked(given, path)
