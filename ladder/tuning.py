"""Tuning: finds settings of a bot with which it beats itself with the default ones.

A tuning is a series of ladders, so that it is stored, stopped and resumed like them:

- `NAME.1`, `NAME.2`, ...: generations of variants, each of which plays mirrored groups against the
  default. Optuna's tree-structured Parzen estimator proposes them from the results of those before.
- `NAME.best`: a race (see `race`) of the best variants and the default, for at most so many groups.
- `NAME.confirm`: its pick against the default, with new deals. The result is that of this match
  alone: what was chosen for its results before looks better there than it is.

The same plan gives the same tuning as far as its ladders are reproducible, and a resumed one goes
on where it was: what Optuna proposes depends on the seed, the generation and the stored results.

Source: Bergstra, Bardenet, Bengio and Kegl 2011, "Algorithms for Hyper-Parameter Optimization".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kingmaker.cext.errors import InputError
from kingmaker.search.draws import digest

from .coordinator import Watch, begin_ladder, run_ladder
from .errors import UnknownLadderError
from .executors import GameExecutor
from .plan import LadderPlan
from .ratings import rate
from .records import LadderState
from .results import MirroredGroup, Result, mirrored_groups
from .specs import make_bot
from .store import Ladder, Store
from .summary import race_status

if TYPE_CHECKING:
    import optuna

DEFAULT = "default"
EXPLORED, RACED = 0.5, 0.3
"""Parts of the games for generations and race; the rest is for the last match."""
NUM_GENERATIONS = 8
NUM_FINALISTS = 3
LEAST_GROUPS = 40
"""Groups below which a tuning could find nothing."""
SEED_LIMIT = 1 << 32  # of numpy's old generator, which Optuna uses

Range = tuple[int, int] | tuple[float, float] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """The variants of a bot.

    Attributes:
        head: what comes before the settings, such as `ismcts`.
        fixed: settings that all variants have, also the default.
        ranges: setting -> (low, high), or the words to choose from.
    """

    head: str
    fixed: Mapping[str, str]
    ranges: Mapping[str, Range]

    def spec(self, values: Mapping[str, Any]) -> str:
        """Return the spec of a variant; without values that of the default."""
        settings = {**self.fixed, **{name: _written(value) for name, value in values.items()}}
        listed = ",".join(f"{name}={value}" for name, value in settings.items())
        return f"{self.head}:{listed}" if listed else self.head


def parse_space(text: str) -> Space:
    """Read a spec with ranges, such as `ismcts:simulations=50,exploration=0.3..2,playout=a|b`.

    Raises:
        InputError: a range is malformed, there is none, or the rest is no spec.
    """
    head, _, tail = text.strip().partition(":")
    fixed: dict[str, str] = {}
    ranges: dict[str, Range] = {}
    for part in tail.split(",") if tail else ():
        name, sign, value = part.partition("=")
        if not sign or name in fixed or name in ranges:
            raise InputError(f"{part!r} is not a setting, or is given twice", field="spec")
        found = _range(name, value)
        if found is None:
            fixed[name] = value
        else:
            ranges[name] = found
    if not ranges:
        raise InputError(
            f"{text!r} has nothing to tune; write low..high or one|two for a setting",
            field="spec",
            value=text,
        )
    space = Space(head, fixed, ranges)
    make_bot(space.spec({}))
    return space


def _range(name: str, text: str) -> Range | None:
    """Read the range of a setting; None: it is one value."""
    if "|" in text:
        words = tuple(text.split("|"))
        if len(set(words)) < len(words) or not all(words):
            raise InputError(f"{name}: {text!r} must be different words", field="spec", value=text)
        return words
    low, sign, high = text.partition("..")
    if not sign:
        return None
    try:
        bounds: tuple[int, int] | tuple[float, float] = (int(low), int(high))
    except ValueError:
        try:
            bounds = (float(low), float(high))
        except ValueError:
            bounds = (0, 0)
    if not bounds[0] < bounds[1]:
        raise InputError(
            f"{name}: {text!r} is not a range; write low..high", field="spec", value=text
        )
    return bounds


def _written(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class TunePlan:
    """The plan of a tuning.

    Attributes:
        space: the variants.
        num_games: to play, at most.
        fields: of the plan of every ladder, such as the game; without bots and groups.
        seed: of proposals, deals and the bots' random choices.
    """

    space: Space
    num_games: int
    fields: Mapping[str, Any]
    seed: int = 0

    def plan(self, stage: str, bots: Mapping[str, str], **values: Any) -> LadderPlan:
        """Return the plan of one of its ladders; `bots` by name."""
        return LadderPlan.of(
            **self.fields,
            bots=[{"name": name, "spec": spec} for name, spec in bots.items()],
            seed=digest("tune", self.seed, stage) >> 10,
            **values,
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """A variant that has played.

    Attributes:
        name: in the ladders.
        values: of the settings.
        spec: of the bot.
        share: mean win share against the default.
        groups: that it played.
    """

    name: str
    values: Mapping[str, Any]
    spec: str
    share: float
    groups: int


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result of a tuning.

    Attributes:
        trials: in their order.
        pick: the best variant; None: none was better than the default in the race.
        elo: of the pick over the default in the last match; nan without a pick.
        low: lower end of its 95 % interval.
        high: upper end.
        num_games: of all ladders.
    """

    trials: tuple[Trial, ...] = field(repr=False)
    pick: Trial | None
    elo: float
    low: float
    high: float
    num_games: int


