"""Determinizations: worlds that may be the true one, each as likely as the deal alone makes it.

By default 1,250 worlds per game or more are played to the end; the environment variable
KINGMAKER_FUZZ_GAMES sets their number in fifties (`make fuzz`: 100,000). Distributions are held
against lists of all consistent states, which the reference model or a walk through the whole game
gives. Seeds are fixed, and a test fails at what happens by chance once in a million times.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, count, islice
from math import comb, sqrt
from typing import TypeVar

import pytest
from numpy.random import PCG64

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.facts import FACTS
from tests.random_play import (
    SPECTATOR,
    TERMINAL,
    VARIANTS,
    Step,
    Variant,
    by_phase,
    phase_of,
    play,
    seats_of,
    varied,
)
from tests.reference import REFERENCES
from tests.reference import hearts_cards as plain_hearts
from tests.reference import kingdom_coinquest_state as plain_kingdom

NUM_WORLDS = 50 * int(os.environ.get("KINGMAKER_FUZZ_GAMES", "10"))
DRAWS_EACH = 30
"""Worlds drawn for each consistent state: a state is missed by chance once in 10**13 times."""
RARE = 4.7534
"""Standard deviations above which a normal variable is once in a million times."""

HIDDEN_GAMES = [name for name, game in GAMES.items() if game.is_hidden]
OPEN_GAMES = [name for name in GAMES if name not in HIDDEN_GAMES]

Outcome = TypeVar("Outcome", bound=Hashable)


class Fit:
    """Pearson's test of draws against probabilities, and of several such tests together.

    Together they show a bias that is too small for one.
    """

    def __init__(self) -> None:
        self.statistic = 0.0
        self.freedom = 0

    def add(self, counts: Counter[Outcome], probabilities: Mapping[Outcome, float]) -> None:
        """Count another sample in, which must have every outcome and no other one."""
        assert counts.keys() == probabilities.keys()
        total = counts.total()
        statistic = sum(
            (counts[key] - total * p) ** 2 / (total * p) for key, p in probabilities.items()
        )
        freedom = len(probabilities) - 1
        assert freedom == 0 or statistic < rare_chi_squared(freedom)
        self.statistic += statistic
        self.freedom += freedom

    def check(self) -> None:
        assert self.statistic < rare_chi_squared(self.freedom)


def rare_chi_squared(freedom: int) -> float:
    """What the statistic exceeds once in a million times (Wilson and Hilferty 1931)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + RARE * sqrt(part)) ** 3


def equally(outcomes: set[Outcome]) -> dict[Outcome, float]:
    return dict.fromkeys(outcomes, 1 / len(outcomes))


def num_draws(num_states: int) -> int:
    """Enough to see every state, and a bias between few."""
    return max(DRAWS_EACH * num_states, 1000)


# --- worlds of random games -----------------------------------------------------------------------


def sampled(game: Game, steps: list[Step], rng: random.Random) -> list[Step]:
    """The first steps of a game, which few others are like, one at each kind of node, others."""
    each_kind = [rng.choice(steps) for steps in by_phase(game, steps).values()]
    return [*steps[:4], *each_kind, *rng.sample(steps, min(len(steps), 16))]


