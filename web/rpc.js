// Calls of the service with JSON, as any page can make them: https://connectrpc.com/docs/protocol

const HEADER_BYTES = 5; // of a message in a stream: flags, and its length as 32 bits
const LAST = 2; // flag of the message that ends a stream
const SILENT_MS = 50_000; // after which a connection is lost, as the server sends something every 20 s
const LOOK_MS = 250; // between looks for silence
const LOST = { message: "the connection was lost" };

/** A refused call. */
export class Refusal extends Error {
  /** @param {{code?: string, message?: string}} answer */
  constructor(answer) {
    super(answer.message || answer.code || "the server does not answer");
    this.code = answer.code ?? "unavailable";
  }
}

/**
 * Ends a call if nothing is heard of it for long: the connection of a phone that slept, or changed its
 * network, is lost without a word.
 */
class Listening {
  /** @param {AbortSignal} [signal] ends it, too */
  constructor(signal) {
    const ending = new AbortController();
    this.signal = ending.signal;
    this.heardAt = Date.now();
    signal?.addEventListener("abort", () => ending.abort(signal.reason));
    this.watch = setInterval(() => {
      if (Date.now() - this.heardAt > SILENT_MS) ending.abort(new Refusal(LOST));
    }, LOOK_MS);
  }

  heard() {
    this.heardAt = Date.now();
  }

  /**
   * Ends the call because nothing more can be heard.
   * @returns {never}
   */
  fail() {
    if (this.signal.aborted) throw this.signal.reason;
    throw new Refusal(LOST);
  }

  stop() {
    clearInterval(this.watch);
  }
}

/**
 * Makes a call with one answer.
 * @param {string} method such as "GameService/ListGames"
 * @param {object} fields of the request
 * @returns {Promise<any>}
 */
export async function call(method, fields) {
  const listening = new Listening();
  try {
    const response = await post(method, "application/json", JSON.stringify(fields), listening.signal);
    if (response.ok) return await response.json().catch(() => listening.fail());
    throw new Refusal(await response.json().catch(() => ({})));
  } finally {
    listening.stop();
  }
}

/**
 * Makes a call with a stream of answers.
 * @param {string} method such as "AnalysisService/Analyze"
 * @param {object} fields of the request
 * @param {AbortSignal} [signal] cancels it, and the search with it
 * @returns {AsyncGenerator<any>}
 */
export async function* stream(method, fields, signal) {
  const listening = new Listening(signal);
  try {
    const response = await post(method, "application/connect+json", envelope(fields), listening.signal);
    if (!response.ok || !response.body) throw new Refusal(await response.json().catch(() => ({})));
    const reader = response.body.getReader();
    let rest = new Uint8Array();
    for (;;) {
      const { done, value } = await reader.read().catch(() => listening.fail());
      if (done) throw new Refusal(LOST);
      listening.heard();
      rest = joined(rest, value);
      while (rest.length >= HEADER_BYTES) {
        const size = new DataView(rest.buffer, rest.byteOffset).getUint32(1);
        if (rest.length < HEADER_BYTES + size) break;
        const body = new TextDecoder().decode(rest.subarray(HEADER_BYTES, HEADER_BYTES + size));
        const isLast = rest[0] & LAST;
        rest = rest.slice(HEADER_BYTES + size);
        if (!isLast) yield JSON.parse(body);
        else if (JSON.parse(body).error) throw new Refusal(JSON.parse(body).error);
        else return;
      }
    }
  } finally {
    listening.stop();
  }
}

/**
 * @param {string} method
 * @param {string} type
 * @param {BodyInit} body
 * @param {AbortSignal} signal
 */
async function post(method, type, body, signal) {
  const headers = { "content-type": type };
  const options = { method: "POST", headers, body, signal };
  try {
    return await fetch(`/kingmaker.v1.${method}`, options);
  } catch {
    if (signal.aborted) throw signal.reason;
    throw new Refusal({ message: "the server can't be reached" });
  }
}

/** @param {object} fields */
function envelope(fields) {
  const body = new TextEncoder().encode(JSON.stringify(fields));
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  new DataView(bytes.buffer).setUint32(1, body.length);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}

/**
 * @param {Uint8Array} first
 * @param {Uint8Array} second
 */
function joined(first, second) {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
