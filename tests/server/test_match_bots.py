"""Bots of matches: whose turn it is to think, and at whose expense."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from google.protobuf.duration_pb2 import Duration

from kingmaker.cext.errors import InputError, StateError
from kingmaker.ladder.match_store import StoredMatch
from kingmaker.search.position import new_game
from kingmaker.server.bots.hub import BotConnection, BotHub
from kingmaker.server.errors import QuotaError
from kingmaker.server.matches.bots import Players, check_bot
from kingmaker.server.matches.jobs import BotMove
from kingmaker.server.matches.turns import Turns
from kingmaker.server.pool.lines import Claim
from kingmaker.server.pool.searches import SearchPool
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1.analysis_service_pb2 import SuggestMovesRequest
from kingmaker.v1.types_pb2 import Move

from .match_client import keeping, new_match
from .support import failure_of, until

OBSERVATION = new_game("tic_tac_toe").observe(1)


def match_of(creator: str) -> StoredMatch:
    return StoredMatch("m", "tic_tac_toe", {}, "1", 1, "", creator, 0.0)


def players_of(
    settings: ServerSettings,
    pool: Any,
    check: Callable[[str], None] = lambda client: None,
    hub: BotHub | None = None,
) -> Players:
    return Players(settings, cast(SearchPool, pool), hub or BotHub(settings), check)


class Pool:
    """Searches that think for ever."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []

    async def run(self, claim: Claim, make: Callable[[], Any]) -> str:
        self.claims.append(claim)
        await asyncio.Event().wait()
        return ""


