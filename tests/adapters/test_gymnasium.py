"""Games as Gymnasium environments, against bots."""

from __future__ import annotations

import copy
import pickle
import random
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.games import GAMES
from kingmaker.search import levels
from kingmaker.search.position import Observation

pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env

from kingmaker.adapters import gymnasium as adapter
from kingmaker.adapters.gymnasium import BotsEnv

every_game = pytest.mark.parametrize("name", GAMES)
QUICK: dict[str, Any] = {"level": 1, "simulations": 10}


def play(env: BotsEnv, seed: int, steps: int = 1000) -> list[tuple[Any, ...]]:
    """Play legal moves at random; return what each step and the reset gave."""
    rng = random.Random(seed)
    features, info = env.reset(seed=seed)
    found: list[tuple[Any, ...]] = [(env.seat, features.tolist(), info["action_mask"].tolist())]
    for _ in range(steps):
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        features, reward, terminated, truncated, info = env.step(action)
        found.append((action, features.tolist(), reward, terminated))
        assert not truncated
        assert "illegal" not in info
        if terminated:
            break
        assert reward == 0
    return found


@every_game
@pytest.mark.filterwarnings("ignore:.*(render_fps|render fps|alternative render modes)")
def test_the_checks_of_gymnasium_pass(name: str) -> None:
    check_env(BotsEnv(name, seat=1, render_mode="ansi", **QUICK))


@every_game
def test_the_same_seed_and_actions_give_the_same_game(name: str) -> None:
    first, second = (play(BotsEnv(name, **QUICK), seed=5, steps=4) for _ in range(2))
    assert first == second


@every_game
def test_the_agent_decides_at_its_own_seat_alone(name: str) -> None:
    env = BotsEnv(name, seat=2, **QUICK)
    env.reset(seed=1)
    table = env._table
    for _ in range(5):
        mask = env.action_masks()
        assert table.node == 1
        assert mask.any()
        assert np.flatnonzero(mask).tolist() == sorted(
            table.game.index_of(move) for move in table.game.moves_of(table.state)
        )
        _, _, terminated, _, _ = env.step(int(mask.argmax()))
        if terminated:
            break


def test_the_seat_is_drawn_if_none_is_fixed() -> None:
    env = BotsEnv("hearts", **QUICK)
    seats = set()
    for seed in range(20):
        env.reset(seed=seed)
        seats.add(env.seat)
    assert seats == {1, 2, 3, 4}


def test_a_game_has_its_win_share_as_the_last_reward() -> None:
    env = BotsEnv("leduc_poker", seat=1, **QUICK)
    for seed in range(20):
        *_, (_, _, reward, terminated) = play(env, seed)
        assert terminated
        assert reward == env._table.returns()[0]


def test_bots_get_no_more_than_their_seats_see(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Observation] = []
    choose = levels.choose_move

    def watched(observation: Observation, *args: Any, **options: Any) -> str:
        asked.append(observation)
        return choose(observation, *args, **options)

    monkeypatch.setattr(adapter, "choose_move", watched)
    play(BotsEnv("hearts", seat=1, **QUICK), seed=1, steps=20)
    assert asked
    assert all(observation.observer == observation.seat for observation in asked)


def test_an_action_that_is_not_legal_loses_the_game_and_says_why() -> None:
    env = BotsEnv("tic_tac_toe", seat=1, **QUICK)
    env.reset(seed=1)
    env.step(4)
    _, reward, terminated, _, info = env.step(4)
    assert (reward, terminated) == (0, True)
    assert info["illegal"] == "action 4, b2, is not legal: b2 is taken (R1.3)"


@pytest.mark.parametrize("action", [9, -1, 2**40, 2.7, "x", None])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = BotsEnv("tic_tac_toe", seat=1, **QUICK)
    env.reset(seed=1)
    with pytest.raises(InputError, match="an action is a whole number, 0 to 8; got") as refused:
        env.step(action)
    assert refused.value.field == "action"
    assert refused.value.value == ("null" if action is None else str(action))
    assert env.action_masks().all()


