"""Validity of Kingdom Coinquest positions and observations: R12.4 and R12.6 on parsed views."""

from typing import Any

from kingmaker.cext.errors import InputError

from .cards import load_text

View = dict[str, Any]

PHASES = ("king", "draw", "deal", "play", "strike", "discard")
NODES = {f"{phase}:p{seat}": (phase, seat) for phase in PHASES for seat in range(1, 5)}
PARTS = ("hand", "salvage", "quartermaster", "knight", "peasant", "queen")
UNITS = ("quartermaster", "knight", "peasant")
SHOWN_CHARACTERS = 60  # of a wrong value in a message; lines may be of any length


def refusal(field: str, value: str, rule: str, wanted: str) -> InputError:
    """Return the error that says what would have been right."""
    shown = value if len(value) <= SHOWN_CHARACTERS else value[:SHOWN_CHARACTERS] + "..."
    return InputError(f"{wanted}; got {shown!a}", field=field, value=shown, rule=rule)


def check_old_pools(view: View, text: str, where: str) -> None:
    """As many cards in each old pool as hidden places of its epoch (R12.6)."""
    places: dict[int, int] = {}
    for player in view["players"]:
        for card in player["hand"]:
            if card["card"] == "?" and card["epoch"] != view["epoch"]:
                places[card["epoch"]] = places.get(card["epoch"], 0) + 1
    if places != {pool["epoch"]: len(pool["cards"]) for pool in view["old_pools"]}:
        wanted = ", ".join(f"{places[epoch]} of epoch {epoch}" for epoch in sorted(places))
        raise refusal(
            where,
            text,
            "R12.6",
            f"the old pools name as many cards as the hands have ?~<epoch>: {wanted or 'none'}",
        )


def check_cards(view: View, kind: str) -> None:
    """No card twice, and the forge is all the others (R12.4c, R12.6)."""
    written = [("grave", card) for card in view["grave"]]
    num_hidden = 0
    for seat, player in enumerate(view["players"], 1):
        for card in player["hand"]:
            if card["card"] != "?":
                written.append((f"p{seat}.hand", card["card"]))
            elif card["epoch"] == view["epoch"]:
                num_hidden += 1
        written += [(f"p{seat}.salvage", card) for card in player["salvage"]]
        for slot in (*UNITS, "queen"):
            load = player[slot]
            if load["lead"]:
                written.append((f"p{seat}.{slot}", load["lead"]))
            if load["partner"]:
                written.append((f"p{seat}.{slot}", load["partner"]))
    for pool in view.get("old_pools", []):
        written += [("old", card) for card in pool["cards"]]
    seen: set[str] = set()
    for place, card in written:
        if card in seen:
            raise refusal(
                f"{kind}.{place}",
                card,
                "R12.6" if place == "old" else "R12.4c",
                "every card is written at most once",
            )
        seen.add(card)
    left = 48 - len(written) - num_hidden
    if view["forge"] != left:
        raise refusal(
            f"{kind}.forge",
            str(view["forge"]),
            "R12.4c" if kind == "position" else "R12.6",
            f"{max(left, 0)} of the 48 cards are left for the forge",
        )


def check_players(view: View, kind: str) -> None:
    """Suits (R12.4d), loads (R12.4e, R12.4f) and the eliminated (R12.4g)."""
    suits: set[str] = set()
    for seat, player in enumerate(view["players"], 1):
        where = f"{kind}.p{seat}"
        if player["suit"] in suits:
            raise refusal(
                f"{where}.suit", player["suit"], "R12.4d", "every player has another suit"
            )
        if player["suit"]:
            suits.add(player["suit"])
        elif not view["node"].startswith("king"):
            raise refusal(
                f"{where}.suit", "_", "R12.4d", "every suit is known once the kings are drawn"
            )
        _check_loads(player, where)
        if player["health"] == 0:
            _check_is_empty(player, where, "R12.4g", "an eliminated player has no cards left")


def _check_loads(player: View, where: str) -> None:
    jacks = 0
    for slot in (*UNITS, "queen"):
        lead, partner = player[slot]["lead"], player[slot]["partner"]
        if not lead:
            continue
        jacks += partner[:1] == "j"
        is_own = lead[1] == player["suit"]
        if partner:
            is_possible = not is_own and (partner[0] == "j" or partner[1] != player["suit"])
            wanted = "a pair is recruited from rival suits, with a jack or in one rank"
        else:
            is_possible = is_own or slot in ("knight", "peasant")
            wanted = "a single card here is of the player's own suit"
        if not is_possible:
            raise refusal(f"{where}.{slot}", load_text(player[slot]), "R12.4e", wanted)
    if jacks > 1:
        raise refusal(where, f"{jacks} jacks", "R12.4f", "a player has at most one jack in play")


