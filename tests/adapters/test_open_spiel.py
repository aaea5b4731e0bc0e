"""Games registered with OpenSpiel: its own tests, its algorithms, and what a player may know."""

from __future__ import annotations

import pickle
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.games import GAMES
from kingmaker.search.analysis import Budget
from kingmaker.search.games import game_types
from kingmaker.search.position import new_game
from tests.facts import FACTS
from tests.random_play import VARIANTS, Variant

pytest.importorskip("pyspiel")

import pyspiel
from absl import flags
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    ismcts,
    mcts,
)
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.games import tic_tac_toe
from open_spiel.python.observation import make_observation

from kingmaker.adapters.open_spiel import GameState, SearchBot, state_of

ROOT = Path(__file__).parents[2]
PLAYTHROUGHS = "open_spiel.python.algorithms.generate_playthrough"
HIDDEN = [name for name in GAMES if GAMES[name].is_hidden]
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def load(variant: Variant) -> Any:
    return state_of(new_game(variant.name, variant.options)).get_game()


def play(game: Any, seed: int, most: int = 60) -> list[GameState]:
    """Return the states of a random game, from its start on."""
    rng = np.random.RandomState(seed)
    state = game.new_initial_state()
    states = [state.clone()]
    while not state.is_terminal() and len(states) < most:
        if state.is_chance_node():
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(actions, p=probabilities))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        states.append(state.clone())
    return states


def apply(state: GameState, *actions: int) -> None:
    for action in actions:
        state.apply_action(action)


def first_choice(name: str, seed: int = 1) -> GameState:
    """Return a state in which there is a choice, some way into a game."""
    states = play(pyspiel.load_game(f"kingmaker_{name}"), seed)
    choices = [s for s in states if s.current_player() >= 0 and len(s.legal_actions()) > 1]
    return choices[min(4, len(choices) - 1)]


def python_ismcts(state: GameState, simulations: int) -> Any:
    random = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = ismcts.ISMCTSBot(state.get_game(), evaluator, 1.0, simulations, random_state=random)
    # By itself it draws worlds from a sampler that has no seed.
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, random.uniform))
    return bot


def test_every_game_with_features_is_registered() -> None:
    names = {f"kingmaker_{name}" for name, kind in game_types().items() if kind().num_features}
    assert names <= set(pyspiel.registered_names())


@every_variant
def test_the_rules_and_those_that_open_spiel_plays_agree(variant: Variant) -> None:
    rules = variant.new()
    for state in play(load(variant), seed=4):
        here = state.trace.state
        node = rules.node_of(here)
        assert str(state) == rules.text(here)
        assert state.is_terminal() == (node == -2)
        if node >= 0:
            assert state.current_player() == node
            tokens = {state.action_to_string(action) for action in state.legal_actions()}
            assert tokens == {rules.move_text(move) for move in rules.moves_of(here)}
            assert state.legal_actions() == sorted(state.legal_actions())
        elif node == -1:
            told = {state.action_to_string(a): p for a, p in state.chance_outcomes()}
            assert told == {rules.move_text(move): p for move, p in rules.outcomes_of(here)}
        else:
            mean = 1 / rules.num_seats
            assert state.returns() == [share - mean for share in rules.returns_of(here)]


@every_variant
def test_a_player_knows_the_same_in_every_world_that_is_drawn_for_it(variant: Variant) -> None:
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for state in play(load(variant), seed=5, most=40):
        for player in range(state.num_players()):
            world = state.resample_from_infostate(player, sampler)
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.observation_string(player) == state.observation_string(player)
            assert world.observation_tensor(player) == state.observation_tensor(player)
            assert world.history() == []  # that of the true state has the hidden cards


def test_worlds_differ_in_what_is_hidden() -> None:
    state = first_choice("hearts")
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    player = state.current_player()
    worlds = {str(state.resample_from_infostate(player, sampler)) for _ in range(5)}
    assert len(worlds) == 5


def test_an_information_state_tells_ways_apart_that_look_the_same_now() -> None:
    game = pyspiel.load_game("kingmaker_tic_tac_toe")
    first, second = game.new_initial_state(), game.new_initial_state()
    apply(first, 0, 1, 2, 3)
    apply(second, 2, 3, 0, 1)
    assert first.observation_string(0) == second.observation_string(0)
    assert first.information_state_string(0) != second.information_state_string(0)


