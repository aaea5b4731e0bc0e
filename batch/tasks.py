"""Analyses and reviews as tasks.

A task has everything that its result depends on, versions included, and nothing else: its id is a
digest of that, so that the same question is the same task everywhere. Times are no part of results,
which are the same bytes wherever they are computed. A task uses one thread.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import SerializerFunctionWrapHandler, model_serializer

from kingmaker import __version__
from kingmaker.ladder.model import STRICT, from_json, to_json
from kingmaker.review.games import PlayedGame, played
from kingmaker.review.model import Review
from kingmaker.review.pieces import Pieces, ReviewState
from kingmaker.review.review import STANDARD, Reviewer
from kingmaker.search.analysis import MEGABYTE, Analysis, Budget
from kingmaker.search.position import Observation, new_game, parse_observation
from kingmaker.search.registry import default_engine
from kingmaker.search.run import Search
from kingmaker.tasks.model import InfrastructureError

DEFAULT_SIMULATIONS = 1000
DEFAULT_MEMORY_BYTES = 64 * MEGABYTE

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The result of a task.

    Attributes:
        task_id: of the task.
        text: JSON of its `Analysis` or `Review`.
    """

    task_id: str
    text: str


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """A search of what one seat sees; `analysis_task` makes it.

    Attributes:
        game: its name.
        observation: the canonical line.
        engine: its name.
        options: all of the engine, (option, value as JSON) sorted by name.
        simulations: of the search.
        memory_bytes: most memory of the search.
        seed: of the search.
        rules_version: of the game.
        version: of Kingmaker.
    """

    __pydantic_config__: ClassVar = STRICT

    game: str
    observation: str
    engine: str
    options: Pairs
    simulations: int
    memory_bytes: int
    seed: int
    rules_version: str
    version: str

    @property
    def id(self) -> str:
        """The key of its result."""
        return _digest(self)

    @property
    def engine_options(self) -> dict[str, Any]:
        """The options with their types."""
        return {name: json.loads(value) for name, value in self.options}

    @property
    def budget(self) -> Budget:
        """Limits of the search."""
        return Budget(simulations=self.simulations, memory_bytes=self.memory_bytes)

    def begin(self) -> Search:
        """Create the search.

        Raises:
            InfrastructureError: the task was made by another version.
        """
        _check_version(self.version)
        return Search(
            parse_observation(self.game, self.observation),
            self.budget,
            engine=self.engine,
            seed=self.seed,
            options=self.engine_options,
            all_moves=True,
        )

    def result(self, found: Analysis) -> TaskResult:
        """Return the result from the last snapshot."""
        return TaskResult(self.id, to_json(replace(found, seconds=0.0)))


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A review of a finished game; `review_task` makes it.

    Attributes:
        game: its name.
        options: of the game, (option, value) sorted by name.
        start: line of the position that it starts from; empty: the start of the game.
        moves: tokens of all moves and outcomes.
        name: of this game; may be empty.
        names: who sat where; may be empty.
        returns: win share of each seat.
        effort: name in `EFFORTS`.
        engine: its name.
        seed: of the review.
        rules_version: of the game.
        version: of Kingmaker.
        ending: how the game was broken off, in a word; empty: it is not known.
    """

    __pydantic_config__: ClassVar = STRICT

    game: str
    options: Pairs
    start: str
    moves: tuple[str, ...]
    name: str
    names: tuple[str, ...]
    returns: tuple[float, ...]
    effort: str
    engine: str
    seed: int
    rules_version: str
    version: str
    ending: str = ""

    @model_serializer(mode="wrap")
    def _without_defaults(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave an empty `ending` out: ids depend on the text, and older tasks have none."""
        fields: dict[str, Any] = write(self)
        if not self.ending:
            del fields["ending"]
        return fields

    @property
    def id(self) -> str:
        """The key of its result."""
        return _digest(self)

    @property
    def budget(self) -> Budget:
        """No limit of time: the effort ends the review."""
        return Budget(simulations=1)

    def begin(self) -> Pieces:
        """Create the review.

        Raises:
            InfrastructureError: the task was made by another version.
        """
        _check_version(self.version)
        game = played(
            self.game,
            self.moves,
            dict(self.options),
            name=self.name,
            names=self.names,
            returns=self.returns,
            ending=self.ending,
            start=self.start,
        )
        return Pieces(Reviewer(game, effort=self.effort, seed=self.seed, engine=self.engine))

    def result(self, found: ReviewState) -> TaskResult:
        """Return the result from the last snapshot."""
        assert found.review is not None
        return TaskResult(self.id, to_json(_timeless(found.review)))


