"""The checks before every call: the caller's identity, permission and quota."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from .errors import OverloadError
from .identity import CALLER, Caller, Context, Headers, Identities, check_role
from .quotas import Quotas
from .roles import AGENTS
from .settings import ServerSettings

SEARCHING = (
    "/kingmaker.v1.AnalysisService/",
    "/kingmaker.v1.ReviewService/",
    "/kingmaker.v1.BatchService/CreateBatch",
    "/kingmaker.v1.MatchService/GetMatchHint",
    AGENTS,
)
"""Beginnings of the methods that search at the expense of their caller."""
RETRY_SECONDS = 1.0


class _Streams:
    """Open streams by client."""

    def __init__(self, settings: ServerSettings) -> None:
        self._limit = settings.max_client_streams
        self._total_limit = settings.max_streams
        self._open: Counter[str] = Counter()

    @property
    def total(self) -> int:
        return self._open.total()

    @contextmanager
    def one_more(self, client: str) -> Iterator[None]:
        if self._open[client] >= self._limit:
            raise OverloadError(
                f"{client} has {self._limit} open streams, which is its limit; close one of them",
                f"client:{client}",
                RETRY_SECONDS,
            )
        if self.total >= self._total_limit:
            raise OverloadError(
                "there are too many open streams; retry later", "streams", RETRY_SECONDS
            )
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class Gate:
    """The checks of calls before their requests are read; on the event loop.

    Args:
        settings: of the server.

    Attributes:
        identities: finds out who calls.
        charge: counts search time that a client has used, of all threads together.

    Raises:
        InputError: the file of tokens can't be read.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.identities = Identities(settings)
        self._settings = settings
        self._quotas = Quotas()
        self.charge = self._quotas.charge_search
        self._streams = _Streams(settings)
        self._health_streams = _Streams(settings)

    def identify(self, context: Context, headers: Headers, peer: str) -> Caller:
        """Find out who calls, and make it known as `CALLER`; see `Identities.identify`.

        Raises:
            UnauthenticatedError: the token is not valid.
        """
        caller = self.identities.identify(context, headers, peer)
        CALLER.set(caller)
        return caller

    def check(self, caller: Caller, method: str) -> None:
        """Check that a caller may make a call now, and count it.

        Raises:
            UnauthenticatedError: the method needs a token.
            ForbiddenError: the caller may not use this method.
            QuotaError: the caller has used up calls or search time.
        """
        check_role(caller, method)
        entry = caller.entry
        calls = self._settings.calls_per_minute
        if entry is not None and entry.calls_per_minute is not None:
            calls = entry.calls_per_minute
        if calls:
            self._quotas.take_call(caller.client, calls)
        if method.startswith(SEARCHING):
            self.check_search(caller.client)

    def check_search(self, client: str) -> None:
        """Check that a client has search time left.

        Raises:
            QuotaError: it has none.
        """
        entry = self.identities.tokens.directory.by_name.get(client)
        seconds = self._settings.search_seconds_per_minute
        if entry is not None and entry.search_seconds_per_minute is not None:
            seconds = entry.search_seconds_per_minute
        self._quotas.check_search(client, seconds)

    def stream(self, caller: Caller) -> AbstractContextManager[None]:
        """Count an open stream for the duration of the block.

        Raises:
            OverloadError: the caller, or all together, have too many.
        """
        return self._streams.one_more(caller.client)

    def health_stream(self, context: Context) -> AbstractContextManager[None]:
        """Count a caller that watches the health of the server, for which nobody is named.

        They are counted by themselves, so that they take no streams from those who may call.

        Raises:
            OverloadError: this address, or all together, have too many.
        """
        headers = context.invocation_metadata() or ()
        address = self.identities.address(headers, str(context.peer()))
        return self._health_streams.one_more(address)

    @property
    def num_streams(self) -> int:
        """Open streams of all clients, with those that watch the health."""
        return self._streams.total + self._health_streams.total

    def share_of(self, client: str) -> float:
        """Return the part of slots and queue that a client may use."""
        entry = self.identities.tokens.directory.by_name.get(client)
        share = None if entry is None else entry.share
        return self._settings.client_share if share is None else share
