// Kingmaker's client for browsers: the Connect protocol, on the HTTP port of a server.
import { createConnectTransport } from "@connectrpc/connect-web";
import { Client, type Options } from "./client.js";

export { Client, type Options, type SearchOptions } from "./client.js";
export { KingmakerError, type Violation } from "./errors.js";

/** Connects to a server: `connect(location.origin)`. */
export function connect(url: string, options: Options = {}): Client {
  return new Client(createConnectTransport({ baseUrl: url }), options);
}
