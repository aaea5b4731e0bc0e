"""Games as PettingZoo environments, checked by PettingZoo's own tests and against the rules."""

from __future__ import annotations

import copy
import pickle
import random
import time
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError, StateError, UnknownGameError
from kingmaker.cext.games import GAMES
from tests.random_play import VARIANTS, Variant

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from kingmaker.adapters import pettingzoo as adapter
from kingmaker.adapters.pettingzoo import GameEnv

every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)
every_game = pytest.mark.parametrize("name", GAMES)


def play(env: GameEnv, seed: int) -> tuple[dict[str, float], int]:
    """Play a random game to its end; return the rewards of all agents and the number of steps."""
    env.reset(seed=seed)
    rng = random.Random(seed)
    rewards, steps = {}, 0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        if terminated:
            rewards[agent] = reward
            env.step(None)
            continue
        assert reward == 0
        assert observation is not None
        env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
        steps += 1
    return rewards, steps


@every_variant
@pytest.mark.filterwarnings("ignore:Observation")  # it knows dictionaries of its own games only
def test_the_checks_of_pettingzoo_pass(variant: Variant) -> None:
    api_test(GameEnv(variant.name, variant.options, render_mode="ansi"), num_cycles=50)
    seed_test(lambda: GameEnv(variant.name, variant.options), num_cycles=50)


@every_variant
def test_rewards_are_the_win_shares_of_the_rules(variant: Variant) -> None:
    env = GameEnv(variant.name, variant.options)
    rewards, _ = play(env, seed=1)
    assert list(rewards) == env.possible_agents
    assert list(rewards.values()) == env._table.returns()
    assert sum(rewards.values()) == pytest.approx(1)


@every_variant
def test_masks_and_vectors_are_those_of_the_rules(variant: Variant) -> None:
    env = GameEnv(variant.name, variant.options)
    game, table = env._table.game, env._table
    env.reset(seed=2)
    rng = random.Random(2)
    for _ in range(60):
        if env.terminations[env.agent_selection]:
            break
        legal = {game.index_of(move) for move in game.moves_of(table.state)}
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert np.flatnonzero(seen["observation"]).tolist() == game.features_of(
                game.observed(table.state, seat), seat
            )
            is_to_act = agent == env.agent_selection
            assert set(np.flatnonzero(seen["action_mask"])) == (legal if is_to_act else set())
        env.step(rng.choice(sorted(legal)))


@every_game
def test_a_seed_gives_the_chance_of_a_game(name: str) -> None:
    env = GameEnv(name)
    env.reset(seed=3)
    first = env._table.state
    env.reset(seed=3)
    assert env._table.state == first


def test_chance_is_new_without_a_seed() -> None:
    env = GameEnv("hearts")
    deals = set()
    for _ in range(3):
        env.reset()
        deals.add(env._table.state)
    assert len(deals) == 3


def test_an_action_that_is_not_legal_is_refused_with_the_rule() -> None:
    env = GameEnv("tic_tac_toe")
    env.reset()
    env.step(4)
    with pytest.raises(StateError, match=r"action 4, b2, is not legal: b2 is taken \(R1\.3\)"):
        env.step(4)
    assert env.agent_selection == "seat_2"


@pytest.mark.parametrize("action", [9, -1, 2**40, 2.7, "x", None])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = GameEnv("tic_tac_toe")
    env.reset()
    with pytest.raises(InputError, match="an action is a whole number, 0 to 8; got") as refused:
        env.step(action)
    assert refused.value.field == "action"
    assert refused.value.value == ("null" if action is None else str(action))
    assert env.agent_selection == "seat_1"


def test_a_game_that_is_over_takes_no_action() -> None:
    env = GameEnv("tic_tac_toe")
    env.reset()
    for action in (0, 3, 1, 4, 2):
        env.step(action)
    with pytest.raises(StateError, match="the only action left is None"):
        env.step(5)
    with pytest.raises(StateError, match="the game is over"):
        env._table.play(5)
    for _ in env.possible_agents:
        env.step(None)
    for call in (env.last, partial(env.step, None)):
        with pytest.raises(StateError, match="call reset first"):
            call()


