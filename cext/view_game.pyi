from collections.abc import Mapping
from types import ModuleType
from typing import ClassVar

from .game import Game
from .notation import PlainNotation

class ViewGame(Game):
    """A game with typed views; see view_game.pyx for the attributes that it must define.

    Attributes:
        notation: the module that reads and writes lines and tokens.
        words: the module that describes moves and changes, and draws states.
        form_rules: rule numbers of the notations of (moves, positions, observations).
        implied: field that follows from others -> rule number, if it isn't that of the notation.
        canonical_rule: rule number for lines and views that are not canonical.
        line_fields: for lines whose fields have no labels: path -> rule of its form, in order.
        compares_lines: whether a line that is not canonical is first compared as a view.
    """

    notation: ClassVar[ModuleType | PlainNotation]
    words: ClassVar[ModuleType]
    form_rules: ClassVar[tuple[str, str, str]]
    implied: ClassVar[Mapping[str, str]]
    canonical_rule: ClassVar[str]
    line_fields: ClassVar[Mapping[str, str]]
    compares_lines: ClassVar[bool]

def proven(game: ViewGame, text: str, is_observation: bool) -> bytes | None: ...
def read_as_view(kind: type[Game], text: str, what: str) -> tuple[Game, bytes]: ...
def game_of(kind: type[Game], options: tuple[tuple[str, str], ...]) -> Game: ...
