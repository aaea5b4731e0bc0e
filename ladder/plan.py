"""Plans of ladders: read from a TOML or JSON file or from flags, validated, kept in the store.

    game = "..."
    bots = ["random", "fast=ismcts:time=10ms", "slow=ismcts:time=100ms"]
    pairing = "round_robin"
    num_groups = 300
    clock = { move_ms = 200 }

A ladder can be resumed from its plan after any failure: the groups, the deals and the ids of all
games follow from it.
"""

from __future__ import annotations

import json
import tomllib
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from kingmaker.cext.errors import InputError, UnknownGameError
from kingmaker.cext.game import Game
from kingmaker.search.analysis import MAX_MILLISECONDS
from kingmaker.search.draws import MAX_SEED
from kingmaker.search.position import new_game

from .deals import mirrored_tasks
from .model import Bot, GameTask, TimeControl, faults_of
from .openings import Openings, has_chance
from .pairing import Group, Pairing, Swiss, gauntlet, round_robin
from .race import Race
from .specs import make_bot, parse_spec
from .sprt import Sprt
from .words import one_line

DEFAULT_MAX_PLIES = 5000
INDEX_DIGITS = 7  # digits of a group's id, so that ids sort by number
# Larger than any real ladder, and within the range of databases and searches.
MAX_BOTS = 1000
MAX_GROUPS = 10**INDEX_DIGITS
MAX_ROUNDS = 10_000
MAX_PLIES = 10**6
MAX_OPENING = 1000  # plies
MAX_BOOK = 10_000  # lines
MAX_NAME = 100  # characters


def read_plan(path: Path) -> LadderPlan:
    """Read a plan from a file: JSON if its name ends in .json, else TOML.

    Raises:
        InputError: the file can't be read, or the plan is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise InputError(f"plan {path} can't be read: {error.strerror}", field="plan") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"plan {path}: {error}", field="plan") from None
    if not isinstance(values, dict):
        raise InputError(f"plan {path} must be an object of fields, such as game", field="plan")
    try:
        return LadderPlan.of(**values)
    except InputError as error:
        raise InputError(f"plan {path}: {error}", field=error.field) from None


class _Part(BaseModel):
    """Base of a plan and its parts: immutable, unknown fields are refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", coerce_numbers_to_str=True, allow_inf_nan=False
    )


class ClockPlan(_Part):
    """The clock of each bot; see `TimeControl`."""

    move_ms: Annotated[PositiveFloat, Field(le=MAX_MILLISECONDS)] | None = None
    game_ms: Annotated[PositiveFloat, Field(le=MAX_MILLISECONDS)] | None = None
    increment_ms: Annotated[NonNegativeFloat, Field(le=MAX_MILLISECONDS)] = 0.0

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.increment_ms and self.game_ms is None:
            raise InputError("increment_ms is given without game_ms; give both")
        return self


