"""The games that ship with Kingmaker: one module and one line each."""

from ..game import Game
from .tic_tac_toe import TicTacToe

GAMES: dict[str, type[Game]] = {
    "tic_tac_toe": TicTacToe,
}