def _check_is_empty(player: View, where: str, rule: str, wanted: str) -> None:
    for part in PARTS:
        content = player[part]
        if part in ("hand", "salvage"):
            if content:
                raise refusal(f"{where}.{part}", f"{len(content)} cards", rule, wanted)
        elif content["lead"]:
            raise refusal(f"{where}.{part}", load_text(content), rule, wanted)


def check_node(view: View, kind: str) -> None:
    """The node fits (R12.4 b, h, i)."""
    players, node = view["players"], view["node"]
    where = f"{kind}.node"
    num_living = sum(player["health"] > 0 for player in players)
    if node == "end":
        if num_living != 1 and (num_living == 0 or view["turn"] != view["turn_limit"]):
            raise refusal(
                where,
                node,
                "R12.4i",
                "the game ends with one living player, or at the turn limit with at least one",
            )
        return
    phase, seat = NODES[node]
    if seat > len(players) or players[seat - 1]["health"] == 0:
        raise refusal(where, node, "R12.4h", "the node is that of a living player")
    if num_living < 2:
        raise refusal(where, node, "R12.4h", "with fewer than two living players the node is end")
    for other, player in enumerate(players, 1):
        if other != seat and len(player["hand"]) == 3 and player["quartermaster"]["lead"]:
            raise refusal(
                f"{kind}.p{other}.hand",
                "3 cards",
                "R12.4h",
                "a player with a loaded quartermaster has at most 2 hand cards between his turns",
            )
    if phase == "king":
        _check_set_up(view, seat, kind)
        return
    _check_phase(view, phase, players[seat - 1], f"{kind}.p{seat}", kind)


def _check_set_up(view: View, seat: int, kind: str) -> None:
    for other, player in enumerate(view["players"], 1):
        where = f"{kind}.p{other}"
        if bool(player["suit"]) != (other < seat):
            raise refusal(
                f"{where}.suit",
                player["suit"] or "_",
                "R12.4i",
                f"at king:p{seat} exactly the seats before p{seat} have a suit",
            )
        if player["health"] == 0:
            raise refusal(
                f"{where}.health", "0", "R12.4i", "every king starts with 1 health or more"
            )
        _check_is_empty(player, where, "R12.4i", "there are no cards on the table at a king node")
    if view["grave"]:
        raise refusal(
            f"{kind}.grave",
            f"{len(view['grave'])} cards",
            "R12.4i",
            "there are no cards on the table at a king node",
        )


def _check_phase(view: View, phase: str, player: View, where: str, kind: str) -> None:
    hand = len(player["hand"])
    lowest, highest = {
        "draw": (0, 2),
        "deal": (0, 2),
        "play": (3, 3),
        "strike": (1, 2),
        "discard": (1, 3),
    }[phase]
    if not lowest <= hand <= highest:
        raise refusal(
            f"{where}.hand",
            f"{hand} cards",
            "R12.4i",
            f"at {phase} the hand has {lowest} to {highest} cards"
            if lowest != highest
            else f"at {phase} the hand has {lowest} cards",
        )
    if phase in ("draw", "deal") and len(view["grave"]) >= 2 and view["epoch"] == view["turn"]:
        raise refusal(
            f"{kind}.epoch",
            str(view["epoch"]),
            "R9.4",
            f"at {phase} with 2 or more cards in the graveyard the epoch is below the turn",
        )
    if phase == "deal" and view["forge"] == 0:
        raise refusal(f"{kind}.forge", "0", "R12.4i", "at deal the forge has a card to draw")
    if phase == "strike":
        if not view["ace_strike"]:
            raise refusal(
                f"{kind}.node", view["node"], "R12.4i", "strike needs the option ace_strike=1"
            )
        if not player["peasant"]["lead"] or player["peasant"]["partner"]:
            raise refusal(
                f"{where}.peasant",
                load_text(player["peasant"]),
                "R12.4i",
                "at strike the peasant holds the one card that was resurrected",
            )
