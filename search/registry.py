"""The engines by name: purpose, options and the compiled search of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.cext.game import Game
from kingmaker.cext.rng import Seed

from .expectimax import MAX_DEPTH, MAX_WIDTH
from .expectimax_searcher import ExpectimaxSearcher
from .flat import FlatSearcher
from .growing_tree import GrowingTreeSearcher
from .ismcts import IsmctsSearcher
from .mcts import MctsSearcher
from .mo_ismcts import MoIsmctsSearcher
from .pimc import PimcSearcher
from .searcher import Searcher
from .tree_size import estimate_tree

MIN_TREE_BYTES = 1 << 16
MAX_NODE_BYTES = 256  # a simulation adds at most a node for each move somewhere, and its index
STACK_BYTES = 1 << 20  # of expectimax, besides its states
STACK_STATES = 128  # more plies than a limited number of states reaches
FIXED_BYTES = 1 << 15  # of expectimax: its history, and room for a few entries
FRAME_BYTES, FRAME_MOVE_BYTES = 512, 64  # of a ply besides its state, and for each move
ROOT_MOVE_BYTES = 256  # of a move at the root
MAX_ENTRY_BYTES = 160  # a state adds at most an entry to the table, which is to stay half empty
LEAST_TABLE_BYTES = 1 << 22
TABLE_BYTES_A_MS = 1 << 18  # a larger table takes longer to clear than it saves
SMALL_TREE = 1 << 17  # histories that regret is minimized on: most that a growing tree holds
SIZE_PROBES = 16

OPTION_HELP: Mapping[str, str] = {
    "exploration": "how much the tree search explores, 0 to 100",
    "root_exploration": "how much the search explores between the moves at the root, 0 to 100; 0, "
    "and where only `exploration` is given: as in the tree; with observers=single",
    "playout": "how playouts choose moves: policy (the game's own) or uniform",
    "temperature": "softness of the priors: a move that is better by this win share has e times "
    "the prior, 0.015 to 100; 0: all have the same, with observers=multiple the playout policy's; "
    "not given: the default of the game, or priors of its learned policy",
    "playout_plies": "plies of a playout before the evaluation, or a few more, up to a state that "
    "suits it, 0 to 10^6; 0: to the end",
    "max_depth": "depth of the tree in decisions, 0 to 10^6; 0: no limit",
    "expand": "visits of a move before the trees grow after it, 1 to 10^6; with observers=multiple",
    "observers": "trees: single (the searching seat's) or multiple (one for every seat)",
    "selection": "how the tree chooses moves: ucb; or for a mixed policy, with observers=multiple, "
    "regret or auto (regret where the tree is small, else ucb)",
    "anchor": "win share that regret gives up at first to stay near the playout policy, 0 to 1; "
    "with selection=regret or auto",
    "depth": f"plies to search, 1 to {MAX_DEPTH}",
    "width": f"moves of a kind to search, 0 to {MAX_WIDTH}, the best in full depth; 0: all",
    "rivals": "goal of several rivals: selfish (their own win) or paranoid (your loss)",
    "hostility": "part of your loss in what several rivals play for, 0 (their own win alone) to 1; "
    "with observers=single",
    "rival_policy": "part of rivals' choices that are drawn from the playout policy, by what they "
    "hold in the world of a simulation, 0 to 1, and 0 where hostility is given; with "
    "observers=single",
}


def _tree_bytes(game: Game, simulations: int) -> int:
    """Memory of a tree: each simulation adds at most one node for each move of a position."""
    return MIN_TREE_BYTES + simulations * game.max_moves * MAX_NODE_BYTES


def _table_bytes(game: Game, states: int) -> int:
    """Memory of expectimax: each state adds at most one entry, and one ply to the depth.

    The stack gets at most half of it.
    """
    frame = FRAME_BYTES + game.state_bytes + game.max_moves * FRAME_MOVE_BYTES
    stack = min(STACK_BYTES + STACK_STATES * game.state_bytes, 2 * (states + 2) * frame)
    root = FIXED_BYTES + game.max_moves * ROOT_MOVE_BYTES
    return root + stack + states * MAX_ENTRY_BYTES


def _table_bytes_in(milliseconds: float) -> int:
    """Memory of expectimax that pays within a time.

    With 64 MB a search of 10 ms entered half as many states of a large game as with 4 MB.
    """
    return LEAST_TABLE_BYTES + int(milliseconds * TABLE_BYTES_A_MS)


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """A way to search.

    Attributes:
        name: as in requests.
        summary: its purpose, in one line.
        searcher: creates the compiled search of one thread.
        options: its options with their defaults; None: the game's own value.
        takes_hidden: whether it can search games with hidden information.
        choose: chooses from the legal moves by a seed, without a search; None: the engine searches.
        ranks_by_value: whether its moves rank by value, as it searches all of them equally; else
            by visits.
        max_threads: most threads that it can use; None: any number.
        memory_of: bytes needed for a game and a number of simulations; None: the whole limit.
        memory_in: bytes that pay in a number of milliseconds; None: the whole limit.
        exchange_rate: number of its simulations that take as long as one of a tree search;
            levels count simulations of a tree search.
    """

    name: str
    summary: str
    searcher: Callable[[Game, bytes, Seed, dict[str, Any], int], Searcher]
    options: Mapping[str, float | int | str | None]
    takes_hidden: bool = True
    choose: Callable[[Sequence[str], int], str] | None = None
    ranks_by_value: bool = False
    max_threads: int | None = None
    memory_of: Callable[[Game, int], int] | None = _tree_bytes
    memory_in: Callable[[float], int] | None = None
    exchange_rate: int = 1

    @property
    def does_search(self) -> bool:
        """Whether the engine uses simulations."""
        return self.choose is None

    @property
    def is_by_depth(self) -> bool:
        """Whether it looks all moves up to a depth: its values don't vary from search to search."""
        return self.max_threads == 1

    @property
    def option_help(self) -> dict[str, str]:
        """One line for each option: meaning, values and default."""
        return {
            name: f"{OPTION_HELP[name]}; default {'by game and budget' if value is None else value}"
            for name, value in self.options.items()
        }


