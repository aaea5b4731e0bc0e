"""What a peer is compared on is what it does itself."""

from __future__ import annotations

from typing import Any

import pytest

from kingmaker.benchmarks import peers
from kingmaker.benchmarks.positions import NUM_POSITIONS, hearts_decisions, leduc_decisions
from kingmaker.search.position import Position

pytest.importorskip("pyspiel")


def same_decision(position: Position, state: Any, our_names: dict[str, str]) -> bool:
    """Whether the same seat decides between the same moves, by the peer's names for ours."""
    theirs = {state.action_to_string(action) for action in state.legal_actions()}
    ours = {our_names.get(move, move) for move in position.legal_moves()}
    return position.seat == state.current_player() + 1 and ours == theirs


def test_leduc_decisions_are_the_same_for_the_peer() -> None:
    names = {"fold": "Fold", "call": "Call", "raise": "Raise"}
    decisions = leduc_decisions()
    assert len(decisions) == NUM_POSITIONS
    for tokens, position in decisions:
        assert same_decision(position, peers._leduc_state(tokens), names)


def test_hearts_plays_are_the_same_for_the_peer() -> None:
    decisions = hearts_decisions()
    assert len(decisions) == NUM_POSITIONS
    for tokens, position in decisions:
        names = {move: move.removeprefix("play:").upper() for move in position.legal_moves()}
        assert same_decision(position, peers._hearts_state(tokens), names)


def test_hearts_plays_are_of_early_and_late_tricks() -> None:
    left = [len(position.view["seats"][0]["hand"]) for _, position in hearts_decisions()]
    assert left == sorted(left, reverse=True)
    assert left[0] == 13
    assert left[-1] < 6
