"""Legal moves and chances of Code of Chivalry, and which nodes are left out (R12.2, 7, 8)."""

from __future__ import annotations

from fractions import Fraction

from .code_of_chivalry_cards import (
    ATTACK_ROLES,
    FORTIFY_ROLES,
    SPECIAL_ROLES,
    STRENGTHS,
    in_order,
    plays,
)
from .code_of_chivalry_state import (
    Attack,
    Choose,
    Deal,
    Draw,
    Fortify,
    Give,
    Main,
    Options,
    Player,
    Respond,
    Rob,
    Show,
    State,
    Take,
    Tax,
)

# Who is asked, and for what


def asked_seat(state: State) -> int | None:
    """Give the seat that decides; None at the other nodes."""
    match state.node:
        case Main() | Fortify() | Attack() | Choose():
            return state.active
        case Respond(victim=seat) | Rob(asked=seat) | Show(asked=seat) | Tax(seat) | Give(seat):
            return seat
        case _:
            return None


def chance_outcomes(state: State) -> dict[str, Fraction]:
    """Give each outcome its probability, in card order (section 7)."""
    match state.node:
        case Deal():
            verb, cards = "deal", state.draw_pile
        case Draw():
            verb, cards = "draw", state.draw_pile
        case Take(seller):
            verb, cards = "take", state.player(seller).hand
        case _:
            return {}
    return {f"{verb}:{card}": Fraction(cards[card], cards.total()) for card in in_order(cards)}


def legal_moves(state: State) -> list[str]:
    """List the legal moves in canonical order (R12.2); empty unless a seat decides."""
    match state.node:
        case Main():
            attacks = [move for seat in sorted(state.rivals()) for move in attacks_on(state, seat)]
            discards = [f"discard:{card}" for card in in_order(state.me().hand)]  # R3.4
            return [*attacks, *fortify_moves(state), *special_moves(state), *discards]
        case Fortify():
            return [*fortify_moves(state), "end"]
        case Attack(target):
            return [*attacks_on(state, target), "end"]
        case Respond():
            return [*responses(state, state.node), "pass"]
        case Rob(asked=seat):
            robberies = plays(state.player(seat).hand, ["highwayman"])
            return [*(f"rob:{play.token()}" for play in robberies), "pass"]
        case Show(asked=seat):
            return [f"show:{card}" for card in in_order(state.player(seat).hand)]
        case Choose(picks):
            return [f"choose:p{seat}" for seat in sorted(picks)]
        case Tax(seat):
            return tax_moves(state.player(seat))
        case Give(seat):
            return [f"give:{card}" for card in in_order(state.player(seat).hand)]
        case _:
            return []


def attacks_on(state: State, target: int) -> list[str]:
    """List the attacks on a rival."""
    possible = plays(state.me().hand, attack_roles(state, target))
    return [f"attack:p{target}:{play.token()}" for play in possible]


def attack_roles(state: State, target: int) -> list[str]:
    """List the roles that a rival's fortifications allow (R4.2)."""
    face_up = state.player(target).fortifications
    if "minstrel" in face_up:
        return []
    castle, archer = "castle" in face_up, "archer" in face_up
    is_allowed = {
        **dict.fromkeys(STRENGTHS, not archer and (not castle or state.ladder != "")),
        "ninja": True,
        "dragon": not archer,
        "archer": archer,
        "ladder": castle and not archer and state.ladder == "",
        "catapult": castle,
    }
    return [role for role in ATTACK_ROLES if is_allowed[role]]


def fortify_moves(state: State) -> list[str]:
    """R3.6."""
    types = state.options.types()
    me = state.me()
    roles = [role for role in FORTIFY_ROLES if role in types and role not in me.fortifications]
    return [f"fortify:{play.token()}" for play in plays(me.hand, roles)]


def special_moves(state: State) -> list[str]:
    """List the special actions that have an effect (R7, D14)."""
    has_effect = {
        "herald": any(state.player(seat).hand.total() for seat in state.rivals()),  # R7.2
        "merchant": len(sellers(state)) > 0,  # R7.3
        "monk": len(castle_rivals(state)) > 0,  # R7.4
    }
    types = state.options.types()
    roles = [role for role in SPECIAL_ROLES if role in types and has_effect[role]]
    moves = []
    for play in plays(state.me().hand, roles):
        move = f"special:{play.token()}"
        if play.role == "merchant":
            moves += [f"{move}:p{seat}" for seat in sellers(state)]
        else:
            moves.append(move)
    return moves


def sellers(state: State) -> list[int]:
    """List the rivals that a merchant can visit (R7.3)."""
    if state.me().gems == 0:
        return []
    return [seat for seat in sorted(state.rivals()) if state.player(seat).hand.total() >= 2]


def castle_rivals(state: State) -> list[int]:
    """List the rivals with a castle, clockwise from the active player's left (R7.4)."""
    return [seat for seat in state.rivals() if "castle" in state.player(seat).fortifications]


def tax_moves(player: Player) -> list[str]:
    """R7.4."""
    moves = []
    if player.gems >= 1:
        moves.append("tax:gem")
    if player.hand.total() >= 2:
        moves.append("tax:cards")
    return moves


def response_roles(options: Options, attack_role: str) -> list[str]:
    """List the roles that answer an attack card (R5.1), of the types in the deck."""
    if attack_role in STRENGTHS:
        roles = [*STRENGTHS, "traitor", "executioner", "minstrel"]
    else:
        roles = ["executioner", "minstrel"]
    if attack_role in ("knight", "dragon"):
        roles.insert(roles.index("executioner"), "princess")  # the order of R12.2
    return [role for role in roles if role in options.types()]


def responses(state: State, node: Respond) -> list[str]:
    """List the responses of the victim, without `pass`."""
    victim = state.player(node.victim)
    roles = [
        role
        for role in response_roles(state.options, node.attack.role)
        if role != "minstrel" or "minstrel" not in victim.fortifications
    ]
    return [f"respond:{play.token()}" for play in plays(victim.hand, roles)]


# Asking without leaking (section 8)


def may_hold(state: State, seat: int, card: str) -> bool:
    """Tell whether a hand may hold a card, for all that everybody knows (R10.2)."""
    known = state.known.public(seat)
    if known[card] > 0:
        return True
    num_known = sum(state.known.public(holder)[card] for holder in state.seats())
    num_hidden = state.options.deck()[card] - state.open_cards()[card] - num_known
    return state.player(seat).hand.total() > known.total() and num_hidden > 0


def is_left_out(state: State) -> bool:
    """Tell whether the node just entered is left out (R10.3)."""
    if state.options.auto_pass == "off":
        return False
    if state.options.auto_pass == "private":
        return legal_moves(state) in (["pass"], ["end"])
    match state.node:
        case Respond(attack=attack, victim=seat):
            cards = [*response_roles(state.options, attack.role), "jester"]
            return not any(may_hold(state, seat, card) for card in cards)
        case Rob(asked=seat):
            return not any(may_hold(state, seat, card) for card in ("highwayman", "jester"))
        case Attack() | Fortify():
            return state.me().hand.total() == 0
        case _:
            return False
