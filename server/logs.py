"""Structured logs on standard error, written by a thread; see log_writer.py."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache

import structlog
from pydantic_core import PydanticSerializationError, to_json

from .log_writer import LogWriter
from .settings import LogFormat, LogLevel
from .telemetry.calls import CALL

CLOSE_SECONDS = 0.5  # for the last lines, if nobody reads them

log = structlog.get_logger()


@contextmanager
def logs(log_format: LogFormat, level: LogLevel) -> Iterator[LogWriter]:
    """Write the lines of the block to standard error: one per event, as JSON or for people.

    The lines of libraries, which use `logging`, become events too.
    """
    # Without a standard error its descriptor may be that of a connection.
    is_open = sys.stderr is not None
    descriptor = sys.stderr.fileno() if is_open else os.open(os.devnull, os.O_WRONLY)
    writer = LogWriter(descriptor, on_drop=_report_drops)
    handler = _Handler()
    logging.getLogger().addHandler(handler)
    before = structlog.get_config()
    _configure(log_format, level, writer)
    try:
        yield writer
    finally:
        logging.getLogger().removeHandler(handler)
        structlog.configure(**before)
        writer.close(CLOSE_SECONDS)


class _Lines:
    """The writer with the methods of a logger; the line is complete, whatever its severity."""

    def __init__(self, writer: LogWriter) -> None:
        self.debug = self.info = self.warning = self.error = self.critical = writer.write


class _Handler(logging.Handler):
    """Passes the lines of libraries on."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            say = getattr(log, record.levelname.lower(), log.error)
            say(record.getMessage(), logger=record.name, exc_info=record.exc_info or False)
        except Exception:  # a line that can't be formatted is no reason to fail
            log.error("a log line could not be formatted", logger=record.name)


def _report_drops(number: int) -> None:
    log.warning("log lines dropped", lines=number)


def _configure(log_format: LogFormat, level: LogLevel, writer: LogWriter) -> None:
    """Set up structlog."""
    renderers: list[structlog.typing.Processor]
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    if log_format is LogFormat.AUTO:
        log_format = LogFormat.CONSOLE if is_terminal else LogFormat.JSON
    if log_format is LogFormat.JSON:
        renderers = [_as_json]
    else:
        renderers = [
            _escape,
            structlog.dev.ConsoleRenderer(
                colors=is_terminal, exception_formatter=structlog.dev.plain_traceback
            ),
        ]
    structlog.configure(
        # Few, as there is a line for each call, and a processor takes as long as its work.
        processors=[add_circumstances, *renderers],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.name]
        ),
        logger_factory=lambda *_: _Lines(writer),
        # Else the loggers of modules would write the lines of a later server to this writer. The
        # lines of calls are written with one logger for many, so that it would save nothing.
        cache_logger_on_first_use=False,
    )


def add_circumstances(
    logger: object, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Add severity, time and the id of the running call; the last two may be those of another."""
    structlog.processors.add_log_level(logger, method, event)
    if "timestamp" not in event:
        event["timestamp"] = timestamp(time.time())
    if "request" not in event and (call := CALL.get()) is not None:
        event["request"] = call.request_id
    return event


def _escape(
    logger: object, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Escape what could steer a terminal, for example in the path of a request."""
    for key, value in event.items():
        if isinstance(value, str) and not value.isprintable():
            event[key] = "".join(
                sign if sign.isprintable() else ascii(sign)[1:-1] for sign in value
            )
    return event


def _as_json(logger: object, method: str, event: structlog.typing.EventDict) -> str | bytes:
    """Write an event as JSON, in a quarter of the time of `json`, which can write all texts."""
    if "exc_info" in event:
        event = _describe_exception(logger, method, event)
    try:
        return to_json(event, fallback=str)
    except PydanticSerializationError:  # names of files that are not UTF-8, for example
        return json.dumps(event, default=str, ensure_ascii=False)


_describe_exception = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)


def timestamp(seconds: float) -> str:
    """Format a time, in seconds since 1970, for log lines."""
    whole, microseconds = divmod(round(seconds * 1e6), 10**6)
    return f"{_second(whole)}.{microseconds // 1000:03}+00:00"


@lru_cache(maxsize=16)
def _second(whole: int) -> str:
    """Format a second, in which there may be thousands of lines."""
    return datetime.fromtimestamp(whole, UTC).strftime("%Y-%m-%dT%H:%M:%S")
