"""Ladders over gRPC: played, watched, stopped, killed and resumed, exported."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import grpc
import pytest
from pydantic import ValidationError

from kingmaker.ladder.coordinator import begin_ladder
from kingmaker.ladder.export import json_line, read_records
from kingmaker.ladder.pairing import SECRET_SEED
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.replay import replay
from kingmaker.ladder.store import Ladder, Store
from kingmaker.server.ladders import standings
from kingmaker.server.ladders.clerk import Clerk, Standings
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .process import ServerProcess, server_process
from .support import Failure, failure, failure_of, serving

NAME = "spring"
RANDOM = ("a=random", "b=random", "c=random")
SLOW = ("a=ismcts:simulations=300", "b=ismcts:simulations=300")
NUM_GROUPS = 12
KILLED_GROUPS = 60
KILLED = ("a=ismcts:simulations=1000", "b=ismcts:simulations=1000")


def plan_of(*bots: str, **fields: Any) -> pb.LadderPlan:
    """A plan of bots that are written `NAME=SPEC`."""
    named = [bot.split("=", 1) for bot in bots or RANDOM]
    return pb.LadderPlan(
        **{
            "game": "tic_tac_toe",
            "bots": [pb.LadderBot(name=name, spec=spec) for name, spec in named],
            **fields,
        }
    )


@dataclass
class Client:
    """A server in another process, and a stub to call it."""

    server: ServerProcess
    stub: Any
    database: str

    def start(self, name: str, plan: pb.LadderPlan) -> Any:
        return self.stub.StartLadder(pb.StartLadderRequest(name=name, plan=plan)).status

    def resume(self, name: str) -> Any:
        return self.stub.ResumeLadder(pb.ResumeLadderRequest(name=name)).status

    def stop(self, name: str) -> Any:
        return self.stub.StopLadder(pb.StopLadderRequest(name=name)).status

    def watch(self, name: str) -> Iterator[pb.LadderStatus]:
        return (answer.status for answer in self.stub.WatchLadder(pb.WatchLadderRequest(name=name)))

    def watch_until(self, name: str, num_games: int) -> None:
        """Wait until so many games are stored."""
        assert any(status.num_games >= num_games for status in self.watch(name))

    def state(self, name: str) -> Any:
        [status] = [
            each
            for each in self.stub.ListLadders(pb.ListLaddersRequest()).ladders
            if each.name == name
        ]
        return status.state

    def games(self, **fields: Any) -> list[pb.LadderGame]:
        request = pb.ListLadderGamesRequest(**{"name": NAME, **fields})
        return [answer.game for answer in self.stub.ListLadderGames(request)]

    def export(self, **fields: Any) -> list[str]:
        request = pb.ExportLadderGamesRequest(**{"name": NAME, **fields})
        return [answer.record for answer in self.stub.ExportLadderGames(request)]


@contextmanager
def client_of(folder: Path) -> Iterator[Client]:
    """Run a server with ladders until the end of the block."""
    database = str(folder / "ladder.sqlite")
    with (
        server_process(
            folder, ladders=database, ladder_workers="1", bot_addresses="127.0.0.1:9, tarpit:*"
        ) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        yield Client(server, LadderServiceStub(channel), database)


def refused(call: Callable[[], Any]) -> Failure:
    """Make a call that must fail."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return failure(caught.value)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with client_of(tmp_path_factory.mktemp("ladders")) as running:
        yield running


@pytest.fixture(scope="module")
def statuses(client: Client) -> list[pb.LadderStatus]:
    """Play a ladder to its end, and give what its watcher was sent."""
    client.start(NAME, plan_of(num_groups=NUM_GROUPS, seed=3, anchor="a"))
    return list(client.watch(NAME))


@pytest.fixture(scope="module")
def finished(client: Client, statuses: list[pb.LadderStatus]) -> Client:
    """A server with a ladder that is finished."""
    assert statuses[-1].state == pb.LADDER_STATE_FINISHED
    return client


