"""Validity of positions and observations: R13.6 and R13.7 on parsed views.

An observation is valid if it is what its observer sees of some valid position. Nothing that is
hidden can spoil a position: hidden slots can always be filled from the supply, and every hidden
choice has a legal value (stay, claim:no, target:none, order:wait, inspire:no). So the same checks
serve both, and pass over what is hidden.
"""

from typing import Any

from . import arena
from .names import HEARTS, LOCKED, SUPPLY, UNFILLED, WEAPONS, seats_name, tracker_text
from .refusals import refusal
from .views import space_of, standing
from .visibility import check_visibility
from .work_validity import check_work

View = dict[str, Any]

LAST_SLOT = 3
BEFORE_ATTACKS = ("step", "claim")
DEFEAT_STAGES = ("target", "order", "inspire", "draw")


def check(view: View) -> None:
    """Refuse a position or observation that R13.5, R13.6 or R13.7 does not allow.

    Raises:
        InputError: names the field, its value and the rule.
    """
    kind = "observation" if "observer" in view else "position"
    check_visibility(view, kind)
    _check_number_standing(view, kind)
    _check_actor_stands(view, kind)
    if view["stage"] == "clan":
        _check_choice_of_corners(view, kind)
    else:
        _check_spaces(view, kind)
    for seat in standing(view):
        _check_supply(view, kind, seat)
        _check_lock(view, kind, seat)
        _check_defeat(view, kind, seat)
        _check_filled(view, kind, seat)
    check_work(view, kind)


def _check_number_standing(view: View, kind: str) -> None:
    """R13.6 (h); how many stand at the end follows from the result."""
    if view["stage"] != "end" and len(standing(view)) < 2:
        wanted = "before the end at least two Knights stand"
        raise refusal(f"{kind}.players", seats_name(standing(view)), "R13.6h", wanted)


def _check_actor_stands(view: View, kind: str) -> None:
    if view["seat"] and view["seat"] not in standing(view):
        wanted = f"the actor is one of those that stand, {seats_name(standing(view))}"
        raise refusal(f"{kind}.actor", f"p{view['seat']}", "R13.6g", wanted)


# --- spaces, R13.6 (b) ------------------------------------------------------------------------


def _check_spaces(view: View, kind: str) -> None:
    """Knights stand on distinct existing spaces."""
    taken: dict[arena.Space, int] = {}
    for seat in standing(view):
        where, space = f"{kind}.p{seat}.space", space_of(view, seat)
        if space is None:
            wanted = "every Knight on the board has a space, except during the choice of corners"
            raise refusal(where, "-", "R13.6b", wanted)
        if not arena.exists(view["options"], space):
            radius = view["options"]["radius"]
            wanted = f"a space lies within {radius} steps of 0,0"
            raise refusal(where, _space_text(space), "R13.6b", wanted)
        if space in taken:
            wanted = f"a space holds one Knight, here that of p{taken[space]}"
            raise refusal(where, _space_text(space), "R13.6b", wanted)
        taken[space] = seat


def _check_choice_of_corners(view: View, kind: str) -> None:
    if view["options"]["clans"] != "choose":
        wanted = "corners are chosen with the option clans=choose only"
        raise refusal(f"{kind}.stage", "0.clan", "R13.6b", wanted)
    if view["turn"] != 1:
        wanted = "corners are chosen before turn 1, t1"
        raise refusal(f"{kind}.turn", f"t{view['turn']}", "R13.6b", wanted)
    for seat, player in enumerate(view["players"], 1):
        _check_fresh(player, f"{kind}.p{seat}")
    _check_corners(view, kind)


def _check_fresh(player: View, where: str) -> None:
    """A Knight is as at the start (R3.3)."""
    wanted = "during the choice of corners a Knight is as at the start, F/n/u/..."
    for key, found, start in (
        ("heart", HEARTS.get(player["heart"], player["heart"]), "F"),
        ("weapon", WEAPONS[player["weapon"]], "n"),
        ("inspiration", "u" if player["inspiration_up"] else "d", "u"),
        ("tracker", tracker_text(player["tracker"]), "..."),
    ):
        if found != start:
            raise refusal(f"{where}.{key}", found, "R13.6b", wanted)


