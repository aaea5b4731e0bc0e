"""What mirrored deals promise: exact single games, and the same luck in all games of a group."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

import pytest
from numpy.random import SFC64

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.ladder.deals import Deal, mirrored_tasks
from kingmaker.ladder.model import TimeControl
from kingmaker.ladder.specs import make_bot
from kingmaker.search.draws import uniform
from kingmaker.search.position import CHANCE, TERMINAL, new_game

NUM_SEEDS = 3000
MAX_PLIES = 400


def excess(counts: Iterable[float], expected: Iterable[float]) -> float:
    """Pearson's chi-square in standard deviations above its mean."""
    pairs = list(zip(counts, expected, strict=True))
    freedom = len(pairs) - 1
    chi_square = sum((count - mean) ** 2 / mean for count, mean in pairs)
    return (chi_square - freedom) / math.sqrt(2 * freedom) if freedom else chi_square


def chance_nodes(game: Game, deal: Deal, choice_seed: int) -> Iterator[tuple[bytes, int]]:
    """Play moves of the playout policy on a deal; yield every chance node and its outcome."""
    state, stream = game.start_state(), SFC64(choice_seed)
    for _ in range(MAX_PLIES):
        node = game.node_of(state)
        if node == TERMINAL:
            return
        if node == CHANCE:
            move = deal.draw(game, state)
            yield state, move
        else:
            move = game.policy_move(state, stream)
        state = game.after(state, move)


def outcomes_by_source(
    game: Game, deal_seed: int, choice_seed: int
) -> dict[str, list[tuple[list[tuple[int, float]], str]]]:
    """Map each source to what could be drawn from it and what was, in order."""
    found = defaultdict(list)
    for state, outcome in chance_nodes(game, Deal(deal_seed), choice_seed):
        drawn = (game.outcomes_of(state), game.move_text(outcome))
        found[game.chance_source(state)].append(drawn)
    return found


def tokens(drawn: Sequence[tuple[object, str]]) -> list[str]:
    return [token for _, token in drawn]


def movable(options: list[tuple[int, float]], game: Game) -> set[str]:
    """The types of figures that some roll can move."""
    return set().union(*(faces(game.move_text(outcome)) for outcome, _ in options))


def faces(token: str) -> set[str]:
    return set(token.partition(":")[2]) - {"-"}


GAMES_WITH_CHANCE = [name for name, kind in GAMES.items() if any(chance_nodes(kind(), Deal(1), 1))]


def test_the_numbers_are_uniform() -> None:
    counts = Counter(int(uniform(seed, "pile", n) * 50) for seed in range(500) for n in range(40))
    assert excess((counts[i] for i in range(50)), [400] * 50) < 4


def test_the_numbers_of_two_sources_are_independent() -> None:
    cells = Counter(
        (int(uniform(seed, "roll:p1", 3) * 8), int(uniform(seed, "roll:p2", 3) * 8))
        for seed in range(12800)
    )
    assert excess((cells[i, j] for i in range(8) for j in range(8)), [200] * 64) < 4


@pytest.mark.parametrize("name", GAMES_WITH_CHANCE)
def test_each_outcome_is_drawn_by_its_probability(name: str) -> None:
    game = GAMES[name]()
    nodes = list(chance_nodes(game, Deal(3), 3))
    for state, _ in {len(game.outcomes_of(state)): (state, 0) for state, _ in nodes[:40]}.values():
        outcomes = dict(game.outcomes_of(state))
        counts = Counter(Deal(seed).draw(game, state) for seed in range(NUM_SEEDS))
        assert counts.keys() <= outcomes.keys()
        means = [probability * NUM_SEEDS for probability in outcomes.values()]
        assert excess([counts[each] for each in outcomes], means) < 5


def test_all_deals_of_kuhn_poker_are_alike() -> None:
    game = GAMES["kuhn_poker"]()
    deals = Counter(
        tuple(tokens(outcomes_by_source(game, seed, seed)["deal"])) for seed in range(NUM_SEEDS)
    )
    assert len(deals) == 6
    assert excess(deals.values(), [NUM_SEEDS / 6] * 6) < 4


