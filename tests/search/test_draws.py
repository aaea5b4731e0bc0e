"""Chance outcomes by seed and position."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from kingmaker.cext.errors import ContractError
from kingmaker.cext.games import GAMES
from kingmaker.search.draws import settle_by_seed, uniform
from kingmaker.search.position import Position, new_game, parse_position
from tests.python_game.high_card import HighCard
from tests.random_play import CHANCE, VARIANTS, Variant, play

DICE = (
    "chs 8/rn1qk+3/3p-p-p-2/8/8/8/8/3P-P-3/3QK+3/8 p1 1 1 dice p1p2 9/0 -/- "
    "Q1R2B2N2P6/q1r1b2n1p5 -/- p3x3c3 - m0k0r0s0"
)


def chance_nodes(game: str, seed: int) -> dict[str, str]:
    """Play random moves with one seed for chance; the first outcome drawn at each position."""
    choice = random.Random(seed)
    position, _ = settle_by_seed(new_game(game), seed)
    found = {}
    while not position.is_terminal:
        position = position.apply(choice.choice(position.legal_moves()))
        after, drawn = settle_by_seed(position, seed)
        if drawn:
            found[position.text] = drawn[0]
        position = after
    return found


def test_a_seed_and_a_position_give_one_outcome_for_good() -> None:
    """Fixed values: they must hold on every machine and in every version of Python."""
    assert uniform("outcome", 7, "a position", 0) == 0.020457128136972313
    _, drawn = settle_by_seed(new_game("leduc_poker"), 7)
    assert drawn == ["deal:kh", "deal:js"]


def test_a_game_in_one_piece_and_in_parts_has_the_same_outcomes() -> None:
    whole, drawn = settle_by_seed(new_game("hearts"), 3)
    position: Position = new_game("hearts")
    for outcome in drawn[:20]:
        position = position.apply(outcome)
    rest, drawn_again = settle_by_seed(position, 3)
    assert (rest, drawn_again) == (whole, drawn[20:])


@pytest.mark.parametrize("game", ["chessault", "code_of_chivalry"])
def test_draws_of_one_seed_differ_along_a_game(game: str) -> None:
    drawn = chance_nodes(game, seed=6)
    [(_, most)] = Counter(drawn.values()).most_common(1)
    assert len(drawn) >= 20
    assert most <= len(drawn) / 2


def test_outcomes_come_by_their_probabilities_over_seeds_and_over_positions() -> None:
    dice = parse_position("chessault", DICE)
    expected = {token: float(part) for token, part in dice.chance_outcomes().items()}
    over_seeds = Counter(settle_by_seed(dice, seed)[1][0] for seed in range(4000))
    turns = [
        parse_position("chessault", DICE.replace(" p1 1 1 dice", f" p1 {turn} 1 dice"))
        for turn in range(1, 400, 2)
    ]
    over_positions = Counter(
        settle_by_seed(turn, seed)[1][0] for seed in range(20) for turn in turns
    )
    for counts in (over_seeds, over_positions):
        total = counts.total()
        chi_square = sum(
            (counts[token] - part * total) ** 2 / (part * total) for token, part in expected.items()
        )
        assert chi_square < 2 * len(expected) + 15


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_no_chance_node_comes_twice_in_a_game(variant: Variant) -> None:
    """What game_service.proto says: all games count turns, or use up cards, as they go."""
    game = variant.new()
    for seed in range(6):
        texts = [
            game.text(step.state) for step in play(game, seed) if game.node_of(step.state) == CHANCE
        ]
        assert len(texts) == len(set(texts))


@pytest.mark.parametrize("game", GAMES)
def test_what_was_drawn_replays_the_game(game: str) -> None:
    position, drawn = settle_by_seed(new_game(game), 1)
    assert not position.is_chance
    assert new_game(game).apply(*drawn) == position


class AlwaysDeals(HighCard):
    """Forgets to go on after a deal."""

    def apply(self, state: bytes, move: int) -> bytes:
        return state


def test_chance_that_never_ends_is_a_breach_of_the_contract() -> None:
    game = AlwaysDeals()
    start = Position(game, game.start_state())
    message = "high_card breaks the engine contract: chance decides 10,000 times in a row"
    with pytest.raises(ContractError, match=message):
        settle_by_seed(start, 1)
    with pytest.raises(ContractError, match=message):
        start.settle(np.random.SFC64(1))
