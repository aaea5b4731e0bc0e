"""What moves and outcomes do in A Knight's Duty: the machine of section 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from .knights_duty_moves import (
    attackers_of,
    claimants,
    in_range,
    lowest_unfilled,
    pile,
    sharing,
    successful_moves,
)
from .knights_duty_state import (
    AUTO_CLANS,
    HIGH_GROUND,
    LOCKED,
    NOBODY,
    NUM_SLOTS,
    TOKENS,
    UNFILLED,
    WEAPONS,
    Knight,
    Options,
    State,
)


def new_state(options: Options) -> State:
    """Set up a game (R3)."""
    seats = range(1, options.players + 1)
    knights = {seat: Knight() for seat in seats}
    state = State(options, turn=1, slot=0, stage="clan", actor=1, knights=knights)
    if options.clans == "auto":
        for seat, corner in zip(seats, AUTO_CLANS[options.arena][options.players], strict=True):
            take_corner(state, seat, corner)
        begin_turn(state)
    return state


def play_token(state: State, token: str) -> None:
    """Change the state by a move or outcome that is possible."""
    verb, _, argument = token.partition(":")
    seat = state.actor
    match verb:
        case "clan":
            choose_clan(state, int(argument.removeprefix("c")))
        case "place":
            place_token(state, TOKENS[argument])
        case "step":
            state.steps[seat] = argument
            ask_steps(state)
        case "claim":
            state.claims[seat] = argument[0]
            ask_claims(state)
        case "target":
            state.pending.remove(seat)
            state.targets[seat] = NOBODY if argument == "none" else int(argument.removeprefix("p"))
            ask_targets(state)
        case "order":
            state.orders[seat] = argument[0]
            ask_orders(state)
        case "inspire":
            attacker, _ = state.queue[0]
            state.inspired["ia" if seat == attacker else "id"] = argument[0]
            ask_inspirations(state)
        case "draw":
            end_combat(state, is_hit=argument == "heart")


def change(state: State, seat: int, **changes: object) -> None:
    """Change what belongs to a Knight."""
    state.knights[seat] = replace(state.knights[seat], **changes)  # type: ignore[arg-type]


# Setup and programming (R3, R4)


def take_corner(state: State, seat: int, corner: int) -> None:
    """Put a Knight into its corner."""
    change(state, seat, cell=state.options.corners()[corner])


def choose_clan(state: State, corner: int) -> None:
    """R3.2."""
    take_corner(state, state.actor, corner)
    if state.actor == state.options.players:
        begin_turn(state)
    else:
        state.ask("clan", state.actor + 1)


def begin_turn(state: State) -> None:
    """Take the tokens back and begin programming (R4.3, R4.7, R10.4)."""
    state.slot = 0
    for seat, knight in state.knights.items():
        change(state, seat, tracker=UNFILLED * NUM_SLOTS)
        if knight.heart == "B":
            lock(state, seat)
        if knight.cell == HIGH_GROUND:
            change(state, seat, is_inspired=True)
    state.ask("place", min(state.knights))


def lock(state: State, seat: int) -> None:
    """Lock slot 3; a token there goes back to its owner (R4.3, R4.8)."""
    state.knights[seat] = state.knights[seat].with_token(NUM_SLOTS, LOCKED)


def place_token(state: State, letter: str) -> None:
    """R4.4."""
    slot = lowest_unfilled(state, state.actor)
    assert slot is not None
    state.knights[state.actor] = state.knights[state.actor].with_token(slot, letter)
    unfinished = [seat for seat in state.knights if lowest_unfilled(state, seat)]
    if unfinished:
        state.ask("place", unfinished[0])
    else:
        begin_slot(state, 1)


# Slots and movement (R5, R6)


def begin_slot(state: State, slot: int) -> None:
    """Reveal a slot (R5.1)."""
    state.slot = slot
    ask_steps(state)


def ask_steps(state: State) -> None:
    """Ask the next mover (R6.1)."""
    left = [seat for seat in state.movers() if seat not in state.steps]
    if left:
        state.ask("step", left[0])
    else:
        ask_claims(state)


def ask_claims(state: State) -> None:
    """Ask the next contender, or move (R6.4)."""
    left = [seat for seat in claimants(state) if seat not in state.claims]
    if left:
        state.ask("claim", left[0])
        return
    for seat, cell in successful_moves(state).items():
        change(state, seat, cell=cell)
        if cell == HIGH_GROUND:
            change(state, seat, is_inspired=True)  # R10.3
    state.steps.clear()
    state.claims.clear()
    begin_attacks(state)


# Equipment and attacks (R7, R8)


def begin_attacks(state: State) -> None:
    """Swap equipment, and let the attackers declare (R7.1, R7.2, R8.2)."""
    attackers = [seat for seat in state.knights if state.is_attack(seat)]
    for seat in state.knights:
        if state.revealed(seat) in WEAPONS:
            change(state, seat, weapon=state.revealed(seat))
    state.pending = [seat for seat in attackers if in_range(state, seat)]
    ask_targets(state)


def ask_targets(state: State) -> None:
    """Ask the next pending attacker (R8.3)."""
    if state.pending:
        state.ask("target", state.pending[0])
        return
    state.targets = {seat: target for seat, target in state.targets.items() if target != NOBODY}
    ask_orders(state)


def ask_orders(state: State) -> None:
    """Ask the next attacker that shares its target, or begin the combats (R8.5, R8.7)."""
    left = [seat for seat in sharing(state) if seat not in state.orders]
    if left and state.options.agreements == "on":
        state.ask("order", left[0])
        return
    going = [first_attacker(state, target) for target in set(state.targets.values())]
    state.queue = [(seat, state.targets[seat]) for seat in state.initiative() if seat in going]
    state.waiting = sorted(set(state.targets) - set(going))
    state.targets.clear()
    state.orders.clear()
    begin_combat(state)


def first_attacker(state: State, target: int) -> int:
    """Give the attacker that a target's attack goes to (R8.4, R8.6)."""
    attackers = attackers_of(state, target)
    eager = [seat for seat in attackers if state.orders.get(seat) == "f"]
    return next(seat for seat in state.initiative() if seat in (eager or attackers))