def test_an_information_state_hides_what_the_player_has_not_seen() -> None:
    game = pyspiel.load_game("kingmaker_kuhn_poker")
    deals = [game.new_initial_state() for _ in range(2)]
    for state, second_card in zip(deals, (0, 1), strict=True):
        state.apply_action(0)
        state.apply_action(second_card)
    assert deals[0].information_state_string(0) == deals[1].information_state_string(0)
    assert deals[0].information_state_string(1) != deals[1].information_state_string(1)


def test_kuhn_poker_has_its_twelve_information_sets() -> None:
    game = pyspiel.load_game("kingmaker_kuhn_poker")
    found: set[str] = set()

    def walk(state: GameState) -> None:
        if state.is_terminal():
            return
        if not state.is_chance_node():
            found.add(state.information_state_string())
        for action in state.legal_actions():
            walk(state.child(action))

    walk(game.new_initial_state())
    assert len(found) == 12


def test_cfr_of_open_spiel_solves_kuhn_poker() -> None:
    game = pyspiel.load_game("kingmaker_kuhn_poker")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.01


def test_utilities_of_kuhn_poker_are_quarters_of_chips() -> None:
    game = pyspiel.load_game("kingmaker_kuhn_poker")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    first, second = policy_value(game.new_initial_state(), [policy, policy])
    assert first * 4 == pytest.approx(-1 / 18, abs=1e-3)  # chips, by Kuhn 1950
    assert first + second == pytest.approx(0)


def test_a_tensor_that_is_not_provided_is_empty_as_in_its_own_games_in_python() -> None:
    for game in (pyspiel.load_game("kingmaker_leduc_poker"), tic_tac_toe.TicTacToeGame()):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        assert not game.get_type().provides_information_state_tensor
        assert state.information_state_tensor() == []


def test_clones_and_pickles_go_on_alone() -> None:
    state = first_choice("leduc_poker")
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(clone) != str(state)
    trace = pickle.loads(pickle.dumps(clone.trace))
    assert trace.state == clone.trace.state
    assert trace.digest(0) == clone.trace.digest(0)


def test_observers_show_nobodys_ones_and_everybodys_cards() -> None:
    state = first_choice("leduc_poker")
    game = state.get_game()

    def seen(private: Any) -> str:
        kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=private)
        return str(make_observation(game, kind).string_from(state, 0))

    assert seen(pyspiel.PrivateInfoType.ALL_PLAYERS) == str(state)
    spectator = seen(pyspiel.PrivateInfoType.NONE)
    assert spectator.count("?") > seen(pyspiel.PrivateInfoType.SINGLE_PLAYER).count("?")
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"size": 1})


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("kingmaker_code_of_chivalry(players=3,first_player=p2)")
    assert game.num_players() == 3
    assert game.min_utility() == pytest.approx(-1 / 3)
    text = str(game.new_initial_state())
    assert text == new_game("code_of_chivalry", {"players": 3, "first_player": "p2"}).text
    with pytest.raises(InputError, match="players is a number from 2 to 6"):
        pyspiel.load_game("kingmaker_code_of_chivalry(players=9)")


@pytest.mark.parametrize("name", HIDDEN)
def test_its_ismcts_in_python_searches_our_games(name: str) -> None:
    state = first_choice(name)
    assert python_ismcts(state, 3).step(state) in state.legal_actions()


@pytest.mark.parametrize("name", GAMES)
def test_our_bot_plays_legal_moves(name: str) -> None:
    state = first_choice(name)
    assert SearchBot(Budget(simulations=50)).step(state) in state.legal_actions()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed is -1; it must be 0 to"),
        ({"level": 77}, "level is 77; it must be 1 to 10"),
        ({"engine": "zz"}, "there is no engine 'zz'"),
    ],
)
def test_our_bot_refuses_wrong_arguments_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SearchBot(Budget(simulations=50), **options)


def test_what_is_no_budget_or_position_is_refused() -> None:
    with pytest.raises(TypeError, match="budget is 50; it must be a Budget"):
        SearchBot(50)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a name in options is 1; it must be a text"):
        SearchBot(Budget(simulations=50), options={1: 2})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match=r"position is Observation.* it must be a full state"):
        state_of(new_game("tic_tac_toe").observe(1))  # type: ignore[arg-type]


def test_our_bot_refuses_a_game_that_is_over() -> None:
    state = pyspiel.load_game("kingmaker_tic_tac_toe").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(StateError, match="the game is over"):
        SearchBot(Budget(simulations=5)).step(state)


