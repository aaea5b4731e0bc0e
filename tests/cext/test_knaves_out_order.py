"""The moves that a tree leaves out in Knaves Out, as another order or fewer moves do the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.cext.games.knaves_out.names import BUILDINGS
from kingmaker.search.analysis import Budget
from kingmaker.search.position import parse_observation
from kingmaker.search.run import analyze

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


OWN_GOAL = (
    "ko;kings=fixed;start_court=on;start_jokers=on 0,0/8,0/4,8 t=30;f=p2;a=p1 main@p1 "
    "I=2f8.p3.r4b6;D=1a8.p1>p3.r3b0 p1:+:2c3s5s7s8htdtsjsqdkh:7h8d:jc=ad2h3h4c*5h6s7d:qc=as2d:"
    "kc=ac:-:R1c2.0,K1c3.4,R1d2.0,P1d4.2:-:acts1:- p2:+:?10:-:jc=ah2c:qc*=ad2s:"
    "kc=as*2d3s4c5c6h7c8h9dtc:-:K2f3.4:-:-:6d1/1,650/8,240/9 p3:+:?0:"
    "ac3c3h5h7c7dtdthtsjcjdjskc:jh*=as2h:qh=ah2s:kh*=:-:P3c4.0,r3d5.0,K3d6.4:-:-:- @p1"
)
"""The Dark Tower decides here, so that a search sees no harm in a hit on the king of its own."""


def test_a_bot_does_not_attack_its_own_buildings() -> None:
    observation = parse_observation("knaves_out", OWN_GOAL)
    hit = observation.game.parse_move("attack:1d4-1c3")
    game, state = observation.game, observation.state
    assert [m for m in game.moves_of(state) if game.is_pointless_move(state, m)] == [hit]
    for seed in range(3):
        analysis = analyze(observation, Budget(simulations=1000), seed=seed)
        visits = {move.move: move.visits for move in analysis.moves}
        assert sorted(visits) == sorted(observation.legal_moves())
        assert [move for move, number in visits.items() if not number] == ["attack:1d4-1c3"]


@pytest.mark.parametrize("players", ["2", "4"])
def test_attacks_on_what_others_own_and_on_towers_are_all_tried(players: str) -> None:
    game = GAMES["knaves_out"](players=players)
    targets = Counter[str]()
    for seed in range(GAMES_PLAYED):
        for state, _, _ in pairs(game, seed):
            pieces = game.view(state)
            own = {piece["square"]: piece["kind"] for piece in own_pieces(pieces)}
            for move in game.moves_of(state):
                words = game.move_text(move)
                target = own.get(words.partition("-")[2], "other")
                is_own_building = words.startswith("attack:") and target in BUILDINGS
                assert game.is_pointless_move(state, move) == is_own_building
                targets[target if words.startswith("attack:") else "none"] += 1
    assert targets["other"] > 100
    assert targets["king"] + targets["rook"] > 10


def own_pieces(view: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = view["players"][view["active"] - 1]["pieces"]
    return found
