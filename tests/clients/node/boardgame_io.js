// Plays tic-tac-toe of boardgame.io against examples/boardgame_io; prints how each game ended.
//   node boardgame_io.js URL
import { createRequire } from "node:module";
import { kingmakerBot } from "../../../examples/boardgame_io/kingmaker_bot.mjs";
import { move, observation, ticTacToe } from "../../../examples/boardgame_io/tic_tac_toe.mjs";

const require = createRequire(import.meta.url);
const { Client } = require("boardgame.io/client");
const { Local } = require("boardgame.io/multiplayer");

const bot = kingmakerBot({ url: process.argv[2], game: "tic_tac_toe", level: 10, observation, move });

/** Plays a game; the person takes the first free cell from one on. */
function play(first) {
  const name = `tic-tac-toe-${first}`; // boardgame.io keeps one match of each name in memory
  const client = Client({
    game: { ...ticTacToe, name },
    multiplayer: Local({ bots: { 1: bot } }),
    playerID: "0",
    matchID: name,
    debug: false,
  });
  return new Promise((resolve) => {
    client.subscribe((state) => {
      if (!state) return;
      if (state.ctx.gameover) {
        setTimeout(() => client.stop());
        resolve({ ...state.ctx.gameover, cells: state.G.cells });
      } else if (state.ctx.currentPlayer === "0") {
        const order = Array.from({ length: 9 }, (_, i) => (first + i) % 9);
        const cell = order.find((each) => state.G.cells[each] === null);
        setTimeout(() => client.moves.clickCell(cell));
      }
    });
    client.start();
  });
}

const ends = [];
for (const first of [0, 4]) ends.push(await play(first));
console.log(JSON.stringify(ends));
process.exit(0); // boardgame.io leaves timers behind
