"""Lines of A Knight's Duty <-> typed views: positions and observations (R13).

A *view* is a position or observation as plain data, keyed like the proto messages
KnightsDutyPosition and KnightsDutyObservation; an observation has the key `observer`. Parsing
validates: whatever `view_text` writes from a wrong view, `parse_position` and `parse_observation`
refuse. Options alone are checked by `view_text`, as a wrong one could pass for several right ones.
"""

import re
from collections.abc import Mapping
from typing import Any

from . import options
from .names import HEARTS, STAGES, TOKENS, WEAPONS
from .refusals import number, refusal
from .validity import check
from .work import parse_work, work_text

View = dict[str, Any]

FIELDS = ("kd and options", "turn", "stage", "actor", "players", "work")
STAGE = re.compile(rf"([0-3])\.({'|'.join(STAGES)})", re.ASCII)
HEART_OF_LETTER = {letter: heart for heart, letter in HEARTS.items()}
WEAPON_OF_LETTER = {letter: weapon for weapon, letter in WEAPONS.items()}
TOKEN_OF_LETTER = {letter: token for token, letter in TOKENS.items()}
UP_OF_LETTER = {"u": True, "d": False}
SLOTS = 3


# --- writing ----------------------------------------------------------------------------------


def view_text(view: View) -> str:
    """Write the line of a view; what is absent or empty counts as zero, empty or nobody.

    Raises:
        InputError: an option has no such value, or the options tell another number of players than
            there are; the line can't.
    """
    players = view.get("players") or []
    given = options.texts(view.get("options") or {}, len(players))
    if given["players"] != str(len(players)):
        wanted = f"options.players is 0 or the number of players, {len(players)}"
        raise refusal("options.players", given["players"], "R13.3", wanted)
    # How many players there may be is for the reader of their records.
    options.checked(given | {"players": options.DEFAULTS["players"]})
    fields = [
        options.tag(given),
        f"t{view.get('turn', 0)}",
        f"{view.get('slot', 0)}.{view.get('stage', '')}",
        _actor_text(view),
        ";".join(map(_player_text, players)),
        work_text(view),
    ]
    observer = view.get("observer")
    if observer is not None:
        fields.append(f"@p{observer}" if observer else "@-")
    return " ".join(fields)


def _actor_text(view: View) -> str:
    if seat := view.get("seat"):
        return f"p{seat}"
    return "chance" if view.get("stage") == "draw" else "-"


def _player_text(player: Mapping[str, Any]) -> str:
    heart, weapon = player.get("heart", ""), player.get("weapon", "")
    if heart == "out" and not any(value for key, value in player.items() if key != "heart"):
        return "out"
    parts = [
        _space_text(player.get("space")),
        HEARTS.get(heart, f"({heart})"),
        WEAPONS.get(weapon, f"({weapon})"),
        "u" if player.get("inspiration_up") else "d",
        "".join(TOKENS.get(token, f"({token})") for token in player.get("tracker") or []),
    ]
    return "/".join(parts)


def _space_text(space: Mapping[str, int] | None) -> str:
    return "-" if space is None else f"{space.get('q', 0)},{space.get('r', 0)}"


# --- reading ----------------------------------------------------------------------------------


def parse_position(text: str) -> View:
    """Return the view of a position line.

    Raises:
        InputError: the line breaks R13.3, R13.6 or R13.7; names the field, its value and the rule.
    """
    fields = text.split(" ")
    if fields[-1].startswith("@"):
        wanted = "a position ends with work; this line has the last field of an observation"
        raise refusal("position", fields[-1], "R13.3", wanted)
    return _parse(fields, text, "position", {})


def parse_observation(text: str) -> View:
    """Return the view of an observation line.

    Raises:
        InputError: the line breaks R13.5, or no valid position looks so; names the field, its
            value and the rule.
    """
    fields = text.split(" ")
    observers = {"@-": 0} | {f"@p{seat}": seat for seat in range(1, 7)}
    if fields[-1] not in observers:
        wanted = "an observation ends with @p and the number of a seat, or with @- for a spectator"
        raise refusal("observation.observer", fields[-1], "R13.5", wanted)
    return _parse(fields[:-1], text, "observation", {"observer": observers[fields[-1]]})


