"""Bot specs: a bot and its settings in a line of text.

    random                                         an engine
    ismcts:time=100ms,threads=1,exploration=0.4    with a budget and its own options
    level:3,time=50ms                              a level of the game's default engine
    grpc://localhost:50051/level=5,time=50ms       a search on the server at that address
    bot:rook@localhost:50051                       a program connected to that server

After the first word come settings, `name=value`, separated by commas; a connected program has
none:

    time          for a move: 100ms, 1.5s, 2m
    simulations   for a move, a whole number
    memory        of the tree: 64mb, 2gb
    threads       of the search
    reuse         on: a decision begins with the tree of the seat's last one; default: off
    level         1 to 10; default: full strength
    engine        if the first word is no engine; default: that of the game
    any other     an option of the engine

A search with neither time nor simulations gets 100 ms. The canonical text has all given settings
in a fixed order, and that default: equal texts give equal bots.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kingmaker.cext.errors import InputError, guess, unknown
from kingmaker.cext.game import Game
from kingmaker.search.analysis import MAX_THREADS, MEGABYTE, Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.levels import LEVELS
from kingmaker.search.plan import check_engine
from kingmaker.search.registry import ENGINES, EngineInfo

from .model import Bot

DEFAULT_MS = 100.0
DEFAULT_BYTES = 64 * MEGABYTE
MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000}
BYTES = {"mb": MEGABYTE, "gb": 1024 * MEGABYTE}
GRPC, BOT = "grpc://", "bot:"
OTHER_BOTS = (
    f"other bots are level:<1-10>, {GRPC}<host>:<port>/<settings> and {BOT}<name>@<host>:<port>"
)
SETTINGS = ("level", "time", "simulations", "memory", "threads", "reuse")
ALL_SETTINGS = f"{', '.join(SETTINGS[:-1])} and {SETTINGS[-1]}"
MAX_BOT_NAME = 64
ADDRESS = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
QUANTITY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([a-z]*)")  # short enough to be finite
WRITTEN_LEVEL = re.compile(r"level[ =_-]?([0-9]{1,2})", re.IGNORECASE)  # not as it should be
WORD = re.compile(r"[A-Za-z0-9._+-]+")


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed spec; see the head of this file.

    Attributes:
        address: of the server that searches or has the program's connection; empty: this process.
        bot: name of the connected program; empty: a search.
        level: 1 to 10; None: full strength.
        engine: name of the engine; empty: the default of the game.
        time_ms: thinking time of a move; None: no limit.
        simulations: for a move; None: no limit.
        memory_bytes: hard limit of the search tree.
        threads: of the search.
        reuse: whether a decision begins with the tree of the last one.
        options: of the engine, (name, value) by name; the others keep their defaults.
    """

    address: str = ""
    bot: str = ""
    level: int | None = None
    engine: str = ""
    time_ms: float | None = None
    simulations: int | None = None
    memory_bytes: int = DEFAULT_BYTES
    threads: int = 1
    reuse: bool = False
    options: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The canonical text."""
        if self.bot:
            return f"{BOT}{self.bot}@{self.address}"
        level = "" if self.level is None else str(self.level)
        head = f"{GRPC}{self.address}/" if self.address else "level" if level else self.engine
        settings = {
            "level": level if self.address else "",
            "engine": self.engine if head != self.engine else "",
            "time": "" if self.time_ms is None else f"{_plain(self.time_ms)}ms",
            "simulations": str(self.simulations or ""),
            "memory": "" if self.memory_bytes == DEFAULT_BYTES else _megabytes(self.memory_bytes),
            "threads": "" if self.threads == 1 else str(self.threads),
            "reuse": "on" if self.reuse else "",
            **dict(self.options),
        }
        parts = [f"{name}={value}" for name, value in settings.items() if value]
        if self.address:
            return head + ",".join(parts)
        if level:
            parts.insert(0, level)
        return f"{head}:{','.join(parts)}" if parts else head

    def budget(self, left_ms: float | None = None) -> Budget:
        """Return the budget of a move with `left_ms` on the clock."""
        times = [time for time in (self.time_ms, left_ms) if time is not None]
        # An engine without a limit does not search, but a budget must have a limit.
        simulations = self.simulations if self.simulations or times else 1
        return Budget(min(times, default=None), simulations, self.memory_bytes)

    def check_game(self, game: Game) -> None:
        """Check that the bot can play a game; a remote bot is checked by its server.

        Raises:
            InputError: the engine can't search the game, or does not have an option.
        """
        if self.address:
            return
        try:
            check_engine(game, self.engine, dict(self.options))
        except InputError as error:
            if error.field == "engine":
                error.field, error.value = "bot", self.text
            raise


def make_bot(spec: str, name: str = "") -> Bot:
    """Make a bot from a spec; the default name is its canonical text.

    Raises:
        InputError: the spec is wrong.
    """
    text = parse_spec(spec).text
    return Bot(name or text, text)


def parse_spec(text: str) -> Spec:
    """Parse a spec.

    Raises:
        InputError: an engine, setting, unit or level is unknown, or a value is out of range.
    """
    try:
        spec = _connected(text.strip()) or _spec(*_split(text.strip()))
        spec.budget()  # raises for a value out of range
    except InputError as error:
        raise InputError(f"bot {text!r}: {error}", field="bot", value=text) from None
    return spec


def check_bot_name(name: str) -> None:
    """Refuse a name that a connected program can't have.

    Raises:
        InputError: it is empty, too long, or has a character that is not allowed.
    """
    if len(name) > MAX_BOT_NAME or not WORD.fullmatch(name):
        raise InputError(
            f"{name[:MAX_BOT_NAME]!r} is not a bot's name; write 1 to {MAX_BOT_NAME} letters, "
            "digits or characters of ._+-",
            field="name",
            value=name,
        )


def check_address(address: str, form: str) -> None:
    """Refuse what is not `host:port`.

    Args:
        address: to check.
        form: what to write.

    Raises:
        InputError: it is something else.
    """
    match = ADDRESS.fullmatch(address)
    if match is None or not 1 <= int(match[1]) <= 65535:
        raise InputError(f"{address!r} is not an address; write {form}")


def _connected(text: str) -> Spec | None:
    """Parse the spec of a connected program; None: `text` is the spec of a search."""
    if not text.startswith(BOT):
        return None
    name, _, address = text.removeprefix(BOT).partition("@")
    check_bot_name(name)
    check_address(address, f"{BOT}<name>@<host>:<port>")
    return Spec(address=address, bot=name)


def _split(text: str) -> tuple[str, dict[str, str]]:
    """Return the address of a search, if any, and its settings."""
    if text.startswith(GRPC):
        address, _, tail = text.removeprefix(GRPC).partition("/")
        check_address(address, f"{GRPC}<host>:<port>/<settings>")
        return address, _settings(tail)
    head, _, tail = text.partition(":")
    if head == "level":
        return "", _settings(f"level={tail}")
    if head not in ENGINES:
        raise InputError(
            f"there is no engine {head!r}; engines are {', '.join(ENGINES)}; {OTHER_BOTS}"
            + _guess(head)
        )
    return "", _settings(f"engine={head},{tail}" if tail else f"engine={head}")


def _guess(head: str) -> str:
    """Ask whether a bot was meant whose spec begins almost like this."""
    if (level := WRITTEN_LEVEL.fullmatch(head.partition(",")[0])) is not None:
        return f"; did you mean level:{level[1]}?"
    return guess(head, [*ENGINES, "level", "bot"])


def _settings(text: str) -> dict[str, str]:
    settings: dict[str, str] = {}
    for part in text.split(",") if text else ():
        name, _, value = part.partition("=")
        if not WORD.fullmatch(name) or not WORD.fullmatch(value):
            raise InputError(f"{part!r} is not a setting; write name=value, separated by commas")
        if name in settings:
            raise InputError(f"{name} is given twice")
        settings[name] = value
    return settings


def _spec(address: str, settings: dict[str, str]) -> Spec:
    engine = settings.pop("engine", "")
    info = None if address or not engine else _engine(engine)
    if info is not None and not info.does_search:
        if settings:
            raise InputError(f"{engine} does not search and has no settings; leave them out")
        return Spec(engine=engine)
    level = settings.pop("level", None)
    time = settings.pop("time", None)
    simulations = settings.pop("simulations", None)
    memory = settings.pop("memory", _megabytes(DEFAULT_BYTES))
    threads = settings.pop("threads", "1")
    reuse = _switch("reuse", settings.pop("reuse", "off"))
    if reuse and address:
        raise InputError("reuse is on; a server keeps no trees, so leave it out")
    if reuse and engine not in ("", "ismcts"):
        raise InputError(f"reuse is on; {engine} keeps no tree, only ismcts does")
    if time is None and simulations is None:
        time = f"{_plain(DEFAULT_MS)}ms"
    return Spec(
        address=address,
        level=None if level is None else _whole("level", level, LEVELS[-1]),
        engine=engine,
        time_ms=None if time is None else _quantity("time", time, MILLISECONDS),
        simulations=None if simulations is None else _whole("simulations", simulations),
        memory_bytes=round(_quantity("memory", memory, BYTES)),
        threads=_whole("threads", threads, MAX_THREADS),
        reuse=reuse,
        options=tuple(sorted((settings if address else _options(info, settings)).items())),
    )


def _engine(name: str) -> EngineInfo:
    if name not in ENGINES:
        raise InputError(unknown("engine", name, ENGINES))
    return ENGINES[name]


def _options(engine: EngineInfo | None, settings: Mapping[str, str]) -> dict[str, str]:
    """Check the options of an engine, and normalize their values."""
    if not settings:
        return {}
    if engine is None:
        known = {name for each in ENGINES.values() for name in each.options}
        for name in settings:
            if name not in known:
                raise InputError(
                    f"there is no setting {name!r}; a bot has {ALL_SETTINGS}, and options of its "
                    f"engine{guess(name, [*SETTINGS, 'engine', *known])}"
                )
        raise InputError(
            f"{', '.join(settings)}: name the engine of this option with engine=<name>"
        )
    for name in settings:
        if name not in engine.options:
            raise InputError(
                f"engine {engine.name} has no option {name!r}; it has "
                f"{', '.join(engine.options) or 'none'}; a bot has {ALL_SETTINGS} besides"
                + guess(name, [*SETTINGS, *engine.options])
            )
    # Checked against the simplest game; `Spec.check_game` checks rules of one game.
    checked = check_options(engine, Game(), settings)
    return {name: _plain(checked[name]) for name in settings}


def _quantity(name: str, text: str, units: Mapping[str, int]) -> float:
    match = QUANTITY.fullmatch(text)
    if match is None or match[2] not in units:
        raise InputError(f"{name} is {text!r}; write a number with its unit, {' or '.join(units)}")
    return float(match[1]) * units[match[2]]


def _whole(name: str, text: str, high: int | None = None) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= (high or int(text)):
        most = "1 or more" if high is None else f"1 to {high}"
        raise InputError(f"{name} is {text!r}; it must be a whole number, {most}")
    return int(text)


def _switch(name: str, text: str) -> bool:
    if text not in ("on", "off"):
        raise InputError(f"{name} is {text!r}; it must be on or off")
    return text == "on"


def _megabytes(memory_bytes: int) -> str:
    return f"{_plain(memory_bytes / MEGABYTE)}mb"


def _plain(value: object) -> str:
    """Format a number without a trailing `.0`."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
