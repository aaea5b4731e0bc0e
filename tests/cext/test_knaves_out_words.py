"""Knaves Out in words: moves, differences, reasons against moves, and the picture.

Test names and docstrings cite docs/rules/knaves_out.md.
"""

from __future__ import annotations

import pytest

from kingmaker.cext.games.knaves_out.names import ACTIONS
from kingmaker.cext.games.knaves_out.words import ACTION_WORDS
from kingmaker.search.position import parse_position

KING = "p2:+:-:-:-:-:-:-:K2e5.4:-:-:-"  # p2 with nothing but a king building
CASTLE = (
    "ko 0,0/8,0 t=9;f=p1;a=p1 main@p1 I=-;D=- p1:+:-:-:jd=:qd=:kd=:-:R1a1.4,k2d4.0:-:-:- "
    "p2:+:-:-:jc=:-:-:-:P2c5.3,P2d5.2,K2f6.4:-:-:-"
)
CHARM = (
    "ko 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=- "
    "p1:+:-:-:jc=:qs*=ah2c:kd=:-:K1a1.4,P1c6.0:-:-:- p2:+:-:-:-:-:-:-:P1d4.4,K2e5.4:-:-:-"
)
SAIL = (
    "ko 0,0i/8,0 t=9;f=p1;a=p1 main@p1 I=*;D=- p1:+:2c:-:jc=:-:-:-:K1a1.4,P1d8.3:P3:-:- "
    "p2:+:-:-:-:-:-:-:K2h8.0:-:-:-"
)
HAZARD = (
    "ko 0,0/8,0 t=1;f=p1;a=p1 redirect@p1{k=hazard,on=1c3,dmg=1,step=move.1c3.1c4} "
    f"I=1e5.p2.r4b6;D=- p1:+:-:-:-:-:-:-:K1a1.4,P1b2.0,P1c3.0:-:redirect:- {KING}"
)
DARK = (
    "ko 0,0/8,0/8,8/0,8 t=5;f=p1;a=p1 main@p1 I=-;D=1h8.p3>p1.r0b1 "
    f"p1:+:-:-:jc=ac2c3c4c:qc=as2s3s4s:kd=ah2h3h4h:-:K1a1.4:-:-:- {KING} "
    "p3:+:-:-:-:-:-:-:K3d5.4:-:-:- p4:+:-:-:-:-:-:-:K4d5.4:-:-:-"
)
MOTORHEAD = (
    "ko 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=- p1:+:-:-:js=ac2d3h4s5c6d7h8s9ctdjhqhkd:"
    f"qs=ah2c3c:ks=:-:K1a1.4,P2d4.0:-:-:- {KING}"
)


def told(line: str, *moves: str, seat: int = 1) -> dict[str, float]:
    """The gains for a seat by the text of the change, of the last move."""
    before = parse_position("knaves_out", line).apply(*moves[:-1])
    after = before.apply(moves[-1])
    changes = before.observe(seat).changes(after.observe(seat))
    return {change.text: change.gain for change in changes}


def test_castling_changes_places_with_checkers_and_taints() -> None:
    """R7/castle."""
    assert told(CASTLE, "act:castle:1a1") == {
        "p1's king goes from 2d4 to 1a1": 0,
        "p1's rook goes from 1a1 to 2d4": 0,
        "p1 gets the mark castled": 0.01,
    }


def test_what_an_action_does_is_told_and_not_only_its_name() -> None:
    for code, told in ACTION_WORDS.items():
        assert told.partition(" {")[0].casefold() != ACTIONS[code].casefold() or "{" in told


def test_a_pawn_that_dies_of_a_charm_rises_as_an_unpawn() -> None:
    """R7/charm: it loses four checkers and gets one."""
    assert told(CHARM, "act:charm:1d4", "die:1") == {
        "p2's pawn on 1d4 dies and rises as an unpawn with 1 checker": 0.045
    }


