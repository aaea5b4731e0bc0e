"""Games for the algorithms of OpenSpiel, registered as `kingmaker_<name>` by importing this module.

>>> import pyspiel
>>> import kingmaker.adapters.open_spiel
>>> game = pyspiel.load_game(f"kingmaker_{name}(players=3)")

Options of a game are parameters; -1 and the empty text are their defaults. Actions are the numbers
of moves (`Game.index_of`), the actions of chance are the places in the list of outcomes. Utilities
are win shares less an equal share, so that they sum to 0. The observation tensor has the features
of what a player sees (`Game.feature_names`); the information state is a string only: the line of
the observation, and a digest of all that the player has seen before.

`resample_from_infostate` draws a world from what the player sees now, all that fit being as likely
as by the deal. Its history begins there. OpenSpiel's IS-MCTS in C++, `pyspiel.ISMCTSBot`, ends the
process with these games as with any game in Python that resamples; that in Python,
`open_spiel.python.algorithms.ismcts`, works. See docs/adapters.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
import pyspiel

from kingmaker.cext.errors import StateError, check_mapping, refusal
from kingmaker.cext.game import Game
from kingmaker.search.analysis import Budget, check_budget
from kingmaker.search.draws import check_seed
from kingmaker.search.games import game_types
from kingmaker.search.levels import MAX_LEVEL, check_level, choose_move
from kingmaker.search.node import check_position
from kingmaker.search.plan import engine_named
from kingmaker.search.position import TERMINAL, Observation, Position, new_game

from .checks import not_legal

PREFIX = "kingmaker_"
MAX_PLIES = 1_000_000
"""Length that OpenSpiel is told: the engine contract has no bound."""
DEFAULT_NUMBER, DEFAULT_TEXT = -1, ""
"""A parameter of this value has the game's own default."""
DIGEST_BYTES = 12


class Trace:
    """A state and how it came about; immutable, and shared by the states that come after it.

    Args:
        game: the rules.
        state: the full state.
        parent: the trace before the last move or outcome; None: play begins here.
        move: the last move or outcome.
    """

    __slots__ = ("_digests", "_keys", "game", "move", "node", "parent", "state")

    def __init__(
        self, game: Game, state: bytes, parent: Trace | None = None, move: int = 0
    ) -> None:
        self.game, self.state, self.parent, self.move = game, state, parent, move
        self.node = game.node_of(state)
        self._digests: dict[int, bytes] = {}
        self._keys: dict[int, str] = {}

    def __deepcopy__(self, memo: object) -> Self:
        return self  # OpenSpiel clones a state by copying its attributes

    def __reduce__(self) -> tuple[Callable[..., Trace], tuple[Any, ...]]:
        """Pickle the first state and the moves from it: nested, a long game would be too deep."""
        first, moves = self, []
        while first.parent is not None:
            moves.append(first.move)
            first = first.parent
        return _replayed, (first.game, first.state, first._digests, moves[::-1])

    def after(self, move: int) -> Trace:
        """Return the trace after a move or outcome."""
        return Trace(self.game, self.game.after(self.state, move), self, move)

    def world(self, player: int, stream: np.random.BitGenerator) -> Trace:
        """Draw a state that the player can't tell from this one."""
        seen = self.game.observed(self.state, player)
        world = Trace(self.game, self.game.determinized(seen, stream))
        world._digests[player] = self.digest(player)
        return world

    def digest(self, player: int) -> bytes:
        """Return a digest of all observations of a player and of all moves as it saw them."""
        path: list[Trace] = []
        trace: Trace | None = self
        while trace is not None and player not in trace._digests:
            path.append(trace)
            trace = trace.parent
        found = trace._digests[player] if trace is not None else b""
        for trace in reversed(path):
            found = trace._digests[player] = trace._extended(found, player)
        return found

    def _extended(self, before: bytes, player: int) -> bytes:
        seen = self.game.observed(self.state, player)
        if self.parent is not None:
            move = self.game.seen(self.parent.state, self.move, player)
            seen += move.to_bytes(4)
        return hashlib.blake2b(before + seen, digest_size=DIGEST_BYTES).digest()

    def information_state(self, player: int) -> str:
        """Return what a player knows, told apart from all else that it might know."""
        if player not in self._keys:
            self._keys[player] = f"{self.observation(player)} past={self.digest(player).hex()}"
        return self._keys[player]

    def observation(self, player: int) -> str:
        """Return the line of what a player, or a spectator (-1), sees."""
        return self.game.text(self.game.observed(self.state, player))


