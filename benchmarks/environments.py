"""Measures the steps a second of the PettingZoo environments.

python -m kingmaker.benchmarks.environments [--seconds 2]

Each game is played with a random legal action for each decision. The second figure leaves out the
choice of the action, which costs numpy more than most steps take. Times are processor time.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from kingmaker.adapters.pettingzoo import GameEnv

GAMES = (
    "tic_tac_toe",
    "leduc_poker",
    "hearts",
    "knights_duty",
    "kingdom_coinquest",
    "code_of_chivalry",
    "chessault",
    "knaves_out",
)


def steps_per_second(game: str, seconds: float) -> tuple[float, float]:
    """Play games for so long; return the steps a second, and those without the choice."""
    rng = np.random.default_rng(1)
    env = GameEnv(game)
    num_steps = num_games = 0
    choosing = 0.0
    start = time.process_time()
    while time.process_time() - start < seconds:
        num_games += 1
        env.reset(seed=num_games)
        for _ in env.agent_iter():
            observation, _, is_over, _, _ = env.last()
            if is_over:
                env.step(None)
                continue
            before = time.process_time()
            action = rng.choice(np.flatnonzero(observation["action_mask"]))
            choosing += time.process_time() - before
            env.step(action)
            num_steps += 1
    spent = time.process_time() - start
    return num_steps / spent, num_steps / (spent - choosing)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2, help="for each game")
    given = parser.parse_args()
    for game in GAMES:
        whole, without = steps_per_second(game, given.seconds)
        sys.stdout.write(f"| `{game}` | {whole:,.0f} | {without:,.0f} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
