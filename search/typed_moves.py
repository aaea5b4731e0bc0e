"""Why a typed move is not possible, in the words of its message.

The error names the first field in which no legal move agrees, of the legal moves that agree in the
fields before. The values of these moves in that field are the right ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kingmaker.cext.errors import IllegalMoveError, InputError, as_list
from kingmaker.cext.game import Game

from .position import Observation, Position
from .record import RecordError, seat_name

LISTED_CHARACTERS = 220  # of the right values, as many as all cards: a reason stands before them
LEFT_OUT = "or leave it out"
HIDDEN = "?"  # what the observer does not see, in every game

View = Mapping[str, Any]


class Fault(NamedTuple):
    """Where a typed move leaves the legal ones.

    Attributes:
        field: the first field in which no legal move agrees; empty: one agrees in all.
        before: the fields before it, in words.
        value: what the move has there; empty: nothing.
        right: what legal moves have there, each once in their order; an empty one: nothing.
    """

    field: str
    before: str
    value: str
    right: list[str]


def typed_refusal(node: Position | Observation, sent: View) -> IllegalMoveError:
    """Return the error of a typed move that is well-formed, but not legal.

    Args:
        node: the full state, or what the deciding seat sees.
        sent: the view of the move.
    """
    game, state = node.game, node.state
    move = game.move_from_view(dict(sent))
    why, rule = game.why_illegal(state, move)
    fault = fault_of(game.move_view(move), map(game.move_view, _possible(game, state)))
    head = _head(fault, sent, "is not legal")
    return IllegalMoveError(
        _sentence(head, why, fault), field=_path("move", fault.field), value=fault.value, rule=rule
    )


def typed_record_refusal(observation: Observation, error: RecordError, sent: View) -> InputError:
    """Return the error of a typed entry of a record that can't have happened where it stands.

    Values that would be right are told only where the observer knows the moves that were legal.
    """
    position, who = error.position, seat_name(error.seat)
    path, is_wrong = f"record.seen[{error.place}]", f"of {who} can't have happened here"
    if not position.is_chance and position.seat != error.seat:
        return InputError(
            f"{in_words(sent)} {is_wrong}: {error.why}",
            field=path if position.is_terminal else f"{path}.seat",
            value=in_words(sent) if position.is_terminal else str(error.seat),
            rule=error.rule,
        )
    fault = _fault_of_entry(observation, error, sent)
    return InputError(
        _sentence(_head(fault, sent, is_wrong), error.why, fault),
        field=_path(f"{path}.move", fault.field),
        value=fault.value or in_words(sent),
        rule=error.rule,
    )


def _fault_of_entry(observation: Observation, error: RecordError, sent: View) -> Fault:
    """Return where an entry leaves the moves that were legal, as the observer saw them."""
    position = error.position
    game, state = position.game, position.state
    viewer = observation.observer - 1
    seen = (game.seen(state, each, viewer) for each in _possible(game, state))
    fault = fault_of(
        game.move_view(game.move_from_view(dict(sent))), (game.move_view(each) for each in seen)
    )
    is_own = error.seat == observation.observer and not position.is_chance
    is_known = is_own or not game.is_hidden or fault.right == [HIDDEN]
    return fault if is_known else fault._replace(right=[])


def fault_of(sent: View, possible: Iterable[View]) -> Fault:
    """Return where a move leaves the legal moves."""
    agreeing = [*possible]
    names = dict.fromkeys(name for view in (sent, *agreeing) for name in view)
    before: dict[str, Any] = {}
    for name in names:
        value = sent.get(name)
        next_agreeing = [view for view in agreeing if _are_same(view.get(name), value)]
        if not next_agreeing:
            right = dict.fromkeys(_word(view.get(name)) for view in agreeing)
            return Fault(name, in_words(before), _word(value), [*right])
        agreeing = next_agreeing
        before[name] = value
    return Fault("", "", "", [])


def in_words(view: View) -> str:
    """Return a typed move as text: `verb move, source a2`."""
    told = ((name, _word(value)) for name, value in view.items())
    return ", ".join(f"{name} {word}" for name, word in told if word)


def _possible(game: Game, state: bytes) -> Sequence[int]:
    return game.moves_of(state) or [outcome for outcome, _ in game.outcomes_of(state)]


def _path(move: str, field: str) -> str:
    return f"{move}.{field}" if field else move


def _head(fault: Fault, sent: View, is_wrong: str) -> str:
    if not fault.field:
        return f"{in_words(sent)} {is_wrong}"
    behind = f" with {fault.before}" if fault.before else ""
    if not fault.value:
        return f"{fault.field} is missing{behind}"
    return f"{fault.field} {fault.value}{behind} {is_wrong}"


def _sentence(head: str, why: str, fault: Fault) -> str:
    words = [word for word in fault.right if word]
    if words:
        right = f"; possible here: {as_list(words, LISTED_CHARACTERS)}"
        return f"{head}: {why}{right}, {LEFT_OUT}" if "" in fault.right else f"{head}: {why}{right}"
    return f"{head}: {why}; leave it out" if fault.right else f"{head}: {why}"


def _are_same(first: Any, second: Any) -> bool:
    """Whether two values of a field are equal on the wire, where an absent one is a default one."""
    return first == second or (not first and not second)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " and ".join(map(_word, value))
    return "" if value is None else str(value)
