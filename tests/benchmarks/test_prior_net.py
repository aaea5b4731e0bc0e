"""Learning a net that corrects a policy in priors."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from kingmaker.benchmarks import prior_net
from kingmaker.benchmarks.prior_net import first_weights, net_of, plain_game
from kingmaker.cext.games.code_of_chivalry.nets import PATH as VALUES_FOUR_SEATS
from kingmaker.cext.games.code_of_chivalry.nets import PRIORS, prior_net_for
from kingmaker.cext.games.knaves_out.nets import TWO_SEATS as KNAVES_TWO_SEATS
from kingmaker.cext.net import Net

WORDS = ["code_of_chivalry", "--option", "players=2"]


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("sys.argv", ["prior_net", *WORDS, *words])
    monkeypatch.setattr(prior_net, "TEST_GAMES", 4)
    prior_net.main()


def random_net(units: int) -> Net:
    game = plain_game("code_of_chivalry", {"players": "2"})
    rng = np.random.default_rng(2)
    weights = first_weights(game, (units, units), 1)
    weights["wp"] = rng.uniform(-0.4, 0.4, weights["wp"].shape)
    return net_of(game, weights, {})


def test_the_command_writes_a_net_that_fits_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "net.npz"
    words = f"--steps 2 --games 8 --units 12 12 --rate 0.5 --seed 3 --out {out}"
    run(monkeypatch, *words.split())
    told = capsys.readouterr().out
    assert told.startswith("step 2: ")
    assert told.count(" against the policy without it") == 1
    net = Net.load(out)
    net.check_fits(plain_game("code_of_chivalry", {"players": "2"}))
    assert net.weights["w2"].shape == (12, 12)
    assert net.weights["wp"].any()
    card = net.card
    assert (card["seed"], card["steps"], card["done"], card["games"]) == (3, 2, 2, 8)
    assert (card["options"], card["start"]) == ({"players": "2"}, None)
    assert card["commit"]
    share, error = card["strength"]["the policy without it"]
    assert 0 <= share <= 1
    assert 0 <= error <= 0.25


def test_a_net_of_the_command_ships_for_two_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "net.npz"
    run(monkeypatch, *f"--steps 1 --games 2 --units 4 4 --out {out}".split())
    shipped = Net.load(PRIORS)
    assert set(shipped.card) == set(Net.load(out).card)
    assert shipped.card["done"] == shipped.card["steps"]
    assert (shipped.card["start"], shipped.card["options"]) == (None, {"players": "2"})
    assert "dirty" not in str(shipped.card["commit"])
    for seats in range(2, 7):
        assert (prior_net_for(seats) is not None) == (seats == 2)


def test_the_same_seed_gives_the_same_net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outs = [tmp_path / name for name in ("one.npz", "two.npz", "other.npz")]
    for out, seed in zip(outs, (3, 3, 4), strict=True):
        run(monkeypatch, *f"--steps 2 --games 8 --units 4 4 --seed {seed} --out {out}".split())
    one, two, other = (Net.load(out).weights for out in outs)
    for name in ("w1", "b1", "w2", "b2", "wp", "bp"):
        assert np.array_equal(one[name], two[name])
    assert not np.array_equal(one["w1"], other["w1"])


def test_what_is_kept_now_and_then_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "net.npz"
    monkeypatch.setattr(prior_net, "TEST_STEPS", 2)
    run(monkeypatch, *f"--steps 5 --games 2 --units 4 4 --out {out}".split())
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told] == ["step 2", "step 4", "step 5"]
    assert Net.load(out).card["done"] == 5


def test_the_command_begins_with_a_given_net(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, out = tmp_path / "start.npz", tmp_path / "net.npz"
    begun = random_net(12)
    begun.save(start)
    words = f"--steps 1 --games 8 --rate 0.01 --units 20 20 --start {start} --out {out}"
    run(monkeypatch, *words.split())
    net = Net.load(out)
    assert net.card["start"] == str(start)
    for name in ("w1", "b1", "w2", "b2", "wp", "bp"):
        assert np.allclose(net.weights[name], begun.weights[name], atol=1e-3)
    assert not np.array_equal(net.weights["wp"], begun.weights["wp"])


def test_an_answer_to_a_net_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To one with a blind preference, which a few steps find out about."""
    game = plain_game("code_of_chivalry", {"players": "2"})
    weights = first_weights(game, (4, 4), 1)
    weights["bp"] = -np.arange(game.num_actions, dtype=np.float64) / 10
    rival, out = tmp_path / "rival.npz", tmp_path / "net.npz"
    net_of(game, weights, {}).save(rival)
    begun = rival.read_bytes()
    monkeypatch.setattr(prior_net, "MEMORY", 0.0)
    words = f"--steps 40 --games 100 --units 4 4 --rate 0.3 --start {rival} --rival {rival}"
    run(monkeypatch, *words.split(), "--out", str(out))
    assert capsys.readouterr().out.endswith(f"% against the policy with {rival}\n")
    assert rival.read_bytes() == begun
    net = Net.load(out)
    assert net.card["rival"] == str(rival)
    assert prior_net.contest(game, net, 2000, 1, Net.load(rival)).share > 0.55
    assert prior_net.contest(game, Net.load(rival), 2000, 1, net).share < 0.45


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rate", "0"], "0 is not above 0 and at most 1.0"),
        (["--rate", "nan"], "nan is not above 0"),
        (["--steps", "-1"], "-1 is not at least 0"),
        (["--games", "1"], "1 is not at least 2"),
        (["--units", "0", "4"], "0 is not at least 1"),
        (["--units", "257", "4"], "257 units; it must have 1 to 256"),
        (["--seed", "-1"], "-1 is not at least 0"),
        (["--trace", "1.5"], "trace is 1.5; it must be 0 to 1"),
        (["--entropy", "-1"], "entropy is -1.0; it must be 0 to 1"),
        (["--option", "nonsense"], "players=2 nonsense; write NAME=VALUE"),
        (["--option", "players=9"], "players"),
        (["--out", "/no/such/folder/net.npz"], "there is no folder /no/such/folder"),
        (["--steps", "0", "--out", "net.npz", "--match", "4"], "there is nothing to write"),
        (["--start", "/no/such/file.npz"], "the net /no/such/file.npz can't be read"),
        (["--start", __file__], "is no net"),
        (["--start", str(KNAVES_TWO_SEATS)], "its game is knaves_out, not code_of_chivalry"),
        (["--start", str(VALUES_FOUR_SEATS)], "its number of seats is 4, not 2"),
        (["--rival", "/no/such/file.npz"], "the net /no/such/file.npz can't be read"),
        (["--rival", str(VALUES_FOUR_SEATS)], "its number of seats is 4, not 2"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_learned(
    words: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, "--steps", "1", "--games", "2", *words)
    printed = capsys.readouterr()
    assert message in printed.err
    assert not printed.out


def test_a_net_without_a_policy_head_is_no_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = random_net(4)
    weights = {name: array for name, array in whole.weights.items() if name not in ("wp", "bp")}
    start = tmp_path / "start.npz"
    Net(whole.card, weights).save(start)
    with pytest.raises(SystemExit):
        run(monkeypatch, "--steps", "1", "--games", "2", "--start", str(start))
    assert "policy head" in capsys.readouterr().err


def test_the_search_with_a_net_plays_the_search_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Few simulations follow their priors, and lose by those of a net with blind preferences."""
    game = plain_game("code_of_chivalry", {"players": "2"})
    weights = first_weights(game, (4, 4), 1)
    weights["bp"] = np.random.default_rng(1).normal(0, 20, game.num_actions)
    path = tmp_path / "blind.npz"
    net_of(game, weights, {"options": {}}).save(path)
    run(monkeypatch, *f"--steps 0 --start {path} --match 60 --simulations 4".split())
    told = capsys.readouterr().out
    found = re.fullmatch(
        r"with 4 simulations: (.+)% ± .+% of 60 games against the search without it\n", told
    )
    assert found is not None, told
    assert float(found[1]) < 35


def test_the_games_of_a_match_are_those_that_were_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match has two groups at least, with the first search in each seat."""
    run(monkeypatch, *["--steps", "0", "--match", "1", "--simulations", "1"])
    told = capsys.readouterr().out
    assert told.startswith("with 1 simulation: ")
    assert " of 4 games against " in told
