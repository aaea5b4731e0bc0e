"""Overhead of a call beside its search: `SelectMove` with one simulation against a bare echo.

Both servers are `grpc.aio` in separate processes; one synchronous client in this process calls
them alternately over loopback, so that other load of the machine affects both.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

import grpc
import numpy as np

from kingmaker.search.position import new_game
from kingmaker.server.app import serve
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import analysis_service_pb2, types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub

from .measure import Figure, median

GAME = "kingdom_coinquest"
ECHO_METHOD = "/echo.Echo/Echo"
ROUNDS, QUICK_ROUNDS = 60, 10  # short ones, so that both servers meet the same noise
CALLS_PER_ROUND = 40
WARM_UP_CALLS = 200
START_SECONDS = 60


def measure(quick: bool) -> Mapping[str, Figure]:
    """Measure the overhead of a call."""
    position, _ = new_game(GAME).settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    request = analysis_service_pb2.SelectMoveRequest(
        search=analysis_service_pb2.Search(
            observation=types_pb2.Observation(game=GAME, text=observation.text),
            budget=types_pb2.SearchBudget(simulations=1),
            seed=1,
        )
    )
    payload = request.SerializeToString()
    with _server(_run_service) as service, _server(_run_echo) as echo:
        select = AnalysisServiceStub(service).SelectMove
        bare: Any = echo.unary_unary(ECHO_METHOD)
        _time_calls(select, request, WARM_UP_CALLS)
        _time_calls(bare, payload, WARM_UP_CALLS)
        rounds = [
            (
                _time_calls(bare, payload, CALLS_PER_ROUND),
                _time_calls(select, request, CALLS_PER_ROUND),
            )
            for _ in range(QUICK_ROUNDS if quick else ROUNDS)
        ]
    return {
        "rpc.select_move_1sim.p50_ms": median(
            1000 * statistics.median(selects) for _, selects in rounds
        ),
        "rpc.select_move_1sim.vs_echo": median(
            sum(echoes) / sum(selects) for echoes, selects in rounds
        ),
    }


def _time_calls(call: Callable[[Any], Any], request: object, num_calls: int) -> list[float]:
    """Make calls one after the other; returns the seconds of each."""
    times = []
    for _ in range(num_calls):
        start = time.perf_counter()
        call(request)
        times.append(time.perf_counter() - start)
    return times


@contextmanager
def _server(run: Callable[[Connection], None]) -> Iterator[grpc.Channel]:
    """Run a server in a fresh process and connect to it."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=run, args=(there,), daemon=True)
    process.start()
    there.close()
    try:
        if not here.poll(START_SECONDS):
            raise TimeoutError(f"a server did not start within {START_SECONDS} s")
        with grpc.insecure_channel(here.recv()) as channel:
            yield channel
    finally:
        process.terminate()
        process.join()


def _run_service(ready: Connection) -> None:
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - the log lines are written, but discarded
    serve(ServerSettings(port=0), ready.send)


def _run_echo(ready: Connection) -> None:
    asyncio.run(_serve_echo(ready))


async def _serve_echo(ready: Connection) -> None:
    async def echo(request: bytes, context: object) -> bytes:
        return request

    server = grpc.aio.server()
    _, service, method = ECHO_METHOD.split("/")
    handlers: dict[str, Any] = {method: grpc.unary_unary_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    ready.send(f"127.0.0.1:{port}")
    await server.wait_for_termination()
