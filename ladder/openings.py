"""Openings: the positions from which the games of mirrored groups start.

Where a game has chance, every group has its own deal. Without chance all games would start alike,
and two bots that don't choose at random would play the same game for ever. So each group of such a
game starts from another position, after some random legal moves or from a book; all its games start
from that one, in all rotations of the bots, so that no bot has the better side.

The opening of a group depends on the seed of the plan and the number of the group alone. Random
openings are all different as long as there are enough; a book is run through in a random order, and
then in another one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.search.draws import digest
from kingmaker.search.position import CHANCE, TERMINAL, Position, parse_position

DEFAULT_PLIES = 4
"""Random plies of games without chance, unless a plan says otherwise."""
MAX_ATTEMPTS = 50
"""Random lines of play that are tried for an opening that no earlier group has."""


def has_chance(game: Game) -> bool:
    """Whether a game has outcomes of chance: one at its start, or in a playout."""
    stream = np.random.SFC64(0)
    state = game.start_state()
    while (node := game.node_of(state)) != TERMINAL:
        if node == CHANCE:
            return True
        state = game.after(state, game.policy_move(state, stream))
    return False


def default_plies(game: Game) -> int:
    """Return the number of random plies that a game should start with; 0 if it has chance."""
    if has_chance(game):
        return 0
    lengths = range(DEFAULT_PLIES, 0, -1)
    return next((plies for plies in lengths if _find(game, plies, 0, 0)), 0)


class Openings:
    """The openings of a ladder.

    Args:
        game: to play.
        plies: random plies from the start of the game; not with a book.
        book: lines of positions; empty: there is no book.
        seed: decides the moves, and the order of the book.

    Raises:
        InputError: a line of the book is not a position of this game before its end, or there is no
            opening of so many plies.
    """

    def __init__(self, game: Game, plies: int, book: Sequence[str], seed: int) -> None:
        self._game = game
        self._plies = plies
        self._book = [_book_start(game, line, number) for number, line in enumerate(book, 1)]
        self._seed = seed
        self._found: list[str] = []  # random openings, by the number of their group
        self._seen: set[str] = set()
        if not plies:
            return
        if self._book:
            raise InputError("give openings or a book, not both", field="openings")
        if has_chance(game):
            raise InputError(
                f"{game.name} has chance, so its groups differ by their deals; openings of random "
                "moves are for games without",
                field="openings",
                value=str(plies),
            )
        if not _find(game, plies, seed, 0):
            raise InputError(
                f"no game of {game.name} goes on after {plies} random plies",
                field="openings",
                value=str(plies),
            )

    def start(self, index: int) -> str:
        """Return the line of the position that a group starts from; "": the start of the game."""
        if self._book:
            round_, place = divmod(index, len(self._book))
            order = np.random.default_rng(digest("book", self._seed, round_))
            return self._book[int(order.permutation(len(self._book))[place])]
        if not self._plies:
            return ""
        while len(self._found) <= index:
            start = self._next_start(len(self._found))
            self._found.append(start)
            self._seen.add(start)
        return self._found[index]

    def _next_start(self, index: int) -> str:
        """Draw the opening of a group, if possible another one than those of all earlier groups."""
        start = ""
        for attempt in range(MAX_ATTEMPTS):
            found = _walk(self._game, self._plies, digest("opening", self._seed, index, attempt))
            start = found or start
            if found and found not in self._seen:
                break
        return start or self._found[0]


def _find(game: Game, plies: int, seed: int, index: int) -> str:
    """Return some opening; "" if none is found."""
    walks = (
        _walk(game, plies, digest("opening", seed, index, attempt))
        for attempt in range(MAX_ATTEMPTS)
    )
    return next(filter(None, walks), "")


def _walk(game: Game, plies: int, seed: int) -> str:
    """Play random legal moves; returns the line of the position, "" if the game is over by then."""
    rng = np.random.default_rng(seed)
    state = game.start_state()
    for _ in range(plies):
        moves = game.moves_of(state)
        state = game.after(state, moves[int(rng.integers(len(moves)))])
        if game.node_of(state) == TERMINAL:
            return ""
    return Position(game, state).text


def _book_start(game: Game, line: str, number: int) -> str:
    """Check a line of a book, and return its canonical text."""
    try:
        position = parse_position(game.name, line.strip())
    except InputError as error:
        raise InputError(f"line {number} of the book: {error}", field="book", value=line) from None
    problem = ""
    if position.game.options != game.options:
        problem = f"has the options {_listed(position.game)}; the plan has {_listed(game)}"
    elif position.is_terminal:
        problem = "is the end of a game"
    if problem:
        raise InputError(f"line {number} of the book {problem}", field="book", value=line)
    return position.text


def _listed(game: Game) -> str:
    return " ".join(f"{name}={value}" for name, value in game.options.items()) or "none"
