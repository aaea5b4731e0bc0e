"""Matches that the server keeps: seats, events, clocks, bots."""
