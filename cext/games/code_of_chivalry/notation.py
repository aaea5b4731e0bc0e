"""Lines of Code of Chivalry <-> typed views: positions (R13) and observations (R14).

A *view* is a position or observation as plain data, keyed like the proto messages
CodeOfChivalryPosition and CodeOfChivalryObservation; an observation has the key `observer`.
Parsing validates: whatever `view_text` writes from a wrong view, `parse` refuses. Options alone are
checked by `view_text`, as a wrong one could pass for several right ones.
"""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from . import options
from .cards import CARD_INDEX, CARD_OF_LETTER, FORTIFICATIONS, LETTERS, Cards, cards_text
from .nodes import node_text, parse_node
from .refusals import number, refusal, seat_number
from .validity import check_observation, check_position

View = dict[str, Any]

FIELDS = ("TURN", "ACTIVE", "RESHUFFLES", "PLAYERS", "DRAW", "DISCARD", "NODE", "KNOWN", "BASE")
MULTISET = re.compile(r"(?:[a-z](?:[1-9][0-9]?)?)+", re.ASCII)
COPIES = re.compile(r"([a-z])([0-9]*)", re.ASCII)
FORTIFICATION_LETTERS = {  # letter -> role, physical card (R13.2)
    **{LETTERS[role]: (role, role) for role in FORTIFICATIONS},
    **{LETTERS[role].upper(): (role, "jester") for role in FORTIFICATIONS},
}
EVERYBODY = 0


# --- writing ----------------------------------------------------------------------------------


def view_text(view: View) -> str:
    """Write the line of a view; what is absent or empty counts as zero, empty or nobody.

    Raises:
        InputError: an option has no such value; the line can't tell.
    """
    players = view.get("players", [])
    values = options.texts(view.get("options") or {}, len(players))
    observer = view.get("observer")
    is_open = [observer is None or seat == observer for seat in range(1, len(players) + 1)]
    fields = [
        options.tag(options.checked(values)),
        str(view.get("turn", 0)),
        f"p{view.get('active', 0)}",
        str(view.get("reshuffles", 0)),
        "/".join(map(_player_text, players, is_open)),
        cards_text(view.get("draw", {})) if observer is None else f"?{view.get('num_draw', 0)}",
        cards_text(view.get("discard", {})),
        node_text(view.get("node") or {}),
        _known_text(view.get("known", [])),
        _base_text(view.get("base", {}), view.get("own", [])),
    ]
    if observer is not None:
        fields.append(f"@p{observer}" if observer else "@-")
    return " ".join(fields)


def _player_text(player: View, is_open: bool) -> str:
    laid = "".join(map(_fortification_letter, FORTIFICATIONS, map(player.get, FORTIFICATIONS)))
    hand, num_hidden = player.get("hand") or {}, player.get("num_hidden", 0)
    if is_open:
        hand_text = cards_text(hand) + (f"?{num_hidden}" if num_hidden else "")
    else:
        hand_text = f"?{num_hidden}" + (cards_text(hand) if hand else "")
    return f"{player.get('gems', 0)},{laid or '-'},{hand_text}"


def _fortification_letter(role: str, card: str | None) -> str:
    if not card:
        return ""
    if card == "jester":
        return LETTERS[role].upper()
    return LETTERS[role] if card == role else f"({card})"


def _known_text(rows: list[View]) -> str:
    return ";".join(map(_row_text, rows)) or "-"


def _row_text(row: View) -> str:
    observer = f"p{row['observer']}" if row.get("observer") else "*"
    return f"{observer}>p{row.get('holder', 0)}:{cards_text(row.get('cards', {}))}"


def _base_text(base: Mapping[str, int], own: list[View]) -> str:
    if not base and not own:
        return "-"
    entries = [f"p{entry.get('seat', 0)}:{cards_text(entry.get('cards', {}))}" for entry in own]
    return ";".join([f"*:{cards_text(base)}", *entries])


# --- reading ----------------------------------------------------------------------------------


def parse_position(text: str) -> View:
    """Return the view of a position line.

    Raises:
        InputError: the line breaks R13.1 to R13.4; names the field, its value and the rule.
    """
    fields = text.split(" ")
    if fields[-1].startswith("@"):
        raise refusal(
            "position",
            fields[-1],
            "R13.1",
            "a position ends with BASE; this line has the last field of an observation",
        )
    view = _parse(fields, text, "position", None)
    check_position(view)
    return view


