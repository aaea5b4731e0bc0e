"""Conversion between the messages of LadderService and the ladder's types."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.timestamp_pb2 import Timestamp

from kingmaker.cext.errors import InputError
from kingmaker.ladder.live import LiveRating
from kingmaker.ladder.model import Cause
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.race import RaceStatus
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.sprt import SprtStatus
from kingmaker.ladder.store import GameSummary, Ladder
from kingmaker.ladder.summary import Summary, read_summary, to_json
from kingmaker.ladder.variance import VarianceSaved
from kingmaker.v1 import ladder_service_pb2 as pb

from .process import News
from .runs import Look


def plan_values(message: pb.LadderPlan) -> dict[str, Any]:
    """Return the fields of a plan for `LadderPlan.of`; absent fields have their defaults.

    Raises:
        InputError: there is no such pairing, or a field is set that only answers have.
    """
    if message.rules_version:
        raise InputError(
            "rules_version is only for answers; leave it empty",
            field="rules_version",
            value=message.rules_version,
        )
    values: dict[str, Any] = {"game": "", "bots": []}
    values |= MessageToDict(message, preserving_proto_field_name=True)
    values.pop("pairing", None)
    try:
        pairing = read_enum(pb.LadderPairing, message.pairing)
    except InputError as error:
        error.field = "pairing"
        raise
    return values | ({"pairing": pairing} if pairing else {})


def plan_message(plan: LadderPlan) -> pb.LadderPlan:
    """Write a plan."""
    values = plan.to_json()
    pairing = values.pop("pairing")
    values["pairing"] = f"LADDER_PAIRING_{pairing.upper()}"
    return ParseDict(values, pb.LadderPlan())


def read_enum(kind: Any, number: int) -> str:
    """Return the ladder's name of an enum value; empty: unspecified.

    Raises:
        InputError: there is no such value.
    """
    if number not in kind.values():
        names = ", ".join(f"{name} ({value})" for name, value in kind.items())
        raise InputError(f"there is no value {number}; there is: {names}", value=str(number))
    return "" if number == 0 else str(kind.Name(number)).removeprefix(_prefix(kind)).lower()


def status_message(look: Look) -> pb.LadderStatus:
    """Write the status of a ladder."""
    seen, news = look.overview, look.news
    message = pb.LadderStatus(
        name=seen.name,
        state=_state(look),
        game=seen.game,
        bots=seen.bots,
        num_games=seen.num_games if news is None else news.num_games,
        total_games=seen.total_games,
        created_at=_timestamp(seen.created_at),
        reason=look.reason,
    )
    if news is not None:
        message.progress.CopyFrom(_progress_message(news))
    return message


def _state(look: Look) -> pb.LadderState:
    if look.is_here:
        return pb.LADDER_STATE_RUNNING
    if look.overview.state is LadderState.RUNNING:
        return pb.LADDER_STATE_ELSEWHERE
    state: pb.LadderState = _enum(pb.LadderState, look.overview.state)
    return state


def _progress_message(news: News) -> pb.LadderProgress:
    return pb.LadderProgress(
        num_in_play=news.num_in_play,
        num_given_up=news.num_given_up,
        games_per_second=news.games_per_second,
        ratings=map(_running_rating, news.ratings),
        sprt=None if news.sprt is None else _sprt_message(news.sprt),
        race=None if news.race is None else _race_message(news.race),
        num_run_reports=news.num_reports,
        latest_run_report=news.latest_report,
    )


def _running_rating(rating: LiveRating) -> pb.LadderRunningRating:
    return pb.LadderRunningRating(
        bot=rating.bot, elo=rating.elo, deviation=rating.deviation, num_games=rating.games
    )


def figures_message(ladder: Ladder) -> pb.GetLadderResponse:
    """Compute the standings of a ladder, without its status; takes seconds for very many games.

    Raises:
        InputError: its plan can't be read because a game or bot of it is not installed.
        StoreError: the database fails.
    """
    summary = read_summary(ladder, is_open=True)
    plan = plan_message(LadderPlan.of(**ladder.plan))
    if summary.state != LadderState.FINISHED:
        plan.seed = 0  # it tells the deals of all games that are still to be played
    return pb.GetLadderResponse(
        plan=plan,
        num_groups=summary.num_groups,
        ratings=_ratings(summary),
        cross_table=_cross_table(summary),
        seats=[
            pb.LadderSeat(seat=each.seat, share=each.share, margin=_known(each.margin))
            for each in summary.seats
        ],
        causes=[
            pb.LadderCauseCount(cause=_enum(pb.LadderCause, Cause(cause)), num_games=count)
            for cause, count in summary.causes.items()
        ],
        run_reports=summary.run_reports,
        variance=_variance_message(summary.variance) if summary.variance.num_groups else None,
        sprt=_sprt_message(summary.test[-1]) if summary.test else None,
        overhead=_known(summary.overhead),
        summary_json=to_json(summary, indent=None),
        race=None if summary.race is None else _race_message(summary.race),
    )


def _ratings(summary: Summary) -> Iterator[pb.LadderRating]:
    standings = summary.standings
    for each, superiority in zip(standings.ratings, standings.superiority, strict=True):
        yield pb.LadderRating(
            bot=each.bot,
            elo=each.elo,
            low=each.low,
            high=each.high,
            num_groups=each.groups,
            num_games=each.games,
            share=each.share,
            superiority=superiority,
        )


def _cross_table(summary: Summary) -> Iterator[pb.LadderCell]:
    for (bot, other), cell in summary.cross.items():
        yield pb.LadderCell(
            bot=bot,
            other=other,
            num_groups=cell.groups,
            num_games=cell.games,
            ahead=cell.ahead,
            level=cell.level,
            behind=cell.behind,
            score=cell.score,
        )


def _variance_message(variance: VarianceSaved) -> pb.LadderVariance:
    return pb.LadderVariance(
        single=variance.single,
        alternated=variance.alternated,
        mirrored=variance.mirrored,
        num_groups=variance.num_groups,
        saved=variance.saved,
        saved_by_seats=variance.saved_by_seats,
        saved_by_deals=variance.saved_by_deals,
        games_worth=variance.games_worth,
    )


def _sprt_message(status: SprtStatus) -> pb.LadderSprt:
    verdict = pb.LADDER_VERDICT_UNSPECIFIED
    if status.verdict is not None:
        verdict = _enum(pb.LadderVerdict, status.verdict)
    return pb.LadderSprt(
        num_groups=status.num_groups,
        llr=status.llr,
        lower=status.lower,
        upper=status.upper,
        verdict=verdict,
    )


def _race_message(status: RaceStatus) -> pb.LadderRace:
    return pb.LadderRace(
        num_groups=status.num_groups,
        pick=status.pick,
        alive=status.alive,
        deficit=status.deficit if math.isfinite(status.deficit) else None,
        is_decided=status.is_decided,
    )


def game_message(game: GameSummary) -> pb.LadderGame:
    """Write a stored game without its moves."""
    return pb.LadderGame(
        number=game.number,
        id=game.task.id,
        group=game.task.group,
        rotation=game.task.rotation,
        bots=[pb.LadderBot(name=bot.name, spec=bot.spec) for bot in game.task.bots],
        returns=game.returns,
        cause=_enum(pb.LadderCause, game.cause),
        culprit=game.culprit,
        detail=game.detail,
        num_plies=game.num_plies,
        thinking_ms=game.thinking_ms,
        wall_ms=game.wall_ms,
        finished_at=_timestamp(game.finished_at),
    )


def _enum(kind: Any, value: Enum) -> Any:
    """Return the number of an enum value by the ladder's name."""
    return kind.Value(_prefix(kind) + value.name)


def _prefix(kind: Any) -> str:
    return str(kind.Name(0)).removesuffix("UNSPECIFIED")


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def _timestamp(text: str) -> Timestamp:
    """Write a time from ISO 8601."""
    message = Timestamp()
    message.FromJsonString(text)
    return message
