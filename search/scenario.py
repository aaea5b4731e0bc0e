"""The scenario language of docs/rules/README.md: the worked examples of a rules page, executed.

A *script line* is one check. Lines run against a `RuleBook`: the engine (`EngineRules`) or
any other with the same interface, as the reference models of the tests. A failing line does
not stop its block; if it leaves no position, the lines up to the next start fail as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Protocol, Self

from kingmaker.cext.errors import InputError

from .games import game_type
from .position import Position, new_game, parse_observation, parse_position


class RuleState(Protocol):
    """A state of one game, immutable; moves, positions and observations are text."""

    def text(self) -> str:
        """Print the canonical position line."""

    def node(self) -> str:
        """Return the node: `p1`..`pn` (the seat to decide), `chance` or `end`."""

    def legal(self) -> list[str]:
        """List the legal moves; empty unless a seat decides."""

    def chance(self) -> dict[str, Fraction]:
        """Map each outcome to its probability; empty unless this is a chance node."""

    def apply(self, token: str) -> Self:
        """Apply a move or outcome; ValueError if it isn't possible now."""

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (0: a spectator); ValueError if there is no such seat."""

    def consistent(self, seat: int, position_text: str) -> bool:
        """Whether a position fits the observation of `seat` now; False for an invalid one."""

    def returns(self) -> list[Fraction]:
        """Return the win share of each seat; ValueError if the game is not over."""


class RuleBook(Protocol):
    """Creates states of one game."""

    def new(self, options: Mapping[str, str]) -> RuleState:
        """Start a game; ValueError if the page refuses these options."""

    def parse(self, text: str) -> RuleState:
        """Read a position line; ValueError if it isn't valid."""

    def parse_observation(self, text: str) -> str:
        """Return an observation line in canonical form; ValueError if it isn't valid."""


@dataclass(frozen=True, slots=True)
class EngineState:
    """A position of the engine with the interface of `RuleState`."""

    position: Position

    def text(self) -> str:
        """Print the canonical position line."""
        return self.position.text

    def node(self) -> str:
        """Return the node."""
        return self.position.node

    def legal(self) -> list[str]:
        """List the legal moves in canonical order."""
        return self.position.legal_moves()

    def chance(self) -> dict[str, Fraction]:
        """Map each outcome to its probability, in canonical order."""
        return self.position.chance_outcomes()

    def apply(self, token: str) -> EngineState:
        """Apply a move or outcome."""
        return EngineState(self.position.apply(token))

    def observe(self, seat: int) -> str:
        """Print the observation of a seat."""
        return self.position.observe(seat).text

    def consistent(self, seat: int, position_text: str) -> bool:
        """Whether a position fits the observation of a seat."""
        try:
            other = parse_position(self.position.game.name, position_text)
        except InputError:
            return False
        return self.position.observe(seat).is_consistent(other)

    def returns(self) -> list[Fraction]:
        """Return the win share of each seat."""
        return [Fraction(share).limit_denominator(10**6) for share in self.position.returns()]


class EngineRules:
    """The compiled engine as a `RuleBook`."""

    def __init__(self, game: str) -> None:
        self.game = game_type(game).name

    def new(self, options: Mapping[str, str]) -> EngineState:
        """Start a game."""
        return EngineState(new_game(self.game, options))

    def parse(self, text: str) -> EngineState:
        """Read a position line."""
        return EngineState(parse_position(self.game, text))

    def parse_observation(self, text: str) -> str:
        """Read an observation line and print it again."""
        return parse_observation(self.game, text).text


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One check: its place in the page and its text without comment."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced `scenario` block; `number` is the line of its opening fence."""

    path: Path
    number: int
    lines: tuple[ScriptLine, ...]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one script line; `message` is empty if it passed."""

    path: Path
    number: int
    line: str
    message: str

    @property
    def has_passed(self) -> bool:
        """Whether the line holds."""
        return not self.message

    def __str__(self) -> str:
        return f"{self.path}:{self.number}: {self.message or 'passed'}"


class CheckError(Exception):
    """A script line fails; the message has the actual result."""


FENCE = re.compile(r" {0,3}(`{3,})\s*(.*)")
COMMENT = re.compile(r"(^|\s)#.*")
MAX_LISTED = 20  # moves or outcomes in a message


def read_blocks(path: Path) -> list[Block]:
    """Extract the `scenario` blocks of a Markdown page.

    Raises:
        InputError: the file can't be read as text.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"{path} can't be read: {reason}", field="file", value=str(path)) from None
    blocks: list[Block] = []
    fence, start = "", 0
    lines: list[ScriptLine] | None = None  # start of the open block, if it is a scenario
    for number, line in enumerate(text.splitlines(), start=1):
        match = FENCE.fullmatch(line)
        if not fence and match:
            fence, start = match[1], number
            lines = [] if match[2].split()[:1] == ["scenario"] else None
        elif fence and match and match[1].startswith(fence) and not match[2]:
            if lines is not None:
                blocks.append(Block(path, start, tuple(lines)))
            fence, lines = "", None
        elif lines is not None and (script := COMMENT.sub("", line).strip()):
            lines.append(ScriptLine(number, script))
    if fence and lines is not None:
        raise InputError(
            f"{path}:{start}: this scenario block is never closed", field="file", value=str(path)
        )
    return blocks


