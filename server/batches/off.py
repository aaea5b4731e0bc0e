"""BatchService of a server without batches, which loads none of their modules."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from kingmaker.v1 import batch_service_pb2_grpc

from ..errors import BatchesOffError

WHY = (
    "this server runs no batches; its operator enables them with the setting batches: "
    "`kingmaker serve --batches batches.sqlite`"
)


async def _refuse(self: Any, request: Any, context: Any) -> Any:
    raise BatchesOffError(WHY)


async def _refuse_stream(self: Any, request: Any, context: Any) -> AsyncIterator[Any]:
    raise BatchesOffError(WHY)
    yield  # makes the method a stream


class BatchesOffServicer(batch_service_pb2_grpc.BatchServiceServicer):
    """Refuses every call; see batch_service.proto."""

    CreateBatch = ListBatchResults = CancelBatch = ListBatches = _refuse
    WatchBatch = _refuse_stream
