"""The options of a game: one declaration, with the same checks for all games.

Options are text in the request for a new game and in the first field of a line, and numbers and
words in typed views. A game declares them in documented order:

    OPTIONS = Options(
        "knights_duty",
        Number("players", 2, 6, default=2, rule="R1.1", help="..."),
        Choice("arena", ("hex", "square"), default="hex", rule="R2.1", help="..."),
    )
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from .errors import InputError, refusal, shown

Texts = dict[str, str]
Check = Callable[[Texts, str], None]


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `lowest` to `highest`, written without sign and leading zeros."""

    name: str
    lowest: int
    highest: int
    default: int
    rule: str
    help: str

    @property
    def wanted(self) -> str:
        """Description of the values that are right."""
        return f"a number from {self.lowest} to {self.highest}"

    def takes(self, text: str) -> bool:
        """Return whether a text is one of the values."""
        is_number = len(text) <= 9 and text.isascii() and text.isdigit() and str(int(text)) == text
        return is_number and self.lowest <= int(text) <= self.highest

    def value(self, text: str) -> int:
        """Return the value in a typed view of a checked text."""
        return int(text)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words; `takes_other` accepts further texts."""

    name: str
    values: Collection[str]
    default: str
    rule: str
    help: str
    takes_other: Callable[[str], bool] = lambda text: False
    other: str = ""

    @property
    def wanted(self) -> str:
        """Description of the values that are right."""
        words = f"one of {', '.join(self.values)}" if len(self.values) > 1 else "".join(self.values)
        return f"{words} or {self.other}" if self.other else words

    def takes(self, text: str) -> bool:
        """Return whether a text is one of the values."""
        return text in self.values or self.takes_other(text)

    def value(self, text: str) -> str:
        """Return the value in a typed view of a checked text."""
        return text


@dataclass(frozen=True, slots=True)
class Flag:
    """An option that is on or off: 1 or 0 as text, true or false in a typed view."""

    name: str
    rule: str
    help: str
    default: int = 0
    wanted: str = "0 or 1"

    def takes(self, text: str) -> bool:
        """Return whether a text is one of the values."""
        return text in ("0", "1")

    def value(self, text: str) -> bool:
        """Return the value in a typed view of a checked text."""
        return text == "1"


class Options:
    """The options of one game, in documented order.

    Args:
        game: name of the game.
        options: all options.
        untold: names of those that only a request for a new game has, and no line or typed view.
        check: refuses combinations of values; its arguments are all options as text and their
            path.
        rule: number of the rule that lists the options, for unknown options.

    Attributes:
        names: names of all options.
        told: names of those in lines and typed views.
        defaults: option -> its default as text.
        help: option -> one line with its values, its default and its rule.
    """

    def __init__(
        self,
        game: str,
        *options: Number | Choice | Flag,
        untold: Collection[str] = (),
        check: Check | None = None,
        rule: str = "",
    ) -> None:
        self._game = game
        self._rule = rule
        self._options = {option.name: option for option in options}
        self._check = check
        self.names = tuple(self._options)
        self.told = tuple(name for name in self.names if name not in untold)
        self._usual = {option.name: option.value(str(option.default)) for option in options}
        self.defaults = {option.name: str(option.default) for option in options}
        self.help = {option.name: option.help for option in options}

    def checked(self, given: Mapping[str, object], path: str = "options") -> Texts:
        """Return every option with its value as text, in documented order.

        Args:
            given: option -> value; other options have their defaults.
            path: path of the options, for errors.

        Raises:
            InputError: an option is unknown, or a value is not one of its values.
        """
        for name, value in given.items():
            if name not in self._options:
                raise self.unknown(name, value, path, self.names)
        texts = self.defaults | {name: shown(value) for name, value in given.items()}
        for name, option in self._options.items():
            if not option.takes(texts[name]):
                wanted = f"{name} is {option.wanted}"
                raise refusal(f"{path}.{name}", texts[name], option.rule, wanted)
        if self._check is not None:
            self._check(texts, path)
        return texts

    def unknown(
        self, name: str, value: object, path: str, names: Collection[str], rule: str = ""
    ) -> InputError:
        """Return the error for an option that is none of `names`, with the rule on these."""
        has = f"it has {', '.join(names)}" if names else "it has none at all"
        return InputError(
            f"{self._game} has no option {shown(name)!a}; {has}",
            field=f"{path}.{shown(name)}",
            value=shown(value),
            rule=rule if name in self._options else self._rule or rule,
        )

    def of_view(self, view: Mapping[str, object], path: str = "options") -> Texts:
        """Return the options of a typed view as text; an absent or empty option has its default.

        Raises:
            InputError: as `checked`, or the value is not a message.
        """
        if not isinstance(view, Mapping):
            raise refusal(path, view, self._rule, "a message is expected")
        return self.checked({name: text_of(value) for name, value in view.items() if value}, path)

    def values(self, texts: Mapping[str, str]) -> dict[str, int | str]:
        """Return the values of checked options."""
        return {name: option.value(texts[name]) for name, option in self._options.items()}

    def view(self, texts: Mapping[str, str]) -> dict[str, int | str]:
        """Return the typed view of checked options: the values of those that are told."""
        return {name: self._options[name].value(texts[name]) for name in self.told}

    def written(self, view: Mapping[str, object]) -> list[str]:
        """Write `name=value` of each option of a view that differs from its default, in order."""
        return [
            f"{name}={text_of(view[name])}" for name in self.told if view[name] != self._usual[name]
        ]


def text_of(value: object) -> str:
    """Return the value of an option as text."""
    return shown(int(value) if isinstance(value, bool) else value)
