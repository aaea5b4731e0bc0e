"""The weights that a record of what a seat has seen gives to worlds."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import Budget
from kingmaker.search.ismcts import NUM_BATCHES
from kingmaker.search.position import Observation, Position, new_game, parse_observation
from kingmaker.search.record import Record, RivalPolicy, Seen, past_of, seen_at, seen_so_far
from kingmaker.search.run import Search, analyze
from kingmaker.search.worlds import believed_worlds, likely_worlds, sample_worlds, weigh_worlds

from .recorded_games import DEAL, GAMES, KUHN, arbitrary_policy, random_decisions, recorded


def exact_beliefs(
    start: Position, seat: int
) -> dict[tuple[str, tuple[Seen, ...]], dict[str, float]]:
    """Map what a seat sees and has seen at its decisions to the probability of each state."""
    choose = arbitrary_policy(start)
    found: dict[tuple[str, tuple[Seen, ...]], dict[str, float]] = defaultdict(dict)
    open_nodes: list[tuple[Position, tuple[Seen, ...], float]] = [(start, (), 1.0)]
    while open_nodes:
        position, seen, reach = open_nodes.pop()
        if position.is_terminal:
            continue
        if position.seat == seat:
            found[position.observe(seat).text, seen][position.text] = reach
        if position.is_chance:
            parts = {token: float(part) for token, part in position.chance_outcomes().items()}
        elif position.seat == seat:
            parts = dict.fromkeys(position.legal_moves(), 1.0)
        else:
            game = position.game
            policy = choose(position.state, position.seat - 1)
            parts = {game.move_text(move): part for move, part in policy.items()}
        for token, part in parts.items():
            after = (*seen, seen_at(position, token, seat))
            open_nodes.append((position.apply(token), after, reach * part))
    return found


@pytest.mark.parametrize(
    ("start", "seat", "part"),
    [
        (new_game("kuhn_poker"), 1, 1),
        (new_game("kuhn_poker"), 2, 1),
        (new_game("leduc_poker"), 1, 7),
        (new_game("leduc_poker"), 2, 7),
        (new_game("goofspiel", {"cards": 4}), 2, 40),  # the hidden bid of the seat before it
    ],
)
def test_weights_are_the_exact_posterior(start: Position, seat: int, part: int) -> None:
    name = start.game.name
    policy = RivalPolicy(floor=0.0, choose=arbitrary_policy(start))
    beliefs = exact_beliefs(start, seat)
    assert len(beliefs) > 5
    moved = 0.0
    for (line, seen), states in list(beliefs.items())[::part]:
        observation = parse_observation(name, line).with_record(Record(seen, start.game.options))
        # The deal alone makes all worlds of these games equally likely.
        worlds = list({world.text: world for world in sample_worlds(observation, 200, 1)}.values())
        assert {world.text for world in worlds} == set(states)
        weights = weigh_worlds(observation, worlds, 1, policy)
        total = sum(states.values())
        for world, weight in zip(worlds, weights, strict=True):
            assert weight == pytest.approx(states[world.text] / total, rel=1e-9)
            moved = max(moved, abs(weight - 1 / len(worlds)))
    assert moved > 0.1  # they are no test of equal weights


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_past_leads_to_its_world_and_looks_like_the_record(
    name: str, options: dict[str, str]
) -> None:
    stream = np.random.SFC64(5)
    played = found = 0
    for seed in range(3):
        for position, tokens in list(random_decisions(name, options, seed))[::7]:
            seen = recorded(position, tokens, position.seat)
            assert seen.record is not None
            past = past_of(seen, seen.record, RivalPolicy(pasts=1))
            for world in sample_worlds(seen, 5, seed):
                played += 1
                if past.log_likelihood(world.state, stream) is None:
                    continue
                found += 1
                told = [position.game.move_text(move) for move in past.moves]
                begin = new_game(name, options)
                if len(told) < len(tokens):  # a past of the running group of hidden choices
                    history = position.game.history_of(world.state)
                    assert history is not None
                    begin = Position(position.game, history[0])
                assert seen.is_consistent(begin.apply(*told))
                skipped = len(tokens) - len(told)
                assert seen_so_far(begin, told, seen.observer) == seen.record.seen[skipped:]
                if name != "code_of_chivalry":  # there a world leaves open what rivals know
                    assert begin.apply(*told) == world
    # Asked by what they hold, seats of other hands would often have been asked otherwise.
    least = 0.2 if name == "knights_duty" or "auto_pass" in options else 0.85
    assert found > least * played


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_weights_do_not_depend_on_what_is_hidden(name: str, options: dict[str, str]) -> None:
    """Another game that looks the same has the same record, and so the same weights."""
    compared = 0
    games = [step for seed in range(4) for step in random_decisions(name, options, seed)]
    for position, tokens in games[1 :: 1 + len(games) // 12]:
        seen = recorded(position, tokens, position.seat)
        assert seen.record is not None
        worlds = sample_worlds(seen, 8, 3)
        past = past_of(seen, seen.record, RivalPolicy(pasts=1))
        for world in worlds:
            if past.log_likelihood(world.state, np.random.SFC64(1)) is None:
                continue
            told = [position.game.move_text(move) for move in past.moves]
            if told == tokens or len(told) != len(tokens):
                continue
            other = recorded(new_game(name, options).apply(*told), told, position.seat)
            assert other.record == seen.record
            if other.text != seen.text:  # a card was shown that the record has face down (R7.2)
                continue
            assert weigh_worlds(other, worlds, 3) == weigh_worlds(seen, worlds, 3)
            compared += 1
            break
    # In these the worlds tell of the running group of hidden choices alone.
    assert compared or name in ("goofspiel", "knights_duty")


def test_a_bet_makes_a_high_card_likelier() -> None:
    observation = parse_observation("kuhn_poker", KUHN)
    record = Record((Seen(1, "deal:?"), Seen(2, "deal:q"), Seen(1, "bet")))
    game = observation.game

    def value_bettor(state: bytes, seat: int) -> dict[int, float]:
        bet = 0.9 if "p1=k" in game.text(state) else 0.3
        return {game.parse_move("bet"): bet, game.parse_move("pass"): 1 - bet}

    seen = observation.with_record(record)
    worlds = sample_worlds(seen, 50, 1)
    policy = RivalPolicy(floor=0.0, choose=value_bettor)
    weights = weigh_worlds(seen, worlds, 1, policy)
    kings = [w for world, w in zip(worlds, weights, strict=True) if "p1=k" in world.text]
    jacks = [w for world, w in zip(worlds, weights, strict=True) if "p1=j" in world.text]
    assert kings[0] == pytest.approx(3 * jacks[0])
    doubted = weigh_worlds(seen, worlds, 1, replace(policy, power=0.5))
    assert max(doubted) / min(doubted) == pytest.approx(3**0.5)
    floored = weigh_worlds(seen, worlds, 1, replace(policy, floor=1.0))
    assert max(floored) == pytest.approx(min(floored))


def test_worlds_are_weighed_however_unlikely_it_is_what_rivals_did() -> None:
    position, start = new_game("code_of_chivalry"), new_game("code_of_chivalry")
    stream, tokens = np.random.SFC64(3), list[str]()
    while len(tokens) < 40 or not position.seat:
        moves = position.legal_moves()
        tokens.append(moves[-1] if moves else position.sample_outcome(stream))
        position = position.apply(tokens[-1])
    record = Record(seen_so_far(start, tokens, position.seat), {})
    observation = position.observe(position.seat).with_record(record)

    def hardly_ever(state: bytes, seat: int) -> dict[int, float]:
        return dict.fromkeys(position.game.moves_of(state), 1e-310)

    worlds = sample_worlds(observation, 4, 1)
    weights = weigh_worlds(observation, worlds, 1, RivalPolicy(floor=0.0, choose=hardly_ever))
    assert sum(weights) == pytest.approx(1)


def test_believed_worlds_are_there_as_often_as_they_weigh() -> None:
    observation = parse_observation("kuhn_poker", KUHN)
    game = observation.game

    def value_bettor(state: bytes, seat: int) -> dict[int, float]:
        bet = 0.9 if "p1=k" in game.text(state) else 0.1
        return {game.parse_move("bet"): bet, game.parse_move("pass"): 1 - bet}

    seen = observation.with_record(Record((*DEAL, Seen(1, "bet"))))
    policy = RivalPolicy(floor=0.0, choose=value_bettor)
    worlds = believed_worlds(seen, 1000, 2, policy)
    assert sum("p1=k" in world.text for world in worlds) == pytest.approx(900, abs=20)
    equal = believed_worlds(observation, 1000, 2)
    assert sum("p1=k" in world.text for world in equal) == pytest.approx(500, abs=50)


@pytest.mark.parametrize(("bluffs", "weights"), [(0.0, [0, 1]), (0.25, [0.2, 0.8])])
def test_a_world_in_which_a_rival_would_never_do_so_has_no_weight(
    bluffs: float, weights: list[float]
) -> None:
    """Kuhn poker: p1 bets each king, and a part of the queens."""
    start = new_game("kuhn_poker")
    seen = Record(seen_so_far(start, ["deal:q", "deal:j", "bet"], 2))
    observation = start.apply("deal:q", "deal:j", "bet").observe(2).with_record(seen)
    game = observation.game

    def bettor(state: bytes, seat: int) -> dict[int, float]:
        bet = 1.0 if "p1=k" in game.text(state) else bluffs
        return {game.parse_move("bet"): bet, game.parse_move("pass"): 1 - bet}

    worlds = [start.apply(f"deal:{card}", "deal:j", "bet") for card in "qk"]
    policy = RivalPolicy(floor=0.0, choose=bettor)
    assert weigh_worlds(observation, worlds, 1, policy) == pytest.approx(weights)
    assert weigh_worlds(observation, worlds[:1], 1, policy) == [1]


def test_worlds_that_do_not_fit_are_not_weighed() -> None:
    observation = parse_observation("kuhn_poker", KUHN)
    other = new_game("tic_tac_toe")
    with pytest.raises(InputError, match="it is a position of tic_tac_toe") as caught:
        weigh_worlds(observation, [*sample_worlds(observation, 2, 1), other], 1)
    assert caught.value.field == "worlds"
    with pytest.raises(TypeError, match="must be a full state"):
        weigh_worlds(observation, [observation], 1)  # type: ignore[list-item]
    assert weigh_worlds(observation, [], 1) == []


def test_without_a_record_weights_are_equal() -> None:
    observation = parse_observation("kuhn_poker", KUHN)
    assert weigh_worlds(observation, sample_worlds(observation, 4, 1), 1) == [0.25] * 4


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hearts", {}),
        ("code_of_chivalry", {"players": "2"}),
        ("code_of_chivalry", {"players": "4"}),
    ],
)
def test_a_record_changes_searches_of_games_that_use_it(name: str, options: dict[str, str]) -> None:
    position, tokens = list(random_decisions(name, options, 2))[20]
    seen = recorded(position, tokens, position.seat)
    plain = position.observe(position.seat)
    assert seen == plain
    assert seen.text == plain.text

    def values(observation: Observation, **options: str) -> tuple[float, ...]:
        return analyze(
            observation, Budget(simulations=200), engine="ismcts", seed=1, options=options
        ).values

    assert values(seen) == values(seen)
    uses = name == "hearts" or options == {"players": "2"}
    assert position.game.uses_records == uses
    assert (values(seen) == values(plain)) != uses
    multiple = {"observers": "multiple", "selection": "ucb"}
    assert values(seen, **multiple) == values(plain, **multiple)


def test_the_weight_of_a_move_is_its_probability_by_the_policy() -> None:
    """Of the second card of the first trick: what led is the only move."""
    options = {"pass": "none"}
    position, tokens = list(random_decisions("hearts", options, 5))[2]
    seen = recorded(position, tokens, position.seat)
    assert seen.record is not None
    past = past_of(seen, seen.record, RivalPolicy(floor=0.0, pasts=1))
    likelihoods = set()
    for world in sample_worlds(seen, 6, 1):
        likelihood = past.log_likelihood(world.state, np.random.SFC64(1))
        assert likelihood is not None
        told = [world.game.move_text(move) for move in past.moves]
        before, stream = new_game("hearts", options).apply(*told[:-1]), np.random.SFC64(2)
        draws = [before.game.policy_move(before.state, stream) for _ in range(4000)]
        share = draws.count(past.moves[-1]) / 4000
        assert math.exp(likelihood) == pytest.approx(share, abs=0.04)
        likelihoods.add(round(likelihood, 3))
    assert len(likelihoods) > 1


def test_searches_draw_worlds_that_are_closer_to_the_truth() -> None:
    """Each rival holds more of the cards that it has in these worlds than in any that fit."""
    closer = []
    for seed in range(6):
        for position, tokens in list(random_decisions("hearts", {}, seed))[24:44:5]:
            seen = recorded(position, tokens, position.seat)
            likely, _ = likely_worlds(seen, 200, seed, lambda number: False)
            anyhow = sample_worlds(seen, 200, seed)
            closer.append(mean_right(likely, position) - mean_right(anyhow, position))
    assert np.mean(closer) > 3 * np.std(closer) / math.sqrt(len(closer))
    assert np.mean(closer) > 0.3


def mean_right(worlds: list[Position], truth: Position) -> float:
    """How many cards are in the right hand, on average."""
    hands = hands_of(truth)
    return float(
        np.mean(
            [sum(len(a & b) for a, b in zip(hands_of(each), hands, strict=True)) for each in worlds]
        )
    )


def hands_of(position: Position) -> list[set[str]]:
    """The cards that each seat holds."""
    fields = (re.search(rf" p{seat}=([^/]*)/", position.text) for seat in range(1, 5))
    return [set() if each is None else set(each[1].split(",")) for each in fields]


def test_the_time_for_worlds_is_bounded() -> None:
    position, tokens = list(random_decisions("hearts", {}, 2))[30]
    seen = recorded(position, tokens, position.seat)
    assert len(likely_worlds(seen, 1000, 1, lambda number: number == 20)[0]) == 20
    worlds, batches = likely_worlds(seen, 50, 1, lambda number: False)
    assert len(worlds) == len(batches) == 50
    assert list(batches) == sorted(batches)
    assert max(batches) < NUM_BATCHES
    assert Search(seen, Budget(milliseconds=0.001), seed=1).run().best_move
    cancelled = Search(seen, Budget(simulations=10**6), seed=1)
    cancelled.cancel()
    assert cancelled.run().simulations <= 1
