"""Hints: the best moves of an analysis with a sentence each.

Every statement is computed: the gain of a move is the difference between the seat's observations
before and after it; replies, their frequency and their cost come from the search; descriptions of
moves and differences come from the game (`Game.describe_move`, `Game.changes`).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kingmaker.cext.errors import check_integer
from kingmaker.cext.words import counted, joined

from .analysis import LEAST_ERROR_OF_DEPTH, Analysis, MoveAnalysis, Reply, check_analysis
from .merge import WITHIN
from .position import Observation, Position, check_observation
from .registry import ENGINES

MAX_HINTS = 100
NUM_WORLDS = 48
"""Worlds in which the description of a reply is searched for."""
LEAST_STATES = 10
"""States that allow a reply, below which nothing that they share is stated as a fact."""
NUM_OUTCOMES = 100
"""Worlds in which a move must have an effect before the effect is stated as a fact."""
MAX_PLIES_TO_REPLY = 16
MAX_FACTS = 3
LIKELY = 0.2
"""Least frequency of a reply to be called likely."""
POSSIBLE = 0.03
"""Least frequency of a reply to be called a risk."""
NOTICEABLE = 0.02
"""Smaller differences of win share are not mentioned."""

HIDDEN = "?"
"""In the token of a move: what the observer does not see of it."""

FILLER = re.compile(r"\b(an?|and|as|at|by|for|from|in|into|it|of|on|the|to|until|with)\b")
"""Words that say nothing by themselves."""
ENDING = re.compile("(e|es|s)$")
CHANGED = re.compile(r" (?:drops|goes|rises) from ")
"""Parts what changes from its amounts."""
States = defaultdict[tuple[int, str], list[tuple[Position, Position]]]
"""(seat, reply) -> states after the move, and those before the reply, in pairs."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One move with the reasons for and against it.

    Attributes:
        analysis: the move as the search judges it.
        text: a sentence or two in plain English.
        gains: effects of the move, in words, the most important first.
        reply: the frequent reply that matters most, if one is known.
        risk: the reply that costs most, if any has a cost.
    """

    analysis: MoveAnalysis
    text: str
    gains: tuple[str, ...]
    reply: Reply | None
    risk: Reply | None


def explain(observation: Observation, analysis: Analysis, top: int) -> list[Hint]:
    """Explain the best moves of an analysis: their gains, replies and risks.

    Args:
        observation: that of the analysis; its seat must be to decide.
        analysis: by any engine.
        top: number of moves, 1 to `MAX_HINTS`; fewer hints if there are fewer moves.

    Raises:
        InputError: `top` is out of range, or the analysis is of another observation.
        StateError: the observer is not to decide.
        TypeError: an argument is of a wrong kind, such as a full state as `observation`.
    """
    check_observation(observation)
    check_integer("top", top, 1, MAX_HINTS)
    check_analysis(analysis, observation.legal_moves())
    explainer = _Explainer(observation, analysis)
    return [
        explainer.hint(move, probability)
        for move, probability in zip(analysis.moves[:top], analysis.policy, strict=False)
    ]


class _Explainer:
    def __init__(self, observation: Observation, analysis: Analysis) -> None:
        self.observation = observation
        self.analysis = analysis
        self.seat = observation.observer
        self.is_by_depth = ENGINES[analysis.engine].is_by_depth
        self.is_mixed = sum(probability > 0 for probability in analysis.policy) > 1
        self.stream = np.random.SFC64(analysis.seed)
        self.worlds = [observation.determinize(self.stream) for _ in range(NUM_WORLDS)]

    def hint(self, move: MoveAnalysis, probability: float) -> Hint:
        gains = self.gains(move.move)
        states = self.states_before(move)
        # Of a hidden move, as a secret bid, there is nothing to tell.
        replies = [
            reply
            for reply in move.replies
            if HIDDEN not in reply.move and not self.is_refuted(reply, move)
        ]
        reply = self.likely_reply(move, replies)
        risk = self.risk(move, replies)
        parts = [self.judgement(move, gains)]
        if self.is_mixed:
            parts.append(_frequency(probability))
        if reply is not None:
            most = max(each.frequency for each in move.replies)
            title = "The most likely reply" if reply.frequency == most else "A frequent reply"
            parts.append(self.reply_words(reply, states, title))
        if risk is not None and risk != reply:
            parts.append(self.reply_words(risk, states, "The main risk"))
        return Hint(move, " ".join(parts), gains, reply, risk)

    def value(self, move: MoveAnalysis) -> float:
        return move.values[self.seat - 1]

    def error(self, move: MoveAnalysis) -> float:
        return (
            LEAST_ERROR_OF_DEPTH
            if self.is_by_depth and not move.is_exact
            else move.error_beside_others
        )

    def judgement(self, move: MoveAnalysis, gains: Sequence[str]) -> str:
        """Describe the effects of a move, its value and the comparison with another move."""
        what = self.observation.describe(move.move)
        new = _without_repeats(gains, self.seat, what)
        effect = f": {joined(new)}" if new else ""
        return f"{_capitalized(what)}{effect}; {self.worth(move)}{self.comparison(move)}."

    def worth(self, move: MoveAnalysis) -> str:
        if move.is_exact:
            certain = {0.0: "it certainly loses", 1.0: "it certainly wins"}
            return certain.get(
                self.value(move), f"it is worth exactly {_percent(self.value(move))}"
            )
        if not move.is_examined:
            return f"the search has {'hardly' if move.visits else 'not'} examined it"
        if move.standard_error == 0:  # by an evaluation at some depth, not by sampling
            return f"the search estimates it at {_percent(self.value(move))}"
        error = f"{100 * move.standard_error:.1f}"
        # Sweeps over whole trees hardly sample, so an error that rounds to 0 is left out.
        give_or_take = f" (give or take {error})" if error != "0.0" else ""
        return f"it wins {_percent(self.value(move))}{give_or_take} in {move.visits} simulations"

    def comparison(self, move: MoveAnalysis) -> str:
        others = [each for each in self.analysis.moves if each is not move and each.is_examined]
        if not others or not move.is_examined:
            return "" if len(self.analysis.moves) > 1 else ", and it is the only move"
        rival = max(others, key=self.value)
        gain = self.value(move) - self.value(rival)
        if move.is_exact and (self.value(move) == 1 or (rival.is_exact and gain == 0)):
            return ""  # nothing is better, or both are certain
        if all(map(self.is_lost, others)) and len(others) == len(self.analysis.moves) - 1 > 0:
            return ", while all other moves certainly lose"
        name = self.observation.describe(rival.move)
        points = round(100 * self.value(move)) - round(100 * self.value(rival))  # as they are shown
        error = math.hypot(self.error(move), self.error(rival))
        if (abs(gain) < NOTICEABLE / 2 or points == 0) and error <= NOTICEABLE:
            return f", about the same as to {name}"
        if points == 0 or abs(gain) < WITHIN * error:
            if self.is_lost(move):
                return ""  # which is not better, for certain
            return f", not clearly better or worse than to {name}"
        how = "better" if points > 0 else "worse"
        return f", {counted(abs(points), 'point')} {how} than to {name}"

    def is_lost(self, move: MoveAnalysis) -> bool:
        """Whether a move certainly loses."""
        return move.is_exact and self.value(move) == 0

    def is_refuted(self, reply: Reply, move: MoveAnalysis) -> bool:
        """Whether a reply is wrong for certain, as it gives up the result that is proven."""
        return move.is_exact and self.value(move) in (0, 1) and reply.value != self.value(move)

    def gains(self, token: str) -> tuple[str, ...]:
        """Effects of the move that hold in all worlds."""
        game, move = self.observation.game, self.observation.game.parse_move(token)
        worlds = (
            game.determinized(self.observation.state, self.stream) for _ in range(NUM_OUTCOMES)
        )
        views = {game.observed(game.after(world, move), self.seat - 1) for world in worlds}
        found = [
            [change.text for change in self.observation.changes(Observation(game, view))]
            for view in sorted(views)
        ]
        return tuple(_in_all(found)[:MAX_FACTS])

    def likely_reply(self, move: MoveAnalysis, replies: Sequence[Reply]) -> Reply | None:
        """The frequent reply with the largest effect on the value.

        Where rivals were taken to be hostile, the most frequent ones are the most harmful.
        """
        if self.analysis.hostility:
            return None
        frequent = [reply for reply in replies if reply.frequency >= LIKELY]
        return max(
            frequent,
            key=lambda reply: reply.frequency * abs(reply.value - self.value(move)),
            default=None,
        )

    def risk(self, move: MoveAnalysis, replies: Sequence[Reply]) -> Reply | None:
        """The possible reply with the lowest value for the observer, if it is noticeably lower.

        Values count with their errors: the lowest of many means is often that of a few games.
        """
        possible = [
            reply
            for reply in replies
            if reply.frequency >= POSSIBLE and _at_most(reply) < self.value(move) - NOTICEABLE
        ]
        return min(possible, key=_at_most, default=None)

    def reply_words(self, reply: Reply, states: States, title: str) -> str:
        descriptions, harms = [], []
        found = states[reply.seat, reply.move]
        # What a few states share, such as a card that was discarded on the way, is chance.
        for after_move, before in found if len(found) >= LEAST_STATES else ():
            descriptions.append(before.describe(reply.move))
            seen_before, seen_after = (
                position.observe(self.seat) for position in (before, before.apply(reply.move))
            )
            # An amount that has changed by then is not the one on the table.
            stale = {
                CHANGED.split(change.text)[0]
                for change in after_move.observe(self.seat).changes(seen_before)
            }
            harms.append(
                [
                    change.text
                    for change in seen_before.changes(seen_after)
                    if change.gain < 0 and CHANGED.split(change.text)[0] not in stale
                ]
            )
        # Cards drawn on the way differ between worlds, so they must not be predicted.
        if len(set(descriptions)) == 1:
            words = descriptions[0]
        else:
            words = self.observation.describe_anywhere(reply.move)
        bad = _without_repeats(_in_all(harms), reply.seat, words)[:MAX_FACTS]
        harm = f", so that {joined(bad)}" if bad else ""
        return (
            f"{title}: p{reply.seat} can {words}{harm} (in {_percent(reply.frequency)} of the "
            f"lines searched), which leaves p{self.seat} {_percent(reply.value)}."
        )

    def states_before(self, move: MoveAnalysis) -> States:
        """Find states before each wanted reply, at most one from each world."""
        wanted = {(reply.seat, reply.move) for reply in move.replies}
        found: States = defaultdict(list)
        for number, world in enumerate(self.worlds if wanted else ()):
            left = set(wanted)
            after_move, _ = world.apply(move.move).settle(self.stream)
            for position in self.rival_decisions(after_move, is_any=number % 2 == 1):
                for each in left & {(position.seat, token) for token in position.legal_moves()}:
                    found[each].append((after_move, position))
                    left.remove(each)
        return found

    def rival_decisions(self, position: Position, *, is_any: bool) -> Iterator[Position]:
        """Yield states in which rivals decide, from a state on along likely play.

        The last one is before the observer's next decision after a rival's. If `is_any`, moves of
        the observer until then are any, as likely ones say nothing of what it will do.
        """
        has_rival_moved = False
        for _ in range(MAX_PLIES_TO_REPLY):
            if position.is_terminal or (has_rival_moved and position.seat == self.seat):
                return
            has_rival_moved = position.seat != self.seat
            if has_rival_moved:
                yield position
            if is_any and not has_rival_moved:
                moves = position.game.moves_of(position.state)
                chosen = moves[int(np.random.Generator(self.stream).integers(len(moves)))]
            else:
                chosen = position.game.policy_move(position.state, self.stream)
            position, _ = position.apply(position.game.move_text(chosen)).settle(self.stream)


def _at_most(reply: Reply) -> float:
    return reply.value + reply.standard_error


def _in_all(lists: Sequence[Sequence[str]]) -> list[str]:
    """Return the items of the first list that are in all lists."""
    return [text for text in lists[0] if all(text in each for each in lists)] if lists else []


def _without_repeats(facts: Sequence[str], seat: int, move: str) -> list[str]:
    """Return the facts that do not just repeat the move of a seat in other words.

    Apart from its verb, "p2's knight gets the 2 of clubs" repeats "equip the knight with the 2 of
    clubs".
    """
    known = _content(move)
    own = re.compile(rf"p{seat}('s)? (?!loses|wins)(.+)")
    return [
        fact
        for fact in facts
        if not (own_fact := own.match(fact)) or len(_content(own_fact[2]) - known) > 1
    ]


def _content(text: str) -> set[str]:
    """Return the words of a text that say something, without endings."""
    return {ENDING.sub("", word) for word in re.findall(r"[\w-]+", FILLER.sub("", text.lower()))}


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _frequency(probability: float) -> str:
    """Say how often a mixed policy plays a move."""
    if probability == 0:
        return "Never play it."
    share = "less than 1 %" if probability < 0.01 else _percent(probability)
    return f"Play it in {share} of cases."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
