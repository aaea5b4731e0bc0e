// Plays a game of Leduc poker against a bot, with a hint before each move.
import { connect, KingmakerError } from "kingmaker-client";
import { NodeKind } from "kingmaker-client/v1/types";

const PLAYER = 1;

export async function play(url: string): Promise<number[]> {
  const client = connect(url);
  const game = await client.start("leduc_poker", { seed: 7n, viewers: [PLAYER] });
  const seed = game.seed ?? 7n;
  let { position, node } = game;
  while (position && node && node.kind !== NodeKind.END) {
    const seen = await client.observe(position, node.seat);
    let move;
    if (node.seat === PLAYER) {
      const best = (await client.hint(seen, { top: 1, budgetMs: 50 })).suggestions[0];
      console.log(best?.explanation);
      move = best?.analysis?.move;
    } else {
      ({ move } = await client.selectMove(seen, { level: 3, budgetMs: 50 }));
    }
    if (!move) throw new Error("no move");
    ({ position, node } = await client.play(position, [move], { seed, viewers: [PLAYER] }));
  }
  return node?.returns ?? [];
}

export async function refused(url: string): Promise<KingmakerError> {
  try {
    await connect(url).start("leduc");
  } catch (error) {
    if (error instanceof KingmakerError) return error;
  }
  throw new Error("the server knows a game that is not");
}