async def cancel(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_many_matches_of_one_creator_do_not_keep_the_bots_of_another_waiting() -> None:
    pool = Pool()
    settings = ServerSettings(slots=2, client_share=1.0)
    players = players_of(settings, pool)

    def think(creator: str) -> asyncio.Task[str]:
        return asyncio.create_task(
            players.choose(match_of(creator), "level:5", OBSERVATION, deadline=None)
        )

    tasks = [think("10.0.0.1") for _ in range(200)]
    await until(lambda: len(pool.claims) == 8)
    tasks += [think("10.0.0.2")]
    await until(lambda: len(pool.claims) == 9)
    assert {claim.client for claim in pool.claims[:8]} == {"10.0.0.1"}
    assert pool.claims[8].client == "10.0.0.2"
    await cancel(tasks)


async def test_bots_never_fill_the_queue_in_which_people_wait() -> None:
    pool = Pool()
    settings = ServerSettings(slots=2, client_share=1.0, interactive_queue=40)
    players = players_of(settings, pool)
    tasks = [
        asyncio.create_task(
            players.choose(match_of(f"10.0.0.{i}"), "level:5", OBSERVATION, deadline=None)
        )
        for i in range(100)
    ]
    await until(lambda: len(pool.claims) >= 20)
    for _ in range(5):
        await asyncio.sleep(0)
    assert len(pool.claims) == 20
    await cancel(tasks)


async def test_places_go_round_among_the_clients() -> None:
    turns, order = Turns(places=2, places_of_client=1), list[str]()

    async def think(client: str) -> None:
        async with turns.place(client):
            order.append(client)
            await asyncio.sleep(0)

    await asyncio.gather(*map(think, [*"aaaaaa", "b", "c"]))
    assert set(order[:4]) == {"a", "b", "c"}
    assert sorted(order) == [*"aaaaaa", "b", "c"]


@pytest.mark.parametrize("is_granted", [False, True])
async def test_who_goes_away_leaves_no_place_taken(is_granted: bool) -> None:
    turns = Turns(places=1, places_of_client=1)

    async def think() -> None:
        async with turns.place("a"):
            await asyncio.Event().wait()

    first = asyncio.create_task(think())
    await asyncio.sleep(0)
    second = asyncio.create_task(think())
    await asyncio.sleep(0)
    if is_granted:  # the place becomes free in the moment in which the second one goes
        first.cancel()
        await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    third = asyncio.create_task(think())
    await until(lambda: turns.num_free == 0)
    await cancel([third])
    assert turns.num_free == 1


async def test_a_program_is_asked_only_games_that_it_plays() -> None:
    settings = ServerSettings()
    hub = BotHub(settings)
    players = players_of(settings, None, hub=hub)
    with hub.connected("rook", frozenset({"backgammon"}), 1) as bot:
        with pytest.raises(StateError, match="bot rook does not play tic_tac_toe"):
            await players.choose(match_of("alice"), "bot:rook", OBSERVATION, deadline=None)
        assert bot.status.open_questions == 0


async def test_many_matches_of_one_creator_do_not_keep_a_program_from_another() -> None:
    settings = ServerSettings()
    hub = BotHub(settings)
    players, order = players_of(settings, None, hub=hub), list[str]()

    async def ask(creator: str) -> None:
        await players.choose(match_of(creator), "bot:rook", OBSERVATION, deadline=None)
        order.append(creator)

    with hub.connected("rook", frozenset(), 1) as bot:
        async with asyncio.TaskGroup() as tasks:
            for creator in ["alice"] * 4 + ["bob"]:
                tasks.create_task(ask(creator))
            for number in range(1, 6):  # the bot answers one question after the other
                await until(partial(has_question, bot, number))
                bot.settle(bot.open_question(number), Move(text="a1"))
    assert order == ["alice", "bob", "alice", "alice", "alice"]


def has_question(bot: BotConnection, number: int) -> bool:
    with suppress(InputError):
        return bot.open_question(number) is not None
    return False


class Recorder:
    """A pool that plays the first move at once."""

    def __init__(self) -> None:
        self.simulations: list[int] = []

    async def run(self, claim: Claim, make: Callable[[], BotMove]) -> str:
        self.simulations.append(make().budget.simulations or 0)
        return "a1"


@pytest.mark.parametrize(
    ("clock", "retry", "simulations"),
    [
        (None, 50.0, None),  # it waits without a clock
        (100.0, 4.0, None),  # and while it has the time
        (100.0, 50.0, 1),
    ],
)
async def test_a_bot_without_search_time_waits_while_its_clock_allows_it(
    clock: float | None, retry: float, simulations: int | None
) -> None:
    def check(client: str) -> None:
        raise QuotaError(f"{client} has no search time", "client", retry)

    pool = Recorder()
    players = players_of(ServerSettings(), pool, check)
    deadline = None if clock is None else time.time() + clock
    chosen = players.choose(match_of("alice"), "level:5", OBSERVATION, deadline)
    if simulations is None:
        with pytest.raises(QuotaError, match="alice"):
            await chosen
    else:
        assert await chosen == "a1"
        assert pool.simulations == [simulations]


async def test_searches_of_bots_use_up_the_search_time_of_the_creator(tmp_path: Path) -> None:
    async with keeping(tmp_path, search_seconds_per_minute=1e-4) as (service, stub):
        bots = ["level:10,simulations=2000"] * 2
        match_id = (await stub.CreateMatch(new_match("connect_four", *bots))).status.match_id
        async for answer in stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id)):
            if any(event.HasField("play") for event in answer.view.events):
                break
        failed = await failure_of(service.analysis.SuggestMoves(SuggestMovesRequest()))
        assert failed.info.reason == "QUOTA_EXCEEDED"


@pytest.mark.parametrize("game", ["tic_tac_toe", "leduc_poker", "chessault"])
async def test_bots_with_clocks_play_on_without_search_time(tmp_path: Path, game: str) -> None:
    async with keeping(tmp_path, search_seconds_per_minute=1e-4) as (_, stub):
        asked = new_match(game, "level:3", "level:3", clock=Duration(seconds=30))
        match_id = (await stub.CreateMatch(asked)).status.match_id
        plays = 0
        async for answer in stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id)):
            plays += sum(event.HasField("play") for event in answer.view.events)
            if plays > 5:
                break
        assert answer.view.status.num_events > 5


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        (
            "level5",
            "there is no engine 'level5'; .*; other bots are level:<1-10> and bot:<name>; did you "
            r"mean level:5\?$",
        ),
        ("grpc://host:1/level=5", "is on another server; a match has bots of its own server"),
        ("bot:rook@host:1", "is not a bot's name"),
        ("level:5,simulation=5", "simulation"),
    ],
)
def test_a_wrong_bot_is_refused_with_those_that_a_match_can_have(bot: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        check_bot(bot, new_game("tic_tac_toe").game)
    assert refused.value.field == "bot"
