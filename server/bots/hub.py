"""The connected bots, and their questions and answers.

A bot has a number of places for questions. A question takes a place when it is written to the bot's
stream, which starts the bot's clock, and releases it when it is answered or its time is over. A
caller that disconnects does not release the place: the bot may still be thinking about the
question, at the expense of the next one. Questions without a free place wait; the asker with the
fewest places is next, and askers with equally many take turns. If too many wait, the asker with the
most loses the newest one.

Everything here runs on the event loop, and only `ask` and `events` wait, so no locks are needed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.position import Observation
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2

from ..errors import (
    BotLeftError,
    DeadlineError,
    DrainingError,
    NameTakenError,
    OverloadError,
    UnknownNameError,
)
from ..settings import ServerSettings

TOKEN_BYTES = 32
MAX_UNREAD = 1024  # most messages queued for a bot that does not read them, besides those in gRPC
MAX_REMEMBERED = 1000  # names of bots that have left; of a bot: closed questions, and askers
RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a bot.

    Attributes:
        move: as the bot gave it.
        seconds: thinking time.
    """

    move: types_pb2.Move
    seconds: float


@dataclass(slots=True, eq=False)
class Question:
    """A question to a bot.

    Attributes:
        message: for the bot; its id is set when the question takes a place.
        observation: that of the message.
        seconds: time limit of the bot.
        asker: name or address of the caller.
        answer: set with the answer, or an exception if there will be none.
        began: when the question took its place, monotonic seconds.
        alarm: timer of the time limit.
    """

    message: pb.BotQuestion
    observation: Observation
    seconds: float
    asker: str
    answer: asyncio.Future[Answer]
    began: float = 0.0
    alarm: asyncio.TimerHandle | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether the caller still waits for the answer."""
        return not self.answer.done()


class BotConnection:
    """A connected bot.

    Args:
        name: of the bot.
        games: names of the games that it plays; empty: any.
        max_questions: number of its places.
        max_waiting: questions that may wait for a place.
        owner: name of the caller that has connected it; empty: anonymous.

    Attributes:
        session: the secret of the stream.
    """

    def __init__(
        self,
        name: str,
        games: frozenset[str],
        max_questions: int,
        max_waiting: int,
        owner: str = "",
    ) -> None:
        self.name = name
        self.games = games
        self.max_questions = max_questions
        self.owner = owner
        self.session = secrets.token_urlsafe(TOKEN_BYTES)
        self._max_waiting = max_waiting
        self._outbox: asyncio.Queue[pb.ConnectResponse | Exception] = asyncio.Queue()
        self._waiting: dict[str, deque[Question]] = {}  # by asker; none is empty
        self._last_turns: dict[str, int] = {}  # ids by asker, of the last question that got a place
        self._taken: dict[int, Question] = {}
        self._last_id = 0
        self._why_closed: dict[int, str] = {}
        self._say(
            pb.ConnectResponse(
                registered=pb.BotRegistered(session=self.session, max_questions=max_questions)
            )
        )

    @property
    def status(self) -> pb.ConnectedBot:
        """The public description of the bot."""
        return pb.ConnectedBot(
            name=self.name,
            games=sorted(self.games),
            max_questions=self.max_questions,
            open_questions=len(self._taken),
            waiting_questions=self._num_waiting,
        )

    async def events(self) -> AsyncIterator[pb.ConnectResponse]:
        """Yield the messages for the bot, until `leave` ends the stream.

        Raises:
            Exception: that of `leave`.
        """
        while True:
            event = await self._outbox.get()
            if isinstance(event, Exception):
                raise event
            yield event

    @property
    def _num_waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def check_plays(self, game: str) -> None:
        """Check that the bot plays a game.

        Raises:
            StateError: it does not.
        """
        if self.games and game not in self.games:
            raise StateError(
                f"bot {self.name} does not play {game}; it plays {', '.join(sorted(self.games))}",
                field="game",
                value=game,
            )

    async def ask(
        self, message: pb.BotQuestion, observation: Observation, seconds: float, asker: str
    ) -> Answer:
        """Wait for a place, and then for the answer.

        Args:
            message: for the bot, without its id.
            observation: that of the message.
            seconds: time limit of the bot.
            asker: name or address of the caller.

        Raises:
            OverloadError: too many questions wait already.
            DeadlineError: the bot exceeded that time.
            BotLeftError: the bot has left.
            DrainingError: the server shuts down.
        """
        if len(self._taken) >= self.max_questions and self._num_waiting >= self._max_waiting:
            self._make_room(asker)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        question = Question(message, observation, seconds, asker, answer)
        self._waiting.setdefault(asker, deque()).append(question)
        self._hand_out()
        try:
            return await answer
        except asyncio.CancelledError:
            self._abandon(question)
            raise

    def open_question(self, number: int) -> Question:
        """Return a question that has a place.

        Raises:
            InputError: it was never asked.
            StateError: it is closed.
        """
        if not 1 <= number <= self._last_id:
            raise InputError(
                f"question {number} was never asked in this session", value=str(number)
            )
        if number not in self._taken:
            why = self._why_closed.get(number, "closed long ago")
            raise StateError(f"question {number} is no longer open: {why}", value=str(number))
        return self._taken[number]

    def settle(self, question: Question, move: types_pb2.Move) -> None:
        """Pass the answer to the caller, if it still waits, and take the next question."""
        seconds = time.monotonic() - question.began
        if question.is_wanted:
            question.answer.set_result(Answer(move, seconds))
        self._close(question, "it is answered")

    def leave(self, why: Exception) -> None:
        """End the stream; pending questions get an exception instead of an answer."""
        self._outbox.put_nowait(why)
        error = why if isinstance(why, DrainingError) else BotLeftError(f"bot {self.name} has left")
        for question in (*chain(*self._waiting.values()), *self._taken.values()):
            if question.alarm is not None:
                question.alarm.cancel()
            if question.is_wanted:
                question.answer.set_exception(error)
        self._waiting.clear()
        self._taken.clear()

    def _hand_out(self) -> None:
        """Give free places to waiting questions."""
        while self._waiting and len(self._taken) < self.max_questions:
            self._last_id += 1
            question = self._next()
            question.message.id = self._last_id
            question.began = time.monotonic()
            question.alarm = asyncio.get_running_loop().call_later(
                question.seconds, self._overrun, question
            )
            self._taken[self._last_id] = question
            self._say(pb.ConnectResponse(question=question.message))

    def _next(self) -> Question:
        """Take the question whose turn it is from those that wait."""
        places = Counter(question.asker for question in self._taken.values())
        asker = min(self._waiting, key=lambda each: (places[each], self._last_turns.get(each, 0)))
        question = self._waiting[asker][0]
        self._last_turns.pop(asker, None)  # so that they stay in their order
        self._last_turns[asker] = self._last_id
        if len(self._last_turns) > MAX_REMEMBERED:
            del self._last_turns[next(iter(self._last_turns))]
        self._drop(question)
        return question

    def _make_room(self, asker: str) -> None:
        """Refuse the newest waiting question of the asker who has the most.

        Raises:
            OverloadError: that is this one.
        """
        refused = OverloadError(
            f"{self._num_waiting} questions wait for bot {self.name} already; retry later",
            f"bot:{self.name}",
            RETRY_SECONDS,
        )
        greediest = max(self._waiting, key=lambda each: len(self._waiting[each]), default=asker)
        if len(self._waiting.get(asker, ())) + 1 >= len(self._waiting.get(greediest, ())):
            raise refused
        question = self._waiting[greediest][-1]
        self._drop(question)
        if question.is_wanted:
            question.answer.set_exception(refused)

    def _drop(self, question: Question) -> None:
        """Take a question out of those that wait."""
        questions = self._waiting[question.asker]
        questions.remove(question)
        if not questions:
            del self._waiting[question.asker]

    def _overrun(self, question: Question) -> None:
        """Close a question whose time is over."""
        number = question.message.id
        if question.is_wanted:
            self._say(_withdrawn(number, is_overdue=True))
            question.answer.set_exception(
                DeadlineError(f"bot {self.name} did not answer within {question.seconds:.3f} s")
            )
        self._close(question, "its time was over")

    def _abandon(self, question: Question) -> None:
        """Withdraw a question whose caller has disconnected; its place stays taken."""
        if question in self._waiting.get(question.asker, ()):
            self._drop(question)
        elif question.message.id in self._taken:
            self._say(_withdrawn(question.message.id, is_overdue=False))

    def _close(self, question: Question, why: str) -> None:
        if question.alarm is not None:
            question.alarm.cancel()
        number = question.message.id
        if self._taken.pop(number, None) is None:
            return
        self._why_closed[number] = why
        if len(self._why_closed) > MAX_REMEMBERED:
            del self._why_closed[next(iter(self._why_closed))]
        self._hand_out()

    def _say(self, event: pb.ConnectResponse) -> None:
        """Queue a message for the stream; for a bot that does not read it is dropped."""
        if self._outbox.qsize() < MAX_UNREAD:
            self._outbox.put_nowait(event)


class BotHub:
    """All bots connected to this server.

    Args:
        settings: of the server.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._bots: dict[str, BotConnection] = {}
        self._sessions: dict[str, BotConnection] = {}
        self._left: dict[str, str] = {}  # owners by name, the longest gone first
        self._is_closed = False

    @contextmanager
    def connected(
        self, name: str, games: frozenset[str], max_questions: int, owner: str = ""
    ) -> Iterator[BotConnection]:
        """Register a bot for the duration of the block.

        Args:
            name: of the bot, see `check_free`.
            games: names of the games that it plays; empty: any.
            max_questions: open questions at once, lowered to the limit of the server.
            owner: name of the caller; empty: anonymous.

        Raises:
            OverloadError: too many bots are connected.
            DrainingError: the server shuts down.
        """
        if self._is_closed:
            raise DrainingError("the server shuts down")
        if len(self._bots) >= self._settings.max_bots:
            raise OverloadError(
                f"{len(self._bots)} bots are connected, which is the limit; retry later",
                "bots",
                RETRY_SECONDS,
            )
        places = min(max_questions, self._settings.max_bot_questions)
        bot = BotConnection(name, games, places, self._settings.bot_queue, owner)
        self._bots[name] = self._sessions[bot.session] = bot
        self._left.pop(name, None)
        try:
            yield bot
        finally:
            self._remove(bot)
            bot.leave(BotLeftError(f"bot {name} has left"))

    def check_free(self, name: str) -> None:
        """Check that no bot has this name.

        Raises:
            NameTakenError: a bot has it.
        """
        if name in self._bots:
            raise NameTakenError(f"a bot {name} is connected already", value=name)

    def find(self, name: str) -> BotConnection:
        """Look a bot up by name.

        Raises:
            BotLeftError: it was connected, and has left.
            UnknownNameError: no bot of this name is known to have been connected.
        """
        if name in self._left:
            raise BotLeftError(f"bot {name} has left")
        if name not in self._bots:
            known = ", ".join(sorted(self._bots)) or "none"
            raise UnknownNameError(f"there is no bot {name!r}; connected: {known}", value=name)
        return self._bots[name]

    def owner_of(self, name: str) -> str | None:
        """Return the owner of a name whose bot is or was connected; None: nobody's or anybody's."""
        bot = self._bots.get(name)
        return (self._left.get(name) if bot is None else bot.owner) or None

    def find_session(self, session: str) -> BotConnection:
        """Look a bot up by the secret of its stream.

        Raises:
            UnknownNameError: no stream has this secret.
        """
        if session not in self._sessions:
            raise UnknownNameError("no stream has this session; connect again")
        return self._sessions[session]

    def statuses(self) -> list[pb.ConnectedBot]:
        """List all bots in alphabetical order."""
        return [self._bots[name].status for name in sorted(self._bots)]

    def close(self) -> None:
        """End all streams and refuse new ones; the server shuts down."""
        self._is_closed = True
        for bot in list(self._bots.values()):
            bot.leave(DrainingError("the server shuts down"))

    def _remove(self, bot: BotConnection) -> None:
        del self._bots[bot.name]
        del self._sessions[bot.session]
        self._left[bot.name] = bot.owner
        if len(self._left) > MAX_REMEMBERED:
            del self._left[next(iter(self._left))]


def _withdrawn(number: int, *, is_overdue: bool) -> pb.ConnectResponse:
    return pb.ConnectResponse(
        withdrawn=pb.QuestionWithdrawn(question=number, is_overdue=is_overdue)
    )
