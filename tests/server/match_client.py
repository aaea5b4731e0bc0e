"""Players of matches, over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .support import Service, serving

PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION


@asynccontextmanager
async def keeping(folder: Path | str, **settings: Any) -> AsyncIterator[tuple[Service, Any]]:
    """Run a server with a database, and a stub of its matches."""
    database = str(folder / "matches.sqlite") if isinstance(folder, Path) else folder
    async with serving(slots=2, client_share=1.0, matches=database, **settings) as service:
        yield service, MatchServiceStub(service.channel)


def new_match(game: str, *bots: str, **options: Any) -> pb.CreateMatchRequest:
    """Ask for a match; an empty bot is an open seat."""
    return pb.CreateMatchRequest(
        options=pb.MatchOptions(game=game, **options), seats=[pb.NewSeat(bot=bot) for bot in bots]
    )


class Player:
    """A person at a seat, who keeps the last view."""

    def __init__(self, stub: Any, match_id: str, token: str, view: pb.MatchView) -> None:
        self.stub = stub
        self.match_id = match_id
        self.token = token
        self.view = view
        self.events = list(view.events)

    @classmethod
    async def join(cls, stub: Any, match_id: str, name: str = "Ann", seat: int = 0) -> Player:
        request = pb.JoinMatchRequest(match_id=match_id, name=name, seat=seat)
        joined = await stub.JoinMatch(request)
        return cls(stub, match_id, joined.token, joined.view)

    @property
    def seen(self) -> int:
        """Number of the last event seen."""
        return self.events[-1].number if self.events else 0

    def take(self, view: pb.MatchView) -> None:
        """Take a view; its events must continue those seen."""
        for event in view.events:
            assert event.number == self.seen + 1
            self.events.append(event)
        self.view = view

    async def look(self) -> pb.MatchView:
        """Get what has happened."""
        request = pb.GetMatchRequest(
            match_id=self.match_id, token=self.token, after_event=self.seen
        )
        self.take((await self.stub.GetMatch(request)).view)
        return self.view

    async def play(self, move: str = "", after: int | None = None) -> pb.MatchView:
        """Play a move, by default the first."""
        request = pb.PlayMoveRequest(
            match_id=self.match_id,
            token=self.token,
            after_event=self.seen if after is None else after,
            move=types_pb2.Move(text=move or self.view.moves[0].move.text),
        )
        view: pb.MatchView = (await self.stub.PlayMove(request)).view
        if after is None:
            self.take(view)
        return view

    def watch(self, after: int | None = None) -> Any:
        """Open a stream."""
        request = pb.WatchMatchRequest(
            match_id=self.match_id,
            token=self.token,
            after_event=self.seen if after is None else after,
        )
        return self.stub.WatchMatch(request)

    async def act(self, name: str, **fields: Any) -> Any:
        """Make another call of the service."""
        request = getattr(pb, f"{name}Request")(match_id=self.match_id, token=self.token, **fields)
        return await getattr(self.stub, name)(request)

    async def until_turn(self) -> None:
        """Wait until it is the player's turn."""
        for _ in range(1000):
            if (await self.look()).moves:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("it was never the player's turn")

    async def play_out(self) -> pb.MatchView:
        """Play the last listed move each time, until the end."""
        while self.view.status.phase != pb.MATCH_PHASE_ENDED:
            if self.view.moves:
                await self.play(self.view.moves[-1].move.text)
            else:
                await asyncio.sleep(0.005)
                await self.look()
        return self.view


async def ended(stub: Any, match_id: str) -> pb.MatchView:
    """Watch a match as a spectator until it has ended; returns the last view."""
    request = pb.WatchMatchRequest(match_id=match_id)
    *_, last = [each.view async for each in stub.WatchMatch(request, timeout=60)]
    view: pb.MatchView = last
    return view


async def create(matches: Any, game: str, *bots: str, **options: Any) -> str:
    """Create a match, as above; returns its id."""
    answer = await matches.CreateMatch(new_match(game, *bots, **options))
    return str(answer.status.match_id)


async def two_players(matches: Any, game: str = "tic_tac_toe", **options: Any) -> list[Player]:
    """Create a match of two people, Ann and Ben, who have joined it."""
    match_id = await create(matches, game, "", "", **options)
    players = [await Player.join(matches, match_id, name) for name in ("Ann", "Ben")]
    await players[0].look()
    return players
