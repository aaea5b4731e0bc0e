"""Games in hindsight, and bots against each other: `review` and `compare_bots`."""

from __future__ import annotations

import math
import secrets
import statistics
import time

from pydantic import BaseModel, Field

from kingmaker.cext.errors import InputError, StateError
from kingmaker.review.games import PlayedGame, played, read_games
from kingmaker.review.model import Review
from kingmaker.review.review import Reviewer
from kingmaker.review.words import grade_counts, judgement, luckiest, points, verdict
from kingmaker.search.analysis import Budget
from kingmaker.search.draws import digest, settle_by_seed
from kingmaker.search.levels import choose_move
from kingmaker.search.position import Position, new_game
from kingmaker.search.record import observe_with_record

from .play import Desk
from .seals import SEED_BITS, Match, is_sealed, retold

MAX_RECORD = 1 << 20
"""Characters of a record."""
MAX_PLIES = 5000
MAX_WORST, MAX_LUCKY = 10, 5
MAX_GAMES = 100
MIN_GROUPS = 2
MAX_SECONDS = 30
"""Of a review or comparison."""


class Mistake(BaseModel):
    """A move that was worse than another."""

    ply: int = Field(description="Number of the move or outcome, from 1.")
    seat: int
    move: str
    grade: str
    best: str = Field(description="The best move for what the seat saw.")
    loss: float = Field(description="Win share that it cost, 0 to 1.")
    explanation: str


class Hindsight(BaseModel):
    """A finished game, divided into luck and play."""

    result: list[float] = Field(description="Win share of each seat.")
    verdicts: list[str] = Field(description="What the result of each seat is made of.")
    grades: list[str] = Field(description="How many moves of each seat were how good.")
    mistakes: list[Mistake] = Field(description="The most costly moves, the worst first.")
    luck: list[str] = Field(description="The outcomes that mattered most.")


class Comparison(BaseModel):
    """The result of one bot at a table of another."""

    share: float = Field(description="Mean win share of the first bot; `par` if they are equal.")
    par: float
    standard_error: float = Field(description="Of `share`, over deals.")
    games: int = Field(description="Games played: each deal once from every seat.")


class Coach:
    """Reviews of sealed games that are over and of records; comparisons of levels.

    Args:
        desk: where the games were played.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def review(self, subject: str) -> Hindsight:
        """Review a game."""
        if is_sealed(subject):
            game = _replayed(self._desk.sealer.open(subject))
        else:
            game = _recorded(subject)
        reviewer = Reviewer(game, effort="quick")
        end = time.monotonic() + MAX_SECONDS
        for works in reviewer.rounds():
            for work in works:
                work()
                if time.monotonic() >= end:
                    raise InputError(
                        f"the review of this game takes more than {MAX_SECONDS} s, which is the "
                        "limit here; the command `kingmaker review` has none",
                        field="subject",
                    )
        return _hindsight(reviewer.review)

    def compare_bots(
        self, name: str, first: int, second: int, games: int, simulations: int
    ) -> Comparison:
        """Seat a level with others of another level, the same deals from every seat."""
        if not 1 <= games <= MAX_GAMES:
            raise InputError(
                f"games is {games}; it must be 1 to {MAX_GAMES}", field="games", value=str(games)
            )
        start = new_game(name)
        budget = Budget(simulations=min(simulations, self._desk.rules.max_simulations))
        end = time.monotonic() + MAX_SECONDS
        seed = secrets.randbits(SEED_BITS)
        shares: list[float] = []
        while len(shares) < max(MIN_GROUPS, math.ceil(games / start.num_seats)):
            levels = [[second] * start.num_seats for _ in range(start.num_seats)]
            for seat, each in enumerate(levels):
                each[seat] = first
            deal = digest("deal", seed, len(shares))
            ends = [_play(start, each, budget, deal) for each in levels]
            shares.append(statistics.fmean(ends[seat][seat] for seat in range(start.num_seats)))
            if time.monotonic() >= end and len(shares) >= MIN_GROUPS:
                break
        return Comparison(
            share=statistics.fmean(shares),
            par=1 / start.num_seats,
            standard_error=statistics.stdev(shares) / math.sqrt(len(shares)),
            games=len(shares) * start.num_seats,
        )


def _replayed(match: Match) -> PlayedGame:
    """Play a sealed game through again: the moves are in the seal, chance follows from its seed."""
    if not match.position.is_terminal:
        raise StateError("the game is not over; use hint or analyze", field="subject")
    start, tokens = retold(match)
    options = {key: str(value) for key, value in start.game.options.items()}
    return played(start.game.name, tokens, options)


def _recorded(record: str) -> PlayedGame:
    if len(record) > MAX_RECORD:
        raise InputError(f"the record is longer than {MAX_RECORD} characters", field="subject")
    games = list(read_games(record.splitlines(keepends=True)))
    if len(games) != 1:
        raise InputError(f"the record has {len(games)} games; give one", field="subject")
    if len(games[0].tokens) > MAX_PLIES:
        raise InputError(f"the game is longer than {MAX_PLIES} plies", field="subject")
    return games[0]


def _hindsight(review: Review) -> Hindsight:
    seats = range(1, len(review.result) + 1)
    return Hindsight(
        result=list(review.result),
        verdicts=[verdict(review, seat) for seat in seats],
        grades=[f"p{seat}: {grade_counts(review, seat)}" for seat in seats],
        mistakes=[
            Mistake(
                ply=each.ply,
                seat=each.seat,
                move=each.move,
                grade=each.grade.value,
                best=each.best,
                loss=each.loss,
                explanation=judgement(each),
            )
            for each in review.worst(MAX_WORST)
        ],
        luck=[
            f"ply {each.ply}: {each.words} "
            f"({', '.join(f'p{seat} {points(each.luck[seat - 1])}' for seat in seats)})"
            for each in luckiest(review, MAX_LUCKY)
        ],
    )


def _play(start: Position, levels: list[int], budget: Budget, seed: int) -> list[float]:
    """Play a game between levels, by seat; chance follows from the seed."""
    position, tokens = settle_by_seed(start, seed)
    while not position.is_terminal:
        seen, level = observe_with_record(start, tokens, position), levels[position.seat - 1]
        bot_seed = digest("bot", seed, level, position.text)
        token = choose_move(seen, budget, level=level, seed=bot_seed)
        position, drawn = settle_by_seed(position.apply(token), seed)
        tokens += [token, *drawn]
    return position.returns()