def run_block(block: Block, rules: RuleBook) -> list[CheckResult]:
    """Check every script line of a block, in order."""
    runner = _Runner(rules)
    return [
        CheckResult(block.path, line.number, line.text, runner.check(line)) for line in block.lines
    ]


def verify_page(path: Path, rules: RuleBook | None = None) -> list[CheckResult]:
    """Check every scenario block of a page, by default with the game of the page's name.

    A page without blocks needs no game.

    Raises:
        InputError: the page can't be read, or no game has its name.
    """
    blocks = read_blocks(path)
    if rules is None and blocks:
        rules = EngineRules(path.stem)
    return [result for block in blocks if rules for result in run_block(block, rules)]


class _Runner:
    """Executes the lines of one block; keeps the current state, or the reason for its absence."""

    def __init__(self, rules: RuleBook) -> None:
        self.rules = rules
        self.state: RuleState | None = None
        self.why_no_state = "no `new` or `given` comes before it"
        self.verbs: dict[str, Callable[[str], None]] = {
            name.removeprefix("_do_"): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }

    def check(self, line: ScriptLine) -> str:
        """Run one line; returns why it fails, or the empty string."""
        verb, _, argument = line.text.partition(" ")
        if verb not in self.verbs:
            return f"unknown verb {verb!r}; verbs are {' '.join(self.verbs)}"
        if not argument and verb != "new":
            return f"`{verb}` needs something after it"
        starts = verb in ("new", "given")
        if starts:
            self.state, self.why_no_state = None, f"line {line.number} failed"
        elif verb != "refuse" and self.state is None:
            return f"not checked, there is no position: {self.why_no_state}"
        try:
            self.verbs[verb](argument)
        except CheckError as error:
            return str(error)
        except ValueError as error:
            return f"`{verb}` is refused: {error}"
        return ""

    @property
    def now(self) -> RuleState:
        assert self.state is not None
        return self.state

    def _do_new(self, argument: str) -> None:
        self.state = self.rules.new(_options(argument))

    def _do_given(self, argument: str) -> None:
        state = self.rules.parse(argument)
        _same_fields("the position prints as another line", argument, state.text())
        self.state = state

    def _do_do(self, argument: str) -> None:
        for token in argument.split():
            try:
                self.state = self.now.apply(token)
            except ValueError as error:
                raise CheckError(f"`{token}` is refused: {error}") from None

    def _do_at(self, argument: str) -> None:
        _same_fields("the position differs", argument, self.now.text())
        # The rules must parse their own output.
        _same_fields("the position reads as another", argument, self.rules.parse(argument).text())

    def _do_to(self, argument: str) -> None:
        if argument != self.now.node():
            raise CheckError(f"expected {argument} to be asked, got {self.now.node()}")

    def _do_legal(self, argument: str) -> None:
        _same_set(argument.split(), self._decisions())

    def _do_has(self, argument: str) -> None:
        possible = [*self.now.legal(), *self.now.chance()]
        missing = [token for token in argument.split() if token not in possible]
        if missing:
            raise CheckError(f"missing {' '.join(missing)}; possible are {_listed(possible)}")

    def _do_illegal(self, argument: str) -> None:
        before = self.now.text()
        accepted = [token for token in argument.split() if self._is_accepted(token)]
        if accepted:
            raise CheckError(f"accepted: {' '.join(accepted)}")
        _same_fields("a refused move changed the position", before, self.now.text())

    def _do_chance(self, argument: str) -> None:
        found = self.now.chance()
        if not found:
            raise CheckError(f"expected a chance node, got {self.now.node()}")
        named, counted = _expected_chances(argument)
        wrong = [
            f"{outcome}={expected} (got {found.get(outcome, 'no such outcome')})"
            for outcome, expected in named.items()
            if found.get(outcome) != expected
        ]
        if wrong:
            raise CheckError(f"wrong: {', '.join(wrong)}")
        rest = Counter(chance for outcome, chance in found.items() if outcome not in named)
        if rest != counted and not counted:
            extra = [f"{key}={value}" for key, value in found.items() if key not in named]
            raise CheckError(f"extra {_listed(extra)}")
        if rest != counted:
            raise CheckError(f"expected {_counts(counted)}, got {_counts(rest)}")

    def _do_sees(self, argument: str) -> None:
        seat, line = _seat_and_line(argument)
        _same_fields("the observation differs", line, self.now.observe(seat))
        _same_fields("the observation reads as another", line, self.rules.parse_observation(line))

    def _do_can(self, argument: str) -> None:
        seat, line = _seat_and_line(argument)
        if not self.now.consistent(seat, line):
            why = ""
            try:
                seen = self.rules.parse(line)
                why = _difference(self.now.observe(seat), seen.observe(seat))
            except ValueError as error:
                why = str(error)
            raise CheckError(f"not consistent with what the seat sees: {why or line}")

    def _do_cannot(self, argument: str) -> None:
        seat, line = _seat_and_line(argument)
        if self.now.consistent(seat, line):
            raise CheckError(f"consistent with what the seat sees: {self.now.observe(seat)}")

    def _do_result(self, argument: str) -> None:
        if self.now.node() != "end":
            raise CheckError(f"expected the end of the game, got {self.now.node()}")
        expected, found = [Fraction(share) for share in argument.split()], self.now.returns()
        if expected != found:
            raise CheckError(
                f"expected {' '.join(map(str, expected))}, got {' '.join(map(str, found))}"
            )

    def _do_refuse(self, argument: str) -> None:
        verb, _, options = argument.partition(" ")
        try:
            if verb == "new":
                state = self.rules.new(_options(options))
            else:
                state = self.rules.parse(argument)
        except CheckError:
            raise
        except ValueError:
            return
        raise CheckError(f"accepted: {state.text()}")

    def _decisions(self) -> list[str]:
        moves = self.now.legal()
        if not moves:
            raise CheckError(f"expected a decision, got {self.now.node()}")
        return moves

    def _is_accepted(self, token: str) -> bool:
        try:
            self.now.apply(token)
        except ValueError:
            return False
        return True


