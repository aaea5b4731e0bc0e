"""Random positions of A Knight's Duty, for tests of what random games seldom reach.

Knights stand close together, often at the edge of the arena, with weapons and broken Hearts; every
stage of a turn comes up, with several waiting attackers. A position is nearly always valid.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from .knights_duty_moves import STAY, attackers_of, claimants, in_range, possible_steps, sharing
from .knights_duty_state import (
    AUTO_CLANS,
    HIGH_GROUND,
    LOCKED,
    NOBODY,
    NUM_SLOTS,
    SUPPLY,
    TOKENS,
    UNFILLED,
    Cell,
    Knight,
    Options,
    State,
)

MAX_TURN_LIMIT = 1000


def random_position(rng: random.Random) -> str:
    """Make the line of a random position."""
    stage = rng.choice(STAGE_CHOICES)
    while True:
        state = random_state(rng, stage)
        if state.actor or state.queue or stage == "end":
            return state.text()


def random_state(rng: random.Random, stage: str) -> State:
    """Build a state; without an actor or a queue if nobody can be asked."""
    options = random_options(rng)
    if stage in ("claim", "order"):
        options = replace(options, agreements="on")
    turn = rng.choice([1, rng.randint(1, options.turn_limit), options.turn_limit])
    slot = 0 if stage in ("clan", "place") else rng.randint(1, NUM_SLOTS)
    state = State(options, turn, slot, stage, NOBODY, {})
    cells = random_cells(rng, options)
    for seat in random_standing(rng, options):
        state.knights[seat] = random_knight(rng, state, next(cells))
    STAGES[stage](rng, state)
    return state


def random_options(rng: random.Random) -> Options:
    """Draw options, each of them often not at its default."""
    arena = rng.choice(["hex", "square"])
    return Options(
        players=rng.choice([2, rng.randint(2, max(AUTO_CLANS[arena])), max(AUTO_CLANS[arena])]),
        arena=arena,
        radius=rng.randint(3, 6),
        clans=rng.choice(["auto", "choose"]),
        empty_slots=rng.choice(["on", "on", "off"]),
        agreements=rng.choice(["on", "on", "off"]),
        swap=rng.choice(["allow", "block"]),
        inspire=rng.choice(["hidden", "open"]),
        turn_limit=rng.choice([1, 3, 60, MAX_TURN_LIMIT]),
    )


def random_standing(rng: random.Random, options: Options) -> list[int]:
    """List the seats that are not out, at least two."""
    seats = range(1, options.players + 1)
    number = rng.choice([options.players, options.players, rng.randint(2, options.players)])
    return sorted(rng.sample(seats, number))


def random_cells(rng: random.Random, options: Options) -> Iterator[Cell]:
    """Give spaces for the Knights, close together: at the centre, a corner or anywhere."""
    reach = range(-options.radius, options.radius + 1)
    arena = [(q, r) for q in reach for r in reach if options.has_cell((q, r))]
    middle = rng.choice(
        [HIGH_GROUND, HIGH_GROUND, rng.choice(options.corners()), rng.choice(arena)]
    )
    spread = rng.choice([0.5, 2, 8])
    arena.sort(key=lambda cell: options.distance(middle, cell) + spread * rng.random())
    return iter(arena)


def random_knight(rng: random.Random, state: State, cell: Cell) -> Knight:
    """Arm a Knight and fill its tracker, mostly with the weapon and with movements."""
    hearts = "FFBX" if state.stage in ("target", "order", "inspire", "draw") else "FFB"
    heart, weapon = rng.choice(hearts), rng.choice("nSPBSPB")
    others = [*SUPPLY, *([TOKENS["empty"]] if state.options.empty_slots == "on" else [])]
    usual = TOKENS["move"] if state.stage in ("step", "claim") else weapon.replace("n", "S")
    tracker = ""
    for _ in range(NUM_SLOTS):
        wanted = [usual, usual, TOKENS["move"], TOKENS["shield"], rng.choice(others)]
        fitting = [kind for kind in wanted + others if tracker.count(kind) < SUPPLY.get(kind, 9)]
        tracker += rng.choice(fitting[:5])
    # A Heart that broke in slot 3 has locked nothing yet (R4.9).
    is_fresh = state.slot == NUM_SLOTS and state.stage not in ("step", "claim")
    if heart != "F" and not (is_fresh and rng.random() < 0.5):
        tracker = tracker[:-1] + LOCKED
    return Knight(cell, heart, weapon, rng.random() < 0.6, tracker)


def blanked(knight: Knight, num_filled: int) -> Knight:
    """Take the tokens but the first ones off a tracker."""
    tracker = "".join(
        kind if kind == LOCKED or slot < num_filled else UNFILLED
        for slot, kind in enumerate(knight.tracker)
    )
    return replace(knight, tracker=tracker)


def up_to(rng: random.Random, state: State, group: Sequence[int]) -> list[int]:
    """Ask someone of a group, if there is one; list those who have chosen."""
    if not group:
        return []
    state.actor = rng.choice(group)
    return [seat for seat in group if seat < state.actor]


# Stages: each adds what its node needs; where that is impossible the line is refused


def choose_clans(rng: random.Random, state: State) -> None:
    """Put the first seats into corners (R3.2)."""
    options = state.options
    state.options = replace(options, clans="choose")
    state.turn = 1
    corners = rng.sample(options.corners(), options.players)
    state.actor = rng.randint(1, options.players)
    state.knights = {
        seat: Knight(corners[seat - 1] if seat < state.actor else None) for seat in state.seats()
    }


def place(rng: random.Random, state: State) -> None:
    """Let some have programmed (R4)."""
    before = up_to(rng, state, list(state.knights))
    for seat, knight in state.knights.items():
        num_open = NUM_SLOTS - knight.tracker.count(LOCKED)
        if seat not in before:
            state.knights[seat] = blanked(
                knight, rng.randrange(num_open) if seat == state.actor else 0
            )


def add_steps(rng: random.Random, state: State, seats: Sequence[int]) -> None:
    """Let Knights choose where to move, often all to the same space (R6.2)."""
    for seat in seats:
        steps = possible_steps(state, seat)
        towards = min(steps, key=lambda step: from_middle(state, seat, step))
        state.steps[seat] = rng.choice([towards, towards, rng.choice(steps)])


def from_middle(state: State, seat: int, step: str) -> int:
    """Give the distance from the first Knight that does not move, or from the High Ground."""
    others = [knight for each, knight in state.knights.items() if each not in state.movers()]
    cell = state.knights[seat].place()
    goal = cell if step == STAY else state.options.neighbour(cell, step)
    middle = others[0].place() if others else HIGH_GROUND
    return state.options.distance(goal, middle) + (goal == cell)


def step(rng: random.Random, state: State) -> None:
    """Let some movers have chosen."""
    add_steps(rng, state, up_to(rng, state, state.movers()))


def claim(rng: random.Random, state: State) -> None:
    """Let all movers have chosen, and some contenders have claimed (R6.4)."""
    add_steps(rng, state, state.movers())
    state.claims = {seat: rng.choice("yn") for seat in up_to(rng, state, claimants(state))}


def attackers(rng: random.Random, state: State) -> list[int]:
    """Draw some of those who can attack, mostly all (R7.2, R8.1)."""
    able = [seat for seat in state.knights if state.is_attack(seat) and in_range(state, seat)]
    if rng.random() < 0.7 or not able:
        return able
    return sorted(rng.sample(able, rng.randint(1, len(able))))


def target(rng: random.Random, state: State) -> None:
    """Let some attackers have declared (R8.2)."""
    group = attackers(rng, state)
    for seat in up_to(rng, state, group):
        state.targets[seat] = rng.choice([NOBODY, *in_range(state, seat)])
    state.pending = [seat for seat in group if seat not in state.targets]


def order(rng: random.Random, state: State) -> None:
    """Let attackers share targets, and some have said whether they wait (R8.5)."""
    for seat in attackers(rng, state):
        enemies = in_range(state, seat)
        named = [enemy for enemy in enemies if attackers_of(state, enemy)]
        state.targets[seat] = rng.choice(named or enemies)
    state.orders = {seat: rng.choice("fw") for seat in up_to(rng, state, sharing(state))}


def add_combats(rng: random.Random, state: State) -> None:
    """Let attacks on different targets be resolved, others wait (R8.6, R9)."""
    able = attackers(rng, state)
    taken: set[int] = set()
    for seat in state.initiative():
        free = (
            [enemy for enemy in in_range(state, seat) if enemy not in taken] if seat in able else []
        )
        if free and rng.random() < 0.8:
            state.queue.append((seat, rng.choice(free)))
            taken.add(state.queue[-1][1])
        elif seat in able and rng.random() < 0.8:
            state.waiting.append(seat)


def inspire(rng: random.Random, state: State) -> None:
    """Ask the attacker or the target (R9.3)."""
    add_combats(rng, state)
    if not state.queue:
        return
    attacker, target = state.queue[0]
    group = [seat for seat in (attacker, target) if state.knights[seat].is_inspired]
    if group:
        state.actor = rng.choice(group)
        if state.actor == target and attacker in group:
            state.inspired["ia"] = rng.choice("yn")


def draw(rng: random.Random, state: State) -> None:
    """Let the pile be drawn from (R9.5)."""
    add_combats(rng, state)
    for item, seat in zip(("ia", "id"), state.queue[0] if state.queue else (), strict=False):
        answer = "n" if state.knights[seat].is_inspired else rng.choice(["y", ""])
        state.inspired |= {item: answer} if answer else {}


def end(rng: random.Random, state: State) -> None:
    """Let one or nobody stand, or several at the turn limit (R11)."""
    number = rng.choice([0, 1, len(state.knights)])
    fallen = rng.sample(list(state.seats()), rng.randint(2, len(state.seats())))
    state.knights = dict(list(state.knights.items())[:number])
    if number > 1:
        state.slot, state.turn = NUM_SLOTS, state.options.turn_limit
    winners = list(state.knights) or fallen
    share = Fraction(1, len(winners))
    state.shares = [share if seat in winners else Fraction(0) for seat in state.seats()]


STAGES: dict[str, Callable[[random.Random, State], None]] = {
    "clan": choose_clans,
    "place": place,
    "step": step,
    "claim": claim,
    "target": target,
    "order": order,
    "inspire": inspire,
    "draw": draw,
    "end": end,
}
STAGE_CHOICES = [*STAGES, "step", "claim", "target", "order", "order", "inspire", "draw"]
