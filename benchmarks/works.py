"""Our timed work; peers.py has the same work of a peer under the same name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kingmaker.cext.net import Net
from kingmaker.search.analysis import MEGABYTE, Budget
from kingmaker.search.expectimax import Expectimax
from kingmaker.search.levels import choose_move
from kingmaker.search.perft import count_sequences
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.run import Search

from . import positions
from .measure import Work

EXPLORATION = 1.0
"""Beside OpenSpiel's `uct_c` of 2, whose rewards lie in [-1, 1] and ours in [0, 1]."""
PLAIN_OPTIONS: dict[str, str | float] = {
    "exploration": EXPLORATION,
    "playout": "policy",
    "playout_plies": 0,
}
"""One playout to the end for each simulation; the policy of the games that are compared is uniform,
and quicker than the engine's own `uniform`."""
ISMCTS_OPTIONS = {**PLAIN_OPTIONS, "observers": "single"}
"""As the peer's: one tree, that of the seat to move."""
SIMULATIONS = 10_000
BOT_SIMULATIONS = 1_000  # of an answer, as in many ladders
COUNTED_PLAYOUTS = 5_000  # playouts over which plies are counted


def connect_four_mcts() -> Work:
    """Search the first move with uniform playouts to the end."""
    return _searches([new_game("connect_four").observe(1)], "mcts", PLAIN_OPTIONS)


def kingdom_coinquest_bot() -> Work:
    """Answer as a bot of a ladder in the middle of a game of two seats."""
    return _answers([positions.kingdom_coinquest_middle(2)])


def code_of_chivalry_bot() -> Work:
    """Answer as a bot of a ladder in the middle of a game of two seats."""
    return _answers([positions.code_of_chivalry_middle(2)])


def knights_duty_bot() -> Work:
    """Answer as a bot of a ladder in the middle of a game of two seats."""
    return _answers([positions.knights_duty_middle(2)])


def hearts_bot() -> Work:
    """Answer as a bot of a ladder at plays of a random game."""
    return _answers([position for _, position in positions.hearts_decisions()])


def _answers(asked: Sequence[Position]) -> Work:
    observations = [position.observe(position.seat) for position in asked]
    budget = Budget(simulations=BOT_SIMULATIONS)

    def run() -> None:
        for observation in observations:
            choose_move(observation, budget, seed=1)

    return Work(run, {"simulations": BOT_SIMULATIONS * len(observations)})


def connect_four_playouts() -> Work:
    """Play random games from the empty board."""
    return _playouts(new_game("connect_four"), 20_000)


def connect_four_expectimax() -> Work:
    """Search from the empty board with a table of 16 MB."""
    num_nodes = 5_000_000
    return Work(lambda: search_connect_four(num_nodes), {"nodes": num_nodes})


def search_connect_four(num_nodes: int) -> None:
    """Enter so many states from the empty board on."""
    _enter(new_game("connect_four"), num_nodes)


def _enter(start: Position, num_nodes: int) -> None:
    options = {"width": start.game.search_width}
    search = Expectimax(start.game, start.state, options, 16 * MEGABYTE)
    search.run(num_nodes, 0)
    assert search.nodes == num_nodes


def leduc_poker_ismcts() -> Work:
    """Search decisions of random games with uniform playouts to the end."""
    return _searches(_observations(positions.leduc_decisions()), "ismcts", ISMCTS_OPTIONS)


def hearts_ismcts() -> Work:
    """Search plays of a random game with playouts to the end by the playout policy."""
    return _searches(_observations(positions.hearts_decisions()), "ismcts", ISMCTS_OPTIONS)


def hearts_playouts() -> Work:
    """Play whole games by the playout policy, deal and pass included."""
    return _playouts(new_game("hearts"), 50_000)


def kingdom_coinquest_playouts_2p() -> Work:
    """Play whole games of two seats by the playout policy, deal included."""
    return _playouts(new_game("kingdom_coinquest", {"players": 2}), 500)


def kingdom_coinquest_playouts_4p() -> Work:
    """Play whole games of four seats by the playout policy, deal included."""
    return _playouts(new_game("kingdom_coinquest", {"players": 4}), 500)


def kingdom_coinquest_ismcts_2p() -> Work:
    """Search a middle game of two seats as the service does by default."""
    return _default_search(positions.kingdom_coinquest_middle(2))


def kingdom_coinquest_ismcts_4p() -> Work:
    """Search a middle game of four seats as the service does by default."""
    return _default_search(positions.kingdom_coinquest_middle(4))


def code_of_chivalry_playouts_2p() -> Work:
    """Play whole games of two seats by the playout policy, deal included."""
    return _playouts(new_game("code_of_chivalry", {"players": 2}), 500)


def code_of_chivalry_playouts_6p() -> Work:
    """Play whole games of six seats by the playout policy, deal included."""
    return _playouts(new_game("code_of_chivalry", {"players": 6}), 500)


def code_of_chivalry_ismcts_2p() -> Work:
    """Search a middle game of two seats as the service does by default."""
    return _default_search(positions.code_of_chivalry_middle(2))


