"""What Hearts draws at random: worlds that fit an observation, and playouts.

Seeds are fixed. A chi-square value may reach what it does once in 10,000 times by chance, a single
frequency may be off by five standard errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import TypeVar

import numpy as np
import pytest
from numpy.random import PCG64

from kingmaker.cext.game import Game
from kingmaker.cext.games.hearts import Hearts
from kingmaker.cext.notation import write_node
from tests.random_play import CHANCE, SPECTATOR, TERMINAL, play, seats_of

from .hearts_lines import DECK, late_position

DRAWS = 40_000
RARE = 3.719  # standard deviations above which a normal variable is once in 10,000 times

Hands = tuple[frozenset[str], ...]
Outcome = TypeVar("Outcome", bound=Hashable)


def assert_distribution(counts: Counter[Outcome], expected: Mapping[Outcome, float]) -> None:
    """Pearson's test; the quantile is Wilson's and Hilferty's."""
    assert counts.keys() <= expected.keys()
    total, freedom = counts.total(), len(expected) - 1
    assert min(expected.values()) * total >= 5
    value = sum((counts[key] - total * p) ** 2 / (total * p) for key, p in expected.items())
    part = 2 / (9 * freedom)
    assert value < freedom * (1 - part + RARE * sqrt(part)) ** 3


def assert_frequency(count: int, total: int, probability: float) -> None:
    tolerance = 5 * sqrt(total * probability * (1 - probability))
    assert abs(count - total * probability) < tolerance


# Positions with few cards left: hands, node, more of `late_position`; and who looks.
LATE = {
    "nothing is known": (
        (["2d 9s th", "3d 4d kh", "5d qs ah", "6d 7s 8s"], "play:p1"),
        {},
        0,
    ),
    "one seat has shown one suit": (
        (["2d 9s th", "3d 4d 5c", "5d qs ah", "6d 7h 8h"], "play:p1"),
        {"shown": ["", "h", "", ""]},
        0,
    ),
    "two seats have shown different suits": (
        (["2d 9s th", "3d 4d 5s", "5c 6c ah", "6d 7c 8s"], "play:p1"),
        {"shown": ["", "c", "d", ""]},
        0,
    ),
    "three seats have shown different suits": (
        (["2s 9s ts", "3d 4d 5h", "5c 6c ah", "6d 7c 8d"], "play:p1"),
        {"shown": ["", "c", "d", "h"]},
        0,
    ),
    "two seats have shown the same suits": (
        (["2d 9s th", "3h 4s 5s", "5h 6s ah", "6d 7c 8s"], "play:p1"),
        {"shown": ["", "cd", "cd", ""]},
        0,
    ),
    "one seat has the queen of spades at most": (
        (["2d 9s th", "3h 4h qs", "5c 6c ah", "6d 7c 8s"], "play:p1"),
        {"shown": ["", "cdq", "", ""]},
        0,
    ),
    "one seat has the queen of spades at most, another none": (
        (["2d 9s th", "3h 4h qs", "5c 6c ah", "6d 7c 8s"], "play:p1"),
        {"shown": ["", "cdq", "s", ""]},
        0,
    ),
    "a given card is known": (
        (["2d 9s th", "3d 4d kh", "5d qs ah", "6d 7s 8s"], "play:p1"),
        {"direction": "left", "given": {1: "4d"}},
        0,
    ),
    "two given cards and a suit are known": (
        (["2d 9s th", "3d 4d kh", "5d qs ah", "6d 7s 8s"], "play:p1"),
        {"direction": "across", "given": {1: "5d ah"}, "shown": ["", "", "", "h"]},
        0,
    ),
    "within a trick": (
        (["2d 9s th", "4d kh", "5s qs", "6d 7s 8s"], "play:p4"),
        {"trick": "3d ah", "shown": ["", "", "d", ""]},
        3,
    ),
    "within a trick, seen by who has yet to play": (
        (["2d 9s th", "4d kh", "5s qs", "6d 7s 8s"], "play:p4"),
        {"trick": "3d ah", "shown": ["", "", "d", ""]},
        0,
    ),
    "a spectator sees no hand": (
        (["2d 9s", "3d 4c", "5c 6h", "6s 7c"], "play:p1"),
        {"shown": ["c", "", "d", "h"]},
        SPECTATOR,
    ),
    "a spectator, four seats with different suits": (
        (["2d 9s", "3h 4c", "5c 6h", "6d 7c"], "play:p1"),
        {"shown": ["c", "d", "s", "h"]},
        SPECTATOR,
    ),
}


