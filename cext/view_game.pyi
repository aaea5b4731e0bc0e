from types import ModuleType
from typing import ClassVar

from .game import Game

class ViewGame(Game):
    """A game with typed views; see view_game.pyx for what it must say.

    Attributes:
        notation: the module that reads and writes its lines and tokens.
        words: the module that says its moves and changes, and draws its states.
        form_rules: rule numbers of the notation of (moves, positions, observations).
        line_paths: of lines whose fields have no labels, the path of each.
    """

    notation: ClassVar[ModuleType]
    words: ClassVar[ModuleType]
    form_rules: ClassVar[tuple[str, str, str]]
    line_paths: ClassVar[tuple[str, ...]]
