"""What a type checker finds; each line with a mistake ends in a comment. Not to be run."""

from kingmaker_client import Client, KingmakerError
from kingmaker_client.v1.analysis_service_pb2 import Search
from kingmaker_client.v1.game_service_pb2 import ObserveRequest, StartGameRequest
from kingmaker_client.v1.types_pb2 import NODE_KIND_OVER, Position  # mistake

with Client("127.0.0.1:50051", tokn="secret") as client:  # mistake
    game = client.start("leduc_poker", seed="1")  # mistake
    print(game.positoin)  # mistake
    client.observe(game, 1)  # mistake
    client.observe(game.position, "p1")  # mistake
    client.play(game.position, ["call"])  # mistake
    client.play(game.position, [1], seed=1)  # mistake
    client.hint(game.position)  # mistake
    for snapshot in client.analyze(client.observe(game.position, 1)):
        print(snapshot.is_finall)  # mistake
    client.select_moves(client.observe(game.position, 1))  # mistake
    StartGameRequest(gane="leduc_poker")  # mistake
    Search(position=Position(game="leduc_poker"), seats=1)  # mistake
    client.games.StartGame(ObserveRequest())  # mistake
    client.call(client.games.StartGame, ObserveRequest())  # mistake
    client.games.StartGames(StartGameRequest(game="leduc_poker"))  # mistake
    try:
        client.start("leduc_poker")
    except KingmakerError as error:
        print(error.feild, NODE_KIND_OVER)  # mistake
