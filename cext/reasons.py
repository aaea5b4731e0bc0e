"""Why a state is not valid or a move not legal: one table for each game.

The compiled rules write a reason code with up to four numbers: cards, squares, seats, amounts. The
table turns a code into the rule and a sentence in which each number is named by its kind:

    REASONS = {
        NOT_HELD: Reason("R6.1", "{0:card} is not in the hand"),
        TWICE: Reason("R12.4c", "a card stands once", "players[{0}].hand", "{1:card}"),
    }
    NUMBERS = Numbers(card=lambda code: NAMES[code])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from string import Formatter
from typing import Any, NamedTuple

from .errors import InputError, refusal
from .words import counted


class Reason(NamedTuple):
    """The meaning of a code.

    Attributes:
        rule: number of the rule that is broken.
        sentence: why a move is not legal, or what would be right in a state.
        field: path of the wrong value in a state, below `position` or `observation`; a message of
            a list without a fixed order by what it has, `known[observer={0:number}].cards`.
        value: the wrong value in a state.
    """

    rule: str
    sentence: str
    field: str = ""
    value: str = ""


class Numbers(Formatter):
    """Formats numbers in templates: `{0:card}` is the first one as a card, `{0}` the number.

    Args:
        kinds: kind -> function from a number to its name. `seat` (from 0 to `p1`), `seats` (a
            mask to `p1, p3`), `cards` (`1 card`, `2 cards`), and, for values of typed fields,
            `number` (a seat from 0 to `1`) and `numbers` (a mask to `[1, 3]`) are always defined.
    """

    def __init__(self, **kinds: Callable[[int], str]) -> None:
        self._kinds: dict[str, Callable[[int], str]] = {
            "seat": seat_name,
            "seats": seat_names,
            "cards": partial(counted, noun="card"),
            "number": seat_number,
            "numbers": lambda mask: str(seats_of(mask)),
            **kinds,
        }

    def format_field(self, value: Any, format_spec: str) -> str:
        """Name one number."""
        return self._kinds[format_spec](value) if format_spec else str(value)

    def sentence(self, reason: Reason, numbers: Sequence[int]) -> str:
        """Return the sentence of a reason."""
        return self.vformat(reason.sentence, numbers, {})

    def refusal(self, reason: Reason, numbers: Sequence[int], kind: str) -> InputError:
        """Return the error for an invalid state; `kind`: position or observation."""
        field, value = (self.vformat(text, numbers, {}) for text in (reason.field, reason.value))
        where = f"{kind}.{field}" if field else kind
        return refusal(where, value, reason.rule, self.sentence(reason, numbers))


def seat_name(seat: int) -> str:
    """Name a seat, counted from 0: `p1`."""
    return f"p{seat + 1}"


def seat_number(seat: int) -> str:
    """Write a seat, counted from 0, as in a typed view: `1`."""
    return str(seat + 1)


def seats_of(mask: int) -> list[int]:
    """List the seats of a mask, from 1, as in a typed view."""
    return [seat + 1 for seat in range(mask.bit_length()) if mask >> seat & 1]


def seat_names(mask: int) -> str:
    """Name the seats of a mask: `p1, p3`; `nobody` if it is empty."""
    return ", ".join(f"p{seat}" for seat in seats_of(mask)) or "nobody"
