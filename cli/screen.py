"""Output of a game at the terminal: as text, or as one JSON object per line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from rich.columns import Columns
from rich.markup import escape
from rich.text import Text

from kingmaker.cext.words import joined
from kingmaker.search.events import Event
from kingmaker.search.position import Observation

from .backend import Advice
from .output import err, out, percent, who, write_json

if TYPE_CHECKING:
    from .line_editor import LineEditor

COMMANDS = {
    "hint": "suggestions with reasons",
    "board": "show the board again",
    "moves": "list the legal moves again",
    "rules": "how to play the game",
    "undo": "return to your last decision",
    "save": "save FILE: keep the game in a file, to go on or to review it",
    "resign": "give up",
    "help": "this list",
    "quit": "leave the game",
}
HELP = "\n".join(
    f"  {word:<10} {text}"
    for word, text in {"a move": "its token, or its number in the list", **COMMANDS}.items()
)
DEAL, DEALT = "deal", "the cards are dealt"
"""The verb of outcomes that deal cards, before the first decision, and the line about them."""
MANY_ALIKE = 12
"""Moves that differ only in their last word, from which on they stand in columns."""
SEAT_STYLES = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")


class Screen(Protocol):
    """Shows the game and reads the person's input."""

    @property
    def is_interactive(self) -> bool:
        """Whether a person types."""

    def board(self, observation: Observation) -> None:
        """Show the board as the seat sees it."""

    def moves(self, observation: Observation) -> None:
        """List the legal moves of the seat, numbered from 1."""

    def events(self, events: Iterable[Event], seat: int) -> None:
        """Show moves and chance outcomes, as the person at `seat` sees them."""

    def hints(self, hints: list[Advice]) -> None:
        """Show suggestions."""

    def rules(self, page: str) -> None:
        """Show how the game is played, in Markdown; "": there is no page."""

    def help(self) -> None:
        """List the commands."""

    def saved(self, file: str, former_file: str) -> None:
        """Say that the game is in a file, and no longer kept in the one before; "": in none."""

    def left(self, command: str, *, is_saved: bool, has_moves: bool) -> None:
        """Show the command with which the game goes on, or begins once more."""

    def refuse(self, message: str) -> None:
        """Show why an input was refused."""

    def result(self, returns: list[float], seat: int) -> None:
        """Show the returns and the verdict."""

    def ask(self, seat: int, moves: Sequence[str]) -> str | None:
        """Read a line, perhaps one of the moves; None at the end of the input."""

    def confirms(self, question: str) -> bool:
        """Whether a person says yes; nobody is asked if the input is not typed."""


