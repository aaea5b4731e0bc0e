// The package for Node, with the server at KINGMAKER_URL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, KingmakerError } from "kingmaker-client";
import { play, refused } from "../dist/examples/play.js";

const url = process.env.KINGMAKER_URL;
const FULL = { game: "tic_tac_toe", text: "ttt board=.../.x./... node=play:p2" };

test("the example plays a whole game", async () => {
  const shares = await play(url);
  assert.equal(shares.length, 2);
  assert.ok(Math.abs(shares[0] + shares[1] - 1) < 1e-9);
});

test("all games are listed", async () => {
  const names = (await connect(url).listGames()).map((game) => game.name);
  assert.ok(names.includes("hearts") && names.includes("tic_tac_toe"));
});

test("an error has what the server says of it", async () => {
  const error = await refused(url);
  assert.equal(error.reason, "UNKNOWN_GAME");
  assert.equal(error.field, "game");
  assert.equal(error.value, "leduc");
  assert.equal(error.retryMs, undefined);
});

test("an illegal move has its rule and violations", async () => {
  const client = connect(url);
  await assert.rejects(client.games.applyMoves({ position: FULL, moves: [{ text: "b2" }] }), (error) => {
    assert.ok(error instanceof KingmakerError);
    assert.equal(error.rule, "R1.3");
    assert.deepEqual(error.violations.map(({ field }) => field), ["moves[0]"]);
    return true;
  });
});

test("a stream can be left, and one that fails has the details", async () => {
  const client = connect(url);
  const { observation } = await client.games.observe({ position: FULL, seat: 2 });
  let snapshots = 0;
  for await (const snapshot of client.analyze(observation, { budgetMs: 20_000, reportMs: 20 })) {
    assert.ok(snapshot.moves.length > 0);
    if (++snapshots === 2) break;
  }
  const wrong = { game: "tic_tac_toe", text: "ttt board=none" };
  await assert.rejects(async () => {
    for await (const _ of client.analyze(wrong)) assert.fail("no snapshot is possible");
  }, (error) => error instanceof KingmakerError && error.field.startsWith("search.observation"));
});
