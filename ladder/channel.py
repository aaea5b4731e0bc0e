"""Connections to Kingmaker servers, with TLS and token where the environment names them.

    KINGMAKER_CLIENT_CA            TLS: file with the certificates to trust, or `system`
    KINGMAKER_CLIENT_CERTIFICATE   file with our own certificate, for servers that ask for one
    KINGMAKER_CLIENT_KEY           file with its key
    KINGMAKER_CLIENT_TOKEN         token that names us to the server

All servers that a process connects to get the same token.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from kingmaker.cext.errors import InputError, shown

DEFAULT_PORT, MAX_PORT = 50051, 65535
PREFIX = "KINGMAKER_CLIENT_"
VARIABLES = tuple(f"{PREFIX}{name}" for name in ("CA", "CERTIFICATE", "KEY", "TOKEN"))
SYSTEM = "system"


def open_channel(address: str, options: Sequence[tuple[str, Any]] = ()) -> grpc.Channel:
    """Open a channel to a server.

    Args:
        address: `host:port`, or `host` for port 50051.
        options: of the channel.

    Raises:
        InputError: the address has no right port, or the token or a file that the environment names
            can't be read.
    """
    address = with_port(address)
    token = _token()
    if os.environ.get(f"{PREFIX}CA"):
        channel = grpc.secure_channel(address, _credentials(), options=options)
    else:
        channel = grpc.insecure_channel(address, options=options)
    return grpc.intercept_channel(channel, _TokenSender(token)) if token else channel


def _token() -> str:
    token = os.environ.get(f"{PREFIX}TOKEN", "")
    if not (token.isascii() and token.isprintable()):
        raise InputError(
            f"{PREFIX}TOKEN has a line break or another character that no token has",
            field=f"{PREFIX}TOKEN",
        )
    return token


def with_port(address: str) -> str:
    """Add the usual port to an address without one.

    Raises:
        InputError: the port is not 1 to 65535; gRPC would take another one that it can be cut to.
    """
    if address.startswith(("unix:", "unix-abstract:")):
        return address
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        _, colon, port = address.rpartition("]")[2].rpartition(":")
        if not colon:
            return f"{address}:{DEFAULT_PORT}"
        if not (port.isascii() and port.isdecimal() and 1 <= int(port[:6]) <= MAX_PORT):
            raise InputError(
                f"the port of {shown(address)} must be 1 to {MAX_PORT}",
                field="server",
                value=shown(address),
            ) from None
        return address
    return f"[{address}]:{DEFAULT_PORT}"


def _credentials() -> grpc.ChannelCredentials:
    ca = os.environ[f"{PREFIX}CA"]
    return grpc.ssl_channel_credentials(
        root_certificates=None if ca == SYSTEM else _read(f"{PREFIX}CA"),
        private_key=_read(f"{PREFIX}KEY"),
        certificate_chain=_read(f"{PREFIX}CERTIFICATE"),
    )


def _read(variable: str) -> bytes | None:
    """Read the file that a variable names; None if it names none."""
    path = os.environ.get(variable)
    if not path:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(
            f"{variable} names {path}, which can't be read: {error.strerror}", field=variable
        ) from None


class _CallDetails(NamedTuple):
    method: str
    timeout: float | None
    metadata: Sequence[tuple[str, str | bytes]] | None
    credentials: grpc.CallCredentials | None
    wait_for_ready: bool | None
    compression: grpc.Compression | None


class _TokenSender(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
):
    """Sends the token with every call."""

    def __init__(self, token: str) -> None:
        self._header = ("authorization", f"Bearer {token}")

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        return continuation(self._with_token(details), request)

    def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return continuation(self._with_token(details), request)

    def _with_token(self, details: Any) -> _CallDetails:
        return _CallDetails(
            details.method,
            details.timeout,
            [*(details.metadata or ()), self._header],
            details.credentials,
            details.wait_for_ready,
            details.compression,
        )