def _check_corners(view: View, kind: str) -> None:
    """The seats before the actor have distinct corners, the others none yet."""
    free = arena.corners(view["options"])
    for seat in standing(view):
        where, space = f"{kind}.p{seat}.space", space_of(view, seat)
        if seat >= view["seat"]:
            if space is not None:
                wanted = f"p{seat} has no corner yet, -"
                raise refusal(where, _space_text(space), "R13.6b", wanted)
            continue
        if space is None or space not in free:
            wanted = "p{} has one of the free corners {}".format(
                seat, " ".join(map(_space_text, free))
            )
            raise refusal(where, "-" if space is None else _space_text(space), "R13.6b", wanted)
        free.remove(space)


def _space_text(space: arena.Space) -> str:
    return f"{space[0]},{space[1]}"


# --- trackers, R13.6 (c) and (d) --------------------------------------------------------------


def _check_supply(view: View, kind: str, seat: int) -> None:
    tracker = view["players"][seat - 1]["tracker"]
    where = f"{kind}.p{seat}.tracker"
    for token, count in SUPPLY.items():
        if tracker.count(token) > count:
            wanted = f"a player has {count} {token} tokens"
            raise refusal(where, f"{tracker.count(token)} {token}", "R13.6c", wanted)
    if "empty" in tracker and view["options"]["empty_slots"] == "off":
        wanted = "no slot is left empty with empty_slots=off"
        raise refusal(where, "E", "R13.6c", wanted)


def _check_filled(view: View, kind: str, seat: int) -> None:
    """Slots are filled from the first on, seat by seat, and all are when the slots begin."""
    tracker = view["players"][seat - 1]["tracker"]
    usable = [token for token in tracker if token != LOCKED]
    num_filled = len(usable) - usable.count(UNFILLED)
    if view["stage"] == "clan":
        return  # checked with the rest of the start
    if view["stage"] != "place" or seat < view["seat"]:
        is_right = num_filled == len(usable)
        wanted = f"all slots of p{seat} are filled now"
    elif seat > view["seat"]:
        is_right = num_filled == 0
        wanted = f"p{seat} programmes after p{view['seat']}, so its slots are not filled yet"
    else:
        is_right = UNFILLED in usable and UNFILLED not in usable[:num_filled]
        wanted = f"the filled slots of p{seat} come first, and at least one is left to fill"
    if not is_right:
        raise refusal(f"{kind}.p{seat}.tracker", tracker_text(tracker), "R13.6c", wanted)


def _check_lock(view: View, kind: str, seat: int) -> None:
    """Slot 3 is locked where its player was hit before (R4.3, R4.8)."""
    player, where = view["players"][seat - 1], f"{kind}.p{seat}.tracker"
    *others, last = player["tracker"]
    if LOCKED in others:
        raise refusal(where, "x", "R13.6d", "only slot 3 is ever locked")
    if last == LOCKED and player["heart"] == "full":
        raise refusal(where, "x", "R13.6d", f"p{seat} has a Full Heart, and its slot 3 is open")
    if last != LOCKED and _must_be_locked(view, player["heart"]):
        wanted = f"slot 3 of p{seat}, which was hit before, is locked (x)"
        raise refusal(where, tracker_text(player["tracker"]), "R13.6d", wanted)


def _must_be_locked(view: View, heart: str) -> bool:
    """Tell whether a hit has locked slot 3; one in slot 3 itself does so in the next turn only."""
    if heart == "broken":
        return view["slot"] < LAST_SLOT or view["stage"] in BEFORE_ATTACKS
    return bool(heart == "defeated" and view["slot"] < LAST_SLOT)


def _check_defeat(view: View, kind: str, seat: int) -> None:
    is_defeated = view["players"][seat - 1]["heart"] == "defeated"
    if is_defeated and view["stage"] not in DEFEAT_STAGES:
        wanted = f"a defeated Knight is on the board at {', '.join(DEFEAT_STAGES)} only"
        raise refusal(f"{kind}.p{seat}.heart", "X", "R13.6d", wanted)
