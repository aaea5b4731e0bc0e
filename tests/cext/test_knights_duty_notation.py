"""A Knight's Duty in text: lines, tokens and options, and what is refused with which rule.

Test names and docstrings cite docs/rules/knights_duty.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.knights_duty import KnightsDuty, moves, notation, options
from kingmaker.search.scenario import read_blocks
from kingmaker.v1 import knights_duty_pb2 as messages

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "knights_duty.md"


def script(*verbs: str) -> Iterator[str]:
    """What stands behind these verbs in the scenario blocks of the page."""
    for block in read_blocks(PAGE):
        for line in block.lines:
            verb, _, content = line.text.partition(" ")
            if verb in verbs:
                yield content


def error_of(line: str) -> InputError:
    """The error that a line is refused with."""
    parse = notation.parse_observation if "@" in line else notation.parse_position
    with pytest.raises(InputError) as caught:
        parse(line)
    return caught.value


def refused(line: str) -> tuple[str, str]:
    """Field and rule of the error that a line is refused with."""
    error = error_of(line)
    kind = "observation" if "@" in line else "position"
    return error.field.removeprefix(f"{kind}."), error.rule


def typed(view: notation.View, message: Message) -> notation.View:
    """A view as it comes back from its typed message."""
    return MessageToDict(
        ParseDict(view, message),
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )


# --- the page ---------------------------------------------------------------------------------


def test_every_position_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.3."""
    lines = list(script("given", "at"))
    assert len(lines) > 60
    for line in lines:
        view = notation.parse_position(line)
        assert notation.view_text(view) == line
        assert typed(view, messages.KnightsDutyPosition()) == view
        game, state = KnightsDuty.parse_position(line)
        assert game.view(state) == view


def test_every_observation_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.5."""
    lines = [content.partition(" ")[2] for content in script("sees")]
    assert len(lines) >= 10
    for line in lines:
        view = notation.parse_observation(line)
        assert notation.view_text(view) == line
        assert typed(view, messages.KnightsDutyObservation()) == view
        game, observation = KnightsDuty.parse_observation(line)
        assert game.view(observation) == view


def test_every_move_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.1."""
    tokens = {token for line in script("do", "legal", "has", "illegal") for token in line.split()}
    assert len(tokens) > 30
    for token in tokens:
        view = moves.parse_move(token)
        assert moves.move_text(view) == token
        assert moves.view(moves.number(view)) == view
        assert typed(view, messages.KnightsDutyMove()) == view


# --- positions --------------------------------------------------------------------------------

NEW = "kd t1 0.place p1 4,-4/F/n/u/...;-4,4/F/n/u/... -"
PLACE = "kd t3 0.place p2 0,0/F/n/u/SSM;1,0/F/n/u/B..;2,0/B/n/d/..x -"
CLAN = "kd;clans=choose t1 0.clan p2 4,-4/F/n/u/...;-/F/n/u/...;-/F/n/u/... -"
STEP = "kd t2 1.step p3 0,0/F/n/d/MEE;1,0/F/n/d/SEE;2,0/F/n/d/MEE m1=ne"
CLAIM = "kd t2 1.claim p2 1,0/F/S/d/MSS;-1,0/F/B/u/MBB m1=w;m2=e;c1=y"
TARGET = "kd t2 1.target p2 0,0/F/S/d/SMM;1,0/F/P/d/PMM;0,1/F/B/d/BMM a1=n;a2;a3"
ORDER = "kd t2 1.order p2 0,0/F/S/d/SMM;1,0/F/P/d/PMM;0,1/F/B/d/BMM a1=3;a2=3;a3=1;o1=w"
INSPIRE = "kd t3 2.inspire p2 0,0/F/S/u/SSM;2,0/F/P/u/PPM q1>2;q2>1;ia=y"
FIRST = "kd t3 2.inspire p1 0,0/F/S/u/SSM;2,0/F/P/u/PMM q1>2"
DRAW = "kd t2 1.draw chance 0,0/F/S/u/SMM;1,0/F/P/d/PMM;0,1/F/B/d/BMM q2>3;q3>1;w1;ia=y"
SHIELD = "kd t2 1.draw chance 0,0/F/B/d/BMM;1,0/F/P/d/HMM q1>2;ia=y"
SLOT_3 = "kd t2 3.target p1 0,0/B/S/d/MSS;1,0/X/P/d/PMM;3,0/B/n/u/MEx a1"
END = "kd t5 2.end - out;2,0/F/S/d/SHY r=0,1"
DRAWN = "kd t5 2.end - out;out;out r=1/2,0,1/2"
LIMIT = "kd;turn_limit=3 t3 3.end - 1,0/F/S/d/SSM;4,0/B/B/u/BMx;out r=1/2,1/2,0"
VALID = [
    NEW, PLACE, CLAN, STEP, CLAIM, TARGET, ORDER, INSPIRE, FIRST, DRAW, SHIELD, SLOT_3, END, DRAWN,
    LIMIT,
]  # fmt: skip


