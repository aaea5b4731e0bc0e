"""Features and actions of A Knight's Duty in particular positions.

See docs/rules/knights_duty.md for the notation of lines and moves.
"""

from __future__ import annotations

import pytest

from kingmaker.cext.games.knights_duty import KnightsDuty


def seen(line: str, seat: int, *moves: str) -> set[str]:
    """The names of the features that hold for a seat, from 1, after these moves."""
    game, state = KnightsDuty.parse_position(line)
    for text in moves:
        move = game.parse_move(text)
        assert move in game.moves_of(state), text
        state = game.after(state, move)
    names = game.feature_names
    return {names[index] for index in game.features_of(state, seat - 1)}


def reached(found: set[str], text: str, numbers: range | list[int]) -> list[int]:
    """Those of the numbers for which a thermometer holds."""
    return [number for number in numbers if text.format(number) in found]


# --- actions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "number"),
    [
        # placements, steps, claims, targets and none, orders, inspirations
        ({"players": 2}, 7 + 7 + 2 + 3 + 2 + 2),
        ({"players": 6}, 7 + 7 + 2 + 7 + 2 + 2),
        ({"players": 4, "arena": "square"}, 7 + 9 + 2 + 5 + 2 + 2),
        ({"players": 3, "clans": "choose"}, 6 + 7 + 7 + 2 + 4 + 2 + 2),
        ({"players": 3, "clans": "choose", "arena": "square"}, 4 + 7 + 9 + 2 + 4 + 2 + 2),
        ({"empty_slots": "off", "agreements": "off"}, 6 + 7 + 3 + 2),
    ],
)
def test_every_action_is_a_move_and_has_its_own_number(
    options: dict[str, object], number: int
) -> None:
    game = KnightsDuty(**{key: str(value) for key, value in options.items()})
    assert game.num_features == len(game.feature_names) > 0
    moves = [game.move_at(index) for index in range(game.num_actions)]
    texts = [game.move_text(move) for move in moves]
    assert [game.index_of(move) for move in moves] == list(range(game.num_actions))
    assert [game.parse_move(text) for text in texts] == moves
    assert len(set(texts)) == game.num_actions == number


# --- Knights and their distance ---------------------------------------------------------------

SWORD_AND_BOW = "kd t3 1.target p1 0,0/F/S/d/SMH;3,0/B/B/d/MMx a1"


def test_the_own_knight_is_seen() -> None:
    found = seen(SWORD_AND_BOW.replace("3,0", "2,0"), 1)
    assert {"stage: target", "own seat is asked", "slot: 1 or later", "turn: 3 or later"} <= found
    assert {"own Knight: Heart: Full", "own Knight: weapon: sword"} <= found
    assert {"own Knight: token of the slot: sword", "own Knight: attacks in this slot"} <= found
    assert {"own slot 1 later: move", "own slot 2 later: shield"} <= found
    assert "own Knight: High Ground: 0 spaces away or less" in found
    assert "own Knight: Inspiration down, High Ground: 0 spaces away or less" in found
    assert "own Knight: both tokens of the weapon used" not in found


def test_the_opponent_is_seen() -> None:
    found = seen(SWORD_AND_BOW.replace("3,0", "2,0"), 1)
    assert "opponent 1: Heart: not defeated" in found
    assert "opponent 1: Heart: Full" not in found
    assert {"opponent 1: weapon: bow", "opponent 1: token of the slot: move"} <= found
    assert reached(found, "opponent 1: later actions: {} or more", range(1, 4)) == [1]
    assert reached(found, "own Knight: later actions: {} or more", range(1, 4)) == [1, 2]
    assert "Broken opponents: 1 or more" in found


