"""The moves that a tree leaves out in Knaves Out, as another order or fewer moves do the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES

PLY = tuple[bytes, int, bytes]
"""A state with the move before, and the state before that."""
GAMES_PLAYED = 30
POLICY_SHARE = 0.93
"""Of the decisions; the others are uniform, which ends most turns early."""


def pairs(game: Game, seed: int) -> Iterator[PLY]:
    """Yield the decisions of a game that follow a move of the same seat without chance."""
    stream = np.random.SFC64(seed)
    rng = np.random.Generator(stream)
    state, before = game.start_state(), None
    for _ in range(1500):
        node = game.node_of(state)
        if node == -2:
            return
        if node < 0:
            state, before = game.after(state, game.sample(state, stream)), None
            continue
        if before is not None and before[2] == node:
            yield state, before[1], before[0]
        moves = game.moves_of(state)
        move = moves[rng.integers(len(moves))]
        if rng.random() < POLICY_SHARE:
            move = game.policy_move(state, stream)
        state, before = game.after(state, move), (state, move, node)


def line(game: Game, state: bytes, *, with_steps: bool = True) -> str:
    """Return the position line without the mover, and without the steps that pieces have used."""
    text = re.sub(r"(\d/[macg0-9]*)>", r"\1", game.text(state))
    return text if with_steps else re.sub(r"/(m\d+)?", "", text)


@pytest.mark.parametrize("options", [{}, {"players": "4", "fuel": "on", "start_court": "on"}])
def test_what_is_left_out_is_reached_in_another_way(options: dict[str, str]) -> None:
    game = GAMES["knaves_out"](**options)
    swapped = shortened = 0
    for seed in range(GAMES_PLAYED):
        for state, previous, before in pairs(game, seed):
            moves = game.moves_of(state)
            redundant = [move for move in moves if game.is_redundant_move(state, previous, move)]
            assert len(redundant) < len(moves)
            for move in redundant:
                after = game.after(state, move)
                first = game.moves_of(before)
                if game.move_text(move)[5:].startswith(game.move_text(previous)[-3:] + "-"):
                    start, goal = game.move_text(previous)[5:8], game.move_text(move)[-3:]
                    direct = before
                    if start != goal:
                        direct = game.after(before, game.parse_move(f"move:{start}-{goal}"))
                        assert game.parse_move(f"move:{start}-{goal}") in first
                    shorter = line(game, direct, with_steps=False)
                    assert line(game, after, with_steps=False) == shorter
                    shortened += 1
                else:
                    assert move in first
                    other = game.after(before, move)
                    assert previous in game.moves_of(other)
                    assert not game.is_redundant_move(other, move, previous)
                    assert line(game, game.after(other, previous)) == line(game, after)
                    swapped += 1
    assert swapped > 100
    assert shortened > 100