def code_of_chivalry_ismcts_6p() -> Work:
    """Search a middle game of six seats as the service does by default."""
    return _default_search(positions.code_of_chivalry_middle(6))


def knights_duty_playouts_2p() -> Work:
    """Play whole games of two seats by the playout policy."""
    return _playouts(new_game("knights_duty", {"players": 2}), 500)


def knights_duty_playouts_6p() -> Work:
    """Play whole games of six seats by the playout policy."""
    return _playouts(new_game("knights_duty", {"players": 6}), 500)


def knights_duty_ismcts_2p() -> Work:
    """Search a middle game of two seats as the service does by default."""
    return _default_search(positions.knights_duty_middle(2))


def knights_duty_ismcts_6p() -> Work:
    """Search a middle game of six seats as the service does by default."""
    return _default_search(positions.knights_duty_middle(6))


def knaves_out_playouts_2p() -> Work:
    """Play whole games of two seats by the playout policy, setup included."""
    return _playouts(new_game("knaves_out", {"players": 2}), 500)


def knaves_out_playouts_4p() -> Work:
    """Play whole games of four seats by the playout policy, setup included."""
    return _playouts(new_game("knaves_out", {"players": 4}), 200)


def knaves_out_playouts_8p() -> Work:
    """Play whole games of eight seats by the playout policy, setup included."""
    return _playouts(new_game("knaves_out", {"players": 8}), 100)


def knaves_out_ismcts_2p() -> Work:
    """Search a middle game of two seats as the service does by default."""
    return _default_search(positions.knaves_out_middle(2))


def knaves_out_ismcts_4p() -> Work:
    """Search a middle game of four seats as the service does by default."""
    return _default_search(positions.knaves_out_middle(4))


def knaves_out_ismcts_8p() -> Work:
    """Search a middle game of eight seats as the service does by default."""
    return _default_search(positions.knaves_out_middle(8))


def chessault_playouts() -> Work:
    """Play whole games by the playout policy, setup included."""
    return _playouts(new_game("chessault"), 500)


def chessault_mcts() -> Work:
    """Search a middle game by tree search."""
    return _default_search(positions.chessault_middle(), "mcts")


def chessault_expectimax() -> Work:
    """Search a middle game with a table of 16 MB."""
    num_nodes = 2_000_000
    return Work(lambda: search_chessault(num_nodes), {"nodes": num_nodes})


def search_chessault(num_nodes: int) -> None:
    """Enter so many states from a middle game on."""
    _enter(positions.chessault_middle(), num_nodes)


def chessault_perft() -> Work:
    """Make every move and outcome of a middle game, to a depth."""
    start, depth = positions.chessault_middle(), 6
    num_nodes = sum(count_sequences(start.game, start.state, depth))
    return Work(lambda: count_sequences(start.game, start.state, depth), {"nodes": num_nodes})


def net_evaluation() -> Work:
    """Score random inputs by a net of 256 -> 32 -> 16 -> 1, 40 features active in each."""
    num_features, num_active, hidden1, hidden2, num_rows = 256, 40, 32, 16, 10_000
    rng = np.random.Generator(np.random.PCG64(1))
    shapes: dict[str, tuple[int, ...]] = {
        "w1": (num_features, hidden1),
        "b1": (hidden1,),
        "w2": (hidden1, hidden2),
        "b2": (hidden2,),
        "w3": (hidden2,),
        "b3": (1,),
    }
    card = {"game": "none", "seats": 2, "options": {}, "features": ""}
    net = Net(card, {name: rng.uniform(-1, 1, shape) for name, shape in shapes.items()})
    rows = [np.sort(rng.permutation(num_features)[:num_active]) for _ in range(num_rows)]
    active, starts = np.concatenate(rows), np.arange(num_rows + 1) * num_active
    return Work(lambda: net.scores_of(active, starts), {"evaluations": num_rows})


def _observations(decisions: Sequence[positions.Decision]) -> list[Observation]:
    return [position.observe(position.seat) for _, position in decisions]


def _searches(
    observations: Sequence[Observation], engine: str, options: Mapping[str, str | float]
) -> Work:
    def run() -> None:
        for observation in observations:
            budget = Budget(simulations=SIMULATIONS)
            Search(observation, budget, engine=engine, seed=1, options=options).run()

    return Work(run, {"simulations": SIMULATIONS * len(observations)})


def _default_search(position: Position, engine: str = "") -> Work:
    observation = position.observe(position.seat)
    budget = Budget(simulations=2 * SIMULATIONS)
    return Work(
        lambda: Search(observation, budget, engine=engine, seed=1).run(),
        {"simulations": 2 * SIMULATIONS},
    )


def _playouts(start: Position, num_playouts: int) -> Work:
    """Play on from a position in one loop of C."""
    game, state, stream = start.game, start.state, np.random.SFC64(1)
    plies = game.playouts(state, np.random.SFC64(2), COUNTED_PLAYOUTS)[1] / COUNTED_PLAYOUTS
    return Work(
        lambda: game.playouts(state, stream, num_playouts),
        {"playouts": num_playouts, "plies": plies * num_playouts},
    )
