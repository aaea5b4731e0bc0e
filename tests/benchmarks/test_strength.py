"""How matches are told."""

from __future__ import annotations

import json
import sys

import pytest

from kingmaker.benchmarks import strength
from kingmaker.benchmarks.exploit import MIXED
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.position import Observation, new_game, parse_position
from kingmaker.search.run import Search

PLAYED = (
    "2c,3c,4c,5c,6c,7c,8c,9c,tc,jc,qc,kc,ks",
    "ac,3d,4d,5d,6d,7d,8d,9d,td,jd,qd,kd,qs",
    "2d,ad,2h,3h,4h,5h,6h,7h,8h,9h,th,jh,qh",
    "kh,ah,2s,3s,4s,5s,6s,7s,8s,9s,ts,js,as",
)


def end_of_hearts(*points: int) -> str:
    seats = [f"p{i}=-/{PLAYED[i - 1]}/-/-/{points[i - 1]}" for i in range(1, 5)]
    return f"hearts direction=none {' '.join(seats)} trick=- node=end"


@pytest.mark.parametrize(
    ("points", "below_mean"),
    [
        ((19, 7, 0, 0), [-12.5, -0.5, 6.5, 6.5]),
        ((0, 26, 0, 0), [-6.5, 19.5, -6.5, -6.5]),  # shot the moon: 26, 0, 26, 26
    ],
)
def test_points_of_hearts_are_reported_below_the_mean_of_the_table(
    points: tuple[int, ...], below_mean: list[float]
) -> None:
    end = parse_position("hearts", end_of_hearts(*points))
    assert strength._points_below_mean(end) == below_mean


@pytest.mark.parametrize(("asked", "played"), [(1, 4), (4, 4), (5, 6)])
def test_every_deal_is_played_in_all_seats_and_at_least_two_are(asked: int, played: int) -> None:
    bot = strength.make_bot("random", Budget(simulations=1))
    assert strength.play_match("tic_tac_toe", {}, bot, bot, asked, seed=1).num_games == played


def test_the_better_bot_wins_most_games_in_both_seats() -> None:
    search = strength.make_bot("mcts", Budget(simulations=200))
    chance = strength.make_bot("random", Budget(simulations=1))
    result = strength.play_match("tic_tac_toe", {}, search, chance, 20, seed=1)
    assert result.mean > 0.8


def test_a_bot_may_have_a_budget_of_its_own() -> None:
    observation = new_game("connect_four").observe(1)
    few, many = Budget(simulations=20), Budget(simulations=3000)
    own, same = (strength.make_bot(f"mcts{option}", many) for option in (":simulations=20", ""))
    wanted = strength.make_bot("mcts", few)
    seeds = range(10)
    assert [own(observation, seed) for seed in seeds] == [wanted(observation, i) for i in seeds]
    assert [same(observation, seed) for seed in seeds] != [wanted(observation, i) for i in seeds]


def test_a_bot_may_have_a_time_of_its_own() -> None:
    read = strength.read_engine("ismcts:max_depth=2:ms=2.5", Budget(milliseconds=50))
    assert read == ("ismcts", {"max_depth": "2"}, Budget(milliseconds=2.5))
    _, _, both = strength.read_engine(":ms=2.5:simulations=9", Budget(milliseconds=50))
    assert both == Budget(milliseconds=2.5, simulations=9)


def test_a_match_tells_its_standing_after_each_deal() -> None:
    bot = strength.make_bot("random", Budget(simulations=1))
    told: list[int] = []
    strength.play_match(
        "tic_tac_toe",
        {},
        bot,
        bot,
        8,
        seed=1,
        watch=lambda standing: told.append(standing.num_games),
    )
    assert told == [4, 6, 8]


def test_a_bot_that_mixes_draws_its_moves_by_the_seed() -> None:
    bot = strength.make_bot("ismcts", Budget(simulations=2000))
    observation = parse_position("knights_duty", MIXED["sword_spear"]).observe(1)
    drawn = [bot(observation, seed) for seed in range(12)]
    assert drawn == [
        select_move(observation, Budget(simulations=2000), seed=i)[0] for i in range(12)
    ]
    assert len(set(drawn)) > 1


def test_a_bot_that_does_not_mix_plays_the_best_move() -> None:
    bot = strength.make_bot("ismcts:selection=ucb:observers=multiple", Budget(simulations=2000))
    observation = parse_position("knights_duty", MIXED["sword_spear"]).observe(1)
    options = {"observers": "multiple", "selection": "ucb"}
    for seed in range(4):
        search = Search(observation, Budget(simulations=2000), seed=seed, options=options)
        assert bot(observation, seed) == search.run().best_move


def test_the_cheat_sees_the_cards_of_others_and_nobody_else_does() -> None:
    seen: list[object] = []
    search = strength.make_bot("ismcts", Budget(simulations=100))

    def fair(observation: Observation, seed: int) -> str:
        seen.append(observation)
        return search(observation, seed)

    cheat = strength.Cheat(Budget(simulations=100))
    result = strength.play_match("leduc_poker", {}, cheat, fair, 200, seed=1)
    assert result.mean - 2 * result.standard_error > 0.5
    assert {type(each) for each in seen} == {Observation}


def test_another_version_plays_over_a_pipe() -> None:
    budget = Budget(simulations=50)
    other = strength.make_other_version("mcts:exploration=0.5", budget, sys.executable)
    same = strength.make_bot("mcts:exploration=0.5", budget)
    observation = new_game("connect_four").observe(1)
    assert [other(observation, seed) for seed in range(8)] == [
        same(observation, seed) for seed in range(8)
    ]


def test_a_version_that_cannot_play_is_named() -> None:
    budget = Budget(simulations=50)
    other = strength.make_other_version("no_such_engine", budget, sys.executable)
    with pytest.raises(RuntimeError, match="ended at"):
        other(new_game("connect_four").observe(1), 1)


def played(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    game = ["--game", "tic_tac_toe", "--games", "4", "--simulations", "5"]
    monkeypatch.setattr("sys.argv", ["strength", *game, *words])
    strength.main()


@pytest.mark.parametrize(
    "first", ["level:1", "mcts:simulations=3", "greedy", "cheat:simulations=9"]
)
def test_the_command_plays_levels_engines_and_the_cheat(
    first: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played(monkeypatch, "--first", first, "--second", "random")
    told = json.loads(capsys.readouterr().out)
    assert (told["first"], told["second"], told["games"]) == (first, "random", 4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--first", "mcts:fast"], "'fast' is no option; write name=value"),
        (["--first", "nobody"], "nobody"),
        (["--first", "level:11"], "level"),
        (["--first", "cheat:playout=uniform"], "cheat takes simulations and ms only"),
        (["--first", "mcts", "--option", "size"], "'size' is no option; write name=value"),
        (["--first", "mcts", "--simulations", "0"], "simulations is 0"),
    ],
)
def test_the_command_says_what_is_wrong(
    words: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        played(monkeypatch, *words, "--second", "random")
    assert message in capsys.readouterr().err
