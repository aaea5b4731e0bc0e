"""Nets: their arithmetic, files, and the games that they fit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.random import PCG64
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.cext.net import Net, names_hash, use_wide

Floats = NDArray[np.float32]

HIDDEN1, HIDDEN2 = 20, 12
"""No multiples of what a register holds."""


def weights_of(
    num_features: int, num_actions: int = 0, hidden1: int = HIDDEN1, hidden2: int = HIDDEN2
) -> dict[str, Any]:
    shapes: dict[str, tuple[int, ...]] = {
        "w1": (num_features, hidden1),
        "b1": (hidden1,),
        "w2": (hidden1, hidden2),
        "b2": (hidden2,),
        "w3": (hidden2,),
        "b3": (1,),
    }
    if num_actions:
        shapes |= {"wp": (num_actions, hidden2), "bp": (num_actions,)}
    # Not `normal`, whose digits another version of numpy may change.
    words = np.random.SeedSequence(1).generate_state(sum(map(np.prod, shapes.values())))
    flat = (words / 2**32 - 0.5).astype(np.float32)
    ends = np.cumsum([np.prod(shape) for shape in shapes.values()])[:-1]
    parts = np.split(flat, ends)
    return {
        name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)
    }


def card_of(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "seats": game.num_seats,
        "options": game.options,
        "features": names_hash(game),
    }


def net_for(game: Game, **sizes: int) -> Net:
    return Net(card_of(game), weights_of(game.num_features, game.num_actions, **sizes))


def plain_net(hidden1: int, hidden2: int) -> Net:
    card = {"game": "none", "seats": 2, "options": {}, "features": ""}
    return Net(card, weights_of(256, hidden1=hidden1, hidden2=hidden2))


@pytest.fixture
def game(drawn_card: ModuleType) -> Game:
    made: Game = drawn_card.DrawnCard(seats=3)
    return made


@pytest.fixture
def dealt(game: Game) -> bytes:
    state = game.start_state()
    stream = PCG64(3)
    while game.node_of(state) < 0:
        state = game.after(state, game.sample(state, stream))
    return state


@pytest.fixture(params=[True, False], ids=["wide", "narrow"])
def registers(request: pytest.FixtureRequest) -> Iterator[bool]:
    wanted: bool = request.param
    if use_wide(wanted) is not wanted:
        pytest.skip("this processor has no wide registers")
    yield wanted
    use_wide(True)


def second_layer(weights: dict[str, Floats], active: list[int]) -> Floats:
    """Compute in the order in which the net does, which makes all digits the same."""
    first = weights["b1"].copy()
    for index in active:
        first += weights["w1"][index]
    first = np.maximum(first, 0)
    even, odd = weights["b2"].copy(), np.zeros_like(weights["b2"])
    for index, unit in enumerate(first):
        (odd if index % 2 else even)[:] += unit * weights["w2"][index]
    second: Floats = np.maximum(even + odd, 0)
    return second


def product(head: Floats, second: Floats) -> np.float32:
    lanes = np.zeros(8, dtype=np.float32)
    terms = head * second
    for index, term in enumerate(terms):
        lanes[index % 8] += term
    even, odd = lanes[0::2], lanes[1::2]
    total: np.float32 = ((even[0] + even[2]) + (even[1] + even[3])) + (
        (odd[0] + odd[2]) + (odd[1] + odd[3])
    )
    return total


def plain_score(net: Net, active: list[int]) -> np.float32:
    second = second_layer(net.weights, active)
    score: np.float32 = net.weights["b3"][0] + product(net.weights["w3"], second)
    return score


def softmax(scores: Any) -> NDArray[np.float64]:
    powers = np.exp(np.asarray(scores, dtype=np.float64) - np.max(scores))
    shares: NDArray[np.float64] = powers / powers.sum()
    return shares


def random_rows(num_rows: int) -> list[list[int]]:
    rng = np.random.Generator(PCG64(5))
    return [
        sorted(rng.choice(256, rng.integers(0, 60), replace=False).tolist())
        for _ in range(num_rows)
    ]


def scores(net: Net, rows: list[list[int]]) -> Floats:
    starts = np.cumsum([0, *map(len, rows)])
    return net.scores_of([index for row in rows for index in row], starts)


@pytest.mark.parametrize("sizes", [(32, 16), (20, 12), (1, 1), (256, 256)])
def test_every_digit_is_that_of_plain_numpy(sizes: tuple[int, int], registers: bool) -> None:
    net = plain_net(*sizes)
    rows = random_rows(50)
    assert scores(net, rows).tolist() == [plain_score(net, row) for row in rows]


def test_results_have_the_same_bits_on_every_machine(registers: bool) -> None:
    found = scores(plain_net(32, 16), random_rows(200))
    digest = hashlib.sha256(found.astype("<f4").tobytes()).hexdigest()
    assert digest[:16] == "8eeb26c2d9f9af0c"


def test_an_evaluation_is_the_softmax_of_what_each_seat_sees(game: Game, dealt: bytes) -> None:
    net = net_for(game)
    found = net.evaluation_of(game, dealt)
    expected = softmax([plain_score(net, game.features_of(dealt, seat)) for seat in range(3)])
    assert found == pytest.approx(expected, abs=1e-13)
    assert sum(found) == pytest.approx(1, abs=1e-6)


def test_evaluations_have_the_same_bits_on_every_machine(game: Game, dealt: bytes) -> None:
    assert [share.hex() for share in net_for(game).evaluation_of(game, dealt)] == [
        "0x1.43fbe69b14f30p-2",
        "0x1.6cc4a581e470cp-2",
        "0x1.4f3f73e3069c6p-2",
    ]


def test_scores_that_are_far_apart_are_still_win_shares(game: Game) -> None:
    weights = weights_of(game.num_features)
    weights["w1"][0] = 60_000
    weights["w2"] = np.abs(weights["w2"])
    weights["w3"] = np.abs(weights["w3"])
    net = Net(card_of(game), weights)
    state = game.start_state()
    for card in (1, 6, 6):
        state = game.after(state, game.parse_move(f"deal:{card}"))
    assert net.evaluation_of(game, state) == [1, 0, 0]


def test_a_policy_is_the_softmax_of_the_logits_of_the_legal_moves(game: Game, dealt: bytes) -> None:
    net = net_for(game)
    seat = game.node_of(dealt)
    second = second_layer(net.weights, game.features_of(dealt, seat))
    moves = game.moves_of(dealt)
    logits = [
        net.weights["bp"][action] + product(net.weights["wp"][action], second)
        for action in map(game.index_of, moves)
    ]
    found = net.policy_of(game, dealt)
    assert [move for move, _ in found] == moves
    assert [share for _, share in found] == pytest.approx(softmax(logits), abs=1e-6)


def test_without_a_policy_head_moves_are_equally_likely(game: Game, dealt: bytes) -> None:
    net = Net(card_of(game), weights_of(game.num_features))
    assert net.num_actions == 0
    assert [share for _, share in net.policy_of(game, dealt)] == [0.5, 0.5]


def test_chance_nodes_have_no_policy(game: Game) -> None:
    assert net_for(game).policy_of(game, game.start_state()) == []


def test_the_policy_of_an_observation_is_that_of_the_state(game: Game, dealt: bytes) -> None:
    net = net_for(game)
    observation = game.observed(dealt, game.node_of(dealt))
    assert net.policy_of(game, observation) == net.policy_of(game, dealt)


def test_a_saved_net_is_loaded_as_it_was(game: Game, dealt: bytes, tmp_path: Path) -> None:
    net = net_for(game)
    net.save(tmp_path / "net.npz")
    loaded = Net.load(tmp_path / "net.npz")
    assert loaded.card == net.card
    assert loaded.weights["w2"].shape == (HIDDEN1, HIDDEN2)
    assert loaded.evaluation_of(game, dealt) == net.evaluation_of(game, dealt)
    assert loaded.policy_of(game, dealt) == net.policy_of(game, dealt)


def test_the_same_net_is_saved_as_the_same_bytes(game: Game, tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        net_for(game).save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def changed(drawn_card: ModuleType, what: str) -> Game:
    games: dict[str, Game] = {
        "seats": drawn_card.DrawnCard(seats=2),
        "game": GAMES["tic_tac_toe"](),
        "feature names": drawn_card.OtherFeatures(seats=3),
    }
    return games[what]


@pytest.mark.parametrize("what", ["seats", "game", "feature names"])
def test_a_net_of_another_game_is_refused(game: Game, drawn_card: ModuleType, what: str) -> None:
    other = changed(drawn_card, what)
    with pytest.raises(InputError, match=f"does not fit {other.name}: its .*{what}"):
        net_for(game).evaluation_of(other, other.start_state())


@pytest.mark.parametrize("what", ["features", "actions"])
def test_a_net_with_another_number_of_inputs_or_actions_is_refused(game: Game, what: str) -> None:
    numbers = {"features": game.num_features, "actions": game.num_actions}
    numbers[what] += 1
    net = Net(card_of(game), weights_of(numbers["features"], numbers["actions"]))
    with pytest.raises(InputError, match=f"number of {what} is {numbers[what]}, not"):
        net.check_fits(game)


def wrong(weights: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    return {key: array for key, array in {**weights, name: value}.items() if array is not None}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("w3", None, "a net has the weights w1"),
        ("wp", np.zeros((2, HIDDEN2)), "a net has the weights w1"),
        ("b1", np.zeros(HIDDEN1 + 1), "b1 of the net has the shape"),
        ("w1", np.zeros(9), "are matrices"),
        ("w1", np.zeros((4097, HIDDEN1)), "has 4097 features; it must have 1 to 4096"),
        ("w2", np.zeros((HIDDEN1, 257)), "has 257 units; it must have 1 to 256"),
        ("b3", np.array([np.nan]), "b3 of the net has a number beyond half precision"),
        ("b3", np.array([1e5]), "b3 of the net has a number beyond half precision"),
    ],
)
def test_wrong_weights_are_refused(game: Game, name: str, value: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Net(card_of(game), wrong(weights_of(9), name, value))


def test_weights_that_are_no_mapping_are_refused(game: Game) -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match="weights is 3; it must be a mapping of names"):
        Net(card_of(game), wrong)


@pytest.mark.parametrize("content", [None, b"", b"no zip", "array", "no card"])
def test_what_is_no_net_is_refused(content: bytes | str | None, tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    if content == "array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    elif content == "no card":
        np.savez(path, **weights_of(9))
    elif isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"net\.npz (can't be read|is no net)"):
        Net.load(path)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("game", None, "the card of the net has no game"),
        ("seats", None, "the card of the net has no seats"),
        ("features", None, "the card of the net has no features"),
        ("game", 3, "game in the card of a net is a text; got 3"),
        ("features", [], r"features in the card of a net is a text; got \[\]"),
        ("seats", -1, "seats is -1; it must be 1 to 8"),
        ("seats", 10**30, "seats is 1000000000000000000000000000000; it must be 1 to 8"),
        ("seats", 2.5, "seats is 2.5; it must be a whole number"),
        ("seats", "2", "seats is '2'; it must be a whole number"),
    ],
)
def test_wrong_cards_are_refused(
    game: Game, name: str, value: Any, message: str, tmp_path: Path
) -> None:
    card, weights = wrong(card_of(game), name, value), weights_of(9)
    with pytest.raises(InputError, match=message) as caught:
        Net(card, weights)
    assert caught.value.field == f"card.{name}"
    path = tmp_path / "net.npz"
    np.savez(path, card=json.dumps(card), **weights)
    with pytest.raises(InputError, match=rf"net\.npz is no net: {message}"):
        Net.load(path)


@pytest.mark.parametrize("card", ["[" * 100_000, "[]", "null", "{"])
def test_a_file_whose_card_is_no_card_is_refused(card: str, tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    np.savez(path, card=card, **weights_of(9))
    with pytest.raises(InputError, match=r"net\.npz is no net: .+"):
        Net.load(path)


def test_damaged_files_are_refused(game: Game, tmp_path: Path) -> None:
    """A changed byte makes errors of zip files, of zlib, of headers of arrays and of weights."""
    path, rng = tmp_path / "net.npz", np.random.default_rng(1)
    net_for(game).save(path)
    whole = path.read_bytes()
    num_refused = 0
    for _ in range(500):
        content = bytearray(whole)
        content[rng.integers(len(whole))] = rng.integers(256)
        path.write_bytes(content)
        try:
            Net.load(path)
        except InputError:
            num_refused += 1
    assert num_refused > 100


@pytest.mark.parametrize("place", [6, 8])
def test_packed_and_secret_files_are_refused(game: Game, place: int, tmp_path: Path) -> None:
    """Byte 6 of a file in a zip has the flag of encryption, and byte 8 its compression."""
    path = tmp_path / "net.npz"
    net_for(game).save(path)
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", place), (b"PK\x01\x02", place + 2)):
        start = content.find(mark)
        while start >= 0:
            content[start + offset] = 99
            start = content.find(mark, start + 1)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"net\.npz is no net: .+"):
        Net.load(path)


def test_features_beyond_the_first_layer_never_give_win_shares(drawn_card: ModuleType) -> None:
    game = drawn_card.BrokenFeatures(seats=3)
    found = net_for(game).evaluation_of(game, game.start_state())
    assert np.isnan(found[0])


def test_rows_out_of_range_are_refused() -> None:
    net = plain_net(32, 16)
    unsigned = np.array([0, 2_000_000_000, 2], dtype=np.uint64)  # their differences are, too
    for active, starts in (
        ([256], [0, 1]),
        ([-1], [0, 1]),
        ([1, 2], [0, 3]),
        ([1, 2], [0, 2, 1]),
        ([1, 2], []),
        ([1, 2], unsigned),
    ):
        with pytest.raises(InputError):
            net.scores_of(active, starts)
