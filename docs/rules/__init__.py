"""The rules page of each game, as `kingmaker.rules`: `GetGame` serves them."""
