"""Time management over a game: how long an engine should think about its next move.

With a clock for the whole game, an engine that takes all that is left for its next move loses on
time. The time left is divided by the number of moves that are still expected, which playouts of the
position tell, as lengths differ by game, option and position. Playouts are shorter than games of
good players, so the number is raised; it never falls below `LEAST_MOVES`, so that a game that lasts
longer slows down and does not stop. A part of each move's time, and of the whole, is reserved for
what is not search.
"""

from __future__ import annotations

import numpy as np

from kingmaker.search.position import Observation, Position

from .model import TimeControl

NUM_WALKS = 4  # playouts that are walked through, for the part of the plies that are choices
NUM_PLAYOUTS = 8  # of each position
MAX_WALK = 5000  # moves of one; those of a game without an end would never end
LONGER = 1.5  # games of good players, than playouts
LEAST_MOVES = 10
RESERVE_PART = 0.05  # of the time left
OVERHEAD_MS = 3.0  # of a move beside its search


class Pacer:
    """Divides the clock of a game among its moves.

    Args:
        start: of the game.
        clock: with `game_ms`.
    """

    def __init__(self, start: Position, clock: TimeControl) -> None:
        self._increment_ms = clock.increment_ms
        self._stream = np.random.SFC64(0)
        self._choices = self._parts_of_choices(start)

    def think_ms(self, observation: Observation, left_ms: float) -> float:
        """Return the time for a move.

        Args:
            observation: of the seat that decides.
            left_ms: of its game, above 0; more if the clock runs out.
        """
        free_ms = left_ms * (1 - RESERVE_PART)
        share_ms = free_ms / max(self.moves_left(observation), LEAST_MOVES)
        earned_ms = self._increment_ms * (1 - RESERVE_PART)
        return min(share_ms + earned_ms, free_ms) - OVERHEAD_MS

    def moves_left(self, observation: Observation) -> float:
        """Estimate the number of choices that the observer still has to make."""
        world = observation.determinize(self._stream)
        _, num_plies = world.game.playouts(world.state, self._stream, NUM_PLAYOUTS)
        part = self._choices[observation.observer - 1]
        return LONGER * part * num_plies / NUM_PLAYOUTS

    def _parts_of_choices(self, start: Position) -> list[float]:
        """Return the part of a game's plies in which each seat has more than one move."""
        game = start.game
        counts, num_plies = np.zeros(game.num_seats), 0
        for _ in range(NUM_WALKS):
            position, _ = start.settle(self._stream)
            for _ in range(MAX_WALK):
                if position.is_terminal:
                    break
                if len(game.moves_of(position.state)) > 1:
                    counts[position.seat - 1] += 1
                move = game.policy_move(position.state, self._stream)
                position = Position(game, game.after(position.state, move))
                num_plies += 1
                position, drawn = position.settle(self._stream)
                num_plies += len(drawn)
        parts: list[float] = (counts / max(num_plies, 1)).tolist()
        return parts