def parse_observation(text: str) -> View:
    """Return the view of an observation line.

    Raises:
        InputError: the line breaks R14.1 or R14.2, or no valid position looks so; names the
            field, its value and the rule.
    """
    fields = text.split(" ")
    observers = {"@-": 0} | {f"@p{seat}": seat for seat in range(1, 7)}
    if fields[-1] not in observers:
        raise refusal(
            "observation.observer",
            fields[-1],
            "R14.1",
            "an observation ends with @p and the number of one of its seats, or with @- for a "
            "spectator",
        )
    view = _parse(fields[:-1], text, "observation", observers[fields[-1]])
    check_observation(view)
    return view


def _parse(fields: list[str], text: str, kind: str, observer: int | None) -> View:
    if len(fields) != 1 + len(FIELDS):
        raise refusal(
            kind,
            text,
            "R13.1" if observer is None else "R14.1",
            "the fields, separated by one space each, are coc, "
            + ", ".join(FIELDS)
            + ("" if observer is None else ", @"),
        )
    values = _parse_tag(fields[0], kind)
    num_seats = values["players"]
    if observer is not None and observer > num_seats:
        raise refusal(
            f"{kind}.observer", f"@p{observer}", "R14.1", f"the seats are p1 to p{num_seats}"
        )
    turn = number(fields[1], f"{kind}.turn", 0, values["turn_limit"], "R13.4")
    view = {
        "options": values,
        "turn": turn,
        "active": seat_number(fields[2], f"{kind}.active", num_seats),
        "reshuffles": number(fields[3], f"{kind}.reshuffles", 0, 2 * turn, "R13.4"),
        "players": _parse_players(fields[4], kind, num_seats, observer),
        "discard": _parse_cards(fields[6], f"{kind}.discard"),
        "node": parse_node(fields[7], f"{kind}.node", num_seats, observer),
        "known": _parse_known(fields[8], f"{kind}.known", num_seats, observer),
        **_parse_base(fields[9], f"{kind}.base", num_seats, observer),
    }
    if observer is None:
        view["draw"] = _parse_cards(fields[5], f"{kind}.draw")
    else:
        view["num_draw"] = _parse_hidden(fields[5], f"{kind}.draw")
        view["observer"] = observer
    return view


def _parse_tag(text: str, kind: str) -> options.Values:
    where = f"{kind}.tag"
    tag, *items = text.split(";")
    given = dict(_pair(item) for item in items)
    if tag != "coc" or len(given) != len(items) or not all("=" in item for item in items):
        raise refusal(where, text, "R13.1", "the tag is coc and ;key=value for each option")
    for option in given:
        if option in options.SHORTHANDS:
            wanted = f"{option} is a shorthand; a position has {options.SHORTHANDS[option]} instead"
            raise refusal(where, text, "R13.1", wanted)
        if option not in options.HELP:
            wanted = f"the options of section 12 are {', '.join(options.defaults(4))}"
            raise refusal(where, option, "R13.1", wanted)
    checked = options.checked(given, f"{kind}.options")
    if text != options.tag(checked):
        raise refusal(
            where,
            text,
            "R13.1",
            "the tag names the options that differ from their defaults, in the order of "
            f"section 12: {options.tag(checked)}",
        )
    return options.values(checked)


def _pair(item: str) -> tuple[str, str]:
    key, _, value = item.partition("=")
    return key, value


def _parse_players(text: str, kind: str, num_seats: int, observer: int | None) -> list[View]:
    entries = text.split("/")
    if len(entries) != num_seats:
        raise refusal(
            f"{kind}.players",
            text,
            "R13.1",
            f"PLAYERS has one entry for each of the {num_seats} seats, not {len(entries)}",
        )
    return [
        _parse_player(entry, f"{kind}.p{seat}", observer is None or seat == observer)
        for seat, entry in enumerate(entries, 1)
    ]


def _parse_player(text: str, where: str, is_open: bool) -> View:
    parts = text.split(",")
    if len(parts) != 3:
        raise refusal(where, text, "R13.1", "a player is gems,fortifications,hand")
    gems, laid, hand = parts
    return {
        "gems": number(gems, f"{where}.gems", 0, options.NUM_GEMS, "R13.4"),
        **_parse_fortifications(laid, f"{where}.fortifications"),
        "hand": _parse_cards(hand, f"{where}.hand") if is_open else {},
        "num_hidden": 0 if is_open else _parse_hidden(hand, f"{where}.hand"),
    }


