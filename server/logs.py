"""Structured logs on standard error."""

from __future__ import annotations

import json
import logging
import sys
import time
from datetime import UTC, datetime

import structlog

from .settings import LogFormat, LogLevel


def configure_logs(log_format: LogFormat, level: LogLevel) -> None:
    """Set up structlog: one line per event, as JSON or for people."""
    renderer: structlog.typing.Processor
    errors: list[structlog.typing.Processor]
    if log_format is LogFormat.AUTO:
        log_format = LogFormat.CONSOLE if sys.stderr.isatty() else LogFormat.JSON
    if log_format is LogFormat.JSON:
        encode = json.JSONEncoder(default=str, ensure_ascii=False).encode
        renderer = structlog.processors.JSONRenderer(lambda event, **_: encode(event))
        errors = [
            structlog.processors.ExceptionRenderer(
                structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
            )
        ]
    else:
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
        errors = []  # the console renderer writes tracebacks itself
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            add_timestamp,
            *errors,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.name]
        ),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


def timestamp(seconds: float) -> str:
    """Format a time, in seconds since 1970, for log lines."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def add_timestamp(
    logger: object, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Add the time of the event, which may be earlier than that of writing."""
    event.setdefault("timestamp", timestamp(time.time()))
    return event
