"""The MCP server: its tools and resources, and how errors reach the agent."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version
from inspect import Parameter
from typing import Annotated, Any, ParamSpec, TypeVar

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from kingmaker.cext.errors import InputError
from kingmaker.search.games import game_type, game_types
from kingmaker.search.rules_pages import beginners_page, rules_of

from .advice import Advice, Adviser, Report, Solved
from .coach import Coach, Comparison, Hindsight
from .play import Desk, Move, Rules, View
from .seals import Sealer

P = ParamSpec("P")
R = TypeVar("R")
HOUR = 3600
EXPIRE_HOURS = 7 * 24

HOW_TO_PLAY = """\
Kingmaker's games have hidden hands, dice or neither. To play one:

1. `list_games`, then `rules` and `notation` of one that you choose.
2. `start` it. The answer has `game`, the sealed game: nobody can read it, and each call gives a new
   one. Pass on the last one, unchanged.
3. While `your_turn` is true, choose a move and `play` it; otherwise `ask_bot`, which moves for the
   other seats.
4. At the end `to_move` is "end", and `win_shares` has the share of the win of each seat. `review`
   then says what was luck and which moves were worse than others.

You see what your seat sees, and so do the bots. Moves can't be taken back.
"""

Game = Annotated[str, Field(description="The sealed game of the last answer.")]
Subject = Annotated[
    str,
    Field(
        description="A sealed game, or with `name` the line of what a seat sees (ending in @p1)."
    ),
]
Name = Annotated[str, Field(description="Name of the game, if `subject` is a line.")]
Milliseconds = Annotated[float, Field(description="Time to search.", gt=0)]


class GameInfo(BaseModel):
    """A game that can be played."""

    name: str
    title: str
    seats: list[int] = Field(description="Possible numbers of seats.")
    hidden_information: bool
    options: dict[str, str] = Field(description="Option -> meaning, values, default and rule.")


class Tools:
    """The tools; their docstrings are what the agent reads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._adviser = Adviser(desk)
        self._coach = Coach(desk)

    def list_games(self) -> list[GameInfo]:
        """List the games with their options."""
        return [
            GameInfo(
                name=name,
                title=kind.title,
                seats=list(kind.seat_counts),
                hidden_information=kind.is_hidden,
                options=dict(kind.option_help),
            )
            for name, kind in sorted(game_types().items())
        ]

    def rules(self, name: str) -> str:
        """Read the rules of a game: numbered, complete, with worked examples."""
        return rules_page(name)

    def notation(self, name: str) -> str:
        """Read how moves and lines of a game are written."""
        return game_type(name).notation_help

    def start(
        self,
        name: str,
        options: Annotated[
            dict[str, str | int] | None,
            Field(description="Options of the game; else its defaults."),
        ] = None,
        seats: Annotated[
            list[int] | None, Field(description="Your seats, from 1; seat 1 unless given.")
        ] = None,
    ) -> View:
        """Start a game at your seats; bots have the others."""
        return self._desk.start(name, options or {}, [1] if seats is None else seats)

    def observe(
        self,
        game: Game,
        seat: Annotated[int | None, Field(description="One of your seats.")] = None,
    ) -> View:
        """Look at a game again."""
        return self._desk.observe(game, seat)

    def legal_moves(self, game: Game) -> list[Move]:
        """List your legal moves with a description each."""
        return self._desk.legal_moves(game)

    def play(
        self, game: Game, move: Annotated[str, Field(description="In the game's notation.")]
    ) -> View:
        """Play a move at your seat."""
        return self._desk.play(game, move)

    def ask_bot(
        self,
        game: Game,
        level: Annotated[int, Field(description="1, for beginners, to 10.")] = 5,
        simulations: Annotated[int, Field(description="Effort of a move.", ge=1)] = 1000,
    ) -> View:
        """Let bots move until it is your turn, or the game is over."""
        return self._desk.ask_bot(game, level, simulations)

    def hint(
        self, subject: Subject, name: Name = "", top: int = 3, milliseconds: Milliseconds = 1000
    ) -> list[Advice]:
        """Get the best moves for the seat to move, each with its reasons."""
        return self._adviser.hint(subject, name, top, milliseconds)

    def analyze(
        self, subject: Subject, name: Name = "", milliseconds: Milliseconds = 2000, engine: str = ""
    ) -> Report:
        """Evaluate every move for the seat to move, with errors and expected play."""
        return self._adviser.analyze(subject, name, milliseconds, engine)

    def solve(self, subject: Subject, name: Name = "", milliseconds: Milliseconds = 5000) -> Solved:
        """Solve a game exactly: small ones, and late positions of others.

        A full position's line is solved with all hands open.
        """
        return self._adviser.solve(subject, name, milliseconds)

    def sample_worlds(self, subject: Subject, name: Name = "", count: int = 5) -> list[str]:
        """Draw full positions that fit what your seat sees: what the others may hold.

        Where searches weigh them by what your seat has seen, likely ones come more often.
        """
        return self._adviser.sample_worlds(subject, name, count)

    def review(
        self,
        subject: Annotated[
            str,
            Field(
                description="A sealed game that is over; or a record: a line with the name of the "
                "game and its options (key=value), then all moves and outcomes."
            ),
        ],
    ) -> Hindsight:
        """Review a finished game: luck and play of each seat, the most costly moves."""
        return self._coach.review(subject)

    def compare_bots(
        self,
        name: str,
        first: Annotated[int, Field(description="Level of one bot, 1 to 10.")],
        second: Annotated[int, Field(description="Level of the bots at the other seats.")],
        games: int = 20,
        simulations: Annotated[int, Field(description="Effort of a move.", ge=1)] = 100,
    ) -> Comparison:
        """Let bots of two levels play a match, with the same deals from every seat."""
        return self._coach.compare_bots(name, first, second, games, simulations)


