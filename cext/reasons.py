"""Why a state is not valid or a move not legal: one table for each game.

The compiled rules write a reason code with up to four numbers: cards, squares, seats, amounts. The
table turns a code into the rule and a sentence in which each number is said as what it is:

    REASONS = {
        NOT_HELD: Reason("R6.1", "{0:card} is not in the hand"),
        TWICE: Reason("R12.4c", "a card stands once", "players[{0}].hand", "{1:card}"),
    }
    NUMBERS = Numbers(card=lambda code: NAMES[code])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import Formatter
from typing import Any, NamedTuple

from .errors import InputError, refusal


class Reason(NamedTuple):
    """What a code says.

    Attributes:
        rule: number of the rule that is broken.
        sentence: of a move, why it is not legal; of a state, what would be right.
        field: of a state, the path of what is wrong, below `position` or `observation`.
        value: of a state, what stands there.
    """

    rule: str
    sentence: str
    field: str = ""
    value: str = ""


class Numbers(Formatter):
    """Fills templates with numbers: `{0:card}` is the first one as a card, `{0}` the number.

    Args:
        kinds: kind -> what a number of this kind is called. There are always `seat` (from 0 to
            `p1`) and `seats` (a mask to `p1, p3`).
    """

    def __init__(self, **kinds: Callable[[int], str]) -> None:
        self._kinds = {"seat": seat_name, "seats": seat_names, **kinds}

    def format_field(self, value: Any, format_spec: str) -> str:
        """Say one number."""
        return self._kinds[format_spec](value) if format_spec else str(value)

    def sentence(self, reason: Reason, numbers: Sequence[int]) -> str:
        """Return the sentence of a reason."""
        return self.vformat(reason.sentence, numbers, {})

    def refusal(self, reason: Reason, numbers: Sequence[int], kind: str) -> InputError:
        """Return the error for a state that is not valid; `kind`: position or observation."""
        field, value = (self.vformat(text, numbers, {}) for text in (reason.field, reason.value))
        where = f"{kind}.{field}" if field else kind
        return refusal(where, value, reason.rule, self.sentence(reason, numbers))


def seat_name(seat: int) -> str:
    """Name a seat, which counts from 0: `p1`."""
    return f"p{seat + 1}"


def seat_names(mask: int) -> str:
    """Name the seats of a mask: `p1, p3`; `nobody`."""
    return ", ".join(seat_name(seat) for seat in range(mask.bit_length()) if mask >> seat & 1) or (
        "nobody"
    )
