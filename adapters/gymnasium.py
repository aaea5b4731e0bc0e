"""Games as Gymnasium environments: one agent at one seat, and Kingmaker's bots at the others.

>>> from kingmaker.adapters.gymnasium import BotsEnv
>>> env = BotsEnv(name, seat=1, level=3)
>>> features, info = env.reset(seed=1)
>>> features, reward, terminated, truncated, info = env.step(env.action_masks().argmax())

An observation is the vector of the features of what the seat sees (`Game.feature_names`); `info`
has the `action_mask`, which the method `action_masks` returns too, as MaskablePPO of sb3-contrib
wants it. The reward is 0 during the game and the seat's win share, 0 to 1, at its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError, StateError, written, wrong_type
from kingmaker.search.analysis import Budget
from kingmaker.search.draws import check_seed
from kingmaker.search.levels import LevelSearch, choose_move
from kingmaker.search.position import Observation, new_game
from kingmaker.search.table import Table

from .checks import RENDER_MODES, action_of, check_begun, check_render_mode

Features = NDArray[np.int8]
SIMULATIONS = 200


class BotsEnv(gymnasium.Env[Features, np.int64]):
    """A game of Kingmaker against bots.

    An action that is not legal ends the game with reward 0, as agents that don't use the mask would
    otherwise stop at once; `info` then has its reason as `illegal`.

    Args:
        name: of the game.
        options: of the game, as in `kingmaker.new_game`.
        seat: of the agent, 1..n; 0: drawn at each reset.
        level: of the bots, 1 to 10; see `kingmaker.select_move`.
        simulations: budget of a bot's move; levels below 10 may use fewer.
        engine: of the bots; empty: the game's own.
        render_mode: `ansi` to draw what the seat sees; None: no drawing.

    Raises:
        UnknownGameError: no game has this name.
        InputError: an argument is wrong, or the game has no features or no numbered actions.
        TypeError: an argument is of a wrong kind.
    """

    def __init__(
        self,
        name: str,
        options: Mapping[str, str | int] | None = None,
        *,
        seat: int = 0,
        level: int = 5,
        simulations: int = SIMULATIONS,
        engine: str = "",
        render_mode: str | None = None,
    ) -> None:
        game = new_game(name, options).game
        try:
            seat = index(seat)
        except TypeError:
            wanted = f"a whole number, 1 to {game.num_seats}, or 0 for any"
            raise wrong_type("seat", seat, wanted) from None
        if not 0 <= seat <= game.num_seats:
            raise InputError(
                f"seat is {written(seat)}; it must be 1 to {game.num_seats}, or 0 for any",
                field="seat",
                value=written(seat),
            )
        check_render_mode(render_mode)
        self._table = Table(game)
        self.metadata = {"render_modes": RENDER_MODES}
        self.render_mode = render_mode
        self.observation_space = Box(0, 1, (game.num_features,), np.int8)
        self.action_space = Discrete(game.num_actions)
        self.level, self.engine = level, engine
        self.budget = Budget(simulations=simulations)
        self._fixed_seat = seat
        self._seat = max(seat - 1, 0)
        self._has_begun = False  # the first game
        self._is_running = False  # a game that the agent may act in
        LevelSearch(self._observation(), self.budget, level=level, engine=engine)  # checks them

    @property
    def seat(self) -> int:
        """The seat of the agent in this game, 1..n."""
        return self._seat + 1

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begin a new game and play to the agent's first decision.

        With one seed everything but the agent is the same: its seat, chance and the bots. `options`
        has no meaning. A game that ends before the agent decides is begun again.

        Raises:
            InputError: the seed is not 0 to 2**63 - 1.
        """
        if seed is not None:
            check_seed(seed)
        super().reset(seed=seed)
        game = self._table.game
        while True:
            if self._fixed_seat == 0:
                self._seat = int(self.np_random.integers(game.num_seats))
            self._table.restart(int(self.np_random.integers(2**63)))
            self._let_bots_play()
            if self._table.node == self._seat:
                self._has_begun = self._is_running = True
                return self._seen()

    def step(self, action: np.int64 | int) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """Play an action, then the bots' moves to the agent's next decision or the end.

        Raises:
            InputError: there is no such action.
            StateError: the game is over or has not begun.
        """
        if not self._is_running:
            raise StateError("there is no game to play on; call reset first", field="action")
        number = action_of(self._table.game, action)
        try:
            self._table.play(number)
        except StateError as error:
            self._is_running = False
            features, info = self._seen()
            return features, 0.0, True, False, {**info, "illegal": str(error)}
        self._let_bots_play()
        is_over = self._table.node < 0
        self._is_running = not is_over
        reward = self._table.returns()[self._seat] if is_over else 0.0
        features, info = self._seen()
        return features, reward, is_over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, `[num_actions]`; none are after the end.

        Raises:
            StateError: there has been no reset.
        """
        check_begun(self._has_begun)
        return self._mask().astype(bool)

    def render(self) -> str | None:
        """Draw what the agent's seat sees, if the mode is `ansi`.

        Raises:
            StateError: there has been no reset.
        """
        if self.render_mode is None:
            return None
        check_begun(self._has_begun)
        game = self._table.game
        return game.render(game.observed(self._table.state, self._seat))

    def _seen(self) -> tuple[Features, dict[str, Any]]:
        return self._table.features(self._seat), {"action_mask": self._mask()}

    def _mask(self) -> NDArray[np.int8]:
        mask = self._table.mask(self._seat)
        return mask if self._is_running else np.zeros_like(mask)

    def _let_bots_play(self) -> None:
        table, game = self._table, self._table.game
        while table.node >= 0 and table.node != self._seat:
            token = choose_move(
                self._observation(),
                self.budget,
                seed=int(self.np_random.integers(2**63)),
                level=self.level,
                engine=self.engine,
            )
            table.play(game.index_of(game.parse_move(token)))

    def _observation(self) -> Observation:
        """Return what the seat to decide sees."""
        game, table = self._table.game, self._table
        return Observation(game, game.observed(table.state, table.node))
