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
SHORTHANDS = ("deck", "two_player")  # of a new game only


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


HELP = {
    "players": "2 to 6 seats; default 4 (R1.4)",
    "first_player": "the seat that begins, p1 to p6; default p1 (R2.4)",
    "minstrels": "minstrels in the deck, 0 to 4; default 0, with deck=stretch 2 (R1.2, D35)",
    "monks": "monks in the deck, 0 to 4; default 0, with deck=stretch 2 (R1.2, D35)",
    "start_gems": "gems of each seat at the start, together at most 30; default 5; with two "
    "players 6, or 5 with two_player=plain (R2.1, D2)",
    "target_gems": "gems that win, more than start_gems and at most all; default 10; with two "
    "players 12, or 10 with two_player=plain (R9.1, D2)",
    "reshuffle_step": "by how much a reshuffle lowers the gems that win, 0 to 3; default 1 (R9.1)",
    "target_floor": "the fewest gems that win, 1 to target_gems; default 1 (R9.1)",
    "turn_limit": "turns of all players together before the game ends, 1 to 100000; "
    "default 300 (R9.6)",
    "auto_pass": "who is asked without a choice: public (whom the others can't rule out), off "
    "(everybody), private (nobody; that leaks); default public (R10.3)",
    "deck": "short for minstrels and monks: base (0, 0) or stretch (2, 2); default base "
    "(section 12)",
    "two_player": "short for start_gems and target_gems with two players: published (6, 12) or "
    "plain (5, 10); default published (section 12)",
}
OPTIONS = Options(
    "code_of_chivalry",
    Number("players", 2, 6, 4, "R1.4", HELP["players"]),
    Choice("first_player", SEATS, "p1", "R2.4", HELP["first_player"]),
    Number("minstrels", 0, 4, 0, "R1.2", HELP["minstrels"]),
    Number("monks", 0, 4, 0, "R1.2", HELP["monks"]),
    Number("start_gems", 1, 15, 5, "R2.1", HELP["start_gems"]),
    Number("target_gems", 2, 30, 10, "R9.1", HELP["target_gems"]),
    Number("reshuffle_step", 0, 3, 1, "R9.1", HELP["reshuffle_step"]),
    Number("target_floor", 1, 30, 1, "R9.1", HELP["target_floor"]),
    Number("turn_limit", 1, 100_000, 300, "R9.6", HELP["turn_limit"]),
    Choice("auto_pass", AUTO_PASSES, "public", "R10.3", HELP["auto_pass"]),
    Choice("deck", ("base", "stretch"), "base", "D35", HELP["deck"]),
    Choice("two_player", ("published", "plain"), "published", "D2", HELP["two_player"]),
    untold=SHORTHANDS,
    check=_check_together,
    rule="section 12",
)


def usual(texts: Mapping[str, str]) -> Texts:
    """Return the defaults that depend on other options."""
    extra = "2" if texts.get("deck") == "stretch" else "0"
    is_larger = texts.get("players") == "2" and texts.get("two_player") != "plain"
    start, target = ("6", "12") if is_larger else ("5", "10")
    return {"minstrels": extra, "monks": extra, "start_gems": start, "target_gems": target}


def checked(given: Mapping[str, object], path: str = "options") -> Texts:
    """Return every option with its value; shorthands are replaced by the options that they set."""
    texts = {name: shown(value) for name, value in given.items()}
    found = OPTIONS.checked(usual(texts) | texts, path)
    return {name: found[name] for name in OPTIONS.told}


def of_view(view: Mapping[str, object], path: str) -> Texts:
    """Return the options of a position's view as text; an absent or zero option has its default."""
    sent, players = view.get("options") or {}, view.get("players")
    if not isinstance(sent, Mapping):
        raise refusal(path, sent, "R13.1", "a message is expected")
    given: dict[str, object] = {"players": len(players)} if isinstance(players, list) else {}
    seats = (len(players) if isinstance(players, list) else 0) or len(SEATS)
    for name, value in sent.items():
        if value or (name == "reshuffle_step" and value is not None):  # 0 is a step
            given[name] = _text(name, value)
        if name == "first_player" and value and given[name] not in SEATS[:seats]:
            wanted = f"a seat from 1 to {seats} is expected"
            raise refusal(f"{path}.first_player", value, "R2.4", wanted)
    return checked(given, path)


def values(texts: Mapping[str, str]) -> dict[str, int | str]:
    """Return the values in a view of checked options."""
    return {
        name: text if name == "auto_pass" else int(text.removeprefix("p"))
        for name, text in texts.items()
    }


def written(values: Mapping[str, int | str]) -> list[str]:
    """Write `name=value` of each option that differs from its default (R13.1)."""
    texts = {name: _text(name, values[name]) for name in OPTIONS.told}
    defaults = OPTIONS.defaults | usual(texts)
    return [f"{name}={texts[name]}" for name in OPTIONS.told if texts[name] != defaults[name]]


def _text(name: str, value: object) -> str:
    return f"p{shown(value)}" if name == "first_player" and type(value) is int else shown(value)
