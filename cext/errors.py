"""Errors for wrong values from callers; every message says what would be right."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

SHOWN_CHARACTERS = 60
"""Most characters of a wrong value in a message; callers may send values of any length."""
TOO_LARGE = "a value too large to show"
LISTED_CHARACTERS = 400
"""Most characters of a list of right values in a message, which tells how many it leaves out."""
_Value = TypeVar("_Value")


class InputError(ValueError):
    """A value is wrong in itself: malformed, out of range or inconsistent.

    Attributes:
        field: path of the wrong value (`options.players`, `position.players[0].hand`); may be
            empty.
        value: the value given, as text.
        rule: number of the rule that refuses it (`R12.4`); may be empty.
    """

    def __init__(self, message: str, *, field: str = "", value: str = "", rule: str = "") -> None:
        super().__init__(f"{message} ({rule})" if rule else message)
        self.field = field
        self.value = value
        self.rule = rule

    @property
    def errors(self) -> tuple["InputError", ...]:
        """All wrong values that it stands for: itself, or those of `InputErrors`."""
        return (self,)


class InputErrors(InputError):
    """Several values are wrong; field, value and rule are those of the first."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        first = errors[0]
        text = "; ".join(f"{error.field}: {error}" for error in errors)
        super().__init__(text, field=first.field, value=first.value)
        self.rule = first.rule
        self._errors = tuple(errors)

    @property
    def errors(self) -> tuple[InputError, ...]:
        """All of them."""
        return self._errors

    def __reduce__(self) -> tuple[object, ...]:
        return InputErrors, (self.errors,)


class UnknownGameError(InputError):
    """No game has this name."""


class StateError(InputError):
    """The value is fine, but not in this position: an illegal move, a game that is over."""


class IllegalMoveError(StateError):
    """A well-formed move is not legal, or an outcome not possible, in this position."""


class ContractError(RuntimeError):
    """A game breaks the engine contract (`cext/contract.pxd`): its author has to mend it."""


def refusal(field: str, value: object, rule: str, wanted: str) -> InputError:
    """Return an error with the shortened value and what would have been right."""
    text = shown(value)
    return InputError(f"{wanted}; got {_marked(text, value)}", field=field, value=text, rule=rule)


def wrong_type(name: str, value: object, wanted: str) -> TypeError:
    """Return the error of a Python caller whose argument is not even of the right kind.

    Args:
        name: of the argument.
        value: that was given; it is shown as Python writes it.
        wanted: what would have been right, and how to get it.
    """
    return TypeError(f"{name} is {written(value, repr)}; it must be {wanted}")


def check_kind(name: str, value: object, kind: type | tuple[type, ...], wanted: str) -> None:
    """Check the class of an argument of a Python caller; errors and arguments of `wrong_type`."""
    if not isinstance(value, kind):
        raise wrong_type(name, value, wanted)


