"""How to play each game, a page for people, as `kingmaker.play`: `GetGame` serves it."""
