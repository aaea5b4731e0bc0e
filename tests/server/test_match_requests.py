"""What is read of requests about matches."""

from __future__ import annotations

import base64

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.server.matches.requests import page_token, read_page_token


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


def test_a_page_token_is_read_as_it_was_written() -> None:
    assert read_page_token(page_token(1.5, "a_B-9")) == (1.5, "a_B-9")


@pytest.mark.parametrize(
    "token",
    [
        "no token",
        encoded("[1.5]"),
        encoded('["x", "a"]'),
        encoded("[1.5, 2]"),
        encoded(f'[1{"0" * 400}, "a"]'),
        encoded("[" * 40_000),
        encoded('[1.5, "\\u0000"]'),
        encoded('[1.5, "\\ud800"]'),
    ],
    ids=["base64", "short", "text", "number", "huge", "deep", "nul", "surrogate"],
)
def test_a_page_token_of_another_kind_is_refused(token: str) -> None:
    with pytest.raises(InputError, match="is not a page token; use next_page_token"):
        read_page_token(token)
