"""Kingdom Coinquest where the worked examples of its rules page are silent.

Test names and docstrings cite docs/rules/kingdom_coinquest.md. Lines are completed by `filled`.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from numpy.random import PCG64

from kingmaker.cext.errors import InputError, shown
from kingmaker.cext.games.kingdom_coinquest import KingdomCoinquest
from tests.cext.kingdom_coinquest_lines import (
    CARD,
    CARDS,
    IDLE_P2,
    MID_GAME,
    after,
    at,
    grave,
    graveyard,
    legal,
    player,
)

SPECTATOR = -1


# --- options and set-up -----------------------------------------------------------------------


def test_options_may_be_numbers_and_are_kept_as_text() -> None:
    game = KingdomCoinquest(players=3, health=5, kings="chs")
    assert game.options == {
        "players": "3",
        "kings": "chs",
        "health": "5",
        "turn_limit": "600",
        "ace_strike": "0",
    }


@pytest.mark.parametrize(
    ("option", "value", "rule"),
    [
        ("players", "02", "R3.1"),
        ("players", "two", "R3.1"),
        ("kings", "hk", "R3.2"),
        ("kings", "", "R3.2"),
        ("health", 100, "R3.3"),
        ("health", "+5", "R3.3"),
        ("turn_limit", "٣", "R4.5"),
        ("turn_limit", "9" * 5000, "R4.5"),
        ("ace_strike", True, "R6.9"),
        ("jokers", 2, ""),
    ],
)
def test_another_option_or_value_is_refused_by_name(
    option: str, value: str | int, rule: str
) -> None:
    """Section 13."""
    with pytest.raises(InputError) as caught:
        KingdomCoinquest(**{option: value})
    assert (caught.value.field, caught.value.value, caught.value.rule) == (
        f"options.{option}",
        shown(value),
        rule,
    )


def test_the_last_of_four_kings_is_certain() -> None:
    """R3.1."""
    line = "kc turn=0 epoch=0 node=king:p4 " + " ".join(
        f"p{seat}={suit}/20/-/-/-/-/-/-" for seat, suit in enumerate("cds_", 1)
    )
    game, state = at(f"{line} forge=* grave=-")
    assert game.outcomes_of(state) == [(game.parse_move("king:h"), 1.0)]
    assert after(f"{line} forge=* grave=-", "king:h").split(" ")[3] == "node=draw:p4"


def test_the_first_turn_is_the_earliest_suits_whatever_its_seat() -> None:
    """R3.4."""
    game = KingdomCoinquest(players=3, kings="cds")
    assert game.node_of(game.start_state()) == 2


def test_turns_go_by_suit_and_skip_the_dead() -> None:
    """R4.5: hearts, spades (dead), diamonds, clubs."""
    line = (
        "kc turn={} epoch=0 node=discard:p{} p1=c/9/{}/-/-/-/-/- p2=s/0/-/-/-/-/-/- "
        "p3=h/9/{}/-/-/-/-/- p4=d/9/{}/-/-/-/-/- forge=* grave=-"
    )
    assert "node=draw:p4" in after(line.format(7, 3, "-", "2h", "-"), "discard:2h")
    assert "node=draw:p1" in after(line.format(8, 4, "-", "-", "2h"), "discard:2h")
    assert "node=draw:p3" in after(line.format(9, 1, "2h", "-", "-"), "discard:2h")


# --- draw and play ----------------------------------------------------------------------------


def test_the_last_graveyard_card_is_not_reshuffled() -> None:
    """R9.3 and R5.4: four full kingdoms leave one card, which stays to be drawn."""
    line = (
        "kc turn=50 epoch=3 node=draw:p1 "
        "p1=h/9/jh/8h,9h,th/2d+2c:0/3d+3c/4d+4c/qh p2=s/9/as,js/8s,9s,ts/5d+5c:0/6d+6c/7d+7c/qs "
        "p3=d/9/ad,jd/8d,9d,td/2h+2s:0/3h+3s/4h+4s/qd p4=c/9/ac,jc/8c,9c,tc/5h+5s:0/6h+6s/7h+7s/qc "
        "forge=0 grave=ah"
    )
    own_salvage = [f"draw:salvage:{card}" for card in ("8h", "9h", "th")]
    assert legal(line) == ["draw:grave", *own_salvage]
    game, state = at(line)
    assert game.why_illegal(state, game.parse_move("draw:forge"))[1] == "R9.3"


def test_a_reshuffled_forge_keeps_only_the_top_card_behind() -> None:
    """R9.1."""
    line = graveyard(
        f"kc turn=9 epoch=0 node=draw:p1 p1=h/20/-/-/-/-/-/- {IDLE_P2} forge=0 grave=", ""
    )
    reshuffled = after(line, "draw:forge")
    assert reshuffled.endswith(" forge=47 grave=ah")
    assert reshuffled.split(" ")[2] == "epoch=1"


def test_a_second_jack_may_be_chosen_as_partner() -> None:
    """R6.3 (b): every jack of the hand is a partner of its own."""
    line = f"kc turn=5 epoch=0 node=play:p1 p1=h/20/jh,9s,jc/-/-/-/-/- {IDLE_P2} forge=* grave=-"
    assert legal(line) == ["pass", "prep:9s+jh", "prep:9s+jc"]


@pytest.mark.parametrize(
    ("p1", "p2"),
    [
        ("h/20/jh,9s,2c/js/-/-/-/-", "s/20/-/-/-/-/-/-"),
        ("h/20/jh,9s,2c/-/-/-/-/-", "s/20/-/-/-/9h+jd/-/-"),
    ],
    ids=["in the salvage yard", "of another player"],
)
def test_a_jack_that_is_not_in_play_does_not_count(p1: str, p2: str) -> None:
    """R6.5."""
    assert "prep:9s+jh" in legal(f"kc turn=5 epoch=0 node=play:p1 p1={p1} p2={p2} forge=* grave=-")


def test_a_jack_under_the_weapon_counts() -> None:
    """R6.5."""
    p1 = "h/20/jh,9s,2c/-/-/-/4d+jd/-"
    line = f"kc turn=5 epoch=0 node=play:p1 p1={p1} {IDLE_P2} forge=* grave=-"
    assert legal(line) == ["pass", "attack:p2"]


def test_the_longest_list_of_moves_is_in_the_order_of_the_tables() -> None:
    """R12.2 and 16.1: twelve moves."""
    p1 = "h/20/as,ad,ac/-/8h:0/2h/3h/-"
    rivals = "p2=s/20/-/-/-/-/-/- p3=d/20/-/-/-/-/-/- p4=c/20/-/-/-/-/-/-"
    line = f"kc turn=5 epoch=0 node=play:p1 p1={p1} {rivals} forge=* grave=2d"
    pairs = ("as+ad", "as+ac", "ad+ac")
    assert legal(line) == [
        "pass",
        "equip:knight",
        "equip:peasant",
        *(f"attack:p{seat}" for seat in (2, 3, 4)),
        *(f"ace:{pair}:{unit}" for pair in pairs for unit in ("knight", "peasant")),
    ]


def test_equipping_replaces_a_pair_lead_on_top() -> None:
    """R6.6 and R1.8."""
    p1 = "h/20/2c,3c,4c/-/8h:0/9s+9d/-/-"
    line = f"kc turn=5 epoch=0 node=play:p1 p1={p1} {IDLE_P2} forge=* grave=2d"
    equipped = after(line, "equip:knight")
    assert grave(equipped) == "9s,9d,2d"
    assert player(equipped, 1) == "h/20/2c,3c,4c/-/-/8h/-/-"


def test_an_ace_on_the_knight_gives_no_strike() -> None:
    """R6.9: only a weapon strikes."""
    p1 = "h/20/ah,3c,4c/-/-/-/-/-"
    line = f"kc;ace_strike=1 turn=5 epoch=0 node=play:p1 p1={p1} {IDLE_P2} forge=* grave=2d"
    assert "node=discard:p1" in after(line, "ace:ah:knight")
    assert "node=strike:p1" in after(line, "ace:ah:peasant")


def test_a_strike_may_be_held_and_may_hit_any_living_rival() -> None:
    """R6.9."""
    line = (
        "kc;ace_strike=1 turn=5 epoch=0 node=strike:p2 p1=h/20/-/-/-/-/-/- "
        "p2=s/20/3c,4c/-/-/-/9h/- p3=d/0/-/-/-/-/-/- p4=c/20/-/-/-/-/-/- forge=* grave=ah"
    )
    assert legal(line) == ["hold", "attack:p1", "attack:p4"]
    assert player(after(line, "hold"), 2) == "s/20/3c,4c/-/-/-/9h/-"


def test_a_strike_can_win_the_game() -> None:
    """R6.9 and R10.3."""
    p1 = "h/20/ah,3c,4c/-/-/-/-/-"
    line = (
        f"kc;ace_strike=1 turn=5 epoch=0 node=play:p1 p1={p1} p2=s/9/5d/-/-/-/-/- forge=* grave=9d"
    )
    won = after(line, "ace:ah:peasant", "attack:p2")
    assert "node=end" in won
    assert grave(won) == "9d,ah,5d"


def test_the_queen_absorbs_what_passes_the_knight_and_health_stays() -> None:
    """R7.2 steps 2 and 4, for a recruited pair of each."""
    p2 = "p2=s/1/-/-/-/2h+2d/-/qh+qd"
    line = f"kc turn=5 epoch=0 node=play:p1 p1=h/20/3c,4c,5c/-/-/-/th/- {p2} forge=* grave=9d"
    hit = after(line, "attack:p2")
    assert player(hit, 2) == "s/1/-/-/-/-/-/-"
    assert grave(hit) == "2h,2d,th,9d,qh,qd"


def test_the_game_goes_on_after_an_elimination_among_three() -> None:
    """R7.3 and R10.3: the attacker still discards."""
    line = (
        "kc turn=5 epoch=0 node=play:p1 p1=h/20/3c,4c,5c/-/-/-/th/- p2=s/10/-/-/-/-/-/- "
        "p3=d/20/-/-/-/-/-/- forge=* grave=-"
    )
    assert "node=discard:p1" in after(line, "attack:p2")


def test_the_highest_health_shares_the_win_at_the_turn_limit() -> None:
    """R10.5."""
    line = (
        "kc;turn_limit=5 turn=5 epoch=0 node=end p1=h/7/-/-/-/-/-/- p2=s/0/-/-/-/-/-/- "
        "p3=d/7/-/-/-/-/-/- p4=c/6/-/-/-/-/-/- forge=* grave=-"
    )
    game, state = at(line)
    assert game.returns_of(state) == [0.5, 0.0, 0.5, 0.0]


# --- what seats know --------------------------------------------------------------------------


def test_others_see_that_a_card_was_dealt_but_not_which() -> None:
    """R11.3."""
    line = f"kc turn=5 epoch=0 node=deal:p1 p1=h/20/-/-/-/-/-/- {IDLE_P2} forge=* grave=-"
    game, state = at(line)
    outcome = game.parse_move("deal:7h")
    seen = [game.move_text(game.seen(state, outcome, seat)) for seat in (0, 1, SPECTATOR)]
    assert seen == ["deal:7h", "deal:?", "deal:?"]
    unnamed = game.parse_move("deal:?")
    assert unnamed not in [dealt for dealt, _ in game.outcomes_of(state)]
    assert game.why_illegal(state, unnamed) == ("an outcome names the card that is drawn", "R5.2")


def test_an_observation_does_not_depend_on_who_holds_what_unseen() -> None:
    """R11.4: hidden hand and forge are told apart by nothing."""
    line = (
        "kc turn=9 epoch=1 node=play:p1 p1=h/20/2c,3c,4c!/-/-/-/-/- p2=s/20/{}~0,{},9h!/-/-/-/-/- "
        "p3=d/20/{}~0/-/-/-/-/- forge=* grave=-"
    )
    observations = set()
    for old, new, other in (("2h", "3h", "4h"), ("4h", "8h", "2h"), ("2h", "5h", "4h")):
        game, state = at(line.format(old, new, other))
        observations.add(game.observed(state, 0))
    assert len(observations) == 1


def test_an_old_pool_of_several_players_does_not_say_who_holds_which() -> None:
    """R11.5."""
    line = (
        "kc turn=9 epoch=2 node=play:p1 p1=h/20/2c~0,3c,4c!/-/-/-/-/- p2=s/20/5h~1,6h/-/-/-/-/- "
        "p3=d/20/2h~1,3h~0/-/-/-/-/- forge=* grave=-"
    )
    game, state = at(line)
    assert game.text(game.observed(state, 0)).endswith("old=0:3h;1:2h,5h @p1")
    assert game.text(game.observed(state, 2)).endswith("old=0:2c;1:5h @p3")
    assert game.text(game.observed(state, SPECTATOR)).endswith("old=0:3h,2c;1:2h,5h @-")


def test_unplayed_hands_stay_hidden_at_the_end() -> None:
    """R12.5."""
    line = (
        "kc;turn_limit=5 turn=5 epoch=0 node=end p1=h/7/2h/-/-/-/-/- p2=s/6/3h/-/-/-/-/- "
        "forge=* grave=-"
    )
    game, state = at(line)
    assert "p2=s/6/?/" in game.text(game.observed(state, 0))


# Pools of at most four cards: the number of equally likely states is counted by hand.
SMALL_POOLS = {
    # old pool 0: 2! ways to two seats; old pool 1: one card; current: 2 of 4 cards, ordered 12
    "a seat": (
        "kc turn=90 epoch=2 node=play:p1 p1=h/9/2h,3h~0,4h!/-/-/-/-/- "
        "p2=s/9/5h~0,6h~1,7h/-/-/-/-/- p3=d/9/8h~0,9h/-/-/-/-/- forge=2 grave=",
        0,
        2 * 12,
    ),
    # old pool 0: 3 cards on 1 + 1 + 1 places, 3!; pool 1: one card; current: 1 of 3 cards
    "a spectator": (
        "kc turn=90 epoch=2 node=play:p2 p1=h/9/3h~0,4h!/-/-/-/-/- "
        "p2=s/9/5h~0,6h~1,7h/-/-/-/-/- p3=d/9/8h~0/-/-/-/-/- forge=2 grave=",
        SPECTATOR,
        6 * 3,
    ),
    # old pool 1: 3 cards on 2 + 1 places, 3; current: 1 of 3 cards
    "an eliminated player": (
        "kc turn=90 epoch=2 node=play:p2 p1=h/0/-/-/-/-/-/- "
        "p2=s/9/5h~1,6h~1,7h/-/-/-/-/- p3=d/9/8h~1/-/-/-/-/- forge=2 grave=",
        0,
        3 * 3,
    ),
}


@pytest.mark.parametrize("name", SMALL_POOLS)
def test_determinizations_are_all_consistent_states_equally_often(name: str) -> None:
    """R11.7 against enumeration: every way to deal all unseen cards, kept if consistent (R11.8)."""
    start, seat, num_states = SMALL_POOLS[name]
    line = graveyard(start, "th jh")
    game, state = KingdomCoinquest.parse_position(line)
    observation = game.observed(state, seat)
    stream = PCG64(7)
    num_samples = 400 * num_states
    counts = Counter(game.determinized(observation, stream) for _ in range(num_samples))
    assert {game.text(sample) for sample in counts} == consistent_lines(line, seat)
    assert len(counts) == num_states
    expected = num_samples / num_states
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    # five standard deviations above the mean of chi squared
    assert chi_squared < num_states + 5 * (2 * num_states) ** 0.5


def consistent_lines(line: str, seat: int) -> set[str]:
    """Deal the hidden cards and the forge of a line in all ways; keep what looks the same."""
    game, state = KingdomCoinquest.parse_position(line)
    observation = game.observed(state, seat)
    hands = [player(line, number).split("/")[2] for number in (1, 2, 3)]
    hidden = [
        (index, item[2:])
        for index, hand in enumerate(hands)
        if index != seat and hand != "-"
        for item in hand.split(",")
        if not item.endswith("!")
    ]
    kept = [
        [item for item in hand.split(",") if item != "-" and (index == seat or item[2:] == "!")]
        for index, hand in enumerate(hands)
    ]
    written = CARD.findall(grave(line)) + [item[:2] for hand in kept for item in hand]
    unseen = [card for card in CARDS if card not in written]
    found = set()
    for dealt in permutations(unseen, len(hidden)):
        parts = [list(hand) for hand in kept]
        for card, (index, mark) in zip(dealt, hidden, strict=True):
            parts[index].append(card + mark)
        candidate = line
        for index, items in enumerate(parts):
            items.sort(key=lambda item: CARDS.index(item[:2]))
            old = f"p{index + 1}={player(line, index + 1)}"
            fields = player(line, index + 1).split("/")
            fields[2] = ",".join(items) or "-"
            candidate = candidate.replace(old, f"p{index + 1}={'/'.join(fields)}")
        if candidate in found:
            continue
        _, packed = KingdomCoinquest.parse_position(candidate)
        if game.observed(packed, seat) == observation:
            found.add(candidate)
    return found


# --- playouts and evaluation ------------------------------------------------------------------


def shares(line: str) -> list[float]:
    game, state = at(line)
    return game.evaluation_of(state)


def test_equal_kingdoms_have_equal_shares() -> None:
    """By points; the net knows that it is good to be at turn."""
    line = "kc turn=3 epoch=0 node=draw:p1 p1=h/9/-/-/-/2h/-/- p2=s/9/-/-/-/2s/-/- forge=* grave=-"
    assert 0.51 < shares(line)[0] < 0.6
    _, state = at(line)
    plain = KingdomCoinquest(players=2)
    plain.use_net(None)
    assert plain.evaluation_of(state) == pytest.approx([0.5, 0.5])


def test_the_dead_have_no_share_and_the_living_share_one() -> None:
    line = (
        "kc turn=3 epoch=0 node=draw:p1 p1=h/9/-/-/-/2h/-/- p2=s/0/-/-/-/-/-/- "
        "p3=d/5/-/-/-/-/-/- forge=* grave=-"
    )
    assert shares(line)[1] == 0
    assert sum(shares(line)) == pytest.approx(1)
    assert shares(line)[0] > shares(line)[2]


def test_an_end_is_evaluated_exactly() -> None:
    line = "kc turn=3 epoch=0 node=end p1=h/1/-/-/-/-/-/- p2=s/0/-/-/-/-/-/- forge=* grave=-"
    assert shares(line) == [1.0, 0.0]


@pytest.mark.parametrize(
    "better",
    [
        "h/10/-/-/-/-/-/-",
        "h/9/-/-/-/2h/-/-",
        "h/9/-/-/-/-/2h/-",
        "h/9/-/-/2h:1/-/-/-",
        "h/9/-/-/-/-/-/qh",
        "h/9/-/qh/-/-/-/-",
        "h/9/-/ah/-/-/-/-",
    ],
)
def test_whatever_a_kingdom_gains_raises_its_share(better: str) -> None:
    """16.3."""
    line = f"kc turn=3 epoch=0 node=draw:p2 p1={better} p2=s/9/-/-/-/-/-/- forge=* grave=-"
    assert shares(line)[0] > 0.5


def test_the_playout_policy_beats_uniform_play() -> None:
    """Fewer than 40 of 50 games would be 4 standard deviations off even for 99% wins."""
    game = KingdomCoinquest()
    wins = sum(policy_share(game, seed) for seed in range(50))
    assert wins > 40


def policy_share(game: KingdomCoinquest, seed: int) -> float:
    """Play a game of the policy against uniform moves; the seats alternate with the seed."""
    stream = PCG64(seed)
    state = game.start_state()
    seat = seed % 2
    while (node := game.node_of(state)) != -2:
        if node == -1:
            move = game.sample(state, stream)
        elif node == seat:
            move = game.policy_move(state, stream)
        else:
            moves = game.moves_of(state)
            move = moves[stream.random_raw() % len(moves)]
        state = game.after(state, move)
    return game.returns_of(state)[seat]


def test_the_policy_plays_the_killing_attack_nearly_always() -> None:
    game, state = at(MID_GAME)
    stream = PCG64(1)
    chosen = Counter(game.move_text(game.policy_move(state, stream)) for _ in range(1000))
    assert chosen["attack:p2"] > 850
    # No other move is ruled out, so that playouts differ.
    assert all(game.prior_weight_of(state, move) > 0 for move in game.moves_of(state))
