// Bots of Kingmaker for games on boardgame.io.
//
//     const { kingmakerBot } = require("./bot.js");
//     const Bot = kingmakerBot({ game: "tic_tac_toe", observe, read, level: 7 });
//     Local({ bots: { 1: Bot } })
//
// A game needs two functions to be mapped, see games.js:
//
//     observe(G, ctx, playerID)  ->  the line of what this player sees, in Kingmaker's notation
//     read(move, G, ctx)         ->  { move, args } of boardgame.io for a move in that notation

const { Bot } = require("boardgame.io/ai");

const METHOD = "kingmaker.v1.AnalysisService/SelectMove";
const BUSY = [429, 503]; // the server is full, or about to stop
const RETRIES = 5;
const ANSWER_SECONDS = 30; // beyond the time to think

// Returns a class for `Local({ bots })` and `<Debug>` of boardgame.io.
//
//   game          its name in Kingmaker
//   observe, read see above
//   url           of `kingmaker serve --web`
//   level         1 to 10
//   seconds       to think, at most
//   headers       for example { authorization: "Bearer ..." }
function kingmakerBot({
  game,
  observe,
  read,
  url = "http://127.0.0.1:50080",
  level = 5,
  seconds = 0.5,
  headers = {},
}) {
  async function select(text) {
    const search = { observation: { game, text }, budget: { time: `${seconds}s` } };
    for (let retries = 0; ; retries++) {
      const response = await fetch(`${url}/${METHOD}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ search, level }),
        signal: AbortSignal.timeout(1000 * (seconds + ANSWER_SECONDS)),
      });
      const answer = await response.json();
      if (response.ok) return answer.move.text;
      if (!BUSY.includes(response.status) || retries === RETRIES) {
        throw new Error(`${answer.code}: ${answer.message}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** retries));
    }
  }

  return class KingmakerBot extends Bot {
    constructor(options) {
      super(options);
      this.playerView = options.game?.playerView ?? (({ G }) => G);
    }

    async play({ G, ctx }, playerID) {
      // boardgame.io hands bots the whole state; they are to know no more than a player.
      const seen = this.playerView({ G, ctx, playerID });
      const text = await select(observe(seen, ctx, playerID));
      const { move, args = [] } = read(text, seen, ctx);
      const wanted = JSON.stringify(args);
      const action = this.enumerate(G, ctx, playerID).find(
        ({ payload }) => payload.type === move && JSON.stringify(payload.args ?? []) === wanted,
      );
      if (!action) throw new Error(`${text} was read as ${move}(${args}), which is not possible`);
      return { action, metadata: { move: text } };
    }
  };
}

module.exports = { kingmakerBot };
