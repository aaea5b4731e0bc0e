"""The sense of a position of A Knight's Duty: what makes it valid (R13.6, R13.7)."""

from __future__ import annotations

from fractions import Fraction

from .knights_duty_moves import (
    claimants,
    in_range,
    pile,
    possible_steps,
    sharing,
)
from .knights_duty_state import (
    LOCKED,
    NOBODY,
    NUM_SLOTS,
    SUPPLY,
    TOKENS,
    UNFILLED,
    Knight,
    State,
    refuse,
)

PROGRAMMING = ("clan", "place")
COMBAT = ("inspire", "draw")
ATTACKING = ("target", "order", *COMBAT)
ITEMS = {  # R13.3, R13.6e: the kinds of item that each stage may have
    "clan": "",
    "place": "",
    "step": "m",
    "claim": "mc",
    "target": "a",
    "order": "ao",
    "inspire": "qwi",
    "draw": "qwi",
    "end": "r",
}


def check_validity(state: State) -> None:
    """Refuse what R13.6 forbids, except a line that is not canonical."""
    check_numbers(state)
    check_places(state)
    check_trackers(state)
    for seat in state.knights:
        check_heart(state, seat)
    check_kinds_of_items(state)
    if state.stage == "end":
        check_end(state)
        return
    if len(state.knights) < 2:
        refuse("players", "R13.6h", f"{len(state.knights)} left, but the game is not over")
    check_actor(state)
    match state.stage:
        case "place":
            check_programming(state)
        case "step":
            check_steps(state)
        case "claim":
            check_claims(state)
        case "target":
            check_attackers(state)
            check_targets(state)
        case "order":
            check_attackers(state)
            check_orders(state)
        case "inspire" | "draw":
            check_attackers(state)
            check_queue(state)
            check_inspirations(state)


# (a) to (d) and (h)


def check_numbers(state: State) -> None:
    """R13.6a: turn, slot and stage."""
    if not 1 <= state.turn <= state.options.turn_limit:
        refuse("turn", "R13.6a", f"{state.turn} is not 1 to {state.options.turn_limit}")
    if (state.slot == 0) != (state.stage in PROGRAMMING):
        refuse("stage", "R13.6a", f"there is no {state.stage} in slot {state.slot}")


def check_places(state: State) -> None:
    """R13.6b."""
    if state.stage == "clan":
        check_clans(state)
        return
    cells = [knight.cell for knight in state.knights.values()]
    for cell in cells:
        if cell is None or not state.options.has_cell(cell):
            refuse("players", "R13.6b", f"there is no space {cell}")
    if len(set(cells)) < len(cells):
        refuse("players", "R13.6b", "two Knights on one space")


def check_clans(state: State) -> None:
    """R13.6b: the stage before turn 1."""
    if state.options.clans != "choose" or state.turn != 1:
        refuse("stage", "R13.6b", "clans are chosen only with clans=choose, in turn 1")
    if len(state.knights) < state.options.players:
        refuse("players", "R13.6b", "a seat is out")
    chosen = [knight.cell for seat, knight in state.knights.items() if seat < state.actor]
    if any(cell not in state.options.corners() for cell in chosen):
        refuse("players", "R13.6b", "a seat before the actor is in no corner")
    if len(set(chosen)) < len(chosen):
        refuse("players", "R13.6b", "two Knights in one corner")
    for seat, knight in state.knights.items():
        if knight != Knight(knight.cell if seat < state.actor else None):
            refuse("players", "R13.6b", f"p{seat} is not as at the setup")


def check_trackers(state: State) -> None:
    """R13.6c, but for how far programming has come."""
    for seat, knight in state.knights.items():
        if any(knight.tracker.count(letter) > SUPPLY[letter] for letter in SUPPLY):
            refuse("players", "R13.6c", f"p{seat} has not so many tokens")
        if TOKENS["empty"] in knight.tracker and state.options.empty_slots == "off":
            refuse("players", "R13.6c", f"p{seat} has left a slot empty")
        if UNFILLED in knight.tracker and state.stage not in PROGRAMMING:
            refuse("players", "R13.6c", f"p{seat} has not programmed")


def check_heart(state: State, seat: int) -> None:
    """R13.6d."""
    heart, tracker = state.knights[seat].heart, state.knights[seat].tracker
    is_locked = tracker.endswith(LOCKED)
    if LOCKED in tracker[:-1] or (is_locked and heart == "F"):
        refuse("players", "R13.6d", f"p{seat} has a slot locked that cannot be")
    if heart == "X" and state.stage not in ATTACKING:
        refuse("players", "R13.6d", f"p{seat} is defeated before or after the attacks")
    # A Heart that broke in slot 3 locks nothing in this turn (R4.9).
    is_fresh = state.slot == NUM_SLOTS and state.stage not in ("step", "claim")
    if heart != "F" and not is_locked and not is_fresh:
        refuse("players", "R13.6d", f"slot 3 of p{seat} is not locked")


def check_end(state: State) -> None:
    """R13.6h: the shares follow from who stands (R11.2 to R11.4)."""
    standing = list(state.knights)
    if state.actor != NOBODY:
        refuse("actor", "R13.6g", "nobody is asked at the end")
    if len(state.shares) != state.options.players:
        refuse("work", "R13.6h", f"{len(state.shares)} shares")
    winners = standing or [seat for seat in state.seats() if state.shares[seat - 1] > 0]
    if not standing and len(winners) < 2:
        refuse("work", "R13.6h", "the last to fall are at least two")
    is_limit = state.slot == NUM_SLOTS and state.turn == state.options.turn_limit
    if len(standing) > 1 and not is_limit:
        refuse("players", "R13.6h", "several stand before the turn limit")
    share = Fraction(1, len(winners))
    if state.shares != [share if seat in winners else 0 for seat in state.seats()]:
        refuse("work", "R13.6h", "the shares do not follow from who stands")