def _parse_fortifications(text: str, where: str) -> dict[str, str]:
    laid = dict.fromkeys(FORTIFICATIONS, "")
    if text == "-":
        return laid
    pairs = [FORTIFICATION_LETTERS.get(letter, ("", "")) for letter in text]
    roles = [role for role, _ in pairs]
    if not text or roles != [role for role in FORTIFICATIONS if role in roles]:
        raise refusal(
            where,
            text,
            "R13.2",
            "fortifications are -, or letters in the order castle, archer, minstrel: c, a, i, and "
            "C, A, I for a jester in the role",
        )
    return laid | dict(pairs)


def _parse_cards(text: str, where: str) -> Cards:
    """Read a multiset (R13.2)."""
    if text == "-":
        return {}
    pairs = COPIES.findall(text) if MULTISET.fullmatch(text) else []
    if not pairs or any(letter not in CARD_OF_LETTER or count == "1" for letter, count in pairs):
        raise refusal(
            where,
            text,
            "R13.2",
            "cards are - or letters of pskgndacluhmtwrxjio, each followed by its count if that is "
            "above 1",
        )
    cards = {CARD_OF_LETTER[letter]: int(count or "1") for letter, count in pairs}
    indices = [CARD_INDEX[CARD_OF_LETTER[letter]] for letter, _ in pairs]
    if any(low >= high for low, high in pairwise(indices)):
        wanted = f"letters stand once each in the order pskgndacluhmtwrxjio, {cards_text(cards)}"
        raise refusal(where, text, "R13.2", wanted)
    return cards


def _parse_hidden(text: str, where: str) -> int:
    if text[:1] != "?":
        raise refusal(where, text, "R14.1", "the observer sees ? and the number of cards here")
    return number(text[1:], where, 0, 103, "R14.1")


def _parse_known(text: str, where: str, num_seats: int, observer: int | None) -> list[View]:
    if text == "-":
        return []
    rows = [_parse_row(entry, where, num_seats) for entry in text.split(";")]
    keys = [(row["observer"], row["holder"]) for row in rows]
    if any(low >= high for low, high in pairwise(keys)):
        raise refusal(
            where,
            text,
            "R13.1",
            "rows stand once each, those of * by holder, then those of seats by observer and "
            "holder",
        )
    if observer is not None and any(row["observer"] not in (EVERYBODY, observer) for row in rows):
        wanted = "an observation has the rows of * and those of its observer"
        raise refusal(where, text, "R14.1" if observer else "R14.2", wanted)
    return rows


def _parse_row(entry: str, where: str, num_seats: int) -> View:
    seats, colon, cards = entry.partition(":")
    knower, arrow, holder = seats.partition(">")
    if not colon or not arrow or cards == "-":
        wanted = "KNOWN is -, or entries *>pH:cards and pO>pH:cards joined by ;"
        raise refusal(where, entry, "R13.1", wanted)
    row = {
        "observer": EVERYBODY if knower == "*" else seat_number(knower, where, num_seats),
        "holder": seat_number(holder, where, num_seats),
        "cards": _parse_cards(cards, where),
    }
    if row["observer"] == row["holder"]:
        wanted = "a row is about the hand of another seat than the observer's own"
        raise refusal(where, entry, "R11.2", wanted)
    return row


def _parse_base(text: str, where: str, num_seats: int, observer: int | None) -> View:
    if text == "-":
        return {"base": {}, "own": []}
    first, *entries = text.split(";")
    if first[:2] != "*:":
        wanted = "BASE is -, or *:cards and then pO:cards for seats, joined by ;"
        raise refusal(where, text, "R13.1", wanted)
    base = _parse_cards(first[2:], where)
    if not base:
        raise refusal(where, text, "R13.4", "the reshuffled pile is not empty")
    own = [_parse_own(entry, where, num_seats) for entry in entries]
    if any(low["seat"] >= high["seat"] for low, high in pairwise(own)):
        raise refusal(where, text, "R13.1", "the seats of BASE stand once each, in their order")
    if observer is not None and any(entry["seat"] != observer for entry in own):
        wanted = "an observation has the part * of BASE and the entry of its observer"
        raise refusal(where, text, "R14.1" if observer else "R14.2", wanted)
    return {"base": base, "own": own}


def _parse_own(entry: str, where: str, num_seats: int) -> View:
    seat, colon, cards = entry.partition(":")
    if not colon or cards == "-":
        raise refusal(where, entry, "R13.1", "an entry of BASE is pO: and cards, not none")
    return {"seat": seat_number(seat, where, num_seats), "cards": _parse_cards(cards, where)}
