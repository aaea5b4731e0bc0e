"""External bots over gRPC: connections, questions and answers."""

from __future__ import annotations

from collections.abc import AsyncIterator

from kingmaker.cext.errors import IllegalMoveError, InputError, StateError
from kingmaker.ladder.specs import check_bot_name
from kingmaker.search.games import game_type
from kingmaker.search.position import Observation
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import bot_service_pb2_grpc, types_pb2

from ..analysis.budgets import MAX_SECONDS, read_seconds
from ..analysis.requests import client_of, read_seed
from ..convert import (
    duration_message,
    move_message,
    move_messages,
    observation_message,
    read_move,
    read_observation,
)
from ..errors import Problems
from ..identity import CALLER, Caller, Context, Identities
from ..limits import check_count
from ..sent_moves import in_sent_words
from ..settings import ServerSettings
from .hub import BotHub

MAX_GAMES = 100
MAX_GAME_ID = 64  # characters
MAX_LISTED = 50  # moves in a message
MAX_UNREADABLE = 200  # characters kept of a malformed move


class BotServicer(bot_service_pb2_grpc.BotServiceServicer):
    """BotService: passes questions and answers on; see bot_service.proto."""

    def __init__(self, settings: ServerSettings, hub: BotHub, identities: Identities) -> None:
        self._settings = settings
        self._hub = hub
        self._identities = identities

    async def Connect(
        self, request: pb.ConnectRequest, context: Context
    ) -> AsyncIterator[pb.ConnectResponse]:
        """Register a bot and stream questions to it."""
        problems = Problems()
        with problems.at("name"):
            check_bot_name(request.name)
            self._hub.check_free(request.name)
        games = _read_games(request, problems)
        with problems.at("max_questions"):
            if request.max_questions < 0:
                raise InputError(
                    f"max_questions is {request.max_questions}; it must not be negative",
                    value=str(request.max_questions),
                )
        problems.check()
        caller = CALLER.get()
        self._check_owner(request.name, caller)
        with self._hub.connected(
            request.name, games, request.max_questions or 1, caller.name
        ) as bot:
            async for event in bot.events():
                yield event

    async def AnswerMove(
        self, request: pb.AnswerMoveRequest, context: Context
    ) -> pb.AnswerMoveResponse:
        """Take the answer to a question."""
        problems = Problems()
        with problems.at("session"):
            bot = self._hub.find_session(request.session)
        problems.check()
        if bot.owner:
            CALLER.get().check_owner(bot.owner, f"bot {bot.name}")
        with problems.at("question"):
            question = bot.open_question(request.question)
        problems.check()
        is_wanted = question.is_wanted
        move = _raw(request.move)
        with problems.at("move"):
            game = question.observation.game
            token = game.move_text(game.parse_move(read_move(game, request.move)))
            move = move_message(game, token)
            _check_legal(question.observation, token, request.move)
        bot.settle(question, move)
        with problems.at("question"):
            if not is_wanted:
                raise StateError(f"the caller of question {request.question} has disconnected")
        problems.check()
        return pb.AnswerMoveResponse()

    async def AskBot(self, request: pb.AskBotRequest, context: Context) -> pb.AskBotResponse:
        """Ask a bot and wait for its answer."""
        problems = Problems()
        with problems.at("bot"):
            bot = self._hub.find(request.bot)
        with problems.at("game_id"):
            _check_game_id(request.game_id)
        with problems.at("observation"):
            observation = read_observation(request.observation)
            observation.check_own_decision()
        seconds = self._read_seconds(request, problems)
        seed = read_seed(request, problems)
        problems.check()
        with problems.at("observation"):
            bot.check_plays(observation.game.name)
        problems.check()
        question = pb.BotQuestion(
            game_id=request.game_id,
            observation=observation_message(observation),
            moves=move_messages(observation.game, observation.legal_moves()),
            time_left=duration_message(seconds) if request.HasField("time_left") else None,
            seed=seed,
        )
        answer = await bot.ask(question, observation, seconds, client_of(context))
        return pb.AskBotResponse(move=answer.move, thinking=duration_message(answer.seconds))

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """List the connected bots."""
        return pb.ListBotsResponse(bots=self._hub.statuses())

    def _check_owner(self, name: str, caller: Caller) -> None:
        """Check that a caller may have a bot of this name.

        Raises:
            ForbiddenError: the name is another's, by the file of tokens or because its bot was
                here before.
        """
        owner = self._identities.owner_of_bot(name)
        if owner is None:
            owner = self._hub.owner_of(name)
        if owner is not None:
            caller.check_owner(owner, f"the name {name}")

    def _read_seconds(self, request: pb.AskBotRequest, problems: Problems) -> float:
        seconds = limit = self._settings.max_bot_seconds
        if request.HasField("time_left"):
            with problems.at("time_left"):
                seconds = read_seconds(request.time_left, "time_left", MAX_SECONDS)
        return min(seconds, limit)


def _read_games(request: pb.ConnectRequest, problems: Problems) -> frozenset[str]:
    with problems.at("games"):
        check_count(request.games, MAX_GAMES, "games")
        for i, game in enumerate(request.games):
            with problems.at(f"games[{i}]"):
                game_type(game)
    return frozenset(request.games)


def _check_game_id(game_id: str) -> None:
    if len(game_id) > MAX_GAME_ID:
        raise InputError(
            f"game_id has {len(game_id)} characters; it must have at most {MAX_GAME_ID}",
            value=game_id,
        )


def _check_legal(observation: Observation, token: str, sent: types_pb2.Move) -> None:
    """Raise the error of a move that the rules refuse, for the bot's information."""
    moves = observation.legal_moves()
    if token not in moves:
        listed = " ".join(moves[:MAX_LISTED])
        if len(moves) > MAX_LISTED:
            listed += f" and {len(moves) - MAX_LISTED} more"
        error = IllegalMoveError(f"{token} is not legal; possible now: {listed}", value=token)
        raise in_sent_words(error, observation, sent)


def _raw(move: types_pb2.Move) -> types_pb2.Move:
    """Return the part of a malformed move that is passed on."""
    return types_pb2.Move(text=move.text[:MAX_UNREADABLE])
