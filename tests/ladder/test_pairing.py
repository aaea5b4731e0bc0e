"""Schedules are balanced, repeatable and endless or limited."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations, count, islice

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.pairing import (
    MAX_TABLES,
    SECRET_SEED,
    SEED_BITS,
    Group,
    Pairing,
    Swiss,
    gauntlet,
    round_robin,
)
from kingmaker.ladder.results import rotations
from kingmaker.search.draws import digest


def names(count: int) -> list[str]:
    return [f"bot{i}" for i in range(count)]


def groups(pairing: Pairing, count: int) -> list[Group]:
    return [pairing.group(i) for i in range(count)]


def meetings(played: list[Group]) -> Counter[frozenset[str]]:
    """Count how often two different bots sat at one table."""
    return Counter(
        frozenset(pair)
        for group in played
        for pair in combinations(group.bots, 2)
        if pair[0] != pair[1]
    )


@pytest.mark.parametrize(
    ("num_bots", "num_seats"), [(2, 2), (5, 2), (8, 2), (3, 3), (6, 3), (7, 4), (6, 6), (2, 3)]
)
def test_a_cycle_of_a_round_robin_is_exactly_balanced(num_bots: int, num_seats: int) -> None:
    schedule = round_robin(names(num_bots), num_seats, seed=3)
    cycle = groups(schedule, schedule.cycle_groups)
    assert len(set(Counter(bot for group in cycle for bot in group.bots).values())) == 1
    counts = meetings(cycle)
    assert len(counts) == num_bots * (num_bots - 1) // 2
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize(("num_bots", "num_seats"), [(7, 2), (10, 2), (7, 3), (9, 4), (5, 3)])
def test_a_round_robin_is_nearly_balanced_wherever_it_stops(num_bots: int, num_seats: int) -> None:
    schedule = round_robin(names(num_bots), num_seats, seed=8)
    cycle = groups(schedule, schedule.cycle_groups)
    for end in range(1, len(cycle)):
        played = Counter(dict.fromkeys(schedule.bots, 0))
        played.update(bot for group in cycle[:end] for bot in group.bots)
        assert max(played.values()) - min(played.values()) <= 2
        assert max(meetings(cycle[:end]).values()) <= end * num_seats**2 / num_bots**2 + 3


def test_every_order_around_the_table_is_played() -> None:
    schedule = round_robin(names(4), 4)
    orders = {min(rotations(group.bots)) for group in groups(schedule, 6)}
    assert len(orders) == 6


@pytest.mark.parametrize(("num_bots", "num_seats"), [(2, 3), (2, 4), (3, 4), (2, 6), (3, 6)])
def test_no_two_rotations_of_a_group_are_the_same_game(num_bots: int, num_seats: int) -> None:
    for group in groups(round_robin(names(num_bots), num_seats), 30):
        assert len(group.bots) == num_seats
        assert len(set(rotations(group.bots))) == num_seats


def test_a_group_is_the_same_whenever_it_is_asked_for() -> None:
    forwards = groups(round_robin(names(5), 3, seed=1), 25)
    again = round_robin(names(5), 3, seed=1)
    assert [again.group(i) for i in reversed(range(25))] == forwards[::-1]


def test_another_seed_is_another_schedule() -> None:
    first, second = (groups(round_robin(names(6), seed=seed), 15) for seed in (1, 2))
    assert [group.bots for group in first] != [group.bots for group in second]
    assert not {g.deal_seed for g in first} & {g.deal_seed for g in second}


def test_every_group_has_seeds_of_its_own() -> None:
    played = groups(round_robin(names(4)), 500)
    seeds = {seed for group in played for seed in (group.deal_seed, group.seed)}
    assert len(seeds) == 1000
    assert min(seeds) >= 0
    assert 1 << (SEED_BITS - 4) < max(seeds) < 1 << SEED_BITS


def test_a_limited_schedule_ends() -> None:
    schedule = round_robin(names(3), num_groups=7)
    assert schedule.group(6).index == 6
    with pytest.raises(IndexError):
        schedule.group(7)
    with pytest.raises(IndexError):
        schedule.group(-1)


def test_tables_beyond_number_are_sampled_evenly() -> None:
    schedule = round_robin(names(16), 6)
    assert schedule.cycle_groups == MAX_TABLES
    counts = meetings(groups(schedule, 400))
    # 400 tables of 15 pairs, of 120 pairs in all.
    assert min(counts.values()) >= 45
    assert max(counts.values()) <= 55


@pytest.mark.parametrize("num_seats", [2, 3, 4])
def test_in_a_gauntlet_the_challenger_meets_all_equally(num_seats: int) -> None:
    schedule = gauntlet("new", names(5), num_seats)
    cycle = groups(schedule, schedule.cycle_groups)
    assert all("new" in group.bots for group in cycle)
    counts = meetings(cycle)
    assert len({counts[frozenset(("new", bot))] for bot in names(5)}) == 1


def test_in_a_gauntlet_against_one_bot_it_holds_the_other_seats() -> None:
    group = gauntlet("new", ["old"], 4).group(0)
    assert sorted(group.bots) == ["new", "old", "old", "old"]


def test_what_makes_no_ladder_is_refused() -> None:
    with pytest.raises(InputError, match="two bots or more"):
        round_robin(["alone"])
    with pytest.raises(InputError, match="called a"):
        round_robin(["a", "b", "a"])
    with pytest.raises(InputError, match="called new"):
        gauntlet("new", ["new"])
    with pytest.raises(InputError, match="seats"):
        round_robin(names(2), 1)
    with pytest.raises(InputError, match="seed"):
        round_robin(names(2), seed=-1)
    with pytest.raises(InputError, match="groups"):
        round_robin(names(2), num_groups=0)
    with pytest.raises(InputError, match="two bots or more"):
        Swiss(["alone"], 3)


def swiss_pairs(swiss: Swiss, strength: dict[str, float], delay: int) -> list[tuple[str, ...]]:
    """Play a Swiss ladder in which a group is finished `delay` groups after it was begun."""
    rng = np.random.default_rng(4)
    pairs: list[tuple[str, ...]] = []
    for index in range(swiss.num_groups):
        if index >= delay:
            bots = pairs[index - delay]
            share = 1 / (1 + 10 ** ((strength[bots[1]] - strength[bots[0]]) / 400))
            swiss.finish(bots, float(rng.binomial(2, share)) / 2)
        pairs.append(swiss.group(index).bots)
        swiss.begin(pairs[-1])
    return pairs


@pytest.mark.parametrize("delay", [1, 4])
def test_swiss_pairs_bots_of_like_score_and_nobody_twice(delay: int) -> None:
    swiss = Swiss(names(16), 6, seed=2)
    strength = {bot: 150.0 * i for i, bot in enumerate(swiss.bots)}
    pairs = swiss_pairs(swiss, strength, delay)
    counts = Counter(bot for bots in pairs for bot in bots)
    assert set(counts.values()) <= {5, 6, 7}
    assert max(Counter(map(frozenset, pairs)).values()) == 1
    gaps = [abs(strength[a] - strength[b]) / 150 for a, b in pairs]
    # Between two bots drawn at random lie 17 / 3 places on average.
    assert np.mean(gaps[len(gaps) // 2 :]) < 4.5


def test_swiss_does_not_depend_on_the_order_of_arrival() -> None:
    results = [
        *((("bot0", "bot1"), 0.1), (("bot2", "bot3"), 0.7), (("bot1", "bot2"), 0.2)),
        *((("bot4", "bot0"), 1 / 3), (("bot3", "bot4"), 0.6)),
    ]
    found = []
    for order in (results, results[::-1]):
        swiss = Swiss(names(6), 5, seed=9)
        for bots, _ in results:
            swiss.begin(bots)
        for bots, share in order:
            swiss.finish(bots, share)
        found.append((swiss.group(5), swiss._scores()))
    assert found[0] == found[1]
    assert "bot5" in found[0][0].bots


def test_swiss_does_not_wait_for_a_group_in_play() -> None:
    swiss = Swiss(names(4), 3)
    pairs = []
    for index in range(swiss.num_groups):
        pairs.append(swiss.group(index).bots)
        swiss.begin(pairs[-1])
    assert len(set(map(frozenset, pairs))) == 6


def test_a_group_that_was_begun_keeps_its_seeds() -> None:
    swiss = Swiss(names(4), 3, seed=5)
    group = swiss.group(2)
    swiss.begin(group.bots)
    assert swiss.again(2, group.bots) == group


@pytest.mark.slow
def test_swiss_pairing_takes_the_same_time_for_every_group() -> None:
    """10,000 groups of 100 bots; a pass over the groups so far for each took minutes."""
    swiss = Swiss(names(100), 200)
    began = time.process_time()
    for index in range(swiss.num_groups):
        bots = swiss.group(index).bots
        swiss.begin(bots)
        swiss.finish(bots, 0.5)
    assert (time.process_time() - began) / swiss.num_groups < 0.002


def test_a_swiss_ladder_ends_after_its_rounds() -> None:
    swiss = Swiss(names(5), 3)
    assert swiss.num_groups == 8
    with pytest.raises(IndexError):
        swiss.group(8)


def test_an_endless_schedule_goes_on() -> None:
    schedule = round_robin(names(3))
    assert schedule.num_groups is None
    assert len(list(islice(map(schedule.group, iter(range(10**6, 10**6 + 3))), 3))) == 3


def test_a_secret_seed_gives_groups_by_a_cryptographic_hash_alone() -> None:
    seed = next(each for each in count(SECRET_SEED) if digest("order", each) < SECRET_SEED)
    group = round_robin(["a", "b", "c"], seed=seed).group(7)
    assert (group.deal_seed, group.seed) == (
        digest("deal", seed, 7) >> 10,
        digest("bots", seed, 7) >> 10,
    )
    order = digest("order", seed)
    for schedule, alike in (
        (round_robin(["a", "b", "c"], seed=seed), round_robin(["a", "b", "c"], seed=order)),
        (Swiss(["a", "b", "c"], 3, seed=seed), Swiss(["a", "b", "c"], 3, seed=order)),
    ):
        groups = [[each.group(index) for index in range(5)] for each in (schedule, alike)]
        assert [group.bots for group in groups[0]] == [group.bots for group in groups[1]]
        assert {group.deal_seed for group in groups[0]}.isdisjoint(
            group.deal_seed for group in groups[1]
        )
