"""Output of a game at the terminal: as text, or as one JSON object per line."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Protocol

from rich.markup import escape

from kingmaker.search.events import Event
from kingmaker.search.position import Observation

from .backend import Advice
from .output import out, percent, who, write_json

HELP = """\
  a move     its token, or its number in the list
  hint       suggestions with reasons
  board      show the board again
  moves      list the legal moves again
  undo       return to your last decision
  quit       leave the game"""


class Screen(Protocol):
    """Shows the game and reads the person's input."""

    def board(self, observation: Observation) -> None:
        """Show the board as the seat sees it."""

    def moves(self, observation: Observation) -> None:
        """List the legal moves of the seat, numbered from 1."""

    def event(self, event: Event, seat: int) -> None:
        """Show a move or chance outcome, as the person at `seat` sees it."""

    def hints(self, hints: list[Advice]) -> None:
        """Show suggestions."""

    def help(self) -> None:
        """List the commands."""

    def refuse(self, message: str) -> None:
        """Show why an input was refused."""

    def result(self, returns: list[float], seat: int) -> None:
        """Show the returns and the verdict."""

    def ask(self, seat: int) -> str | None:
        """Read a line; None at the end of the input."""


class TextScreen:
    """For people."""

    def __init__(self) -> None:
        self._console = out()

    def board(self, observation: Observation) -> None:
        """Draw the board as the seat sees it."""
        self._console.print("\n" + escape(observation.render()))

    def moves(self, observation: Observation) -> None:
        """List the legal moves of the seat."""
        for number, token in enumerate(observation.legal_moves(), start=1):
            words = observation.describe(token)
            self._console.print(f"{number:>4}  [bold]{escape(token)}[/bold]  {escape(words)}")

    def event(self, event: Event, seat: int) -> None:
        """Print the move or outcome in one line, and one line for each of its effects."""
        self._console.print(escape(f"{who(event, seat)}: {event.description} ({event.move})"))
        for text in event.changes:
            self._console.print(escape(f"  {text}"))

    def hints(self, hints: list[Advice]) -> None:
        """Show suggestions, the best first."""
        for hint in hints:
            wins = "" if hint.value is None else f"wins {percent(hint.value)}: "
            words = f"{wins}{hint.text}"
            self._console.print(f"  [bold]{escape(hint.move)}[/bold]  {escape(words)}")

    def help(self) -> None:
        """List the commands."""
        self._console.print(HELP)

    def refuse(self, message: str) -> None:
        """Print the reason in one line."""
        self._console.print(escape(message))

    def result(self, returns: list[float], seat: int) -> None:
        """Print the win share of each seat, and the verdict for the person."""
        shares = ", ".join(f"p{i} {percent(share)}" for i, share in enumerate(returns, start=1))
        verdict = f"{_verdict(returns, seat)} " if seat else ""
        self._console.print(f"\nThe game is over. {verdict}Win shares: {shares}")

    def ask(self, seat: int) -> str | None:
        """Read a line after a prompt."""
        print(f"p{seat}> ", end="", flush=True)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            print(line.rstrip("\n"))  # so that the input shows in a captured game
        return line.strip() if line else None


def _verdict(returns: list[float], seat: int) -> str:
    most = max(returns)
    if returns[seat - 1] < most:
        return "You lose."
    return "You win." if returns.count(most) == 1 else "You share the win."


class JsonScreen:
    """For programs: one object per event; the field `event` is its kind."""

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

    def event(self, event: Event, seat: int) -> None:
        """Write the move or outcome."""
        self._write("happened", **asdict(event))

    def hints(self, hints: list[Advice]) -> None:
        """Write suggestions."""
        self._write("hints", hints=[asdict(hint) for hint in hints])

    def help(self) -> None:
        """Write the list of commands."""
        self._write("help", text=HELP)

    def refuse(self, message: str) -> None:
        """Write why an input was refused."""
        self._write("refused", message=message)

    def result(self, returns: list[float], seat: int) -> None:
        """Write the returns."""
        self._write("end", returns=returns, seat=seat)

    def ask(self, seat: int) -> str | None:
        """Read a line, without a prompt."""
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _write(self, event: str, **data: object) -> None:
        write_json({"event": event, **data}, indent=None)
