"""The options of engines: defaults, checks, and the hash of a configuration."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from kingmaker.cext.errors import InputError, guess, shown, written
from kingmaker.cext.game import Game

from .expectimax import MAX_DEPTH, MAX_WIDTH, RIVALS
from .registry import EngineInfo

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.015, 100.0
"""Of priors. At a lower one their weights are beyond the largest float."""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
"""A number as text; Python reads more, such as 1_0 and digits of other scripts."""
MIXING = ("regret", "auto")
"""Values of `selection` with which the answer is a mixed policy."""


def check_options(
    engine: EngineInfo, game: Game, options: Mapping[str, str | int | float]
) -> dict[str, Any]:
    """Add the defaults to options and check them.

    Raises:
        InputError: an option is unknown or out of range.
    """
    for name in options:
        if name not in engine.options:
            raise InputError(
                f"engine {engine.name} has no option {shown(name)!r}; "
                f"it has {', '.join(engine.options) or 'none'}{guess(name, engine.options)}",
                field=f"engine_options.{shown(name)}",
                value=written(options[name]),
            )
    checked: dict[str, Any] = {**engine.options, **options}
    if checked.get("playout_plies", 0) is None:
        checked["playout_plies"] = game.playout_plies
    if checked.get("exploration", 0) is None:
        checked["exploration"] = game.exploration
    if checked.get("width", 0) is None:
        checked["width"] = game.search_width
    if checked.get("depth", 0) is None and engine.takes_hidden:
        checked["depth"] = game.world_depth  # `expectimax` without one searches deeper and deeper
    if checked.get("temperature", 0) is None and not game.has_prior_weights:
        checked["temperature"] = game.prior_temperature
    _check_number(checked, "exploration", float, 0.0, 100.0)
    _check_temperature(checked)
    _check_number(checked, "playout_plies", int, 0, 10**6)
    _check_number(checked, "max_depth", int, 0, 10**6)
    if checked.get("depth") is not None:
        _check_number(checked, "depth", int, 1, MAX_DEPTH)
    _check_number(checked, "width", int, 0, MAX_WIDTH)
    _check_word(checked, "playout", ("policy", "uniform"))
    _check_word(checked, "rivals", RIVALS)
    if "observers" in checked:
        _check_observers(checked, game)
        # Who gives an exploration wants it at the root too.
        at_root = 0.0 if "exploration" in options else game.root_exploration
        _check_with_one_tree(checked, "root_exploration", at_root, 100.0)
        _check_with_one_tree(checked, "hostility", game.hostility, 1.0)
        # Who gives a hostility wants rivals that choose.
        by_policy = 0.0 if "hostility" in options else game.rival_policy
        _check_with_one_tree(checked, "rival_policy", by_policy, 1.0)
        _check_expand(checked, game)
        _check_anchor(checked, game)
    return checked


def _check_observers(options: dict[str, Any], game: Game) -> None:
    """Set the defaults of `observers` and `selection`; only trees of all seats can mix."""
    if options["observers"] is None:
        mixes = game.needs_mixing or options["selection"] in MIXING
        options["observers"] = "multiple" if mixes else "single"
    _check_word(options, "observers", ("single", "multiple"))
    if options["selection"] is None:
        options["selection"] = "auto" if options["observers"] == "multiple" else "ucb"
    _check_word(options, "selection", ("ucb", *MIXING))
    if options["observers"] == "single" and options["selection"] in MIXING:
        raise InputError(
            f"selection is {options['selection']!r}, which needs a tree for every seat; use "
            "observers=multiple",
            field="engine_options.selection",
            value=options["selection"],
        )


def check_history(game: Game, options: Mapping[str, Any]) -> None:
    """Check that a game tells its history where checked options need that.

    Raises:
        InputError: it does not.
    """
    if options.get("selection") == "regret" and game.history_of(game.start_state()) is None:
        raise InputError(
            f"selection is 'regret', which needs the history of {game.name}, and it has none; "
            "use auto or ucb",
            field="engine_options.selection",
            value="regret",
        )


def _check_with_one_tree(options: dict[str, Any], name: str, default: float, most: float) -> None:
    """Set the default of an option that is 0 where every seat has a tree, and check it."""
    is_single = options["observers"] == "single"
    if options[name] is None:
        options[name] = default if is_single else 0.0
    _check_number(options, name, float, 0.0, most)
    if options[name] > 0 and not is_single:
        raise InputError(
            f"{name} is {options[name]:g}, which needs observers=single",
            field=f"engine_options.{name}",
            value=str(options[name]),
        )


def _check_expand(options: dict[str, Any], game: Game) -> None:
    is_single = options["observers"] == "single"
    if options["expand"] is None:
        options["expand"] = 1 if is_single else game.expansion
    _check_number(options, "expand", int, 1, 10**6)
    if options["expand"] > 1 and is_single:
        raise InputError(
            f"expand is {options['expand']}, which needs observers=multiple",
            field="engine_options.expand",
            value=str(options["expand"]),
        )


def _check_anchor(options: dict[str, Any], game: Game) -> None:
    mixes = options["selection"] in MIXING
    if options["anchor"] is None:
        options["anchor"] = game.anchor_weight if mixes else 0.0
    _check_number(options, "anchor", float, 0.0, 1.0)
    if options["anchor"] > 0 and not mixes:
        raise InputError(
            f"anchor is {options['anchor']:g}, which needs selection=regret or auto",
            field="engine_options.anchor",
            value=str(options["anchor"]),
        )


def _check_temperature(options: dict[str, Any]) -> None:
    if options.get("temperature", 0) is None:
        return  # the policy makes the priors
    _check_number(options, "temperature", float, 0.0, MAX_TEMPERATURE)
    if 0 < options.get("temperature", 0) < MIN_TEMPERATURE:
        raise InputError(
            f"temperature is {options['temperature']!r}; it must be 0 or a number from "
            f"{MIN_TEMPERATURE} to {MAX_TEMPERATURE:g}",
            field="engine_options.temperature",
            value=str(options["temperature"]),
        )


def _check_word(options: dict[str, Any], name: str, words: Sequence[str]) -> None:
    if name not in options:
        return
    value = options[name]
    if not (isinstance(value, str) and value in words):
        raise InputError(
            f"{name} is {written(value, repr)}; it must be {' or '.join(words)}",
            field=f"engine_options.{name}",
            value=written(value),
        )


def _check_number(
    options: dict[str, Any], name: str, kind: Callable[[Any], float], low: float, high: float
) -> None:
    if name not in options:
        return
    value = options[name]
    try:
        number = kind(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    is_plain = NUMBER.fullmatch(value) if isinstance(value, str) else number == value
    if not (low <= number <= high and is_plain):  # an array has no number, and no truth value
        right = f"a number from {low:g} to {high:g}"
        if kind is int:
            right = f"a whole number from {low:,} to {high:,}"
        raise InputError(
            f"{name} is {written(value, repr)}; it must be {right}",
            field=f"engine_options.{name}",
            value=written(value),
        )
    options[name] = number


def config_hash(engine: str, options: Mapping[str, Any], threads: int) -> str:
    """Hash the parameters of an answer besides seed and budget; twelve hex digits."""
    return _config_hash(engine, tuple(sorted(options.items())), threads)


@lru_cache(maxsize=256)
def _config_hash(engine: str, options: tuple[tuple[str, Any], ...], threads: int) -> str:
    text = json.dumps([engine, options, threads])
    return hashlib.sha256(text.encode()).hexdigest()[:12]
