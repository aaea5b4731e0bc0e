"""Solving games by CFR+, beside OpenSpiel's, and the exploitability of a search.

Solving is timed from the rules to the target, tree included; of OpenSpiel's C++ `CFRPlusSolver`
only the iterations are, without its checks of NashConv, which take longer. NashConv is the sum
over both seats of what a best responder gains, here in the chips of each game.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from kingmaker.search.analysis import MEGABYTE, Budget
from kingmaker.search.cfr import CfrSolver
from kingmaker.search.position import Observation, new_game
from kingmaker.search.run import Search

from .measure import Figure, Work

try:
    import pyspiel
except ImportError:  # a development extra; without it comparisons are left out
    pyspiel = None

CHIPS = {"kuhn_poker": 4, "leduc_poker": 26}
"""Chips in a whole win share, by the rules pages."""
TARGETS = {"kuhn_poker": 1e-4, "leduc_poker": 1e-3}
"""NashConv in chips that counts as solved."""
PEER_ITERATIONS = {"kuhn_poker": 395, "leduc_poker": 667}
"""Iterations after which OpenSpiel 2.0.2 first reaches the target: its checks after each of them
would take far longer than the timing itself."""
TIMED_PEER_ITERATIONS = 5
TIMED_ITERATIONS = 1000
MEMORY_BYTES = 64 * MEGABYTE
SIMULATIONS, QUICK_SIMULATIONS = 10_000, 500
SEEDS, QUICK_SEEDS = (1, 2, 3), (1,)


def kuhn_poker_cfr() -> Work:
    """Solve Kuhn poker to a NashConv of 1e-4 chips."""
    return _solve("kuhn_poker")


def leduc_poker_cfr() -> Work:
    """Solve Leduc poker to a NashConv of 1e-3 chips."""
    return _solve("leduc_poker")


def leduc_poker_iterations() -> Work:
    """Continue iterations in Leduc poker, with the due checks of NashConv."""
    solver = _solver("leduc_poker")
    return Work(
        lambda: solver.run(max_iterations=solver.iterations + TIMED_ITERATIONS),
        {"iterations": TIMED_ITERATIONS},
    )


def open_spiel_kuhn_poker_cfr() -> Work:
    """Do a part of OpenSpiel's iterations to the same target."""
    return _open_spiel_iterations("kuhn_poker")


def open_spiel_leduc_poker_cfr() -> Work:
    """Do a part of OpenSpiel's iterations to the same target."""
    return _open_spiel_iterations("leduc_poker")


def search_nash_conv(
    name: str,
    quick: bool,
    engine: str = "ismcts",
    options: Mapping[str, str | int | float] | None = None,
) -> dict[str, Figure]:
    """Measure the exploitability of a search that runs anew at every information set.

    Args:
        name: of the game, a key of `CHIPS`.
        quick: fewer simulations and a single seed.
        engine: as in `Search`.
        options: of the engine; None: one tree for each seat, each with its own observations.

    Returns:
        `<name>.search_nashconv`: NashConv in chips, mean and spread over seeds.
    """
    chosen = {"observers": "multiple"} if options is None else options
    simulations = QUICK_SIMULATIONS if quick else SIMULATIONS
    found = [
        CHIPS[name] * _nash_conv(name, Budget(simulations=simulations), engine, chosen, seed)
        for seed in (QUICK_SEEDS if quick else SEEDS)
    ]
    spread = statistics.stdev(found) if len(found) > 1 else None
    return {f"{name}.search_nashconv": Figure(statistics.mean(found), spread)}


def _solver(name: str) -> CfrSolver:
    game = new_game(name)
    solver = CfrSolver(game.game, game.state, MEMORY_BYTES)
    solver.build()
    return solver


def _solve(name: str) -> Work:
    target = TARGETS[name] / CHIPS[name]
    return Work(lambda: _solver(name).run(target_nash_conv=target), {"solves": 1})


def _open_spiel_iterations(name: str) -> Work:
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))

    def run() -> None:
        for _ in range(TIMED_PEER_ITERATIONS):
            solver.evaluate_and_update_policy()

    return Work(run, {"solves": TIMED_PEER_ITERATIONS / PEER_ITERATIONS[name]})


def _nash_conv(
    name: str,
    budget: Budget,
    engine: str,
    options: Mapping[str, str | int | float],
    seed: int,
) -> float:
    """Return the NashConv, in win shares, of a search's policy at all information sets."""
    solver = _solver(name)
    game = solver.form.game

    def policy(_: int, observation: bytes, moves: Sequence[int]) -> list[float]:
        analysis = Search(
            Observation(game, observation), budget, engine=engine, options=options, seed=seed
        ).run()
        by_move = {
            move.move: probability
            for move, probability in zip(analysis.moves, analysis.policy, strict=True)
        }
        return [by_move[game.move_text(move)] for move in moves]

    return solver.nash_conv_of(policy)
