"""Games as PettingZoo environments, in which agents act one after another (AEC).

>>> from kingmaker.adapters.pettingzoo import GameEnv
>>> env = GameEnv(name)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     mask = None if terminated else observation["action_mask"]
...     env.step(None if terminated else env.action_space(agent).sample(mask))

Agents are the seats, `seat_1` and so on. An observation has `observation`, the features of what the
agent sees (`Game.feature_names`), and `action_mask`, all 0 for an agent that is not to act. Rewards
are win shares: 0 during the game, and at its end 0 to 1 for each agent, with the sum 1. Chance is
drawn by the environment, by the seed of `reset`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from kingmaker.cext.errors import StateError, refusal, shown
from kingmaker.search.draws import check_seed
from kingmaker.search.position import new_game
from kingmaker.search.table import Table

from .checks import RENDER_MODES, action_of, check_begun, check_render_mode

Seen = dict[str, NDArray[np.int8]]
Value = TypeVar("Value")


class GameEnv(AECEnv[str, Seen, SupportsIndex]):
    """A game of Kingmaker as an environment.

    Args:
        name: of the game.
        options: of the game, as in `kingmaker.new_game`.
        render_mode: `ansi` to draw the table with all that is hidden; None: no drawing.

    Raises:
        UnknownGameError: no game has this name.
        InputError: an argument is wrong, or the game has no features or no numbered actions.
    """

    def __init__(
        self,
        name: str,
        options: Mapping[str, str | int] | None = None,
        *,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        game = new_game(name, options).game
        check_render_mode(render_mode)
        self._table = Table(game)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"kingmaker_{name}_v{game.rules_version}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(game.num_seats)]
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 1, (game.num_features,), np.int8),
                    "action_mask": Box(0, 1, (game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(game.num_actions) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._has_begun = False  # the first game
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations, the same object at each call.

        Raises:
            InputError: there is no such agent.
        """
        return self._of_agent(self.observation_spaces, agent)

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions, the same object at each call.

        Raises:
            InputError: there is no such agent.
        """
        return self._of_agent(self.action_spaces, agent)

    def _of_agent(self, values: Mapping[str, Value], agent: str) -> Value:
        """Return the value of an agent; InputError if there is no such agent."""
        try:
            return values[agent]
        except (KeyError, TypeError):
            wanted = f"an agent is one of {', '.join(self.possible_agents)}"
            raise refusal("agent", agent, "", wanted) from None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; one with the same seed and actions is the same.

        Without a seed its chance is new. `options` has no meaning: those of the game are fixed.

        Raises:
            InputError: the seed is not 0 to 2**63 - 1.
        """
        if seed is not None:
            check_seed(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._has_begun = True
        self.agent_selection = self.agents[self._table.restart(seed)]

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees, in new arrays.

        Raises:
            InputError: there is no such agent.
            StateError: there has been no reset.
        """
        check_begun(self._has_begun)
        seat = self._of_agent(self._seats, agent)
        return {"observation": self._table.features(seat), "action_mask": self._table.mask(seat)}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what the agent to act sees, and its reward, end and info, as in `AECEnv`.

        Raises:
            StateError: there is no such agent: there has been no reset, or all have left after the
                end.
        """
        check_begun(self._has_begun)
        if not self.agents:
            raise StateError("the game is over and all agents have left it; call reset first")
        found: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action of the agent to act; None removes an agent after the end.

        Raises:
            InputError: there is no such action.
            StateError: the action is not legal, or the game is over or has not begun.
        """
        if not self.agents:
            raise StateError("there is no game to play on; call reset first", field="action")
        if self.terminations[self.agent_selection]:
            if action is not None:
                raise StateError(
                    "the game is over: the only action left is None",
                    field="action",
                    value=shown(action),
                )
            self._was_dead_step(action)
            return
        node = self._table.play(action_of(self._table.game, action))
        if node >= 0:
            self.agent_selection = self.possible_agents[node]
        else:
            self._end()

    def _end(self) -> None:
        self.rewards = dict(zip(self.agents, self._table.returns(), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def render(self) -> str | None:
        """Draw the table, with all that is hidden, if the mode is `ansi`.

        Raises:
            StateError: there has been no reset.
        """
        if self.render_mode is None:
            return None
        check_begun(self._has_begun)
        return self._table.game.render(self._table.state)

    def close(self) -> None:
        """Do nothing: an environment holds no resources."""