@pytest.mark.parametrize("line", VALID)
def test_the_positions_that_the_next_tests_damage_are_valid(line: str) -> None:
    view = notation.parse_position(line)
    assert notation.view_text(view) == line
    game, state = KnightsDuty.parse_position(line)
    assert game.view(state) == view


def check_damage(line: str, old: str, new: str, field: str, rule: str) -> None:
    assert old in line
    assert refused(line.replace(old, new, 1)) == (field, rule)


@pytest.mark.parametrize(
    ("line", "old", "new", "field", "rule"),
    [
        # fields
        (NEW, " -", "", "position", "R13.3"),
        (NEW, " 0.place", "  0.place", "position", "R13.3"),
        (NEW, "... -", "... -\n", "work", "R13.3"),
        (NEW, "... -", "... ", "work", "R13.3"),
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
        (NEW, ";-4,4/F/n/u/...", "", "options.players", "R1.1"),
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
        (NEW, "-4,4", "-04,4", "p2.space", "R13.6a"),
        (PLACE, "0,0", "-0,0", "p1.space", "R13.6a"),
        # slot and stage
        (NEW, "0.place", "place", "stage", "R13.3"),
        (NEW, "0.place", "0.wait", "stage", "R13.3"),
        (NEW, "0.place", "4.place", "stage", "R13.3"),
        (NEW, "0.place", "1.place", "stage", "R13.6a"),
        (CLAN, "0.clan", "1.clan", "stage", "R13.6a"),
        (STEP, "1.step", "0.step", "stage", "R13.6a"),
        (END, "2.end", "0.end", "stage", "R13.6a"),
        # records
        (NEW, "F/n/u/...;", "F/n/u;", "p1", "R13.3"),
        (NEW, "F/n/u/...;", "F/n/u/.../;", "p1", "R13.3"),
        (NEW, "F/n", "f/n", "p1.heart", "R13.3"),
        (NEW, "F/n", "F/-", "p1.weapon", "R13.3"),
        (NEW, "n/u", "n/up", "p1.inspiration", "R13.3"),
        (NEW, "...;", "....;", "p1.tracker", "R13.3"),
        (NEW, "...;", "..;", "p1.tracker", "R13.3"),
        (NEW, "...;", "A..;", "p1.tracker", "R13.3"),
        (NEW, "...;", "?..;", "p1.tracker", "R13.3"),
        (NEW, "4,-4/", "4/", "p1.space", "R13.3"),
        (NEW, "4,-4/", "4,-4,0/", "p1.space", "R13.3"),
        # items
        (STEP, "m1=ne", "m1", "work", "R13.3"),
        (STEP, "m1=ne", "m1=", "work", "R13.3"),
        (STEP, "m1=ne", "m1=up", "work", "R13.3"),
        (STEP, "m1=ne", "m7=ne", "work", "R13.3"),
        (STEP, "m1=ne", "m4=ne", "work", "R13.6a"),
        (STEP, "m1=ne", "m1=ne;m1=ne", "work", "R13.6a"),
        (STEP, "m1=ne", "m1=ne;", "work", "R13.3"),
        (STEP, "m1=ne", "m1=?", "work", "R13.3"),
        (CLAIM, "m1=w;m2=e", "m2=e;m1=w", "work", "R13.6a"),
        (CLAIM, "m2=e;c1=y", "c1=y;m2=e", "work", "R13.6a"),
        (CLAIM, "c1=y", "c1=yes", "work", "R13.3"),
        (TARGET, "a1=n", "a1=4", "work", "R13.6a"),
        (TARGET, "a1=n", "a1=y", "work", "R13.3"),
        (ORDER, "o1=w", "o1=n", "work", "R13.3"),
        (DRAW, "q2>3", "q2>4", "work", "R13.6a"),
        (DRAW, "q2>3", "q2", "work", "R13.3"),
        (DRAW, "w1", "w4", "work", "R13.6a"),
        (DRAW, "w1;ia=y", "ia=y;w1", "work", "R13.6a"),
        (DRAW, "ia=y", "ia=y;ia=y", "work", "R13.6a"),
        (DRAW, "ia=y", "ia=maybe", "work", "R13.3"),
        (END, "r=0,1", "r=0,2/2", "work", "R13.3"),
        (END, "r=0,1", "r=0,1.0", "work", "R13.3"),
        (DRAWN, "r=1/2,0,1/2", "r=2/4,0,1/2", "work", "R13.3"),
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
        (NEW, "-4,4", "4,-4", "p2.space"),
        (NEW, "-4,4", "-4,-1", "p2.space"),
        (NEW, "-4,4", "5,0", "p2.space"),
        (NEW, "-4,4", "-", "p2.space"),
        (END, "2,0/", "4,1/", "p2.space"),
        (CLAN, "kd;clans=choose", "kd", "stage"),
        (CLAN, "t1", "t2", "turn"),
        (CLAN, ";-/F/n/u/... ", ";out ", "p3.heart"),
        (CLAN, "4,-4", "0,0", "p1.space"),
        (CLAN, "4,-4", "-", "p1.space"),
        (CLAN, "p2 4,-4/F/n/u/...;-", "p3 4,-4/F/n/u/...;4,-4", "p2.space"),
        (CLAN, ";-/", ";4,0/", "p2.space"),
        (CLAN, "p2", "p1", "p1.space"),
        (CLAN, "4,-4/F", "4,-4/B", "p1.heart"),
        (CLAN, "F/n", "F/S", "p1.weapon"),
        (CLAN, "n/u", "n/d", "p1.inspiration"),
        (CLAN, "...;", "M..;", "p1.tracker"),
    ],
)
def test_knights_stand_on_distinct_spaces(line: str, old: str, new: str, field: str) -> None:
    """R13.6 (b)."""
    check_damage(line, old, new, field, "R13.6b")


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (STEP, "SEE", "SSS", "p2.tracker"),
        (END, "SHY", "YYY", "p2.tracker"),
        (STEP, "kd", "kd;empty_slots=off", "p1.tracker"),
        (PLACE, "SSM", "SS.", "p1.tracker"),
        (PLACE, "SSM", "...", "p1.tracker"),
        (PLACE, "B..", "BBB", "p2.tracker"),
        (PLACE, "B..", ".B.", "p2.tracker"),
        (PLACE, "B..", "..B", "p2.tracker"),
        (PLACE, "..x", "S.x", "p3.tracker"),
        (STEP, "SEE", "SE.", "p2.tracker"),
        (END, "SHY", "SH.", "p2.tracker"),
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
        (PLACE, "..x", ".xx", "p3.tracker"),
        (PLACE, "SSM", "SxM", "p1.tracker"),
        (PLACE, "SSM", "SSx", "p1.tracker"),
        (PLACE, "..x", "...", "p3.tracker"),
        (TARGET, "1,0/F", "1,0/B", "p2.tracker"),
        (TARGET, "1,0/F", "1,0/X", "p2.tracker"),
        ("kd t4 3.step p1 0,0/F/n/u/SYM;1,0/B/n/u/MMx -", "MMx", "MMM", "p2.tracker"),
        (STEP, "1,0/F/n/d/SEE", "1,0/X/n/d/SEx", "p2.heart"),
        (END, "2,0/F/S/d/SHY", "2,0/B/S/d/SHY", "p2.tracker"),
        (END, "2,0/F/S/d/SHY", "2,0/X/S/d/SHx", "p2.heart"),
    ],
)
def test_slot_3_is_locked_after_a_hit_before_it(line: str, old: str, new: str, field: str) -> None:
    """R13.6 (d)."""
    check_damage(line, old, new, field, "R13.6d")


