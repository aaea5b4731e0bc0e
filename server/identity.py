"""The identity of callers, and their rights.

A caller proves a name with a token (`authorization: Bearer ...`) or with the certificate of the
connection; tokens.py has the file of names. Others are anonymous, and known by their address, or by
the one that a trusted proxy reports. Roles decide which methods a caller may use; ladders and names
of bots also have owners.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

import grpc

from .errors import ForbiddenError, UnauthenticatedError
from .roles import AGENTS, Role
from .settings import Network, ServerSettings
from .tokens import Entry, TokenFile

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Headers = Iterable[tuple[str, str | bytes]]

REFLECTION = (
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
)
BEARER = "bearer "
MAX_PROXIED = 100  # characters of a client's name in a proxy's header
MAX_TOKEN = 500  # characters
MAX_STRANGERS = 1 << 10  # anonymous callers that are kept by their connections

ANYONE = frozenset(Role)
PLAYERS = frozenset({Role.PLAYER, Role.OPERATOR})
BOTS = frozenset({Role.BOT, Role.OPERATOR})
ROLES = {
    "GameService": dict.fromkeys(
        ("ListGames", "GetGame", "StartGame", "ListMoves", "ApplyMoves", "Observe"), ANYONE
    ),
    "AnalysisService": dict.fromkeys(
        ("SelectMove", "SuggestMoves", "Analyze", "EvaluatePosition", "Solve", "SampleWorlds"),
        PLAYERS,
    ),
    "ReviewService": {"ReviewGame": PLAYERS},
    "BatchService": dict.fromkeys(
        ("CreateBatch", "WatchBatch", "ListBatchResults", "CancelBatch", "ListBatches"), PLAYERS
    ),
    "MatchService": {
        **dict.fromkeys(("WatchMatch", "GetMatch", "ListMatches", "GetMatchRecord"), ANYONE),
        **dict.fromkeys(
            (
                *("CreateMatch", "JoinMatch", "PlayMove", "GetMatchHint", "TakeBack", "OfferDraw"),
                *("AnswerOffer", "ResignMatch", "ReplacePlayer", "LeaveMatch"),
            ),
            PLAYERS,
        ),
    },
    "BotService": {"Connect": BOTS, "AnswerMove": BOTS, "AskBot": PLAYERS, "ListBots": PLAYERS},
    "LadderService": {
        **dict.fromkeys(
            ("GetLadder", "ListLadders", "WatchLadder", "ListLadderGames", "ExportLadderGames"),
            ANYONE,
        ),
        **dict.fromkeys(("StartLadder", "ResumeLadder", "StopLadder"), PLAYERS),
    },
}
"""The roles of which a caller must have one, by service and method; of others, operator."""
METHOD_ROLES = {
    f"/kingmaker.v1.{service}/{method}": roles
    for service, methods in ROLES.items()
    for method, roles in methods.items()
} | {**dict.fromkeys(REFLECTION, ANYONE), AGENTS: PLAYERS}
OPERATORS = frozenset({Role.OPERATOR})


class Caller(NamedTuple):
    """Who makes a call.

    Attributes:
        name: proved by token or certificate; empty: anonymous.
        address: of the client, `ipv4:...`, without port; behind a proxy what that says.
        roles: what the caller may do.
        entry: of the name in the file; None: it has none.
    """

    name: str
    address: str
    roles: frozenset[Role]
    entry: Entry | None = None

    @property
    def client(self) -> str:
        """The owner of quotas and shares: the name, of anonymous callers the address."""
        return self.name or self.address

    @property
    def is_operator(self) -> bool:
        """Whether everything is allowed, also with what belongs to others."""
        return Role.OPERATOR in self.roles

    def check_owner(self, owner: str, what: str) -> None:
        """Check that something belongs to the caller.

        Args:
            owner: name of its owner; empty: nobody's but operators'.
            what: to name in the error.

        Raises:
            ForbiddenError: it is another's, and the caller no operator.
        """
        if not self.is_operator and (not self.name or self.name != owner):
            raise ForbiddenError(f"{what} belongs to another; its owner or an operator may do this")


NOBODY = Caller("", "", ANYONE)
CALLER: ContextVar[Caller] = ContextVar("caller", default=NOBODY)
"""The caller of the running call; `NOBODY`, who may do everything, outside of calls."""


class Identities:
    """Finds out who calls.

    Args:
        settings: of the server.

    Raises:
        InputError: the file of tokens can't be read.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.tokens = TokenFile(settings.tokens)
        self._anonymous = settings.anonymous_roles
        self._proxies = settings.proxies
        self._header = settings.proxy_header.lower()
        self._reads_certificates = settings.tls_client_ca is not None
        self._strangers: dict[str, Caller] = {}

    def identify(self, context: Context, headers: Headers, peer: str) -> Caller:
        """Return the caller of a call.

        Args:
            context: of the call.
            headers: of the call, which gRPC makes anew each time that it is asked for them.
            peer: address of the connection, likewise.

        Raises:
            UnauthenticatedError: the token is not one of the file.
        """
        found = self._named(context, headers)
        if found is not None:
            name, entry = found
            return Caller(name, self.address(headers, peer), entry.roles, entry)
        stranger = self._strangers.get(peer)
        return self._stranger(headers, peer) if stranger is None else stranger

    def _stranger(self, headers: Headers, peer: str) -> Caller:
        """Return an anonymous caller, who is kept for the next calls of the same connection."""
        stranger = Caller("", self.address(headers, peer), self._anonymous)
        if not self._proxies:  # else each call of a connection may have another client
            if len(self._strangers) >= MAX_STRANGERS:
                self._strangers.clear()
            self._strangers[peer] = stranger
        return stranger

    def owner_of_bot(self, bot: str) -> str | None:
        """Return the name for which the file reserves a bot's name; None: anybody's."""
        return self.tokens.directory.owners.get(bot)

    def _named(self, context: Context, headers: Headers) -> tuple[str, Entry] | None:
        for key, value in headers:
            if key == "authorization":
                return self._with_token(value)
        if self._reads_certificates:
            return self.tokens.directory.with_certificate(_certificate_names(context))
        return None

    def _with_token(self, header: str | bytes) -> tuple[str, Entry]:
        text = header.decode(errors="replace") if isinstance(header, bytes) else header
        if not text[: len(BEARER)].lower() == BEARER:
            raise UnauthenticatedError("the header authorization must be: Bearer <token>")
        token = text[len(BEARER) :].strip()
        found = self.tokens.directory.with_token(token) if len(token) <= MAX_TOKEN else None
        if found is None:
            raise UnauthenticatedError("the token is not valid here")
        return found

    def address(self, headers: Headers, peer: str) -> str:
        """Return the address of a client, `ipv4:...`, or what a trusted proxy says of it."""
        host = peer.rpartition(":")[0]
        if not self._proxies:
            return _subnet(host) if host.startswith("ipv6:") else host
        if not self._is_proxy(_ip(host)):
            return _subnet(host)
        given = ",".join(str(value) for key, value in headers if key == self._header)
        return self._behind(part.strip() for part in reversed(given.split(","))) or _subnet(host)

    def _behind(self, chain: Iterable[str]) -> str:
        """Return the last one of a chain who is no trusted proxy; what it says itself is free."""
        for each in chain:
            name = _without_port(each)
            if name and not self._is_proxy(name):
                return f"proxied:{household(name) or name[:MAX_PROXIED]}"
        return ""

    def _is_proxy(self, text: str) -> bool:
        return is_among(text, self._proxies)


