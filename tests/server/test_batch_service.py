"""BatchService: batches that are created, run in spare slots, watched, read, cancelled and kept."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from kingmaker.batch.tasks import analysis_task, read_review, review_task, run
from kingmaker.cext.errors import ContractError
from kingmaker.review.games import played
from kingmaker.search.position import new_game
from kingmaker.server.batches import batches as batches_module
from kingmaker.server.errors import QuotaError
from kingmaker.server.gate import Gate
from kingmaker.server.pool.searches import SearchPool
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import analysis_service_pb2 as analysis_pb
from kingmaker.v1 import batch_service_pb2 as pb
from kingmaker.v1 import review_service_pb2 as review_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.batch_service_pb2_grpc import BatchServiceStub

from .named_callers import header
from .support import Service, failure_of, serving, until

CODE = grpc.StatusCode
PAGE = Path(__file__).parents[2] / "docs" / "batch.md"
START = new_game("connect_four").observe(1)
MOVES = ["b2", "a2", "a1", "c3", "b1", "c2", "b3"]
BLUNDER = review_pb.ReviewGameRequest(
    moves=review_pb.MoveList(game="tic_tac_toe", moves=MOVES),
    effort=review_pb.REVIEW_EFFORT_QUICK,
    seed=5,
)


def analysis(seed: int = 0, simulations: int = 50, **fields: Any) -> pb.BatchTask:
    search = analysis_pb.Search(
        observation=types_pb2.Observation(game="connect_four", text=START.text),
        budget=types_pb2.SearchBudget(simulations=simulations),
        seed=seed,
    )
    search.MergeFrom(analysis_pb.Search(**fields))
    return pb.BatchTask(analysis=search)


def stub_of(service: Service) -> Any:
    return BatchServiceStub(service.channel)


async def create(service: Service, *tasks: pb.BatchTask, who: str = "", name: str = "") -> str:
    request = pb.CreateBatchRequest(tasks=tasks, name=name)
    answer = await stub_of(service).CreateBatch(request, metadata=header(who), timeout=60)
    return str(answer.status.batch)


async def ended(service: Service, batch: str, who: str = "") -> pb.BatchStatus:
    """Watch a batch to its end."""
    call = stub_of(service).WatchBatch(
        pb.WatchBatchRequest(batch=batch), metadata=header(who), timeout=100
    )
    status = pb.BatchStatus()
    async for answer in call:
        status = answer.status
    assert status.state != pb.BATCH_STATE_RUNNING
    return status


async def results(service: Service, batch: str, **fields: Any) -> Any:
    request = pb.ListBatchResultsRequest(batch=batch, **fields)
    return await stub_of(service).ListBatchResults(request, timeout=60)


@pytest.mark.parametrize("isolation", [False, True])
async def test_a_batch_has_the_results_of_the_library_in_its_order(
    tmp_path: Path, isolation: bool
) -> None:
    database = str(tmp_path / "b.sqlite")
    async with serving(slots=2, batches=database, isolation=isolation) as service:
        tasks = [analysis(3), pb.BatchTask(review=BLUNDER), analysis(4), analysis(3)]
        batch = await create(service, *tasks, name="mine")
        status = await ended(service, batch)
        assert (status.state, status.num_done) == (pb.BATCH_STATE_FINISHED, 4)
        found = (await results(service, batch)).results
        [listed] = (await stub_of(service).ListBatches(pb.ListBatchesRequest())).batches
    assert [each.number for each in found] == [1, 2, 3, 4]
    ours = [analysis_task(START, simulations=50, seed=seed) for seed in (3, 4)]
    game = review_task(played("tic_tac_toe", MOVES), effort="quick", seed=5)
    assert [each.task_id for each in found] == [ours[0].id, game.id, ours[1].id, ours[0].id]
    search = ours[0].begin()
    expected = search.run()
    report = found[0].analysis.report
    assert tuple(found[0].analysis.values) == expected.values
    assert [move.visits for move in found[0].analysis.moves] == [m.visits for m in expected.moves]
    assert found[0].analysis.is_final
    assert (report.simulations, report.stamp.seed) == (50, 3)
    assert report.stamp.config_hash == search.config_hash
    assert found[3].analysis == found[0].analysis
    review = read_review(run(game).text)
    assert tuple(found[1].review.unseen) == review.unseen
    assert [each.move for each in found[1].review.decisions] == MOVES
    assert (listed.batch, listed.name, listed.num_tasks) == (batch, "mine", 4)


async def first_results(service: Service, batch: str) -> list[pb.BatchResult]:
    """Wait until there are some."""
    found: list[pb.BatchResult] = []
    for _ in range(2000):
        found = list((await results(service, batch)).results)
        if found:
            break
        await asyncio.sleep(0.05)
    return found


async def test_results_come_in_pages(tmp_path: Path) -> None:
    async with serving(slots=2, batches=str(tmp_path / "b.sqlite")) as service:
        batch = await create(service, *map(analysis, range(5)))
        await ended(service, batch)
        first = await results(service, batch, page_size=2)
        last = await results(service, batch, page_size=3, after_number=first.next_after_number)
        for field, value in (("page_size", 101), ("after_number", -1)):
            failed = await failure_of(results(service, batch, **{field: value}))
            assert failed.code is CODE.INVALID_ARGUMENT
    assert [each.number for each in first.results] == [1, 2]
    assert [each.number for each in last.results] == [3, 4, 5]
    assert (first.next_after_number, last.next_after_number) == (2, 0)


async def test_all_wrong_tasks_are_named_and_nothing_is_kept(tmp_path: Path) -> None:
    wrong = {
        "tasks[1]": pb.BatchTask(),
        "tasks[2].analysis.budget.time": analysis(
            budget=types_pb2.SearchBudget(time=Duration(seconds=1))
        ),
        "tasks[3].analysis.budget.simulations": analysis(simulations=10**7),
        "tasks[4].analysis.threads": analysis(threads=2),
        "tasks[5].analysis.engine": analysis(engine="deep_blue"),
        "tasks[6].review.moves": pb.BatchTask(
            review=review_pb.ReviewGameRequest(
                moves=review_pb.MoveList(game="tic_tac_toe", moves=["b2", "b2"])
            )
        ),
        "tasks[7].review.report_interval": pb.BatchTask(
            review=review_pb.ReviewGameRequest(
                moves=BLUNDER.moves, report_interval=Duration(seconds=1)
            )
        ),
    }
    async with serving(batches=str(tmp_path / "b.sqlite")) as service:
        failed = await failure_of(create(service, analysis(), *wrong.values()))
        assert failed.code is CODE.INVALID_ARGUMENT
        assert list(failed.fields) == list(wrong)
        assert (await failure_of(create(service))).code is CODE.INVALID_ARGUMENT
        failed = await failure_of(create(service, *[analysis()] * 1001))
        assert "there are 1001 tasks; there may be at most 1000" in failed.message
        assert not (await stub_of(service).ListBatches(pb.ListBatchesRequest())).batches


async def test_a_batch_belongs_to_who_creates_it(tmp_path: Path, tokens: Path) -> None:
    async with serving(slots=2, tokens=tokens, batches=str(tmp_path / "b.sqlite")) as service:
        stub = stub_of(service)
        assert (await failure_of(create(service, analysis()))).code is CODE.UNAUTHENTICATED
        batch = await create(service, analysis(), who="alice")
        await ended(service, batch, "alice")
        for request in (
            stub.ListBatchResults(pb.ListBatchResultsRequest(batch=batch), metadata=header("bob")),
            stub.CancelBatch(pb.CancelBatchRequest(batch=batch), metadata=header("bob")),
            stub.WatchBatch(pb.WatchBatchRequest(batch=batch), metadata=header("bob")).read(),
        ):
            assert (await failure_of(request)).code is CODE.PERMISSION_DENIED
        for who, num_listed in (("alice", 1), ("bob", 0), ("root", 1)):
            listed = await stub.ListBatches(pb.ListBatchesRequest(), metadata=header(who))
            assert len(listed.batches) == num_listed
        unknown = stub.CancelBatch(pb.CancelBatchRequest(batch="x"), metadata=header("bob"))
        assert (await failure_of(unknown)).code is CODE.NOT_FOUND


async def test_too_many_batches_are_refused_until_one_is_cancelled(tmp_path: Path) -> None:
    async with serving(
        slots=1, client_share=1.0, max_client_batches=1, batches=str(tmp_path / "b.sqlite")
    ) as service:
        long = await create(service, *(analysis(seed, 10**6) for seed in range(100)))
        failed = await failure_of(create(service, analysis()))
        assert failed.code is CODE.RESOURCE_EXHAUSTED
        assert "at most 1 of one owner" in failed.message
        request = pb.CancelBatchRequest(batch=long)
        status = (await stub_of(service).CancelBatch(request)).status
        assert status.state == pb.BATCH_STATE_CANCELLED
        assert status.num_done < 100
        batch = await create(service, analysis())
        assert (await ended(service, batch)).num_done == 1


async def test_a_batch_goes_on_when_its_server_is_started_again(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"slots": 1, "client_share": 1.0, "batches": str(tmp_path / "b.db")}
    tasks = [analysis(seed, 20_000) for seed in range(12)]
    async with serving(**settings) as service:
        batch = await create(service, *tasks)
        first = await first_results(service, batch)
    async with serving(**settings) as service:
        status = await ended(service, batch)
        found = (await results(service, batch)).results
    assert (status.state, status.num_done, len(found)) == (pb.BATCH_STATE_FINISHED, 12, 12)
    assert list(found[: len(first)]) == first


async def test_calls_for_moves_go_before_batches(tmp_path: Path) -> None:
    async with serving(slots=1, client_share=1.0, batches=str(tmp_path / "b.db")) as service:
        batch = await create(service, *(analysis(seed, 10**6) for seed in range(50)))
        await until(lambda: service.server.status().running > 0, limit=60)
        search = analysis_pb.Search(
            observation=types_pb2.Observation(game="connect_four", text=START.text),
            budget=types_pb2.SearchBudget(simulations=100),
        )
        for _ in range(3):
            await service.analysis.SelectMove(
                analysis_pb.SelectMoveRequest(search=search), timeout=60
            )
        # All tasks together take a minute.
        cancelled = await stub_of(service).CancelBatch(pb.CancelBatchRequest(batch=batch))
        assert cancelled.status.num_done < 50


async def test_a_task_that_always_breaks_has_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(self: Any, client: str, task: Any) -> Any:
        if task.seed == 2:
            raise RuntimeError("a worker died")
        return run(task)

    monkeypatch.setattr(batches_module.Batches, "_search", fail)
    async with serving(batches=str(tmp_path / "b.db")) as service:
        batch = await create(service, analysis(1), analysis(2), analysis(3))
        status = await ended(service, batch)
        found = (await results(service, batch)).results
    assert (status.num_done, status.num_failed) == (2, 1)
    assert status.state == pb.BATCH_STATE_FINISHED
    assert [each.WhichOneof("outcome") for each in found] == ["analysis", "error", "analysis"]
    assert found[1].error == "RuntimeError: a worker died"


async def test_a_task_whose_game_breaks_the_contract_is_run_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Any] = []

    async def fail(self: Any, client: str, task: Any) -> Any:
        ran.append(task)
        raise ContractError("hearts breaks the engine contract: no outcome")

    monkeypatch.setattr(batches_module.Batches, "_search", fail)
    async with serving(batches=str(tmp_path / "b.db")) as service:
        status = await ended(service, await create(service, analysis(1)))
    assert (status.num_failed, len(ran)) == (1, 1)


@pytest.mark.parametrize("method", ["CreateBatch", "ListBatches"])
async def test_without_the_setting_calls_say_what_is_missing(service: Service, method: str) -> None:
    request = getattr(pb, f"{method}Request")()
    failed = await failure_of(getattr(stub_of(service), method)(request))
    assert failed.code is CODE.UNIMPLEMENTED
    assert "kingmaker serve --batches" in failed.message


async def test_old_batches_are_deleted_with_their_results(tmp_path: Path) -> None:
    async with serving(batches=str(tmp_path / "b.db")) as service:
        batch = await create(service, analysis(1))
        await ended(service, batch)
        running = service.server._batches
        assert running is not None
        task_id = analysis_task(START, simulations=50, seed=1).id
        await running.call(lambda batches, _: batches.delete(time.time() - 60))
        assert await running.call(lambda _, results: results.known([task_id])) == {task_id}
        await running.call(lambda batches, _: batches.delete(time.time() + 60))
        assert await running.call(lambda _, results: results.known([task_id])) == set()
        assert (await failure_of(results(service, batch))).code is CODE.NOT_FOUND


async def test_the_program_of_the_page_works(tmp_path: Path) -> None:
    [program] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    async with serving(slots=2, batches=str(tmp_path / "b.db")) as service:
        program = program.replace("127.0.0.1:50051", service.server.address)
        done = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", program], capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr
    *news, first, second = done.stdout.splitlines()
    assert news[-1] == "2 of 2"
    assert [line.split()[0] for line in (first, second)] == ["1", "2"]


async def test_a_batch_waits_while_its_owner_has_no_search_time_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches_module, "WAIT_SECONDS", 0.01)
    checks: list[str] = []

    def check(client: str) -> None:
        checks.append(client)
        if checks.count(batches_module.ANONYMOUS) in (1, 2):
            raise QuotaError("no time left", "client:a", 0.01)

    async with serving(slots=1, batches=str(tmp_path / "b.db")) as service:
        monkeypatch.setattr(service.server._gate, "check_search", check)
        batch = await create(service, analysis(1))
        assert (await ended(service, batch)).num_done == 1
    assert checks[1:] == [batches_module.ANONYMOUS] * 3
    assert checks[0].startswith("ipv4:")  # of the call that creates it


async def test_an_owner_without_search_time_does_not_keep_the_batches_of_others_waiting(
    tmp_path: Path,
    tokens: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checks: list[str] = []

    def check(client: str) -> None:
        checks.append(client)
        if client == "alice" and checks.count("alice") > 1:  # the first creates her batch
            raise QuotaError("no time left", "client:alice", 60.0)

    async with serving(slots=1, batches=str(tmp_path / "b.db"), tokens=tokens) as service:
        monkeypatch.setattr(service.server._gate, "check_search", check)
        await create(service, analysis(1), analysis(2), who="alice")
        await until(lambda: checks.count("alice") > 1)
        batch = await create(service, analysis(3), who="bob")
        assert (await ended(service, batch, "bob")).num_done == 1


async def test_batches_run_on_after_a_fault_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, faults = batches_module.Batches._look, [RuntimeError("a fault")]

    async def faulty(self: batches_module.Batches) -> None:
        if faults:
            raise faults.pop()
        await look(self)

    monkeypatch.setattr(batches_module.Batches, "_look", faulty)
    async with serving(batches=str(tmp_path / "b.db")) as service:
        status = await ended(service, await create(service, analysis()))
    assert not faults
    assert status.state == pb.BATCH_STATE_FINISHED


@pytest.mark.parametrize("turns", range(4))
async def test_a_batch_that_comes_with_the_end_of_the_server_does_not_hold_it_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    async def nothing(self: batches_module.Batches) -> None:
        pass

    monkeypatch.setattr(batches_module.Batches, "_look", nothing)
    monkeypatch.setattr(batches_module.Batches, "_delete", nothing)
    settings = ServerSettings(batches=str(tmp_path / "b.db"), isolation=False)
    pool, gate = SearchPool(settings), Gate(settings)
    running = batches_module.Batches(str(settings.batches), settings, pool, gate)
    running.start()
    await asyncio.sleep(0.05)  # by now it waits for news
    running.look()
    for _ in range(turns):
        await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await running.stop()
    running.close()
    pool.close()
