"""The work of works.py done by OpenSpiel, in loops of its C++.

Its searches take one random rollout for each simulation; its IS-MCTS has unlimited worlds and keys
by information state.
"""

from __future__ import annotations

from typing import Any

from . import positions
from .measure import Work
from .works import EXPLORATION, SIMULATIONS

try:
    import pyspiel
except ImportError:  # a development extra; without it comparisons are left out
    pyspiel = None

UCT_C = 2 * EXPLORATION
IS_INSTALLED = pyspiel is not None


def connect_four_mcts() -> Work:
    """Search the first move."""
    state = pyspiel.load_game("connect_four").new_initial_state()
    return Work(
        lambda: _mcts_bot(SIMULATIONS, rollouts=1).mcts_search(state), {"simulations": SIMULATIONS}
    )


def connect_four_playouts() -> Work:
    """Evaluate the first state by random rollouts: one simulation, all of them in one loop."""
    num_playouts = 10_000
    state = pyspiel.load_game("connect_four").new_initial_state()
    return Work(
        lambda: _mcts_bot(1, rollouts=num_playouts).mcts_search(state), {"playouts": num_playouts}
    )


def leduc_poker_ismcts() -> Work:
    """Search the same decisions."""
    return _ismcts([_leduc_state(tokens) for tokens, _ in positions.leduc_decisions()])


def hearts_ismcts() -> Work:
    """Search the same plays; in the pass its IS-MCTS can't draw worlds, and crashes."""
    return _ismcts([_hearts_state(tokens) for tokens, _ in positions.hearts_decisions()])


def hearts_playouts() -> Work:
    """Let uniform random bots play whole games, deal and pass included."""
    num_playouts = 2_000
    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]

    def run() -> None:
        for seed in range(num_playouts):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

    return Work(run, {"playouts": num_playouts})


def _mcts_bot(simulations: int, rollouts: int) -> Any:
    """Return its MCTS for connect four: 1,000 MB, no proofs, seed 1, silent."""
    return pyspiel.MCTSBot(
        pyspiel.load_game("connect_four"),
        pyspiel.RandomRolloutEvaluator(rollouts, 1),
        UCT_C,
        simulations,
        1000,
        False,
        1,
        False,
    )


def _ismcts(states: list[Any]) -> Work:
    def run() -> None:
        for state in states:
            evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
            pyspiel.ISMCTSBot(1, evaluator, UCT_C, SIMULATIONS).step(state)

    return Work(run, {"simulations": SIMULATIONS * len(states)})


def _leduc_state(tokens: list[str]) -> Any:
    """Return the same decision as a state of its own, where cards are numbered in our order."""
    actions = {"fold": 0, "call": 1, "raise": 2}
    cards = ["js", "jh", "qs", "qh", "ks", "kh"]
    state = pyspiel.load_game("leduc_poker").new_initial_state()
    for token in tokens:
        state.apply_action(
            cards.index(token.removeprefix("deal:")) if ":" in token else actions[token]
        )
    return state


def _hearts_state(tokens: list[str]) -> Any:
    """Return the same play as a state of its own, where the suit changes fastest."""
    directions = ["none", "left", "across", "right"]
    state = pyspiel.load_game("hearts").new_initial_state()
    for token in tokens:
        verb, what = token.split(":")
        if verb == "direction":
            state.apply_action(directions.index(what))
        else:
            state.apply_action(4 * "23456789tjqka".index(what[0]) + "cdhs".index(what[1]))
    return state
