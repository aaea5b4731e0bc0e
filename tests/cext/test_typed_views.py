"""Typed views of games that read them with `Fields`: errors name the field that was sent."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.search.position import new_game
from tests.random_play import VARIANTS, Variant, steps_of

NAMES = (
    "connect_four",
    "goofspiel",
    "hearts",
    "kuhn_poker",
    "leduc_poker",
    "tic_tac_toe",
)
TYPED = [variant for variant in VARIANTS if variant.name in NAMES]
TRICK = (
    "hearts direction=none p1=3c,4c,5c,6c,7c,8c,9c,2d,3d,4d,5d,6d/-/-/-/0 "
    "p2=8d,9d,td,jd,qd,kd,ad,2h,2s,3s,4s,qs/-/-/c/0 "
    "p3=3h,4h,5h,6h,7h,8h,9h,th,jh,qh,kh,ah,5s/-/-/-/0 "
    "p4=tc,jc,qc,kc,ac,6s,7s,8s,9s,ts,js,ks,as/-/-/-/0 trick=2c,7d node=play:p3"
)
FOUR = "c4 board=......./......./......./......./......./...x... node=play:p2"
BIDS = "goof;cards=4 p1=1,2,3,4 p2=1,2,3,4 bids=2/_ points=0/0 prize=3 down=1,2,4 node=bid:p2"
KUHN = "kuhn p1=k p2=q bets=pb node=play:p1"
LEDUC = "leduc p1=kh p2=qs board=js bets=crc/r node=play:p2"
MARKS = "ttt board=.../.x./..o node=play:p1"
WRONG = [
    (TRICK, "seats[1].hand[7]", "2h,2s", "seats[1].hand[7]", "R4.2"),
    (TRICK, "seats[1].hand[7]", ["2h"], "seats[1].hand[7]", "R4.2"),
    (TRICK, "seats[1].hand[7]", "3h", "seats[2].hand[0]", "R4.3b"),
    (TRICK, "seats[1].hand", ["qs"] * 100_000, "seats[1].hand", "R4.2"),
    (TRICK, "seats[1].hand", "qs", "seats[1].hand", "R4.2"),
    (TRICK, "seats[1].points", 10**30, "seats[1].points", "R4.2"),
    (TRICK, "seats[1].points", True, "seats[1].points", "R4.2"),
    (TRICK, "seats[1].points", "0", "seats[1].points", "R4.2"),
    (TRICK, "seats[1].points", 1, "seats", "R4.3h"),
    (TRICK, "seats[1].shown", "", "seats[1].shown", "R4.3g"),
    (TRICK, "seats[1].shown", "dc", "seats[1].shown", "R4.2"),
    (TRICK, "seats[1].given", ["2h"], "seats[1].given", "R4.3d"),
    (TRICK, "seats[1]", None, "seats[1]", "R4.2"),
    (TRICK, "seats", [], "seats", "R4.2"),
    (TRICK, "trick", ["2c,7d"], "trick[0]", "R4.2"),
    (TRICK, "trick", ["7d", "2c"], "node.seat", "R4.3f"),
    (TRICK, "trick", ["2c", "7d", "3h", "tc"], "trick[2]", "R4.3b"),
    (TRICK, "node", "play:p3", "node", "R4.2"),
    (TRICK, "node.type", "play:p3 @p1", "node.type", "R4.2"),
    (TRICK, "node.seat", 5, "node.seat", "R4.2"),
    (TRICK, "node.seat", 2, "seats[1].hand", "R4.3e"),
    (TRICK, "direction", "left", "seats[0].given", "R4.3d"),
    (TRICK, "options.pass", "no", "options.pass", "R1.2"),
    (TRICK, "options.pass", "left", "direction", "R4.3c"),
    (FOUR, "board", "x" * 100_000, "board", "R3.2"),
    (FOUR, "board", ["x"], "board", "R3.2"),
    (FOUR, "board", "......./......./......./......./...x.../.......", "board", "R3.3b"),
    (FOUR, "node", "play:p2", "node", "R3.3f"),
    (FOUR, "node.seat", 1, "node.seat", "R3.3f"),
    (FOUR, "node.type", "", "node.type", "R3.3f"),
    (BIDS, "hands[0].cards", [1, 2, 3, 3], "hands", "R4.3b"),
    (BIDS, "hands[0].cards", [4, 3, 2, 1], "hands[0].cards[0]", "R4.2"),
    (BIDS, "hands[0].cards[1]", "2", "hands[0].cards[1]", "R4.2"),
    (BIDS, "hands[1].cards[3]", 5, "hands[1].cards", "R4.3b"),
    (BIDS, "hands", [], "down", "R4.3c"),
    (BIDS, "bids", ["2/3"], "bids[0]", "R4.2"),
    (BIDS, "bids", ["?"], "bids[0]", "R4.2"),
    (BIDS, "bids", ["2", "3", "4"], "bids", "R4.2"),
    (BIDS, "bids", ["2", "3"], "node.type", "R4.3f"),
    (BIDS, "points", [1, 1], "points", "R4.3e"),
    (BIDS, "points", [0, 0, 0], "points", "R4.2"),
    (BIDS, "prize", 2**64, "prize", "R4.2"),
    (BIDS, "down", [1, 2, 3], "down", "R4.3c"),
    (BIDS, "options.order", "descending", "prize", "R4.3c"),
    (BIDS, "options.order", "random;cards=5", "options.order", "R1.2"),
    (KUHN, "cards", ["k p2=q"], "cards[0]", "R4.2"),
    (KUHN, "cards", ["k", "?"], "cards[1]", "R4.2"),
    (KUHN, "cards", ["k", "k"], "cards[1]", "R4.3b"),
    (KUHN, "cards", ["k"], "bets", "R4.3c"),
    (KUHN, "bets", "pbpb", "bets", "R4.3c"),
    (KUHN, "node.type", "end", "node.type", "R4.3d"),
    (LEDUC, "cards", ["kh", "kh"], "cards", "R4.3b"),
    (LEDUC, "cards", ["kh"], "board", "R4.3b"),
    (LEDUC, "board", "", "bets[1]", "R4.3c"),
    (LEDUC, "board", "js bets=-/-", "board", "R4.2"),
    (LEDUC, "bets", ["crc/r"], "bets[0]", "R4.3c"),
    (LEDUC, "bets", ["cr", "r"], "board", "R4.3c"),
    (LEDUC, "bets", ["crc"], "node.seat", "R4.3d"),
    (MARKS, "board", ".../.x./..o node=end", "board", "R3.2"),
    (MARKS, "board", ".../.x./.x.", "board", "R3.3b"),
    (MARKS, "board", "xxx/ooo/...", "board", "R3.3c"),
]


def id_of(value: object) -> str:
    """Name a parameter by a few of its characters."""
    return str(value)[:30]


def changed(view: Any, path: str, value: object) -> Any:
    """Return a copy of a view with a field set, by its path."""
    copy = json.loads(json.dumps(view))
    *parents, last = path.replace("]", "").replace("[", ".").split(".")
    message = copy
    for name in parents:
        message = message[int(name) if name.isdigit() else name]
    message[int(last) if last.isdigit() else last] = value
    return copy


def test_empty_texts_at_the_end_of_a_list_may_be_left_out() -> None:
    game, state = GAMES["leduc_poker"].parse_position(
        "leduc p1=kh p2=qs board=_ bets=c/- node=play:p2"
    )
    view = game.view(state)
    assert view["bets"] == ["c", ""]
    assert game.from_view(changed(view, "bets", ["c"]))[1] == state
    with pytest.raises(InputError):
        game.from_view(changed(view, "bets", ["c", "", ""]))


def messages(view: Any, path: str = "") -> list[str]:
    """List the paths of a message and of those inside it."""
    if isinstance(view, dict):
        found = [path]
        for name, value in view.items():
            found += messages(value, f"{path}.{name}" if path else name)
        return found
    if isinstance(view, list):
        return [each for i, value in enumerate(view) for each in messages(value, f"{path}[{i}]")]
    return []


@pytest.mark.parametrize(("line", "path", "value", "field", "rule"), WRONG, ids=id_of)
def test_a_wrong_value_is_refused_by_the_path_of_its_field(
    line: str, path: str, value: object, field: str, rule: str
) -> None:
    name = next(name for name in NAMES if GAMES[name].tag == line.split(" ")[0].split(";")[0])
    game, state = GAMES[name].parse_position(line)
    with pytest.raises(InputError) as caught:
        GAMES[name].from_view(changed(game.view(state), path, value))
    assert (caught.value.field, caught.value.rule) == (f"position.{field}", rule)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("variant", TYPED, ids=str)
def test_a_field_that_no_message_has_is_refused(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant, 12):
        for kind, seen in (("position", state), ("observation", game.observed(state, 0))):
            view = game.view(seen)
            for path in messages(view):
                stray = f"{path}.stray" if path else "stray"
                with pytest.raises(InputError) as caught:
                    game.from_view(changed(view, stray, "x"))
                assert caught.value.field == f"{kind}.{stray}"


@pytest.mark.parametrize("variant", TYPED, ids=str)
def test_a_field_that_a_move_does_not_have_is_refused(variant: Variant) -> None:
    game = variant.new()
    views = [game.move_view(step.move) for step in steps_of(variant) if step.move is not None]
    fields = {name: value for view in views for name, value in view.items() if value}
    for view in views:
        for name, value in {**fields, "stray": 1}.items():
            if not view.get(name):
                with pytest.raises(InputError) as caught:
                    game.move_from_view(view | {name: value})
                assert caught.value.field == f"move.{name}"


@pytest.mark.parametrize("variant", TYPED, ids=str)
def test_every_illegal_move_has_a_reason_of_its_own(variant: Variant) -> None:
    game = variant.new()
    steps = steps_of(variant)
    known = {step.move for step in steps if step.move is not None}
    for state, move in steps:
        hidden = {game.seen(state, move, seat) for seat in range(2)} if move is not None else set()
        possible = {*game.moves_of(state), *(outcome for outcome, _ in game.outcomes_of(state))}
        for illegal in (known | hidden) - possible:
            sentence, rule = game.why_illegal(state, illegal)
            assert rule, (game.text(state), game.move_text(illegal))
            assert "not among" not in sentence


@pytest.mark.parametrize("name", GAMES)
def test_a_token_read_or_written_again_stays_the_same(name: str) -> None:
    position, _ = new_game(name).settle(np.random.SFC64(1))
    game = position.game
    moves = game.moves_of(position.state)
    tokens = [game.move_text(move) for move in moves]
    assert [game.move_text(move) for move in moves] == tokens
    assert [game.parse_move(token) for token in tokens * 2] == moves * 2
    for _ in range(2):
        with pytest.raises(InputError):
            game.parse_move("no move")
