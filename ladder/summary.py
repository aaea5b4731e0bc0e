"""The results of a ladder: every number of its report, as plain data and as JSON.

Everything is computed from the stored games, so a summary can be made at any time, even in play.
Only complete mirrored groups count for ratings, cross table, seats, draws and variance, and all
games for lengths, causes and times. Games of groups after the one that decides a sequential test,
which were in play at the same time, don't count at all: which of them were finished depends on
the speed of the machine. Only `Summary.history` depends on the order in which the games arrived.
"""

from __future__ import annotations

import json
import math
import os
import platform
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import numpy as np

from kingmaker.tasks.model import RunReport

from .cautions import cautions
from .model import Cause
from .plan import LadderPlan, group_id
from .race import RaceStatus
from .ratings import NUM_RESAMPLES, Rating, Standings, rate
from .records import LadderState
from .results import (
    Cell,
    MirroredGroup,
    Repeats,
    Result,
    SeatShare,
    cross_table,
    mirrored_groups,
    num_draws,
    seat_shares,
    without_repeats,
)
from .sprt import SprtStatus
from .store import GameSummary, Ladder
from .variance import VarianceSaved, variance_saved

CHECKPOINTS = 12
CHECKPOINT_RESAMPLES = (
    100  # of each intermediate refit; its intervals are less precise than the last ones
)
MAX_FAULTS = 50  # listed one by one


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The ratings as they stood after some groups.

    Attributes:
        num_groups: groups complete at that time.
        ratings: of all bots, the strongest first.
    """

    num_groups: int
    ratings: tuple[Rating, ...]


@dataclass(frozen=True, slots=True)
class BotFigures:
    """Figures of a bot beside its rating.

    Attributes:
        spec: its spec.
        num_seatings: seats that it held in stored games, also of incomplete groups.
        thinking_ms: mean thinking time of a seat in a game; nan without games.
        seats: its mean share of the win by seat, from seat 1; nan where it never sat.
        faults: cause -> number of games that it lost by this cause.
    """

    spec: str
    num_seatings: int
    thinking_ms: float
    seats: tuple[float, ...]
    faults: dict[str, int]


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that a bot lost by crash, overrun or illegal move.

    Attributes:
        game_id: id of its task.
        bot: name of the bot that lost.
        cause: the fault.
        detail: what happened, in a sentence.
    """

    game_id: str
    bot: str
    cause: Cause
    detail: str


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths of the games that ended by the rules, in plies.

    Attributes:
        mean: mean length; nan, as the other figures, if no game ended by the rules.
        low: 2.5th percentile.
        median: median length.
        high: 97.5th percentile.
        bins: (first ply, games) of the histogram, the bins of equal width.
        bin_width: width of a bin, in plies.
    """

    mean: float
    low: float
    median: float
    high: float
    bins: tuple[tuple[int, int], ...]
    bin_width: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All data of a report.

    Attributes:
        name: of the ladder.
        state: see `LadderState`.
        game: name of the game.
        options: of the game.
        rules_version: of the game; empty before the first game.
        clock: of every bot, in words.
        num_seats: of the table.
        total_games: planned at most; None: no end is planned.
        num_games: stored, up to the verdict of a sequential test.
        num_groups: complete mirrored groups; those that only repeat another one count once.
        num_repeats: complete groups that repeat all games of an earlier one, in a game without
            chance.
        num_draws: games of complete groups without a single winner.
        first_at: when the first stored game ended, ISO 8601, UTC; empty before it.
        last_at: when the last stored game ended.
        thinking_ms: thinking time of all bots in all games.
        wall_ms: wall-clock time of all games; the excess over `thinking_ms` is overhead.
        bots: name -> figures, in the order of the plan.
        anchor: the bot whose rating is `anchor_elo`; empty: the mean of all bots is.
        anchor_elo: in Elo.
        standings: ratings and likelihoods of superiority.
        history: the ratings after some groups, in the order in which groups became complete.
        cross: (bot, other bot) -> results of the games that both played.
        seats: mean win share of each seat.
        lengths: of the games.
        causes: cause -> number of games that ended by it.
        faults: the latest `MAX_FAULTS` games lost by a fault, the last first.
        run_reports: kind -> number of infrastructure faults, after which a game was played again.
        variance: variance reduction by mirrored deals.
        test: the status of the sequential test after each group; empty without one.
        race: the status of the race for the best bot; None without one.
        cautions: what makes the numbers say less than they seem to, a sentence each.
        has_deals: whether the game has chance, so that mirrored deals can save variance.
        plan: all fields of the plan, from which the games follow; without the seed, from which the
            deals follow, while games may still be played.
        made_by: version of the software, Python, system and number of processors.
    """

    name: str
    state: str
    game: str
    options: dict[str, str]
    rules_version: str
    clock: str
    num_seats: int
    total_games: int | None
    num_games: int
    num_groups: int
    num_repeats: int
    num_draws: int
    first_at: str
    last_at: str
    thinking_ms: float
    wall_ms: float
    bots: dict[str, BotFigures]
    anchor: str
    anchor_elo: float
    standings: Standings
    history: tuple[Checkpoint, ...]
    cross: dict[tuple[str, str], Cell]
    seats: tuple[SeatShare, ...]
    lengths: Lengths
    causes: dict[str, int]
    faults: tuple[Fault, ...]
    run_reports: dict[str, int]
    variance: VarianceSaved
    test: tuple[SprtStatus, ...]
    race: RaceStatus | None
    cautions: tuple[str, ...]
    has_deals: bool
    plan: dict[str, Any]
    made_by: dict[str, str]

    @property
    def overhead(self) -> float:
        """Part of the games' time that is not thinking time of a bot; nan before the first game."""
        return 1 - self.thinking_ms / self.wall_ms if self.wall_ms else math.nan


