"""A ladder says where its numbers say less than they seem to."""

from __future__ import annotations

from kingmaker.ladder.cautions import cautions
from kingmaker.ladder.ratings import rate
from kingmaker.ladder.results import MirroredGroup, Result, mirrored_groups


def groups_of(*pairs: tuple[str, str, float]) -> list[MirroredGroup]:
    """Groups of two games with the same share for the first bot."""
    results = []
    for number, (first, second, share) in enumerate(pairs):
        results.append(Result(f"{number}", (first, second), (share, 1 - share)))
        results.append(Result(f"{number}", (second, first), (1 - share, share)))
    return mirrored_groups(results)


def found(groups: list[MirroredGroup], **causes: int) -> tuple[str, ...]:
    return cautions(rate(groups, num_resamples=2).ratings, groups, causes or {"finished": 9})


def test_an_ordinary_ladder_has_no_cautions() -> None:
    assert found(groups_of(("a", "b", 0.5), ("b", "c", 0.6)), finished=99, timed_out=1) == ()


def test_more_than_one_forfeit_in_a_hundred_games_is_told() -> None:
    (caution,) = found(groups_of(("a", "b", 0.5)), finished=90, timed_out=8, crashed=2)
    assert caution.startswith("10.0 % of the games were forfeited (8 timed_out, 2 crashed)")


def test_a_bot_that_won_everything_is_told() -> None:
    told = found(groups_of(("a", "b", 1.0), ("b", "c", 0.5)))
    assert [each.partition(":")[0] for each in told] == ["a won all of its 2 games"]


def test_bots_that_never_met_are_told() -> None:
    (caution,) = found(groups_of(("a", "b", 0.5), ("c", "d", 0.5), ("e", "d", 0.4)))
    assert caution.endswith("a, b; c, d, e")
