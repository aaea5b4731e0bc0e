"""A review of a game, in pieces of work that may run on any number of threads, in any order.

Every piece has its own seed, so the result does not depend on the threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import perf_counter

import numpy as np

from kingmaker.cext.errors import check_integer, check_kind
from kingmaker.search.analysis import MAX_THREADS
from kingmaker.search.registry import ENGINES, default_engine

from .decisions import (
    Judged,
    decision_of,
    forced_decision,
    is_forced,
    judge,
    second_search,
    value_at_ending,
)
from .games import PlayedGame
from .luck import SPECTATOR, Span, error_scale, luck_of, repeats_of, spans_of
from .model import Chance, Decision, Review, Shares
from .values import Value, values_of

Work = Callable[[], None]
STANDARD = "standard"


class Reviewer:
    """Reviews one game: run all of each `round`, one after the other, then take the `review`.

    Args:
        game: to review.
        effort: name in `EFFORTS`.
        seed: the same one gives the same review; 0 to 2**63 - 1.
        engine: that searches; empty: the default of the game.

    Raises:
        InputError: an argument is out of range, or the engine does not suit the game.
        TypeError: an argument is of a wrong kind.
    """

    def __init__(
        self, game: PlayedGame, *, effort: str = STANDARD, seed: int = 0, engine: str = ""
    ) -> None:
        check_kind("game", game, PlayedGame, "a PlayedGame, as read_games yields it")
        self.game = game
        self._values = values_of(game.start.game, effort, seed, engine)
        self._first: dict[int, Judged] = {}
        self._second: dict[int, Judged] = {}
        self._forced: dict[int, Value] = {}
        self._decisions: dict[int, Decision] = {}
        self._chances: dict[int, Chance] = {}
        self._again: dict[tuple[int, int], Chance] = {}
        self._start: Value | None = None
        self._end: Value | None = None  # before the game was broken off
        self._is_broken_off = bool(game.ending) and not game.positions[-1].is_terminal
        self._began = perf_counter()
        self._spans = spans_of(game)
        self._plies = [ply for ply in range(len(game.tokens)) if not game.positions[ply].is_chance]

    def rounds(self) -> Iterator[list[Work]]:
        """Yield the work in rounds: a round is to be finished before the next one is asked for."""
        yield [
            self._value_start,
            *([self._value_end] if self._is_broken_off else []),
            *(self._luck_work(span) for span in self._spans),
            *self._again_works(),
            *(self._first_work(ply) for ply in self._plies),
        ]
        yield [
            self._second_work(ply)
            for ply, first in self._first.items()
            if first.best != self.game.tokens[ply]
        ]
        yield [self._last_work(ply) for ply in self._plies]

    @property
    def review(self) -> Review:
        """The review; all rounds must be finished."""
        assert self._start is not None
        game = self.game
        decisions = tuple(self._decisions[ply] for ply in sorted(self._decisions))
        chances = self._scaled_chances()
        start, end = self._start, self._end
        if not game.tokens and end is not None:
            start = end
        if not game.start.is_chance and 0 in self._first:  # the value of play is the best one
            start = (self._second.get(0) or self._first[0]).before
        none = np.zeros(game.num_seats)
        luck = sum((np.array(each.luck) for each in chances), none)
        plays = sum((np.array(each.change) for each in decisions), none)
        result = np.array(game.returns)
        ending = none if end is None else result - end.shares
        ending_error = 0.0 if end is None else end.error
        losses = none.copy()
        for each in decisions:
            losses[each.seat - 1] -= each.change[each.seat - 1]
        luck_error = math.hypot(*(each.luck_error for each in chances))
        return Review(
            game=game.start.game.name,
            name=game.name,
            names=game.names,
            options={key: str(value) for key, value in game.start.game.options.items()},
            engine=self._values.engine or default_engine(game.start.game),
            seed=self._values.seed,
            result=game.returns,
            start=_plain(start.shares),
            luck=_plain(luck),
            plays=_plain(plays),
            unseen=_plain(result - start.shares - luck - plays - ending),
            unseen_error=math.hypot(
                start.error, luck_error, ending_error, *self._change_errors(decisions)
            ),
            adjusted=_plain(result - luck),
            adjusted_error=luck_error,
            losses=_plain(losses),
            decisions=decisions,
            chances=chances,
            shares=self._shares(decisions, chances, start),
            seconds=perf_counter() - self._began,
            ending=game.ending if self._is_broken_off else "",
            ending_change=() if end is None else _plain(ending),
            ending_error=ending_error,
        )

    def _change_errors(self, decisions: tuple[Decision, ...]) -> Iterator[float]:
        """Yield errors of all changes, of proven ones too, as estimates before them are no better.

        How much two searches of a decision differ tells how far short ones are to be trusted.
        """
        for each in decisions:
            first, second = self._first.get(each.ply - 1), self._second.get(each.ply - 1)
            differ = abs(first.loss - second.loss) if first and second else 0.0
            if any(each.change):
                yield max(each.change_error, differ / 2)

    def _value_start(self) -> None:
        """Value the start on the observation of a spectator: nobody has seen anything yet."""
        self._start = self._values.mean(self.game.start, SPECTATOR, "start")

    def _value_end(self) -> None:
        self._end = value_at_ending(self.game, self._values)

    def _luck_work(self, span: Span) -> Work:
        def work() -> None:
            self._chances[span.first] = luck_of(self.game, span, self._values)

        return work

    def _again_works(self) -> Iterator[Work]:
        """Yield the work of measuring luck again, to know how much it varies."""
        # Those values don't vary that come from looking all moves up to a depth.
        engine = self._values.engine or default_engine(self.game.start.game)
        if ENGINES[engine].is_by_depth:
            return
        for span, times in repeats_of(self._spans).items():
            for number in range(times):
                yield self._again_work(span, number)

    def _again_work(self, span: Span, number: int) -> Work:
        def work() -> None:
            luck = luck_of(self.game, span, self._values.again(number))
            self._again[span.first, number] = luck

        return work

    def _scaled_chances(self) -> tuple[Chance, ...]:
        """List the luck in order, with the errors that measuring it again has shown."""
        by_ply: dict[int, list[Chance]] = {}
        for (ply, _), again in sorted(self._again.items()):
            by_ply.setdefault(ply, [self._chances[ply]]).append(again)
        scale = error_scale(list(by_ply.values()))
        chances = (self._chances[ply] for ply in sorted(self._chances))
        return tuple(replace(each, luck_error=scale * each.luck_error) for each in chances)

    def _first_work(self, ply: int) -> Work:
        def work() -> None:
            position = self.game.positions[ply]
            if is_forced(position):
                self._forced[ply] = self._values.value(position, position.seat, "forced", ply)
            else:
                simulations = self._values.effort.decision
                self._first[ply] = judge(self.game, ply, self._values, simulations)

        return work

    def _second_work(self, ply: int) -> Work:
        def work() -> None:
            second = second_search(self.game, ply, self._values, self._first[ply])
            if second is not None:
                self._second[ply] = second

        return work

    def _last_work(self, ply: int) -> Work:
        def work() -> None:
            if ply in self._forced:
                self._decisions[ply] = forced_decision(self.game, ply, self._forced[ply])
            else:
                self._decisions[ply] = decision_of(
                    self.game, ply, self._values, self._first[ply], self._second.get(ply)
                )

        return work

    def _shares(
        self, decisions: tuple[Decision, ...], chances: tuple[Chance, ...], start: Value
    ) -> tuple[Shares, ...]:
        """List the expected shares after each ply; the last ones are the result.

        If the game was broken off, the result follows the value of the last position, and the step
        between them is what that changed.
        """
        shares = [start.shares]
        by_ply: dict[int, Decision | Chance] = {each.ply: each for each in decisions}
        by_ply |= {each.ply: each for each in chances}
        for ply in range(1, len(self.game.tokens) + 1):
            each = by_ply.get(ply)
            if isinstance(each, Decision):
                shares.append(np.array(each.after))
            elif isinstance(each, Chance):
                shares.append(shares[-1] + np.array(each.luck))
            else:  # within outcomes that are judged together
                shares.append(shares[-1])
        before_result = shares[:-1] if self._end is None else [*shares[:-1], self._end.shares]
        return (*map(_bounded, before_result), self.game.returns)


def _bounded(shares: np.ndarray) -> Shares:
    """Return win shares as such: a value with luck added to it may be below 0."""
    least = np.maximum(shares, 0.0)
    return _plain(least / least.sum())


def _plain(shares: np.ndarray) -> Shares:
    return tuple(float(share) for share in shares)


def review_game(
    game: PlayedGame,
    *,
    effort: str = STANDARD,
    seed: int = 0,
    engine: str = "",
    threads: int = 1,
    watch: Callable[[int, int], None] | None = None,
) -> Review:
    """Review a game.

    Args:
        game: to review.
        effort: name in `EFFORTS`.
        seed: the same one gives the same review.
        engine: that searches; empty: the default of the game.
        threads: to work on; the result does not depend on them.
        watch: called with the pieces of work done and known so far, in this thread.

    Raises:
        InputError: as in `Reviewer`.
        TypeError: as in `Reviewer`.
    """
    check_integer("threads", threads, 1, MAX_THREADS)
    reviewer = Reviewer(game, effort=effort, seed=seed, engine=engine)
    done = known = 0
    with ThreadPoolExecutor(threads, "review") as pool:
        for works in reviewer.rounds():
            known += len(works)
            for _ in pool.map(lambda work: work(), works):
                done += 1
                if watch is not None:
                    watch(done, known)
    return reviewer.review
