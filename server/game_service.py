"""The rules of the games over gRPC."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable

from kingmaker.cext.errors import IllegalMoveError, InputError
from kingmaker.cext.game import Game
from kingmaker.search.games import game_type, game_types
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.registry import ENGINES, default_engine
from kingmaker.search.rules_pages import beginners_page, rules_of
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import game_service_pb2_grpc, types_pb2

from .convert import (
    move_message,
    node_message,
    observation_message,
    position_message,
    read_move,
    read_observation,
    read_position,
)
from .errors import Problems
from .events import EventLog, check_viewers
from .identity import Context
from .limits import MAX_OPTIONS, check_count
from .pages import page_token, read_page_size, read_page_token
from .sent_moves import in_sent_words

MAX_MOVES = 1000
MOVES_PER_TURN = 50  # moves applied before other calls get their turn
SEED_BITS = 53  # drawn seeds fit a JavaScript number


class GameServicer(game_service_pb2_grpc.GameServiceServicer):
    """GameService: calls answered by the rules alone; see game_service.proto."""

    async def ListGames(
        self, request: pb.ListGamesRequest, context: Context
    ) -> pb.ListGamesResponse:
        """List a page of the games."""
        problems = Problems()
        size, last = 0, ""
        with problems.at("page_size"):
            size = read_page_size(request.page_size)
        with problems.at("page_token"):
            last = read_page_token(request.page_token)
        problems.check()
        names = [name for name in sorted(game_types()) if name > last]
        page = names[:size]
        return pb.ListGamesResponse(
            games=[_summary(game_type(name)) for name in page],
            next_page_token=page_token(page[-1]) if len(page) < len(names) else "",
        )

    async def GetGame(self, request: pb.GetGameRequest, context: Context) -> pb.GetGameResponse:
        """Describe a game."""
        problems = Problems()
        with problems.at("game"):
            game = game_type(request.game)
        problems.check()
        return pb.GetGameResponse(
            summary=_summary(game),
            options=[
                pb.GameOption(name=name, help=text) for name, text in game.option_help.items()
            ],
            notation_help=game.notation_help,
            rules_markdown=rules_of(game),
            how_to_play_markdown=beginners_page(game),
            engines=_engines(game()),
        )

    async def StartGame(
        self, request: pb.StartGameRequest, context: Context
    ) -> pb.StartGameResponse:
        """Start a game."""
        problems = Problems()
        with problems.at("options"):
            check_count(request.options, MAX_OPTIONS, "options")
        problems.check()
        with problems.at(""):
            position = new_game(request.game, request.options)
        problems.check()
        check_viewers(problems, request.viewers, position.num_seats)
        problems.check()
        seed = _effective_seed(request)
        log = EventLog(request.viewers)
        if seed is not None:
            position = log.settle(position, seed)
        return pb.StartGameResponse(
            position=position_message(position),
            node=node_message(position),
            events=log.events,
            seed=seed,
            views=log.views(position),
        )

    async def ListMoves(
        self, request: pb.ListMovesRequest, context: Context
    ) -> pb.ListMovesResponse:
        """List legal moves or chance outcomes."""
        source = request.WhichOneof("source")
        problems = Problems()
        with problems.at(source or "observation"):
            if source == "position":
                position = read_position(request.position)
                moves, outcomes = position.legal_moves(), position.chance_outcomes()
                node, game, describe = node_message(position), position.game, position.describe
            elif source == "observation":
                observation = read_observation(request.observation)
                moves, outcomes = observation.legal_moves(), {}
                node, game = node_message(observation), observation.game
                describe = observation.describe
            else:
                raise InputError("the observation is missing; give one, or a position")
        problems.check()
        return pb.ListMovesResponse(
            node=node,
            moves=[
                pb.LegalMove(move=move_message(game, token), description=describe(token))
                for token in moves
            ],
            outcomes=[
                pb.ChanceOutcome(
                    move=move_message(game, token),
                    probability=pb.Probability(
                        numerator=probability.numerator, denominator=probability.denominator
                    ),
                    description=describe(token),
                )
                for token, probability in outcomes.items()
            ],
        )

    async def ApplyMoves(
        self, request: pb.ApplyMovesRequest, context: Context
    ) -> pb.ApplyMovesResponse:
        """Apply moves and chance outcomes."""
        position, tokens = _read_moves(request)
        seed = _effective_seed(request)
        log = EventLog(request.viewers)
        moves_per_turn = MOVES_PER_TURN // (1 + len(request.viewers))
        for i, token in enumerate(tokens):
            if i % moves_per_turn == moves_per_turn - 1:
                await asyncio.sleep(0)
            token = position.resolve(token)
            asked = position
            if seed is not None and position.is_chance and not _is_outcome(position, token):
                position = log.settle(position, seed)
            problems = Problems()
            with problems.at(f"moves[{i}]"):
                position = _applied(log, position, token, asked, request.moves[i])
            problems.check()
        if seed is not None:
            position = log.settle(position, seed)
        return pb.ApplyMovesResponse(
            position=position_message(position),
            node=node_message(position),
            events=log.events,
            seed=seed,
            views=log.views(position),
        )

    async def Observe(self, request: pb.ObserveRequest, context: Context) -> pb.ObserveResponse:
        """Return a seat's observation of a position, or the one that was sent."""
        problems = Problems()
        if request.HasField("observation"):
            with problems.at("observation"):
                if request.HasField("position"):
                    raise InputError("give a position or an observation, not both")
                observation = read_observation(request.observation)
            problems.check()
            with problems.at("seat"):
                _check_observer(request.seat, observation.observer)
            problems.check()
            return _observed(observation, node_message(observation))
        with problems.at("position"):
            position = read_position(request.position)
        problems.check()
        with problems.at("seat"):
            observation = position.observe(request.seat)
        problems.check()
        return _observed(observation, node_message(position))