def _options(argument: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for token in argument.split():
        key, equals, value = token.partition("=")
        if not key or not equals or key in options:
            raise CheckError(f"{token!r} is not an option `key=value` that is given once")
        options[key] = value
    return options


def _seat_and_line(argument: str) -> tuple[int, str]:
    seat, _, line = argument.partition(" ")
    if seat != "-" and not re.fullmatch(r"p[1-9][0-9]?", seat):
        raise CheckError(f"{seat!r} is no seat; seats are p1, p2, ... and - for a spectator")
    if not line:
        raise CheckError("a line of text must follow the seat")
    return (0 if seat == "-" else int(seat[1:])), line


def _expected_chances(argument: str) -> tuple[dict[str, Fraction], Counter[Fraction]]:
    """Split `TOKEN=P` from `K*P` terms."""
    named: dict[str, Fraction] = {}
    counted: Counter[Fraction] = Counter()
    for term in argument.split():
        outcome, equals, chance = term.rpartition("=")
        number, star, each = term.partition("*")
        if equals and outcome not in named:
            named[outcome] = _lowest_terms(chance)
        elif star and number.isdecimal():
            counted[_lowest_terms(each)] += int(number)
        else:
            raise CheckError(f"{term!r} is neither TOKEN=P, given once, nor K*P")
    return named, counted


def _lowest_terms(text: str) -> Fraction:
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise CheckError(f"{text!r} is no fraction") from None
    if str(value) != text:
        raise CheckError(f"{text!r} is not in lowest terms: {value}")
    return value


def _counts(chances: Counter[Fraction]) -> str:
    return " ".join(f"{number}*{chance}" for chance, number in sorted(chances.items())) or "none"


def _same_set(expected: Iterable[str], found: Iterable[str]) -> None:
    expected, found = list(expected), list(found)
    missing = [token for token in expected if token not in found]
    extra = [token for token in found if token not in expected]
    parts = [f"missing {_listed(missing)}"] if missing else []
    parts += [f"extra {_listed(extra)}"] if extra else []
    if parts:
        raise CheckError(", ".join(parts))


def _same_fields(what: str, expected: str, found: str) -> None:
    if expected != found:
        raise CheckError(f"{what}: {_difference(expected, found)}")


def _difference(expected: str, found: str) -> str:
    """Name the fields in which two lines differ."""
    ours, theirs = expected.split(" "), found.split(" ")
    if len(ours) != len(theirs):
        return f"expected {len(ours)} fields, got {len(theirs)}: {found}"
    return "; ".join(_field_differences(ours, theirs))


def _field_differences(expected: list[str], found: list[str]) -> Iterator[str]:
    for ours, theirs in zip(expected, found, strict=True):
        if ours != theirs:
            yield f"expected {ours}, got {theirs}"


def _listed(tokens: list[str]) -> str:
    more = f" and {len(tokens) - MAX_LISTED} more" if len(tokens) > MAX_LISTED else ""
    return (" ".join(tokens[:MAX_LISTED]) or "none") + more
