"""Where a line has `?`: nowhere in a position; in an observation where R13.5 says, only there."""

from typing import Any

from kingmaker.cext.errors import InputError

from .names import CHOICES, HIDDEN, INSPIRATIONS, LOCKED, TOKENS, UNFILLED
from .refusals import refusal
from .work import choice_text, inspiration_text

View = dict[str, Any]

STAGE_OF_CHOICES = {"steps": "step", "claims": "claim", "targets": "target", "orders": "order"}
"""Until the end of this stage the choices of a list are hidden from other seats."""


def check_visibility(view: View, kind: str) -> None:
    """Refuse a `?` where the observer sees something, and a value where it sees none."""
    for seat, player in enumerate(view["players"], 1):
        for slot, token in enumerate(player["tracker"], 1):
            is_secret = slot > view["slot"] and token not in (UNFILLED, LOCKED)
            if (token == HIDDEN) != (is_secret and _is_hidden_from_observer(view, seat)):
                where = f"{kind}.p{seat}.tracker"
                raise _refuse(
                    view, where, TOKENS[token], f"slot {slot} of p{seat}", token == HIDDEN
                )
    for choices in CHOICES:
        for entry in view[choices]:
            is_secret = view["stage"] == STAGE_OF_CHOICES[choices] and entry["choice"] != ""
            is_hidden = is_secret and _is_hidden_from_observer(view, entry["seat"])
            if (entry["choice"] == HIDDEN) != is_hidden:
                item, name = choice_text(choices, entry), f"this choice of p{entry['seat']}"
                raise _refuse(view, f"{kind}.work", item, name, entry["choice"] == HIDDEN)
    for key in INSPIRATIONS:
        answer = view[key]
        if (answer == HIDDEN) != (answer != "" and _is_answer_hidden(view)):
            item = inspiration_text(key, answer)
            raise _refuse(view, f"{kind}.work", item, "this answer", answer == HIDDEN)


def _is_hidden_from_observer(view: View, seat: int) -> bool:
    """Tell whether what only a seat knows is hidden here."""
    return view.get("observer") not in (None, seat)


def _is_answer_hidden(view: View) -> bool:
    """Tell whether the attacker's answer is hidden until the target has answered (R9.3)."""
    is_secret = view["stage"] == "inspire" and view["options"]["inspire"] == "hidden"
    attackers = [attack["attacker"] for attack in view["attacks"][:1]]
    return is_secret and all(_is_hidden_from_observer(view, seat) for seat in attackers)


def _refuse(view: View, where: str, value: str, name: str, is_hidden: bool) -> InputError:
    if "observer" not in view:
        return refusal(where, value, "R13.3", f"a position hides nothing, also not {name}")
    observer = f"p{view['observer']}" if view["observer"] else "a spectator"
    sees = f"{observer} sees {name}" if is_hidden else f"{observer} sees ? in place of {name}"
    return refusal(where, value, "R13.5", sees)
