"""Differences between two states of Chessault in words, with their gain for a seat.

Works on the views of `Chessault.view_for_words`.
"""

from collections import Counter

from kingmaker.cext.change import Change, Told, changes_of_players, weightiest_first
from kingmaker.cext.words import counted

from .names import (
    ABILITIES,
    SIDES,
    TYPES,
    Counts,
    Figure,
    View,
    board_of,
    counts_name,
    on_square,
    player_name,
)

# Section 18 of the rules page gives values in pawns; this is the win share of a pawn between equal
# sides.
PAWN = 0.04
VALUES = {"pawn": 1.0, "knight": 3.0, "bishop": 3.0, "rook": 5.0, "queen": 9.0, "king": 20.0}
CREDIT = 0.45
ABILITY_VALUES = {"protect": 1.0, "explode": 1.5, "convert": 1.5}
MARKED = 0.3  # part of the value of a figure that is the target of a mark
CHECK = 2.0
IN_STOCK = 0.03  # part of the value of a figure that can be recruited


def changes(before: View, after: View, seat: int) -> list[Change]:
    """List the changes for `seat` (from 1; 0: spectator): the result, then the weightiest."""
    told = [_player_changes(before, after, owner) for owner in SIDES]
    found = weightiest_first(changes_of_players(told, seat, len(told), PAWN))
    return _result_changes(before, after, seat) + found


def _result_changes(before: View, after: View, seat: int) -> list[Change]:
    if after["node"]["type"] != "end" or before["node"]["type"] == "end":
        return []
    winner = after["node"]["winner"]
    if not winner:
        return [Change("the game is a draw", 0.0)]
    gain = 0.0 if seat == 0 else 1.0 if seat == winner else -1.0
    return [Change(f"{player_name(winner)} wins", gain)]


def _player_changes(before: View, after: View, owner: int) -> list[Told]:
    return [
        *_figure_changes(before, after, owner),
        *_credit_changes(before, after, owner),
        *_ability_changes(before, after, owner),
        *_mark_changes(before, after, owner),
        *_check_changes(before, after, owner),
    ]


def _figure_changes(before: View, after: View, owner: int) -> list[Told]:
    """List figures that die, enter the board, or return to the stock."""
    name = f"p{owner}"
    found = []
    old, new = (Counter(view["players"][owner - 1]["dead"]) for view in (before, after))
    if lost := _counts(new - old):
        found.append((f"{name} loses {counts_name(lost)}", -_worth(lost)))
    if back := _counts(old - new):
        found.append((f"{name} can recruit {counts_name(back)} again", IN_STOCK * _worth(back)))
    if gained := _counts(_standing(after, owner) - _standing(before, owner)):
        found.append((f"{name} has {counts_name(gained)} more in play", _worth(gained)))
    return found


def _counts(figures: Counter[str]) -> Counts:
    return {kind: figures[kind] for kind in TYPES if figures[kind]}


def _worth(counts: Counts) -> float:
    return sum(VALUES[kind] * count for kind, count in counts.items())


def _standing(view: View, owner: int) -> Counter[str]:
    return Counter(figure["type"] for figure in view["figures"] if figure["seat"] == owner)


def _credit_changes(before: View, after: View, owner: int) -> list[Told]:
    old, new = (view["players"][owner - 1]["credits"] for view in (before, after))
    if old == new:
        return []
    verb = "gains" if new > old else "loses"
    text = f"p{owner} {verb} {counted(abs(new - old), 'credit')} and has {new}"
    return [(text, CREDIT * (new - old))]


def _ability_changes(before: View, after: View, owner: int) -> list[Told]:
    old, new = _held(before, owner), _held(after, owner)
    found = []
    for ability in ABILITIES:
        difference = new[ability] - old[ability]
        if difference:
            verb = "gains" if difference > 0 else "loses"
            times = "" if abs(difference) == 1 else f" on {abs(difference)} figures"
            worth = ABILITY_VALUES[ability] * difference
            found.append((f"p{owner} {verb} {ability}{times}", worth))
    return found


def _held(view: View, owner: int) -> Counter[str]:
    return Counter(figure["ability"] for figure in view["figures"] if figure["seat"] == owner)


def _mark_changes(before: View, after: View, owner: int) -> list[Told]:
    """List new marks on figures of `owner`, without marks that moved with a figure."""
    old, new = _marks_on(before, owner), _marks_on(after, owner)
    gone = [mark for mark in old if mark not in new]
    board = board_of(after)
    found = []
    for mark in new:
        if mark in old:
            continue
        earlier = next((each for each in gone if _has_become(each, mark, board)), None)
        if earlier:
            gone.remove(earlier)
        else:
            found.append((f"{on_square(mark)} is to be converted", -MARKED * VALUES[mark["type"]]))
    return found


def _marks_on(view: View, owner: int) -> list[View]:
    """List the marks on figures of `owner`: square and type of the target, and its converter."""
    board = board_of(view)
    return [
        {
            "square": mark["target"],
            "type": board[mark["target"]]["type"],
            "converter": mark["converter"],
            "by": board[mark["converter"]]["type"] if mark["converter"] else "",
        }
        for mark in view["marks"]
        if board[mark["target"]]["seat"] == owner
    ]


def _has_become(old: View, new: View, board: dict[str, Figure]) -> bool:
    """Return whether a mark is an earlier one with moved figures or no converter (R9.14)."""
    left = board.get(old["square"], {}).get("type") != old["type"]
    is_same_target = old["type"] == new["type"] and (left or old["square"] == new["square"])
    return is_same_target and new["by"] in (old["by"], "")


def _check_changes(before: View, after: View, owner: int) -> list[Told]:
    if after["node"]["type"] == "end":
        return []
    old, new = owner in before["in_check"], owner in after["in_check"]
    if old == new:
        return []
    if new:
        return [(f"the king of p{owner} is in check", -CHECK)]
    return [(f"the king of p{owner} is no longer in check", CHECK)]
