"""The games that ship with Kingmaker: one module and one line each."""

from ..game import Game
from .chessault import Chessault
from .code_of_chivalry import CodeOfChivalry
from .connect_four import ConnectFour
from .goofspiel import Goofspiel
from .hearts import Hearts
from .kingdom_coinquest import KingdomCoinquest
from .knaves_out import KnavesOut
from .knights_duty import KnightsDuty
from .kuhn_poker import KuhnPoker
from .leduc_poker import LeducPoker
from .tic_tac_toe import TicTacToe

GAMES: dict[str, type[Game]] = {
    "chessault": Chessault,
    "code_of_chivalry": CodeOfChivalry,
    "connect_four": ConnectFour,
    "goofspiel": Goofspiel,
    "hearts": Hearts,
    "kingdom_coinquest": KingdomCoinquest,
    "knaves_out": KnavesOut,
    "knights_duty": KnightsDuty,
    "kuhn_poker": KuhnPoker,
    "leduc_poker": LeducPoker,
    "tic_tac_toe": TicTacToe,
}
