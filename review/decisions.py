"""Decisions: what each move cost, on what its seat saw and with all cards known.

The first pass searches every decision. The second pass searches again, longer and with new draws,
where a move may have been worse than good; its values alone are then used, so that a move is not
called a mistake for the luck of the search that found the better one.

A loss that is shown is that of the best move of one search, which is never negative: the best of
many estimates is too high, and that of the move played too low as often as not. Sums of losses take
one search to name the best move and another one, which knows nothing of the first, to value both
moves. That difference may have either sign, and its mean is right: what the seat would have lost
had it followed the first search (van Hasselt 2010, "Double Q-learning").

Where a search has hardly tried the move that was played, its value comes from searches of what the
seat sees after it.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from kingmaker.search.analysis import LEAST_ERROR_OF_DEPTH, Analysis, Budget, MoveAnalysis
from kingmaker.search.draws import digest
from kingmaker.search.hints import explain
from kingmaker.search.position import Observation, Position
from kingmaker.search.record import Seen
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search

from .games import PlayedGame
from .model import SIGNIFICANT, THRESHOLDS, Decision, Grade, grade_of, is_bad
from .values import Value, Values, error_of, mean_of

MAX_VIEWS = 8
"""Worlds in which a move is made to find out what its seat may see after it."""
LEAST_PER_MOVE = 4
"""Simulations for each legal move, on average: with fewer a search examines none."""
THIRD_PASS = 4
"""Times the simulations of the second pass, which has left open whether a move is a blunder."""
BESIDE_A_PROOF = 10
"""Times the simulations for the value of a move that is compared with a proven one."""
OPEN = {"observers": "single", "selection": "ucb"}
"""Options of a search that knows all cards."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The values of a decision by one search.

    Attributes:
        analysis: of it.
        best: token of the best move.
        before: value after the best move.
        after: value after the move played.
        loss: of the mover; not negative.
        error: its standard error.
    """

    analysis: Analysis
    best: str
    before: Value
    after: Value
    loss: float
    error: float


def is_forced(position: Position) -> bool:
    """Whether there is only one legal move."""
    return len(position.game.moves_of(position.state)) == 1


def judge(game: PlayedGame, ply: int, values: Values, simulations: int, number: int = 0) -> Judged:
    """Search the decision before a ply, on what its seat saw.

    Args:
        game: with the decision.
        ply: index of it, from 0.
        values: for their seed and engine.
        simulations: to spend, and more where there are many moves.
        number: of the search, for other draws than those of another one that is as long.
    """
    position, token = game.positions[ply], game.tokens[ply]
    observation, seat = game.observe(ply), position.seat - 1
    simulations = _enough(position, simulations)
    key = (number,) if number else ()
    analysis = values.search(
        observation, simulations, "decision", ply, simulations, *key, judges_all=True
    )
    played = next(move for move in analysis.moves if move.move == token)
    examined = [move for move in analysis.moves if move.is_examined]
    best = max(examined, key=lambda move: move.values[seat])
    before, after = _value_of(best, analysis), _value_of(played, analysis)
    if best.is_exact and not played.is_exact:
        # The mean of a short search is no match for a proof: it counts the bad replies it tried.
        after = _value_after(observation, token, values, BESIDE_A_PROOF * simulations, ply)
    elif not played.is_examined:
        after = _value_after(observation, token, values, simulations, ply)
    if _is_as_good(analysis, token, best.move) or after.shares[seat] >= before.shares[seat]:
        return Judged(analysis, token, after, after, 0.0, after.error)
    loss = float(before.shares[seat] - after.shares[seat])
    return Judged(analysis, best.move, before, after, loss, math.hypot(before.error, after.error))


def second_search(game: PlayedGame, ply: int, values: Values, first: Judged) -> Judged | None:
    """Search a decision again, with other draws; None if the best move was played.

    Longer where that may change the grade, and longer still if it leaves a blunder open.
    """
    if first.best == game.tokens[ply]:
        return None
    effort = values.effort
    if not needs_more(first):
        return judge(game, ply, values, effort.decision, number=1)
    judged = judge(game, ply, values, effort.deep)
    if is_undecided(first, judged):
        judged = judge(game, ply, values, THIRD_PASS * effort.deep)
    return judged


def change_of(
    game: PlayedGame, ply: int, values: Values, first: Judged, other: Judged | None
) -> Value:
    """Estimate what a move changed against the best one of the first search, without bias.

    Args:
        game: with the decision.
        ply: index of it, from 0.
        values: for their seed and engine.
        first: a search that names the best move.
        other: another one, which values both; it may be missing where the best move was played.
    """
    token = game.tokens[ply]
    if first.best == token or other is None:
        return Value(np.zeros(game.num_seats), 0.0)
    analysis = other.analysis
    found = {move.move: move for move in analysis.moves}
    before, after = found[first.best], found[token]
    shares = []
    for move, rival in ((before, after), (after, before)):
        value = _value_of(move, analysis)
        if not move.is_exact and (rival.is_exact or not move.is_examined):
            times = BESIDE_A_PROOF if rival.is_exact else 1
            simulations = times * max(analysis.simulations, 1)
            value = _value_after(game.observe(ply), move.move, values, simulations, ply)
        shares.append(value)
    best, played = shares
    return Value(played.shares - best.shares, math.hypot(best.error, played.error))


def _enough(position: Position, simulations: int) -> int:
    return max(simulations, LEAST_PER_MOVE * len(position.game.moves_of(position.state)))


def value_at_ending(game: PlayedGame, values: Values) -> Value:
    """Value the position in which a game was broken off, as a decision there would be.

    From what the seat to move sees there, even if another seat broke the game off.

    Args:
        game: that was broken off.
        values: for their seed and engine.
    """
    position = game.positions[-1]
    if position.is_chance or is_forced(position):
        return values.mean(position, None, "ending")
    observation, seat = game.observe(len(game.tokens)), position.seat - 1
    simulations = _enough(position, values.effort.decision)
    analysis = values.search(observation, simulations, "ending", judges_all=True)
    examined = [move for move in analysis.moves if move.is_examined]
    return _value_of(max(examined, key=lambda move: move.values[seat]), analysis)


def needs_more(judged: Judged) -> bool:
    """Whether a second pass may grade the move worse than good, or free it of that."""
    least = THRESHOLDS[-1][1]
    return judged.loss > 0 and judged.loss + SIGNIFICANT * judged.error >= least


def is_undecided(first: Judged, second: Judged) -> bool:
    """Whether the move may be a blunder, but the error is too large to tell."""
    least = THRESHOLDS[0][1]
    return least <= second.loss <= SIGNIFICANT * _loss_error(first, second)


def _loss_error(first: Judged, judged: Judged) -> float:
    """Return the standard error of a loss, by the error of the last pass and what the first found.

    Two searches that disagree say how far to trust them: those that mix policies and those that
    look to a depth vary more than the errors of their values.
    """
    if judged.error == 0:  # both moves are proven, whatever the first pass estimated
        return 0.0
    part = 1.0 if ENGINES[judged.analysis.engine].is_by_depth else 0.5
    return max(judged.error, part * abs(first.loss - judged.loss))


def decision_of(
    game: PlayedGame,
    ply: int,
    values: Values,
    first: Judged,
    second: Judged | None,
) -> Decision:
    """Grade a decision.

    Args:
        game: with the decision.
        ply: index of it, from 0.
        values: for their seed and engine.
        first: values of the first pass.
        second: another search, by `second_search`.
    """
    position, token = game.positions[ply], game.tokens[ply]
    change = change_of(game, ply, values, first, second)
    is_deep = second is not None and needs_more(first)
    judged = second if is_deep and second else first
    error = _loss_error(first, judged)
    grade = Grade.BEST if judged.best == token else grade_of(judged.loss, error)
    if not is_deep and is_bad(grade):
        grade = Grade.GOOD
    observation = position.observe(position.seat)
    decision = Decision(
        ply=ply + 1,
        seat=position.seat,
        move=token,
        words=observation.describe(token),
        observation=observation.text,
        best=judged.best,
        best_words=observation.describe(judged.best),
        grade=grade,
        before=tuple(judged.before.shares.tolist()),
        after=tuple(judged.after.shares.tolist()),
        loss=judged.loss,
        loss_error=error,
        change=tuple(change.shares.tolist()),
        change_error=change.error,
        open_best="",
        open_words="",
        open_gain=0.0,
        open_error=0.0,
        reason=_reason(observation, judged) if is_bad(grade) else "",
        analysis=judged.analysis,
        is_deep=is_deep,
    )
    return _with_open_cards(position, decision, values) if position.game.is_hidden else decision


def forced_decision(game: PlayedGame, ply: int, value: Value) -> Decision:
    """Return a decision without a choice; `value` is that after it."""
    position, token = game.positions[ply], game.tokens[ply]
    observation = position.observe(position.seat)
    words, shares = observation.describe(token), tuple(value.shares.tolist())
    return Decision(
        ply=ply + 1,
        seat=position.seat,
        move=token,
        words=words,
        observation=observation.text,
        best=token,
        best_words=words,
        grade=Grade.FORCED,
        before=shares,
        after=shares,
        loss=0.0,
        loss_error=0.0,
        change=(0.0,) * len(shares),
        change_error=0.0,
        open_best="",
        open_words="",
        open_gain=0.0,
        open_error=0.0,
        reason="",
        analysis=None,
        is_deep=False,
    )


def _is_as_good(analysis: Analysis, token: str, best: str) -> bool:
    """Whether a move is the best one, or a mixed policy plays it."""
    if token == best:
        return True
    mixed = [
        move.move
        for move, probability in zip(analysis.moves, analysis.policy, strict=True)
        if probability > 0
    ]
    return len(mixed) > 1 and token in mixed


def _value_of(move: MoveAnalysis, analysis: Analysis) -> Value:
    by_depth = ENGINES[analysis.engine].is_by_depth and not move.is_exact
    error = LEAST_ERROR_OF_DEPTH if by_depth else move.error_beside_others
    return Value(np.array(move.values), error)


def _value_after(
    observation: Observation, token: str, values: Values, simulations: int, ply: int
) -> Value:
    """Search what the seat sees after a move, over worlds that fit what it saw before it."""
    game = observation.game
    move = game.parse_move(token)
    stream = np.random.SFC64(digest("review", values.seed, "views", ply))
    worlds = [game.determinized(observation.state, stream) for _ in range(MAX_VIEWS)]
    afters = [Position(game, game.after(world, move)) for world in worlds]
    views = Counter(after.observe(observation.observer) for after in afters)
    found, weights = [], []
    for number, (view, times) in enumerate(views.items()):
        weights.append(times / MAX_VIEWS)
        if view.is_terminal:
            ends = [each.returns() for each in afters if each.observe(observation.observer) == view]
            found.append(Value(np.mean(ends, axis=0), 0.0))
            continue
        part = max(simulations * times // MAX_VIEWS, 1)
        analysis = values.search(_recorded(view, observation, token), part, "after", ply, number)
        found.append(Value(np.array(analysis.values), error_of(analysis)))
    return mean_of(found, weights)


def _recorded(view: Observation, before: Observation, token: str) -> Observation:
    """Give what a seat sees after its own move the record of before, if that had one."""
    if before.record is None:
        return view
    seen = (*before.record.seen, Seen(before.observer, token))
    return view.with_record(replace(before.record, seen=seen))


def _with_open_cards(position: Position, decision: Decision, values: Values) -> Decision:
    """Compare the best move on what the seat saw with the best one in the real state."""
    observation, seat = position.observe(position.seat), position.seat - 1
    analysis = _open_search(position, observation.observer, values, decision.ply)
    best = max(
        (move for move in analysis.moves if move.is_examined), key=lambda move: move.values[seat]
    )
    if best.move == decision.best:
        return decision
    known = next(move for move in analysis.moves if move.move == decision.best)
    value = _value_of(known, analysis)
    if not known.is_examined:
        value = _open_value(position.apply(decision.best), observation.observer, values, decision)
    gain = best.values[seat] - float(value.shares[seat])
    error = math.hypot(best.error_beside_others, value.error)
    if gain <= SIGNIFICANT * error:
        return replace(decision, open_error=error)
    return replace(
        decision,
        open_best=best.move,
        open_words=observation.describe(best.move),
        open_gain=gain,
        open_error=error,
    )


def _open_search(position: Position, viewer: int, values: Values, *key: object) -> Analysis:
    """Search as a seat that knows all cards."""
    return Search(
        position.observe(viewer),
        Budget(simulations=_enough(position, values.effort.decision)),
        engine="ismcts",
        seed=digest("review", values.seed, "open", *key),
        options=OPEN,
        worlds=[position],
        all_moves=True,
        replies=False,
    ).run()


def _open_value(after: Position, viewer: int, values: Values, decision: Decision) -> Value:
    """Return the value after a move as a seat that knows all cards estimates it."""
    if after.is_terminal:
        return Value(np.array(after.returns()), 0.0)
    analysis = _open_search(after, viewer, values, decision.ply, "after")
    return Value(np.array(analysis.values), error_of(analysis))


def _reason(observation: Observation, judged: Judged) -> str:
    """Say why the best move is better, in the words of a hint."""
    analysis = judged.analysis
    first = next(move for move in analysis.moves if move.move == judged.best)
    others = [move for move in analysis.moves if move is not first]
    ranked = replace(
        analysis,
        moves=(first, *others),
        policy=(1.0, *(0.0 for _ in others)),
    )
    return explain(observation, ranked, 1)[0].text
