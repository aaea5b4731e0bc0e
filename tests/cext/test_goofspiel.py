"""Goofspiel beyond its worked examples; the numbers of rules are those of the rules page."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from numpy.random import PCG64

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.random_play import CHANCE, SPECTATOR, TERMINAL, Variant, play, possible, seats_of
from tests.test_differential import first_difference

VARIANTS = [
    {"cards": str(cards), "order": order}
    for cards, order in product(range(4, 14), ("random", "ascending", "descending"))
]
ROUND = "goof;cards=4 p1=1,2,3,4 p2=1,2,3,4 bids=_/_ points=0/0 prize=3 down=1,2,4 node=bid:p1"


def new(**options: str) -> Game:
    return GAMES["goofspiel"](**options)


def after(game: Game, state: bytes, *tokens: str) -> bytes:
    for token in tokens:
        state = game.after(state, game.parse_move(token))
    return state


def at(line: str, *tokens: str) -> tuple[Game, bytes]:
    game, state = GAMES["goofspiel"].parse_position(line)
    return game, after(game, state, *tokens)


def changed(before: str, *tokens: str) -> list[str]:
    game, state = at(before)
    return [change.text for change in game.changes(state, after(game, state, *tokens), 0)]


def information_states(game: Game) -> list[set[tuple[int, ...]]]:
    """What each seat has seen by its decisions, in all games there are."""
    found: list[set[tuple[int, ...]]] = [set(), set()]
    stack: list[tuple[bytes, list[tuple[int, ...]]]] = [(game.start_state(), [(), ()])]
    while stack:
        state, seen = stack.pop()
        if (seat := game.node_of(state)) >= 0:
            found[seat].add(seen[seat])
        for move in possible(game, state):
            streams = [(*seen[each], game.seen(state, move, each)) for each in range(2)]
            stack.append((game.after(state, move), streams))
    return found


def num_games(game: Game) -> int:
    layer, ended = Counter({game.start_state(): 1}), 0
    while layer:
        ended += sum(n for state, n in layer.items() if game.node_of(state) == TERMINAL)
        successors: Counter[bytes] = Counter()
        for state, sequences in layer.items():
            for move in possible(game, state):
                successors[game.after(state, move)] += sequences
        layer = successors
    return ended


def uniform_value(game: Game, state: bytes) -> float:
    """The share of p1 under uniform bids, by enumeration."""
    if game.node_of(state) == TERMINAL:
        return game.returns_of(state)[0]
    moves = possible(game, state)
    return sum(uniform_value(game, game.after(state, move)) for move in moves) / len(moves)


@pytest.mark.parametrize("options", VARIANTS, ids=lambda each: "-".join(each.values()))
def test_the_contract_holds_with_every_option(options: dict[str, str]) -> None:
    game = new(**options)
    assert game.options == options
    for state, _ in play(game, seed=1):
        assert game.parse_position(game.text(state))[1] == state
        assert game.from_view(game.view(state))[1] == state
        for seat in seats_of(game):
            observation = game.observed(state, seat)
            assert game.parse_observation(game.text(observation))[1] == observation
            drawn = game.determinized(observation, PCG64(1))
            assert game.observed(drawn, seat) == observation


@pytest.mark.parametrize("options", VARIANTS, ids=lambda each: "-".join(each.values()))
def test_engine_and_reference_agree_with_every_option(options: dict[str, str]) -> None:
    for seed in range(5):
        report = first_difference(Variant("goofspiel", options), seed)
        assert not report, report


@pytest.mark.parametrize("options", VARIANTS, ids=lambda each: "-".join(each.values()))
def test_a_playout_takes_as_many_plies_as_the_game(options: dict[str, str]) -> None:
    game = new(**options)
    steps = list(play(game, seed=2))
    for ply, (state, _) in enumerate(steps):
        assert game.played_out(state, PCG64(ply))[1] == len(steps) - 1 - ply


def test_there_are_as_many_games_as_ways_to_order_the_cards_r3_3() -> None:
    assert num_games(new(cards="4")) == 24**3
    assert num_games(new(cards="4", order="ascending")) == 24**2
    assert num_games(new(cards="5", order="descending")) == 120**2


@pytest.mark.parametrize(
    ("order", "number"), [("random", 3652), ("ascending", 161), ("descending", 161)]
)
def test_what_was_seen_tells_as_many_information_states_apart_as_counted_r3_3(
    order: str, number: int
) -> None:
    assert [len(found) for found in information_states(new(cards="4", order=order))] == [number] * 2


def test_p2_and_spectators_see_the_same_whatever_p1_has_bid_r3_1() -> None:
    for reply in ([], ["bid:3"]):
        for seat in (1, SPECTATOR):
            seen = {
                game.observed(state, seat)
                for bid in range(1, 5)
                for game, state in [at(ROUND, f"bid:{bid}", *reply)]
            }
            assert len(seen) == 1


def test_the_reveal_tells_p2_what_p1_has_bid_r3_2() -> None:
    game, state = at(ROUND)
    assert [game.seen(state, game.parse_move("bid:2"), seat) for seat in seats_of(game)] == [
        game.parse_move(token) for token in ("bid:2", "bid:?", "bid:?")
    ]
    state = after(game, state, "bid:2", "bid:4")
    [(outcome, probability)] = game.outcomes_of(state)
    assert probability == 1
    assert {game.seen(state, outcome, seat) for seat in seats_of(game)} == {outcome}
    assert game.move_text(outcome) == "reveal:2-4"


def test_everybody_sees_the_bid_of_p2_r3_1() -> None:
    game, state = at(ROUND, "bid:2")
    bid = game.parse_move("bid:4")
    assert {game.seen(state, bid, seat) for seat in seats_of(game)} == {bid}


def test_equal_bids_discard_the_prize_r1_4() -> None:
    game, state = at(ROUND, "bid:4", "bid:4", "reveal:4-4")
    assert game.view(state)["points"] == [0, 0]
    assert game.view(state)["down"] == [1, 2, 4]


def test_the_game_goes_on_when_it_is_decided_r1_6() -> None:
    game, state = at(
        "goof;cards=4 p1=3,4 p2=1,2 bids=_/_ points=7/0 prize=1 down=2 node=bid:p1", "bid:3"
    )
    assert game.moves_of(state) == [1, 2]


def test_it_does_not_matter_in_which_rounds_cards_were_used_r3_3() -> None:
    game = new(cards="5", order="ascending")
    first = ["bid:1", "bid:1", "reveal:1-1"]
    second = ["bid:2", "bid:2", "reveal:2-2"]
    start = game.start_state()
    assert after(game, start, *first, *second) == after(game, start, *second, *first)


def test_the_history_of_a_round_is_its_pending_bids() -> None:
    game, start = at(ROUND)
    for tokens in ([], ["bid:2"], ["bid:2", "bid:4"]):
        bids = [game.parse_move(token) for token in tokens]
        assert game.history_of(after(game, start, *tokens)) == (start, bids)
    later = after(game, start, "bid:2", "bid:4", "reveal:2-4")
    assert game.history_of(later) == (later, [])


@pytest.mark.parametrize(
    "line",
    [
        "goof;cards=4 p1=1,2,4 p2=1,2,3 bids=_/_ points=0/3 prize=_ down=1,2,4 node=prize",
        "goof;cards=4 p1=1,2,4 p2=1,2,3 bids=4/_ points=0/3 prize=4 down=1,2 node=bid:p2",
        "goof;cards=4 p1=1,2,4 p2=1,2,3 bids=2/3 points=0/3 prize=1 down=2,4 node=reveal",
        "goof;cards=4;order=ascending p1=1,2,4 p2=1,2,3 bids=_/_ points=0/1 prize=2 down=3,4 "
        "node=bid:p1",
    ],
)
def test_playouts_have_the_value_of_uniform_bids(line: str) -> None:
    game, state = at(line)
    value, _ = game.playouts(state, PCG64(1), 40_000)
    assert value[0] == pytest.approx(uniform_value(game, state), abs=5 * 0.5 / 200)


def test_evaluation_is_fair_at_the_start_and_turns_with_the_seats() -> None:
    assert new().evaluation_of(new().start_state()) == [0.5, 0.5]
    mirrored = []
    for line in (
        "goof;cards=5 p1=2,4,5 p2=1,2,3 bids=_/_ points=3/1 prize=1 down=3,4 node=bid:p1",
        "goof;cards=5 p1=1,2,3 p2=2,4,5 bids=_/_ points=1/3 prize=1 down=3,4 node=bid:p1",
    ):
        game, state = at(line)
        mirrored.append(game.evaluation_of(state))
    assert mirrored[0] == pytest.approx(mirrored[1][::-1])
    assert 0.5 < mirrored[0][0] < 1


def test_evaluation_is_near_the_value_of_uniform_bids_on_average() -> None:
    game, stream = new(cards="8"), PCG64(1)
    states = [state for seed in range(12) for state, _ in play(game, seed)]
    errors = [
        abs(game.evaluation_of(state)[0] - game.playouts(state, stream, 500)[0][0])
        for state in states
    ]
    assert sum(errors) / len(errors) < 0.08


def test_evaluation_knows_before_the_reveal_who_gets_the_prize() -> None:
    game, state = at(
        "goof;cards=5;order=ascending p1=1,2,4,5 p2=1,2,3,5 bids=4/3 points=0/1 prize=2 "
        "down=3,4,5 node=reveal"
    )
    revealed = after(game, state, "reveal:4-3")
    assert game.evaluation_of(state) == pytest.approx(game.evaluation_of(revealed))


def test_moves_are_reported_in_words() -> None:
    game, state = at(ROUND)
    assert game.describe_move(state, game.parse_move("bid:4")) == "bid the 4 for the 3"
    assert game.describe_move(state, game.parse_move("bid:?")) == "bid a hidden card for the 3"
    assert game.describe_anywhere(game.parse_move("prize:2")) == "turn up the 2 as the prize"
    assert (
        game.describe_anywhere(game.parse_move("reveal:2-4"))
        == "reveal the bids, 2 of p1 and 4 of p2"
    )


def test_a_round_is_summed_up_in_words() -> None:
    assert changed(ROUND, "bid:2") == []
    assert changed(ROUND, "bid:4", "bid:1", "reveal:4-1") == ["p1 gains 3 points"]
    assert changed(ROUND, "bid:1", "bid:1", "reveal:1-1") == ["nobody gets 3 points"]
    last = "goof;cards=4 p1=1,4 p2=1,2 bids=_/_ points=0/3 prize=2 down=1 node=bid:p1"
    assert changed(last, "bid:4", "bid:1", "reveal:4-1") == [
        "p2 wins the game, 4 to 2 points",
        "p1 gains 2 points",
        "p2 gains 1 point",
    ]


def test_an_observation_is_drawn_without_the_hidden_bid() -> None:
    game, state = at(ROUND, "bid:2")
    assert game.render(game.observed(state, 1)).splitlines() == [
        "prize 3   face down: 1 2 4",
        "p1  0 points   hand: 1 2 3 4   bids ?",
        "p2  0 points   hand: 1 2 3 4",
    ]


@pytest.mark.parametrize(
    ("tokens", "move", "words", "rule"),
    [
        (["bid:2", "bid:4", "reveal:2-4"], "prize:3", "the point card 3 is gone", "R1.2"),
        (["bid:2", "bid:4", "reveal:2-4"], "bid:1", "the prize is being turned up now", "R1.2"),
        (["bid:2", "bid:4", "reveal:2-4", "prize:1"], "bid:2", "the card 2 is not in", "R1.3"),
        ([], "bid:?", "a bid must name its card", "R1.3"),
        ([], "prize:1", "the seats are bidding now", "R1.3"),
        (["bid:2", "bid:4"], "reveal:4-2", "the bids that were made are revealed now", "R1.4"),
    ],
)
def test_an_illegal_move_is_explained_with_its_rule(
    tokens: list[str], move: str, words: str, rule: str
) -> None:
    game, state = at(ROUND, *tokens)
    sentence, number = game.why_illegal(state, game.parse_move(move))
    assert sentence.startswith(words)
    assert number == rule


@pytest.mark.parametrize("token", ["bid:5", "bid:", "bid:1-2", "reveal:1", "prize:?", "reveal:1-5"])
def test_a_card_that_is_not_in_the_game_makes_no_move_r4_1(token: str) -> None:
    with pytest.raises(InputError, match=r"R4\.1"):
        new(cards="4").parse_move(token)


def line(**fields: str) -> str:
    """A line of fields, by default those of a valid position."""
    given = {
        "tag": "goof;cards=4",
        "p1": "1,2",
        "p2": "3,4",
        "bids": "_/_",
        "points": "0/0",
        "prize": "1",
        "down": "4",
        "node": "bid:p1",
    } | fields
    tag = given.pop("tag")
    return " ".join([tag, *(f"{name}={value}" for name, value in given.items())])


@pytest.mark.parametrize(
    ("fields", "field", "rule"),
    [
        ({"tag": "goof;cards=5;cards=4"}, "options", "R4.2"),
        ({"tag": "goof;cards"}, "options", "R4.2"),
        ({"tag": "goof;cards=99"}, "options.cards", "R1.1"),
        ({"tag": "goof;order=up"}, "options.order", "R1.2"),
        ({"p1": "2,1"}, "hands[0].cards[0]", "R4.2"),
        ({"p1": "_"}, "hands[0].cards[0]", "R4.2"),
        ({"p1": "1,5"}, "hands[0].cards", "R4.3b"),
        ({"p2": "3"}, "hands", "R4.3b"),
        ({"down": "5"}, "down", "R4.3c"),
        ({"prize": "4"}, "down", "R4.3c"),
        ({"prize": "5"}, "down", "R4.3c"),
        ({"tag": "goof;cards=4;order=ascending"}, "prize", "R4.3c"),
        ({"bids": "3/_", "node": "bid:p2"}, "bids[0]", "R4.3d"),
        ({"bids": "_/3"}, "bids", "R4.3d"),
        ({"bids": "1"}, "bids", "R4.2"),
        ({"bids": "?/_", "node": "bid:p2"}, "bids[0]", "R4.2"),
        ({"points": "3/3"}, "points", "R4.3e"),
        ({"points": "1/-1"}, "points[1]", "R4.2"),
        ({"node": "prize"}, "node.type", "R4.3f"),
    ],
    ids=str,
)
def test_a_wrong_position_is_refused_with_its_field_and_rule(
    fields: dict[str, str], field: str, rule: str
) -> None:
    assert GAMES["goofspiel"].parse_position(line())
    with pytest.raises(InputError) as error:
        GAMES["goofspiel"].parse_position(line(**fields))
    path = f"position.{field}".removesuffix(".")
    assert (error.value.field, error.value.rule) == (path, rule)


def test_the_point_cards_of_a_position_are_exactly_those_that_can_be_left_r4_3c() -> None:
    """Of all pairs of prize and face-down cards, with two cards in each hand."""
    sets = [
        "-",
        *map(str, range(1, 5)),
        *(f"{a},{b}" for a in range(1, 5) for b in range(a + 1, 5)),
    ]
    expected = {
        "goof;cards=4": {(str(a), str(b)) for a in range(1, 5) for b in range(1, 5) if a != b},
        "goof;cards=4;order=ascending": {("3", "4")},
        "goof;cards=4;order=descending": {("2", "1")},
    }
    for tag, valid in expected.items():
        accepted = set()
        for prize, down in product("1234", sets):
            try:
                GAMES["goofspiel"].parse_position(line(tag=tag, prize=prize, down=down))
            except InputError:
                continue
            accepted.add((prize, down))
        assert accepted == valid


def test_chance_never_turns_a_prize_up_in_a_known_order_r1_2() -> None:
    game = new(cards="6", order="descending")
    prizes = [
        game.view(state)["prize"] for state, _ in play(game, seed=3) if game.node_of(state) == 0
    ]
    assert prizes == [6, 5, 4, 3, 2]
    assert all(
        len(game.outcomes_of(state)) == 1
        for state, _ in play(game, seed=3)
        if game.node_of(state) == CHANCE
    )