def late(name: str) -> tuple[Game, bytes, int]:
    """Return (game, state, observer)."""
    arguments, keywords, observer = LATE[name]
    line = late_position(*arguments, **keywords)  # type: ignore[arg-type]
    game, state = Hearts.parse_position(line)
    return game, state, observer


def hands_of(game: Game, state: bytes) -> Hands:
    return tuple(frozenset(seat["hand"]) for seat in game.view(state)["seats"])


def may_hold(card: str, letters: str) -> bool:
    return card[1] not in letters and ("q" not in letters or card[1] != "s" or card == "qs")


def divisions(cards: Sequence[str], seats: Sequence[tuple[int, str]]) -> Iterator[Hands]:
    """All ways to divide cards among seats with (places, letters)."""
    if not seats:
        yield ()
        return
    (places, letters), *others = seats
    for hand in combinations([card for card in cards if may_hold(card, letters)], places):
        rest = [card for card in cards if card not in hand]
        for hands in divisions(rest, others):
            yield (frozenset(hand), *hands)


def consistent_hands(game: Game, observation: bytes) -> list[Hands]:
    """Enumerate the hands that fit an observation during the tricks."""
    view = game.view(observation)["seen"]
    named = {*view["trick"], *(card for s in view["seats"] for card in s["hand"] + s["played"])}
    seats = [(seat["hand"].count("?"), seat["shown"]) for seat in view["seats"]]
    seen = [frozenset(seat["hand"]) - {"?"} for seat in view["seats"]]
    return [
        tuple(known | new for known, new in zip(seen, drawn, strict=True))
        for drawn in divisions([card for card in DECK if card not in named], seats)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", LATE)
def test_all_hands_that_fit_are_equally_likely(name: str) -> None:
    """R3.6, against the list of all hands that fit."""
    game, state, observer = late(name)
    observation = game.observed(state, observer)
    hands = consistent_hands(game, observation)
    stream = PCG64(1)
    drawn = Counter(hands_of(game, game.determinized(observation, stream)) for _ in range(DRAWS))
    assert len(set(hands)) == len(hands) > 5
    assert_distribution(drawn, dict.fromkeys(hands, 1 / len(hands)))


def test_three_seats_that_lack_different_suits_share_the_places_by_counting() -> None:
    """The four clubs, four diamonds and hearts by hand: p2 lacks clubs, p3 diamonds, p4 hearts.

    A check of the list itself: with x diamonds at p2 it has 3 - x hearts; p4 then has 4 - x
    diamonds, so x - 1 clubs; p3 has the rest: C(4,x) C(2,3-x) C(3,x-1) ways.
    """
    game, state, observer = late("three seats have shown different suits")
    hands = consistent_hands(game, game.observed(state, observer))
    ways = {1: 4 * 1 * 1, 2: 6 * 2 * 3, 3: 4 * 1 * 3}
    assert Counter(sum(card[1] == "d" for card in hand[1]) for hand in hands) == ways


@pytest.mark.parametrize(("giver", "receiver"), [(2, 3), (3, 4)])
def test_any_three_cards_may_have_been_given_between_others(giver: int, receiver: int) -> None:
    """R3.6: of the 13 of the receiver, in hand and played, and of what he has in this world."""
    game, state, _ = late("a given card is known")
    observation = game.observed(state, 0)
    stream = PCG64(2)
    given: Counter[str] = Counter()
    in_hand = 0
    for _ in range(DRAWS // 2):
        seats = game.view(game.determinized(observation, stream))["seats"]
        given.update(seats[giver - 1]["given"])
        in_hand += len(set(seats[giver - 1]["given"]) & set(seats[receiver - 1]["hand"]))
    for card in game.view(state)["seats"][receiver - 1]["played"]:
        assert_frequency(given[card], DRAWS // 2, 3 / 13)
    # Three cards are in the hand, so that 3 * 3 / 13 of the given ones are, give or take 0.65.
    assert in_hand / (DRAWS // 2) == pytest.approx(9 / 13, abs=5 * 0.7 / sqrt(DRAWS // 2))


def stopped_at(game: Game, node: str, seed: int) -> bytes:
    """Play a random game up to a node."""
    return next(
        step.state for step in play(game, seed) if write_node(game.view(step.state)["node"]) == node
    )


def test_in_the_pass_phase_unseen_cards_are_anywhere_and_set_aside_by_three_in_thirteen() -> None:
    game = Hearts(**{"pass": "left"})
    state = stopped_at(game, "pass:p3", 1)
    observation = game.observed(state, 2)
    stream = PCG64(3)
    hands: Counter[str] = Counter()
    aside: Counter[str] = Counter()
    for _ in range(DRAWS // 2):
        seats = game.view(game.determinized(observation, stream))["seats"]
        hands.update(seats[0]["hand"])
        aside.update(seats[0]["given"])
        assert seats[3]["given"] == []
    for card in set(DECK) - set(game.view(state)["seats"][2]["hand"]):
        assert_frequency(hands[card], DRAWS // 2, 10 / 39)
        assert_frequency(aside[card], DRAWS // 2, 3 / 39)


def test_in_the_deal_unseen_cards_may_also_be_in_the_deck() -> None:
    game = Hearts(**{"pass": "left"})
    state = game.start_state()
    for card in ("2c", "3c", "4c", "5c", "6c", "7c"):  # to p1, p2, p3, p4, p1, p2
        state = game.after(state, game.parse_move(f"deal:{card}"))
    observation = game.observed(state, 0)
    stream = PCG64(4)
    drawn = Counter[str]()
    for _ in range(DRAWS // 2):
        seats = game.view(game.determinized(observation, stream))["seats"]
        assert [len(seat["hand"]) for seat in seats] == [2, 2, 1, 1]
        drawn.update(f"p2:{card}" for card in seats[1]["hand"])
        drawn.update(f"p3:{card}" for card in seats[2]["hand"])
    for card in set(DECK) - {"2c", "6c"}:
        assert_frequency(drawn[f"p2:{card}"], DRAWS // 2, 2 / 50)
        assert_frequency(drawn[f"p3:{card}"], DRAWS // 2, 1 / 50)


def worlds(num_games: int, num_worlds: int) -> Iterator[tuple[Game, bytes, int, bytes]]:
    """Yield (game, observation, seat, world) at every ply of random games, for every seat."""
    game = Hearts()
    stream = PCG64(5)
    for seed in range(num_games):
        for state, _ in play(game, seed):
            for seat in seats_of(game):
                observation = game.observed(state, seat)
                for _ in range(num_worlds):
                    yield game, observation, seat, game.determinized(observation, stream)


def check_world(game: Game, observation: bytes, seat: int, world: bytes, stream: PCG64) -> None:
    """Same observation, all cards there once, and the game can be played to its end."""
    assert game.observed(world, seat) == observation
    end, plies, shares = game.played_out(world, stream)
    assert game.node_of(end) == TERMINAL
    assert plies <= 1 + 52 + 12 + 52
    assert sum(shares) == pytest.approx(1)
    played = [card for s in game.view(end)["seats"] for card in s["played"]]
    assert sorted(played) == sorted(DECK)


def test_worlds_are_valid_and_can_be_played() -> None:
    stream = PCG64(6)
    for game, observation, seat, world in worlds(num_games=4, num_worlds=1):
        check_world(game, observation, seat, world, stream)
        assert Hearts.parse_position(game.text(world))[1] == world


@pytest.mark.slow
def test_a_hundred_thousand_worlds_can_be_played() -> None:
    stream = PCG64(7)
    checked = 0
    for game, observation, seat, world in worlds(num_games=60, num_worlds=3):
        check_world(game, observation, seat, world, stream)
        checked += 1
    assert checked >= 100_000


# --- playouts -------------------------------------------------------------------------------------


def stepwise(game: Game, state: bytes, stream: PCG64) -> bytes:
    """Play on by the policy, one method call a ply."""
    while (node := game.node_of(state)) != TERMINAL:
        draw = game.sample if node == CHANCE else game.policy_move
        state = game.after(state, draw(state, stream))
    return state


def test_a_playout_after_the_deal_is_the_policy_step_by_step() -> None:
    game = Hearts()
    num_states = 0
    for seed in range(10):
        for state, _ in play(game, seed):
            if game.node_of(state) >= 0:
                end, _, shares = game.played_out(state, PCG64(seed))
                assert end == stepwise(game, state, PCG64(seed))
                assert shares == game.returns_of(end)
                num_states += 1
    assert num_states > 500


def test_playouts_from_the_start_take_as_many_points_as_games_of_the_policy() -> None:
    """Two samples of p1's points, compared by the chi-square test of homogeneity."""
    game = Hearts()
    start, stream = game.start_state(), PCG64(9)
    fast = Counter(points_of_first(game, game.played_out(start, stream)[0]) for _ in range(20000))
    slow = Counter(points_of_first(game, stepwise(game, start, stream)) for _ in range(3000))
    value, freedom = 0.0, -1
    for points in range(27):
        both = fast[points] + slow[points]
        if both < 60:
            continue
        share = both / (fast.total() + slow.total())
        value += sum(
            (sample[points] - share * sample.total()) ** 2 / (share * sample.total())
            for sample in (fast, slow)
        )
        freedom += 1
    part = 2 / (9 * freedom)
    assert freedom > 15
    assert value < freedom * (1 - part + RARE * sqrt(part)) ** 3


def points_of_first(game: Game, end: bytes) -> int:
    points: int = game.view(end)["seats"][0]["points"]
    return points


def test_a_playout_deals_uniformly() -> None:
    """From the middle of the deal."""
    game = Hearts(**{"pass": "right"})
    state = stopped_at(game, "deal:p4", 2)  # three cards are dealt
    (known,) = game.view(state)["seats"][1]["hand"]
    stream = PCG64(11)
    total = DRAWS // 4
    dealt = Counter[str]()
    for _ in range(total):
        seats = game.view(game.played_out(state, stream)[0])["seats"]
        cards = set(seats[1]["played"]) - set(seats[2]["given"]) | set(seats[1]["given"])
        assert known in cards
        dealt.update(cards)
    for card in set(DECK) - {card for s in game.view(state)["seats"] for card in s["hand"]}:
        assert_frequency(dealt[card], total, 12 / 49)


def test_a_playout_completes_a_pass_that_has_begun() -> None:
    game = Hearts(**{"pass": "across"})
    state = stopped_at(game, "pass:p1", 3)
    for _ in range(2):
        state = game.after(state, game.moves_of(state)[0])
    before = game.view(state)["seats"][0]
    stream = PCG64(12)
    given = Counter[str]()
    for _ in range(DRAWS // 4):
        given.update(game.view(game.played_out(state, stream)[0])["seats"][0]["given"])
    assert [given[card] for card in before["given"]] == [DRAWS // 4] * 2
    assert given.total() == 3 * (DRAWS // 4)
    assert given.keys() == {*before["given"], *before["hand"]}


def test_the_policy_looks_at_nothing_that_its_seat_does_not_see() -> None:
    game = Hearts()
    num_worlds = 0
    for seed in range(5):
        stream = PCG64(seed)
        for state, _ in play(game, seed):
            if (seat := game.node_of(state)) < 0:
                continue
            world = game.determinized(game.observed(state, seat), stream)
            num_worlds += world != state
            for draw in range(4):
                assert game.policy_move(state, PCG64(draw)) == game.policy_move(world, PCG64(draw))
    assert num_worlds > 100


MOSTLY = {
    "it ducks last, so as not to lead": ("4d 8d jd", "5d 3d 2d", "play:4d"),
    "it gives the queen of spades to a higher one": ("4c js qs", "ks 2s 3s", "play:qs"),
    "it throws the queen of spades": ("4c qs kh", "jd", "play:qs"),
    "it throws what may catch the queen": ("4c ks ah", "jd", "play:ks"),
    "it throws no points on a seat with all of them": ("4c kh ah", "qd 3d", "play:4c"),
}


@pytest.mark.parametrize("name", MOSTLY)
def test_the_policy_mostly_does_this(name: str) -> None:
    """P3 decides; p1 has taken all points."""
    hand, trick, expected = MOSTLY[name]
    cards = trick.split()
    rest = iter([card for card in ("qs", *DECK[3:12]) if card not in hand])
    hands = [hand] * 4
    for place, seat in enumerate([2, 1, 0, 3]):
        size = 3 if not 1 <= place <= len(cards) else 2
        hands[seat] = hand if seat == 2 else " ".join(next(rest) for _ in range(size))
    game, state = Hearts.parse_position(late_position(hands, "play:p3", trick=trick))
    stream = PCG64(13)
    drawn = Counter(game.move_text(game.policy_move(state, stream)) for _ in range(100))
    assert drawn[expected] > 80


def test_the_policy_beats_uniform_play() -> None:
    """One seat against three; an equal share is 1/4."""
    stream, rng = PCG64(14), np.random.default_rng(15)
    shares = []
    for number in range(200):
        game = Hearts()
        state = game.start_state()
        while (node := game.node_of(state)) != TERMINAL:
            if node == CHANCE:
                move = game.sample(state, stream)
            elif node == number % 4:
                move = game.policy_move(state, stream)
            else:
                move = rng.choice(game.moves_of(state))
            state = game.after(state, int(move))
        shares.append(game.returns_of(state)[number % 4])
    assert np.mean(shares) > 0.28