def random_states(name: str) -> Iterator[tuple[Game, bytes]]:
    """Yield states of random games with many options, without an end."""
    variants = [variant for variant in VARIANTS if variant.name == name]
    for seed in count():
        game = varied(variants[seed % len(variants)], seed // len(variants)).new()
        for state, _ in sampled(game, list(play(game, seed)), random.Random(seed)):
            yield game, state


def check_world(game: Game, state: bytes, seat: int, world: bytes, stream: PCG64) -> None:
    """A valid position that looks the same to the observer and to the public, and can be played."""
    assert game.observed(world, seat) == game.observed(state, seat)
    assert game.observed(world, SPECTATOR) == game.observed(state, SPECTATOR)
    assert game.node_of(world) == game.node_of(state)
    if game.node_of(state) == seat:
        assert game.moves_of(world) == game.moves_of(state)
    assert type(game).parse_position(game.text(world))[1] == world
    end, _, shares = game.played_out(world, stream)
    assert game.node_of(end) == TERMINAL
    assert sum(shares) == pytest.approx(1)
    assert type(game).parse_position(game.text(end))[1] == end


@pytest.mark.fuzz
@pytest.mark.parametrize("name", HIDDEN_GAMES)
def test_worlds_fit_what_was_seen_and_can_be_played_to_the_end(name: str) -> None:
    """Goes on at kinds of nodes that are still missing until each seat has seen each of them."""
    stream = PCG64(1)
    wanted = phases_of(name)
    phases: set[tuple[str, int]] = set()
    num_worlds = 0
    for game, state in islice(random_states(name), 20 * NUM_WORLDS):
        if num_worlds >= NUM_WORLDS:
            if phases >= wanted:
                break
            if all((phase_of(game, state), seat) in phases for seat in seats_of(game)):
                continue
        reference = REFERENCES[name].parse(game.text(state))
        for seat in seats_of(game):
            world = game.determinized(game.observed(state, seat), stream)
            try:
                check_world(game, state, seat, world, stream)
                assert reference.consistent(seat + 1, game.text(world))
            except AssertionError as error:
                error.add_note(f"of {game.text(state)}\nfor seat {seat + 1} {game.text(world)}")
                raise
            phases.add((phase_of(game, state), seat))
            num_worlds += 1
    assert phases >= wanted


def phases_of(name: str) -> set[tuple[str, int]]:
    """The kinds of nodes of some games with many options, with each observer there."""
    return {
        (phase, seat)
        for variant in VARIANTS
        if variant.name == name
        for seed in range(1, 9)
        for game in [varied(variant, seed).new()]
        for phase in by_phase(game, play(game, seed))
        for seat in seats_of(game)
    }


@pytest.mark.parametrize("name", HIDDEN_GAMES)
def test_a_stream_repeats_its_worlds(name: str) -> None:
    for game, state in islice(random_states(name), 100):
        for seat in seats_of(game):
            observation = game.observed(state, seat)
            first, second = ([game.determinized(observation, s) for _ in range(3)] for s in twins())
            assert first == second


def twins() -> tuple[PCG64, PCG64]:
    return PCG64(2), PCG64(2)


@pytest.mark.parametrize("name", OPEN_GAMES)
def test_where_nothing_is_hidden_there_is_one_world(name: str) -> None:
    for game, state in islice(random_states(name), 200):
        reference = REFERENCES[name].parse(game.text(state))
        for seat in seats_of(game):
            assert game.determinized(game.observed(state, seat), PCG64(1)) == state
            assert reference.consistent(seat + 1, game.text(state))


# --- whole games ----------------------------------------------------------------------------------

SMALL_GAMES = [
    Variant(name, options) for name, facts in FACTS.items() for options in facts.small_options
]
COUNTED = [
    (name, line, number) for name, facts in FACTS.items() for line, number in facts.counted_worlds
]
MOST_OBSERVATIONS = 1000
"""Observations of a game that are tested."""


def possible(game: Game, state: bytes) -> list[tuple[int, float]]:
    """Every move with weight 1, or every outcome with its probability."""
    return game.outcomes_of(state) or [(move, 1.0) for move in game.moves_of(state)]


def consistent_states(game: Game) -> dict[tuple[int, bytes], dict[bytes, float]]:
    """Walk through the whole game, for small ones.

    Returns:
        (seat, observation) -> each state that looks so, weighted by the deal alone: by the
        probability of the chance outcomes on every way that leads to it.
    """
    found: dict[tuple[int, bytes], dict[bytes, float]] = {}
    layer = {game.start_state(): 1.0}
    while layer:
        following: dict[bytes, float] = {}
        for state, weight in layer.items():
            for seat in seats_of(game):
                states = found.setdefault((seat, game.observed(state, seat)), {})
                states[state] = states.get(state, 0.0) + weight
            for move, probability in possible(game, state):
                after = game.after(state, move)
                following[after] = following.get(after, 0.0) + weight * probability
        layer = following
    return found


@pytest.mark.parametrize("variant", SMALL_GAMES, ids=str)
def test_worlds_of_a_small_game_have_the_probability_of_their_deal(variant: Variant) -> None:
    game = variant.new()
    stream = PCG64(3)
    fit = Fit()
    secrets = [item for item in consistent_states(game).items() if len(item[1]) > 1]
    secrets = random.Random(1).sample(secrets, min(len(secrets), MOST_OBSERVATIONS))
    for (_, observation), weights in secrets:
        draws = range(num_draws(len(weights)))
        drawn = Counter(game.determinized(observation, stream) for _ in draws)
        total = sum(weights.values())
        fit.add(drawn, {state: weight / total for state, weight in weights.items()})
    assert len(secrets) >= 40
    fit.check()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "line", "num_states"), COUNTED)
def test_as_many_worlds_as_counted_by_hand_are_equally_likely(
    name: str, line: str, num_states: int
) -> None:
    game, observation = GAMES[name].parse_observation(line)
    stream = PCG64(4)
    drawn = Counter(game.text(game.determinized(observation, stream)) for _ in range(20_000))
    assert len(drawn) == num_states
    Fit().add(drawn, equally(set(drawn)))


# --- late positions of large games ----------------------------------------------------------------
#
# A line with `?` is filled in every way with the cards that it doesn't name. The reference model
# says which of the lines are consistent.