def test_who_sails_is_not_lost() -> None:
    """R8.6: it costs a checker."""
    assert told(SAIL, "sail:1d8") == {"p1's pawn on 1d8 goes to sea with 2 of 3 checkers": -0.015}


def test_who_sails_free_keeps_the_checkers() -> None:
    """R8.6, R7/seabreeze."""
    free = SAIL.replace(":P3:-:-", ":P3:seabreeze:-")
    assert told(free, "sail:1d8") == {"p1's pawn on 1d8 goes to sea": 0}


def test_who_lands_is_not_gained() -> None:
    """R8.7."""
    assert told(SAIL, "land:p3", "at:1d1") == {"p1's pawn lands on 1d1": 0}


def test_who_takes_the_point_of_a_step_falls_and_who_steps_goes_on() -> None:
    """R10.3, R11.4."""
    assert told(HAZARD, "redir:1b2") == {
        "p1 loses the pawn on 1b2": -0.03,
        "p1's pawn goes from 1c3 to 1c4": 0,
    }


def test_who_takes_the_point_of_a_sailor_falls_and_the_sailor_goes_to_sea() -> None:
    """R10.3, R11.4, R8.6."""
    line = HAZARD.replace("1c3", "1c1").replace("move.1c1.1c4", "sail.1c1")
    assert told(line.replace("1c1.0:-:", "1c1.2:-:"), "redir:1b2") == {
        "p1 loses the pawn on 1b2": -0.03,
        "p1's pawn on 1c1 goes to sea with 1 of 2 checkers": -0.015,
    }


def test_of_two_pawns_that_went_the_one_next_to_the_new_square_has_moved() -> None:
    """Hints compare states that are several plies apart."""
    squares = [
        parse_position("knaves_out", CASTLE.replace("P2c5.3,P2d5.2", pawns)).observe(1)
        for pawns in ("P1d5.2,P1h5.3", "P2a5.2")
    ]
    assert [change.text for change in squares[0].changes(squares[1])] == [
        "p2 loses the pawn on 1d5",
        "p2's pawn on 2a5 goes from 3 to 2 checkers",
        "p2's pawn goes from 1h5 to 2a5",
    ]


def test_the_dark_tower_goes_with_its_chosen_enemy() -> None:
    """R11.8: it has one checker, and a turn begins, but its Chosen One lives."""
    assert "the Dark Tower is gone" in told(DARK, "act:cherry:1a1", "on:2e5")


def test_the_dark_tower_that_loses_its_last_checker_defeats_its_chosen_one() -> None:
    """R11.6."""
    words = "the Dark Tower loses its last checker, so its Chosen One is defeated"
    assert words in told(DARK.replace("p3>p1", "p2>p3"), "end_turn")


REDIRECTED = (
    "ko 0,0/8,0/4,8 t=5;f=p1;a=p1 redirect@p1{k=attack,on=1d5,dmg=1,a=1d4,t=1d5,b=0,r=main,th=0} "
    "I=-;D=2a8.p1>p2.r0b1 p1:+:-:-:-:-:-:-:K1c5.0,P1d4.1/a,R1d5.0:-:redirect:- "
    "p2:+:-:-:-:-:-:-:K2e5.4:-:-:- p3:+:-:-:-:-:-:-:K3d5.4:-:-:-"
)
BOMBED = (
    "ko 0,0/8,0/8,8/0,8 t=5;f=p1;a=p1 target@p1{o=1c5} I=-;D=2a8.p3>p2.r0b1 "
    "p1:+:-:4c4d4h4s:jc=:qd=:kc=:-:K1c5.0:-:acts1:- p2:+:-:-:-:-:-:-:K2e5.4:-:-:- "
    "p3:+:-:-:-:-:-:-:K3d5.4:-:-:- p4:+:-:-:-:-:-:-:K4d5.4:-:-:-"
)


