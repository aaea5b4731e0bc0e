"""The services of a server: their names, and how those that may be off are added to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import grpc
from grpc_health.v1 import health_pb2

from kingmaker.v1 import analysis_service_pb2 as analysis_pb
from kingmaker.v1 import batch_service_pb2 as batch_pb
from kingmaker.v1 import batch_service_pb2_grpc, ladder_service_pb2_grpc, match_service_pb2_grpc
from kingmaker.v1 import bot_service_pb2 as bot_pb
from kingmaker.v1 import game_service_pb2 as game_pb
from kingmaker.v1 import ladder_service_pb2 as ladder_pb
from kingmaker.v1 import match_service_pb2 as match_pb
from kingmaker.v1 import review_service_pb2 as review_pb

from .analysis.service import AnalysisServicer
from .bots.hub import BotHub
from .errors import BatchesOffError, LaddersOffError, MatchesOffError
from .gate import Gate
from .off import off
from .pool.searches import SearchPool
from .settings import ServerSettings

if TYPE_CHECKING:
    from .batches.batches import Batches
    from .ladders.runs import Ladders
    from .matches.matches import Matches

LADDER_SERVICE = ladder_pb.DESCRIPTOR.services_by_name["LadderService"]
MATCH_SERVICE = match_pb.DESCRIPTOR.services_by_name["MatchService"]
BATCH_SERVICE = batch_pb.DESCRIPTOR.services_by_name["BatchService"]
SERVICES = (
    game_pb.DESCRIPTOR.services_by_name["GameService"].full_name,
    analysis_pb.DESCRIPTOR.services_by_name["AnalysisService"].full_name,
    bot_pb.DESCRIPTOR.services_by_name["BotService"].full_name,
    LADDER_SERVICE.full_name,
    review_pb.DESCRIPTOR.services_by_name["ReviewService"].full_name,
    MATCH_SERVICE.full_name,
    BATCH_SERVICE.full_name,
)
HEALTH_SERVICE = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name


class GenericMethods:
    """The server as generated code sees it when it adds a service: by generic handlers alone.

    Generated code also registers each method by itself. grpc.aio then waits for the next call of
    each of them at once, so that every call makes a pass over all methods, about 30 here.

    Attributes:
        handlers: all that were added.
    """

    def __init__(self) -> None:
        self.handlers: list[grpc.GenericRpcHandler] = []

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        """Add handlers, as `grpc.aio.Server` does."""
        self.handlers.extend(handlers)

    def add_registered_method_handlers(self, service: str, handlers: object) -> None:
        """Leave the methods to the generic handlers."""


def add_ladders(settings: ServerSettings, server: GenericMethods) -> Ladders | None:
    """Add LadderService to a server; returns None if ladders are off."""
    if settings.ladders is None:
        refused = off(LADDER_SERVICE, LaddersOffError)
        ladder_service_pb2_grpc.add_LadderServiceServicer_to_server(refused, server)
        return None
    # Imported here so that a server without ladders does not load SQLAlchemy and SciPy.
    from .ladders.runs import Ladders
    from .ladders.service import LadderServicer

    ladders = Ladders(settings.ladders, settings)
    servicer = LadderServicer(ladders, settings.max_message_bytes)
    ladder_service_pb2_grpc.add_LadderServiceServicer_to_server(servicer, server)
    return ladders


def add_matches(
    settings: ServerSettings,
    server: GenericMethods,
    analysis: AnalysisServicer,
    pool: SearchPool,
    hub: BotHub,
    gate: Gate,
) -> Matches | None:
    """Add MatchService to a server; returns None if it keeps no matches."""
    if not settings.has_matches:
        refused = off(MATCH_SERVICE, MatchesOffError)
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(refused, server)
        return None
    # Imported here so that a server without matches does not load SQLAlchemy.
    from .matches.bots import Players
    from .matches.matches import Matches
    from .matches.service import MatchServicer

    matches = Matches(settings, Players(settings, pool, hub, gate.check_search))
    match_service_pb2_grpc.add_MatchServiceServicer_to_server(
        MatchServicer(matches, analysis), server
    )
    return matches


def add_batches(
    settings: ServerSettings, server: GenericMethods, pool: SearchPool, gate: Gate
) -> Batches | None:
    """Add BatchService to a server; returns None if batches are off."""
    if settings.batches is None:
        refused = off(BATCH_SERVICE, BatchesOffError)
        batch_service_pb2_grpc.add_BatchServiceServicer_to_server(refused, server)
        return None
    # Imported here so that a server without batches does not load SQLAlchemy.
    from .batches.batches import Batches
    from .batches.service import BatchServicer

    batches = Batches(settings.batches, settings, pool, gate)
    batch_service_pb2_grpc.add_BatchServiceServicer_to_server(
        BatchServicer(batches, settings), server
    )
    return batches
