"""Players, advisers and analysts of Kingdom Coinquest, over gRPC.

Each user follows its own random game: 60 % of its tasks are SelectMove with 50 ms, 20 %
SuggestMoves with 50 ms, 10 % Analyze cancelled after three snapshots, 10 % a round of rules calls
that plays a random move. Between two tasks it waits 20 to 100 ms.

The pass mark is below and decides the exit code. A call that the server sheds because it is
full (RESOURCE_EXHAUSTED) is counted separately and is not a failure: the user waits as requested.

By hand, against a running server: `locust -f loadtests/locustfile.py --headless -u 8 -t 30s
--host 127.0.0.1:50051`.
"""

# locust has few types, and `make check` runs without it.
# mypy: disable-error-code="misc,untyped-decorator,no-untyped-call"

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import grpc
import grpc.experimental.gevent
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from locust import User, between, events, task

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub

grpc.experimental.gevent.init_gevent()

GAME = "kingdom_coinquest"
BUDGET_MS = 50
NUM_SNAPSHOTS = 3
TIMEOUT_SECONDS = 30

# The pass mark, for 8 users and a server with 2 slots on 2 processors.
MAX_SELECT_P95_MS = 400
MIN_REQUESTS_PER_SECOND = 20
MAX_SHED_SHARE = 0.01

SEEDS = count(1)


class Shed(Exception):
    """The server is full.

    Attributes:
        seconds: delay until a retry.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__("the server is full")
        self.seconds = seconds


class Player(User):
    """A user that plays, asks for hints and analyses."""

    wait_time = between(0.02, 0.1)

    def on_start(self) -> None:
        self.choice = random.Random(next(SEEDS))
        self.channel = grpc.insecure_channel(str(self.host))
        self.games = GameServiceStub(self.channel)
        self.analysis = AnalysisServiceStub(self.channel)
        self.begin()

    def on_stop(self) -> None:
        self.channel.close()

    @task(60)
    def select_move(self) -> None:
        request = pb.SelectMoveRequest(
            search=pb.Search(observation=self.observation, budget=budget())
        )
        self.call("SelectMove", self.analysis.SelectMove, request, self.check_move)

    @task(20)
    def suggest_moves(self) -> None:
        request = pb.SuggestMovesRequest(
            search=pb.Search(observation=self.observation, budget=budget())
        )
        self.call("SuggestMoves", self.analysis.SuggestMoves, request, self.check_hints)

    @task(10)
    def analyze(self) -> None:
        with self.measured("Analyze, 3 snapshots"):
            stream = self.analysis.Analyze(
                pb.AnalyzeRequest(search=pb.Search(observation=self.observation)),
                timeout=TIMEOUT_SECONDS,
            )
            for _ in range(NUM_SNAPSHOTS):
                snapshot = next(stream)
                assert not snapshot.is_final
                assert {each.move.text for each in snapshot.moves} == set(self.legal)
            stream.cancel()

    @task(10)
    def play(self) -> None:
        move = types_pb2.Move(text=self.choice.choice(self.legal))
        request = games_pb.ApplyMovesRequest(position=self.position, moves=[move], seed=self.seed)
        answer = self.call("ApplyMoves", self.games.ApplyMoves, request)
        if answer is None:
            return
        if answer.node.kind == types_pb2.NODE_KIND_END:
            self.begin()
        else:
            self.look(answer)

    def begin(self) -> None:
        """Start a game of two to four."""
        players = str(self.choice.randint(2, 4))
        self.seed = next(SEEDS)
        request = games_pb.StartGameRequest(game=GAME, options={"players": players}, seed=self.seed)
        while True:
            started = self.call("StartGame", self.games.StartGame, request)
            if started is not None:
                self.look(started)
                return
            time.sleep(0.1)

    def look(self, answer: Any) -> None:
        """Store a position, and the observation and legal moves of its seat."""
        position = types_pb2.Position(game=GAME, text=answer.position.text)
        seen = self.call(
            "Observe",
            self.games.Observe,
            games_pb.ObserveRequest(position=position, seat=answer.node.seat),
        )
        listed = self.call(
            "ListMoves", self.games.ListMoves, games_pb.ListMovesRequest(position=position)
        )
        if seen is not None and listed is not None:
            self.position = position
            self.observation = types_pb2.Observation(game=GAME, text=seen.observation.text)
            self.legal = [each.move.text for each in listed.moves]

    def check_move(self, answer: pb.SelectMoveResponse) -> None:
        assert answer.move.text in self.legal

    def check_hints(self, answer: pb.SuggestMovesResponse) -> None:
        assert len(answer.suggestions) == min(3, len(self.legal))
        assert all(each.explanation for each in answer.suggestions)

    def call(
        self,
        name: str,
        method: Any,
        request: object,
        check: Callable[[Any], None] = lambda answer: None,
    ) -> Any:
        """Call, check and record; None if it failed or was shed."""
        answer = None
        with self.measured(name):
            answer = method(request, timeout=TIMEOUT_SECONDS)
            check(answer)
        return answer

    @contextmanager
    def measured(self, name: str) -> Iterator[None]:
        """Record the time and the outcome of a block."""
        start = time.perf_counter()
        error: Exception | None = None
        shed: Shed | None = None
        try:
            yield
        except grpc.RpcError as failure:
            shed = shed_of(failure)
            error = None if shed else failure
        except AssertionError as wrong_answer:
            error = wrong_answer
        events.request.fire(
            request_type="shed" if shed else "grpc",
            name=name,
            response_time=(time.perf_counter() - start) * 1000,
            response_length=0,
            exception=error,
            context={},
        )
        if shed:
            time.sleep(shed.seconds)


def budget() -> types_pb2.SearchBudget:
    message = types_pb2.SearchBudget()
    message.time.FromMilliseconds(BUDGET_MS)
    return message


def shed_of(failure: Any) -> Shed | None:
    """Return the delay until a retry, if a call was shed."""
    if failure.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
        return None
    for packed in rpc_status.from_call(failure).details:
        info = error_details_pb2.RetryInfo()
        if packed.Unpack(info):
            return Shed(info.retry_delay.ToMilliseconds() / 1000)
    return None


@events.quitting.add_listener
def judge(environment: Any, **_: Any) -> None:
    """Compare the measurements with the pass mark."""
    stats = environment.stats
    select = stats.get("SelectMove", "grpc")
    total = stats.total
    shed = sum(entry.num_requests for entry in stats.entries.values() if entry.method == "shed")
    p95 = select.get_response_time_percentile(0.95)
    seconds = (total.last_request_timestamp or total.start_time) - total.start_time
    rate = total.num_requests / max(seconds, 1)
    marks = {
        f"{total.num_failures} failures; none allowed": total.num_failures == 0,
        f"SelectMove p95 {p95:.0f} ms; at most {MAX_SELECT_P95_MS}": 0 < p95 <= MAX_SELECT_P95_MS,
        f"{rate:.1f} requests/s; at least {MIN_REQUESTS_PER_SECOND}": (
            rate >= MIN_REQUESTS_PER_SECOND
        ),
        f"{shed} of {total.num_requests} calls shed; at most {MAX_SHED_SHARE:.0%}": (
            shed <= MAX_SHED_SHARE * total.num_requests
        ),
    }
    for text, is_met in marks.items():
        print(f"{'pass' if is_met else 'FAIL'}: {text}", flush=True)  # noqa: T201 - the verdict
    environment.process_exit_code = 0 if all(marks.values()) else 1
