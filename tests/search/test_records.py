"""Records of what a seat has seen: what is in them, and which are refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search.position import new_game, parse_observation
from kingmaker.search.record import MAX_RECORD, Record, Seen, seen_so_far
from kingmaker.search.worlds import sample_worlds, weigh_worlds

from .recorded_games import DEAL, GAMES, KUHN, random_decisions, recorded


def test_hidden_cards_are_not_in_a_record() -> None:
    position, tokens = next(random_decisions("hearts", {"pass": "none"}, 1))
    seen = seen_so_far(new_game("hearts", {"pass": "none"}), tokens, 2)
    assert [move for seat, move in seen if seat == 2 and move.startswith("deal")] == tokens[1:52:4]
    assert {move for seat, move in seen if seat != 2 and move.startswith("deal")} == {"deal:?"}
    assert position.seat


def test_a_record_is_pickled_and_copied_with_its_observation() -> None:
    position, tokens = list(random_decisions("leduc_poker", {}, 2))[1]
    seen = recorded(position, tokens, position.seat)
    assert pickle.loads(pickle.dumps(seen)).record == seen.record
    assert pickle.loads(pickle.dumps(position.observe(1))).record is None


@pytest.mark.parametrize(
    ("seen", "field", "message"),
    [
        ((), "record", "record"),
        ((*DEAL, Seen(1, "raise")), "record.seen[2].move", "raise"),
        ((*DEAL, Seen(3, "bet")), "record.seen[2].seat", "0 to 2"),
        ((*DEAL, Seen(2, "bet")), "record.seen[2].move", "p1 was to move"),
        ((*DEAL, Seen(1, "pass")), "record.seen[2].move", "pass"),
        ((Seen(1, "deal:?"), Seen(2, "deal:k"), Seen(1, "bet")), "record.seen[1].move", "deal:k"),
        ((*DEAL, Seen(1, "bet"), Seen(2, "bet")), "record.seen[3].move", "another course"),
        ((Seen(1, "deal:?"),) * (MAX_RECORD + 1), "record", "at most"),
    ],
)
def test_a_wrong_record_is_refused(seen: tuple[Seen, ...], field: str, message: str) -> None:
    observation = parse_observation("kuhn_poker", KUHN)
    with pytest.raises(InputError, match=message) as caught:
        observation.with_record(Record(seen))
    assert caught.value.field == field


def test_a_wrong_move_in_a_long_record_is_named_with_its_rule() -> None:
    position, tokens = list(random_decisions("hearts", {"pass": "none"}, 4))[20]
    seat = position.seat
    seen = list(seen_so_far(new_game("hearts", {"pass": "none"}), tokens, seat))
    first_lead = seen[52]
    assert first_lead.move == "play:2c"
    seen[52] = Seen(first_lead.seat, "play:ah")
    with pytest.raises(InputError) as caught:
        position.observe(seat).with_record(Record(tuple(seen), {"pass": "none"}))
    assert caught.value.field == "record.seen[52].move"
    assert caught.value.rule.startswith("R")


SOLD = (
    "deal:dragon deal:dragon deal:archer deal:peasant deal:traitor deal:peasant deal:soldier "
    "deal:highwayman draw:castle attack:p2:dragon pass draw:peasant draw:peasant fortify:archer "
    "end draw:peasant draw:soldier attack:p1:soldier pass pass pass pass draw:soldier "
    "draw:ladder discard:ladder draw:merchant draw:peasant fortify:castle end draw:soldier "
    "draw:ninja attack:p3:soldier pass pass pass pass draw:knight draw:traitor attack:p4:knight "
    "respond:soldier pass pass pass draw:highwayman draw:ninja discard:soldier draw:soldier "
    "draw:peasant special:merchant:p3 take:traitor take:traitor draw:ladder draw:merchant "
    "special:merchant:p1 take:dragon take:peasant take:soldier draw:king draw:knight "
    "attack:p4:king pass rob:highwayman pass pass pass draw:peasant draw:king attack:p3:peasant "
    "pass pass pass pass draw:ninja draw:castle attack:p3:peasant respond:peasant*2 "
    "attack:p3:ninja pass draw:ladder draw:princess attack:p4:soldier pass pass rob:highwayman "
    "pass pass pass draw:knight draw:jester "
)


def test_a_record_with_cards_that_were_sold_face_down_is_not_refused_for_its_worlds() -> None:
    """R11.2: of what p2 bought from p1, p3 knows less than the record says."""
    tokens, options = SOLD.split(), {"players": "4"}
    position = new_game("code_of_chivalry", options).apply(*tokens)
    seen = recorded(position, tokens, 3)
    assert seen.record is not None
    assert Seen(2, "take:?") in seen.record.seen
    weights = weigh_worlds(seen, [position, *sample_worlds(seen, 100, 1)], 1)
    assert weights[0] > 0
    assert len(set(weights)) > 2


def test_a_record_of_more_than_the_deck_is_refused() -> None:
    position, tokens = list(random_decisions("hearts", {}, 4))[20]
    seen = seen_so_far(new_game("hearts"), tokens, position.seat)
    with pytest.raises(InputError, match="dealt and played"):
        position.observe(position.seat).with_record(Record(seen * 3))


def test_wrong_options_are_refused() -> None:
    observation = parse_observation("kuhn_poker", KUHN)
    with pytest.raises(InputError, match="option"):
        observation.with_record(Record((*DEAL, Seen(1, "bet")), {"colour": "red"}))


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_arbitrary_records_are_refused_or_weighed(name: str, options: dict[str, str]) -> None:
    stream = np.random.Generator(np.random.SFC64(6))
    games = [step for seed in range(2) for step in random_decisions(name, options, seed)]
    for position, tokens in games[1 :: 1 + len(games) // 15]:
        seen = list(seen_so_far(new_game(name, options), tokens, position.seat))
        for _ in range(6):
            changed = list(seen)
            for place in stream.integers(len(seen), size=1 + int(stream.integers(4))):
                changed[place] = changed[int(stream.integers(len(seen)))]
            changed *= 1 + int(stream.integers(2))
            try:
                observed = position.observe(position.seat).with_record(
                    Record(tuple(changed), options)
                )
            except InputError:
                continue
            weights = weigh_worlds(observed, sample_worlds(observed, 5, 1), 1)
            assert sum(weights) == pytest.approx(1)