def read_summary(ladder: Ladder, *, is_open: bool = False) -> Summary:
    """Compute the summary of a stored ladder.

    Args:
        ladder: what to read.
        is_open: whether those who play in it may read it: it has the games of
            `Ladder.open_numbers`, the seed, from which all deals follow, only at the end, and
            nothing of the machine.

    Raises:
        InputError: its plan can't be read because a game or bot of it is not installed.
        StoreError: the database fails.
    """
    plan = LadderPlan.of(**ladder.plan)
    state = ladder.state  # read before the games: a finished ladder then has all of them
    games = ladder.chosen_summaries(ladder.open_numbers()) if is_open else ladder.summaries()
    summary = summarize(ladder.name, state, plan, list(games), ladder.reports())
    if not is_open:
        return summary
    shown = summary.plan if state is LadderState.FINISHED else {**summary.plan, "seed": 0}
    return replace(summary, plan=shown, made_by={"kingmaker": summary.made_by["kingmaker"]})


def summarize(
    name: str,
    state: LadderState,
    plan: LadderPlan,
    games: Sequence[GameSummary],
    reports: Iterable[RunReport] = (),
    *,
    num_resamples: int = NUM_RESAMPLES,
) -> Summary:
    """Compute the summary of a ladder.

    Args:
        name: of the ladder.
        state: see `LadderState`.
        plan: of the ladder.
        games: stored games, in the order of arrival.
        reports: infrastructure faults.
        num_resamples: see `ratings.rate`.
    """
    test = _test(plan, mirrored_groups(map(_result, games)))
    race, num_raced = race_status(plan, mirrored_groups(map(_result, games)))
    decided = _decided(test, race, num_raced)
    if decided is not None:
        games = [game for game in games if game.task.group in decided]
    played = mirrored_groups(map(_result, games))
    groups = played if plan.has_chance else without_repeats(played)
    anchor = plan.anchor if any(plan.anchor in group.seating for group in groups) else None
    lasts = {game.task.group: place for place, game in enumerate(games)}
    arrived = sorted(groups, key=lambda group: lasts[group.name])
    standings = rate(groups, anchor=anchor, anchor_elo=plan.anchor_elo, num_resamples=num_resamples)
    causes = dict(Counter(game.cause.value for game in games).most_common())
    return Summary(
        name=name,
        state=state.value,
        game=plan.game,
        options=dict(sorted(plan.options.items())),
        rules_version=plan.rules_version,
        clock=clock_text(plan),
        num_seats=plan.num_seats,
        total_games=plan.total_games,
        num_games=len(games),
        num_groups=len(groups),
        num_repeats=len(played) - len(groups),
        num_draws=num_draws(groups),
        first_at=min((game.finished_at for game in games), default=""),
        last_at=max((game.finished_at for game in games), default=""),
        thinking_ms=math.fsum(ms for game in games for ms in game.thinking_ms),
        wall_ms=math.fsum(game.wall_ms for game in games),
        bots=_bots(plan, games, groups),
        anchor=anchor or "",
        anchor_elo=plan.anchor_elo,
        standings=standings,
        history=_history(arrived, anchor, plan.anchor_elo),
        cross=cross_table(groups),
        seats=tuple(seat_shares(groups)),
        lengths=_lengths([game.num_plies for game in games if game.cause is Cause.FINISHED]),
        causes=causes,
        faults=tuple(_faults(games)),
        run_reports=dict(Counter(report.kind for report in reports).most_common()),
        variance=variance_saved(groups),
        test=test,
        race=race,
        cautions=cautions(standings.ratings, groups, causes),
        has_deals=plan.has_chance,
        plan=_shown_plan(plan, state),
        made_by=_made_by(),
    )


