"""How to play each game, a page for people, as `kingmaker.play`: the page shows it."""
