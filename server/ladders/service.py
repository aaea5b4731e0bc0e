"""Ladders over gRPC."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any

from kingmaker.cext.errors import InputError
from kingmaker.ladder.export import json_line, text_record
from kingmaker.ladder.games import choose_games, find_game
from kingmaker.ladder.model import GameRecord
from kingmaker.ladder.pairing import SECRET_SEED
from kingmaker.ladder.plan import MAX_BOTS, LadderPlan
from kingmaker.ladder.store import Ladder
from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1 import ladder_service_pb2_grpc

from ..errors import Problems, UnauthenticatedError
from ..identity import CALLER, Context
from ..limits import MAX_OPTIONS, check_count
from ..pages import PAGE_BYTES, page_token, read_page_size, read_page_token, wrong_token
from .messages import (
    game_message,
    plan_values,
    read_enum,
    status_message,
)
from .runs import Ladders
from .standings import StandingsCache


class LadderServicer(ladder_service_pb2_grpc.LadderServiceServicer):
    """LadderService: calls answered from a database of ladders; see ladder_service.proto.

    Args:
        ladders: of the database.
        max_bytes: size limit of an answer.
    """

    def __init__(self, ladders: Ladders, max_bytes: int) -> None:
        self._ladders = ladders
        self._standings = StandingsCache(ladders, max_bytes)

    async def StartLadder(
        self, request: pb.StartLadderRequest, context: Context
    ) -> pb.StartLadderResponse:
        """Start a ladder."""
        plan = await asyncio.to_thread(_read_plan, request.plan)
        caller = CALLER.get()
        if not caller.name and not caller.is_operator:
            raise UnauthenticatedError("a ladder belongs to its creator, so a token is needed")
        await self._ladders.start(request.name, plan, caller.name)
        return pb.StartLadderResponse(status=await self._status(request.name))

    async def ResumeLadder(
        self, request: pb.ResumeLadderRequest, context: Context
    ) -> pb.ResumeLadderResponse:
        """Continue a ladder."""
        await self._check_owner(request.name)
        await self._ladders.resume(request.name)
        return pb.ResumeLadderResponse(status=await self._status(request.name))

    async def StopLadder(
        self, request: pb.StopLadderRequest, context: Context
    ) -> pb.StopLadderResponse:
        """Stop a ladder."""
        await self._check_owner(request.name)
        await self._ladders.stop(request.name)
        return pb.StopLadderResponse(status=await self._status(request.name))

    async def GetLadder(
        self, request: pb.GetLadderRequest, context: Context
    ) -> pb.GetLadderResponse:
        """Return the standings of a ladder."""
        return await self._standings.answer(request.name)

    async def ListLadders(
        self, request: pb.ListLaddersRequest, context: Context
    ) -> pb.ListLaddersResponse:
        """List a page of the ladders."""
        problems = Problems()
        size, after = 0, 0
        with problems.at("page_size"):
            size = read_page_size(request.page_size)
        with problems.at("page_token"):
            after = _read_number(request.page_token)
        problems.check()
        page, num_bytes = pb.ListLaddersResponse(), 0
        for number, look in await self._ladders.look_at_page(after, size + 1):
            status = status_message(look)
            num_bytes += status.ByteSize()
            if page.ladders and (len(page.ladders) == size or num_bytes > PAGE_BYTES):
                page.next_page_token = page_token(str(after))
                break
            page.ladders.append(status)
            after = number
        return page

    async def WatchLadder(
        self, request: pb.WatchLadderRequest, context: Context
    ) -> AsyncIterator[pb.WatchLadderResponse]:
        """Stream the status of a ladder until it ends."""
        looks = self._ladders.follow(request.name)
        async with aclosing(looks):
            async for look in looks:
                yield pb.WatchLadderResponse(status=status_message(look))

    async def ListLadderGames(
        self, request: pb.ListLadderGamesRequest, context: Context
    ) -> AsyncIterator[pb.ListLadderGamesResponse]:
        """List games."""
        cause = _read_choice(pb.LadderCause, request.cause, "cause")
        games = await self._ladders.read(
            request.name,
            lambda ladder: choose_games(
                ladder,
                ladder.chosen_summaries(ladder.open_numbers(request.after_number)),
                bot=request.bot,
                cause=cause,
            ),
        )
        async for page in self._ladders.pages(games):
            for game in page:
                yield pb.ListLadderGamesResponse(game=game_message(game))

    async def ExportLadderGames(
        self, request: pb.ExportLadderGamesRequest, context: Context
    ) -> AsyncIterator[pb.ExportLadderGamesResponse]:
        """Stream games as text."""
        cause = _read_choice(pb.LadderCause, request.cause, "cause")
        form = _read_choice(pb.LadderRecordFormat, request.format, "format")
        write = text_record if form == "text" else _line
        records = await self._ladders.read(
            request.name,
            lambda ladder: choose_games(
                ladder, _records(ladder, request.game_id), bot=request.bot, cause=cause
            ),
        )
        texts = ((record.task.id, write(record)) for record in records)
        async for page in self._ladders.pages(texts):
            for game_id, text in page:
                yield pb.ExportLadderGamesResponse(game_id=game_id, record=text)

    async def _check_owner(self, name: str) -> None:
        CALLER.get().check_owner(await self._ladders.owner(name), f"ladder {name!r}")

    async def _status(self, name: str) -> pb.LadderStatus:
        return status_message(await self._ladders.look(name))


def _read_plan(message: pb.LadderPlan) -> LadderPlan:
    problems = Problems()
    with problems.at("plan.options"):
        check_count(message.options, MAX_OPTIONS, "options")
    with problems.at("plan.bots"):
        check_count(message.bots, MAX_BOTS, "bots")
    problems.check()
    plan = None
    with problems.at("plan"):
        try:
            plan = LadderPlan.of(**plan_values(message))
        except InputError as error:
            error.field = re.sub(r"\.(\d+)", r"[\1]", error.field)  # bots.1 is bots[1] here
            raise
    problems.check()
    assert plan is not None
    if not plan.seed:  # a known one would tell the deals of all games
        plan = plan.model_copy(update={"seed": SECRET_SEED + secrets.randbelow(SECRET_SEED)})
    return plan


def _read_number(token: str) -> int:
    """Read the number of the ladder after which a page begins."""
    text = read_page_token(token)
    if not re.fullmatch("[0-9]{0,18}", text, re.ASCII):
        raise wrong_token(token)
    return int(text or 0)


def _read_choice(kind: Any, number: int, field: str) -> str:
    problems = Problems()
    name = ""
    with problems.at(field):
        name = read_enum(kind, number)
    problems.check()
    return name


def _line(record: GameRecord) -> str:
    return json_line(record) + "\n"


def _records(ladder: Ladder, game_id: str) -> Iterable[GameRecord]:
    numbers = ladder.open_numbers()
    if not game_id:
        return ladder.chosen_records(numbers)
    try:
        return [find_game(ladder, game_id, numbers)]
    except InputError as error:
        error.field = "game_id"
        raise
