"""A Knight's Duty in text: lines and tokens, and what is refused with which rule.

Test names and docstrings cite docs/rules/knights_duty.md.
"""

from __future__ import annotations

from functools import partial

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.knights_duty import KnightsDuty
from kingmaker.v1 import knights_duty_pb2 as messages
from tests.cext import notations
from tests.cext.knights_duty_lines import (
    CLAIM,
    CLAN,
    DRAW,
    DRAWN,
    END,
    FIRST,
    GAME,
    INSPIRE,
    LIMIT,
    NEW,
    ORDER,
    PLACE,
    SHIELD,
    SLOT_3,
    STEP,
    TARGET,
    VALID,
    view_of,
)
from tests.cext.notations import page_lines, read_line, sent

script = partial(page_lines, "knights_duty")
error_of = partial(notations.error_of, KnightsDuty)
refused = partial(notations.refused, KnightsDuty)


# --- the page ---------------------------------------------------------------------------------


def test_every_position_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.3."""
    lines = list(script("given", "at"))
    assert len(lines) > 60
    for line in lines:
        view = view_of(line)
        assert sent(view, messages.KnightsDutyPosition()) == view
        assert KnightsDuty.from_view(view) == read_line(KnightsDuty, line)


def test_every_observation_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.5."""
    lines = [content.partition(" ")[2] for content in script("sees")]
    assert len(lines) >= 10
    for line in lines:
        view = view_of(line)
        assert sent(view, messages.KnightsDutyObservation()) == view
        assert KnightsDuty.from_view(view) == read_line(KnightsDuty, line)


