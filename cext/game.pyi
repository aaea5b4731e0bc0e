"""The Python side of games; see contract.pxd for the methods that they implement in C.

States and observations are immutable `bytes` of `state_bytes`; seats count from 0.
"""

from typing import Any, Self

from numpy.random import BitGenerator

from .change import Change
from .contract import Contract

class Game(Contract):
    """Rules with fixed options; contract.pyx has the meaning of the class attributes."""

    @property
    def feature_names(self) -> list[str]:
        """The meaning of each feature, in the order of their indices; see `features_of`."""

    def __init__(self, **options: str) -> None: ...
    def start_state(self) -> bytes:
        """Return the state before the first node."""

    def node_of(self, state: bytes, /) -> int:
        """Return the seat to move (from 0), -1 for chance, -2 at the end."""

    def moves_of(self, state: bytes, /) -> list[int]:
        """List the legal moves in canonical order; empty unless a seat is to move."""

    def legal_tokens(self, state: bytes, /) -> list[str]:
        """List the tokens of the legal moves in canonical order; empty unless a seat is to move."""

    def outcomes_of(self, state: bytes, /) -> list[tuple[int, float]]:
        """List (outcome, probability) in canonical order; empty unless at a chance node."""

    def sample(self, state: bytes, bit_generator: BitGenerator) -> int:
        """Draw a chance outcome; the state must be at a chance node."""

    def outcome_at(self, state: bytes, point: float) -> int:
        """Return the chance outcome at a point of [0, 1); the state must be at a chance node.

        Uniform points give the outcomes by their probabilities. By default it is the inverse
        distribution function in canonical order. A game overrides it where another mapping keeps
        more alike in games with the same points, such as the faces of dice.
        """

    def chance_source(self, state: bytes, /) -> str:
        """Name the source of a chance node: a pile, or the dice of a seat (`roll:p1`).

        Games with one deal draw the n-th outcome of a source from the same point. By default all
        outcomes that begin with the same word have one source.
        """

    def tells_effects(self, state: bytes, /) -> bool:
        """Return whether outcomes of a chance node do more than their words say."""

    def chance_seat(self, state: bytes, /) -> int:
        """Return the seat (from 0) that gets the card or rolls the dice of a chance node, or -1.

        `state` is a state or an observation at a chance node; all observers see the same seat. By
        default an outcome concerns no seat more than others.
        """

    def after(self, state: bytes, move: int) -> bytes:
        """Return the state after a move or outcome.

        Raises:
            IllegalMoveError: it is none of those of the state.
            OverflowError: it is no number of 32 bits.
        """

    def returns_of(self, state: bytes, /) -> list[float]:
        """Return the win share of each seat; the game must be over."""

    def evaluation_of(self, state: bytes, /) -> list[float]:
        """Return the heuristic win share of each seat."""

    def observed(self, state: bytes, seat: int) -> bytes:
        """Return the observation of a state by `seat` (-1 for a spectator).

        Raises:
            InputError: there is no such seat.
        """

    def determinized(self, observation: bytes, bit_generator: BitGenerator) -> bytes:
        """Return a state drawn from those consistent with an observation."""

    def likely_world_of(self, observation: bytes, bit_generator: BitGenerator) -> bytes:
        """Return such a state with hidden choices about as likely as seats make them."""

    def seen(self, state: bytes, move: int, seat: int) -> int:
        """Return a move or outcome as `seat` (-1 for a spectator) sees it.

        Raises:
            InputError: there is no such seat.
        """

    def is_redundant_move(self, state: bytes, previous: int, move: int) -> bool:
        """Whether a tree need not try a move right after a previous one of its seat."""

    def is_pointless_move(self, state: bytes, move: int) -> bool:
        """Return whether a legal move only harms its mover; trees don't try it at their root."""

    def prior_weight_of(self, state: bytes, move: int) -> float:
        """Return the weight of a legal move among the priors of its decision, above 0.

        It is 1 if the game's policy makes none (`has_prior_weights`).

        Raises:
            ValueError: the move is not legal here.
        """

    def policy_move(self, state: bytes, bit_generator: BitGenerator) -> int:
        """Draw a move of the playout policy.

        Raises:
            ValueError: no seat is to move.
        """

    def played_out(
        self, state: bytes, bit_generator: BitGenerator, max_plies: int = 0
    ) -> tuple[bytes, int, list[float]]:
        """Play out a copy by the playout policy; return (end, plies, win shares)."""

    def playouts(
        self, state: bytes, bit_generator: BitGenerator, num_playouts: int, max_plies: int = 0
    ) -> tuple[list[float], int]:
        """Play out a state many times; return (mean win shares, plies of all playouts).

        Signals are handled now and then, so that Ctrl-C ends it with KeyboardInterrupt.

        Raises:
            InputError: `num_playouts` is less than 1.
        """

    def is_consistent(self, observation: bytes, state: bytes) -> bool:
        """Return whether a full state is consistent with an observation.

        By default: whether the state has this observation; a game may accept more states.
        """

    def history_of(self, state: bytes, /) -> tuple[bytes, list[int]] | None:
        """Return the latest state without hidden information and the moves from it to a full state.

        Returns (state, [move or outcome, ...]), or None if the state has no such record.
        """

    def retells_all(self, state: bytes, seen: list[int]) -> bool:
        """Whether a record that leads to a full state is wrong if `retell` finds no past.

        By default it need not be; see `retell` in contract.pxd.

        Args:
            state: the full state.
            seen: moves and outcomes from the start, as a seat saw them.
        """

    def features_of(self, state: bytes, seat: int) -> list[int]:
        """Return the indices of the features that hold for a seat (from 0), ascending.

        They are the input of nets and the same for a state and for what `seat` sees of it: an
        observation of `seat` or any state that fits it.

        Raises:
            InputError: there is no such seat.
        """

    def index_of(self, move: int, /) -> int:
        """Return the number of a decision's move, below `num_actions`, the same in all states."""

    def move_at(self, index: int, /) -> int:
        """Return the move with a number; InputError if there is no such number."""

    def move_text(self, move: int, /) -> str:
        """Return the token of a move or outcome, possibly as seen by another seat.

        Raises:
            InputError: the game has no such move, as far as its token shows that.
        """

    def parse_move(self, text: str, /) -> int:
        """Return the move or outcome of a token; InputError if the token is malformed."""

    def resolve(self, state: bytes, move: int) -> int:
        """Return the listed form of a well-formed move or outcome in this state.

        It is the same unless the game has other forms of outcomes, such as the faces of real dice.
        """

    def why_illegal(self, state: bytes, move: int) -> tuple[str, str]:
        """Explain why a well-formed move is not possible: (sentence, rule number or '')."""

    def check(self, state: bytes, /) -> None:
        """Check that a state is valid; InputError names the field and rule."""

    @classmethod
    def parse_position(cls, text: str, /) -> tuple[Self, bytes]:
        """Return (game, state) of a position line; InputError names the field and rule."""

    @classmethod
    def parse_observation(cls, text: str, /) -> tuple[Self, bytes]:
        """Return (game, observation) of a line; InputError names the field and rule."""

    def view(self, state: bytes, /) -> dict[str, Any]:
        """Return a state or observation as plain data: the game's typed proto message as JSON."""

    def move_view(self, move: int, /) -> dict[str, Any]:
        """Return a move or outcome as plain data: the game's typed proto message as JSON."""

    @classmethod
    def from_view(cls, view: dict[str, Any], /) -> tuple[Self, bytes]:
        """Return (game, state) of a typed view; one with `observer` is an observation.

        InputError names the field that was sent, its value and the rule.
        """

    def move_from_view(self, view: dict[str, Any], /) -> int:
        """Return the move or outcome of a typed view; InputError names the field that was sent."""

    def text(self, state: bytes, /) -> str:
        """Write the canonical line of a state or observation."""

    def observer_of(self, state: bytes, /) -> int | None:
        """Return the observer of an observation (-1 for a spectator), or None for a full state."""

    def render(self, state: bytes, /) -> str:
        """Draw a state or observation for a terminal, several lines of plain text."""

    def render_within(self, state: bytes, width: int, /) -> str:
        """Draw the same for a terminal of `width` columns, in parts if the board is wider.

        Sentences may be longer. By default the board is drawn as it is.
        """

    def describe_move(self, state: bytes, move: int) -> str:
        """Describe a move or outcome in words that complete "p1 can ..."."""

    def describe_anywhere(self, move: int, /) -> str:
        """Describe a move in words that hold in every state, for use without a state."""

    def changes(self, before: bytes, after: bytes, seat: int) -> list[Change]:
        """Describe what differs for `seat` between two states, the largest gain or loss first."""
