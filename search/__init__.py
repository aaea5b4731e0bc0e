"""Search over games through the engine contract; knows no game by name."""
