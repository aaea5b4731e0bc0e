"""How addresses of servers are read."""

from __future__ import annotations

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.channel import open_channel, with_port


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("kingmaker.example", "kingmaker.example:50051"),
        ("kingmaker.example:7", "kingmaker.example:7"),
        ("10.0.0.1", "10.0.0.1:50051"),
        ("::1", "[::1]:50051"),
        ("[::1]", "[::1]:50051"),
        ("[::1]:7", "[::1]:7"),
        ("unix:/run/kingmaker.sock", "unix:/run/kingmaker.sock"),
    ],
)
def test_an_address_without_a_port_takes_the_usual_one(given: str, address: str) -> None:
    assert with_port(given) == address


@pytest.mark.parametrize("port", ["", "0", "x", "-1", "65536", "٣", "9" * 5000])
def test_a_port_that_there_cant_be_is_refused(port: str) -> None:
    with pytest.raises(InputError, match=r"^the port of 127\.0\.0\.1:.* must be 1 to 65535$"):
        with_port(f"127.0.0.1:{port}")


@pytest.mark.parametrize("token", ["secret\n", "sécret"])
def test_a_token_that_cant_be_sent_is_refused(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGMAKER_CLIENT_TOKEN", token)
    with pytest.raises(InputError, match="KINGMAKER_CLIENT_TOKEN has a line break"):
        open_channel("127.0.0.1:9")


def test_a_file_that_cant_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGMAKER_CLIENT_CA", "/nowhere/ca.pem")
    with pytest.raises(InputError, match=r"KINGMAKER_CLIENT_CA names /nowhere/ca\.pem, which"):
        open_channel("127.0.0.1:9")
