"""Ladders over gRPC: planned, watched, listed, exported."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.ladder.export import json_line, read_records
from kingmaker.ladder.pairing import SECRET_SEED
from kingmaker.ladder.replay import replay
from kingmaker.ladder.store import Store
from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .ladder_client import NAME, Client, plan_of, refused
from .support import failure_of, serving

NUM_GROUPS = 12


@pytest.fixture(scope="session")
def statuses(client: Client) -> list[pb.LadderStatus]:
    """Play a ladder to its end, and give what its watcher was sent."""
    client.start(NAME, plan_of(num_groups=NUM_GROUPS, seed=3, anchor="a"))
    return list(client.watch(NAME))


@pytest.fixture(scope="session")
def finished(client: Client, statuses: list[pb.LadderStatus]) -> Client:
    """A server with a ladder that is finished."""
    assert statuses[-1].state == pb.LADDER_STATE_FINISHED
    return client


@pytest.fixture(scope="session")
def answer(finished: Client) -> Any:
    """How the finished ladder stands."""
    return finished.stub.GetLadder(pb.GetLadderRequest(name=NAME))


def test_a_ladder_is_watched_from_its_beginning_to_its_end(
    statuses: list[pb.LadderStatus],
) -> None:
    assert [status.state for status in statuses] == [
        *[pb.LADDER_STATE_RUNNING] * (len(statuses) - 1),
        pb.LADDER_STATE_FINISHED,
    ]
    numbers = [status.num_games for status in statuses]
    assert numbers == sorted(numbers)
    assert numbers[-1] == statuses[-1].total_games == 2 * NUM_GROUPS
    assert statuses[-1].reason == "all games are played"
    assert not statuses[-1].HasField("progress")


def test_who_watches_a_ladder_that_has_ended_is_reported_so_once(finished: Client) -> None:
    [status] = finished.watch(NAME)
    assert status.state == pb.LADDER_STATE_FINISHED


def test_a_ladder_is_listed(finished: Client) -> None:
    listed = finished.stub.ListLadders(pb.ListLaddersRequest()).ladders
    [status] = (each for each in listed if each.name == NAME)
    assert (status.game, list(status.bots)) == ("tic_tac_toe", ["a", "b", "c"])
    assert status.num_games == 2 * NUM_GROUPS
    assert abs(status.created_at.ToSeconds() - time.time()) < 600


@pytest.fixture
async def many(tmp_path: Path) -> AsyncIterator[LadderServiceStub]:
    """A server with 250 ladders; the first 30 have bots for more than the largest answer."""
    database = str(tmp_path / "ladder.sqlite")
    bots = [{"name": f"{i:0300}", "spec": "random"} for i in range(600)]
    with Store(database) as store:
        for i in range(250):
            plan = {"game": "tic_tac_toe", "bots": bots if i < 30 else []}
            store.create_ladder(f"ladder {i}", plan)
    async with serving(ladders=database) as service:
        yield LadderServiceStub(service.channel)


async def test_ladders_are_listed_in_pages(many: Any) -> None:
    seen, lengths, token = [], [], ""
    for page_size in (0, 2, 0, 1000, 0, 0):
        request = pb.ListLaddersRequest(page_size=page_size, page_token=token)
        page = await many.ListLadders(request)
        seen += [each.name for each in page.ladders]
        lengths.append(len(page.ladders))
        token = page.next_page_token
    assert lengths == [11, 2, 11, 100, 100, 26]
    assert not token
    assert seen == [f"ladder {i}" for i in range(250)]


async def test_a_wrong_page_of_ladders_is_refused_with_its_field(many: Any) -> None:
    for fields in ({"page_size": -1}, {"page_token": "%"}, {"page_token": "LTE="}):
        failed = await failure_of(many.ListLadders(pb.ListLaddersRequest(**fields)))
        assert (failed.code, [*failed.fields]) == (grpc.StatusCode.INVALID_ARGUMENT, [*fields])


@pytest.mark.slow
def test_standings_are_those_of_the_command_line(answer: pb.GetLadderResponse) -> None:
    summary = json.loads(answer.summary_json)
    assert answer.num_groups == summary["num_groups"] == NUM_GROUPS
    assert [(each.bot, each.elo, each.low, each.high) for each in answer.ratings] == [
        (each["bot"], each["elo"], each["low"], each["high"])
        for each in summary["standings"]["ratings"]
    ]
    assert {each.bot for each in answer.ratings} == {"a", "b", "c"}
    assert [list(each.superiority) for each in answer.ratings] == summary["standings"][
        "superiority"
    ]
    assert len(answer.cross_table) == 6
    assert sum(seat.share for seat in answer.seats) == pytest.approx(1)
    assert [(each.cause, each.num_games) for each in answer.causes] == [
        (pb.LADDER_CAUSE_FINISHED, 2 * NUM_GROUPS)
    ]
    assert answer.variance.saved == summary["variance"]["saved"]
    assert 0 < answer.overhead < 1
    assert not answer.HasField("race")


def test_the_plan_comes_back_with_its_defaults(answer: pb.GetLadderResponse) -> None:
    plan = answer.plan
    assert (plan.num_groups, plan.seed, plan.anchor) == (NUM_GROUPS, 3, "a")
    assert (plan.pairing, plan.max_plies) == (pb.LADDER_PAIRING_ROUND_ROBIN, 5000)
    assert plan.rules_version
    assert [(bot.name, bot.spec) for bot in plan.bots] == [
        ("a", "random"),
        ("b", "random"),
        ("c", "random"),
    ]


@pytest.mark.slow
def test_a_race_is_watched_to_its_pick(client: Client) -> None:
    bots = ("good=mcts:simulations=200", "bad=random", "worse=random")
    plan = plan_of(*bots, seed=4, best=pb.LadderBest(margin=100))
    client.start("race", plan)
    races = [status.progress.race for status in client.watch("race") if status.HasField("progress")]
    counts = [race.num_groups for race in races]
    assert counts == sorted(counts)
    assert not races[0].HasField("deficit")
    decided = [race for race in races if race.is_decided]  # told once or twice, at the end
    assert decided == races[len(races) - len(decided) :]
    assert len({race.num_groups for race in decided}) <= 1
    answer = client.stub.GetLadder(pb.GetLadderRequest(name="race"))
    assert (answer.race.pick, answer.race.is_decided) == ("good", True)
    assert answer.race.alive[0] == "good"
    assert answer.race.deficit <= 100
    assert answer.race.num_groups == answer.num_groups >= counts[-1]
    assert answer.plan.best.margin == 100


def test_games_are_listed_in_the_order_in_which_groups_became_complete(finished: Client) -> None:
    games = finished.games()
    with Store(finished.database, create=False) as store:
        stored = {game.task.id: game for game in store.ladder(NAME).summaries()}
    assert {game.id: list(game.returns) for game in games} == {
        task_id: list(game.returns) for task_id, game in stored.items()
    }
    lasts = [max(pair, key=lambda game: game.number) for pair in batches_of_two(games)]
    assert [game.number for game in lasts] == sorted(game.number for game in lasts)
    assert finished.games(after_number=lasts[1].number) == games[4:]
    assert finished.games(after_number=lasts[2].number - 1) == games[4:]


def batches_of_two(games: list[pb.LadderGame]) -> list[list[pb.LadderGame]]:
    """The mirrored groups of a list."""
    return [games[i : i + 2] for i in range(0, len(games), 2)]


def test_games_are_listed_by_bot_and_cause(finished: Client) -> None:
    of_bot = [game for game in finished.games() if "b" in [bot.name for bot in game.bots]]
    assert 0 < len(of_bot) < 2 * NUM_GROUPS
    assert finished.games(bot="b", cause=pb.LADDER_CAUSE_FINISHED) == of_bot
    assert finished.games(cause=pb.LADDER_CAUSE_TIMED_OUT) == []


@pytest.mark.parametrize("form", [pb.LADDER_RECORD_FORMAT_JSON, pb.LADDER_RECORD_FORMAT_TEXT])
def test_exported_games_replay(finished: Client, form: pb.LadderRecordFormat) -> None:
    records = list(read_records("".join(finished.export(format=form)).splitlines()))
    assert [record.task.id for record in records] == [game.id for game in finished.games()]
    assert [replay(record).text for record in records] == [record.end for record in records]


def test_the_export_is_that_of_the_command_line(finished: Client) -> None:
    with Store(finished.database, create=False) as store:
        records = list(store.ladder(NAME).records())
    assert finished.export() == [json_line(record) + "\n" for record in records]


def test_one_game_is_exported_by_the_beginning_of_its_id(finished: Client) -> None:
    game = finished.games()[0]
    [record] = finished.export(game_id=game.id[:20])
    assert json.loads(record)["end"]


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"bot": "z"}, "bot", "there is no bot 'z'; there is: a, b, c"),
        ({"cause": 9}, "cause", "there is no value 9"),
        ({"game_id": "z"}, "game_id", "no game of 'spring' with an id that begins with 'z'"),
        ({"format": 9}, "format", "there is no value 9"),
    ],
)
def test_a_wrong_choice_of_games_is_refused_with_its_field(
    finished: Client, fields: dict[str, Any], field: str, words: str
) -> None:
    failure = refused(lambda: finished.export(**fields))
    assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
    assert words in failure.fields[field]


@pytest.mark.slow
async def test_a_plan_without_a_seed_gets_one_that_cant_be_guessed(tmp_path: Path) -> None:
    database = str(tmp_path / "ladder.sqlite")
    async with serving(ladders=database, ladder_workers=1, max_ladders=2) as service:
        stub: Any = LadderServiceStub(service.channel)
        for name in ("a", "b"):
            await stub.StartLadder(pb.StartLadderRequest(name=name, plan=plan_of(num_groups=1)))
    with Store(database) as store:
        seeds = {ladder.plan["seed"] for ladder in store.ladders()}
    assert len(seeds) == 2
    assert min(seeds) >= SECRET_SEED
