"""Reading typed views from callers, field by field, with checks of type, range and spelling.

A *view* is a state, observation or move as plain data with the names of its proto message. `Fields`
reads one message of a view and refuses a malformed value with the path of its field
(`position.players[0].hand[2]`). After packing, the compiled rules check that the values are
consistent (`Game.check_state`). Content that a state has no place for, such as an order of cards
without meaning, is found by `difference` from the view of the packed state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .errors import InputError, refusal, shown

View = Mapping[str, Any]

NOBODY = 255
"""Observer of a position, as in view_game.pxd."""


class Fields:
    """One message of a typed view; an absent field is 0, false, empty or an empty list.

    Args:
        values: field -> value.
        path: of the message, for errors; empty: at the top.
        rule: number of the rule that malformed values break.
    """

    __slots__ = ("_path", "_rule", "_values")

    def __init__(self, values: View, path: str, rule: str) -> None:
        self._values = values
        self._path = path
        self._rule = rule

    def __contains__(self, name: str) -> bool:
        """Return whether a field was sent, even if with its default value."""
        return name in self._values

    def path(self, name: str) -> str:
        """Return the path of a field, or of the message itself if the name is empty."""
        return f"{self._path}.{name}" if self._path and name else self._path or name

    def values(self) -> View:
        """Return the fields as they were sent."""
        return self._values

    def refusal(self, name: str, wanted: str, value: object = None, rule: str = "") -> InputError:
        """Return an error for a field; `value` is its wrong part, by default the whole field."""
        given = self._values.get(name, "") if value is None else value
        return refusal(self.path(name), given, rule or self._rule, wanted)

    def has(self, name: str) -> bool:
        """Return whether a field is present and not empty."""
        return bool(self._values.get(name))

    def is_set(self, name: str) -> bool:
        """Return whether a field is present, even if empty, as a message may be."""
        return self._values.get(name) is not None

    def number(self, name: str, lowest: int, highest: int, rule: str = "") -> int:
        """Return the number of a field, from `lowest` to `highest`."""
        value = self._values.get(name, 0)
        if type(value) is int and lowest <= value <= highest:
            return value
        raise self.refusal(name, number_wanted(lowest, highest), value, rule)

    def seat(self, name: str, seats: int, rule: str = "") -> int:
        """Return a seat, counted from 0 here and from 1 in views."""
        value = self._values.get(name, "")
        if type(value) is int and 1 <= value <= seats:
            return value - 1
        raise self.refusal(name, f"a seat from 1 to {seats} is expected", value, rule)

    def flag(self, name: str) -> bool:
        """Return the value of a boolean field."""
        value = self._values.get(name, False)
        if isinstance(value, bool):
            return value
        raise self.refusal(name, "true or false is expected", value)

    def text(self, name: str) -> str:
        """Return the text of a field."""
        value = self._values.get(name, "")
        if isinstance(value, str):
            return value
        raise self.refusal(name, "a text is expected", value)

    def code(self, name: str, codes: Mapping[str, int], wanted: str = "", rule: str = "") -> int:
        """Return the code of a spelling; an empty text is refused unless `codes` contains it.

        Args:
            name: of the field.
            codes: spelling -> code.
            wanted: description of a right value, for the error; empty: the list of the spellings.
            rule: number of the rule that another spelling breaks; empty: that of the form.
        """
        value = self._values.get(name, "")
        code = codes.get(value) if isinstance(value, str) else None
        if code is None:
            raise self.refusal(name, wanted or spellings(codes), value, rule)
        return code

    def codes(
        self, name: str, codes: Mapping[str, int], most: int, wanted: str = "", rule: str = ""
    ) -> list[int]:
        """Return the codes of a list of at most `most` spellings; see `code`."""
        values = self._list(name, most, rule, wanted)
        found = []
        for place, value in enumerate(values):
            code = codes.get(value) if isinstance(value, str) else None
            if code is None:
                where = f"{name}[{place}]"
                raise self.refusal(where, wanted or spellings(codes), value, rule)
            found.append(code)
        return found

    def numbers(self, name: str, lowest: int, highest: int, most: int, rule: str = "") -> list[int]:
        """Return a list of at most `most` numbers from `lowest` to `highest`."""
        values = self._list(name, most, rule)
        for place, value in enumerate(values):
            if type(value) is not int or not lowest <= value <= highest:
                where = f"{name}[{place}]"
                raise self.refusal(where, number_wanted(lowest, highest), value, rule)
        return values

    def observer(self, seats: int, rule: str = "") -> int:
        """Return the observer, a seat from 1; 0 for a spectator, `NOBODY` for a position."""
        value = self._values.get("observer", NOBODY)
        if type(value) is int and (0 <= value <= seats or "observer" not in self._values):
            return value
        wanted = f"the observer is a seat from 1 to {seats}, or 0, a spectator"
        raise self.refusal("observer", wanted, value, rule)

    def counts(self, name: str, most: Mapping[str, int], rule: str = "") -> Mapping[str, int]:
        """Return a map from names to numbers, each at most the limit of its name."""
        values = self._values.get(name) or {}
        if not is_message(values):
            raise self.refusal(name, "a map from names to numbers is expected", values)
        for key, count in values.items():
            if key not in most:
                raise self.refusal(f"{name}.{shown(key)}", spellings(most), key)
            if type(count) is not int or not 0 <= count <= most[key]:
                raise self.refusal(f"{name}.{key}", number_wanted(0, most[key]), count, rule)
        return values

    def record(self, name: str) -> Fields:
        """Return a nested message."""
        value = self._values.get(name) or {}
        if not is_message(value):
            raise self.refusal(name, "a message is expected", value)
        return Fields(value, self.path(name), self._rule)

    def length(self, name: str, most: int, rule: str = "", least: int = 0) -> int:
        """Return the length of a list, which must be `least` to `most`."""
        length = len(self._list(name, most, rule))
        if length < least:
            number = f"{least} to {most}" if least < most else str(least)
            wanted = f"{number} {name} are expected"
            raise self.refusal(name, wanted, f"{length} of them", rule)
        return length

    def records(self, name: str, most: int, rule: str = "", least: int = 0) -> Iterator[Fields]:
        """Yield the messages of a list, whose length must be `least` to `most`."""
        self.length(name, most, rule, least)
        for place, value in enumerate(self._values.get(name) or ()):
            if not is_message(value):
                raise self.refusal(f"{name}[{place}]", "a message is expected", value)
            yield Fields(value, f"{self.path(name)}[{place}]", self._rule)

    def _list(self, name: str, most: int, rule: str, wanted: str = "") -> list[Any]:
        values = self._values.get(name) or []
        if not isinstance(values, list):
            raise self.refusal(name, "a list is expected", values)
        if len(values) > most:
            usual = f"at most {most} can be here" if most else "nothing can be here"
            raise self.refusal(name, wanted or usual, f"{len(values)} of them", rule)
        return values


def is_message(value: object) -> bool:
    """Return whether a value is a message; most are dicts, and that test is cheaper."""
    return type(value) is dict or isinstance(value, Mapping)


def number_wanted(lowest: int, highest: int) -> str:
    """Describe the numbers that would be right."""
    if lowest == highest:
        return f"the number is {lowest} here"
    return f"a number from {lowest} to {highest} is expected"


def spellings(codes: Collection[str]) -> str:
    """Describe the texts that would be right."""
    texts = [text or "an empty text" for text in codes]
    return f"one of {', '.join(texts[:20])} is expected" if texts else "nothing can be here"


def difference(given: Any, read: Any, path: str) -> tuple[str, Any, Any] | None:
    """Find the first difference between the view from the caller and the view of its state.

    An absent value equals 0, false, empty or an empty list, also at the end of a list.

    Returns:
        Its path, the given value and the value of the state; None if the views are equal.
    """
    if isinstance(given, Mapping) and isinstance(read, Mapping):
        for name in {**read, **given}:
            where = f"{path}.{name}" if path else name
            if found := difference(given.get(name), read.get(name), where):
                return found
        return None
    if isinstance(given, list) and given and isinstance(read, list):
        if len(given) <= len(read) and _is_blank(read[len(given) :]):
            for place, pair in enumerate(zip(given, read, strict=False)):
                if found := difference(*pair, f"{path}[{place}]"):
                    return found
            return None
        return path, given, read
    if given == read or (_is_blank(given) and _is_blank(read)):
        return None
    return path, given, read


def _is_blank(value: Any) -> bool:
    """Return whether a message or list consists of default values."""
    if isinstance(value, Mapping):
        return all(map(_is_blank, value.values()))
    if isinstance(value, list):
        return all(map(_is_blank, value))
    return not value
