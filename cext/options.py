"""The options of a game: declared once, checked alike in all games.

Options come as text (of a new game, of the first field of a line) and stand as numbers and words in
typed views. A game declares them in documented order:

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
        """What would be right."""
        return f"a number from {self.lowest} to {self.highest}"

    def takes(self, text: str) -> bool:
        """Tell whether a text is one of its values."""
        is_number = len(text) <= 9 and text.isascii() and text.isdigit() and str(int(text)) == text
        return is_number and self.lowest <= int(text) <= self.highest

    def value(self, text: str) -> int:
        """Return a checked text as it stands in a typed view."""
        return int(text)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words; `takes_other` says which other texts are allowed besides."""

    name: str
    values: Collection[str]
    default: str
    rule: str
    help: str
    takes_other: Callable[[str], bool] = lambda text: False
    other: str = ""

    @property
    def wanted(self) -> str:
        """What would be right."""
        words = f"one of {', '.join(self.values)}" if len(self.values) > 1 else "".join(self.values)
        return f"{words} or {self.other}" if self.other else words

    def takes(self, text: str) -> bool:
        """Tell whether a text is one of its values."""
        return text in self.values or self.takes_other(text)

    def value(self, text: str) -> str:
        """Return a checked text as it stands in a typed view."""
        return text


class Options:
    """The options of one game, in documented order.

    Args:
        game: id of the game.
        options: what there is.
        check: refuses values that are right each by itself and wrong together; gets all options
            as text and the path where they stand.
        rule: of the list of options, for those that are not in it.

    Attributes:
        names: of all options.
        defaults: option -> its default as text.
        help: option -> one line with its values, its default and its rule.
    """

    def __init__(
        self, game: str, *options: Number | Choice, check: Check | None = None, rule: str = ""
    ) -> None:
        self._game = game
        self._rule = rule
        self._options = {option.name: option for option in options}
        self._check = check
        self.names = tuple(self._options)
        self.defaults = {option.name: str(option.default) for option in options}
        self.help = {option.name: option.help for option in options}

    def checked(self, given: Mapping[str, object], path: str = "options") -> Texts:
        """Return every option with its value as text, in documented order.

        Args:
            given: option -> value; the others have their defaults.
            path: where the options stand, for errors.

        Raises:
            InputError: an option is unknown, or a value is not one of its own.
        """
        for name, value in given.items():
            if name not in self._options:
                has = f"it has {', '.join(self.names)}" if self.names else "it has none at all"
                raise InputError(
                    f"{self._game} has no option {shown(name)!a}; {has}",
                    field=f"{path}.{shown(name)}",
                    value=shown(value),
                    rule=self._rule,
                )
        texts = self.defaults | {name: shown(value) for name, value in given.items()}
        for name, option in self._options.items():
            if not option.takes(texts[name]):
                wanted = f"{name} is {option.wanted}"
                raise refusal(f"{path}.{name}", texts[name], option.rule, wanted)
        if self._check is not None:
            self._check(texts, path)
        return texts

    def of_view(self, view: Mapping[str, object], path: str = "options") -> Texts:
        """Return the options of a typed view as text; what is absent or empty has its default.

        Raises:
            InputError: as `checked`, or it is no message.
        """
        if not isinstance(view, Mapping):
            raise refusal(path, view, self._rule, "a message is expected")
        given = {
            name: int(value) if isinstance(value, bool) else value
            for name, value in view.items()
            if value
        }
        return self.checked(given, path)

    def values(self, texts: Mapping[str, str]) -> dict[str, int | str]:
        """Return checked options as they stand in a typed view."""
        return {name: option.value(texts[name]) for name, option in self._options.items()}

    def written(self, texts: Mapping[str, str], *, without: Collection[str] = ()) -> list[str]:
        """Write `name=value` of each option that differs from its default, in documented order."""
        return [
            f"{name}={texts[name]}"
            for name, usual in self.defaults.items()
            if name not in without and texts[name] != usual
        ]
