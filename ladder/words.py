"""Formats of numbers, times and untrusted text for display."""

from __future__ import annotations

import math

MAX_LENGTH = 500  # characters kept of untrusted text


def elo_text(elo: float) -> str:
    """Format a rating without decimals, which are below the error of any real ladder."""
    return f"{elo:.0f}" if round(elo) else "0"


def interval_text(low: float, high: float) -> str:
    """Format an interval of ratings; empty if its width is 0, as the anchor's."""
    return "" if low == high else f"{elo_text(low)} to {elo_text(high)}"


def percent_text(share: float, decimals: int = 1) -> str:
    """Format a fraction in percent; a dash for nan."""
    return "–" if math.isnan(share) else f"{100 * share:.{decimals}f} %"


def number_text(value: float) -> str:
    """Format a number to three digits; a dash for nan."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def duration_text(seconds: float) -> str:
    """Format a time in units that fit its length."""
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{left} s"


def one_line(text: str) -> str:
    """Make untrusted text safe to print: one line, no control codes, limited in length."""
    words = " ".join(text[: 4 * MAX_LENGTH].split())[:MAX_LENGTH]
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words)
