"""The `kingmaker` command: a thin layer over search, server and ladder.

One module per command; `app` registers them. No module here knows the rules of a game.
"""

import sys

INTERRUPTED = 130
"""Exit code after Ctrl-C, as of shells: 128 and the number of the signal."""


def main() -> None:
    """Run the command line; Ctrl-C ends it quietly, even while its modules are loaded."""
    try:
        from .app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
