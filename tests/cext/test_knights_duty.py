"""A Knight's Duty where the worked examples of its rules page are silent.

Test names and docstrings cite docs/rules/knights_duty.md.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.cext.knights_duty_play import after, at, legal
from tests.cext.notations import seen_by
from tests.random_play import SPECTATOR


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