def _ismcts(
    game: Game,
    observation: bytes,
    seed: Seed,
    options: dict[str, Any],
    memory_bytes: int,
) -> Searcher:
    if options["observers"] == "single":
        return IsmctsSearcher(game, observation, seed, options, memory_bytes)
    selection = options["selection"]
    if selection != "ucb":
        history = game.history_of(game.determinized(observation, np.random.SFC64(0)))
        if history is not None and (selection == "regret" or _is_small(game, history[0])):
            return GrowingTreeSearcher(game, observation, seed, options, memory_bytes)
    return MoIsmctsSearcher(game, observation, seed, options, memory_bytes)


def _is_small(game: Game, state: bytes) -> bool:
    """Whether a growing tree can hold all histories below a state."""
    limit = SMALL_TREE * SIZE_PROBES
    return estimate_tree(game, state, SIZE_PROBES, 0, limit=limit).mean < SMALL_TREE


_SEARCH_OPTIONS: dict[str, float | int | str | None] = {
    "exploration": None,
    "temperature": None,
    "playout": "policy",
    "playout_plies": None,
}
ENGINES: dict[str, EngineInfo] = {
    info.name: info
    for info in (
        EngineInfo(
            "ismcts",
            "tree search over sampled worlds, for hidden information",
            _ismcts,
            {
                **_SEARCH_OPTIONS,
                "root_exploration": None,
                "max_depth": 0,
                "expand": None,
                "observers": None,
                "selection": None,
                "anchor": None,
                "hostility": None,
                "rival_policy": None,
            },
        ),
        EngineInfo(
            "mcts",
            "tree search with proven results, for games without hidden information",
            MctsSearcher,
            # Errors of values are honest with 1.5 and too small with 0.7, which plays worse too.
            {**_SEARCH_OPTIONS, "exploration": 1.5},
            takes_hidden=False,
        ),
        EngineInfo(
            "expectimax",
            "all lines to a depth, with proven results, for games without hidden information",
            ExpectimaxSearcher,
            {"depth": None, "rivals": "selfish", "width": None},
            takes_hidden=False,
            ranks_by_value=True,
            max_threads=1,
            memory_of=_table_bytes,
            memory_in=_table_bytes_in,
            exchange_rate=10,
        ),
        EngineInfo(
            "pimc",
            "sampled worlds solved one by one with open hands, for tactics",
            PimcSearcher,
            {"depth": None, "rivals": "selfish"},
            ranks_by_value=True,
            memory_of=None,
        ),
        EngineInfo(
            "flat",
            "baseline: every legal move tried equally often by playouts",
            lambda *args: FlatSearcher(*_with(args, greedy=False)),
            {"playout": "policy", "playout_plies": None},
            ranks_by_value=True,
        ),
        EngineInfo(
            "greedy",
            "baseline: the move after which the heuristic evaluation is best",
            lambda *args: FlatSearcher(*_with(args, greedy=True)),
            {},
            ranks_by_value=True,
        ),
        EngineInfo(
            "random",
            "baseline: a uniformly random legal move",
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
    """Return the name of the default engine of a game."""
    if game.is_hidden:
        return "ismcts"
    return "expectimax" if game.is_tactical else "mcts"


def random_order(number: int, seed: int) -> list[int]:
    """Return 0 to `number` - 1 in random order, by the seed."""
    order: list[int] = np.random.Generator(np.random.SFC64(seed)).permutation(number).tolist()
    return order
