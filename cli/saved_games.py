"""Games of `kingmaker play` in files, a line of JSON each: `review` reads them, `--resume` goes on.

The modules that read and write the lines are imported as they are needed: most games are not saved.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import typer

from kingmaker.cext.errors import InputError

from .inputs import lines_of

UNFINISHED = '"unfinished":true'


@dataclass(slots=True)
class SavedGame:
    """What a game at the terminal is played with, and its file.

    Attributes:
        game: its name.
        options: of the game.
        seed: of the outcomes of chance.
        seat: of the person; 0: nobody.
        level: of the bots.
        moves: tokens of the moves and outcomes so far.
        name: of this one game while it is unfinished, by which a file has it once.
        file: where it is saved; empty: nowhere yet.
    """

    game: str
    options: dict[str, str]
    seed: int
    seat: int
    level: int
    moves: list[str] = field(default_factory=list)
    name: str = ""
    file: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"{self.game}-{secrets.token_hex(4)}"

    def arguments(self) -> list[str]:
        """Return the arguments of the command that begins the game once more."""
        options = [word for pair in self.options.items() for word in ("--option", "=".join(pair))]
        numbers = {"--seat": self.seat, "--level": self.level, "--seed": self.seed}
        return [self.game, *options, *(f"{word}" for pair in numbers.items() for word in pair)]

    def save(self, num_seats: int, *, unfinished: bool, resigned: Sequence[float]) -> None:
        """Append the game to its file, or put it in the place where it stands unfinished.

        Without a file it gets one in the folder of the program's settings.

        Args:
            num_seats: of the game.
            unfinished: whether it waits to be played on.
            resigned: win share of each seat if the person has resigned; else empty.

        Raises:
            InputError: the file can't be read or written.
        """
        from kingmaker.review.move_list import MoveList, write_move_list

        names = [
            "you" if seat == self.seat else f"level {self.level}"
            for seat in range(1, num_seats + 1)
        ]
        game = MoveList(
            game=self.game,
            moves=self.moves,
            options=self.options,
            names=names,
            returns=list(resigned),
            seed=self.seed,
            name=self.name if unfinished else "",
            ending="resigned" if resigned else "",
            unfinished=unfinished,
            seat=self.seat,
            level=self.level,
        )
        path = Path(self.file) if self.file else _folder() / f"{self.name}.jsonl"
        try:
            if not self.file:
                path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, self.name, write_move_list(game) + "\n")
        except OSError as error:
            raise _cannot_write(path, error) from None
        except UnicodeDecodeError:
            raise InputError(f"{path} is not text", field="save", value=str(path)) from None
        self.file = str(path)


def unfinished_game(file: str) -> SavedGame:
    """Return the last game of a file that waits to be played on.

    Raises:
        InputError: there is none, or the file can't be read.
    """
    with lines_of(file) as lines:
        waiting = [line for line in lines if UNFINISHED in line.replace(" ", "")]
    if not waiting:
        raise InputError(f"{file} has no unfinished game", field="resume", value=file)
    from kingmaker.review.move_list import read_move_list

    found = read_move_list(waiting[-1])
    if found.seed is None:
        raise InputError(f"the game in {file} has no seed", field="resume", value=file)
    return SavedGame(
        game=found.game,
        options=found.options,
        seed=found.seed,
        seat=found.seat,
        level=found.level,
        moves=found.moves,
        name=found.name,
        file=file,
    )


def check_writable(file: str) -> None:
    """Check before a game that it can be saved.

    Raises:
        InputError: it can't.
    """
    path = Path(file)
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise _cannot_write(path, error) from None


def same_file(first: str, second: str) -> bool:
    """Whether two names are those of one file, which may not be there yet."""
    return Path(first).resolve() == Path(second).resolve()


def _write(path: Path, name: str, line: str) -> None:
    """Append a game to a file, or replace it where it stands unfinished."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
    place = next((i for i, each in enumerate(lines) if _is_earlier(each, name)), None)
    if place is None:
        with path.open("a", encoding="utf-8") as written:
            written.write(line)
        return
    lines[place] = line
    path = path.resolve()  # a link stays
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.write_text("".join(lines), encoding="utf-8")
    beside.replace(path)


def _is_earlier(line: str, name: str) -> bool:
    """Whether a line is the game of a name as it was left before."""
    text = line.replace(" ", "")
    return UNFINISHED in text and f'"name":"{name}"' in text


def _folder() -> Path:
    return Path(typer.get_app_dir("kingmaker")) / "games"


def _cannot_write(path: Path, error: OSError) -> InputError:
    message = f"{path} can't be written: {error.strerror}"
    return InputError(message, field="save", value=str(path))
