"""Batches over gRPC."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

from kingmaker.batch.store import Batch, BatchState, Status
from kingmaker.batch.tasks import AnyTask
from kingmaker.cext.errors import InputError
from kingmaker.v1 import batch_service_pb2 as pb
from kingmaker.v1 import batch_service_pb2_grpc

from ..errors import OverloadError, Problems, RequestError, UnauthenticatedError, UnknownNameError
from ..identity import CALLER, Context
from ..limits import check_count
from ..pages import PAGE_BYTES
from ..settings import ServerSettings
from .batches import Batches
from .messages import read_task, result_message, status_message

WATCH_SECONDS = 0.5
RETRY_SECONDS = 10.0  # after which an unfinished batch may have ended
MAX_NAME = 100  # characters
MAX_LISTED = 100
MAX_PAGE = 100


class BatchServicer(batch_service_pb2_grpc.BatchServiceServicer):
    """BatchService; see batch_service.proto.

    Args:
        batches: of the database.
        settings: of the server.
    """

    def __init__(self, batches: Batches, settings: ServerSettings) -> None:
        self._batches = batches
        self._settings = settings

    async def CreateBatch(
        self, request: pb.CreateBatchRequest, context: Context
    ) -> pb.CreateBatchResponse:
        """Store a batch."""
        caller = CALLER.get()
        if not caller.name and not caller.is_operator:
            raise UnauthenticatedError("a batch belongs to its creator: this call needs a token")
        tasks = await asyncio.to_thread(_read_tasks, request, self._settings)
        batch = Batch(
            id=secrets.token_hex(16),
            owner=caller.name,
            name=request.name,
            created=time.time(),
            state=BatchState.RUNNING,
            num_tasks=len(tasks),
        )
        settings = self._settings
        is_stored = await self._batches.call(
            lambda batches, results: batches.create(
                batch,
                tasks,
                most=settings.max_batches,
                most_of_owner=settings.max_client_batches,
            )
        )
        if not is_stored:
            raise OverloadError(
                f"there are too many unfinished batches: at most {settings.max_client_batches} of "
                f"one owner and {settings.max_batches} in all; cancel one, or wait for its end",
                "batches",
                RETRY_SECONDS,
            )
        self._batches.look()
        return pb.CreateBatchResponse(
            status=await self._status(batch.id), days_kept=settings.batch_days
        )

    async def WatchBatch(
        self, request: pb.WatchBatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchBatchResponse]:
        """Stream the status of a batch until it ends."""
        await self._find(request.batch)
        last = None
        while True:
            status = await self._status(request.batch)
            if status != last:
                yield pb.WatchBatchResponse(status=status)
                last = status
            if status.state != pb.BATCH_STATE_RUNNING:
                return
            await self._batches.wait(WATCH_SECONDS)

    async def ListBatchResults(
        self, request: pb.ListBatchResultsRequest, context: Context
    ) -> pb.ListBatchResultsResponse:
        """Return a page of results."""
        limit = _read_page_size(request)
        await self._find(request.batch)
        after = request.after_number
        return await self._batches.call(
            lambda batches, results: _page(
                map(result_message, batches.outcomes(request.batch, after, limit + 1)), limit
            )
        )

    async def CancelBatch(
        self, request: pb.CancelBatchRequest, context: Context
    ) -> pb.CancelBatchResponse:
        """End a batch."""
        await self._find(request.batch)
        await self._batches.call(
            lambda batches, results: batches.end(request.batch, BatchState.CANCELLED)
        )
        self._batches.look()
        return pb.CancelBatchResponse(status=await self._status(request.batch))

    async def ListBatches(
        self, request: pb.ListBatchesRequest, context: Context
    ) -> pb.ListBatchesResponse:
        """List the caller's batches."""
        caller = CALLER.get()
        owner = None if caller.is_operator else caller.name
        if owner == "":
            raise UnauthenticatedError("a batch belongs to its creator, so a token is needed")

        def read(batches: Any, results: Any) -> list[Status]:
            return [batches.status(batch) for batch in batches.latest(owner, MAX_LISTED)]

        found = await self._batches.call(read)
        return pb.ListBatchesResponse(batches=map(status_message, found))

    async def _find(self, batch_id: str) -> Batch:
        """Find a batch of the caller.

        Raises:
            RequestError: there is none with this id.
            ForbiddenError: it is another's.
        """
        batch = await self._batches.call(lambda batches, results: batches.find(batch_id))
        if batch is None:
            error = UnknownNameError(
                f"there is no batch {batch_id!r}", field="batch", value=batch_id
            )
            raise RequestError([error])
        CALLER.get().check_owner(batch.owner, f"batch {batch_id!r}")
        return batch

    async def _status(self, batch_id: str) -> pb.BatchStatus:
        batch = await self._find(batch_id)
        return status_message(
            await self._batches.call(lambda batches, results: batches.status(batch))
        )


def _read_tasks(request: pb.CreateBatchRequest, settings: ServerSettings) -> list[AnyTask]:
    problems = Problems()
    with problems.at("tasks"):
        if not request.tasks:
            raise InputError("there are no tasks; give one or more")
        check_count(request.tasks, settings.max_batch_tasks, "tasks")
    with problems.at("name"):
        if len(request.name) > MAX_NAME:
            raise InputError(f"the name is longer than {MAX_NAME} characters")
    problems.check()
    tasks = [
        read_task(message, settings, problems.below(f"tasks[{i}]"))
        for i, message in enumerate(request.tasks)
    ]
    problems.check()
    return [task for task in tasks if task is not None]


def _read_page_size(request: pb.ListBatchResultsRequest) -> int:
    problems = Problems()
    with problems.at("page_size"):
        if not 0 <= request.page_size <= MAX_PAGE:
            raise InputError(
                f"page_size is {request.page_size}; it must be 0 to {MAX_PAGE}",
                value=str(request.page_size),
            )
    with problems.at("after_number"):
        if request.after_number < 0:
            raise InputError(
                f"after_number is {request.after_number}; it must not be negative",
                value=str(request.after_number),
            )
    problems.check()
    return request.page_size or MAX_PAGE


def _page(results: Any, limit: int) -> pb.ListBatchResultsResponse:
    """Fill a page up to its limits, with at least one result."""
    page = pb.ListBatchResultsResponse()
    num_bytes = 0
    for result in results:
        num_bytes += result.ByteSize()
        if page.results and (len(page.results) == limit or num_bytes > PAGE_BYTES):
            page.next_after_number = page.results[-1].number
            break
        page.results.append(result)
    return page