class _Server(MCPServer[None]):
    """Tells an agent in words what is wrong with the arguments of a call."""

    async def call_tool(self, name: str, arguments: dict[str, Any], *context: Any) -> Any:
        """Call a tool; see `MCPServer`."""
        if name not in TOOLS:
            return await super().call_tool(name, arguments, *context)
        takes = _parameters(getattr(Tools, name))
        if unknown := [key for key in arguments if key not in takes]:
            missing = [key for key in takes if takes[key].default is Parameter.empty]
            raise _wrong_arguments(
                name,
                [f"{key}: Field required" for key in missing if key not in arguments]
                + [f"{key}: there is no such argument" for key in unknown],
            )
        try:
            return await super().call_tool(name, arguments, *context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            errors = error.__cause__.errors()
            faults = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in errors]
            raise _wrong_arguments(name, faults) from None


def _parameters(tool: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the parameters of a tool by name, without `self`."""
    found = inspect.signature(tool).parameters
    return {name: each for name, each in found.items() if name != "self"}


def _wrong_arguments(name: str, faults: Sequence[str]) -> ToolError:
    takes = ", ".join(_parameters(getattr(Tools, name)))
    return ToolError(f"{name} takes {takes}; {'; '.join(faults)}")


TELLS_MOVES = ("legal_moves", "hint", "analyze", "solve", "review")
"""Tools that there are only where moves are not hidden."""
SEARCHES = ("ask_bot", "sample_worlds", "hint", "analyze", "solve", "review", "compare_bots")
"""Tools that take more than an instant."""
TOOLS = (
    *("list_games", "rules", "notation", "start", "observe", "play", "ask_bot"),
    *("sample_worlds", "compare_bots", *TELLS_MOVES),
)
Turn = Callable[[], AbstractAsyncContextManager[None]]


def make_server(
    rules: Rules | None = None,
    *,
    keys: tuple[str, ...] = (),
    expire_hours: float = EXPIRE_HOURS,
    turn: Turn | None = None,
) -> MCPServer[None]:
    """Return the server; `run` serves it, and `streamable_http_app` mounts it in another.

    Args:
        rules: how games are played.
        keys: of seals, see `Sealer`; several processes that serve the same agents share them.
        expire_hours: after which a game that is not played on has expired.
        turn: entered around each tool that searches, in the event loop: where a server waits for a
            free slot. An `InputError` that it raises reaches the agent.

    Raises:
        InputError: a key is malformed.
    """
    given = rules or Rules()
    desk = Desk(Sealer(keys, seconds=int(expire_hours * HOUR)), given)
    server = _Server(
        "kingmaker", version=version("kingmaker"), instructions=HOW_TO_PLAY, log_level="WARNING"
    )
    tools = Tools(desk)
    for name in TOOLS:
        if not (given.hides_moves and name in TELLS_MOVES):
            reads = name not in ("start", "play", "ask_bot")
            tool = _telling(getattr(tools, name))
            server.add_tool(
                _in_turn(tool, turn) if turn and name in SEARCHES else tool,
                name=name,
                annotations=ToolAnnotations(read_only_hint=reads, open_world_hint=False),
            )
    server.resource("kingmaker://how-to-play", mime_type="text/markdown")(how_to_play)
    server.resource("kingmaker://how-to-play/{name}", mime_type="text/markdown")(_how_to_play)
    server.resource("kingmaker://rules/{name}", mime_type="text/markdown")(_rules)
    return server


def how_to_play() -> str:
    """How to play with these tools."""
    return HOW_TO_PLAY


def rules_page(name: str) -> str:
    """Return the rules of a game, or its notation if there are none.

    Raises:
        UnknownGameError: no game has this name.
    """
    kind = game_type(name)
    return rules_of(kind) or kind.notation_help


def _rules(name: str) -> str:
    """Rules of a game."""
    try:
        return rules_page(name)
    except InputError as error:
        raise ResourceError(str(error)) from None


def _how_to_play(name: str) -> str:
    """How to play a game, on one page; where there is none, its rules."""
    page = beginners_page(game_types()[name]) if name in game_types() else ""
    return page or _rules(name)


def _in_turn(tool: Callable[P, R], turn: Turn) -> Callable[P, Awaitable[R]]:
    """Make a tool wait for its turn, and then run on a thread."""

    @functools.wraps(tool)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            async with turn():
                return await anyio.to_thread.run_sync(functools.partial(tool, *args, **kwargs))
        except InputError as error:
            raise ToolError(_sentence(error, _parameters(tool))) from None

    return call


def _telling(tool: Callable[P, R]) -> Callable[P, R]:
    """Make a tool tell the agent what was wrong; the library keeps other exceptions to itself."""

    @functools.wraps(tool)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return tool(*args, **kwargs)
        except InputError as error:
            raise ToolError(_sentence(error, _parameters(tool))) from None

    call.__signature__ = inspect.signature(tool, eval_str=True)  # type: ignore[attr-defined]
    return call


def _sentence(error: InputError, takes: Collection[str]) -> str:
    """Describe an error with its field, as the tool calls it, its value and rule."""
    field = error.field or ""
    head = re.split(r"\W", field, maxsplit=1)[0]
    if head not in takes:
        named = {"game": "name", "observation": "subject", "position": "subject"}.get(head, "")
        field = named if named in takes else field
    facts: dict[str, Any] = {"field": field, "value": error.value, "rule": error.rule}
    told = "; ".join(f"{name}: {value}" for name, value in facts.items() if value)
    return f"{error} [{told}]" if told else str(error)
