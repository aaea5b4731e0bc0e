"""What is trained and how: all that a result depends on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.search.position import new_game

PLAN_FILE = "plan.json"
LIMITS = {
    "seed": (0, 2**64 - 1),
    "games": (2, 10**9),
    "worlds": (1, 1000),
    "epsilon": (0, 1),
    "share": (1e-6, 1),
    "window": (1, 1000),
    "hidden1": (1, 256),
    "hidden2": (1, 256),
    "mix": (0, 1),
    "epochs": (1, 1000),
    "batch": (1, 10**6),
    "rate": (1e-9, 1),
    "gate_groups": (2, 10**7),
}
"""Least and most of each number of a plan."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """Settings of a training; equal ones give equal nets.

    Attributes:
        game: name.
        options: of the game, those that differ from their defaults.
        seed: of games, fit and gates, at least 0.
        games: of self-play in each round.
        worlds: that a player averages at each decision of self-play, 1 to 1000.
        epsilon: probability of a random move in self-play.
        share: part of the decisions that are recorded, above 0 to 1.
        window: latest rounds whose games are learned from.
        hidden1, hidden2: units of the hidden layers.
        has_policy: whether the net learns to predict the best move too.
        mix: weight, 0 to 1, of the player's own estimate in the target of the value; the rest is
            the result of the game.
        epochs: most passes over the data.
        batch: positions of a step of the fit.
        rate: of learning at the start.
        gate_groups: mirrored groups between a new net and the last.
    """

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    games: int = 10_000
    worlds: int = 4
    epsilon: float = 0.03
    share: float = 1.0
    window: int = 4
    hidden1: int = 32
    hidden2: int = 16
    has_policy: bool = True
    mix: float = 0.0
    epochs: int = 8
    batch: int = 1024
    rate: float = 0.003
    gate_groups: int = 2000

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise InputError(
                    f"{name} is {value}; it must be {least} to {most}", field=name, value=str(value)
                )
        made = self.new_game()
        if not made.num_features:
            raise InputError(
                f"{self.game} has no features to learn from; see docs/adding-a-game.md",
                field="game",
                value=self.game,
            )
        if self.has_policy and not made.num_actions:
            raise InputError(
                f"{self.game} has no numbered actions for a policy; leave it out",
                field="has_policy",
            )

    def new_game(self) -> Game:
        """Return the rules that are played."""
        return new_game(self.game, self.options).game

    def begin(self, folder: Path) -> None:
        """Store the plan in a new folder, or check that the folder is of this plan.

        Raises:
            InputError: the folder has data of other settings, or can't be written.
        """
        path = folder / PLAN_FILE
        own = json.loads(json.dumps(asdict(self)))
        if path.exists():
            stored = read_object(path)
            for each in fields(self):
                if stored.get(each.name) != own[each.name]:
                    raise InputError(
                        f"{folder} was begun with {each.name} {stored.get(each.name)}, not "
                        f"{own[each.name]}; repeat that, or choose another folder",
                        field=each.name,
                        value=str(own[each.name]),
                    )
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with whole(path) as part:
                part.write_text(json.dumps(own, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"{folder} can't be written: {error.strerror}", field="out", value=str(folder)
            ) from None


def read_object(path: Path) -> dict[str, Any]:
    """Read a JSON object that a training stored.

    Raises:
        InputError: it can't be read, or is something else.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise unreadable(path, str(error.strerror)) from None
    except (ValueError, RecursionError):
        raise unreadable(path, "it is not JSON") from None
    if not isinstance(stored, dict):
        raise unreadable(path, "it is no JSON object")
    return stored


def unreadable(path: Path, reason: str) -> InputError:
    """Return the error of a stored file, with the way out."""
    return InputError(
        f"{path} can't be read: {reason}; restore or delete it, or choose another folder",
        field="out",
        value=str(path),
    )


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a path to write to; the file is at `path` complete or not at all, even after a kill."""
    part = path.with_name(path.name + ".part")
    yield part
    part.replace(path)
