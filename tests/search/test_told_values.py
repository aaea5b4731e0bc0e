"""Values that `mcts` tells: without what was only tried, by the probabilities of outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.cext.python_game import Draw, PythonGame
from kingmaker.cext.rng import Seed
from kingmaker.search.mcts import MctsSearcher

GO, STOP = 0, 1
ROOT, REPLY, FACE, TICKET, END = range(5)
NODES = (0, 1, -1, -1, -2)
FACES = ((0, 0.9), (1, 0.1))
TICKETS = 400
SHARES = ((0.1, 0.9), *[(0.9, 0.9)] * 5)  # of tickets that win for seat 1, by reply and face
TRUE = 0.9 * 0.1 + 0.1 * 0.9  # after the better reply


class Lottery(PythonGame):
    """Seat 1 goes on or stops, seat 2 replies, a die is rolled, and a ticket is drawn.

    There are too many tickets for a short search to prove anything but what stopping is worth.
    """

    name, tag = "lottery", "lo"

    def __init__(self) -> None:
        super().__init__({}, num_seats=2, state_bytes=5, max_moves=TICKETS)

    def start(self) -> bytes:
        return bytes(5)

    def node(self, state: bytes) -> int:
        return NODES[state[0]]

    def legal_moves(self, state: bytes) -> list[int]:
        return [GO, STOP] if state[0] == ROOT else [*range(len(SHARES))]

    def chance_outcomes(self, state: bytes) -> list[tuple[int, float]]:
        return [*FACES] if state[0] == FACE else [(i, 1 / TICKETS) for i in range(TICKETS)]

    def apply(self, state: bytes, move: int) -> bytes:
        stage, reply, face, _, _ = state
        if stage == ROOT:
            return bytes([REPLY if move == GO else END, 0, 0, 0, 0])
        if stage == REPLY:
            return bytes([FACE, move, 0, 0, 0])
        if stage == FACE:
            return bytes([TICKET, reply, move, 0, 0])
        return bytes([END, reply, face, move < SHARES[reply][face] * TICKETS, 0])

    def returns(self, state: bytes) -> list[float]:
        return [float(state[3]), 1.0 - state[3]]

    def observe(self, state: bytes, seat: int) -> bytes:
        return state[:4] + bytes([seat + 2])

    def determinize(self, observation: bytes, draw: Draw) -> bytes:
        return observation[:4] + bytes(1)

    def observer_of(self, state: bytes) -> int | None:
        return state[4] - 2 if state[4] else None


def searched(seed: int, simulations: int) -> MctsSearcher:
    game = Lottery()
    options = {"exploration": 1.5, "playout": "policy", "playout_plies": 0}
    searcher = MctsSearcher(
        game, game.observed(game.start_state(), 0), Seed(seed), options, 1 << 22
    )
    searcher.run(simulations, 0)
    return searcher


@pytest.fixture(scope="module")
def found() -> np.ndarray:
    """What searches find of going on: `[num_seeds, 3]`, told, mean, squared error of the former."""
    rows = []
    for seed in range(30):
        searcher = searched(seed, 300)
        visits, sums, error, _ = searcher.told_moves()[GO]
        mean = next(
            sums[0] / visits for move, visits, sums, *_ in searcher.root_moves() if move == GO
        )
        rows.append((sums[0] / visits, mean, error))
    return np.array(rows)


def test_replies_that_were_only_tried_hardly_count(found: np.ndarray) -> None:
    told, mean, _ = found.mean(axis=0)
    assert told == pytest.approx(TRUE, abs=0.02)
    assert mean > TRUE + 0.06


def test_what_is_told_may_move_on_by_twice_its_distance_from_the_mean(found: np.ndarray) -> None:
    told, mean, error = found.T
    assert np.sqrt(error) == pytest.approx(2 * np.abs(told - mean))


def test_a_proven_move_is_told_as_it_is() -> None:
    assert STOP not in searched(1, 300).told_moves()
