"""What the sampler reads of each part of the server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from prometheus_client import Metric
from prometheus_client.metrics_core import CounterMetricFamily

from ..log_writer import LogWriter
from .sampler import by_class, counter, gauge

if TYPE_CHECKING:
    from ..bots.hub import BotHub
    from ..database import Database
    from ..gate import Gate
    from ..ladders.runs import Ladders
    from ..matches.matches import Matches
    from ..pool.searches import SearchPool


def of_pool(pool: SearchPool) -> Iterator[Metric]:
    """Read slots, queues and searches."""
    status = pool.status()
    yield gauge("kingmaker_slots", "Search threads that may run.", status.slots)
    yield gauge("kingmaker_slots_taken", "Search threads that run.", status.running)
    yield by_class(
        "kingmaker_queue_calls",
        "Calls that wait for slots.",
        status.waiting_interactive,
        status.waiting_bulk,
    )
    yield by_class(
        "kingmaker_queue_age_seconds",
        "Wait of the oldest call in the queue.",
        status.interactive_seconds,
        status.bulk_seconds,
    )
    yield gauge("kingmaker_live_searches", "Begun searches, paused ones included.", status.live)
    yield gauge("kingmaker_search_memory_bytes", "Memory that they may use.", status.memory_bytes)
    yield counter(
        "kingmaker_worker_restarts", "Workers that had to be replaced.", pool.num_restarts
    )


def of_gate(gate: Gate) -> Iterator[Metric]:
    """Read open streams."""
    yield gauge("kingmaker_streams", "Open streams.", gate.num_streams)


def of_bots(hub: BotHub) -> Iterator[Metric]:
    """Read connected bots."""
    bots = hub.statuses()
    yield gauge("kingmaker_bots", "Connected bots.", len(bots))
    yield gauge(
        "kingmaker_bot_questions_open",
        "Questions that bots think about.",
        sum(each.open_questions for each in bots),
    )
    yield gauge(
        "kingmaker_bot_questions_waiting",
        "Questions that wait for a bot.",
        sum(each.waiting_questions for each in bots),
    )


def of_ladders(ladders: Ladders) -> Iterator[Metric]:
    """Read the progress of ladders that this server plays; their names are free text, no label."""
    news = ladders.news()
    known = [each for each in news if each is not None]
    yield gauge("kingmaker_ladders", "Ladders in play.", len(news))
    yield gauge(
        "kingmaker_ladder_games_per_second",
        "Games that they have stored in the last minute, a second.",
        sum(each.games_per_second for each in known),
    )
    yield gauge(
        "kingmaker_ladder_games_in_play",
        "Games that they play now.",
        sum(each.num_in_play for each in known),
    )
    yield gauge(
        "kingmaker_ladder_games_given_up",
        "Games of them that broke again and again.",
        sum(each.num_given_up for each in known),
    )


def of_matches(matches: Matches) -> Iterator[Metric]:
    """Read matches."""
    load = matches.load()
    yield gauge("kingmaker_matches", "Matches in memory.", load.known)
    yield gauge("kingmaker_matches_driven", "Matches that this server drives.", load.driven)
    yield gauge("kingmaker_match_watchers", "Open streams of matches.", load.watchers)


def of_databases(databases: Iterable[Database]) -> Iterator[Metric]:
    """Read how often databases failed."""
    family = CounterMetricFamily(
        "kingmaker_database_failures", "Failures of databases.", labels=["database"]
    )
    for each in databases:
        family.add_metric([each.name], each.num_failures)
    yield family


def of_log(writer: LogWriter) -> Iterator[Metric]:
    """Read lost log lines."""
    yield counter("kingmaker_log_lines_dropped", "Log lines lost.", writer.num_dropped)