AnyTask = AnalysisTask | ReviewTask
KINDS: dict[str, type[AnalysisTask] | type[ReviewTask]] = {
    "analysis": AnalysisTask,
    "review": ReviewTask,
}


def analysis_task(
    observation: Observation,
    *,
    simulations: int = DEFAULT_SIMULATIONS,
    memory_bytes: int = DEFAULT_MEMORY_BYTES,
    engine: str = "",
    options: Mapping[str, str | int | float] | None = None,
    seed: int = 0,
) -> AnalysisTask:
    """Make the task of an analysis.

    Raises:
        InputError: an argument is out of range, or the engine is unknown or does not suit the game.
        StateError: the game is over.
    """
    budget = Budget(simulations=simulations, memory_bytes=memory_bytes)
    search = Search(observation, budget, engine=engine, seed=seed, options=options)
    return AnalysisTask(
        game=observation.game.name,
        observation=observation.text,
        engine=search.engine.name,
        options=tuple(sorted((name, json.dumps(value)) for name, value in search.options.items())),
        simulations=simulations,
        memory_bytes=memory_bytes,
        seed=seed,
        rules_version=observation.game.rules_version,
        version=__version__,
    )


def review_task(
    game: PlayedGame, *, effort: str = STANDARD, engine: str = "", seed: int = 0
) -> ReviewTask:
    """Make the task of a review.

    Raises:
        InputError: an argument is out of range, or the engine does not suit the game.
    """
    Reviewer(game, effort=effort, seed=seed, engine=engine)  # which checks the arguments
    rules = game.start.game
    options = {name: str(value) for name, value in rules.options.items()}
    is_usual = game.start == new_game(rules.name, options)
    return ReviewTask(
        game=rules.name,
        options=tuple(sorted(options.items())),
        start="" if is_usual else game.start.text,
        moves=game.tokens,
        name=game.name,
        names=game.names,
        returns=game.returns,
        effort=effort,
        engine=engine or default_engine(rules),
        seed=seed,
        rules_version=rules.rules_version,
        version=__version__,
        ending=game.ending,
    )


def run(task: AnyTask) -> TaskResult:
    """Run a task."""
    search: Any = task.begin()
    while not search.is_finished:
        search.step(math.inf)
    return task.result(search.snapshot())


def task_text(task: AnyTask) -> str:
    """Write a task, with its kind."""
    kind = next(kind for kind, each in KINDS.items() if isinstance(task, each))
    return f'{{"{kind}":{to_json(task)}}}'


def read_task(text: str) -> AnyTask:
    """Read a task of `task_text`.

    Raises:
        ValueError: it is none.
    """
    [(kind, fields)] = json.loads(text).items()
    if kind not in KINDS:
        raise ValueError(f"there are no tasks of kind {kind!r}")
    return from_json(KINDS[kind], json.dumps(fields))


def read_analysis(text: str) -> Analysis:
    """Read the result of an `AnalysisTask`."""
    return from_json(Analysis, text)


def read_review(text: str) -> Review:
    """Read the result of a `ReviewTask`."""
    return from_json(Review, text)


def _timeless(review: Review) -> Review:
    """Return a review without times."""
    decisions = (
        replace(each, analysis=each.analysis and replace(each.analysis, seconds=0.0))
        for each in review.decisions
    )
    return replace(review, seconds=0.0, decisions=tuple(decisions))


def _digest(task: AnyTask) -> str:
    return hashlib.blake2b(task_text(task).encode(), digest_size=16).hexdigest()


def _check_version(version: str) -> None:
    if version != __version__:
        raise InfrastructureError(
            "error", f"the task is for Kingmaker {version}, and this is {__version__}"
        )
