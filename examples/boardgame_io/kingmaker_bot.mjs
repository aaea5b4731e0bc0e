// A bot for games of https://boardgame.io that asks a Kingmaker server.
//
//   const bot = kingmakerBot({ url: "http://127.0.0.1:50080", game: "tic_tac_toe", observation, move });
//   Client({ game, multiplayer: Local({ bots: { 1: bot } }) });
//
// boardgame.io keeps the game and its rules. The bot needs two functions to know what it looks at:
// `observation(G, ctx, playerID)` writes what the player sees as a line of Kingmaker's notation, and
// `move(token, G, ctx)` names the move of the game for a token of it, as `{ type, args }`.
// tic_tac_toe.mjs has both. The game must have an `ai`, else boardgame.io starts no bots.

/**
 * Makes the class of a bot.
 * @param {{
 *   url: string, game: string, level?: number, token?: string,
 *   observation: (G: any, ctx: any, playerID: string) => string,
 *   move: (token: string, G: any, ctx: any) => {type: string, args: unknown[]},
 * }} options `level` is 1 to 10; `token` is one of the server's, if it wants some
 */
export function kingmakerBot({ url, game, level = 5, token = "", observation, move }) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  return class KingmakerBot {
    /**
     * Chooses a move, as boardgame.io asks its bots to.
     * @param {{G: any, ctx: any}} state
     * @param {string} playerID
     */
    async play({ G, ctx }, playerID) {
      const search = { observation: { game, text: observation(G, ctx, playerID) } };
      const response = await fetch(`${url}/kingmaker.v1.AnalysisService/SelectMove`, {
        method: "POST",
        headers,
        body: JSON.stringify({ search, level }),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(`${answer.code}: ${answer.message}`);
      const { type, args } = move(answer.move.text, G, ctx);
      return { action: { type: "MAKE_MOVE", payload: { type, args, playerID, credentials: null } } };
    }
  };
}
