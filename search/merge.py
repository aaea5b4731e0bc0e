"""Adds up the statistics of the searches on several threads."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence

from kingmaker.cext.game import Game

from .analysis import Bound, MoveAnalysis, Reply
from .position import Observation
from .searcher import Searcher

MAX_REPLIES = 12
MIN_REPLIED, MIN_REPLIED_SHARE = 20, 0.1
"""Replies to a move are listed if this many of its simulations, and this part of them, include a
reply: the few that do in a wide tree are a biased sample."""
WITHIN = 1.96
"""Standard errors around a value that contain the true one in 95 % of cases."""
MIN_PROBABILITY = 0.01
"""Moves of a mixed policy below this part of the likeliest move's probability are dropped."""
EXAMINED_VISITS, EXAMINED_PART, LEAST_VISITS = 10, 0.1, 2
"""A move is examined with this many visits, or with this part of those of the most visited move,
but not with fewer than the last number: without a proof its average says nothing."""
REPLIED = (-1, 0)
"""Key among the replies that counts all simulations with a reply."""


def policy_of(
    observation: Observation, searchers: Sequence[Searcher], moves: Sequence[MoveAnalysis]
) -> tuple[float, ...]:
    """Return the probability of playing each of the ranked `moves`.

    It is 1 for the best move unless the search mixes; then it is the average over the searches, and
    moves much less likely than others are dropped, as they remain from the initial uniform policy.
    So are moves that are worse than another one by more than the errors of the values: each search
    has dropped its own, but an average may prefer what all of them together call worse.
    """
    mixed = [policy for each in searchers if (policy := each.root_policy())]
    if not mixed or not moves:
        return tuple(float(rank == 0) for rank in range(len(moves)))
    numbers = [observation.game.parse_move(move.move) for move in moves]
    weights = [sum(policy[number] for policy in mixed) for number in numbers]
    if len(mixed) > 1:
        weights = _without_worse(weights, moves, observation.seat - 1)
    floor = MIN_PROBABILITY * max(weights)
    weights = [weight if weight >= floor else 0.0 for weight in weights]
    return tuple(weight / sum(weights) for weight in weights)


def _without_worse(
    weights: Sequence[float], moves: Sequence[MoveAnalysis], seat: int
) -> list[float]:
    kept = [
        weight
        if all(
            other.values[seat] - move.values[seat]
            <= WITHIN * math.hypot(other.standard_error, move.standard_error)
            for other in moves
            if other.is_examined
        )
        else 0.0
        for weight, move in zip(weights, moves, strict=True)
    ]
    return kept if any(kept) else list(weights)


def bound_of(searchers: Sequence[Searcher], is_exact: bool) -> Bound:
    """Return the bound of the values: that of a single search, else EXACT if any has a proof."""
    if is_exact:
        return Bound.EXACT
    known = searchers[0].bound if len(searchers) == 1 else None
    return known or Bound.HEURISTIC


def fusion_risk_of(moves: Sequence[MoveAnalysis]) -> float:
    """Return the part of worlds in which the first move isn't among the best; 0 without worlds."""
    world_share = moves[0].world_share if moves else None
    return 0.0 if world_share is None else 1 - world_share


def merge(
    observation: Observation,
    searchers: Sequence[Searcher],
    *,
    by_value: bool = False,
    replies: bool = True,
    mixes: bool = False,
) -> tuple[tuple[MoveAnalysis, ...], tuple[float, ...], bool]:
    """Add up statistics in the order of the searchers.

    Args:
        observation: that of the search.
        searchers: one for each thread.
        by_value: whether moves rank by value alone, as all were searched equally.
        replies: whether to gather the replies of rivals.
        mixes: whether the searchers mix; then each counts once in the value of a move.

    Returns:
        The observer's legal moves, the best first (none if another seat decides); the expected win
        share of each seat; whether that is proven.
    """
    visits, sums, proof = 0, [0.0] * observation.num_seats, None
    for searcher in searchers:
        more_visits, more_sums, is_exact = searcher.root_values()
        visits += more_visits
        sums = _added(sums, more_sums)
        if is_exact:
            proof = _divided(more_sums, more_visits)
    moves = _ranked(
        _moves(observation, searchers, with_replies=replies, mixes=mixes),
        observation.seat - 1,
        by_value=by_value,
    )
    if proof is not None:
        return moves, proof, True
    if moves and moves[0].visits:
        return moves, moves[0].values, False
    if visits:
        return moves, _divided(sums, visits), False
    return moves, _even(observation.num_seats), False


def _moves(
    observation: Observation, searchers: Sequence[Searcher], *, with_replies: bool, mixes: bool
) -> tuple[MoveAnalysis, ...]:
    if observation.seat == 0 or observation.seat != observation.observer:
        return ()
    game = observation.game
    totals = {move: _MoveTotal() for move in game.moves_of(observation.state)}
    for searcher in searchers:
        # Trees that mix stand at different levels of value, so what one visits most must not weigh
        # most: each counts once, as in the average of their policies.
        weight = 1 if mixes else None
        for move, visits, sums, variance, is_exact, line in searcher.root_moves():
            totals[move].add(visits, sums, variance, is_exact, line, weight)
        for move, replies in searcher.replies().items() if with_replies else ():
            totals[move].add_replies(replies)
        for move, worlds in searcher.best_worlds().items():
            totals[move].best_worlds = worlds + (totals[move].best_worlds or 0)
    all_visits = [total.visits for total in totals.values()]
    num_visits = sum(all_visits)
    least = _least_examined(max(all_visits))
    if searchers[0].bound is not None:  # by evaluations at some depth, which don't vary
        least = 1
    # A search that ended before its first simulation has no values.
    unvisited_share = 0.0 if num_visits else 1 / len(totals)
    even = _even(observation.num_seats)
    return tuple(
        [
            total.analysis(game, move, num_visits, least)
            if total.visits
            else _unvisited(game.move_text(move), unvisited_share, even)
            for move, total in totals.items()
        ]
    )


