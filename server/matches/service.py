"""Matches over gRPC."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from functools import partial

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.games import game_type
from kingmaker.v1 import analysis_service_pb2 as analysis_pb
from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1 import match_service_pb2_grpc, types_pb2

from ..analysis.requests import client_of
from ..analysis.service import AnalysisServicer
from ..convert import observation_message, position_message, read_move
from ..errors import Problems
from ..identity import Context
from ..pages import read_page_size
from ..sent_moves import in_sent_words
from . import acts
from .acts import Act, Moment
from .bots import check_bot
from .live import Live
from .matches import Matches
from .messages import OPEN, status_message, summary_message, tell_all, view_message
from .model import MatchState, Phase
from .proofs import check_creator, creator_token, seat_token
from .requests import page_token, read_key, read_name, read_new_match, read_page_token, read_phase

DEFAULT_BOT = "level:3"


class MatchServicer(match_service_pb2_grpc.MatchServiceServicer):
    """MatchService; see match_service.proto.

    Args:
        matches: of the server.
        analysis: answers for hints.
    """

    def __init__(self, matches: Matches, analysis: AnalysisServicer) -> None:
        self._matches = matches
        self._analysis = analysis

    async def CreateMatch(
        self, request: pb.CreateMatchRequest, context: Context
    ) -> pb.CreateMatchResponse:
        """Create a match."""
        options, bots = read_new_match(request)
        live = await self._matches.create(options, bots, client_of(context))
        return pb.CreateMatchResponse(status=_status(live), creator_token=creator_token(live.match))

    async def JoinMatch(
        self, request: pb.JoinMatchRequest, context: Context
    ) -> pb.JoinMatchResponse:
        """Take a seat."""
        live = await self._find(request.match_id)
        problems = Problems()
        name = ""
        with problems.at("name"):
            name = read_name(request.name)
        key = ""
        with problems.at("key"):
            key = read_key(request.key)
        problems.check()
        if request.token:
            seat, token = self._seat(live, request.token), request.token
            with problems.at("seat"):
                if request.seat not in (0, seat):
                    raise InputError(
                        f"seat is {request.seat}, but the token is of seat {seat}; leave seat out",
                        value=str(request.seat),
                    )
            problems.check()
            await self._act(live, partial(_return, secret=token, name=name))
        else:
            token = seat_token(live.match.id, key)
            await self._act(live, lambda here: acts.join(here, request.seat, name, token))
            seat = acts.seat_of(live.state, token)
        return pb.JoinMatchResponse(seat=seat, token=token, view=_view(live, seat, 0))

    async def LeaveMatch(
        self, request: pb.LeaveMatchRequest, context: Context
    ) -> pb.LeaveMatchResponse:
        """Give a seat up."""
        live = await self._find(request.match_id)
        if request.creator_token:
            problems = Problems()
            with problems.at("creator_token"):
                check_creator(live.match, request.creator_token)
            problems.check()
            is_creator = True
        else:
            is_creator = client_of(context) == live.match.creator
        leave = partial(acts.leave, is_creator=is_creator)
        if request.token or not request.creator_token:
            await self._act_as(live, request.token, leave)
        else:
            await self._act(live, partial(leave, seat=0))
        return pb.LeaveMatchResponse(status=_status(live))

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """Stream what a seat sees."""
        live = await self._find(request.match_id)
        viewer = self._seat(live, request.token)
        _check_after(live, request.after_event)
        views = self._matches.watch(live, viewer, request.after_event)
        async with aclosing(views):
            async for view in views:
                yield pb.WatchMatchResponse(view=view)
        self._seat(live, request.token)  # which may have been left

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        """Return what a seat sees."""
        live = await self._find(request.match_id)
        viewer = self._seat(live, request.token)
        _check_after(live, request.after_event)
        return pb.GetMatchResponse(view=_view(live, viewer, request.after_event))

    async def PlayMove(self, request: pb.PlayMoveRequest, context: Context) -> pb.PlayMoveResponse:
        """Play a move."""
        live = await self._find(request.match_id)
        seat = self._player(live, request.token)
        _check_after(live, request.after_event)
        problems = Problems()
        with problems.at("move"):
            token = live.state.position.resolve(read_move(live.state.position.game, request.move))
        problems.check()
        after = request.after_event
        play = partial(_play, after=after, token=token, sent=request.move)
        await self._act_as(live, request.token, play)
        return pb.PlayMoveResponse(view=_view(live, seat, after))

    async def GetMatchHint(
        self, request: pb.GetMatchHintRequest, context: Context
    ) -> pb.GetMatchHintResponse:
        """Suggest moves."""
        live = await self._find(request.match_id)
        seat = self._player(live, request.token)
        _check_after(live, request.after_event)
        after = request.after_event or live.state.turn_event

        def note(here: Moment, seat: int) -> list[Act]:
            if after < here.state.turn_event:
                raise _gone_on(here.state, after) if request.after_event else _overtaken(here.state)
            return acts.hint(here, seat)

        def check(here: Moment, seat: int) -> list[Act]:
            note(here, seat)
            return []

        await self._act_as(live, request.token, check)
        observation = observation_message(live.state.observe(seat))
        asked = analysis_pb.SuggestMovesRequest(
            search=analysis_pb.Search(observation=observation), top=request.top
        )
        hint = await self._analysis.SuggestMoves(asked, context)
        await self._act_as(live, request.token, note)
        return pb.GetMatchHintResponse(hint=hint)

    async def TakeBack(self, request: pb.TakeBackRequest, context: Context) -> pb.TakeBackResponse:
        """Take a move back, or ask for it."""
        live = await self._find(request.match_id)
        self._player(live, request.token)
        after = request.after_event
        _check_after(live, after)

        def take_back(here: Moment, seat: int) -> list[Act]:
            acts.check_playing(here.state)
            if 0 < after < here.state.turn_event:
                raise _gone_on(here.state, after)
            return acts.take_back(here, seat)

        await self._act_as(live, request.token, take_back)
        return pb.TakeBackResponse(status=_status(live))

    async def OfferDraw(
        self, request: pb.OfferDrawRequest, context: Context
    ) -> pb.OfferDrawResponse:
        """Offer a draw."""
        live = await self._do(request.match_id, request.token, acts.offer_draw)
        return pb.OfferDrawResponse(status=_status(live))

    async def AnswerOffer(
        self, request: pb.AnswerOfferRequest, context: Context
    ) -> pb.AnswerOfferResponse:
        """Answer an offer."""
        answer = partial(acts.answer, agrees=request.agrees)
        live = await self._do(request.match_id, request.token, answer)
        return pb.AnswerOfferResponse(status=_status(live))

    async def ResignMatch(
        self, request: pb.ResignMatchRequest, context: Context
    ) -> pb.ResignMatchResponse:
        """Give up."""
        live = await self._do(request.match_id, request.token, acts.resign)
        return pb.ResignMatchResponse(status=_status(live))

    async def ReplacePlayer(
        self, request: pb.ReplacePlayerRequest, context: Context
    ) -> pb.ReplacePlayerResponse:
        """Let a bot play on."""
        live = await self._find(request.match_id)
        self._player(live, request.token)
        problems = Problems()
        with problems.at("bot"):
            bot = check_bot(request.bot or DEFAULT_BOT, live.state.start.game)
        problems.check()

        def replace(here: Moment, by: int) -> list[Act]:
            return acts.replace(here, by, request.seat or by, bot, bot)

        await self._act_as(live, request.token, replace)
        return pb.ReplacePlayerResponse(status=_status(live))

    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        """List a page of the matches."""
        problems = Problems()
        phase, before, size = "", None, 0
        with problems.at("game"):
            if request.game:
                game_type(request.game)
        with problems.at("phase"):
            phase = read_phase(request.phase)
        with problems.at("page_token"):
            before = read_page_token(request.page_token)
        with problems.at("page_size"):
            size = read_page_size(request.page_size)
        problems.check()
        found = await self._matches.latest(phase, request.game, before, size + 1)
        page = found[:size]
        token = page_token(page[-1].changed, page[-1].match.id) if len(found) > size else ""
        return pb.ListMatchesResponse(matches=map(summary_message, page), next_page_token=token)

    async def GetMatchRecord(
        self, request: pb.GetMatchRecordRequest, context: Context
    ) -> pb.GetMatchRecordResponse:
        """Return the record of a match that has ended."""
        live = await self._find(request.match_id)
        problems = Problems()
        with problems.at("match_id"):
            if live.state.phase is not Phase.ENDED:
                raise StateError("the match has not ended; until then its record is secret")
        problems.check()
        told = await asyncio.to_thread(tell_all, live.state.start, OPEN, live.events)
        return pb.GetMatchRecordResponse(
            status=_status(live),
            rules_version=live.match.rules_version,
            events=told.events,
            position=position_message(live.state.position),
        )

    async def _do(self, match_id: str, token: str, act: Callable[[Moment, int], list[Act]]) -> Live:
        """Let the player with a token do something."""
        live = await self._find(match_id)
        await self._act_as(live, token, act)
        return live

    async def _act_as(
        self, live: Live, token: str, act: Callable[[Moment, int], list[Act]]
    ) -> None:
        """Let the player with a token do something, if the seat has not been left meanwhile."""
        await self._act(live, lambda here: act(here, acts.player(here.state, token)))

    async def _find(self, match_id: str) -> Live:
        problems = Problems()
        live = None
        with problems.at("match_id"):
            live = await self._matches.find(match_id)
        problems.check()
        assert live is not None
        return live

    def _seat(self, live: Live, token: str) -> int:
        return _checked(live.state, token, acts.seat_of)

    def _player(self, live: Live, token: str) -> int:
        return _checked(live.state, token, acts.player)

    async def _act(self, live: Live, make: Callable[[Moment], list[Act]]) -> None:
        problems = Problems()
        with problems.at(""):
            await self._matches.act(live, make)
        problems.check()


def _checked(state: MatchState, token: str, find: Callable[[MatchState, str], int]) -> int:
    problems = Problems()
    seat = 0
    with problems.at("token"):
        seat = find(state, token)
    problems.check()
    return seat


def _check_after(live: Live, after: int) -> None:
    problems = Problems()
    with problems.at("after_event"):
        if not 0 <= after <= live.state.num_events:
            raise InputError(
                f"after_event is {after}; the last event of the match is {live.state.num_events}",
                value=str(after),
            )
    problems.check()


def _return(here: Moment, secret: str, name: str) -> list[Act]:
    return acts.return_to_seat(here, acts.seat_of(here.state, secret), name)


def _play(here: Moment, seat: int, after: int, token: str, sent: types_pb2.Move) -> list[Act]:
    """Play a move; nothing to do if it is the first since `after` already."""
    state = here.state
    first = next((ply for ply in state.plies if ply.number > after), None)
    if state.turn_event <= after:
        try:
            return acts.play(here, seat, token)
        except StateError as error:
            raise in_sent_words(error, state.position, sent) from None
    if first is not None and (first.seat, first.token) == (seat, token):
        return []
    acts.check_playing(state)
    raise _gone_on(state, after)


def _gone_on(state: MatchState, after: int) -> StateError:
    return StateError(
        f"after_event is {after}, but the game has gone on: this turn began with event "
        f"{state.turn_event}; look at the view of it",
        field="after_event",
        value=str(after),
    )


def _overtaken(state: MatchState) -> StateError:
    return StateError(
        "a move was made while the hint was computed; this turn began with event "
        f"{state.turn_event}"
    )


def _view(live: Live, viewer: int, after: int) -> pb.MatchView:
    events = live.tell(viewer).events[after:]
    return view_message(live.match, live.state, viewer, events, time.time())


def _status(live: Live) -> pb.MatchStatus:
    return status_message(live.match, live.state, time.time())
