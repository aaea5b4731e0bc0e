"""Decides which searches are so short that a thread would cost more than it saves.

Passing a search to a thread, and its answer back, takes about as long as a search of few
simulations itself. Such a search runs on the event loop if others of its kind have taken little
time.
"""

from __future__ import annotations

from collections.abc import Mapping

from kingmaker.cext.game import Game

MAX_SIMULATIONS = 64  # of a search on the event loop
MAX_SECONDS = 0.0005  # that one may be expected to take
STEP_MS = 1.0  # after which it goes on on a thread, whatever was expected
MAX_NOTED = 0.002  # seconds: a longer one counts as this, as it says no more
SMOOTHING = 0.1  # weight of the latest search in the mean time of its kind
MAX_KINDS = 1 << 10

Kind = str


def kind_of(
    call: str,
    game: Game,
    simulations: int | None,
    threads: int,
    engine: str,
    options: Mapping[str, str],
) -> Kind | None:
    """Return what searches that take about as long have in common; None: never short.

    Args:
        call: what the answer is made for.
        game: the rules.
        simulations: budget of the search; None: no limit.
        threads: of the search.
        engine: its name; empty: the default.
        options: of the engine.
    """
    if simulations is None or simulations > MAX_SIMULATIONS or threads > 1:
        return None
    # As a text, which is hashed only once.
    return repr((call, game.name, *game.options.items(), engine, *options.items()))


class Pace:
    """The time that searches of few simulations have taken lately, answers included.

    It is a mean, as other load now and then makes a search take several times as long.
    """

    def __init__(self) -> None:
        self._seconds: dict[Kind, float] = {}

    def is_short(self, kind: Kind | None) -> bool:
        """Whether a search may run on the event loop; False for the first of its kind."""
        return kind is not None and self._seconds.get(kind, MAX_SECONDS) < MAX_SECONDS

    def note(self, kind: Kind | None, seconds: float) -> None:
        """Record the processor time of a search; from any thread."""
        if kind is None:
            return
        if len(self._seconds) >= MAX_KINDS:
            self._seconds.clear()
        seconds = min(seconds, MAX_NOTED)
        mean = self._seconds.get(kind, seconds)
        self._seconds[kind] = mean + SMOOTHING * (seconds - mean)