def decided_groups(plan: LadderPlan, results: Iterable[Result]) -> set[str] | None:
    """Return the groups on which the verdict of a test or a race rests; None: there is none."""
    groups = mirrored_groups(results)
    return _decided(_test(plan, groups), *race_status(plan, groups))


def to_json(summary: Summary, *, indent: int | None = 2) -> str:
    """Write a summary as JSON, by default for people; unknown figures (nan) are null."""
    data = {**asdict(summary), "overhead": summary.overhead}
    data["cross"] = [
        {"bot": bot, "other": other, **asdict(cell), "score": cell.score}
        for (bot, other), cell in summary.cross.items()
    ]
    data["variance"] |= {
        name: getattr(summary.variance, name)
        for name in ("saved", "saved_by_seats", "saved_by_deals", "games_worth")
    }
    last = summary.test[-1:]
    data["test"] = (
        {**asdict(last[0]), "llrs": [each.llr for each in summary.test]} if last else None
    )
    return json.dumps(_finite(data), indent=indent, allow_nan=False) + "\n"


def _shown_plan(plan: LadderPlan, state: LadderState) -> dict[str, Any]:
    fields = plan.to_json()
    if state is not LadderState.FINISHED:
        del fields["seed"]
    return fields


def _made_by() -> dict[str, str]:
    """Name what the summary was made with, which is also what plays the games of a local ladder."""
    return {
        "kingmaker": version("kingmaker"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "processors": str(os.cpu_count()),
    }


def clock_text(plan: LadderPlan) -> str:
    """Describe a clock in words."""
    clock = plan.clock
    parts = []
    if clock.move_ms is not None:
        parts.append(f"{clock.move_ms:g} ms a move")
    if clock.game_ms is not None:
        increment = f" + {clock.increment_ms:g} ms a move" if clock.increment_ms else ""
        parts.append(f"{clock.game_ms:g} ms a game{increment}")
    return ", ".join(parts) or "none"


def _finite(value: Any) -> Any:
    """Replace nan and infinity by None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def _result(game: GameSummary) -> Result:
    bots = tuple(bot.name for bot in game.task.bots)
    return Result(game.task.group, bots, game.returns, game.line)


def _bots(
    plan: LadderPlan, games: Sequence[GameSummary], groups: Sequence[MirroredGroup]
) -> dict[str, BotFigures]:
    thinking: defaultdict[str, list[float]] = defaultdict(list)
    faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        for bot, ms in zip(game.task.bots, game.thinking_ms, strict=True):
            thinking[bot.name].append(ms)
        if game.culprit:
            faults[_culprit(game)][game.cause.value] += 1
    seats = _seats_of_bots(groups)
    return {
        bot.name: BotFigures(
            spec=bot.spec,
            num_seatings=len(thinking[bot.name]),
            thinking_ms=_mean(thinking[bot.name]),
            seats=tuple(_mean(seats[bot.name, seat]) for seat in range(plan.num_seats)),
            faults=dict(sorted(faults[bot.name].items())),
        )
        for bot in plan.bots
    }


def _culprit(game: GameSummary) -> str:
    return game.task.bots[game.culprit - 1].name


def _seats_of_bots(groups: Sequence[MirroredGroup]) -> defaultdict[tuple[str, int], list[float]]:
    """Collect the returns by bot and seat; seats from 0."""
    returns: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for group in groups:
        for game in group.games:
            for seat, (bot, share) in enumerate(zip(game.bots, game.returns, strict=True)):
                returns[bot, seat].append(share)
    return returns


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _history(
    arrived: Sequence[MirroredGroup], anchor: str | None, anchor_elo: float
) -> tuple[Checkpoint, ...]:
    """Rate the groups known at some times, from the first time at which all bots had one."""
    first_seen: dict[str, int] = {}
    for place, group in enumerate(arrived, 1):
        for bot in group.seating:
            first_seen.setdefault(bot, place)
    begin = max([len(arrived) / CHECKPOINTS, *first_seen.values()])
    places = np.linspace(begin, len(arrived), CHECKPOINTS if arrived else 0).tolist()
    return tuple(
        Checkpoint(
            place,
            rate(
                arrived[:place],
                anchor=anchor,
                anchor_elo=anchor_elo,
                num_resamples=CHECKPOINT_RESAMPLES,
            ).ratings,
        )
        for place in sorted({math.ceil(place) for place in places})
    )


def _lengths(plies: Sequence[int]) -> Lengths:
    if not plies:
        return Lengths(math.nan, math.nan, math.nan, math.nan, (), 1)
    low, median, high = np.quantile(plies, [0.025, 0.5, 0.975]).tolist()
    edges = np.histogram_bin_edges(plies, bins="auto")
    width = max(1, round(edges[1] - edges[0]))
    starts = np.arange(min(plies), max(plies) + 2 * width, width)
    counts, _ = np.histogram(plies, bins=starts)
    bins = tuple(
        (int(start), int(count)) for (start, _), count in zip(pairwise(starts), counts, strict=True)
    )
    return Lengths(float(np.mean(plies)), low, median, high, bins, width)


def _faults(games: Sequence[GameSummary]) -> list[Fault]:
    """List the latest games lost by a fault of a bot."""
    lost = [game for game in games if game.culprit][-MAX_FAULTS:]
    return [Fault(game.task.id, _culprit(game), game.cause, game.detail) for game in reversed(lost)]


def _test(plan: LadderPlan, groups: Sequence[MirroredGroup]) -> tuple[SprtStatus, ...]:
    """Run the test as the coordinator does: groups by number, to the verdict or the first gap."""
    test = plan.test()
    if test is None:
        return ()
    found: list[SprtStatus] = []
    repeats = Repeats()
    for group in _unbroken(groups):
        if found and found[-1].verdict:
            break
        is_repeat = not plan.has_chance and repeats.has(group)
        found.append(test.status() if is_repeat else test.add(group.share(plan.bots[0].name)))
    return tuple(found)


def _decided(
    test: Sequence[SprtStatus], race: RaceStatus | None, num_raced: int
) -> set[str] | None:
    if not ((test and test[-1].verdict) or (race and race.is_decided)):
        return None
    return {group_id(index) for index in range(len(test) or num_raced)}


def race_status(plan: LadderPlan, groups: Sequence[MirroredGroup]) -> tuple[RaceStatus | None, int]:
    """Run the race as the coordinator does, to the verdict or the first gap.

    Args:
        plan: of the ladder.
        groups: complete ones, sorted by name.

    Returns:
        Its status, None without a race, and the number of groups that it took.
    """
    if plan.best is None:
        return None, 0
    race = plan.race()
    repeats = Repeats()
    num_seen = 0
    for group in _unbroken(groups):
        if race.is_decided:
            break
        num_seen += 1
        if plan.has_chance or not repeats.has(group):
            race.finish(group.seating, group.share(group.seating[0]))
            race.count(group.seating, group.share(group.seating[0]))
    return race.status(), num_seen


def _unbroken(groups: Sequence[MirroredGroup]) -> Iterator[MirroredGroup]:
    """Yield the groups by number, to the first gap."""
    for index, group in enumerate(groups):
        if group.name != group_id(index):
            return
        yield group
