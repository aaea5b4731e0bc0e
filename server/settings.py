"""Settings of the service, from flags, environment and a TOML file, in this order.

The environment variable of a setting is its name in capitals after `KINGMAKER_`, e.g.
`KINGMAKER_PORT=50051`; a variable that starts so but names no setting is refused. The file is named
by `config` (flag or `KINGMAKER_CONFIG`); its keys are the names below.
"""

from __future__ import annotations

import ipaddress
import os
import re
from contextlib import suppress
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from kingmaker.cext.errors import unknown
from kingmaker.search.analysis import MIN_MEMORY_BYTES
from kingmaker.search.solution import MAX_NODES

from .addresses import MAX_PORT, host_and_port, is_address, is_loopback
from .roles import Role
from .setting_sources import ENVIRONMENT_PREFIX, check_environment, read_settings_file

MIB = 1 << 20
DEFAULT_MAX_MEMORY_BYTES = 512 * MIB
KEPT_SHARE = 0.25  # part of the memory that bulk searches leave to interactive ones

HEADER = re.compile(r"[A-Za-z0-9._-]+", re.ASCII)  # of gRPC; HTTP would have more characters
# As browsers send it, in lower case and without the port that its scheme implies.
ORIGIN = re.compile(
    r"(?!http://[^/]*:80/?$|https://[^/]*:443/?$)[a-z][a-z0-9+.-]*://[^/?#\sA-Z]+/?", re.ASCII
)

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

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

    host: str = Field(
        default="127.0.0.1", min_length=1, description="address to listen on; [::] for all"
    )
    port: int = Field(
        default=50051, ge=0, le=MAX_PORT, description="port to listen on; 0: any free one"
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
    metrics: str | None = Field(
        default=None,
        description="host:port for Prometheus to read metrics from, e.g. 127.0.0.1:9464; anybody "
        "who reaches it may; port 0: any free one",
    )
    mcp: bool = Field(
        default=False,
        description="whether language models get their tools at /mcp of the HTTP port; needs web, "
        "and the package kingmaker[mcp]",
    )
    mcp_key: str = Field(
        default="",
        description="key of the sealed games of agents, see docs/agents.md; without it they end "
        "with the server",
    )
    tls_certificate: Path | None = Field(
        default=None, description="file with the certificate chain of the server, PEM; enables TLS"
    )
    tls_key: Path | None = Field(default=None, description="file with the key of the certificate")
    tls_client_ca: Path | None = Field(
        default=None, description="file of authorities that sign clients; others can't connect"
    )
    tokens: Path | None = Field(
        default=None, description="TOML file of names, hashes of tokens, roles and shares"
    )
    anonymous: str | None = Field(
        default=None,
        description="roles of callers without a name, separated by commas: player, bot, operator; "
        "default: all on loopback hosts without tokens, tls_client_ca and trusted_proxies, "
        "otherwise none",
    )
    trusted_proxies: str = Field(
        default="", description="networks of proxies that name the client in proxy_header"
    )
    proxy_header: str = Field(
        default="x-forwarded-for", description="header in which trusted proxies name the client"
    )
    reflection: bool = Field(default=True, description="whether clients may list the services")

    calls_per_minute: int = Field(
        default=0, ge=0, description="calls of one client in a minute; 0: no limit"
    )
    search_seconds_per_minute: float = Field(
        default=0.0,
        ge=0,
        description="search time of one client in a minute, over all threads; 0: no limit",
    )
    max_client_streams: int = Field(
        default=128, ge=1, description="maximum number of open streams of one client"
    )
    max_streams: int = Field(
        default=1024, ge=1, description="maximum number of open streams of all clients"
    )

    max_message_bytes: int = Field(
        default=4 * MIB, ge=1024, le=1 << 30, description="size limit of answers"
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
        default=64,
        ge=0,
        description="maximum number of interactive calls that wait: select, suggest, evaluate",
    )
    bulk_queue: int = Field(
        default=16,
        ge=0,
        description="maximum number of bulk calls that wait: analyze, sample, solve",
    )
    client_share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="largest part of the queue, and of the memory of searches, for one client",
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
        description="maximum number of threads of one search; never more than slots",
    )

    default_seconds: Seconds = Field(default=1.0, description="time of a search without a budget")
    max_seconds: Seconds = Field(default=60.0, description="longest time of a search")
    max_analyze_seconds: Seconds = Field(
        default=600.0, description="longest time of a streamed analysis or of solving"
    )
    max_simulations: int = Field(
        default=10**9, ge=1, description="maximum number of simulations of a search"
    )
    max_nodes: int = Field(
        default=10**12,
        ge=1,
        le=MAX_NODES,
        description="maximum number of positions visited in solving",
    )
    default_memory_bytes: Memory = Field(
        default=64 * MIB, description="memory of a search without a budget"
    )
    max_memory_bytes: Memory = Field(
        default=DEFAULT_MAX_MEMORY_BYTES, description="maximum memory of a search"
    )
    total_memory_bytes: Memory = Field(
        default_factory=default_total_memory,
        description="maximum memory of all searches; default: half of what this machine has",
    )
    deadline_margin_seconds: Seconds = Field(
        default=0.05, description="part of the caller's deadline reserved for the answer"
    )
    min_report_seconds: Seconds = Field(default=0.02, description="shortest time between snapshots")
    max_worlds: int = Field(
        default=100,
        ge=1,
        le=10_000,
        description="maximum number of worlds of one call of SampleWorlds",
    )

    max_bots: int = Field(
        default=100, ge=0, le=10_000, description="maximum number of connected bots"
    )
    max_bot_questions: int = Field(
        default=64, ge=1, le=1024, description="maximum number of open questions of one bot"
    )
    bot_queue: int = Field(
        default=256, ge=0, description="maximum number of questions that wait for one bot"
    )
    max_bot_seconds: Seconds = Field(
        default=600.0, description="longest time that a bot may think about a question"
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
    bot_addresses: str = Field(
        default="",
        description="addresses host:port of bots' servers that ladders may use besides this one, "
        "separated by commas; host:* for all ports",
    )
    max_ladders: int = Field(
        default=1, ge=1, le=100, description="maximum number of ladders played at the same time"
    )

    matches: str | None = Field(
        default=None,
        description="database of matches, an SQLite file or postgresql://...; without it, but with "
        "web and the package kingmaker[ladder], matches last as long as the server",
    )
    max_matches: int = Field(
        default=10_000, ge=0, description="maximum number of matches that have not ended"
    )
    max_client_matches: int = Field(
        default=100, ge=0, description="maximum number of these that one client created"
    )
    max_match_events: int = Field(
        default=10_000,
        ge=1,
        le=20_000,
        description="events of a match (moves, outcomes of chance, take-backs, ...) at which it is "
        "cut, and all seats share the win",
    )
    match_days: float = Field(
        default=30.0,
        ge=0,
        le=36_500,
        description="days after which a match that has ended is deleted; 0: never",
    )
    max_watchers: int = Field(
        default=1000, ge=0, description="maximum number of streams of matches"
    )

    batches: str | None = Field(
        default=None,
        description="database of batches, an SQLite file or postgresql://...; enables batches",
    )
    max_batches: int = Field(
        default=100, ge=0, description="maximum number of batches that have not ended"
    )
    max_client_batches: int = Field(
        default=10, ge=0, description="maximum number of these that one client owns"
    )
    max_batch_tasks: int = Field(
        default=1000, ge=1, description="maximum number of tasks of a batch"
    )
    max_batch_simulations: int = Field(
        default=10**6, ge=1, description="maximum number of simulations of a task of a batch"
    )
    batch_days: int = Field(
        default=30, ge=1, description="days after which a batch and its results are deleted"
    )

    log_format: LogFormat = Field(default=LogFormat.AUTO, description="auto, json or console")
    log_level: LogLevel = Field(default=LogLevel.INFO, description="debug, info, warning or error")

    @property
    def bulk_memory_bytes(self) -> int:
        """Most memory of a bulk search, so that interactive ones can always begin beside it."""
        return min(self.max_memory_bytes, int((1 - KEPT_SHARE) * self.total_memory_bytes))

    @property
    def has_matches(self) -> bool:
        """Whether the server keeps matches: in a database, or with HTTP in memory.

        Both need the extra `ladder`. A base installation with HTTP goes without matches, while a
        database that can't be used is an error.
        """
        return bool(self.matches or (self.web and find_spec("sqlalchemy")))

    @property
    def web_address(self) -> tuple[str, int]:
        """Host and port of `web`."""
        return host_and_port(self.web or "")

    @property
    def metrics_address(self) -> tuple[str, int]:
        """Host and port of `metrics`."""
        return host_and_port(self.metrics or "")

    @property
    def origins(self) -> list[str]:
        """The list of `web_origins`."""
        return [part.rstrip("/") for part in _parts(self.web_origins)]

    @property
    def anonymous_roles(self) -> frozenset[Role]:
        """What callers without a name may do."""
        if self.anonymous is not None:
            return frozenset(Role(name) for name in _parts(self.anonymous))
        hosts = [self.host, self.web_address[0]] if self.web else [self.host]
        is_private = all(map(is_loopback, hosts)) and not self.trusted_proxies
        is_open = is_private and self.tokens is None and self.tls_client_ca is None
        return frozenset(Role) if is_open else frozenset()

    @property
    def proxies(self) -> tuple[Network, ...]:
        """The networks of trusted proxies."""
        return tuple(ipaddress.ip_network(part) for part in _parts(self.trusted_proxies))

    @model_validator(mode="after")
    def _check_access(self) -> ServerSettings:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key belong together; give both")
        if self.tls_client_ca is not None and self.tls_certificate is None:
            raise ValueError("tls_client_ca needs tls_certificate and tls_key")
        if not self.anonymous_roles and self.tokens is None:
            where = " and ".join(filter(None, (self.host, self.web)))
            raise ValueError(
                f"nobody could call a server on {where}: say who may with tokens, or open it to "
                "all with anonymous, for example anonymous = player"
            )
        return self

    @model_validator(mode="after")
    def _check_agents(self) -> ServerSettings:
        if self.mcp and self.web is None:
            raise ValueError("mcp needs web, the HTTP port at which agents find their tools")
        return self

    @model_validator(mode="after")
    def _check_origins(self) -> ServerSettings:
        if self.origins and self.web is None:
            raise ValueError("web_origins needs web, the HTTP port that their pages call")
        return self

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

    @field_validator("web", "metrics")
    @classmethod
    def _check_address(cls, address: str | None) -> str | None:
        if address and not is_address(address):
            raise ValueError(f"{address!r} is not host:port, such as 127.0.0.1:50080")
        return address or None

    @field_validator("bot_addresses")
    @classmethod
    def _check_bot_addresses(cls, addresses: str) -> str:
        for each in addresses.replace(",", " ").split():
            # The star stands for any port.
            if not is_address(f"{each[:-1]}1" if each.endswith(":*") else each):
                raise ValueError(
                    f"{each!r} is not host:port, such as 10.0.0.7:50051, or host:* for all ports"
                )
        return addresses

    @field_validator("web_origins")
    @classmethod
    def _check_origin(cls, origins: str) -> str:
        for origin in _parts(origins):
            if origin not in ("*", "null") and not ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"{origin!r} is not an origin as browsers send it, such as "
                    "https://games.example in lower case and without a default port, or *"
                )
        return origins

    @field_validator("anonymous")
    @classmethod
    def _check_roles(cls, roles: str | None) -> str | None:
        for role in _parts(roles or ""):
            if role not in list(Role):
                raise ValueError(unknown("role", role, Role))
        return roles

    @field_validator("trusted_proxies")
    @classmethod
    def _check_networks(cls, networks: str) -> str:
        for network in _parts(networks):
            try:
                ipaddress.ip_network(network)
            except ValueError as error:
                raise ValueError(f"{error}; a network is 10.0.0.0/8, for example") from None
        return networks

    @field_validator("proxy_header")
    @classmethod
    def _check_header(cls, header: str) -> str:
        if not HEADER.fullmatch(header):
            raise ValueError(f"{header!r} is not the name of a header, such as x-forwarded-for")
        return header

    @field_validator("*", mode="before")
    @classmethod
    def _check_kind(cls, value: object, info: ValidationInfo) -> object:
        is_flag = cls.model_fields[info.field_name or ""].annotation is bool
        if isinstance(value, bool) and not is_flag:  # else it would count as 0 or 1
            raise ValueError(f"it is no flag, so it can't be {str(value).lower()}")
        if isinstance(value, str) and "\0" in value:  # which no path may have
            raise ValueError("it has a character of code 0")
        return value

    @field_validator("tls_certificate", "tls_key", "tls_client_ca", "tokens", mode="before")
    @classmethod
    def _check_path(cls, path: object) -> object:
        if path == "":  # of a variable that a script lacks; without tokens it might open the server
            raise ValueError("it is empty; give the path of a file, or leave it out")
        return path

    @field_validator("ladders", "matches", "batches")
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
        check_environment(settings_cls.model_fields)
        flags: dict[str, Any] = {}
        if isinstance(init_settings, InitSettingsSource):
            flags = init_settings.init_kwargs
        path = flags.get("config") or os.environ.get(f"{ENVIRONMENT_PREFIX}CONFIG")
        if path is None:
            return init_settings, env_settings
        values = read_settings_file(path, settings_cls.model_fields)
        from_file = InitSettingsSource(settings_cls, values)
        return init_settings, env_settings, from_file


def _parts(text: str) -> list[str]:
    """Split a list with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]
