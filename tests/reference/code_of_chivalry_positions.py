"""Random positions of Code of Chivalry, for tests of what random games seldom reach.

Every node comes up, with rare cards and jesters in hands and roles, few cards to draw, rich and
poor seats, much that is known about hands, and all options. A position is nearly always valid.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

from .code_of_chivalry_cards import FORTIFY_ROLES, STRENGTHS, Cards, Play
from .code_of_chivalry_state import (
    AUTO_PASS,
    HAND_DEALT,
    Attack,
    Choose,
    Deal,
    Draw,
    Fortify,
    Give,
    Knowledge,
    Main,
    Node,
    Options,
    Over,
    Player,
    Respond,
    Rob,
    Show,
    State,
    Take,
    Tax,
)

NODES = {  # kind -> weight
    "main": 4,
    "respond": 4,
    "attack": 3,
    "rob": 3,
    "fortify": 2,
    "draw": 2,
    "show": 2,
    "choose": 2,
    "take": 2,
    "tax": 2,
    "give": 2,
    "deal": 1,
    "over": 1,
}
ON_TABLE = ("attack", "respond", "rob")  # nodes at which a ladder may lie there
JESTER = "jester"


def random_position(rng: random.Random) -> str:
    """Make the line of a random position."""
    options = random_options(rng)
    kind = rng.choices(list(NODES), list(NODES.values()))[0]
    state = State(
        options=options,
        turn=random_turn(rng, options.turn_limit),
        active=rng.randint(1, options.players),
        reshuffles=0,
        players=[Player(gems) for gems in random_gems(rng, options)],
        draw_pile=Counter(),
        discard_pile=Counter(),
        node=Main(),
        known=Knowledge(options.players),
        own={seat: Counter() for seat in range(1, options.players + 1)},
    )
    if kind == "deal":
        deal(rng, state)
        return state.text()
    left = random_deck(rng, options)
    if kind in ON_TABLE and rng.random() < 0.5:
        state.ladder = take(rng, left, "ladder")
    attack = random_attack(rng, left) if kind == "respond" else None
    for player in state.players:
        fortify(rng, state, player, left)
        player.hand = Counter(taken(left, rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 8, 14])))
    split(rng, state, left)
    add_knowledge(rng, state)
    add_base(rng, state)
    state.node = random_node(rng, state, kind, attack)
    return state.text()


def random_options(rng: random.Random) -> Options:
    """Draw options, each of them often not at its default."""
    players = rng.choice([2, 2, 3, 4, 5, 6])
    start_gems = rng.choice([5, rng.randint(1, 30 // players)])
    target_gems = rng.randint(start_gems + 1, players * start_gems)
    return Options(
        players=players,
        first_player=f"p{rng.randint(1, players)}",
        minstrels=rng.choice([0, 2, 4]),
        monks=rng.choice([0, 2, 4]),
        start_gems=start_gems,
        target_gems=target_gems,
        reshuffle_step=rng.randint(0, 3),
        target_floor=rng.choice([1, target_gems, rng.randint(1, target_gems)]),
        turn_limit=rng.choice([1, 2, 300, 100_000]),
        auto_pass=rng.choice(AUTO_PASS),
    )


def random_turn(rng: random.Random, turn_limit: int) -> int:
    """Draw a turn, often the first or the last."""
    return rng.choice([1, turn_limit, rng.randint(1, turn_limit), rng.randint(1, turn_limit)])


def random_gems(rng: random.Random, options: Options) -> list[int]:
    """Share out the gems, sometimes with poor seats or a rich one."""
    weights = [rng.choice([0, 1, 1, 6]) for _ in range(options.players)]
    weights[rng.randrange(options.players)] += 1
    total = options.players * options.start_gems
    seats = rng.choices(range(options.players), weights, k=total)
    return [seats.count(seat) for seat in range(options.players)]


def deal(rng: random.Random, state: State) -> None:
    """Let the first cards be dealt (R2.2)."""
    state.active = int(state.options.first_player[1:])
    order = [state.active, *state.rivals()]
    place, left = rng.randrange(len(order)), rng.randint(1, HAND_DEALT)
    pile = list(state.options.deck().elements())
    rng.shuffle(pile)
    for seat in order[: place + 1]:
        size = HAND_DEALT - (left if seat == order[place] else 0)
        state.player(seat).hand = Counter(taken(pile, size))
    for player in state.players:
        player.gems = state.options.start_gems
    state.turn, state.draw_pile, state.node = 0, Counter(pile), Deal(order[place], left)


# Cards


def random_deck(rng: random.Random, options: Options) -> list[str]:
    """Shuffle the deck; the last cards are taken first, often rare ones."""
    deck = options.deck()
    power = rng.choice([0, 0.5, 1])
    return sorted(deck.elements(), key=lambda card: rng.random() / deck[card] ** power)


def taken(left: list[str], size: int) -> list[str]:
    """Take so many cards, if there are."""
    return [left.pop() for _ in range(min(size, len(left)))]


def take(rng: random.Random, left: list[str], card: str) -> str:
    """Take a card or the jester that plays it; empty if there is neither."""
    choices = [each for each in (card, JESTER) if each in left]
    if not choices:
        return ""
    chosen = rng.choice(choices)
    left.remove(chosen)
    return chosen


def random_attack(rng: random.Random, left: list[str]) -> Play:
    """Take an attack card, or the cards of a revolt."""
    role = rng.choice([*STRENGTHS, "ninja", "dragon", "archer", "peasant"])
    if role != "peasant":
        return Play(role, Counter([take(rng, left, role)]))
    cards = Counter(
        {role: rng.choice([0, 1, 2, 3, rng.randint(1, 24)]), JESTER: rng.choice([0, 0, 1, 2])}
    )
    cards &= Counter(left)
    if not cards:
        cards[role] = 1
    for card in cards.elements():
        left.remove(card)
    return Play(role, cards)


def fortify(rng: random.Random, state: State, player: Player, left: list[str]) -> None:
    """Put fortifications before a player."""
    for role in FORTIFY_ROLES:
        if role in state.options.types() and rng.random() < 0.4:
            card = take(rng, left, role)
            if card:
                player.fortifications[role] = card


def split(rng: random.Random, state: State, left: list[str]) -> None:
    """Let the other cards lie in the two piles, mostly few in one of them."""
    rng.shuffle(left)
    size = rng.choice([0, 1, 2, len(left), len(left) - 1, rng.randint(0, len(left))])
    if rng.random() < 0.15:  # nothing to draw, nothing to reshuffle
        for card in taken(left, len(left)):
            rng.choice(state.players).hand[card] += 1
    state.draw_pile = Counter(taken(left, size))
    state.discard_pile = Counter(left)


def part(rng: random.Random, cards: Cards, share: float) -> Cards:
    """Draw each card with a chance."""
    return Counter(card for card in cards.elements() if rng.random() < share)


def add_knowledge(rng: random.Random, state: State) -> None:
    """Let everybody know some cards of hands, and some seats more (R11.2)."""
    shares = [0, 0.3, 0.7, 1]
    for holder in state.seats():
        hand = state.player(holder).hand
        public = part(rng, hand, rng.choice([0, 0, *shares]))
        for observer, row in state.known.about(holder):
            row += public
            if observer:
                row += part(rng, hand - public, rng.choice(shares))


def add_base(rng: random.Random, state: State) -> None:
    """Let the discard pile have been shuffled, and seats have drawn from it since (R11.3)."""
    if rng.random() < 0.4:
        return
    drawn = part(rng, state.options.deck() - state.draw_pile, rng.choice([0, 0.2, 0.6, 1]))
    state.base = state.draw_pile + drawn
    state.reshuffles = rng.choice([1, 2 * state.turn, rng.randint(1, 2 * state.turn)])
    state.own = {seat: part(rng, drawn, rng.choice([0, 0.3, 1])) for seat in state.seats()}


# Nodes


def random_node(rng: random.Random, state: State, kind: str, attack: Play | None) -> Node:
    """Choose the node; where it is impossible the line is refused."""
    rivals = state.rivals()
    rival = rng.choice(rivals)
    castles = [seat for seat in rivals if "castle" in state.player(seat).fortifications] or rivals
    seat = rng.choice(castles)
    most = max(state.player(rival).hand.total(), 1)
    match kind:
        case "draw":
            return Draw(1 if state.turn == 1 else rng.randint(1, 2))
        case "fortify":
            return Fortify()
        case "attack":
            return Attack(rival)
        case "respond" if attack:
            archers = [s for s in rivals if "archer" in state.player(s).fortifications]
            target = rng.choice(archers) if attack.role == "archer" and archers else rival
            victims = [target, state.active] if attack.role in STRENGTHS else [target]
            return Respond(target, attack, rng.choice(victims))
        case "rob":
            source, receiver, asked = (rng.choice(state.seats()) for _ in range(3))
            amount = rng.randint(1, max(state.player(source).gems, 1))
            return Rob(source, receiver, amount, asked)
        case "show":
            return Show(rival, picks(rng, state, state.seats_between(state.active, rival)))
        case "choose":
            return choose(rng, state)
        case "take":
            return Take(rival, rng.randint(1, most))
        case "tax":
            return Tax(seat)
        case "give":
            return Give(seat, rng.randint(1, min(2, max(state.player(seat).hand.total(), 1))))
        case "over":
            return over(rng, state)
    return Main()


def picks(rng: random.Random, state: State, seats: Iterable[int]) -> dict[int, str]:
    """Let seats pick a card each, if they have any (R7.2)."""
    hands = {seat: sorted(state.player(seat).hand.elements()) for seat in seats}
    return {seat: rng.choice(hand) for seat, hand in hands.items() if hand}


def choose(rng: random.Random, state: State) -> Choose:
    """Show a card of each rival to all."""
    shown = picks(rng, state, state.rivals())
    for seat, card in shown.items():
        state.known.show(seat, card)
        for _, row in state.known.about(seat):
            row |= state.known.public(seat)
    return Choose(shown)


def over(rng: random.Random, state: State) -> Over:
    """End the game: somebody has the gems, or the last turn is over."""
    rich = [seat for seat in state.seats() if state.player(seat).gems >= state.target()]
    if rich and rng.random() < 0.5:
        return Over("gems", (rng.choice(rich),))
    state.turn = state.options.turn_limit
    return Over("limit", state.richest())
