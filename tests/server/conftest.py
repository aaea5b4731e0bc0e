from collections.abc import AsyncIterator

import pytest_asyncio

from .support import Service, serving


@pytest_asyncio.fixture
async def service() -> AsyncIterator[Service]:
    """A server with two slots, in the event loop of the test."""
    async with serving(slots=2, client_share=1.0) as running:
        yield running
