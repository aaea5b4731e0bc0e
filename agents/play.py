"""Playing by tools: an agent at its own seats, bots at the others."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.analysis import Budget
from kingmaker.search.draws import digest, settle_by_seed
from kingmaker.search.events import seen_event
from kingmaker.search.levels import select_move
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.record import observe_with_record

from .seals import SEED_BITS, Match, Sealer, move_sign, new_name, retold

MAX_REMEMBERED = 10_000
"""Games in progress whose latest position is known, so that no move is taken back."""


class View(BaseModel):
    """What an agent learns: from its own seat, and nothing that this seat can't see."""

    game: str = Field(description="The sealed game; pass it on to the next call, unchanged.")
    seat: int = Field(description="The seat of this view.")
    to_move: str = Field(description="p1, p2, ... or end.")
    your_turn: bool = Field(description="Whether one of your seats is to move.")
    events: list[str] = Field(description="What has happened since the last call.")
    observation: str = Field(description="What the seat sees, as one line.")
    board: str = Field(description="The same, drawn.")
    win_shares: list[float] | None = Field(description="At the end: of each seat, summing to 1.")


class Move(BaseModel):
    """A legal move."""

    move: str = Field(description="Its notation, for `play`.")
    description: str


@dataclass(frozen=True, slots=True)
class Rules:
    """How games are played here.

    Attributes:
        hides_moves: whether agents must find the legal moves themselves.
        allows_takebacks: whether an agent may go on from an earlier position of a game.
        max_ms: most time of a search.
        max_simulations: most simulations of a search.
        max_memory_bytes: most memory of a search.
        seed: of the chance of all games, in the order in which they are started; None: none.
    """

    hides_moves: bool = False
    allows_takebacks: bool = False
    max_ms: float = 5000
    max_simulations: int = 100_000
    max_memory_bytes: int = 256 << 20
    seed: int | None = None