@pytest.mark.parametrize(
    ("space", "distance", "own_hearts", "hearts_beyond"),
    [("2,0", 2, [1, 2, 3], [1, 2, 3]), ("3,0", 3, [], [1, 2, 3]), ("4,0", 4, [], [])],
)
def test_threats_are_seen_by_distance(
    space: str, distance: int, own_hearts: list[int], hearts_beyond: list[int]
) -> None:
    found = seen(f"kd t3 1.step p2 0,0/F/S/d/SMH;{space}/B/B/d/MMx -", 1)
    hearts = range(1, 4)
    threat = "own threat to opponent 1: in reach"
    away = "opponent 1: {} spaces away or less"
    assert reached(found, away, range(1, 10)) == list(range(distance, 10))
    assert reached(found, f"{threat}, {{}} hearts or more", hearts) == own_hearts
    assert reached(found, f"{threat} of a Broken Knight, {{}} hearts or more", hearts) == own_hearts
    assert reached(found, f"{threat} or one space beyond, {{}} hearts or more", hearts) == (
        hearts_beyond
    )
    bow = "threat of opponent 1: in reach"
    assert reached(found, f"{bow}, {{}} hearts or more", hearts) == [1]
    assert reached(found, f"{bow} of a Broken Knight, {{}} hearts or more", hearts) == []
    assert "own Knight: in reach of 1 opponents or more" in found


def test_both_tokens_of_a_weapon_used_are_seen() -> None:
    line = "kd t3 2.target p1 0,0/F/S/d/SSH;2,0/F/B/d/MMM a1"
    assert "own Knight: both tokens of the weapon used" in seen(line, 1)
    assert "opponent 1: both tokens of the weapon used" in seen(line, 2)


# --- choices that others do not see -----------------------------------------------------------


def test_the_own_step_moves_only_the_own_knight_before_the_reveal() -> None:
    line = "kd t3 1.step p1 0,0/F/S/d/MSH;4,0/F/P/d/MPM -"
    found = seen(line, 1, "step:e")
    assert "own step: goes" in found
    assert "opponent 1: 3 spaces away or less" in found
    assert "own Knight: High Ground: 0 spaces away or less" not in found
    assert "opponent 1: 3 spaces away or less" not in seen(line, 2, "step:e")
    assert "own step: stays" in seen(line, 1, "step:stay")


def test_steps_that_nobody_contests_count_once_they_are_shown() -> None:
    line = "kd t3 1.step p1 -1,0/F/S/d/MSH;1,0/F/P/d/MPM;0,4/F/P/d/MPM -"
    found = seen(line, 3, "step:e", "step:w", "step:nw")
    assert {"stage: claim", "own step: goes"} <= found
    assert "opponent 1: 3 spaces away or less" not in found  # from 0,3 to -1,0
    assert "opponent 2: 3 spaces away or less" in found  # from 0,3 to 1,0
    answered = seen(line, 1, "step:e", "step:w", "step:nw", "claim:yes")
    assert "own answer: yes or first" in answered


def test_a_plan_is_seen_by_its_owner_alone() -> None:
    line = "kd t3 0.place p1 0,0/F/S/d/...;4,0/F/P/d/... -"
    plan = ("place:move", "place:move", "place:sword")
    found = seen(line, 1, *plan)
    assert {"own slot 1 later: move", "own slot 2 later: move"} <= found
    assert {"own slot 3 later: sword", "own slot 3 later: attack"} <= found
    attack = "own slot {}: attack that reaches, {} hearts or more"
    assert attack.format("3 later", 3) in found
    assert seen(line, 2, *plan) == seen(line, 2, "place:bow", "place:bow", "place:parry")
    near = seen(line, 1, "place:move", "place:sword")
    assert "own slot 2 later: attack" in near
    assert attack.format("2 later", 1) not in near
    bow = seen(line, 1, "place:bow", "place:bow")
    assert "own slot 1 later: attack" not in bow  # it only equips the bow
    assert reached(bow, attack.format("2 later", "{}"), range(1, 4)) == [1]


