"""The Python side of the engine contract; see contract.pxd for its C side."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .errors import ContractError
from .reasons import Numbers, Reason

def check_limits(game: Contract, /) -> int:
    """Check that searches and solvers have room for a game.

    Called when a game is registered, started or read, and by every search and solver. A state may
    have up to 64 KiB, a game up to 8 seats and 1024 moves or outcomes at a node, and the history of
    any state, the start included, up to 256 moves.

    Raises:
        InputError: one of its numbers is out of range; the message has the number and its range.
    """

def contract_error(game: Contract, what: str = ...) -> ContractError:
    """Return the error for a breach of the engine contract; the default text lists all breaches."""

def contract_error_at(game: Contract, state: bytes) -> ContractError:
    """Return the error for a breach that was found in a state.

    It names what is wrong there, or that a playout from there does not end, or else lists all
    breaches, and has the line of the state if the game can write it.
    """

def check_outcomes(game: Contract, number: int) -> None:
    """Check that chance has not decided so many times in a row that the game can't mean it.

    Raises:
        RuntimeError: it has decided 10,000 times or more.
    """

class Contract:
    """What describes a game; contract.pyx has the meaning of the class attributes."""

    name: ClassVar[str]
    title: ClassVar[str]
    tag: ClassVar[str]
    rules_version: ClassVar[str]
    seat_counts: ClassVar[Sequence[int]]
    option_help: ClassVar[Mapping[str, str]]
    notation_help: ClassVar[str]
    rules_markdown: ClassVar[str]
    is_hidden: ClassVar[bool]
    reads_lines: ClassVar[bool]
    is_tactical: ClassVar[bool]
    has_move_rolls: ClassVar[bool]
    search_width: ClassVar[int]
    world_depth: ClassVar[int]
    needs_mixing: ClassVar[bool]
    prior_temperature: ClassVar[float]
    has_prior_weights: ClassVar[bool]
    exploration: ClassVar[float]
    root_exploration: ClassVar[float]
    expansion: ClassVar[int]
    hostility: ClassVar[float]
    rival_policy: ClassVar[float]
    anchor_weight: ClassVar[float]
    rival_temperature: ClassVar[float]
    rival_trust: ClassVar[float]
    uses_records: ClassVar[bool]
    handicaps: ClassVar[Sequence[float]]
    side_marks: ClassVar[Sequence[str]]
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
        """Number of plies after which playouts are cut and evaluated; 0: never.

        A game may play on to the next state for which its evaluation is good.
        """

    @property
    def num_features(self) -> int:
        """Number of features, see `features_of`; 0: the game has none."""

    @property
    def num_actions(self) -> int:
        """Number of actions, see `index_of`; 0: the game has none."""

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its value as text, as in the scenario language."""
