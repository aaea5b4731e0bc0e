"""The file of callers: names, with the hash of a token or a certificate, and rights.

    [alice]
    sha256 = "9f86d081884c7d65..."     # of the token that she sends; `kingmaker token` makes both
    roles = ["player"]
    share = 0.25
    calls_per_minute = 600

    [rook-team]
    certificate = "rook.example"       # common name or DNS name of a client's certificate
    roles = ["bot"]
    bots = ["rook", "rook-2"]

The file is read again when it changes. One that can't be read changes nothing and is logged.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar

import structlog
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from kingmaker.cext.errors import InputError

from .roles import Role

PREFIX = "km_"  # lets scanners of public code recognize a token
TOKEN_BYTES = 32
NAME = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"

Key = TypeVar("Key")
Value = TypeVar("Value")

log = structlog.get_logger()


class Entry(BaseModel):
    """The rights of one name; exactly one of `sha256` and `certificate` is given.

    Attributes:
        sha256: of the token, 64 hex digits.
        certificate: common name or DNS name of the client's certificate.
        roles: one or more.
        share: part of slots and queue that its calls may use; None: that of the settings.
        calls_per_minute: None: that of the settings; 0: no limit.
        search_seconds_per_minute: as `calls_per_minute`.
        bots: names that no one else may connect bots under.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    sha256: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{64}$")] | None = None
    certificate: Annotated[str, Field(min_length=1)] | None = None
    roles: Annotated[frozenset[Role], Field(min_length=1)]
    share: Annotated[float, Field(gt=0, le=1)] | None = None
    calls_per_minute: Annotated[int, Field(ge=0)] | None = None
    search_seconds_per_minute: Annotated[float, Field(ge=0)] | None = None
    bots: frozenset[str] = frozenset()

    @model_validator(mode="after")
    def _check(self) -> Entry:
        if (self.sha256 is None) == (self.certificate is None):
            raise ValueError("give one of sha256 and certificate")
        return self


@dataclass(frozen=True)
class Directory:
    """All names of a file, and what they prove themselves with.

    Attributes:
        by_name: all of them.
        by_digest: by the SHA-256 of the token.
        by_certificate: by the name in the certificate.
        owners: of names of bots.
    """

    by_name: dict[str, Entry] = field(default_factory=dict)
    by_digest: dict[bytes, tuple[str, Entry]] = field(default_factory=dict)
    by_certificate: dict[str, tuple[str, Entry]] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: dict[str, Entry]) -> Directory:
        """Sort entries.

        Raises:
            InputError: two names share a token, a certificate or the name of a bot.
        """
        found = cls(dict(entries))
        for name, entry in entries.items():
            if entry.sha256 is not None:
                _add(found.by_digest, bytes.fromhex(entry.sha256), (name, entry), "token")
            if entry.certificate is not None:
                _add(found.by_certificate, entry.certificate, (name, entry), "certificate")
            for bot in entry.bots:
                _add(found.owners, bot, name, f"bot {bot}")
        return found

    def with_token(self, token: str) -> tuple[str, Entry] | None:
        """Find whose token it is.

        A dictionary is searched by the token's hash, so that its timing tells nothing of tokens.
        """
        return self.by_digest.get(hashlib.sha256(token.encode()).digest())

    def with_certificate(self, names: Iterable[str]) -> tuple[str, Entry] | None:
        """Find whose certificate has one of these names."""
        return next(
            (self.by_certificate[name] for name in names if name in self.by_certificate), None
        )


class TokenFile:
    """The file, and what it says now.

    Args:
        path: of the file; None: there is none, and nobody has a name.

    Raises:
        InputError: it can't be read, or something in it is wrong.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp: object = None
        self.directory = Directory()
        if path is not None:
            self._stamp = _stamp(path)
            self.directory = read_tokens(path)

    def refresh(self) -> None:
        """Read the file again if it has changed."""
        if self._path is None:
            return
        stamp = _stamp(self._path)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self.directory = read_tokens(self._path)
        except InputError as error:
            log.error("tokens not read, those of before stay valid", why=str(error))
        else:
            log.info("tokens read", file=str(self._path))


def read_tokens(path: Path) -> Directory:
    """Read a file.

    Raises:
        InputError: it can't be read, or something in it is wrong; names file, name and field.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        entries = TypeAdapter(dict[Annotated[str, Field(pattern=NAME)], Entry]).validate_python(
            values
        )
        return Directory.of(entries)
    except OSError as error:
        why = error.strerror or str(error)
    except ValidationError as error:
        why = "; ".join(
            f"{'.'.join(map(str, each['loc']))}: {each['msg'].removeprefix('Value error, ')}"
            for each in error.errors(include_input=False)
        )
    except (ValueError, RecursionError) as error:
        why = str(error)
    raise InputError(f"the tokens of {path} can't be read: {why}", field="tokens")


def check_name(name: str) -> None:
    """Check the name of a caller.

    Raises:
        InputError: it could not stand in the file.
    """
    if not re.fullmatch(NAME, name):
        raise InputError(
            f"{name!r} is not a name; write 1 to 64 letters, digits or characters of ._+-, the "
            "first a letter or digit",
            field="name",
            value=name,
        )


def make_token() -> tuple[str, str]:
    """Make a token; returns it and the `sha256` of its entry."""
    token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    return token, hashlib.sha256(token.encode()).hexdigest()


def _add(found: dict[Key, Value], key: Key, value: Value, what: str) -> None:
    if key in found:
        raise InputError(f"two names have the same {what}")
    found[key] = value


def _stamp(path: Path) -> object:
    """Return what changes with the file; None: it is gone."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
