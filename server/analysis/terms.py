"""What calls ask of their searches, the position and the seed aside: budget, engine and threads.

Clients ask for the same again and again, with another position in each call. So terms are kept by
the bytes of what is left of a request without position and seed: whatever comes to be among its
fields, two requests with other terms are never taken for one.
"""

from __future__ import annotations

from typing import Any

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.search.levels import level_budget, level_of
from kingmaker.search.plan import check_engine
from kingmaker.v1 import analysis_service_pb2 as pb

from ..errors import Problems
from ..limits import MAX_OPTIONS, check_count
from ..pool.lines import Claim
from ..pool.pace import kind_of
from ..settings import ServerSettings
from .allowances import Allowance
from .budgets import Wish, allow, patience, read_wish
from .jobs import SearchJob

MAX_KEPT = 1 << 8
MAX_KEPT_BYTES = 1 << 9  # of what is left of a request; most have a few dozen


class Terms:
    """What one or more calls ask of their searches.

    Args:
        job: what is asked of the search.
        game: the rules, with their options.
        wish: the caller's limits.
        threads: of the search.
        engine: its name; empty: the default of the game.
        options: of the engine.
        level: playing strength; None: the search is not for a move.
        settings: of the server.

    Attributes:
        kind: what searches that take about as long have in common; None: they are not short.
    """

    def __init__(
        self,
        job: type[SearchJob[Any]],
        game: Game,
        wish: Wish,
        threads: int,
        engine: str,
        options: dict[str, str],
        level: int | None,
        settings: ServerSettings,
    ) -> None:
        self._is_stream = job.is_stream
        self._game = game
        self._wish = wish
        self._level = None if level is None else level_of(game, level)
        self._settings = settings
        self.threads = threads
        self.engine = engine
        self.options = options
        self._without_deadline = self._allow(None)
        budget = self._without_deadline.budget
        assert budget.milliseconds is not None
        self._seconds = budget.milliseconds / 1000
        self._patience = patience(self._seconds, settings, None)
        self.kind = (
            kind_of(job.__name__, game, budget.simulations, threads, engine, options)
            if job.may_be_short
            else None
        )

    def claim(self, client: str, remaining_seconds: float | None) -> Claim:
        """Say what a call of a client asks of the slots.

        Args:
            client: that calls.
            remaining_seconds: time until the deadline; None: no deadline.
        """
        return Claim(
            client,
            self.threads,
            self._is_stream,
            self._seconds,
            self._patience
            if remaining_seconds is None
            else patience(self._seconds, self._settings, remaining_seconds),
            self._without_deadline.budget.memory_bytes,
        )

    def allowance(self, remaining_seconds: float | None) -> Allowance:
        """Return the effective budget of a search that begins now.

        Raises:
            DeadlineError: the deadline has passed.
        """
        if remaining_seconds is None:
            return self._without_deadline
        return self._allow(remaining_seconds)

    def _allow(self, remaining_seconds: float | None) -> Allowance:
        allowance = allow(self._wish, self._settings, remaining_seconds, is_stream=self._is_stream)
        if self._level is None:
            return allowance
        budget = level_budget(self._game, allowance.budget, self._level, self.engine)
        return allowance._replace(budget=budget)


class TermsReader:
    """Reads the terms of requests.

    Args:
        settings: of the server.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._kept: dict[tuple[type[SearchJob[Any]], Game | None, int | None, bytes], Terms] = {}

    def read(
        self,
        job: type[SearchJob[Any]],
        rest: pb.Search,
        game: Game | None,
        level: int | None,
        problems: Problems,
    ) -> Terms | None:
        """Read terms.

        Args:
            job: what is asked of the search.
            rest: the request, without position and seed.
            game: of the position; None: that is wrong.
            level: playing strength; None: the search is not for a move.
            problems: mistakes in other fields, to which those in these are added.

        Returns:
            None if there are mistakes.
        """
        key = (job, game, level, rest.SerializeToString())
        if terms := self._kept.get(key):
            return terms
        wish = read_wish(rest.budget, problems)
        threads = _read_threads(rest, self._settings, problems)
        options = _read_options(rest, problems)
        if game is not None:
            with problems.at(""):
                check_engine(game, rest.engine, options)
        if game is None or problems:
            return None
        terms = Terms(job, game, wish, threads, rest.engine, options, level, self._settings)
        if len(key[-1]) <= MAX_KEPT_BYTES:
            self._kept[key] = terms
            if len(self._kept) > MAX_KEPT:
                del self._kept[next(iter(self._kept))]
        return terms


def _read_threads(request: pb.Search, settings: ServerSettings, problems: Problems) -> int:
    threads = request.threads
    if threads < 0:
        with problems.at("threads"):
            raise InputError(f"threads is {threads}; it must not be negative", value=str(threads))
    return max(1, min(threads, settings.max_threads, settings.slots))


def _read_options(request: pb.Search, problems: Problems) -> dict[str, str]:
    options = request.engine_options
    with problems.at("engine_options"):
        check_count(options, MAX_OPTIONS, "options")
        return dict(options)
    return {}
