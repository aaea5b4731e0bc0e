"""The port of the service: bound, with TLS where the settings name a certificate."""

from __future__ import annotations

import errno
import socket

import grpc

from .settings import ServerSettings
from .tls import tls_credentials


class ListenError(Exception):
    """The address can't be listened on.

    Args:
        host: of the address.
        port: of the address.
    """

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"can't listen on port {port} of {host}: {_why_not(host, port)}")


def listen(server: grpc.aio.Server, settings: ServerSettings) -> int:
    """Bind the address of the service; returns its port.

    Raises:
        ListenError: it can't be bound.
        InputError: a file of TLS can't be used.
    """
    host, port = settings.host, settings.port
    try:
        if settings.tls_certificate is not None:
            return server.add_secure_port(f"{host}:{port}", tls_credentials(settings))
        return server.add_insecure_port(f"{host}:{port}")
    except RuntimeError:
        raise ListenError(host, port) from None


def _why_not(host: str, port: int) -> str:
    """Find out why an address can't be bound, which gRPC does not tell."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
                probe.listen()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return "another program listens on it"
        return error.strerror or str(error)
    return "gRPC can't bind it"
