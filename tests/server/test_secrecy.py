"""A bot that tries every call of the service to find the cards that it may not see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from kingmaker.ladder.deals import Deal
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import first_position
from kingmaker.search.position import Position
from kingmaker.v1 import (
    analysis_service_pb2,
    batch_service_pb2,
    bot_service_pb2,
    game_service_pb2,
    match_service_pb2,
    review_service_pb2,
    types_pb2,
)
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .process import server_process

GAME = "hearts"  # its first decision follows the deal
NUM_SEATS = 4
NAME = "spring"
NUM_GROUPS = 2
SEED = 4242424242424242
SERVICES = [
    service
    for module in (
        analysis_service_pb2,
        batch_service_pb2,
        bot_service_pb2,
        game_service_pb2,
        match_service_pb2,
        pb,
        review_service_pb2,
    )
    for service in module.DESCRIPTOR.services_by_name.values()
]
INTEGER = re.compile(r"\d+")
MAX_NUMBERS = 300  # that are tried, of each answer


def _about(question: bots_pb.BotQuestion, method: Any) -> Message:
    """Ask a method of matches or reviews about the game of a question."""
    request: Message = method.input_type._concrete_class()
    if "match_id" in method.input_type.fields_by_name:
        request.match_id = question.game_id  # type: ignore[attr-defined]
    return request


@dataclass
class Spy:
    """A bot, and what it has learnt.

    Attributes:
        channel: to the server.
        session: of its stream.
        numbers: that it has read in answers.
        num_tries: calls of each method that were answered.
    """

    channel: grpc.Channel
    session: str
    numbers: set[int] = field(default_factory=set)
    num_tries: Counter[str] = field(default_factory=Counter)

    def look_around(self, question: bots_pb.BotQuestion) -> None:
        """Call every method with the most promising requests."""
        requests = self._requests(question)
        for service in SERVICES:
            for method in service.methods:
                for request in requests.get(method.name, [_about(question, method)]):
                    name = f"/{service.full_name}/{method.name}"
                    self._try(name, request, method.output_type._concrete_class)
        self._reflect()

    def _requests(self, question: bots_pb.BotQuestion) -> Mapping[str, list[Message]]:
        seen = question.observation
        search = analysis_service_pb2.Search(
            observation=seen, budget=types_pb2.SearchBudget(simulations=1)
        )
        position = types_pb2.Position(game=seen.game, text=seen.text)
        games = game_service_pb2
        analysis = analysis_service_pb2
        return {
            "SelectMove": [analysis.SelectMoveRequest(search=search)],
            "SuggestMoves": [analysis.SuggestMovesRequest(search=search)],
            "Analyze": [analysis.AnalyzeRequest(search=search)],
            "EvaluatePosition": [analysis.EvaluatePositionRequest(search=search)],
            "Solve": [analysis.SolveRequest(observation=seen)],
            "SampleWorlds": [analysis.SampleWorldsRequest(observation=seen, count=3)],
            "Connect": [],  # it has called it
            "AnswerMove": [
                bots_pb.AnswerMoveRequest(session=self.session, question=number)
                for number in (question.id + 1, question.id - 1)
            ],
            "AskBot": [
                bots_pb.AskBotRequest(bot="rook", observation=seen, game_id=question.game_id)
            ],
            "ListBots": [bots_pb.ListBotsRequest()],
            "ListGames": [games.ListGamesRequest()],
            "GetGame": [games.GetGameRequest(game=seen.game)],
            "StartGame": [games.StartGameRequest(game=seen.game, settle=True)],
            "ListMoves": [games.ListMovesRequest(observation=seen)],
            "ApplyMoves": [games.ApplyMovesRequest(position=position)],
            "Observe": [games.ObserveRequest(position=position, seat=seat) for seat in (0, 1, 2)],
            "StartLadder": [pb.StartLadderRequest(name=NAME, plan=plan_message())],
            "ResumeLadder": [pb.ResumeLadderRequest(name=NAME)],
            "StopLadder": [pb.StopLadderRequest(name="another")],
            "GetLadder": [pb.GetLadderRequest(name=NAME)],
            "ListLadders": [pb.ListLaddersRequest()],
            "WatchLadder": [pb.WatchLadderRequest(name=NAME)],
            "ListLadderGames": [pb.ListLadderGamesRequest(name=NAME)],
            "ExportLadderGames": [
                pb.ExportLadderGamesRequest(name=NAME, format=form)
                for form in (pb.LADDER_RECORD_FORMAT_JSON, pb.LADDER_RECORD_FORMAT_TEXT)
            ],
        }

    def _try(self, method: str, request: Message, answer: Any) -> None:
        start: Any = self.channel.unary_stream(method, response_deserializer=answer.FromString)
        # A second ends streams that have no end; standings come from a process that starts first.
        seconds = 30 if method.endswith("GetLadder") else 1
        call = start(request.SerializeToString(), timeout=seconds)
        try:
            for found in islice(call, 100):
                self.num_tries[method.rpartition("/")[2]] += 1
                self.learn(found)
                if method.endswith("WatchLadder"):
                    break
        except grpc.RpcError as error:
            self._learn_text(str(error.details()))
        call.cancel()

    def _reflect(self) -> None:
        stub = reflection_pb2_grpc.ServerReflectionStub(self.channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        for answer in stub.ServerReflectionInfo(iter([request])):
            self.learn(answer)

    def learn(self, message: Message) -> None:
        """Note every number of a message, also those in its texts."""
        for descriptor, value in message.ListFields():
            if descriptor.message_type and descriptor.message_type.GetOptions().map_entry:
                values = [*value, *value.values()]
            else:
                values = list(value) if descriptor.is_repeated else [value]
            for each in values:
                if isinstance(each, Message):
                    self.learn(each)
                elif isinstance(each, int):
                    self.numbers.add(int(each))
                elif isinstance(each, str):
                    self._learn_text(each)

    def _learn_text(self, text: str) -> None:
        self.numbers.update(int(found) for found in INTEGER.findall(text) if len(found) < 20)

    def finds_the_deal(self, first: types_pb2.Observation) -> bool:
        """Whether a number that it knows, as a seed, deals what it has seen at first."""
        large = sorted(self.numbers, reverse=True)[:MAX_NUMBERS]
        return any(
            position.observe(position.seat).text == first.text
            for number in large
            for position in dealt_by(number)
        )


def dealt_by(number: int) -> Iterator[Position]:
    """Deal by a number: as seed of the plan, and as seed of a deal."""
    if number >= 1 << 63:
        return
    plan = plan_of(number)
    schedule = plan.schedule()
    seeds = [schedule.group(index).deal_seed for index in range(NUM_GROUPS)]
    task = plan.tasks(schedule.group(0))[0]
    for seed in (*seeds, number):
        position, deal = first_position(task), Deal(seed)
        while position.is_chance:
            outcome = deal.draw(position.game, position.state)
            position = position.apply(position.game.move_text(outcome))
        yield position


def plan_of(seed: int) -> LadderPlan:
    bots = [{"name": "rook", "spec": "bot:rook@127.0.0.1:9"}, {"name": "b", "spec": "random"}]
    return LadderPlan.of(game=GAME, bots=bots, num_groups=NUM_GROUPS, seed=seed)


def plan_message(seed: int = 0, address: str = "127.0.0.1:9") -> pb.LadderPlan:
    return pb.LadderPlan(
        game=GAME,
        bots=[
            pb.LadderBot(name="rook", spec=f"bot:rook@{address}"),
            pb.LadderBot(name="b", spec="random"),
        ],
        num_groups=NUM_GROUPS,
        seed=seed,
    )


@dataclass
class Affair:
    """What a spy has found out while it played.

    Attributes:
        num_tries: calls of each method that were answered.
        num_found: games of which it has found the deal.
        num_firsts: games whose first decision was its own: the seed of the plan would have told
            it their deals.
        open_games: games that it could list before the end, by group, at the begin of each game.
    """

    num_tries: Counter[str]
    num_found: int
    num_firsts: int
    open_games: list[Counter[str]]


@pytest.fixture(scope="module")
def affair(tmp_path_factory: pytest.TempPathFactory) -> Affair:
    folder = tmp_path_factory.mktemp("spy")
    with (
        server_process(folder, ladders=str(folder / "ladder.sqlite"), ladder_workers="1") as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        return spy_out(channel, server.address)


def spy_out(channel: grpc.Channel, address: str) -> Affair:
    """Play a ladder as a bot that looks around at the begin of each game, and now and then."""
    bots, ladders = BotServiceStub(channel), LadderServiceStub(channel)
    stream = bots.Connect(bots_pb.ConnectRequest(name="rook"))
    spy = Spy(channel, next(stream).registered.session)
    ladders.StartLadder(
        pb.StartLadderRequest(name=NAME, plan=plan_message(SEED, address)), timeout=60
    )
    affair = Affair(spy.num_tries, 0, 0, [])
    games: set[str] = set()
    firsts = {position.observe(position.seat).text for position in dealt_by(SEED)}
    for event in stream:
        question = event.question
        if question.game_id not in games:
            games.add(question.game_id)
            affair.open_games.append(listed(ladders))
            if question.observation.text in firsts:
                spy.look_around(question)
                affair.num_firsts += 1
                affair.num_found += spy.finds_the_deal(question.observation)
        bots.AnswerMove(
            bots_pb.AnswerMoveRequest(
                session=spy.session, question=question.id, move=question.moves[0]
            )
        )
        if len(games) == 2 * NUM_SEATS * NUM_GROUPS:  # of the two seats that it has in a game
            stream.cancel()
            break
    ladders.StopLadder(pb.StopLadderRequest(name=NAME), timeout=30)
    return affair


def listed(ladders: Any) -> Counter[str]:
    """Count the games of each group that can be listed."""
    answers = ladders.ListLadderGames(pb.ListLadderGamesRequest(name=NAME))
    return Counter(answer.game.group for answer in answers)


@pytest.mark.slow
def test_a_spy_finds_no_deal(affair: Affair) -> None:
    assert affair.num_firsts == NUM_GROUPS * NUM_SEATS / 2
    assert affair.num_found == 0


@pytest.mark.slow
def test_a_spy_has_tried_what_is_answered_at_all(affair: Affair) -> None:
    assert {"GetLadder", "ListLadders", "WatchLadder", "SampleWorlds"} <= set(affair.num_tries)


@pytest.mark.slow
def test_games_are_listed_by_complete_groups(affair: Affair) -> None:
    assert all(number == NUM_SEATS for games in affair.open_games for number in games.values())
    assert len(affair.open_games[-1]) == NUM_GROUPS - 1