@pytest.mark.parametrize(("line", "token"), [(REDIRECTED, "redir:1c5"), (BOMBED, "on:3d5")])
def test_a_chosen_one_whose_king_building_falls_is_not_defeated_by_the_clock(
    line: str, token: str
) -> None:
    """R12.1, R11.8: it has one checker, and a turn begins as the active player is gone."""
    found = told(line, token)
    assert "the Dark Tower is gone" in found
    assert "turn 6, of p2, begins" in found
    assert not [text for text in found if "last checker" in text]


IN_TWO_ROWS = "ko 0,0/8,0/16,0/24,0/24,8/16,8/8,8/0,8 t=1;f=p6;a=p6 main@p6"
LAID = "ko;layout=place -16,5/-24,9/2,-8/-29,17/-19,-3/0,0/-8,4/-6,12 t=1;f=p6;a=p6 main@p6"


@pytest.mark.parametrize("world", [IN_TWO_ROWS, LAID])
@pytest.mark.parametrize("width", [32, 40, 80, 100])
def test_a_wide_world_is_drawn_in_parts_of_whole_boards(world: str, width: int) -> None:
    players = " ".join(f"p{seat}:+:-:-:-:-:-:-:K{seat}e5.4:-:-:-" for seat in range(1, 9))
    position = parse_position("knaves_out", f"{world} I=-;D=- {players}")
    picture = position.render(width)
    for seat in range(1, 9):
        assert picture.count(f"{seat}a1 b1  c1  d1  e1  f1  g1  h1") == 1
        assert picture.count(f"{seat}a5   .   .   . {seat}K4   .   .   .") == 1
    boards, _, _ = picture.partition("seat, piece")
    assert max(map(len, boards.splitlines())) <= width
    assert picture.count("the boards lie like this:") == 1
    assert position.render(1000) == position.render()
    assert "the boards lie like this:" not in position.render()


def test_the_map_of_a_wide_world_shows_how_its_boards_lie() -> None:
    players = " ".join(f"p{seat}:+:-:-:-:-:-:-:K{seat}e5.4:-:-:-" for seat in range(1, 8))
    line = f"ko 0,0/8,0/16,0/24,0/20,8/12,8/4,8 t=1;f=p1;a=p1 main@p1 I=-;D=- {players}"
    lines = parse_position("knaves_out", line).render(80).splitlines()
    start = lines.index("the boards lie like this:")
    assert lines[start + 1 : start + 7] == [
        "  777766665555",
        "  777766665555",
        "1111222233334444",
        "1111222233334444",
        "",
        "boards 1, 2, 6 and 7:",
    ]
    assert "boards 3, 4 and 5:" in lines


def test_no_square_on_a_board_looks_like_a_tainted_bishop() -> None:
    bishop = CASTLE.replace("R1a1.4,", "R1a1.4,b1c1.1,")
    text = parse_position("knaves_out", bishop).render()
    assert "\n1R4 b1  1b1 d1  e1  f1  g1  h1  2a1 b1  c1 " in text


@pytest.mark.parametrize(
    ("node", "line"),
    [
        ("k=attack,on=2e5,dmg=2,a=2d4,t=2e5,b=0,r=main,th=0", "2 points of the attack on the king"),
        ("k=execute,on=2e5,dmg=1", "1 point of Execute on the king"),
    ],
)
def test_a_point_that_may_be_redirected_has_its_cause_and_its_piece(node: str, line: str) -> None:
    """R10.3."""
    before = (
        f"ko 0,0/8,0 t=1;f=p1;a=p1 redirect@p2{{{node}}} I=-;D=- "
        "p1:+:-:-:jc=:qc=:kc=:-:K1a1.4,P2d4.2/a:-:acts1:- "
        "p2:+:-:-:-:-:-:-:K2e5.0,R2f5.1:-:redirect:-"
    )
    assert f"{line} of p2 on 2e5" in parse_position("knaves_out", before).render().splitlines()


def test_a_point_of_the_ivory_tower_has_its_piece() -> None:
    """R11.4."""
    assert parse_position("knaves_out", HAZARD).render().splitlines()[:2] == [
        "turn 1 of 240; p1 may redirect a point",
        "1 point of the Ivory Tower on the pawn on 1c3",
    ]


