"""Races of our search on our own games against OpenSpiel's IS-MCTS in Python, through the adapter.

That in C++ can't play games written in Python, see docs/adapters.md. Its playouts are uniform and
to the end, ours as the service does by default.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kingmaker.search.analysis import Budget
from kingmaker.search.levels import choose_move
from kingmaker.search.position import Observation, Position

from . import peers, positions, works
from .measure import Figure, Work
from .strength import Bot, play_match

if peers.IS_INSTALLED:
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    from kingmaker.adapters import open_spiel as adapter

SIMULATIONS = 20
MATCHES: dict[str, tuple[dict[str, str], int, int]] = {
    "leduc_poker": ({}, 50, 400),
    "goofspiel": ({}, 50, 100),
    "hearts": ({}, 30, 40),
    "code_of_chivalry": ({"players": "2"}, 30, 40),
    "kingdom_coinquest": ({"players": "2"}, 10, 10),
    "knights_duty": ({"players": "2"}, 30, 40),
}
"""Game -> options, simulations of a move of the peer, and number of games."""


def leduc_poker() -> Work:
    """Search decisions of random games."""
    return _searches([position for _, position in positions.leduc_decisions()])


def hearts() -> Work:
    """Search plays of a random game."""
    return _searches([position for _, position in positions.hearts_decisions()])


def code_of_chivalry() -> Work:
    """Search a middle game of two seats."""
    return _searches([positions.code_of_chivalry_middle(2)])


def kingdom_coinquest() -> Work:
    """Search a middle game of two seats."""
    return _searches([positions.kingdom_coinquest_middle(2)])


def knights_duty() -> Work:
    """Search a middle game of two seats."""
    return _searches([positions.knights_duty_middle(2)])


RACES: dict[str, tuple[Callable[[], Work], Callable[[], Work]]] = {
    "leduc_poker": (works.leduc_poker_ismcts, leduc_poker),
    "hearts": (works.hearts_ismcts, hearts),
    "code_of_chivalry": (works.code_of_chivalry_ismcts_2p, code_of_chivalry),
    "kingdom_coinquest": (works.kingdom_coinquest_ismcts_2p, kingdom_coinquest),
    "knights_duty": (works.knights_duty_ismcts_2p, knights_duty),
}
"""Game -> our work and the peer's, in the same positions."""


def _searches(asked: Sequence[Position]) -> Work:
    states = [adapter.state_of(position) for position in asked]

    def run() -> None:
        for state in states:
            _bot(state, SIMULATIONS, 1).step(state)

    return Work(run, {"simulations": SIMULATIONS * len(states)})


def _bot(state: Any, simulations: int, seed: int) -> Any:
    """Return its bot, which explores as ours does in rewards of the same range."""
    random = np.random.RandomState(seed)
    evaluator = RandomRolloutEvaluator(1, random)
    return ISMCTSBot(
        state.get_game(), evaluator, works.EXPLORATION, simulations, random_state=random
    )


class Peer:
    """Its bot as one of ours.

    Attributes:
        seconds: CPU time of each of its moves.
    """

    def __init__(self, simulations: int) -> None:
        self.seconds: list[float] = []
        self._simulations = simulations

    def __call__(self, observation: Observation, seed: int) -> str:
        """Return its move; it gets a world in place of the true state, which it need not know."""
        start = time.thread_time()
        state = adapter.state_of(observation.determinize(np.random.SFC64(seed)))
        action = int(_bot(state, self._simulations, seed % 2**32).step(state))
        self.seconds.append(time.thread_time() - start)
        return str(state.action_to_string(action))


def measure_matches(game: str, quick: bool) -> Mapping[str, Figure]:
    """Play ours against the peer: with as many simulations, and with as much time."""
    if not peers.IS_INSTALLED:
        return {}
    options, simulations, num_games = MATCHES[game]
    peer = Peer(simulations)

    def in_same_time() -> Budget:
        mean = statistics.fmean(peer.seconds) if peer.seconds else 0.1
        return Budget(milliseconds=max(1, round(1000 * mean)))

    found = {}
    for name, budget in (
        ("equal_simulations", lambda: Budget(simulations=simulations)),
        ("equal_time", in_same_time),
    ):
        played = play_match(game, options, _ours(budget), peer, 2 if quick else num_games, seed=1)
        figure = f"{game}.vs_open_spiel_python.share_at_{name}"
        found[figure] = Figure(played.mean, played.standard_error)
    return found


def _ours(budget: Callable[[], Budget]) -> Bot:
    return lambda observation, seed: choose_move(observation, budget(), seed=seed)
