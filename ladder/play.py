"""One game of a ladder, from the deal to its record.

Apart from times, a game of bots with simulation budgets is a function of its task alone: the
deal has its own streams and every decision its own seed, independent of the draws of others.

A bot that crashes, thinks longer than its clock allows or sends an illegal move loses the game at
once: its return is 0, the others divide 1 equally. The clock of a bot runs from the question to the
answer, overhead included; any excess loses. For a bot that plays many games at once, its server
measures the time (`TimedMove`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from time import monotonic, perf_counter

from kingmaker.cext.errors import ContractError, InputError
from kingmaker.search.analysis import MAX_MILLISECONDS
from kingmaker.search.draws import digest
from kingmaker.search.position import Position, new_game, parse_position
from kingmaker.search.record import observe_with_record
from kingmaker.tasks.model import InfrastructureError

from .bots import BotFault, SeatedBot, StartBot, start_bot
from .deals import Deal
from .journal import JOURNAL
from .model import Cause, GameRecord, GameTask, MoveRecord
from .pacing import Pacer
from .pauses import HEARTBEAT
from .remote import ExternalBot
from .words import one_line


def play(task: GameTask, start: StartBot = start_bot) -> GameRecord:
    """Play a game.

    Args:
        task: of the game.
        start: starts a bot for a game.

    Raises:
        InfrastructureError: the game could not be played, through no fault of a bot.
    """
    began = perf_counter()
    position = first_position(task)
    with ExitStack() as stack:
        bots = []
        for bot in task.bots:
            bots.append(start(bot, position.game))
            stack.callback(bots[-1].close)
        game = _Game(task, position, bots)
        cause, culprit, detail = game.run()
    wall_ms = (perf_counter() - began) * 1000
    return _record(
        task, game.position, game.moves, cause, culprit, detail, game.thinking_ms, wall_ms
    )


def broken_off(
    task: GameTask,
    moves: Sequence[MoveRecord],
    cause: Cause,
    culprit: int,
    detail: str,
    last_ms: float,
) -> GameRecord:
    """Return the record of a game whose process was lost by the fault of a bot.

    Args:
        task: of the game.
        moves: played before the loss.
        cause: of the loss.
        culprit: seat of the bot.
        detail: what the bot did, in a sentence.
        last_ms: time since the bot was asked.

    Raises:
        InfrastructureError, InputError: the moves don't fit the task.
    """
    position = first_position(task).apply(*(move.token for move in moves))
    thinking_ms = [0.0] * position.num_seats
    for move in [*moves, MoveRecord(culprit, "", last_ms)]:
        if move.seat:
            thinking_ms[move.seat - 1] += move.ms
    # The overhead of the lost process is unknown.
    return _record(
        task, position, moves, cause, culprit, detail, thinking_ms, math.fsum(thinking_ms)
    )


def first_position(task: GameTask) -> Position:
    """Return the start of a game.

    Raises:
        InfrastructureError: the task can't be played here: there is no such game, option or
            position, its rules have changed, or the number of bots is wrong.
    """
    try:
        position = new_game(task.game, dict(task.options))
        if task.start:
            position = _started(task.start, position)
    except InputError as error:
        raise InfrastructureError("error", str(error)) from error
    game = position.game
    if game.rules_version != task.rules_version:
        raise InfrastructureError(
            "error",
            f"the task is for rules version {task.rules_version} of {task.game}; "
            f"this is version {game.rules_version}",
        )
    if len(task.bots) != position.num_seats:
        raise InfrastructureError(
            "error", f"{len(task.bots)} bots for the {position.num_seats} seats of {task.game}"
        )
    return position


def _started(start: str, beginning: Position) -> Position:
    """Read the position that a game starts from; it must be of the same game and options."""
    position = parse_position(beginning.game.name, start)
    if position.game.options != beginning.game.options:
        raise InputError(f"the options of the position {start} are not those of the task")
    return position


def returns_of(position: Position, cause: Cause, culprit: int) -> tuple[float, ...]:
    """Return the win share of each seat for an end by this cause."""
    num_seats = position.num_seats
    if cause is Cause.FINISHED:
        return tuple(position.returns())
    if cause is Cause.CUT:
        return (1 / num_seats,) * num_seats
    share = 1 / (num_seats - 1)
    return tuple(0.0 if seat == culprit else share for seat in range(1, num_seats + 1))


def _check_pauses(seat: int, asked: float, left_ms: float | None) -> None:
    """Check that a bot would have lost on time without the pauses of this process.

    Raises:
        InfrastructureError: it would not.
    """
    paused = HEARTBEAT.paused_seconds(asked)
    ran_ms = (monotonic() - asked - paused) * 1000
    if paused and left_ms is not None and ran_ms <= left_ms:
        raise InfrastructureError(
            "paused", f"the process stood still for {paused:.1f} s while p{seat} was thinking"
        )


def _record(
    task: GameTask,
    position: Position,
    moves: Sequence[MoveRecord],
    cause: Cause,
    culprit: int,
    detail: str,
    thinking_ms: Sequence[float],
    wall_ms: float,
) -> GameRecord:
    """Build the record of a game that has just ended."""
    return GameRecord(
        task=task,
        moves=tuple(moves),
        end=position.text,
        returns=returns_of(position, cause, culprit),
        cause=cause,
        culprit=culprit,
        detail=one_line(detail),
        thinking_ms=tuple(round(ms, 3) for ms in thinking_ms),
        wall_ms=round(wall_ms, 3),
        finished_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


class _Game:
    """A game in play.

    Attributes:
        position: the current position.
        moves: moves and outcomes so far.
        thinking_ms: thinking time of each seat so far.
    """

    def __init__(self, task: GameTask, position: Position, bots: Sequence[SeatedBot]) -> None:
        self.position = position
        self.moves: list[MoveRecord] = []
        self.thinking_ms = [0.0] * position.num_seats
        self._task = task
        self._start = position
        self._bots = bots
        self._deal = Deal(task.deal_seed)
        self._num_decisions = [0] * position.num_seats
        self._journal = JOURNAL.get()
        self._pacer = Pacer(position, task.clock) if task.clock.game_ms is not None else None

    def run(self) -> tuple[Cause, int, str]:
        """Play to the end; returns the cause, the culprit's seat or 0, and the detail."""
        while not self.position.is_terminal:
            if len(self.moves) >= self._task.max_plies:
                return Cause.CUT, 0, ""
            seat = self.position.seat
            try:
                move = self._decide(seat) if seat else self._draw()
            except BotFault as fault:
                return fault.cause, seat, fault.detail
            self.moves.append(move)
            if self._journal is not None:
                self._journal.add(move)
        return Cause.FINISHED, 0, ""

    def _draw(self) -> MoveRecord:
        """Draw and apply a chance outcome."""
        game, state = self.position.game, self.position.state
        outcome = self._deal.draw(game, state)
        self.position = Position(game, game.after(state, outcome))
        return MoveRecord(0, game.move_text(outcome), 0.0)

    def _decide(self, seat: int) -> MoveRecord:
        """Get a bot's move and apply it."""
        left_ms = self._left_ms(seat)
        if left_ms is not None:
            HEARTBEAT.start()
        asked = monotonic()
        try:
            token, ms = self._ask(seat, left_ms)
            if left_ms is not None and ms > left_ms:
                raise BotFault(
                    Cause.TIMED_OUT, f"p{seat} thought for {ms:.1f} ms and had {left_ms:.1f} ms"
                )
        except BotFault as fault:
            if fault.cause is Cause.TIMED_OUT:
                _check_pauses(seat, asked, left_ms)
            raise
        try:
            self.position = self.position.apply(token)
        except InputError as error:
            raise BotFault(Cause.ILLEGAL, f"p{seat} played {token}: {error}") from error
        return MoveRecord(seat, token, round(ms, 3))

    def _left_ms(self, seat: int) -> float | None:
        """Return the time limit of a bot's next move."""
        limits = [self._task.clock.move_ms, self._game_ms(seat)]
        given = [limit for limit in limits if limit is not None]
        return min([*given, MAX_MILLISECONDS]) if given else None

    def _game_ms(self, seat: int) -> float | None:
        """Return the time left on the clock of a bot's game."""
        clock = self._task.clock
        if clock.game_ms is None:
            return None
        earned_ms = clock.increment_ms * self._num_decisions[seat - 1]
        return clock.game_ms + earned_ms - self.thinking_ms[seat - 1]

    def _ask(self, seat: int, left_ms: float | None) -> tuple[str, float]:
        """Return a bot's move and its thinking time."""
        seed = digest("decision", self._task.seed, seat, self._num_decisions[seat - 1])
        tokens = [move.token for move in self.moves]
        observation = observe_with_record(self._start, tokens, self.position)
        bot = self._bots[seat - 1]
        game_ms, think_ms = self._game_ms(seat), None
        if self._pacer is not None and game_ms is not None:
            think_ms = self._pacer.think_ms(observation, game_ms)
        if self._journal is not None:
            # A bot with many games at once may be waited for before its clock runs.
            self._journal.ask(seat, None if isinstance(bot, ExternalBot) else left_ms)
        began = perf_counter()
        try:
            answer = bot.select(observation, left_ms, think_ms, seed)
        except (BotFault, InfrastructureError, ContractError):  # no bot is to blame for its game
            raise
        except MemoryError as error:
            raise InfrastructureError("out_of_memory", f"p{seat}: {error}") from error
        except Exception as error:
            raise BotFault(Cause.CRASHED, f"{type(error).__name__}: {error}") from error
        finally:
            ms = (perf_counter() - began) * 1000
            self.thinking_ms[seat - 1] += ms
            if self._journal is not None:
                self._journal.hear()
        self._num_decisions[seat - 1] += 1
        if isinstance(answer, str):
            return answer, ms
        self.thinking_ms[seat - 1] += answer.thinking_ms - ms
        return answer.token, answer.thinking_ms