def test_a_hit_in_slot_3_leaves_its_token() -> None:
    """R13.6 (d), R4.9: from the attacks of slot 3 on a Broken player may have any token there."""
    assert "0,0/B/S/d/MSS" in SLOT_3
    locked = SLOT_3.replace("PMM", "PMx")
    assert notation.view_text(notation.parse_position(locked)) == locked
    end = "kd;turn_limit=3 t3 3.end - 1,0/B/S/d/SSM;4,0/B/B/u/BMx r=1/2,1/2"
    assert notation.view_text(notation.parse_position(end)) == end


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (NEW, "... -", "... m1=ne"),
        (CLAN, "... -", "... a1"),
        (STEP, "m1=ne", "m1=ne;a2"),
        (STEP, "m1=ne", "-"),
        (STEP, "m1=ne", "m1=ne;m3=e"),
        (STEP, "m1=ne", "m1=ne;m2=ne"),
        (CLAIM, ";m2=e", ""),
        (CLAIM, ";c1=y", ""),
        (CLAIM, "c1=y", "c1=y;c2=y"),
        (TARGET, "a1=n", "a1"),
        (TARGET, "a2;", "a2=1;"),
        (TARGET, ";a3", ";a3=1"),
        (ORDER, "a1=3", "a1"),
        (ORDER, "a3=1", "a3=n"),
        (ORDER, ";o1=w", ""),
        (ORDER, "o1=w", "o1=w;o2=w"),
        (ORDER, "o1=w", "o1=w;o3=w"),
        (INSPIRE, "q1>2;q2>1;ia=y", "-"),
        (INSPIRE, "ia=y", "ia=y;id=y"),
        (DRAW, "q2>3;q3>1;w1;ia=y", "w1"),
        (DRAW, "q2>3;", "a1;q2>3;"),
        (DRAW, "ia=y", "r=0,0,1"),
        (END, "r=0,1", "w2;r=0,1"),
    ],
)
def test_every_stage_has_its_own_items(line: str, old: str, new: str) -> None:
    """R13.6 (e)."""
    check_damage(line, old, new, "work", "R13.6e")


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (STEP, "m1=ne", "m1=e", "work"),
        (STEP, "m1=ne", "m1=n", "work"),
        (STEP.replace("0,0/F", "4,-4/F"), "m1=ne", "m1=e", "work"),
        (CLAIM, "m2=e", "m2=n", "work"),
        (CLAIM, "kd", "kd;agreements=off", "stage"),
        (ORDER, "kd", "kd;agreements=off", "stage"),
        (TARGET, "a1=n", "a1=1", "work"),
        (TARGET, "SMM", "MMM", "work"),
        (TARGET, "F/S", "F/n", "work"),
        (TARGET.replace("0,1/F", "0,4/F"), "a1=n", "a1=3", "work"),
        (TARGET, "0,0/F", "-4,0/F", "work"),
        (ORDER, "a3=1", "a3=3", "work"),
        (ORDER, "0,1/F", "0,4/F", "work"),
        (DRAW, "q2>3", "q2>2", "work"),
        (DRAW, "0,1/F", "-3,0/F", "work"),
        (DRAW, "BMM", "HMM", "work"),
        (DRAW, "w1", "w2", "work"),
        (DRAW, "SMM", "MMM", "work"),
        (DRAW, "q3>1", "q3>2;q3>1", "work"),
        (DRAW, "q2>3;q3>1", "q3>1;q2>3", "work"),
        (DRAW, "q2>3;q3>1;w1", "q2>3;q1>3", "work"),
        (DRAW, "1,0/F/P/d/PMM", "out", "work"),
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
        (NEW, "p1", "chance", "actor"),
        (NEW, "p1", "-", "actor"),
        (NEW, "p1", "p3", "actor"),
        (NEW, "p1", "1", "actor"),
        (PLACE, "1,0/F/n/u/B..", "out", "actor"),
        (STEP, "2,0/F/n/d/MEE", "out", "actor"),
        (STEP, "p3", "p2", "actor"),
        (CLAIM, "m1=w", "m1=e", "actor"),
        (TARGET, "a1=n;a2;a3", "a1;a3", "actor"),
        (ORDER.replace("a2=3", "a2=1").replace(";o1=w", ""), "p2", "p1", "actor"),
        (ORDER, "p2 0,0", "p3 0,0", "actor"),
        (INSPIRE, "u/PPM", "d/PPM", "actor"),
        (DRAW, "chance", "p1", "actor"),
        (DRAW, "chance", "-", "actor"),
        (SHIELD, ";ia=y", "", "work"),
        (END, "-", "p2", "actor"),
        (END, "-", "chance", "actor"),
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
        (END, "r=0,1", "r=1,0", "work"),
        (END, "r=0,1", "r=1/2,1/2", "work"),
        (END, "r=0,1", "r=0,0", "work"),
        (END, "r=0,1", "r=1,1", "work"),
        (END, "r=0,1", "r=0,1,0", "work"),
        (END, "r=0,1", "-", "work"),
        (DRAWN, "r=1/2,0,1/2", "r=1,0,0", "work"),
        (DRAWN, "r=1/2,0,1/2", "r=1/3,2/3,0", "work"),
        (DRAWN, "r=1/2,0,1/2", "r=1/3,0,1/3", "work"),
        (LIMIT, "r=1/2,1/2,0", "r=1,0,0", "work"),
        (LIMIT, "r=1/2,1/2,0", "r=1/3,1/3,1/3", "work"),
        (LIMIT, "3.end", "2.end", "stage"),
        (LIMIT, "turn_limit=3", "turn_limit=4", "stage"),
    ],
)
def test_the_result_follows_from_who_stands(line: str, old: str, new: str, field: str) -> None:
    """R13.6 (h)."""
    check_damage(line, old, new, field, "R13.6h")


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (INSPIRE, ";ia=y", ""),
        (INSPIRE, "u/SSM", "d/SSM"),
        (FIRST, "q1>2", "q1>2;ia=n"),
        (DRAW, "ia=y", "ia=n"),
        (DRAW, "ia=y", "ia=y;id=n"),
        (SHIELD, "d/BMM", "u/BMM"),
        (SHIELD, "d/HMM", "u/HMM"),
        (SHIELD, "d/BMM;1,0/F/P/d/HMM q1>2;ia=y", "d/BMM;1,0/F/P/u/MMM q1>2"),
    ],
)
def test_answers_for_inspiration_fit_the_tokens(line: str, old: str, new: str) -> None:
    """R13.7."""
    check_damage(line, old, new, "work", "R13.7")


