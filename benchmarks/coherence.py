"""Whether policies, values and errors of searches that mix agree with each other.

    kingmaker bench --only coherence

Each of 40 positions of A Knight's Duty, Goofspiel and Leduc poker is searched with several seeds,
and longer with others. Each figure of `ABOUT` is a mean over the positions of a group; its spread
is the standard deviation over them.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.merge import WITHIN
from kingmaker.search.position import Observation, new_game
from kingmaker.search.run import analyze

from .measure import Figure

GROUPS: Mapping[str, tuple[str, dict[str, str], int]] = {
    **{
        f"knights_duty.{seats}": ("knights_duty", {"players": str(seats)}, 7)
        for seats in (2, 3, 4, 6)
    },
    "goofspiel": ("goofspiel", {"cards": "6"}, 6),
    "leduc_poker": ("leduc_poker", {}, 6),
}
"""Name -> game, its options and the number of positions."""
ABOUT: Mapping[str, str] = {
    "worse": "part of the searches, 2,000 simulations with eight seeds, in which a move is "
    "likelier than another one that its own values call better by more than the errors",
    "policy_spread": "distance (total variation) of the policies from their mean over the seeds",
    "value_spread": "standard deviation of a move's value over the seeds",
    "coverage": "part of the 95 % intervals that contain the mean of three searches of 20,000 "
    "simulations, over all moves and seeds",
    "played_coverage": "the same for the moves that the long searches play",
}
"""Figure of a group -> description."""
LEAST_PLAYED = 0.1
SIMULATIONS, LONG_SIMULATIONS = 2000, 20_000
SEEDS, LONG_SEEDS = 8, 3
MOST_DECISIONS = 40
"""Positions are among so many first decisions of a game."""


def positions(group: str) -> list[Observation]:
    """Return observations at decisions of games by the playout policy, one of each game."""
    game, options, number = GROUPS[group]
    found: list[Observation] = []
    seed = 0
    while len(found) < number:
        seed += 1
        decisions = _decisions(game, options, seed)
        if decisions:
            found.append(decisions[seed * 7 % len(decisions)])
    return found


def _decisions(game: str, options: dict[str, str], seed: int) -> list[Observation]:
    """Return the first decisions between three moves or more, or two in a game without such."""
    stream = np.random.SFC64(seed)
    position, _ = new_game(game, options).settle(stream)
    found: list[Observation] = []
    while not position.is_terminal and len(found) < MOST_DECISIONS:
        if len(position.legal_moves()) >= (2 if game == "leduc_poker" else 3):
            found.append(position.observe(position.seat))
        move = position.game.move_text(position.game.policy_move(position.state, stream))
        position, _ = position.apply(move).settle(stream)
    return found


def prefers_worse(analysis: Analysis, seat: int) -> bool:
    """Whether a move is likelier than an examined one that is better by more than the errors."""
    moves = zip(analysis.moves, analysis.policy, strict=True)
    return any(
        likelier > probability
        and move.is_examined
        and move.values[seat] - worse.values[seat]
        > WITHIN * math.hypot(move.standard_error, worse.standard_error)
        for (worse, likelier), (move, probability) in permutations(moves, 2)
    )


def policies(analyses: Sequence[Analysis]) -> np.ndarray:
    """Return the policy of each analysis, `[num_analyses, num_moves]`, moves in one order."""
    order = sorted(move.move for move in analyses[0].moves)
    found = []
    for analysis in analyses:
        names = [move.move for move in analysis.moves]
        found.append([analysis.policy[names.index(name)] for name in order])
    return np.array(found)


def values_of(analyses: Sequence[Analysis], seat: int) -> tuple[np.ndarray, np.ndarray]:
    """Return values and standard errors, `[num_analyses, num_moves]`, moves in one order."""
    moves = [sorted(analysis.moves, key=lambda move: move.move) for analysis in analyses]
    return (
        np.array([[move.values[seat] for move in row] for row in moves]),
        np.array([[move.standard_error for move in row] for row in moves]),
    )


def coverage(
    short: Sequence[Analysis], long: Sequence[Analysis], seat: int, least_played: float = 0.0
) -> float:
    """Return the part of the short searches' intervals that contain the mean of the long ones.

    Over the moves with at least a probability of `least_played` in the long searches.
    """
    values, errors = values_of(short, seat)
    means = values_of(long, seat)[0].mean(axis=0)
    is_covered = np.abs(values - means) <= WITHIN * errors + 1e-9
    return float(is_covered[:, policies(long).mean(axis=0) >= least_played].mean())


def measure(group: str, quick: bool) -> Mapping[str, Figure]:
    """Search the positions of a group, two of them if it is to be quick."""
    rows: dict[str, list[float]] = {name: [] for name in ABOUT}
    for observation in positions(group)[: 2 if quick else None]:
        seat = observation.seat - 1
        short = [
            analyze(observation, Budget(simulations=SIMULATIONS), seed=seed)
            for seed in range(1, SEEDS + 1)
        ]
        long = [
            analyze(observation, Budget(simulations=LONG_SIMULATIONS), seed=seed)
            for seed in range(101, 101 + LONG_SEEDS)
        ]
        chances, values = policies(short), values_of(short, seat)[0]
        rows["worse"].append(statistics.fmean(prefers_worse(each, seat) for each in short))
        rows["policy_spread"].append(
            float(np.abs(chances - chances.mean(axis=0)).sum(axis=1).mean() / 2)
        )
        rows["value_spread"].append(float(values.std(axis=0, ddof=1).mean()))
        rows["coverage"].append(coverage(short, long, seat))
        rows["played_coverage"].append(coverage(short, long, seat, LEAST_PLAYED))
    return {
        f"coherence.{group}.{name}": Figure(statistics.fmean(row), statistics.stdev(row))
        for name, row in rows.items()
    }
