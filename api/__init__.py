"""Kingmaker: opponents, hints and analysis for tabletop games with hidden hands and dice.

>>> import kingmaker
>>> position = kingmaker.new_game("kingdom_coinquest", {"kings": "hs"})
>>> observation = position.observe(seat=1)
>>> kingmaker.analyze(observation, kingmaker.Budget(simulations=1000), seed=1).best_move
'draw:forge'
>>> kingmaker.solve(kingmaker.new_game("tic_tac_toe")).values
(0.5, 0.5)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .cext.errors import IllegalMoveError, InputError, StateError, UnknownGameError
    from .search.analysis import Analysis, Bound, Budget, MoveAnalysis, Reply, StopReason
    from .search.games import game_types
    from .search.hints import Hint, explain
    from .search.levels import LEVELS, LevelSearch, select_move
    from .search.position import Observation, Position, new_game, parse_observation, parse_position
    from .search.record import Record, RivalPolicy, Seen, seen_at, seen_so_far
    from .search.registry import ENGINES
    from .search.run import Search, analyze
    from .search.solution import InfeasibleError, Limits, Method, Solution
    from .search.solver import Solver, solve
    from .search.tree_cache import TreeCache
    from .search.worlds import believed_worlds, sample_worlds, weigh_worlds

    __version__: str

__all__ = [
    "ENGINES",
    "LEVELS",
    "Analysis",
    "Bound",
    "Budget",
    "Hint",
    "IllegalMoveError",
    "InfeasibleError",
    "InputError",
    "LevelSearch",
    "Limits",
    "Method",
    "MoveAnalysis",
    "Observation",
    "Position",
    "Record",
    "Reply",
    "RivalPolicy",
    "Search",
    "Seen",
    "Solution",
    "Solver",
    "StateError",
    "StopReason",
    "TreeCache",
    "UnknownGameError",
    "analyze",
    "believed_worlds",
    "explain",
    "game_types",
    "new_game",
    "parse_observation",
    "parse_position",
    "sample_worlds",
    "seen_at",
    "seen_so_far",
    "select_move",
    "solve",
    "weigh_worlds",
]

# Names are imported on first access: NumPy, the games and the engines take ten times as long to
# import as Python takes to start, and most commands need few of them.
_HOMES = {
    "cext.errors": ("IllegalMoveError", "InputError", "StateError", "UnknownGameError"),
    "search.analysis": ("Analysis", "Bound", "Budget", "MoveAnalysis", "Reply", "StopReason"),
    "search.games": ("game_types",),
    "search.hints": ("Hint", "explain"),
    "search.levels": ("LEVELS", "LevelSearch", "select_move"),
    "search.position": (
        "Observation",
        "Position",
        "new_game",
        "parse_observation",
        "parse_position",
    ),
    "search.record": ("Record", "RivalPolicy", "Seen", "seen_at", "seen_so_far"),
    "search.registry": ("ENGINES",),
    "search.run": ("Search", "analyze"),
    "search.solution": ("Limits", "Method", "InfeasibleError", "Solution"),
    "search.solver": ("Solver", "solve"),
    "search.tree_cache": ("TreeCache",),
    "search.worlds": ("believed_worlds", "sample_worlds", "weigh_worlds"),
}


if not TYPE_CHECKING:  # otherwise type checkers would accept any name

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            value = version("kingmaker")
        else:
            home = next((home for home, names in _HOMES.items() if name in names), None)
            if home is None:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            from importlib import import_module

            value = getattr(import_module(f".{home}", __name__), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, "__version__"} - {"TYPE_CHECKING"})
