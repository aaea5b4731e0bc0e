"""Servers are restarted one after the other, and clients notice nothing."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub

from .process import ServerProcess, server_process
from .support import midgame, observation_of, simulations

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
PAGE = Path(__file__).parents[2] / "docs" / "operating.md"
NUM_CLIENTS = 4
CALLS_AFTER = 40  # by each client, after both servers have been restarted


def service_config() -> str:
    """The one that the page for operators gives to clients."""
    [text] = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    json.loads(text)
    return str(text)


class Client:
    """Calls all the time, on a channel of its own to both servers."""

    def __init__(self, ports: list[int]) -> None:
        addresses = ",".join(f"127.0.0.1:{port}" for port in ports)
        options = [("grpc.service_config", service_config())]
        self.channel = grpc.insecure_channel(f"ipv4:{addresses}", options=options)
        self.outcomes: Counter[str] = Counter()
        self.errors: list[str] = []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.work)

    def work(self) -> None:
        stub: Any = AnalysisServiceStub(self.channel)
        search = pb.Search(observation=observation_of(midgame()), budget=simulations(20))
        while not self.is_over.is_set():
            try:
                stub.SelectMove(pb.SelectMoveRequest(search=search), timeout=60)
                self.outcomes["OK"] += 1
            except grpc.RpcError as error:
                self.outcomes[error.code().name] += 1
                self.errors.append(str(error))

    def wait_for_calls(self, number: int) -> None:
        wanted = self.outcomes.total() + number
        while self.outcomes.total() < wanted:
            self.is_over.wait(0.01)


def port_of(server: ServerProcess) -> int:
    return int(server.address.rpartition(":")[2])


def test_no_call_is_lost_while_servers_are_restarted_one_after_the_other(tmp_path: Path) -> None:
    with server_process(tmp_path) as first, server_process(tmp_path) as second:
        ports = [port_of(first), port_of(second)]
        clients = [Client(ports) for _ in range(NUM_CLIENTS)]
        for client in clients:
            client.thread.start()
        try:
            for client in clients:
                client.wait_for_calls(20)
            first.stop()
            assert first.exit_code() == 0
            for client in clients:
                client.wait_for_calls(20)
            with server_process(tmp_path, port=ports[0]) as third:
                second.stop()
                assert second.exit_code() == 0
                for client in clients:
                    client.wait_for_calls(CALLS_AFTER)
                for client in clients:
                    client.is_over.set()
                    client.thread.join(60)
                assert any(line["event"] == "call" for line in third.lines())
        finally:
            for client in clients:
                client.is_over.set()
    assert [set(client.outcomes) for client in clients] == [{"OK"}] * NUM_CLIENTS, [
        client.errors[:1] for client in clients
    ]