def test_our_bot_blocks_a_row() -> None:
    state = pyspiel.load_game("kingmaker_tic_tac_toe").new_initial_state()
    apply(state, 0, 4, 1)  # the corner must be blocked
    assert SearchBot(Budget(simulations=2000)).step(state) == 2


def match(name: str, bots: list[Any], seed: int) -> list[float]:
    """Play one game between bots and return their utilities."""
    random = np.random.RandomState(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choice(actions, p=probabilities))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    returns: list[float] = state.returns()
    return returns


@pytest.mark.slow
def test_its_ismcts_and_our_bot_play_whole_games() -> None:
    name = "kingmaker_goofspiel(cards=5)"
    theirs = python_ismcts(pyspiel.load_game(name).new_initial_state(), 10)
    ours = SearchBot(Budget(simulations=2000))
    total = sum(match(name, [ours, theirs], seed)[0] for seed in range(50))
    total += sum(match(name, [theirs, ours], seed)[1] for seed in range(50))
    assert total > 0


def test_our_bot_plays_in_a_match_run_by_open_spiel() -> None:
    game = pyspiel.load_game("kingmaker_connect_four")
    ours, random = SearchBot(Budget(simulations=300)), pyspiel.make_uniform_random_bot(1, 1)
    wins = [pyspiel.evaluate_bots(game.new_initial_state(), [ours, random], n) for n in range(10)]
    assert wins == [[0.5, -0.5]] * 10


@pytest.mark.parametrize("name", ["connect_four", "goofspiel", "leduc_poker"])
def test_simulations_of_open_spiel_pass(name: str) -> None:
    game = pyspiel.load_game(f"kingmaker_{name}")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["goofspiel", "leduc_poker"])
def test_a_playthrough_of_open_spiel_is_reproduced(name: str, tmp_path: Path) -> None:
    check_playthrough(f"kingmaker_{name}", tmp_path)


def check_playthrough(name: str, folder: Path) -> None:
    # Loads all of scipy.stats, for which whoever collects tests need not wait.
    generate_playthrough = import_module(PLAYTHROUGHS)
    flags.FLAGS(["playthrough"])
    path = folder / "playthrough.txt"
    path.write_text(generate_playthrough.playthrough(name, action_sequence=None, seed=7))
    expected, actual = generate_playthrough.replay(str(path))
    assert expected == actual


def digits(vector: npt.NDArray[np.float32]) -> str:
    """Write a vector of zeros and ones, as OpenSpiel does in ten times the time."""
    ones = vector.astype("uint8")
    assert (ones == vector).all()
    assert ones.max(initial=0) <= 1
    return str(ones.tobytes().hex()[1::2])


@pytest.mark.slow
@every_variant
def test_simulations_and_playthroughs_of_all_games_pass(
    variant: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenSpiel replays a game from its start at each of its moves."""
    monkeypatch.setattr(f"{PLAYTHROUGHS}._format_vec", digits)
    game = load(Variant(variant.name, variant.options | FACTS[variant.name].brief_options))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    check_playthrough(str(game), tmp_path)


@pytest.mark.slow
def test_the_report_on_the_bot_in_cpp_holds() -> None:
    """Its program dies; when it no longer does, docs/adapters.md is to say so."""
    page = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    report = "".join(re.findall(r"^> ?(.*\n)", page, re.MULTILINE))
    [program] = re.findall(r"```python\n(.*?)```", report, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGSEGV


def test_an_action_that_is_not_legal_is_refused() -> None:
    state = pyspiel.load_game("kingmaker_tic_tac_toe").new_initial_state()
    state.apply_action(4)
    with pytest.raises(StateError, match=r"action 4, b2, is not legal: b2 is taken"):
        state.apply_action(4)
    with pytest.raises(InputError, match="action is 9; it must be 0 to 8"):
        state.apply_action(9)
    assert str(state) == "ttt board=.../.x./... node=play:p2"
    apply(state, 0, 3, 1, 5)
    with pytest.raises(StateError, match="the game is over"):
        state.apply_action(2)


@pytest.mark.parametrize("outcome", [-2, 3])
def test_what_is_no_outcome_of_chance_is_refused(outcome: int) -> None:
    state = pyspiel.load_game("kingmaker_kuhn_poker").new_initial_state()
    with pytest.raises(InputError, match=f"an outcome is 0 to 2; got {outcome}"):
        state.apply_action(outcome)
