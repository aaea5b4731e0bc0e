"""Expectimax as it is defined, without pruning: what the compiled one is held against."""

from functools import cache

from kingmaker.cext.game import Game

CHANCE, TERMINAL = -1, -2


@cache
def share(game: Game, state: bytes, depth: int, seat: int) -> float:
    """The share of a seat when it maximizes it and all others minimize it."""
    node = game.node_of(state)
    if node == TERMINAL:
        return game.returns_of(state)[seat]
    if depth == 0:
        return game.evaluation_of(state)[seat]
    if node == CHANCE:
        return sum(
            p * share(game, game.after(state, outcome), depth - 1, seat)
            for outcome, p in game.outcomes_of(state)
        )
    best = max if node == seat else min
    return best(
        share(game, game.after(state, move), depth - 1, seat) for move in game.moves_of(state)
    )


@cache
def max_n(game: Game, state: bytes, depth: int) -> list[float]:
    """The shares of all seats when each maximizes its own, by the first of its best moves."""
    node = game.node_of(state)
    if node == TERMINAL:
        return game.returns_of(state)
    if depth == 0:
        return game.evaluation_of(state)
    if node == CHANCE:
        outcomes = [
            (p, max_n(game, game.after(state, outcome), depth - 1))
            for outcome, p in game.outcomes_of(state)
        ]
        return [sum(p * values[seat] for p, values in outcomes) for seat in range(game.num_seats)]
    return max(
        (max_n(game, game.after(state, move), depth - 1) for move in game.moves_of(state)),
        key=lambda values: values[node],
    )
