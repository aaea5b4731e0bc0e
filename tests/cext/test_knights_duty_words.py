"""A Knight's Duty in words: moves, differences, reasons against moves, and the picture.

Test names and docstrings cite docs/rules/knights_duty.md.
"""

from __future__ import annotations

import pytest
from numpy.random import PCG64

from kingmaker.cext.games.knights_duty import KnightsDuty

CLAN = "kd;clans=choose t1 0.clan p2 4,-4/F/n/u/...;-/F/n/u/...;-/F/n/u/... -"
PLACE = "kd t3 0.place p2 0,0/F/n/u/SSM;1,0/F/n/u/BB. -"
STEP = "kd t2 1.step p2 0,0/F/n/d/MEE;1,0/F/n/d/MEE;2,0/F/n/d/SEE m1=ne"
CLAIM = "kd t2 1.claim p2 1,0/F/S/d/MSS;-1,0/F/B/u/MBB m1=w;m2=e;c1=y"
TARGET = "kd t2 2.target p1 0,0/F/S/d/SSM;1,0/F/P/d/PHM;0,1/X/B/d/BBx;0,4/F/n/d/EEE;out a1;a3"
ORDER = "kd t2 1.order p2 0,0/F/S/d/SMM;1,0/F/P/d/PMM;0,1/F/B/d/BMM a1=3;a2=3;a3=1;o1=w"
INSPIRE = "kd t3 2.inspire p2 0,0/F/S/u/SSM;2,0/F/P/u/PPM q1>2;q2>1;ia=y"
FIRST = "kd t3 2.inspire p1 0,0/F/S/u/SSM;2,0/F/P/u/PPM q1>2;q2>1"
DRAW = "kd t3 2.draw chance 0,0/F/S/d/SSM;1,0/F/B/d/YYM q1>2"
DUEL = "kd t3 1.target p1 0,0/F/S/d/SMH;1,0/F/B/d/MMB a1"
END = "kd t5 2.end - out;2,0/F/S/d/SHY r=0,1"


@pytest.mark.parametrize(
    ("line", "token", "words"),
    [
        (CLAN, "clan:c1", "start in corner c1 at 4,0"),
        (PLACE, "place:sword", "programme a sword in slot 3"),
        (PLACE, "place:move", "programme a movement in slot 3"),
        (PLACE, "place:empty", "programme nothing in slot 3"),
        (PLACE, "place:?", "programme an unseen token in slot 3"),
        (STEP, "step:ne", "step north-east to 2,-1"),
        (STEP, "step:w", "step west to 0,0, the High Ground"),
        (STEP, "step:stay", "stay on 1,0"),
        (STEP, "step:?", "choose a step, unseen"),
        (CLAIM, "claim:yes", "insist on 0,0, the High Ground"),
        (CLAIM, "claim:no", "give way at 0,0, the High Ground"),
        (
            TARGET,
            "target:p2",
            "attack p2 with the sword at distance 1 (hits 1/2 before Inspiration)",
        ),
        (TARGET, "target:p3", "attack p3 with the sword at distance 1 (already defeated)"),
        (TARGET, "target:none", "attack nobody"),
        (TARGET, "target:?", "declare an unseen target"),
        (ORDER, "order:first", "ask to go first against p3"),
        (ORDER, "order:wait", "wait and let others attack p3 first"),
        (INSPIRE, "inspire:yes", "use Inspiration for one heart less in the pile"),
        (
            "kd t3 1.inspire p2 0,0/F/B/d/BMM;3,0/F/S/u/HMM q1>2",
            "inspire:yes",
            "use Inspiration to no effect: the pile holds no heart",
        ),
        (FIRST, "inspire:yes", "use Inspiration for one heart more in the pile"),
        (INSPIRE, "inspire:no", "keep Inspiration"),
        (DRAW, "draw:heart", "pick a heart, so p1 hits p2"),
        (DRAW, "draw:shield", "pick a shield, so p1 misses p2"),
    ],
)
def test_a_move_is_described_with_what_it_does_here(line: str, token: str, words: str) -> None:
    game, state = KnightsDuty.parse_position(line)
    assert game.describe_move(state, game.parse_move(token)) == words


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("clan:c4", "start in corner c4"),
        ("place:parry", "programme a parry"),
        ("step:se", "step south-east"),
        ("claim:no", "give way"),
        ("claim:?", "insist or give way, unseen"),
        ("target:p2", "attack p2"),
        ("order:wait", "wait"),
        ("order:?", "go first or wait, unseen"),
        ("inspire:?", "use or keep Inspiration, unseen"),
        ("draw:heart", "pick a heart"),
    ],
)
def test_words_that_hold_anywhere_name_nothing_of_a_position(token: str, words: str) -> None:
    game = KnightsDuty()
    assert game.describe_anywhere(game.parse_move(token)) == words


