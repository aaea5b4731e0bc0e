"""Play a game of Leduc poker against a bot, with a hint before each move.

python play.py [HOST:PORT]
"""

import sys

from kingmaker_client import Client, KingmakerError
from kingmaker_client.v1.types_pb2 import NODE_KIND_END

PLAYER = 1


def play(address: str) -> list[float]:
    """Play the first hint at each decision; return the win share of each seat."""
    with Client(address) as client:
        game = client.start("leduc_poker", seed=7, viewers=[PLAYER])
        position, node = game.position, game.node
        while node.kind != NODE_KIND_END:
            seen = client.observe(position, node.seat)
            if node.seat == PLAYER:
                best = client.hint(seen, top=1, budget_ms=50).suggestions[0]
                print(best.explanation)
                move = best.analysis.move
            else:
                move = client.select_move(seen, level=3, budget_ms=50).move
            after = client.play(position, [move], seed=game.seed, viewers=[PLAYER])
            position, node = after.position, after.node
        return list(node.returns)


def refused(address: str) -> KingmakerError:
    """Ask for a game that there is not."""
    with Client(address) as client:
        try:
            client.start("leduc")
        except KingmakerError as error:
            return error
    raise AssertionError("the server knows a game that is not")


if __name__ == "__main__":
    server = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"
    print("win shares:", play(server))
    print(refused(server))