def _replayed(game: Game, state: bytes, digests: dict[int, bytes], moves: list[int]) -> Trace:
    trace = Trace(game, state)
    trace._digests.update(digests)
    for move in moves:
        trace = trace.after(move)
    return trace


class GameState(pyspiel.State):
    """A state of any game of Kingmaker; methods as OpenSpiel names them.

    Attributes:
        trace: the state and how it came about.
    """

    def __init__(self, game: pyspiel.Game, trace: Trace) -> None:
        super().__init__(game)
        self.trace = trace

    def current_player(self) -> int:
        """Return the seat to decide, from 0, or the id of chance or the end."""
        node = self.trace.node
        return int(pyspiel.PlayerId.TERMINAL) if node == TERMINAL else node

    def _legal_actions(self, player: int) -> list[int]:
        game = self.trace.game
        return sorted(game.index_of(move) for move in game.moves_of(self.trace.state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the outcomes, by their places in the game's list, with their probabilities."""
        outcomes = self.trace.game.outcomes_of(self.trace.state)
        return [(place, probability) for place, (_, probability) in enumerate(outcomes)]

    def _apply_action(self, action: int) -> None:
        self.trace = self.trace.after(self._move(action))

    def _move(self, action: int) -> int:
        """Return the move of an action, or the outcome at a place.

        Raises:
            InputError: the game has no such action, or the node no such outcome.
            StateError: the move is not legal, or the game is over.
        """
        game, state = self.trace.game, self.trace.state
        if self.trace.node >= 0:
            move = game.move_at(action)
            if move not in game.moves_of(state):
                raise not_legal(game, state, action)
            return move
        outcomes = game.outcomes_of(state)
        if not outcomes:
            raise StateError("the game is over", field="action", value=str(action))
        if not 0 <= action < len(outcomes):
            raise refusal("action", action, "", f"an outcome is 0 to {len(outcomes) - 1}")
        return outcomes[action][0]

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.trace.game
        if player >= 0:
            return game.move_text(game.move_at(action))
        if player == self.trace.node:
            return game.move_text(self._move(action))
        return f"outcome {action}"  # of another state

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.trace.node == TERMINAL

    def returns(self) -> list[float]:
        """Return the win share of each seat less an equal share; 0 before the end."""
        game = self.trace.game
        if self.trace.node != TERMINAL:
            return [0.0] * game.num_seats
        return [share - 1 / game.num_seats for share in game.returns_of(self.trace.state)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> GameState:
        """Draw a state that `player` can't tell from this one; its history begins here.

        Args:
            player: from 0.
            sampler: draws uniform numbers of [0, 1).
        """
        stream = np.random.SFC64(int(sampler() * 2**53))
        return GameState(self.get_game(), self.trace.world(player, stream))

    def __str__(self) -> str:
        return self.trace.game.text(self.trace.state)


class Observer:
    """What a player sees, as OpenSpiel's `PyObserver`.

    Without private information it is what a spectator sees, and with that of all players
    everything; both are strings only, and so is an observation with perfect recall.
    """

    def __init__(
        self, game: Game, iig_obs_type: pyspiel.IIGObservationType, params: Mapping[str, Any] | None
    ) -> None:
        if params:
            raise ValueError(f"observations have no parameters; got {dict(params)}")
        self._private = iig_obs_type.private_info
        self._recalls = iig_obs_type.perfect_recall
        self.tensor = None
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER and not self._recalls:
            self.tensor = np.zeros(game.num_features, np.float32)
            self.dict = {"features": self.tensor}

    def set_from(self, state: GameState, player: int) -> None:
        """Write the features of what `player` sees to the tensor."""
        if self.tensor is not None:
            self.tensor.fill(0)
            self.tensor[state.trace.game.features_of(state.trace.state, player)] = 1

    def string_from(self, state: GameState, player: int) -> str:
        """Return what `player` sees, or with perfect recall what it knows."""
        if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return str(state)
        if self._private == pyspiel.PrivateInfoType.NONE:
            player = -1
        trace = state.trace
        return trace.information_state(player) if self._recalls else trace.observation(player)


class SearchBot(pyspiel.Bot):
    """Kingmaker's search as a bot of OpenSpiel, for the games of this module.

    Args:
        budget: of each move.
        level: 1 to 10.
        engine: empty: the game's own.
        seed: 0 to 2**63 - 1; the same seed gives the same moves, if the budget is in simulations.
        options: of the engine.

    Raises:
        InputError: the level or the seed is out of range, or the engine is unknown.
        TypeError: an argument is of a wrong kind.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        level: int = MAX_LEVEL,
        engine: str = "",
        seed: int = 0,
        options: Mapping[str, str | int | float] | None = None,
    ) -> None:
        super().__init__()
        check_budget(budget)
        check_level(level)
        if not isinstance(engine, str) or engine:
            engine_named(engine)
        check_seed(seed)
        check_mapping("options", options)
        self._budget, self._level, self._engine = budget, level, engine
        self._options = options
        self._seeds = np.random.Generator(np.random.SFC64(seed))

    def step(self, state: GameState) -> int:
        """Return the action of the player to decide, from what that player sees.

        Raises:
            StateError: no player is to decide.
        """
        game, trace = state.trace.game, state.trace
        token = choose_move(
            Observation(game, game.observed(trace.state, max(trace.node, -1))),
            self._budget,
            seed=int(self._seeds.integers(2**63)),
            level=self._level,
            engine=self._engine,
            options=self._options,
        )
        return game.index_of(game.parse_move(token))

    def restart_at(self, state: GameState) -> None:
        """Do nothing: a move depends on what is seen alone."""


def state_of(position: Position) -> GameState:
    """Return a position as a state of OpenSpiel, whose history begins there.

    Raises:
        TypeError: it is no full state.
    """
    check_position("position", position)
    game = position.game
    options = {name: str(value) for name, value in game.options.items()}
    loaded = pyspiel.load_game(
        PREFIX + game.name,
        {name: int(text) if text.isdigit() else text for name, text in options.items()},
    )
    return GameState(loaded, Trace(game, position.state))


def _game_type(kind: type[Game]) -> pyspiel.GameType:
    seats = kind.seat_counts
    return pyspiel.GameType(
        short_name=PREFIX + kind.name,
        long_name=f"Kingmaker: {kind.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        # Also of a game without chance, as the contract doesn't tell.
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            pyspiel.GameType.Information.IMPERFECT_INFORMATION
            if kind.is_hidden
            else pyspiel.GameType.Information.PERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(kind),
    )


def _parameters(kind: type[Game]) -> dict[str, int | str]:
    """Map each option to the value that stands for its default, as that depends on the others.

    OpenSpiel adds the parameters that are left out, and takes the type of a parameter from here.
    """
    usual = kind().options
    return {
        name: DEFAULT_NUMBER if usual.get(name, "").isdigit() else DEFAULT_TEXT
        for name in kind.option_help
    }


def _game_class(kind: type[Game], game_type: pyspiel.GameType) -> type[pyspiel.Game]:
    """Return the class that OpenSpiel makes games of, one for each kind."""

    class LoadedGame(pyspiel.Game):
        """A game with fixed options."""

        def __init__(self, params: Mapping[str, int | str] | None = None) -> None:
            given = dict(params or {})
            options = {
                name: value
                for name, value in given.items()
                if value not in (DEFAULT_NUMBER, DEFAULT_TEXT)
            }
            self._start = new_game(kind.name, options)
            game = self._start.game
            info = pyspiel.GameInfo(
                num_distinct_actions=game.num_actions,
                max_chance_outcomes=game.max_moves,
                num_players=game.num_seats,
                min_utility=-1 / game.num_seats,
                max_utility=1 - 1 / game.num_seats,
                utility_sum=0.0,
                max_game_length=MAX_PLIES,
            )
            super().__init__(game_type, info, given)

        def new_initial_state(self) -> GameState:
            return GameState(self, Trace(self._start.game, self._start.state))

        def make_py_observer(
            self,
            iig_obs_type: pyspiel.IIGObservationType | None = None,
            params: Mapping[str, Any] | None = None,
        ) -> Observer:
            wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
            return Observer(self._start.game, wanted, params)

    return LoadedGame


def _register() -> None:
    """Register every game that has features and numbered actions."""
    for kind in game_types().values():
        game = kind()
        if game.num_features and game.num_actions:
            game_type = _game_type(kind)
            pyspiel.register_game(game_type, _game_class(kind, game_type))


_register()
