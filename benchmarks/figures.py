"""Measurements by the names of their figures, and their selection by `kingmaker bench`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kingmaker.cext.errors import InputError

from . import peers
from .measure import Figure, Formula, Work
from .timing import check_installed, time_in_turn


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement of one or more figures.

    Attributes:
        figures: name -> description.
        measure: called with `quick`; returns figures by name: all, or some of them if
            a program that the others need is not installed.
        is_long: whether it is measured only if selected by name.
    """

    figures: Mapping[str, str]
    measure: Callable[[bool], Mapping[str, Figure]]
    is_long: bool = False


def timed(
    work: Callable[[], Work],
    figures: Mapping[str, tuple[Formula, str]],
    peer: Callable[[], Work] | None = None,
) -> Measurement:
    """Make a measurement of timed work, alternating with a peer's work if that is installed.

    Args:
        work: a function at the top of a module; see `time_in_turn`.
        figures: name -> function that reads it from the timings, and description.
        peer: as `work`.
    """

    def measure(quick: bool) -> Mapping[str, Figure]:
        works = [work, peer] if peer is not None and peers.IS_INSTALLED else [work]
        ours, *rest = time_in_turn(works, quick)
        theirs = rest[0] if rest else None
        found = {name: formula(ours, theirs) for name, (formula, _) in figures.items()}
        return {name: figure for name, figure in found.items() if figure is not None}

    return Measurement({name: about for name, (_, about) in figures.items()}, measure)


def run(
    measurements: Sequence[Measurement],
    only: str | tuple[str, ...],
    quick: bool,
    report: Callable[[str, Figure], None],
) -> dict[str, Figure]:
    """Run measurements one after another, and report each figure as soon as it is measured.

    Args:
        measurements: all there are.
        only: prefix of the figures to measure; empty: all that take at most a minute. Several:
            those with any of them, however long they take.
        quick: shorter runs, less precise figures.
        report: called with each figure's name and result.

    Returns:
        Every figure by its name.

    Raises:
        InputError: no figure has the prefix, or a program that they need isn't installed.
    """
    chosen = _choose(measurements, only)
    check_installed()
    found: dict[str, Figure] = {}
    for measurement in chosen:
        for name, figure in measurement.measure(quick).items():
            if name.startswith(only):
                found[name] = figure
                report(name, figure)
    if not found:
        raise InputError(f"{only} needs OpenSpiel or valgrind, which is not installed")
    return found


def listed(measurements: Sequence[Measurement], only: str) -> list[tuple[str, str, str]]:
    """List the figures with this prefix: name, whether only by name, and description.

    Raises:
        InputError: no figure has the prefix.
    """
    return [
        (name, "by name" if each.is_long else "always", about)
        for each in _fitting(measurements, only)
        for name, about in each.figures.items()
        if name.startswith(only)
    ]


def _choose(measurements: Sequence[Measurement], only: str | tuple[str, ...]) -> list[Measurement]:
    """Return the measurements with this prefix; long ones only if no short one matches."""
    fitting = _fitting(measurements, only)
    if isinstance(only, tuple):
        return fitting
    return [each for each in fitting if not each.is_long] or fitting


def _fitting(measurements: Sequence[Measurement], only: str | tuple[str, ...]) -> list[Measurement]:
    fitting = [each for each in measurements if any(name.startswith(only) for name in each.figures)]
    if not fitting:
        raise InputError(
            f"no figure begins with {only!r}; `kingmaker bench --list` lists all",
            field="only",
            value=str(only),
        )
    return fitting
