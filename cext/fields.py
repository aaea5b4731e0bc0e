"""Reading a typed view: the form of what a caller sends, field by field.

A *view* is a state, observation or move as plain data with the names of its proto message. `Fields`
reads one of its messages; each value is checked for type, range and spelling, and refused by the
path of the field that was sent (`position.players[0].hand[2]`). What the values mean together is
checked by the compiled rules (`Game.check_state`), after the view was packed. What a state can't
hold, such as an order of cards that means nothing, is found by `difference` with the view of the
packed state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .errors import InputError, refusal, shown

View = Mapping[str, Any]

NOBODY = 255
"""Observer of a position, as in view_game.pxd."""


class Fields:
    """One message of a typed view; what is absent is 0, false, empty or an empty list.

    Args:
        values: field -> value.
        path: of the message, for errors; empty: at the top.
        rule: of the rules page, for values of a wrong form.
    """

    __slots__ = ("_path", "_rule", "_values")

    def __init__(self, values: View, path: str, rule: str) -> None:
        self._values = values
        self._path = path
        self._rule = rule

    def __contains__(self, name: str) -> bool:
        """Tell whether a field was sent, if only with its default."""
        return name in self._values

    def path(self, name: str) -> str:
        """Return the path of a field; of the message itself, if the name is empty."""
        return f"{self._path}.{name}" if self._path and name else self._path or name

    def values(self) -> View:
        """Return the fields as they were sent."""
        return self._values

    def refusal(self, name: str, wanted: str, value: object = None, rule: str = "") -> InputError:
        """Return the error that says what would be right in a field; `value`: if not all of it."""
        given = self._values.get(name, "") if value is None else value
        return refusal(self.path(name), given, rule or self._rule, wanted)

    def has(self, name: str) -> bool:
        """Tell whether a field is there and not empty."""
        return bool(self._values.get(name))

    def is_set(self, name: str) -> bool:
        """Tell whether a field is there, be it empty; a message can be."""
        return self._values.get(name) is not None

    def number(self, name: str, lowest: int, highest: int, rule: str = "") -> int:
        """Return a number from `lowest` to `highest`."""
        value = self._values.get(name, 0)
        if type(value) is int and lowest <= value <= highest:
            return value
        raise self.refusal(name, number_wanted(lowest, highest), value, rule)

    def seat(self, name: str, seats: int, rule: str = "") -> int:
        """Return a seat, which counts from 1 in views, from 0."""
        value = self._values.get(name, "")
        if type(value) is int and 1 <= value <= seats:
            return value - 1
        raise self.refusal(name, f"a seat is one of p1 to p{seats}", value, rule)

    def flag(self, name: str) -> bool:
        """Return whether something is set."""
        value = self._values.get(name, False)
        if isinstance(value, bool):
            return value
        raise self.refusal(name, "true or false is expected", value)

    def text(self, name: str) -> str:
        """Return a text."""
        value = self._values.get(name, "")
        if isinstance(value, str):
            return value
        raise self.refusal(name, "a text is expected", value)

    def code(self, name: str, codes: Mapping[str, int], wanted: str = "", rule: str = "") -> int:
        """Return the code of one of some spellings; the empty one must be among them to be taken.

        Args:
            name: of the field.
            codes: spelling -> code.
            wanted: what would be right; empty: names the spellings.
            rule: of a wrong one; empty: that of the form.
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
        """Return who sees an observation, from 1; 0: a spectator, `NOBODY`: it is a position."""
        value = self._values.get("observer", NOBODY)
        if type(value) is int and (0 <= value <= seats or "observer" not in self._values):
            return value
        wanted = f"the observer is a seat from 1 to {seats}, or 0, a spectator (@-)"
        raise self.refusal("observer", wanted, value, rule)

    def counts(self, name: str, most: Mapping[str, int], rule: str = "") -> Mapping[str, int]:
        """Return a map from names to numbers, of each name at most so many."""
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
        """Return a message inside this one."""
        value = self._values.get(name) or {}
        if not is_message(value):
            raise self.refusal(name, "a message is expected", value)
        return Fields(value, self.path(name), self._rule)

    def records(self, name: str, most: int, rule: str = "", least: int = 0) -> Iterator[Fields]:
        """Yield the messages of a list of `least` to `most`."""
        values = self._list(name, most, rule)
        if len(values) < least:
            wanted = f"{'at least ' * (least < most)}{least} are expected here"
            raise self.refusal(name, wanted, f"{len(values)} of them", rule)
        for place, value in enumerate(values):
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
    """Tell whether a value is a message; most are dicts, and asking for those is cheaper."""
    return type(value) is dict or isinstance(value, Mapping)


def number_wanted(lowest: int, highest: int) -> str:
    """Say which number would be right."""
    if lowest == highest:
        return f"the number is {lowest} here"
    return f"a number from {lowest} to {highest} is expected"


def spellings(codes: Collection[str]) -> str:
    """Say which texts would be right."""
    texts = [text or "nothing" for text in codes]
    return f"one of {', '.join(texts[:20])} is expected" if texts else "nothing can be here"


def difference(given: Any, read: Any, path: str) -> tuple[str, Any, Any] | None:
    """Find the first place where a given view says something else than the one that was read.

    What is absent counts as 0, false, empty or an empty list, also at the end of a list.

    Returns:
        Its path, what was given and what was read; None if both say the same.
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
    """Tell whether a message or list has defaults only."""
    if isinstance(value, Mapping):
        return all(map(_is_blank, value.values()))
    if isinstance(value, list):
        return all(map(_is_blank, value))
    return not value
