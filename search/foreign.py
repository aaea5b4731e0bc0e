"""What is checked of a game of another package before it is listed.

Its author, not its first player, is to learn what is wrong. So the start of the game with its
default options is put to what every caller needs: node, moves, tokens and lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any

from kingmaker.cext.contract import check_limits
from kingmaker.cext.game import Game
from kingmaker.cext.python_game import PythonGame

NOTATION = (
    "move_text",
    "parse_move",
    "text",
    "view",
    "parse_position",
    "parse_observation",
    "observer_of",
)
"""Methods that every game writes, besides those of the rules."""

RULES = ("node", "legal_moves", "apply", "returns", "observe", "determinize")
"""Methods of the rules that every game writes, in C or, in a `PythonGame`, in Python."""

SPECTATOR, TERMINAL = -1, -2  # from 0, as in the contract


def checked_type(name: str, kind: Any, others: Iterable[type[Game]]) -> type[Game]:
    """Return the class of a game that an entry point gives.

    Args:
        name: of the entry point.
        kind: what it gives.
        others: the games that there are.

    Raises:
        TypeError, ValueError, InputError, RuntimeError: it can't be used; says why.
    """
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise TypeError(f"{kind!r} is no subclass of kingmaker.cext.game.Game")
    in_python = [each for each in RULES if isinstance(_written(kind, each), FunctionType)]
    if in_python and not issubclass(kind, PythonGame):
        raise TypeError(
            f"{', '.join(in_python)} are written in Python, where searches don't find them; such a "
            "game is a subclass of kingmaker.cext.python_game.PythonGame"
        )
    missing = [each for each in NOTATION if _written(kind, each) is None]
    if missing:
        raise TypeError(f"{kind.__name__} lacks {', '.join(missing)}; a game must have them")
    game = kind()
    check_limits(game)
    options: Any = game.options
    if not isinstance(options, dict) or not all(isinstance(each, str) for each in options.values()):
        raise TypeError(f"its options are {options!r}; they must be a dict of texts by name")
    if kind.name != name:
        raise ValueError(f"the entry point calls it {name}, and its class {kind.name}")
    if not kind.tag or not set(kind.tag).isdisjoint(" ;@"):
        raise ValueError(f"its tag is {kind.tag!r}; lines of a position begin with it, a word")
    for other in others:
        if other.tag == kind.tag:
            raise ValueError(f"its tag {kind.tag!r} is that of {other.name}")
    _check_start(game)
    return kind


def _written(kind: type[Game], method: str) -> Any:
    """Return a method as the class or a base below `Game` has it; None: none has it."""
    for each in kind.__mro__:
        if each is Game:
            break
        if method in vars(each):
            return vars(each)[method]
    return None


def _check_start(game: Game) -> None:
    """Check node, moves, tokens and lines of the start."""
    state = game.start_state()
    node = game.node_of(state)
    if node == TERMINAL:
        raise ValueError("the game is over at its start; its method node is missing or wrong")
    outcomes = [outcome for outcome, _ in game.outcomes_of(state)]
    for move in outcomes or game.moves_of(state):
        check_token(game, move)
    check_line(game, state)
    check_line(game, game.observed(state, SPECTATOR))


def check_token(game: Game, move: int) -> None:
    """Check that a move or outcome is written as a token that is read again.

    Raises:
        TypeError, ValueError, InputError: it is not; or an error of the game.
    """
    token: Any = game.move_text(move)
    if not isinstance(token, str):
        raise TypeError(f"move_text gives {token!r}; it must be a text")
    if not token or token.split() != [token]:
        raise ValueError(f"move_text gives {token!r}; a token is a word without spaces")
    read: Any = game.parse_move(token)
    if read != move:
        raise ValueError(f"move_text writes {move} as {token!r}, which parse_move reads as {read}")


def check_line(game: Game, state: bytes) -> None:
    """Check that a state or observation is written as a line that is read again, and as a view.

    Raises:
        TypeError, ValueError, InputError: it is not; or an error of the game.
    """
    kind, is_seen = type(game), game.observer_of(state) is not None
    line: Any = game.text(state)
    if not isinstance(line, str):
        raise TypeError(f"text gives {line!r}; it must be a text")
    if line.partition(" ")[0].partition(";")[0] != kind.tag or len(line.splitlines()) != 1:
        raise ValueError(f"text gives {line!r}; it must be one line that begins with {kind.tag}")
    if line.rpartition(" ")[2].startswith("@") != is_seen:
        raise ValueError(
            f"text gives {line!r} where observer_of gives {game.observer_of(state)}; the lines of "
            "observations, and only they, end in @- or @p1, @p2, ..."
        )
    name = "parse_observation" if is_seen else "parse_position"
    found: Any = getattr(kind, name)(line)
    if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[0], kind)):
        raise TypeError(f"{name} gives {found!r}; it must be the pair of a game and a state")
    if found[0].options != game.options:
        raise ValueError(
            f"{name} reads {line!r} with the options {found[0].options}, not {game.options}"
        )
    if found[1] != state:
        raise ValueError(f"{name} reads {line!r} as {found[1]!r}, not as {state!r}")
    view: Any = game.view(state)
    if not isinstance(view, dict):
        raise TypeError(f"view gives {view!r}; it must be a dict")
