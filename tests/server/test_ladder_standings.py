"""Standings of a ladder: computed once for all who ask, and cut to fit an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kingmaker.ladder.coordinator import begin_ladder
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Ladder, Store
from kingmaker.server.ladders import standings
from kingmaker.server.ladders.clerk import Clerk, Standings
from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .ladder_client import NAME, RANDOM
from .support import serving


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
    answers = {}
    for max_bytes in (1 << 20, 12_000):
        async with serving(ladders=database, max_message_bytes=max_bytes) as service:
            stub: Any = LadderServiceStub(service.channel)
            answers[max_bytes] = await stub.GetLadder(pb.GetLadderRequest(name=NAME))
    for max_bytes in (50_000, 22_000):
        answers[max_bytes] = answer = pb.GetLadderResponse()
        answer.CopyFrom(answers[1 << 20])
        standings.fit(answer, max_bytes)
    found = {}
    for max_bytes, answer in answers.items():
        assert answer.ByteSize() <= max_bytes
        assert len(answer.ratings) == len(answer.plan.bots) == 40
        parts = (answer.summary_json, answer.ratings[0].superiority, answer.cross_table)
        found[max_bytes] = [bool(part) for part in parts]
    assert found == {
        1 << 20: [True, True, True],
        50_000: [False, True, True],
        22_000: [False, False, True],
        12_000: [False, False, False],
    }


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
