// Whole matches on boardgame.io with bots of a Kingmaker server that this test starts:
//
//     KINGMAKER=../../.venv/bin/kingmaker node --test

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { createServer } = require("node:http");
const { createInterface } = require("node:readline");
const { after, before, test } = require("node:test");

const { Simulate } = require("boardgame.io/ai");
const { Client } = require("boardgame.io/client");
const { InitializeGame } = require("boardgame.io/internal");
const { Local } = require("boardgame.io/multiplayer");

const { kingmakerBot } = require("./bot.js");
const games = require("./games.js");

const PATIENT = { level: 10, seconds: 1 }; // tic-tac-toe is solved long before
const QUICK = { level: 10, seconds: 0.05 };
let server, url;

before(async () => {
  const flags = ["serve", "--port", "0", "--web", "127.0.0.1:0", "--json"];
  server = spawn(process.env.KINGMAKER ?? "kingmaker", flags, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: server.stdout });
  ({ url } = JSON.parse((await lines[Symbol.asyncIterator]().next()).value));
});

after(() => server.kill());

async function simulated(game, bots, seed) {
  const players = Object.fromEntries(
    Object.entries(bots).map(([id, Bot]) => [id, new Bot({ game, enumerate: game.ai.enumerate })]),
  );
  const state = InitializeGame({ game: { ...game, seed } });
  return (await Simulate({ game, bots: players, state })).state;
}

test("two good bots draw at tic-tac-toe", async () => {
  const Bot = kingmakerBot({ ...games.ticTacToe, ...PATIENT, url });
  const { ctx, G } = await simulated(games.TicTacToe, { 0: Bot, 1: Bot });
  assert.deepEqual(ctx.gameover, { draw: true });
  assert.ok(!G.cells.includes(null));
});

test("a good bot wins connect four against a column that is always the same", async () => {
  const Bot = kingmakerBot({ ...games.connectFour, level: 10, seconds: 0.3, url });
  class First extends Bot {
    async play({ G, ctx }, playerID) {
      return { action: this.enumerate(G, ctx, playerID)[0] };
    }
  }
  const { ctx } = await simulated(games.ConnectFour, { 0: First, 1: Bot });
  assert.equal(ctx.gameover.winner, "1");
});

test("a bot at poker sends its own card, and never the rival's", async () => {
  const seen = [];
  const observe = (...all) => {
    seen.push([all[2], games.kuhnPoker.observe(...all)]);
    return seen.at(-1)[1];
  };
  const Bot = kingmakerBot({ ...games.kuhnPoker, ...QUICK, observe, url });
  for (let seed = 0; seed < 5; seed++) {
    const { ctx } = await simulated(games.KuhnPoker, { 0: Bot, 1: Bot }, `${seed}`);
    assert.ok(ctx.gameover.winner);
  }
  assert.ok(seen.length >= 10);
  for (const [player, line] of seen) {
    assert.match(line, player === "0" ? /p1=[jqk] p2=\?/ : /p1=\? p2=[jqk]/);
  }
});

test("a person plays a match against a bot, with boardgame.io's own client", async () => {
  const Bot = kingmakerBot({ ...games.ticTacToe, ...PATIENT, url });
  const client = Client({
    game: games.TicTacToe,
    playerID: "0",
    multiplayer: Local({ bots: { 1: Bot } }),
  });
  client.start();
  const over = new Promise((resolve) => {
    let asked = -1;
    client.subscribe((state) => {
      if (state?.ctx.gameover) resolve(state.ctx.gameover);
      else if (state?.ctx.currentPlayer === "0" && state.ctx.turn > asked) {
        asked = state.ctx.turn;
        // Not from within the update that has told us of our turn.
        setTimeout(() => client.moves.clickCell(state.G.cells.indexOf(null)));
      }
    });
  });
  assert.equal((await over).winner, "1"); // who fills the squares from the first on is no match
  client.stop();
});

test("what the server refuses is an error that says why", async () => {
  const Bot = kingmakerBot({ ...games.ticTacToe, observe: () => "ttt board=nonsense", url });
  await assert.rejects(simulated(games.TicTacToe, { 0: Bot }), /^Error: invalid_argument: /);
  const read = () => ({ move: "clickCell", args: [99] });
  const Lost = kingmakerBot({ ...games.ticTacToe, url, read });
  await assert.rejects(simulated(games.TicTacToe, { 0: Lost }), /which is not possible/);
});

test("a full server is asked again", async () => {
  let asked = 0;
  const busy = createServer((request, response) => {
    asked += 1;
    response.statusCode = asked < 3 ? 429 : 200;
    const move = { move: { text: "b2" } };
    response.end(JSON.stringify(asked < 3 ? { code: "resource_exhausted" } : move));
  });
  await new Promise((resolve) => busy.listen(0, "127.0.0.1", resolve));
  const Bot = kingmakerBot({ ...games.ticTacToe, url: `http://127.0.0.1:${busy.address().port}` });
  const game = games.TicTacToe;
  const bot = new Bot({ game, enumerate: game.ai.enumerate });
  const { action, metadata } = await bot.play(InitializeGame({ game }), "0");
  assert.deepEqual(action.payload.args, [4]);
  assert.equal(metadata.move, "b2");
  assert.equal(asked, 3);
  busy.closeAllConnections();
  busy.close();
});
