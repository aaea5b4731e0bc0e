"""All measurements by name, as `kingmaker bench` runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import memory, peers, rpc, speed, strength

Measurement = Callable[[bool], Mapping[str, float]]

MEASUREMENTS: dict[str, Measurement] = {
    "connect_four.mcts": peers.connect_four_mcts,
    "connect_four.playouts": peers.connect_four_playouts,
    "leduc_poker.ismcts": peers.leduc_ismcts,
    "kingdom_coinquest": speed.kingdom_coinquest,
    "threads": speed.threads,
    "cancel": speed.cancel,
    "rpc": lambda quick: rpc.measure_rpc(),
    "memory": memory.measure,
    "strength": strength.measure,
}
"""What is measured, by the prefix that its figures share; each takes `quick`."""

ON_REQUEST = {"strength"}
"""What takes so long that it is measured only when asked for."""


def run(only: str, quick: bool, report: Callable[[str, float], None]) -> dict[str, float]:
    """Measure, one thing after another, and tell each figure as soon as it is known.

    Args:
        only: just the figures whose name begins so; empty: all that take seconds or a minute.
        quick: shorter runs, rougher figures.
        report: called with each figure's name and value.

    Returns:
        Every figure by its name.
    """
    figures: dict[str, float] = {}
    for prefix, measure in MEASUREMENTS.items():
        if not only and prefix in ON_REQUEST:
            continue
        if prefix.startswith(only) or only.startswith(prefix):
            for name, value in measure(quick).items():
                if name.startswith(only):
                    figures[name] = value
                    report(name, value)
    return figures