def test_a_declared_target_is_seen_by_the_attacker_alone_until_the_reveal() -> None:
    line = "kd t3 1.target p1 0,0/F/S/d/SMM;2,0/F/S/d/SMM;1,0/B/B/d/HMx a1;a2"
    found = seen(line, 1, "target:p3")
    assert "declared attack on opponent 2" in found
    assert "own declared attack on a Broken Knight: hits by 50 % or more" in found
    assert "own Knight: declared attacks on it: 1 or more" not in seen(line, 3, "target:p3")
    assert seen(line, 3, "target:p3") == seen(line, 3, "target:none")
    assert "own Knight: attacks in this slot" not in seen(line, 1, "target:none")


def test_attacks_and_answers_of_an_order_are_seen() -> None:
    line = "kd t3 1.target p1 0,0/F/S/d/SMM;2,0/F/S/d/SMM;1,0/F/B/d/HMM a1;a2"
    targets = ("target:p3", "target:p3")
    found = seen(line, 3, *targets)
    assert {"stage: order", "own Knight: declared attacks on it: 2 or more"} <= found
    assert {"declared attack of opponent 1", "declared attack of opponent 2"} <= found
    levels = reached(found, "declared attack on the own Knight: hits by {} % or more", [50, 60])
    assert levels == [50]  # a sword against a shield: two hearts of four
    assert "own answer: yes or first" in seen(line, 1, *targets, "order:first")
    assert seen(line, 3, *targets, "order:first") == seen(line, 3, *targets, "order:wait")


@pytest.mark.parametrize(
    ("option", "seat", "chance"), [("", 1, 80), ("", 2, 75), (";inspire=open", 2, 80)]
)
def test_an_inspiration_counts_for_those_who_see_it(option: str, seat: int, chance: int) -> None:
    line = f"kd{option} t3 2.target p1 0,0/F/S/u/SSM;2,0/F/P/u/PMM a1"
    found = seen(line, seat, "target:p2", "inspire:yes")
    text = "current combat: hits by {} % or more"
    assert max(reached(found, text, [66, 75, 80])) == chance
    own = "attacker" if seat == 1 else "target"
    assert f"own Knight: {own} of the current combat" in found


def test_an_automatic_miss_has_no_chance() -> None:
    line = "kd t3 1.target p1 0,0/F/B/u/BMM;3,0/F/S/d/HMM a1"
    text = "current combat: hits by 20 % or more"
    assert text not in seen(line, 1, "target:p2")
    assert text in seen(line, 1, "target:p2", "inspire:yes")


def test_a_parry_of_the_target_is_seen() -> None:
    line = "kd t3 1.target p1 0,0/F/B/d/BMM;3,0/F/S/d/YMM a1"
    assert "own declared attack on a parrying Knight" in seen(line, 1, "target:p2")


# --- several opponents ------------------------------------------------------------------------


def test_opponents_stand_clockwise_without_those_that_are_out() -> None:
    line = "kd t2 0.place p1 4,-4/F/n/u/...;0,4/F/S/u/...;-4,4/F/P/u/...;-4,0/F/B/u/... -"
    found = seen(line.replace("0,4/F/S/u/...", "out"), 1)
    assert {"opponent 1: weapon: spear", "opponent 2: weapon: bow"} <= found
    assert "opponent 3: standing" not in found
    assert "opponent 1: weapon: bow" in seen(line, 3)


def test_the_initiative_order_is_seen() -> None:
    line = "kd t2 0.place p1 4,-4/F/n/u/...;0,4/F/S/u/...;-4,4/F/P/u/... -"
    found = seen(line, 1)  # turn 2: p2, p3, p1
    assert "before opponent 1 in the initiative order" not in found
    assert "before opponent 1 in the initiative order" in seen(line, 2)


def test_expected_hits_are_shared_by_the_targets_of_a_weapon() -> None:
    line = "kd t4 0.place p1 0,0/F/n/d/...;2,0/F/S/d/...;{}/F/n/d/... -"
    text = "hits on the own Knight: {} hundredths or more"
    levels = [20, 30, 40, 50, 60, 80]
    assert max(reached(seen(line.format("-4,0"), 1), text, levels)) == 60
    assert max(reached(seen(line.format("3,0"), 1), text, levels)) == 30