@pytest.fixture(scope="module")
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
    status = finished.stub.ListLadders(pb.ListLaddersRequest()).ladders[0]
    assert (status.name, status.game, list(status.bots)) == (NAME, "tic_tac_toe", ["a", "b", "c"])
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


@pytest.mark.slow
def test_two_clients_share_a_ladder(client: Client) -> None:
    ends: list[pb.LadderStatus] = []
    client.start("shared", plan_of(*SLOW, seed=1))
    with grpc.insecure_channel(client.server.address) as channel:
        other = Client(client.server, LadderServiceStub(channel), client.database)
        watchers = [
            Thread(target=lambda each=each: ends.append(list(each.watch("shared"))[-1]))
            for each in (client, other)
        ]
        for watcher in watchers:
            watcher.start()
        other.watch_until("shared", 3)
        again = refused(lambda: other.resume("shared"))
        taken = refused(lambda: other.start("shared", plan_of()))
        second = refused(lambda: other.start("second", plan_of()))
        stopped = other.stop("shared")
        for watcher in watchers:
            watcher.join()
    assert (again.code, again.info.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "WRONG_STATE")
    assert (taken.code, taken.info.reason) == (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")
    assert second.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert second.details["QuotaFailure"].violations[0].subject == "ladders"
    assert "shared" in second.message
    assert stopped.state == pb.LADDER_STATE_STOPPED
    assert ends == [stopped, stopped]
    assert client.stop("shared") == stopped


@pytest.mark.slow
def test_a_ladder_whose_process_is_killed_is_stopped_and_can_be_resumed(client: Client) -> None:
    client.start("lost", plan_of(*SLOW, seed=2))
    [*_, begun] = [line for line in client.server.lines() if line["event"] == "ladder begins"]
    assert begun["ladder"] == "lost"
    os.kill(begun["process"], signal.SIGKILL)
    *_, last = client.watch("lost")
    assert last.state == pb.LADDER_STATE_STOPPED
    assert last.reason == f"the process that played it ended with code {-signal.SIGKILL}"
    assert client.resume("lost").state == pb.LADDER_STATE_RUNNING
    assert client.stop("lost").state == pb.LADDER_STATE_STOPPED


@pytest.mark.slow
def test_a_ladder_of_a_killed_server_goes_on_at_another_one(client: Client) -> None:
    """Without losing or repeating a game."""
    with client_of(Path(client.database).parent) as first:
        first.start("killed", plan_of(*KILLED, num_groups=KILLED_GROUPS, seed=5, openings=0))
        first.watch_until("killed", 10)
        assert client.state("killed") == pb.LADDER_STATE_ELSEWHERE
        assert refused(lambda: client.stop("killed")).code is grpc.StatusCode.FAILED_PRECONDITION
        first.server.stop(signal.SIGKILL)
        first.server.exit_code()
    before = ids_of(client.database)
    assert 10 <= len(before) < 2 * KILLED_GROUPS
    client.resume("killed")
    *_, last = client.watch("killed")
    after = ids_of(client.database)
    assert last.state == pb.LADDER_STATE_FINISHED
    assert after[: len(before)] == before
    assert Counter(after) == Counter(planned_ids())


def ids_of(database: str) -> list[str]:
    """List the stored games, with every repetition."""
    with Store(database, create=False) as store:
        return [game.task.id for game in store.ladder("killed").summaries()]


def planned_ids() -> list[str]:
    """List the games of the plan that is killed."""
    game, number = "tic_tac_toe", KILLED_GROUPS
    plan = LadderPlan.of(game=game, bots=KILLED, num_groups=number, seed=5, openings=0)
    schedule = plan.schedule()
    groups = map(schedule.group, range(KILLED_GROUPS))
    return [task.id for group in groups for task in plan.tasks(group)]


async def test_a_server_that_shuts_down_stops_its_ladder(tmp_path: Path) -> None:
    database = str(tmp_path / "ladder.sqlite")
    async with serving(ladders=database, ladder_workers=1, grace_seconds=20) as service:
        stub: Any = LadderServiceStub(service.channel)
        await stub.StartLadder(pb.StartLadderRequest(name=NAME, plan=plan_of()))
        drain = None
        async for answer in stub.WatchLadder(pb.WatchLadderRequest(name=NAME)):
            last = answer.status
            drain = drain or asyncio.create_task(service.server.drain())
        assert (last.state, last.reason) == (pb.LADDER_STATE_STOPPED, "stopped by SIGTERM")
        assert drain is not None
        await drain
    with Store(database, create=False) as store:
        assert store.ladder(NAME).state is LadderState.STOPPED


@pytest.mark.parametrize(
    ("plan", "field", "words"),
    [
        (plan_of("a=random", "b=stockfish"), "plan.bots[1]", "there is no engine 'stockfish'"),
        (plan_of("a=random", "b=ismcts:depth=3"), "plan.bots[1]", "depth"),
        (plan_of("a=random"), "plan.bots", "bots"),
        (plan_of("a=random", "a=greedy"), "plan.bots", "two bots are called a"),
        (plan_of("a=random", " =greedy"), "plan.bots[1]", "' ' is not a valid name"),
        (plan_of(options={"size": "4"}), "plan.options", "size"),
        (plan_of(anchor="z"), "plan.anchor", "the anchor 'z' is not one of the bots a, b, c"),
        (plan_of(num_groups=0), "plan.num_groups", "greater than 0, not '0'"),
        (plan_of(num_rounds=4), "plan.num_rounds", "num_rounds is for Swiss pairing"),
        (plan_of(pairing=7), "plan.pairing", "there is no value 7"),
        (plan_of(sprt=pb.LadderTest()), "plan.sprt", "between two bots"),
        (plan_of(clock=pb.LadderClock(move_ms=float("inf"))), "plan.clock.move_ms", "finite"),
        (plan_of(rules_version="1"), "plan.rules_version", "leave it empty"),
    ],
)
def test_a_wrong_plan_is_refused_with_its_field(
    client: Client, plan: pb.LadderPlan, field: str, words: str
) -> None:
    failure = refused(lambda: client.start("wrong", plan))
    assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
    [(found, description)] = failure.fields.items()
    assert found.startswith(field)
    assert words in description
    assert refused(lambda: client.resume("wrong")).code is grpc.StatusCode.NOT_FOUND


def test_a_name_that_spoils_tables_is_refused(client: Client) -> None:
    failure = refused(lambda: client.start("a\nb", plan_of()))
    assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
    assert list(failure.fields) == ["name"]


def test_an_unknown_game_is_not_found(client: Client) -> None:
    failure = refused(lambda: client.start("wrong", plan_of(game="go")))
    assert failure.code is grpc.StatusCode.NOT_FOUND
    assert failure.info.reason == "UNKNOWN_GAME"


def test_a_bot_whose_server_does_not_answer_is_a_failed_precondition(client: Client) -> None:
    plan = plan_of("a=random", "away=grpc://127.0.0.1:9/level=3")
    failure = refused(lambda: client.start("wrong", plan))
    assert failure.code is grpc.StatusCode.FAILED_PRECONDITION
    assert failure.message == "bot away can't play: 127.0.0.1:9 does not answer as it should"
    assert refused(lambda: client.resume("wrong")).code is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("127.0.0.1:9", True),
        ("127.0.0.1:10", False),
        ("169.254.169.254:80", False),
        ("TARPIT:77", True),
        ("tarpit.example:77", False),
        ("[::1]:9", False),
    ],
)
def test_ladders_use_addresses_of_the_list_only(
    client: Client, address: str, is_allowed: bool
) -> None:
    plan = plan_of("a=random", f"away=grpc://{address}/level=3")
    failure = refused(lambda: client.start("wrong", plan))
    if is_allowed:
        assert failure.code is grpc.StatusCode.FAILED_PRECONDITION
        assert "does not answer as it should" in failure.message
    else:
        assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
        assert "which ladders of this server may not use" in failure.fields["plan.bots[1]"]


