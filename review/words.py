"""A review in words and as plain data."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from typing import Any

from kingmaker.cext.words import counted
from kingmaker.ladder.words import percent_text

from .model import Chance, Decision, Grade, Review

NOTICEABLE = 0.01
"""Smaller changes of the win share are not mentioned."""
ENDINGS = {
    "resigned": "resigned",
    "timed_out": "lost on time",
    "drawn": "drawn by agreement",
    "abandoned": "abandoned",
    "crashed": "bot crashed",
    "illegal": "illegal move",
    "cut": "cut off",
}
"""How games are broken off, in the word of their records and in those of a review."""


def points(change: float) -> str:
    """Format a change of a win share in points of a hundred, with its sign."""
    return f"{round(100 * change, 1) + 0.0:+.1f}"


def seat_name(review: Review, seat: int) -> str:
    """Return the name of a seat, with its player's if that is known."""
    return f"p{seat} {review.names[seat - 1]}" if review.names else f"p{seat}"


def ending_words(review: Review) -> str:
    """Name what broke the game off and so changed the win shares; "" if nothing did."""
    return ENDINGS.get(review.ending, review.ending) if review.ending_change else ""


def verdict(review: Review, seat: int) -> str:
    """Say in a sentence what the result of a seat is made of."""
    i = seat - 1
    own, others = -review.losses[i], review.plays[i] + review.losses[i]
    how = ending_words(review)
    ending = f"{how} {points(review.ending_change[i])}, " if how else ""
    return (
        f"{seat_name(review, seat)}: {percent_text(review.result[i])} = "
        f"{percent_text(review.start[i])} expected at the start, luck {points(review.luck[i])}, "
        f"own moves {points(own)}, others' moves {points(others)}, {ending}"
        f"unseen cards and errors {points(review.unseen[i])} (± {100 * review.unseen_error:.1f}); "
        f"without luck {percent_text(review.adjusted[i])}"
    )


def judgement(decision: Decision) -> str:
    """Say what a move cost, and what its seat could not know."""
    parts = []
    if decision.grade not in (Grade.FORCED, Grade.BEST):
        cost = f"{100 * decision.loss:.1f} ± {100 * decision.loss_error:.1f} points"
        # A reason begins with the move that it is about.
        why = decision.reason[len(decision.best_words) :] or "."
        parts.append(f"It costs {cost}; best was to {decision.best_words}{why}")
    if unknown := unknown_words(decision):
        parts.append(unknown)
    return " ".join(parts)


def unknown_words(decision: Decision) -> str:
    """Say what the move that is best with all cards known would have gained; "" if nothing."""
    if decision.open_gain < NOTICEABLE or not decision.open_best:
        return ""
    return (
        f"With all cards known, which p{decision.seat} could not know, it would have gained "
        f"{100 * decision.open_gain:.1f} points more to {decision.open_words}."
    )


def luckiest(review: Review, number: int) -> list[Chance]:
    """Return the outcomes that moved the win shares most, the largest first."""
    return sorted(review.chances, key=lambda chance: -max(map(abs, chance.luck)))[:number]


def grade_counts(review: Review, seat: int) -> str:
    """Count the grades of a seat's moves."""
    counts = dict.fromkeys(Grade, 0)
    for decision in review.decisions:
        if decision.seat == seat:
            counts[decision.grade] += 1
    plural = {Grade.INACCURACY: "inaccuracies"}
    named = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
    parts = [f"{counts[grade]} {grade.value}" for grade in (Grade.BEST, Grade.GOOD)]
    parts += [counted(counts[grade], grade.value, plural.get(grade, "")) for grade in named]
    return ", ".join([*parts, f"{counts[Grade.FORCED]} forced"])


def to_json(review: Review) -> dict[str, Any]:
    """Return a review as plain data; of each analysis the moves with their values alone."""
    data = asdict(review)
    for plain, decision in zip(data["decisions"], review.decisions, strict=True):
        plain["grade"] = decision.grade.value
        analysis = decision.analysis
        plain["analysis"] = analysis and {
            "engine": analysis.engine,
            "simulations": analysis.simulations,
            "moves": [
                {
                    "move": move.move,
                    "visits": move.visits,
                    "probability": probability,
                    "values": move.values if move.is_examined else (),
                    "standard_error": move.standard_error,
                    "is_exact": move.is_exact,
                }
                for move, probability in zip(analysis.moves, analysis.policy, strict=True)
            ],
        }
    return {key: _plain(value) for key, value in data.items()}


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
