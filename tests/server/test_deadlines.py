"""Deadlines of calls, as they come through gRPC."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import grpc
import pytest

from kingmaker.server import deadlines
from kingmaker.server.deadlines import Deadline
from kingmaker.server.identity import Context


def context_of(seconds: float | None) -> Context:
    return cast(Context, SimpleNamespace(time_remaining=lambda: seconds))


@pytest.mark.parametrize("seconds", [1.0, 5.0, 10.0, 30.0, 100.0, 1000.0])
async def test_no_more_time_remains_than_the_caller_has(seconds: float) -> None:
    seen: list[float | None] = []

    async def answer(_request: bytes, context: Context) -> bytes:
        seen.append(Deadline(context).remaining())
        return b""

    server = grpc.aio.server()
    handler: Any = grpc.unary_unary_rpc_method_handler(answer)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("deadlines", {"Answer": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: Any = channel.unary_unary("/deadlines/Answer")
        await call(b"", timeout=seconds)
    await server.stop(None)
    assert seen[0] is not None
    assert 0.9 * seconds < seen[0] <= seconds


def test_what_grpc_has_added_is_left_out_after_a_wait_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "monotonic", lambda: 50.0)
    deadline = Deadline(context_of(101.0))
    monkeypatch.setattr(deadlines, "monotonic", lambda: 140.0)
    assert deadline.remaining() == pytest.approx(10.0)
    assert not deadline.has_passed()
    monkeypatch.setattr(deadlines, "monotonic", lambda: 150.1)
    assert deadline.remaining() == pytest.approx(-0.1)
    assert deadline.has_passed()


def test_without_a_deadline_none_passes() -> None:
    deadline = Deadline(context_of(None))
    assert deadline.remaining() is None
    assert not deadline.has_passed()
