"""Late positions with known values, and the loss that is measured in them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kingmaker.benchmarks import endgames
from kingmaker.search.position import Observation

GAMES = pytest.mark.parametrize("game", endgames.GAMES)


def best(observation: Observation, _: int) -> str:
    return next(
        move
        for each in endgames.endgames(observation.game.name)
        if each.observation.text == observation.text
        for move in observation.legal_moves()
        if each.loss_of(move) == 0
    )


@GAMES
def test_there_are_200_positions_where_the_move_matters(game: str) -> None:
    found = endgames.endgames(game)
    assert len({each.observation.text for each in found}) == endgames.NUM_POSITIONS
    for each in found:
        assert len(each.values) == len(each.observation.legal_moves())
        assert all(0 <= value <= 1 for value in each.values)
        assert max(each.values) - min(each.values) >= endgames.LEAST_LOSS / 2


@pytest.mark.slow
@GAMES
def test_the_first_position_is_found_again(game: str) -> None:
    (found,) = endgames.find(game, 1)
    first = endgames.endgames(game)[0]
    assert found.observation.text == first.observation.text
    assert found.values == pytest.approx(first.values, abs=1e-3)


def test_the_best_moves_lose_nothing() -> None:
    assert endgames.loss("chessault", best, 8).value == 0
    assert endgames.loss("chessault", lambda seen, _: seen.legal_moves()[-1], 8).value > 0


def test_another_version_is_measured_over_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = (endgames.FOLDER / "chessault.tsv").read_text().splitlines()[:4]
    (tmp_path / "chessault.tsv").write_text("\n".join(lines))
    monkeypatch.setattr(endgames, "FOLDER", tmp_path)
    arguments = ["endgames", "loss", "chessault", "--ms", "1", "--python", sys.executable]
    monkeypatch.setattr(sys, "argv", arguments)
    endgames.main()
    assert capsys.readouterr().out.startswith("chessault: loss 0.")
