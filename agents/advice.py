"""Advice by tools: hints, analysis, worlds and solutions, from what one seat sees."""

from __future__ import annotations

import secrets

from pydantic import BaseModel, Field

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import Budget, MoveAnalysis
from kingmaker.search.hints import explain
from kingmaker.search.position import Observation, Position, parse_observation, parse_position
from kingmaker.search.run import Search
from kingmaker.search.solution import Limits
from kingmaker.search.solver import Solver
from kingmaker.search.worlds import believed_worlds, sample_worlds

from .play import Desk
from .seals import is_sealed

MAX_HINTS, MAX_WORLDS, MAX_POLICIES = 20, 50, 100
WEIGHED_WORLDS = 1000  # of which some are told


class Advice(BaseModel):
    """A move with its reasons."""

    move: str
    win_share: float | None = Field(
        description="Expected share of the win of the seat to move, 0 to 1; null if the search has "
        "hardly examined the move."
    )
    probability: float = Field(description="How often to play it, where mixing is right.")
    reason: str


class Judgement(BaseModel):
    """The search's view of a move."""

    move: str
    win_share: float | None = Field(description="Null if the search has hardly examined the move.")
    standard_error: float | None = Field(
        description="Of `win_share`; null if it is not known, as of searches to a depth."
    )
    visits: int
    proven: bool
    line: list[str] = Field(description="Expected play, this move first.")


class Report(BaseModel):
    """A position as the search sees it."""

    seat: int = Field(description="The seat whose view was searched.")
    values: list[float] = Field(description="Expected win share of each seat.")
    moves: list[Judgement] = Field(description="The best first.")
    engine: str
    simulations: int
    seed: int


class Solved(BaseModel):
    """An exact answer, or an equilibrium."""

    method: str
    values: list[float] = Field(description="Win share of each seat.")
    moves: dict[str, float] = Field(description="Probability of each move, the best first.")
    exploitability: float | None = Field(description="Of an equilibrium, in win shares.")
    open_hands: bool = Field(description="Whether it is the value with all hands open.")


class Adviser:
    """Advice on sealed games and on lines that anybody may send."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def hint(self, subject: str, name: str, top: int, milliseconds: float) -> list[Advice]:
        """Return the best moves with reasons."""
        _check("top", top, MAX_HINTS)
        seen = self._observation(subject, name)
        analysis = Search(seen, self._budget(milliseconds), all_moves=True).run()
        return [
            Advice(
                move=hint.analysis.move,
                win_share=_win_share(hint.analysis, seen),
                probability=probability,
                reason=hint.text,
            )
            for hint, probability in zip(
                explain(seen, analysis, top), analysis.policy, strict=False
            )
        ]

    def analyze(self, subject: str, name: str, milliseconds: float, engine: str) -> Report:
        """Search a position."""
        seen = self._observation(subject, name)
        found = Search(seen, self._budget(milliseconds), engine=engine, all_moves=True).run()
        return Report(
            seat=seen.observer,
            values=list(found.values),
            moves=[
                Judgement(
                    move=move.move,
                    win_share=_win_share(move, seen),
                    standard_error=_standard_error(move),
                    visits=move.visits,
                    proven=move.is_exact,
                    line=list(move.line),
                )
                for move in found.moves
            ],
            engine=found.engine,
            simulations=found.simulations,
            seed=found.seed,
        )

    def solve(self, subject: str, name: str, milliseconds: float) -> Solved:
        """Solve a position."""
        where: Position | Observation
        if not is_sealed(subject) and name and not _is_observation(subject):
            where = parse_position(name, subject.strip())
        else:
            where = self._seen(subject, name)
        budget = self._budget(milliseconds)
        limits = Limits(
            milliseconds=budget.milliseconds, memory_bytes=self._desk.rules.max_memory_bytes
        )
        found = Solver(where, limits).run()
        return Solved(
            method=found.method.value,
            values=list(found.values),
            moves={move.move: move.probability for move in found.moves},
            exploitability=found.equilibrium.exploitability if found.equilibrium else None,
            open_hands=found.open_hands,
        )

    def sample_worlds(self, subject: str, name: str, count: int) -> list[str]:
        """Draw full positions that fit what the seat sees."""
        _check("count", count, MAX_WORLDS)
        seen, seed = self._seen(subject, name), secrets.randbits(62)
        if seen.record is None:
            return [world.text for world in sample_worlds(seen, count, seed)]
        worlds = believed_worlds(seen, WEIGHED_WORLDS, seed)
        return [worlds[place * WEIGHED_WORLDS // count].text for place in range(count)]

    def _observation(self, subject: str, name: str) -> Observation:
        """Read what the seat to move sees: of a sealed game, or an observation's line."""
        if is_sealed(subject):
            return self._desk.observation(subject)
        seen = _parsed(subject, name)
        seen.check_own_decision()
        return seen

    def _seen(self, subject: str, name: str) -> Observation:
        return self._desk.seen(subject) if is_sealed(subject) else _parsed(subject, name)

    def _budget(self, milliseconds: float) -> Budget:
        return Budget(min(milliseconds, self._desk.rules.max_ms))


def _win_share(move: MoveAnalysis, seen: Observation) -> float | None:
    return move.values[seen.observer - 1] if move.is_examined else None


def _standard_error(move: MoveAnalysis) -> float | None:
    is_known = move.is_exact or (move.is_examined and move.standard_error > 0)
    return move.standard_error if is_known else None


def _is_observation(line: str) -> bool:
    return line.strip().rpartition(" ")[2].startswith("@")


def _parsed(line: str, name: str) -> Observation:
    if not name:
        raise InputError("name the game of this line", field="name")
    return parse_observation(name, line.strip())


def _check(field: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise InputError(
            f"{field} is {value}; it must be 1 to {most}", field=field, value=str(value)
        )
