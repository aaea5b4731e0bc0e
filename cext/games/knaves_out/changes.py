"""Differences between two states of Knaves Out in words, with their gain for a seat.

Works on views. The gains follow the evaluation terms of section 16 of the rules page: most of all
the hit points of king buildings, then soldiers and buildings, then cards and marks.
"""

from collections import Counter

from kingmaker.cext.change import (
    Change,
    Told,
    change_of_result,
    changes_of_players,
    weightiest_first,
)
from kingmaker.cext.words import counted

from .names import (
    ACTIONS,
    BUILDINGS,
    TOWER_NAMES,
    TOWER_WORDS,
    View,
    piece_name,
    winners_of,
)

KING_CHECKER = 0.08
BUILDING = 0.04
SOLDIER = 0.03
CHECKER = 0.015
CARD = 0.005
COURT_CARD = 0.05
EFFECT = 0.04  # of a devoured stack
MARK = 0.01
AT_SEA = ""
"""The square of soldiers at sea."""


def changes(before: View, after: View, seat: int) -> list[Change]:
    """List the changes for `seat` (from 1; 0: spectator), the weightiest first."""
    pairs = [*zip(before["players"], after["players"], strict=True)]
    told = [_player_changes(*pair, number, before) for number, pair in enumerate(pairs, 1)]
    found = changes_of_players(told, seat, len(pairs))
    found += [Change(text, 0.0) for text in _world_changes(before, after)]
    if after["node"]["type"] == "end" != before["node"]["type"]:
        found.append(change_of_result(winners_of(after["node"]), seat))
    return weightiest_first(found)


def _player_changes(old: View, new: View, seat: int, before: View) -> list[Told]:
    if old["is_alive"] and not new["is_alive"]:
        return [(f"p{seat} is defeated", -1.0)]
    return [
        *_piece_changes(old, new, f"p{seat}", before),
        *_tower_changes(old, new, f"p{seat}"),
        *_effect_changes(old, new, f"p{seat}"),
        *_mark_changes(old, new, f"p{seat}"),
        *_hand_changes(old, new, f"p{seat}"),
    ]


def _piece_changes(old: View, new: View, name: str, before: View) -> list[Told]:
    """List pieces of a player that came, went, changed places or checkers after a state."""
    was = {(piece["square"], piece["kind"]): piece for piece in old["pieces"]}
    now = {(piece["square"], piece["kind"]): piece for piece in new["pieces"]}
    gone = [was[place] for place in was if place not in now] + _sailors(old, new)
    come = [now[place] for place in now if place not in was] + _sailors(new, old)
    found = []
    for piece, moved in _likely_moves(gone, come, before):
        if piece in gone and moved in come:
            gone.remove(piece)
            come.remove(moved)
            found += _moved(piece, moved, name)
    for piece in list(gone):  # a pawn that dies of a charm (R7/charm)
        risen = (piece["square"], "unpawn")
        if piece["kind"] == "pawn" and now.get(risen) in come:
            gone.remove(piece)
            come.remove(now[risen])
            found.append(_rise(piece, now[risen], name))
    found += [(f"{name} loses the {_piece_on_square(piece)}", -_worth(piece)) for piece in gone]
    for piece in come:
        article = "an" if piece["kind"] == "unpawn" else "a"
        found.append((f"{name} gets {article} {_piece_on_square(piece)}", _worth(piece)))
    for place in was:
        if place in now:
            found += _checker_changes(was[place], now[place], name)
    return found


def _sailors(player: View, other: View) -> list[View]:
    """List the soldiers at sea that are not there in another state, as pieces."""
    here, there = (
        Counter((sailor["kind"], sailor["checkers"]) for sailor in each["sea"])
        for each in (player, other)
    )
    return [
        {"kind": kind, "is_tainted": False, "square": AT_SEA, "checkers": checkers}
        for kind, checkers in (here - there).elements()
    ]


def _likely_moves(gone: list[View], come: list[View], before: View) -> list[tuple[View, View]]:
    """List the moves that can have been, the likeliest first.

    A step that waited for its damage was made by the piece that wanted it; others are short and
    change no checkers.
    """
    step = before["node"].get("step", {})
    waited = step.get("source", step.get("square")), step.get("target", AT_SEA)

    def oddity(move: tuple[View, View]) -> tuple[bool, bool, int]:
        was, now = move
        squares = was["square"], now["square"]
        return (
            squares != waited,
            _distance(*squares, before) > 1,
            abs(was["checkers"] - now["checkers"]),
        )

    moves = [
        (was, now)
        for was in gone
        for now in come
        if was["kind"] == now["kind"] and was["square"] != now["square"]
    ]
    return sorted(moves, key=oddity)


def _distance(source: str, target: str, view: View) -> int:
    """Count the steps between two squares; between land and sea it is one."""
    if AT_SEA in (source, target):
        return 1
    (x, y), (other_x, other_y) = (_place(square, view) for square in (source, target))
    return max(abs(x - other_x), abs(y - other_y))


def _place(square: str, view: View) -> tuple[int, int]:
    board = view["players"][int(square[0]) - 1]["board"]
    return board["x"] + ord(square[1]), board["y"] + int(square[2])


