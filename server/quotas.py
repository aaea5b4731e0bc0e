"""What a client may use up in a minute: calls, and seconds of search."""

from __future__ import annotations

import time
from collections import OrderedDict

from .errors import QuotaError

MAX_CLIENTS = 10_000  # remembered; the one that was idle longest is forgotten first
MINUTE = 60.0


class _Bucket:
    """A budget that fills up again within a minute.

    Attributes:
        left: what may be used now; negative: more was used than there was.
    """

    __slots__ = ("_at", "left", "per_minute")

    def __init__(self, per_minute: float, now: float) -> None:
        self.per_minute = per_minute
        self.left = per_minute
        self._at = now

    def fill(self, per_minute: float, now: float) -> None:
        self.left = min(self.left + per_minute * (now - self._at) / MINUTE, per_minute)
        self.per_minute = per_minute
        self._at = now


class Quotas:
    """The use of all clients; on the event loop."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, _Bucket] = OrderedDict()
        self._searches: OrderedDict[str, _Bucket] = OrderedDict()

    def take_call(self, client: str, per_minute: float) -> None:
        """Count a call.

        Raises:
            QuotaError: there were too many.
        """
        bucket = _bucket(self._calls, client, per_minute)
        if bucket.left < 1:
            seconds = (1 - bucket.left) / per_minute * MINUTE
            raise _used_up(client, f"make {per_minute:g} calls", seconds)
        bucket.left -= 1

    def check_search(self, client: str, per_minute: float) -> None:
        """Check that a client has search time left; 0 per minute: no limit.

        Raises:
            QuotaError: it has none.
        """
        if not per_minute:
            self._searches.pop(client, None)
            return
        bucket = _bucket(self._searches, client, per_minute)
        if bucket.left <= 0:
            seconds = max(-bucket.left, 0.01) / per_minute * MINUTE
            raise _used_up(client, f"search for {per_minute:g} seconds", seconds)

    def charge_search(self, client: str, seconds: float) -> None:
        """Count search time, of all threads together, after it was used."""
        bucket = self._searches.get(client)
        if bucket is not None:
            bucket.fill(bucket.per_minute, time.monotonic())
            bucket.left -= seconds


def _used_up(client: str, allowed: str, seconds: float) -> QuotaError:
    message = f"{client} may {allowed} a minute; retry in {max(seconds, 0.1):.1f} s"
    return QuotaError(message, f"client:{client}", seconds)


def _bucket(buckets: OrderedDict[str, _Bucket], client: str, per_minute: float) -> _Bucket:
    now = time.monotonic()
    bucket = buckets.get(client)
    if bucket is None:
        bucket = buckets[client] = _Bucket(per_minute, now)
        if len(buckets) > MAX_CLIENTS:
            buckets.popitem(last=False)
    buckets.move_to_end(client)
    bucket.fill(per_minute, now)
    return bucket
