"""Pages of lists: their size, and the token of the next one."""

from __future__ import annotations

import base64
import binascii

from kingmaker.cext.errors import InputError, quoted

MAX_PAGE_SIZE = 100
PAGE_BYTES = 2 << 20  # of an answer, after which a page ends


def read_page_size(number: int) -> int:
    """Return how many items a page may have, if so many are wanted; 0: the caller doesn't say.

    Raises:
        InputError: the number is negative.
    """
    if number < 0:
        raise InputError(f"page_size is {number}; it must not be negative", value=str(number))
    return min(number or MAX_PAGE_SIZE, MAX_PAGE_SIZE)


def page_token(last: str) -> str:
    """Write after which item a page begins."""
    return base64.urlsafe_b64encode(last.encode()).decode()


def read_page_token(token: str) -> str:
    """Read after which item a page begins; empty: it is the first page.

    Raises:
        InputError: it is not of ours.
    """
    try:
        return base64.b64decode(token.encode(), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        raise wrong_token(token) from None


def wrong_token(token: str) -> InputError:
    """Return the error of a token that is not of ours."""
    return InputError(
        f"{quoted(token)} is not a page token; use next_page_token of the previous answer",
        value=token,
    )
