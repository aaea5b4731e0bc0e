"""Sealed positions: what an agent holds of a game in which it must not see the others' cards.

A seal is the position's line, the seed of its chance and the moves so far, encrypted and
authenticated by a key of the server (Fernet: AES-128-CBC with HMAC-SHA256, and the time of
sealing). It is padded to a power of two, so that its length tells next to nothing of a line whose
length depends on hidden cards.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.draws import settle_by_seed
from kingmaker.search.position import Position, new_game, parse_position

VERSION = "km2."
"""First characters of a seal; another form of its content would have another version."""
LEAST_BYTES = 128
SEED_BITS = 63
FIRST_MOVE = 0x20
"""Code point of index 0, so that most moves are a byte in UTF-8."""


@dataclass(frozen=True, slots=True)
class Match:
    """A game that an agent plays.

    Attributes:
        position: the full state.
        seats: the agent's, from 1.
        seed: of all outcomes of chance.
        name: that of the game in progress, the same in all its seals.
        ply: calls that have played it on so far.
        moves: a character for each decision so far: its index among the legal moves, after
            `FIRST_MOVE`. With the seed, they are the whole game.
    """

    position: Position
    seats: tuple[int, ...]
    seed: int
    name: str
    ply: int = 0
    moves: str = ""


class Sealer:
    """Seals and opens matches.

    Args:
        keys: of Fernet. The first one seals, all of them open; empty: one that is drawn now, so
            that seals end with this object.
        seconds: after which a seal has expired.

    Raises:
        InputError: a key is malformed.
    """

    def __init__(self, keys: Sequence[str] = (), *, seconds: int) -> None:
        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys or (Fernet.generate_key(),)])
        except ValueError:
            raise InputError(
                "a key is 32 bytes in URL-safe base64, as Fernet.generate_key() of the package "
                "cryptography writes it",
                field="key",
            ) from None
        self._seconds = seconds

    def seal(self, match: Match) -> str:
        """Return the seal of a match."""
        content = json.dumps(
            {
                "game": match.position.game.name,
                "line": match.position.text,
                "seats": match.seats,
                "seed": match.seed,
                "name": match.name,
                "ply": match.ply,
                "moves": match.moves,
            },
            ensure_ascii=False,
        ).encode()
        size = max(LEAST_BYTES, 1 << (len(content) - 1).bit_length())
        return VERSION + self._fernet.encrypt(content.ljust(size)).decode()

    def open(self, seal: str) -> Match:
        """Read a seal.

        Raises:
            InputError: this server did not make it, or it was changed.
            StateError: it has expired.
        """
        token = seal.strip().removeprefix(VERSION)
        if token == seal.strip():
            raise _refusal(f"it must begin with {VERSION}")
        try:
            content = json.loads(self._fernet.decrypt(token))
        except InvalidToken:
            raise _refusal("copy it whole and unchanged from the last answer") from None
        try:
            self._fernet.decrypt(token, ttl=self._seconds)
        except InvalidToken:
            hours = self._seconds / 3600
            raise StateError(
                f"this game has expired: it was not played on for {hours:g} hours; start another",
                field="game",
            ) from None
        return Match(
            parse_position(content["game"], content["line"]),
            tuple(content["seats"]),
            content["seed"],
            content["name"],
            content["ply"],
            content["moves"],
        )


def is_sealed(subject: str) -> bool:
    """Whether a text is meant as a seal."""
    return subject.strip().startswith(VERSION)


def move_sign(position: Position, token: str) -> str:
    """Return the character of a move in `Match.moves`."""
    return chr(FIRST_MOVE + position.legal_moves().index(token))


def signed_move(position: Position, sign: str) -> str:
    """Return the move of a character in `Match.moves`."""
    return position.legal_moves()[ord(sign) - FIRST_MOVE]


def retold(match: Match) -> tuple[Position, list[str]]:
    """Return the start of a game, and all moves and outcomes since then."""
    start = new_game(match.position.game.name, match.position.game.options)
    position, drawn = settle_by_seed(start, match.seed)
    tokens = list(drawn)
    for sign in match.moves:
        token = signed_move(position, sign)
        position, drawn = settle_by_seed(position.apply(token), match.seed)
        tokens += [token, *drawn]
    return start, tokens


def new_name() -> str:
    """Draw the name of a game in progress."""
    return secrets.token_hex(8)


def _refusal(why: str) -> InputError:
    return InputError(
        f"this is not a game that this server has sealed: {why}", field="game", value=""
    )