def tune(
    store: Store,
    name: str,
    plan: TunePlan,
    executor: GameExecutor,
    *,
    watch: Watch | None = None,
) -> Tuned | None:
    """Run a tuning, or continue the one of this name and plan.

    Args:
        store: of the ladders.
        name: begins the names of the ladders.
        plan: of the tuning; that of a continued one must be the same.
        executor: plays the games.
        watch: as in `run_ladder`.

    Returns:
        The result; None: it was stopped.

    Raises:
        InputError: the plan is wrong, or a ladder of this name has another one.
        LadderError, StoreError: as in `run_ladder`.
    """
    return _Tuning(store, name, plan, executor, watch).run()


class _Stopped(Exception):
    """A ladder was stopped."""


class _Tuning:
    def __init__(
        self,
        store: Store,
        name: str,
        plan: TunePlan,
        executor: GameExecutor,
        watch: Watch | None,
    ) -> None:
        self._store = store
        self._name = name
        self._plan = plan
        self._executor = executor
        self._watch = watch
        self._num_games = 0
        default = {DEFAULT: plan.space.spec({})}
        num_seats = plan.plan("check", {**default, "other": default[DEFAULT]}).num_seats
        num_groups = plan.num_games // num_seats
        if num_groups < LEAST_GROUPS:
            raise InputError(
                f"games is {plan.num_games}; it must be at least {LEAST_GROUPS * num_seats}",
                field="games",
                value=str(plan.num_games),
            )
        explored = round(EXPLORED * num_groups)
        self._default = default
        self._num_trials = math.isqrt(explored)
        self._groups_each = explored // self._num_trials
        self._num_raced = round(RACED * num_groups)
        self._num_confirming = num_groups - explored - self._num_raced

    def run(self) -> Tuned | None:
        try:
            trials = self._explore()
            pick = self._race(trials)
            if pick is None:
                return Tuned(tuple(trials), None, math.nan, math.nan, math.nan, self._num_games)
            elo, low, high = self._confirm(pick)
            return Tuned(tuple(trials), pick, elo, low, high, self._num_games)
        except _Stopped:
            return None

    def _explore(self) -> list[Trial]:
        """Play the generations."""
        trials: list[Trial] = []
        size = math.ceil(self._num_trials / NUM_GENERATIONS)
        for generation, first in enumerate(range(0, self._num_trials, size), 1):
            number = min(size, self._num_trials - first)
            seed = digest("proposals", self._plan.seed, generation) % SEED_LIMIT
            proposed = propose(self._plan.space, trials, number, seed, self._num_trials)
            names = [f"v{first + place}" for place in range(1, number + 1)]
            specs = [self._plan.space.spec(values) for values in proposed]
            groups = self._played(
                str(generation),
                {**self._default, **dict(zip(names, specs, strict=True))},
                pairing="gauntlet",
                num_groups=number * self._groups_each,
            )
            for name, values, spec in zip(names, proposed, specs, strict=True):
                own = [group for group in groups if name in group.seating]
                share = math.fsum(_share(group, name) for group in own) / len(own)
                trials.append(Trial(name, values, spec, share, len(own)))
        return trials

    def _race(self, trials: Sequence[Trial]) -> Trial | None:
        """Let the best variants race with the default; None: the default wins."""
        finalists = sorted(trials, key=lambda trial: (-trial.share, trial.name))[:NUM_FINALISTS]
        bots = {**self._default, **{trial.name: trial.spec for trial in finalists}}
        values = {"best": {}, "num_groups": self._num_raced}
        groups = self._played("best", bots, **values)
        race, _ = race_status(self._plan.plan("best", bots, **values), groups)
        assert race is not None
        return next((trial for trial in finalists if trial.name == race.pick), None)

    def _confirm(self, pick: Trial) -> tuple[float, float, float]:
        """Play the last match; returns Elo and the ends of its interval."""
        bots = {**self._default, pick.name: pick.spec}
        groups = self._played("confirm", bots, num_groups=self._num_confirming)
        found = rate(groups, anchor=DEFAULT)
        [rating] = [each for each in found.ratings if each.bot == pick.name]
        return rating.elo, rating.low, rating.high

    def _played(self, stage: str, bots: Mapping[str, str], **values: Any) -> list[MirroredGroup]:
        """Play one of the ladders, or what is left of it; returns its groups."""
        ladder = self._ladder(f"{self._name}.{stage}", self._plan.plan(stage, bots, **values))
        if ladder.state is not LadderState.FINISHED:
            ending = run_ladder(ladder, self._executor, watch=self._watch)
            if ending.state is not LadderState.FINISHED:
                raise _Stopped
        self._num_games += ladder.num_games
        return mirrored_groups(_results(ladder))

    def _ladder(self, name: str, plan: LadderPlan) -> Ladder:
        """Find or begin a ladder.

        Raises:
            InputError: there is one with another plan.
        """
        try:
            ladder = self._store.ladder(name)
        except UnknownLadderError:
            return begin_ladder(self._store, name, plan)
        known = LadderPlan.of(**ladder.plan)
        set_when_begun = {"rules_version": known.rules_version, "openings": known.openings}
        if plan.model_copy(update=set_when_begun) != known:
            raise InputError(
                f"ladder {name!r} has another plan; continue with the flags that it was begun "
                "with, or choose another name",
                field="name",
                value=name,
            )
        return ladder