Group = tuple[int, str]
"""Hidden places that are alike: index of the field, and what follows the `?`."""
MOST_FILLINGS = 500

KINGDOM_CARD = re.compile(r"[a2-9tjq][hsdc]")
HEARTS_CARD = re.compile(r"[2-9tjqka][cdhs]")


def divisions(cards: Sequence[str], sizes: Sequence[int]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """All ways to take groups of some sizes out of cards."""
    if not sizes:
        yield ()
        return
    for group in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in group]
        for others in divisions(rest, sizes[1:]):
            yield (group, *others)


def num_divisions(num_cards: int, sizes: Sequence[int]) -> int:
    ways = 1
    for size in sizes:
        ways *= comb(num_cards, size)
        num_cards -= size
    return ways


class Blanks:
    """The hidden places in the hands of an observation line.

    Args:
        line: what a seat sees.
        cards: of the game, in card order.
        card: how they are written.
        hand: which part of a seat's field its hand is.
    """

    def __init__(self, line: str, cards: Sequence[str], card: re.Pattern[str], hand: int) -> None:
        self.fields = re.sub(r" (old=\S+ )?@\S+$", "", line).split(" ")
        self.cards = cards
        self.hand = hand
        # Other fields have words in which a card may be read, such as "pass".
        places = [field for field in self.fields if re.match(r"(p\d|trick|grave)=", field)]
        written = set(card.findall(" ".join(places)))
        self.unseen = [each for each in cards if each not in written]
        self.groups: Counter[Group] = Counter(
            (index, item[1:])
            for index in self.seats()
            for item in self.items(index)
            if item.startswith("?")
        )

    def seats(self) -> list[int]:
        return [i for i, field in enumerate(self.fields) if re.match(r"p\d=", field)]

    def items(self, index: int) -> list[str]:
        hand = self.fields[index].partition("=")[2].split("/")[self.hand]
        return [] if hand == "-" else hand.split(",")

    def num_fillings(self) -> int:
        return num_divisions(len(self.unseen), list(self.groups.values()))

    def fillings(self) -> Iterator[str]:
        """Yield position lines, valid or not, with every division of the unseen cards."""
        for division in divisions(self.unseen, list(self.groups.values())):
            hands = {
                index: [item for item in self.items(index) if not item.startswith("?")]
                for index in self.seats()
            }
            for (index, mark), group in zip(self.groups, division, strict=True):
                hands[index] += [card + mark for card in group]
            fields = list(self.fields)
            for index, items in hands.items():
                name, _, text = fields[index].partition("=")
                parts = text.split("/")
                items.sort(key=lambda item: self.cards.index(item[:2]))
                parts[self.hand] = ",".join(items) or "-"
                fields[index] = f"{name}={'/'.join(parts)}"
            yield " ".join(fields)


def kingdom_blanks(line: str) -> Blanks:
    return Blanks(line, plain_kingdom.CARDS, KINGDOM_CARD, hand=2)


def hearts_blanks(line: str) -> Blanks:
    return Blanks(line, plain_hearts.CARDS, HEARTS_CARD, hand=0)


def late_observations(
    variants: list[Variant], blanks: Callable[[str], Blanks], num_games: int
) -> Iterator[tuple[Game, bytes, int]]:
    """Yield (game, state, seat) where few states are consistent, but several.

    From each random game up to one with marks at the hidden places, and one without.
    """
    for seed in range(num_games):
        game = variants[seed % len(variants)].new()
        rng = random.Random(seed)
        steps = list(play(game, seed))
        wanted = {True, False}
        for state, _ in rng.sample(steps, min(len(steps), 100)):
            seat = rng.choice(seats_of(game))
            filled = blanks(game.text(game.observed(state, seat)))
            is_marked = any(mark for _, mark in filled.groups)
            if len(filled.groups) < 2 or is_marked not in wanted:
                continue
            if 6 <= filled.num_fillings() <= MOST_FILLINGS:
                wanted.remove(is_marked)
                yield game, state, seat


def consistent_lines(
    game: Game, state: bytes, seat: int, lines: Iterable[str], key: Callable[[str], str]
) -> set[str]:
    """Return those of some position lines that are consistent, as far as `key` tells them apart."""
    reference = REFERENCES[game.name].parse(game.text(state))
    return {key(line) for line in lines if reference.consistent(seat + 1, line)}


def drawn_lines(
    game: Game, state: bytes, seat: int, count: int, key: Callable[[str], str]
) -> Counter[str]:
    observation = game.observed(state, seat)
    stream = PCG64(5)
    return Counter(key(game.text(game.determinized(observation, stream))) for _ in range(count))


