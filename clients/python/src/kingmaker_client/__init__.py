"""Typed client of Kingmaker, for programs without Kingmaker itself.

>>> import kingmaker_client
>>> with kingmaker_client.Client("127.0.0.1:50051") as client:
...     game = client.start("leduc_poker", seed=1, viewers=[1])
...     seen = client.observe(game.position, game.node.seat)
...     print(client.hint(seen, top=1).suggestions[0].explanation)

`kingmaker_client.v1` has all messages and services of the contract.
"""

from .client import Client
from .errors import KingmakerError, Violation, error_of

__all__ = ["Client", "KingmakerError", "Violation", "error_of"]