def _moved(was: View, now: View, name: str) -> list[Told]:
    who = f"{name}'s {was['kind']}"
    paid = was["checkers"] - now["checkers"]
    if now["square"] == AT_SEA:
        left = f" with {now['checkers']} of {counted(was['checkers'], 'checker')}" if paid else ""
        return [(f"{who} on {was['square']} goes to sea{left}", -paid * CHECKER)]
    goes = "lands on" if was["square"] == AT_SEA else f"goes from {was['square']} to"
    return [(f"{who} {goes} {now['square']}", 0.0), *_checker_changes(was, now, name)]


def _rise(pawn: View, unpawn: View, name: str) -> Told:
    checkers = counted(unpawn["checkers"], "checker")
    text = f"{name}'s pawn on {pawn['square']} dies and rises as an unpawn with {checkers}"
    return text, _worth(unpawn) - _worth(pawn)


def _piece_on_square(piece: View) -> str:
    where = "at sea" if piece["square"] == AT_SEA else f"on {piece['square']}"
    return f"{piece_name(piece)} {where}"


def _worth(piece: View) -> float:
    base = BUILDING if piece["kind"] in BUILDINGS else SOLDIER
    return base + CHECKER * int(piece["checkers"])


def _checker_changes(was: View, now: View, name: str) -> list[Told]:
    where = f"{name}'s {piece_name(now)} on {now['square']}"
    found = []
    if now["checkers"] != was["checkers"]:
        step = now["checkers"] - was["checkers"]
        weight = KING_CHECKER if now["kind"] == "king" else CHECKER
        text = f"{where} goes from {was['checkers']} to {counted(now['checkers'], 'checker')}"
        found.append((text, step * weight))
    if now["is_tainted"] and not was["is_tainted"]:
        found.append((f"{name}'s {piece_name(was)} on {now['square']} is tainted now", 0.0))
    return found


def _tower_changes(old: View, new: View, name: str) -> list[Told]:
    found = []
    for tower, field in TOWER_NAMES.items():
        was, now = old.get(field), new.get(field)
        words = TOWER_WORDS[tower]
        if was is None and now is None:
            continue
        if was is None or now is None:
            is_new = was is None
            gain = COURT_CARD if is_new else -COURT_CARD
            found.append((f"{name} {'has' if is_new else 'loses'} {words}", gain))
            continue
        heights = [sum(card != "jo" for card in each["stack"]) for each in (was, now)]
        if heights[0] != heights[1]:
            text = f"the stack of {words} of {name} goes from {heights[0]} to {heights[1]}"
            found.append((text, (heights[1] - heights[0]) * CARD))
    return found


def _effect_changes(old: View, new: View, name: str) -> list[Told]:
    was, now = (
        [
            ACTIONS[each["effect"]]
            for field in TOWER_NAMES.values()
            for each in player.get(field, {}).get("devoured", ())
        ]
        for player in (old, new)
    )
    return [
        *((f"{name} has {effect} for good", EFFECT) for effect in now if effect not in was),
        *((f"{name} loses {effect}", -EFFECT) for effect in was if effect not in now),
    ]


def _mark_changes(old: View, new: View, name: str) -> list[Told]:
    more, fewer = _more(new, old, "marks"), _more(old, new, "marks")
    swayers, former = _more(new, old, "swayed_by"), _more(old, new, "swayed_by")
    return [
        *((f"{name} gets the mark {mark}", MARK) for mark in more),
        *((f"the mark {mark} of {name} ends", -MARK) for mark in fewer),
        *((f"{name} is swayed by p{swayer}", -MARK) for swayer in swayers),
        *((f"{name} is no longer swayed by p{swayer}", MARK) for swayer in former),
    ]


def _more(one: View, other: View, field: str) -> list[str]:
    return [each for each in one[field] if each not in other[field] and each != "played"]


def _hand_changes(old: View, new: View, name: str) -> list[Told]:
    was, now = (len(each["hand"]) + each["num_hidden"] for each in (old, new))
    if was == now:
        return []
    return [(f"{name}'s hand goes from {was} to {counted(now, 'card')}", 0.0)]


def _world_changes(before: View, after: View) -> list[str]:
    found = []
    for name, words in (("ivory", "the Ivory Tower"), ("dark", "the Dark Tower")):
        was, now = before[name], after[name]
        if name == "dark" and _has_run_down(before, after):
            found.append("the Dark Tower loses its last checker, so its Chosen One is defeated")
        elif was["status"] != now["status"]:
            found.append(f"{words} {'stands' if now['status'] == 'standing' else 'is gone'}")
        elif now["status"] == "standing":
            checkers = [each["red"] + each["black"] for each in (was, now)]
            if checkers[0] != checkers[1]:
                now_has = counted(checkers[1], "checker")
                found.append(f"{words} goes from {checkers[0]} to {now_has}")
    if after["turn"] != before["turn"] and after["node"]["type"] != "end":
        found.append(f"turn {after['turn']}, of p{after['active']}, begins")
    return found


def _has_run_down(before: View, after: View) -> bool:
    """Tell whether the Dark Tower went at the start of a turn, by its clock (R11.6).

    A Chosen One may also fall in his own turn, or with its player by a Cherry Bomb (R12.3).
    """
    was, now = before["dark"], after["dark"]
    if was["status"] != "standing" or now["status"] == "standing":
        return False
    if was["chosen_one"] == before["active"] or before["node"]["type"] == "target":
        return False
    chosen = was["chosen_one"] - 1
    had_one = was["red"] + was["black"] == 1
    has_fallen = before["players"][chosen]["is_alive"] and not after["players"][chosen]["is_alive"]
    return had_one and has_fallen and bool(after["turn"] > before["turn"])