class TextScreen:
    """For people: in colours, and with a history of lines, if it is a terminal."""

    def __init__(self) -> None:
        self._console = out()
        self._editor = _line_editor() if self.is_interactive else None

    @property
    def is_interactive(self) -> bool:
        """Whether a person types."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def board(self, observation: Observation) -> None:
        """Draw the board as the seat sees it."""
        picture = observation.render(self._console.width)
        self._console.print(coloured("\n" + picture, observation.game.side_marks))

    def moves(self, observation: Observation) -> None:
        """List the legal moves; many that differ only in their last word stand in columns."""
        listed = [
            (number, token, observation.describe(token))
            for number, token in enumerate(observation.legal_moves(), start=1)
        ]
        for words, alike in groupby(listed, lambda move: move[2].rpartition(" ")[0]):
            group = list(alike)
            if len(group) >= MANY_ALIKE:
                self._console.print("     ", coloured(f"{words} ..."), sep="")
                self._console.print(Columns([_numbered(n, token) for n, token, _ in group]))
                continue
            for number, token, description in group:
                self._console.print(_numbered(number, token), "", coloured(description))
        if len(listed) == 1:
            self._console.print("     Enter plays it")

    def events(self, events: Iterable[Event], seat: int) -> None:
        """Print one line for each, or for several alike, and one line for each effect."""
        for kind, run in groupby(events, _kinds_of_events()):
            alike = list(run)
            words = coloured(DEALT if kind == DEAL and len(alike) > 1 else _told(alike, seat))
            if seat and alike[0].seat == seat:
                words.highlight_regex(r"^(chance for )?you", SEAT_STYLES[seat - 1])
            self._console.print(words)
            for text in alike[0].changes:
                self._console.print(coloured(f"  {text}"))

    def hints(self, hints: list[Advice]) -> None:
        """Show suggestions, the best first."""
        for hint in hints:
            wins = "" if hint.value is None else f"wins {percent(hint.value)}: "
            words = f"{wins}{hint.text}"
            self._console.print(f"  [bold]{escape(hint.move)}[/bold]  {escape(words)}")

    def rules(self, page: str) -> None:
        """Lay the page out."""
        from rich.markdown import Markdown  # for those who ask

        self._console.print(Markdown(page) if page else "there is no page about this game")

    def help(self) -> None:
        """List the commands."""
        self._console.print(HELP)

    def saved(self, file: str, former_file: str) -> None:
        """Name the file in one line, and say what holds for the one before."""
        moved = f"; the game is kept there from now on, {former_file} stays as it is"
        err().print(f"saved to {file}{moved if former_file else ''}", markup=False)

    def left(self, command: str, *, is_saved: bool, has_moves: bool) -> None:
        """Print the command on a line of its own, to be copied."""
        why = "without --save" if has_moves else "as nobody has moved"
        words = "to go on" if is_saved else f"not saved, {why}; to begin the same game again"
        err().print(f"{words}:\n  {command}", markup=False, soft_wrap=True)

    def refuse(self, message: str) -> None:
        """Print the reason in one line."""
        self._console.print(escape(message))

    def result(self, returns: list[float], seat: int) -> None:
        """Print the win share of each seat, and the verdict for the person."""
        shares = ", ".join(f"p{i} {percent(share)}" for i, share in enumerate(returns, start=1))
        verdict = f"{_verdict(returns, seat)} " if seat else ""
        self._console.print(coloured(f"\nThe game is over. {verdict}Win shares: {shares}"))

    def ask(self, seat: int, moves: Sequence[str]) -> str | None:
        """Read a line after a prompt."""
        if self._editor is not None:
            return self._editor.read(f"p{seat}> ", [*COMMANDS, *moves])
        print(f"p{seat}> ", end="", flush=True)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            print(line.rstrip("\n"))  # so that the input shows in a captured game
        return line.strip() if line else None

    def confirms(self, question: str) -> bool:
        """Ask at a terminal; anything but y or yes is a no."""
        if not sys.stdin.isatty():
            return True
        prompt = f"{question} [y/N] "
        if self._editor is not None:
            answer = self._editor.read(prompt, ("yes", "no"))
        else:
            print(prompt, end="", flush=True)
            answer = sys.stdin.readline()
        return (answer or "").strip().casefold() in ("y", "yes")


def coloured(text: str, marks: Sequence[str] = ()) -> Text:
    """Colour the names of seats, and what belongs to each of them.

    Args:
        text: of the game.
        marks: `Game.side_marks`.
    """
    coloured = Text(text)
    for seat, style in enumerate(SEAT_STYLES, start=1):
        coloured.highlight_regex(rf"\bp{seat}\b", style)
    for mark, style in zip(marks, SEAT_STYLES, strict=False):
        coloured.highlight_regex(re.compile(mark, re.MULTILINE), style)
    return coloured


def _kinds_of_events() -> Callable[[Event], object]:
    """Return what has one value for events, one after the other, that are told in one line."""
    is_start = True

    def kind(event: Event) -> object:
        nonlocal is_start
        is_start &= event.is_chance
        if not event.is_chance or event.changes:
            return event
        verb = event.move.partition(":")[0]
        return DEAL if is_start and verb == DEAL else (verb, event.seat)

    return kind


def _told(alike: Sequence[Event], seat: int) -> str:
    """Tell in a line of events of one kind, such as the cards that a seat draws."""
    event = alike[0]
    if len(set(alike)) == 1:
        times = f", {len(alike)} times" if len(alike) > 1 else ""
        return f"{who(event, seat)}: {event.description} ({event.move}){times}"
    verb = event.description.partition(" ")[0]
    things = joined([each.description.removeprefix(f"{verb} ") for each in alike])
    return f"{who(event, seat)}: {verb} {things}"


def _numbered(number: int, token: str) -> Text:
    return Text.assemble(f"{number:>4}  ", (token, "bold"))


def _line_editor() -> LineEditor | None:
    """Return an editor of lines; None where Python was built without one."""
    try:
        from .line_editor import LineEditor
    except ModuleNotFoundError:
        return None
    return LineEditor()


def _verdict(returns: list[float], seat: int) -> str:
    most = max(returns)
    if returns[seat - 1] < most:
        return "You lose."
    return "You win." if returns.count(most) == 1 else "You share the win."


class JsonScreen:
    """For programs: one object per event; the field `event` is its kind."""

    @property
    def is_interactive(self) -> bool:
        """Nobody types."""
        return False

    def board(self, observation: Observation) -> None:
        """Write the board as the seat sees it."""
        self._write(
            "board",
            observation=observation.text,
            node=observation.node,
            view=observation.view,
        )

    def moves(self, observation: Observation) -> None:
        """Write the legal moves of the seat."""
        self._write(
            "moves",
            seat=observation.observer,
            moves=[
                {"move": token, "text": observation.describe(token)}
                for token in observation.legal_moves()
            ],
        )

    def events(self, events: Iterable[Event], seat: int) -> None:
        """Write each move or outcome."""
        for event in events:
            self._write("happened", **asdict(event))

    def hints(self, hints: list[Advice]) -> None:
        """Write suggestions."""
        self._write("hints", hints=[asdict(hint) for hint in hints])

    def rules(self, page: str) -> None:
        """Write the page."""
        self._write("rules", markdown=page)

    def help(self) -> None:
        """Write the list of commands."""
        self._write("help", text=HELP)

    def saved(self, file: str, former_file: str) -> None:
        """Write the names of the files."""
        self._write("saved", file=file, former_file=former_file)

    def left(self, command: str, *, is_saved: bool, has_moves: bool) -> None:
        """Write the command."""
        self._write("left", command=command, is_saved=is_saved)

    def refuse(self, message: str) -> None:
        """Write why an input was refused."""
        self._write("refused", message=message)

    def result(self, returns: list[float], seat: int) -> None:
        """Write the returns."""
        self._write("end", returns=returns, seat=seat)

    def ask(self, seat: int, moves: Sequence[str]) -> str | None:
        """Read a line, without a prompt."""
        line = sys.stdin.readline()
        return line.strip() if line else None

    def confirms(self, question: str) -> bool:
        """Ask nobody: a program means what it writes."""
        return True

    def _write(self, event: str, **data: object) -> None:
        write_json({"event": event, **data}, indent=None)
