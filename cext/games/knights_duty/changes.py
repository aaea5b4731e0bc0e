"""Differences between two states of A Knight's Duty in words, with their gain for a seat.

Works on views.
"""

from kingmaker.cext.change import (
    Change,
    Told,
    change_of_result,
    changes_of_players,
    weightiest_first,
)

from .names import HIDDEN, HIGH_GROUND, LOCKED, UNFILLED, View, a_token, space_of

# Section 19 of the rules page weighs a Heart 1, slot 3 0.25, a weapon 0.15 and Inspiration 0.1 to
# 0.2. A Heart is about a quarter of the win between equal players.
HEART = 0.25
LOCK = 0.06
WEAPON = 0.04
INSPIRATION = 0.04
HEART_WORTH = {"full": 2 * HEART, "broken": HEART, "defeated": 0.0, "out": 0.0}
HEART_WORDS = {
    "broken": "p{}'s Heart breaks",
    "defeated": "p{} is defeated",
    "out": "p{} leaves the board",
}


def changes(before: View, after: View, seat: int) -> list[Change]:
    """List the changes for `seat` (from 1; 0: spectator), the weightiest first."""
    num_seats = len(before["players"])
    told = [
        _player_changes(before, after, player)
        + (_tracker_shown(before, after, player) if player != seat else [])
        for player in range(1, num_seats + 1)
    ]
    found = changes_of_players(told, seat, num_seats)
    if after["node"]["type"] == "end" != before["node"]["type"]:
        found.append(change_of_result(after["winners"], seat))
    found += [Change(text, 0.0) for text in _course_changes(before, after)]
    return weightiest_first(found)


def _player_changes(before: View, after: View, seat: int) -> list[Told]:
    old, new = before["players"][seat - 1], after["players"][seat - 1]
    found = []
    if new["heart"] != old["heart"]:
        gain = HEART_WORTH[new["heart"]] - HEART_WORTH[old["heart"]]
        found.append((HEART_WORDS[new["heart"]].format(seat), gain))
    if new["heart"] == "out":
        return found
    if new["weapon"] != old["weapon"]:
        found.append(_weapon_change(f"p{seat}", old["weapon"], new["weapon"]))
    if new["inspiration_up"] and not old["inspiration_up"]:
        found.append((f"p{seat}'s Inspiration is up again", INSPIRATION))
    if old["inspiration_up"] and not new["inspiration_up"]:
        found.append((f"p{seat}'s Inspiration is spent", -INSPIRATION))
    return found + _space_changes(before, after, seat) + _locks(before, after, seat)


def _weapon_change(name: str, old: str, new: str) -> Told:
    if not new:
        return (f"{name} fumbles, and its {old} is gone", -WEAPON)
    return (f"{name} takes up the {new}", 0.0 if old else WEAPON)


def _space_changes(before: View, after: View, seat: int) -> list[Told]:
    old, new = space_of(before, seat), space_of(after, seat)
    if new is None or new == old:
        return []
    where = "the High Ground" if new == HIGH_GROUND else f"{new[0]},{new[1]}"
    return [(f"p{seat} {'moves to' if old else 'starts on'} {where}", 0.0)]


def _locks(before: View, after: View, seat: int) -> list[Told]:
    """List slots that a hit has locked; a new turn begins with empty trackers."""
    return [
        (f"slot {slot} of p{seat} is locked", -LOCK)
        for slot, was, token in _slots(before, after, seat)
        if token == LOCKED and was != LOCKED
    ]


def _tracker_shown(before: View, after: View, seat: int) -> list[Told]:
    """List a rival's tokens that are turned up, including one placed by the same move."""
    return [
        (f"p{seat} shows {a_token(token)} in slot {slot}", 0.0)
        for slot, was, token in _slots(before, after, seat)
        if was in (HIDDEN, UNFILLED) and token not in (HIDDEN, UNFILLED, LOCKED)
    ]


def _slots(before: View, after: View, seat: int) -> list[tuple[int, str, str]]:
    """List (slot, content before, content after) of a tracker; empty in a new turn."""
    if after["turn"] != before["turn"] or after["players"][seat - 1]["heart"] == "out":
        return []
    old, new = (view["players"][seat - 1]["tracker"] for view in (before, after))
    return [(slot, was, token) for slot, (was, token) in enumerate(zip(old, new, strict=True), 1)]


def _course_changes(before: View, after: View) -> list[str]:
    """List other changes: a new turn or slot, attacks that go ahead."""
    found = []
    if after["turn"] != before["turn"]:
        found.append(f"turn {after['turn']} begins")
    elif after["slot"] != before["slot"]:
        found.append(f"slot {after['slot']} begins")
    found += [
        f"p{attack['attacker']} attacks p{attack['target']}"
        for attack in after["attacks"]
        if attack not in before["attacks"]
    ]
    return found
