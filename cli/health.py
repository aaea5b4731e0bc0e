"""`kingmaker health`: whether a server takes calls, for supervisors of containers."""

from __future__ import annotations

from typing import Annotated

import typer

from .output import CommandError, JsonFlag, write_json

TIMEOUT_SECONDS = 5.0


def health(
    server: Annotated[
        str, typer.Argument(help="host:port of the server, or host for port 50051.")
    ] = "127.0.0.1",
    timeout: Annotated[
        float, typer.Option(help="Seconds to wait for the answer.", min=0.1)
    ] = TIMEOUT_SECONDS,
    json: JsonFlag = False,
) -> None:
    """Ask a server whether it takes calls; exit code 1 if not."""
    # Imported here so that `--help` does not wait for it.
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    from kingmaker.ladder.channel import open_channel

    stub = health_pb2_grpc.HealthStub(open_channel(server))
    answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout)
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    if json:
        write_json({"status": status})
    else:
        print(status)
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        raise CommandError(f"the server takes no calls: {status}")
