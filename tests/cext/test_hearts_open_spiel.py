"""Hearts has the rules of OpenSpiel's `hearts`: random games go through both at once."""

from __future__ import annotations

import pytest

from kingmaker.cext.games.hearts import Hearts
from tests.random_play import CHANCE, TERMINAL, play

pyspiel = pytest.importorskip("pyspiel")

NUM_GAMES = 1000


def spiel_action(move: int) -> int:
    """Translate a move: OpenSpiel counts cards by rank, then suit; directions are the same."""
    verb, argument = move & 192, move & 63
    return argument if verb == 192 else (argument & 15) * 4 + (argument >> 4)


def spiel_seat(state: object) -> int:
    if state.is_terminal():  # type: ignore[attr-defined]
        return TERMINAL
    return CHANCE if state.is_chance_node() else state.current_player()  # type: ignore[attr-defined]


def check_game(seed: int) -> list[float]:
    """Play one game through both and return its scores."""
    game = Hearts()
    other = pyspiel.load_game("hearts").new_initial_state()
    for state, move in play(game, seed):
        assert game.node_of(state) == spiel_seat(other)
        moves = game.moves_of(state) or [outcome for outcome, _ in game.outcomes_of(state)]
        assert sorted(map(spiel_action, moves)) == sorted(other.legal_actions())
        if move is None:
            break
        other.apply_action(spiel_action(move))
    scores = [26 - value for value in other.returns()]
    share_of = 104 - sum(scores)
    assert game.returns_of(state) == pytest.approx([(26 - score) / share_of for score in scores])
    return scores


def test_moves_and_returns_of_random_games_are_those_of_open_spiel() -> None:
    for seed in range(NUM_GAMES):
        check_game(seed)


def test_a_shot_moon_is_that_of_open_spiel() -> None:
    """p1 has all high cards and the two of clubs, and leads from the top."""
    game = Hearts(**{"pass": "none"})
    state = game.start_state()
    other = pyspiel.load_game("hearts").new_initial_state()
    other.apply_action(0)
    deck = sorted((card for card, _ in game.outcomes_of(state)), key=rank_of)
    hands = [[deck[0], *deck[40:]], deck[1:14], deck[14:27], deck[27:40]]
    while game.node_of(state) != TERMINAL:
        if game.node_of(state) == CHANCE:
            hands.append(hands.pop(0))
            move = hands[-1].pop()
        else:
            choose = max if game.node_of(state) == 0 else min
            move = choose(game.moves_of(state), key=rank_of)
        state = game.after(state, move)
        other.apply_action(spiel_action(move))
    assert other.returns() == [26, 0, 0, 0]
    assert game.returns_of(state) == [1, 0, 0, 0]


def rank_of(move: int) -> int:
    return move & 15