def _even(num_seats: int) -> tuple[float, ...]:
    return (1 / num_seats,) * num_seats


def _unvisited(text: str, share: float, values: tuple[float, ...]) -> MoveAnalysis:
    return MoveAnalysis(text, 0, share, values, 0.5, (text,), is_examined=False)


def _least_examined(most_visits: int) -> float:
    """Return the visits from which on an estimated move counts as examined."""
    return max(LEAST_VISITS, min(EXAMINED_VISITS, EXAMINED_PART * most_visits))


def _ranked(
    moves: Sequence[MoveAnalysis], seat: int, *, by_value: bool
) -> tuple[MoveAnalysis, ...]:
    """Rank the moves, the best first.

    Proven wins come first and proven losses last. Estimates rank by visits, which is robust against
    lucky averages, or by value if all moves were searched equally; another proven move comes before
    the first estimate that is no better. Moves that were hardly examined follow. Of several wins
    that with the shortest line is the first, of several losses that with the longest; if all moves
    were searched equally, that with the fewest states below, and with the most.
    """

    def rank(move: MoveAnalysis) -> tuple[float, ...]:
        value = move.values[seat]
        if move.is_exact:
            haste = (value >= 1) - (value <= 0)
            length = move.visits if by_value else len(move.line)  # the line of a table has gaps
            return (-value, haste * length, -move.visits)
        return (-value,) if by_value else (-move.visits, -value)

    wins: list[MoveAnalysis] = []
    proven: list[MoveAnalysis] = []
    estimated: list[MoveAnalysis] = []
    unexamined: list[MoveAnalysis] = []
    losses: list[MoveAnalysis] = []
    for move in sorted(moves, key=rank):
        if move.is_exact:
            value = move.values[seat]
            (wins if value >= 1 else proven if value > 0 else losses).append(move)
        else:
            is_ranked = move.visits > 0 if by_value else move.is_examined
            (estimated if is_ranked else unexamined).append(move)
    return (*wins, *_woven(proven, estimated, seat), *unexamined, *losses)


def _woven(
    proven: Sequence[MoveAnalysis], estimated: Sequence[MoveAnalysis], seat: int
) -> Iterator[MoveAnalysis]:
    """Yield the estimated moves in their order, each after the proven ones that are as good."""
    left = deque(proven)
    for estimate in estimated:
        while left and left[0].values[seat] >= estimate.values[seat]:
            yield left.popleft()
        yield estimate
    yield from left


def _added(first: Sequence[float], second: Sequence[float]) -> list[float]:
    return [a + b for a, b in zip(first, second, strict=True)]


def _divided(sums: Sequence[float], visits: int) -> tuple[float, ...]:
    return tuple([each / visits for each in sums])


class _MoveTotal:
    """Statistics of one root move, added up over the searchers."""

    __slots__ = (
        *("best_worlds", "line", "line_visits", "proof", "replies", "sums", "variance", "visits"),
        "weight",
    )

    def __init__(self) -> None:
        self.visits = 0
        self.weight = 0
        self.sums: Sequence[float] = ()
        self.variance = 0.0
        self.proof: tuple[float, ...] | None = None
        self.line: list[int] = []
        self.line_visits = 0
        self.replies: dict[tuple[int, int], list[float]] = {}
        self.best_worlds: int | None = None

    def add(
        self,
        visits: int,
        sums: list[float],
        variance: float,
        is_exact: bool,
        line: list[int],
        weight: int | None,
    ) -> None:
        """Add those of a searcher; `weight` is that of its values, by default its visits."""
        self.visits += visits
        if visits:
            weight = weight or visits
            self.weight += weight
            if weight != visits:
                sums = [each * weight / visits for each in sums]
            self.sums = _added(self.sums, sums) if self.sums else sums
            self.variance += weight * weight * variance
        if is_exact:
            self.proof = _divided(sums, visits)
        if visits > self.line_visits:
            self.line, self.line_visits = line, visits

    def add_replies(self, replies: dict[tuple[int, int], list[float]]) -> None:
        for key, (visits, total) in replies.items():
            entry = self.replies.setdefault(key, [0.0, 0.0])
            entry[0] += visits
            entry[1] += total

    def analysis(
        self, game: Game, move: int, num_visits: int, least_examined: float
    ) -> MoveAnalysis:
        """Return the statistics of a move with visits."""
        values = self.proof or _divided(self.sums, self.weight)
        is_examined = self.proof is not None or self.visits >= least_examined
        error = 0.0 if self.proof else min(0.5, math.sqrt(self.variance) / self.weight)
        return MoveAnalysis(
            move=game.move_text(move),
            visits=self.visits,
            visit_share=self.visits / num_visits,
            values=values,
            standard_error=error,
            line=tuple(game.move_text(each) for each in self.line),
            replies=self._most_frequent(game) if self.replies else (),
            is_exact=self.proof is not None,
            world_share=None if self.best_worlds is None else self.best_worlds / self.visits,
            is_examined=is_examined,
        )

    def _most_frequent(self, game: Game) -> tuple[Reply, ...]:
        num_replied = self.replies.pop(REPLIED, [0.0, 0.0])[0]
        if num_replied < max(MIN_REPLIED, MIN_REPLIED_SHARE * self.visits):
            return ()
        replies = sorted(self.replies.items(), key=lambda item: (-item[1][0], item[0]))
        return tuple(
            Reply(mover + 1, game.move_text(reply), visits / num_replied, total / visits)
            for (mover, reply), (visits, total) in replies[:MAX_REPLIES]
        )