def test_all_deals_of_leduc_poker_with_a_board_are_alike() -> None:
    game = GAMES["leduc_poker"]()
    dealt = [
        tuple(tokens(outcomes_by_source(game, seed, seed + 1)["deal"])) for seed in range(8000)
    ]
    boards = Counter(cards for cards in dealt if len(cards) == 3)
    assert len(boards) == 6 * 5 * 4
    assert excess(boards.values(), [boards.total() / 120] * 120) < 4


def test_all_orders_of_prizes_are_alike_whatever_was_bid() -> None:
    game = GAMES["goofspiel"](cards="4")
    orders = Counter(
        tuple(tokens(outcomes_by_source(game, seed, seed % 7)["prize"])) for seed in range(4800)
    )
    # The last prize needs no draw.
    assert len(orders) == len(list(permutations(range(4), 3)))
    assert excess(orders.values(), [200] * 24) < 4


@pytest.mark.parametrize("name", GAMES_WITH_CHANCE)
def test_the_nth_draw_is_the_same_where_the_same_can_be_drawn(name: str) -> None:
    game = GAMES[name]()
    one, *others = (outcomes_by_source(game, 8, choice) for choice in range(9))
    compared = 0
    for other in others:
        for source in one.keys() & other.keys():
            for (options, token), (other_options, other_token) in zip(
                one[source], other[source], strict=False
            ):
                if options == other_options:
                    assert token == other_token
                    compared += 1
    assert compared


def test_the_cards_of_hearts_are_the_same_in_all_games_of_a_group() -> None:
    game = GAMES["hearts"]()
    one, other = (outcomes_by_source(game, 8, choice) for choice in (1, 2))
    assert one.keys() == other.keys() == {"direction", "deal"}
    assert len(one["deal"]) == 52
    assert one == other


@pytest.mark.parametrize(
    ("name", "source", "least"),
    [("code_of_chivalry", "pile", 10), ("kingdom_coinquest", "deal", 20)],
)
def test_the_nth_card_of_a_pile_is_the_same_whatever_was_played(
    name: str, source: str, least: int
) -> None:
    game = GAMES[name]()
    one, other = (tokens(outcomes_by_source(game, 8, choice)[source]) for choice in (1, 2))
    cards = [[token.partition(":")[2] for token in drawn[:least]] for drawn in (one, other)]
    assert len(cards[0]) == least
    assert cards[0] == cards[1]


def test_the_nth_roll_of_a_seat_shows_the_same_dice_whatever_can_move() -> None:
    game = GAMES["chessault"]()
    one, other = (outcomes_by_source(game, 8, choice) for choice in (1, 2))
    for seat in ("roll:p1", "roll:p2"):
        rolls = list(zip(one[seat], other[seat], strict=False))
        differing = 0
        for (options, token), (other_options, other_token) in rolls:
            shared = movable(options, game) & movable(other_options, game)
            assert shared & faces(token) == shared & faces(other_token)
            differing += options != other_options
        assert differing > 10


def test_the_nth_draw_of_an_attacker_is_as_lucky_whatever_the_pile() -> None:
    game = GAMES["knights_duty"]()
    states = [state for choice in range(5) for state, _ in chance_nodes(game, Deal(5), choice)]
    assert {game.chance_source(state) for state in states} == {"draw:p1", "draw:p2"}
    for state in states:
        (heart, probability), _ = game.outcomes_of(state)
        assert game.outcome_at(state, probability - 1e-9) == heart
        assert game.outcome_at(state, probability + 1e-9) != heart


def test_another_deal_seed_is_another_deal() -> None:
    game = GAMES["hearts"]()
    assert outcomes_by_source(game, 1, 1) != outcomes_by_source(game, 2, 1)


def test_every_bot_holds_every_seat_once_on_the_same_deal() -> None:
    bots = [make_bot(f"level:{level}") for level in (1, 2, 3, 4)]
    game = new_game("hearts").game
    tasks = mirrored_tasks(
        game,
        {"direction": "left"},
        bots,
        group="g7",
        deal_seed=1,
        seed=2,
        clock=TimeControl(),
        max_plies=500,
    )
    assert [task.rotation for task in tasks] == [0, 1, 2, 3]
    assert tasks[0].bots == tuple(bots)
    for seat in range(4):
        assert {task.bots[seat] for task in tasks} == set(bots)
    assert {(task.group, task.deal_seed) for task in tasks} == {("g7", 1)}
    assert len({task.seed for task in tasks}) == len({task.id for task in tasks}) == 4