def check_programming(state: State) -> None:
    """R13.6c: stage place."""
    for seat, knight in state.knights.items():
        slots = knight.tracker.removesuffix(LOCKED)
        if seat < state.actor:
            is_right = UNFILLED not in slots
        elif seat > state.actor:
            is_right = set(slots) == {UNFILLED}
        else:
            is_right = slots.endswith(UNFILLED) and UNFILLED not in slots.rstrip(UNFILLED)
        if not is_right:
            refuse("players", "R13.6c", f"p{seat} is not so far at this node")


# (e) to (g)


def check_kinds_of_items(state: State) -> None:
    """R13.6e: the items are those of the stage."""
    kinds = {item[0] for item in state.items(None)}
    wrong = sorted(kinds - set(ITEMS[state.stage]))
    if wrong:
        refuse("work", "R13.6e", f"{', '.join(wrong)} in stage {state.stage}")


def check_actor(state: State) -> None:
    """R13.6g; whether it belongs to the group is checked with the items."""
    if state.stage == "draw":
        if state.actor != NOBODY:
            refuse("actor", "R13.6g", "chance draws")
    elif state.actor not in state.knights:
        refuse("actor", "R13.6g", "who is asked is standing")


def check_group(state: State, name: str, group: list[int], asked: list[int]) -> None:
    """Check that the actor is in its group, and that those before it have chosen."""
    if state.actor not in group:
        refuse("actor", "R13.6g", f"p{state.actor} is not asked for a {name}")
    if sorted(asked) != [seat for seat in group if seat < state.actor]:
        refuse("work", "R13.6e", f"not exactly those before p{state.actor} have a {name}")


def check_step_values(state: State) -> None:
    """R13.6f; only after the seats are known to be movers."""
    for seat, step in state.steps.items():
        if step not in possible_steps(state, seat):
            refuse("work", "R13.6f", f"p{seat} cannot step {step}")


def check_steps(state: State) -> None:
    """Stage step."""
    check_group(state, "step", state.movers(), list(state.steps))
    check_step_values(state)


def check_claims(state: State) -> None:
    """Stage claim; with `agreements=off` nobody is a claimant."""
    if sorted(state.steps) != state.movers():
        refuse("work", "R13.6e", "not exactly the movers have a step")
    check_step_values(state)
    check_group(state, "claim", claimants(state), list(state.claims))


def check_attackers(state: State) -> None:
    """R13.6f: attackers and targets, whatever the stage."""
    attacks = [*state.targets.items(), *state.queue]
    attackers = [seat for seat, _ in attacks] + state.pending + state.waiting
    if len(set(attackers)) < len(attackers):
        refuse("work", "R13.6f", "an attacker occurs twice")
    for seat in attackers:
        if seat not in state.knights or not state.is_attack(seat):
            refuse("work", "R13.6f", f"p{seat} is not an attacker")
        if not in_range(state, seat):
            refuse("work", "R13.6f", f"p{seat} has nobody in range")
    for seat, target in attacks:
        if target != NOBODY and target not in in_range(state, seat):
            refuse("work", "R13.6f", f"p{target} is not in range of p{seat}")


def check_targets(state: State) -> None:
    """Stage target."""
    group = sorted([*state.targets, *state.pending])
    check_group(state, "target", group, list(state.targets))


def check_orders(state: State) -> None:
    """Stage order."""
    if state.options.agreements == "off":
        refuse("stage", "R13.6f", "the order is not asked with agreements=off")
    if state.pending or NOBODY in state.targets.values():
        refuse("work", "R13.6e", "an attacker has no target")
    check_group(state, "order", sharing(state), list(state.orders))


def check_queue(state: State) -> None:
    """R13.6e and f: the attacks of stages inspire and draw."""
    if not state.queue:
        refuse("work", "R13.6e", "no attack")
    attackers = [seat for seat, _ in state.queue]
    targets = {target for _, target in state.queue}
    if len(targets) < len(attackers):
        refuse("work", "R13.6f", "two attacks on one target")
    if attackers != [seat for seat in state.initiative() if seat in attackers]:
        refuse("work", "R13.6f", "the attacks are not in initiative order")


def check_inspirations(state: State) -> None:
    """R13.7."""
    attacker, target = state.queue[0]
    if state.stage == "draw":
        check_answer(state, attacker, "ia")
        check_answer(state, target, "id")
        hearts, _ = pile(state)
        if hearts == 0:
            refuse("stage", "R13.6g", "no draw without a heart in the pile")
        return
    group = [seat for seat in (attacker, target) if state.knights[seat].is_inspired]
    if state.actor not in group:
        refuse("actor", "R13.6g", f"p{state.actor} is not asked for an inspiration")
    answered = ["ia"] if state.actor == target and attacker in group else []
    if list(state.inspired) != answered:
        refuse("work", "R13.7", f"not exactly those before p{state.actor} have answered")


def check_answer(state: State, seat: int, item: str) -> None:
    """R13.7: stage draw."""
    possible = ["n"] if state.knights[seat].is_inspired else ["y", None]
    if state.inspired.get(item) not in possible:
        refuse("work", "R13.7", f"{item} does not fit the Inspiration of p{seat}")