# --- differences ------------------------------------------------------------------------------


def effects(line: str, *tokens: str, seat: int) -> dict[str, float]:
    """What moves change for a seat that sees all: text -> gain."""
    game, before = KnightsDuty.parse_position(line)
    after = before
    for token in tokens:
        after = game.after(after, game.parse_move(token))
    return {change.text: change.gain for change in game.changes(before, after, seat - 1)}


def test_changes_tell_a_hit_and_what_it_is_worth_to_either() -> None:
    """R9.8, R4.8."""
    for_target = effects(DUEL, "target:p2", "draw:heart", seat=2)
    assert list(for_target) == ["p2's Heart breaks", "slot 3 of p2 is locked", "slot 2 begins"]
    assert for_target["p2's Heart breaks"] == pytest.approx(-0.25)
    for_attacker = effects(DUEL, "target:p2", "draw:heart", seat=1)
    assert for_attacker["p2's Heart breaks"] == pytest.approx(0.25)


def test_changes_tell_a_fumble() -> None:
    """R9.7."""
    assert effects(DRAW, "draw:shield", seat=1) == {
        "p1 fumbles, and its sword is gone": -0.04,
        "slot 3 begins": 0.0,
    }


def test_changes_tell_who_moved_and_who_is_inspired_again() -> None:
    """R6.4, R10.3: p1 has given way, so p2 lands on the High Ground."""
    line = CLAIM.replace("c1=y", "c1=n")
    found = effects(line, "claim:yes", seat=2)
    assert found["p2 moves to the High Ground"] == 0
    again = effects(line.replace("F/B/u", "F/B/d"), "claim:yes", seat=2)
    assert again["p2's Inspiration is up again"] == pytest.approx(0.04)


def test_changes_tell_the_end() -> None:
    line = "kd t5 1.draw chance 0,0/B/S/d/SMx;2,0/F/S/d/SHY q2>1"
    winner, loser = (effects(line, "draw:heart", seat=seat) for seat in (2, 1))
    assert (winner["p2 wins"], loser["p2 wins"]) == (1.0, -1.0)
    assert "p1 leaves the board" in winner


def test_changes_of_observations_tell_what_is_turned_up_and_nothing_else() -> None:
    """R5.1, R12.1."""
    game, before = KnightsDuty.parse_position(PLACE)
    after = game.after(before, game.parse_move("place:parry"))
    p1, p2 = (
        {
            change.text
            for change in game.changes(
                game.observed(before, seat), game.observed(after, seat), seat
            )
        }
        for seat in (0, 1)
    )
    public = {"p1 takes up the sword", "p2 takes up the bow", "slot 2 begins"}
    assert p1 == public | {"p2 shows a bow in slot 1", "p2 shows a bow in slot 2"}
    assert p2 == public | {"p1 shows a sword in slot 1", "p1 shows a sword in slot 2"}


# --- reasons ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "token", "rule"),
    [
        (CLAN, "clan:c0", "R3.2"),
        (CLAN.replace("kd;", "kd;arena=square;"), "clan:c4", "R2.6"),
        (CLAN, "place:sword", "R4.4"),
        (PLACE, "place:bow", "R4.5"),
        (PLACE.replace("kd", "kd;empty_slots=off"), "place:empty", "R4.6"),
        (PLACE, "place:?", "R4.4"),
        (PLACE, "step:stay", "R6.1"),
        (STEP, "step:e", "R6.2"),
        (STEP.replace("1,0", "4,0"), "step:e", "R6.2"),
        (STEP, "step:n", "R2.2"),
        (STEP, "claim:yes", "R6.4"),
        (STEP, "step:?", "R6.1"),
        (CLAIM, "target:p1", "R8.3"),
        (TARGET, "target:p1", "R8.3"),
        (TARGET, "target:p5", "R8.3"),
        (TARGET, "target:p4", "R8.1"),
        (TARGET, "order:wait", "R8.5"),
        (ORDER, "inspire:no", "R9.3"),
        (INSPIRE, "draw:heart", "R9.5"),
        (DRAW, "inspire:yes", "R9.3"),
        (END, "place:sword", "R11.2"),
        ("kd t5 2.end - out;out r=1/2,1/2", "place:sword", "R11.3"),
        (
            "kd;turn_limit=1 t1 3.end - 1,0/F/n/u/EEE;2,0/F/n/u/EEE r=1/2,1/2",
            "place:sword",
            "R11.4",
        ),
    ],
)
def test_an_illegal_move_is_explained_with_its_rule(line: str, token: str, rule: str) -> None:
    game, state = KnightsDuty.parse_position(line)
    move = game.parse_move(token)
    assert move not in game.moves_of(state)
    sentence, found = game.why_illegal(state, move)
    assert (bool(sentence), found) == (True, rule)


