from collections.abc import Mapping
from types import ModuleType
from typing import ClassVar

from .game import Game
from .notation import PlainNotation

class ViewGame(Game):
    """A game with typed views; see view_game.pyx for what it must say.

    Attributes:
        notation: the module that reads and writes its lines and tokens.
        words: the module that says its moves and changes, and draws its states.
        form_rules: rule numbers of the notation of (moves, positions, observations).
        implied: field that the others imply -> rule number, where that isn't the notation's.
        canonical_rule: of lines and views that say a state otherwise than it is written.
        line_fields: of lines whose fields have no labels: path -> rule of its form, in order.
        compares_lines: whether the view of a line that is not canonical is compared first.
    """

    notation: ClassVar[ModuleType | PlainNotation]
    words: ClassVar[ModuleType]
    form_rules: ClassVar[tuple[str, str, str]]
    implied: ClassVar[Mapping[str, str]]
    canonical_rule: ClassVar[str]
    line_fields: ClassVar[Mapping[str, str]]
    compares_lines: ClassVar[bool]
