"""The result of a review, as plain data; docs/review.md has the definitions.

All win shares are of every seat, `[num_seats]`. Changes of win shares sum to 0 over the seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kingmaker.search.analysis import Analysis

Shares = tuple[float, ...]

SIGNIFICANT = 2.58
"""Standard errors by which a loss must exceed 0 to count: by chance one in a hundred does."""


class Grade(Enum):
    """How good a move was on what its seat saw."""

    FORCED = "forced"
    """The only legal move."""
    BEST = "best"
    """No move is better, or the policy of the search plays it."""
    GOOD = "good"
    """Its loss is small, or not larger than its error."""
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


THRESHOLDS = (
    (Grade.BLUNDER, 0.10),
    (Grade.MISTAKE, 0.05),
    (Grade.INACCURACY, 0.02),
)
"""Least loss of each grade, in win shares, the worst first."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a seat.

    Attributes:
        ply: its number, from 1.
        seat: that decided.
        move: token of the move played.
        words: the move in words that fit what the seat saw.
        observation: what the seat saw, as a line.
        best: token of the best move on what the seat saw; equal to `move` if that was as good.
        best_words: that move in such words.
        grade: of the move.
        before: expected win shares after the best move.
        after: expected win shares after the move played.
        loss: of the seat, in win shares: never negative; 0 for the best move.
        loss_error: its standard error.
        change: estimate without bias of what the move changed against the best one, for sums over
            a game: of the mover it may be above 0.
        change_error: standard error of that, for the mover.
        open_best: token of the best move with all cards known; "" if nothing was hidden, the move
            was forced, or it is the best move as well.
        open_words: that move in words that fit what the seat saw; "" without one.
        open_gain: win shares that it would have gained over `best`; 0 if not significant.
        open_error: standard error of that.
        reason: why the best move is better, in a sentence or two; "" unless the grade is worse
            than good.
        analysis: of the search, on what the seat saw; None for a forced move.
        is_deep: whether the second pass looked at it as well.
    """

    ply: int
    seat: int
    move: str
    words: str
    observation: str
    best: str
    best_words: str
    grade: Grade
    before: Shares
    after: Shares
    loss: float
    loss_error: float
    change: Shares
    change_error: float
    open_best: str
    open_words: str
    open_gain: float
    open_error: float
    reason: str
    analysis: Analysis | None
    is_deep: bool


@dataclass(frozen=True, slots=True)
class Chance:
    """Outcomes of chance with nothing between them, such as a roll, a drawn card or the deal.

    Attributes:
        ply: number of the first one, from 1.
        tokens: of all of them.
        words: what happened, with everything open.
        seats: the seats that alone saw something of it; empty: everybody saw the same.
        luck: change of the win shares against the mean of what could have happened.
        luck_error: its standard error, for the seat with the largest one, by other draws.
    """

    ply: int
    tokens: tuple[str, ...]
    words: str
    seats: tuple[int, ...]
    luck: Shares
    luck_error: float


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game.

    For each seat: result = start + luck + plays + ending_change + unseen, exactly.

    Attributes:
        game: its name.
        name: of this game; may be empty.
        names: who sat where; may be empty.
        options: of the game.
        engine: that searched.
        seed: of the review; the same seed gives the same review.
        result: win shares at the end.
        start: expected win shares before the first ply.
        luck: sum over `chances`.
        plays: sum over `decisions` of `change`: what a seat lost by its own, and what it gained by
            those of others.
        unseen: the rest: what a seat knew that the one before it did not, and errors of the values.
        unseen_error: standard error of `unseen` by the errors of the values alone.
        adjusted: luck-adjusted result, `result - luck`.
        adjusted_error: standard error that the estimate of luck adds to it.
        losses: what each seat lost by its own decisions, by the sum of `change`: an estimate
            without bias, which may be below 0, and not the sum of losses, which never are.
        decisions: in order.
        chances: in order.
        shares: expected win shares after each ply, `[num_plies + 1]`, the start first; then the
            result, if there is an `ending_change`.
        seconds: that the review took.
        ending: how the game was broken off, in a word; empty: by its rules, or it is not known.
        ending_change: what that changed, the result less the value of the last position; empty:
            there is no `ending`, or the moves end the game.
        ending_error: standard error of that; `unseen_error` has it as well.
    """

    game: str
    name: str
    names: tuple[str, ...]
    options: dict[str, str]
    engine: str
    seed: int
    result: Shares
    start: Shares
    luck: Shares
    plays: Shares
    unseen: Shares
    unseen_error: float
    adjusted: Shares
    adjusted_error: float
    losses: Shares
    decisions: tuple[Decision, ...]
    chances: tuple[Chance, ...]
    shares: tuple[Shares, ...]
    seconds: float
    ending: str = ""
    ending_change: Shares = ()
    ending_error: float = 0.0

    def worst(self, number: int) -> list[Decision]:
        """Return the decisions graded worse than good with the largest losses, largest first."""
        bad = [decision for decision in self.decisions if is_bad(decision.grade)]
        return sorted(bad, key=lambda decision: (-decision.loss, decision.ply))[:number]


def is_bad(grade: Grade) -> bool:
    """Whether a grade is worse than good."""
    return any(grade is each for each, _ in THRESHOLDS)


def grade_of(loss: float, error: float) -> Grade:
    """Grade a move that is not the best: by its loss, if that is significant."""
    if loss <= SIGNIFICANT * error:
        return Grade.GOOD
    return next((grade for grade, least in THRESHOLDS if loss >= least), Grade.GOOD)