TOKENS = [
    f"{verb}:{choice}"
    for verb, choices in {
        "clan": "c0 c1 c2 c3 c4 c5",
        "place": "sword spear bow shield parry move empty ?",
        "step": "stay n ne e se s sw w nw ?",
        "claim": "yes no ?",
        "target": "p1 p2 p3 none ?",
        "order": "first wait ?",
        "inspire": "yes no ?",
        "draw": "heart shield",
    }.items()
    for choice in choices.split()
]


@pytest.mark.parametrize(
    "options",
    [{"clans": "choose", "radius": 3}, {"arena": "square", "empty_slots": "off", "radius": 3}],
)
def test_every_illegal_move_has_a_reason_of_its_own(options: dict[str, str | int]) -> None:
    game = KnightsDuty(players=3, turn_limit=12, **options)
    moves = [game.parse_move(token) for token in TOKENS]
    stages = set()
    for seed in range(12):
        stream = PCG64(seed)
        state = game.start_state()
        while True:
            stages.add(game.view(state)["node"]["type"])
            possible = {*game.moves_of(state), *(outcome for outcome, _ in game.outcomes_of(state))}
            for move in {*moves} - possible:
                sentence, rule = game.why_illegal(state, move)
                assert rule, (game.text(state), game.move_text(move), sentence)
            if (node := game.node_of(state)) == -2:
                break
            move = game.sample(state, stream) if node == -1 else game.policy_move(state, stream)
            state = game.after(state, move)
    assert {"place", "step", "target", "order", "inspire", "draw", "end"} <= stages


def test_reasons_are_sentences() -> None:
    for line, token, sentence in (
        (PLACE, "place:bow", "all 2 bow tokens are on the tracker of p2"),
        (STEP, "step:e", "p3, who does not move, stands on it"),
        (TARGET, "target:p4", "p4 is 4 away, a sword reaches 2"),
        (CLAIM, "step:e", "it is the claiming of contested spaces; step belongs to the choice of "),
    ):
        game, state = KnightsDuty.parse_position(line)
        assert game.why_illegal(state, game.parse_move(token))[0].startswith(sentence)


def test_a_hidden_tracker_is_not_reported_by_the_reason() -> None:
    """R12.1: to p1 it is open which tokens p2 has placed."""
    game, state = KnightsDuty.parse_position(PLACE)
    sentence, _ = game.why_illegal(game.observed(state, 0), game.parse_move("place:bow"))
    assert "bow" not in sentence


# --- the picture ------------------------------------------------------------------------------


def test_the_picture_of_a_hexagon_shows_knights_high_ground_and_range() -> None:
    game, state = KnightsDuty.parse_position(
        "kd;radius=3 t3 2.target p1 -1,0/F/S/u/SSM;1,0/B/P/u/PPx;3,-3/F/n/d/EEE;out a1;a2"
    )
    assert game.render(game.observed(state, 1)) == (
        """\
turn 3 of 60, slot 2; p1 declares a target

r -3        .   .   .   p3         q 0 to 3
r -2      +   +   +   .   .        q -1 to 3
r -1    +   +   +   +   .   .      q -2 to 3
r  0  +   +   p1  *+  p2  .   .    q -3 to 3
r  1    +   +   +   +   .   .      q -3 to 2
r  2      +   +   +   .   .        q -3 to 1
r  3        .   .   .   .          q -3 to 0
* High Ground; a space is q,r; w left, e right, nw and ne up, sw and se down
+ within 2, the range of p1's sword: p2 (2)

      order  Heart   space  weapon     Inspiration  slot 1  [slot 2]  slot 3
p1 >  2      Full    -1,0   sword (2)  up           sword   sword     ?
p2    3      Broken  1,0    spear (3)  up           spear   spear     locked
p3    1      Full    3,-3   none       down         empty   empty     ?
p4    -      out

targets: p1 not asked yet, p2 not asked yet
as p2 sees it"""
    )