def _parse(fields: list[str], text: str, kind: str, observer: View) -> View:
    """Read and check the fields of a position, or those of an observation but its last one."""
    if len(fields) != len(FIELDS):
        wanted = "the fields, separated by one space each, are " + ", ".join(FIELDS)
        raise refusal(kind, text, "R13.3", wanted + (", @" if observer else ""))
    records = fields[4].split(";")
    num_seats = len(records)
    values = _parse_tag(fields[0], kind, num_seats)
    slot, stage = _parse_stage(fields[2], f"{kind}.stage")
    if observer.get("observer", 0) > num_seats:
        wanted = f"the seats are p1 to p{num_seats}"
        raise refusal(f"{kind}.observer", f"@p{observer['observer']}", "R13.5", wanted)
    view = {
        "options": values,
        "turn": _parse_turn(fields[1], f"{kind}.turn", values["turn_limit"]),
        "slot": slot,
        "stage": stage,
        "seat": _parse_actor(fields[3], f"{kind}.actor", stage, num_seats),
        "players": [
            _parse_player(record, f"{kind}.p{seat}", values["radius"])
            for seat, record in enumerate(records, 1)
        ],
        **parse_work(fields[5], f"{kind}.work", num_seats),
        **observer,
    }
    check(view)
    return view


def _parse_tag(text: str, kind: str, num_seats: int) -> options.Values:
    where = f"{kind}.options"
    tag, *items = text.split(";")
    pairs = [item.split("=") for item in items]
    if tag != "kd" or any(len(pair) != 2 for pair in pairs):
        raise refusal(where, text, "R13.3", "the first field is kd and ;option=value for options")
    given = dict(pairs)
    if "players" in given:
        wanted = "the number of records tells the players, so they are no option of a line"
        raise refusal(f"{where}.players", given["players"], "R13.3", wanted)
    checked = options.checked(given | {"players": str(num_seats)}, where)
    if text != options.tag(checked):
        wanted = (
            "the first field has the options that differ from their defaults, in the order of "
            f"R13.3: {options.tag(checked)}"
        )
        raise refusal(where, text, "R13.6a", wanted)
    return options.values(checked)


def _parse_turn(text: str, where: str, turn_limit: int) -> int:
    if text[:1] != "t":
        raise refusal(where, text, "R13.3", "the turn is t and its number")
    return number(text[1:], where, 1, turn_limit, "R13.6a")


def _parse_stage(text: str, where: str) -> tuple[int, str]:
    """Return slot and name of a stage."""
    found = STAGE.fullmatch(text)
    if not found:
        wanted = f"a stage is the slot, 0 to 3, a point and one of {', '.join(STAGES)}"
        raise refusal(where, text, "R13.3", wanted)
    slot, stage = int(found[1]), found[2]
    if (slot == 0) != (stage in ("clan", "place")):
        wanted = "the slot is 0 at clan and place, 1 to 3 at the other stages"
        raise refusal(where, text, "R13.6a", wanted)
    return slot, stage


def _parse_actor(text: str, where: str, stage: str, num_seats: int) -> int:
    """Return the seat that decides; 0 at chance nodes and at the end."""
    nobody = {"draw": "chance", "end": "-"}.get(stage)
    seats = {f"p{seat}": seat for seat in range(1, num_seats + 1)}
    if nobody and text != nobody:
        raise refusal(where, text, "R13.6g", f"at {stage} the actor is {nobody}")
    if not nobody and text not in seats:
        raise refusal(where, text, "R13.6g", f"at {stage} a seat is asked, p1 to p{num_seats}")
    return seats.get(text, 0)


def _parse_player(text: str, where: str, radius: int) -> View:
    if text == "out":
        return {"heart": "out", "weapon": "", "inspiration_up": False, "tracker": []}
    parts = text.split("/")
    if len(parts) != 5:
        wanted = "a player is out, or cell/heart/weapon/inspiration/tracker"
        raise refusal(where, text, "R13.3", wanted)
    cell, heart, weapon, inspiration, tracker = parts
    return {
        "heart": _lookup(heart, HEART_OF_LETTER, f"{where}.heart"),
        "weapon": _lookup(weapon, WEAPON_OF_LETTER, f"{where}.weapon"),
        "inspiration_up": _lookup(inspiration, UP_OF_LETTER, f"{where}.inspiration"),
        "tracker": _parse_tracker(tracker, f"{where}.tracker"),
        **_parse_space(cell, f"{where}.space", radius),
    }


def _lookup(text: str, table: Mapping[str, Any], where: str) -> Any:
    if text not in table:
        raise refusal(where, text, "R13.3", f"one of {', '.join(table)} is expected")
    return table[text]


def _parse_tracker(text: str, where: str) -> list[str]:
    if len(text) != SLOTS or any(letter not in TOKEN_OF_LETTER for letter in text):
        wanted = f"a tracker is three of {' '.join(TOKEN_OF_LETTER)}"
        raise refusal(where, text, "R13.3", wanted)
    return [TOKEN_OF_LETTER[letter] for letter in text]


def _parse_space(text: str, where: str, radius: int) -> View:
    if text == "-":
        return {}
    parts = text.split(",")
    if len(parts) != 2:
        raise refusal(where, text, "R13.3", "a space is q,r, or - before the choice of a corner")
    q, r = (number(part, where, -radius, radius, "R13.6b") for part in parts)
    return {"space": {"q": q, "r": r}}
