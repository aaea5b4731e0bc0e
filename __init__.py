"""Kingmaker: opponents, hints and analysis for tabletop games with hidden hands and dice.

>>> import kingmaker
>>> position = kingmaker.new_game("kingdom_coinquest", {"kings": "hs"})
>>> observation = position.observe(seat=1)
>>> kingmaker.analyze(observation, kingmaker.Budget(simulations=1000), seed=1).best_move
'draw:forge'
>>> kingmaker.solve(kingmaker.new_game("tic_tac_toe")).values
(0.5, 0.5)
"""

from importlib.metadata import version as _version

from .cext.errors import InputError, StateError, UnknownGameError
from .search.analysis import Analysis, Bound, Budget, MoveAnalysis, Reply, StopReason
from .search.hints import Hint, explain
from .search.levels import LEVELS, LevelSearch, select_move
from .search.position import (
    Observation,
    Position,
    game_types,
    new_game,
    parse_observation,
    parse_position,
)
from .search.registry import ENGINES
from .search.run import Search, analyze
from .search.solution import Limits, Method, OutOfReachError, Solution
from .search.solver import Solver, solve
from .search.worlds import sample_worlds

__all__ = [
    "ENGINES",
    "LEVELS",
    "Analysis",
    "Bound",
    "Budget",
    "Hint",
    "InputError",
    "LevelSearch",
    "Limits",
    "Method",
    "MoveAnalysis",
    "Observation",
    "OutOfReachError",
    "Position",
    "Reply",
    "Search",
    "Solution",
    "Solver",
    "StateError",
    "StopReason",
    "UnknownGameError",
    "analyze",
    "explain",
    "game_types",
    "new_game",
    "parse_observation",
    "parse_position",
    "sample_worlds",
    "select_move",
    "solve",
]
__version__ = _version("kingmaker")
