"""The rules of Hearts, each test by the rule of docs/rules/hearts.md that it is about.

The worked examples of that page are tests too (tests/test_scenarios.py), and every game is played
beside the reference model (tests/test_differential.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games.hearts import Hearts
from kingmaker.cext.notation import write_node
from tests.random_play import CHANCE, SPECTATOR, play

from .hearts_lines import DECK, DIRECTIONS, late_position

HANDS = [DECK[0:13], DECK[13:26], DECK[26:39], DECK[39:52]]  # p1 has the clubs, p2 the diamonds
MIXED = [DECK[seat::4] for seat in range(4)]


def position(line: str) -> tuple[Game, bytes]:
    return Hearts.parse_position(line)


def after(game: Game, state: bytes, *tokens: str) -> bytes:
    """Apply tokens, each of which must be possible."""
    for token in tokens:
        move = game.parse_move(token)
        assert move in (game.moves_of(state) or dict(game.outcomes_of(state)))
        state = game.after(state, move)
    return state


def legal(game: Game, state: bytes) -> list[str]:
    return [game.move_text(move).removeprefix("play:") for move in game.moves_of(state)]


def dealt(direction: str, hands: list[list[str]] = MIXED) -> tuple[Game, bytes]:
    """Deal these hands, with a fixed direction of the pass."""
    game = Hearts(**{"pass": direction})
    deal = [f"deal:{hands[i % 4][i // 4]}" for i in range(52)]
    return game, after(game, game.start_state(), *deal)


def view_of(game: Game, state: bytes) -> dict[str, Any]:
    """Return the view of a position, or of what an observation shows."""
    view = game.view(state)
    found: dict[str, Any] = view.get("seen", view)
    return found


def seats(game: Game, state: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = view_of(game, state)["seats"]
    return found


def node(game: Game, state: bytes) -> str:
    return write_node(view_of(game, state)["node"])


# --- deal and pass --------------------------------------------------------------------------------


def test_the_direction_is_drawn_unless_an_option_fixes_it() -> None:
    """R1.2."""
    assert node(Hearts(), Hearts().start_state()) == "direction"
    for direction in DIRECTIONS:
        game = Hearts(**{"pass": direction})
        assert node(game, game.start_state()) == "deal:p1"
        assert game.view(game.start_state())["direction"] == direction


def test_cards_are_dealt_round_the_table() -> None:
    """R1.3."""
    game, state = dealt("left")
    assert [seat["hand"] for seat in seats(game, state)] == MIXED


@pytest.mark.parametrize(
    ("direction", "receivers"),
    [("left", [2, 3, 4, 1]), ("across", [3, 4, 1, 2]), ("right", [4, 1, 2, 3])],
)
def test_cards_go_to_the_receiver(direction: str, receivers: list[int]) -> None:
    """R1.2, R1.4."""
    game, state = dealt(direction)
    given = [hand[3:6] for hand in MIXED]
    state = after(game, state, *(f"pass:{card}" for cards in given for card in cards))
    for cards, receiver in zip(given, receivers, strict=True):
        assert set(cards) <= set(seats(game, state)[receiver - 1]["hand"])
    assert [len(seat["hand"]) for seat in seats(game, state)] == [13] * 4


def test_without_a_direction_the_tricks_begin_after_the_deal() -> None:
    """R1.4, R1.5."""
    game, state = dealt("none")
    assert node(game, state) == "play:p1"
    assert legal(game, state) == ["2c"]


def test_the_order_in_which_cards_are_set_aside_leaves_no_trace() -> None:
    """R1.4."""
    game, state = dealt("left")
    tokens = ["pass:2c", "pass:6c", "pass:tc"]
    assert after(game, state, *tokens) == after(game, state, *reversed(tokens))


def test_a_received_card_may_not_be_passed_on() -> None:
    """R1.4: cards change hands when all have chosen."""
    game, state = dealt("left")
    state = after(game, state, "pass:2c", "pass:6c", "pass:tc")
    assert node(game, state) == "pass:p2"
    assert game.parse_move("pass:2c") not in game.moves_of(state)


def test_the_two_of_clubs_leads_from_the_hand_it_was_passed_to() -> None:
    """R1.5."""
    game, state = dealt("right")
    given = [card for hand in MIXED for card in hand[:3]]
    state = after(game, state, *(f"pass:{card}" for card in given))
    assert node(game, state) == "play:p4"


# --- tricks ---------------------------------------------------------------------------------------


UNBROKEN = ["2h 3h 4h 5h", "6h 7h 8h 9h"]  # hands of p2 and p3
BROKEN = late_position(["2d 9s th", "3d 4d kh", "5d qs ah", "6d 7s 8s"], "play:p1")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (late_position(["2d 9s th jh", *UNBROKEN, "qh kh ah qs"], "play:p1"), "2d 9s"),
        (late_position(["th jh qh kh", *UNBROKEN, "2d 9s ah qs"], "play:p1"), "th jh qh kh"),
        (late_position(["th jh qh qs", *UNBROKEN, "2d 9s kh ah"], "play:p1"), "qs"),
        (BROKEN, "2d th 9s"),
    ],
)
def test_hearts_are_led_when_broken_or_when_there_is_nothing_else(line: str, expected: str) -> None:
    """R1.6, R1.7."""
    assert legal(*position(line)) == expected.split()


def test_suit_is_followed_and_without_it_all_cards_are_legal() -> None:
    """R1.7."""
    game, state = position(BROKEN)
    state = after(game, state, "play:2d")
    assert legal(game, state) == ["3d", "4d"]
    state = after(game, state, "play:3d", "play:5d", "play:6d", "play:7s", "play:9s")
    assert node(game, state) == "play:p2"
    assert legal(game, state) == ["4d", "kh"]


def test_points_are_played_in_the_first_trick_by_a_hand_of_points_only() -> None:
    """R1.7: p3 has the hearts; p4 has the spades, and may not play the queen."""
    game, state = dealt("none", HANDS)
    state = after(game, state, "play:2c", "play:2d")
    assert legal(game, state) == HANDS[2]
    state = after(game, state, "play:2h")
    assert legal(game, state) == [card for card in HANDS[3] if card != "qs"]


def test_the_highest_card_of_the_led_suit_takes_the_trick_and_its_points() -> None:
    """R1.5: not the king of hearts, which is of another suit."""
    game, state = position(BROKEN)
    before = [seat["points"] for seat in seats(game, state)]
    state = after(game, state, "play:9s", "play:kh", "play:qs", "play:7s")
    assert [seat["points"] for seat in seats(game, state)] == [before[0], 0, 14, 0]
    assert node(game, state) == "play:p3"


# --- the end --------------------------------------------------------------------------------------


def ended_shares(points: Sequence[int]) -> list[Fraction]:
    """Return the shares of a game in which the seats have taken these points."""
    game, state = position(late_position(["", "", "", ""], "end"))
    view = game.view(state)
    for seat, number in zip(view["seats"], points, strict=True):
        seat["points"] = number
    game, state = Hearts.from_view(view)
    return [Fraction(share).limit_denominator(78) for share in game.returns_of(state)]


@pytest.mark.parametrize("points", [(6, 7, 13, 0), (0, 0, 13, 13), (25, 1, 0, 0)])
def test_shares_fall_with_the_points(points: tuple[int, ...]) -> None:
    """R1.8."""
    shares = ended_shares(points)
    assert shares == [Fraction(26 - number, 78) for number in points]


@pytest.mark.parametrize("shooter", range(4))
def test_a_shot_moon_wins_all(shooter: int) -> None:
    """R1.8."""
    points = [26 * (seat == shooter) for seat in range(4)]
    assert ended_shares(points) == [int(seat == shooter) for seat in range(4)]


# --- what is shown and seen -----------------------------------------------------------------------


def shown(game: Game, state: bytes) -> list[str]:
    return [seat["shown"] for seat in seats(game, state)]


def test_a_card_of_another_suit_shows_that_the_led_one_is_missing() -> None:
    """R3.5."""
    game, state = position(BROKEN)
    assert shown(game, after(game, state, "play:9s", "play:kh", "play:qs")) == ["", "s", "", ""]


def test_points_in_the_first_trick_show_that_there_is_nothing_else() -> None:
    """R3.5."""
    game, state = dealt("none", HANDS)
    state = after(game, state, "play:2c", "play:2d", "play:2h", "play:2s")
    assert shown(game, state) == ["", "c", "cdq", "c"]


def test_leading_a_heart_before_they_are_broken_shows_that_there_is_nothing_else() -> None:
    """R3.5."""
    line = late_position(["th jh qh kh", *UNBROKEN, "2d 9s ah qs"], "play:p1")
    game, state = position(line)
    state = after(game, state, "play:th")
    assert shown(game, state) == ["cds", "", "", ""]
    state = after(game, state, "play:2h", "play:6h", "play:ah", "play:2d")
    assert shown(game, state) == ["cds", "", "", ""]


def test_a_deal_and_a_card_that_is_set_aside_are_hidden_from_others() -> None:
    """R3.1, R3.2."""
    game = Hearts()
    hidden = {"deal:": "deal:?", "pass:": "pass:?"}
    for state, move in play(game, 1):
        if move is None:
            break
        token = game.move_text(move)
        name = node(game, state)
        owner = int(name[-1]) - 1 if ":" in name else None
        for seat in (*range(4), SPECTATOR):
            expected = token if seat == owner else hidden.get(token[:5], token)
            assert game.move_text(game.seen(state, move, seat)) == expected


def given_as_seen(game: Game, state: bytes, seat: int) -> list[str]:
    return ["".join(fields["given"]) for fields in seats(game, game.observed(state, seat))]


def test_given_cards_are_seen_by_giver_and_receiver_only_and_to_the_end() -> None:
    """R3.2."""
    game = Hearts(**{"pass": "left"})
    states = [step.state for step in play(game, 2)]
    for state in states[64:]:
        given = given_as_seen(game, state, 0)
        true = ["".join(fields["given"]) for fields in seats(game, state)]
        assert given == [true[0], "???", "???", true[3]]
        assert given_as_seen(game, state, SPECTATOR) == ["???"] * 4


def test_before_the_exchange_the_receiver_does_not_see_what_is_set_aside() -> None:
    """R1.4, R3.2."""
    game, state = dealt("left")
    state = after(game, state, "pass:2c", "pass:6c", "pass:tc")
    assert given_as_seen(game, state, 1) == ["???", "", "", ""]


def test_a_giver_sees_its_cards_in_the_hand_of_the_receiver_until_they_are_played() -> None:
    """R3.3."""
    game = Hearts(**{"pass": "across"})
    for state, _ in list(play(game, 3))[64:]:
        given = set(seats(game, state)[1]["given"])
        seen = set(seats(game, game.observed(state, 1))[3]["hand"]) - {"?"}
        assert seen - {"2c"} == (given & set(seats(game, state)[3]["hand"])) - {"2c"}


def test_all_see_who_holds_the_two_of_clubs_until_it_is_played() -> None:
    """R3.4."""
    game, state = dealt("none")
    seen = [seats(game, game.observed(state, seat))[0]["hand"] for seat in range(1, 4)]
    assert seen == [["2c", *"?" * 12]] * 3
    state = after(game, state, "play:2c")
    assert seats(game, game.observed(state, 1))[0]["hand"] == ["?"] * 12


# --- notation -------------------------------------------------------------------------------------

SEEN = Hearts.parse_position(
    late_position(
        ["2d 9s th", "3d 4d kh", "5d qs ah", "6d 7s 8s"],
        "play:p1",
        direction="left",
        given={1: "4d"},
        shown=["", "", "c", "h"],
    )
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("p1=2d,th,9s/", "p1=2d,9s,th/", "'th' is expected here; got '9s'"),
        ("p1=2d,th,9s/", "p1=2d,th,?/", "exactly the cards that the observer does not see"),
        ("p2=4d,?,?/", "p2=?,?,?/", "a card that is given is among those of its receiver"),
        ("p2=4d,?,?/", "p2=4d,?/", "every seat has 13 cards"),
        ("p3=?,?,?/", "p3=5d,?,?/", "exactly the cards that the observer does not see"),
        ("?,?,?/c/", "-/c/", "each seat has given 3 cards, or none"),
        ("/c/0", "/cdhs/0", "do not fit into the hands"),
        ("/h/0", "/sh/0", "letters of cdhsq are expected, in order"),
        (" @p1", " @p5", "a seat from 1 to 4, or 0, a spectator"),
        (" @p1", " @-", "exactly the cards that the observer does not see"),
    ],
)
def test_an_impossible_observation_is_refused(old: str, new: str, message: str) -> None:
    """R4.4."""
    game, state = SEEN
    line = game.text(game.observed(state, 0))
    assert line.count(old) >= 1
    with pytest.raises(InputError, match=message):
        Hearts.parse_observation(line.replace(old, new, 1))


def test_a_line_is_of_a_game_with_its_option() -> None:
    """Section 5."""
    game, state = dealt("left")
    parsed, again = Hearts.parse_position(game.text(state))
    assert parsed.options == game.options == {"pass": "left"}
    assert again == state


@pytest.mark.parametrize("options", [{"pass": "up"}, {"pass": ""}, {"players": "4"}])
def test_other_options_are_refused(options: dict[str, str]) -> None:
    """Section 5."""
    with pytest.raises(InputError):
        Hearts(**options)


def test_unused_bytes_are_zero() -> None:
    for state, _ in play(Hearts(), 4):
        assert len(state) == 96
        assert state[-7:] == bytes(7)


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "token", "message"),
    [
        (BROKEN, "pass:2d", "p1 plays a card now"),
        (BROKEN, "play:3d", "the 3 of diamonds is not in the hand"),
        (
            late_position(["9s th", "3d kh", "5d qs ah", "6d 7s 8s"], "play:p3", trick="2d 4d"),
            "play:qs",
            "has diamonds and must follow suit",
        ),
        (
            late_position(["2d 9s th jh", *UNBROKEN, "qh kh ah qs"], "play:p1"),
            "play:th",
            "hearts are not broken yet",
        ),
        (late_position(["", "", "", ""], "end"), "play:th", "the game is over"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(line: str, token: str, message: str) -> None:
    game, state = position(line)
    assert message in game.why_illegal(state, game.parse_move(token))[0]


def test_a_first_trick_has_reasons_of_its_own() -> None:
    game, state = dealt("none")
    reason = game.why_illegal(state, game.parse_move("play:6c"))[0]
    assert reason == "the two of clubs leads to the first trick"
    game, state = dealt("none", HANDS)
    state = after(game, state, "play:2c", "play:2d", "play:2h")
    reason = game.why_illegal(state, game.parse_move("play:qs"))[0]
    assert reason.startswith("points are not played in the first trick")


def test_moves_are_reported_with_the_names_of_cards() -> None:
    game, state = position(BROKEN)
    assert game.describe_move(state, game.parse_move("play:th")) == "lead the 10 of hearts"
    state = after(game, state, "play:9s")
    assert game.describe_move(state, game.parse_move("play:kh")) == "throw the king of hearts"
    state = after(game, state, "play:kh")
    queen = game.parse_move("play:qs")
    assert game.describe_move(state, queen) == "follow with the queen of spades"
    assert game.describe_anywhere(queen) == "play the queen of spades"


def test_a_trick_with_points_is_reported_and_weighed() -> None:
    game, state = position(BROKEN)
    end = after(game, state, "play:9s", "play:kh", "play:qs", "play:7s")
    effects = {seat: game.changes(state, end, seat)[0] for seat in (0, 2)}
    assert effects[2].text == "p3 takes 14 points"
    assert effects[2].gain == pytest.approx(-14 / 78)
    assert effects[0].gain == pytest.approx(14 / 3 / 78)


def test_a_received_card_is_reported_to_its_receiver() -> None:
    game, state = dealt("left")
    given = [card for hand in MIXED for card in hand[:3]]
    before = after(game, state, *(f"pass:{card}" for card in given[:-1]))
    end = after(game, before, f"pass:{given[-1]}")
    changes = game.changes(game.observed(before, 1), game.observed(end, 1), 1)
    texts = [change.text for change in changes]
    assert texts == ["p2 gets the 2 of clubs, the 6 of clubs, the 10 of clubs"]


def test_a_picture_shows_hands_by_suit() -> None:
    game, state = SEEN
    picture = game.render(game.observed(state, 0)).splitlines()
    assert picture[0].startswith("p1 c -  d 2  h T  s 9")
    assert picture[1].startswith("p2 c -  d 4  h -  s -  ??")
    assert picture[-1] == "pass left   trick -   hearts are broken"


def test_evaluation_falls_with_points_taken() -> None:
    game, state = position(BROKEN)
    assert node(game, state) != "end"
    before = game.evaluation_of(state)
    end = after(game, state, "play:9s", "play:kh", "play:qs", "play:7s")
    assert game.evaluation_of(end)[2] < before[2]
    assert game.node_of(game.start_state()) == CHANCE
    assert game.evaluation_of(game.start_state()) == [0.25] * 4
