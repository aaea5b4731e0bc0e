"""Our searches beside OpenSpiel's, same work, same process; without it only our own figures.

OpenSpiel's rewards lie in [-1, 1] and ours in [0, 1], so its `uct_c` is twice our `exploration`.
Its IS-MCTS is timed with one rollout, unlimited worlds, keys by
information state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kingmaker.search.analysis import Budget
from kingmaker.search.engine import Search
from kingmaker.search.position import Observation, Position, new_game

from .timing import rates

try:
    import pyspiel
except ImportError:  # a development extra; its figures are left out
    pyspiel = None

UCT_C = 2.0
SIMULATIONS = 10_000
NUM_POSITIONS = 8


def _search(observation: Observation, engine: str) -> int:
    search = Search(
        observation,
        Budget(simulations=SIMULATIONS),
        engine=engine,
        seed=1,
        options={"exploration": UCT_C / 2, "playout": "policy", "playout_plies": 0},
    )
    return search.run().simulations


def _mcts_bot(simulations: int, rollouts: int) -> Any:
    """OpenSpiel's C++ MCTS for connect four: 1,000 MB, no proofs, seed 1, silent."""
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


def _rounds(quick: bool) -> int:
    return 3 if quick else 9


def _compared(
    works: dict[str, Callable[[], int]], rate_key: str, ratio_key: str, quick: bool
) -> dict[str, float]:
    found = rates(works, _rounds(quick))
    figures = {rate_key: found["ours"]}
    if "theirs" in found:
        figures[ratio_key] = found["ours"] / found["theirs"]
    return figures


def connect_four_mcts(quick: bool) -> dict[str, float]:
    """First move, 10,000 simulations, one random playout each, against its C++ MCTSBot."""
    observation = new_game("connect_four").observe(1)
    works: dict[str, Callable[[], int]] = {"ours": lambda: _search(observation, "mcts")}
    if pyspiel is not None:
        state = pyspiel.load_game("connect_four").new_initial_state()

        def theirs() -> int:
            bot = _mcts_bot(simulations=SIMULATIONS, rollouts=1)
            return int(bot.mcts_search(state).explore_count)

        works["theirs"] = theirs
    return _compared(
        works, "connect_four.mcts.sims_per_s", "connect_four.mcts.vs_open_spiel", quick
    )


def connect_four_playouts(quick: bool) -> dict[str, float]:
    """Random playouts from the first position in loops of C, against its C++ rollouts."""
    position = new_game("connect_four")
    stream = np.random.SFC64(1)
    num_playouts = 20_000

    def ours() -> int:
        position.game.playouts(position.state, stream, num_playouts * 10)
        return num_playouts * 10

    works: dict[str, Callable[[], int]] = {"ours": ours}
    if pyspiel is not None:
        # One simulation evaluates one state, here by all the rollouts in one loop of C++.
        state = pyspiel.load_game("connect_four").new_initial_state()

        def theirs() -> int:
            _mcts_bot(simulations=1, rollouts=num_playouts).mcts_search(state)
            return num_playouts

        works["theirs"] = theirs
    return _compared(
        works, "connect_four.playouts_per_s", "connect_four.playouts.vs_open_spiel", quick
    )


def leduc_ismcts(quick: bool) -> dict[str, float]:
    """10,000 simulations at each of the same decisions of random games, against ISMCTSBot."""
    tokens, positions = _leduc_positions()
    observations = [position.observe(position.seat) for position in positions]
    works: dict[str, Callable[[], int]] = {
        "ours": lambda: sum(_search(observation, "ismcts") for observation in observations)
    }
    if pyspiel is not None:
        states = [_leduc_state(each) for each in tokens]

        def theirs() -> int:
            for state in states:
                bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), UCT_C, SIMULATIONS)
                bot.step(state)
            return SIMULATIONS * len(states)

        works["theirs"] = theirs
    return _compared(
        works, "leduc_poker.ismcts.sims_per_s", "leduc_poker.ismcts.vs_open_spiel", quick
    )


def _leduc_positions() -> tuple[list[list[str]], list[Position]]:
    """Decisions of random games, with the tokens that lead there."""
    stream = np.random.SFC64(1)
    tokens: list[str] = []
    found: tuple[list[list[str]], list[Position]] = ([], [])
    position = new_game("leduc_poker")
    while len(found[0]) < NUM_POSITIONS:
        position, drawn = position.settle(stream)
        tokens += drawn
        if position.is_terminal:
            position, tokens = new_game("leduc_poker"), []
            continue
        found[0].append(list(tokens))
        found[1].append(position)
        tokens.append(position.game.move_text(position.game.policy_move(position.state, stream)))
        position = position.apply(tokens[-1])
    return found


def _leduc_state(tokens: list[str]) -> Any:
    """The same decision as a state of OpenSpiel, whose cards are numbered as ours are ordered."""
    actions = {"fold": 0, "call": 1, "raise": 2}
    cards = ["js", "jh", "qs", "qh", "ks", "kh"]
    state = pyspiel.load_game("leduc_poker").new_initial_state()
    for token in tokens:
        state.apply_action(
            cards.index(token.removeprefix("deal:")) if ":" in token else actions[token]
        )
    return state