class Desk:
    """Where agents play; threads may share it.

    Args:
        sealer: of their games.
        rules: how games are played.
    """

    def __init__(self, sealer: Sealer, rules: Rules) -> None:
        self.sealer, self.rules = sealer, rules
        self._latest: OrderedDict[str, int] = OrderedDict()
        self._num_started = 0
        self._lock = threading.Lock()

    def start(self, game: str, options: Mapping[str, str | int], seats: Sequence[int]) -> View:
        """Start a game.

        Agents choose no seed: they would know chance from the same game, played before.
        """
        start = new_game(game, options)
        wrong = [seat for seat in seats if not 1 <= seat <= start.num_seats]
        if wrong or not seats:
            raise InputError(
                f"seats are {list(seats)}; they must be of 1 to {start.num_seats}, one at least",
                field="seats",
                value=str(list(seats)),
            )
        match = Match(start, tuple(sorted(set(seats))), self._new_seed(), new_name())
        position, drawn = settle_by_seed(start, match.seed)
        played = replace(match, position=position)
        return self._sealed(played, start, drawn, self._seat(played, None))

    def observe(self, game: str, seat: int | None) -> View:
        """Look at a game again, from one of the agent's seats."""
        match = self.sealer.open(game)
        return self._view(match, game, [], self._seat(match, seat))

    def legal_moves(self, game: str) -> list[Move]:
        """List the legal moves of the agent's seat."""
        position = self._own_turn(game).position
        seen = position.observe(position.seat)
        return [Move(move=move, description=seen.describe(move)) for move in seen.legal_moves()]

    def play(self, game: str, move: str) -> View:
        """Play a move of the agent's seat."""
        match = self._own_turn(game)
        position = match.position
        seat = position.seat
        token = self._checked(position, move)
        self._advance(match)
        after, drawn = settle_by_seed(position.apply(token), match.seed)
        moves = match.moves + move_sign(position, token)
        played = replace(match, position=after, ply=match.ply + 1, moves=moves)
        return self._sealed(played, position, [token, *drawn], seat)

    def ask_bot(self, game: str, level: int, simulations: int) -> View:
        """Let bots move until one of the agent's seats is to move, or the game is over."""
        match = self.sealer.open(game)
        if match.position.is_terminal:
            raise StateError("the game is over", field="game")
        if match.position.seat in match.seats:
            raise StateError(
                f"p{match.position.seat} is to move, which is your seat: use play", field="game"
            )
        self._check_latest(match)
        budget = Budget(self.rules.max_ms, min(simulations, self.rules.max_simulations))
        tokens: list[str] = []
        moves, position = match.moves, match.position
        while not position.is_terminal and position.seat not in match.seats:
            seen = _seen(replace(match, position=position, moves=moves), position.seat)
            seed = digest("bot", match.seed, position.text)
            token, _ = select_move(seen, budget, level=level, seed=seed)
            moves += move_sign(position, token)
            position, drawn = settle_by_seed(position.apply(token), match.seed)
            tokens += [token, *drawn]
        self._advance(match)
        played = replace(match, position=position, ply=match.ply + 1, moves=moves)
        return self._sealed(played, match.position, tokens, self._seat(played, None))

    def observation(self, game: str) -> Observation:
        """Return what the agent's seat sees, whose turn it must be."""
        match = self._own_turn(game)
        return _seen(match, match.position.seat)

    def seen(self, game: str) -> Observation:
        """Return what the agent sees: from the seat to move if that is its own, else its first."""
        match = self.sealer.open(game)
        return _seen(match, self._seat(match, None))

    def _own_turn(self, game: str) -> Match:
        match = self.sealer.open(game)
        if match.position.is_terminal:
            raise StateError("the game is over", field="game")
        if match.position.seat not in match.seats:
            raise StateError(
                f"p{match.position.seat} is to move, which is not your seat: use ask_bot",
                field="game",
            )
        self._check_latest(match)
        return match

    def _seat(self, match: Match, seat: int | None) -> int:
        if seat is None:
            to_move = match.position.seat
            return to_move if to_move in match.seats else match.seats[0]
        if seat not in match.seats:
            own = ", ".join(map(str, match.seats))
            raise InputError(
                f"seat {seat} is not yours; yours: {own}", field="seat", value=str(seat)
            )
        return seat

    def _checked(self, position: Position, move: str) -> str:
        """Return the notation of a legal move; the refusal lists what is possible unless hidden."""
        game = position.game
        token = game.parse_move(move.strip())
        if token in game.moves_of(position.state):
            return game.move_text(token)
        if self.rules.hides_moves:
            why, rule = game.why_illegal(position.state, token)
            message = f"{move} is not legal: {why}"
            raise StateError(message, field="move", value=move, rule=rule)
        position.apply(move.strip())
        raise AssertionError(f"{move} is legal in one place and illegal in another")

    def _check_latest(self, match: Match) -> None:
        latest = self._latest.get(match.name, 0)
        if match.ply < latest and not self.rules.allows_takebacks:
            raise StateError(
                "this game was played on from here, and moves can't be taken back; use the sealed "
                "game of your last answer",
                field="game",
            )

    def _advance(self, match: Match) -> None:
        """Remember that a match is played on; of two that try at once one is refused."""
        with self._lock:
            self._check_latest(match)
            self._latest[match.name] = match.ply + 1
            self._latest.move_to_end(match.name)
            if len(self._latest) > MAX_REMEMBERED:
                self._latest.popitem(last=False)

    def _new_seed(self) -> int:
        """Draw the seed of a game, or take the next of the rules' seed."""
        with self._lock:
            self._num_started += 1
            number = self._num_started
        if self.rules.seed is None:
            return secrets.randbits(SEED_BITS)
        return digest("game", self.rules.seed, number)

    def _sealed(self, match: Match, before: Position, tokens: Sequence[str], seat: int) -> View:
        """Seal a match, and tell a seat of the moves and outcomes that led to it."""
        events, position = [], before
        for token in tokens:
            after = position.apply(token)
            events.append(_told(position, token, after, seat))
            position = after
        return self._view(match, self.sealer.seal(match), events, seat)

    def _view(self, match: Match, seal: str, events: list[str], seat: int) -> View:
        position = match.position
        seen = position.observe(seat)
        return View(
            game=seal,
            seat=seat,
            to_move=position.node,
            your_turn=position.seat in match.seats,
            events=events,
            observation=seen.text,
            board=seen.render(),
            win_shares=position.returns() if position.is_terminal else None,
        )


def _seen(match: Match, seat: int) -> Observation:
    """Return what a seat sees, with a record if searches of the game use one."""
    if not match.position.game.uses_records:
        return match.position.observe(seat)
    start, tokens = retold(match)
    return observe_with_record(start, tokens, match.position, seat)


def _told(before: Position, token: str, after: Position, viewer: int) -> str:
    """Describe a move or outcome as a seat sees it."""
    event = seen_event(before, token, after, viewer)
    who = f"p{event.seat}: " if event.seat else ""
    effects = f" ({'; '.join(event.changes)})" if event.changes else ""
    return f"{'chance, ' if event.is_chance else ''}{who}{event.description}{effects}"
