"""The `kingmaker` command: a thin layer over search, server and ladder.

One module per command; `app` registers them. No module here knows the rules of a game.
"""

from .app import main

__all__ = ["main"]
