"""Secrets with which clients prove that a seat, or a match, is theirs.

They follow from what is stored or sent already, so that every server of a database has the same.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from kingmaker.ladder.match_store import StoredMatch

from ..errors import WrongTokenError

TOKEN_BYTES = 24


def seat_token(match_id: str, key: str) -> str:
    """Return the token of a seat: of a key always the same, without one a new one.

    Args:
        match_id: of the match.
        key: secret that the client has chosen, or "".
    """
    if not key:
        return secrets.token_urlsafe(TOKEN_BYTES)
    return _token(key, f"seat\n{match_id}")


def creator_token(match: StoredMatch) -> str:
    """Return what proves who created a match.

    It follows from the nonce, which is secret until the match has ended; after that
    there is nothing to cancel.
    """
    return _token(match.nonce, f"creator\n{match.id}")


def check_creator(match: StoredMatch, token: str) -> None:
    """Check what a client sends to prove that it created a match.

    Raises:
        WrongTokenError: it proves nothing.
    """
    if not hmac.compare_digest(token.encode(), creator_token(match).encode()):
        raise WrongTokenError("the match was not created with this token", field="creator_token")


def _token(secret: str, what: str) -> str:
    digest = hmac.digest(secret.encode(), what.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()
