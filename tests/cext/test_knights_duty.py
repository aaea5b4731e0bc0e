"""A Knight's Duty where the worked examples of its rules page are silent.

Test names and docstrings cite docs/rules/knights_duty.md.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import Any

import pytest
from numpy.random import PCG64

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.search.analysis import Budget
from kingmaker.search.position import parse_observation
from kingmaker.search.run import analyze
from tests.cext.notations import played, seen_by, tokens_of
from tests.random_play import CHANCE, SPECTATOR, TERMINAL, Variant, play, seats_of, varied
from tests.reference import REFERENCES
from tests.test_differential import differences, inconsistent

NUM_CROWDS = int(os.environ.get("KINGMAKER_FUZZ_GAMES", "100"))
KINDS = "SPBHYME"
SIZES = [(arena, radius, number)
         for arena, numbers in {"hex": [37, 61, 91, 127], "square": [49, 81, 121, 169]}.items()
         for radius, number in enumerate(numbers, 3)]  # fmt: skip
Space = tuple[int, int]
SUPPLY = Counter("SSPPBBHHYYMMMEEE")


def new(**options: object) -> Game:
    return GAMES["knights_duty"](**{key: str(value) for key, value in options.items()})


at = partial(played, GAMES["knights_duty"])


def after(line: str, *tokens: str) -> str:
    game, state = at(line, *tokens)
    return game.text(state)


def legal(line: str) -> list[str]:
    return tokens_of(*at(line))


# --- the arena --------------------------------------------------------------------------------


def distance(arena: str, first: Space, second: Space) -> int:
    """R2.3, R2.6."""
    dq, dr = first[0] - second[0], first[1] - second[1]
    return max(abs(dq), abs(dr), abs(dq + dr) if arena == "hex" else 0)


def spaces(arena: str, radius: int) -> list[Space]:
    """R2.1, R2.6."""
    across = range(-radius, radius + 1)
    return [(q, r) for q, r in product(across, across) if arena == "square" or abs(q + r) <= radius]


def space_of(player: dict[str, Any]) -> Space:
    return player["space"]["q"], player["space"]["r"]


@pytest.mark.parametrize(("arena", "radius", "number"), SIZES)
def test_an_arena_has_as_many_spaces_as_its_radius_says(
    arena: str, radius: int, number: int
) -> None:
    """R2.1, R2.6: no more than the page names, and none is missing."""
    assert len(spaces(arena, radius)) == number
    tag = f"kd;arena={arena};radius={radius}".replace(";arena=hex", "").replace(";radius=4", "")
    line = tag + " t2 0.place p1 {},{}/F/n/d/...;0,0/F/n/d/... -"
    across = range(-radius - 1, radius + 2)
    accepted = {
        space
        for space in product(across, across)
        if is_accepted(GAMES["knights_duty"].parse_position, line.format(*space), InputError)
    }
    assert accepted == {*spaces(arena, radius)} - {(0, 0)}


@pytest.mark.parametrize(("arena", "radius"), [size[:2] for size in SIZES])
def test_a_lone_mover_can_step_to_every_space_at_distance_1(arena: str, radius: int) -> None:
    """R2.1 to R2.6, R6.2: from every space of the arena."""
    game = new(arena=arena, radius=radius)
    tag = game.text(game.start_state()).split(" ")[0]
    for q, r in spaces(arena, radius):
        others = "0,0" if abs(q) > 1 or abs(r) > 1 else f"{radius},-{radius}"
        state = at(f"{tag} t2 1.step p1 {q},{r}/F/n/d/MEE;{others}/F/n/d/EEE -")[1]
        after_moves = [game.view(game.after(state, move)) for move in game.moves_of(state)]
        ends = [space_of(view["players"][0]) for view in after_moves]
        near = [end for end in spaces(arena, radius) if distance(arena, (q, r), end) <= 1]
        assert sorted(ends) == sorted(near)


@pytest.mark.parametrize(
    ("arena", "players", "corners"),
    [
        ("hex", 2, [(4, -4), (-4, 4)]),
        ("hex", 3, [(4, -4), (0, 4), (-4, 0)]),
        ("hex", 4, [(4, -4), (4, 0), (-4, 4), (-4, 0)]),
        ("hex", 5, [(4, -4), (4, 0), (0, 4), (-4, 4), (-4, 0)]),
        ("hex", 6, [(4, -4), (4, 0), (0, 4), (-4, 4), (-4, 0), (0, -4)]),
        ("square", 2, [(4, -4), (-4, 4)]),
        ("square", 3, [(4, -4), (4, 4), (-4, 4)]),
        ("square", 4, [(4, -4), (4, 4), (-4, 4), (-4, -4)]),
    ],
)
def test_knights_start_in_the_corners_of_their_number(
    arena: str, players: int, corners: list[tuple[int, int]]
) -> None:
    """R2.4, R2.6, R3.1."""
    game = new(players=players, arena=arena)
    view = game.view(game.start_state())
    assert [space_of(player) for player in view["players"]] == corners


def test_a_square_arena_has_four_corners_to_choose_from() -> None:
    """R2.6, R3.2."""
    game = new(players=4, arena="square", clans="choose")
    state = game.start_state()
    for corner in ("clan:c3", "clan:c0", "clan:c2"):
        state = game.after(state, game.parse_move(corner))
    assert tokens_of(game, state) == ["clan:c1"]


# --- programming ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "heart", "tracker", "number"),
    [
        ("kd", "F", "...", 338),
        ("kd;empty_slots=off", "F", "...", 211),
        ("kd", "B", "..x", 49),
        ("kd;empty_slots=off", "B", "..x", 36),
    ],
)
def test_there_are_as_many_programmes_as_the_page_says(
    tag: str, heart: str, tracker: str, number: int
) -> None:
    """Section 19; R4.3, R4.5, R4.6."""
    game, start = at(f"{tag} t2 0.place p1 0,0/{heart}/n/d/{tracker};1,0/F/n/d/... -")
    layer = {start}
    while {game.node_of(state) for state in layer} == {0}:
        layer = {game.after(s, move) for s in layer for move in game.moves_of(s)}
    assert len(layer) == number


def test_a_seat_that_is_out_is_not_asked_and_counts_in_the_initiative() -> None:
    """R4.4, R11.1, section 2: in turn 3 of three seats p3 would be first, then p1."""
    line = "kd t3 1.target p1 0,0/F/S/d/SEE;1,0/F/S/d/SEE;out a1;a2"
    assert " q1>2;q2>1" in after(line, "target:p2", "target:p1")
    line = line.replace("t3", "t2")
    assert " q2>1;q1>2" in after(line, "target:p2", "target:p1")
    assert after("kd t3 0.place p1 0,0/F/n/d/EE.;out;1,0/F/n/d/... -", "place:empty") == (
        "kd t3 0.place p3 0,0/F/n/d/EEE;out;1,0/F/n/d/... -"
    )


# --- slots ------------------------------------------------------------------------------------


def test_a_knight_that_does_not_enter_the_high_ground_recovers_nothing_in_a_slot() -> None:
    """R10.3: it stays there, or bounces off it."""
    line = "kd t2 1.step p1 0,0/F/n/d/MME;4,0/F/n/d/EEE -"
    assert " 2.step p1 0,0/F/n/d/" in after(line, "step:stay")
    line = "kd t2 1.step p1 1,0/F/n/d/MME;-1,0/F/n/d/MEE -"
    assert " 2.step p1 1,0/F/n/d/MME;-1,0/F/n/d/" in after(
        line, "step:w", "step:e", "claim:yes", "claim:yes"
    )


def test_a_knight_on_the_high_ground_recovers_when_the_next_turn_begins() -> None:
    """R10.4: it has stood there all the time."""
    line = "kd t2 3.step p1 0,0/F/n/d/EEM;4,0/F/n/d/EEE -"
    assert after(line, "step:stay") == "kd t3 0.place p1 0,0/F/n/u/...;4,0/F/n/d/... -"


def test_a_weapon_is_swapped_before_anybody_attacks() -> None:
    """R5.2, R7.1: p2 takes up its bow in the slot in which p1 attacks, and does not attack."""
    line = "kd t2 1.step p3 0,0/F/S/d/SEE;1,0/F/S/d/BEE;0,3/F/n/d/MEE -"
    assert after(line, "step:stay") == (
        "kd t2 1.target p1 0,0/F/S/d/SEE;1,0/F/B/d/BEE;0,3/F/n/d/MEE a1"
    )


@pytest.mark.parametrize(("letter", "reach"), [("S", 2), ("P", 3), ("B", 4)])
def test_a_weapon_reaches_so_far_over_other_knights(letter: str, reach: int) -> None:
    """R8.1, R2.7: p2 to p5 stand in a row."""
    others = ";".join(f"{q},0/F/n/d/EEE" for q in range(1, 6))
    line = f"kd;radius=5 t2 1.target p1 0,0/F/{letter}/d/{letter}EE;{others} a1"
    targets = [f"target:p{seat}" for seat in range(2, 2 + reach)]
    assert legal(line) == [*targets, "target:none"]


CHANCES = {  # R9.6: weapon, token of the target -> with no Inspiration, the attacker's, ..., both
    ("B", "M"): ["1/4", "2/5", "0", "1/4"],
    ("B", "H"): ["0", "1/5", "0", "0"],
    ("P", "M"): ["1/2", "3/5", "1/3", "1/2"],
    ("P", "H"): ["1/4", "2/5", "0", "1/4"],
    ("S", "M"): ["3/4", "4/5", "2/3", "3/4"],
    ("S", "H"): ["1/2", "3/5", "1/3", "1/2"],
}
ANSWERS = ["down", "no", "yes"]
"""Of attacker or target, whose Inspiration may be down."""


@pytest.mark.parametrize(("weapon", "token"), CHANCES)
@pytest.mark.parametrize("attacker", ANSWERS)
@pytest.mark.parametrize("target", ANSWERS)
def test_the_chances_of_a_combat_are_those_of_the_table(
    weapon: str, token: str, attacker: str, target: str
) -> None:
    """R9.1 to R9.6."""
    marks = ["d" if answer == "down" else "u" for answer in (attacker, target)]
    first, second = f"0,0/F/{weapon}/{marks[0]}/{weapon}EE", f"1,0/F/n/{marks[1]}/{token}EE"
    answers = [f"inspire:{answer}" for answer in (attacker, target) if answer != "down"]
    game, state = at(f"kd t2 1.target p1 {first};{second} a1", "target:p2", *answers)
    outcomes = {
        game.move_text(outcome): Fraction(probability).limit_denominator(60)
        for outcome, probability in game.outcomes_of(state)
    }
    hit = Fraction(CHANCES[weapon, token][(attacker == "yes") + 2 * (target == "yes")])
    assert outcomes == ({"draw:heart": hit, "draw:shield": 1 - hit} if hit else {})


def test_a_useless_inspiration_is_legal_and_spent() -> None:
    """D26: against a bow and a shield there is no heart to take."""
    line = "kd t2 1.target p1 0,0/F/B/d/BME;3,0/F/n/u/HEE a1"
    assert after(line, "target:p2", "inspire:yes") == (
        "kd t2 2.step p1 0,0/F/B/d/BME;3,0/F/n/d/HEE -"
    )


def test_a_defeated_knight_uses_its_inspiration() -> None:
    """R8.9: p1 fell to p2, and now attacks p2."""
    line = "kd t2 2.draw chance 0,0/B/S/u/ESx;1,0/F/S/d/ESE q2>1;q1>2;id=n"
    fallen = after(line, "draw:heart")
    assert fallen == "kd t2 2.inspire p1 0,0/X/S/u/ESx;1,0/F/S/d/ESE q1>2"
    assert after(fallen, "inspire:yes", "draw:heart") == ("kd t2 2.end - out;1,0/B/S/d/ESx r=0,1")


def test_an_inspiration_serves_once_in_a_slot_with_two_combats() -> None:
    """R10.1, R9.3: p3 is attacked twice, and asked in the second combat if it did not use it."""
    line = "kd t1 1.draw chance 0,0/F/S/d/SEE;1,0/F/S/d/SEE;0,1/F/n/u/EEE q1>3;w2;id=n"
    again = after(line, "draw:shield", "target:p3")
    assert again == "kd t1 1.inspire p3 0,0/F/S/d/SEE;1,0/F/S/d/SEE;0,1/F/n/u/EEE q2>3"
    spent = line.replace("/u/EEE q1>3;w2;id=n", "/d/EEE q1>3;w2;id=y")
    assert " 1.draw chance " in after(spent, "draw:shield", "target:p3")
    assert after(spent, "draw:shield", "target:p3").endswith(" q2>3")


def test_those_that_fall_together_share_and_those_before_do_not() -> None:
    """R11.3."""
    line = "kd t4 1.draw chance 0,0/X/S/d/SEx;1,0/B/S/d/SEx;out q1>2"
    game, state = at(line, "draw:heart")
    assert game.returns_of(state) == [0.5, 0.5, 0]


def test_the_last_one_standing_wins_in_the_last_slot_of_the_last_turn() -> None:
    """R11.4: R11.2 is tested first."""
    line = "kd;turn_limit=4 t4 3.draw chance 0,0/F/S/d/EES;1,0/B/S/d/EEx q1>2"
    hit, miss = (at(line, card) for card in ("draw:heart", "draw:shield"))
    assert hit[0].returns_of(hit[1]) == [1, 0]
    assert miss[0].returns_of(miss[1]) == [0.5, 0.5]


# --- what seats see ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "token", "seen"),
    [
        ("kd t2 0.place p2 0,0/F/n/u/SSM;1,0/F/n/u/BB. -", "place:move", "place:?"),
        ("kd t2 1.step p2 0,0/F/n/d/EEE;1,0/F/n/d/MEE -", "step:e", "step:?"),
        ("kd t2 1.claim p2 1,0/F/n/u/MSS;-1,0/F/n/u/MBB m1=w;m2=e;c1=y", "claim:no", "claim:?"),
        ("kd t2 1.target p2 0,0/F/S/d/SEE;1,0/F/S/d/SEE a1=2;a2", "target:none", "target:?"),
        ("kd t2 1.inspire p2 0,0/F/S/u/SEE;1,0/F/S/u/EEE q1>2;ia=y", "inspire:no", "inspire:?"),
        (
            "kd;inspire=open t2 1.inspire p2 0,0/F/S/u/SEE;1,0/F/S/u/EEE q1>2;ia=y",
            "inspire:no",
            "inspire:no",
        ),
        (
            "kd;clans=choose t1 0.clan p2 4,-4/F/n/u/...;-/F/n/u/... -",
            "clan:c4",
            "clan:c4",
        ),
    ],
)
def test_a_choice_is_seen_by_the_chooser_alone_unless_it_is_open(
    line: str, token: str, seen: str
) -> None:
    """R12.3, D40: also the last one of its group."""
    assert seen_by(*at(line), token) == [seen, seen, token]


def test_a_drawn_card_is_seen_by_all() -> None:
    line = "kd t2 1.draw chance 0,0/F/S/d/SEE;1,0/F/S/d/EEE q1>2"
    assert seen_by(*at(line), "draw:heart") == ["draw:heart"] * 3


def test_a_seat_that_is_out_sees_what_a_spectator_sees() -> None:
    """R12.6, D36."""
    game, state = at("kd t3 2.step p2 out;1,0/F/n/u/MMS;2,0/F/S/u/SMH -", "step:ne")
    out, spectator = (game.text(game.observed(state, seat)) for seat in (0, SPECTATOR))
    assert out == "kd t3 2.step p3 out;1,0/F/n/u/MM?;2,0/F/S/u/SM? m2=? @p1"
    assert spectator == out.replace("@p1", "@-")


def test_the_choices_of_a_group_are_turned_up_together() -> None:
    """R12.3: p3 sees who chose something, and what it was when all have chosen."""
    line = "kd t2 1.step p1 1,0/F/n/d/MEE;-1,0/F/n/d/MEE;0,4/F/n/d/MEE -"
    game, state = at(line, "step:w", "step:e")
    assert " m1=?;m2=? @p3" in game.text(game.observed(state, 2))
    state = game.after(state, game.parse_move("step:stay"))
    assert " m1=w;m2=e;m3=stay @p3" in game.text(game.observed(state, 2))


# --- what searches ask ------------------------------------------------------------------------


def test_a_history_tells_the_choices_of_a_group_when_no_token_lies_face_down() -> None:
    line = "kd t2 3.target p2 0,0/F/S/d/EES;1,0/F/S/d/EES;0,1/F/n/d/EEE a1=3;a2"
    game, state = at(line)
    assert game.history_of(state) == (
        at(line.replace("p2 0,0", "p1 0,0").replace("a1=3", "a1"))[1],
        [game.parse_move("target:p3")],
    )
    covered = at(line.replace("3.target", "1.target").replace("EES", "SEE"))[1]
    assert game.history_of(covered) is None


def test_with_two_seats_a_history_begins_with_the_turn_while_nobody_has_moved() -> None:
    start = "kd t2 0.place p1 0,0/F/S/d/...;1,0/B/n/u/..x -"
    moves = ["place:move", "place:move", "place:bow", "place:move", "place:shield", "step:w"]
    for length in range(len(moves) + 1):
        game, state = at(start, *moves[:length])
        expected = [game.parse_move(each) for each in moves[:length]]
        assert game.history_of(state) == (at(start)[1], expected)
    game, state = at(start, *moves, "step:e")
    assert game.history_of(state) is None


def test_a_search_has_an_opinion_however_many_tokens_lie_face_down() -> None:
    """Of seven steps beside the High Ground one is played more than twice as often as by chance."""
    line = (
        "kd t2 1.step p1 0,1/F/S/d/MSS;4,0/F/n/u/E??;0,4/F/n/u/E??;-4,4/F/B/u/B??;-4,0/F/S/u/S??;"
        "0,-4/B/n/u/E?x - @p1"
    )
    analysis = analyze(parse_observation("knights_duty", line), Budget(simulations=1000), seed=1)
    assert analysis.policy[0] > 2 / 7


# --- the playout policy -----------------------------------------------------------------------


def test_the_playout_policy_looks_at_nothing_that_its_seat_does_not_see() -> None:
    game = new(players=3, radius=3)
    stream = PCG64(1)
    num_worlds = 0
    for state, _ in play(game, seed=1):
        if (seat := game.node_of(state)) < 0:
            continue
        observation = game.observed(state, seat)
        world = game.determinized(observation, stream)
        num_worlds += world != state
        for seed in range(4):
            moves = {game.policy_move(each, PCG64(seed)) for each in (state, world)}
            assert len(moves) == 1
    assert num_worlds > 20


@pytest.mark.parametrize("players", [2, 4])
def test_hidden_tokens_of_a_likely_world_are_mostly_those_of_the_policy(players: int) -> None:
    game = new(players=players)
    stream = PCG64(1)

    def placed() -> bytes:
        state = game.start_state()
        for _ in range(3):
            state = game.after(state, game.policy_move(state, stream))
        return state

    def tokens(states: Iterator[bytes]) -> Counter[str]:
        return Counter(game.text(state).split(";")[1].split("/")[-1] for state in states)

    number = 8000
    seen = game.observed(placed(), 1)
    policy = tokens(placed() for _ in range(number))
    any_ = tokens(game.determinized(seen, stream) for _ in range(number))
    likely = tokens(game.likely_world_of(seen, stream) for _ in range(number))
    mixed = {each: (7 * policy[each] + any_[each]) / 8 for each in policy | any_ | likely}
    assert sum(abs(likely[each] - mixed[each]) for each in mixed) / 2 / number < 0.06


@pytest.mark.parametrize("players", [2, 6])
def test_the_playout_loop_makes_the_moves_of_the_policy(players: int) -> None:
    game = new(players=players)
    for seed in range(20):
        state = game.start_state()
        end, _, shares = game.played_out(state, PCG64(seed))
        stream = PCG64(seed)
        while (node := game.node_of(state)) != TERMINAL:
            draw = game.sample if node == CHANCE else game.policy_move
            state = game.after(state, draw(state, stream))
        assert state == end
        assert shares == game.returns_of(end)


def test_games_of_the_policy_end_long_before_the_turn_limit() -> None:
    """Section 19: a playout to the end must tell who is stronger."""
    game = new(players=4)
    turns = [game.view(game.played_out(game.start_state(), PCG64(s))[0])["turn"] for s in range(99)]
    assert max(turns) < 40
    assert sum(turns) / len(turns) < 15


def test_a_cut_playout_ends_at_the_beginning_of_a_turn_with_two_seats() -> None:
    """At the one before which it has made the plies that were asked for."""
    game = new(players=2)
    start = game.start_state()
    for seed in range(50):
        least, last_turn = seed % 30 + 1, 1
        stopped, plies, shares = game.played_out(start, PCG64(seed), least)
        stream, state = PCG64(seed), start
        for ply in range(plies):
            assert ply < least or game.view(state)["turn"] == last_turn
            last_turn = game.view(state)["turn"]
            draw = game.sample if game.node_of(state) == CHANCE else game.policy_move
            state = game.after(state, draw(state, stream))
        assert state == stopped
        assert shares == game.evaluation_of(stopped)
        if game.node_of(stopped) != TERMINAL:
            assert plies >= least
            assert game.text(stopped).count("0.place p1") == 1
            assert game.view(stopped)["turn"] > last_turn


def test_a_playout_near_the_turn_limit_is_not_cut() -> None:
    game, state = at("kd;turn_limit=12 t5 0.place p1 0,-4/F/n/u/...;0,4/F/n/u/... -")
    for seed in range(20):
        end, _, _ = game.played_out(state, PCG64(seed), 1)
        assert game.node_of(end) == TERMINAL


def test_the_value_of_a_turn_s_beginning_is_the_same_from_both_seats() -> None:
    line = "kd t{} 0.place p1 {};{} -"
    knights = ["0,-4/F/S/u/...", "1,0/B/n/d/..x", "0,0/F/B/u/...", "2,1/B/P/u/..x"]
    for one in knights:
        for other in knights:
            if one != other:
                game, state = at(line.format(5, one, other))
                swapped = at(line.format(6, other, one))[1]
                shares = game.evaluation_of(state)
                assert shares == pytest.approx(game.evaluation_of(swapped)[::-1], abs=1e-12)


@pytest.mark.parametrize(
    "line",
    [
        "kd;turn_limit=8 t5 0.place p1 0,-4/F/{}/u/...;0,4/{}/{}/{}/... -",  # section 19
        "kd t5 0.place p1 0,-1/F/{}/u/...;0,1/{}/{}/{}/... -",  # fitted
    ],
)
def test_an_evaluation_prefers_hearts_and_weapons(line: str) -> None:
    even, armed, broken, inspired = (
        game.evaluation_of(state)
        for game, state in (
            at(line.format("n", *other).replace("B/n/u/...", "B/n/u/..x"))
            for other in (("F", "n", "u"), ("F", "S", "u"), ("B", "n", "u"), ("F", "n", "d"))
        )
    )
    assert even == pytest.approx([0.5, 0.5])
    assert armed[1] > 0.5 > inspired[1] > broken[1]


# --- crowds -----------------------------------------------------------------------------------


def crowd(seed: int) -> str:
    """A line with Knights that stand close together, some of whom are about to move.

    In games from the corners of an arena they rarely contest a space or share a target.
    """
    rng = random.Random(seed)
    arena = rng.choice(["hex", "hex", "square"])
    num_seats = rng.randint(2, 4 if arena == "square" else 6)
    options = {
        "arena=square": arena == "square",
        "radius=3": rng.random() < 0.3,
        "agreements=off": rng.random() < 0.2,
        "swap=block": rng.random() < 0.3,
        "inspire=open": rng.random() < 0.3,
    }
    tag = ";".join(["kd", *(option for option, is_set in options.items() if is_set)])
    slot = rng.choice([1, 1, 2, 3])
    cells = rng.sample(spaces(arena, rng.choice([1, 1, 1, 2])), num_seats)
    knights = [f"{q},{r}/{knight(rng, slot)}" for q, r in cells]
    for seat in rng.sample(range(num_seats), rng.choice([0, 0, 0, num_seats - 2])):
        knights[seat] = "out"
    movers = [i for i, each in enumerate(knights, 1) if each != "out" and each[slot - 4] == "M"]
    if not movers:
        return crowd(seed + 1_000_000)
    return f"{tag} t{rng.randint(1, 60)} {slot}.step p{movers[0]} {';'.join(knights)} -"


def knight(rng: random.Random, slot: int) -> str:
    """Heart, weapon, Inspiration and tracker of a Knight."""
    weapon = rng.choice("nSPBSPB")
    wanted = rng.choices(["M", weapon.replace("n", "S"), rng.choice(KINDS)], [4, 5, 1], k=3)
    heart = rng.choice("FFB")
    tracker = "".join(wanted[:2]) + ("x" if heart == "B" else wanted[2])
    if Counter(tracker.replace("x", "")) - SUPPLY:
        return knight(rng, slot)
    return f"{heart}/{weapon}/{rng.choice('ud')}/{tracker}"


def crowded_turn(line: str, seed: int) -> Iterator[tuple[Game, bytes, Any]]:
    """Play a turn at random; yields each state with that of the reference."""
    game, state = at(line)
    reference: Any = REFERENCES["knights_duty"].parse(line)
    rng = random.Random(seed)
    turn = game.view(state)["turn"]
    while True:
        yield game, state, reference
        if game.node_of(state) == TERMINAL or game.view(state)["turn"] > turn:
            return
        token = contentious(game, state, rng)
        state = game.after(state, game.parse_move(token))
        reference = reference.apply(token)


def contentious(game: Game, state: bytes, rng: random.Random) -> str:
    """A move or outcome; half of the time one that others want too."""
    tokens = tokens_of(game, state)
    words = [game.describe_move(state, game.parse_move(token)) for token in tokens]
    wanted = [t for t, said in zip(tokens, words, strict=True) if "to 0,0" in said]
    if tokens[0].startswith("target:"):
        wanted = tokens[:1]
    return rng.choice(wanted if wanted and rng.random() < 0.5 else tokens)


@pytest.mark.fuzz
def test_crowded_turns_agree_with_the_reference() -> None:
    stages: Counter[str] = Counter()
    for seed in range(NUM_CROWDS):
        line = crowd(seed)
        for ply, (game, state, reference) in enumerate(crowded_turn(line, seed)):
            stages[game.view(state)["node"]["type"]] += 1
            found = differences(game, state, reference)
            if ply % 4 == 0:
                found += inconsistent(game, state, reference, seed)
            assert not found, f"seed {seed}: {line}\n{found}"
    assert min(stages[stage] for stage in ("claim", "order", "inspire")) > NUM_CROWDS / 10


def damaged(line: str, rng: random.Random) -> str:
    """Change a capital letter, an item of the last field, the slot or the actor."""
    fields = line.split(" ")
    kind = rng.randrange(5)
    if kind < 2:
        letters = [i for i, letter in enumerate(fields[4]) if letter.isupper()]
        at_letter = rng.choice(letters or [0])
        letter = rng.choice(KINDS + "FXnx.")
        fields[4] = fields[4][:at_letter] + letter + fields[4][at_letter + 1 :]
    elif kind == 2:
        items = fields[5].split(";")
        items[rng.randrange(len(items))] = rng.choice(ITEMS)
        fields[5] = ";".join(items)
    elif kind == 3:
        fields[5] = rng.choice([fields[5] + ";" + rng.choice(ITEMS), *fields[5].split(";")])
    else:
        fields[3] = f"p{rng.randint(1, 6)}"
    return " ".join(fields)


ITEMS = [
    *("m1=e", "m2=w", "m3=stay", "c1=y", "c2=n", "a1", "a2=1", "a3=n", "o1=f", "o2=w"),
    *("q1>2", "q2>1", "q3>2", "w1", "w3", "ia=y", "ia=n", "id=y", "-"),
]
"""Of the last field of a line (R13.3)."""


@pytest.mark.fuzz
def test_engine_and_reference_agree_which_damaged_crowds_are_valid() -> None:
    """R13.6 (c) to (g): damage that leaves every field well-formed."""
    rng = random.Random(1)
    verdicts: Counter[bool] = Counter()
    for seed in range(NUM_CROWDS):
        for game, state, _ in crowded_turn(crowd(seed), seed):
            if game.node_of(state) == TERMINAL:
                continue
            line = damaged(game.text(state), rng)
            is_valid = {
                "engine": is_accepted(GAMES["knights_duty"].parse_position, line, InputError),
                "reference": is_accepted(REFERENCES["knights_duty"].parse, line, ValueError),
            }
            assert len(set(is_valid.values())) == 1, f"{line}\n{is_valid}"
            verdicts[is_valid["engine"]] += 1
    assert min(verdicts.values()) > NUM_CROWDS


def is_accepted(parse: Any, line: str, error: type[Exception]) -> bool:
    try:
        parse(line)
    except error:
        return False
    return True


# --- invariants -------------------------------------------------------------------------------

WORTH = {"full": 3, "broken": 2, "defeated": 1, "out": 0}


def check_step(game: Game, before: dict[str, Any], later: dict[str, Any]) -> None:
    """What no move and no outcome can do."""
    assert (later["turn"], later["slot"]) >= (before["turn"], before["slot"])
    stands = [space_of(player) for player in later["players"] if "space" in player]
    assert len(set(stands)) == len(stands)
    for old, now in zip(before["players"], later["players"], strict=True):
        assert WORTH[old["heart"]] - 1 <= WORTH[now["heart"]] <= WORTH[old["heart"]] or (
            now["heart"] == "out"
        )
        if now["inspiration_up"] and not old["inspiration_up"]:
            assert now["space"] == {"q": 0, "r": 0}  # R10.2
        if "space" in old and "space" in now:
            assert distance(str(game.options["arena"]), space_of(old), space_of(now)) <= 1


@pytest.mark.parametrize("players", [2, 4, 6])
def test_hearts_never_mend_and_inspiration_is_recovered_on_the_high_ground_alone(
    players: int,
) -> None:
    """R10.2, R2.7, R9.8."""
    for seed in range(12):
        game = varied(Variant("knights_duty", {"players": str(players)}), seed).new()
        views = [game.view(state) for state, _ in play(game, seed)]
        for before, later in pairwise(views):
            check_step(game, before, later)
        assert views[-1]["node"] == {"type": "end", "seat": 0}
        assert (views[-1]["turn"], views[-1]["slot"]) <= (int(game.options["turn_limit"]), 3)


def test_equal_states_have_equal_bytes_however_they_came_about() -> None:
    """Unused bytes are 0: a state read from its line is that of the game."""
    for seed in range(NUM_CROWDS // 4):
        for game, state, _ in crowded_turn(crowd(seed), seed):
            assert at(game.text(state))[1] == state
            for seat in seats_of(game):
                observation = game.observed(state, seat)
                parsed = GAMES["knights_duty"].parse_observation(game.text(observation))
                assert parsed[1] == observation
