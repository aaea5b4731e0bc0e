"""The servers of bots that ladders may connect to."""

from __future__ import annotations

from collections.abc import Iterable

from kingmaker.cext.errors import InputError
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.specs import parse_spec

LOOPBACKS = ("127.0.0.1", "localhost", "[::1]")


class AllowList:
    """Addresses that a plan may name: those of the settings, and this server itself.

    Without it, whoever starts a ladder could make the server connect to anything in its network.

    Args:
        patterns: each `host:port`, or `host:*` for all ports.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = {pattern.lower() for pattern in patterns}

    def add_self(self, host: str, port: int) -> None:
        """Add the address of this server."""
        self._patterns |= {f"{each}:{port}" for each in (host.lower(), *LOOPBACKS)}

    def check(self, plan: LadderPlan) -> None:
        """Check the addresses of a plan.

        Raises:
            InputError: it names another one.
        """
        for i, bot in enumerate(plan.bots):
            address = parse_spec(bot.spec).address.lower()
            host = address.rpartition(":")[0]
            if address and self._patterns.isdisjoint({address, f"{host}:*"}):
                raise InputError(
                    f"bot {bot.name} is at {address}, which ladders of this server may not use; "
                    "its operator lists addresses in bot_addresses",
                    field=f"plan.bots[{i}]",
                    value=address,
                )
