"""Nets of games from self-play: rounds of games, fit and gate, to a file of weights."""
