"""Reading the requests of matches: options, bots, names, page tokens."""

from __future__ import annotations

import base64
import binascii
import json
import re
import unicodedata

from google.protobuf.duration_pb2 import Duration

from kingmaker.cext.errors import InputError
from kingmaker.search.position import new_game
from kingmaker.v1 import match_service_pb2 as pb

from ..analysis.budgets import read_seconds
from ..errors import Problems
from ..pages import wrong_token
from .bots import check_bot
from .model import Options, Phase

MAX_TITLE, MAX_NAME = 80, 40  # characters
MIN_KEY, MAX_KEY = 16, 64  # characters
MAX_CLOCK = 7 * 24 * 3600.0
ID = re.compile(r"[\w-]{1,32}", re.ASCII)


def read_new_match(request: pb.CreateMatchRequest) -> tuple[Options, list[str]]:
    """Read what a match is played with, and the bot of each seat, "" for an open one.

    Raises:
        RequestError: fields are wrong; lists all of them.
    """
    message = request.options
    problems = Problems()
    fields = problems.below("options")
    title = clock = None
    increment = 0.0
    with fields.at("title"):
        title = read_text(message.title, "title", MAX_TITLE)
    if message.HasField("clock"):
        with fields.at("clock"):
            clock = read_seconds(message.clock, "clock", MAX_CLOCK)
    if message.HasField("clock_increment") and message.clock_increment != Duration():
        with fields.at("clock_increment"):
            increment = read_seconds(message.clock_increment, "clock_increment", MAX_CLOCK)
            if clock is None:
                raise InputError("there is an increment, but no clock; give both")
    position = None
    with fields.at(""):
        try:
            position = new_game(message.game, message.game_options)
        except InputError as error:
            for each in error.errors:
                each.field = each.field.replace("options", "game_options", 1)
            raise
    bots: list[str] = []
    if position is not None:
        bots = [""] * position.num_seats
        has_option = "players" in position.game.option_help
        more = " unless game_options has another number of players" if has_option else ""
        with problems.at("seats"):
            if len(request.seats) not in (0, position.num_seats):
                raise InputError(
                    f"seats has {len(request.seats)}; this game needs {position.num_seats}{more}",
                    value=str(len(request.seats)),
                )
            for i, seat in enumerate(request.seats):
                with problems.at(f"seats[{i}].bot"):
                    bots[i] = check_bot(seat.bot, position.game) if seat.bot else ""
    problems.check()
    options = Options(
        game=message.game,
        game_options=dict(message.game_options),
        title=title or "",
        clock=clock,
        increment=increment,
        has_hints=message.has_hints,
        has_take_backs=message.has_take_backs,
        is_private=message.is_private,
    )
    return options, bots


def read_text(text: str, field: str, limit: int) -> str:
    """Read a line of text of a stranger: limited, and without control characters.

    Raises:
        InputError: it is too long, or has a character that is not for display.
    """
    text = text.strip()
    if len(text) > limit:
        raise InputError(f"{field} has {len(text)} characters; it may have {limit}", field=field)
    if any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp") for each in text):
        raise InputError(f"{field} has a character that can't be shown", field=field)
    return text


def read_name(text: str) -> str:
    """Read the name of a player.

    Raises:
        InputError: it is empty, too long, or can't be shown.
    """
    name = read_text(text, "name", MAX_NAME)
    if not name:
        raise InputError(f"name is missing; give 1 to {MAX_NAME} characters", field="name")
    return name


def read_key(text: str) -> str:
    """Read the key by which a join is known again; "" if there is none.

    Raises:
        InputError: it can be guessed, or is too long.
    """
    if text and not MIN_KEY <= len(text) <= MAX_KEY:
        raise InputError(
            f"key has {len(text)} characters; it must have {MIN_KEY} to {MAX_KEY}, or be empty",
            field="key",
        )
    return text


def read_phase(number: int) -> str:
    """Read a phase; "" if it is unspecified.

    Raises:
        InputError: there is none with this number.
    """
    if number not in pb.MatchPhase.values():
        raise InputError(f"there is no phase {number}", value=str(number))
    return list(Phase)[number - 1].value if number else ""


def page_token(changed: float, match_id: str) -> str:
    """Write where a page of a list ends."""
    return base64.urlsafe_b64encode(json.dumps([changed, match_id]).encode()).decode()


def read_page_token(token: str) -> tuple[float, str] | None:
    """Read where a page of a list ends; None for the first page.

    Raises:
        InputError: it is not of ours.
    """
    if not token:
        return None
    try:
        changed, match_id = json.loads(base64.urlsafe_b64decode(token.encode()))
        if not ID.fullmatch(match_id):
            raise ValueError(match_id)
        return float(changed), match_id
    except (binascii.Error, ValueError, TypeError, OverflowError, RecursionError):
        raise wrong_token(token) from None
