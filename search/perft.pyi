"""How many sequences of moves and outcomes there are, counted one by one ("perft")."""

from kingmaker.cext.game import Game

def count_sequences(game: Game, state: bytes, depth: int) -> list[int]:
    """Return the numbers of sequences of moves and outcomes of length 0, 1, ... `depth`.

    One that comes to an end earlier is none of a greater length. Releases the GIL, but cannot be
    cancelled.

    Args:
        game: the rules.
        state: where they begin, a full state.
        depth: 0 to 32.

    Raises:
        InputError: `depth` is out of range, or the state is none of the game.
    """