def test_a_stored_plan_is_checked_for_its_addresses_too(client: Client) -> None:
    with Store(client.database) as store:
        plan = LadderPlan.of(
            game="tic_tac_toe", bots=["a=random", "b=grpc://10.1.2.3:5/level=3"], num_groups=1
        )
        begin_ladder(store, "smuggled", plan).state = LadderState.STOPPED
    failure = refused(lambda: client.resume("smuggled"))
    assert failure.code is grpc.StatusCode.FAILED_PRECONDITION
    assert "10.1.2.3:5, which ladders of this server may not use" in failure.message


@pytest.mark.parametrize(
    ("method", "request_type"),
    [
        ("ResumeLadder", pb.ResumeLadderRequest),
        ("StopLadder", pb.StopLadderRequest),
        ("GetLadder", pb.GetLadderRequest),
        ("WatchLadder", pb.WatchLadderRequest),
        ("ListLadderGames", pb.ListLadderGamesRequest),
        ("ExportLadderGames", pb.ExportLadderGamesRequest),
    ],
)
def test_an_unknown_ladder_is_not_found(client: Client, method: str, request_type: Any) -> None:
    failure = refused(lambda: drained(getattr(client.stub, method)(request_type(name="winter"))))
    assert failure.code is grpc.StatusCode.NOT_FOUND
    assert failure.info.metadata["value"] == "winter"
    assert "there is no ladder 'winter'" in failure.fields["name"]


