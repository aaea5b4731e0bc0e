"""`kingmaker play`: a game at the terminal against bots.

The output shows only what the seat at the terminal sees: boards are its observations, and moves of
others appear as this seat sees them.
"""

from __future__ import annotations

import json as json_module
import secrets
from pathlib import Path
from typing import Annotated

import typer

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import Budget
from kingmaker.search.events import seen_event
from kingmaker.search.levels import LEVELS
from kingmaker.search.position import Position, game_type
from kingmaker.search.run import MAX_SEED

from .backend import Backend, LocalBackend, RemoteBackend
from .inputs import JsonFlag, Seed, pairs
from .output import err, working
from .screen import JsonScreen, Screen, TextScreen

NUM_HINTS = 3


def play(
    game: Annotated[str, typer.Argument(help="Name of the game, see `kingmaker games`.")],
    seat: Annotated[int, typer.Option("--seat", help="Your seat, 1..n; 0: watch the bots.")] = 1,
    level: Annotated[int, typer.Option("--level", help="Strength of the bots, 1 to 10.")] = 5,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="Option of the game.")
    ] = None,
    seed: Seed = None,
    budget_ms: Annotated[
        float, typer.Option("--budget-ms", help="Search time of a bot's move and of a hint.")
    ] = 500.0,
    server: Annotated[
        str,
        typer.Option(
            "--server",
            metavar="HOST[:PORT]",
            help="Let a server deal, apply rules and play bots; port 50051 by default.",
        ),
    ] = "",
    save: Annotated[
        str,
        typer.Option("--save", metavar="FILE", help="Append the finished game, for `review`."),
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Play a game against bots; with --json one JSON object per event is written."""
    if level not in LEVELS:
        raise InputError(
            f"level is {level}; it must be {LEVELS[0]} to {LEVELS[-1]}",
            field="level",
            value=str(level),
        )
    seed = secrets.randbits(63) if seed is None else seed
    if not 0 <= seed <= MAX_SEED:
        raise InputError(
            f"seed is {seed}; it must be 0 to {MAX_SEED}", field="seed", value=str(seed)
        )
    Budget(budget_ms)  # checks the range before a server is asked
    game_type(game)  # boards are drawn in this process even with a server
    backend: Backend = (
        RemoteBackend(server, budget_ms, seed) if server else LocalBackend(budget_ms, seed)
    )
    position = backend.start(game, pairs(option, "options"))
    position.observe(seat)  # raises for a seat that the game doesn't have
    if not json:
        err().print(f"seed {seed}, bots of level {level}; type help for the list of commands")
    match = _Match(backend, position, seat, level, JsonScreen() if json else TextScreen())
    if save:
        _check_writable(save)
    match.run()
    if save and match.is_over:
        names = ["you" if each == seat else f"level {level}" for each in match.seats]
        _save(save, game, pairs(option, "options"), match, names)


def _check_writable(file: str) -> None:
    """Check before a game that it can be saved."""
    try:
        Path(file).open("a", encoding="utf-8").close()
    except OSError as error:
        message = f"{file} can't be written: {error.strerror}"
        raise InputError(message, field="save", value=file) from None


def _save(file: str, game: str, options: dict[str, str], match: _Match, names: list[str]) -> None:
    """Append a finished game as a line of JSON."""
    record = {"game": game, "options": options, "names": names, "moves": match.tokens}
    with Path(file).open("a", encoding="utf-8") as lines:
        lines.write(json_module.dumps(record) + "\n")


class _Match:
    """One game from the deal to its end, as seat `seat` sees it."""

    def __init__(
        self, backend: Backend, position: Position, seat: int, level: int, screen: Screen
    ) -> None:
        self._backend = backend
        self._position = position
        self._seat = seat
        self._level = level
        self._screen = screen
        self.tokens: list[str] = []  # of all moves and outcomes so far
        # Positions at which the person moved, with the plies before them, for undo.
        self._own_decisions: list[tuple[Position, int]] = []

    @property
    def is_over(self) -> bool:
        """Whether the game has been played to its end."""
        return self._position.is_terminal

    @property
    def seats(self) -> range:
        """The seats, from 1."""
        return range(1, self._position.num_seats + 1)

    def run(self) -> None:
        """Play until the game is over or the person quits."""
        self._happen()
        while not self._position.is_terminal:
            if self._position.seat != self._seat:
                self._bot_moves()
            elif not self._person_moves():
                return
        self._show_board()
        self._screen.result(self._position.returns(), self._seat)

    def _bot_moves(self) -> None:
        position = self._position
        with working(f"p{position.seat} is thinking"):
            move = self._backend.select(position.observe(position.seat), self._level)
        self._happen(move)

    def _person_moves(self) -> bool:
        """Read input until a move is made; False if the person quits."""
        self._show_board()
        self._screen.moves(self._position.observe(self._seat))
        while True:
            line = self._screen.ask(self._seat)
            if line is None or line in ("quit", "exit", "q"):
                return False
            if line == "undo" and self._own_decisions:
                self._position, num_plies = self._own_decisions.pop()
                del self.tokens[num_plies:]
                return True
            if line and self._answers(line):
                continue
            if line and self._tries(line):
                return True

    def _answers(self, line: str) -> bool:
        """Run a command other than a move; False if `line` is none."""
        observation = self._position.observe(self._seat)
        match line:
            case "board":
                self._show_board()
            case "moves":
                self._screen.moves(observation)
            case "help" | "?":
                self._screen.help()
            case "undo":
                self._screen.refuse("there is no decision to undo")
            case "hint":
                with working("searching for a hint"):
                    hints = self._backend.advise(observation, NUM_HINTS)
                self._screen.hints(hints)
            case _:
                return False
        return True

    def _tries(self, line: str) -> bool:
        """Make the typed move, by token or number; False if it is not legal."""
        moves = self._position.legal_moves()
        if line not in moves and line.isascii() and line.isdecimal() and len(line) < 10:
            if not 1 <= int(line) <= len(moves):
                self._screen.refuse(f"the moves have the numbers 1 to {len(moves)}; got {line}")
                return False
            line = moves[int(line) - 1]
        try:
            self._position.apply(line)
        except InputError as error:
            self._screen.refuse(str(error))
            return False
        self._own_decisions.append((self._position, len(self.tokens)))
        self._happen(line)
        return True

    def _happen(self, *moves: str) -> None:
        """Apply moves and the chance outcomes that follow, and report each."""
        for token in self._backend.proceed(self._position, *moves):
            after = self._position.apply(token)
            self._screen.event(seen_event(self._position, token, after, self._seat), self._seat)
            self.tokens.append(token)
            self._position = after

    def _show_board(self) -> None:
        self._screen.board(self._position.observe(self._seat))
