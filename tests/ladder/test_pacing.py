"""An engine with a clock for the whole game divides it among its moves."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.ladder.model import Cause, TimeControl
from kingmaker.ladder.pacing import LEAST_MOVES, Pacer
from kingmaker.ladder.play import play
from kingmaker.search.position import Position, new_game
from tests.ladder.fakes import task_of
from tests.python_game.high_card import DEAL, HighCard


def dealt(name: str) -> Position:
    return new_game(name).settle(np.random.SFC64(1))[0]


def pacer(name: str, game_ms: float = 1000, increment_ms: float = 0) -> Pacer:
    return Pacer(new_game(name), TimeControl(None, game_ms, increment_ms))


@pytest.mark.parametrize("name", ["kingdom_coinquest", "chessault", "connect_four", "hearts"])
def test_the_moves_left_fit_the_game(name: str) -> None:
    position, stream = dealt(name), np.random.SFC64(2)
    game, seat = position.game, position.seat
    expected = pacer(name).moves_left(position.observe(seat)) / 1.5
    counts = []
    for _ in range(20):
        count, state = 0, position.state
        while (node := game.node_of(state)) != -2:
            count += node == seat - 1 and len(game.moves_of(state)) > 1
            is_chance = node == -1
            move = game.sample(state, stream) if is_chance else game.policy_move(state, stream)
            state = game.after(state, move)
        counts.append(count)
    assert expected == pytest.approx(np.mean(counts), rel=0.35)


def test_a_game_that_goes_on_never_uses_all_its_time() -> None:
    observation = dealt("connect_four").observe(1)
    clock, left_ms = pacer("connect_four"), 1000.0
    for _ in range(100):
        left_ms -= max(clock.think_ms(observation, left_ms), 0)
        assert left_ms > 0


def test_the_last_moves_get_no_more_than_a_share_each() -> None:
    observation = dealt("kuhn_poker").observe(1)  # two moves at most
    assert 0 < pacer("kuhn_poker").think_ms(observation, 1000) < 1000 / LEAST_MOVES


def test_an_increment_is_spent_as_it_comes() -> None:
    observation = dealt("connect_four").observe(1)
    without, given = (
        pacer("connect_four", increment_ms=each).think_ms(observation, 1000) for each in (0, 100)
    )
    assert 80 < given - without < 100


def test_engines_finish_a_game_on_the_clock_of_the_game() -> None:
    clock = TimeControl(None, 1000.0, 0.0)
    record = play(task_of("connect_four", *["mcts:time=500ms"] * 2, clock=clock))
    assert (record.cause, record.detail) == (Cause.FINISHED, "")
    own = [move.ms for move in record.moves if move.seat == 1]
    assert sum(own) < 1000
    assert max(own) < 400  # without a plan the first two moves take all of it
    assert sum(own) > 200


def test_a_limit_for_each_move_still_holds() -> None:
    clock = TimeControl(200.0, 60_000.0, 0.0)
    record = play(task_of("tic_tac_toe", *["mcts:time=10s"] * 2, clock=clock))
    assert record.cause is Cause.FINISHED
    assert max(move.ms for move in record.moves) < 200


class NeverEnds(HighCard):
    """Stays at the first decision."""

    def apply(self, state: bytes, move: int) -> bytes:
        return super().apply(state, move) if move >= DEAL else state


def test_the_walks_of_a_game_without_an_end_are_cut() -> None:
    game = NeverEnds()
    Pacer(Position(game, game.start_state()), TimeControl(game_ms=1000))
