"""Records of what a seat has seen, and the weights that they give to worlds."""

from __future__ import annotations

import hashlib
import math
import pickle
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import Budget
from kingmaker.search.ismcts import NUM_BATCHES
from kingmaker.search.position import Observation, Position, new_game, parse_observation
from kingmaker.search.record import (
    MAX_RECORD,
    Record,
    RivalPolicy,
    Seen,
    past_of,
    seen_at,
    seen_so_far,
)
from kingmaker.search.run import Search, analyze
from kingmaker.search.worlds import (
    believed_worlds,
    likely_worlds,
    sample_worlds,
    weigh_worlds,
)

KUHN = "kuhn p1=? p2=q bets=b node=play:p2 @p2"
DEAL = (Seen(1, "deal:?"), Seen(2, "deal:q"))

POKER = ["kuhn_poker", "leduc_poker"]
GAMES = [
    ("kuhn_poker", {}),
    ("leduc_poker", {}),
    ("goofspiel", {}),
    ("knights_duty", {}),
    ("hearts", {}),
    ("hearts", {"pass": "none"}),
    ("code_of_chivalry", {"players": "2"}),
    ("code_of_chivalry", {"players": "4"}),
    ("code_of_chivalry", {"players": "3", "monks": "4", "auto_pass": "private"}),
]


def random_decisions(
    name: str, options: dict[str, str], seed: int, longest: int = 400
) -> Iterator[tuple[Position, list[str]]]:
    """Play a random game, and yield each decision with the tokens that led to it."""
    stream = np.random.Generator(np.random.SFC64(seed))
    position = new_game(name, options)
    tokens: list[str] = []
    while not position.is_terminal and len(tokens) < longest:
        if position.is_chance:
            token = position.sample_outcome(stream.bit_generator)
        else:
            yield position, tokens
            game = position.game
            token = game.move_text(game.policy_move(position.state, stream.bit_generator))
        tokens = [*tokens, token]
        position = position.apply(token)


def recorded(position: Position, tokens: list[str], seat: int) -> Observation:
    start = new_game(position.game.name, position.game.options)
    record = Record(seen_so_far(start, tokens, seat), position.game.options)
    return position.observe(seat).with_record(record)


def arbitrary_policy(game_name: str) -> Callable[[bytes, int], dict[int, float]]:
    """A policy that depends on all that a seat sees, and on nothing else."""
    game = new_game(game_name).game

    def choose(state: bytes, seat: int) -> dict[int, float]:
        line = game.text(game.observed(state, seat))
        moves = game.moves_of(state)
        digests = [hashlib.blake2b(f"{line} {move}".encode()).digest()[0] for move in moves]
        return {
            move: (1 + part) / sum(1 + each for each in digests)
            for move, part in zip(moves, digests, strict=True)
        }

    return choose


def exact_beliefs(name: str, seat: int) -> dict[tuple[str, tuple[Seen, ...]], dict[str, float]]:
    """Map what a seat sees and has seen at its decisions to the probability of each state."""
    choose = arbitrary_policy(name)
    found: dict[tuple[str, tuple[Seen, ...]], dict[str, float]] = defaultdict(dict)
    open_nodes: list[tuple[Position, tuple[Seen, ...], float]] = [(new_game(name), (), 1.0)]
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


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("name", POKER)
def test_weights_are_the_exact_posterior(name: str, seat: int) -> None:
    policy = RivalPolicy(floor=0.0, choose=arbitrary_policy(name))
    beliefs = exact_beliefs(name, seat)
    assert len(beliefs) > 5
    moved = 0.0
    for (line, seen), states in list(beliefs.items())[:: 1 if name == "kuhn_poker" else 7]:
        observation = parse_observation(name, line).with_record(Record(seen))
        # The deal alone makes all worlds of these games equally likely.
        worlds = list({world.text: world for world in sample_worlds(observation, 200, 1)}.values())
        assert {world.text for world in worlds} == set(states)
        weights = weigh_worlds(observation, worlds, 1, policy)
        total = sum(states.values())
        for world, weight in zip(worlds, weights, strict=True):
            assert weight == pytest.approx(states[world.text] / total, rel=1e-9)
            moved = max(moved, abs(weight - 1 / len(worlds)))
    assert moved > 0.1  # they are no test of equal weights


DEALT = ["deal:{}", "deal:{}", "deal:herald", "deal:castle", "draw:{}"]
OWN = Counter(["herald", "castle"])