def test_no_action_is_taken_before_the_first_game_and_after_the_end() -> None:
    env = BotsEnv("tic_tac_toe", seat=1, **QUICK)
    with pytest.raises(StateError, match="call reset first"):
        env.step(4)
    play(env, seed=1)
    with pytest.raises(StateError, match="call reset first"):
        env.step(4)
    env.reset(seed=1)
    env.step(4)
    env.step(4)
    with pytest.raises(StateError, match="call reset first"):
        env.step(env.action_masks().argmax())


def test_nothing_is_legal_after_an_action_that_was_not() -> None:
    env = BotsEnv("tic_tac_toe", seat=1, **QUICK)
    env.reset(seed=1)
    env.step(4)
    *_, info = env.step(4)
    assert not env.action_masks().any()
    assert not info["action_mask"].any()
    env.reset(seed=1)
    assert env.action_masks().all()


def test_nothing_is_seen_before_the_first_game() -> None:
    env = BotsEnv("tic_tac_toe", seat=1, render_mode="ansi", **QUICK)
    for call in (env.action_masks, env.render):
        with pytest.raises(StateError, match="call reset first"):
            call()


def test_stronger_bots_leave_less() -> None:
    def share(level: int) -> float:
        env = BotsEnv("tic_tac_toe", level=level, simulations=500)
        return float(np.mean([play(env, seed)[-1][2] for seed in range(60)]))

    assert share(1) > share(10) + 0.2


def test_what_is_drawn_is_what_the_seat_sees() -> None:
    env = BotsEnv("leduc_poker", seat=1, render_mode="ansi", **QUICK)
    env.reset(seed=1)
    assert "?" in str(env.render())
    assert BotsEnv("leduc_poker").render() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, "seat is 3; it must be 1 to 2, or 0 for any"),
        ({"level": 11}, "level is 11; it must be 1 to 10"),
        ({"simulations": 0}, "simulations"),
        ({"engine": "oracle"}, "engine"),
        ({"render_mode": "human"}, "render_mode must be ansi, or None for no drawing"),
    ],
)
def test_wrong_arguments_are_refused_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        BotsEnv("tic_tac_toe", **options)


def test_a_pickle_and_a_copy_go_on_alone_with_the_same_chance_and_bots() -> None:
    env = BotsEnv("leduc_poker", seat=1, simulations=20)
    env.reset(seed=1)
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    ends = [rewards_of(each) for each in copies]
    assert ends == [rewards_of(env)] * 2


def rewards_of(env: BotsEnv) -> list[float]:
    """Play some games by first legal actions; return their rewards."""
    rewards: list[float] = []
    while len(rewards) < 5:
        _, reward, is_over, _, _ = env.step(int(env.action_masks().argmax()))
        if is_over:
            rewards.append(reward)
            env.reset()
    return rewards


def test_a_seat_that_is_no_number_is_refused() -> None:
    with pytest.raises(
        TypeError, match="seat is 'x'; it must be a whole number, 1 to 2, or 0 for any"
    ):
        BotsEnv("tic_tac_toe", seat="x")  # type: ignore[arg-type]


def test_a_wrong_seed_is_refused() -> None:
    with pytest.raises(InputError, match="seed is -1; it must be 0 to"):
        BotsEnv("tic_tac_toe").reset(seed=-1)
    with pytest.raises(TypeError, match="seed is 'x'; it must be a whole number"):
        BotsEnv("tic_tac_toe").reset(seed="x")  # type: ignore[arg-type]


def test_a_game_without_features_is_refused(
    drawn_card: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = SimpleNamespace(game=drawn_card.NoFeatures())
    monkeypatch.setattr(adapter, "new_game", lambda name, options: start)
    with pytest.raises(InputError, match="drawn_card has no features or no numbered actions"):
        BotsEnv("drawn_card")


@pytest.mark.slow
@every_game
def test_whole_random_games_end_well(name: str) -> None:
    env = BotsEnv(name, engine="random", level=10, simulations=1)
    for seed in range(200):
        *_, (_, _, reward, terminated) = play(env, seed)
        assert terminated
        assert 0 <= reward <= 1
