"""Weights of worlds in Code of Chivalry: in how many ways a seat can have drawn its cards."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kingmaker.search.position import Position, new_game
from kingmaker.search.record import RivalPolicy
from kingmaker.search.worlds import sample_worlds, weigh_worlds

from .recorded_games import arbitrary_policy, recorded

DEALT = ["deal:{}", "deal:{}", "deal:herald", "deal:castle", "draw:{}"]
OWN = Counter(["herald", "castle"])


@pytest.mark.parametrize(
    ("dealt", "moves", "own", "played", "known"),
    [
        (("soldier", "soldier", "king"), ["discard:soldier"], [], ["soldier"], []),
        (("peasant", "peasant", "king"), ["attack:p2:peasant*2"], [], ["peasant"] * 2, []),
        (
            ("soldier", "knight", "king"),
            ["discard:king", "draw:peasant", "draw:ninja", "special:herald", "show:soldier"],
            ["peasant", "ninja"],
            ["king"],
            ["soldier"],
        ),
    ],
)
def test_equal_cards_count_once_for_each_way_to_draw_them(
    dealt: tuple[str, ...], moves: list[str], own: list[str], played: list[str], known: list[str]
) -> None:
    """Code of Chivalry: who plays one of two soldiers had more ways to draw them than are left."""
    tokens = [*"|".join(DEALT).format(*dealt).split("|"), *moves]
    start = new_game("code_of_chivalry", {"players": "2"})
    position = start.apply(*tokens)
    choose = arbitrary_policy(new_game("code_of_chivalry"))
    seen = recorded(position, tokens, 2)
    unseen = Counter(start.view["draw"]) - OWN - Counter(own)
    worlds = sample_worlds(seen, 400, 1)
    weights = weigh_worlds(seen, worlds, 1, RivalPolicy(floor=0.0, choose=choose))
    expected = []
    for world in worlds:
        left = Counter(world.view["players"][0]["hand"])
        drawn = left + Counter(played)
        begin = start.apply(*"|".join(DEALT).format(*drawn.elements()).split("|"))
        # All ways to draw what it had, against those of the world to have what is left.
        likelihood = num_ways(drawn, unseen) / num_ways(
            left - Counter(known), unseen - Counter(played) - Counter(known)
        )
        for token in moves:
            if begin.seat == 1:
                game = begin.game
                likelihood *= choose(begin.state, 0)[game.parse_move(token)]
            begin = begin.apply(token)
        expected.append(likelihood)
    assert weights == pytest.approx([each / sum(expected) for each in expected])
    assert max(weights) > 3 * min(weights)


def num_ways(cards: Counter[str], pile: Counter[str]) -> int:
    """The ways to take cards out of a pile."""
    return math.prod(math.comb(pile[card], number) for card, number in cards.items())


def discarded(turn: int) -> tuple[Position, list[str]]:
    """Two seats of Code of Chivalry only discard, up to the decision of a turn."""
    stream = np.random.Generator(np.random.SFC64(4))
    position, tokens = new_game("code_of_chivalry", {"players": "2"}), list[str]()
    while position.is_chance or position.view["turn"] < turn:
        if position.is_chance:
            token = position.sample_outcome(stream.bit_generator)
        else:
            moves = position.legal_moves()
            token = str(stream.choice([move for move in moves if move.startswith("discard:")]))
        tokens.append(token)
        position = position.apply(token)
    return position, tokens


def hand_of(view: Any, seat: int) -> Counter[str]:
    return Counter(view["players"][seat]["hand"])


def discards(turn: int = 0) -> Callable[[bytes, int], dict[int, float]]:
    """Discard any card, with equal probability; in one turn some kinds more often than others."""
    game = new_game("code_of_chivalry", {"players": "2"}).game

    def choose(state: bytes, seat: int) -> dict[int, float]:
        view = game.view(state)
        weights = {f"discard:{card}": count for card, count in hand_of(view, seat).items()}
        if view["turn"] == turn:
            weights = {move: 1 + len(move) % 5 for move in weights}
        total = sum(weights.values())
        return {move: weights.get(game.move_text(move), 0) / total for move in game.moves_of(state)}

    return choose


def test_a_seat_that_discards_any_card_tells_nothing() -> None:
    """A hand with two soldiers discards one of them twice as often, and had one more before."""
    position, tokens = discarded(20)
    seen = recorded(position, tokens, 2)
    worlds = sample_worlds(seen, 20, 1)
    weights = weigh_worlds(seen, worlds, 1, RivalPolicy(floor=0.0, choose=discards()))
    assert weights == pytest.approx([1 / 20] * 20)


def test_cards_that_were_not_in_the_pile_are_the_first_to_be_played() -> None:
    """R11.4 (d): p1 had them at the reshuffle before turn 47, which was seen by elimination."""
    position, tokens = discarded(47)
    begin = new_game("code_of_chivalry", {"players": "2"}).apply(*tokens[:-2])
    base, held = Counter(begin.view["base"]), hand_of(begin.view, 0)
    after, drawn = position.apply("discard:peasant").settle(np.random.SFC64(5))
    seen, choose = recorded(after, [*tokens, "discard:peasant", *drawn], 2), discards(47)
    assert held["peasant"] > 1
    limit = base - Counter(token.removeprefix("draw:") for token in drawn)
    worlds = sample_worlds(seen, 100, 1)
    expected = []
    for world in worlds:
        hand, pile = hand_of(world.view, 0), Counter(world.view["draw"])
        cards = hand + Counter(["peasant"]) - held
        here = begin.apply(*(f"draw:{card}" for card in cards.elements()))
        policy = choose(here.state, 0)[begin.game.parse_move("discard:peasant")]
        worlds_alike = num_ways(pile, (hand + pile) & limit)
        expected.append(policy * num_ways(cards, limit) / worlds_alike)
    weights = weigh_worlds(seen, worlds, 1, RivalPolicy(floor=0.0, pasts=1, choose=choose))
    assert weights == pytest.approx([each / sum(expected) for each in expected])