def check_role(caller: Caller, method: str) -> None:
    """Check that a caller may use a method.

    Raises:
        UnauthenticatedError: the anonymous may not.
        ForbiddenError: the caller has none of the roles.
    """
    wanted = METHOD_ROLES.get(method, OPERATORS)
    if not wanted.isdisjoint(caller.roles):
        return
    roles = " or ".join(sorted(wanted))
    if not caller.name:
        raise UnauthenticatedError(f"this call needs a token of the role {roles}")
    raise ForbiddenError(f"{caller.name} has not the role {roles}")


def _certificate_names(context: Context) -> list[str]:
    found = context.auth_context()
    names = [
        *found.get("x509_common_name", ()),
        *found.get("x509_subject_alternative_name", ()),
    ]
    return [name.decode(errors="replace") for name in names]


def _ip(host: str) -> str:
    """Return the address of a host as gRPC writes it: `ipv4:...` or `ipv6:%5B...%5D`."""
    return unquote(host.partition(":")[2]).strip("[]").partition("%")[0]


def _without_port(entry: str) -> str:
    """Return the address of `address:port`, as some proxies write it; names stay as they are."""
    if entry.startswith("["):
        return entry[1:].partition("]")[0]
    host, _, _ = entry.partition(":")
    return entry if household(host) is None else host


def _subnet(host: str) -> str:
    """Return the part of a host by which a client is known."""
    found = household(_ip(host))
    if found is None:
        return host  # a Unix socket
    return f"ipv6:{found}" if ":" in found else f"ipv4:{found}"


def peer_of(host: str, port: object) -> str:
    """Write the address of a connection as gRPC does."""
    return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"


def is_among(text: str, networks: Iterable[Network]) -> bool:
    """Whether a text is an address of one of some networks."""
    address = _address(text)
    return address is not None and any(address in network for network in networks)


def household(text: str) -> str | None:
    """Return an address, of IPv6 the network that a household gets; None: it is none."""
    address = _address(text)
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.IPv6Network((int(address), 64), strict=False))
    return None if address is None else str(address)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address, that of IPv4 where a socket of both kinds shows it as one of IPv6."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address
