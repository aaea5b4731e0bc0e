"""The `kingmaker` command: a thin door to search and server.

One module per command, `app` puts them together. Nothing here knows the rules of a game.
"""

from .app import main

__all__ = ["main"]
