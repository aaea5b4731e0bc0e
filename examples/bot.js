// A bot that plays random legal moves.
//
//     node bot.js ADDRESS NAME [GAME ...]
//
// It connects to a Kingmaker server and plays all games, or only those named. It needs `npm install
// @grpc/grpc-js @grpc/proto-loader`, and the folder with the .proto files of Kingmaker: `proto`
// here, or the environment variable PROTO. To make your own bot, replace `choose`.

const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");

const [address, name, ...games] = process.argv.slice(2);
const RECONNECT_MS = 1000;

const protos = loadSync("kingmaker/v1/bot_service.proto", {
  includeDirs: [process.env.PROTO || "proto"],
  keepCase: true, // field names as in the protos
  longs: String, // a seed has 63 bits
});
const { BotService } = grpc.loadPackageDefinition(protos).kingmaker.v1;
const service = new BotService(address, grpc.credentials.createInsecure(), {
  "grpc.keepalive_time_ms": 60000, // detects a connection that broke silently
  "grpc.max_reconnect_backoff_ms": RECONNECT_MS,
});

// Chooses one of the legal moves; `question.observation` has everything the seat sees.
function choose(question) {
  return question.moves[Number(BigInt(question.seed) % BigInt(question.moves.length))];
}

function tell(error) {
  console.log(`${grpc.status[error.code]}: ${error.details}`);
}

function connect() {
  let session;
  const stream = service.Connect({ name, games });
  stream.on("data", ({ registered, question }) => {
    if (registered) {
      ({ session } = registered);
      console.log(`${name} is connected`);
    } else if (question) {
      const answer = { session, question: question.id, move: choose(question) };
      // An error means for example too late; the next question still arrives.
      service.AnswerMove(answer, (error) => error && tell(error));
    }
  });
  stream.on("error", tell);
  stream.on("status", () => setTimeout(connect, RECONNECT_MS));
}

connect();