def test_the_picture_of_a_square_has_no_shift() -> None:
    game, state = KnightsDuty.parse_position(
        "kd;arena=square;radius=3 t2 1.step p1 0,0/F/B/d/MSE;2,-1/F/n/d/EEE -"
    )
    lines = game.render(state).splitlines()
    assert lines[4] == "r -1  +   +   +   +   +   p2  +    q -3 to 3"
    assert lines[5] == "r  0  +   +   +   p1* +   +   +    q -3 to 3"


@pytest.mark.parametrize(
    ("line", "pending"),
    [
        (STEP, ["steps: p1 north-east"]),
        (CLAIM, ["steps: p1 west, p2 east", "claims: p1 for 0,0: yes, p2 for 0,0: not asked yet"]),
        (ORDER, ["targets: p1 on p3, p2 on p3, p3 on p1", "orders: p1 wait, p2 not asked yet"]),
        (
            INSPIRE,
            [
                "attacks: p1 on p2, then p2 on p1",
                "pile before Inspiration: 3 hearts, 1 shield, hits 3/4; Inspiration: p1 yes",
            ],
        ),
        (DRAW, ["attacks: p1 on p2", "pile: 3 hearts, 1 shield, hits 3/4"]),
        (
            "kd t2 1.draw chance 0,0/F/S/d/SMM;1,0/F/B/d/BMM;0,1/F/B/d/HMM q2>3;w1;ia=y",
            [
                "attacks: p2 on p3; waiting: p1",
                "pile: 1 heart, 4 shields, hits 1/5; Inspiration: p2 yes",
            ],
        ),
    ],
)
def test_the_picture_ends_with_what_is_pending(line: str, pending: list[str]) -> None:
    game, state = KnightsDuty.parse_position(line)
    assert game.render(state).split("\n\n")[3].splitlines() == pending


@pytest.mark.parametrize(
    ("line", "headline"),
    [
        (CLAN, "turn 1 of 60; p2 picks a corner"),
        (PLACE, "turn 3 of 60; p2 programmes"),
        (INSPIRE, "turn 3 of 60, slot 2; p2 may use Inspiration"),
        (DRAW, "turn 3 of 60, slot 2; p1 attacks p2, and a card is picked from the pile"),
        (END, "turn 5 of 60, slot 2; the game is over: p2 wins"),
    ],
)
def test_the_picture_says_who_is_asked_for_what(line: str, headline: str) -> None:
    game, state = KnightsDuty.parse_position(line)
    assert game.render(state).splitlines()[0] == headline


def test_the_picture_hides_what_is_hidden() -> None:
    """R12.3: p2 is asked for its Inspiration and does not see that p1 uses its own."""
    game, state = KnightsDuty.parse_position(INSPIRE)
    picture = game.render(game.observed(state, 1))
    assert picture.endswith("Inspiration: p1 ?\nas p2 sees it")
    assert "sword     ?" in picture


def test_corners_are_marked_while_they_are_chosen() -> None:
    """R2.4."""
    game, state = KnightsDuty.parse_position(CLAN)
    picture = game.render(state)
    assert all(f" c{corner} " in picture for corner in range(1, 6))
    assert " c0 " not in picture


@pytest.mark.parametrize("arena", ["hex", "square"])
@pytest.mark.parametrize("radius", [3, 4, 5, 6])
def test_the_picture_fits_into_100_columns(arena: str, radius: int) -> None:
    game = KnightsDuty(players=6 if arena == "hex" else 4, arena=arena, radius=radius)
    stream = PCG64(radius)
    state = game.start_state()
    for _ in range(150):
        if (node := game.node_of(state)) == -2:
            break
        assert max(map(len, game.render(state).splitlines())) <= 100
        move = game.sample(state, stream) if node == -1 else game.policy_move(state, stream)
        assert game.describe_move(state, move)
        state = game.after(state, move)


def test_a_token_that_is_placed_and_turned_up_at_once_is_reported() -> None:
    """R5.1: with slots 1 and 2 empty of decisions, p2's last token is turned up as it is placed."""
    game, before = KnightsDuty.parse_position("kd t2 0.place p2 1,0/F/S/d/HHS;0,0/F/n/d/YY. -")
    after = game.after(before, game.parse_move("place:shield"))
    found = [
        change.text for change in game.changes(game.observed(before, 0), game.observed(after, 0), 0)
    ]
    assert "p2 shows a shield in slot 3" in found