class SprtPlan(_Part):
    """The parameters of a sequential test; see `Sprt`."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05


class BestPlan(_Part):
    """The parameters of a race for the best of all bots; see `Race`."""

    margin: float = 20.0
    error: float = 0.05


def check_name(name: str) -> None:
    """Refuse a name that would break tables and file names.

    Raises:
        InputError: it is empty, too long, begins or ends with a space, or has characters that are
            not printable.
    """
    if len(name) > MAX_NAME:
        raise InputError(
            f"the name {one_line(name)!r} has {len(name)} characters; {MAX_NAME} are allowed",
            field="name",
        )
    if not name or name != name.strip() or not name.isprintable():
        raise InputError(
            f"{name!r} is not a valid name; write printable characters, without spaces around them",
            field="name",
            value=name,
        )


def _read_bot(value: object) -> Bot:
    """Parse a bot in one of its forms, and check its name."""
    bot = _make_bot(value)
    check_name(bot.name)
    return bot


def _make_bot(value: object) -> Bot:
    """Make a bot of `SPEC`, `NAME=SPEC` or `{"name": ..., "spec": ...}`."""
    if isinstance(value, Bot):
        return make_bot(value.spec, value.name)
    if isinstance(value, str):
        name, sign, spec = value.partition("=")
        # In a spec a colon comes before the first "=".
        return make_bot(spec, name.strip()) if sign and ":" not in name else make_bot(value)
    if not isinstance(value, dict) or not value.keys() <= {"name", "spec"}:
        raise InputError('write a bot as "SPEC", "NAME=SPEC" or { name = "...", spec = "..." }')
    return make_bot(str(value.get("spec", "")), str(value.get("name", "")))


class LadderPlan(_Part):
    """The plan of a ladder; make it with `LadderPlan.of`, which reports all errors.

    Attributes:
        game: name of the game.
        options: of the game; the others keep their defaults.
        bots: all bots; each is given as `SPEC`, as `NAME=SPEC` or by name and spec.
        pairing: see the module `pairing`. In a gauntlet the first bot is the challenger.
        num_groups: mirrored groups to play; None: play until stopped.
        num_rounds: rounds of Swiss pairing, in place of `num_groups`.
        sprt: test whether the first of two bots is better than the second; the ladder then ends
            with the verdict, or with `num_groups`.
        best: find the best of the bots; the ladder then ends with the verdict, or with
            `num_groups`.
        seed: decides the order, the deals and the bots' random choices.
        clock: of every bot.
        max_plies: moves and outcomes at which a game is cut and counts as a draw.
        openings: random legal plies with which the games of a group start, see `openings`; None:
            `openings.default_plies` when the ladder is begun, none in a ladder begun without.
        book: lines of positions to start from instead; empty: there is no book.
        anchor: name of the bot whose rating is `anchor_elo`, or its spec if it has no other name;
            None: the mean of all bots is.
        anchor_elo: in Elo.
        rules_version: of the game when the ladder was begun; empty: not begun.
    """

    game: str
    options: dict[str, str] = Field(default_factory=dict)
    bots: tuple[Annotated[Bot, BeforeValidator(_read_bot)], ...] = Field(max_length=MAX_BOTS)
    pairing: Literal["round_robin", "gauntlet", "swiss"] = "round_robin"
    num_groups: Annotated[PositiveInt, Field(le=MAX_GROUPS)] | None = None
    num_rounds: Annotated[PositiveInt, Field(le=MAX_ROUNDS)] | None = None
    sprt: SprtPlan | None = None
    best: BestPlan | None = None
    seed: Annotated[NonNegativeInt, Field(le=MAX_SEED)] = 0
    clock: ClockPlan = ClockPlan()
    max_plies: Annotated[PositiveInt, Field(le=MAX_PLIES)] = DEFAULT_MAX_PLIES
    openings: Annotated[NonNegativeInt, Field(le=MAX_OPENING)] | None = None
    book: tuple[str, ...] = Field(default=(), max_length=MAX_BOOK)
    anchor: str | None = None
    anchor_elo: float = 0.0
    rules_version: str = ""

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Make a plan from its fields.

        Raises:
            InputError: a game, bot, option or field is unknown, a value is out of range, there is
                one bot only, or two bots have the same name; the message lists all errors.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise _input_error(error) from None

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON data, which `of` reads."""
        return self.model_dump(mode="json")

    @cached_property
    def rules(self) -> Game:
        """The game with its options."""
        return new_game(self.game, self.options).game

    @cached_property
    def has_chance(self) -> bool:
        """Whether the game has chance; otherwise a repeated game says nothing new."""
        return has_chance(self.rules)

    @cached_property
    def starts(self) -> Openings:
        """The positions that the groups start from."""
        return Openings(self.rules, self.openings or 0, self.book, self.seed)

    @property
    def num_seats(self) -> int:
        """Seats of the table, which is also the number of games in a group."""
        return self.rules.num_seats

    @property
    def total_games(self) -> int | None:
        """Most games of the ladder; None: unlimited."""
        num_groups = self.schedule().num_groups
        return None if num_groups is None else num_groups * self.num_seats

    def schedule(self) -> Pairing:
        """Return the list of groups."""
        names = [bot.name for bot in self.bots]
        if self.best is not None:
            return self.race()
        if self.pairing == "swiss" and self.num_rounds is not None:
            return Swiss(names, self.num_rounds, seed=self.seed)
        if names and (self.pairing == "gauntlet" or self.sprt is not None):
            return gauntlet(
                names[0], names[1:], self.num_seats, seed=self.seed, num_groups=self.num_groups
            )
        return round_robin(names, self.num_seats, seed=self.seed, num_groups=self.num_groups)

    def race(self) -> Race:
        """Begin the race for the best bot; only with `best`."""
        best = self.best or BestPlan()
        return Race(
            [bot.name for bot in self.bots],
            self.num_seats,
            margin=best.margin,
            error=best.error,
            seed=self.seed,
            num_groups=self.num_groups,
        )

    def test(self) -> Sprt | None:
        """Begin the sequential test, if there is one."""
        if self.sprt is None:
            return None
        return Sprt(**self.sprt.model_dump(), num_seats=self.num_seats)

    def tasks(self, group: Group) -> list[GameTask]:
        """List the games of a group, one for each rotation."""
        bots = {bot.name: bot for bot in self.bots}
        return mirrored_tasks(
            self.rules,
            self.options,
            [bots[name] for name in group.bots],
            group=group_id(group.index),
            deal_seed=group.deal_seed,
            seed=group.seed,
            clock=TimeControl(**self.clock.model_dump()),
            max_plies=self.max_plies,
            start=self.starts.start(group.index),
        )

    @field_validator("anchor")
    @classmethod
    def _name_of(cls, anchor: str | None, info: ValidationInfo) -> str | None:
        """Find the name of an anchor that is given by its spec, as the bot was."""
        names = [bot.name for bot in info.data.get("bots", ())]
        if anchor is None or anchor in names:
            return anchor
        with suppress(InputError):
            if (text := parse_spec(anchor).text) in names:
                return text
        return anchor

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check the rules that involve several fields."""
        self.schedule()
        self.test()
        self._check_pairing()
        self.starts.start(0)  # raises for a book or openings that can't be played
        for bot in self.bots:
            parse_spec(bot.spec).check_game(self.rules)
        names = [bot.name for bot in self.bots]
        if self.anchor is not None and self.anchor not in names:
            raise InputError(
                f"the anchor {self.anchor!r} is not one of the bots {', '.join(names)}",
                field="anchor",
            )
        return self

    def _check_pairing(self) -> None:
        is_swiss = self.pairing == "swiss"
        if is_swiss != (self.num_rounds is not None) or (is_swiss and self.num_groups is not None):
            raise InputError(
                "num_rounds is for Swiss pairing, num_groups for the other pairings",
                field="num_rounds",
            )
        if is_swiss and self.num_seats != 2:
            raise InputError(
                f"Swiss pairing is for 2 seats; {self.game} has {self.num_seats}", field="pairing"
            )
        if self.sprt is not None and (is_swiss or len(self.bots) != 2):
            raise InputError(
                "a sequential test is between two bots, without Swiss pairing", field="sprt"
            )
        if self.best is not None and (self.pairing != "round_robin" or self.sprt is not None):
            raise InputError(
                "a race for the best bot has its own pairing, and no sequential test", field="best"
            )


def group_id(index: int) -> str:
    """Return the id of a group by its number."""
    return f"{index:0{INDEX_DIGITS}}"


def _input_error(error: ValidationError) -> InputError:
    """Describe each validation error in one sentence."""
    faults = faults_of(error, LadderPlan.model_fields)
    text = "; ".join(f"{path}: {message}" if path else message for path, message in faults)
    cause = error.errors(include_url=False)[0].get("ctx", {}).get("error")
    kind = UnknownGameError if isinstance(cause, UnknownGameError) else InputError
    return kind(text, field=faults[0][0], value=getattr(cause, "value", ""))