@pytest.mark.parametrize(
    ("dealt", "moves", "own", "played", "known"),
    [
        (("soldier", "soldier", "king"), ["discard:soldier"], [], ["soldier"], []),
        (("peasant", "peasant", "king"), ["attack:p2:peasant*2"], [], ["peasant"] * 2, []),
        (
            ("soldier", "knight", "king"),
            ["discard:king", "draw:peasant", "draw:ninja", "special:herald", "show:soldier"],
            ["peasant", "ninja"],
            ["king"],
            ["soldier"],
        ),
    ],
)
def test_equal_cards_count_once_for_each_way_to_draw_them(
    dealt: tuple[str, ...], moves: list[str], own: list[str], played: list[str], known: list[str]
) -> None:
    """Code of Chivalry: who plays one of two soldiers had more ways to draw them than are left."""
    tokens = [*"|".join(DEALT).format(*dealt).split("|"), *moves]
    start = new_game("code_of_chivalry", {"players": "2"})
    position = start.apply(*tokens)
    choose = arbitrary_policy("code_of_chivalry")
    seen = recorded(position, tokens, 2)
    unseen = Counter(start.view["draw"]) - OWN - Counter(own)
    worlds = sample_worlds(seen, 400, 1)
    weights = weigh_worlds(seen, worlds, 1, RivalPolicy(floor=0.0, choose=choose))
    expected = []
    for world in worlds:
        left = Counter(world.view["players"][0]["hand"])
        drawn = left + Counter(played)
        begin = start.apply(*"|".join(DEALT).format(*drawn.elements()).split("|"))
        # All ways to draw what it had, against those of the world to have what is left.
        likelihood = num_ways(drawn, unseen) / num_ways(
            left - Counter(known), unseen - Counter(played) - Counter(known)
        )
        for token in moves:
            if begin.seat == 1:
                game = begin.game
                likelihood *= choose(begin.state, 0)[game.parse_move(token)]
            begin = begin.apply(token)
        expected.append(likelihood)
    assert weights == pytest.approx([each / sum(expected) for each in expected])
    assert max(weights) > 3 * min(weights)


def num_ways(cards: Counter[str], pile: Counter[str]) -> int:
    """The ways to take cards out of a pile."""
    return math.prod(math.comb(pile[card], number) for card, number in cards.items())


def discarded(turn: int) -> tuple[Position, list[str]]:
    """Two seats of Code of Chivalry only discard, up to the decision of a turn."""
    stream = np.random.Generator(np.random.SFC64(4))
    position, tokens = new_game("code_of_chivalry", {"players": "2"}), list[str]()
    while position.is_chance or position.view["turn"] < turn:
        if position.is_chance:
            token = position.sample_outcome(stream.bit_generator)
        else:
            moves = position.legal_moves()
            token = str(stream.choice([move for move in moves if move.startswith("discard:")]))
        tokens.append(token)
        position = position.apply(token)
    return position, tokens


def hand_of(view: Any, seat: int) -> Counter[str]:
    return Counter(view["players"][seat]["hand"])


def discards(turn: int = 0) -> Callable[[bytes, int], dict[int, float]]:
    """Discard any card, with equal probability; in one turn some kinds more often than others."""
    game = new_game("code_of_chivalry", {"players": "2"}).game

    def choose(state: bytes, seat: int) -> dict[int, float]:
        view = game.view(state)
        weights = {f"discard:{card}": count for card, count in hand_of(view, seat).items()}
        if view["turn"] == turn:
            weights = {move: 1 + len(move) % 5 for move in weights}
        total = sum(weights.values())
        return {move: weights.get(game.move_text(move), 0) / total for move in game.moves_of(state)}

    return choose


def test_a_seat_that_discards_any_card_tells_nothing() -> None:
    """A hand with two soldiers discards one of them twice as often, and had one more before."""
    position, tokens = discarded(20)
    seen = recorded(position, tokens, 2)
    worlds = sample_worlds(seen, 20, 1)
    weights = weigh_worlds(seen, worlds, 1, RivalPolicy(floor=0.0, choose=discards()))
    assert weights == pytest.approx([1 / 20] * 20)


def test_cards_that_were_not_in_the_pile_are_the_first_to_be_played() -> None:
    """R11.4 (d): p1 had them at the reshuffle before turn 47, which was seen by elimination."""
    position, tokens = discarded(47)
    begin = new_game("code_of_chivalry", {"players": "2"}).apply(*tokens[:-2])
    base, held = Counter(begin.view["base"]), hand_of(begin.view, 0)
    after, drawn = position.apply("discard:peasant").settle(np.random.SFC64(5))
    seen, choose = recorded(after, [*tokens, "discard:peasant", *drawn], 2), discards(47)
    assert held["peasant"] > 1
    limit = base - Counter(token.removeprefix("draw:") for token in drawn)
    worlds = sample_worlds(seen, 100, 1)
    expected = []
    for world in worlds:
        hand, pile = hand_of(world.view, 0), Counter(world.view["draw"])
        cards = hand + Counter(["peasant"]) - held
        here = begin.apply(*(f"draw:{card}" for card in cards.elements()))
        policy = choose(here.state, 0)[begin.game.parse_move("discard:peasant")]
        worlds_alike = num_ways(pile, (hand + pile) & limit)
        expected.append(policy * num_ways(cards, limit) / worlds_alike)
    weights = weigh_worlds(seen, worlds, 1, RivalPolicy(floor=0.0, pasts=1, choose=choose))
    assert weights == pytest.approx([each / sum(expected) for each in expected])


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


