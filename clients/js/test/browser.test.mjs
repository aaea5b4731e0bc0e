// The package for browsers, over HTTP, with a service of our own in the place of the server.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { build } from "esbuild";
import { connect, KingmakerError } from "../dist/browser.js";
import { ErrorInfoSchema, RetryInfoSchema } from "../dist/gen/details_pb.js";
import { AnalysisService } from "../dist/gen/kingmaker/v1/analysis_service_pb.js";
import { GameService } from "../dist/gen/kingmaker/v1/game_service_pb.js";

let server, url, asked, delay;

function detail(name, schema, value) {
  return { type: `google.rpc.${name}`, value: toBinary(schema, create(schema, value)) };
}

function failure(code, ...details) {
  const error = new ConnectError("no", code);
  error.details = details;
  return error;
}

before(async () => {
  const routes = (router) => {
    router.service(GameService, {
      startGame(request, context) {
        asked.push(context.requestHeader.get("authorization"));
        if (asked.length === 1) {
          const retry = { retryDelay: delay };
          throw failure(Code.ResourceExhausted, detail("RetryInfo", RetryInfoSchema, retry));
        }
        return { position: { game: request.game, text: "ttt" }, seed: 5n };
      },
      async listMoves() {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return {};
      },
      observe() {
        const metadata = { field: "seat", value: "9", rule: "R1.1" };
        const info = { reason: "INVALID_FIELD", metadata };
        throw failure(Code.InvalidArgument, detail("ErrorInfo", ErrorInfoSchema, info));
      },
    });
    router.service(AnalysisService, {
      async *analyze() {
        yield { isFinal: false };
        yield { isFinal: true };
      },
    });
  };
  server = http.createServer(connectNodeAdapter({ routes }));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

test("a call is repeated when the server says, with the token", async () => {
  [asked, delay] = [[], { seconds: 0n, nanos: 20_000_000 }];
  const game = await connect(url, { token: "secret" }).start("tic_tac_toe");
  assert.equal(game.position.game, "tic_tac_toe");
  assert.equal(game.seed, 5n);
  assert.deepEqual(asked, ["Bearer secret", "Bearer secret"]);
});

test("no call is repeated beyond its time", async () => {
  [asked, delay] = [[], { seconds: 60n, nanos: 0 }];
  const refused = (error) => error instanceof KingmakerError && error.retryMs === 60_000;
  await assert.rejects(connect(url, { timeoutMs: 5000 }).start("tic_tac_toe"), refused);
  assert.equal(asked.length, 1);
});

test("an error has what the server says of it", async () => {
  await assert.rejects(connect(url).observe({ game: "tic_tac_toe" }, 9), (error) => {
    assert.ok(error instanceof KingmakerError);
    assert.equal(error.code, Code.InvalidArgument);
    assert.equal(error.reason, "INVALID_FIELD");
    assert.equal(error.field, "seat");
    assert.equal(error.rule, "R1.1");
    return true;
  });
});

test("a call that takes too long ends with an error of ours", async () => {
  await assert.rejects(connect(url, { timeoutMs: 50 }).legalMoves({ $typeName: "none" }), (error) => {
    return error instanceof KingmakerError && error.code === Code.DeadlineExceeded;
  });
});

test("a stream comes to its end", async () => {
  const found = [];
  for await (const each of connect(url).analyze({ game: "tic_tac_toe" })) found.push(each.isFinal);
  assert.deepEqual(found, [false, true]);
});

test("a bundle for browsers needs nothing of Node", async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'export { connect } from "kingmaker-client"', resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  const bytes = outputFiles[0].contents.length;
  assert.ok(bytes < 300_000, `${bytes} bytes`);
});
