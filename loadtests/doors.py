"""The same calls as JSON over HTTP and over gRPC, side by side, by `h2load` of nghttp2.

h2load is written in C, so the clients take little of the processors. Rounds of both alternate. The
mark is the processor time of the server for a call, which other programs disturb least: beside
them, the threads of gRPC get more of the processors than the one that serves HTTP.
"""

from __future__ import annotations

import json
import re
import shutil
import statistics
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from kingmaker.search.position import new_game
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2

from .open_loop import observation
from .server import Running

CLIENTS = 16
ROUNDS, ROUND_SECONDS = 5, 4
KINDS = ("gRPC", "JSON")
MAX_RATIO = 1.25  # of the processor time of a call as JSON to that over gRPC
RATE = re.compile(r"finished in .*?, ([\d.]+) req/s")
COUNTS = re.compile(r"(\d+) succeeded, (\d+) failed, (\d+) errored")


@dataclass(frozen=True, slots=True)
class Round:
    """What came of some calls of one kind.

    Attributes:
        rate: calls a second.
        cpu_ms: of the server for each.
    """

    rate: float
    cpu_ms: float


def compare(running: Running) -> int:
    """Print the rates; returns the exit code, 0 if JSON costs about as much as gRPC."""
    if shutil.which("h2load") is None:
        sys.stderr.write("h2load is not installed: the package nghttp2-client has it\n")
        return 1
    code = 0
    with TemporaryDirectory() as folder:
        for path, request in _calls().items():
            code |= _compare(running, path, request, Path(folder))
    return code


def _calls() -> dict[str, Message]:
    """Map methods to requests whose work is small."""
    game = "kingdom_coinquest"
    budget = types_pb2.SearchBudget(simulations=1)
    search = pb.Search(observation=observation(game), budget=budget, seed=1)
    position = types_pb2.Position(game="connect_four", text=new_game("connect_four").text)
    return {
        "GameService/ListMoves": games_pb.ListMovesRequest(position=position),
        "AnalysisService/SelectMove": pb.SelectMoveRequest(search=search),
    }


def _compare(running: Running, path: str, request: Message, folder: Path) -> int:
    packed = request.SerializeToString()
    bodies = {
        "gRPC": struct.pack(">BI", 0, len(packed)) + packed,
        "JSON": json.dumps(json.loads(MessageToJson(request))).encode(),
    }
    rounds: dict[str, list[Round]] = {kind: [] for kind in KINDS}
    for _ in range(ROUNDS):
        for kind in KINDS:
            body = folder / kind
            body.write_bytes(bodies[kind])
            rounds[kind].append(_load(running, kind, path, body))
    cpu_ms = {kind: statistics.median(each.cpu_ms for each in rounds[kind]) for kind in KINDS}
    for kind in KINDS:
        rate = statistics.median(each.rate for each in rounds[kind])
        _print(
            f"{path} {kind}: {rate:.0f} calls/s by {CLIENTS} clients, "
            f"{cpu_ms[kind]:.2f} ms of a processor for each"
        )
    ratio = cpu_ms["JSON"] / cpu_ms["gRPC"]
    is_met = ratio <= MAX_RATIO
    verdict = "pass" if is_met else "FAIL"
    _print(f"{verdict}: {path} takes {ratio:.2f} times as long as JSON; at most {MAX_RATIO:g}")
    return 0 if is_met else 1


def _load(running: Running, kind: str, path: str, body: Path) -> Round:
    """Call for some seconds."""
    if kind == "gRPC":
        url = f"http://{running.address}"
        flags = ["-H", "content-type: application/grpc", "-H", "te: trailers"]
    else:
        url, flags = running.url, ["--h1", "-H", "content-type: application/json"]
    command = ["h2load", "-c", f"{CLIENTS}", "-D", f"{ROUND_SECONDS}", "-d", str(body), *flags]
    before = running.cpu_seconds
    done = subprocess.run(
        [*command, f"{url}/kingmaker.v1.{path}"], capture_output=True, text=True, check=True
    )
    used = running.cpu_seconds - before
    rate, succeeded = read_report(done.stdout)
    return Round(rate, 1000 * used / succeeded)


def read_report(output: str) -> tuple[float, int]:
    """Return the calls a second, and how many were answered.

    Raises:
        ValueError: some failed, or the report has another form.
    """
    rate, counts = RATE.search(output), COUNTS.search(output)
    if rate is None or counts is None:
        raise ValueError(f"h2load wrote something else: {output}")
    succeeded, *others = map(int, counts.groups())
    if any(others) or not succeeded:
        raise ValueError(f"calls failed: {output}")
    return float(rate[1]), succeeded


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
