"""The bots of a game: each receives its seat's observation and answers with a move."""

from __future__ import annotations

from collections.abc import Callable

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.search.levels import MAX_LEVEL, choose_move
from kingmaker.search.position import Observation
from kingmaker.search.tree_cache import TreeCache
from kingmaker.tasks.model import InfrastructureError

from .model import Bot
from .remote import ExternalBot, Patience, RemoteBot
from .seats import BotFault, SeatedBot, search_ms
from .specs import Spec, parse_spec

__all__ = ["BotFault", "EngineBot", "InfrastructureError", "SeatedBot", "StartBot", "start_bot"]

# A search ends this long before its clock, for its start and stop.
MARGIN_MS = 10.0

StartBot = Callable[[Bot, Game], SeatedBot]


def start_bot(bot: Bot, game: Game, patience: Patience | None = None) -> SeatedBot:
    """Start a bot by its spec.

    Args:
        bot: to start.
        game: to be played.
        patience: for the answers of its server; None: some 10 seconds for each.

    Raises:
        InfrastructureError: it did not start: the spec is wrong or does not suit the game, its
            server does not answer or has another rules version, or the program is not connected.
    """
    try:
        spec = parse_spec(bot.spec)
        spec.check_game(game)
    except InputError as error:
        raise InfrastructureError("bot_did_not_start", f"{bot.name}: {error}") from error
    if not spec.address:
        return EngineBot(spec)
    kind = ExternalBot if spec.bot else RemoteBot
    return kind(spec, game, patience or Patience())


class EngineBot:
    """A search in this process.

    Args:
        spec: without an address.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._cache = TreeCache() if spec.reuse else None

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> str:
        """Search, unless there is only one legal move."""
        legal_moves = observation.legal_moves()
        if len(legal_moves) == 1:
            return legal_moves[0]
        spec = self._spec
        return choose_move(
            observation,
            spec.budget(search_ms(left_ms, think_ms, MARGIN_MS)),
            level=spec.level or MAX_LEVEL,
            engine=spec.engine,
            seed=seed,
            threads=spec.threads,
            options=dict(spec.options),
            cache=self._cache,
        )

    def close(self) -> None:
        """Drop the tree, if it is kept."""
        self._cache = None
