"""The engines by name: what each is for, what it takes, and what makes its compiled search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.cext.game import Game

from .expectimax import MAX_DEPTH, MAX_WIDTH
from .expectimax_searcher import ExpectimaxSearcher
from .flat import FlatSearcher
from .growing_tree import GrowingTreeSearcher
from .ismcts import IsmctsSearcher
from .mcts import MctsSearcher
from .mo_ismcts import MoIsmctsSearcher
from .pimc import PimcSearcher
from .searcher import Searcher

MIN_TREE_BYTES = 1 << 16
MAX_NODE_BYTES = 256  # a simulation adds at most a node for each move somewhere, and its index
STACK_BYTES = 1 << 20  # of expectimax, besides its states
STACK_STATES = 128  # more plies than a limited number of states reaches
MAX_ENTRY_BYTES = 128  # a state adds at most an entry to the table, which is to stay half empty

OPTION_HELP: Mapping[str, str] = {
    "exploration": "how much the tree search explores, 0 to 100",
    "playout": "how games are played out: policy (the game's own) or uniform",
    "playout_plies": "plies of a playout before its end is evaluated, 0 to 10^6; 0: to the end",
    "max_depth": "decisions in the tree at most, 0 to 10^6; 0: any number",
    "observers": "whose tree grows: single (the searching seat's) or multiple (every seat's)",
    "selection": "how moves are chosen in the tree: ucb, or regret (with multiple) to mix them",
    "anchor": "win shares that regret may give up at first to keep to the playout policy, 0 to 1",
    "depth": f"plies to look ahead, 1 to {MAX_DEPTH}",
    "width": f"moves of a kind to look at, the best in full depth, 0 to {MAX_WIDTH}; 0: all alike",
    "rivals": "what more than one rival want: selfish (to win) or paranoid (that you lose)",
}


def _tree_bytes(game: Game, simulations: int) -> int:
    """A simulation adds a node for every move somewhere, at most."""
    return MIN_TREE_BYTES + simulations * game.max_moves * MAX_NODE_BYTES


def _table_bytes(game: Game, states: int) -> int:
    """A state adds one entry at most; the stack is there before the first one."""
    return STACK_BYTES + STACK_STATES * game.state_bytes + states * MAX_ENTRY_BYTES


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """A way to search.

    Attributes:
        name: as in requests.
        summary: what it is for, in a line.
        searcher: makes the compiled search of one thread.
        options: the options it takes, with their defaults; None: the game's own.
        takes_hidden: whether it can search games with hidden information.
        choose: answers from the legal moves and a seed, without a search; None: it searches.
        ranks_by_value: whether its moves rank by value, since it looks at all of them alike; else
            by visits.
        max_threads: threads that it can use; more change nothing. None: any number.
        memory_of: bytes that a game and so many simulations may want; None: all there are.
        exchange_rate: how many of its simulations take about as long as one of a tree search;
            levels count in the latter.
    """

    name: str
    summary: str
    searcher: Callable[[Game, bytes, np.random.SeedSequence, dict[str, Any], int], Searcher]
    options: Mapping[str, float | int | str | None]
    takes_hidden: bool = True
    choose: Callable[[Sequence[str], int], str] | None = None
    ranks_by_value: bool = False
    max_threads: int | None = None
    memory_of: Callable[[Game, int], int] | None = _tree_bytes
    exchange_rate: int = 1

    @property
    def does_search(self) -> bool:
        """Whether simulations are of use to it."""
        return self.choose is None

    @property
    def option_help(self) -> dict[str, str]:
        """A line for each option: what it is, its values and its default."""
        return {
            name: f"{OPTION_HELP[name]}; default {'by game and budget' if value is None else value}"
            for name, value in self.options.items()
        }


def _ismcts(
    game: Game,
    observation: bytes,
    seed: np.random.SeedSequence,
    options: dict[str, Any],
    memory_bytes: int,
) -> Searcher:
    if options["observers"] == "single":
        return IsmctsSearcher(game, observation, seed, options, memory_bytes)
    world = game.determinized(observation, np.random.SFC64(0))
    if options["selection"] == "regret" and game.history_of(world) is not None:
        return GrowingTreeSearcher(game, observation, seed, options, memory_bytes)
    return MoIsmctsSearcher(game, observation, seed, options, memory_bytes)


_SEARCH_OPTIONS: dict[str, float | int | str | None] = {
    "exploration": 0.7,
    "playout": "policy",
    "playout_plies": None,
}
ENGINES: dict[str, EngineInfo] = {
    info.name: info
    for info in (
        EngineInfo(
            "ismcts",
            "tree search over determinizations, for hidden information",
            _ismcts,
            # Averages over evaluated playouts vary less than results do: in Kingdom Coinquest 0.15
            # to 0.35 win about 58 % of games against 0.7 at 2,000 to 3,000 simulations.
            {
                **_SEARCH_OPTIONS,
                "exploration": 0.3,
                "max_depth": 0,
                "observers": None,
                "selection": None,
                "anchor": None,
                "rivals": "selfish",
            },
        ),
        EngineInfo(
            "mcts",
            "tree search with proven results, for games without hidden information",
            MctsSearcher,
            _SEARCH_OPTIONS,
            takes_hidden=False,
        ),
        EngineInfo(
            "expectimax",
            "every line to a depth, with proven results, for games without hidden information",
            ExpectimaxSearcher,
            {"depth": None, "rivals": "selfish", "width": None},
            takes_hidden=False,
            ranks_by_value=True,
            max_threads=1,
            memory_of=_table_bytes,
            exchange_rate=10,
        ),
        EngineInfo(
            "pimc",
            "determinizations solved one by one with open hands, for tactics",
            PimcSearcher,
            # A whole trick of four. 50 ms are enough for 80 worlds or more in Kingdom Coinquest and
            # for 200 in the tricks of a card game; for 20 where moves are as many as in its pass.
            {"depth": 4, "rivals": "selfish"},
            ranks_by_value=True,
            memory_of=None,
        ),
        EngineInfo(
            "flat",
            "baseline: every legal move tried equally often by playouts",
            lambda *args: FlatSearcher(*_with(args, greedy=False)),
            {"playout": "policy", "playout_plies": None},
        ),
        EngineInfo(
            "greedy",
            "baseline: the move after which the heuristic evaluation is best",
            lambda *args: FlatSearcher(*_with(args, greedy=True)),
            {},
        ),
        EngineInfo(
            "random",
            "baseline: any legal move",
            lambda *args: FlatSearcher(*_with(args, greedy=True)),
            {},
            choose=lambda moves, seed: moves[random_order(len(moves), seed)[0]],
        ),
    )
}


def _with(arguments: tuple[Any, ...], **options: Any) -> tuple[Any, ...]:
    game, observation, seed, given, memory_bytes = arguments
    plain = {"exploration": 0.0, "playout": "policy", "playout_plies": 0}
    return game, observation, seed, {**plain, **given, **options}, memory_bytes


def default_engine(game: Game) -> str:
    """Name the engine that suits a game."""
    if game.is_hidden:
        return "ismcts"
    return "expectimax" if game.is_tactical else "mcts"


def random_order(number: int, seed: int) -> list[int]:
    """Return 0 to `number` - 1 in an order that the seed decides."""
    order: list[int] = np.random.Generator(np.random.SFC64(seed)).permutation(number).tolist()
    return order
