"""Matches in a database that several servers write to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from secrets import token_hex
from threading import Barrier

import pytest

from kingmaker.ladder.match_store import Append, Digest, MatchStore, StoredEvent, StoredMatch
from kingmaker.ladder.store import Store

IDS = [f"m{i:02}" for i in range(20)]
NUM_ROUNDS = 5


@pytest.fixture
def stores(database: str) -> Iterator[list[MatchStore]]:
    """Those of two servers, with matches that the first one drives."""
    with Store(database) as one, Store(database) as other:
        first = MatchStore(one)
        for match_id in IDS:
            match = StoredMatch(match_id, "tic_tac_toe", {}, "1", 1, "", "creator", 0.0)
            first.create(match, append_to(match_id, 1, "a"), most=99, most_of_creator=99)
        yield [first, MatchStore(other)]


def append_to(match_id: str, number: int, driver: str) -> Append:
    event = StoredEvent(number, "hinted", 1.0, {"seat": 1})
    return Append(match_id, [event], Digest("playing", [], True), driver, until=1e12)


def at_once(*works: Callable[[], object]) -> None:
    """Do things at the same time, again and again."""
    barrier = Barrier(len(works))

    def repeat(work: Callable[[], object]) -> None:
        for _ in range(NUM_ROUNDS):
            barrier.wait(timeout=5)
            work()

    with ThreadPoolExecutor(len(works)) as threads:
        for each in [threads.submit(repeat, work) for work in works]:
            each.result()


def appending(
    store: MatchStore, ids: Sequence[str], driver: str, found: list[list[bool]]
) -> Callable[[], object]:
    """Append the next event to each match, at each call; `found` gets the answers."""

    def append() -> None:
        number = len(found) + 2
        found.append(store.append([append_to(each, number, driver) for each in ids]))

    return append


def test_servers_that_append_in_different_orders_store_every_event_once(
    stores: list[MatchStore],
) -> None:
    ones: list[list[bool]] = []
    others: list[list[bool]] = []
    at_once(appending(stores[0], IDS, "a", ones), appending(stores[1], IDS[::-1], "b", others))
    for one, other in zip(ones, others, strict=True):
        assert [a + b for a, b in zip(one, other[::-1], strict=True)] == [1] * len(IDS)


def test_a_server_keeps_its_matches_while_another_one_appends(stores: list[MatchStore]) -> None:
    found: list[list[bool]] = []
    at_once(partial(stores[0].drive, "a", until=1e12), appending(stores[1], IDS[::-1], "a", found))
    assert found == [[True] * len(IDS)] * NUM_ROUNDS


def test_matches_without_a_driver_are_claimed_once(stores: list[MatchStore]) -> None:
    stores[0].drive("a", until=0.0)
    first, second = stores
    at_once(
        partial(first.claim, "a", now=1.0, until=2.0, limit=15),
        partial(second.claim, "b", now=1.0, until=2.0, limit=15),
    )
    assert sorted(first.drive("a", until=2.0) + second.drive("b", until=2.0)) == IDS


@pytest.mark.parametrize("match_id", ["m99", "", "m00\0", "\0"])
def test_a_match_that_does_not_exist_is_not_found(stores: list[MatchStore], match_id: str) -> None:
    assert stores[0].find(match_id) is None


@pytest.mark.parametrize("limit", ["most", "most_of_creator"])
def test_matches_that_are_created_at_once_are_no_more_than_the_limit(
    stores: list[MatchStore], limit: str
) -> None:
    limits = {"most": 99, "most_of_creator": 99, limit: len(IDS) + 3}
    created: list[bool] = []

    def creating(store: MatchStore) -> Callable[[], object]:
        def create() -> None:
            match = StoredMatch(token_hex(8), "tic_tac_toe", {}, "1", 1, "", "creator", 0.0)
            created.append(store.create(match, append_to(match.id, 1, "a"), **limits))

        return create

    at_once(*(creating(store) for store in stores * 4))
    assert sum(created) == 3
