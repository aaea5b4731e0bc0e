"""The options of a game: one declaration, with the same checks for all games.

Options are text in the request for a new game and in the first field of a line, and numbers and
words in typed views. A game declares them in documented order:

    OPTIONS = Options(
        "knights_duty",
        Number("players", "R1.1", "{} seats, in a square arena 2 to 4", 2, 6, 2),
        Choice("arena", "R2.6", "hex, or square with eight directions", ("hex", "square")),
    )
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache

from .errors import InputError, InputErrors, guess, refusal, shown

NEW_GAME = "options"
"""Path of the options in a request for a new game."""
Texts = dict[str, str]
Check = Callable[[Texts, str], None]
Usual = Callable[[Texts], Texts]


@dataclass(frozen=True)
class Option:
    """What all options have. The help of an option is its text, then its default and its rules.

    Attributes:
        name: the option.
        rules: numbers of its rules; a wrong value breaks the first.
        text: what it does and which values it has; {} stands for the range of a number.
        usual: the default in the help, if it depends on other options.
    """

    name: str
    rules: str
    text: str
    _: KW_ONLY
    usual: str = ""

    @property
    def rule(self) -> str:
        """The rule that a wrong value breaks."""
        return self.rules.partition(",")[0]

    def help_with(self, default: object, values: str = "") -> str:
        """Write the help."""
        text = self.text.format(values)
        return f"{text}; default {self.usual or default} ({self.rules})"

    def text_of(self, value: object) -> str:
        """Return a value of a typed view as text; it need not be right."""
        return text_of(value)


@dataclass(frozen=True)
class Number(Option):
    """A whole number from `lowest` to `highest`, written without sign and leading zeros."""

    lowest: int
    highest: int
    default: int

    @property
    def help(self) -> str:
        """One line with the values, the default and the rules."""
        return self.help_with(self.default, f"{self.lowest} to {self.highest}")

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


@dataclass(frozen=True)
class Choice(Option):
    """One of several words, by default the first; `takes_other` accepts further texts."""

    values: Collection[str]
    takes_other: Callable[[str], bool] = lambda text: False

    @property
    def default(self) -> str:
        """The first word."""
        return next(iter(self.values))

    @property
    def help(self) -> str:
        """One line with the values, the default and the rules."""
        return self.help_with(self.default)

    @property
    def wanted(self) -> str:
        """Description of the values that are right."""
        return f"one of {', '.join(self.values)}"

    def takes(self, text: str) -> bool:
        """Return whether a text is one of the values."""
        return text in self.values or self.takes_other(text)

    def value(self, text: str) -> int | str:
        """Return the value in a typed view of a checked text."""
        return text


@dataclass(frozen=True)
class Flag(Option):
    """An option that is on or off: 1 or 0 as text, true or false in a typed view."""

    default: int = 0
    wanted: str = "0 or 1"

    @property
    def help(self) -> str:
        """One line with the values, the default and the rules."""
        return self.help_with(self.default)

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
        shorthands: names of those that only set defaults of others, see `usual`; a game does not
            keep them.
        usual: returns the defaults that depend on other options; its argument are those given, as
            text, which need not be right.
        check: refuses combinations of values; its arguments are all options as text and their
            path.
        rule: number of the rule that lists the options, for unknown options.

    Attributes:
        names: names of all options.
        told: names of those in lines and typed views.
        help: option -> one line with its values, its default and its rules.
    """

    def __init__(
        self,
        game: str,
        *options: Number | Choice | Flag,
        untold: Collection[str] = (),
        shorthands: Collection[str] = (),
        usual: Usual = lambda texts: {},
        check: Check | None = None,
        rule: str = "",
    ) -> None:
        self._game = game
        self._rule = rule
        self._options = {option.name: option for option in options}
        self._check = check
        self._usual = usual
        self._defaults = {option.name: str(option.default) for option in options}
        self._shorthands = shorthands
        # Most lines and messages have the same few options.
        self._written = lru_cache(maxsize=256)(self._others)
        self._viewed = lru_cache(maxsize=256)(self._of_items)
        self.names = tuple(self._options)
        self.told = tuple(name for name in self.names if name not in (*untold, *shorthands))
        self.help = {option.name: option.help for option in options}

    def checked(self, given: Mapping[str, object], path: str = NEW_GAME) -> Texts:
        """Return every option with its value as text, in documented order.

        Args:
            given: option -> value; other options have their defaults.
            path: path of the options, for errors.

        Raises:
            InputError: an option is unknown, or a value is not one of its values; for a new game
                `InputErrors` with all of them, if there are several.
        """
        errors = [
            self.unknown(name, value, path, self.names)
            for name, value in given.items()
            if name not in self._options
        ]
        texts = {name: shown(value) for name, value in given.items() if name in self._options}
        texts = self._defaults | self._usual(texts) | texts
        for name, option in self._options.items():
            if not option.takes(texts[name]):
                wanted = f"{name} is {option.wanted}"
                errors.append(refusal(f"{path}.{name}", texts[name], option.rule, wanted))
        if errors:
            raise InputErrors(errors) if path == NEW_GAME and len(errors) > 1 else errors[0]
        if self._check is not None:
            self._check(texts, path)
        return {name: text for name, text in texts.items() if name not in self._shorthands}

    def _of_items(
        self, items: Iterable[tuple[str, object]], types: tuple[type, ...], path: str
    ) -> Texts:
        return self.checked({name: text_of(value) for name, value in items if value}, path)

    def unknown(
        self, name: str, value: object, path: str, names: Collection[str], rule: str = ""
    ) -> InputError:
        """Return the error for an option that is none of `names`, with the rule on these."""
        has = f"it has {', '.join(names)}" if names else "it has none at all"
        return InputError(
            f"{self._game} has no option {shown(name)!r}; {has}{guess(name, names)}",
            field=f"{path}.{shown(name)}",
            value=shown(value),
            rule=rule if name in self._options else self._rule or rule,
        )

    def of_view(self, view: Mapping[str, object], path: str = "options") -> Texts:
        """Return the options of a typed view as text; an absent or empty option has its default.

        Raises:
            InputError: as `checked`, or the value is not a message.
        """
        if type(view) is not dict and not isinstance(view, Mapping):
            raise refusal(path, view, self._rule, "a message is expected")
        try:  # types, as 1 and true, or 1 and 1.0, are equal
            kept = self._viewed((*view.items(),), (*map(type, view.values()),), path)
        except TypeError:  # a list or message, where a number or word should be
            kept = self._of_items(view.items(), (), path)
        return kept.copy()

    def text_of(self, name: str, value: object) -> str:
        """Return the value of an option in a typed view as text; both need not be right."""
        return self._options[name].text_of(value) if name in self._options else shown(value)

    def values(self, texts: Mapping[str, str]) -> dict[str, int | str]:
        """Return the values of checked options."""
        return {name: self._options[name].value(text) for name, text in texts.items()}

    def view(self, texts: Mapping[str, str]) -> dict[str, int | str]:
        """Return the typed view of checked options: the values of those that are told."""
        return {name: self._options[name].value(texts[name]) for name in self.told}

    def written(self, view: Mapping[str, object]) -> str:
        """Write `;name=value` for each option of a view that is told and not its default, in order.

        The view may have others that are not told, but that defaults depend on.
        """
        return self._written(tuple(view.items()))

    def _others(self, items: tuple[tuple[str, object], ...]) -> str:
        texts = {name: self.text_of(name, value) for name, value in items}
        usual = self._defaults | self._usual(texts)
        others = (name for name in self.told if texts[name] != usual[name])
        return "".join(f";{name}={texts[name]}" for name in others)


def text_of(value: object) -> str:
    """Return the value of an option as text."""
    return shown(int(value) if isinstance(value, bool) else value)