def test_hidden_cards_are_not_in_a_record() -> None:
    position, tokens = next(random_decisions("hearts", {"pass": "none"}, 1))
    seen = seen_so_far(new_game("hearts", {"pass": "none"}), tokens, 2)
    assert [move for seat, move in seen if seat == 2 and move.startswith("deal")] == tokens[1:52:4]
    assert {move for seat, move in seen if seat != 2 and move.startswith("deal")} == {"deal:?"}
    assert position.seat


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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", -1.0),
        ("temperature", math.nan),
        ("floor", -0.5),
        ("floor", 2),
        ("power", math.nan),
        ("power", -3),
        ("pasts", 0),
        ("pasts", 2.5),
    ],
)
def test_a_policy_of_rivals_out_of_range_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError) as caught:
        RivalPolicy(**{name: value})  # type: ignore[arg-type]
    assert (caught.value.field, caught.value.value) == (f"policy.{name}", str(value))
    with pytest.raises((TypeError, InputError)):
        RivalPolicy(**{name: "1"})  # type: ignore[arg-type]


def test_a_policy_that_leaves_a_move_out_is_refused() -> None:
    observation = parse_observation("kuhn_poker", KUHN).with_record(Record((*DEAL, Seen(1, "bet"))))
    policy = RivalPolicy(choose=lambda state, seat: {})
    with pytest.raises(InputError, match="no probability of") as caught:
        weigh_worlds(observation, sample_worlds(observation, 2, 1), 1, policy)
    assert caught.value.field == "policy.choose"


@pytest.mark.parametrize(
    ("probability", "shown"),
    [(math.nan, "nan"), (-0.5, "-0.5"), (math.inf, "inf"), ("1", "'1'"), (None, "None"), (2, "2")],
)
def test_a_policy_of_no_probabilities_is_refused(probability: Any, shown: str) -> None:
    observation = parse_observation("kuhn_poker", KUHN).with_record(Record((*DEAL, Seen(1, "bet"))))
    moves = observation.game.moves_of(new_game("kuhn_poker").apply("deal:q", "deal:j").state)
    policy = RivalPolicy(choose=lambda state, seat: dict.fromkeys(moves, probability))
    with pytest.raises(
        InputError, match=f"probability of .* is {shown}; it must be a number, 0 to 1"
    ):
        weigh_worlds(observation, sample_worlds(observation, 2, 1), 1, policy)


@pytest.mark.parametrize("kind", [np.array, np.float32, Decimal, Fraction])
def test_probabilities_of_a_policy_may_be_any_numbers(kind: Callable[[float], Any]) -> None:
    """Also arrays without a dimension, as tensors are that a network returns."""
    observation = parse_observation("kuhn_poker", KUHN).with_record(Record((*DEAL, Seen(1, "bet"))))
    moves = observation.game.moves_of(new_game("kuhn_poker").apply("deal:q", "deal:j").state)
    worlds = sample_worlds(observation, 4, 1)

    def weights(probability: Any) -> list[float]:
        policy = RivalPolicy(choose=lambda state, seat: dict.fromkeys(moves, probability))
        return weigh_worlds(observation, worlds, 1, policy)

    assert weights(kind(0.5)) == weights(0.5)


def test_a_policy_of_no_moves_is_refused() -> None:
    observation = parse_observation("kuhn_poker", KUHN).with_record(Record((*DEAL, Seen(1, "bet"))))
    none: Any = None
    policy = RivalPolicy(choose=lambda state, seat: none)
    with pytest.raises(TypeError, match=r"what policy\.choose returns is None; it must be a map"):
        weigh_worlds(observation, sample_worlds(observation, 2, 1), 1, policy)


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


def test_a_record_is_pickled_and_copied_with_its_observation() -> None:
    position, tokens = list(random_decisions("leduc_poker", {}, 2))[1]
    seen = recorded(position, tokens, position.seat)
    assert pickle.loads(pickle.dumps(seen)).record == seen.record
    assert pickle.loads(pickle.dumps(position.observe(1))).record is None


