"""Games whose rules are written in Python: what search asks in C is asked of Python methods.

They play, search and train as all games do, some hundred times more slowly, and the threads of a
search wait for each other. A method that raises an error ends what asked it with a RuntimeError
that names method, error and line.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from .game import Game

_Item = TypeVar("_Item")

class Draw:
    """Random numbers for one call of a method; a game draws all of its own from them."""

    def random(self) -> float:
        """Return a number from [0, 1)."""

    def below(self, n: int) -> int:
        """Return one of 0 to `n` - 1, all as likely."""

    def choice(self, items: Sequence[_Item]) -> _Item:
        """Return one of some items, all as likely."""

    def shuffled(self, items: Iterable[_Item]) -> list[_Item]:
        """Return the items in random order, all orders as likely."""

class PythonGame(Game):
    """Rules with fixed options, written in Python.

    A state or observation is `bytes` of length `state_bytes`; seats count from 0; a move or outcome
    is a number of 32 bits. The methods mean what those of the same names in contract.pxd do, and
    take and give Python's values. Class attributes and the methods for notation and words are those
    of every `Game`.

        def start(self) -> bytes
        def node(self, state) -> int                       # a seat, -1: chance, -2: the end
        def legal_moves(self, state) -> list[int]
        def chance_outcomes(self, state) -> list[tuple[int, float]]    # with probabilities
        def apply(self, state, move) -> bytes
        def returns(self, state) -> list[float]
        def observe(self, state, seat) -> bytes            # seat -1: a spectator
        def determinize(self, observation, draw) -> bytes  # draw: a `Draw`

    A game without chance needs no `chance_outcomes`. These are optional:

        def seen_move(self, state, move, seat) -> int      # the move itself
        def playout_move(self, state, draw) -> int         # any move, all as likely
        def evaluate(self, state) -> list[float]           # equal shares
        def history(self, state) -> tuple[bytes, list[int]] | None     # None
        def features(self, state, seat) -> list[int]       # with `num_features`
        def action_index(self, move) -> int                # with `num_actions`
        def action_at(self, index) -> int

    No method may keep anything: one object serves many games at the same time, and a copy of it is
    made from `options`.

    Args:
        options: of this game, option -> text, as in `Contract.options`.
        num_seats: number of seats.
        state_bytes: length of a state.
        max_moves: most legal moves or outcomes at any node.
        num_features: see `features`; 0: the game has none.
        num_actions: see `action_index`; 0: the game has none.
        playout_plies: playouts are cut and evaluated after so many plies; 0: never.

    Raises:
        TypeError: a method is missing.
    """

    def __init__(
        self,
        options: Mapping[str, str],
        *,
        num_seats: int,
        state_bytes: int,
        max_moves: int,
        num_features: int = 0,
        num_actions: int = 0,
        playout_plies: int = 0,
    ) -> None: ...
