"""How fast our own games and searches are."""

from __future__ import annotations

import statistics
import threading
import time

import numpy as np

from kingmaker.search.analysis import MEGABYTE, Budget
from kingmaker.search.engine import ENGINES, Search, check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.position import Position, new_game

from .timing import rates

NUM_PLAYOUTS = 500


def _middle_game(num_seats: int) -> Position:
    """A decision of the 30th turn or so of a game by the playout policy."""
    deal, moves = np.random.SFC64(1), np.random.SFC64(2)
    position, _ = new_game("kingdom_coinquest", {"players": num_seats}).settle(deal)
    for _ in range(100):
        token = position.game.move_text(position.game.policy_move(position.state, moves))
        position, _ = position.apply(token).settle(deal)
        if position.is_terminal:
            raise AssertionError("the game of the measurement ends too early")
    return position


def kingdom_coinquest(quick: bool) -> dict[str, float]:
    """Whole games by the playout policy, deal included, and ISMCTS in a middle game."""
    rounds = 3 if quick else 7
    figures: dict[str, float] = {}
    for num_seats in (2, 4):
        key = f"{num_seats}p"
        plies_per_s, plies_per_playout = _playouts(num_seats, rounds)
        figures |= {
            f"kingdom_coinquest.playouts_per_s.{key}": plies_per_s / plies_per_playout,
            f"kingdom_coinquest.plies_per_playout.{key}": plies_per_playout,
            f"kingdom_coinquest.ns_per_ply.{key}": 1e9 / plies_per_s,
            f"kingdom_coinquest.ismcts.sims_per_s.{key}": _ismcts(num_seats, rounds),
        }
    return figures


def _playouts(num_seats: int, rounds: int) -> tuple[float, float]:
    """Return plies per second and plies per playout."""
    start = new_game("kingdom_coinquest", {"players": num_seats})
    stream = np.random.SFC64(1)
    plies: list[int] = []

    def work() -> int:
        plies.append(start.game.playouts(start.state, stream, NUM_PLAYOUTS)[1])
        return plies[-1]

    plies_per_s = rates({"plies": work}, rounds)["plies"]
    return plies_per_s, sum(plies) / len(plies) / NUM_PLAYOUTS


def _ismcts(num_seats: int, rounds: int) -> float:
    """Return simulations per second."""
    position = _middle_game(num_seats)
    observation = position.observe(position.seat)
    budget = Budget(simulations=20_000)
    return rates(
        {"simulations": lambda: Search(observation, budget, seed=1).run().simulations}, rounds
    )["simulations"]


def cancel(quick: bool) -> dict[str, float]:
    """From the cancel of a search in one thread to the end of its loop in another; median."""
    position = _middle_game(2)
    observation = position.observe(position.seat)
    options = check_options(ENGINES["ismcts"], position.game, {})
    waits: list[float] = []
    for i in range(10 if quick else 100):
        searcher = IsmctsSearcher(
            position.game, observation.state, np.random.SeedSequence(i), options, 64 * MEGABYTE
        )
        ends: list[float] = []

        def run(searcher: IsmctsSearcher = searcher, ends: list[float] = ends) -> None:
            searcher.run(0, 0)
            ends.append(time.perf_counter())

        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(0.01)
        start = time.perf_counter()
        searcher.cancel()
        thread.join()
        waits.append(ends[0] - start)
    return {"cancel.median_ms": 1000 * statistics.median(waits)}


def threads(quick: bool) -> dict[str, float]:
    """Simulations a second of search, two threads against one; median over rounds of both."""
    position = _middle_game(2)
    observation = position.observe(position.seat)
    budget = Budget(milliseconds=300 if quick else 700)
    ratios: list[float] = []
    for seed in range(3 if quick else 9):
        one, two = (
            Search(observation, budget, seed=seed, threads=num_threads).run()
            for num_threads in (1, 2)
        )
        ratios.append(two.simulations / two.seconds / (one.simulations / one.seconds))
    return {"threads.speedup_2": statistics.median(ratios)}