@pytest.mark.parametrize(
    ("seen", "field", "message"),
    [
        ((), "record", "record"),
        ((*DEAL, Seen(1, "raise")), "record.seen[2].move", "raise"),
        ((*DEAL, Seen(3, "bet")), "record.seen[2].seat", "0 to 2"),
        ((*DEAL, Seen(2, "bet")), "record.seen[2].move", "p1 was to move"),
        ((*DEAL, Seen(1, "pass")), "record.seen[2].move", "pass"),
        ((Seen(1, "deal:?"), Seen(2, "deal:k"), Seen(1, "bet")), "record.seen[1].move", "deal:k"),
        ((*DEAL, Seen(1, "bet"), Seen(2, "bet")), "record.seen[3].move", "another course"),
        ((Seen(1, "deal:?"),) * (MAX_RECORD + 1), "record", "at most"),
    ],
)
def test_a_wrong_record_is_refused(seen: tuple[Seen, ...], field: str, message: str) -> None:
    observation = parse_observation("kuhn_poker", KUHN)
    with pytest.raises(InputError, match=message) as caught:
        observation.with_record(Record(seen))
    assert caught.value.field == field


def test_a_wrong_move_in_a_long_record_is_named_with_its_rule() -> None:
    position, tokens = list(random_decisions("hearts", {"pass": "none"}, 4))[20]
    seat = position.seat
    seen = list(seen_so_far(new_game("hearts", {"pass": "none"}), tokens, seat))
    first_lead = seen[52]
    assert first_lead.move == "play:2c"
    seen[52] = Seen(first_lead.seat, "play:ah")
    with pytest.raises(InputError) as caught:
        position.observe(seat).with_record(Record(tuple(seen), {"pass": "none"}))
    assert caught.value.field == "record.seen[52].move"
    assert caught.value.rule.startswith("R")


SOLD = (
    "deal:dragon deal:dragon deal:archer deal:peasant deal:traitor deal:peasant deal:soldier "
    "deal:highwayman draw:castle attack:p2:dragon pass draw:peasant draw:peasant fortify:archer "
    "end draw:peasant draw:soldier attack:p1:soldier pass pass pass pass draw:soldier "
    "draw:ladder discard:ladder draw:merchant draw:peasant fortify:castle end draw:soldier "
    "draw:ninja attack:p3:soldier pass pass pass pass draw:knight draw:traitor attack:p4:knight "
    "respond:soldier pass pass pass draw:highwayman draw:ninja discard:soldier draw:soldier "
    "draw:peasant special:merchant:p3 take:traitor take:traitor draw:ladder draw:merchant "
    "special:merchant:p1 take:dragon take:peasant take:soldier draw:king draw:knight "
    "attack:p4:king pass rob:highwayman pass pass pass draw:peasant draw:king attack:p3:peasant "
    "pass pass pass pass draw:ninja draw:castle attack:p3:peasant respond:peasant*2 "
    "attack:p3:ninja pass draw:ladder draw:princess attack:p4:soldier pass pass rob:highwayman "
    "pass pass pass draw:knight draw:jester "
)


def test_a_record_with_cards_that_were_sold_face_down_is_not_refused_for_its_worlds() -> None:
    """R11.2: of what p2 bought from p1, p3 knows less than the record says."""
    tokens, options = SOLD.split(), {"players": "4"}
    position = new_game("code_of_chivalry", options).apply(*tokens)
    seen = recorded(position, tokens, 3)
    assert seen.record is not None
    assert Seen(2, "take:?") in seen.record.seen
    weights = weigh_worlds(seen, [position, *sample_worlds(seen, 100, 1)], 1)
    assert weights[0] > 0
    assert len(set(weights)) > 2


def test_a_record_of_more_than_the_deck_is_refused() -> None:
    position, tokens = list(random_decisions("hearts", {}, 4))[20]
    seen = seen_so_far(new_game("hearts"), tokens, position.seat)
    with pytest.raises(InputError, match="dealt and played"):
        position.observe(position.seat).with_record(Record(seen * 3))


def test_wrong_options_are_refused() -> None:
    observation = parse_observation("kuhn_poker", KUHN)
    with pytest.raises(InputError, match="option"):
        observation.with_record(Record((*DEAL, Seen(1, "bet")), {"colour": "red"}))


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_arbitrary_records_are_refused_or_weighed(name: str, options: dict[str, str]) -> None:
    stream = np.random.Generator(np.random.SFC64(6))
    games = [step for seed in range(2) for step in random_decisions(name, options, seed)]
    for position, tokens in games[1 :: 1 + len(games) // 15]:
        seen = list(seen_so_far(new_game(name, options), tokens, position.seat))
        for _ in range(6):
            changed = list(seen)
            for place in stream.integers(len(seen), size=1 + int(stream.integers(4))):
                changed[place] = changed[int(stream.integers(len(seen)))]
            changed *= 1 + int(stream.integers(2))
            try:
                observed = position.observe(position.seat).with_record(
                    Record(tuple(changed), options)
                )
            except InputError:
                continue
            weights = weigh_worlds(observed, sample_worlds(observed, 5, 1), 1)
            assert sum(weights) == pytest.approx(1)
