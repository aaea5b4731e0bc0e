"""The engine contract as Python sees it; see game.pxd for the side that games implement in C.

States and observations are immutable `bytes` of `state_bytes`; seats count from 0.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from numpy.random import BitGenerator

from .change import Change
from .reasons import Numbers, Reason

def check_limits(game: Game) -> int:
    """Make sure that searches and solvers can hold a game.

    Called where a game is registered, begun or read, and by every search and solver. A state may
    have up to 64 KiB, and a game up to 8 seats and 1024 moves or outcomes at a node; the history of
    its start, as of any state, up to 256 moves.

    Raises:
        InputError: one of its numbers is out of range; says which, and what would be right.
    """

def contract_error(game: Game, what: str = ...) -> RuntimeError:
    """Make the error that says how a game breaks the engine contract; by default in all ways."""

class Game:
    """Rules with fixed options.

    All methods that list, draw, share or tell raise RuntimeError where the game breaks the engine
    contract.

    Class attributes that every game sets:
        name: the id, e.g. `kingdom_coinquest`.
        title: the name for people.
        tag: first word of a position line.
        rules_version: changes whenever the same moves may lead elsewhere.
        seat_counts: the numbers of seats it can be played with.
        option_help: option -> one line with its values, its default and its rule.
        notation_help: how moves and positions are written, in a few lines.
        is_hidden: whether some seat can't see all of the state.
        is_tactical: whether a reply that nothing hints at may decide the game, so that it pays to
            look at all of them before looking deeper.
        has_move_rolls: whether outcomes of chance nodes do no more than say which moves the next
            decision may choose from: a move leads to the same state after each outcome that offers
            it. Searches can then look at it once for all of them.
        search_width: moves of a kind that a search of every line does best to look at, the best in
            full depth; 0: all. See `width` of the engine `expectimax`.
        needs_mixing: whether a rival who knows a seat's policy can exploit any single best move,
            as where seats move at once or bluff; a search then answers with a mixed policy.
        anchor_weight: win shares that a mixing search may give up to keep to the playout policy,
            which may then look at nothing that the deciding seat does not see; 0: it is free.
        handicaps: of the levels 1 to 9, 0 to 1; see `kingmaker.search.levels`.
        reasons: code of a `Refusal` -> `Reason`; see `kingmaker.cext.reasons`.
        numbers: what the numbers of reasons are called.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    tag: ClassVar[str]
    rules_version: ClassVar[str]
    seat_counts: ClassVar[Sequence[int]]
    option_help: ClassVar[Mapping[str, str]]
    notation_help: ClassVar[str]
    is_hidden: ClassVar[bool]
    is_tactical: ClassVar[bool]
    has_move_rolls: ClassVar[bool]
    search_width: ClassVar[int]
    needs_mixing: ClassVar[bool]
    anchor_weight: ClassVar[float]
    handicaps: ClassVar[Sequence[float]]
    reasons: ClassVar[Mapping[int, Reason]]
    numbers: ClassVar[Numbers]

    @property
    def num_seats(self) -> int:
        """Number of seats."""

    @property
    def state_bytes(self) -> int:
        """Size of a state."""

    @property
    def max_moves(self) -> int:
        """Most legal moves or outcomes at any node."""

    @property
    def playout_plies(self) -> int:
        """Playouts are cut and evaluated after so many plies; 0: never."""

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its value, as in the scenario language."""

    def __init__(self, **options: str) -> None: ...
    def start_state(self) -> bytes:
        """Return the state before the first node."""

    def node_of(self, state: bytes) -> int:
        """Return the seat to decide (from 0), -1 for chance, -2 at the end."""

    def moves_of(self, state: bytes) -> list[int]:
        """List the legal moves in canonical order; empty unless a seat decides."""

    def outcomes_of(self, state: bytes) -> list[tuple[int, float]]:
        """List (outcome, probability) in canonical order; empty unless at a chance node."""

    def sample(self, state: bytes, bit_generator: BitGenerator) -> int:
        """Draw a chance outcome; the state must be at a chance node."""

    def outcome_at(self, state: bytes, point: float) -> int:
        """Return the chance outcome at a point of [0, 1); the state must be at a chance node.

        Uniform points give the outcomes by their probabilities. By default that is the inverse
        distribution function in canonical order. A game overrides it where another reading keeps
        more alike in games that share their points, such as the faces of dice.
        """

    def chance_source(self, state: bytes) -> str:
        """Name what the chance node draws from: a pile, or the dice of a seat (`roll:p1`).

        Games that share a deal draw the n-th outcome of a source by the same point. By default all
        outcomes that begin with the same word have one source.
        """

    def after(self, state: bytes, move: int) -> bytes:
        """Return the state after a move or outcome, which must be possible."""

    def returns_of(self, state: bytes) -> list[float]:
        """Return the share of the win of each seat; the game must be over."""

    def evaluation_of(self, state: bytes) -> list[float]:
        """Return the heuristic win share of each seat."""

    def observed(self, state: bytes, seat: int) -> bytes:
        """Return what `seat` (-1 is a spectator) sees of a state."""

    def determinized(self, observation: bytes, bit_generator: BitGenerator) -> bytes:
        """Return a state drawn from those consistent with an observation."""

    def seen(self, state: bytes, move: int, seat: int) -> int:
        """Return a move or outcome as `seat` (-1 is a spectator) sees it happen."""

    def policy_move(self, state: bytes, bit_generator: BitGenerator) -> int:
        """Draw a move by the playout policy; a seat must be to decide."""

    def played_out(
        self, state: bytes, bit_generator: BitGenerator, max_plies: int = 0
    ) -> tuple[bytes, int, list[float]]:
        """Play a copy on by the playout policy; return (end, plies, win shares)."""

    def playouts(
        self, state: bytes, bit_generator: BitGenerator, num_playouts: int, max_plies: int = 0
    ) -> tuple[list[float], int]:
        """Play a state on many times; return (mean win shares, plies of all playouts)."""

    def is_consistent(self, observation: bytes, state: bytes) -> bool:
        """Tell whether a full state fits an observation.

        That is where observing it gives the observation, unless the rules of the game are wider.
        """

    def history_of(self, state: bytes) -> tuple[bytes, list[int]] | None:
        """Return the latest state where nothing was hidden and the moves from it to a full state.

        None if the state does not tell. Returns (state, [move or outcome, ...]).
        """

    def move_text(self, move: int) -> str:
        """Return the token of a move or outcome, also of one as seen by another seat."""

    def parse_move(self, text: str) -> int:
        """Return the move or outcome of a token; InputError if it is not this game's spelling."""

    def resolve(self, state: bytes, move: int) -> int:
        """Return the move or outcome, as it is listed, that a well-formed one means here.

        Itself, unless the game has more ways to say an outcome, such as the faces of real dice.
        """

    def why_illegal(self, state: bytes, move: int) -> tuple[str, str]:
        """Say why a well-formed move is not possible now: (sentence, rule number or '')."""

    def check(self, state: bytes) -> None:
        """Make sure that a state is valid; InputError says which field and rule."""

    @classmethod
    def parse_position(cls, text: str) -> tuple[Self, bytes]:
        """Return (game, state) of a position line; InputError says which field and rule."""

    @classmethod
    def parse_observation(cls, text: str) -> tuple[Self, bytes]:
        """Return (game, observation) of a line; InputError says which field and rule."""

    def view(self, state: bytes) -> dict[str, Any]:
        """Return a state or observation as plain data: the game's typed proto message as JSON."""

    def move_view(self, move: int) -> dict[str, Any]:
        """Return a move or outcome as plain data: the game's typed proto message as JSON."""

    @classmethod
    def from_view(cls, view: dict[str, Any]) -> tuple[Self, bytes]:
        """Return (game, state) of a typed view; one with `observer` is an observation.

        InputError names the field that was sent, its value and the rule.
        """

    def move_from_view(self, view: dict[str, Any]) -> int:
        """Return the move or outcome of a typed view; InputError names the field that was sent."""

    def text(self, state: bytes) -> str:
        """Write the canonical line of a state or observation."""

    def observer_of(self, state: bytes) -> int | None:
        """Return whose observation this is (-1 is a spectator), or None for a full state."""

    def render(self, state: bytes) -> str:
        """Draw a state or observation for a terminal, several lines of plain text."""

    def describe_move(self, state: bytes, move: int) -> str:
        """Say what the deciding seat (or chance) does, in words that complete "p1 can ..."."""

    def describe_anywhere(self, move: int) -> str:
        """Say a move in words that hold in every state, where it isn't known which it will be."""

    def changes(self, before: bytes, after: bytes, seat: int) -> list[Change]:
        """Say in words what differs for `seat` between two states, the weightiest first."""
