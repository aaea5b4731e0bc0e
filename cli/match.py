"""One game at the terminal, from the deal to its end.

The screen shows only what the seat at the terminal sees: boards are its observations, and moves of
others appear as this seat sees them.
"""

from __future__ import annotations

import shlex
from contextlib import suppress

from kingmaker.cext.errors import InputError, closest
from kingmaker.search.events import seen_event
from kingmaker.search.games import game_type
from kingmaker.search.position import Position
from kingmaker.search.record import observe_with_record
from kingmaker.search.rules_pages import beginners_page, rules_of

from .backend import Backend
from .output import working
from .saved_games import SavedGame, same_file
from .screen import COMMANDS, Screen

NUM_HINTS = 3
QUIT = ("quit", "exit", "q")


class Match:
    """A game as one seat sees it.

    Args:
        backend: where it runs.
        start: the position before the first outcome.
        saved: what it is played with; its moves, if there are some, have been played.
        screen: shows it, and reads the person's input.

    Raises:
        InputError: the game has no such seat, or a saved move is not possible.
    """

    def __init__(self, backend: Backend, start: Position, saved: SavedGame, screen: Screen) -> None:
        start.observe(saved.seat)
        self._backend = backend
        self._start = self._position = start
        self._saved = saved
        self._screen = screen
        self._seat = saved.seat
        self._resigned: list[float] = []  # win shares after the person has given up
        # Positions at which the person moved, with the plies before them, for undo.
        self._own_decisions: list[tuple[Position, int]] = []
        for num_plies, token in enumerate(saved.moves):
            if self._seat and self._position.seat == self._seat:
                self._own_decisions.append((self._position, num_plies))
            self._position = self._position.apply(token)

    def run(self) -> None:
        """Play until the game is over or the person quits."""
        self._happen()
        while not self._is_over:
            if self._position.seat != self._seat:
                self._bot_moves()
            elif not self._person_moves():
                return
        self._show_board()
        self._screen.result(self._resigned or self._position.returns(), self._seat)

    def leave(self, server: str) -> None:
        """Save the game if it has a file or can go on, and say how it does.

        Args:
            server: where it runs; empty: here.
        """
        where = ("--server", server) if server else ()
        has_file = bool(self._saved.file)
        if self._is_over:
            if has_file:
                self._save()
        elif not has_file and not (self._screen.is_interactive and self._has_decisions):
            command = _command(*self._saved.arguments(), *where)
            self._screen.left(command, is_saved=False, has_moves=self._has_decisions)
        elif self._save():
            command = _command("--resume", self._saved.file, *where)
            self._screen.left(command, is_saved=True, has_moves=self._has_decisions)

    @property
    def _is_over(self) -> bool:
        return self._position.is_terminal or bool(self._resigned)

    @property
    def _has_decisions(self) -> bool:
        """Whether anybody has moved, so that the seed alone does not bring the game back."""
        position = self._start
        for token in self._saved.moves:
            if not position.is_chance:
                return True
            position = position.apply(token)
        return False

    def _bot_moves(self) -> None:
        position = self._position
        with working(f"p{position.seat} is thinking"):
            seen = observe_with_record(self._start, self._saved.moves, position)
            move = self._backend.select(seen, self._saved.level)
        self._happen(move)

    def _person_moves(self) -> bool:
        """Read input until the game changes; False if the person quits."""
        self._show_board()
        self._screen.moves(self._position.observe(self._seat))
        moves = self._position.legal_moves()
        while True:
            line = self._screen.ask(self._seat, moves)
            if line is None or line.casefold() in QUIT:
                return False
            if not line and len(moves) == 1:
                line = moves[0]
            if line and self._changes(line):
                return True

    def _changes(self, line: str) -> bool:
        """Do what was typed; whether the game has changed by it."""
        word, _, rest = line.partition(" ")
        word = word.casefold()
        token = _meant(line, self._position)
        if token is not None:
            self._own_decisions.append((self._position, len(self._saved.moves)))
            self._happen(token)
            return True
        if rest and word in COMMANDS and word != "save":
            self._screen.refuse(f"{word} takes nothing more; leave out {rest.strip()!r}")
            return False
        if word == "undo" and self._own_decisions:
            self._position, num_plies = self._own_decisions.pop()
            del self._saved.moves[num_plies:]
            return True
        if word == "resign":
            if not self._screen.confirms("really give up?"):
                return False
            others = self._position.num_seats - 1
            self._resigned = [1 / others] * (others + 1)
            self._resigned[self._seat - 1] = 0.0
            return True
        if not self._answers(word, rest.strip()):
            self._screen.refuse(self._objection(line))
        return False

    def _answers(self, word: str, rest: str) -> bool:
        """Run a command that leaves the game as it is; False if the word is none."""
        observation = self._position.observe(self._seat)
        match word:
            case "board":
                self._show_board()
            case "moves":
                self._screen.moves(observation)
            case "rules":
                kind = game_type(self._saved.game)
                self._screen.rules(beginners_page(kind) or rules_of(kind))
            case "help" | "?":
                self._screen.help()
            case "undo":
                self._screen.refuse("there is no decision to undo")
            case "save":
                self._saves_as(rest)
            case "hint":
                seen = observe_with_record(self._start, self._saved.moves, self._position)
                with working("searching for a hint"):
                    hints = self._backend.advise(seen, NUM_HINTS)
                self._screen.hints(hints)
            case _:
                return False
        return True

    def _saves_as(self, file: str) -> None:
        if not file and not self._saved.file:
            self._screen.refuse("name the file: save FILE")
            return
        before, self._saved.file = self._saved.file, file or self._saved.file
        if not self._save():
            self._saved.file = before
            return
        is_other = bool(before) and not same_file(before, self._saved.file)
        self._screen.saved(self._saved.file, before if is_other else "")

    def _save(self) -> bool:
        """Save the game; False, with the reason on the screen, if that fails."""
        try:
            self._saved.save(
                self._position.num_seats, unfinished=not self._is_over, resigned=self._resigned
            )
        except InputError as error:
            self._screen.refuse(str(error))
            return False
        return True

    def _objection(self, line: str) -> str:
        """Say in a few words what is wrong with an input that is neither command nor legal move."""
        try:
            return f"{line} is not legal: {self._position.why_not(line.casefold())}"
        except InputError:  # it is not even a move of the game
            moves = self._position.legal_moves()
            likely = "" if line.isdecimal() else closest(line, [*COMMANDS, *moves])
            meant = f"did you mean {likely}? " if likely else ""
            numbers = "1" if len(moves) == 1 else f"1 to {len(moves)}"
            return f"{meant}type {numbers}, or a move; help lists what else there is"

    def _happen(self, *moves: str) -> None:
        """Apply moves and the chance outcomes that follow, and report each."""
        events = []
        for token in self._backend.proceed(self._position, *moves):
            after = self._position.apply(token)
            events.append(seen_event(self._position, token, after, self._seat))
            self._saved.moves.append(token)
            self._position = after
        self._screen.events(events, self._seat)

    def _show_board(self) -> None:
        self._screen.board(self._position.observe(self._seat))


def _meant(line: str, position: Position) -> str | None:
    """Return the legal move that was typed, by number or in any case; None if there is none."""
    moves = position.legal_moves()
    if line not in moves and line.isascii() and line.isdecimal():
        number = int(line[:9])
        return moves[number - 1] if 1 <= number <= len(moves) else None
    for text in (line, line.casefold()):
        with suppress(InputError):
            token = position.resolve(text)
            if token in moves:
                return token
    return None


def _command(*words: str) -> str:
    return shlex.join(["kingmaker", "play", *words])