# Combat (R9)


def begin_combat(state: State) -> None:
    """Begin the first combat of the queue, else the next round, else end the slot (R8.8)."""
    if state.queue:
        ask_inspirations(state)
    elif state.waiting:
        state.pending, state.waiting = state.waiting, []
        ask_targets(state)
    else:
        end_slot(state)


def ask_inspirations(state: State) -> None:
    """Ask attacker and target if they can, then turn the tokens and build the pile (R9.3)."""
    sides = list(zip(("ia", "id"), state.queue[0], strict=True))
    for item, seat in sides:
        if state.knights[seat].is_inspired and item not in state.inspired:
            state.ask("inspire", seat)
            return
    for item, seat in sides:
        if state.inspired.get(item) == "y":
            change(state, seat, is_inspired=False)
    hearts, _ = pile(state)
    if hearts == 0:
        end_combat(state, is_hit=False)
    else:
        state.ask("draw", NOBODY)


def end_combat(state: State, *, is_hit: bool) -> None:
    """Let the target be hit or missed (R9.7, R9.8)."""
    attacker, target = state.queue.pop(0)
    state.inspired.clear()
    if is_hit:
        hit(state, target)
    elif state.revealed(target) == TOKENS["parry"]:
        change(state, attacker, weapon="n")
    begin_combat(state)


def hit(state: State, seat: int) -> None:
    """Turn the Heart of a Knight that is hit (R4.8, R4.9, R8.9, R9.8)."""
    if state.knights[seat].heart == "F":
        change(state, seat, heart="B")
        if state.slot < NUM_SLOTS:
            lock(state, seat)
    else:
        change(state, seat, heart="X")


# The end of slots, turns and the game (R11)


def end_slot(state: State) -> None:
    """Remove the defeated, and go on if two or more stand (R11.1 to R11.4)."""
    fallen = [seat for seat, knight in state.knights.items() if knight.heart == "X"]
    for seat in fallen:
        del state.knights[seat]
    if len(state.knights) < 2:
        end_game(state, list(state.knights) or fallen)
    elif state.slot < NUM_SLOTS:
        begin_slot(state, state.slot + 1)
    elif state.turn == state.options.turn_limit:
        end_game(state, list(state.knights))
    else:
        state.turn += 1
        begin_turn(state)


def end_game(state: State, winners: Sequence[int]) -> None:
    """Share the win equally."""
    share = Fraction(1, len(winners))
    state.shares = [share if seat in winners else Fraction(0) for seat in state.seats()]
    state.ask("end", NOBODY)
