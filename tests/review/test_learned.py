"""Values that are learned from games adjust the results of others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.net import Net
from kingmaker.review import learned
from kingmaker.review.adjust import FOLDS, adjusted, luck_of_game
from kingmaker.review.games import PlayedGame
from kingmaker.review.learned import learned_luck
from kingmaker.review.players import LEAST_DEALS, adjusted_players
from kingmaker.search.position import Position

from .test_adjust import bot_games


@pytest.fixture(scope="module", autouse=True)
def short_fits() -> Iterator[None]:
    """Fit for a short time: the games are short, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learned, "FIRST_STEPS", 100)
        patch.setattr(learned, "LATER_ROUNDS", ((0.7, 50),))
        yield


@pytest.fixture(scope="module")
def games() -> list[PlayedGame]:
    """Games of bots that choose nearly at random."""
    return bot_games("leduc_poker", ("random", "ismcts:simulations=2"), 400)


@pytest.mark.slow
def test_learned_luck_has_the_mean_0_and_explains_results(games: list[PlayedGame]) -> None:
    folds = [at % FOLDS for at in range(len(games))]
    luck = learned_luck(games, folds, 1)
    assert luck.sum(axis=2) == pytest.approx(0, abs=1e-6)
    own = luck[np.arange(len(games)), folds, 0]
    assert abs(own.mean()) < 4 * own.std() / math.sqrt(len(games))
    results = [game.returns[0] for game in games]
    assert adjusted(results, luck[:, :, 0], folds=folds).variance_left < 0.9


def test_the_luck_of_an_outcome_has_the_mean_0_over_all_of_them(games: list[PlayedGame]) -> None:
    some = games[:40]
    folds = [0] * 6 + [at % FOLDS for at in range(34)]  # the same nets for the first six
    starts = [_with_start(game, at % 6) for at, game in enumerate(some)]
    luck = learned_luck(starts, folds, 1)[:6, 0, 0]
    assert luck.std() > 0
    assert luck.sum() == pytest.approx(0, abs=1e-6)


def test_targets_are_results_without_the_luck_on_the_way(games: list[PlayedGame]) -> None:
    lessons = [learned._lesson(game, at) for at, game in enumerate(games[:40])]
    net = learned._net(games[0].start.game, lessons, 1)
    targets = iter(learned._targets(net, lessons, 1.0))
    for game, lesson in zip(games, lessons, strict=False):
        luck = lesson.outcomes.luck(net)
        assert list(lesson.plies) == list(range(len(game.tokens)))  # all of a short game
        for ply in lesson.plies:
            later = luck[lesson.outcomes.plies >= ply].sum(axis=0)
            assert next(targets) == pytest.approx(np.array(game.returns) - later, abs=1e-6)


def test_targets_without_what_came_later_are_means_over_outcomes(games: list[PlayedGame]) -> None:
    lessons = [learned._lesson(game, at) for at, game in enumerate(games[:40])]
    net = learned._net(games[0].start.game, lessons, 1)
    targets = learned._targets(net, lessons[:1], 0.0)
    start = games[0].start
    assert start.is_chance
    rules = start.game
    second = games[0].positions[1]
    values = [
        probability * np.array(net.evaluation_of(rules, rules.after(start.state, outcome)))
        for outcome, probability in rules.outcomes_of(start.state)
    ]
    assert targets[0] == pytest.approx(sum(values), abs=1e-5)
    assert second.is_chance
    assert targets[1] != pytest.approx(targets[0], abs=1e-5)


def _with_start(game: PlayedGame, number: int) -> PlayedGame:
    """The start of a game with one of its six outcomes, which are as likely as each other."""
    start = game.start
    (outcome, probability) = start.game.outcomes_of(start.state)[number]
    assert probability == pytest.approx(1 / 6)
    after = Position(start.game, start.game.after(start.state, outcome))
    return replace(game, positions=(start, after))


@pytest.mark.slow
def test_what_is_subtracted_is_the_mean_by_several_nets(
    games: list[PlayedGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    nets: list[Net] = []
    fit = learned._net

    def kept(*told: Any) -> Net:
        nets.append(fit(*told))
        return nets[-1]

    monkeypatch.setattr(learned, "_net", kept)
    some = games[:100]
    luck = learned_luck(some, [at % FOLDS for at in range(len(some))], 1)
    by_nets = [learned.outcomes_of(some[0]).luck(net).sum(axis=0) for net in nets]
    several, one = by_nets[: learned.NETS], by_nets[learned.NETS]  # without fold 0; without 0 and 1
    assert np.ptp(several, axis=0).min() > 1e-3
    assert luck[0, 0] == pytest.approx(np.mean(several, axis=0), abs=1e-9)
    assert luck[0, 1] == pytest.approx(one, abs=1e-9)


@pytest.mark.slow
def test_no_game_has_a_say_in_its_own_luck(games: list[PlayedGame]) -> None:
    some = games[: 16 * FOLDS * 2]
    folds = [at % FOLDS for at in range(len(some))]
    before = learned_luck(some, folds, 1)
    lost = [_with_other_result(game) if at % FOLDS == 2 else game for at, game in enumerate(some)]
    after = learned_luck(lost, folds, 1)
    is_third = np.array(folds) == 2
    assert np.array_equal(before[is_third], after[is_third])
    assert np.array_equal(before[:, 2], after[:, 2])
    assert not np.array_equal(before[~is_third], after[~is_third])


def _with_other_result(game: PlayedGame) -> PlayedGame:
    return replace(game, returns=game.returns[::-1])


@pytest.mark.slow
def test_players_of_many_deals_are_adjusted_by_learned_values_as_well(
    games: list[PlayedGame],
) -> None:
    found = adjusted_players(games, "quick", 1, choices=True)["bot 1"]
    luck = [luck_of_game(game, "quick", 1 + at)[0] for at, game in enumerate(games)]
    searched = adjusted([game.returns[0] for game in games], luck)
    assert len(found.multiples) == 3
    assert found.num_games == len(games)
    assert found.variance_left < searched.variance_left - 0.02
    assert found.adjusted == pytest.approx(found.mean, abs=4 * found.error)


def test_few_deals_are_too_little_to_learn_from(games: list[PlayedGame]) -> None:
    found = adjusted_players(games[: LEAST_DEALS - 1], "quick", 1)
    assert len(found["bot 1"].multiples) == 1
