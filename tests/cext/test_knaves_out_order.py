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


DEADLY_GROUND = (
    "ko 0,0/8,0/8,8/0,8 t=90;f=p4;a=p1 main@p1 I=1a8.p4.r4b6;D=- "
    "p1:+:4s6h6s7c8h8sqdks:2h:jc=ah*2d3c4d:qh=ac2c:kd=ad2s3h4c5s6c7d8d9s*tcjdqskc:-:"
    "K1a2.4,R1b1.0,P1c2.0:-:played.parlay.acts1:83ce28c274058/3,8000000004008/4 "
    "p2:+:?9:8h9d9htsjhjsqcqdkd:jc=ac2c3h4h5h6h7s8s9ctdjdqhkc:qs*=ah2s3s4d5d6d7h8d:"
    "kh=as2h*3c4s5c6s7d8c9stc:-:R2f1.0,R2g1.0,K2h1.4,P3h4.4:-:parlay:- "
    "p3:+:?3:4h7c7h8c9h9stctdjcqcqdkckdjo:jd*=ah2h3c4d5s6c:qs=ac2c3s:"
    "kh=ad2d3d4s5h6d7d8h9dthjsqhks:as=2s3h4c5c6h7s8s9ctsjh:r3g6.0,K3h5.4,r3h6.0,P3h7.2:-:-:- "
    "p4:+:?7:ah6h9stcjs:jc=as2h3c4h5s6d7c:qh=ad:ks=ac2c3d4c5h*6c7h8s9cts:-:"
    "R4b7.0,K4b8.4,P4c5.2,R4c7.0:-:-:2818000/1 @p1"
)
"""The pawn of p1 stands on the board of the Ivory Tower of p4, without a checker."""


def test_a_bot_does_not_step_to_its_death() -> None:
    observation = parse_observation("knaves_out", DEADLY_GROUND)
    steps = {move for move in observation.legal_moves() if move.startswith("move:")}
    assert len(steps) == 7
    analysis = analyze(observation, Budget(simulations=1000), seed=1)
    assert {move.move for move in analysis.moves if not move.visits} >= steps
    redirected = DEADLY_GROUND.replace("played.parlay.acts1", "played.parlay.redirect.acts1")
    observation = parse_observation("knaves_out", redirected)
    game, state = observation.game, observation.state
    pointless = {m for m in game.moves_of(state) if game.is_pointless_move(state, m)}
    assert not pointless & {game.parse_move(step) for step in steps}, "the rook may take the point"


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
                is_deadly = loses_its_mover(game, state, words)
                assert game.is_pointless_move(state, move) == (is_own_building or is_deadly)
                targets["deadly"] += is_deadly
                targets[target if words.startswith("attack:") else "none"] += 1
    assert targets["other"] > 100
    assert targets["king"] + targets["rook"] > 10
    assert targets["deadly"] > 10


def loses_its_mover(game: Game, state: bytes, words: str) -> bool:
    """Whether a piece that was to move is neither where it was, nor at its goal, nor at sea."""
    verb, _, squares = words.partition(":")
    if verb not in ("move", "sail"):
        return False
    before, after = game.view(state), game.view(game.after(state, game.parse_move(words)))
    if after["node"]["type"] == "redirect":
        return False
    active = before["active"] - 1
    has_sailed = before["players"][active]["sea"] != after["players"][active]["sea"]
    places = {piece["square"] for piece in own_pieces(after)}
    return not has_sailed and not places & set(squares.split("-"))


def own_pieces(view: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = view["players"][view["active"] - 1]["pieces"]
    return found
