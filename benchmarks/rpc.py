"""Overhead of a call beside its search: `SelectMove` with one simulation against a bare echo.

Both servers are `grpc.aio` in separate processes; the client in this one calls them alternately
over loopback, so that other load of the machine affects both. Each of the client's callers has its
own connection and makes one call after the other. The observations are those of random games, more
than the server keeps, so that each call reads a new one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from multiprocessing.connection import Connection
from typing import Any

import grpc
import numpy as np

from kingmaker.search.position import Observation, new_game
from kingmaker.server.app import serve
from kingmaker.server.convert import MAX_KEPT, observation_message
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import analysis_service_pb2, types_pb2

from .measure import Figure, median

GAME = "kingdom_coinquest"
ECHO_METHOD = "/echo.Echo/Echo"
SELECT_METHOD = "/kingmaker.v1.AnalysisService/SelectMove"
FORMS = ("text", "typed")
CALLERS = (1, 16)
ROUNDS, QUICK_ROUNDS = 40, 6  # short ones, so that both servers meet the same noise
CALLS_PER_ROUND = 160
WARM_UP_CALLS = 400
NUM_OBSERVATIONS = 2 * MAX_KEPT
START_SECONDS = 60

FIGURES: Mapping[str, str] = {
    name: about
    for callers in CALLERS
    for name, about in (
        (
            f"rpc.echo.{callers}.p50_ms",
            f"a call of a bare grpcio echo over loopback, {callers} at a time",
        ),
        *(
            pair
            for form in FORMS
            for pair in (
                (
                    f"rpc.select_move_1sim.{form}.{callers}.p50_ms",
                    f"the same for `SelectMove` with one simulation, another {form} observation "
                    "in each call",
                ),
                (
                    f"rpc.select_move_1sim.{form}.{callers}.vs_echo",
                    "its calls a second against those of the echo",
                ),
            )
        ),
    )
}
"""Figures -> descriptions."""


def measure(quick: bool) -> Mapping[str, Figure]:
    """Measure the overhead of a call, by the form of its observation and the number of callers."""
    observations = list(islice(_observations(), NUM_OBSERVATIONS))
    rounds = QUICK_ROUNDS if quick else ROUNDS
    with _server(_run_service) as service, _server(_run_echo) as echo:
        return {
            name: figure
            for callers in CALLERS
            for name, figure in asyncio.run(
                _measure(service, echo, observations, callers, rounds)
            ).items()
        }


async def _measure(
    service: str, echo: str, observations: Sequence[Observation], callers: int, rounds: int
) -> dict[str, Figure]:
    requests = {form: cycle([_request(form, each) for each in observations]) for form in FORMS}
    works = {
        "echo": (ECHO_METHOD, echo, requests["text"]),
        **{form: (SELECT_METHOD, service, requests[form]) for form in FORMS},
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, (method, address, payloads) in works.items():
            calls = CALLS_PER_ROUND if number else WARM_UP_CALLS
            result = await _time_calls(address, method, list(islice(payloads, calls)), callers)
            if number:
                found[name].append(result)
    figures = {f"rpc.echo.{callers}.p50_ms": median(p50 for p50, _ in found["echo"])}
    for form in FORMS:
        name = f"rpc.select_move_1sim.{form}.{callers}"
        figures[f"{name}.p50_ms"] = median(p50 for p50, _ in found[form])
        figures[f"{name}.vs_echo"] = median(
            rate / echoed for (_, rate), (_, echoed) in zip(found[form], found["echo"], strict=True)
        )
    return figures


def _observations() -> Iterator[Observation]:
    """Yield what the deciding seats of random games see."""
    stream, choice = np.random.SFC64(1), random.Random(1)
    while True:
        position, _ = new_game(GAME).settle(stream)
        while not position.is_terminal:
            yield position.observe(position.seat)
            position, _ = position.apply(choice.choice(position.legal_moves())).settle(stream)


def _request(form: str, observation: Observation) -> bytes:
    message = types_pb2.Observation(game=GAME, text=observation.text)
    if form == "typed":
        message = observation_message(observation)
        message.text = ""
    search = analysis_service_pb2.Search(
        observation=message, budget=types_pb2.SearchBudget(simulations=1), seed=1
    )
    return analysis_service_pb2.SelectMoveRequest(search=search).SerializeToString()


async def _time_calls(
    address: str, method: str, payloads: Sequence[bytes], callers: int
) -> tuple[float, float]:
    """Make calls; returns the median time of one in milliseconds, and the calls a second."""
    times: list[float] = []
    waiting = iter(payloads)

    async def call_in_turn(channel: grpc.aio.Channel) -> None:
        call: Any = channel.unary_unary(method)
        await channel.channel_ready()
        for payload in waiting:
            start = time.perf_counter()
            await call(payload)
            times.append(time.perf_counter() - start)

    own = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(address, own) for _ in range(callers)]
    try:
        await asyncio.gather(*(channel.channel_ready() for channel in channels))
        start = time.perf_counter()
        await asyncio.gather(*map(call_in_turn, channels))
        seconds = time.perf_counter() - start
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))
    return 1000 * statistics.median(times), len(times) / seconds


@contextmanager
def _server(run: Callable[[Connection], None]) -> Iterator[str]:
    """Run a server in a fresh process; yields its address."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=run, args=(there,), daemon=True)
    process.start()
    there.close()
    try:
        if not here.poll(START_SECONDS):
            raise TimeoutError(f"a server did not start within {START_SECONDS} s")
        yield here.recv()
    finally:
        process.terminate()
        process.join()


def _run_service(ready: Connection) -> None:
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - the log lines are written, but discarded
    serve(ServerSettings(port=0, client_share=1), lambda server: ready.send(server.address))


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