def drained(answer: Any) -> None:
    """Read a stream to its end."""
    if hasattr(answer, "__next__"):
        list(answer)


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


@pytest.mark.parametrize(
    "method", [each.name for each in pb.DESCRIPTOR.services_by_name["LadderService"].methods]
)
async def test_without_the_setting_every_call_says_what_is_missing(method: str) -> None:
    request = getattr(pb, f"{method}Request")()
    async with serving() as service:
        failure = await failure_of(getattr(LadderServiceStub(service.channel), method)(request))
    assert failure.code is grpc.StatusCode.UNIMPLEMENTED
    assert failure.info.reason == "LADDERS_OFF"
    assert "--ladders" in failure.message


def test_a_kind_of_database_that_is_not_known_is_a_wrong_setting() -> None:
    with pytest.raises(ValidationError, match="databases of kind 'mysql' are not supported"):
        ServerSettings(ladders="mysql://localhost/ladders")


async def listing_failure(database: str) -> Failure:
    """Ask a server of this database for its ladders."""
    async with serving(ladders=database) as service:
        stub: Any = LadderServiceStub(service.channel)
        return await failure_of(stub.ListLadders(pb.ListLaddersRequest()))


async def test_a_database_that_cant_be_reached_is_unavailable(tmp_path: Path) -> None:
    failure = await listing_failure(str(tmp_path / "nowhere" / "ladder.sqlite"))
    assert (failure.code, failure.info.reason) == (grpc.StatusCode.UNAVAILABLE, "DATABASE_FAILED")
    assert "can't be opened" in failure.message
    assert "RetryInfo" in failure.details