def draw_seed() -> int:
    """Draw a seed for a request without one."""
    return secrets.randbits(SEED_BITS)


def _check_observer(seat: int, observer: int) -> None:
    if seat not in (0, observer):
        raise InputError(
            f"seat is {seat}, but this is what seat {observer} sees; leave the seat out",
            value=str(seat),
        )


def _observed(observation: Observation, node: types_pb2.Node) -> pb.ObserveResponse:
    return pb.ObserveResponse(
        observation=observation_message(observation), node=node, board=observation.render()
    )


def _summary(game: type[Game]) -> pb.GameSummary:
    return pb.GameSummary(
        name=game.name,
        title=game.title,
        seat_counts=game.seat_counts,
        is_hidden=game.is_hidden,
        rules_version=game.rules_version,
        tag=game.tag,
    )


def _engines(game: Game) -> Iterable[pb.Engine]:
    """List the engines that can search a game, the default one first."""
    default = default_engine(game)
    usable = [info for info in ENGINES.values() if info.takes_hidden or not game.is_hidden]
    return [
        pb.Engine(
            name=info.name,
            summary=info.summary,
            options=[
                pb.EngineOption(name=name, help=text) for name, text in info.option_help.items()
            ],
        )
        for info in sorted(usable, key=lambda info: info.name != default)
    ]


def _effective_seed(request: pb.StartGameRequest | pb.ApplyMovesRequest) -> int | None:
    """Return the seed of the chance outcomes; None: none are drawn."""
    if request.HasField("seed"):
        return request.seed
    return draw_seed() if request.settle else None


def _is_outcome(position: Position, token: str) -> bool:
    return token in position.chance_outcomes()


def _applied(
    log: EventLog, position: Position, token: str, asked: Position, sent: types_pb2.Move
) -> Position:
    """Apply and record a token; `asked` is the position before chance outcomes were drawn for it.

    An outcome that was not possible there is refused for that, and not as a move that is not legal
    after an outcome that was drawn instead.
    """
    try:
        return log.apply(position, token)
    except IllegalMoveError:
        verbs = {outcome.partition(":")[0] for outcome in asked.chance_outcomes()}
        refusing = asked if token.partition(":")[0] in verbs else position
        raise in_sent_words(refusing.refusal(token), refusing, sent) from None


def _read_moves(request: pb.ApplyMovesRequest) -> tuple[Position, list[str]]:
    problems = Problems()
    with problems.at("moves"):
        check_count(request.moves, MAX_MOVES, "moves")
    problems.check()
    with problems.at("position"):
        position = read_position(request.position)
    problems.check()
    check_viewers(problems, request.viewers, position.num_seats)
    tokens = []
    for i, move in enumerate(request.moves):
        with problems.at(f"moves[{i}]"):
            tokens.append(read_move(position.game, move))
    problems.check()
    return position, tokens
