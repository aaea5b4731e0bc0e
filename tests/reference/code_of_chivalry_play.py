"""What moves and outcomes of Code of Chivalry do (sections 4 to 9).

The functions that change a state follow the reference procedures of section 5.8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from .code_of_chivalry_cards import STRENGTHS, Cards, Play, read_play
from .code_of_chivalry_moves import castle_rivals, is_left_out, tax_moves
from .code_of_chivalry_state import (
    HAND_DEALT,
    Attack,
    Choose,
    Deal,
    Draw,
    Fortify,
    Give,
    Knowledge,
    Main,
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

DRAWS = 2  # R3.2
RAID_GEMS = 2  # what a ninja or a dragon takes (R4.7, R4.8)


# Beginning


def new_state(options: Options) -> State:
    """Set up a game before the deal (R2)."""
    first = int(options.first_player[1:])
    return State(
        options=options,
        turn=0,
        active=first,
        reshuffles=0,
        players=[Player(options.start_gems) for _ in range(options.players)],
        draw_pile=options.deck(),
        discard_pile=Counter(),
        node=Deal(first, HAND_DEALT),
        known=Knowledge(options.players),
        own={seat + 1: Counter() for seat in range(options.players)},
    )


# Moves and outcomes: each function changes the state


def play_token(state: State, token: str) -> None:
    """Make a legal move, or let a possible outcome happen."""
    verb, *arguments = token.split(":")
    argument = arguments[-1] if arguments else ""
    match state.node:
        case Deal():
            deal_card(state, state.node, argument)
        case Draw(left):
            draw_card(state, argument)
            draw_next(state, left - 1)
        case Main() | Fortify() | Attack():
            take_turn(state, verb, arguments)
        case Respond():
            respond(state, state.node, verb, argument)
        case Rob():
            rob(state, state.node, verb, argument)
        case Show(asked, picks):
            ask_to_show(state, {**picks, asked: argument})
        case Choose(picks):
            choose(state, picks, int(argument[1:]))
        case Take(seller, left):
            hand_over(state, seller, argument)
            take_next(state, seller, left - 1)
        case Tax(seat):
            pay_tax(state, seat, argument)
        case Give(seat, left):
            hand_over(state, seat, argument)
            give_next(state, seat, left - 1)


def take_turn(state: State, verb: str, arguments: list[str]) -> None:
    """Do what the active player chose at MAIN, FORTIFY or ATTACK."""
    match verb, arguments:
        case "attack", [target, play]:
            attack(state, int(target[1:]), read_play(play))
        case "fortify", [play]:
            fortify(state, read_play(play))
        case "special", [play, *seller]:
            special(state, read_play(play), seller)
        case "discard", [card]:  # R3.4
            discard_from_hand(state, state.active, Counter([card]))
            end_turn(state)
        case _:
            end_turn(state)


def leave_hand(state: State, seat: int, cards: Cards) -> None:
    """Take cards that all see out of a hand."""
    state.player(seat).hand -= cards
    state.known.lose(seat, cards)


def discard_from_hand(state: State, seat: int, cards: Cards) -> None:
    """Put cards of a hand onto the discard pile."""
    leave_hand(state, seat, cards)
    state.discard_pile += cards


def destroy(state: State, owner: int, role: str) -> None:
    """Discard a fortification, if it is there, as its physical card (R8.2)."""
    card = state.player(owner).fortifications.pop(role, None)
    if card is not None:
        state.discard_pile[card] += 1


# The turn


def deal_card(state: State, node: Deal, card: str) -> None:
    """R2.2."""
    state.draw_pile -= Counter([card])
    state.player(node.seat).hand[card] += 1
    next_seat = state.left_of(node.seat)
    if node.left > 1:
        state.node = Deal(node.seat, node.left - 1)
    elif next_seat != state.active:
        state.node = Deal(next_seat, HAND_DEALT)
    else:
        begin_turn(state)


def begin_turn(state: State) -> None:
    """R3.1, R3.2."""
    state.turn += 1
    destroy(state, state.active, "minstrel")
    draw_next(state, 1 if state.turn == 1 else DRAWS)


def draw_next(state: State, left: int) -> None:
    """Go on when `left` cards are still to be drawn (R9.2, R9.3)."""
    if left and not state.draw_pile.total():
        if state.discard_pile.total():
            reshuffle(state)
        else:
            left = 0
    if left:
        state.node = Draw(left)
    elif state.me().hand.total():
        state.node = Main()
    else:
        end_turn(state)  # R3.5


def reshuffle(state: State) -> None:
    """R9.2, R11.3."""
    state.draw_pile, state.discard_pile = state.discard_pile, Counter()
    state.reshuffles += 1
    state.base = Counter(state.draw_pile)
    state.own = {seat: Counter() for seat in state.seats()}


def draw_card(state: State, card: str) -> None:
    """Draw one card; from the first reshuffle on, remember it (R11.3)."""
    state.draw_pile -= Counter([card])
    state.me().hand[card] += 1
    if state.base is not None:
        state.own[state.active][card] += 1


def end_turn(state: State) -> None:
    """R3.7, R9.6."""
    discard_ladder(state)
    if state.turn == state.options.turn_limit:
        state.node = Over("limit", state.richest())
        return
    state.active = state.left_of(state.active)
    begin_turn(state)


def discard_ladder(state: State) -> None:
    """Discard the ladder on the table, if there is one."""
    if state.ladder:
        state.discard_pile[state.ladder] += 1
        state.ladder = ""


def fortify(state: State, play: Play) -> None:
    """R3.6."""
    leave_hand(state, state.active, play.cards)
    state.me().fortifications[play.role] = play.card()
    state.node = Fortify()
    if is_left_out(state):
        end_turn(state)


# Attack and response


def attack(state: State, target: int, play: Play) -> None:
    """R4."""
    leave_hand(state, state.active, play.cards)
    if play.role == "ladder":  # R4.4
        state.ladder = play.card()
        continue_attack(state, target)
    elif play.role == "catapult":  # R4.5
        state.discard_pile += play.cards
        destroy(state, target, "castle")
        destroy(state, target, "archer")
        continue_attack(state, target)
    else:
        ask_to_respond(state, Respond(target, play, victim=target))


def continue_attack(state: State, target: int) -> None:
    """R4.9: nothing has moved."""
    state.node = Attack(target)
    if is_left_out(state):
        end_turn(state)


def ask_to_respond(state: State, node: Respond) -> None:
    """R5.1."""
    state.node = node
    if is_left_out(state):
        resolve(state, node, 0)


def respond(state: State, node: Respond, verb: str, token: str) -> None:
    """R5.3 to R5.8."""
    if verb == "pass":
        resolve(state, node, 0)
        return
    play = read_play(token)
    if play.role == "minstrel":  # R5.7
        leave_hand(state, node.victim, play.cards)
        state.player(node.victim).fortifications["minstrel"] = play.card()
        stop_attack(state, node)
        return
    discard_from_hand(state, node.victim, play.cards)
    if play.role == "traitor":  # R5.4
        ask_to_respond(state, replace(node, victim=beneficiary(state, node)))
    elif play.role == "princess":  # R5.5
        stolen = node.attack.card()
        state.player(node.victim).hand[stolen] += 1
        state.known.gain(node.victim, stolen)
        continue_attack(state, node.target)
    elif play.role == "executioner":  # R5.6
        stop_attack(state, node)
    else:
        resolve(state, node, play.strength())


def beneficiary(state: State, node: Respond) -> int:
    """Give the other side of the attack (section 1)."""
    return state.active if node.victim == node.target else node.target


def stop_attack(state: State, node: Respond) -> None:
    """Discard the attack card without effect; only a rival ends the turn so (R5.6, D28)."""
    state.discard_pile += node.attack.cards
    if node.victim == state.active:
        continue_attack(state, node.target)
    else:
        end_turn(state)


def resolve(state: State, node: Respond, response_strength: int) -> None:
    """Let the attack card take effect (R4.6 to R4.9, R5.9)."""
    state.discard_pile += node.attack.cards
    role = node.attack.role
    gems = state.player(node.victim).gems
    if role == "archer":
        destroy(state, node.victim, "archer")
        continue_attack(state, node.target)
        return
    if role in ("ninja", "dragon"):
        destroy(state, node.victim, "archer" if role == "ninja" else "castle")
        amount = min(RAID_GEMS, gems)
    else:
        amount = min(max(0, node.attack.strength() - response_strength), gems)  # D26
    receiver = beneficiary(state, node)
    if amount == 0:
        continue_attack(state, node.target)
    elif role in STRENGTHS:
        ask_robbers(state, node.victim, receiver, amount, last=receiver)
    elif not move_gems(state, node.victim, receiver, amount):  # R6.1: nobody robs these
        end_turn(state)


# Gems


def ask_robbers(state: State, source: int, receiver: int, amount: int, last: int) -> None:
    """Ask the seats from the left of `last` to the right of the receiver (R6.2)."""
    for seat in state.seats_between(last, receiver):
        state.node = Rob(source, receiver, amount, seat)
        if not is_left_out(state):
            return
    if not move_gems(state, source, receiver, amount):  # R6.4
        end_turn(state)


def rob(state: State, node: Rob, verb: str, token: str) -> None:
    """R6.2, R6.3."""
    receiver = node.receiver
    if verb == "rob":
        discard_from_hand(state, node.asked, read_play(token).cards)
        receiver = node.asked
    ask_robbers(state, node.source, receiver, node.amount, last=node.asked)


def move_gems(state: State, source: int, receiver: int, amount: int) -> bool:
    """Move gems; returns whether the receiver has won, and the game is over (R9.4)."""
    state.player(source).gems -= amount
    state.player(receiver).gems += amount
    if state.player(receiver).gems < state.target():
        return False
    discard_ladder(state)
    state.node = Over("gems", (receiver,))
    return True


# Special actions


def special(state: State, play: Play, seller: list[str]) -> None:
    """R7.1."""
    discard_from_hand(state, state.active, play.cards)
    if play.role == "herald":
        ask_to_show(state, {})
    elif play.role == "monk":
        tax_next(state, last=state.active)
    else:
        buy(state, int(seller[0][1:]))


def ask_to_show(state: State, picks: Mapping[int, str]) -> None:
    """Ask the next rival for a card; after the last one turn all of them up (R7.2)."""
    for seat in state.rivals():
        if seat not in picks and state.player(seat).hand.total():
            state.node = Show(seat, picks)
            return
    for seat, card in picks.items():
        state.known.show(seat, card)
    state.node = Choose(picks)


def choose(state: State, picks: Mapping[int, str], seat: int) -> None:
    """R7.2."""
    card = picks[seat]
    leave_hand(state, seat, Counter([card]))
    state.me().hand[card] += 1
    state.known.gain(state.active, card)
    end_turn(state)


def buy(state: State, seller: int) -> None:
    """R7.3."""
    if not move_gems(state, state.active, seller, 1):
        take_next(state, seller, state.player(seller).hand.total() // 2)


def take_next(state: State, seller: int, left: int) -> None:
    """Go on when `left` cards are still to be taken."""
    if left:
        state.node = Take(seller, left)
    else:
        end_turn(state)


def hand_over(state: State, giver: int, card: str) -> None:
    """Move a card from a hand to the active player's, unseen by the others (R11.2)."""
    state.player(giver).hand -= Counter([card])
    state.me().hand[card] += 1
    state.known.move_unseen(giver, state.active, card)


def tax_next(state: State, last: int) -> None:
    """Tax the next rival with a castle after `last` (R7.4)."""
    remaining = state.seats_between(last, state.active)
    for seat in castle_rivals(state):
        if seat not in remaining:
            continue
        if tax_moves(state.player(seat)):
            state.node = Tax(seat)
            return
        for card in list(state.player(seat).hand.elements()):  # one at most
            hand_over(state, seat, card)
    end_turn(state)


def pay_tax(state: State, seat: int, tax: str) -> None:
    """R7.4."""
    if tax == "cards":
        give_next(state, seat, 2)
    elif not move_gems(state, seat, state.active, 1):
        tax_next(state, last=seat)


def give_next(state: State, seat: int, left: int) -> None:
    """Go on when `left` cards are still to be given."""
    if left:
        state.node = Give(seat, left)
    else:
        tax_next(state, last=seat)
