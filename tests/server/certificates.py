"""Certificates for tests, made by OpenSSL."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
"""Of RSA one takes a fifth of a second."""


class Authority:
    """An authority that signs certificates; its files are in `folder`.

    Attributes:
        certificate: file of its own certificate.
    """

    def __init__(self, folder: Path, name: str = "ca") -> None:
        if shutil.which("openssl") is None:
            pytest.skip("openssl is not installed")
        self._folder = folder
        self.certificate = folder / f"{name}.pem"
        self._key = folder / f"{name}.key"
        _openssl(
            *("req", "-x509", *NEW_KEY, "-nodes", "-subj", f"/CN={name}"),
            *("-keyout", self._key, "-out", self.certificate),
        )

    def sign(self, name: str) -> tuple[Path, Path]:
        """Make a certificate for a name and localhost; returns it and its key."""
        certificate, key = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        request, more = self._folder / f"{name}.csr", self._folder / f"{name}.ext"
        more.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        _openssl(
            *("req", *NEW_KEY, "-nodes", "-subj", f"/CN={name}"),
            *("-keyout", key, "-out", request),
        )
        _openssl(
            *("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self._key),
            *("-CAcreateserial", "-extfile", more, "-out", certificate),
        )
        return certificate, key


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
