"""Whole games between greedy players, with records to learn from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.game import Game
from kingmaker.cext.net import Net
from kingmaker.cext.rng import Seed

class Records(NamedTuple):
    """Decisions of some games (positions), and how the games ended.

    Forced moves are recorded too: a player that looks ahead meets their positions as any others, so
    a net must know them. Seats count from 0.

    Attributes:
        features: indices of the active features of every seat in every position, by position and
            then by seat.
        num_active: how many of `features` belong to each, `[num_positions, num_seats]`.
        games: index of the game of each position, ascending, `[num_positions]`.
        seats: seat that decides, `[num_positions]`.
        actions: indices of the legal actions of every position, in a row; empty without actions.
        num_actions: how many of `actions` belong to each position, `[num_positions]`.
        chosen: place of the best move among them, whether or not a random one was played instead,
            `[num_positions]`.
        values: win shares after the best move, as the player estimated them, or before a forced
            one, `[num_positions, num_seats]`.
        heuristics: win shares by `Game.evaluate` in the full state, `[num_positions, num_seats]`.
        returns: of each game, `[num_games, num_seats]`.
    """

    features: NDArray[np.int16]
    num_active: NDArray[np.int16]
    games: NDArray[np.int32]
    seats: NDArray[np.int8]
    actions: NDArray[np.int32]
    num_actions: NDArray[np.int16]
    chosen: NDArray[np.int16]
    values: NDArray[np.float32]
    heuristics: NDArray[np.float32]
    returns: NDArray[np.float32]

class SelfPlay:
    """Games between players that look one ply ahead, without the GIL.

    For use by one thread at a time: while another is in one of the methods, they raise
    RuntimeError.

    A player draws worlds that fit its observation, makes every move in each, draws the outcomes
    that follow, and plays the move with the best mean win share; one of them at random if several
    are equal.

    Args:
        game: the rules.
        net: evaluation of the players; None: `Game.evaluate`.
        rival: the same for the seats of the rival, see `play`.
        num_worlds: worlds of a decision, 1 to 1000.
        epsilon: probability with which a seat plays a random move instead.
        share: part of the decisions that are recorded, drawn at random.
        with_chance: record the same part of the chance nodes too, as if the first seat had no
            moves there.
        max_plies: length at which a game is cut; its returns are then `Game.evaluate`.

    Raises:
        InputError: a net does not fit the game, a number is out of range, or there is something to
            record and the game has no features.
    """

    def __init__(
        self,
        game: Game,
        net: Net | None = None,
        rival: Net | None = None,
        *,
        num_worlds: int = 4,
        epsilon: float = 0.0,
        share: float = 0.0,
        with_chance: bool = False,
        max_plies: int = 5000,
    ) -> None: ...
    def play(self, seed: Seed, rival_seats: Iterable[int] = ()) -> list[float]:
        """Play a game from its start and return the returns of each seat.

        Args:
            seed: of all random choices. Chance, players and samples have streams of their own, so
                that games with one seed begin with the same deal.
            rival_seats: seats (from 0) that the rival plays.

        Raises:
            InputError: there is no such seat.
            RuntimeError: the game breaks the engine contract, or another thread uses this object.
            MemoryError: there is no room for the records.
        """

    def choose(self, state: bytes, seed: Seed) -> int:
        """Return the move of the net's player in a full state, which it sees as the seat to move.

        Raises:
            InputError: no seat is to move.
            RuntimeError: the game breaks the engine contract, or another thread uses this object.
        """

    def records(self) -> Records:
        """Return the records of the games since the last call.

        Raises:
            RuntimeError: another thread uses this object.
        """
