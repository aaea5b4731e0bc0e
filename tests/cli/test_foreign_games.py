"""What commands say about games of other packages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kingmaker.search import position as positions
from tests.cli.conftest import Command
from tests.foreign_games import register
from tests.python_game.high_card import CHANGE, HighCard

LINE = "hc;cards=5 hands=?/1 back=_/_ node=play:p2 @p2"


class FaultyCard(HighCard):
    """Can't change a card."""

    def apply(self, state: bytes, move: int) -> bytes:
        if move == CHANGE:
            raise KeyError("a mistake")
        return super().apply(state, move)


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Register a class as `high_card` by calling this."""
    yield lambda kind: register(monkeypatch, high_card=kind)
    positions._registered.cache_clear()
    positions._game_type.cache_clear()


def test_a_breach_of_the_contract_is_one_line(games: Any, kingmaker: Command) -> None:
    games(FaultyCard)
    done = kingmaker("analyze", LINE, "--simulations", "50")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "error: high_card breaks the engine contract: apply raises KeyError: 'a mistake'"
    )
