"""Ladders: bots rated against each other by mirrored games; no game is known by name."""
