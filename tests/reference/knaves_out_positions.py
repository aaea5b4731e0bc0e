"""Random valid positions of Knaves Out, for tests of what random games seldom reach.

The pieces of all players stand close together, courts are complete and towers high, marks and
effects are in force, so that every action, node and mark comes up. A position is built at `main`;
some plies may be played from there, and numbers of the node changed within what is valid.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from .knaves_out import Reference
from .knaves_out_board import FIXED_BOARDS, Point, places, squares_of
from .knaves_out_cards import (
    CARDS,
    COURT,
    EFFECTS,
    JOKER,
    NUM_JOKERS,
    RANKS,
    SUITS,
    TOWERS,
    Tower,
    colour_of,
    mask_of,
    num_outside,
    sorted_cards,
)
from .knaves_out_nodes import node_of
from .knaves_out_prices import BOOK_COLOURS, COURT_BOOKS, ROWS, court_type
from .knaves_out_state import (
    CHOICES,
    HAND_SIZE,
    LASTING_MARKS,
    MAX_CHECKERS,
    NUM_CHECKERS,
    TURN_MARKS,
    GreatTower,
    Options,
    Piece,
    Player,
    Sailor,
    State,
    read_options,
)

MAX_PLIES = 12
SELDOM_LEGAL = {f"act:{code}" for code in ("cherry", "force", "undead", "boister", "marry")}
COMMON = ("main", "draw", "roll", "place", "parlay")  # the other nodes are seldom met
NODE_NUMBER = re.compile(r"(?<=[=jqka])[0-9](?=[,}jqka])")


def random_position(rng: random.Random, players: int) -> str:
    """Make the line of a random valid position of a game of this many players."""
    while True:
        try:
            now = Reference.parse(random_state(rng, players).text())
        except ValueError:
            continue
        for _ in range(rng.choice([0, rng.randint(1, 4), rng.randint(1, MAX_PLIES)])):
            if now.node() == "end" or (now.state.node.name not in COMMON and rng.random() < 0.4):
                break
            now = now.apply(random_token(now, rng))
        return with_other_numbers(now.text(), rng) if rng.random() < 0.2 else now.text()


def random_token(now: Reference, rng: random.Random) -> str:
    """Draw a move or outcome: actions often, above all those of the books, then each kind alike.

    Uniform choice would seldom act, as most moves are steps.
    """
    moves = now.legal()
    if not moves:
        outcomes = now.chance()
        return rng.choices(list(outcomes), [float(chance) for chance in outcomes.values()])[0]
    kinds = {kind_of(move) for move in moves}
    actions = {kind for kind in kinds if kind.startswith("act:")}
    of_books = {kind for kind in actions if ROWS[kind.removeprefix("act:")].book}
    rare = {"end_turn", "ivory", "dark"}
    if actions and rng.random() < 0.7:
        kinds = of_books if of_books and rng.random() < 0.7 else actions
        kinds = (kinds & SELDOM_LEGAL) or kinds
    elif kinds - rare and rng.random() < 0.9:
        kinds -= rare
    kind = rng.choice(sorted(kinds))
    return rng.choice([move for move in moves if kind_of(move) == kind])


def kind_of(move: str) -> str:
    """Name the kind of a move: its verb, or its action."""
    verb, _, rest = move.partition(":")
    return f"act:{rest.partition(':')[0]}" if verb == "act" else verb


def with_other_numbers(line: str, rng: random.Random) -> str:
    """Change numbers of the node, if the position stays valid."""
    fields = line.split(" ")
    for _ in range(5):
        node = NODE_NUMBER.sub(
            lambda match: rng.choice([match[0], str(rng.randint(0, 5))]), fields[3]
        )
        changed = " ".join([*fields[:3], node, *fields[4:]])
        try:
            return Reference.parse(changed).text()
        except ValueError:
            continue
    return line


def random_state(rng: random.Random, players: int) -> State:
    """Build a state at `main`; it is nearly always valid."""
    options = random_options(rng, players)
    first = options.first or rng.randint(1, players)
    state = State(
        options=options,
        corners=random_corners(rng, options, first),
        island=0,
        cleansed=0,
        turn=rng.choice([options.max_turns, rng.randint(1, options.max_turns)]),
        first=first,
        active=rng.randint(1, players),
        node=node_of("main", 0),
        great={},
        called=set(),
        players={seat: random_player(rng, options) for seat in range(1, players + 1)},
    )
    state.node = node_of("main", state.active)
    for seat in rng.sample(list(state.players), players):
        if seat != state.active and len(state.living()) > 2 and rng.random() < 0.15:
            state.players[seat].is_alive = False
    add_pieces(rng, state)
    if options["two_towers"] == "on":
        add_great_towers(rng, state)
    add_checkers(rng, state)
    for seat in state.living():
        add_marks(rng, state, seat)
    add_flags(rng, state)
    return state


def random_options(rng: random.Random, players: int) -> Options:
    """Draw options; most stay at their default."""
    texts = {"players": str(players)}
    for name, choices in CHOICES.items():
        if name not in ("start_jokers", "fuel") and rng.random() < 0.2:
            texts[name] = rng.choice(choices)
    if rng.random() < 0.2:
        texts["first"] = f"p{rng.randint(1, players)}"
    if rng.random() < 0.3:
        texts["max_turns"] = str(rng.randint(1, 20))
    return read_options(texts)


def random_corners(rng: random.Random, options: Options, first: int) -> list[Point | None]:
    """Lay the boards, by seat."""
    if options["layout"] == "fixed":
        return list(FIXED_BOARDS[options.players])
    placed = [(0, 0)]
    while len(placed) < options.players:
        placed.append(rng.choice(places(placed)))
    step = 1 if options["direction"] == "cw" else -1
    return [
        placed[(seat - first) * step % options.players] for seat in range(1, options.players + 1)
    ]


# Cards


def random_player(rng: random.Random, options: Options) -> Player:
    """Draw the cards of a player."""
    player = Player()
    left = set(CARDS)
    for base in random_bases(rng, options):
        left.remove(base[1])
        player.towers[base[0]] = Tower(base[1])
    book = COURT_BOOKS.get(court_type(player), "")
    colour = BOOK_COLOURS[book] if book and rng.random() < 0.6 else None
    for code, name in EFFECTS.items():
        if name in player.towers and rng.random() < 0.12:
            devour(rng, player, code, left)
    for name in rng.sample(list(player.towers), len(player.towers)):
        grow(rng, player, name, left, colour)
    rest = sorted(left)
    rng.shuffle(rest)
    size = rng.choice([0, HAND_SIZE, rng.randint(0, HAND_SIZE)])
    player.hand = tuple(rest[:size])
    player.discard = tuple(rest[size : size + rng.choice([0, 0, 5, 20, 50])])
    for _ in range(NUM_JOKERS):
        add_joker(rng, player)
    player.hand, player.discard = sorted_cards(player.hand), sorted_cards(player.discard)
    player.towers = {name: player.towers[name] for name in TOWERS if name in player.towers}
    add_records(rng, player)
    return player


def random_bases(rng: random.Random, options: Options) -> list[tuple[str, str]]:
    """Draw the bases in play: mostly a whole court, each type of court alike."""
    letters = rng.choice([COURT] * 8 + ["", "j", "jq", "jk"])
    wanted = rng.choice(sorted(COURT_BOOKS))
    while True:
        bases = [(name, name + rng.choice(SUITS)) for name in letters]
        court = Player(towers={name: Tower(base) for name, base in bases})
        if letters != COURT or court_type(court) == wanted:
            break
    if letters and options["aos"] != "off" and rng.random() < 0.3:
        bases.append(("a", "as"))
    return bases


def pick(rng: random.Random, left: set[str], rank: str, colour: str | None) -> str | None:
    """Take a card of a rank out of those that are left, one of the colour if there is one."""
    cards = sorted(card for card in left if card[0] == rank)
    if not cards:
        return None
    fitting = [card for card in cards if colour in (None, colour_of(card))]
    card = rng.choice(fitting or cards)
    left.remove(card)
    return card


def devour(rng: random.Random, player: Player, code: str, left: set[str]) -> None:
    """Put 13 cards under a base, if there are enough."""
    if not all(any(card[0] == rank for card in left) for rank in RANKS):
        return
    cards = tuple(card for rank in RANKS if (card := pick(rng, left, rank, None)))
    tower = player.towers[EFFECTS[code]]
    player.towers[EFFECTS[code]] = Tower(
        tower.base, devoured=(*tower.devoured, (code, cards)), stack=tower.stack
    )


def grow(rng: random.Random, player: Player, name: str, left: set[str], colour: str | None) -> None:
    """Put a stack on a base."""
    tower = player.towers[name]
    height = rng.choice([1, 3, 5, 8, 13, 13, rng.randint(0, 13)])
    stack = []
    for rank in RANKS[tower.first_rank() - 1 : height]:
        card = pick(rng, left, rank, colour)
        if card is None:
            break
        stack.append(card)
    player.towers[name] = Tower(tower.base, devoured=tower.devoured, stack=tuple(stack))


def add_joker(rng: random.Random, player: Player) -> None:
    """Put a Joker into the hand, the discard, or under a card; or leave it in the deck."""
    place = rng.choice(["hand", "discard", "deck", "base", "base", "base", "stack", "devoured"])
    if place == "hand" and len(player.hand) < HAND_SIZE:
        player.hand = (*player.hand, JOKER)
    elif place == "discard":
        player.discard = (*player.discard, JOKER)
    elif player.towers and place in ("base", "stack", "devoured"):
        name = rng.choice(sorted(player.towers))
        player.towers[name] = with_joker(rng, player.towers[name], place)


def with_joker(rng: random.Random, tower: Tower, place: str) -> Tower:
    """Put a Joker under a card of a tower, if none is there."""
    if place == "base":
        return Tower(tower.base, True, tower.devoured, tower.stack)
    if place == "stack" and tower.stack:
        stack = list(tower.stack)
        index = rng.randrange(len(stack))
        stack[index] = stack[index][:2] + "*"
        return Tower(tower.base, tower.has_joker, tower.devoured, tuple(stack))
    if place == "devoured" and tower.devoured and JOKER not in tower.devoured[0][1]:
        (code, cards), *others = tower.devoured
        index = rng.randint(1, len(cards))
        devoured = (code, (*cards[:index], JOKER, *cards[index:]))
        return Tower(tower.base, tower.has_joker, (devoured, *others), tower.stack)
    return tower


def add_records(rng: random.Random, player: Player) -> None:
    """Let others know something of the hand."""
    cards, floor = list(CARDS), 0
    records = []
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        cards = rng.sample(cards, rng.randint(0, len(cards)))
        most = num_outside(mask_of(cards), player.hand)
        if most > floor:
            floor = rng.randint(floor + 1, most)
            records.append((mask_of(cards), floor))
    player.records = tuple(records)


# Pieces


def add_pieces(rng: random.Random, state: State) -> None:
    """Put the pieces of all living players around one square."""
    world = state.world
    x, y = world.points[rng.choice(world.squares)]
    spread = rng.choice([1, 3, 20])

    def distance(square: str) -> float:
        across, up = world.points[square]
        return max(abs(across - x), abs(up - y)) + spread * rng.random()

    squares = iter(sorted(world.squares, key=distance))
    pieces: list[tuple[int, str]] = []
    for seat in state.living():
        letters = ["Kk"]
        for kind in ("Rr", "Nn", "Bb"):
            letters += [kind] * rng.randint(0, 2)
        pieces += [(seat, rng.choice(letter)) for letter in letters]
        for letter in "Pp":
            number = rng.choice([0, 1, 2, 4, 8]) // (1 if state.options.players < 5 else 2)
            at_sea = rng.choice([0, 0, 1, 2]) if number >= 2 else 0
            pieces += [(seat, letter)] * (number - at_sea)
            state.players[seat].sea += [
                Sailor(letter, 0, rng.random() < 0.3) for _ in range(at_sea)
            ]
    rng.shuffle(pieces)
    for (seat, letter), square in zip(pieces, squares, strict=False):
        state.players[seat].pieces[square] = Piece(letter)


def add_great_towers(rng: random.Random, state: State) -> None:
    """Let the Two Towers be unused, stand or be gone."""
    for name in ("ivory", "dark"):
        fate = rng.choice(["unused", "unused", "stands", "gone"])
        if fate == "unused":
            continue
        state.called.add(name)
        square = rng.choice([near for near in free_squares(state) if rng.random() < 0.5] or [""])
        if fate == "stands" and square:
            chosen, enemy = rng.sample(state.living(), 2)
            red, black = rng.choice([(0, 0), (0, 1), (1, 0), (4, 6), (0, 2), (5, 4)])
            state.great[name] = GreatTower(
                square, chosen, enemy if name == "dark" else 0, red, black
            )
        elif name == "ivory":
            state.island = rng.randint(1, state.options.players)
        else:
            state.cleansed = rng.randint(1, state.options.players)


def free_squares(state: State) -> list[str]:
    """List empty squares near the pieces of the active player, or of his board."""
    near = [other for square in state.mine.pieces for other in state.world.neighbours[square]]
    return [square for square in near or squares_of(state.active) if state.is_empty(square)]


def add_checkers(rng: random.Random, state: State) -> None:
    """Put checkers under pieces and soldiers at sea, sometimes nearly all."""
    for seat, player in state.players.items():
        left = {colour: state.unused(seat, colour) for colour in ("red", "black")}
        share = rng.choice([0.2, 0.5, 1.0])
        for square, piece in list(player.pieces.items()):
            colour = "black" if piece.is_building else "red"
            number = min(left[colour], rng.randint(0, MAX_CHECKERS)) if rng.random() < share else 0
            left[colour] -= number
            player.pieces[square] = Piece(piece.letter, number)
        for index, sailor in enumerate(player.sea):
            number = min(left["red"], rng.choice([0, 1, 2]))
            left["red"] -= number
            player.sea[index] = Sailor(sailor.letter, number, sailor.is_fresh)
        assert max(left.values()) <= NUM_CHECKERS


# Marks


def some(rng: random.Random, words: Sequence[str], chance: float) -> list[str]:
    """Draw each of some words with a chance."""
    return [word for word in words if rng.random() < chance]


def add_marks(rng: random.Random, state: State, seat: int) -> None:
    """Set marks of a living player."""
    player = state.players[seat]
    chance = rng.choice([0, 0.2, 0.5])
    player.marks.update(some(rng, LASTING_MARKS, chance))
    player.marks.update(some(rng, ("upper", "feast", "castled"), chance / 2))
    if rng.random() < 0.4:
        player.marks.update(("redirect", "thorns", "frenzy"))  # they meet in one attack
    if rng.random() < 0.1:
        player.swayers.add(rng.choice(state.enemies(seat)))
    if seat != state.active:
        if rng.random() < 0.2:
            player.marks.add(rng.choice(["skip", "skipped"]))
        return
    player.marks.update(some(rng, TURN_MARKS, chance / 2))
    if "conspire" not in player.marks:
        player.marks.discard("ended")
    most = 2 if player.has_effect("motorhead") else 1
    player.num_actions = rng.choice([0, 0, 0, 0, rng.randint(0, most)])
    pawns = player.squares_with("P")
    for other in state.enemies(seat):
        if state.players[other].has_effect("sha") and rng.random() < 0.5:
            player.permissions[other] = rng.choice([*pawns, "x"])


def add_flags(rng: random.Random, state: State) -> None:
    """Let pieces of the active player have done something this turn."""
    player = state.mine
    for square, piece in list(player.pieces.items()):
        surge = piece.is_building and rng.random() < 0.1
        steps = rng.choice([0, 0, 0, 1, 2]) if surge or not piece.is_building else 0
        can_attack = piece.kind in "Pp" or (piece.kind == "N" and "defend" in player.marks)
        player.pieces[square] = Piece(
            piece.letter,
            piece.checkers,
            steps,
            has_attacked=can_attack and rng.random() < 0.15,
            is_cleansed=not piece.is_building and steps > 0 and rng.random() < 0.2,
            has_surge=surge,
        )
    moved = [
        square
        for square, piece in player.pieces.items()
        if piece.steps and not piece.is_building and rng.random() < 0.3
    ]
    for square in moved[:1]:
        piece = player.pieces[square]
        player.pieces[square] = Piece(
            piece.letter,
            piece.checkers,
            piece.steps,
            piece.has_attacked,
            piece.is_cleansed,
            is_mover=True,
        )
