"""TLS from files, which are read again when they have changed."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import grpc
import structlog

from kingmaker.cext.errors import InputError

from .settings import ServerSettings

T = TypeVar("T")
log = structlog.get_logger()


def tls_credentials(settings: ServerSettings) -> grpc.ServerCredentials:
    """Return credentials from the files of the settings, which name certificate and key.

    Every new connection gets the files as they are then. If they can't be used, for example
    because only one of certificate and key has been replaced yet, those of before stay valid.

    Raises:
        InputError: a file can't be read, or certificate and key don't belong together.
    """
    files = _Files(settings)
    return grpc.dynamic_ssl_server_credentials(
        files.read(),
        files.changed,  # type: ignore[arg-type]  # None means what it says there
        require_client_authentication=settings.tls_client_ca is not None,
    )


def tls_context(settings: ServerSettings) -> ssl.SSLContext | None:
    """Return the same for connections of asyncio; None: the settings name no certificate.

    Raises:
        InputError: as above.
    """
    return None if settings.tls_certificate is None else _Context(_Files(settings))


class _Context(ssl.SSLContext):
    """Leaves each new connection to a context of the files as they are then."""

    _files: _Files
    _latest: ssl.SSLContext

    def __new__(cls, files: _Files) -> _Context:
        context = super().__new__(cls, ssl.PROTOCOL_TLS_SERVER)
        context._files, context._latest = files, files.context()
        return context

    def wrap_bio(self, *args: Any, **kwargs: Any) -> ssl.SSLObject:
        """Begin a connection; asyncio calls this for each."""
        self._latest = self._files.renewed(self._files.context) or self._latest
        return self._latest.wrap_bio(*args, **kwargs)


class _Files:
    """Certificate, key and authorities; gRPC asks for changes on threads of its own."""

    def __init__(self, settings: ServerSettings) -> None:
        assert settings.tls_certificate is not None
        assert settings.tls_key is not None
        self._certificate = settings.tls_certificate
        self._key = settings.tls_key
        self._authorities = settings.tls_client_ca
        self._stamp = self._stamp_now()

    def read(self) -> grpc.ServerCertificateConfiguration:
        """Read all files.

        Raises:
            InputError: one can't be read, or they don't belong together.
        """
        self.context()
        try:
            authorities = None if self._authorities is None else self._authorities.read_bytes()
            pair = (self._key.read_bytes(), self._certificate.read_bytes())
        except OSError as error:
            raise self._unusable(error) from None
        return grpc.ssl_server_certificate_configuration([pair], root_certificates=authorities)

    def context(self) -> ssl.SSLContext:
        """Read all files into a context of Python.

        Raises:
            InputError: as above.
        """
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self._certificate, self._key, password=_no_password)
            if self._authorities is not None:
                context.load_verify_locations(self._authorities)
                context.verify_mode = ssl.CERT_REQUIRED
        except OSError as error:  # so are those of ssl
            raise self._unusable(error) from None
        return context

    def changed(self) -> grpc.ServerCertificateConfiguration | None:
        """Return what new connections get from now on; None: what they got before."""
        return self.renewed(self.read)

    def renewed(self, read: Callable[[], T]) -> T | None:
        """Read the files if they have changed; None: they have not, or can't be used."""
        stamp = self._stamp_now()
        if stamp == self._stamp:
            return None
        self._stamp = stamp
        try:
            found = read()
        except InputError as error:
            log.error("certificate not read, that of before stays valid", why=str(error))
            return None
        log.info("certificate read", file=str(self._certificate))
        return found

    def _unusable(self, error: OSError) -> InputError:
        named = f" and {self._authorities}" if self._authorities else ""
        return InputError(
            f"TLS with {self._certificate}, {self._key}{named}: {error.strerror or error}",
            field="tls_certificate",
        )

    def _stamp_now(self) -> list[tuple[int, int, int]]:
        files = [self._certificate, self._key, self._authorities]
        return [_stamp(file) for file in files if file is not None]


def _stamp(file: Path) -> tuple[int, int, int]:
    """Return what changes with a file."""
    try:
        status = os.stat(file)
    except OSError:
        return 0, 0, 0
    return status.st_mtime_ns, status.st_size, status.st_ino


def _no_password() -> str:
    """Refuse an encrypted key, for which OpenSSL would ask at the terminal."""
    raise OSError("the key is encrypted; keys must be without a password")
