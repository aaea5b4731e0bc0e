"""The bots of matches: searches of this server, and programs connected to it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.ladder.match_store import StoredMatch
from kingmaker.ladder.specs import BOT, OTHER_BOTS, Spec, check_bot_name, parse_spec
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import MAX_LEVEL
from kingmaker.search.position import Observation
from kingmaker.search.registry import ENGINES
from kingmaker.v1 import bot_service_pb2 as bots_pb

from ..bots.hub import BotHub
from ..convert import duration_message, move_messages, observation_message, read_move
from ..errors import QuotaError
from ..game_service import draw_seed
from ..pool.lines import Claim
from ..pool.searches import SearchPool
from ..settings import ServerSettings
from .jobs import BotMove
from .turns import Turns

READY = 4  # searches of a creator's bots for each slot that it may use: enough that none is idle
QUEUE_PART = 0.5  # of the queue for interactive calls, that bots may fill
CLOCK_PART = 20  # a bot with a clock spends this part of its time on a move at most


def check_bot(text: str, game: Game) -> str:
    """Return the settings of a bot in their canonical form.

    Raises:
        InputError: they are wrong, or the engine can't search the game.
    """
    if text.startswith(BOT):
        try:
            check_bot_name(text.removeprefix(BOT))
        except InputError as error:
            error.field = "bot"
            raise
        return text
    try:
        spec = parse_spec(text)
    except InputError as error:
        message = str(error).replace(OTHER_BOTS, f"other bots are level:<1-10> and {BOT}<name>")
        raise InputError(message, field=error.field, value=error.value) from None
    if spec.address:
        raise InputError(
            f"bot {text!r} is on another server; a match has bots of its own server, such as "
            "level:5, and programs connected to it, such as bot:rook",
            field="bot",
            value=text,
        )
    spec.check_game(game)
    return spec.text


class Players:
    """Chooses the moves of bots.

    Args:
        settings: of the server.
        pool: for searches.
        hub: with the connected programs.
        check_search: raises QuotaError if a client has no search time left.
    """

    def __init__(
        self,
        settings: ServerSettings,
        pool: SearchPool,
        hub: BotHub,
        check_search: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._pool = pool
        self._hub = hub
        self._check_search = check_search
        of_creator = READY * max(1, math.floor(settings.slots * settings.client_share))
        in_all = math.floor(QUEUE_PART * settings.interactive_queue)
        self._turns = Turns(max(of_creator, in_all), of_creator)

    async def choose(
        self, match: StoredMatch, bot: str, observation: Observation, deadline: float | None
    ) -> str:
        """Return the token of a bot's move.

        Its search is one of the match's creator, in the shares of all clients and in its quota. If
        no search time is left, a bot waits for it as long as it may think about a move, and then
        makes one simulation, so as not to lose on time.

        Args:
            match: that it plays in.
            bot: its settings, from `check_bot`.
            observation: of its seat.
            deadline: when it runs out of time, in seconds since 1970; None: never.

        Raises:
            OverloadError: there is no room for a search now, or no search time; QuotaError.
            InputError, BotLeftError, DeadlineError: a connected program does not play the game, or
                does not answer with a move.
        """
        moves = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        if bot.startswith(BOT):
            return await self._ask(match, bot.removeprefix(BOT), observation, _left(deadline))
        spec = parse_spec(bot)
        info = ENGINES.get(spec.engine)
        if info is not None and info.choose is not None:
            return info.choose(moves, draw_seed())
        async with self._turns.place(match.creator):
            left = _left(deadline)
            has_quota = self._has_quota(match.creator, left)
            job = BotMove(
                observation,
                self._budget(spec, left, has_quota=has_quota),
                spec.level or MAX_LEVEL,
                spec.engine,
                draw_seed(),
                dict(spec.options),
            )
            assert job.budget.milliseconds is not None
            claim = Claim(
                match.creator,
                seconds=job.budget.milliseconds / 1000,
                patience=self._settings.queue_seconds,
                memory_bytes=job.budget.memory_bytes,
            )
            return await self._pool.run(claim, lambda: job)

    def _has_quota(self, creator: str, left: float | None) -> bool:
        """Tell whether a creator has search time left, for a bot with some seconds on its clock.

        Raises:
            QuotaError: there is none, but the bot has the time to wait for it.
        """
        try:
            self._check_search(creator)
        except QuotaError as error:
            if left is None or error.retry_seconds <= left / CLOCK_PART:
                raise
            return False
        return True

    def _budget(self, spec: Spec, left: float | None, *, has_quota: bool) -> Budget:
        """Return the budget of a move, within the limits of the server."""
        settings = self._settings
        wish = spec.budget(None if left is None else left * 1000 / CLOCK_PART)
        most = settings.max_simulations if has_quota else 1
        return Budget(
            min(wish.milliseconds or math.inf, settings.max_seconds * 1000),
            min(wish.simulations or most, most),
            min(spec.memory_bytes, settings.max_memory_bytes),
        )

    async def _ask(
        self, match: StoredMatch, name: str, observation: Observation, left: float | None
    ) -> str:
        """Ask a connected program, on behalf of the match's creator."""
        bot = self._hub.find(name)
        bot.check_plays(observation.game.name)
        limit = self._settings.max_bot_seconds
        seconds = limit if left is None else min(max(left, 0.001), limit)
        question = bots_pb.BotQuestion(
            game_id=match.id,
            observation=observation_message(observation),
            moves=move_messages(observation.game, observation.legal_moves()),
            time_left=None if left is None else duration_message(seconds),
            seed=draw_seed(),
        )
        answer = await bot.ask(question, observation, seconds, match.creator)
        return read_move(observation.game, answer.move)


def _left(deadline: float | None) -> float | None:
    """Return the seconds up to a deadline; None: there is none."""
    return None if deadline is None else max(deadline - time.time(), 0.0)
