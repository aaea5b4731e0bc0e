"""Learning a playout policy."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.random import SFC64

from kingmaker.benchmarks import playout_policy
from kingmaker.benchmarks.playout_policy import (
    TUNABLE,
    Adam,
    contest,
    learn_round,
    standing_of,
    warm_up,
)
from kingmaker.cext import games
from kingmaker.cext.games.knaves_out.game import KnavesOut
from kingmaker.cext.games.knaves_out.nets import TWO_SEATS, TWO_SEATS_POLICY, policy_factors
from kingmaker.cext.tunable_game import TunableGame

COINQUEST_POLICY = TWO_SEATS_POLICY.parents[1] / "kingdom_coinquest" / "two_seats_policy.npz"


def test_a_policy_learns_to_beat_the_one_that_it_began_as() -> None:
    game, others = KnavesOut(players=2), KnavesOut(players=2)
    start = np.zeros(game.num_rows)
    logs = learn_round([game], start, Adam(game.num_rows), 0.1, 12, 150, SFC64(1))
    game.use_policy(np.exp(logs))
    others.use_policy(np.exp(start))
    found = contest(game, others, 100, 2)
    assert found.share - 3 * found.error > 0.5


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_of_all_games_or_none_has_an_error(share: float) -> None:
    found = standing_of(share, share, 98)
    assert found.share == share
    assert found.error == pytest.approx(math.sqrt(0.99 * 0.01 / 98))


def test_the_error_of_many_games_is_that_of_their_share() -> None:
    assert standing_of(0.3, 0.3, 10**8).error == pytest.approx(math.sqrt(0.3 * 0.7 / 10**8))


def test_shared_wins_have_a_smaller_error() -> None:
    assert standing_of(0.5, 0.25, 100).error < standing_of(0.5, 0.5, 100).error / 5


@pytest.mark.slow
def test_a_policy_whose_choices_cost_something_makes_fewer() -> None:
    game = KnavesOut(players=2)
    start = np.log(policy_factors(2).astype(np.float64))
    logs = learn_round([game], start, Adam(game.num_rows), 0.05, 120, 100, SFC64(1), True, 0.1)
    plies = []
    for factors in (start, logs):
        game.use_policy(np.exp(factors))
        plies.append(game.policy_games(SFC64(2), 300)[1])
    assert plies[1] < 0.85 * plies[0]


@pytest.mark.parametrize(
    ("kind", "seats"),
    [
        (kind, seats)
        for kind in TUNABLE.values()
        for seats in sorted({2, 3, 4} & set(kind.seat_counts))
    ],
)
def test_the_shipped_policies_beat_even_choices(kind: type[TunableGame], seats: int) -> None:
    options = {"players": str(seats)} if len(kind.seat_counts) > 1 else {}
    game, others = kind(**options), kind(**options)
    others.use_policy(np.ones(game.num_rows))
    found = contest(game, others, 100, 3)
    assert found.share - 3 * found.error > 1 / seats


def test_the_command_writes_the_factors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "policy.npz"
    words = ["knaves_out", "--option", "players=2", "--rounds", "2", "--steps", "2"]
    words += ["--games", "5", "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["playout_policy", *words])
    monkeypatch.setattr(playout_policy, "TEST_GAMES", 4)
    playout_policy.main()
    told = capsys.readouterr().out
    assert told.count("of 4 games") == told.count("(warm-up)") == 2
    with np.load(out) as found, np.load(TWO_SEATS_POLICY) as shipped:
        KnavesOut(players=2).use_policy(found["factors"])
        assert (found["factors"] != 1).any()
        card, shipped_card = (json.loads(str(each["card"])) for each in (found, shipped))
    assert card["options"] == shipped_card["options"] == {"players": "2"}
    assert (card["rounds"], card["steps"], card["games"]) == (2, 2, 5)
    assert set(card) - {"cost"} == set(shipped_card) - {"cost"}


def test_the_command_begins_with_given_factors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "policy.npz"
    words = ["knaves_out", "--option", "players=3", "--rounds", "1", "--steps", "2", "--games", "2"]
    words += ["--start", str(TWO_SEATS_POLICY), "--rate", "0.001", "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["playout_policy", *words])
    monkeypatch.setattr(playout_policy, "TEST_GAMES", 3)
    playout_policy.main()
    with np.load(out) as found, np.load(TWO_SEATS_POLICY) as start:
        assert found["factors"] == pytest.approx(start["factors"], rel=0.01)
        card = json.loads(str(found["card"]))
    assert (card["start"], card["rate"]) == (str(TWO_SEATS_POLICY), 0.001)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rate", "-1"], "-1 is not above 0 and at most 1.0"),
        (["--rate", "nan"], "nan is not above 0"),
        (["--cost", "-0.1"], "-0.1 is not from 0 to 1"),
        (["--cost", "nan"], "nan is not from 0 to 1"),
        (["--seed", "-1"], "-1 is not at least 0"),
        (["--option", "nonsense"], "--option is nonsense; write NAME=VALUE"),
        (["--option", "players=9"], "players"),
        (["--out", "/no/such/folder/policy.npz"], "there is no folder /no/such/folder"),
        (["--start", "/no/such/file.npz"], "--start is /no/such/file.npz: "),
        (["--start", str(TWO_SEATS)], "it has no factors"),
        (["--start", str(COINQUEST_POLICY)], "factors have the shape"),
        (["--start", __file__], "--start is "),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_learned(
    words: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["playout_policy", "knaves_out", *words])
    with pytest.raises(SystemExit):
        playout_policy.main()
    assert message in capsys.readouterr().err


def test_the_first_games_spare_own_pieces_where_even_choices_destroy_them() -> None:
    options = {"players": "3", "direction": "ccw"}
    [warm] = warm_up(KnavesOut(**options), options)
    assert warm.options["max_turns"] == "180"
    assert warm.options["friendly_fire"] == "off"
    assert warm.options["limit_result"] == "rank"
    assert warm.options["direction"] == "ccw"
    assert warm_up(TUNABLE["kingdom_coinquest"](), {}) == []


POLICIES = sorted(Path(games.__file__).parent.glob("*/*policy.npz"))


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_shipped_policies_tell_how_they_were_made(path: Path) -> None:
    """By what command and code, and they are small."""
    with np.load(path) as shipped:
        card = json.loads(str(shipped["card"]))
        factors = shipped["factors"]
    game = TUNABLE[path.parent.name](**card["options"])
    assert card["game"] == game.name
    assert factors.shape == (game.num_rows,)
    assert not card["commit"].endswith("dirty")
    assert {"rounds", "steps", "games", "seed", "version"} <= set(card)
    assert path.stat().st_size < 200_000