async def test_a_database_of_a_newer_version_is_a_failed_precondition(tmp_path: Path) -> None:
    path = tmp_path / "ladder.sqlite"
    Store(str(path)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9876'")
    failure = await listing_failure(str(path))
    assert (failure.code, failure.info.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "NEWER_SCHEMA",
    )
    assert "has schema 9876" in failure.message
    assert "PreconditionFailure" in failure.details


async def test_a_database_without_room_is_exhausted_and_keeps_nothing(tmp_path: Path) -> None:
    async with serving(ladders=str(tmp_path / "ladder.sqlite")) as service:
        stub: Any = LadderServiceStub(service.channel)
        await stub.ListLadders(pb.ListLaddersRequest())
        store = service.server._ladders.database.store  # type: ignore[union-attr]
        with store.writing() as connection:  # type: ignore[union-attr]
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        plan = plan_of(*(f"{number:040}=random" for number in range(100)))
        failure = await failure_of(stub.StartLadder(pb.StartLadderRequest(name=NAME, plan=plan)))
        assert (failure.code, failure.info.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "DISK_FULL",
        )
        assert not (await stub.ListLadders(pb.ListLaddersRequest())).ladders


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of ladders whose standings are computed, in a server of this process."""
    found: list[str] = []
    ask = Clerk.ask

    def count(clerk: Clerk, name: str) -> Standings:
        found.append(name)
        return ask(clerk, name)

    monkeypatch.setattr(Clerk, "ask", count)
    return found


def stored_ladder(store: Store, num_groups: int = 3) -> Ladder:
    """A ladder of which all groups but the last are stored."""
    plan = LadderPlan.of(game="tic_tac_toe", bots=RANDOM, num_groups=num_groups, seed=8)
    ladder = begin_ladder(store, NAME, plan)
    schedule = plan.schedule()
    for index in range(num_groups - 1):
        ladder.add_all([play(task) for task in plan.tasks(schedule.group(index))])
    return ladder


async def test_standings_leave_out_what_does_not_fit_into_an_answer(tmp_path: Path) -> None:
    database = str(tmp_path / "ladder.sqlite")
    with Store(database) as store:
        plan = LadderPlan.of(
            game="tic_tac_toe",
            bots=[{"name": f"bot {i}", "spec": "random"} for i in range(40)],
            num_groups=200,
        )
        ladder = begin_ladder(store, NAME, plan)
        groups = map(plan.schedule().group, range(200))
        ladder.add_all(play(task) for group in groups for task in plan.tasks(group))
    found = []
    for max_bytes in (1 << 20, 50_000, 22_000, 12_000):
        async with serving(ladders=database, max_message_bytes=max_bytes) as service:
            stub: Any = LadderServiceStub(service.channel)
            answer = await stub.GetLadder(pb.GetLadderRequest(name=NAME))
        assert len(answer.ratings) == len(answer.plan.bots) == 40
        parts = (answer.summary_json, answer.ratings[0].superiority, answer.cross_table)
        found.append([bool(part) for part in parts])
    assert found == [[True] * 3, [False, True, True], [False, False, True], [False] * 3]


@pytest.mark.slow
async def test_standings_are_computed_once_for_all_who_ask(
    tmp_path: Path, computed: list[str]
) -> None:
    database = str(tmp_path / "ladder.sqlite")
    with Store(database) as store:
        stored_ladder(store).state = LadderState.FINISHED
    async with serving(ladders=database) as service:
        stub: Any = LadderServiceStub(service.channel)
        calls = [stub.GetLadder(pb.GetLadderRequest(name=NAME)) for _ in range(10)]
        calls[0].cancel()
        answers = [await call for call in calls[1:]]
        answers.append(await stub.GetLadder(pb.GetLadderRequest(name=NAME)))
    assert computed == [NAME]
    assert {answer.num_groups for answer in answers} == {2}


@pytest.mark.slow
async def test_standings_of_a_ladder_in_play_may_be_a_little_old(
    tmp_path: Path, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "MIN_AGE_SECONDS", 60)
    database = str(tmp_path / "ladder.sqlite")
    with Store(database) as store:
        ladder = stored_ladder(store)
        plan = LadderPlan.of(**ladder.plan)
        async with serving(ladders=database) as service:
            stub: Any = LadderServiceStub(service.channel)
            request = pb.GetLadderRequest(name=NAME)
            before = await stub.GetLadder(request)
            ladder.add_all([play(task) for task in plan.tasks(plan.schedule().group(2))])
            meanwhile = await stub.GetLadder(request)
            ladder.state = LadderState.FINISHED
            after = await stub.GetLadder(request)
    assert len(computed) == 2
    assert [each.num_groups for each in (before, meanwhile, after)] == [2, 2, 3]
    assert [each.status.num_games for each in (before, meanwhile, after)] == [4, 6, 6]
    assert [each.plan.seed for each in (before, meanwhile, after)] == [0, 0, 8]


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