def test_three_or_more_that_fell_together_share_the_win() -> None:
    """R13.6 (h), R11.3."""
    for result in ("1/3,1/3,1/3", "0,1/2,1/2"):
        line = DRAWN.replace("1/2,0,1/2", result)
        assert notation.view_text(notation.parse_position(line)) == line


def test_with_blocked_swaps_an_exchange_is_struck_out_before_contests() -> None:
    """R6.3, R13.6 (e): p1 and p2 change places, so p3 contends with nobody for that of p2."""
    line = (
        "kd;swap=block t2 1.claim p3 0,0/F/n/u/MEE;1,0/F/n/u/MEE;2,0/F/n/u/MEE;0,1/F/n/u/MEE "
        "m1=e;m2=w;m3=sw;m4=e"
    )
    assert notation.parse_position(line)["seat"] == 3
    allowed = line.replace(";swap=block", "").replace("m3=sw;m4=e", "m3=w;m4=stay;c1=y")
    assert notation.parse_position(allowed)["claims"] == [{"seat": 1, "choice": "yes"}]
    assert refused(allowed.replace("kd", "kd;swap=block")) == ("actor", "R13.6g")


def test_an_observation_is_no_position_and_the_other_way_round() -> None:
    with pytest.raises(InputError) as caught:
        notation.parse_position(f"{NEW} @p1")
    assert (caught.value.value, caught.value.rule) == ("@p1", "R13.3")
    with pytest.raises(InputError) as caught:
        notation.parse_observation(NEW)
    assert (caught.value.field, caught.value.rule) == ("observation.observer", "R13.5")


