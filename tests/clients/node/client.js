// A client of Kingmaker in Node: `node client.js ADDRESS PROTO_FOLDER` plays the story that
// test_node.py checks and prints what it got as one JSON object.

import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";
import protobuf from "protobufjs";

const [address, protoFolder] = process.argv.slice(2);
const GAME = "kingdom_coinquest";
const SEED = 5; // of all draws of the game

// The part of google/rpc/status.proto and error_details.proto that is read here.
const details = protobuf.parse(`
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
  message FieldViolation { string field = 1; string description = 2; }
  message BadRequest { repeated FieldViolation field_violations = 1; }
`, { keepCase: true }).root;

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
    client[method](request, { deadline: Date.now() + 30000 }, (error, answer) =>
      error ? reject(error) : resolve(answer));
  });
}

function errorDetails(error) {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  const status = details.lookupType("Status").decode(packed);
  return Object.fromEntries(status.details.map(({ type_url, value }) => {
    const name = type_url.split(".").at(-1);
    return [name, details.lookupType(name).decode(value).toJSON()];
  }));
}

// Resolves with the first `count` snapshots, after cancelling, and the code it then ends with.
function firstSnapshots(request, count) {
  return new Promise((resolve) => {
    const snapshots = [];
    const stream = analysis.Analyze(request);
    stream.on("data", (snapshot) => {
      snapshots.push({ is_final: snapshot.is_final, simulations: snapshot.report.simulations });
      if (snapshots.length === count) stream.cancel();
    });
    stream.on("error", (error) => resolve({ snapshots, code: grpc.status[error.code] }));
    stream.on("end", () => {});
  });
}

const list = await call(games, "ListGames", {});
const start = await call(games, "StartGame", { game: GAME, options: { players: "2" }, seed: SEED });
const drawn = await call(games, "ApplyMoves", {
  position: { text: start.position.text, game: GAME },
  moves: [{ text: "draw:forge" }, { text: "draw:forge" }, { text: "draw:forge" }],
  seed: SEED,
  viewers: [1, 2],
});
const position = drawn.position;
const seat = drawn.node.seat;
const legal = await call(games, "ListMoves", { position });
const { observation } = await call(games, "Observe", { position, seat });
const selected = await call(analysis, "SelectMove", {
  search: { observation, budget: { simulations: 500 }, seed: 1 }, level: 10,
});
const suggested = await call(analysis, "SuggestMoves", {
  search: {
    observation: { game: GAME, [GAME]: observation[GAME] }, // the typed message alone
    budget: { time: { seconds: 0, nanos: 50e6 } },
  },
  top: 2,
});
const streamed = await firstSnapshots({ search: { observation, budget: { time: { seconds: 30 } } } }, 3);
const failure = await call(analysis, "SelectMove", { search: { position, seat: 9 }, level: 11 }).catch((error) => error);

console.log(JSON.stringify({
  games: list.games.map((game) => game.name),
  events: drawn.events.map((event) => event.move.text),
  logs: drawn.views.map((view) => view.events.map(({ kind, seat, move }) => [kind, seat, move.text])),
  position: position.text,
  typed_turn: position[GAME].turn,
  legal: legal.moves.map((each) => each.move.text),
  observation: observation.text,
  selected: selected.move.text,
  selected_verb: selected.move[GAME].verb,
  stop_reason: selected.report.stop_reason,
  suggestions: suggested.suggestions.map((each) => [each.analysis.move.text, each.explanation]),
  streamed,
  failure: { code: grpc.status[failure.code], details: errorDetails(failure) },
}));
games.close();
analysis.close();