@pytest.mark.slow
def test_late_worlds_of_kingdom_coinquest_are_the_consistent_positions() -> None:
    """R11.7 and R11.8, of positions as they come about in play."""
    variants = [
        Variant("kingdom_coinquest", {"players": players, "health": "99"}) for players in "234"
    ]
    fit = Fit()
    num_worlds, num_shared_pools = [], 0
    for game, state, seat in late_observations(variants, kingdom_blanks, num_games=30):
        blanks = kingdom_blanks(game.text(game.observed(state, seat)))
        lines = consistent_lines(game, state, seat, blanks.fillings(), key=str)
        fit.add(drawn_lines(game, state, seat, num_draws(len(lines)), key=str), equally(lines))
        num_worlds.append(len(lines))
        num_shared_pools += len(lines) > 1 and any(mark for _, mark in blanks.groups)
    fit.check()
    assert len([number for number in num_worlds if number > 1]) > 30
    assert num_shared_pools > 5


def hands_only(line: str) -> str:
    """Blank the cards that were given, which other lines have many ways to choose."""
    return re.sub(r"(p\d=[^/]+/[^/]+/)[^/]+", r"\1", line)


def with_given_cards(line: str) -> str:
    """Let hidden given cards be any three that the receiver had after the pass."""
    fields = line.split(" ")
    steps = plain_hearts.PASS_STEPS.get(fields[1].partition("=")[2], 0)
    seats = [fields[2 + seat].partition("=")[2].split("/") for seat in range(4)]
    trick = [card for card in fields[6].partition("=")[2].split(",") if card != "-"]
    decider = int(fields[7][-1]) - 1
    for giver, parts in enumerate(seats):
        receiver = (giver + steps) % 4
        played = {(decider - len(trick) + i) % 4: card for i, card in enumerate(trick)}
        had = {*HEARTS_CARD.findall("/".join(seats[receiver][:2])), played.get(receiver, "")}
        if "?" in parts[2]:
            parts[2] = ",".join([card for card in plain_hearts.CARDS if card in had][:3])
        fields[2 + giver] = f"p{giver + 1}={'/'.join(parts)}"
    return " ".join(fields)


@pytest.mark.slow
def test_late_worlds_of_hearts_are_the_consistent_positions() -> None:
    """R3.6, of positions as they come about in play."""
    passes = ("none", "left", "across", "right")
    variants = [Variant("hearts", {"pass": direction}) for direction in passes]
    fit = Fit()
    num_worlds, num_excluded = [], 0
    for game, state, seat in late_observations(variants, hearts_blanks, num_games=60):
        blanks = hearts_blanks(game.text(game.observed(state, seat)))
        given = map(with_given_cards, blanks.fillings())
        lines = consistent_lines(game, state, seat, given, hands_only)
        fit.add(drawn_lines(game, state, seat, num_draws(len(lines)), hands_only), equally(lines))
        num_worlds.append(len(lines))
        num_excluded += len(lines) < blanks.num_fillings()
    fit.check()
    assert len([number for number in num_worlds if number > 1]) > 30
    assert num_excluded > 20


@pytest.mark.parametrize("direction", ["left", "across", "right"])
def test_any_three_cards_after_the_pass_are_equally_likely_the_given_ones(direction: str) -> None:
    """R3.6: for a spectator, all 286 threes of the thirteen that each seat had."""
    game = GAMES["hearts"](**{"pass": direction})
    steps = [step for step in play(game, 1) if phase_of(game, step.state) == "play"]
    observation = game.observed(steps[30].state, SPECTATOR)
    stream = PCG64(6)
    threes: set[tuple[int, ...]] = set(combinations(range(13), 3))
    shift = plain_hearts.PASS_STEPS[direction]
    counts: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(4)]
    for _ in range(num_draws(len(threes))):
        world = game.view(game.determinized(observation, stream))
        for giver, receiver in ((giver, (giver + shift) % 4) for giver in range(4)):
            had = plain_hearts.in_order(
                {*world["seats"][receiver]["hand"], *world["seats"][receiver]["played"]}
                | set(trick_card(world, receiver))
            )
            given = world["seats"][giver]["given"]
            counts[giver][tuple(sorted(had.index(card) for card in given))] += 1
    fit = Fit()
    probabilities = equally(threes)
    for given_by_seat in counts:
        fit.add(given_by_seat, probabilities)
    fit.check()


def trick_card(world: Mapping[str, object], seat: int) -> list[str]:
    """The card of a seat in the running trick, if any."""
    trick, node = world["trick"], world["node"]
    assert isinstance(trick, list)
    assert isinstance(node, dict)
    first = node["seat"] - 1 - len(trick)
    return [card for i, card in enumerate(trick) if (first + i) % 4 == seat]
