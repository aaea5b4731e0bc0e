// What TypeScript finds; each line with one ends in a comment. Not to be run.
import { connect, KingmakerError } from "kingmaker-client";
import { NodeKind } from "kingmaker-client/v1/types";

const client = connect("http://127.0.0.1:50051", { tokn: "secret" }); // mistake
const game = await client.start("leduc_poker", { seed: 1 }); // mistake
console.log(game.positoin); // mistake
console.log(game.node?.kind === NodeKind.OVER); // mistake
await client.observe(game.position, 1); // mistake
const position = game.position!;
await client.observe(position, "p1"); // mistake
await client.play(position, ["call"], {}); // mistake
await client.play(position, [1], { seed: 1n }); // mistake
await client.hint(position); // mistake
for await (const snapshot of client.analyze(await client.observe(position, 1))) {
  console.log(snapshot.isFinall); // mistake
}
await client.selectMoves(await client.observe(position, 1)); // mistake
await client.games.startGame({ gane: "leduc_poker" }); // mistake
await client.analysis.selectMove({ search: { seats: 1 } }); // mistake
await client.games.startGames({}); // mistake
try {
  await client.start("leduc_poker");
} catch (error) {
  if (error instanceof KingmakerError) console.log(error.feild); // mistake
}
