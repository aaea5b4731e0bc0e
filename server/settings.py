"""Settings of the service, from flags, environment and a TOML file, in this order.

The environment variable of a setting is its name in capitals after `KINGMAKER_`, e.g.
`KINGMAKER_PORT=50051`; a variable that starts so but names no setting is refused. The file is named
by `config` (flag or `KINGMAKER_CONFIG`); its keys are the names below.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from kingmaker.search.analysis import MIN_MEMORY_BYTES
from kingmaker.search.solution import MAX_NODES

MIB = 1 << 20
DEFAULT_MAX_MEMORY_BYTES = 512 * MIB
ENVIRONMENT_PREFIX = "KINGMAKER_"
OTHER_VARIABLES = frozenset({"KINGMAKER_DATABASE", "KINGMAKER_FUZZ_GAMES"})
"""Variables that are not for the service: of `kingmaker ladder` and of the tests."""
SERVICE_LINK = re.compile(
    r"KINGMAKER_(\w+_)?(SERVICE_(HOST|PORT)(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)", re.ASCII
)
"""Variables that Kubernetes sets beside services called kingmaker or kingmaker-...."""

Seconds = Annotated[float, Field(gt=0, le=24 * 3600)]
Memory = Annotated[int, Field(ge=MIN_MEMORY_BYTES)]


def default_total_memory() -> int:
    """Return half of the memory of this machine, or of the container that it is."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with suppress(OSError, ValueError):  # no control groups, or "max"
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return max(min(limits) // 2, DEFAULT_MAX_MEMORY_BYTES)


class LogFormat(Enum):
    """Format of log lines; `auto`: for people on a terminal, otherwise JSON."""

    AUTO = "auto"
    JSON = "json"
    CONSOLE = "console"


class LogLevel(Enum):
    """Least severity of log lines."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class ServerSettings(BaseSettings):
    """All settings of the service; keyword arguments take precedence over environment and file."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX, extra="forbid", frozen=True, validate_default=True
    )

    config: Path | None = Field(default=None, description="TOML file with settings")

    host: str = Field(default="127.0.0.1", description="address to listen on; [::] for all")
    port: int = Field(
        default=50051, ge=0, le=65535, description="port to listen on; 0: any free one"
    )
    max_message_bytes: int = Field(
        default=4 * MIB, ge=1024, le=1 << 30, description="size limit of messages"
    )
    grace_seconds: Seconds = Field(
        default=10.0, description="time for running calls to finish after SIGTERM"
    )

    slots: int = Field(
        default_factory=lambda: os.cpu_count() or 1,
        ge=1,
        le=1024,
        description="search threads that run at the same time; default: one per processor",
    )
    interactive_queue: int = Field(
        default=64, ge=0, description="most waiting interactive calls: select, suggest, evaluate"
    )
    bulk_queue: int = Field(
        default=16, ge=0, description="most waiting bulk calls: analyze, sample, solve"
    )
    client_share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="part of the queue for the calls of one client at most",
    )
    queue_seconds: Seconds = Field(
        default=10.0, description="longest wait for a slot of a call without an earlier deadline"
    )
    isolation: bool = Field(
        default=True,
        description="whether searches run in worker processes, so that none can crash the server",
    )
    overrun_seconds: Seconds = Field(
        default=5.0,
        description="time beyond its budget after which the worker of a search is killed",
    )
    max_threads: int = Field(
        default_factory=lambda: os.cpu_count() or 1,
        ge=1,
        le=256,
        description="most threads of one search; never more than slots",
    )

    default_seconds: Seconds = Field(default=1.0, description="time of a search without a budget")
    max_seconds: Seconds = Field(default=60.0, description="longest time of a search")
    max_analyze_seconds: Seconds = Field(
        default=600.0, description="longest time of a streamed analysis or of solving"
    )
    max_simulations: int = Field(default=10**9, ge=1, description="most simulations of a search")
    max_nodes: int = Field(
        default=10**12, ge=1, le=MAX_NODES, description="most positions visited in solving"
    )
    default_memory_bytes: Memory = Field(
        default=64 * MIB, description="memory of a search without a budget"
    )
    max_memory_bytes: Memory = Field(
        default=DEFAULT_MAX_MEMORY_BYTES, description="most memory of a search"
    )
    total_memory_bytes: Memory = Field(
        default_factory=default_total_memory,
        description="most memory of all searches; default: half of what this machine has",
    )
    deadline_margin_seconds: Seconds = Field(
        default=0.05, description="part of the caller's deadline reserved for the answer"
    )
    min_report_seconds: Seconds = Field(default=0.02, description="shortest time between snapshots")
    max_worlds: int = Field(
        default=100, ge=1, le=10_000, description="most worlds of one call of SampleWorlds"
    )

    max_bots: int = Field(default=100, ge=0, le=10_000, description="most connected bots")
    max_bot_questions: int = Field(
        default=64, ge=1, le=1024, description="most open questions of one bot"
    )
    bot_queue: int = Field(default=256, ge=0, description="most waiting questions for one bot")
    max_bot_seconds: Seconds = Field(
        default=600.0, description="longest time of a bot for a question"
    )

    ladders: str | None = Field(
        default=None,
        description="database of ladders, an SQLite file or postgresql://...; enables ladders",
    )
    ladder_workers: int = Field(
        default_factory=lambda: os.cpu_count() or 1,
        ge=1,
        le=1024,
        description="worker processes of a ladder; default: one per processor",
    )
    max_ladders: int = Field(
        default=1, ge=1, le=100, description="most ladders played at the same time"
    )

    log_format: LogFormat = Field(default=LogFormat.AUTO, description="auto, json or console")
    log_level: LogLevel = Field(default=LogLevel.INFO, description="debug, info, warning or error")

    @model_validator(mode="after")
    def _check_defaults(self) -> ServerSettings:
        if self.default_seconds > self.max_seconds:
            raise ValueError(
                f"default_seconds is {self.default_seconds}, above max_seconds {self.max_seconds}"
            )
        if self.default_memory_bytes > self.max_memory_bytes:
            raise ValueError(
                f"default_memory_bytes is {self.default_memory_bytes}, above max_memory_bytes "
                f"{self.max_memory_bytes}"
            )
        if self.max_memory_bytes > self.total_memory_bytes:
            raise ValueError(
                f"max_memory_bytes is {self.max_memory_bytes}, above total_memory_bytes "
                f"{self.total_memory_bytes}"
            )
        return self

    @field_validator("ladders")
    @classmethod
    def _check_database(cls, ladders: str | None) -> str | None:
        if ladders:
            # Imported here so that a server without ladders does not wait for SQLAlchemy.
            from kingmaker.ladder.database import read_url

            read_url(ladders)
        return ladders or None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read flags, then the environment, then the configuration file, in this precedence."""
        _check_environment(settings_cls.model_fields)
        flags: dict[str, Any] = {}
        if isinstance(init_settings, InitSettingsSource):
            flags = init_settings.init_kwargs
        path = flags.get("config") or os.environ.get(f"{ENVIRONMENT_PREFIX}CONFIG")
        if path is None:
            return init_settings, env_settings
        if not Path(path).is_file():
            raise FileNotFoundError(f"there is no settings file {path}")
        try:
            from_file = TomlConfigSettingsSource(settings_cls, Path(path))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} is not a TOML file: {error}") from None
        return init_settings, env_settings, from_file


def _check_environment(settings: Iterable[str]) -> None:
    """Check that every variable with our prefix is one, as a misspelt one would have no effect.

    Raises:
        ValueError: a variable names no setting.
    """
    known = [f"{ENVIRONMENT_PREFIX}{name.upper()}" for name in settings]
    for variable in sorted(os.environ):
        name = variable.upper()  # the case of letters does not matter to pydantic
        if name in {*known, *OTHER_VARIABLES} or SERVICE_LINK.fullmatch(name):
            continue
        if name.startswith(ENVIRONMENT_PREFIX):
            [nearest] = difflib.get_close_matches(name, known, n=1, cutoff=0)
            raise ValueError(
                f"the environment has {variable}, but there is no such setting; the nearest is "
                f"{nearest}, and kingmaker serve --help lists all of them"
            )