def test_every_move_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.1."""
    tokens = {token for line in script("do", "legal", "has", "illegal") for token in line.split()}
    assert len(tokens) > 30
    for token in tokens:
        move = GAME.parse_move(token)
        assert GAME.move_text(move) == token
        view = GAME.move_view(move)
        assert GAME.move_from_view(view) == move
        assert sent(view, messages.KnightsDutyMove()) == view


# --- positions --------------------------------------------------------------------------------


@pytest.mark.parametrize("line", VALID)
def test_the_positions_that_the_next_tests_damage_are_valid(line: str) -> None:
    assert KnightsDuty.from_view(view_of(line)) == read_line(KnightsDuty, line)


def check_damage(line: str, old: str, new: str, field: str, rule: str) -> None:
    assert old in line
    assert refused(line.replace(old, new, 1)) == (field, rule)


@pytest.mark.parametrize(
    ("line", "old", "new", "field", "rule"),
    [
        # fields
        (NEW, " -", "", "position", "R13.3"),
        (NEW, " 0.place", "  0.place", "position", "R13.3"),
        (NEW, "... -", "... -\n", "position", "R13.3"),
        (NEW, "... -", "... ", "position", "R13.3"),
        # options
        (NEW, "kd", "ko", "options", "R13.3"),
        (NEW, "kd", "kd;radius", "options", "R13.3"),
        (NEW, "kd", "kd;", "options", "R13.3"),
        (NEW, "kd", "kd;players=2", "options.players", "R13.3"),
        (NEW, "kd", "kd;seed=1", "options.seed", "section 16"),
        (NEW, "kd", "kd;radius=7", "options.radius", "R2.1"),
        (NEW, "kd", "kd;radius=05", "options.radius", "R2.1"),
        (NEW, "kd", "kd;swap=no", "options.swap", "R6.3"),
        (NEW, "kd", "kd;radius=4", "options", "R13.6a"),
        (NEW, "kd", "kd;swap=block;radius=5", "options", "R13.6a"),
        (NEW, "kd", "kd;radius=5;radius=5", "options", "R13.6a"),
        (NEW, ";-4,4/F/n/u/...", "", "players", "R1.1"),
        (NEW + " ", " - ", " - -", "position", "R13.3"),
        # numbers
        (NEW, "t1", "1", "turn", "R13.3"),
        (NEW, "t1", "t01", "turn", "R13.6a"),
        (NEW, "t1", "t+1", "turn", "R13.6a"),
        (NEW, "t1", "t", "turn", "R13.6a"),
        (NEW, "t1", "t0", "turn", "R13.6a"),
        (NEW, "t1", "t61", "turn", "R13.6a"),
        (NEW, "t1", f"t{'9' * 5000}", "turn", "R13.6a"),
        (NEW, "t1", "t١", "turn", "R13.6a"),
        (LIMIT, "t3", "t4", "turn", "R13.6a"),
        (NEW, "-4,4", "-04,4", "players[1].space.q", "R13.6a"),
        (PLACE, "0,0", "-0,0", "players[0].space.q", "R13.6a"),
        # slot and stage
        (NEW, "0.place", "place", "node.type", "R13.3"),
        (NEW, "0.place", "0.wait", "node.type", "R13.3"),
        (NEW, "0.place", "4.place", "node.type", "R13.3"),
        (NEW, "0.place", "1.place", "slot", "R13.6a"),
        (CLAN, "0.clan", "1.clan", "slot", "R13.6a"),
        (STEP, "1.step", "0.step", "slot", "R13.6a"),
        (END, "2.end", "0.end", "slot", "R13.6a"),
        # records
        (NEW, "F/n/u/...;", "F/n/u;", "players[0]", "R13.3"),
        (NEW, "F/n/u/...;", "F/n/u/.../;", "players[0]", "R13.3"),
        (NEW, "F/n", "f/n", "players[0].heart", "R13.3"),
        (NEW, "F/n", "F/-", "players[0].weapon", "R13.3"),
        (NEW, "n/u", "n/up", "players[0].inspiration_up", "R13.3"),
        (NEW, "...;", "....;", "players[0].tracker", "R13.3"),
        (NEW, "...;", "..;", "players[0].tracker", "R13.3"),
        (NEW, "...;", "A..;", "players[0].tracker", "R13.3"),
        (NEW, "...;", "?..;", "players[0].tracker[0]", "R13.3"),
        (NEW, "4,-4/", "4/", "players[0].space", "R13.3"),
        (NEW, "4,-4/", "4,-4,0/", "players[0].space", "R13.3"),
        # items
        (STEP, "m1=ne", "m1", "steps[0].choice", "R13.3"),
        (STEP, "m1=ne", "m1=", "position", "R13.3"),
        (STEP, "m1=ne", "m1=up", "steps[0].choice", "R13.3"),
        (STEP, "m1=ne", "m7=ne", "position", "R13.3"),
        (STEP, "m1=ne", "m4=ne", "steps[0].seat", "R13.6a"),
        (STEP, "m1=ne", "m1=ne;m1=ne", "steps", "R13.6a"),
        (STEP, "m1=ne", "m1=ne;", "position", "R13.3"),
        (STEP, "m1=ne", "m1=?", "steps[0].choice", "R13.3"),
        (CLAIM, "m1=w;m2=e", "m2=e;m1=w", "steps[0].seat", "R13.6a"),
        (CLAIM, "m2=e;c1=y", "c1=y;m2=e", "position", "R13.6a"),
        (CLAIM, "c1=y", "c1=yes", "claims[0].choice", "R13.3"),
        (TARGET, "a1=n", "a1=4", "targets[0].choice", "R13.6a"),
        (TARGET, "a1=n", "a1=y", "targets[0].choice", "R13.3"),
        (ORDER, "o1=w", "o1=n", "orders[0].choice", "R13.3"),
        (DRAW, "q2>3", "q2>4", "attacks[0].target", "R13.6a"),
        (DRAW, "q2>3", "q2", "position", "R13.3"),
        (DRAW, "w1", "w4", "waiting[0]", "R13.6a"),
        (DRAW, "w1;ia=y", "ia=y;w1", "position", "R13.6a"),
        (DRAW, "ia=y", "ia=y;ia=y", "position", "R13.6a"),
        (DRAW, "ia=y", "ia=maybe", "attacker_inspiration", "R13.3"),
        (END, "r=0,1", "r=0,2/2", "winners", "R13.3"),
        (END, "r=0,1", "r=0,1.0", "winners", "R13.3"),
        (DRAWN, "r=1/2,0,1/2", "r=2/4,0,1/2", "winners", "R13.3"),
    ],
)
def test_only_canonical_lines_are_positions(
    line: str, old: str, new: str, field: str, rule: str
) -> None:
    """R13.3, R13.6 (a)."""
    check_damage(line, old, new, field, rule)


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (NEW, "-4,4", "4,-4", "players[1].space"),
        (NEW, "-4,4", "-4,-1", "players[1].space"),
        (NEW, "-4,4", "5,0", "players[1].space.q"),
        (NEW, "-4,4", "-", "players[1].space"),
        (END, "2,0/", "4,1/", "players[1].space"),
        (CLAN, "kd;clans=choose", "kd", "node.type"),
        (CLAN, "t1", "t2", "turn"),
        (CLAN, ";-/F/n/u/... ", ";out ", "players[2].heart"),
        (CLAN, "4,-4", "0,0", "players[0].space"),
        (CLAN, "4,-4", "-", "players[0].space"),
        (CLAN, "p2 4,-4/F/n/u/...;-", "p3 4,-4/F/n/u/...;4,-4", "players[1].space"),
        (CLAN, ";-/", ";4,0/", "players[1].space"),
        (CLAN, "p2", "p1", "players[0].space"),
        (CLAN, "4,-4/F", "4,-4/B", "players[0].heart"),
        (CLAN, "F/n", "F/S", "players[0].weapon"),
        (CLAN, "n/u", "n/d", "players[0].inspiration_up"),
        (CLAN, "...;", "M..;", "players[0].tracker"),
    ],
)
def test_knights_stand_on_distinct_spaces(line: str, old: str, new: str, field: str) -> None:
    """R13.6 (b)."""
    check_damage(line, old, new, field, "R13.6b")


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (STEP, "SEE", "SSS", "players[1].tracker[2]"),
        (END, "SHY", "YYY", "players[1].tracker[2]"),
        (STEP, "kd", "kd;empty_slots=off", "players[0].tracker[1]"),
        (PLACE, "SSM", "SS.", "players[0].tracker[2]"),
        (PLACE, "SSM", "...", "players[0].tracker[0]"),
        (PLACE, "B..", "BBB", "players[1].tracker[2]"),
        (PLACE, "B..", ".B.", "players[1].tracker[1]"),
        (PLACE, "B..", "..B", "players[1].tracker[2]"),
        (PLACE, "..x", "S.x", "players[2].tracker[0]"),
        (STEP, "SEE", "SE.", "players[1].tracker[2]"),
        (END, "SHY", "SH.", "players[1].tracker[2]"),
    ],
)
def test_trackers_keep_to_the_supply_and_are_filled_in_order(
    line: str, old: str, new: str, field: str
) -> None:
    """R13.6 (c)."""
    check_damage(line, old, new, field, "R13.6c")


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (PLACE, "..x", ".xx", "players[2].tracker[1]"),
        (PLACE, "SSM", "SxM", "players[0].tracker[1]"),
        (PLACE, "SSM", "SSx", "players[0].tracker[2]"),
        (PLACE, "..x", "...", "players[2].tracker[2]"),
        (TARGET, "1,0/F", "1,0/B", "players[1].tracker[2]"),
        (TARGET, "1,0/F", "1,0/X", "players[1].tracker[2]"),
        ("kd t4 3.step p1 0,0/F/n/u/SYM;1,0/B/n/u/MMx -", "MMx", "MMM", "players[1].tracker[2]"),
        (STEP, "1,0/F/n/d/SEE", "1,0/X/n/d/SEx", "players[1].heart"),
        (END, "2,0/F/S/d/SHY", "2,0/B/S/d/SHY", "players[1].tracker[2]"),
        (END, "2,0/F/S/d/SHY", "2,0/X/S/d/SHx", "players[1].heart"),
    ],
)
def test_slot_3_is_locked_after_a_hit_before_it(line: str, old: str, new: str, field: str) -> None:
    """R13.6 (d)."""
    check_damage(line, old, new, field, "R13.6d")


def test_a_hit_in_slot_3_leaves_its_token() -> None:
    """R13.6 (d), R4.9: from the attacks of slot 3 on a Broken player may have any token there."""
    assert "0,0/B/S/d/MSS" in SLOT_3
    locked = SLOT_3.replace("PMM", "PMx")
    assert view_of(locked)
    end = "kd;turn_limit=3 t3 3.end - 1,0/B/S/d/SSM;4,0/B/B/u/BMx r=1/2,1/2"
    assert view_of(end)


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (NEW, "... -", "... m1=ne", "steps"),
        (CLAN, "... -", "... a1", "targets"),
        (STEP, "m1=ne", "m1=ne;a2", "targets"),
        (STEP, "m1=ne", "-", "steps"),
        (STEP, "m1=ne", "m1=ne;m3=e", "steps"),
        (STEP, "m1=ne", "m1=ne;m2=ne", "steps"),
        (CLAIM, ";m2=e", "", "steps"),
        (CLAIM, ";c1=y", "", "claims"),
        (CLAIM, "c1=y", "c1=y;c2=y", "claims"),
        (TARGET, "a1=n", "a1", "targets[0].choice"),
        (TARGET, "a2;", "a2=1;", "targets[1].choice"),
        (TARGET, ";a3", ";a3=1", "targets[2].choice"),
        (ORDER, "a1=3", "a1", "targets[0].choice"),
        (ORDER, "a3=1", "a3=n", "targets[2].choice"),
        (ORDER, ";o1=w", "", "orders"),
        (ORDER, "o1=w", "o1=w;o2=w", "orders"),
        (ORDER, "o1=w", "o1=w;o3=w", "orders"),
        (INSPIRE, "q1>2;q2>1;ia=y", "-", "attacks"),
        (INSPIRE, "ia=y", "ia=y;id=y", "target_inspiration"),
        (DRAW, "q2>3;q3>1;w1;ia=y", "w1", "attacks"),
        (DRAW, "q2>3;", "a1;q2>3;", "targets"),
        (DRAW, "ia=y", "r=0,0,1", "winners"),
        (END, "r=0,1", "w2;r=0,1", "waiting"),
    ],
)
def test_every_stage_has_its_own_items(line: str, old: str, new: str, field: str) -> None:
    """R13.6 (e)."""
    check_damage(line, old, new, field, "R13.6e")


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (STEP, "m1=ne", "m1=e", "steps[0].choice"),
        (STEP, "m1=ne", "m1=n", "steps[0].choice"),
        (STEP.replace("0,0/F", "4,-4/F"), "m1=ne", "m1=e", "steps[0].choice"),
        (CLAIM, "m2=e", "m2=n", "steps[1].choice"),
        (CLAIM, "kd", "kd;agreements=off", "node.type"),
        (ORDER, "kd", "kd;agreements=off", "node.type"),
        (TARGET, "a1=n", "a1=1", "targets[0].choice"),
        (TARGET, "SMM", "MMM", "targets[0].seat"),
        (TARGET, "F/S", "F/n", "targets[0].seat"),
        (TARGET.replace("0,1/F", "0,4/F"), "a1=n", "a1=3", "targets[0].choice"),
        (TARGET, "0,0/F", "-4,0/F", "targets[0].seat"),
        (ORDER, "a3=1", "a3=3", "targets[2].choice"),
        (ORDER, "0,1/F", "0,4/F", "targets[0].choice"),
        (DRAW, "q2>3", "q2>2", "attacks[0].target"),
        (DRAW, "0,1/F", "-3,0/F", "attacks[0].target"),
        (DRAW, "BMM", "HMM", "attacks[1].attacker"),
        (DRAW, "w1", "w2", "waiting[0]"),
        (DRAW, "SMM", "MMM", "waiting[0]"),
        (DRAW, "q3>1", "q3>2;q3>1", "attacks[2].attacker"),
        (DRAW, "q2>3;q3>1", "q3>1;q2>3", "attacks[0].attacker"),
        (DRAW, "q2>3;q3>1;w1", "q2>3;q1>3", "attacks[1].target"),
        (DRAW, "1,0/F/P/d/PMM", "out", "attacks[0].attacker"),
    ],
)
def test_every_value_is_legal_and_every_attacker_can_attack(
    line: str, old: str, new: str, field: str
) -> None:
    """R13.6 (f)."""
    check_damage(line, old, new, field, "R13.6f")


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (NEW, "p1", "chance", "node.seat"),
        (NEW, "p1", "-", "node.seat"),
        (NEW, "p1", "p3", "node.seat"),
        (NEW, "p1", "1", "node.seat"),
        (PLACE, "1,0/F/n/u/B..", "out", "node.seat"),
        (STEP, "2,0/F/n/d/MEE", "out", "node.seat"),
        (STEP, "p3", "p2", "node.seat"),
        (CLAIM, "m1=w", "m1=e", "node.seat"),
        (TARGET, "a1=n;a2;a3", "a1;a3", "node.seat"),
        (ORDER.replace("a2=3", "a2=1").replace(";o1=w", ""), "p2", "p1", "node.seat"),
        (ORDER, "p2 0,0", "p3 0,0", "node.seat"),
        (INSPIRE, "u/PPM", "d/PPM", "node.seat"),
        (DRAW, "chance", "p1", "node.seat"),
        (DRAW, "chance", "-", "node.seat"),
        (SHIELD, ";ia=y", "", "node.type"),
        (END, "-", "p2", "node.seat"),
        (END, "-", "chance", "node.seat"),
    ],
)
def test_the_actor_is_a_member_of_the_asked_group(
    line: str, old: str, new: str, field: str
) -> None:
    """R13.6 (g)."""
    check_damage(line, old, new, field, "R13.6g")


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (NEW, ";-4,4/F/n/u/...", ";out", "players"),
        (DRAW.replace("0,0/F/S/u/SMM", "out"), ";0,1/F/B/d/BMM", ";out", "players"),
        (END, "r=0,1", "r=1,0", "winners"),
        (END, "r=0,1", "r=1/2,1/2", "winners"),
        (END, "r=0,1", "r=0,0", "winners"),
        (END, "r=0,1", "r=1,1", "winners"),
        (END, "r=0,1", "r=0,1,0", "winners"),
        (END, "r=0,1", "-", "winners"),
        (DRAWN, "r=1/2,0,1/2", "r=1,0,0", "winners"),
        (DRAWN, "r=1/2,0,1/2", "r=1/3,2/3,0", "winners"),
        (DRAWN, "r=1/2,0,1/2", "r=1/3,0,1/3", "winners"),
        (LIMIT, "r=1/2,1/2,0", "r=1,0,0", "winners"),
        (LIMIT, "r=1/2,1/2,0", "r=1/3,1/3,1/3", "winners"),
        (LIMIT, "3.end", "2.end", "slot"),
        (LIMIT, "turn_limit=3", "turn_limit=4", "turn"),
    ],
)
def test_the_result_follows_from_who_stands(line: str, old: str, new: str, field: str) -> None:
    """R13.6 (h)."""
    check_damage(line, old, new, field, "R13.6h")


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (INSPIRE, ";ia=y", "", "attacker_inspiration"),
        (INSPIRE, "u/SSM", "d/SSM", "attacker_inspiration"),
        (FIRST, "q1>2", "q1>2;ia=n", "attacker_inspiration"),
        (DRAW, "ia=y", "ia=n", "attacker_inspiration"),
        (DRAW, "ia=y", "ia=y;id=n", "target_inspiration"),
        (SHIELD, "d/BMM", "u/BMM", "attacker_inspiration"),
        (SHIELD, "d/HMM", "u/HMM", "target_inspiration"),
        (SHIELD, "d/BMM;1,0/F/P/d/HMM q1>2;ia=y", "d/BMM;1,0/F/P/u/MMM q1>2", "target_inspiration"),
    ],
)
def test_answers_for_inspiration_fit_the_tokens(line: str, old: str, new: str, field: str) -> None:
    """R13.7."""
    check_damage(line, old, new, field, "R13.7")


def test_three_or_more_that_fell_together_share_the_win() -> None:
    """R13.6 (h), R11.3."""
    for result in ("1/3,1/3,1/3", "0,1/2,1/2"):
        line = DRAWN.replace("1/2,0,1/2", result)
        assert view_of(line)


def test_with_blocked_swaps_an_exchange_is_struck_out_before_contests() -> None:
    """R6.3, R13.6 (e): p1 and p2 change places, so p3 contends with nobody for that of p2."""
    line = (
        "kd;swap=block t2 1.claim p3 0,0/F/n/u/MEE;1,0/F/n/u/MEE;2,0/F/n/u/MEE;0,1/F/n/u/MEE "
        "m1=e;m2=w;m3=sw;m4=e"
    )
    assert view_of(line)["node"]["seat"] == 3
    allowed = line.replace(";swap=block", "").replace("m3=sw;m4=e", "m3=w;m4=stay;c1=y")
    assert view_of(allowed)["claims"] == [{"seat": 1, "choice": "yes"}]
    assert refused(allowed.replace("kd", "kd;swap=block")) == ("node.seat", "R13.6g")


def test_an_observation_is_no_position_and_the_other_way_round() -> None:
    with pytest.raises(InputError) as caught:
        KnightsDuty.parse_position(f"{NEW} @p1")
    assert (caught.value.value, caught.value.rule) == ("@p1", "R13.3")
    with pytest.raises(InputError) as caught:
        KnightsDuty.parse_observation(NEW)
    assert (caught.value.field, caught.value.rule) == ("observation.observer", "R13.5")


def test_an_error_says_what_would_be_right() -> None:
    assert str(error_of(STEP.replace("m1=ne", "m1=e"))) == (
        "p1 stays, or steps to a space of the arena that is empty or holds a mover (R6.2); "
        "got 'e' (R13.6f)"
    )
    assert str(error_of(NEW.replace("kd", "kd;swap=block;radius=5"))) == (
        "this is written kd;radius=5;swap=block here; got 'kd;swap=block;radius=5' (R13.6a)"
    )
    assert str(error_of(DRAW.replace("q2>3;q3>1", "q3>1;q2>3"))) == (
        "attacks stand in the initiative order of turn 2, once each: p2, p3; got 'p3' (R13.6f)"
    )
    assert str(error_of(END.replace("r=0,1", "r=0,1,0"))) == (
        "of 2 shares one is 1, or several are equal, and the others are 0; got '0,1,0' (R13.6h)"
    )


def test_a_long_wrong_value_is_cut_in_the_message() -> None:
    for line in (
        "kd t" + "9" * 100_000,
        NEW.replace(" -", " " + "m1=e;" * 20_000),
        NEW.replace("...;", ";" * 100_000),
    ):
        assert len(str(error_of(line))) < 300


# --- observations -----------------------------------------------------------------------------

SEES = [
    "kd t3 0.place p2 0,0/F/n/u/???;1,0/F/n/u/B..;2,0/B/n/d/..x - @p2",
    "kd t3 0.place p2 0,0/F/n/u/???;1,0/F/n/u/?..;2,0/B/n/d/..x - @-",
    "kd t2 1.step p3 0,0/F/n/d/M??;1,0/F/n/d/S??;2,0/F/n/d/MEE m1=? @p3",
    "kd t2 1.step p3 0,0/F/n/d/MEE;1,0/F/n/d/S??;2,0/F/n/d/M?? m1=ne @p1",
    "kd t2 1.claim p2 1,0/F/S/d/M??;-1,0/F/B/u/MBB m1=w;m2=e;c1=? @p2",
    "kd t2 1.target p2 0,0/F/S/d/S??;1,0/F/P/d/PMM;0,1/F/B/d/B?? a1=?;a2;a3 @p2",
    "kd t2 1.order p2 0,0/F/S/d/SMM;1,0/F/P/d/P??;0,1/F/B/d/B?? a1=3;a2=3;a3=1;o1=w @p1",
    "kd t3 2.inspire p2 0,0/F/S/u/SS?;2,0/F/P/u/PPM q1>2;q2>1;ia=? @p2",
    "kd t3 2.inspire p2 0,0/F/S/u/SSM;2,0/F/P/u/PP? q1>2;q2>1;ia=y @p1",
    "kd;inspire=open t3 2.inspire p2 0,0/F/S/u/SS?;2,0/F/P/u/PP? q1>2;q2>1;ia=y @-",
    "kd t5 2.end - out;2,0/F/S/d/SH? r=0,1 @p1",
]


@pytest.mark.parametrize("line", SEES)
def test_the_observations_that_the_next_test_damages_are_valid(line: str) -> None:
    view = view_of(line)
    assert sent(view, messages.KnightsDutyObservation()) == view
    assert KnightsDuty.from_view(view) == read_line(KnightsDuty, line)


@pytest.mark.parametrize(
    ("index", "old", "new", "field", "rule"),
    [
        (0, "@p2", "@p4", "observer", "R13.5"),
        (0, "@p2", "@2", "observer", "R13.5"),
        (0, "@p2", "@p2x", "observer", "R13.5"),
        (0, " - @p2", " @p2", "observation", "R13.3"),
        (0, "@p2", "@-", "players[1].tracker[0]", "R13.5"),
        (0, "@p2", "@p1", "players[0].tracker[0]", "R13.5"),
        (0, "???", "SSS", "players[0].tracker[0]", "R13.5"),
        (0, "???", "??.", "players[0].tracker[2]", "R13.6c"),
        (0, "..x", "..?", "players[2].tracker[2]", "R13.6d"),
        (1, "?..", "B..", "players[1].tracker[0]", "R13.5"),
        (2, "m1=?", "m1=ne", "steps[0].choice", "R13.5"),
        (2, "m1=?", "m2=?", "steps", "R13.6e"),
        (2, "MEE", "M??", "players[2].tracker[1]", "R13.5"),
        (2, "S??", "???", "players[1].tracker[0]", "R13.5"),
        (2, "MEE", "MSE m1=? @p3", "observation", "R13.3"),
        (3, "m1=ne", "m1=?", "steps[0].choice", "R13.5"),
        (3, "m1=ne", "m1=e", "steps[0].choice", "R13.6f"),
        (4, "c1=?", "c1=y", "claims[0].choice", "R13.5"),
        (4, "m1=w", "m1=?", "steps[0].choice", "R13.5"),
        (5, "a1=?", "a1=n", "targets[0].choice", "R13.5"),
        (5, "a2;", "a2=?;", "targets[1].choice", "R13.5"),
        (5, "a3 ", "a3=? ", "targets[2].choice", "R13.6e"),
        (5, "S??", "M??", "targets[0].seat", "R13.6f"),
        (6, "o1=w", "o1=?", "orders[0].choice", "R13.5"),
        (6, "a2=3", "a2=?", "targets[1].choice", "R13.5"),
        (7, "ia=?", "ia=y", "attacker_inspiration", "R13.5"),
        (7, ";ia=?", "", "attacker_inspiration", "R13.7"),
        (8, "ia=y", "ia=?", "attacker_inspiration", "R13.5"),
        (9, "ia=y", "ia=?", "attacker_inspiration", "R13.5"),
        (10, "SH?", "SHY", "players[1].tracker[2]", "R13.5"),
        (10, "r=0,1", "r=1,0", "winners", "R13.6h"),
    ],
)
def test_a_bad_observation_names_its_field_and_rule(
    index: int, old: str, new: str, field: str, rule: str
) -> None:
    """R13.5, and what R13.6 says of all that is seen."""
    check_damage(SEES[index], old, new, field, rule)


def test_a_choice_is_seen_by_its_seat_alone_until_the_group_is_complete() -> None:
    """R12.3, R13.5."""
    game, state = KnightsDuty.parse_position(TARGET)
    seen = [game.text(game.observed(state, seat)).split(" ")[5] for seat in (0, 1, 2, -1)]
    assert seen == ["a1=n;a2;a3", *["a1=?;a2;a3"] * 3]


# --- tokens -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token",
    [
        "",
        ":",
        "place",
        "place:",
        "place:S",
        "place:movement",
        "place:locked",
        "place:sword:1",
        "Place:sword",
        "place:sword\n",
        " place:sword",
        "step:north",
        "step:",
        "step:ｎe",
        "claim:maybe",
        "target:2",
        "target:p0",
        "target:p7",
        "target:n",
        "order:last",
        "inspire:open",
        "clan:0",
        "clan:c6",
        "clan:?",
        "draw:?",
        "draw:spade",
        "move:ne",
    ],
)
def test_only_the_spellings_of_the_page_are_moves(token: str) -> None:
    """R13.1."""
    with pytest.raises(InputError) as caught:
        GAME.parse_move(token)
    assert (caught.value.field, caught.value.value, caught.value.rule) == ("move", token, "R13.1")


@pytest.mark.parametrize("verb", ["place", "step", "claim", "target", "order", "inspire"])
def test_what_others_do_not_see_has_a_token_too(verb: str) -> None:
    """R12.3."""
    move = GAME.parse_move(f"{verb}:?")
    assert GAME.move_text(move) == f"{verb}:?"
    assert GAME.move_from_view(GAME.move_view(move)) == move


def test_a_seat_that_the_game_has_not_is_refused() -> None:
    with pytest.raises(InputError, match="p1 to p3") as caught:
        KnightsDuty(players="3").parse_move("target:p4")
    assert (caught.value.field, caught.value.rule) == ("move", "R13.1")
