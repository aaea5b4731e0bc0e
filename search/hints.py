"""Hints: the best moves of an analysis with a sentence each.

Nothing is said that was not computed: what a move gains is the difference between what the seat
sees before and after it; replies, their frequency and what they cost come from the search; words
for moves and differences come from the game (`Game.describe_move`, `Game.changes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kingmaker.cext.errors import InputError

from .analysis import Analysis, MoveAnalysis, Reply
from .position import Observation, Position

MAX_HINTS = 100
NUM_WORLDS = 12
"""Determinizations in which words for a move are looked for."""
MAX_PLIES_TO_REPLY = 16
MAX_FACTS = 3
LIKELY = 0.2
"""A reply at least so frequent may be called likely."""
POSSIBLE = 0.03
"""A reply at least so frequent may be called a risk."""
NOTICEABLE = 0.02
"""Differences of win share below this aren't worth a word."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One move with the reasons for and against it.

    Attributes:
        analysis: the move as the search judges it.
        text: a sentence or two in plain English.
        gains: what differs right after the move, in words, the weightiest first.
        reply: the likely reply, if one is known.
        risk: the reply that costs most, if it costs anything.
    """

    analysis: MoveAnalysis
    text: str
    gains: tuple[str, ...]
    reply: Reply | None
    risk: Reply | None


def explain(observation: Observation, analysis: Analysis, top: int) -> list[Hint]:
    """Say in words what speaks for the best moves of an analysis, and what against them.

    Args:
        observation: what was analysed; its seat must be to decide.
        analysis: by any engine.
        top: how many moves, 1 to `MAX_HINTS`; fewer hints when there are fewer moves.

    Raises:
        InputError: `top` is out of range.
        StateError: the observer is not to decide.
    """
    if not 1 <= top <= MAX_HINTS:
        raise InputError(f"top is {top}; it must be 1 to {MAX_HINTS}", field="top", value=str(top))
    observation.check_own_decision()
    explainer = _Explainer(observation, analysis)
    return [explainer.hint(move) for move in analysis.moves[:top]]


class _Explainer:
    def __init__(self, observation: Observation, analysis: Analysis) -> None:
        self.observation = observation
        self.analysis = analysis
        self.seat = observation.observer
        self.stream = np.random.SFC64(analysis.seed)
        self.worlds = [observation.determinize(self.stream) for _ in range(NUM_WORLDS)]

    def hint(self, move: MoveAnalysis) -> Hint:
        gains = self.gains(move.move)
        replies = [reply for reply in move.replies if not self.is_secret(move.move, reply)]
        reply = self.likely_reply(move, replies)
        risk = self.risk(move, replies)
        parts = [self.judgement(move, gains)]
        if reply is not None:
            parts.append(self.reply_words(move, reply, "most likely reply"))
        if risk is not None and risk != reply:
            parts.append(self.reply_words(move, risk, "main risk"))
        return Hint(move, " ".join(parts), gains, reply, risk)

    def value(self, move: MoveAnalysis) -> float:
        return move.values[self.seat - 1]

    def judgement(self, move: MoveAnalysis, gains: Sequence[str]) -> str:
        """Say what the move does, what it is worth and how it compares."""
        what = _capitalized(self.observation.describe(move.move))
        effect = f": {_listed(gains)}" if gains else ""
        return f"{what}{effect}; {self.worth(move)}{self.comparison(move)}."

    def worth(self, move: MoveAnalysis) -> str:
        if move.is_exact:
            certain = {0.0: "it certainly loses", 1.0: "it certainly wins"}
            return certain.get(
                self.value(move), f"it is worth exactly {_percent(self.value(move))}"
            )
        if move.visits < 2:
            return "the search has hardly looked at it"
        return (
            f"it wins {_percent(self.value(move))} (give or take "
            f"{100 * move.standard_error:.1f}) in {move.visits} simulations"
        )

    def comparison(self, move: MoveAnalysis) -> str:
        others = [each for each in self.analysis.moves if each is not move and each.visits > 1]
        if not others or move.visits < 2:
            return "" if len(self.analysis.moves) > 1 else ", and it is the only move"
        rival = max(others, key=self.value)
        points = 100 * (self.value(move) - self.value(rival))
        name = self.observation.describe(rival.move)
        if abs(points) < 100 * NOTICEABLE / 2:
            return f", about the same as to {name}"
        how = "better" if points > 0 else "worse"
        return f", {abs(points):.0f} points {how} than to {name}"

    def gains(self, token: str) -> tuple[str, ...]:
        """What differs after the move in every one of the worlds looked at."""
        found = [
            [
                change.text
                for change in self.observation.changes(world.apply(token).observe(self.seat))
            ]
            for world in self.worlds[:3]
        ]
        return tuple(_in_all(found)[:MAX_FACTS])

    def is_secret(self, token: str, reply: Reply) -> bool:
        """Whether the observer does not see which move the reply is, as with a secret bid.

        What he sees is then no legal move, and to say that it may happen says nothing.
        """
        stream = np.random.SFC64(self.analysis.seed)
        for position in self.rival_decisions(self.worlds[0], token, stream):
            if position.seat == reply.seat:
                legal = position.legal_moves()
                seen = {position.seen_move(each, self.seat) for each in legal}
                if reply.move in seen and reply.move not in legal:
                    return True
        return False

    def likely_reply(self, move: MoveAnalysis, replies: Sequence[Reply]) -> Reply | None:
        """Of the frequent replies the one that matters most for the value."""
        frequent = [reply for reply in replies if reply.frequency >= LIKELY]
        return max(
            frequent,
            key=lambda reply: reply.frequency * abs(reply.value - self.value(move)),
            default=None,
        )

    def risk(self, move: MoveAnalysis, replies: Sequence[Reply]) -> Reply | None:
        """The possible reply after which the observer stands worst, if noticeably worse."""
        possible = [
            reply
            for reply in replies
            if reply.frequency >= POSSIBLE and reply.value < self.value(move) - NOTICEABLE
        ]
        return min(possible, key=lambda reply: reply.value, default=None)

    def reply_words(self, move: MoveAnalysis, reply: Reply, title: str) -> str:
        descriptions, harms = [], []
        for before in self.states_before(move.move, reply):
            descriptions.append(before.describe(reply.move))
            seen_before, seen_after = (
                position.observe(self.seat) for position in (before, before.apply(reply.move))
            )
            harms.append(
                [change.text for change in seen_before.changes(seen_after) if change.gain < 0]
            )
        # Cards that come up on the way differ from world to world; they must not be foretold.
        if len(set(descriptions)) == 1:
            words = descriptions[0]
        else:
            words = self.observation.describe_anywhere(reply.move)
        bad = _in_all(harms)[:MAX_FACTS]
        harm = f", so that {_listed(bad)}" if bad else ""
        return (
            f"The {title}: p{reply.seat} can {words}{harm} (in {_percent(reply.frequency)} of the "
            f"lines searched), which leaves p{self.seat} {_percent(reply.value)}."
        )

    def states_before(self, token: str, reply: Reply) -> Iterator[Position]:
        """Yield states in which the reply can be made, at most one for each world."""
        for world in self.worlds:
            for position in self.rival_decisions(world, token, self.stream):
                if position.seat == reply.seat and reply.move in position.legal_moves():
                    yield position
                    break

    def rival_decisions(
        self, world: Position, token: str, stream: np.random.BitGenerator
    ) -> Iterator[Position]:
        """Yield states in which rivals decide, after the move and by likely play.

        None later than the observer's next decision after a rival's.
        """
        position, _ = world.apply(token).settle(stream)
        has_rival_moved = False
        for _ in range(MAX_PLIES_TO_REPLY):
            if position.is_terminal or (has_rival_moved and position.seat == self.seat):
                return
            has_rival_moved = position.seat != self.seat
            if has_rival_moved:
                yield position
            chosen = position.game.policy_move(position.state, stream)
            position, _ = position.apply(position.game.move_text(chosen)).settle(stream)


def _in_all(lists: Sequence[Sequence[str]]) -> list[str]:
    """Keep of the first list what stands in all of them."""
    return [text for text in lists[0] if all(text in each for each in lists)] if lists else []


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _listed(clauses: Sequence[str]) -> str:
    if len(clauses) < 2:
        return "".join(clauses)
    return f"{', '.join(clauses[:-1])} and {clauses[-1]}"