def propose(
    space: Space, trials: Sequence[Trial], number: int, seed: int, num_trials: int
) -> list[dict[str, Any]]:
    """Propose variants.

    Args:
        space: to choose from.
        trials: that have played.
        number: of proposals.
        seed: of their random part.
        num_trials: of the whole tuning; a quarter of them is drawn evenly.

    Raises:
        InputError: Optuna is not installed.
    """
    optuna = _optuna()
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=max(4, num_trials // 4))
    study = optuna.create_study(direction="maximize", sampler=sampler)
    distributions = dict(_distributions(space))
    for trial in trials:
        study.add_trial(
            optuna.trial.create_trial(
                params=dict(trial.values), distributions=distributions, value=trial.share
            )
        )
    return [_rounded(space, study.ask(distributions).params) for _ in range(number)]


def _optuna() -> Any:
    try:
        import optuna
    except ModuleNotFoundError as error:
        raise InputError(
            f"tuning needs the package {error.name}: pip install 'kingmaker[tune]'", field="spec"
        ) from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def _distributions(space: Space) -> Iterator[tuple[str, optuna.distributions.BaseDistribution]]:
    from optuna.distributions import (
        CategoricalDistribution,
        FloatDistribution,
        IntDistribution,
    )

    for name, bounds in space.ranges.items():
        match bounds:
            case (int() as low, int() as high):
                yield name, IntDistribution(low, high)
            case (float() as low, float() as high):
                yield name, FloatDistribution(low, high)
            case words:
                yield name, CategoricalDistribution(words)


def _rounded(space: Space, values: Mapping[str, Any]) -> dict[str, Any]:
    """Round numbers to what a spec has, and no further than their range."""
    rounded = {}
    for name, value in values.items():
        rounded[name] = value
        if isinstance(value, float):
            low, high = (float(bound) for bound in space.ranges[name])
            rounded[name] = min(max(float(_written(value)), low), high)
    return rounded


def _results(ladder: Ladder) -> Iterator[Result]:
    for game in ladder.summaries():
        bots = tuple(bot.name for bot in game.task.bots)
        yield Result(game.task.group, bots, game.returns, game.line)


def _share(group: MirroredGroup, name: str) -> float:
    """Return what a bot won of equal seats."""
    return group.share(name) + 0.5 - group.seating.count(name) / len(group.seating)
