"""What stands before every call: who calls, whether they may, and how much they have used up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import OverloadError
from .identity import CALLER, Caller, Context, Identities, check_role
from .quotas import Quotas
from .roles import AGENTS
from .settings import ServerSettings

SEARCHING = ("/kingmaker.v1.AnalysisService/", "/kingmaker.v1.BatchService/CreateBatch", AGENTS)
RETRY_SECONDS = 1.0


class Gate:
    """The checks of calls before their requests are read; on the event loop.

    Args:
        settings: of the server.

    Raises:
        InputError: the file of tokens can't be read.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.identities = Identities(settings)
        self._settings = settings
        self._quotas = Quotas()
        self._streams: Counter[str] = Counter()

    def identify(self, context: Context) -> Caller:
        """Find out who calls, and make it known as `CALLER`.

        Raises:
            UnauthenticatedError: the token is not valid.
        """
        caller = self.identities.identify(context)
        CALLER.set(caller)
        return caller

    def passer_by(self, context: Context) -> Caller:
        """Return a caller without name and roles, only to count it."""
        return Caller("", self.identities.address(context), frozenset())

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

    @contextmanager
    def stream(self, caller: Caller) -> Iterator[None]:
        """Count an open stream.

        Raises:
            OverloadError: the caller, or all together, have too many.
        """
        limit = self._settings.max_client_streams
        if self._streams[caller.client] >= limit:
            raise OverloadError(
                f"{caller.client} has {limit} open streams, which is its limit; close one of them",
                f"client:{caller.client}",
                RETRY_SECONDS,
            )
        if self._streams.total() >= self._settings.max_streams:
            raise OverloadError(
                "there are too many open streams; retry later", "streams", RETRY_SECONDS
            )
        self._streams[caller.client] += 1
        try:
            yield
        finally:
            self._streams[caller.client] -= 1
            if not self._streams[caller.client]:
                del self._streams[caller.client]

    @property
    def num_streams(self) -> int:
        """Open streams of all clients."""
        return self._streams.total()

    def charge(self, client: str, seconds: float) -> None:
        """Count search time that a client has used, of all threads together."""
        self._quotas.charge_search(client, seconds)

    def share_of(self, client: str) -> float:
        """Return the part of slots and queue that a client may use."""
        entry = self.identities.tokens.directory.by_name.get(client)
        share = None if entry is None else entry.share
        return self._settings.client_share if share is None else share
