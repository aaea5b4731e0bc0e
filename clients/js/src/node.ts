// Kingmaker's client for Node: gRPC over HTTP/2.
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Client, type Options } from "./client.js";

export { Client, type Options, type SearchOptions } from "./client.js";
export { KingmakerError, type Violation } from "./errors.js";

/** Connects to a server: `connect("http://127.0.0.1:50051")`, or `https:` with TLS. */
export function connect(url: string, options: Options = {}): Client {
  return new Client(createGrpcTransport({ baseUrl: url }), options);
}