def check_text(name: str, value: object, wanted: str) -> None:
    """Check that an argument of a Python caller is a text; errors and arguments of `wrong_type`."""
    if not isinstance(value, str):
        raise wrong_type(name, value, f"a text, {wanted}")


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Check that a number is a whole one, which no float is, and in [low, high].

    Raises:
        InputError: it is not.
        TypeError: as in `check_range`.
    """
    if type(value) is not int and (not isinstance(value, Integral) or isinstance(value, bool)):
        raise InputError(
            f"{name.rpartition('.')[2]} is {written(value, repr)}; it must be a whole number",
            field=name,
            value=written(value),
        )
    check_range(name, value, low, high)


def check_integer(name: str, value: object, low: int, high: int) -> None:
    """Check that an argument of a Python caller is a whole number in [low, high].

    Raises:
        InputError: it is out of range.
        TypeError: it is no whole number.
    """
    if type(value) is not int and not isinstance(value, Integral):
        raise wrong_type(name.rpartition(".")[2], value, f"a whole number, {low} to {high}")
    check_range(name, value, low, high)


def check_range(name: str, value: Any, low: float, high: float) -> None:
    """Check that a number, if there is one, is in [low, high].

    Args:
        name: field of the number, `budget.milliseconds`; messages have its last part.
        value: None for no number.
        low: the least.
        high: the most.

    Raises:
        InputError: it is out of range.
        TypeError: it is no number.
    """
    if value is None:
        return
    last = name.rpartition(".")[2]
    is_number = isinstance(value, Real)
    if not is_number:
        raise wrong_type(last, value, f"a number, {_bound(low)} to {_bound(high)}")
    if not low <= value <= high:
        text = written(value).removesuffix(".0")
        raise InputError(
            f"{last} is {text}; it must be {_bound(low)} to {_bound(high)}", field=name, value=text
        )


def _bound(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:.15g}"


def check_mapping(name: str, value: Mapping[str, _Value] | None) -> Mapping[str, _Value]:
    """Return the options of a Python caller, none for None.

    Raises:
        TypeError: it is no mapping, or a name in it no text.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise wrong_type(name, value, "a mapping of names to values, such as a dict")
    for key in value:
        check_text(f"a name in {name}", key, 'such as "players"')
    return value


def check_list(name: str, value: Iterable[_Value], wanted: str) -> list[_Value]:
    """Return the items of an argument of a Python caller.

    Raises:
        TypeError: it has none, or is a text; arguments as of `wrong_type`.
    """
    try:
        items = None if isinstance(value, str | bytes) else iter(value)
    except TypeError:
        items = None
    if items is None:
        raise wrong_type(name, value, wanted)
    return list(items)


def quoted(value: object) -> str:
    """Return a value as in a message: texts in quotes, others as JSON, all of them shortened."""
    return _marked(shown(value), value)


def _marked(text: str, value: object) -> str:
    return repr(text) if isinstance(value, str) else text


def shown(value: object) -> str:
    """Return a text as it is and another value as JSON, cut after `SHOWN_CHARACTERS`."""
    return written(value, str if isinstance(value, str) else _json)


def written(value: object, write: Callable[[Any], str] = str) -> str:
    """Return what a function writes of a value, cut after `SHOWN_CHARACTERS`."""
    try:
        text = write(value)
    except (ValueError, RecursionError):  # Python writes no number of more than 4,300 digits
        return TOO_LARGE
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."


def _json(value: object) -> str:
    """Return as much of a value as is shown, and a bit more: it may be a list of any length."""
    import json  # of no use where nothing is wrong

    text = ""
    try:
        for part in json.JSONEncoder(ensure_ascii=False, default=str).iterencode(value):
            text += part
            if len(text) > SHOWN_CHARACTERS:
                break
    except TypeError:  # a key that JSON does not have
        return str(value)
    return text


def as_list(texts: Iterable[str], most_characters: int = LISTED_CHARACTERS) -> str:
    """List right values, and say how many are left out of a list that would be too long."""
    every = list(texts)
    whole = ", ".join(every)
    if len(whole) <= most_characters:
        return whole
    num_left = whole[:most_characters].count(", ")
    return f"{', '.join(every[:num_left])} and {len(every) - num_left} more"


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Describe a name that nothing has: what there is, and which of that was probably meant.

    Args:
        what: the kind of thing, with a plural in s.
        name: that was given.
        known: all names.
    """
    names = list(known)
    return f"there is no {what} {shown(name)!r}; {what}s are {', '.join(names)}{guess(name, names)}"


def guess(word: str, known: Iterable[str]) -> str:
    """Ask at the end of a message whether the closest known word was meant, "" if none is close."""
    likely = closest(word, known)
    return f"; did you mean {likely}?" if likely else ""


def closest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like a mistyped one, "" if none is."""
    from difflib import get_close_matches  # of no use where nothing is mistyped

    names = list(known)
    folded = word.casefold().replace("-", "_").replace(" ", "_")
    if folded in names:
        return folded
    return next(iter(get_close_matches(folded[:SHOWN_CHARACTERS], names, 1)), "")