def test_no_action_is_taken_before_the_first_game() -> None:
    with pytest.raises(StateError, match="call reset first"):
        GameEnv("tic_tac_toe").step(4)


def test_nothing_is_seen_before_the_first_game() -> None:
    env = GameEnv("tic_tac_toe", render_mode="ansi")
    for call in (env.last, env.render, partial(env.observe, "seat_1")):
        with pytest.raises(StateError, match="call reset first"):
            call()


def test_arrays_stay_as_they_are_when_the_game_goes_on() -> None:
    env = GameEnv("tic_tac_toe")
    env.reset()
    before = env.observe("seat_1")
    kept = before["action_mask"].copy()
    env.step(0)
    assert (before["action_mask"] == kept).all()
    before["action_mask"][:] = 0  # they are the caller's
    assert env.observe("seat_2")["action_mask"].sum() == 8


@every_game
def test_a_pickle_and_a_copy_go_on_alone_with_the_same_chance(name: str) -> None:
    env = GameEnv(name)
    env.reset(seed=1)
    play_on(env, 3)
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    seen = env.observe(env.agent_selection)
    ends = [play_on(each, 40) for each in copies]
    assert all((env.observe(env.agent_selection)[key] == seen[key]).all() for key in seen)
    assert ends == [play_on(env, 40)] * 2


def play_on(env: GameEnv, steps: int) -> bytes:
    """Play first legal actions, up to the end; return the state."""
    for _ in range(steps):
        if not env.terminations[env.agent_selection]:
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    return env._table.state


def test_the_table_is_drawn_only_on_request() -> None:
    env = GameEnv("tic_tac_toe", render_mode="ansi")
    env.reset()
    env.step(4)
    assert "x" in str(env.render())
    assert GameEnv("tic_tac_toe").render() is None
    with pytest.raises(InputError, match=r"render_mode must be ansi.*; got 'human'"):
        GameEnv("tic_tac_toe", render_mode="human")


def test_a_wrong_seed_is_refused() -> None:
    with pytest.raises(InputError, match="seed is -1; it must be 0 to"):
        GameEnv("tic_tac_toe").reset(seed=-1)
    with pytest.raises(TypeError, match="seed is 'x'; it must be a whole number"):
        GameEnv("tic_tac_toe").reset(seed="x")  # type: ignore[arg-type]


@pytest.mark.parametrize("agent", ["seat_3", 1, None, []])
def test_an_agent_that_there_is_not_is_refused(agent: Any) -> None:
    env = GameEnv("tic_tac_toe")
    env.reset()
    for call in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(InputError, match="an agent is one of seat_1, seat_2; got"):
            call(agent)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGameError, match="there is no game 'go'"):
        GameEnv("go")


def test_a_game_without_features_is_refused(
    drawn_card: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = SimpleNamespace(game=drawn_card.NoFeatures())
    monkeypatch.setattr(adapter, "new_game", lambda name, options: start)
    with pytest.raises(InputError, match="drawn_card has no features or no numbered actions"):
        GameEnv("drawn_card")


@pytest.mark.slow
@every_game
def test_a_thousand_random_games_end_well(name: str) -> None:
    env = GameEnv(name)
    for seed in range(1000):
        rewards, _ = play(env, seed)
        assert sum(rewards.values()) == pytest.approx(1)
        assert env.agents == []


@pytest.mark.slow
def test_a_small_game_makes_at_least_fifty_thousand_steps_a_second() -> None:
    """Half of what an idle machine does; the loop's own choice from the mask is counted."""
    env, best = GameEnv("tic_tac_toe"), 0.0
    for _ in range(5):
        start, steps = time.thread_time(), 0
        for seed in range(300):
            env.reset(seed=seed)
            for _ in env.agent_iter():
                observation, _, terminated, _, _ = env.last()
                assert observation is not None
                env.step(None if terminated else int(observation["action_mask"].argmax()))
                steps += 1
        best = max(best, steps / (time.thread_time() - start))
    assert best > 50_000
