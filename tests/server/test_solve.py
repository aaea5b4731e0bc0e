"""Solve: proofs, bounds and equilibria over the wire, their limits and what is refused."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import ParseDict

from kingmaker import __version__
from kingmaker.search.analysis import StopReason
from kingmaker.search.position import Position, new_game, parse_position
from kingmaker.search.solution import Limits
from kingmaker.server.analysis.budgets import SolveWish, allow_solve
from kingmaker.server.pool.lines import Claim
from kingmaker.server.pool.searches import SearchPool
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import (
    Service,
    failure_of,
    finished,
    midgame,
    observation_of,
    position_of,
    seconds,
    serving,
    simulations,
    until,
)

INVALID = grpc.StatusCode.INVALID_ARGUMENT
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
WON_NEXT = "ttt board=oo./.../xx. node=play:p1"
KUHN_VALUE = (2 - 1 / 18) / 4  # docs/rules/kuhn_poker.md: -1/18 chips


def solve(position: Position | None = None, **fields: Any) -> pb.SolveRequest:
    if position is not None:
        fields["position"] = position_of(position)
    return ParseDict(fields.pop("more", {}), pb.SolveRequest(**fields))


def kuhn() -> Position:
    return new_game("kuhn_poker")


def endless(**fields: Any) -> pb.SolveRequest:
    """A request that goes on until it is stopped."""
    return solve(new_game("connect_four"), method=pb.SOLVE_METHOD_LIMITED, **fields)


async def answers_of(service: Service, request: pb.SolveRequest) -> list[pb.SolveResponse]:
    return [answer async for answer in service.analysis.Solve(request)]


async def solution_of(service: Service, request: pb.SolveRequest) -> pb.SolveResponse:
    return (await answers_of(service, request))[-1]


async def test_a_proof_is_one_final_message(service: Service) -> None:
    request = solve(parse_position("tic_tac_toe", WON_NEXT))
    [answer] = await answers_of(service, request)
    assert answer.is_final
    assert answer.method == pb.SOLVE_METHOD_EXACT
    assert answer.bound == types_pb2.BOUND_EXACT
    assert list(answer.values) == [1, 0]
    assert not answer.open_hands
    assert not answer.HasField("equilibrium")
    best = answer.moves[0]
    assert best.move.text == best.line[0].text == "c1"
    assert best.move.tic_tac_toe.square == "c1"
    assert best.description == "put x on c1"
    assert (best.probability, best.bound) == (1, types_pb2.BOUND_EXACT)
    assert {move.move.text for move in answer.moves} == {"c1", "a2", "b2", "c2", "c3"}


async def test_the_report_says_how_it_was_solved(service: Service) -> None:
    limits = pb.SolveLimits(nodes=10**6, memory_bytes=2 << 20)
    answer = await solution_of(service, solve(new_game("tic_tac_toe"), limits=limits))
    report = answer.report
    assert report.stop_reason == types_pb2.STOP_REASON_SOLVED
    assert report.stamp.engine == "exact"
    assert report.stamp.engine_version == __version__
    assert report.stamp.rules_version == new_game("tic_tac_toe").game.rules_version
    assert len(report.stamp.config_hash) == 12
    assert report.limits.nodes == 10**6
    assert report.limits.memory_bytes == 2 << 20
    assert report.limits.time.seconds == 600
    assert 0 < report.nodes <= 10**6
    assert 0 < report.depth <= 9
    assert 0 < report.memory_bytes <= 2 << 20
    assert report.elapsed.ToNanoseconds() > 0


async def test_reports_come_while_it_goes_on_and_one_is_final(service: Service) -> None:
    request = endless()
    request.limits.time.FromMilliseconds(800)
    answers = await answers_of(service, request)
    assert [answer.is_final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert len(answers) >= 4
    spent = [answer.report.nodes for answer in answers]
    assert spent == sorted(spent)
    assert answers[0].report.stop_reason == types_pb2.STOP_REASON_UNSPECIFIED
    assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_TIME
    assert answers[-1].bound == types_pb2.BOUND_HEURISTIC


async def test_the_interval_can_be_chosen(service: Service) -> None:
    request = endless()
    request.limits.time.FromMilliseconds(800)
    request.report_interval.FromMilliseconds(300)
    assert 2 <= len(await answers_of(service, request)) <= 3


class EndsAtOnce:
    """Something to stream that ends in its first step, and takes a while to answer."""

    budget = Limits()
    is_finished = True

    def step(self, milliseconds: float) -> None:
        pass

    def snapshot(self) -> StopReason:
        time.sleep(0.2)
        return StopReason.SOLVED

    def cancel(self) -> None:
        pass

    kind = None
    game_name = "none"

    def begin(self) -> EndsAtOnce:
        return self

    def answer(self, search: EndsAtOnce, found: StopReason) -> StopReason:
        return found

    def effort(self, found: StopReason) -> None:
        pass


async def test_an_end_that_comes_between_two_reports_is_reported_once() -> None:
    pool = SearchPool(ServerSettings(slots=1, isolation=False))
    claim = Claim("test", is_bulk=True)
    answers = [answer async for answer in pool.stream(claim, 0.02, EndsAtOnce)]
    assert len(answers) == 1
    pool.close()


async def test_a_depth_ends_a_limited_search(service: Service) -> None:
    answer = await solution_of(service, endless(depth=3))
    assert answer.report.depth == 3
    assert answer.report.stop_reason == types_pb2.STOP_REASON_DEPTH


async def test_the_same_nodes_give_the_same_answer(service: Service) -> None:
    found = []
    for interval in (20, 500):
        request = endless(limits=pb.SolveLimits(nodes=300_000))
        request.report_interval.FromMilliseconds(interval)
        answer = await solution_of(service, request)
        assert answer.report.stop_reason == types_pb2.STOP_REASON_NODES
        answer.report.ClearField("elapsed")
        found.append(answer)
    assert found[0] == found[1]


async def test_open_hands_are_flagged(service: Service) -> None:
    dealt = kuhn().apply("deal:k", "deal:q")
    answer = await solution_of(service, solve(dealt, method=pb.SOLVE_METHOD_EXACT))
    assert answer.open_hands
    assert list(answer.values) == [0.75, 0.25]


async def test_kuhn_poker_is_solved_by_default_to_its_known_value(service: Service) -> None:
    answer = await solution_of(service, solve(kuhn(), target=1e-5))
    assert answer.method == pb.SOLVE_METHOD_EQUILIBRIUM
    assert list(answer.values) == pytest.approx([KUHN_VALUE, 1 - KUHN_VALUE], abs=2e-5)
    assert answer.report.stop_reason == types_pb2.STOP_REASON_TARGET
    assert answer.bound == types_pb2.BOUND_UNSPECIFIED
    equilibrium = answer.equilibrium
    assert equilibrium.exploitability <= 1e-5
    assert equilibrium.information_sets == 12
    assert equilibrium.iterations > 0
    assert equilibrium.root.text == kuhn().text
    node = equilibrium.root.kuhn_poker.node
    assert (node.type, node.seat) == ("deal", 1)
    assert not equilibrium.policies
    assert not answer.moves


async def test_an_observation_gets_the_policy_of_its_information_set(service: Service) -> None:
    position = kuhn().apply("deal:j", "deal:k", "bet")
    request = pb.SolveRequest(observation=observation_of(position), target=1e-5)
    answer = await solution_of(service, request)
    assert [move.move.text for move in answer.moves] == ["bet", "pass"]
    assert answer.moves[0].probability == pytest.approx(1, abs=0.01)
    assert answer.moves[0].description
    assert not answer.moves[0].values


async def test_the_policies_come_with_the_final_message(service: Service) -> None:
    request = solve(new_game("leduc_poker"), target=1e-5, include_policy=True)
    request.report_interval.FromMilliseconds(20)
    *before, last = await answers_of(service, request)
    assert all(not answer.equilibrium.policies for answer in before)
    assert len(last.equilibrium.policies) == 936
    assert not last.equilibrium.is_cut
    for policy in last.equilibrium.policies:
        assert policy.seat in (1, 2)
        assert policy.observation.endswith(f"@p{policy.seat}")
        assert len(policy.moves) == len(policy.probabilities)
        assert sum(policy.probabilities) == pytest.approx(1)
        assert 0 <= policy.reach <= 1


async def test_policies_that_no_message_holds_are_cut() -> None:
    async with serving(max_message_bytes=100_000) as service:
        request = solve(new_game("leduc_poker"), include_policy=True)
        answer = await solution_of(service, request)
    assert 100 < len(answer.equilibrium.policies) < 936
    assert answer.equilibrium.is_cut
    assert answer.ByteSize() < 100_000


async def test_an_equilibrium_says_how_close_it_came(service: Service) -> None:
    request = solve(new_game("leduc_poker"), target=1e-12)
    request.limits.time.FromMilliseconds(300)
    answer = await solution_of(service, request)
    assert answer.report.stop_reason == types_pb2.STOP_REASON_TIME
    assert 1e-12 < answer.equilibrium.exploitability < 0.1


async def test_the_deadline_ends_it_with_an_answer() -> None:
    async with serving(deadline_margin_seconds=0.5) as service:
        answers = [each async for each in service.analysis.Solve(endless(), timeout=1.0)]
    assert answers[-1].is_final
    assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_DEADLINE


async def test_limits_of_the_server_are_applied_and_reported() -> None:
    async with serving(
        max_analyze_seconds=0.3, max_nodes=10**12, max_memory_bytes=64 << 20
    ) as service:
        limits = pb.SolveLimits(nodes=10**14, memory_bytes=1 << 32)
        limits.time.FromSeconds(3600)
        timed = await solution_of(service, endless(limits=limits))
        assert timed.report.stop_reason == types_pb2.STOP_REASON_SERVER_CAP
        assert timed.report.limits.time.ToMilliseconds() == 300
        assert timed.report.limits.nodes == 10**12
        assert timed.report.limits.memory_bytes == 64 << 20
    async with serving(max_nodes=20_000) as service:
        counted = await solution_of(service, endless())
        assert counted.report.stop_reason == types_pb2.STOP_REASON_SERVER_CAP
        assert counted.report.nodes == 20_000


@pytest.mark.parametrize(
    ("asked", "given", "reason"),
    [
        (None, 1000, types_pb2.STOP_REASON_SERVER_CAP),
        (1000, 1000, types_pb2.STOP_REASON_NODES),
        (1001, 1000, types_pb2.STOP_REASON_SERVER_CAP),
        (5, 5, types_pb2.STOP_REASON_NODES),
    ],
)
def test_nodes_are_capped(asked: int | None, given: int, reason: types_pb2.StopReason) -> None:
    allowance = allow_solve(SolveWish(nodes=asked), ServerSettings(max_nodes=1000), None)
    assert allowance.limits.nodes == given
    assert allowance.stop_reason(StopReason.NODES) == reason


async def test_an_infeasible_proof_is_refused_with_an_estimate(service: Service) -> None:
    request = solve(new_game("connect_four"), limits=pb.SolveLimits(nodes=10**6))
    failed = await failure_of(service.analysis.Solve(request))
    assert failed.code is PRECONDITION
    assert failed.info.reason == "INFEASIBLE"
    assert float(failed.info.metadata["estimated_histories"]) > 1e20
    assert failed.info.metadata["field"] == "position"
    assert "use the method limited" in failed.message
    [violation] = failed.details["PreconditionFailure"].violations
    assert (violation.type, violation.subject) == ("INFEASIBLE", "position")
    assert await until(lambda: service.server.status().running == 0) < 0.5


async def test_a_proof_that_is_not_found_tells_what_was_done(service: Service) -> None:
    request = solve(new_game("tic_tac_toe"), limits=pb.SolveLimits(nodes=200))
    failed = await failure_of(service.analysis.Solve(request))
    assert failed.code is PRECONDITION
    assert failed.info.reason == "INFEASIBLE"
    assert failed.info.metadata["nodes"] == "200"
    assert {"depth", "bound", "values", "estimated_histories"} < set(failed.info.metadata)


async def test_a_hopeless_equilibrium_is_refused_unbuilt(service: Service) -> None:
    failed = await failure_of(service.analysis.Solve(solve(new_game("goofspiel"))))
    assert failed.code is PRECONDITION
    assert failed.info.reason == "INFEASIBLE"
    assert {"estimated_histories", "estimated_bytes"} < set(failed.info.metadata)
    assert "nodes" not in failed.info.metadata
    await until(lambda: service.server.status().running == 0)


async def test_an_answer_that_nobody_waits_for_is_not_written_to_its_end(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []

    def slow(policies: Iterable[Any], _max_bytes: int) -> Iterator[Any]:
        for each in policies:
            written.append(each)
            time.sleep(0.005)
        yield from ()

    monkeypatch.setattr("kingmaker.server.analysis.solve_job._fitting", slow)
    request = solve(new_game("leduc_poker"), include_policy=True, target=0.1)
    call = service.analysis.Solve(request)
    reading = asyncio.ensure_future(call.read())
    await until(lambda: bool(written))
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.sleep(0.3)
    count = len(written)
    await asyncio.sleep(0.1)
    assert len(written) == count < 936


@pytest.mark.parametrize("limits", [{"nodes": 1000}, {"memory_bytes": 1 << 20}])
async def test_a_tree_that_does_not_fit_is_refused_with_its_size(
    service: Service, limits: dict[str, Any]
) -> None:
    request = solve(
        new_game("tic_tac_toe"),
        method=pb.SOLVE_METHOD_EQUILIBRIUM,
        limits=pb.SolveLimits(**limits),
    )
    failed = await failure_of(service.analysis.Solve(request))
    assert failed.code is PRECONDITION
    assert failed.info.reason == "INFEASIBLE"
    assert 1e5 < float(failed.info.metadata["estimated_histories"]) < 2e6
    assert float(failed.info.metadata["estimated_bytes"]) > 1e6


@pytest.mark.parametrize("method", [pb.SOLVE_METHOD_EXACT, pb.SOLVE_METHOD_LIMITED])
async def test_an_observation_with_hidden_cards_has_no_open_hands_value(
    service: Service, method: pb.SolveMethod
) -> None:
    request = pb.SolveRequest(observation=observation_of(midgame()), method=method)
    failed = await failure_of(service.analysis.Solve(request))
    assert failed.code is INVALID
    assert list(failed.fields) == ["method"]
    assert "pimc" in failed.message


async def test_more_seats_than_an_equilibrium_has_are_refused(service: Service) -> None:
    request = solve(new_game("kingdom_coinquest", {"players": 3}))
    failed = await failure_of(service.analysis.Solve(request))
    assert failed.code is INVALID
    assert "this game has 3" in failed.fields["method"]


async def test_a_game_that_does_not_tell_its_history_is_a_wrong_state(service: Service) -> None:
    request = pb.SolveRequest(observation=observation_of(midgame(players=2)))
    failed = await failure_of(service.analysis.Solve(request))
    assert failed.code is PRECONDITION
    assert failed.info.reason == "WRONG_STATE"
    [violation] = failed.details["PreconditionFailure"].violations
    assert violation.subject == "observation"


async def test_a_game_that_is_over_is_a_wrong_state(service: Service) -> None:
    for method in pb.SolveMethod.values():
        request = solve(finished("tic_tac_toe"), method=method)
        failed = await failure_of(service.analysis.Solve(request))
        assert failed.code is PRECONDITION
        assert "the game is over" in failed.message


@pytest.mark.parametrize(
    ("more", "field", "value"),
    [
        ({"method": 9}, "method", "9"),
        ({"method": 2, "depth": 0}, "depth", "0"),
        ({"method": 2, "depth": -4}, "depth", "-4"),
        ({"depth": 4}, "depth", "4"),
        ({"target": 0.5}, "target", "0.5"),
        ({"method": 3, "target": 0}, "target", "0"),
        ({"method": 3, "target": -1}, "target", "-1"),
        ({"method": 3, "target": "NaN"}, "target", "nan"),
        ({"includePolicy": True}, "include_policy", "true"),
        ({"limits": {"time": "0s"}}, "limits.time", "0s"),
        ({"limits": {"time": "-1s"}}, "limits.time", "-1s"),
        ({"limits": {"nodes": 0}}, "limits.nodes", "0"),
        ({"limits": {"nodes": -7}}, "limits.nodes", "-7"),
        ({"limits": {"nodes": 10**16}}, "limits.nodes", str(10**16)),
        ({"limits": {"memoryBytes": 1}}, "limits.memory_bytes", "1"),
        ({"reportInterval": "-1s"}, "report_interval", "-1s"),
    ],
)
async def test_fields_out_of_range_are_refused(
    service: Service, more: dict[str, Any], field: str, value: str
) -> None:
    failed = await failure_of(
        service.analysis.Solve(solve(new_game("tic_tac_toe"), more=more)),
    )
    assert failed.code is INVALID
    assert list(failed.fields) == [field]
    assert failed.info.metadata["value"] == value


async def test_all_that_is_wrong_is_reported_at_once(service: Service) -> None:
    more = {"method": 9, "limits": {"nodes": -1}, "position": {"game": "tic_tac_toe", "text": "x"}}
    failed = await failure_of(service.analysis.Solve(solve(more=more)))
    assert set(failed.fields) == {"method", "limits.nodes", "position"}


async def test_an_empty_request_says_what_is_missing(service: Service) -> None:
    failed = await failure_of(service.analysis.Solve(pb.SolveRequest()))
    assert "missing" in failed.fields["observation"]


@pytest.mark.parametrize(
    "request_", [endless(), solve(new_game("leduc_poker"), target=1e-12)], ids=["value", "cfr"]
)
async def test_cancelling_it_frees_the_slot(service: Service, request_: pb.SolveRequest) -> None:
    stream = service.analysis.Solve(request_)
    for _ in range(2):
        assert not (await stream.read()).is_final
    stream.cancel()
    # Milliseconds on an idle machine; the bound is for a busy one.
    assert await until(lambda: service.server.status().running == 0) < 0.5
    with pytest.raises(asyncio.CancelledError):
        await stream.read()


async def test_a_player_goes_first_and_solving_goes_on_after_that() -> None:
    async with serving(slots=1, client_share=1.0) as service:
        request = endless()
        request.limits.time.FromMilliseconds(1000)
        reader = aiter(service.analysis.Solve(request))
        before = await anext(reader)
        played = await asyncio.wait_for(
            service.analysis.SelectMove(
                pb.SelectMoveRequest(
                    search=pb.Search(observation=observation_of(midgame()), budget=seconds(0.05))
                )
            ),
            timeout=0.9,
        )
        assert played.report.simulations > 0
        *_, last = [answer async for answer in reader]
        assert last.is_final
        assert last.report.nodes > before.report.nodes


async def test_solve_and_analyze_take_turns_when_a_player_comes_between() -> None:
    async with serving(slots=2, client_share=1.0) as service:
        seen = observation_of(midgame())
        request = endless()
        request.limits.time.FromMilliseconds(1200)
        analysis = aiter(
            service.analysis.Analyze(
                pb.AnalyzeRequest(search=pb.Search(observation=seen, budget=seconds(1.2)))
            )
        )
        solving = aiter(service.analysis.Solve(request))
        begun = [await anext(analysis), await anext(solving)]
        assert service.server.status().running == 2
        for _ in range(4):
            await service.analysis.SelectMove(
                pb.SelectMoveRequest(search=pb.Search(observation=seen, budget=seconds(0.05)))
            )
        ends = [[each async for each in stream][-1] for stream in (analysis, solving)]
        assert all(end.is_final for end in ends)
        assert ends[0].report.simulations > begun[0].report.simulations
        assert ends[1].report.nodes > begun[1].report.nodes


async def test_it_waits_in_the_queue_of_analyses() -> None:
    async with serving(slots=1, bulk_queue=1, client_share=1.0) as service:
        running = service.analysis.Analyze(
            pb.AnalyzeRequest(
                search=pb.Search(observation=observation_of(midgame()), budget=seconds(30))
            )
        )
        await running.read()
        waiting = service.analysis.Solve(endless())
        await until(lambda: service.server.status().waiting_bulk == 1)
        failed = await failure_of(service.analysis.Solve(endless()))
        assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        running.cancel()
        assert not (await waiting.read()).is_final
        waiting.cancel()


async def test_a_draining_server_ends_it_with_what_it_has() -> None:
    async with serving(slots=1, grace_seconds=2.0) as service:
        reader = aiter(service.analysis.Solve(endless()))
        await anext(reader)
        draining = asyncio.create_task(service.server.drain())
        *_, last = [answer async for answer in reader]
        assert last.is_final
        assert last.report.stop_reason == types_pb2.STOP_REASON_CANCELLED
        await draining


async def evaluate(service: Service, position: Position, **fields: Any) -> types_pb2.SearchReport:
    request = pb.AnalyzeRequest(
        search=pb.Search(observation=observation_of(position), seed=1, **fields)
    )
    *_, last = [answer async for answer in service.analysis.Analyze(request)]
    report: types_pb2.SearchReport = last.report
    return report


async def test_the_report_of_a_search_says_what_its_values_are(service: Service) -> None:
    won = parse_position("tic_tac_toe", WON_NEXT)
    for engine in ("expectimax", "mcts"):
        report = await evaluate(service, won, engine=engine, budget=simulations(5000))
        assert report.bound == types_pb2.BOUND_EXACT
    open_game = new_game("connect_four")
    report = await evaluate(service, open_game, engine="mcts", budget=simulations(100))
    assert report.bound == types_pb2.BOUND_HEURISTIC
    assert report.fusion_risk == 0


async def test_the_report_of_pimc_tells_its_fusion_risk(service: Service) -> None:
    position = kuhn().apply("deal:k", "deal:q", "bet")
    request = pb.AnalyzeRequest(
        search=pb.Search(
            observation=observation_of(position), seed=1, engine="pimc", budget=simulations(500)
        )
    )
    *_, last = [answer async for answer in service.analysis.Analyze(request)]
    # With open hands p2 calls a jack and folds to a king, and he can't tell which it is.
    assert last.report.fusion_risk == pytest.approx(0.5, abs=0.1)
    assert all(move.HasField("world_share") for move in last.moves)
    assert last.report.fusion_risk == pytest.approx(1 - last.moves[0].world_share)
