"""What A Knight's Duty would win and lose if bots raised their policies to a power.

    python -m kingmaker.benchmarks.sharper --simulations 5000

A mixed policy plays moves now and then that lose a little against an equilibrium. A sharper one
plays fewer of them, but rivals that know it can answer better. The first column is the mean loss in
the solved positions of `kingmaker.benchmarks.endgames`, the others are the gains of best responders
in the duels of `kingmaker.benchmarks.exploit`, all in win shares.
"""

from __future__ import annotations

import argparse
import statistics
import sys

from kingmaker.search.analysis import Budget
from kingmaker.search.position import Observation, parse_position
from kingmaker.search.run import Search

from .endgames import endgames
from .exploit import DUELS, GAME, Player, Policy, exploitability

POWERS = (1.0, 1.5, 2.0, 3.0)


def sharpened(policy: Policy, power: float) -> Policy:
    """Raise the probabilities of a policy to a power."""
    raised = {move: probability**power for move, probability in policy.items() if probability > 0}
    total = sum(raised.values())
    return {move: weight / total for move, weight in raised.items()}


def searched(simulations: int) -> Player:
    """Return the default, which searches an observation once."""
    found: dict[tuple[str, int], Policy] = {}

    def player(observation: Observation, seed: int) -> Policy:
        key = observation.text, seed
        if key not in found:
            analysis = Search(observation, Budget(simulations=simulations), seed=seed).run()
            moves = (each.move for each in analysis.moves)
            found[key] = dict(zip(moves, analysis.policy, strict=True))
        return found[key]

    return player


def loss(player: Player, power: float) -> float:
    """Return the mean loss in the solved positions."""
    return statistics.fmean(
        sum(
            probability * each.loss_of(move)
            for move, probability in sharpened(player(each.observation, seed), power).items()
        )
        for seed, each in enumerate(endgames(GAME), 1)
    )


def gain(player: Player, power: float, duel: str) -> float:
    """Return what best responders gain from knowing the policy, the mean of both seats."""
    return exploitability(
        parse_position(GAME, DUELS[duel]),
        lambda observation, seed: sharpened(player(observation, seed), power),
    )


def main() -> None:
    """Print a line for each power."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=10_000)
    player = searched(parser.parse_args().simulations)
    for power in POWERS:
        gains = ", ".join(f"{duel} {gain(player, power, duel):.3f}" for duel in DUELS)
        sys.stdout.write(f"power {power:g}: loss {loss(player, power):.4f}; gains: {gains}\n")


if __name__ == "__main__":
    main()
