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
ENVIRONMENT_PREFIX = "KINGMAKER_"
OTHER_VARIABLES = frozenset({"KINGMAKER_DATABASE", "KINGMAKER_FUZZ_GAMES"})
"""Variables that are not for the service: of `kingmaker ladder` and of the tests."""
SERVICE_LINK = re.compile(
    r"KINGMAKER_(\w+_)?(SERVICE_(HOST|PORT)(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)", re.ASCII
)
"""Variables that Kubernetes sets beside services called kingmaker or kingmaker-...."""

WEB_ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}", re.ASCII)

Seconds = Annotated[float, Field(gt=0, le=24 * 3600)]
Memory = Annotated[int, Field(ge=MIN_MEMORY_BYTES)]


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
    web: str | None = Field(
        default=None,
        description="host:port for HTTP, e.g. 127.0.0.1:50080: the page, and all services for "
        "browsers and curl; port 0: any free one",
    )
    web_origins: str = Field(
        default="",
        description="origins whose pages may call the services over HTTP, separated by commas; "
        "*: all",
    )
    web_proxies: str = Field(
        default="",
        description="addresses of reverse proxies before the HTTP port, separated by commas; "
        "they tell the address of the client",
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
        description="part of slots and queue for one client address at most",
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
    max_memory_bytes: Memory = Field(default=512 * MIB, description="most memory of a search")
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

    matches: str | None = Field(
        default=None,
        description="database of matches, an SQLite file or postgresql://...; without it, but with "
        "web, matches last as long as the server",
    )
    max_matches: int = Field(default=10_000, ge=0, description="most matches that have not ended")
    max_client_matches: int = Field(
        default=100, ge=0, description="most of them created by one client address"
    )
    max_watchers: int = Field(default=1000, ge=0, description="most streams of matches")

    log_format: LogFormat = Field(default=LogFormat.AUTO, description="auto, json or console")
    log_level: LogLevel = Field(default=LogLevel.INFO, description="debug, info, warning or error")

    @property
    def has_matches(self) -> bool:
        """Whether the server keeps matches."""
        return bool(self.matches or self.web)

    @property
    def web_address(self) -> tuple[str, int]:
        """Host and port of `web`."""
        host, _, port = (self.web or "").rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def origins(self) -> list[str]:
        """The list of `web_origins`."""
        return [each.strip().rstrip("/") for each in self.web_origins.split(",") if each.strip()]

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
        return self

    @field_validator("web")
    @classmethod
    def _check_web(cls, web: str | None) -> str | None:
        if web and not WEB_ADDRESS.fullmatch(web):
            raise ValueError(f"{web!r} is not host:port, such as 127.0.0.1:50080")
        return web or None

    @field_validator("ladders", "matches")
    @classmethod
    def _check_database(cls, database: str | None) -> str | None:
        if database:
            # Imported here so that a server without one does not wait for SQLAlchemy.
            from kingmaker.ladder.database import read_url

            read_url(database)
        return database or None

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
