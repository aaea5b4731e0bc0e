// Bots play a whole game: `node whole_game.js ADDRESS PROTO_FOLDER GAME OPTIONS LEVEL` prints it as
// one JSON object. OPTIONS is one, too. See ../whole_game.py.

import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const [address, protoFolder, game, options, level] = process.argv.slice(2);
const SEED = 1;
const BUDGET = { simulations: 4000 }; // of which a level uses a part

const definition = protoLoader.loadSync(
  ["kingmaker/v1/game_service.proto", "kingmaker/v1/analysis_service.proto"],
  { includeDirs: [protoFolder], keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true },
);
const { kingmaker } = grpc.loadPackageDefinition(definition);
const credentials = grpc.credentials.createInsecure();
const games = new kingmaker.v1.GameService(address, credentials);
const analysis = new kingmaker.v1.AnalysisService(address, credentials);

function call(client, method, request) {
  return new Promise((resolve, reject) => {
    client[method](request, { deadline: Date.now() + 60000 }, (error, answer) =>
      error ? reject(error) : resolve(answer));
  });
}

let state = await call(games, "StartGame", { game, options: JSON.parse(options), seed: SEED });
const told = state.events.map((event) => event.move.text);
let decisions = 0;
while (state.node.kind === "NODE_KIND_DECISION") {
  const { position, node } = state;
  const { move } = await call(analysis, "SelectMove", {
    search: { position, seat: node.seat, budget: BUDGET, seed: SEED + decisions }, level: Number(level),
  });
  state = await call(games, "ApplyMoves", { position, moves: [move], seed: SEED });
  told.push(...state.events.map((event) => event.move.text));
  decisions += 1;
}
console.log(JSON.stringify({ told, decisions, returns: state.node.returns }));
games.close();
analysis.close();
