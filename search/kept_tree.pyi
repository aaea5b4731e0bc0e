from .ismcts import IsmctsSearcher

def take_over(search: IsmctsSearcher, earlier: IsmctsSearcher, /) -> int:
    """Begin a search with what an earlier one found below the same observation.

    Both must be of the same game and options, have a tree for the observer alone, and give keys to
    own decisions (`IsmctsSearcher.keep`); the earlier one is not changed.

    Args:
        search: that has not begun yet.
        earlier: of the same seat, earlier in the game.

    Returns:
        The visits that it begins with, which do not count as its simulations; 0: the earlier search
        has not looked at this observation, or not for long.

    Raises:
        ValueError: a search gives no keys to own decisions.
        RuntimeError: the earlier search runs, on another thread.
    """
