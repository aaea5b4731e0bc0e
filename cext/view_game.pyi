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
    """

    notation: ClassVar[ModuleType | PlainNotation]
    words: ClassVar[ModuleType]
    form_rules: ClassVar[tuple[str, str, str]]
    implied: ClassVar[dict[str, str]]
