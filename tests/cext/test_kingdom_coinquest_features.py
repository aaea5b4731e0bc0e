"""Features and actions of Kingdom Coinquest in particular positions.

Lines are completed by `filled`, see docs/rules/kingdom_coinquest.md for their notation.
"""

from __future__ import annotations

import pytest

from kingmaker.cext.games.kingdom_coinquest import KingdomCoinquest
from tests.cext.kingdom_coinquest_lines import MID_GAME, at


def seen(line: str, seat: int) -> set[str]:
    """The names of the features that hold for a seat, from 1."""
    game, state = at(line)
    names = game.feature_names
    return {names[index] for index in game.features_of(state, seat - 1)}


def highest(found: set[str], text: str) -> int:
    """The highest number in the place of `{}` of a thermometer; 0 if none of it holds."""
    before, after = text.split("{}")
    numbers = [
        name.removeprefix(before).removesuffix(after)
        for name in found
        if name.startswith(before) and name.endswith(after)
    ]
    return max((int(number) for number in numbers if number.isdigit()), default=0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_action_is_a_move_and_has_its_own_number(players: int) -> None:
    game = KingdomCoinquest(players=players)
    assert game.num_features > 0
    moves = [game.move_at(index) for index in range(game.num_actions)]
    texts = [game.move_text(move) for move in moves]
    assert [game.index_of(move) for move in moves] == list(range(game.num_actions))
    assert [game.parse_move(text) for text in texts] == moves
    # 7 without a card; 3 * 48 with any; prep of 36 leads alone, with 3 of the rank, 4 jacks;
    # 4 + 6 queens; as many aces for two units; an attack on each seat.
    assert len(set(texts)) == game.num_actions == 7 + 3 * 48 + 36 * 8 + 10 + 20 + players


def test_the_table_and_the_own_kingdom_are_seen() -> None:
    found = seen(MID_GAME, 1)
    assert "own node: play" in found
    assert "own kingdom: on the move" in found
    assert "own kingdom: jack in play" in found
    assert highest(found, "own kingdom: health: {} or more") == 20
    assert highest(found, "own kingdom: peasant: value of {} or more") == 9
    assert highest(found, "own kingdom: knight: value of {} or more") == 0
    assert highest(found, "own hand: own equipment of {} or more") == 10
    assert highest(found, "top of the graveyard: value of {} or more") == 7
    assert highest(found, "forge: {} cards or more") == 30  # of 36
    assert highest(found, "graveyard: {} cards or more") == 2


def test_the_rival_is_seen_from_the_own_side() -> None:
    found = seen(MID_GAME, 1)
    assert highest(found, "rival 1: health: {} or more") == 4
    assert highest(found, "rival 1: quartermaster: value of {} or more") == 6
    assert highest(found, "rival 1: quartermaster: {} counters or more") == 1
    assert "rival 1: quartermaster: prepared" not in found
    assert "rival 1: on the move" not in found
    other_side = seen(MID_GAME, 2)
    assert "rival's node: play" in other_side
    assert highest(other_side, "rival 1: peasant: value of {} or more") == 9


def test_a_weapon_that_kills_is_seen_by_both() -> None:
    found = seen(MID_GAME, 1)
    assert highest(found, "attack of own on rival 1: {} damage or more") == 5
    assert "attack of own on rival 1: kills" in found
    assert "own kingdom: weapon kills some rival this turn" in found
    assert "rival 1: killed by some rival's weapon" in found
    assert "attack of rival 1 on own: kills" in seen(MID_GAME, 2)


def test_a_queen_absorbs_the_damage() -> None:
    found = seen(MID_GAME.replace("4h+4d/-/-", "4h+4d/-/qs"), 1)
    assert "rival 1: queen slot: taken" in found
    assert "attack of own on rival 1: hits the queen" in found
    assert highest(found, "attack of own on rival 1: {} damage or more") == 0
    assert "attack of own on rival 1: kills" not in found
    assert "own kingdom: weapon kills some rival" not in found


def test_a_hidden_card_is_seen_by_its_owner_alone() -> None:
    found = seen(MID_GAME, 1)
    assert "rival 1: suit's unseen cards: ace" in found
    assert "rival 1: known hand and salvage: own ace" not in found
    own = seen(MID_GAME, 2)
    assert "own hand: own ace" in own
    assert "own kingdom: suit's unseen cards: ace" not in own
    assert highest(own, "own hand: ace that adds {} or more to a unit") == 7


def test_a_card_that_all_know_is_seen() -> None:
    found = seen(MID_GAME.replace("/as/", "/as!/"), 1)
    assert "rival 1: known hand and salvage: own ace" in found
    assert "rival 1: suit's unseen cards: ace" not in found


@pytest.mark.parametrize(
    ("hand", "holds"),
    [
        ("7s,5d,2c", ["top of the graveyard: equipment like an own rival card"]),
        ("qh,qs,qc", ["own queen", "pair of rival queens", "queens for the free slot"]),
        ("qs,5d,2c", ["rival queen"]),
        ("as,ad,2c", ["pair of rival aces", "ace that adds 4 or more to a unit"]),
    ],
)
def test_what_a_hand_is_good_for_is_seen(hand: str, holds: list[str]) -> None:
    line = MID_GAME.replace("th,3s,5d", hand).replace("/as/", "/tc/").replace("7d,qd", "7d,jd")
    found = seen(line.replace("-/-/-/9c+jh/-", "-/-/3h/9c+jh/-"), 1)
    assert {name if ":" in name else f"own hand: {name}" for name in holds} <= found


def test_a_jack_recruits_only_if_none_is_in_play() -> None:
    hand = "own hand: equipment to recruit of {} or more"
    line = MID_GAME.replace("th,3s,5d", "3s,8d,jd")
    assert highest(seen(line, 1), hand) == 0
    assert highest(seen(line.replace("9c+jh", "9h"), 1), hand) == 8
    assert highest(seen(MID_GAME.replace("th,3s,5d", "3s,3d,jd"), 1), hand) == 3


THREE = (
    "kc turn=9 epoch=0 node=draw:p3 p1=c/11/-/-/-/-/-/- p2=h/7/-/-/-/-/-/- p3=s/5/-/-/-/-/-/- "
    "forge=* grave=-"
)


def test_rivals_stand_in_turn_order() -> None:
    found = seen(THREE, 3)  # after spades come clubs, then hearts
    assert highest(found, "rival 1: health: {} or more") == 10  # the highest level up to 11
    assert highest(found, "rival 2: health: {} or more") == 7
    assert highest(seen(THREE, 2), "rival 1: health: {} or more") == 5


def test_the_dead_leave_their_place_to_the_next() -> None:
    found = seen(THREE.replace("p1=c/11", "p1=c/0"), 3)
    assert highest(found, "rival 1: health: {} or more") == 7
    assert "rival 2: living" not in found


def test_the_last_turns_are_seen() -> None:
    line = THREE.replace("kc turn=9", "kc;turn_limit=12 turn=10")
    assert "turns to the limit: 3 or less" in seen(line, 1)
    assert "turns to the limit: 2 or less" not in seen(line, 1)
