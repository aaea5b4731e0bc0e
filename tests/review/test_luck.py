"""Luck is 0 on average, whatever the values, and falls to the seats that see it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from kingmaker.ladder.play import play
from kingmaker.review.games import PlayedGame, of_record, played
from kingmaker.review.luck import (
    REPEATED,
    Span,
    against_mean,
    error_scale,
    luck_of,
    repeats_of,
    spans_of,
)
from kingmaker.review.values import EFFORTS, Outcome, Value, Values
from kingmaker.search.position import Position, new_game
from tests.ladder.fakes import task_of

QUICK = EFFORTS["quick"]


def values(samples: int = 8, seed: int = 1) -> Values:
    return Values("", replace(QUICK, value=50, outcomes=samples, samples=samples), seed)


def with_outcome(game: PlayedGame, ply: int, token: str) -> PlayedGame:
    """The game up to a ply, with another outcome there."""
    position = game.positions[ply]
    return replace(
        game,
        positions=(*game.positions[: ply + 1], position.apply(token)),
        tokens=(*game.tokens[:ply], token),
    )


def random_game(name: str) -> PlayedGame:
    return of_record(play(task_of(name)))


@pytest.mark.parametrize("name", ["leduc_poker", "kuhn_poker", "kingdom_coinquest", "chessault"])
def test_the_luck_of_all_outcomes_of_a_node_is_zero_on_average(name: str) -> None:
    game = random_game(name)
    # The last outcome, whatever it is: then a seat decides, or the game is over.
    span = [
        each
        for each in spans_of(game)
        if not any(
            game.positions[each.first].apply(token).is_chance
            for token in game.positions[each.first].chance_outcomes()
        )
    ][-1]
    outcomes = game.positions[span.first].chance_outcomes()
    mean = np.zeros(game.num_seats)
    for token, probability in outcomes.items():
        luck = luck_of(with_outcome(game, span.first, token), span, values(samples=64)).luck
        mean += float(probability) * np.array(luck)
    assert mean == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("effort", ["standard", "deep"])
def test_all_cards_that_may_be_drawn_are_valued(effort: str) -> None:
    game = random_game("kingdom_coinquest")
    [span] = [each for each in spans_of(game) if game.tokens[each.first].startswith("deal:")][:1]
    outcomes = game.positions[span.first].chance_outcomes()
    assert len(outcomes) > 30
    judge = Values("", replace(EFFORTS[effort], value=10), 1)
    lucks = [luck_of(with_outcome(game, span.first, token), span, judge).luck for token in outcomes]
    assert np.ptp([each[0] for each in lucks]) > 0.1
    assert np.mean(lucks, axis=0) == pytest.approx(0, abs=1e-9)


def test_luck_that_is_sampled_is_zero_on_average_too() -> None:
    game = random_game("leduc_poker")
    outcomes = game.positions[0].chance_outcomes()
    lucks = [
        float(probability)
        * luck_of(with_outcome(game, 0, token), Span(0, 1), values(3, seed)).luck[0]
        for seed in range(60)
        for token, probability in outcomes.items()
    ]
    per_seed = np.array(lucks).reshape(60, -1).sum(axis=1)
    assert abs(per_seed.mean()) < 4 * per_seed.std() / 60**0.5


def test_an_outcome_counts_in_the_mean_and_so_does_its_error() -> None:
    start = new_game("connect_four")
    left, right = start.apply("a"), start.apply("b")
    lost, won = Value(np.array([0.0, 1.0]), 0.1), Value(np.array([1.0, 0.0]), 0.2)
    known = [Outcome(left, 0.25, lost), Outcome(left, 0.25, lost), Outcome(right, 0.5, won)]
    found = against_mean(known, left)  # which two outcomes lead to
    assert found.shares.tolist() == [-0.5, 0.5]
    assert found.error == pytest.approx(math.hypot(0.25 * 0.1, 0.25 * 0.1, 0.5 * 0.2))


def test_luck_measured_again_tells_its_error() -> None:
    game = random_game("leduc_poker")
    chance = luck_of(game, spans_of(game)[0], values())
    luck = np.array(chance.luck)
    near, far = (
        [chance, replace(chance, luck=tuple(luck + shift * chance.luck_error))]
        for shift in (0.1, 1.0)
    )
    assert error_scale([near]) == pytest.approx(0.1 / 2**0.5)
    assert error_scale([near, far]) == pytest.approx(((0.01 + 1) / 4) ** 0.5)
    assert error_scale([]) == error_scale([[replace(chance, luck_error=0.0)] * 2]) == 1.0


@pytest.mark.parametrize(("number", "times"), [(1, 3), (8, 3), (10, 2), (24, 1), (300, 1)])
def test_luck_is_measured_again_in_places_all_over_a_game(number: int, times: int) -> None:
    spans = [Span(ply, ply + 1) for ply in range(number)]
    repeats = repeats_of(spans)
    assert set(repeats.values()) == {times}
    assert len(repeats) == min(number, REPEATED)
    assert max(each.first for each in repeats) >= number - 1 - number / REPEATED


def test_luck_sums_to_zero_over_the_seats() -> None:
    game = random_game("hearts")
    for span in spans_of(game):
        chance = luck_of(game, span, values(samples=2))
        assert sum(chance.luck) == pytest.approx(0, abs=1e-9)


def test_a_deal_is_one_piece_of_luck_and_a_drawn_card_another() -> None:
    assert [span.end - span.first for span in spans_of(random_game("hearts"))] == [53]
    assert [span.end - span.first for span in spans_of(random_game("leduc_poker"))][:2] == [1, 1]


def test_the_good_card_is_the_lucky_one() -> None:
    # In Kuhn poker the king beats all.
    for token, is_lucky in (("deal:k", True), ("deal:j", False)):
        rest = "deal:q"
        game = played("kuhn_poker", [token, rest, "bet", "pass"])
        luck = luck_of(game, Span(0, 1), values()).luck
        assert (luck[0] > 0.03) == is_lucky
        assert (luck[0] < -0.03) == (not is_lucky)


def test_only_the_seats_that_see_a_card_are_named() -> None:
    game = played("kuhn_poker", ["deal:k", "deal:q", "bet", "pass"])
    first, second = (luck_of(game, Span(ply, ply + 1), values()) for ply in (0, 1))
    assert (first.seats, second.seats) == ((1,), (2,))
    board = random_game("leduc_poker")
    shown = [span for span in spans_of(board) if span.first > 1]
    assert all(luck_of(board, span, values()).seats == () for span in shown)


def test_a_search_value_is_of_what_the_seat_sees() -> None:
    # The values of one observation are the same, whatever the hidden cards.
    game = random_game("code_of_chivalry")
    position = next(each for each in game.positions if each.seat)
    stream = np.random.SFC64(1)
    observation = position.observe(position.seat)
    other = observation.determinize(stream)
    assert isinstance(other, Position)
    assert other != position
    first, second = (values().value(each, position.seat, "test") for each in (position, other))
    assert first.shares.tolist() == second.shares.tolist()


@pytest.mark.parametrize(
    ("kings", "words"),
    [
        (["king:h", "king:s"], "draw the nine of clubs from the forge (for p1)"),
        (["king:s", "king:h"], "draw the nine of clubs from the forge (for p2)"),
    ],
)
def test_a_drawn_card_is_told_with_the_seat_that_drew_it(kings: list[str], words: str) -> None:
    """A bad card of one seat is good luck of another, which did not draw it."""
    game = played("kingdom_coinquest", [*kings, "draw:forge", "deal:9c"], returns=[1.0, 0.0])
    assert luck_of(game, spans_of(game)[-1], values(samples=1)).words == words


def test_a_deal_that_names_its_seat_does_so_once() -> None:
    game = played("leduc_poker", ["deal:qh", "deal:ks"], returns=[1.0, 0.0])
    span = Span(0, 1)
    assert luck_of(game, span, values(samples=1)).words == "deal the queen of hearts to p1"


def test_outcomes_in_a_row_are_told_by_the_first_one() -> None:
    game = played("leduc_poker", ["deal:qh", "deal:ks"], returns=[1.0, 0.0])
    words = luck_of(game, Span(0, 2), values(samples=1)).words
    assert words == "deal the queen of hearts to p1 and 1 outcome more"


def test_a_deal_of_many_cards_is_told_as_such() -> None:
    game = random_game("hearts")
    words = luck_of(game, spans_of(game)[0], values(samples=1)).words
    direction = new_game("hearts").describe(game.tokens[0])
    assert words == f"{direction}, and deal the cards"
