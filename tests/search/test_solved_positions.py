"""Near the end of solvable games: every engine finds a best move, and proofs are right."""

from __future__ import annotations

from functools import cache

import pytest

from kingmaker.cext.games import GAMES
from kingmaker.search.analysis import Budget, StopReason
from kingmaker.search.position import Position
from kingmaker.search.run import Search
from tests.plain_expectimax import share
from tests.random_play import play

WHOLE_GAME = 99


@cache
def endgames(name: str, most_plies: int) -> list[Position]:
    """From each of some random games the first position near the end where moves differ in value.

    `most_plies`: how many squares are empty at most.
    """
    found = []
    for seed in range(200):
        game = GAMES[name]()
        for state, _ in play(game, seed):
            position = Position(game, state)
            if position.text.partition(" node=")[0].count(".") > most_plies or not position.seat:
                continue
            if len(set(values_of(position))) > 1:
                found.append(position)
                break
    return found[:30]


def values_of(position: Position) -> list[float]:
    """The share of the mover after each move, in the order of the legal moves."""
    game, seat = position.game, position.seat - 1
    moves = game.moves_of(position.state)
    return [share(game, game.after(position.state, move), WHOLE_GAME, seat) for move in moves]


CONVERGING: list[tuple[str, dict[str, str | int | float], int]] = [
    ("mcts", {}, 3000),
    ("ismcts", {"observers": "single"}, 10_000),
    ("ismcts", {"observers": "multiple", "selection": "ucb"}, 10_000),
    ("ismcts", {"observers": "multiple", "selection": "auto"}, 20_000),
    ("pimc", {"depth": WHOLE_GAME}, 2),
]
SOLVED_GAMES = [("tic_tac_toe", 7), ("connect_four", 12)]


@pytest.mark.parametrize("engine", ["mcts", "expectimax"])
@pytest.mark.parametrize(("name", "most_plies"), SOLVED_GAMES)
def test_a_proof_is_the_value_of_plain_search(engine: str, name: str, most_plies: int) -> None:
    num_proven = 0
    for position in endgames(name, most_plies):
        seat = position.seat
        observation = position.observe(seat)
        budget = Budget(simulations=200_000)
        analysis = Search(observation, budget, engine=engine, seed=1).run()
        values = dict(zip(position.legal_moves(), values_of(position), strict=True))
        assert analysis.is_exact
        assert analysis.stop_reason is StopReason.SOLVED
        assert analysis.values[seat - 1] == max(values.values())
        assert values[analysis.best_move] == max(values.values())
        for move in analysis.moves:
            num_proven += move.is_exact
            assert not move.is_exact or move.values[seat - 1] == values[move.move]
            assert not move.is_exact or move.standard_error == 0
    assert len(endgames(name, most_plies)) > 20
    assert num_proven > 20


@pytest.mark.parametrize(("engine", "options", "simulations"), CONVERGING)
@pytest.mark.parametrize(("name", "most_plies"), SOLVED_GAMES)
def test_the_move_chosen_near_the_end_is_one_of_the_best(
    engine: str,
    options: dict[str, str | int | float],
    simulations: int,
    name: str,
    most_plies: int,
) -> None:
    budget = Budget(simulations=simulations)
    for position in endgames(name, most_plies):
        observation = position.observe(position.seat)
        analysis = Search(observation, budget, engine=engine, seed=1, options=options).run()
        values = dict(zip(position.legal_moves(), values_of(position), strict=True))
        assert values[analysis.best_move] == max(values.values()), position.text