def test_a_point_of_thorns_falls_on_the_attacker() -> None:
    """R10.5."""
    before = (
        "ko 0,0/8,0 t=1;f=p1;a=p1 redirect@p1{k=thorns,on=2d4,dmg=1,a=2d4,t=2e5,b=0,r=main,th=0} "
        "I=-;D=- p1:+:-:-:-:-:-:-:K1a1.4,P2c4.0,P2d4.2/a:-:redirect:- "
        "p2:+:-:-:-:-:-:-:K2e5.2:-:thorns:-"
    )
    assert parse_position("knaves_out", before).render().splitlines()[1:3] == [
        "2d4 attacks 2e5",
        "1 point of Thorns on the pawn on 2d4",
    ]


@pytest.mark.parametrize(
    ("line", "move", "reason"),
    [
        (
            CASTLE.replace("k2d4.0:-:-:-", "k2d4.0:-:castled:-"),
            "act:castle:1a1",
            "Castle: it is taken once in a game",
        ),
        (HAZARD, "redir:1d7", "on 1d7 stands no own piece that is next to 1c3"),
    ],
)
def test_a_move_is_refused_for_what_is_wrong_with_it(line: str, move: str, reason: str) -> None:
    assert parse_position("knaves_out", line).why_not(move) == reason


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("play:as:a", "make the ace of spades the base of a tower"),
        ("joker:as:a", "make the ace of spades the base of a tower with a Joker"),
        ("play:as:j", "play the ace of spades on the Knave"),
        ("find:as:a", "find the ace of spades as the base of a tower"),
        ("find:2s:a", "find the two of spades for the Ace of Spades"),
    ],
)
def test_the_ace_of_spades_begins_a_tower(move: str, words: str) -> None:
    """R5.4."""
    assert parse_position("knaves_out", CASTLE).describe_anywhere(move) == words


def test_who_devours_a_stack_gets_its_effect() -> None:
    """R6.7, R7/motorhead."""
    assert told(MOTORHEAD, "act:motorhead") == {
        "p1 has Motorhead for good": 0.04,
        "the stack of the Knave of p1 goes from 13 to 0": -0.065,
    }


def test_an_effect_goes_with_the_card_that_devoured() -> None:
    """R5.8, R7/poison."""
    lich = (
        "ko 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=- p1:+:-:-:jc=:qh=ah2h:"
        f"ks(lich.ac2d3h4s5c6d7h8s9ctdjhqskd)=:-:K1a1.4:-:-:- {KING}"
    )
    assert told(lich, "act:poison")["p1 loses Lich King"] == -0.04


def test_who_sways_an_enemy_is_told() -> None:
    """R7/sway."""
    before = (
        "ko 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=- "
        f"p1:+:-:-:jc=:qs=ac2c3c4c5c6c:kd=:-:K1a1.4:-:-:- {KING}"
    )
    assert told(before, "act:sway:p2")["p2 is swayed by p1"] == 0.01


def test_who_was_swayed_is_free_at_the_next_turn_of_the_other() -> None:
    """R4.1."""
    before = (
        "ko 0,0/8,0 t=2;f=p1;a=p2 main@p2 I=-;D=- p1:+:-:-:-:-:-:-:K1a1.4:-:-:- "
        "p2:+:-:-:-:-:-:-:K2e5.4:-:swayp1:-"
    )
    assert told(before, "end_turn")["p2 is no longer swayed by p1"] == -0.01


def test_who_raises_the_dead_gets_an_unpawn() -> None:
    """R7/raise."""
    before = (
        "ko 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=- "
        f"p1:+:-:-:js=ac:qc=ad:ks=ah:-:K1a1.4,b1b2.0:-:-:- {KING}"
    )
    assert told(before, "act:raise", "at:1c3") == {"p1 gets an unpawn on 1c3": 0.045}