def test_an_error_says_what_would_be_right() -> None:
    assert str(error_of(STEP.replace("m1=ne", "m1=e"))) == (
        "p1 stays, or steps to a space of the arena that is empty or holds a mover (R6.2); "
        "got 'm1=e' (R13.6f)"
    )
    assert str(error_of(NEW.replace("kd", "kd;swap=block;radius=5"))).startswith(
        "the first field has the options that differ from their defaults, in the order of R13.3: "
        "kd;radius=5;swap=block"
    )
    assert str(error_of(DRAW.replace("q2>3;q3>1", "q3>1;q2>3"))) == (
        "attacks stand in the initiative order of turn 2, p2, p3, p1; got 'q2>3' (R13.6f)"
    )
    assert str(error_of(END.replace("r=0,1", "r=0,1,0"))) == (
        "r has one share for each of the 2 seats; got 'r=0,1,0' (R13.6h)"
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
    view = notation.parse_observation(line)
    assert notation.view_text(view) == line
    assert typed(view, messages.KnightsDutyObservation()) == view
    game, observation = KnightsDuty.parse_observation(line)
    assert game.view(observation) == view


@pytest.mark.parametrize(
    ("index", "old", "new", "field", "rule"),
    [
        (0, "@p2", "@p4", "observer", "R13.5"),
        (0, "@p2", "@2", "observer", "R13.5"),
        (0, "@p2", "@p2x", "observer", "R13.5"),
        (0, " - @p2", " @p2", "observation", "R13.3"),
        (0, "@p2", "@-", "p2.tracker", "R13.5"),
        (0, "@p2", "@p1", "p1.tracker", "R13.5"),
        (0, "???", "SSS", "p1.tracker", "R13.5"),
        (0, "???", "??.", "p1.tracker", "R13.6c"),
        (0, "..x", "..?", "p3.tracker", "R13.6d"),
        (1, "?..", "B..", "p2.tracker", "R13.5"),
        (2, "m1=?", "m1=ne", "work", "R13.5"),
        (2, "m1=?", "m2=?", "work", "R13.6e"),
        (2, "MEE", "M??", "p3.tracker", "R13.5"),
        (2, "S??", "???", "p2.tracker", "R13.5"),
        (2, "MEE", "MSE m1=? @p3", "observation", "R13.3"),
        (3, "m1=ne", "m1=?", "work", "R13.5"),
        (3, "m1=ne", "m1=e", "work", "R13.6f"),
        (4, "c1=?", "c1=y", "work", "R13.5"),
        (4, "m1=w", "m1=?", "work", "R13.5"),
        (5, "a1=?", "a1=n", "work", "R13.5"),
        (5, "a2;", "a2=?;", "work", "R13.5"),
        (5, "a3 ", "a3=? ", "work", "R13.6e"),
        (5, "S??", "M??", "work", "R13.6f"),
        (6, "o1=w", "o1=?", "work", "R13.5"),
        (6, "a2=3", "a2=?", "work", "R13.5"),
        (7, "ia=?", "ia=y", "work", "R13.5"),
        (7, ";ia=?", "", "work", "R13.7"),
        (8, "ia=y", "ia=?", "work", "R13.5"),
        (9, "ia=y", "ia=?", "work", "R13.5"),
        (10, "SH?", "SHY", "p2.tracker", "R13.5"),
        (10, "r=0,1", "r=1,0", "work", "R13.6h"),
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
        moves.parse_move(token)
    assert (caught.value.field, caught.value.value, caught.value.rule) == ("move", token, "R13.1")


@pytest.mark.parametrize("verb", ["place", "step", "claim", "target", "order", "inspire"])
def test_what_others_do_not_see_has_a_token_too(verb: str) -> None:
    """R12.3."""
    view = moves.parse_move(f"{verb}:?")
    assert moves.move_text(view) == f"{verb}:?"
    assert moves.view(moves.number(view)) == view


def test_a_seat_that_the_game_has_not_is_refused() -> None:
    with pytest.raises(InputError, match="p1 to p3") as caught:
        KnightsDuty(players="3").parse_move("target:p4")
    assert (caught.value.field, caught.value.rule) == ("move", "R13.1")


# --- typed views ------------------------------------------------------------------------------


def test_what_a_view_leaves_out_is_empty_or_default() -> None:
    knight = {"heart": "full", "space": {"q": 1}, "tracker": ["", "", ""]}
    view = {
        "turn": 1,
        "stage": "place",
        "seat": 1,
        "players": [knight, knight | {"space": {}, "weapon": "bow", "inspiration_up": True}],
    }
    assert notation.view_text(view) == "kd t1 0.place p1 1,0/F/n/d/...;0,0/F/B/u/... -"


@pytest.mark.parametrize(
    "changed",
    [
        {"options": {"players": 3}},
        {"options": {"radius": 9}},
        {"options": {"arena": "round"}},
        {"options": {"turn_limit": -1}},
        {"turn": -1},
        {"slot": 4},
        {"stage": ""},
        {"stage": "step p1"},
        {"seat": 0},
        {"seat": 3},
        {"players": []},
        {"steps": [{"seat": 1, "choice": "north"}]},
        {"steps": [{"seat": 1, "choice": ""}]},
        {"claims": [{"seat": 2, "choice": "yes"}]},
        {"targets": [{"seat": 1, "choice": "p7"}]},
        {"attacks": [{"attacker": 1}]},
        {"waiting": [1]},
        {"attacker_inspiration": "perhaps"},
        {"target_inspiration": "yes"},
        {"winners": [1]},
    ],
)
def test_a_wrong_view_is_refused(changed: notation.View) -> None:
    view = notation.parse_position(CLAIM) | changed
    with pytest.raises(InputError):
        notation.parse_position(notation.view_text(view))


@pytest.mark.parametrize(
    "changed",
    [
        {"heart": "whole"},
        {"heart": "out"},
        {"weapon": "axe"},
        {"tracker": []},
        {"tracker": ["axe", "move", "move"]},
        {"space": {"q": 9}},
        {"space": None},
    ],
)
def test_a_wrong_player_is_refused(changed: notation.View) -> None:
    view = notation.parse_position(CLAIM)
    view["players"][0] |= changed
    with pytest.raises(InputError):
        notation.parse_position(notation.view_text(view))


@pytest.mark.parametrize("winners", [[], [1, 2], [3], [2, 3], [2, 2]])
def test_wrong_winners_are_refused(winners: list[int]) -> None:
    view = notation.parse_position(END) | {"winners": winners}
    with pytest.raises(InputError):
        notation.parse_position(notation.view_text(view))


# --- options ----------------------------------------------------------------------------------


def test_the_options_of_a_game_are_all_told_in_their_order() -> None:
    """Section 16."""
    found = options.checked({"players": 3, "swap": "block"})
    assert list(found) == list(options.DEFAULTS)
    assert (found["players"], found["swap"], found["radius"]) == ("3", "block", "4")
    values = options.values(found)
    assert (values["players"], values["radius"], values["swap"]) == (3, 4, "block")
    assert options.texts(values, 3) == found
    assert options.tag(found) == "kd;swap=block"


@pytest.mark.parametrize(
    ("given", "option", "rule"),
    [
        ({"players": "1"}, "players", "R1.1"),
        ({"players": "7"}, "players", "R1.1"),
        ({"players": "03"}, "players", "R1.1"),
        ({"players": "+3"}, "players", "R1.1"),
        ({"players": 5, "arena": "square"}, "players", "R1.1"),
        ({"arena": "round"}, "arena", "R2.6"),
        ({"radius": "2"}, "radius", "R2.1"),
        ({"radius": "7"}, "radius", "R2.1"),
        ({"clans": "dealt"}, "clans", "R3.2"),
        ({"empty_slots": "yes"}, "empty_slots", "R4.6"),
        ({"agreements": ""}, "agreements", "R6.4"),
        ({"swap": "on"}, "swap", "R6.3"),
        ({"inspire": "off"}, "inspire", "R9.3"),
        ({"turn_limit": "0"}, "turn_limit", "R11.4"),
        ({"turn_limit": "1001"}, "turn_limit", "R11.4"),
        ({"turn_limit": "٣"}, "turn_limit", "R11.4"),
        ({"colour": "red"}, "colour", "section 16"),
    ],
)
def test_a_game_with_other_options_is_refused(
    given: dict[str, str | int], option: str, rule: str
) -> None:
    """Section 16."""
    with pytest.raises(InputError) as caught:
        options.checked(given)
    assert (caught.value.field, caught.value.rule) == (f"options.{option}", rule)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("kd;clans=choose t1 0.clan p1 -/F/n/u/S..;-/F/n/u/... -", "S.."),
        ("kd;clans=choose t1 0.clan p1 -/F/n/d/...;-/F/n/u/... -", "d"),
        ("kd;clans=choose t1 0.clan p1 -/F/S/u/...;-/F/n/u/... -", "S"),
        ("kd;clans=choose t1 0.clan p1 -/B/n/u/...;-/F/n/u/... -", "B"),
        ("kd t2 3.step p1 1,0/B/n/d/EES;-1,0/F/B/u/MBB -", "EES"),
        ("kd t2 0.place p1 1,0/F/n/d/S.S;-1,0/F/B/u/... -", "S.S"),
    ],
)
def test_a_refusal_gives_the_value_as_the_line_does(line: str, value: str) -> None:
    with pytest.raises(InputError) as refused:
        KnightsDuty.parse_position(line)
    assert refused.value.value == value
