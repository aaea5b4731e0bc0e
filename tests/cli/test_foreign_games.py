"""`kingmaker check`, and what other commands say about games of other packages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from kingmaker.search import games as game_names
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
    game_names._registered.cache_clear()
    game_names._game_type.cache_clear()


def test_check_finds_nothing_in_a_sound_game(games: Any, kingmaker: Command) -> None:
    games(HighCard)
    done = kingmaker("check", "high_card", "--option", "cards=7", "--games", "3")
    assert done.returncode == 0
    assert done.stdout.startswith("high_card: 0 problems in 3 games, ")


def test_check_prints_each_problem_with_its_position(games: Any, kingmaker: Command) -> None:
    games(FaultyCard)
    done = kingmaker("check", "high_card")
    assert done.returncode == 1
    assert "high_card breaks the engine contract: apply raises KeyError: 'a mistake'" in done.stdout
    assert "\n  in hc;cards=5 hands=" in done.stdout
    data = json.loads(kingmaker("check", "high_card", "--games", "2", "--json").stdout)
    assert data["games"] == 2
    assert {"check", "message", "line"} == set(data["problems"][0])


def test_a_breach_of_the_contract_is_one_line(games: Any, kingmaker: Command) -> None:
    games(FaultyCard)
    done = kingmaker("analyze", LINE, "--simulations", "50")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "error: high_card breaks the engine contract: apply raises KeyError: 'a mistake'"
    )


def test_play_shows_the_rules_of_a_game_of_another_package(games: Any, kingmaker: Command) -> None:
    games(HighCard)
    done = kingmaker("play", "high_card", "--seed", "1", typed="rules\n")
    assert "High card: two seats get a card each" in done.stdout
